// The places of a segment's records, as a column of their texts: so they are stored, merged and dropped as all columns are, and a place
// that many records share is looked at once. Latitudes and longitudes of one item stay together, which two columns of numbers would
// not keep. Every place is looked at, in slices; a tree of places would have to be built for each segment.

import type { LocalDoc } from "../util/doc.js";
import { DocSet } from "../util/doc-set.js";
import { has } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { type DocValues, type Points, rowOf } from "./doc-values.js";
import { type Area, metresBetween, type Place, placeIn, testOf } from "./place.js";

/** Texts read, or distances computed, between two pauses. */
const PAUSE_EVERY = 1 << 13;

/** The places of a column by ordinal, read from their texts once. Texts that are none come from damaged files alone: they are NaN. */
export function* pointsOf({ values, caches }: DocValues): Task<Points> {
  if (caches.points !== undefined) return caches.points;
  const lats = new Float64Array(values.length).fill(Number.NaN);
  const lngs = new Float64Array(values.length).fill(Number.NaN);
  for (let ordinal = 0; ordinal < values.length; ordinal++) {
    const value = values[ordinal]!;
    const place = typeof value === "string" ? placeIn(value) : undefined;
    if (place !== undefined) [lats[ordinal], lngs[ordinal]] = [place.lat, place.lng];
    if ((ordinal + 1) % PAUSE_EVERY === 0) yield;
  }
  caches.points = { lats, lngs };
  return caches.points;
}

/** The records that have a place in the area, as a new set. */
export function* docsInArea(column: DocValues | undefined, area: Area, docCount: number): Task<DocSet<LocalDoc>> {
  const passing = new DocSet<LocalDoc>(docCount);
  if (column === undefined) return passing;
  const points = yield* pointsOf(column);
  const isIn = testOf(area);
  const step = Math.ceil(PAUSE_EVERY / (has(area, "boxes") ? area.boxes.length : 1));
  for (let from = 0; from < points.lats.length; from += step) {
    addHolders(passing, column, points, isIn, from, Math.min(points.lats.length, from + step));
    yield;
  }
  return passing;
}

// The long loop stands in a plain function: V8 optimises these better than generators.

/** Adds the records of the ordinals `from` to `to` - 1 that are in an area. */
function addHolders(
  passing: DocSet<LocalDoc>,
  { ordinalStarts, ordinalDocs }: DocValues,
  { lats, lngs }: Points,
  isIn: (lat: number, lng: number) => boolean,
  from: number,
  to: number,
): void {
  for (let ordinal = from; ordinal < to; ordinal++) {
    if (!isIn(lats[ordinal]!, lngs[ordinal]!)) continue;
    for (let at = ordinalStarts[ordinal]!; at < ordinalStarts[ordinal + 1]!; at++)
      passing.add(ordinalDocs[at] as LocalDoc);
  }
}

/** The metres from a place to the nearest of a record; undefined: it has none. */
export function metresTo(column: DocValues, { lats, lngs }: Points, doc: LocalDoc, from: Place): number | undefined {
  const row = rowOf(column, doc);
  if (row < 0) return undefined;
  const { starts, ordinals } = column;
  let nearest: number | undefined;
  for (let at = starts[row]!; at < starts[row + 1]!; at++) {
    const metres = metresBetween({ lat: lats[ordinals[at]!]!, lng: lngs[ordinals[at]!]! }, from);
    if (!Number.isNaN(metres) && (nearest === undefined || metres < nearest)) nearest = metres;
  }
  return nearest;
}
