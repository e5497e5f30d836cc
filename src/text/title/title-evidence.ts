// What a record's title says for it, beyond being a field that counts double: whether it holds or nearly holds every term of
// the query, how much of it is about what was asked, and whether neighbours stand together (docs/scoring.md). A bounded
// part of the score, and a function of query, record and statistics over the living alone.

import { numberAt } from "../ascending.js";
import { planAt, type SegmentPlan, type TextPlan } from "../impacts/text-plan.js";
import { MostByScore } from "./most-by-score.js";
import { TitlesBySegment, titleField } from "./segment-titles.js";
import { MOST_TOLD_APART, TitleBounds } from "./title-bounds.js";
import { TitleGlance } from "./title-glance.js";
import { TitleQuestion } from "./title-question.js";
import { TitleReading } from "./title-reading.js";
import {
  ADJACENCY,
  COVERAGE,
  FOCUS,
  FULL_COVERAGE_TERMS,
  HELD_ELSEWHERE,
  HELD_SHARE,
  LEAST_NEARNESS,
  type TitleScore,
} from "./title-score.js";
import type { TitleWords } from "./title-words.js";

/** Sums in another order may differ by less. */
const LAST_BITS = 1e-12;

const NOT_ENOUGH: TitleScore = { coverage: 0, focus: 0, adjacency: 0, sum: Number.NEGATIVE_INFINITY };

/** Asks titles about one query. */
export class TitleEvidence {
  /** The most that a title can add. */
  readonly most: number;
  private readonly plan: TextPlan;
  /** Whether anything is known of words. */
  private readonly knowsWords: boolean;
  private readonly question: TitleQuestion;
  private readonly reading: TitleReading;
  private readonly glance: TitleGlance;
  private readonly coverageWeight: number;
  private readonly isRestricted: boolean;
  /** By term, of the record asked about: 1 where it holds the term anywhere; how much of the term its title holds. */
  private readonly holds: Uint8Array;
  private readonly shares: Float64Array;
  private readonly titles: TitlesBySegment;

  constructor(plan: TextPlan, words: TitleWords) {
    this.plan = plan;
    this.knowsWords = words.knowsWords;
    this.question = new TitleQuestion(plan);
    this.reading = new TitleReading(this.question, words);
    this.titles = new TitlesBySegment(plan, this.question);
    this.glance = new TitleGlance(this.question, words);
    this.holds = new Uint8Array(this.question.size);
    this.shares = new Float64Array(this.question.size);
    this.coverageWeight = !this.knowsWords
      ? HELD_SHARE
      : COVERAGE * Math.min(1, FULL_COVERAGE_TERMS / Math.max(1, this.question.size));
    this.isRestricted = plan.corpus.segments.some(({ fields }) => fields.weights.includes(0));
    const focus = this.knowsWords ? FOCUS : 0;
    this.most = this.coverageWeight + focus + (this.question.pairSum > 0 ? ADJACENCY : 0);
  }

  /** What score and evidence together are divided by, so that 1 stays the most. */
  get divisor(): number {
    // The parts first: added to 1 one by one they miss the number that they make by its last bit.
    return 1 + (ADJACENCY + (this.knowsWords ? COVERAGE + FOCUS : HELD_SHARE));
  }

  /** What titles add by the terms that their records hold, before the division. */
  bounds(): TitleBounds {
    const { size, pairSum } = this.question;
    if (this.knowsWords || size > MOST_TOLD_APART) return new TitleBounds(0, () => ({ least: 0, most: this.most }));
    return new TitleBounds(size, (isHeld) => {
      const { coverage, pairs } = this.heldOf(isHeld);
      const least = this.coverageWeight * coverage;
      return { least, most: pairs === 0 ? least : least + ADJACENCY * (pairs / pairSum) };
    });
  }

  /** The most that titles add by what their records earn by words, before the division. */
  mostByScore(): MostByScore {
    const { idfs, idfSum, roots, rootSum, pairs, pairSum, size } = this.question;
    const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
    const terms = new Float64Array(size);
    let always = this.knowsWords ? FOCUS : 0;
    for (let term = 0; term < size; term++) {
      const covered = this.knowsWords ? share(roots[term]!, rootSum) : share(idfs[term]!, idfSum);
      if (this.knowsWords && this.reading.mayBeNear(term)) always += this.coverageWeight * covered;
      else terms[term] = this.coverageWeight * covered;
    }
    return new MostByScore(this.plan, { always, terms, pairs: pairs.map((pair) => ADJACENCY * share(pair, pairSum)) });
  }

  /** What the title of a record adds to its score, before the division; something less where that is below `least` for sure. */
  sumOf(doc: number, least: number = Number.NEGATIVE_INFINITY): number {
    return this.scoreOf(doc, least).sum;
  }

  /** The evidence of a record; with `least`, only as much as shows that the sum is below it. */
  scoreOf(doc: number, least: number = Number.NEGATIVE_INFINITY): TitleScore {
    const part = planAt(this.plan, doc);
    const inSegment = doc - part.segment.base;
    return this.knowsWords ? this.byWords(part, inSegment, least) : this.byHeldShare(part, inSegment, least);
  }

  /** What costs little comes first. */
  private byWords(part: SegmentPlan, doc: number, least: number): TitleScore {
    const { coverageWeight } = this;
    if (this.mostOf(part, doc) < least || !this.mayReach(part, doc, least)) return NOT_ENOUGH;
    this.read(part, doc);
    const adjacency = this.adjacency();
    const others = FOCUS + ADJACENCY * adjacency;
    if (coverageWeight + others < least) return NOT_ENOUGH;
    const coverage = this.coverage((least - others - LAST_BITS) / coverageWeight);
    if (coverageWeight * coverage + others < least) return NOT_ENOUGH;
    const focus = this.reading.focus();
    const sum = coverageWeight * coverage + FOCUS * focus + ADJACENCY * adjacency;
    return { coverage, focus, adjacency, sum };
  }

  /** The most that a title can say, by what its record holds: other terms may only be nearly held, where their words have a meaning. */
  private mostOf({ lists }: SegmentPlan, doc: number): number {
    const { roots, rootSum, pairs, pairSum, size } = this.question;
    let sum = 0;
    let pairsHeld = 0;
    let before = false;
    for (let term = 0; term < size; term++) {
      const held = isHeld(lists, term, doc);
      this.holds[term] = held ? 1 : 0;
      if (held || this.reading.mayBeNear(term)) sum += roots[term]!;
      if (held && before) pairsHeld += pairs[term - 1]!;
      before = held;
    }
    return this.mostWith(sum / rootSum, pairSum === 0 ? 0 : pairsHeld / pairSum);
  }

  private mostWith(coverage: number, adjacency: number): number {
    return this.coverageWeight * coverage + FOCUS + ADJACENCY * adjacency + LAST_BITS;
  }

  /** False: wherever the words of the title stand, it says less than `least`. The record is the one that `mostOf` was asked about. */
  private mayReach(part: SegmentPlan, doc: number, least: number): boolean {
    const { glance, reading } = this;
    if (least <= 0 || this.isRestricted || !glance.isPossible) return true;
    const titles = this.titles.of(part);
    const rows = reading.nearnessRows();
    glance.look(titles, doc, rows);
    if (this.mostAtGlance() < least) return false;
    glance.compare(titles, rows);
    return this.mostAtGlance() >= least;
  }

  /** The most that the title looked at can say. */
  private mostAtGlance(): number {
    const { roots, rootSum, pairs, pairSum, size } = this.question;
    const { held, nearest } = this.glance;
    let sum = 0;
    let pairsHeld = 0;
    for (let term = 0; term < size; term++) {
      sum += roots[term]! * (((held >>> term) & 1) === 1 ? 1 : this.shareBy(nearest[term]!, term));
      if (((held >>> term) & 3) === 3) pairsHeld += pairs[term]!;
    }
    return this.mostWith(sum / rootSum, pairSum === 0 ? 0 : pairsHeld / pairSum);
  }

  private byHeldShare(part: SegmentPlan, doc: number, least: number): TitleScore {
    const { pairSum } = this.question;
    const { coverage, pairs } = this.heldOf((term) => isHeld(part.lists, term, doc));
    const sumWith = (adjacency: number): number => this.coverageWeight * coverage + ADJACENCY * adjacency;
    // Neighbours that the record does not hold cannot stand together in its title.
    if (sumWith(pairs === 0 ? 0 : pairs / pairSum) < least) return NOT_ENOUGH;
    if (pairs === 0) return { coverage, focus: 0, adjacency: 0, sum: sumWith(0) };
    this.read(part, doc);
    const adjacency = this.adjacency();
    return { coverage, focus: 0, adjacency, sum: sumWith(adjacency) };
  }

  private adjacency(): number {
    const { pairSum } = this.question;
    return pairSum === 0 ? 0 : this.reading.together() / pairSum;
  }

  /**
   * The terms of the query that the title holds, or nearly holds, weighed by the root of their idf; minus infinity as soon as
   * it is below `least` for sure. The last title asked about is the one that `mostOf` was asked about.
   */
  private coverage(least: number): number {
    const { roots, rootSum, byRoot, size } = this.question;
    let left = rootSum;
    // Comparing words costs most, so those that cannot be near to any come first, and then those that weigh most.
    for (const compares of [false, true])
      for (let i = 0; i < byRoot.length; i++) {
        const term = byRoot[i]!;
        if ((this.reading.held[term] === 0 && this.reading.mayBeNear(term)) !== compares) continue;
        this.shares[term] = this.shareOf(term);
        left -= roots[term]! * (1 - this.shares[term]!);
        if (left < least * rootSum - LAST_BITS) return Number.NEGATIVE_INFINITY;
      }
    let sum = 0;
    for (let term = 0; term < size; term++) sum += roots[term]! * this.shares[term]!;
    return sum / rootSum;
  }

  /** 1 where the title holds a term; else how near a word of it is, or what the record holds elsewhere. */
  private shareOf(term: number): number {
    if (this.reading.held[term] !== 0) return 1;
    return this.shareBy(this.reading.nearestTo(term), term);
  }

  /** What of a term counts that the title does not hold. */
  private shareBy(nearest: number, term: number): number {
    const share = nearest >= LEAST_NEARNESS ? nearest : 0;
    return share < HELD_ELSEWHERE && this.holds[term] === 1 ? HELD_ELSEWHERE : share;
  }

  /** Of the terms that any record holds, those that one holds anywhere, weighed by their idf; and its pairs. */
  private heldOf(isHeldHere: (term: number) => boolean): { readonly coverage: number; readonly pairs: number } {
    const { idfs, idfSum, pairs, size } = this.question;
    if (idfSum === 0) return { coverage: 0, pairs: 0 };
    let sum = 0;
    let pairsHeld = 0;
    let before = false;
    for (let term = 0; term < size; term++) {
      const held = isHeldHere(term);
      if (held) sum += idfs[term]!;
      if (held && before) pairsHeld += pairs[term - 1]!;
      before = held;
    }
    return { coverage: sum / idfSum, pairs: pairsHeld };
  }

  /** Reads a title; one in a field that is not searched says nothing. */
  private read(part: SegmentPlan, doc: number): void {
    const { reading, question } = this;
    const { postings, fields } = part.segment;
    const { titles } = postings;
    const asksField =
      (question.hasExceptions || this.isRestricted) && numberAt(titles.starts, doc) < numberAt(titles.starts, doc + 1);
    const field = asksField ? titleField(postings, doc) : -1;
    reading.begin(postings.fields[field]);
    if (asksField && fields.titleWeights[field] === 0) return;
    reading.read(this.titles.of(part), doc);
  }
}

function isHeld(lists: SegmentPlan["lists"], term: number, doc: number): boolean {
  return (lists[term]?.holders.placeOf(doc) ?? -1) >= 0;
}
