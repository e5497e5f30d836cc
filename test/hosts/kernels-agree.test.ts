// The built package, in processes with and without WebAssembly: the same answers, to the last digit.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const CHILD = join(ROOT, "test", "support", "kernel-child.mjs");

async function answersOf(...flags: string[]): Promise<{ readonly wasm: boolean; readonly answers: unknown[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, CHILD], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

/** Not every Node has a flag for it. */
const WITHOUT = "--import=data:text/javascript,delete globalThis.WebAssembly";

it("answers are the same with and without WebAssembly", { timeout: 120_000 }, async () => {
  const [compiled, plain] = [await answersOf(), await answersOf(WITHOUT)];
  expect([compiled.wasm, plain.wasm]).toEqual([true, false]);
  expect(compiled.answers).toHaveLength(24);
  expect(plain.answers).toEqual(compiled.answers);
});
