// Records like others, against the naive twin, which compares the terms of all records.

import type { EncodedParams, SearchParams, SimilarTo } from "../../src/index.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { property, type Random } from "../support/random.js";
import { randomShop, type Shop } from "../support/random-shop.js";
import { idOf, withShop } from "./build-index.js";
import { ATTRIBUTES, heldAttributes, randomAttributes, randomClicks, randomSort } from "./random-attributes.js";
import { randomBoosts, randomOptionalFilters } from "./random-boosts.js";
import { randomFilter } from "./random-filters.js";
import { fieldsOf, wordsText } from "./random-words.js";
import { expectAnswer } from "./same-answer.js";

function similarShop(random: Random): Shop {
  const hasWords = random.chance(0.3);
  return randomShop(random, {
    settings: {
      ...(random.chance(0.7) ? { attributeForDistinct: random.pick(["group", "brand", "colors", "mixed"]) } : {}),
      ...(random.chance(0.3) ? { customRanking: [`desc(${random.pick(ATTRIBUTES)})`] } : {}),
      ...(random.chance(0.3) ? { boosts: randomBoosts(random, ATTRIBUTES) } : {}),
    },
    attributes: () => ({ ...randomAttributes(random), ...(hasWords ? { note: wordsText(random) } : {}) }),
    params: (records) => {
      const held = heldAttributes(records);
      return {
        ...(random.chance(0.3) ? { boosts: randomBoosts(random, held) } : {}),
        ...(random.chance(0.2) ? { optionalFilters: randomOptionalFilters(random, held) } : {}),
        ...(random.chance(0.2) ? { minScore: random.pick([0.000001, 0.2, 0.4]) } : {}),
        ...(random.chance(0.2) ? { sort: randomSort(random, held) } : {}),
        ...(random.chance(0.2) ? { restrictSearchableAttributes: random.some(fieldsOf(records), 0.5) } : {}),
        ...(held.length > 0 && random.chance(0.3) ? { filters: randomFilter(random, held, 2).text } : {}),
        ...(held.length > 0 && random.chance(0.3) ? { facetFilters: randomClicks(random, held) } : {}),
        ...(held.length > 0 && random.chance(0.3) ? { facets: random.some(held, 0.3).slice(0, 20) } : {}),
      };
    },
  });
}

function randomNamed(random: Random, shop: Shop): SimilarTo {
  const some = (low: number): (string | number)[] => random.list(low, 3, () => idOf(random.pick(shop.records)));
  return random.pick<() => SimilarTo>([
    () => some(1)[0]!,
    () => some(1),
    () => ({ like: some(1), unlike: some(0) }),
    () => ({ like: some(1), unlike: some(1) }),
  ])();
}

property("finds records like others as the naive engine does", 20, async (random) => {
  const shop = similarShop(random);
  if (shop.records.length === 0) return;
  const naive = new NaiveEngine(shop.naive, shop.records);
  const asked = shop.queries.slice(0, 6).map((params) => {
    const isGrouped = shop.naive.attributeForDistinct !== undefined && random.chance(0.5);
    const of = randomNamed(random, shop);
    return {
      of,
      params: { ...params, query: "", ...(isGrouped ? { distinct: random.pick([true, false, 0, 3]) } : {}) },
    };
  });
  for (const most of [60, random.between(2, 20)])
    await withShop(shop, random, most, async (index) => {
      for (const { of, params } of asked) {
        const answers = { query: (one: SearchParams | EncodedParams) => index.similar(of, one) };
        await expectAnswer(answers, naive.similar(of, params), params, random);
      }
    });
});
