// What the sum of words, meaning and title is at most of a record that is no member by meaning, by what it earns by words.

import type { MostByScore } from "../text/title/most-by-score.js";

/** What is known of the legs before any record is found. */
export interface LegBounds {
  /** What a score by words of 1 is worth in the sum. */
  readonly worth: number;
  /** The most that meaning adds. */
  readonly meaning: number;
  /** The most that titles add; null: nothing. */
  readonly titles: MostByScore | null;
}

/** What else than words can add to a record's sum. */
export class MostElsewhere {
  private readonly bounds: LegBounds;

  constructor(bounds: LegBounds) {
    this.bounds = bounds;
  }

  /** What a score by words of 1 is worth in the sum. */
  get worth(): number {
    return this.bounds.worth;
  }

  /** The most that its title adds to the sum of a record with such a score. */
  byTitle(score: number): number {
    return this.bounds.titles?.at(score) ?? 0;
  }

  /** No record with less reaches such a sum. */
  leastScore(sum: number): number {
    const { worth, meaning, titles } = this.bounds;
    const least = sum - meaning;
    return titles === null ? least / worth : titles.leastScore(least, worth);
  }

  /** No record with less comes before one that has such a score, and nothing else. */
  leastBeside(score: number): number {
    return this.leastScore(this.worth * score);
  }
}
