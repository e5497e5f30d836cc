// A query as its titles are asked: which index term of a title answers which of its terms, what each term weighs, and
// what its words are.

import { idf } from "../bm25.js";
import type { TextPlan } from "../impacts/text-plan.js";

/** An alternative of a term of the query, by the index term that leads to it. */
export interface TermUse {
  /** Number of the query's term. */
  readonly term: number;
  /** Number of the alternative among all of the query; its index terms are so many. */
  readonly alternative: number;
  readonly size: number;
  /** Fields in which it does not count. */
  readonly notIn: ReadonlySet<string> | undefined;
}

/** A query, laid out for titles. */
export class TitleQuestion {
  /** How many terms the query has. */
  readonly size: number;
  /** The numbers that the index terms of its alternatives have here. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By these numbers. */
  readonly uses: readonly (readonly TermUse[])[];
  readonly alternatives: number;
  /** Whether some alternative is held by several index terms together, and whether some does not count in every field. */
  readonly hasSeveral: boolean;
  readonly hasExceptions: boolean;
  /** By term: the root of its idf; its idf, 0 where no record holds it. */
  readonly roots: Float64Array;
  /** The terms, those with the greatest roots first. */
  readonly byRoot: readonly number[];
  readonly idfs: Float64Array;
  /** By term: the least idf of it and the next; 0 behind the last. */
  readonly pairs: Float64Array;
  /** Sums of these, in order. */
  readonly rootSum: number;
  readonly idfSum: number;
  readonly pairSum: number;
  /** By term: its word as it was typed; undefined: it is none. */
  readonly words: readonly (string | undefined)[];

  constructor({ terms, idfs, docFreqs, corpus }: TextPlan) {
    this.size = terms.length;
    this.idfs = idfs;
    // A word that no record holds is as rare as can be: ln(1 + N), not the idf of df 0.
    this.roots = Float64Array.from(docFreqs, (docFreq) =>
      Math.sqrt(docFreq === 0 ? Math.log(1 + corpus.docCount) : idf(corpus.docCount, docFreq)),
    );
    this.byRoot = [...terms.keys()].sort((a, b) => this.roots[b]! - this.roots[a]!);
    this.pairs = Float64Array.from(idfs, (one, term) => (term + 1 < idfs.length ? Math.min(one, idfs[term + 1]!) : 0));
    this.rootSum = sum(this.roots);
    this.idfSum = sum(idfs);
    this.pairSum = sum(this.pairs);
    this.words = terms.map(({ word }) => word);
    const numbers = new Map<string, number>();
    const uses: TermUse[][] = [];
    let alternatives = 0;
    for (const [term, { alternatives: given }] of terms.entries())
      for (const { terms: parts, notIn } of given) {
        const distinct = new Set(parts);
        const use = { term, alternative: alternatives++, size: distinct.size, notIn };
        for (const part of distinct) {
          let number = numbers.get(part);
          if (number === undefined) {
            number = uses.push([]) - 1;
            numbers.set(part, number);
          }
          uses[number]!.push(use);
        }
      }
    this.numbers = numbers;
    this.uses = uses;
    this.alternatives = alternatives;
    this.hasSeveral = uses.some((list) => list.some(({ size }) => size > 1));
    this.hasExceptions = uses.some((list) => list.some(({ notIn }) => notIn !== undefined && notIn.size > 0));
  }
}

function sum(numbers: Float64Array): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
