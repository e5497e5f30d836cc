// The 25 ways in which the bare native package ends or freezes a process, each by its row: those that the public interface
// could reach are tried in a child process, which must live; of the others the adapter has neither a name nor a way. Rows
// 3, 4, 6, 7, 17, 19 and 37 are also tried one floor lower, on the adapter itself.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as adapter from "../../src/vector/hnsw-addon.js";
import { ROOT, readSourceTree } from "../support/source-tree.js";
import { type Ended, runProgram } from "./child.js";

/** What came out of each row. */
function rowsOf({ lines }: Ended): Map<number, unknown> {
  const rows = lines.map((line) => JSON.parse(line) as { readonly row: number; readonly outcome: unknown });
  return new Map(rows.map(({ row, outcome }) => [row, outcome]));
}

/** The record that is nearest to vector 7, after all that was tried. */
const FOUND = "7";

const REACHABLE: readonly (readonly [rows: string, row: number, what: string, outcome: unknown])[] = [
  ["3, 4", 3, "items that are no numbers, added and searched", ["400 invalid_vector", FOUND]],
  ["6", 6, "a getter or Proxy that throws", ["400 invalid_record", "400 invalid_vector", FOUND]],
  ["7", 7, "a getter that shrinks the array", ["400 invalid_vector", FOUND]],
  ["19", 19, "m 0 and 1", ["400 invalid_setting"]],
  [
    "37, 39, 87",
    37,
    "functions where a filter could stand",
    ["400 invalid_filter", "400 unknown_parameter", "400 invalid_facet_filters", FOUND],
  ],
  ["80, 81", 80, "a capacity of the caller's choice", ["400 unknown_setting"]],
];

describe("by the public interface", () => {
  const child = runProgram({ file: "./killers.mjs" });

  it("the process lives through all rows without a word", async () => {
    const { status, stderr, lines } = await child;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines).toHaveLength(REACHABLE.length);
  });

  it.each(REACHABLE)("rows %s (%i): %s", async (_rows, row, _what, outcome) => {
    expect(rowsOf(await child).get(row)).toEqual(outcome);
  });

  it("row 17: where no memory is left for another graph, vectors are scanned exactly", async () => {
    // Only where a shell can bound the address space does memory run out.
    const script = fileURLToPath(new URL("./killers.mjs", import.meta.url));
    const bounded = process.platform === "linux";
    const bound = bounded ? "ulimit -v 4000000 && " : "";
    const lines = await new Promise<string>((resolve, reject) => {
      execFile("/bin/sh", ["-c", `${bound}exec "$0" "$@" 17`, process.execPath, script], (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
    });
    const { row, outcome } = JSON.parse(lines) as { readonly row: number; readonly outcome: readonly string[] };
    expect([row, outcome.at(-1)]).toEqual([17, "1"]);
    if (bounded) expect(outcome).toEqual(["graph_unavailable", "1"]);
  });
});

describe("row 86: a worker that ends while it adds and its graph grows does not end the process", () => {
  it.each([
    ["terminate", "ended with 1"],
    ["process.exit", "ended with 3"],
    ["error", "ended with 1 Error: from the worker"],
    ["filter", "ended with 1 SearchError: filters is a function"],
  ])("by %s", async (how, ended) => {
    const { status, lines, stderr } = await runProgram({
      file: "./dying-worker.mjs",
      flags: ["--expose-gc"],
      args: [how],
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect([lines[0]?.slice(0, ended.length), ...lines.slice(1)]).toEqual([ended, "found 7"]);
  });
});

/** Rows whose killer needs a method that is never called, and the methods. */
const UNREACHABLE: readonly (readonly [rows: string, what: string, methods: readonly string[]])[] = [
  ["44, 45, 47, 52, 53, 56, 57", "files that are read, damaged or missing ones", ["readIndexSync", "loadIndex"]],
  ["46, 73, 74, 75", "asynchronous reads", ["readIndex"]],
  ["86", "asynchronous writes", ["writeIndex", "writeIndexSync", "saveIndex"]],
  ["90, 91", "the scan of the package's own", ["BruteforceSearch", "removePoint"]],
  ["39", "filters inside the graph", ["getIdsList", "getPoint"]],
];

/** How the package names its own methods. */
const NATIVE_METHODS =
  /Index(Sync)?$|Point$|Knn$|Delete$|Ef$|^get(Ids|Max|Current|Num|Used)|^(loadIndex|readIndex|saveIndex|writeIndex)/;

describe("what is never called", () => {
  const source = readSourceTree();

  it.each(UNREACHABLE)("rows %s: %s", (_rows, _what, methods) => {
    const named = source.flatMap(({ path, words }) =>
      words.filter(({ name }) => methods.includes(name)).map(({ name, line }) => `${path}:${line} ${name}`),
    );
    expect(named).toEqual([]);
  });

  it("rows 39, 80, 81: resizeIndex stands in one place, with a capacity that only doubles; searchKnn has no filter", () => {
    const text = readFileSync(join(ROOT, "src/vector/hnsw-addon.ts"), "utf8");
    const callsOf = (name: string) => text.match(new RegExp(`\\.${name}\\([^)]*\\)`, "g"));
    expect(callsOf("resizeIndex")).toEqual([".resizeIndex(capacity)"]);
    expect(callsOf("searchKnn")).toEqual([".searchKnn(copy, wanted)"]);
    expect(text.match(/(?<!function )makeRoom\([^)]*\)/g)).toEqual([
      "makeRoom(graph, checked, FIRST_CAPACITY)",
      "makeRoom(native, this.options, 2 * this.#size)",
    ]);
  });

  it("the adapter shows only the guarded graph: no native object, no method of the package's", () => {
    expect(Object.keys(adapter).sort()).toEqual(["HnswIndex", "hnswAvailable", "hnswProblem", "liveNativeIndexes"]);
    const names = Object.getOwnPropertyNames(adapter.HnswIndex.prototype);
    expect(names).toEqual(expect.arrayContaining(["add", "search", "dispose"]));
    expect(names.filter((name) => NATIVE_METHODS.test(name))).toEqual([]);
    const graph = adapter.HnswIndex.create({ dimensions: 2, m: 4, efConstruction: 10, efSearch: 10 });
    expect(graph === undefined ? ["options"] : Reflect.ownKeys(graph)).toEqual(["options"]);
    graph?.dispose();
  });
});
