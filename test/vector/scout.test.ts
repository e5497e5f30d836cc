import { describe, expect, it } from "vitest";
import { DocSet } from "../../src/base/doc-set.js";
import { wasmAvailable } from "../../src/vector/kernel/web-assembly.js";
import { sendScout } from "../../src/vector/scout.js";
import { searchVectors } from "../../src/vector/search-vectors.js";
import type { UnitVector } from "../../src/vector/unit-vector.js";
import { property, Random } from "../support/random.js";
import { exactCosine, randomNumbers, stored, storedSegment, vectorCorpus } from "../support/vectors.js";

const DIMENSIONS = 256;
const ROWS = 4500;

/** Near some centres, as embedded texts are, each that many times as far from it; some are alike. */
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

describe("a scout", () => {
  property("leaves the members those of the slow and obvious way", 6, (random) => {
    const own = [clusters(random, ROWS, 0.8), clusters(random, ROWS, 0.8)];
    const deletedDocs = new DocSet(ROWS);
    for (let doc = 0; doc < ROWS; doc++) if (random.chance(0.1)) deletedDocs.add(doc);
    const segments = own.map((vectors, i) => ({
      ...storedSegment(i, i * ROWS, vectors, { dimensions: DIMENSIONS }),
      deletedDocs: i === 0 ? deletedDocs : null,
    }));
    const vectors = own.flat();
    const query = random.pick(vectors);
    const allowed = random.chance(0.5) ? null : new DocSet(vectors.length);
    for (const doc of vectors.keys()) if (random.chance(0.9)) allowed?.add(doc);
    const rule = { floor: random.pick([-1, 0.2, 0.6]), depth: random.pick([1, 12, 100]) };
    // There are no coarse rows without WebAssembly; the members are the same.
    expect(sendScout(segments, query, { ...rule, allowed }) !== null).toBe(wasmAvailable());

    const cosines = vectors.map((vector) => exactCosine(vector, query));
    const near = [...vectors.keys()]
      .filter((doc) => allowed?.has(doc) !== false && !(doc < ROWS && deletedDocs.has(doc)))
      .filter((doc) => Math.round(cosines[doc]! * 1e6) >= Math.round(rule.floor * 1e6))
      .sort((a, b) => cosines[b]! - cosines[a]! || a - b);
    const { members } = searchVectors(vectorCorpus(segments), query, rule, undefined, allowed);
    expect([...members]).toEqual(near.slice(0, rule.depth).sort((a, b) => a - b));
  });

  it("is not sent where few are allowed, where rows are few, nor where most may be among the nearest", () => {
    const random = new Random(11);
    const segmentOf = (count: number, spread: number) =>
      storedSegment(1, 0, clusters(random, count, spread), { dimensions: DIMENSIONS });
    const rule = { floor: -1, depth: 10, allowed: null };
    const query = stored(randomNumbers(random, DIMENSIONS));
    const few = new DocSet(ROWS);
    for (let doc = 0; doc < 100; doc++) few.add(doc);
    const segment = segmentOf(ROWS, 0.8);
    expect(sendScout([segment], query, { ...rule, allowed: few })).toBeNull();
    expect(sendScout([segment], query, { ...rule, depth: ROWS })).toBeNull();
    expect(sendScout([segmentOf(1000, 0.8)], query, rule)).toBeNull();
    expect(sendScout([], query, rule)).toBeNull();
  });
});
