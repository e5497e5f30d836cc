import { describe, expect, it } from "vitest";
import { type Doc, DocSet } from "../../src/util/doc-set.js";
import { scanNearest } from "../../src/vectors/exact-scan.js";
import { vectorKernelAvailable } from "../../src/vectors/row-kernel.js";
import { type SearchableVectors, searchVectors } from "../../src/vectors/search-vectors.js";
import type { UnitVector } from "../../src/vectors/unit-vector.js";
import { property, Random } from "../support/random.js";
import {
  cosine,
  exactCosine,
  KERNELS,
  randomNumbers,
  stored,
  storedSegment,
  vectorSearcher,
  vectorSegment,
} from "../support/vectors.js";

const ALL = { floor: -1, depth: 1000 };

const only = (segments: readonly SearchableVectors[], query: UnitVector) => scanNearest(segments, query, ALL).cosines;

describe("the exact scan", () => {
  for (const dimensions of [1, 2, 3, 64, 192, 1024, 4096])
    it(`gives the cosines of 64-bit floats, but for the rounding, in ${dimensions} dimensions`, () => {
      const random = new Random(dimensions);
      const vectors = random.list(20, 20, () => randomNumbers(random, dimensions));
      const query = randomNumbers(random, dimensions);
      const cosines = only([vectorSegment(1, 0, vectors)], stored(query));
      for (const [doc, vector] of vectors.entries()) expect(cosines[doc]).toBeCloseTo(cosine(vector, query), 3);
    });

  it("gives exactly 1 for the same direction and exactly -1 for the opposite, as far as six decimals tell", () => {
    const numbers = randomNumbers(new Random(5), 4096);
    const opposite = numbers.map((value) => -value);
    const cosines = only([vectorSegment(1, 0, [numbers, opposite])], stored(numbers));
    expect([...cosines].map((value) => Math.round(value * 1e6))).toEqual([1e6, -1e6]);
  });
});

type Segments = readonly SearchableVectors[];

/** The members among some records by a look at each, which `before` ranks where they are as near. */
function expectNearest(
  random: Random,
  { vectors, living, segments }: { vectors: readonly (UnitVector | null)[]; living: Set<number>; segments: Segments },
  query: UnitVector,
  { floor, depth }: { readonly floor: number; readonly depth: number },
): void {
  // Ids in another order than the numbers.
  const ids = random.shuffle([...vectors.keys()]);
  const before = (a: number, b: number) => ids[a]! < ids[b]!;
  const share = random.pick([1, 0.9, 0.5, 0.1, 0.01, 0]);
  const allowed = random.chance(0.3) ? null : new DocSet(vectors.length);
  for (const doc of vectors.keys()) if (random.chance(share)) allowed?.add(doc);
  const found = searchVectors(vectorSearcher(segments, before), query, { floor, depth }, undefined, allowed);
  const cosines = vectors.map((vector) => (vector === null ? 0 : exactCosine(vector, query)));
  const near = [...living]
    .filter((doc) => allowed?.has(doc) ?? true)
    .filter((doc) => Math.round(cosines[doc]! * 1e6) >= Math.round(floor * 1e6))
    .sort((a, b) => cosines[b]! - cosines[a]! || (before(a, b) ? -1 : 1));
  expect([...found.docs]).toEqual(near.slice(0, depth).sort((a, b) => a - b));
  const asked = random.some([...vectors.keys()], 0.3) as Doc[];
  const similarities = asked.map((doc) => Math.max(0, cosines[doc]!));
  expect([...found.similaritiesOf(asked)]).toEqual(similarities);
  expect(asked.slice(0, 20).map(found.similarityOf)).toEqual(similarities.slice(0, 20));
}

/** Segments of records, some dead, some without a vector, many alike; the vectors by record number. */
function randomCorpus(random: Random, dimensions: number, leastLinear: number) {
  const vectors: (UnitVector | null)[] = [];
  const living = new Set<number>();
  const segments = random.list(1, 4, (segmentId): SearchableVectors => {
    const base = vectors.length;
    const own = random.list(1, random.pick([5, 100, 900]), () => {
      if (random.chance(0.1)) return null;
      const before = random.chance(0.2) ? random.pick([null, ...vectors.slice(-50)]) : null;
      return before ?? stored(randomNumbers(random, dimensions));
    });
    const deletedDocs = random.chance(0.5) ? new DocSet(own.length) : null;
    for (const [doc, vector] of own.entries())
      if (deletedDocs !== null && random.chance(0.3)) deletedDocs.add(doc);
      else if (vector !== null) living.add(base + doc);
    vectors.push(...own);
    return { ...storedSegment(segmentId, base, own, { dimensions, leastLinear }), deletedDocs };
  });
  return { vectors, living, segments };
}

for (const [name, leastLinear] of Object.entries(KERNELS))
  if (name === "plain" || vectorKernelAvailable())
    property(`the members are those of the slow and obvious way (${name})`, 150, (random) => {
      const dimensions = random.pick([1, 2, 8, 20, 192, 400]);
      const corpus = randomCorpus(random, dimensions, leastLinear);
      const query = random.pick(corpus.vectors) ?? stored(randomNumbers(random, dimensions));
      const floor = random.pick([-1, 0, 0.1, 0.35, 0.9, 1]);
      expectNearest(random, corpus, query, { floor, depth: random.pick([1, 2, 10, 100, 5000]) });
    });

/** More rows than a block, and long enough ones to be read ahead. */
const ROWS = 4500;
const DIMENSIONS = 256;

/** Vectors near some centres, as those of texts are; some are equal. */
function clusters(random: Random, count: number, spread: number): UnitVector[] {
  const centres = random.list(20, 20, () => randomNumbers(random, DIMENSIONS));
  const vectors: UnitVector[] = [];
  for (let i = 0; i < count; i++) {
    const centre = random.pick(centres);
    const noise = randomNumbers(random, DIMENSIONS);
    const alike = i > 0 && random.chance(0.05);
    vectors.push(
      alike ? random.pick(vectors.slice(-50)) : stored(centre.map((value, at) => value + spread * noise[at]!)),
    );
  }
  return vectors;
}

property("the members of large segments of long vectors are those of the slow and obvious way", 8, (random) => {
  const own = [clusters(random, ROWS, 0.8), clusters(random, ROWS, 0.8)];
  const deletedDocs = new DocSet(ROWS);
  for (let doc = 0; doc < ROWS; doc++) if (random.chance(0.1)) deletedDocs.add(doc);
  const segments = own.map((vectors, i) => ({
    ...storedSegment(i, i * ROWS, vectors, { dimensions: DIMENSIONS }),
    deletedDocs: i === 0 ? deletedDocs : null,
  }));
  const vectors = own.flat();
  const living = new Set([...vectors.keys()].filter((doc) => doc >= ROWS || !deletedDocs.has(doc)));
  const rule = { floor: random.pick([-1, 0.2, 0.6]), depth: random.pick([1, 12, 100, 2000]) };
  expectNearest(random, { vectors, living, segments }, random.pick(vectors), rule);
});
