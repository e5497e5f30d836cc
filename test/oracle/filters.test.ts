// Filters against the naive twin, which compares every value of every record: as a text and as the equal object, in front of
// both legs, however the records came in.

import { expect } from "vitest";
import type { FilterObject, SearchParams } from "../../src/index.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { property } from "../support/random.js";
import { randomShop } from "../support/random-shop.js";
import { withShop } from "./build-index.js";
import { ATTRIBUTES, heldAttributes, randomArea, randomAttributes } from "./random-attributes.js";
import { randomFilter } from "./random-filters.js";
import { expectSameShop } from "./same-answer.js";

property("filters records as the naive engine does, before both legs", 16, async (random) => {
  const shop = randomShop(random, {
    attributes: () => randomAttributes(random),
    params: (records) => {
      const held = heldAttributes(records);
      if (held.length === 0 || random.chance(0.1)) return {};
      const { text, object } = randomFilter(random, held, random.between(0, 3));
      const area = random.chance(0.3) ? randomArea(random) : {};
      return { filters: random.chance(0.5) ? text : (object as FilterObject), ...area };
    },
  });
  await expectSameShop(shop, random, [60, random.between(2, 20), ...(random.chance(0.3) ? [1] : [])]);
});

property("means the same by a text, by an object and by a plain function", 12, async (random) => {
  const shop = randomShop(random, {
    settings: { attributesForFaceting: ATTRIBUTES },
    attributes: () => randomAttributes(random),
  });
  const naive = new NaiveEngine(shop.naive, shop.records);
  await withShop(shop, random, random.between(1, 60), async (index) => {
    const find = async (filters: SearchParams["filters"]): Promise<string[]> => {
      const { data } = await index.query({ query: "", filters, hitsPerPage: 1000 });
      return data.hits.map(({ id }) => id);
    };
    for (const { text, object, passes } of random.list(20, 40, () => randomFilter(random, ATTRIBUTES, 4))) {
      const expected = shop.records.filter(passes).map(({ id }) => String(id));
      const byRanking = naive.query({ query: "", filters: text }).hits.map(({ id }) => id);
      expect([...byRanking].sort(), text).toEqual(expected.sort());
      expect(await find(text), text).toEqual(byRanking);
      expect(await find(object as FilterObject), JSON.stringify(object)).toEqual(byRanking);
    }
  });
});
