// The places of a segment's records, as a column of their texts: so they are stored, merged and dropped as all columns are, and a place
// that many records share is looked at once. Latitudes and longitudes of one item stay together, which two columns of numbers would
// not keep. Every place is looked at, in slices; a tree of places would have to be built for each segment.

import { type Doc, type DocArray, DocSet, type LocalDoc, toLocal } from "../util/doc-set.js";
import { has } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { type DocValues, type Points, rowOf } from "./doc-values.js";
import { type Area, metresBetween, type Place, placeIn, testOf } from "./place.js";

/** Texts read, distances computed, or records added, between two pauses. */
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
  const tests = has(area, "boxes") ? area.boxes.length : 1;
  for (let from = 0; from < points.lats.length; yield) from = addHolders(passing, column, points, isIn, from, tests);
  return passing;
}

// The long loop stands in a plain function: V8 optimises these better than generators.

/**
 * Adds the records of the ordinals from `from` on that are in an area, of which each takes so many tests. Returns the ordinal before
 * which it is time to pause.
 */
function addHolders(
  passing: DocSet<LocalDoc>,
  { ordinalStarts, ordinalDocs }: DocValues,
  { lats, lngs }: Points,
  isIn: (lat: number, lng: number) => boolean,
  from: number,
  tests: number,
): number {
  let ordinal = from;
  for (let seen = 0; ordinal < lats.length && seen < PAUSE_EVERY; ordinal++) {
    seen += tests;
    if (!isIn(lats[ordinal]!, lngs[ordinal]!)) continue;
    const to = ordinalStarts[ordinal + 1]!;
    for (let at = ordinalStarts[ordinal]!; at < to; at++) passing.add(ordinalDocs[at] as LocalDoc);
    seen += to - ordinalStarts[ordinal]!;
  }
  return ordinal;
}

/** The metres from a place to the nearest of each of some records of a segment, ascending, whose first record is `base`; NaN: it has none. */
export function* metresOf(column: DocValues, docs: DocArray<Doc>, base: number, from: Place): Task<Float64Array> {
  const points = yield* pointsOf(column);
  const found = new Float64Array(docs.length).fill(Number.NaN);
  for (let at = 0; at < docs.length; yield) at = addMetres(found, column, points, docs, base, from, at);
  return found;
}

/** As {@link metresOf}, from the record at `at` on. Returns that before which it is time to pause. */
function addMetres(
  found: Float64Array,
  column: DocValues,
  points: Points,
  docs: DocArray<Doc>,
  base: number,
  from: Place,
  at: number,
): number {
  let i = at;
  for (let seen = 0; i < docs.length && seen < PAUSE_EVERY; i++) {
    const row = rowOf(column, toLocal(base, docs[i]!));
    seen++;
    if (row < 0) continue;
    found[i] = metresTo(column, points, row, from);
    seen += column.starts[row + 1]! - column.starts[row]!;
  }
  return i;
}

/** The metres from a place to the nearest of a row; NaN: it has none. */
function metresTo({ starts, ordinals }: DocValues, { lats, lngs }: Points, row: number, from: Place): number {
  let nearest = Number.NaN;
  for (let at = starts[row]!; at < starts[row + 1]!; at++) {
    const metres = metresBetween({ lat: lats[ordinals[at]!]!, lng: lngs[ordinals[at]!]! }, from);
    if (!(nearest <= metres) && !Number.isNaN(metres)) nearest = metres;
  }
  return nearest;
}
