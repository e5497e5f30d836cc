import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";
import type { Progress } from "../src/input/call-options.js";
import type { JsonRecord } from "../src/util/json.js";
import { allOf } from "./support/all-of.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf } from "./support/refusal.js";

const wordsOnly = () => new SearchEngine({ embedder: false });
const items = (count: number, title = "drill"): JsonRecord[] =>
  Array.from({ length: count }, (_, i) => ({ id: i, title: `${title} ${i}` }));

describe("addRecords", () => {
  it("copies the first records at once, even when other calls have used up the slice", async () => {
    const index = await wordsOnly().createIndex("a");
    const records = items(3);
    const others = index.getRecords([]);
    for (const began = performance.now(); performance.now() - began < 20; );
    const adding = index.addRecords(records);
    records.length = 0;
    expect(await adding).toEqual({ added: 3, replaced: 0 });
    await others;
  });

  it.each<[string, () => object]>([
    ["null", () => ({ list: Array<null>(9000).fill(null) })],
    ["an empty list", () => ({ list: Array.from({ length: 9000 }, () => []) })],
    ["a short text", () => ({ list: Array<string>(9000).fill("text") })],
    ["undefined", () => Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`a${i}`, undefined]))],
  ])("copies few values at once, however small they are: %s", async (_, make) => {
    const index = await wordsOnly().createIndex("a");
    let copied = 0;
    const adding = index.addRecords(
      Array.from({ length: 64 }, (_, id) => ({
        id,
        ...make(),
        get last() {
          copied++;
          return 1;
        },
      })),
    );
    expect(copied).toBeGreaterThan(0);
    expect(copied * 9000).toBeLessThan(25_000);
    await adding;
    expect(index.recordCount).toBe(64);
  });

  it("copies at most 32 kB of each of many calls at once", async () => {
    const index = await wordsOnly().createIndex("a");
    let copied = 0;
    const call = (_: unknown, at: number) =>
      index.addRecords(
        Array.from({ length: 250 }, (_, i) => ({
          id: 250 * at + i,
          get text() {
            copied++;
            return "x".repeat(980);
          },
        })),
      );
    const adding = Array.from({ length: 40 }, call);
    const [before] = [copied, await Promise.all(adding)];
    expect(before).toBeGreaterThan(40 * 25);
    expect(before).toBeLessThan(256 + 40 * 40);
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
    const many = Array.from({ length: 40 }, (_, r) => {
      const attributes = Array.from({ length: 900 }, (_, a) => [`f${r}x${a}`, a === 0 ? "common word" : "x"]);
      return { id: `r${r}`, ...Object.fromEntries(attributes) } as JsonRecord;
    });
    const scores: number[][] = [];
    for (const size of [10, 40]) {
      const index = await wordsOnly().createIndex("a", { analyzer: "plain" });
      for (let from = 0; from < 40; from += size) await index.addRecords(many.slice(from, from + size));
      const { data } = await index.query({ query: "common", matching: "any", hitsPerPage: 40 });
      scores.push(data.hits.map(({ score }) => score));
    }
    expect(scores[1]).toEqual(scores[0]);
  });
});

describe("the vector of a record", () => {
  it("is kept while its text stays: the embedder is not asked again", async () => {
    const embedder = new AxisEmbedder();
    const index = await new SearchEngine({ embedder }).createIndex("a");
    await index.addRecords([
      { id: 1, title: "drill", price: 5 },
      { id: 2, title: "sofa" },
      { id: 3, title: "none" },
    ]);
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

  it("is asked for in batches of maxBatchSize, for records, and never for blank text", async () => {
    const embedder = new AxisEmbedder(4);
    const index = await new SearchEngine({ embedder }).createIndex("a");
    await index.addRecords([...items(10), { id: "n", price: 5 }, { id: "b", title: "  \n" }, { id: "e", title: "" }]);
    expect(embedder.batches.every((texts) => texts.length <= 4)).toBe(true);
    expect(new Set(embedder.purposes)).toEqual(new Set(["record"]));
    const texts = embedder.takeTexts();
    expect(texts).toHaveLength(10);
    expect(texts.every((text) => text.trim() !== "")).toBe(true);
  });

  it("is not asked for where a text holds nothing that can be seen", async () => {
    const embedder = new AxisEmbedder();
    const index = await new SearchEngine({ embedder }).createIndex("a");
    await index.addRecords([
      { id: 1, title: "\u200b" },
      { id: 2, title: "\u00ad \u2060" },
    ]);
    expect(embedder.takeTexts()).toEqual([]);
  });

  it("fails its batch as a whole when the embedder fails", async () => {
    const embedder = new AxisEmbedder(2);
    const index = await new SearchEngine({ embedder }).createIndex("a");
    await index.addRecords(items(1));
    embedder.wait = async () => {
      if (embedder.batches.length > 2) throw Object.assign(new Error("no connection"), { status: 400 });
    };
    expect((await rejectionOf(index.addRecords(items(9, "sofa")))).error).toBe("embedder_failed");
    expect(await allOf(index.browseRecords())).toEqual(items(1));
  });
});

describe("progress", () => {
  it("is told to the end of each phase, and never goes back within one", async () => {
    const index = await new SearchEngine({ embedder: new AxisEmbedder(7) }).createIndex("a");
    const told: Progress[] = [];
    await index.addRecords(items(50), { onProgress: (progress) => told.push(progress) });
    for (const phase of ["indexing", "embedding"]) {
      const done = told.filter((progress) => progress.phase === phase).map((progress) => progress.done);
      expect(done).toEqual([...done].sort((a, b) => a - b));
      expect(done.at(-1)).toBe(50);
    }
    expect(told.every(({ total }) => total === 50)).toBe(true);
  });

  it("told to a handler that throws does no harm", async () => {
    const index = await wordsOnly().createIndex("a");
    const onProgress = () => {
      throw new Error("theirs");
    };
    expect(await index.addRecords(items(3), { onProgress })).toEqual({ added: 3, replaced: 0 });
  });
});
