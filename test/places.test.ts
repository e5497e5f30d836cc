// Places and dates are found again wherever records go: through merges, a data folder that is opened again, copies, exports.

import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";
import { type FolderOptions, openFolder, TINY_SIZES } from "./support/data-folder.js";
import { FakeDisk } from "./support/fake-disk.js";
import { distanceOf, isWhere } from "./support/naive-places.js";
import { Random } from "./support/random.js";

const random = new Random(7);
const place = (): { lat: number; lng: number } => ({ lat: random.between(-90, 90), lng: random.between(-180, 180) });
const records: JsonRecord[] = Array.from({ length: 200 }, (_, id) => ({
  id,
  title: "parcel",
  sent: new Date(1.7e12 + 864e5 * id).toISOString(),
  ...(id % 5 === 0 ? {} : { _geoloc: id % 3 === 0 ? [place(), place()] : place() }),
}));
const ASKED: readonly SearchParams[] = [
  { query: "", aroundLatLng: "48,11", aroundRadius: 4_000_000 },
  { query: "parcel", insideBoundingBox: [[40, 100, -30, -100]] },
  { query: "", filters: { sent: { gte: new Date(1.7e12 + 864e5 * 150) } }, aroundLatLng: "-20,179" },
];

/** The hits with their distances, as each record gives them. */
const expected = ASKED.map((params) =>
  records
    .filter((record) => isWhere(record, params) && (params.filters === undefined || (record.id as number) >= 150))
    .map((record) => [String(record.id), distanceOf(record, params)]),
);

async function answersOf(engine: SearchEngine, name = "shop"): Promise<unknown> {
  const answers: unknown[] = [];
  for (const params of ASKED) {
    const { data } = await engine.query(name, { ...params, hitsPerPage: 1000 });
    answers.push(data.hits.map((hit) => [hit.id, hit._geoDistance]).sort(([a], [b]) => Number(a) - Number(b)));
  }
  return answers;
}

async function fill(engine: SearchEngine, settings: object): Promise<void> {
  await engine.createIndex("shop", { embedder: false, ...settings });
  for (let from = 0; from < 200; from += 20) {
    await engine.addRecords("shop", [
      ...records.slice(from, from + 20),
      { id: "gone", title: "parcel", _geoloc: place() },
    ]);
    await answersOf(engine);
  }
  await engine.deleteRecords("shop", ["gone"]);
  await engine.index("shop").whenIdle();
}

describe("places and dates", () => {
  it.each([
    {},
    { attributesForFaceting: ["_geoloc", "sent"] },
  ])("outlive merges and reopening, with %j", async (settings) => {
    const disk = new FakeDisk();
    for (const options of [{}, { sizes: TINY_SIZES }] satisfies FolderOptions[]) {
      let engine = await openFolder(disk, options);
      if ((await engine.listIndexes()).length === 0) await fill(engine, settings);
      expect(await answersOf(engine)).toEqual(expected);
      await engine.close();
      engine = await openFolder(disk, options);
      expect(await answersOf(engine)).toEqual(expected);
      await engine.close();
    }
  });

  it("come along in copies and exports, with the same digest", async () => {
    const engine = new SearchEngine({ embedder: false });
    await fill(engine, {});
    await engine.copyIndex("shop", "copy");
    await engine.importIndex("imported", engine.exportIndex("shop"));
    for (const name of ["copy", "imported"]) {
      expect(await answersOf(engine, name)).toEqual(expected);
      expect(await engine.digest(name)).toBe(await engine.digest("shop"));
    }
  });

  it("are the same for a Date and for its text", async () => {
    const engine = new SearchEngine({ embedder: false });
    const when = new Date(5);
    await engine.createIndex("dates", { embedder: false });
    await engine.createIndex("texts", { embedder: false });
    await engine.addRecords("dates", [{ id: 1, when }]);
    await engine.addRecords("texts", [{ id: 1, when: when.toISOString() }]);
    expect(await engine.digest("dates")).toBe(await engine.digest("texts"));
  });
});
