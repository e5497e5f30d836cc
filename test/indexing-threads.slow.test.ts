// What other threads analyse is what this one would have found, to the bit; where there are none, nobody notices. Threads
// run the built library, so it is the built engine that is asked.

import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../src/base/tasks.js";
import type * as Library from "../src/index.js";
import { SearchEngine as EngineInSources } from "../src/search-engine.js";
import { type AnalysisJob, readVectors } from "../src/writing/threads/analysis-job.js";
import { IndexingThreads } from "../src/writing/threads/indexing-threads.js";
import { bareEntry } from "./support/bare-entry.js";
import { PATIENCE } from "./support/patience.js";
import { Random } from "./support/random.js";

const BUILT = fileURLToPath(new URL("../dist/index.js", import.meta.url));
const { SearchEngine } = (await import(pathToFileURL(BUILT).href)) as typeof Library;
const WORDS =
  "drill saw lamp cordless oak steel 18V 12-piece WH-1000XM4 1.5 l 20x30cm café men's wi-fi 東京タワー".split(" ");

function productsOf(count: number, seed: number) {
  const random = new Random(seed);
  const text = (most: number) => random.list(1, most, () => random.pick(WORDS)).join(" ");
  return Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    title: text(8),
    description: text(40),
    sku: `SK-${random.between(100, 9999)}/b`,
    price: random.between(1, 500),
    specs: { colour: random.pick(["red", "blue"]), "odd.name": text(2) },
  }));
}

type Products = ReturnType<typeof productsOf>;

/** Some of 32-bit numbers, some of 64, and some records without one. */
function withVectors(records: Products): Products {
  return records.map((record, i) => (i % 5 === 0 ? record : { ...record, v: [1, i / 8, i % 2 === 0 ? i / 10 : -i] }));
}

const LETTERS: Library.Embedder = {
  id: "letters",
  dimensions: 3,
  embed: async (texts) => texts.map((text) => [text.length, text.split("a").length, text.split("l").length]),
};
const entriesOf = (records: readonly { readonly id: string }[]) =>
  records.map((record) => bareEntry(record.id, JSON.stringify(record))).sort((a, b) => (a.id < b.id ? -1 : 1));
const PLAIN_JOB: AnalysisJob = {
  rules: {
    idAttribute: "id",
    searchable: null,
    identifiers: new Set(),
    vectorAttribute: undefined,
    embedded: null,
    titles: true,
  },
  analyzer: "plain",
  limits: { fieldCharacters: 1000, fieldTokens: 100 },
  wanted: undefined,
};
const QUERIES = [
  "cordles drill",
  "18 volt",
  "wh1000xm4",
  "20 x 30 cm",
  "cafe lamp",
  "東京",
  "SK-12",
  "drills oak wi-fi",
  "sa",
];

async function answersOf(index: Library.SearchIndex<Library.JsonRecord>) {
  const answers: unknown[] = [];
  for (const query of QUERIES)
    for (const matching of ["auto", "any"] as const) {
      const params = { query, matching, facets: ["specs.colour"], explain: true };
      const { data } = await index.query(params);
      answers.push({ ...data, processingTimeMS: 0, serverTimeMS: 0 });
    }
  return [answers, await index.digest(), (await index.getSettings()).effective];
}

async function answersBy(indexingThreads: number, settings: Library.IndexSettings) {
  const warnings: unknown[] = [];
  const engine = new SearchEngine({
    indexingThreads,
    limits: { fieldTokens: 35 },
    onWarning: ({ code, param }) => warnings.push([code, param]),
  });
  const index = await engine.createIndex("shop", settings);
  const vectorsOnto = settings.vectorAttribute === undefined ? (records: Products) => records : withVectors;
  await index.addRecords(vectorsOnto(productsOf(1500, 1)));
  await index.addRecords(vectorsOnto(productsOf(700, 2)));
  const answers = await answersOf(index);
  await engine.close();
  return { answers, warned: new Set(warnings.map(String)) };
}

describe("threads find what this thread finds", () => {
  for (const [name, settings] of [
    ["as it comes", {}],
    ["plain words", { analyzer: "plain", embedder: false }],
    [
      "named attributes",
      { searchableAttributes: ["title", "description", "specs.colour", "specs.odd.name"], embedder: false },
    ],
    ["an embedder of one's own", { embedder: LETTERS }],
    ["vectors of the records' own", { embedder: false, vectorAttribute: "v", dimensions: 3 }],
    ["an analyzer of one's own", { analyzer: { id: "blanks", analyze: (text) => text.split(" ") }, embedder: false }],
  ] satisfies [string, Library.IndexSettings][])
    it(name, { timeout: 60_000 * PATIENCE }, async () => {
      const alone = await answersBy(0, settings);
      expect(alone.warned).toEqual(new Set(["field_truncated,description"]));
      for (const threads of [1, 3]) expect(await answersBy(threads, settings)).toEqual(alone);
    });
});

it("is a thread that does it", async () => {
  const threads = new IndexingThreads(1, new URL("../dist/indexing-thread.js", import.meta.url));
  const found = await threads.analyse(entriesOf(productsOf(300, 8)), { ...PLAIN_JOB, wanted: "vectors" });
  expect(found?.analysis.postings.docCount).toBe(300);
  expect(found?.analysis.postings.names.numberOf("drill")).toBeGreaterThan(0);
  expect(runTaskAtOnce(readVectors(found!.vectors!))).toHaveLength(300);
  threads.end();
});

it("tells how far it has come, to the end", async () => {
  const engine = new SearchEngine({ indexingThreads: 2 });
  const index = await engine.createIndex("shop");
  const seen: string[] = [];
  await index.addRecords(productsOf(1000, 3), {
    onProgress: ({ done, total, phase }) => seen.push(`${phase} ${done}/${total}`),
  });
  const steps = ["indexing 500/1000", "embedding 500/1000", "indexing 1000/1000", "embedding 1000/1000"];
  expect(seen.filter((step) => steps.includes(step))).toEqual(steps);
  await engine.close();
});

it("gives up at a signal, changing nothing, and goes on with the next call", async () => {
  const engine = new SearchEngine({ indexingThreads: 1 });
  const index = await engine.createIndex("shop", { embedder: false });
  const controller = new AbortController();
  const adding = index.addRecords(productsOf(2000, 4), { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  await expect(adding).rejects.toMatchObject({ code: 499 });
  expect(await index.query({ query: "drill" })).toMatchObject({ data: { nbHits: 0 } });
  await index.addRecords(productsOf(2000, 4));
  expect((await engine.listIndexes())[0]).toEqual({ name: "shop", records: 2000 });
  await engine.close();
});

describe("where no thread can work", () => {
  it("this one does, when the thread's file is missing", async () => {
    // Not built: beside the sources there is no such file.
    const engine = new EngineInSources({ indexingThreads: 2 });
    const index = await engine.createIndex("shop", { embedder: false });
    expect(await index.addRecords(productsOf(600, 5))).toEqual({ added: 600, replaced: 0 });
    expect(await index.addRecords(productsOf(600, 6))).toEqual({ added: 0, replaced: 600 });
    await engine.close();
  });

  for (const [name, script] of [
    ["ends at once", "process.exit(1)"],
    ["throws at once", "throw new Error('no')"],
    ["ends in the middle", "require('node:worker_threads').parentPort.on('message', () => process.exit(0))"],
    [
      "always fails",
      "require('node:worker_threads').parentPort.on('message', function (m) { if (m.job) this.postMessage({ failed: true }) })",
    ],
  ] as const)
    it(`nothing is answered by a thread that ${name}`, async () => {
      const threads = new IndexingThreads(
        2,
        new URL(
          `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('file:///');${script}`,
        ),
      );
      const entries = entriesOf(productsOf(300, 7));
      const jobs = [1, 2, 3, 4].map(async () => threads.analyse(entries, PLAIN_JOB));
      expect(await Promise.all(jobs)).toEqual([undefined, undefined, undefined, undefined]);
      threads.end();
    });
});

it("keeps no process alive, and loses none that waits", () => {
  const script = `
    import { SearchEngine } from ${JSON.stringify(pathToFileURL(BUILT).href)};
    const engine = new SearchEngine({ indexingThreads: 2, embedder: false });
    const index = await engine.createIndex("shop");
    const records = Array.from({ length: 1000 }, (_, id) => ({ id, title: "lamp " + id }));
    console.log(await index.addRecords(records));`;
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    timeout: 25_000,
  });
  expect([child.status, child.stdout, child.stderr]).toEqual([0, "{ added: 1000, replaced: 0 }\n", ""]);
});

it("refuses numbers of threads that are none", () => {
  for (const indexingThreads of [-1, 1.5, 65, Number.NaN, "2", null])
    expect(() => new SearchEngine({ indexingThreads: indexingThreads as number })).toThrow(/indexingThreads/);
});
