// Sorting, custom ranking, grouping and what hits show, against the naive twin.

import { property, type Random } from "../support/random.js";
import { randomShop, type Shop } from "../support/random-shop.js";
import { ATTRIBUTES, heldAttributes, randomAttributes, randomClicks, randomSort } from "./random-attributes.js";
import { randomBoosts, randomOptionalFilters } from "./random-boosts.js";
import { randomBinding } from "./random-filters.js";
import { expectSameShop } from "./same-answer.js";

const SHOWN = ["*", "id", "title", "brand", "colors", "category", "category.main", "category.sub", "specs.inner.note"];

function orderedShop(random: Random): Shop {
  const ranking = random.list(0, 3, () => `${random.pick(["asc", "desc"])}(${random.pick(ATTRIBUTES)})`);
  return randomShop(random, {
    settings: {
      ...(random.chance(0.6) ? { customRanking: ranking } : {}),
      attributeForDistinct: random.pick(["group", "brand", "colors", "mixed", "category.main"]),
      ...(random.chance(0.3) ? { distinct: true } : {}),
      ...(random.chance(0.3) ? { boosts: randomBoosts(random, ATTRIBUTES) } : {}),
    },
    attributes: () => randomAttributes(random),
    params: (records) => {
      const held = heldAttributes(records);
      const shown = random.some([...SHOWN, "-brand", "-category.main", "-specs"], 0.3);
      return {
        ...(random.chance(0.4) ? { query: "" } : {}),
        ...(random.chance(0.3) ? { matching: "any" as const } : {}),
        ...(random.chance(0.5) ? { boosts: randomBoosts(random, held) } : {}),
        ...(random.chance(0.2) ? { optionalFilters: randomOptionalFilters(random, held) } : {}),
        ...(random.chance(0.3) ? { relevancyStrictness: random.pick([20, 60]) } : {}),
        ...(random.chance(0.3) ? { minScore: random.pick([0.000001, 0.2, 0.4, 0.6, 1]) } : {}),
        ...(random.chance(0.5) ? { sort: randomSort(random, held) } : {}),
        ...(held.length > 0 && random.chance(0.4) ? { filters: randomBinding(random, held).text } : {}),
        ...(random.chance(0.5) ? { distinct: random.chance(0.7) } : {}),
        ...(held.length > 0 && random.chance(0.3) ? { facetFilters: randomClicks(random, held) } : {}),
        ...(random.chance(0.5) ? { attributesToRetrieve: shown } : {}),
      };
    },
  });
}

property("boosts, orders, groups and shows as the naive engine does", 18, async (random) => {
  const shop = orderedShop(random);
  await expectSameShop(shop, random, [60, random.between(2, 20), ...(random.chance(0.3) ? [1] : [])]);
});
