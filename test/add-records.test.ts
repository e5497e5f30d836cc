import { describe, expect, it } from "vitest";
import { SearchEngine, type SearchIndex } from "../src/index.js";
import type { Progress } from "../src/input/call-options.js";
import type { JsonRecord } from "../src/util/json.js";
import { allOf } from "./support/all-of.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { plainShop } from "./support/plain-shop.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";

const wordsOnly = () => new SearchEngine({ embedder: false });
const items = (count: number, title = "drill"): JsonRecord[] => seq(count, (id) => ({ id, title: `${title} ${id}` }));

/** A shop whose embedder is asked for so many texts at once. */
async function embedded(atOnce?: number) {
  const embedder = new AxisEmbedder(atOnce);
  return { embedder, index: await new SearchEngine({ embedder }).createIndex("a") };
}

/** A call that works until its slice of the event loop is over, so that others copy only what they must. */
function useUpSlice(index: SearchIndex): Promise<unknown> {
  const others = index.getRecords([]);
  for (const began = performance.now(); performance.now() - began < 20; );
  return others;
}

describe("addRecords", () => {
  it("copies the first records at once, even when other calls have used up the slice", async () => {
    const index = await wordsOnly().createIndex("a");
    const records = items(3);
    const others = useUpSlice(index);
    const adding = index.addRecords(records);
    records.length = 0;
    expect(await adding).toEqual({ added: 3, replaced: 0 });
    await others;
  });

  it.each<[string, () => object]>([
    ["null", () => ({ list: Array<null>(9000).fill(null) })],
    ["an empty list", () => ({ list: Array.from({ length: 9000 }, () => []) })],
    ["a short text", () => ({ list: Array<string>(9000).fill("text") })],
    ["undefined", () => Object.fromEntries(seq(9000, (i) => [`a${i}`, undefined]))],
  ])("copies few values at once, however small they are: %s", async (_, make) => {
    const index = await wordsOnly().createIndex("a");
    let copied = 0;
    const records = seq(64, (id) =>
      Object.defineProperty({ id, ...make() }, "last", { get: () => ++copied, enumerable: true }),
    );
    const others = useUpSlice(index);
    const adding = index.addRecords(records);
    expect(copied).toBeGreaterThan(0);
    expect(copied * 9000).toBeLessThan(25_000);
    await Promise.all([others, adding]);
    expect(index.recordCount).toBe(64);
  });

  it("copies at most 32 kB of each of many calls at once", async () => {
    const index = await wordsOnly().createIndex("a");
    let copied = 0;
    const record = (id: number) => ({
      id,
      get text() {
        copied++;
        return "x".repeat(980);
      },
    });
    const others = useUpSlice(index);
    const adding = seq(40, (at) => index.addRecords(seq(250, (i) => record(250 * at + i))));
    const [before] = [copied, await Promise.all(adding)];
    expect(before).toBeGreaterThan(40 * 25);
    expect(before).toBeLessThan(40 * 40);
    await others;
    expect(index.recordCount).toBe(10_000);
  });

  it("takes the records of many small calls as they are at the call", async () => {
    const index = await wordsOnly().createIndex("a");
    const record = { id: 0, text: "" };
    const adding: Promise<unknown>[] = [];
    for (record.id = 0; record.id < 200; record.id++) {
      record.text = `${record.id} `.repeat(1000);
      adding.push(index.addRecords([record]));
    }
    await Promise.all(adding);
    for await (const { id, text } of index.browseRecords()) expect(text).toBe(`${id} `.repeat(1000));
    expect(index.recordCount).toBe(200);
  });

  it("gives the same scores in whatever batches the records came, however many attributes they have", async () => {
    const many = seq(40, (r) => ({
      id: `r${r}`,
      ...Object.fromEntries(seq(900, (a) => [`f${r}x${a}`, a === 0 ? "common word" : "x"])),
    }));
    const scoresOf = async (...batches: JsonRecord[][]) => {
      const { index } = await plainShop({ analyzer: "plain" }, ...batches);
      return (await index.query({ query: "common", hitsPerPage: 40 })).data.hits.map(({ score }) => score);
    };
    const scores = await scoresOf(many);
    expect(scores).toHaveLength(40);
    expect(await scoresOf(...seq(4, (i) => many.slice(10 * i, 10 * i + 10)))).toEqual(scores);
  });
});

describe("the vector of a record", () => {
  it("is kept while its text stays: the embedder is not asked again", async () => {
    const { embedder, index } = await embedded();
    const records = [
      { id: 1, title: "drill", price: 5 },
      { id: 2, title: "sofa" },
    ];
    await index.addRecords([...records, { id: 3, title: "none" }]);
    embedder.takeTexts();
    await index.addRecords([
      { id: 1, title: "drill", price: 6 },
      { id: 2, title: "lamp" },
      { id: 3, title: "none", x: 1 },
    ]);
    expect(embedder.takeTexts()).toEqual(["lamp lamp"]);
    const { data } = await index.query({ query: "zzz", vector: [1, 0, 0], semanticFloor: 0.5 });
    expect(data.hits.map(({ id }) => id)).toEqual(["1"]);
  });

  it("is asked for in batches of maxBatchSize, for records, and never for text in which nothing can be seen", async () => {
    const { embedder, index } = await embedded(4);
    const blank = ["  \n", "", "\u200b", "\u00ad \u2060"].map((title, i) => ({ id: `b${i}`, title }));
    await index.addRecords([...items(10), { id: "n", price: 5 }, ...blank]);
    expect(embedder.batches.every((texts) => texts.length <= 4)).toBe(true);
    expect(new Set(embedder.purposes)).toEqual(new Set(["record"]));
    expect(embedder.takeTexts()).toHaveLength(10);
  });

  it("fails its batch as a whole when the embedder fails", async () => {
    const { embedder, index } = await embedded(2);
    await index.addRecords(items(1));
    embedder.wait = async () => {
      if (embedder.batches.length > 2) throw Object.assign(new Error("no connection"), { status: 400 });
    };
    expect((await rejectionOf(index.addRecords(items(9, "sofa")))).error).toBe("embedder_failed");
    expect(await allOf(index.browseRecords())).toEqual(items(1));
  });
});

it("progress is told to the end of each phase, never goes back within one, and may be told to a handler that throws", async () => {
  const { index } = await embedded(7);
  const told: Progress[] = [];
  const onProgress = (progress: Progress) => {
    told.push(progress);
    throw new Error("theirs");
  };
  expect(await index.addRecords(items(50), { onProgress })).toEqual({ added: 50, replaced: 0 });
  for (const phase of ["indexing", "embedding"]) {
    const done = told.filter((progress) => progress.phase === phase).map((progress) => progress.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(done.at(-1)).toBe(50);
  }
  expect(told.every(({ total }) => total === 50)).toBe(true);
});
