// Functions of the caller's that fail later than their call, in a process that would end.

import { expect, it } from "vitest";
import { runProgram } from "./child.js";

const FAILED = ["502 embedder_failed", "502 embedder_failed"];
const BAD_TERMS = ["502 analyzer_failed", "502 analyzer_failed"];

it("a rejected promise of a caller's function ends no process", { timeout: 120_000 }, async () => {
  const { status, stderr, lines } = await runProgram({ file: "./contained.mjs" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const each = [40, 40, 3, ...FAILED, 40, ...BAD_TERMS];
  expect(JSON.parse(lines[0]!)).toEqual([...each, ...each]);
});
