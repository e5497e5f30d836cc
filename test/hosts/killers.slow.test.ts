// What ends or ruins processes that hold vectors in native code, beside bad vectors (test/bad-input/vectors): in a child process, which
// must live and find what is there.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { USABLE_KINDS } from "../support/vectors.js";
import { runProgram } from "./child.js";

it.each(
  USABLE_KINDS,
)("where no memory is left for another graph of kind %s, vectors are scanned exactly", async (kind) => {
  // Only where a shell can bound the address space does memory run out.
  const bounded = process.platform === "linux";
  const bound = bounded ? "ulimit -v 4000000 && " : "";
  const script = fileURLToPath(new URL("./killers.mjs", import.meta.url));
  const args = ["-c", `${bound}exec "$0" "$@"`, process.execPath, script, kind];
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", args);
  expect([stderr, JSON.parse(stdout)]).toEqual(["", bounded ? ["graph_unavailable", "1"] : ["1"]]);
});

it.each(USABLE_KINDS)("workers that end while they add and a graph of kind %s grows end no process", async (kind) => {
  expect(await runProgram({ file: "./dying-worker.mjs", flags: ["--expose-gc"], args: [kind] })).toEqual({
    status: 0,
    stderr: "",
    lines: [
      "terminate ended with 1",
      "process.exit ended with 3",
      "error ended with 1 Error: from the worker",
      "found 7",
    ],
  });
});
