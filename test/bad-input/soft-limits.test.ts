// Limits that clamp or cut instead of refusing, each at n and at n + 1; defaults above a lowered limit; and limits that are
// none.

import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, SearchEngine } from "../../src/index.js";
import { expectRefusal } from "./message-rules.js";
import { anything, idsOf, World } from "./world.js";

const WORDS = ["amber", "birch", "cedar", "delta"];

describe("queryTerms", () => {
  it.each([3, 4])("%i distinct terms are searched, the rest is not", async (queryTerms) => {
    const world = await World.bare({ limits: { queryTerms } });
    await world.add(WORDS.map((title, id) => ({ id, title })));
    const query = `amber amber ${WORDS.join(" ")}`;
    const seen = await world.ask({ query, matching: "any" });
    expect(idsOf(seen).sort()).toEqual(["0", "1", "2", "3"].slice(0, queryTerms));
    expect(seen.query).toBe(query);
  });
});

describe("hitsPerPage", () => {
  it.each([
    [2, 2],
    [3, 3],
    [4, 3],
    [undefined, 3],
  ])("%s is %i where 3 are the most", async (hitsPerPage, shown) => {
    const world = await World.bare({ limits: { hitsPerPage: 3 } });
    await world.add(WORDS.map((title, id) => ({ id, title })));
    const seen = await world.ask({ query: "", hitsPerPage });
    expect([seen.hitsPerPage, seen.hits.length, seen.nbHits]).toEqual([shown, shown, 4]);
  });
});

describe.each([
  ["fieldCharacters", 11, "amber birch", "amber birchcedar"],
  ["fieldCharacters", 11, "amber birch", "amber birch cedar"],
  ["fieldCharacters", 11, ["amber", "birch."], ["amber", "birch.", "cedar"]],
  ["fieldTokens", 2, "amber birch", "amber birch cedar"],
  ["fieldTokens", 2, ["amber", "birch"], ["amber", "birch", "cedar"]],
] as const)("%s of %i", (name, limit, at, over) => {
  const open = async (title: unknown): Promise<World> => {
    const world = await World.bare({ limits: { [name]: limit } });
    await world.add([{ id: 1, title }]);
    expect(await world.get([1])).toEqual([{ id: 1, title }]);
    return world;
  };

  it("searches all of what is within, without a warning", async () => {
    const world = await open(at);
    expect(await world.found("amber birch")).toEqual(["1"]);
    expect(world.warnings).toEqual([]);
  });

  it("searches the beginning of what is over, with one warning", async () => {
    const world = await open(over);
    expect(await world.found("amber birch")).toEqual(["1"]);
    expect(await world.found("cedar")).toEqual([]);
    expect(world.warnings).toMatchObject([{ code: "field_truncated", param: "title" }]);
  });
});

it("a default above a lowered limit is lowered too", async () => {
  const world = await World.bare({ limits: { semanticDepth: 7 } });
  const { effective } = await world.engine.getSettings("shop");
  expect(effective.semanticDepth).toBeLessThanOrEqual(7);
});

it("a limit can be raised", async () => {
  const world = await World.bare({ limits: { recordBytes: 200_000, queryBytes: 10_000 } });
  expect(await world.add([{ id: 1, title: "x".repeat(150_000) }])).toEqual({ added: 1, replaced: 0 });
  expect(await world.ask({ query: "x".repeat(10_000) })).toMatchObject({ page: 1 });
});

it("the default limits are frozen, and what a caller does with its own has no effect", async () => {
  expect(Object.isFrozen(DEFAULT_LIMITS)).toBe(true);
  const limits = { queryBytes: 4 };
  const world = await World.bare({ limits });
  limits.queryBytes = 100;
  await expect(world.ask({ query: "abcde" })).rejects.toMatchObject({ error: "query_too_long" });
});

describe("facetValues", () => {
  it.each([
    [2, 2],
    [3, 3],
    [4, 3],
    [undefined, 3],
  ])("%s values of a facet are %i where 3 are the most", async (most, shown) => {
    const world = await World.bare({ limits: { facetValues: 3 } });
    await world.add(WORDS.map((title, id) => ({ id, title })));
    const { facets } = await world.ask({ query: "", facets: ["title"], maxValuesPerFacet: most });
    expect(facets?.title).toHaveLength(shown);
    const found = await world.call("searchForFacetValues", "shop", { facetName: "title", maxFacetHits: most });
    expect(found).toMatchObject({ facetHits: { length: shown } });
  });

  it("do not limit how many facets are asked for", async () => {
    const world = await World.bare({ limits: { facetValues: 2 } });
    await world.add([{ id: 1, a: 1, b: 1, c: 1 }]);
    const { facets } = await world.ask({ query: "", facets: ["a", "b", "c"] });
    expect(Object.keys(facets ?? {})).toEqual(["a", "b", "c"]);
  });
});

function throwing(): never {
  throw new Error("from the getter");
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const BAD_LIMITS: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["a number", 5],
  ["a text", "page"],
  ["an array", []],
  ["a function", () => ({})],
  ["an unknown name", { queryByte: 5 }],
  ["an own key __proto__", JSON.parse('{"__proto__":5}')],
  ["constructor", { constructor: 5 }],
  ["a getter that throws", Object.defineProperty({}, "page", { get: throwing, enumerable: true })],
  ["a revoked Proxy", revoked()],
  ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "5", null, true, 5n, [5], {}].map(
    (page) => [`page ${String(page)}`, { page }] as const,
  ),
];

it.each(BAD_LIMITS)("limits that are none: %s", (_what, limits) => {
  let thrown: unknown;
  try {
    new SearchEngine({ limits: anything(limits) });
  } catch (error) {
    thrown = error;
  }
  expectRefusal(thrown, { code: 400, error: "invalid_option", param: "limits" });
});
