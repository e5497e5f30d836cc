// What ends the process, or ruins the graph, when the native package is called as it is, does neither through the guarded
// graph. Each case runs in a child process, which must live to its end; cases are known by their number there.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { hnswAvailable } from "../../src/vector/hnsw-addon.js";

const SCRIPT = fileURLToPath(new URL("../support/native-killers.mjs", import.meta.url));
/** Refused with our own error, by add and by search; still 3 nodes, all of them found. */
const REFUSED = ["400 invalid_vector", 3, 3];
/** Two vectors added and both found: what the caller asked for besides was not looked at. */
const IGNORED = [0, 1, 2];
const INVALID_OPTION = ["400 invalid_option"];

const ROWS: readonly (readonly [row: number, name: string, outcome: unknown])[] = [
  [1, "wrong length", REFUSED],
  [2, "no array: only what holds numbers passes", [REFUSED, [[2, 0], 3, 3]]],
  [3, "an item that is no number, not in the last place, added", REFUSED],
  [4, "an item that is no number, searched", REFUSED],
  [5, "an item that is no number in the last place", REFUSED],
  [6, "a getter or Proxy that throws", REFUSED],
  [7, "a getter that shrinks the array", REFUSED],
  [8, "a getter that adds, or closes the graph", [4, 5, "503 closed", "503 closed"]],
  [9, "NaN among many: none gets in, none is lost", ["400 invalid_vector", 1000, true]],
  [10, "infinite, or too large for 32 bits", REFUSED],
  [11, "a norm that overflows", REFUSED],
  [12, "a norm that underflows", REFUSED],
  [13, "zeros", REFUSED],
  [14, "NaN or Infinity in a query", REFUSED],
  [15, "more nodes than there was room for", [2100, true]],
  [16, "a capacity of the caller's choice", [IGNORED]],
  [18, "a capacity of NaN", IGNORED],
  [19, "m 0", INVALID_OPTION],
  [20, "m 1", INVALID_OPTION],
  [21, "a huge m", INVALID_OPTION],
  [22, "efConstruction and efSearch out of range", [...INVALID_OPTION, ...INVALID_OPTION]],
  [23, "dimensions out of range", INVALID_OPTION],
  [24, "a label given thrice: ignored; the node marked thrice is dead once", [[3, 4, 5], [null], 6, 1, 2]],
  [
    25,
    "labels that wrap around: ignored; such nodes are refused",
    [[3, 4, 5, 6, 7, 8, 9, 10], ["400 invalid_node"], 11, 0, 3],
  ],
  [26, "labels that are no numbers: ignored; such nodes are refused", [[3, 4, 5, 6, 7], ["400 invalid_node"], 8, 0, 3]],
  [27, "k about the live count", [19]],
  [28, "k above the capacity", [19]],
  [29, "k 0, -1, NaN, Infinity", [1, "400 invalid_option", 19]],
  [30, "k above efSearch", [150, [7]]],
  [31, "a very large k", [true, true]],
  [32, "an empty graph, and one of dead nodes", [[], [], 3, [3]]],
  [33, "missing nodes marked, others twice", ["400 invalid_node", 1, 0, 3]],
  [34, "replacement asked for: a new node each, no dead one, none twice", [[3, 4, 5], 4, 4, false]],
  [35, "a dead node added again: a new node", [3, [3], true]],
  [36, "a live node replaced: a new node each, no ghost", [[3, 4, 5], 4, 4, false]],
  [37, "a filter that throws: it is never passed on", [5, 5]],
  [38, "filters of all kinds: none is passed on", [[5, 5]]],
];

interface Ended {
  readonly status: number | null;
  readonly stderr: string;
  readonly outcomes: ReadonlyMap<number, unknown>;
}

function runChild(command: string, args: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", timeout: 60_000 });
  const lines = stdout.split("\n").filter((line) => line !== "");
  const rows = lines.map((line) => JSON.parse(line) as { readonly row: number; readonly outcome: unknown });
  return { status, stderr, outcomes: new Map(rows.map(({ row, outcome }) => [row, outcome])) };
}

const MISSING = [false, null];
/** A child sees the addon exactly when this process does. */
const FLAGS = hnswAvailable() ? [] : ["--no-addons"];

const child = runChild(process.execPath, [...FLAGS, SCRIPT, ...ROWS.map(([row]) => String(row))]);

it("lives through all rows without a word", () => {
  expect({ status: child.status, stderr: child.stderr }).toEqual({ status: 0, stderr: "" });
  expect([...child.outcomes.keys()]).toEqual(ROWS.map(([row]) => row));
});

it.each(ROWS)("row %i: %s", (row, _name, outcome) => {
  expect(child.outcomes.get(row)).toEqual(hnswAvailable() ? outcome : MISSING);
});

it("row 17: no memory for another graph is an error, and the graphs there are go on", () => {
  // Only where a shell can bound the address space does memory run out; elsewhere every graph is created.
  const bounded = process.platform === "linux";
  const shell = ["-c", 'ulimit -v 4000000 && exec "$0" "$@" 17', process.execPath, ...FLAGS, SCRIPT];
  const { status, outcomes } = bounded
    ? runChild("/bin/sh", shell)
    : runChild(process.execPath, [...FLAGS, SCRIPT, "17"]);
  const created = bounded ? ["created", "507 index_full"] : ["created"];
  expect(status).toBe(0);
  expect(outcomes.get(17)).toEqual(hnswAvailable() ? [...created, "node 0", "found 0"] : MISSING);
});

it("without native packages there is no graph, and nothing throws", () => {
  const { status, stderr, outcomes } = runChild(process.execPath, ["--no-addons", SCRIPT]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(outcomes.size).toBe(ROWS.length + 1);
  for (const outcome of outcomes.values()) expect(outcome).toEqual(MISSING);
});
