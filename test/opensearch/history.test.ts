// What the lives on a cluster are judged by finds what is wrong, and nothing else. A call is written as its begin and end, its verb and
// arguments, and "?" where nobody knows whether it was done, or "!id" where the write of that record was refused.

import { expect, it } from "vitest";
import type { Outcome } from "../support/cluster-child.js";
import { type Contents, faultOf, type Item, type MadeCall } from "./history.js";

/** A record: `id`, `id=number`, `id@group`, or a counter, `id=number:word.word`. */
function itemOf(text: string): Item {
  const [, id, n, group, words] = /^(\w+)(?:=(\d+))?(?:@(\w+))?(?::([\w.]*))?$/.exec(text)!;
  return {
    id: id!,
    ...(n !== undefined && { n: Number(n) }),
    ...(group !== undefined && { group }),
    ...(words !== undefined && { words: words.split(".").filter((word) => word !== "") }),
  };
}

/** Adds a number, and the word of that number. */
function patchOf(text: string): Item {
  const [id, value] = text.split("+");
  const operation = (_operation: string, value: string | number) => ({ _operation, value });
  return { id: id!, n: operation("Increment", Number(value)), words: operation("Add", `t${value}`) };
}

function callOf(line: string): MadeCall {
  const [times, verb, name, ...rest] = line.split(" ");
  const [began, ended] = times!.split("-").map(Number);
  const recordIds = rest.filter((text) => text.startsWith("!")).map((text) => text.slice(1));
  const given = rest.filter((text) => !/^[!?]/.test(text));
  const envelope = { msg: "", data: null, error: "" };
  let outcome: Outcome = { ok: null };
  if (rest.includes("?")) outcome = { refused: { ...envelope, code: 503 } };
  if (recordIds.length > 0) outcome = { refused: { ...envelope, code: 409, details: { recordIds } } };
  const argOf: Readonly<Record<string, () => unknown>> = {
    addRecords: () => given.map(itemOf),
    replaceAllRecords: () => given.map(itemOf),
    updateRecords: () => given.map(patchOf),
    deleteBy: () => ({ filters: `group:"${given[0]}"` }),
    updateSettings: () => ({ rules: given }),
    importIndex: () => given.map((text) => JSON.stringify(itemOf(text))),
  };
  const args = [name!, argOf[verb!]?.() ?? given[0]] as const;
  return { child: 0, verb: verb!, args, began: began!, ended: ended!, outcome };
}

/** Of lines such as `swap a b`, and `rules a`. */
function contentsOf(text: string): Contents {
  const lines = text.split(", ").map((line) => line.split(" "));
  const mapOf = (items: readonly string[]): Map<string, Item> =>
    new Map(items.map(itemOf).map((each) => [each.id, each]));
  const [, ...rules] = lines.find(([name]) => name === "rules") ?? [];
  const indexes = lines.filter(([name]) => name !== "rules").map(([name, ...items]) => [name!, mapOf(items)] as const);
  return { indexes: new Map(indexes), settings: rules.length === 0 ? {} : { rules } };
}

const BEFORE = "ledger c=0:, swap o, side s";
const WHOLE = "0-1 addRecords ledger w=1, 2-3 addRecords ledger w=2";
const GROUP = "0-1 addRecords ledger a@g, 2-3 deleteBy ledger g";
const RULES = "0-1 updateSettings ledger a, 2-3 updateSettings ledger b";
const PATCHES = "0-1 updateRecords ledger c+1, 0-1 updateRecords ledger c+2 ?, 0-1 updateRecords ledger c+4 !c";
const LAST = "0-1 replaceAllRecords swap a, 2-3 addRecords swap b";
const FIRST = "0-1 addRecords swap b, 2-3 replaceAllRecords swap a";
const MOVED = "0-1 moveIndex side swap, 2-3 addRecords swap b";

it.each([
  ["what was acknowledged is there", true, "0-1 addRecords ledger a", "ledger c=0: a, swap o, side s"],
  ["what was acknowledged is lost", false, "0-1 addRecords ledger a", BEFORE],
  ["what was refused is there", false, "0-1 addRecords ledger a !a", "ledger c=0: a, swap o, side s"],
  ["a part was refused", true, "0-1 addRecords ledger a b !a", "ledger c=0: b, swap o, side s"],
  ["nobody knows of some", true, "0-1 addRecords ledger a b ?", "ledger c=0: b, swap o, side s"],
  ["nobody wrote it", false, "0-1 clearIndex nothing", "ledger c=0: a, swap o, side s"],
  ["the later write won", true, WHOLE, "ledger c=0: w=2, swap o, side s"],
  ["the earlier write won", false, WHOLE, "ledger c=0: w=1, swap o, side s"],
  ["either of two at once won", true, WHOLE.replace("0-1", "0-4"), "ledger c=0: w=1, swap o, side s"],
  ["a group was deleted", true, GROUP, BEFORE],
  ["a group was not deleted", false, GROUP, "ledger c=0: a@g, swap o, side s"],
  ["the last settings are there", true, RULES, `${BEFORE}, rules b`],
  ["the last settings are lost", false, RULES, `${BEFORE}, rules a`],
  ["nobody knows of the last settings", true, `${RULES} ?`, `${BEFORE}, rules a`],
  ["operations add up", true, PATCHES, "ledger c=1:t1, swap o, side s"],
  ["operations add up with one that nobody knows of", true, PATCHES, "ledger c=3:t1.t2, swap o, side s"],
  ["a number was changed without its word", false, PATCHES, "ledger c=3:t1, swap o, side s"],
  ["an operation is lost", false, PATCHES, BEFORE],
  ["an operation was done twice", false, PATCHES, "ledger c=2:t1.t1, swap o, side s"],
  ["a refused operation was done", false, PATCHES, "ledger c=5:t1.t4, swap o, side s"],
  ["a record was added after a replacement", true, LAST, "ledger c=0:, swap a b, side s"],
  ["that record is lost", false, LAST, "ledger c=0:, swap a, side s"],
  ["a record was replaced", true, FIRST, "ledger c=0:, swap a, side s"],
  ["a record outlived a replacement", false, FIRST, "ledger c=0:, swap a b, side s"],
  ["it was written meanwhile", true, FIRST.replace("2-3", "0-3"), "ledger c=0:, swap a b, side s"],
  ["an index was moved, and written to", true, MOVED, "ledger c=0:, swap s b"],
  ["the old one was written to", false, MOVED, "ledger c=0:, swap s"],
  ["an index may have been moved", true, MOVED.replace(",", " ?,"), "ledger c=0:, swap s"],
  ["a half was moved", false, "0-1 moveIndex side swap", "ledger c=0:, swap s, side s"],
  ["an index was deleted", true, "0-1 deleteIndex swap", "ledger c=0:, side s"],
  ["an index was deleted, and is there", false, "0-1 deleteIndex swap", BEFORE],
  ["an index was cleared and copied", true, "0-1 clearIndex swap, 2-3 copyIndex swap side", "ledger c=0:, swap, side"],
  ["an index was imported", true, "0-1 importIndex swap i", "ledger c=0:, swap i, side s"],
])("%s: %s", (_what, isPossible, calls, after) => {
  const fault = faultOf(contentsOf(BEFORE), calls.split(", ").map(callOf), contentsOf(after));
  expect(fault === undefined, fault).toBe(isPossible);
});
