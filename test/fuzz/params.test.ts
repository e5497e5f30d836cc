// Any string as `params`: refused as the same parameters are refused as an object, or answered as they are answered.

import { expect, it } from "vitest";
import { SearchEngine, SearchError } from "../../src/index.js";
import { expectCleanPrototypes } from "../bad-input/message-rules.js";
import { anything } from "../bad-input/world.js";
import { property } from "../support/random.js";
import { scaled } from "../support/size.js";
import { paramsText, readEncoded } from "./params-texts.js";

const RUNS = 13_000;
const BRANDS = ["Forge", "Volt", "Hem"];
const COLORS = ["red", "blue", "black"];
const THINGS = ["drill", "kettle", "lamp", "cordless drill"];
const engine = new SearchEngine({ onWarning: () => {} });
const index = await engine.createIndex("shop", {
  vectorAttribute: "vector",
  dimensions: 2,
  attributeForDistinct: "brand",
});
await index.addRecords(
  Array.from({ length: 24 }, (_, i) => ({
    id: `p${i}`,
    title: `${COLORS[i % 3]} ${THINGS[i % 4]}`,
    brand: BRANDS[(i * 7) % 3]!,
    colors: COLORS.slice(i % 3),
    price: (i * 13) % 40,
    _geoloc: i % 4 === 0 ? [] : { lat: (i * 37) % 90, lng: (i * 101) % 180 },
    vector: [Math.cos(i), Math.sin(i)],
  })),
);

/** What a call comes to, besides its times. */
async function outcomeOf(params: unknown): Promise<unknown> {
  try {
    const { data } = await index.query(anything(params));
    const { serverTimeMS: _server, processingTimeMS: _processing, ...seen } = data;
    return seen;
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    expect(error.msg).toMatch(/^[\x20-\x7e…]{1,400}$/);
    const { code, error: name, param } = error;
    return { code, error: name, param };
  }
}

const seen = { answered: 0, refused: 0, "too long": 0 };

/** Strings that chance brings up too seldom. */
const HARD = [
  'query=drill&vector=["1","0"]',
  "query=drill&vector=[1,0]",
  "query=&page=1.0",
  "query=&hitsPerPage=-0",
  "query=&facets=[]&facets=",
  "query=&facets=%5Bbrand",
  'query=&filters={"brand":"Forge","brand":"Volt"}',
  'query=&filters={"__proto__":null}',
  'query=&sort=["price:asc"]&sort=["price:desc"]',
  "query=&sort=_geoPoint(1,2):asc",
  "query=&aroundLatLng=1,2&aroundRadius=9000000&insideBoundingBox=[[0,0,90,180]]",
  "__proto__=1&constructor=2&query=",
  "params=query%3Da",
  "query=&params=query%3Da",
  "?query=drill",
  "query=drill;page=2",
  "query",
  "=drill",
  "",
  "&&&",
];

async function expectAlike(params: string): Promise<void> {
  const asObject = readEncoded(params);
  const outcome = await outcomeOf({ params });
  const says = `params: ${JSON.stringify(params).slice(0, 600)}`;
  if (asObject === "too long") {
    seen["too long"]++;
    expect(outcome, says).toEqual({ code: 400, error: "params_too_long", param: "params" });
  } else {
    expect(outcome, says).toEqual(await outcomeOf(asObject));
    seen[Object.hasOwn(anything<object>(outcome), "nbHits") ? "answered" : "refused"]++;
  }
}

it.each(HARD)("%j answers as the object does that says the same", expectAlike);

property("a string of parameters answers as the object does that says the same", RUNS, async (random) => {
  await expectAlike(paramsText(random));
});

it("these strings are good and bad ones", () => {
  const most = seen.answered + seen.refused + seen["too long"];
  if (most < scaled(RUNS)) return;
  expect(seen.answered).toBeGreaterThan(most / 5);
  expect(seen.refused).toBeGreaterThan(most / 5);
  expect(seen["too long"]).toBeGreaterThan(most / 100);
  expectCleanPrototypes();
});
