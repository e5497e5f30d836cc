// Places by hand: distances on a sphere, boxes, and the order by distance, one record at a time.

import type { JsonRecord, SearchParams } from "../../src/index.js";

type NaivePlace = { readonly lat: number; readonly lng: number };

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Metres along the great circle, by the haversine formula. */
export function metres(a: NaivePlace, b: NaivePlace): number {
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2);
  const across = half(a.lng, b.lng);
  const along = half(a.lat, b.lat);
  const share = along * along + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * (across * across);
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.sqrt(share)));
}

export function placesIn(record: JsonRecord): NaivePlace[] {
  return [record._geoloc ?? []].flat().map((place) => place as JsonRecord as { lat: number; lng: number });
}

/** Metres to the nearest place of a record; undefined: it has none. */
export function metresTo(record: JsonRecord, center: NaivePlace): number | undefined {
  const all = placesIn(record).map((place) => metres(place, center));
  return all.length === 0 ? undefined : Math.min(...all);
}

type NaiveBox = readonly [lat1: number, lng1: number, lat2: number, lng2: number];

export function isInBox({ lat, lng }: NaivePlace, [lat1, lng1, lat2, lng2]: NaiveBox): boolean {
  const isEast = lng >= lng1;
  const isWest = lng <= lng2;
  return (
    lat >= Math.min(lat1, lat2) && lat <= Math.max(lat1, lat2) && (lng1 > lng2 ? isEast || isWest : isEast && isWest)
  );
}

/** The place that a text such as "48.14,11.58" names. */
export function placeOf(text: string): NaivePlace {
  const [lat, lng] = text.split(",").map(Number);
  return { lat: lat!, lng: lng! };
}

/** Whether a record is where a query looks. */
export function isWhere(record: JsonRecord, { aroundLatLng, aroundRadius, insideBoundingBox }: SearchParams): boolean {
  const isNear = aroundRadius === undefined || (metresTo(record, placeOf(aroundLatLng!)) ?? Infinity) <= aroundRadius;
  return isNear && (insideBoundingBox?.some((box) => placesIn(record).some((place) => isInBox(place, box))) ?? true);
}

/** The whole metres that a hit tells, where the query asks for them. */
export function distanceOf(record: JsonRecord, { aroundLatLng, sort = [] }: SearchParams): number | undefined {
  const point = aroundLatLng ?? sort.map(pointOf).find((each) => each !== undefined);
  const told = point === undefined ? undefined : metresTo(record, placeOf(point));
  return told === undefined ? undefined : Math.round(told);
}

/** What stands in the brackets of `_geoPoint(48.14,11.58):asc`; undefined: that is no such key. */
export function pointOf(key: string): string | undefined {
  return /^_geoPoint\((.*)\)(?::[a-z]+)?$/.exec(key)?.[1];
}
