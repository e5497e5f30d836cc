// Bad vectors of every kind, as vectors of records and of queries and as answers of an embedder: each is refused, or the
// words answer alone; here, and in a child process that must live to its end.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as library from "../../src/index.js";
import { expectCleanPrototypes, expectMessageRules, searchError } from "./message-rules.js";
import { BAD_VECTORS, type BadVector, type Bench, type Outcome, openBench, tidy, tryVector } from "./vectors.js";

const CHILD = fileURLToPath(new URL("../support/bad-vectors-child.mjs", import.meta.url));
const SOURCE = fileURLToPath(new URL("vectors.ts", import.meta.url));
const CASES = BAD_VECTORS.map((vector) => [vector.what, vector] as const);

/** What must come of a bad vector. */
function due({ absentAs, recordError }: BadVector): Omit<Outcome, "errors"> {
  const answersNothing = absentAs.includes("answer");
  return {
    record: absentAs.includes("record") ? "OK" : `400 ${recordError}`,
    query: absentAs.includes("query") ? "OK" : "400 invalid_vector",
    added: answersNothing ? "OK" : "502 embedder_failed",
    asked: answersNothing ? ["fullTextSearch"] : ["fullTextSearch", "embedder_failed"],
    unchanged: !absentAs.includes("record") && !answersNothing,
  };
}

let bench: Bench;
beforeAll(async () => {
  bench = await openBench(library);
});
afterAll(() => bench.engine.close());

it("are of at least 28 kinds", () => expect(BAD_VECTORS.length).toBeGreaterThanOrEqual(28));

describe("in this process", () => {
  it.each(CASES)("%s", async (_what, vector) => {
    const { errors, ...outcome } = await tryVector(bench, vector);
    await tidy(bench);
    expect(outcome).toEqual(due(vector));
    for (const error of errors) expectMessageRules(searchError(error));
    expectCleanPrototypes();
  });
});

/** Runs the child on a copy of vectors.ts in JavaScript. */
function runChild(): { readonly ended: unknown; readonly outcomes: ReadonlyMap<string, unknown> } {
  const folder = mkdtempSync(join(tmpdir(), "bad-vectors-"));
  try {
    const script = join(folder, "vectors.mjs");
    const { outputText } = ts.transpileModule(readFileSync(SOURCE, "utf8"), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(script, outputText);
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [CHILD, pathToFileURL(script).href], {
      encoding: "utf8",
      timeout: 60_000,
    });
    const lines = stdout.split("\n").filter((line) => line !== "");
    const parsed = lines.map((line) => JSON.parse(line) as { readonly what: string; readonly outcome: unknown });
    return { ended: { status, signal, stderr }, outcomes: new Map(parsed.map(({ what, outcome }) => [what, outcome])) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("in a child process", () => {
  let child: ReturnType<typeof runChild>;
  beforeAll(() => {
    child = runChild();
  }, 60_000);

  it("that ends by itself, without a word", () => expect(child.ended).toEqual({ status: 0, signal: null, stderr: "" }));

  it.each(CASES)("%s", (what, vector) => expect(child.outcomes.get(what)).toEqual(due(vector)));
});
