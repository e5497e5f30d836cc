// What an engine reads of a data folder, and when.

import { describe, expect, it } from "vitest";
import type { SearchEngine, SearchParams, SearchWarning } from "../../src/index.js";
import { asText, contentOf, FOLDER, openFolder, openMemory, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { readsOfFirstQuery } from "../support/first-query.js";
import { Random } from "../support/random.js";
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

it("the first query of 20,000 records reads at most 60 times, however many titles it weighs", async () => {
  expect(await readsOfFirstQuery(20_000)).toBeLessThanOrEqual(60);
});

it("a vector in a file is checked before it counts in an answer: each is right, or refused", async () => {
  const disk = new FakeDisk();
  const dimensions = 24;
  const vectorOf = (text: string): number[] => {
    const random = new Random(text.length + 7 * Number(/\d+/.exec(text)?.[0] ?? 0));
    return seq(dimensions, () => random.between(-100, 100));
  };
  const embedder = { id: "some", dimensions, embed: async (texts: readonly string[]) => texts.map(vectorOf) };
  let engine = await openFolder(disk, { embedder });
  await engine.createIndex("shop");
  await engine.addRecords(
    "shop",
    seq(1500, (id) => ({ id, title: `lamp ${id}`, filler: FILLER })),
  );
  const ask = async (one: SearchEngine, query: string): Promise<string> => {
    const { hits, nbHits } = (await one.query("shop", { query, semanticWeight: 0.9, hitsPerPage: 2 })).data;
    return JSON.stringify([nbHits, hits.map(({ id, score }) => [id, score])]);
  };
  const queries = seq(12, (i) => `lamp ${117 * i}`);
  const expected: string[] = [];
  for (const query of queries) expected.push(await ask(engine, query));
  await engine.close();
  const [path, file] = [...disk.files(FOLDER)].find(([name]) => name.includes("segment-"))!;
  const bytes = Buffer.from(file);
  const sections = 64 + 8 + Math.ceil(bytes.readUInt32LE(64) / 8) * 8 + 8 * bytes.readUInt32LE(68);
  const [, at] = /"low":\{"\$":"u8","at":(\d+)/.exec(bytes.toString("latin1"))!;
  const outcomes = new Set<string>();
  for (let byte = 5; byte < dimensions * 1500; byte += 4096) {
    const damaged = disk.copy();
    damaged.flipBit(path, sections + Number(at) + byte, 3);
    engine = await openFolder(damaged, { embedder });
    for (const [i, query] of queries.entries()) {
      const answer = await ask(engine, query).catch(({ error, details }) => `${error} ${details.file}`);
      if (answer !== expected[i]) expect(answer).toMatch(/^storage_corrupt segment-\d+$/);
      outcomes.add(answer === expected[i] ? "right" : "refused");
    }
    await expect(engine.digest("shop")).rejects.toMatchObject({ error: "storage_corrupt" });
    await engine.close();
  }
  expect([...outcomes].sort()).toEqual(["refused", "right"]);
});

describe("titles in a file", () => {
  const random = new Random(7);
  const words = "red green oak steel lamp drill table chair cordless folding small large left right".split(" ");
  const titleOf = (size: number): string => seq(size, () => random.pick(words)).join(" ");
  // Together some 50,000 terms: many blocks of the file. One title takes several blocks alone, and its last words count.
  const long = `${"small ".repeat(5000)} red lamp`;
  const titled = seq(300, (id) => ({ id, title: id === 150 ? long : titleOf(random.between(1, 300)) }));

  const ASKED_FIRST: readonly SearchParams[] = [
    { query: "red lamp", explain: true },
    { query: "red lamp", filters: { id: 150 }, explain: true },
    { query: "cordless drill for oak", hitsPerPage: 200 },
    { query: "chair", page: 3 },
  ];

  it.each([
    ["words", { embedder: false }],
    ["words and meaning", { embedder: "static-en" }],
  ] as const)("give the first query its answer, by %s, and the next ones theirs", async (_, settings) => {
    const disk = new FakeDisk();
    const memory = openMemory();
    const filled = await openFolder(disk, { sizes: TINY_SIZES });
    for (const engine of [memory, filled]) {
      await engine.createIndex("shop", settings);
      await engine.addRecords("shop", titled);
      await engine.deleteRecords("shop", [3, 4]);
    }
    await filled.close();
    const then = { query: "folding table", hitsPerPage: 100 };
    for (const first of ASKED_FIRST) {
      const engine = await openFolder(disk, { sizes: TINY_SIZES, readOnly: true });
      for (const params of [first, then]) {
        const [{ data }, { data: expected }] = [await engine.query("shop", params), await memory.query("shop", params)];
        expect([data.nbHits, data.hits]).toEqual([expected.nbHits, expected.hits]);
      }
      await engine.close();
    }
    await memory.close();
  });
});

describe("a reader beside a writer", () => {
  it("writes nothing when it is closed, however many segments are left to merge", async () => {
    const disk = new FakeDisk();
    const writer = await openFolder(disk, { sizes: TINY_SIZES });
    await writer.createIndex("shop", { embedder: false });
    disk.onOperation = async (kind, path) => {
      if (kind !== "create" || !path.includes("/segment-")) return;
      const image = disk.copy();
      const filesOf = () => [...image.files(FOLDER)].map(([name, { length }]) => `${name} ${length}`);
      const files = filesOf();
      const warnings: SearchWarning[] = [];
      const reader = await openFolder(image, { readOnly: true, sizes: TINY_SIZES, warnings });
      await reader.query("shop", { query: "lamp" });
      await reader.close();
      expect(filesOf()).toEqual(files);
      expect(warnings).toEqual([]);
    };
    for (let id = 0; id < 40; id++) await writer.addRecords("shop", [{ id, title: "lamp", filler: FILLER }]);
    await writer.close();
  });

  it("reports no damage when files are removed at any moment of its check, and each that there is", async () => {
    for (let at = 0, isOver = false; !isOver; at += 2) {
      const disk = new FakeDisk();
      const writer = await openFolder(disk, { sizes: TINY_SIZES });
      for (const name of ["a", "b"]) {
        await writer.createIndex(name, { embedder: false });
        await writer.addRecords(name, [{ id: 1, title: "lamp", filler: FILLER }]);
      }
      await writer.close();
      const again = await openFolder(disk, { sizes: TINY_SIZES });
      const reader = await openFolder(disk, { readOnly: true });
      const begun = disk.count();
      isOver = true;
      disk.onOperation = async () => {
        if (disk.count() - begun <= at) return;
        disk.onOperation = undefined;
        isOver = false;
        await again.deleteIndex("a");
        await again.replaceAllRecords("b", [{ id: 2, title: "lamp", filler: FILLER }]);
        for (let i = 0; i < 20; i++) await again.addRecords("b", [{ id: 3, title: "lamp", filler: FILLER.slice(1) }]);
      };
      expect([at, await reader.checkStorage()]).toEqual([at, { ok: true, problems: [] }]);
      disk.onOperation = undefined;
      expect((await reader.query("a", { query: "lamp" })).data.nbHits).toBe(1);
      await again.close();
      expect(await reader.checkStorage()).toEqual({ ok: true, problems: [] });
      const segment = [...disk.files("/data").keys()].find((path) => path.includes("/segment-"))!;
      disk.flipBit(segment, 80, 1);
      const { problems } = await reader.checkStorage();
      expect(problems).toMatchObject([{ file: segment.slice("/data/".length) }]);
      await reader.close();
      expect(disk.openFiles).toBe(0);
    }
  });
});
