import { expect } from "vitest";
import { ImpactList } from "../../../src/text/impacts/impact-list.js";
import { property, type Random } from "../../support/random.js";
import { weighedList } from "../../support/weighed-list.js";

/** Holders of some frequencies, `kinds` different ones at most. */
function randomList(random: Random, kinds: number): ImpactList {
  const docs = Uint16Array.from({ length: random.between(1, 3000) }, (_, doc) => doc);
  return new ImpactList(
    weighedList(
      docs,
      Float64Array.from(docs, () => random.between(1, kinds) / 3),
    ),
    1.2,
  );
}

const reaching = (list: ImpactList, least: number, idf: number): number =>
  [...list.holders.docs].filter((doc) => idf * list.impactOf(doc) >= least).length;

property("a list of few kinds knows how many holders reach a score", 40, (random) => {
  const list = randomList(random, 9);
  for (const least of [0, list.least, 1.5 * list.least, list.most, 2 * list.most])
    expect(list.countReaching(least * 3, 3)).toBe(reaching(list, least * 3, 3));
});

property("a list of many kinds knows it about, and no less than that", 40, (random) => {
  const list = randomList(random, 400);
  const least = list.impactOf(random.between(0, list.size - 1));
  expect(list.countReaching(least, 1)).toBeGreaterThanOrEqual(reaching(list, least, 1));
  expect(list.countReaching(least, 1)).toBeLessThanOrEqual(list.size);
});
