import { expect } from "vitest";
import { ClickedMatches } from "../../src/search/count-facets.js";
import { DocSet } from "../../src/util/doc-set.js";
import { property } from "../support/random.js";

property("matches of each segment, by the clicks that a facet asks for", 60, (random) => {
  const sizes = random.list(1, 4, () => random.pick([1, 31, 32, 70, 200]));
  const span = sizes.reduce((sum, size) => sum + size, 0);
  const draw = (): number[] => random.some([...Array(span).keys()], random.pick([0.1, 0.8, 1]));
  const setOf = (docs: readonly number[]): DocSet => new DocSet(span).addAll(docs);
  const matches = draw();
  const clicked = random.list(0, 4, draw);
  const asked = random.list(1, 5, () => random.some([...clicked.keys()], 0.6));
  const before = [matches, ...clicked].map((docs) => setOf(docs));
  const [all, ...sets] = before as [DocSet, ...DocSet[]];
  const choices = new ClickedMatches(all, sets, asked, Math.max(...sizes));
  let base = 0;
  for (const size of sizes) {
    choices.begin(base, base + size);
    for (const facet of random.shuffle([...asked.keys()])) {
      const passing = matches.filter(
        (doc) => doc >= base && doc < base + size && asked[facet]!.every((click) => clicked[click]!.includes(doc)),
      );
      const found = choices.of(facet);
      expect([...found.docs.toArray()]).toEqual(passing.map((doc) => doc - base));
      expect([found.size, found.docs.size]).toEqual([passing.length, size]);
      expect(choices.of(facet)).toBe(found);
    }
    base += size;
  }
  expect(before.map((set) => [...set.toArray()])).toEqual([matches, ...clicked]);
});
