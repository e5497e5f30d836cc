// Clicks and counts against the naive twin, and against what they promise: the count beside a value is the number of hits
// with that value clicked.

import { expect } from "vitest";
import type { JsonValue, RangeCount, SearchIndex, SearchParams } from "../../src/index.js";
import { property, type Random } from "../support/random.js";
import { randomShop, type Shop } from "../support/random-shop.js";
import { idOf, withShop } from "./build-index.js";
import {
  ATTRIBUTES,
  clickText,
  heldAttributes,
  randomAttributes,
  randomClicks,
  randomFacetEntries,
  randomNumericFilters,
  randomSort,
  type Scalar,
} from "./random-attributes.js";
import { randomBinding, randomFilter } from "./random-filters.js";
import { randomRules } from "./random-rules.js";
import { expectSameShop } from "./same-answer.js";

/** The attributes, some of them in other words that mean the same. */
const DECLARED = ATTRIBUTES.map(
  (name, i) => [name, `searchable(${name})`, `afterDistinct(searchable(${name}))`][i % 3]!,
);

function clickedShop(random: Random): Shop {
  const declared = random.chance(0.5);
  return randomShop(random, {
    settings: {
      ...(declared ? { attributesForFaceting: DECLARED } : {}),
      attributeForDistinct: random.pick(["group", "brand", "mixed"]),
      ...(random.chance(0.2) ? { distinct: true } : {}),
    },
    attributes: () => randomAttributes(random),
    params: (records) => {
      const held = declared ? ATTRIBUTES : heldAttributes(records);
      if (held.length === 0) return {};
      // With long texts, what "*" stands for depends on the records that were there before.
      const isClear = declared || !records.some((record) => Object.values(record).some(isLong));
      const star = isClear ? ["*"] : [];
      const params = {
        ...(random.chance(0.4) ? { query: "" } : {}),
        facets: random.chance(0.3) ? randomPatterns(random, held, star) : random.some(held, 0.6),
        ...(random.chance(0.7) ? { facetFilters: randomClicks(random, held) } : {}),
        ...(random.chance(0.3) ? { filters: randomFilter(random, held, 1).text } : {}),
        ...(random.chance(0.5) ? { filters: randomBinding(random, held).text } : {}),
        ...(random.chance(0.2) ? { sort: randomSort(random, held) } : {}),
        ...(random.chance(0.4) ? { distinct: random.chance(0.7) } : {}),
        ...(random.chance(0.2) ? { maxValuesPerFacet: random.between(0, 3) } : {}),
        ...(random.chance(0.4) ? { numericFilters: randomNumericFilters(random, held) } : {}),
      };
      return { ...params, facets: randomFacetEntries(random, params.facets) };
    },
  });
}

function isLong(value: JsonValue): boolean {
  return typeof value === "string" && value.length > 128;
}

/** "*" or what is within an attribute, perhaps beside names. */
function randomPatterns(random: Random, held: readonly string[], star: readonly string[]): string[] {
  const within = held.flatMap((name) => (name.includes(".") ? [`${name.slice(0, name.lastIndexOf("."))}.*`] : []));
  return [
    ...random.some(held, 0.1),
    random.pick([...star, ...within, ...(star.length + within.length === 0 ? held : [])]),
    ...random.some([...new Set(within)], 0.3),
  ];
}

property("counts and clicks as the naive engine does", 16, async (random) => {
  const shop = clickedShop(random);
  await expectSameShop(shop, random, [60, random.between(2, 20), ...(random.chance(0.3) ? [1] : [])]);
});

/** The choices of numbers that are not all about this attribute. */
function withoutOwn(given: SearchParams["numericFilters"] = [], attribute: string): SearchParams["numericFilters"] {
  const isOwn = (text: string): boolean => text.split(/[<>=!:]/, 1)[0]!.trim() === attribute;
  return given.filter((entry) => ![entry].flat().every(isOwn));
}

/** The same query without what was chosen of an attribute, but for what must hold beside any other choice. */
function withoutChoice(given: SearchParams, attribute: string): SearchParams {
  const { facetFilters = {}, numericFilters } = given;
  const isOwn = (group: string | readonly string[]): boolean =>
    typeof group !== "string" && group[0]?.startsWith(`${attribute}:`) === true;
  const others = Object.fromEntries(Object.entries(facetFilters).filter(([name]) => name !== attribute));
  return {
    ...given,
    facetFilters: Array.isArray(facetFilters) ? facetFilters.filter((group) => !isOwn(group)) : others,
    numericFilters: withoutOwn(numericFilters, attribute),
  };
}

/** The same query with this value as the only choice of its groups, or as one more. */
function clickOn(given: SearchParams, attribute: string, value: Scalar): SearchParams {
  const params = withoutChoice(given, attribute);
  const { facetFilters } = params;
  const chosen = Array.isArray(facetFilters)
    ? [...facetFilters, [clickText(attribute, value)]]
    : { ...facetFilters, [attribute]: [value] };
  return { ...params, facetFilters: chosen };
}

/** The same query with this range as the only choice of its attribute; undefined: no choice means that. */
function chooseRange(
  given: SearchParams,
  attribute: string,
  entry: RangeCount,
  isLast: boolean,
): SearchParams | undefined {
  const { from, to } = entry;
  if (from === null && to === null) return undefined;
  const params = withoutChoice(given, attribute);
  const low = from === null ? [] : [`${attribute}>=${from}`];
  const high = to === null ? [] : [`${attribute}${isLast ? "<=" : "<"}${to}`];
  return { ...params, numericFilters: [...(params.numericFilters ?? []), ...low, ...high] };
}

async function expectTrueCounts(index: SearchIndex, params: SearchParams): Promise<void> {
  // All values, so that none is told whose twin is not.
  const facets = params.facets?.map((entry) =>
    typeof entry !== "string" && "limit" in entry ? { ...entry, limit: 1000 } : entry,
  );
  const { data } = await index.query({ ...params, facets, hitsPerPage: 0, maxValuesPerFacet: 1000 });
  const isHistogram = (attribute: string): boolean =>
    params.facets?.some((one) => typeof one !== "string" && "histogram" in one && one.attribute === attribute) === true;
  for (const [attribute, counts] of Object.entries(data.facets ?? {}))
    for (const entry of counts) {
      if ("from" in entry) {
        const asked = { ...params, facets: [], hitsPerPage: 0 };
        const chosen = chooseRange(asked, attribute, entry, isHistogram(attribute) && entry === counts.at(-1));
        if (chosen !== undefined)
          expect((await index.query(chosen)).data.nbHits, JSON.stringify(chosen)).toBe(entry.count);
        continue;
      }
      const { value, count } = entry;
      // A click's text stands for all values that print like it.
      const twins = counts.filter((other) => String(other.value) === String(value));
      if (Array.isArray(params.facetFilters) && twins.length > 1) continue;
      const clicked = clickOn({ ...params, facets: [], hitsPerPage: 0 }, attribute, value);
      const answer = await index.query(clicked);
      expect(answer.data.nbHits, JSON.stringify(clicked)).toBe(count);
    }
}

/** A shop with rules that hold whatever is chosen, and with scores that leave records out. */
function ruledShop(random: Random): Shop {
  const shop = clickedShop(random);
  const withoutChoices = randomRules(random, shop.records.map(idOf), ATTRIBUTES).map((rule) => {
    const conditions = rule.conditions?.map(({ filters: _, ...condition }) => condition);
    return conditions === undefined ? rule : { ...rule, conditions };
  });
  const queries = shop.queries.map((params) => ({
    ...params,
    ...(random.chance(0.3) ? { minScore: random.pick([0.2, 0.5, 0.8]) } : {}),
    ...(random.chance(0.3) ? { relevancyStrictness: random.pick([20, 60, 90]) } : {}),
  }));
  return { ...shop, queries, settings: { ...shop.settings, rules: withoutChoices } };
}

property("promises by each count what the click on it keeps", 60, async (random) => {
  const shop = random.chance(0.5) ? clickedShop(random) : ruledShop(random);
  await withShop(shop, random, random.between(1, 60), async (index) => {
    for (const params of shop.queries) await expectTrueCounts(index, params);
  });
});
