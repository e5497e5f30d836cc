// Typing errors, completion, split and joined words, synonyms, optional and stop words, quantities, phrases: against the naive
// twin, which compares with every word of every living record.

import { property } from "../support/random.js";
import { randomShop } from "../support/random-shop.js";
import { randomAttributes } from "./random-attributes.js";
import { fieldsOf, wordsParams, wordsSettings, wordsText } from "./random-words.js";
import { expectSameShop } from "./same-answer.js";

property("reads, completes and mends words as the naive engine does", 30, async (random) => {
  const shop = randomShop(random, {
    settings: wordsSettings(random),
    attributes: () => ({
      ...(random.chance(0.2) ? randomAttributes(random) : {}),
      ...(random.chance(0.8) ? { note: wordsText(random) } : {}),
      ...(random.chance(0.4) ? { title: wordsText(random) } : {}),
    }),
    params: (records) => wordsParams(random, fieldsOf(records)),
  });
  await expectSameShop(shop, random, [60, random.between(2, 20), ...(random.chance(0.3) ? [1] : [])]);
});
