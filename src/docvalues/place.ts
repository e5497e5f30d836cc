// Places on the earth: what counts as one, how far apart two are, and the areas that a query asks for. The sphere has the mean radius
// of the earth. Engines that run JavaScript may compute the last bits of a sine in different ways, so a distance is the same on all of
// them to about a nanometre.

import { has, type JsonRecord, type JsonValue } from "../util/json.js";

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
