// Which prices have which amounts: rounding decides, for each number beside the middle between two amounts.

import { expect, it } from "vitest";
import { amountOf, GREATEST_AMOUNT, moneyOf, pricesBetween, printedAmount } from "../../src/tools/prices.js";
import { property } from "../support/random.js";

property("a price lies between the bounds where its amount does", 400, (random) => {
  const money = moneyOf(random.pick(["EUR", "JPY", "KWD", "CLF"]), random.chance(0.2));
  const amount = () => random.between(0, 10 ** random.between(1, 15));
  const [min, max] = [amount(), amount()].sort((a, b) => a - b) as [number, number];
  const [low, high] = pricesBetween(min, max, money);
  for (const middle of [min - 0.5, min + 0.5, max - 0.5, max + 0.5].map((each) => each / money.factor))
    for (let step = -5; step <= 5; step++) {
      const price = Math.max(0, middle * (1 + step * Number.EPSILON));
      const rounded = amountOf(price, money)!;
      expect(price >= low && price <= high, `${price} from ${min} to ${max}`).toBe(rounded >= min && rounded <= max);
    }
});

it("knows the digits of currencies, and what is no price", () => {
  const printed = (amount: number, currency: string) => printedAmount(amount, moneyOf(currency, false));
  const all = [printed(1999, "EUR"), printed(5, "USD"), printed(1250, "JPY"), printed(1250, "KWD"), printed(7, "CLF")];
  expect(all).toEqual(["19.99 EUR", "0.05 USD", "1250 JPY", "1.250 KWD", "0.0007 CLF"]);
  const prices = [19.994, 0, -0.1, Number.NaN, 1e300, "5", null, undefined, GREATEST_AMOUNT];
  const amounts = [1999, 0, ...Array.from({ length: 7 })];
  expect(prices.map((price) => amountOf(price, moneyOf("EUR", false)))).toEqual(amounts);
});
