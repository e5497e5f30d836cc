import { expect } from "vitest";
import { refinedIn } from "../../src/query/facets/count-facets.js";
import { DocSet } from "../../src/util/doc-set.js";
import { property } from "../support/random.js";

property("matches of each segment, by the refinements that apply to a facet", 60, (random) => {
  const sizes = random.list(1, 4, () => random.pick([1, 31, 32, 70, 200]));
  const span = sizes.reduce((sum, size) => sum + size, 0);
  const draw = (): number[] => random.some([...Array(span).keys()], random.pick([0.1, 0.8, 1]));
  const setOf = (docs: readonly number[]): DocSet => new DocSet(span).addAll(docs);
  const matches = draw();
  const refined = random.list(0, 4, draw);
  const applied = random.list(1, 5, () => random.some([...refined.keys()], 0.6));
  const before = [matches, ...refined].map((docs) => setOf(docs));
  const [all, ...sets] = before as [DocSet, ...DocSet[]];
  let base = 0;
  for (const size of sizes) {
    const perFacet = refinedIn(all, sets, { base, size });
    for (const facet of random.shuffle([...applied.keys()])) {
      const passing = matches.filter(
        (doc) => doc >= base && doc < base + size && applied[facet]!.every((index) => refined[index]!.includes(doc)),
      );
      const found = perFacet(applied[facet]!);
      expect([...found.docs.toArray()]).toEqual(passing.map((doc) => doc - base));
      expect([found.size, found.docs.size]).toEqual([passing.length, size]);
      expect(perFacet(applied[facet]!)).toBe(found);
    }
    base += size;
  }
  expect(before.map((set) => [...set.toArray()])).toEqual([matches, ...refined]);
});
