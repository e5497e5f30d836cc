// Calls as data, each the name of a verb and its arguments, so that several engines, and other processes, can be given the same.

import type { FilterObject, IndexSettings, JsonRecord, JsonValue, SearchEngine } from "../../src/index.js";
import { randomOperation } from "../support/naive-operations.js";
import type { Random } from "../support/random.js";
import { preview } from "./preview.js";

type WriteVerb = `${"add" | "update" | "replaceAll" | "delete"}Records` | "deleteBy" | "clearIndex" | "updateSettings";

type Verb = WriteVerb | "createIndex" | "copyIndex" | "moveIndex" | "deleteIndex" | "importIndex" | "readSnapshot";

/** A call of an engine; the first argument is the name of an index. */
export interface Call<V extends Verb = Verb> {
  readonly verb: V;
  readonly args: readonly [name: string, ...rest: readonly unknown[]];
}

export type Write = Call<WriteVerb>;

export type Id = string | number;
export type Item = JsonRecord & { readonly id: Id };

/** What the calls of one index are made of. */
export interface Goods {
  readonly records: () => Item[];
  readonly ids: () => Id[];
  readonly filters: () => string | FilterObject;
  readonly settings: () => IndexSettings;
}

/** How often each verb is drawn beside the others, in whole numbers. */
export type Shares = Readonly<Record<WriteVerb, number>>;

export async function take(engine: SearchEngine, { verb, args }: Call): Promise<unknown> {
  return Reflect.apply(engine[verb], engine, args);
}

export function shown({ verb, args }: Call): string {
  return `${verb} ${args.map(preview).join(" ")}`;
}

export function writeOf(random: Random, name: string, goods: Goods, shares: Shares): Write {
  const skipping = random.chance(0.2);
  const records = (): readonly Item[] => (skipping ? withWrong(random, goods.records()) : goods.records());
  const skip = skipping ? { onInvalid: "skip" } : {};
  const argsOf: Readonly<Record<WriteVerb, () => readonly unknown[]>> = {
    addRecords: () => [records(), ...(skipping ? [skip] : [])],
    updateRecords: () => [patchesOf(random, records()), { createIfNotExists: random.chance(0.7), ...skip }],
    replaceAllRecords: () => [records(), ...(skipping ? [skip] : [])],
    deleteRecords: () => [goods.ids()],
    deleteBy: () => [{ filters: goods.filters() }],
    clearIndex: () => [],
    updateSettings: () => [goods.settings()],
  };
  const verbs = Object.keys(argsOf) as WriteVerb[];
  const verb = random.pick(verbs.flatMap((each) => new Array<WriteVerb>(shares[each]).fill(each)));
  return { verb, args: [name, ...argsOf[verb]()] };
}

/** Wrong attributes, and the name of the error. */
const FAULTS: readonly (readonly [fault: JsonRecord, error: string])[] = [
  [{ id: null }, "invalid_id"],
  [{ id: "" }, "invalid_id"],
  [{ _geoloc: { lat: 91, lng: 0 } }, "invalid_record"],
  [{ within: { deep: { _operation: "Add", value: 1 } } }, "invalid_record"],
];

/** The records with some wrong ones among them. */
function withWrong(random: Random, records: readonly Item[]): Item[] {
  const wrong = random.some(records, 0.5).map((record) => ({ ...record, ...random.pick(FAULTS)[0] }) as Item);
  return random.shuffle([...records, ...wrong]);
}

/** What is wrong with a record or a patch, by the name of the error; undefined: nothing that could be seen without the index. */
export function faultOf(record: JsonRecord): string | undefined {
  const isFault = ([name, value]: [string, JsonValue]): boolean =>
    JSON.stringify(record[name]) === JSON.stringify(value);
  return FAULTS.find(([fault]) => Object.entries(fault).every(isFault))?.[1];
}

/** The result of a write without the sentences that say what is wrong with records that were left out. */
export function withoutSentences(result: unknown): unknown {
  const { skipped, ...rest } = (result ?? {}) as { readonly skipped?: readonly { readonly msg: string }[] };
  return skipped === undefined ? result : { ...rest, skipped: skipped.map(({ msg: _msg, ...each }) => each) };
}

/** Some attributes of the records, and operations on some; the same id may come twice. */
function patchesOf(random: Random, records: readonly Item[]): Item[] {
  const change = (name: string, value: JsonValue): JsonValue => {
    // Neither a vector nor a place takes an operation.
    const mayChange = !["vec", "_geoloc", "within"].includes(name);
    const share = typeof value === "number" || Array.isArray(value) ? 0.3 : 0.005;
    return mayChange && random.chance(share) ? randomOperation(random, value) : value;
  };
  return [...records, ...random.some(records, 0.2)].map(({ id, ...rest }) => {
    const some = random.some(Object.entries(rest), 0.3);
    return { id, ...Object.fromEntries(some.map(([name, value]) => [name, change(name, value)])) };
  });
}

/** What is written beside a replacement of all records. */
const BESIDE: readonly string[] = ["addRecords", "updateRecords", "deleteRecords", "deleteBy"];

/**
 * Gives an engine calls of one index one after the other, so that they do what they do when they are made at once: what is written
 * beside a replacement of all records is done first, and again when all records are replaced. `taken` is called after each.
 *
 * @returns the result of each call
 */
export async function takeTogether(
  engine: SearchEngine,
  calls: readonly Call[],
  resultOf: (call: Call) => Promise<string>,
  taken: (call: Call) => Promise<void>,
): Promise<string[]> {
  const results = new Map<Call, string>();
  let replacing: Call | undefined;
  const again: Call[] = [];
  const make = async (call: Call): Promise<void> => {
    results.set(call, await resultOf(call));
    await taken(call);
  };
  const replace = async (): Promise<void> => {
    if (replacing === undefined) return;
    const call = replacing;
    replacing = undefined;
    const repeated = again.splice(0);
    results.set(call, await resultOf(call));
    if (results.get(call)!.startsWith("{")) for (const each of repeated) await resultOf(each);
    await taken(call);
  };
  for (const call of calls) {
    if (!BESIDE.includes(call.verb)) await replace();
    if (call.verb === "replaceAllRecords") {
      replacing = call;
      continue;
    }
    const repeats = replacing === undefined ? undefined : await repeatsOf(engine, call);
    await make(call);
    if (repeats !== undefined && results.get(call)!.startsWith("{")) again.push(...repeats(results.get(call)!));
  }
  await replace();
  return calls.map((call) => results.get(call)!);
}

/** A call as it is repeated on the new version, given its result on the old one, which the engine has. */
async function repeatsOf(engine: SearchEngine, { verb, args }: Call): Promise<(result: string) => readonly Call[]> {
  const [name, given, options] = args as readonly [string, readonly Item[], object | undefined];
  if (verb !== "addRecords" && verb !== "updateRecords") return () => [{ verb, args }];
  const there = await Promise.all(given.map(({ id }) => engine.getRecords(name, [id]).catch(() => [null])));
  const known = new Set(given.filter((_, i) => there[i]![0] !== null).map(({ id }) => String(id)));
  return (result) => {
    const { skipped = [] } = JSON.parse(result) as { readonly skipped?: readonly { readonly index: number }[] };
    const taken = given.filter((_, i) => !skipped.some(({ index }) => index === i));
    const skip = { ...options, onInvalid: "skip" };
    if (verb === "addRecords") return [{ verb, args: [name, taken, skip] }];
    // A patch changes the record that it changed, or makes that which it made.
    const [changes, others] = [true, false].map((is) => taken.filter(({ id }) => known.has(String(id)) === is));
    return [
      { verb, args: [name, changes, { ...skip, createIfNotExists: false }] },
      { verb, args: [name, others, skip] },
    ];
  };
}
