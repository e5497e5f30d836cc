// The floor that an index learns, seen from outside: what it is, what it depends on, and what it does not.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createStaticEnEmbedder,
  type IndexSettings,
  SearchEngine,
  type SearchIndex,
  type SearchWarning,
} from "../../../src/index.js";
import { learnedFloor } from "../../support/naive-floor.js";
import { readEntry } from "../../support/naive-record.js";
import { wordsOf } from "../../support/naive-rewriting.js";
import { plainRecords, WordEmbedder } from "../../support/word-embedder.js";

const floorOf = async (index: SearchIndex): Promise<number> => (await index.getSettings()).effective.semanticFloor;

/** The floor by the naive engine. */
function naiveFloor(
  records: readonly { readonly id: string | number }[],
  embed: (text: string) => number[] | null,
  probes?: readonly string[],
) {
  const settings = { embedder: embed };
  const words = wordsOf(settings);
  return learnedFloor(
    records.map((record) => readEntry({ ...record }, String(record.id), settings, words)),
    settings,
    probes,
  );
}

async function indexOf(count: number, settings: IndexSettings = {}, embedder = new WordEmbedder()) {
  const warnings: SearchWarning[] = [];
  const engine = new SearchEngine({ embedder, onWarning: (warning) => warnings.push(warning) });
  const index = await engine.createIndex("shop", settings);
  await index.addRecords(plainRecords(count));
  return { engine, index, embedder, warnings };
}

describe("the learned floor", () => {
  it("is the one of the naive engine, and shown by getSettings", async () => {
    for (const count of [32, 100, 700]) {
      const { index, embedder } = await indexOf(count);
      const expected = naiveFloor(plainRecords(count), (text) => embedder.vectorOf(text));
      expect(expected).toBeGreaterThan(0.2);
      expect(await floorOf(index)).toBe(expected);
      expect((await index.getSettings()).settings).toEqual({ embedder: embedder.id });
    }
  });

  it("is near 0.35 for static-en over a shop of many trades", async () => {
    const folder = new URL("../../../docs/demo/catalogue/", import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    const lines = files.flatMap((name) => readFileSync(new URL(name, folder), "utf8").trim().split("\n"));
    const records = lines.map((line) => JSON.parse(line) as { id: string });
    const index = await new SearchEngine().createIndex("shop");
    await index.addRecords(records);
    expect(Math.abs((await floorOf(index)) - 0.35)).toBeLessThan(0.02);
  });

  it("stays there where all records are of one kind", async () => {
    const index = await new SearchEngine().createIndex("shop");
    const finishes = "black white silver blue red green grey pink".split(" ");
    const forms = "wireless wired folding studio gaming".split(" ");
    const titles = finishes.flatMap((finish) => forms.map((form) => `${form} over-ear headphones, ${finish}`));
    await index.addRecords(titles.map((title, id) => ({ id, title })));
    const floor = await floorOf(index);
    expect(floor).toBeGreaterThan(0.25);
    expect(floor).toBeLessThan(0.45);
    expect((await index.query({ query: "earbuds" })).data.nbHits).toBe(40);
  });

  it("moves with cosines that are crowded together, so that the members stay", async () => {
    const { index } = await indexOf(300);
    const { index: crowded } = await indexOf(300, {}, new WordEmbedder(1.6));
    // c² in common, 1 of its own: cosines are (cos + c²) / (1 + c²)
    expect(await floorOf(crowded)).toBeCloseTo(((await floorOf(index)) + 2.56) / 3.56, 2);
    const idsOf = async (asked: SearchIndex) =>
      (await asked.query({ query: "compact lamp", semanticWeight: 1, hitsPerPage: 100 })).data.hits.map(({ id }) => id);
    const [ids, crowdedIds] = [await idsOf(index), await idsOf(crowded)];
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(60);
    expect(crowdedIds.filter((id) => ids.includes(id)).length).toBeGreaterThan(0.9 * ids.length);
  });

  it("depends on the living records alone, however they came and whatever was deleted or merged", async () => {
    const { index } = await indexOf(600);
    const expected = await floorOf(index);
    const { index: other } = await indexOf(900);
    const before = await floorOf(other);
    await other.deleteRecords(
      plainRecords(900)
        .slice(600)
        .map(({ id }) => id),
    );
    expect([before === expected, await floorOf(other)]).toEqual([false, expected]);
    const third = await new SearchEngine({ embedder: new WordEmbedder() }).createIndex("shop");
    const backwards = plainRecords(600).reverse();
    for (let at = 0; at < 600; at += 50) await third.addRecords(backwards.slice(at, at + 50));
    expect(await floorOf(third)).toBe(expected);
    await third.whenIdle();
    expect(await floorOf(third)).toBe(expected);
  });
});

describe("the floor in force", () => {
  it("is the number of the settings, or of the query, and then no probe is embedded", async () => {
    const { index, embedder } = await indexOf(100, { semanticFloor: 0.9 });
    expect(await floorOf(index)).toBe(0.9);
    await index.query({ query: "leather", semanticWeight: 1 });
    await index.updateSettings({ semanticFloor: "auto" });
    expect(embedder.probings).toBe(0);
    await index.query({ query: "leather", semanticFloor: 0.5 });
    await index.query({ query: "leather", semanticWeight: 0 });
    await index.query({ query: "" });
    expect(embedder.probings).toBe(0);
    expect(await floorOf(index)).toBeLessThan(0.9);
    expect(embedder.probings).toBe(1);
  });

  it("is the usual one with fewer than 32 vectors, and the embedder is not asked", async () => {
    const { index, embedder } = await indexOf(31);
    expect(await floorOf(index)).toBe(0);
    expect(embedder.probings).toBe(0);
    await index.addRecords([{ id: "one more", title: "sofa" }]);
    expect(await floorOf(index)).toBeGreaterThan(0);
    await index.deleteRecords(["one more"]);
    expect(await floorOf(index)).toBe(0);
    const english = await new SearchEngine().createIndex("shop");
    expect(await floorOf(english)).toBe(0.35);
  });

  it("is the usual one where the embedder knows hardly a probe", async () => {
    const silent = { id: "few", dimensions: 2, embed: async (texts: readonly string[]) => texts.map(fewWords) };
    const index = await new SearchEngine({ embedder: silent }).createIndex("shop");
    await index.addRecords(plainRecords(50).map((record) => ({ ...record, body: "lamp" })));
    expect(await floorOf(index)).toBe(0);
  });

  it("is 0 for records that bring vectors to an index without embedder, and learned with one for the queries", async () => {
    const embedder = new WordEmbedder();
    const records = plainRecords(100).map((record) => ({ ...record, v: embedder.vectorOf(record.title) }));
    const own = { vectorAttribute: "v", dimensions: embedder.dimensions };
    const engine = new SearchEngine();
    const [alone, asked] = [await engine.createIndex("a", own), await engine.createIndex("b", { ...own, embedder })];
    for (const index of [alone, asked]) await index.addRecords(records);
    expect(await floorOf(alone)).toBe(0);
    expect(await floorOf(asked)).toBe(naiveFloor(plainRecords(100), (text) => embedder.vectorOf(`${text}`)));
  });

  it("is the same in a copy, which asks the embedder nothing", async () => {
    const { engine, index, embedder } = await indexOf(100);
    const floor = await floorOf(index);
    await engine.copyIndex("shop", "copy");
    expect((await engine.getSettings("copy")).effective.semanticFloor).toBe(floor);
    await index.updateSettings({ matchingRatio: 0.5 });
    expect([await floorOf(index), embedder.probings]).toEqual([floor, 1]);
  });

  it("is the usual one, with a warning, while the embedder fails", async () => {
    const { index, embedder, warnings } = await indexOf(100);
    embedder.wait = async (texts) => {
      if (texts.length > 1) throw new Error("too many");
    };
    const { data } = await index.query({ query: "leather", semanticWeight: 1 });
    expect(data.recallSource).toEqual(["semanticSearch"]);
    expect(await floorOf(index)).toBe(0);
    expect(warnings.map(({ code, param }) => [code, param])).toEqual([
      ["embedder_failed", "semanticFloor"],
      ["embedder_failed", "semanticFloor"],
    ]);
    embedder.wait = async () => {};
    expect(await floorOf(index)).toBeGreaterThan(0);
  });
});

/** A vector for lamps, none for anything else. */
function fewWords(text: string): number[] | null {
  return text.includes("lamp") ? [1, text.length] : null;
}

it("asks static-en as any other embedder", async () => {
  const embedder = createStaticEnEmbedder();
  const index = await new SearchEngine().createIndex("shop");
  const records = plainRecords(60);
  await index.addRecords(records);
  const vectors = new Map<string, number[] | null>();
  const texts = records.map(({ title }) => `${title} ${title}`);
  const { ENGLISH_PROBES } = await import("../../../src/state/probe-queries.js");
  const all = [...texts, ...ENGLISH_PROBES.queries];
  for (const [i, vector] of (await embedder.embed(all, { purpose: "record" })).entries())
    vectors.set(all[i]!, vector === null ? null : [...vector]);
  expect(await floorOf(index)).toBe(naiveFloor(records, (text) => vectors.get(text) ?? null));
});

it("is learned by the probes of the language, and kept with them in a data folder, which those who follow read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-floor-"));
  try {
    const embedder = new WordEmbedder();
    const { germanRules } = await import("../../../src/analysis/languages/german.js");
    const probes = (await germanRules()).probes!.trim().split(/\s+/);
    const expected = naiveFloor(plainRecords(100), (text) => embedder.vectorOf(text), probes);
    const inEnglish = naiveFloor(plainRecords(100), (text) => embedder.vectorOf(text));
    expect(expected).not.toBe(inEnglish);
    const engine = await SearchEngine.open({ dataDir: folder, embedder });
    const index = await engine.createIndex("laden", { language: "de-AT" });
    await index.addRecords(plainRecords(100));
    expect(await floorOf(index)).toBe(expected);
    const english = await engine.createIndex("shop", { language: "en" });
    await english.addRecords(plainRecords(100));
    expect(await floorOf(english)).toBe(inEnglish);
    const follower = await SearchEngine.open({ dataDir: folder, embedder, readOnly: true });
    expect(await floorOf(follower.index("laden"))).toBe(expected);
    expect(await floorOf(follower.index("shop"))).toBe(inEnglish);
    await follower.close();
    await engine.close();
    const again = await SearchEngine.open({ dataDir: folder, embedder });
    expect(await floorOf(again.index("laden"))).toBe(expected);
    await again.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("is that of English probes for static-en in any language, because it knows English words", async () => {
  const floors: number[] = [];
  for (const language of ["en", "de"]) {
    const index = await new SearchEngine().createIndex("shop", { language, embedder: "static-en" });
    await index.addRecords(plainRecords(60));
    floors.push(await floorOf(index));
  }
  expect(floors[1]).toBe(floors[0]);
});
