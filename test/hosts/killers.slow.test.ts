// What ends or ruins processes that hold vectors in native code, tried by the public interface: in a child process, which must
// live and find what is there.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { USABLE_KINDS } from "../support/vectors.js";
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
  ["19", 19, "m 0 and 1", ["400 invalid_setting"]],
  [
    "37, 39, 87",
    37,
    "functions where a filter could stand",
    ["400 invalid_filter", "400 unknown_parameter", "400 invalid_facet_filters", FOUND],
  ],
  ["80, 81", 80, "a capacity of the caller's choice", ["400 unknown_setting"]],
];

describe.each(USABLE_KINDS)("by the public interface, with %s", (kind) => {
  const child = runProgram({ file: "./killers.mjs", args: [kind] });

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
      execFile("/bin/sh", ["-c", `${bound}exec "$0" "$@" ${kind} 17`, process.execPath, script], (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
    });
    const { row, outcome } = JSON.parse(lines) as { readonly row: number; readonly outcome: readonly string[] };
    expect([row, outcome.at(-1)]).toEqual([17, "1"]);
    if (bounded) expect(outcome).toEqual(["graph_unavailable", "1"]);
  });
});

describe.each(
  USABLE_KINDS,
)("row 86: a worker that ends while it adds and its graph of kind %s grows does not end the process", (kind) => {
  it.each([
    ["terminate", "ended with 1"],
    ["process.exit", "ended with 3"],
    ["error", "ended with 1 Error: from the worker"],
    ["filter", "ended with 1 SearchError: filters is a function"],
  ])("by %s", async (how, ended) => {
    const { status, lines, stderr } = await runProgram({
      file: "./dying-worker.mjs",
      flags: ["--expose-gc"],
      args: [how, kind],
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect([lines[0]?.slice(0, ended.length), ...lines.slice(1)]).toEqual([ended, "found 7"]);
  });
});
