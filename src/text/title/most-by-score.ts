// What titles add at most, by what their records earn by words: who earns less than what a term gives at the least does not hold
// it. So much of what a title could add is known to be out of reach without a look at the record.

import type { TextPlan } from "../impacts/text-plan.js";

/** Of more terms it is not told which of them are held. */
const MOST_TERMS = 6;
/** Sums in another order may differ by less: of scores, as a share of them, and of what titles add. */
const LAST_BITS = 1e-9;
const TITLE_BITS = 1e-12;

/** What the terms that a record holds say of its title. */
export interface HeldEvidence {
  /** What any title may add. */
  readonly always: number;
  /** By term: what a title may add besides where its record holds it. */
  readonly terms: ArrayLike<number>;
  /** By term: what it may add besides where its record holds this one and the next. */
  readonly pairs: ArrayLike<number>;
}

/** The most that a title adds, which rises with the score. */
export class MostByScore {
  /** From each of these scores on, ascending, so much. */
  private readonly scores: number[] = [0];
  private readonly mosts: number[] = [0];

  constructor(plan: TextPlan, evidence: HeldEvidence) {
    const leasts = leastScores(plan);
    if (leasts.length > MOST_TERMS) {
      this.mosts[0] = sumOfAll(evidence);
      return;
    }
    this.mosts[0] = evidence.always + TITLE_BITS;
    const size = 1 << leasts.length;
    const [from, most] = [new Float64Array(size), new Float64Array(size)];
    const order: number[] = [];
    for (let set = 1; set < size; set++) {
      const first = 31 - Math.clz32(set & -set);
      const others = set & (set - 1);
      from[set] = from[others]! + leasts[first]!;
      most[set] = most[others]! + evidence.terms[first]!;
      if (((others >>> (first + 1)) & 1) === 1) most[set]! += evidence.pairs[first]!;
      if (from[set]! < Number.POSITIVE_INFINITY) order.push(set);
    }
    const least = 1 - LAST_BITS - plan.drift;
    for (const set of order.sort((a, b) => from[a]! - from[b]!))
      this.add(least * from[set]!, this.mosts[0] + most[set]!);
  }

  /** What the title of a record with such a score adds at most. */
  at(score: number): number {
    let low = 0;
    let high = this.scores.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.scores[middle]! <= score) low = middle;
      else high = middle - 1;
    }
    return this.mosts[low]!;
  }

  /** No record with less than this, `worth` times its score and its title together, reaches a sum. */
  leastScore(sum: number, worth: number): number {
    const { scores, mosts } = this;
    for (let step = 0; ; step++) {
      const least = Math.max(scores[step]!, (sum - mosts[step]!) / worth);
      if (step + 1 === scores.length || least < scores[step + 1]!) return least;
    }
  }

  private add(from: number, most: number): void {
    const { scores, mosts } = this;
    if (most <= mosts[mosts.length - 1]!) return;
    scores.push(from);
    mosts.push(most);
  }
}

/** By term: what its holders earn by it at the least; infinity: nobody holds it. */
function leastScores({ segments, idfs, terms }: TextPlan): number[] {
  return terms.map((_, term) => {
    let least = Number.POSITIVE_INFINITY;
    for (const { lists } of segments) least = Math.min(least, lists[term]?.least ?? least);
    // A term that nobody holds has no idf.
    return least === Number.POSITIVE_INFINITY ? least : idfs[term]! * least;
  });
}

function sumOfAll({ always, terms, pairs }: HeldEvidence): number {
  let sum = always + TITLE_BITS;
  for (let term = 0; term < terms.length; term++) sum += terms[term]! + pairs[term]!;
  return sum;
}
