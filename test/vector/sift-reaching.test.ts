import { expect } from "vitest";
import { wasmAvailable } from "../../src/vector/kernel/web-assembly.js";
import { searchVectors } from "../../src/vector/search-vectors.js";
import { property } from "../support/random.js";
import { exactCosine, KERNELS, randomNumbers, stored, storedSegment, vectorCorpus } from "../support/vectors.js";

for (const kernel of wasmAvailable() ? (["plain", "wasm"] as const) : (["plain"] as const))
  property(`keeps what reaches, and little else, in any order, by the ${kernel} kernel`, 20, (random) => {
    const dimensions = random.pick([3, 24]);
    const make = () => (random.chance(0.9) ? stored(randomNumbers(random, dimensions)) : null);
    const vectors = random.list(1, 3, () => random.list(1, random.pick([40, 2500]), make));
    const all = vectors.flat();
    const segments = vectors.map((given, at) =>
      storedSegment(
        at + 1,
        vectors.slice(0, at).reduce((base, { length }) => base + length, 0),
        given,
        { dimensions, leastLinear: KERNELS[kernel] },
      ),
    );
    const query = stored(randomNumbers(random, dimensions));
    const { keepReaching } = searchVectors(vectorCorpus(segments), query, { depth: 3, floor: 0 }, undefined);
    const docs = random.shuffle([...all.keys()]).slice(0, random.between(1, all.length));
    const order = random.chance(0.5) ? docs : docs.sort((a, b) => a - b);
    const scores = order.map(() => random.next());
    const list = { docs: Uint32Array.from(order), scores: Float64Array.from(scores), size: order.length };
    const [least, worth] = [random.next() * 1.5 - 0.2, random.next()];
    const count = random.pick([0, 1, 5, 512, 513]);
    const slack = random.next() * 0.3;
    const [lift, from] = [random.pick([0, 0.2]), random.next()];
    const besides = (score: number): number => (score < from ? lift / 2 : lift);
    const reaches = keepReaching(list, { least, worth, count, slack, besides });
    const given = new Map(order.map((doc, at) => [doc, scores[at]!]));
    const kept = new Map([...list.docs.subarray(0, list.size)].map((doc, at) => [doc, list.scores[at]!]));
    expect(kept.size).toBe(list.size);
    for (const [doc, score] of kept) expect(given.get(doc)).toBe(score);
    const sums = new Map<number, number>();
    for (const [doc, score] of given) {
      const vector = all[doc];
      sums.set(doc, worth * score + (vector == null ? 0 : Math.max(0, exactCosine(vector, query))));
    }
    expect(reaches.length).toBe(list.size);
    for (let i = 0; i < list.size; i++) {
      const most = sums.get(list.docs[i]!)! + besides(list.scores[i]!);
      expect(reaches[i]).toBeGreaterThanOrEqual(most - 1e-9);
      expect(reaches[i]).toBeLessThan(most + 0.1);
    }
    // What the last of the best reaches is asked of all others, less the slack; of more than 512 it is not followed.
    const last = count === 0 || count === 513 ? undefined : [...sums.values()].sort((a, b) => b - a)[count - 1];
    const needed = Math.max(least, (last ?? Number.NEGATIVE_INFINITY) - slack);
    for (const [doc, bare] of sums) {
      const sum = bare + besides(given.get(doc)!);
      if (sum >= needed) expect(kept.has(doc)).toBe(true);
      // High bytes tell a cosine to a few hundredths.
      if (sum < needed - 0.1) expect(kept.has(doc)).toBe(false);
    }
  });
