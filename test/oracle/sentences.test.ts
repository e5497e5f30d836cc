// Sentences that are understood, with all that stands beside them in a query, against the naive twin.

import { fuzzShop, goodParams } from "../lives/shop.js";
import { NaiveEngine } from "../support/naive-engine.js";
import { property } from "../support/random.js";
import { idOf, withShop } from "./build-index.js";
import { ATTRIBUTES } from "./random-attributes.js";
import { randomRules } from "./random-rules.js";
import { intentOf, sentenceParams } from "./random-sentences.js";
import { expectAnswer } from "./same-answer.js";

const CONDITIONS = [{ context: "natural_language" }];
const SENTENCE = { id: "sentence", conditions: CONDITIONS, consequence: { userData: "a sentence" } };

property("are answered as the naive engine does by what was understood", 40, async (random) => {
  const of = fuzzShop(random, true);
  const more = [...Array(random.between(20, 40)).keys()].map((i) => of.shop.other(`more-${i}`));
  const records = [...of.shop.records, ...more];
  const rules = random.chance(0.4) ? [...randomRules(random, records.map(idOf), ATTRIBUTES), SENTENCE] : [];
  const shop = { ...of.shop, records, settings: { ...of.shop.settings, rules } };
  const naive = new NaiveEngine({ ...of.shop.naive, rules }, records);
  await withShop(shop, random, random.pick([4, 60]), async (index) => {
    for (let queries = 0; queries < 12; queries++) {
      const { page: _page, hitsPerPage: _hits, ...others } = goodParams(random, of, ATTRIBUTES);
      const params = sentenceParams(random, others);
      const intent = await intentOf((asked) => index.query(asked), params);
      await expectAnswer(index, naive.query(params, undefined, intent), params, random);
    }
  });
});
