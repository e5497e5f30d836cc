// How near the words of titles are to one word, by their numbers, in whole steps: compared when first asked for. The same on
// every machine, whatever the last bits of a cosine are.

import type { WordMeaning } from "../../base/seams.js";

const NEARNESS_STEPS = 256;
const UNKNOWN = -1;
const FIRST_ROOM = 256;

/** What one word is near to. */
export class NearnessRow {
  private readonly meaning: WordMeaning;
  private steps = new Int16Array(FIRST_ROOM).fill(UNKNOWN);

  constructor(meaning: WordMeaning) {
    this.meaning = meaning;
  }

  /** How near the word of this number is, 0 … 1; `meanings` tells what it means. */
  nearnessOf(number: number, meanings: readonly (WordMeaning | null)[]): number {
    const steps = this.steps[number] ?? UNKNOWN;
    return (steps === UNKNOWN ? this.compare(number, meanings[number]!) : steps) / NEARNESS_STEPS;
  }

  /** How near the nearest of some words is; 0 where there are none. */
  nearestOf(numbers: readonly number[], meanings: readonly (WordMeaning | null)[]): number {
    let nearest = 0;
    for (let i = 0; i < numbers.length && nearest < NEARNESS_STEPS; i++) {
      const number = numbers[i]!;
      const known = number < this.steps.length ? this.steps[number]! : UNKNOWN;
      const steps = known === UNKNOWN ? this.compare(number, meanings[number]!) : known;
      if (steps > nearest) nearest = steps;
    }
    return nearest / NEARNESS_STEPS;
  }

  private compare(number: number, other: WordMeaning | null): number {
    if (number >= this.steps.length) this.grow(number);
    const nearness = other === null ? 0 : this.meaning.nearnessTo(other);
    this.steps[number] = Math.min(NEARNESS_STEPS, Math.max(0, Math.round(nearness * NEARNESS_STEPS)));
    return this.steps[number]!;
  }

  private grow(number: number): void {
    const steps = new Int16Array(Math.max(number + 1, 2 * this.steps.length)).fill(UNKNOWN);
    steps.set(this.steps);
    this.steps = steps;
  }
}
