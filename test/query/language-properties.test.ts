import { checkQuery } from "../support/check-query.js";
import { plainShop } from "../support/plain-shop.js";
import { property } from "../support/random.js";
import { randomRecords, randomRequest, SINGLE } from "../support/random-values.js";

property("what always holds does for any request to a shop in two segments", 150, async (random) => {
  const records = randomRecords(random, 40);
  const settings = {
    attributesForFaceting: [...SINGLE, "colors", "kind"],
    attributeForDistinct: "brand",
    distinct: random.chance(0.3),
  };
  const { index } = await plainShop(settings, records.slice(0, 15), records.slice(10));
  await checkQuery(index, randomRequest(random));
});
