import { describe, expect, it } from "vitest";
import { ImpactList } from "../../../src/text/impacts/impact-list.js";
import type { WeightedList } from "../../../src/text/kernels/list-kernel.js";
import {
  EVERYBODY,
  MOST_REACH_LISTS,
  MOST_REACH_STEPS,
  NOBODY,
  REACH_RESULTS,
  ReachSteps,
  STEP_SIZE,
} from "../../../src/text/kernels/reach-steps.js";
import { property } from "../../support/random.js";
import { weighedList } from "../../support/weighed-list.js";

const LIST = new ImpactList(weighedList(Uint16Array.of(1), Float64Array.of(1)), 1.2);
const listsOf = (parts: readonly number[]): WeightedList[] => parts.map((most) => ({ list: LIST, idf: 1, most }));

/** Takes the steps for one record: which lists it is in, as bits. */
function reaches({ steps, size }: ReachSteps, held: number): boolean {
  const results: boolean[] = [];
  const at = (result: number): boolean => {
    if (result === EVERYBODY || result === NOBODY) return result === EVERYBODY;
    expect(result).toBeLessThan(REACH_RESULTS);
    return results[result]!;
  };
  for (let step = 0; step < size; step++) {
    const [list, holding, lacking, result] = steps.subarray(STEP_SIZE * step);
    results[result!] = (((held >>> list!) & 1) === 1 && at(holding!)) || at(lacking!);
  }
  return results[0] ?? false;
}

describe("steps that tell who can reach a score", () => {
  property("say of each set of lists whether it adds up to it", 200, (random) => {
    const parts = random.list(1, random.pick([3, 5, 7]), () => random.between(1, 60));
    const steps = new ReachSteps();
    const total = parts.reduce((sum, part) => sum + part, 0);
    for (const least of [1, random.between(1, total), total, total + 1]) {
      if (!steps.write(listsOf(parts), least)) continue; // too many, which the test below is about
      for (let held = 0; held < 2 ** parts.length; held++) {
        const sum = parts.reduce((sum, part, i) => sum + (((held >>> i) & 1) === 1 ? part : 0), 0);
        expect(reaches(steps, held), `${held} of ${parts} for ${least}`).toBe(sum >= least);
      }
    }
  });

  it("are as few as decide it", () => {
    const steps = new ReachSteps();
    expect(steps.write(listsOf([5, 3, 2]), 9.5)).toBe(true);
    expect(steps.size).toBe(3); // all are needed
    expect(steps.write(listsOf([5, 3, 2]), 4)).toBe(true);
    expect(steps.size).toBe(3); // the first, or both of the others
    expect(steps.write(listsOf([5, 3, 2]), 11)).toBe(true);
    expect(steps.size).toBe(0);
  });

  it("are not written where they would be too many, or where all records reach the score", () => {
    const steps = new ReachSteps();
    const alike = (count: number): WeightedList[] => listsOf(Array.from({ length: count }, () => 1));
    expect(steps.write(alike(MOST_REACH_LISTS), 5)).toBe(false);
    expect(steps.write(alike(MOST_REACH_LISTS), MOST_REACH_LISTS)).toBe(true);
    expect(steps.size).toBe(MOST_REACH_LISTS);
    expect(steps.write(alike(MOST_REACH_LISTS + 1), MOST_REACH_LISTS + 1)).toBe(false);
    expect(steps.write(alike(3), 0)).toBe(false);
    expect(steps.write(alike(6), 3)).toBe(true);
    expect(steps.size).toBeLessThanOrEqual(MOST_REACH_STEPS);
  });
});
