// Small shops of values and random requests over them: for properties of filters, facets and parameters.

import type { JsonRecord, SearchParams } from "../../src/index.js";
import type { Random } from "./random.js";

const BRANDS = ["Forge", "Volt", "Black & Decker", "AND", "-10%", "10", "__proto__", "Émile"];
const COLORS = ["black", "white", "green"];
const WORDS = ["cordless", "drill", "kettle", "glass", "18V", "WH-1000", "the", "men's", "<b>", "1.5 L"];
const CLICKS = [[["brand:Forge", "brand:Volt"], "colors:black"], { brand: ["AND"], price: { lt: 10 } }, ["new:true"]];
/** Attributes that hold one value at most. */
export const SINGLE: readonly string[] = ["brand", "price", "new", "kind.main"];

/** Records with values of every kind; some lack some. */
export function randomRecords(random: Random, most: number): JsonRecord[] {
  return random.list(1, most, (id) => ({
    id,
    title: random.list(1, 5, () => random.pick(WORDS)).join(" "),
    ...(random.chance(0.9) ? { brand: random.pick(BRANDS) } : {}),
    ...(random.chance(0.9) ? { price: random.pick([0, -1, 9.5, 10, 1e9]) } : {}),
    ...(random.chance(0.6) ? { new: random.chance(0.5) } : {}),
    ...(random.chance(0.8) ? { colors: random.some(COLORS, 0.5) } : {}),
    ...(random.chance(0.7) ? { kind: random.pick([{ main: "tools" }, { main: "kitchen", deep: 1 }, null, {}]) } : {}),
  }));
}

export function randomWords(random: Random): string {
  return random.list(0, 3, () => random.pick(WORDS)).join(" ");
}

/** A filter of at most `depth` levels, as text and as the equal object. */
export function randomFilter(random: Random, depth: number): { readonly text: string; readonly object: JsonRecord } {
  if (depth <= 1 || random.chance(0.3)) return randomCondition(random);
  const [a, b] = [randomFilter(random, depth - 1), randomFilter(random, depth - 1)];
  return random.pick([
    { text: `(${a.text} AND ${b.text})`, object: { AND: [a.object, b.object] } },
    { text: `(${a.text} OR ${b.text})`, object: { OR: [a.object, b.object] } },
    { text: `NOT (${a.text})`, object: { NOT: a.object } },
  ]);
}

function randomCondition(random: Random): { readonly text: string; readonly object: JsonRecord } {
  const [brand, color, price] = [random.pick(BRANDS), random.pick(COLORS), random.pick([-1, 0, 9.5, 10])];
  return random.pick([
    { text: `brand:${JSON.stringify(brand)}`, object: { brand: { eq: brand } } },
    { text: `colors:${color}`, object: { colors: { in: [color] } } },
    { text: `price < ${price}`, object: { price: { lt: price } } },
    { text: `price >= ${price}`, object: { price: { gte: price } } },
    { text: "new:true", object: { new: true } },
    { text: 'kind.main:"tools"', object: { "kind.main": ["tools"] } },
  ]);
}

/** A request of form A with any of the parameters, JSON throughout. */
export function randomRequest(random: Random): SearchParams {
  const maybe = <T extends SearchParams[keyof SearchParams]>(name: keyof SearchParams, make: () => T) =>
    random.chance(0.3) ? { [name]: make() } : {};
  const flag = () => random.chance(0.5);
  const filter = randomFilter(random, 3);
  return {
    query: randomWords(random),
    ...maybe("page", () => random.between(1, 3)),
    ...maybe("hitsPerPage", () => random.between(0, 9)),
    ...maybe("filters", () => random.pick([filter.text, filter.object])),
    ...maybe("facetFilters", () => random.pick(CLICKS)),
    ...maybe("facets", () => random.pick([["brand", "colors"], ["*"], []])),
    ...maybe("maxValuesPerFacet", () => random.between(0, 5)),
    ...maybe("sort", () => random.pick([["price:asc" as const], ["brand:desc" as const, "price:asc" as const]])),
    ...maybe("distinct", () => random.pick([true, false, 0, 1, 2, 3])),
    ...maybe("attributesToRetrieve", () => random.pick([["*", "-brand"], ["title", "kind.main"], []])),
    ...maybe("attributesToHighlight", () => random.pick([["title"], ["*"]])),
    ...maybe("attributesToSnippet", () => ["title:2"]),
    ...maybe("highlightPreTag", () => random.pick(["[", "<i a='1'>", "a&b=+"])),
    ...maybe("highlightPostTag", () => "]"),
    ...maybe("snippetEllipsisText", () => random.pick(["...", "", "+&="])),
    ...maybe("restrictSearchableAttributes", () => ["title"]),
    ...maybe("typoTolerance", flag),
    ...maybe("queryType", () => random.pick(["prefixAuto", "prefixLast", "prefixAll", "prefixNone"] as const)),
    ...maybe("optionalWords", () => ["drill", "glass"]),
    ...maybe("advancedSyntax", flag),
    ...maybe("explain", flag),
    ...maybe("semanticWeight", () => random.pick([0, 0.25, 1])),
    ...maybe("semanticFloor", () => random.pick([-1, 0, 0.5])),
    ...maybe("semanticDepth", () => random.between(1, 9)),
    ...maybe("relevancyStrictness", () => random.pick([0, 50, 100])),
    ...maybe("minScore", () => random.pick([0, 0.25, 1])),
    ...maybe("matching", () => random.pick(["auto", "all", "any"] as const)),
  };
}
