import { describe, expect, it } from "vitest";
import {
  metresBetween,
  metresToNearest,
  placeIn,
  placesComplaint,
  placesOf,
  testOf,
} from "../../src/docvalues/place.js";
import { isInBox, metres } from "../support/naive-places.js";
import { property } from "../support/random.js";

const munich = { lat: 48.137, lng: 11.575 };

describe("metresBetween", () => {
  it.each([
    ["a degree of the equator", { lat: 0, lng: 0 }, { lat: 0, lng: 1 }, 111_195],
    ["a degree of a meridian, over the antimeridian", { lat: 10, lng: 180 }, { lat: 11, lng: -180 }, 111_195],
    ["the poles", { lat: 90, lng: 5 }, { lat: -90, lng: 77 }, 20_015_115],
    ["Munich and Berlin", munich, { lat: 52.52, lng: 13.405 }, 504_220],
    ["one place twice", munich, munich, 0],
  ])("tells how far %s are apart", (_what, a, b, apart) => {
    expect(Math.abs(metresBetween(a, b) - apart)).toBeLessThan(300);
    expect(metresBetween(b, a)).toBe(metresBetween(a, b));
  });

  it("is to the nearest of several places, if there is one", () => {
    expect(metresToNearest([{ lat: 0, lng: 0 }, munich, { lat: 90, lng: 0 }], munich)).toBe(0);
    expect(metresToNearest([], munich)).toBeUndefined();
  });
});

describe("a place", () => {
  it.each([
    ["48.137,11.575", munich],
    [" -1e-7 , 1.8E2 ", { lat: -1e-7, lng: 180 }],
    ["-90,-180", { lat: -90, lng: -180 }],
  ])("is read from %j", (text, place) => {
    expect(placeIn(text)).toEqual(place);
  });

  const NONE = ["", "48", "48,", "91,0", "0,-180.1", "1,2,3", "0x1,2", "+1,2", ".5,2", "Infinity,0", "1 1,2"];
  it.each(NONE)("is not read from %j", (text) => expect(placeIn(text)).toBeUndefined());

  it("is an own object of two numbers in a record, or one of a list", () => {
    for (const [_geoloc, places] of [
      [munich, [munich]],
      [[munich, "1,2", null, { lat: 91, lng: 0 }, { lat: 1 }], [munich]],
      [null, []],
    ] as const)
      expect(placesOf({ _geoloc })).toEqual(places);
    expect([placesOf({}), placesOf({ "_geoloc.lat": 1, "_geoloc.lng": 2 })]).toEqual([[], []]);
    const complaint = placesComplaint({ _geoloc: [munich, { ...munich, lat: "1" }] });
    expect(complaint).toMatch(/^_geoloc\[1\] is not a place; expected/);
    for (const record of [{ _geoloc: [munich] }, {}, { _geoloc: null }])
      expect(placesComplaint(record)).toBeUndefined();
  });
});

property("an area holds what it holds by hand", 50, (random) => {
  const some = (low: number, high: number): number => random.pick([low, high, 0, low + (high - low) * random.next()]);
  const center = { lat: some(-90, 90), lng: some(-180, 180) };
  const radius = random.pick([0, 1, 1e4, 1e6, 2e7, 3e7]) * random.next();
  const [lat1, west, lat2, east] = [some(-90, 90), some(-180, 180), some(-90, 90), some(-180, 180)];
  const isNear = testOf({ center, radius });
  const isInside = testOf({ boxes: [{ south: Math.min(lat1, lat2), north: Math.max(lat1, lat2), west, east }] });
  for (let tries = 0; tries < 100; tries++) {
    const spread = random.pick([180, 1, 1e-4]);
    const place = {
      lat: Math.max(-90, Math.min(90, center.lat + spread * (random.next() - 0.5))),
      lng: Math.max(-180, Math.min(180, center.lng + spread * (random.next() - 0.5))),
    };
    expect(isNear(place.lat, place.lng)).toBe(metres(place, center) <= radius);
    expect(isInside(place.lat, place.lng)).toBe(isInBox(place, [lat1, west, lat2, east]));
  }
  expect([isNear(Number.NaN, Number.NaN), isInside(Number.NaN, Number.NaN)]).toEqual([false, false]);
});
