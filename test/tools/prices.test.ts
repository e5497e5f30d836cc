// Which prices have which amounts: rounding decides, for each number beside the middle between two amounts.

import { expect, it } from "vitest";
import { amountOf, GREATEST_AMOUNT, pricesBetween, printedPrice } from "../../src/tools/prices.js";
import { property } from "../support/random.js";

property("a price lies between the bounds where its amount does", 400, (random) => {
  const factor = 10 ** random.pick([0, 2, 3, 4]);
  const amount = () => random.between(0, 10 ** random.between(1, 15));
  const [min, max] = [amount(), amount()].sort((a, b) => a - b) as [number, number];
  const [low, high] = pricesBetween(min, max, factor);
  for (const middle of [min - 0.5, min + 0.5, max - 0.5, max + 0.5].map((each) => each / factor))
    for (let step = -5; step <= 5; step++) {
      const price = Math.max(0, middle * (1 + step * Number.EPSILON));
      const rounded = amountOf(price, factor)!;
      expect(price >= low && price <= high, `${price} from ${min} to ${max}`).toBe(rounded >= min && rounded <= max);
    }
});

it("knows the digits of currencies, and what is no price", () => {
  const prices = Object.entries({ EUR: 1999, USD: 5, JPY: 1250, KWD: 1250, CLF: 7 });
  expect(prices.map(([currency, amount]) => printedPrice({ amount, currency }))).toEqual([
    "19.99 EUR",
    "0.05 USD",
    "1250 JPY",
    "1.250 KWD",
    "0.0007 CLF",
  ]);
  const numbers = [19.994, 0, -0.1, Number.NaN, 1e300, "5", null, undefined, GREATEST_AMOUNT];
  const amounts = [1999, 0, ...Array.from({ length: 7 })];
  expect(numbers.map((price) => amountOf(price, 100))).toEqual(amounts);
});
