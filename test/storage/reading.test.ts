// What an engine reads of a data folder, and when.

import { describe, expect, it } from "vitest";
import type { IndexSettings, SearchEngine, SearchParams } from "../../src/index.js";
import { asText, contentOf, openFolder, openMemory, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { seq } from "../support/seq.js";

const FILLER = "-".repeat(1000);
const records = seq(500, (id) => ({ id, title: `lamp ${id}`, filler: FILLER }));
const JSON_BYTES = records.length * FILLER.length;

describe("the records of a stored segment", () => {
  it("stay on the disk, and are in memory with preload; the answers are the same", async () => {
    const disk = new FakeDisk();
    let engine = await openFolder(disk);
    await engine.createIndex("shop", { embedder: false, searchableAttributes: ["title"] });
    await engine.addRecords("shop", records);
    const written = await engine.estimate("shop");
    const content = asText(await contentOf(engine));
    expect(written.records).toBeLessThan(JSON_BYTES / 4);
    for (const preload of [false, true]) {
      await engine.close();
      engine = await openFolder(disk, { preload });
      const { records: bytes } = await engine.estimate("shop");
      if (preload) expect(bytes).toBeGreaterThan(JSON_BYTES);
      else expect(bytes).toBeLessThan(JSON_BYTES / 4);
      expect(asText(await contentOf(engine))).toBe(content);
      const { data } = await engine.query("shop", { query: "lamp 7" });
      expect(data.hits[0]?.source).toEqual(records[7]);
    }
    await engine.close();
  });
});

describe("a segment in a file", () => {
  const ASKED: readonly SearchParams[] = [
    { query: "lamp 7", explain: true },
    { query: "lmap", explain: true },
    { query: '"red lamp" -oak', matching: "any" },
    { query: "redlamp", restrictSearchableAttributes: ["title"] },
    { query: "re", queryType: "prefixAll", facets: ["colour"] },
    { query: "X-7", hitsPerPage: 3, page: 2 },
  ];
  const products = seq(300, (id) => ({
    id,
    title: `${id % 3 === 0 ? "red" : "green"} ${id % 2 === 0 ? "lamp" : "drill"} ${id}`,
    body: id % 5 === 0 ? "of oak" : "of steel",
    colour: id % 3 === 0 ? "red" : "green",
    sku: `X-${id % 50}`,
  }));
  const SETTINGS: IndexSettings = {
    embedder: false,
    identifierAttributes: ["sku"],
    attributesForFaceting: ["colour", "sku"],
  };

  it("answers, explains and merges as one in memory, also when records were deleted", async () => {
    const disk = new FakeDisk();
    const memory = openMemory();
    let engine = await openFolder(disk, { sizes: TINY_SIZES });
    for (const one of [memory, engine]) {
      await one.createIndex("shop", SETTINGS);
      for (let from = 0; from < products.length; from += 60)
        await one.addRecords("shop", products.slice(from, from + 60));
      await one.deleteBy("shop", { filters: "colour:red AND sku:X-6" });
    }
    const answers = async (one: SearchEngine): Promise<string[]> => {
      const lines: string[] = [];
      for (const params of ASKED) {
        const { serverTimeMS, processingTimeMS, ...data } = (await one.query("shop", params)).data;
        lines.push(JSON.stringify(data), JSON.stringify(await one.whyNot("shop", params, "13")));
      }
      return lines;
    };
    const expected = await answers(memory);
    for (const preload of [false, true]) {
      await engine.close();
      engine = await openFolder(disk, { sizes: TINY_SIZES, preload });
      expect(await answers(engine)).toEqual(expected);
    }
    for (const one of [memory, engine]) await one.addRecords("shop", products.slice(0, 200));
    expect(await answers(engine)).toEqual(await answers(memory));
    expect(await engine.digest("shop")).toBe(await memory.digest("shop"));
    await engine.close();
    await memory.close();
  });
});
