// Which records can reach a score, told by the lists they stand in alone: they need lists whose greatest parts add up to it.
// Written as steps over bits of records: whoever is in a list and reaches the rest with it, or reaches it without.

import type { WeightedList } from "./list-kernel.js";

/** Of more lists the sets are too many. */
export const MOST_REACH_LISTS = 10;
export const MOST_REACH_STEPS = 48;
/** A result of a step, or one of these: all records, or none. */
export const EVERYBODY = -1;
export const NOBODY = -2;
/** Numbers a step: the list, the results with it and without it, and where its own result goes. */
export const STEP_SIZE = 4;
/** So many results are in use at a time at most. */
export const REACH_RESULTS: number = 2 * (MOST_REACH_LISTS + 1);

/** Steps that tell who can reach a score; the result of the last one, number 0, tells it. */
export class ReachSteps {
  readonly steps: Int32Array = new Int32Array(STEP_SIZE * MOST_REACH_STEPS);
  size = 0;
  private lists: readonly WeightedList[] = [];
  /** By list: the most that it and those behind it add together. */
  private readonly rest = new Float64Array(MOST_REACH_LISTS + 1);

  /** Writes the steps for lists, best with the greatest first; false: they would be too many, or all records reach it. */
  write(lists: readonly WeightedList[], least: number): boolean {
    if (lists.length > MOST_REACH_LISTS || least <= 0) return false;
    this.lists = lists;
    this.size = 0;
    this.rest[lists.length] = 0;
    for (let i = lists.length - 1; i >= 0; i--) this.rest[i] = this.rest[i + 1]! + lists[i]!.most;
    this.reach(0, least, 0);
    return this.size <= MOST_REACH_STEPS;
  }

  /** Who reaches `need` with the lists from `i` on: the result that holds it, `result` if a step is needed. */
  private reach(i: number, need: number, result: number): number {
    if (need <= 0) return EVERYBODY;
    if (need > this.rest[i]! || this.size > MOST_REACH_STEPS) return NOBODY;
    // What is found with a list stays in use while it is looked for without it, so each depth has two places.
    const held = this.reach(i + 1, need - this.lists[i]!.most, 2 * i + 2);
    const lacked = this.reach(i + 1, need, 2 * i + 3);
    if (this.size < MOST_REACH_STEPS) this.put(STEP_SIZE * this.size, i, held, lacked, result);
    this.size++;
    return result;
  }

  private put(at: number, list: number, held: number, lacked: number, result: number): void {
    this.steps[at] = list;
    this.steps[at + 1] = held;
    this.steps[at + 2] = lacked;
    this.steps[at + 3] = result;
  }
}
