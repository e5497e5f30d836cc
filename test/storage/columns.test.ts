// Columns of declared attributes are stored with their segments: a folder that is opened again takes them from there, and its answers
// are those of an engine in memory.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { IndexSettings, JsonRecord, SearchEngine } from "../../src/index.js";
import { HEAD_BYTES, lengthOfPart } from "../../src/storage/sections.js";
import { FOLDER, type FolderOptions, openFolder, openMemory, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { Random } from "../support/random.js";
import { randomFilter, randomRecords } from "../support/random-values.js";
import { seq } from "../support/seq.js";

const FACETS = ["brand", "price", "colors", "new", "kind.main"];
const SETTINGS: readonly IndexSettings[] = [
  { attributesForFaceting: FACETS, customRanking: ["desc(price)"], attributeForDistinct: "brand" },
  { attributesForFaceting: ["brand", "colors", "kind.main"], customRanking: ["asc(price)"] },
  { attributesForFaceting: ["new", "price", "brand", "nobody"], customRanking: [], attributeForDistinct: "price" },
];

/** The parts of a snapshot without their heads, which have a random number. */
function bodiesOf(snapshot: Buffer): string {
  let text = "";
  for (let from = 0; from < snapshot.length; ) {
    const rest = snapshot.subarray(from);
    const length = lengthOfPart(rest, rest.length, { name: "snapshot", kind: "segment", from });
    text += rest.toString("latin1", HEAD_BYTES, length);
    from += length;
  }
  return text;
}

/** What an engine answers with all facets, without times. */
async function facetAnswer(engine: SearchEngine, random: Random): Promise<unknown> {
  const { attributesForFaceting } = (await engine.getSettings("shop")).effective;
  const facets = (attributesForFaceting ?? []).filter((attribute) => attribute !== "nobody");
  const { text } = randomFilter(random, 2);
  const isKnown = [...text.matchAll(/([a-z.]+)(:| [<>])/g)].every(([, attribute]) => facets.includes(attribute!));
  const { data } = await engine.query<JsonRecord>("shop", {
    query: "",
    facets,
    hitsPerPage: 1000,
    distinct: random.chance(0.5),
    ...(isKnown ? { filters: text } : {}),
    ...(random.chance(0.5) ? { sort: ["brand:asc"] } : {}),
  });
  const { serverTimeMS, processingTimeMS, ...rest } = data;
  return rest;
}

describe("stored columns", () => {
  for (const seed of [1, 2, 3, 4])
    it(`answer as those in memory, through writes, merges and other settings (seed ${seed})`, async () => {
      const random = new Random(seed);
      const disk = new FakeDisk();
      const options: FolderOptions = seed % 2 === 0 ? { sizes: TINY_SIZES } : {};
      const memory = openMemory();
      let engine = await openFolder(disk, options);
      for (const each of [memory, engine]) await each.createIndex("shop", { ...SETTINGS[0], embedder: false });
      for (let step = 0; step < 24; step++) {
        const records = randomRecords(random, 30).map(({ id, ...record }) => ({ id: `${id}-${step % 9}`, ...record }));
        const ids = seq(random.between(1, 20), () => `${random.between(0, 29)}-${random.between(0, 8)}`);
        const change = random.pick<(each: SearchEngine) => Promise<unknown>>([
          (each) => each.addRecords("shop", records),
          (each) => each.addRecords("shop", records),
          (each) => each.deleteRecords("shop", ids),
          (each) => each.updateSettings("shop", SETTINGS[step % 3]!),
        ]);
        for (const each of [memory, engine]) await change(each);
        if (random.chance(0.5)) {
          await engine.close();
          engine = await openFolder(disk, options);
        }
        const [wanted, found] = [new Random(step), new Random(step)];
        expect(await facetAnswer(engine, found), `step ${step}`).toEqual(await facetAnswer(memory, wanted));
      }
      expect((await engine.checkStorage()).problems).toEqual([]);
      await engine.close();
    });

  const DECLARED: IndexSettings = {
    embedder: false,
    searchableAttributes: ["title"],
    attributesForFaceting: ["brand", "step"],
  };
  const RECORDS = seq(
    200,
    (id): JsonRecord => ({ id, title: "lamp", brand: `brand ${id % 7}`, step: id % 3, size: 1 }),
  );

  /** A closed folder with one segment, in which a bit of the last place of this text was flipped. */
  async function damagedFolder(text: string): Promise<FakeDisk> {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.createIndex("shop", DECLARED);
    await engine.addRecords("shop", RECORDS);
    await engine.close();
    const places = [...disk.files(FOLDER)]
      .map(([path, bytes]) => ({ path, at: Buffer.from(bytes).lastIndexOf(text) }))
      .filter(({ at }) => at >= 0);
    expect(places.length).toBe(1);
    for (const { path, at } of places) disk.flipBit(path, at + 3, 1);
    return disk;
  }

  const countsOf = async (engine: SearchEngine, facet: string): Promise<unknown> =>
    (await engine.query("shop", { query: "", facets: [facet], hitsPerPage: 0 })).data.facets?.[facet];

  it("need no record, and those of other attributes do", async () => {
    const engine = await openFolder(await damagedFolder('"title":"lamp"'));
    expect(await countsOf(engine, "brand")).toContainEqual({ value: "brand 3", count: 29 });
    await engine.updateSettings("shop", { attributesForFaceting: ["brand", "size"] });
    await expect(countsOf(engine, "size")).rejects.toMatchObject({ error: "storage_corrupt" });
    await engine.close();
  });

  it("are read one by one, and damage is told by the query that needs it", async () => {
    const disk = await damagedFolder('"brand 6"]');
    let engine = await openFolder(disk);
    const before = (await engine.estimate("shop")).columns;
    expect(await countsOf(engine, "step")).toContainEqual({ value: 0, count: 67 });
    expect((await engine.estimate("shop")).columns).toBeGreaterThan(before);
    await expect(countsOf(engine, "brand")).rejects.toMatchObject({
      error: "storage_corrupt",
      details: { file: "segment-1" },
    });
    expect((await engine.checkStorage()).ok).toBe(false);
    await engine.close();
    engine = await openFolder(disk, { preload: true });
    expect(engine.recovery().damagedIndexes).toEqual([{ indexName: "shop", file: "segment-1" }]);
    await expect(countsOf(engine, "brand")).rejects.toMatchObject({ error: "storage_corrupt" });
    await engine.close();
  });

  it("are all in memory with preload", async () => {
    const disk = new FakeDisk();
    let engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.createIndex("shop", DECLARED);
    await engine.addRecords("shop", RECORDS);
    await engine.close();
    engine = await openFolder(disk, { preload: true });
    disk.fail({ kind: "read", code: "EIO", forEver: true });
    for (const facet of ["brand", "step"])
      expect(await countsOf(engine, facet)).toHaveLength(facet === "brand" ? 7 : 3);
    disk.heal();
    await engine.close();
  });

  it("are the same whatever queries used before", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tandem-columns-"));
    const bodies: string[] = [];
    for (const facets of [[], ["brand"], ["step", "price", "brand"]])
      for (const isReopened of [false, true]) {
        const disk = new FakeDisk();
        let engine = await openFolder(disk, { sizes: TINY_SIZES });
        await engine.createIndex("shop", { embedder: false, attributesForFaceting: ["brand", "price", "step"] });
        await engine.addRecords(
          "shop",
          seq(50, (id) => ({ id, title: "lamp", brand: `b${id % 7}`, price: id, step: [1, id % 2] })),
        );
        if (isReopened) {
          await engine.close();
          engine = await openFolder(disk);
        }
        await engine.query("shop", { query: "", facets });
        await engine.writeSnapshot("shop", join(folder, "snapshot"));
        bodies.push(bodiesOf(await readFile(join(folder, "snapshot"))));
        await engine.close();
      }
    await rm(folder, { recursive: true });
    expect(new Set(bodies).size).toBe(1);
  });
});

describe("columns of attributes that a query used", () => {
  const products = (from: number, count: number) =>
    seq(count, (i) => ({
      ...{ id: from + i, title: `lamp ${i}`, colour: i % 3 === 0 ? "red" : "green", size: i % 7 },
      _geoloc: { lat: i / 100, lng: 1 },
    }));
  const USES: readonly object[] = [
    { filters: "colour:red" },
    { facets: ["size"] },
    { aroundLatLng: "1, 1", aroundRadius: 200_000 },
  ];

  /** Whether queries read of the disk, after everything behind the calls is done. */
  async function readsOf(engine: SearchEngine, disk: FakeDisk): Promise<number> {
    await engine.index("shop").whenIdle();
    const before = disk.count("read");
    for (const use of USES) await engine.query("shop", { query: "", hitsPerPage: 0, ...use });
    return disk.count("read") - before;
  }

  it("are there for what is written, replaced or opened later, before a query asks", async () => {
    const disk = new FakeDisk();
    let engine = await openFolder(disk, { sizes: TINY_SIZES });
    const shop = await engine.createIndex("shop", { embedder: false });
    await shop.addRecords(products(0, 300));
    await shop.whenIdle();
    expect(await readsOf(engine, disk)).toBeGreaterThan(0);
    expect(await readsOf(engine, disk)).toBe(0);
    await shop.addRecords(products(300, 100));
    expect(await readsOf(engine, disk)).toBe(0);
    await engine.close();

    engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.query("shop", { query: "lamp" });
    expect(await readsOf(engine, disk)).toBe(0);
    await engine.index("shop").replaceAllRecords(products(0, 200));
    expect(await readsOf(engine, disk)).toBe(0);
    await engine.close();
  });

  /** Whether columns of an attribute are there before a query asks, when the folder is opened. */
  async function isReady(disk: FakeDisk, attribute: string): Promise<boolean> {
    const engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.query("shop", { query: "lamp" });
    await engine.index("shop").whenIdle();
    const before = disk.count("read");
    const { data } = await engine.query("shop", { query: "", hitsPerPage: 0, facets: [attribute] });
    expect(data.facets?.[attribute]).not.toEqual([]);
    const isRead = disk.count("read") > before;
    await engine.close();
    return !isRead;
  }

  const use = (engine: SearchEngine, attribute: string) =>
    engine.query("shop", { query: "", hitsPerPage: 0, facets: [attribute] });

  it("are told apart from those whose names are the same when commas join them", async () => {
    const disk = new FakeDisk();
    let engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.createIndex("shop", { embedder: false, searchableAttributes: ["title"] });
    await engine.addRecords("shop", [{ id: "first", title: "lamp", "green,red": 1 }]);
    await engine.addRecords(
      "shop",
      seq(200, (id) => ({ id, title: "lamp", green: id, red: id })),
    );
    await use(engine, "green,red");
    await engine.close();
    engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.deleteRecords("shop", ["first"]);
    for (const attribute of ["red", "green"]) await use(engine, attribute);
    await engine.close();
    expect([await isReady(disk, "red"), await isReady(disk, "green")]).toEqual([true, true]);
  });

  it.each([
    "write",
    "opening",
  ])("are forgotten when they were not used for longest, also behind a(n) %s", async (behind) => {
    const disk = new FakeDisk();
    let engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.createIndex("shop", { embedder: false, searchableAttributes: ["title"] });
    const names = seq(129, (i) => `n${1000 + i}`);
    const lamp = (id: number) => ({ id, title: "lamp", ...Object.fromEntries(names.map((name) => [name, id])) });
    await engine.addRecords("shop", seq(50, lamp));
    for (const name of names.slice(0, 128)) await use(engine, name);
    if (behind === "opening") {
      await engine.close();
      engine = await openFolder(disk, { sizes: TINY_SIZES });
      await engine.index("shop").whenIdle();
    }
    await use(engine, names[0]!);
    if (behind === "write")
      await engine.addRecords(
        "shop",
        seq(20, (id) => lamp(100 + id)),
      );
    await engine.index("shop").whenIdle();
    await use(engine, names[128]!);
    await engine.close();
    const ready = [];
    for (const at of [0, 1, 2, 128]) ready.push(await isReady(disk.copy(), names[at]!));
    expect(ready).toEqual([true, false, true, true]);
  });

  it.each([
    "closed",
    "killed",
  ])("are known to an index that was replaced before it was read, also when then %s", async (end) => {
    const disk = new FakeDisk();
    let engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.createIndex("shop", { embedder: false });
    await engine.addRecords("shop", products(0, 300));
    await use(engine, "colour");
    await engine.close();
    engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.replaceAllRecords("shop", products(0, 200));
    const image = disk.copy();
    await engine.index("shop").whenIdle();
    const before = disk.count("read");
    await use(engine, "colour");
    expect(disk.count("read")).toBe(before);
    await engine.close();
    expect(await isReady(end === "killed" ? image : disk, "colour")).toBe(true);
  });
});
