// Places on the earth: what counts as one, how far apart two are, and the areas that a query asks for. The sphere has the mean radius
// of the earth. Engines that run JavaScript may compute the last bits of a sine in different ways, so a distance is the same on all of
// them to about a nanometre.

import { type Doc, type DocArray, DocSet, type LocalDoc, toLocal } from "../util/doc-set.js";
import { has, type JsonRecord, type JsonValue } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { type DocValues, type Points, rowOf } from "./doc-values.js";

/** The attribute that holds the places of a record: `{ lat, lng }`, or a list of them. */
export const PLACES = "_geoloc";

/** A place, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** All places between two latitudes, and from one longitude eastward to the other. */
export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  /** Less than `west` where the box crosses the antimeridian. */
  readonly east: number;
}

/** The places of which a record must have one. */
export type Area = { readonly center: Place; readonly radius: number } | { readonly boxes: readonly Box[] };

const EARTH_RADIUS = 6_371_008.8;
const NUMBER = String.raw`-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?`;
const TEXT = new RegExp(`^ *(${NUMBER}) *, *(${NUMBER}) *$`);

export function isLatitude(value: unknown): value is number {
  return typeof value === "number" && value >= -90 && value <= 90;
}

export function isLongitude(value: unknown): value is number {
  return typeof value === "number" && value >= -180 && value <= 180;
}

/** The place that a text names, as in "48.14,11.58"; undefined: it names none. */
export function placeIn(text: string): Place | undefined {
  const [, first, second] = TEXT.exec(text) ?? [];
  const place = { lat: Number(first), lng: Number(second) };
  return isPlace(place) ? place : undefined;
}

/** What {@link placeIn} reads. */
export function textOfPlace({ lat, lng }: Place): string {
  return `${lat},${lng}`;
}

/** What is wrong with the places of a record; undefined: nothing, or it has none. */
export function placesComplaint(record: JsonRecord): string | undefined {
  const value = record[PLACES] ?? null;
  const items: readonly JsonValue[] = value === null ? [] : Array.isArray(value) ? value : [value];
  const wrong = items.findIndex((item) => !isPlace(item) || Object.keys(item).length !== 2);
  if (wrong < 0) return undefined;
  const at = Array.isArray(value) ? `${PLACES}[${wrong}]` : PLACES;
  return `${at} is not a place; expected { lat, lng } with a latitude from -90 to 90 and a longitude from -180 to 180, or a list of them`;
}

/** The places of a stored record. */
export function placesOf(record: JsonRecord): Place[] {
  const value = record[PLACES];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter(isPlace);
}

/** The metres between two places. */
export function metresBetween(a: Place, b: Place): number {
  const height = Math.sin(radians(b.lat - a.lat) / 2);
  const width = Math.sin(radians(b.lng - a.lng) / 2);
  const share = height * height + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * (width * width);
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(share)));
}

/** The metres to the nearest of some places; undefined: there is none. */
export function metresToNearest(places: readonly Place[], from: Place): number | undefined {
  let nearest: number | undefined;
  for (const place of places) {
    const metres = metresBetween(place, from);
    if (nearest === undefined || metres < nearest) nearest = metres;
  }
  return nearest;
}

/** Tells of coordinates whether they are within an area; NaN is not. */
export function testOf(area: Area): (lat: number, lng: number) => boolean {
  if (has(area, "center")) {
    const { center, radius } = area;
    // Two places are at least as far apart as their parallels; the margin is more than any rounding.
    const mostDegrees = ((radius + 1) / (EARTH_RADIUS * Math.PI)) * 180;
    return (lat, lng) => Math.abs(lat - center.lat) <= mostDegrees && metresBetween({ lat, lng }, center) <= radius;
  }
  const { boxes } = area;
  return (lat, lng) =>
    boxes.some(({ south, north, west, east }) => {
      if (!(lat >= south && lat <= north)) return false;
      return west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
    });
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== "object" || value === null) return false;
  const { lat, lng } = value as Place;
  return isLatitude(lat) && isLongitude(lng);
}

// The places of a segment's records are a column of their texts: so they are stored, merged and dropped as all columns are, and a place
// that many records share is looked at once. Latitudes and longitudes of one item stay together, which two columns of numbers would
// not keep. Every place is looked at, in slices; a tree of places would have to be built for each segment.

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
