import { describe, expect, it } from "vitest";
import { mergeRuns, RunHeads, sortWithPauses } from "../../src/util/sorted.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { Random } from "../support/random.js";

interface Item {
  readonly key: number;
  readonly place: number;
}

const byKey = (a: Item, b: Item) => a.key - b.key;

/** Items with few distinct keys, so that stability shows. */
function items(seed: number, count: number): Item[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, place) => ({ key: Math.floor(random.next() * 20), place }));
}

describe("sortWithPauses", () => {
  for (const [seed, count] of [0, 1, 1023, 1024, 1025, 5000].entries())
    it(`sorts ${count} items as Array.prototype.sort does, stable (seed ${seed})`, () => {
      const given = items(seed, count);
      const copy = [...given];
      expect(runTaskAtOnce(sortWithPauses(given, byKey))).toEqual([...given].sort(byKey));
      expect(given).toEqual(copy);
    });

  it("pauses at least once in 2,048 items", () => {
    let pauses = 0;
    for (const _ of sortWithPauses(items(1, 20_000), byKey)) pauses++;
    expect(pauses).toBeGreaterThan(10);
  });
});

describe("mergeRuns", () => {
  it.each([
    0, 1, 2, 3, 7,
  ])("merges %d runs, of which some are empty; of equal items the earlier run's come first", (count) => {
    const runs = Array.from({ length: count }, (_, run) => items(run, 50 * (run % 4)).sort(byKey));
    expect(runTaskAtOnce(mergeRuns(runs, byKey))).toEqual(runs.flat().sort(byKey));
  });
});

describe("RunHeads", () => {
  for (const count of [0, 1, 2, 3, 7, 20])
    it(`takes the items of ${count} runs in their order, whatever their lengths`, () => {
      const random = new Random(count);
      const runs = Array.from({ length: count }, () => random.list(0, 40, () => random.next()).sort((a, b) => a - b));
      const next = runs.map(() => 0);
      const filled = [...runs.keys()].filter((run) => runs[run]!.length > 0);
      const heads = new RunHeads(filled, (a, b) => runs[a]![next[a]!]! < runs[b]![next[b]!]!);
      const taken: number[] = [];
      for (let run = heads.least; run !== undefined; run = heads.least) {
        taken.push(runs[run]![next[run]!++]!);
        heads.taken(next[run]! < runs[run]!.length);
      }
      expect(taken).toEqual(runs.flat().sort((a, b) => a - b));
    });
});
