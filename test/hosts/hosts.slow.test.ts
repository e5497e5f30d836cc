// Hostile hosts: the library gives the same answers as in an ordinary process, or fewer means to find them faster. Each host
// runs the scenario, a program that uses the whole public interface and prints a number for its answers.

import { beforeAll, expect, it, vi } from "vitest";
import { ROOT } from "../support/source-tree.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { type Ended, PERMISSION, type Program, runProgram } from "./child.js";

const SCENARIO = "./scenario.mjs";
/** Before the line of all answers stands what the host has. */
const answersOf = ({ lines }: Ended): string | undefined => lines.at(-1);
const hnswOf = ({ lines }: Ended): string | undefined => lines.at(-2);
const hnswlib = USABLE_KINDS.includes("hnswlib");

let plain: Ended;

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

beforeAll(async () => {
  plain = await runProgram({ file: SCENARIO });
});

/** Runs the scenario there; it must end well, with the answers of an ordinary process. */
async function sameAnswers(program: Omit<Program, "file">, file: string = SCENARIO): Promise<Ended> {
  const ended = await runProgram({ file, ...program });
  expect({ status: ended.status, lines: ended.lines.filter((line) => !line.startsWith("hnsw")) }).toEqual({
    status: 0,
    lines: plain.lines.filter((line) => !line.startsWith("hnsw")),
  });
  return ended;
}

it("the ordinary process answers without a word on stderr, and nothing it answers is wrong", () => {
  expect({ status: plain.status, stderr: plain.stderr }).toEqual({ status: 0, stderr: "" });
  expect(plain.lines.filter((line) => !line.includes(", 0 wrong")).map((line) => line.split(" ")[0])).toEqual([
    "hnsw",
    "all:",
  ]);
  expect(answersOf(plain)).toMatch(/^all: [0-9a-f]{16}$/);
});

it.each([
  ["--no-addons", "hnsw true, hnswlib false", ["--no-addons"]],
  ["the permission model", "hnsw true, hnswlib false", [PERMISSION, "--no-warnings", `--allow-fs-read=${ROOT}/*`]],
  ["no WebAssembly: exact scan, one warning", `hnsw false, hnswlib ${hnswlib}`, ["--no-expose-wasm"]],
])("%s: the same answers", async (_, hnsw, flags) => {
  const ended = await sameAnswers({ flags });
  expect([hnswOf(ended), ended.stderr]).toEqual([hnsw, ""]);
});

it.each([
  ["frozen intrinsics", ["--frozen-intrinsics"]],
  ["no __proto__, and no code from strings", ["--disable-proto=throw", "--disallow-code-generation-from-strings"]],
  ["a stack of 100 kB and a heap of 64 MB", ["--stack-size=100", "--max-old-space-size=64"]],
])("%s: the same answers and refusals, and the graph as elsewhere", async (_, flags) => {
  const ended = await sameAnswers({ flags: [...flags, "--no-warnings"] });
  expect([hnswOf(ended), ended.stderr]).toEqual([hnswOf(plain), ""]);
});

it("a worker thread with a stack of 1 MB: the same answers and refusals", async () => {
  await sameAnswers({}, "./in-worker.mjs");
});

it("loaded by import and by require, it has one default engine, and each knows the engines and errors of the other", async () => {
  expect(await runProgram({ file: "./two-formats.mjs" })).toEqual({
    status: 0,
    stderr: "",
    lines: [
      "import knows what is of require",
      "require knows what is of import",
      "globals: one symbol more",
      "an engine of a cluster: one for both",
    ],
  });
});

it("what comes from another vm context is taken as any other", async () => {
  const ended = await runProgram({ file: "./in-context.mjs" });
  expect(ended).toEqual({
    status: 0,
    stderr: "",
    lines: ["answers: same", "embedder: works"],
  });
});
