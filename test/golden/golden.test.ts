// What a released version wrote, which every later one reads: a data folder, snapshots and exports of test/golden, made by make.mjs and
// never written again. The records, settings and answers that they must give are written by hand.

import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SearchEngine, type SearchIndex } from "../../src/index.js";
import { allOf } from "../support/all-of.js";
import { ROOT } from "../support/source-tree.js";
import { tempPaths } from "../support/temp-folder.js";

const GOLDEN = join(ROOT, "test/golden");
const VERSIONS = readdirSync(GOLDEN).filter((name) => /^\d/.test(name));
const tempPath = tempPaths();

const RECORDS = [
  { id: 1, title: "Cordless drill, 18 V", brand: "Volt", price: 89.9, stock: 2, tags: ["tool", "battery"] },
  { id: 10, title: "Floor lamp", price: 0, empty: {}, none: [] },
  {
    id: 2,
    title: "Three-seat sofa, grey",
    brand: "Hem",
    price: 899,
    variants: [{ size: "L", blue: true }, { size: "M" }],
  },
  { id: 5, title: "Teapot", price: 25, _geoloc: { lat: 52.52, lng: 13.405 } },
  { id: 6, title: "Café crème 日本 😀", price: -0.5, deep: { a: { b: [1, "two", false, null, [3]] } } },
  { id: 7, title: "", sku: "KV-1307", price: 1e21 },
  { id: "kettle-3", title: "Electric kettle", brand: "Luma", price: 40, isNew: true, added: "2026-01-31T12:00:00Z" },
  { id: "kettle-4", title: "Kettle, used", price: 10, isNew: false, note: null },
];
const SETTINGS = {
  attributesForFaceting: ["brand", "price", "variants.size", "variants.blue"],
  synonyms: [{ type: "synonym", synonyms: ["lamp", "torchlet"] }],
  rules: [
    {
      id: "kettle-of-the-month",
      conditions: [{ pattern: "kettle", anchoring: "contains" }],
      consequence: { promote: [{ id: 5, position: 0 }], hide: ["kettle-4"], userData: { banner: "month.png" } },
    },
  ],
};
const SHAPES = [
  { id: "a", title: "circle", place: [1, 0, 0] },
  { id: "b", title: "square", place: [0, 1, 0.25] },
  { id: "c", title: "without a place" },
];

async function checkShop(shop: SearchIndex): Promise<void> {
  expect(await allOf(shop.browseRecords())).toEqual(RECORDS);
  expect((await shop.getSettings()).settings).toEqual(SETTINGS);
  const ask = async (params: object) => (await shop.query({ query: "", ...params })).data;
  const idsOf = async (params: object) => (await ask(params)).hits.map(({ id }) => id);

  const kettles = await ask({ query: "kettle" });
  expect(kettles.hits.slice(0, 2).map(({ id }) => id)).toEqual(["5", "kettle-3"]);
  expect(kettles.hits.map(({ id }) => id)).not.toContain("kettle-4");
  expect(kettles.userData).toEqual([{ banner: "month.png" }]);
  expect((await idsOf({ query: "torchlet" }))[0]).toBe("10");
  expect((await idsOf({ query: "couch" }))[0]).toBe("2");
  expect((await idsOf({ query: "cordles" }))[0]).toBe("1");
  expect(await idsOf({ query: "kv1307" })).toEqual(["7"]);
  expect((await idsOf({ query: "deleted lamp" })).filter((id) => id === "8" || id === "9")).toEqual([]);
  expect((await idsOf({ filters: "price < 30" })).toSorted()).toEqual(["10", "5", "6", "kettle-4"]);
  expect(await idsOf({ aroundLatLng: "52.5,13.4", aroundRadius: 10_000 })).toEqual(["5"]);
  expect(await idsOf({ filters: { variants: { some: { size: "L", blue: true } } } })).toEqual(["2"]);
  expect((await ask({ facets: ["brand"] })).facets).toEqual({
    brand: ["Hem", "Luma", "Volt"].map((value) => ({ value, count: 1 })),
  });
}

async function checkShapes(shapes: SearchIndex): Promise<void> {
  expect(await allOf(shapes.browseRecords())).toEqual(SHAPES);
  expect((await shapes.getSettings()).settings).toEqual({
    embedder: false,
    vectorAttribute: "place",
    dimensions: 3,
  });
  const { hits } = (await shapes.query({ query: "square", vector: [0, 1, 0] })).data;
  expect(hits[0]?.id).toBe("b");
}

/** Writes and reads, as an index of today does. */
async function checkWrites(shop: SearchIndex): Promise<void> {
  await shop.addRecords([{ id: 11, title: "Desk lamp" }]);
  expect((await shop.query({ query: "desk lamp" })).data.hits[0]?.id).toBe("11");
  await shop.deleteRecords([11]);
  await checkShop(shop);
}

describe.each(VERSIONS)("what version %s wrote", (version) => {
  const file = (name: string) => join(GOLDEN, version, name);

  it("a data folder opens with all that it has, for reading alone and for writing, and again after that", async () => {
    const dataDir = tempPath();
    cpSync(file("data"), dataDir, { recursive: true });
    const reader = await SearchEngine.open({ dataDir, readOnly: true });
    expect((await reader.listIndexes()).map(({ name, records }) => [name, records])).toEqual([
      ["shapes", 3],
      ["shop", 8],
    ]);
    await checkShop(reader.index("shop"));
    await reader.close();
    for (let i = 0; i < 2; i++) {
      const engine = await SearchEngine.open({ dataDir });
      expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
      await checkShop(engine.index("shop"));
      await checkShapes(engine.index("shapes"));
      await checkWrites(engine.index("shop"));
      await engine.close();
    }
  });

  it("snapshots are read, from files and from bytes", async () => {
    const engine = new SearchEngine();
    await engine.readSnapshot("shop", file("shop.snapshot"));
    await engine.readSnapshot("shapes", new Uint8Array(readFileSync(file("shapes.snapshot"))));
    await checkShop(engine.index("shop"));
    await checkShapes(engine.index("shapes"));
    await checkWrites(engine.index("shop"));
  });

  it("exports are imported", async () => {
    const engine = new SearchEngine();
    for (const name of ["shop", "shapes"]) await engine.importIndex(name, readFileSync(file(`${name}.jsonl`), "utf8"));
    await checkShop(engine.index("shop"));
    await checkShapes(engine.index("shapes"));
  });
});

it("there is a version to read", () => {
  expect(VERSIONS).toContain("0.1.0");
});
