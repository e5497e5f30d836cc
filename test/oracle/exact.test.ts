// The engine against its naive twin: however the records came in, every id, score, count and page is the twin's.

import { property } from "../support/random.js";
import { randomShop } from "../support/random-shop.js";
import { expectSameShop } from "./same-answer.js";

property("answers as the naive engine does, however the records came in", 60, async (random) => {
  const shop = randomShop(random);
  const all = shop.records.length * 2 + 30;
  await expectSameShop(shop, random, [all, 12, random.between(2, 40)]);
});

property("answers as the naive engine does when every record comes alone", 30, async (random) => {
  await expectSameShop(randomShop(random), random, [1]);
});
