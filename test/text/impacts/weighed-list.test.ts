import { expect } from "vitest";
import { HolderList } from "../../../src/text/impacts/holder-list.js";
import { ImpactList } from "../../../src/text/impacts/impact-list.js";
import { rankKinds } from "../../../src/text/impacts/weighed-list.js";
import { property } from "../../support/random.js";

property("ranks are a permutation in which what earns more comes first, but for small differences", 60, (random) => {
  const frequencies = Float64Array.from(
    { length: random.pick([1, 10, 32, 33, 3000]) },
    () => random.next() * random.pick([1, 20]),
  );
  const ranks = rankKinds(frequencies, frequencies.length).slice(0, frequencies.length);
  expect([...ranks].sort((a, b) => a - b)).toEqual([...ranks.keys()]);
  const ordered = new Float64Array(ranks.length);
  for (const [kind, rank] of ranks.entries()) ordered[rank] = frequencies[kind]! / (1 + frequencies[kind]!);
  for (let rank = 1; rank < ordered.length; rank++) expect(ordered[rank]! - ordered[rank - 1]!).toBeLessThan(2 / 1024);
});

property("no kind that reaches a score is passed over, in whatever order kinds stand", 60, (random) => {
  const size = random.pick([1, 15, 16, 17, 400]);
  const frequencies = Float64Array.from({ length: size }, () => random.next() * 9 + 1e-6);
  const holders = new HolderList(Uint16Array.from(frequencies.keys()));
  const kinds = Uint16Array.from(frequencies.keys());
  const list = new ImpactList({ holders, kinds, frequencies }, 1.2);
  const least = random.next() * 5;
  const reaching = list.kindsReaching(least, 2);
  for (let kind = reaching; kind < size; kind++) expect(2 * list.impacts[kind]!).toBeLessThan(least);
  const impacts = [...list.impacts].sort((a, b) => b - a);
  for (const [i, best] of list.best.entries()) expect(best).toBeLessThanOrEqual(impacts[i]!);
});
