// Members with their scores. What titles add is asked for one by one, and only where it can decide: a record's sum without
// its title, and with the most that a title can add, bound its score.

import type { Task } from "../../base/tasks.js";
import { GreatestNumbers } from "../../base/top-k.js";

/** The additive parts of a score. */
export interface ScoreParts {
  readonly lexical: number;
  readonly semantic: number;
  readonly title: number;
}

/** A bounded third part of the score. */
export interface TitlePart {
  /** What it adds to a record's score, before the division; something less where that is below `least` for sure. */
  readonly sumOf: (doc: number, least?: number) => number;
  /** The most that it adds. */
  readonly most: number;
  /** What all is divided by, so that 1 stays the most. */
  readonly divisor: number;
}

/** What scores are made of. */
export interface ScoreSource {
  /** By place: what the legs give, right but for the last bits. */
  readonly base: Float64Array;
  /** The same of a record, exact. */
  readonly exactBase: (doc: number) => number;
  readonly titles: TitlePart | null;
  /** Records whose identifier is the whole query: they score 1, and nothing else above .999999. */
  readonly codes: ReadonlySet<number>;
}

const UNITS = 1e6;
/** Last bits are worth far less than this, in units. */
const DOUBT = 1e-4;
/** The best score of a record that is not the exact code. */
const BELOW_EXACT = 0.999999;
/** More than rounding to six decimals can move a score. */
const ROUNDING = 4e-6;
/** Titles asked between two pauses. */
const PAUSE_EVERY = 256;

/** The united members. */
export class FusedRanking {
  /** Ascending record numbers. */
  readonly members: Uint32Array;
  /** What each part contributes to a record's score, before rounding. */
  readonly partsOf: (doc: number) => ScoreParts;
  private readonly source: ScoreSource;
  /** By place; NaN: not asked for yet. */
  private readonly scores: Float64Array;

  constructor(
    members: Uint32Array,
    source: ScoreSource,
    partsOf: (doc: number) => ScoreParts,
    scores: Float64Array = new Float64Array(members.length).fill(Number.NaN),
  ) {
    this.members = members;
    this.partsOf = partsOf;
    this.source = source;
    this.scores = scores;
  }

  /** The score at a place, 0 … 1, rounded to six decimals. */
  scoreAt(place: number): number {
    const known = this.scores[place]!;
    return Number.isNaN(known) ? this.ask(place, Number.NEGATIVE_INFINITY)! : known;
  }

  /** Less than 0: the score at `a` is the greater one. */
  compare(a: number, b: number): number {
    const difference = this.scores[b]! - this.scores[a]!;
    if (!Number.isNaN(difference)) return difference;
    if (this.lowAt(a) > this.highAt(b)) return -1;
    if (this.highAt(a) < this.lowAt(b)) return 1;
    return this.scoreAt(b) - this.scoreAt(a);
  }

  /** The ranking of some of the places, ascending. */
  pick(places: ArrayLike<number>): FusedRanking {
    const { source, scores, members } = this;
    const base = new Float64Array(places.length);
    const docs = new Uint32Array(places.length);
    const known = new Float64Array(places.length);
    for (let i = 0; i < places.length; i++) {
      base[i] = source.base[places[i]!]!;
      docs[i] = members[places[i]!]!;
      known[i] = scores[places[i]!]!;
    }
    return new FusedRanking(docs, { ...source, base }, this.partsOf, known);
  }

  /** Scores all. */
  *settle(): Task<void> {
    for (let place = 0; place < this.members.length; place++) {
      if (place % PAUSE_EVERY === 0) yield;
      this.scoreAt(place);
    }
  }

  /** At least all that can be among so many of the best, scored. Those that are best without their titles are asked first. */
  *best(count: number): Task<FusedRanking> {
    const { base, titles, codes } = this.source;
    if (titles === null || count >= base.length) {
      yield* this.settle();
      return this;
    }
    const first = new GreatestNumbers(count);
    for (let place = 0; place < base.length; place++) first.add(base[place]!);
    const possible: number[] = [];
    for (let place = 0; place < base.length; place++)
      if (base[place]! + titles.most >= first.least - ROUNDING || codes.has(this.members[place]!)) possible.push(place);
    yield;
    const best = new GreatestNumbers(count);
    let asked = 0;
    for (const isFirst of [true, false])
      for (const place of possible) {
        if (base[place]! >= first.least !== isFirst) continue;
        if (++asked % PAUSE_EVERY === 0) yield;
        const score = this.ask(place, (best.least - ROUNDING) * titles.divisor - base[place]!);
        if (score !== undefined) best.add(score);
      }
    return this.pick(possible.filter((place) => !Number.isNaN(this.scores[place]!)));
  }

  /** The score at a place; undefined: what its title would have to add is more than it does. */
  private ask(place: number, least: number): number | undefined {
    const { base, exactBase, titles, codes } = this.source;
    const doc = this.members[place]!;
    const isCode = codes.has(doc);
    if (!isCode && titles !== null && titles.most < least) return undefined;
    const title = isCode ? 0 : (titles?.sumOf(doc, least) ?? 0);
    if (!isCode && titles !== null && title < least) return undefined;
    const divisor = titles?.divisor ?? 1;
    let score = (base[place]! + title) / divisor;
    // So near to a half that the last bits decide how it is rounded.
    const units = score * UNITS;
    if (Math.abs(units - Math.floor(units) - 0.5) < DOUBT) score = (exactBase(doc) + title) / divisor;
    score = isCode ? 1 : roundScore(score);
    if (!isCode && codes.size > 0) score = Math.min(score, BELOW_EXACT);
    this.scores[place] = score;
    return score;
  }

  private lowAt(place: number): number {
    const known = this.scores[place]!;
    if (!Number.isNaN(known)) return known;
    const { base, titles, codes } = this.source;
    return codes.size > 0 ? 0 : base[place]! / (titles?.divisor ?? 1) - ROUNDING;
  }

  private highAt(place: number): number {
    const known = this.scores[place]!;
    if (!Number.isNaN(known)) return known;
    const { base, titles, codes } = this.source;
    if (codes.size > 0) return 1;
    return titles === null ? base[place]! + ROUNDING : (base[place]! + titles.most) / titles.divisor + ROUNDING;
  }
}

/** To six decimals. */
export function roundScore(score: number): number {
  return Math.round(score * UNITS) / UNITS;
}
