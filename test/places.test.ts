// Places and dates are found again wherever records go: through merges, a data folder that is opened again, copies, exports.

import { expect, it } from "vitest";
import type { JsonRecord, SearchEngine, SearchParams } from "../src/index.js";
import { type FolderOptions, openFolder, TINY_SIZES } from "./support/data-folder.js";
import { FakeDisk } from "./support/fake-disk.js";
import { distanceOf, isWhere } from "./support/naive-places.js";
import { Random } from "./support/random.js";
import { seq } from "./support/seq.js";

const random = new Random(7);
const place = (): { lat: number; lng: number } => ({ lat: random.between(-90, 90), lng: random.between(-180, 180) });
const records: JsonRecord[] = seq(200, (id) => ({
  ...{ id, title: "parcel", sent: new Date(1.7e12 + 864e5 * id).toISOString() },
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

async function expectPlaces(engine: SearchEngine, name = "shop"): Promise<void> {
  for (const [i, params] of ASKED.entries()) {
    const { hits } = (await engine.query(name, { ...params, hitsPerPage: 1000 })).data;
    const found = hits.map((hit) => [hit.id, hit._geoDistance]);
    expect(found.sort(([a], [b]) => Number(a) - Number(b))).toEqual(expected[i]);
  }
}

it.each([
  {},
  { attributesForFaceting: ["_geoloc", "sent"] },
])("outlive all that moves records, with %j", async (settings) => {
  const disk = new FakeDisk();
  let engine = await openFolder(disk);
  await engine.createIndex("shop", { embedder: false, ...settings });
  for (let from = 0; from < 200; from += 20)
    await engine.addRecords("shop", [
      ...records.slice(from, from + 20),
      { id: "gone", title: "parcel", _geoloc: place() },
    ]);
  await engine.deleteRecords("shop", ["gone"]);
  await engine.index("shop").whenIdle();
  await expectPlaces(engine);
  await engine.copyIndex("shop", "copy");
  await engine.importIndex("imported", engine.exportIndex("shop"));
  for (const name of ["copy", "imported"]) await expectPlaces(engine, name);
  for (const options of [{}, { sizes: TINY_SIZES }, {}] satisfies FolderOptions[]) {
    await engine.close();
    engine = await openFolder(disk, options);
    await expectPlaces(engine);
  }
  await engine.close();
});
