// Long lists of places: what is found among them is what each place tells, and pauses count places, not records.

import { expect, it } from "vitest";
import { buildDocValues } from "../../src/docvalues/build-doc-values.js";
import { docsInArea, metresOf, metresToNearest, PLACES } from "../../src/docvalues/place.js";
import type { Doc, DocArray } from "../../src/util/doc-set.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce, type Task } from "../../src/util/tasks.js";
import { Random } from "../support/random.js";
import { itemsOf } from "../support/stored-records.js";

const random = new Random(3);
const place = () => ({ lat: random.between(-90, 90), lng: random.between(-180, 180) });
const places = Array.from({ length: 200 }, (_, i) => (i % 9 === 0 ? [] : random.list(400, 480, place)));
const records: readonly JsonRecord[] = places.map((list) => ({ [PLACES]: list }));
const column = runTaskAtOnce(buildDocValues(records.length, itemsOf(records), [PLACES])).get(PLACES)!;
const center = { lat: 10, lng: 20 };

function pausesOf<T>(steps: Task<T>): { readonly pauses: number; readonly value: T } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done) return { pauses, value: step.value };
  }
}

it("tells the metres to the nearest place of each record, with a pause in some thousand places", () => {
  const docs = Uint32Array.from(records.keys()) as DocArray<Doc>;
  const { pauses, value } = pausesOf(metresOf(column, docs, 0, center));
  const wanted = places.map((list) => metresToNearest(list, center) ?? Number.NaN);
  expect([...value]).toEqual(wanted);
  expect(pauses).toBeGreaterThan(8);
});

it("finds who has a place in an area, with a pause in some thousand holders of places", () => {
  const { pauses, value } = pausesOf(
    docsInArea(column, { boxes: [{ north: 90, west: -180, south: -90, east: 180 }] }, records.length),
  );
  expect(value.count()).toBe(places.filter(({ length }) => length > 0).length);
  expect(pauses).toBeGreaterThan(8);
});
