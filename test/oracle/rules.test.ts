// Rules of a shop, in all their parts, against the naive twin.

import type { JsonRecord } from "../../src/index.js";
import { property, type Random } from "../support/random.js";
import { randomShop, type Shop } from "../support/random-shop.js";
import { idOf } from "./build-index.js";
import { ATTRIBUTES, heldAttributes, randomAttributes, randomClicks, randomSort } from "./random-attributes.js";
import { randomBoosts } from "./random-boosts.js";
import { randomFilter } from "./random-filters.js";
import { randomRules, ruleParams } from "./random-rules.js";
import { wordsParams } from "./random-words.js";
import { expectSameShop } from "./same-answer.js";

function ruledShop(random: Random): Shop {
  const shop = randomShop(random, {
    settings: {
      attributeForDistinct: random.pick(["group", "brand"]),
      ...(random.chance(0.3) ? { boosts: randomBoosts(random, ATTRIBUTES) } : {}),
    },
    attributes: () => randomAttributes(random),
    params: (records) => paramsOf(random, heldAttributes(records), records),
  });
  const rules = randomRules(random, shop.records.map(idOf), ATTRIBUTES);
  return { ...shop, settings: { ...shop.settings, rules }, naive: { ...shop.naive, rules } };
}

function paramsOf(
  random: Random,
  held: readonly string[],
  records: readonly JsonRecord[],
): Partial<Shop["queries"][0]> {
  const filter = held.length > 0 ? randomFilter(random, held, 1) : undefined;
  return {
    ...(random.chance(0.2) ? { query: "" } : {}),
    ...(random.chance(0.4) ? wordsParams(random, records.length > 0 ? ["id", ...held] : ["id"]) : {}),
    ...ruleParams(random),
    ...(filter !== undefined && random.chance(0.4) ? { filters: filter.text } : {}),
    ...(held.length > 0 && random.chance(0.3) ? { facetFilters: randomClicks(random, held) } : {}),
    ...(random.chance(0.4) ? { facets: random.some(held, 0.3) } : {}),
    ...(random.chance(0.2) ? { relevancyStrictness: random.pick([20, 60]) } : {}),
    ...(random.chance(0.2) ? { minScore: random.pick([0.2, 0.6]) } : {}),
    ...(random.chance(0.2) ? { sort: randomSort(random, held) } : {}),
    ...(random.chance(0.3) ? { distinct: random.pick([true, true, false, 2, 3]) } : {}),
  };
}

property("promote, hide and change as the naive engine does", 40, async (random) => {
  const shop = ruledShop(random);
  await expectSameShop(shop, random, [60, random.between(2, 20)]);
});
