// How near the words of titles are to one word, by their numbers, in whole steps: compared when first asked for. The same on
// every machine, whatever the last bits of a cosine are.

import type { WordMeaning } from "../../util/extension-points.js";

const NEARNESS_STEPS = 256;
const UNKNOWN = 0;
const FIRST_ROOM = 256;
const NOTHING = new Uint16Array(0);

/** What one word is near to. */
export class NearnessRow {
  private readonly meaning: WordMeaning;
  /** By number: one more than its steps; 0: not compared yet. */
  private steps: Uint16Array;

  /** `room`: an array that nobody uses any more; its content does not matter. */
  constructor(meaning: WordMeaning, room: Uint16Array = NOTHING) {
    this.meaning = meaning;
    this.steps = room.fill(UNKNOWN);
  }

  /** Forgets all that was compared, and gives away the array that it was kept in. Whoever asks on has it compared again. */
  release(): Uint16Array {
    const { steps } = this;
    this.steps = NOTHING;
    return steps;
  }

  /** How near the word of this number is, 0 … 1; `meanings` tells what it means. */
  nearnessOf(number: number, meanings: readonly (WordMeaning | null)[]): number {
    const steps = this.steps[number] ?? UNKNOWN;
    return ((steps === UNKNOWN ? this.compare(number, meanings) : steps) - 1) / NEARNESS_STEPS;
  }

  /** How near the nearest of the first `size` words is; 0 where there are none. */
  nearestOf(numbers: ArrayLike<number>, size: number, meanings: readonly (WordMeaning | null)[]): number {
    let nearest = 1;
    for (let i = 0; i < size && nearest <= NEARNESS_STEPS; i++) {
      const number = numbers[i]!;
      const known = number < this.steps.length ? this.steps[number]! : UNKNOWN;
      const steps = known === UNKNOWN ? this.compare(number, meanings) : known;
      if (steps > nearest) nearest = steps;
    }
    return (nearest - 1) / NEARNESS_STEPS;
  }

  private compare(number: number, meanings: readonly (WordMeaning | null)[]): number {
    if (number >= this.steps.length) this.grow(Math.max(FIRST_ROOM, number + 1, meanings.length));
    const other = meanings[number]!;
    const nearness = other === null ? 0 : this.meaning.nearnessTo(other);
    // What is no number is not near.
    const steps = nearness > 0 ? Math.min(NEARNESS_STEPS, Math.round(nearness * NEARNESS_STEPS)) : 0;
    this.steps[number] = 1 + steps;
    return 1 + steps;
  }

  private grow(least: number): void {
    const steps = new Uint16Array(Math.max(least, 2 * this.steps.length));
    steps.set(this.steps);
    this.steps = steps;
  }
}
