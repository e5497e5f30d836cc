// Kinds of holders, against the places of each record one by one.

import { expect } from "vitest";
import { type Examples, type KindList, readKinds } from "../../../src/text/impacts/read-kinds.js";
import type { Postings } from "../../../src/text/postings.js";
import { property, type Random } from "../../support/random.js";
import { type PlainRecord, placesOf, postingsOf } from "../../support/word-index.js";

/** Of each record that holds a term in a searched field: the shapes where it stands, and how often. */
function naive(postings: Postings, norms: Float64Array, term: number): [number, string][] {
  const found = new Map<number, { shape: number; frequency: number }[]>();
  for (const { doc, slot, frequency } of placesOf(postings, term))
    found.set(doc, [...(found.get(doc) ?? []), { shape: postings.slotShape[slot]!, frequency }]);
  return [...found]
    .filter(([, places]) => places.some(({ shape }) => norms[shape] !== 0))
    .map(([doc, places]) => [doc, places.map(({ shape, frequency }) => `${frequency} in ${shape}`).join(", ")]);
}

const examplesOf = ({ source: { starts, shapes, freqs } }: KindList<Examples>): string[] =>
  [...starts.subarray(1)].map((end, kind) =>
    [...shapes.subarray(starts[kind], end)].map((shape, i) => `${freqs[starts[kind]! + i]} in ${shape}`).join(", "),
  );

function someRecord(random: Random): PlainRecord {
  const words = random.pick([
    ["a", "b"],
    ["a", "b", "c", "d", "e"],
  ]);
  const names = random.pick([["x"], ["x", "y"], ["x", "y", "z", "!t", "v"]]);
  return Object.fromEntries(names.map((name) => [name, random.list(1, 6, () => random.pick(words)).join(" ")]));
}

property("records are of one kind where they hold a term alike, and each kind has an example", 60, (random) => {
  const postings = postingsOf(random.list(1, random.pick([3, 40, 400]), () => someRecord(random)));
  const shapes = postings.shapeFields.length;
  // With more shapes than 16 bits tell apart, a kind is told by its examples.
  const norms = new Float64Array(random.pick([shapes, 70_000]));
  for (let shape = 0; shape < shapes; shape++) norms[shape] = random.chance(0.2) ? 0 : random.next() + 0.1;
  for (let term = 0; term < postings.names.size; term++) {
    const expected = naive(postings, norms, term);
    const found = readKinds(postings, norms, term);
    if (expected.length === 0) {
      expect(found).toBeNull();
      continue;
    }
    const examples = examplesOf(found!);
    expect([...found!.holders.docs].map((doc, i) => [doc, examples[found!.kinds[i]!]])).toEqual(expected);
    expect([...examples].sort()).toEqual([...new Set(expected.map(([, places]) => places))].sort());
  }
});
