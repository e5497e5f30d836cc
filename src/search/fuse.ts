// Text matches and semantic matches become one ranking. Each record gets one score, 0 … 1, rounded to six decimals, from the
// query, the record and the collection's statistics alone. Convex combination: Bruch, Gai, Ingber, "An Analysis of Fusion
// Functions for Hybrid Retrieval", 2023. Reciprocal rank fusion: Cormack, Clarke, Buettcher, 2009, here divided by the most
// that it can be.

import { indexOfSorted } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { GreatestNumbers } from "../util/top-k.js";

/** How two rankings become one. */
export type FusionMethod =
  | {
      readonly method: "convex";
      /** The share of the cosine where both words and vectors were searched, 0 … 1. */
      readonly semanticWeight: number;
    }
  | { readonly method: "rrf"; readonly rankConstant: number };

/** What a fusion method needs to know of the matches. */
export interface FusionNeeds {
  /** A score depends on ranks among all matches, those included that facet refinements hide. */
  readonly ranks: boolean;
  /** Cosine and title of records behind the rank window do not count. */
  readonly window: boolean;
  /** Cosines of records behind the rank window count all the same. */
  readonly allCosines: boolean;
  readonly titles: boolean;
}

/** Above this weight the cosine counts more than words: then no record is without its own. */
const MOST_WINDOWED_WEIGHT = 0.5;

/** A further method is another case here and in `fuse`; the compiler asks for both. */
export function needsOf(fusion: FusionMethod): FusionNeeds {
  switch (fusion.method) {
    case "convex": {
      const allCosines = fusion.semanticWeight > MOST_WINDOWED_WEIGHT;
      return { ranks: false, window: true, allCosines, titles: true };
    }
    case "rrf":
      return { ranks: true, window: false, allCosines: true, titles: false };
  }
}

/** Text matches: records, ascending, and the share of the greatest possible score that each has. */
export interface TextScores {
  readonly docs: Uint32Array;
  readonly shares: Float64Array;
  /** The share of any record, match or not. */
  readonly shareOf: (doc: number) => number;
}

/** Semantic matches: records, ascending. */
export interface SemanticScores {
  readonly docs: Uint32Array;
  /** Cosines of records, which ascend; negative ones as 0. */
  readonly cosinesOf: (docs: Uint32Array) => Float64Array;
}

/** What the titles of records add to a convex score. */
export interface TitleScores {
  /** The most that a title adds. */
  readonly most: number;
  /** What the sum is divided by, so that 1 stays the most. */
  readonly divisor: number;
  readonly sumOf: (doc: number) => number;
}

/** What is fused. */
export interface FusionInput {
  readonly fusion: FusionMethod;
  /** null: words were not searched. */
  readonly text: TextScores | null;
  /** null: vectors were not searched. */
  readonly semantic: SemanticScores | null;
  /** Records whose identifier is the whole query: they score 1, and no other record above 0.999999. */
  readonly identified: readonly number[];
  /** null: titles add nothing. */
  readonly titles: TitleScores | null;
  /** The records, ascending, whose cosine and title count besides the semantic matches; null: all. */
  readonly window: Uint32Array | null;
  /** Only the first so many of the ranking are needed, in the order of scores; null: every score is. */
  readonly top: number | null;
}

/** The parts of a score, before rounding; they add up to it. */
export interface ScoreParts {
  readonly lexical: number;
  readonly semantic: number;
  readonly title: number;
  /** Cosine and title did not count because the record is behind the rank window. */
  readonly isBeyondWindow: boolean;
}

/** The best score of a record that is not identified by the query, where another one is. */
const BELOW_IDENTIFIED = 0.999999;
/** Sums of floating-point numbers in two orders differ by far less. */
const LAST_BITS = 1e-12;

/** So many of the best by words get their cosine first. */
const FIRST_COSINES = 128;
/** Titles asked between two pauses. */
const PAUSE_EVERY = 256;

/** Records with their scores. */
export class Ranking {
  /** Ascending. */
  readonly docs: Uint32Array;
  /** By place; of records that are not among the first that were needed, perhaps less than the score. */
  readonly scores: Float64Array;
  readonly partsOf: (doc: number) => ScoreParts;

  constructor(docs: Uint32Array, scores: Float64Array, partsOf: (doc: number) => ScoreParts) {
    this.docs = docs;
    this.scores = scores;
    this.partsOf = partsOf;
  }

  /** The ranking of some of the records. */
  pick(test: (doc: number) => boolean): Ranking {
    const places = [...this.docs.keys()].filter((place) => test(this.docs[place]!));
    return new Ranking(
      Uint32Array.from(places, (place) => this.docs[place]!),
      Float64Array.from(places, (place) => this.scores[place]!),
      this.partsOf,
    );
  }
}

/** Scores the matches. */
export function* fuse(input: FusionInput): Task<Ranking> {
  const { text, semantic, identified } = input;
  const docs = unite([text?.docs ?? NONE, semantic?.docs ?? NONE, Uint32Array.from(identified)]);
  switch (input.fusion.method) {
    case "convex":
      return yield* fuseConvex(docs, input, input.fusion.semanticWeight);
    case "rrf":
      return fuseRanks(docs, input, input.fusion.rankConstant);
  }
}

const NONE = new Uint32Array(0);

/** (1 - w) * text share + w * cosine + title, over what that can be at most; where one of both was searched, it counts alone. */
function* fuseConvex(docs: Uint32Array, input: FusionInput, semanticWeight: number): Task<Ranking> {
  const { text, semantic, titles, window, identified } = input;
  const { allCosines } = needsOf(input.fusion);
  const isIdentified = new Set(identified);
  const textWeight = text === null ? 0 : semantic === null ? 1 : 1 - semanticWeight;
  const cosineWeight = semantic === null ? 0 : text === null ? 1 : semanticWeight;
  const divisor = titles?.divisor ?? 1;
  const scoreBy = (doc: number, sum: number): number => {
    if (isIdentified.has(doc)) return 1;
    const score = roundScore(sum / divisor);
    return isIdentified.size > 0 ? Math.min(score, BELOW_IDENTIFIED) : score;
  };

  // The records whose cosine and title count, by their places.
  const rescored = window === null ? docs : unite([window, semantic?.docs ?? NONE]);
  const places = placesIn(docs, rescored);
  const sums = new Float64Array(docs.length);
  if (text !== null) {
    addShares(docs, text, textWeight, sums);
    yield;
  }
  if (semantic !== null) {
    const asked = allCosines ? Uint32Array.from(docs.keys()) : places;
    const add = (some: Uint32Array): void => {
      const cosines = semantic.cosinesOf(docsAt(docs, some));
      for (let i = 0; i < some.length; i++) sums[some[i]!]! += cosineWeight * cosines[i]!;
    };
    // Where only the first are needed, the best by words reach a score that spares most of the others their cosine.
    const first = input.top === null ? asked : bestPlaces(asked, sums, Math.max(FIRST_COSINES, 2 * input.top));
    add(first);
    yield;
    if (first.length < asked.length) {
      const best = new GreatestNumbers(Math.max(1, input.top!));
      for (const place of first) best.add(scoreBy(docs[place]!, sums[place]!));
      const mostMore = cosineWeight + (titles?.most ?? 0) + LAST_BITS;
      add(others(asked, first).filter((place) => scoreBy(docs[place]!, sums[place]! + mostMore) >= best.least));
      yield;
    }
  }
  const scores = new Float64Array(docs.length);
  for (let i = 0; i < docs.length; i++) scores[i] = scoreBy(docs[i]!, sums[i]!);
  if (titles !== null) yield* addTitles(docs, places, { sums, scores, scoreBy }, titles, input.top);

  const cosineOf = (doc: number): number => semantic!.cosinesOf(Uint32Array.of(doc))[0]!;
  return new Ranking(docs, scores, (doc) => {
    const isBeyondWindow = window !== null && indexOfSorted(rescored, doc) < 0;
    return {
      lexical: text === null ? 0 : (textWeight * text.shareOf(doc)) / divisor,
      semantic: semantic === null || (isBeyondWindow && !allCosines) ? 0 : (cosineWeight * cosineOf(doc)) / divisor,
      title: titles === null || isBeyondWindow ? 0 : titles.sumOf(doc) / divisor,
      isBeyondWindow: isBeyondWindow && (titles !== null || (semantic !== null && !allCosines)),
    };
  });
}

/** The places of the `count` greatest sums, and of those that equal the last of them. */
function bestPlaces(places: Uint32Array, sums: Float64Array, count: number): Uint32Array {
  if (places.length <= count) return places;
  const best = new GreatestNumbers(count);
  for (let i = 0; i < places.length; i++) best.add(sums[places[i]!]!);
  const { least } = best;
  return places.filter((place) => sums[place]! >= least);
}

/** Those of `places` that are not in `some`; both ascend. */
function others(places: Uint32Array, some: Uint32Array): Uint32Array {
  const left = new Uint32Array(places.length - some.length);
  for (let i = 0, at = 0; i < places.length; i++) {
    if (places[i] === some[at]) at++;
    else left[i - at] = places[i]!;
  }
  return left;
}

/** The scores while titles are asked. */
interface OpenScores {
  readonly sums: Float64Array;
  readonly scores: Float64Array;
  readonly scoreBy: (doc: number, sum: number) => number;
}

/**
 * Asks the titles of the records at some places. Where only the first `top` are needed, the best records are asked first, until
 * even the greatest title would not bring another one among them.
 */
function* addTitles(
  docs: Uint32Array,
  places: Uint32Array,
  { sums, scores, scoreBy }: OpenScores,
  titles: TitleScores,
  top: number | null,
): Task<void> {
  if (top === null || top >= docs.length) {
    for (let i = 0; i < places.length; i++) {
      if (i % PAUSE_EVERY === 0) yield;
      const place = places[i]!;
      sums[place]! += titles.sumOf(docs[place]!);
      scores[place] = scoreBy(docs[place]!, sums[place]!);
    }
    return;
  }
  if (top === 0) return;
  const best = new GreatestNumbers(top);
  let at = 0;
  // The other records have their scores already.
  for (let place = 0; place < docs.length; place++) {
    if (places[at] === place) at++;
    else best.add(scores[place]!);
  }
  // The best without their titles come first: what they reach spares most of the others.
  const first = new GreatestNumbers(top);
  for (let i = 0; i < places.length; i++) first.add(scores[places[i]!]!);
  const leastFirst = first.least;
  const without = scores.slice();
  let asked = 0;
  for (const isFirst of [true, false])
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      if (without[place]! >= leastFirst !== isFirst) continue;
      const doc = docs[place]!;
      if (scoreBy(doc, sums[place]! + titles.most + LAST_BITS) < best.least) continue;
      if (++asked % PAUSE_EVERY === 0) yield;
      sums[place]! += titles.sumOf(doc);
      scores[place] = scoreBy(doc, sums[place]!);
      best.add(scores[place]!);
    }
}

/** The mean over the searches that ran of (k + 1) / (k + rank); ranks count for a search's own matches only. */
function fuseRanks(docs: Uint32Array, { text, semantic, identified }: FusionInput, rankConstant: number): Ranking {
  const isIdentified = new Set(identified);
  const searches = Number(text !== null) + Number(semantic !== null);
  const part = (rank: number | undefined): number =>
    rank === undefined ? 0 : (rankConstant + 1) / (rankConstant + rank) / searches;
  const textRanks = text === null ? undefined : ranksOf(text.docs, text.shares);
  const semanticRanks = semantic === null ? undefined : ranksOf(semantic.docs, semantic.cosinesOf(semantic.docs));
  const partsOf = (doc: number): ScoreParts => ({
    lexical: part(textRanks?.get(doc)),
    semantic: part(semanticRanks?.get(doc)),
    title: 0,
    isBeyondWindow: false,
  });
  const scores = Float64Array.from(docs, (doc) => {
    if (isIdentified.has(doc)) return 1;
    const { lexical, semantic: byMeaning } = partsOf(doc);
    const score = roundScore(lexical + byMeaning);
    return isIdentified.size > 0 ? Math.min(score, BELOW_IDENTIFIED) : score;
  });
  return new Ranking(docs, scores, partsOf);
}

/** 1 for the best; scores that are equal to six decimals share the first of their ranks. */
function ranksOf(docs: Uint32Array, scores: Float64Array): Map<number, number> {
  const scored = Array.from(docs, (doc, i) => ({ doc, score: roundScore(scores[i]!) }));
  scored.sort((a, b) => b.score - a.score);
  const ranks = new Map<number, number>();
  let rank = 1;
  for (const [i, { doc, score }] of scored.entries()) {
    if (i > 0 && score !== scored[i - 1]!.score) rank = i + 1;
    ranks.set(doc, rank);
  }
  return ranks;
}

/** To six decimals. */
export function roundScore(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

/** Adds what records earn by words; `docs` holds all records of `text`, and both ascend. */
function addShares(docs: Uint32Array, text: TextScores, weight: number, sums: Float64Array): void {
  for (let place = 0, at = 0; place < docs.length; place++) {
    const isListed = text.docs[at] === docs[place];
    sums[place] = weight * (isListed ? text.shares[at]! : text.shareOf(docs[place]!));
    if (isListed) at++;
  }
}

/** The records of several ascending lists, ascending, each once. */
export function unite(lists: readonly Uint32Array[]): Uint32Array {
  const [first = NONE, ...others] = lists.filter((list) => list.length > 0);
  return others.reduce(uniteTwo, first);
}

function uniteTwo(a: Uint32Array, b: Uint32Array): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; size++) {
    const takesA = j >= b.length || (i < a.length && a[i]! <= b[j]!);
    const doc = takesA ? a[i]! : b[j]!;
    all[size] = doc;
    if (a[i] === doc) i++;
    if (b[j] === doc) j++;
  }
  return all.slice(0, size);
}

/** The places that those of `some` have in `docs` which are there; both ascend. */
function placesIn(docs: Uint32Array, some: Uint32Array): Uint32Array {
  const places = new Uint32Array(Math.min(docs.length, some.length));
  let size = 0;
  for (let place = 0, at = 0; place < docs.length && at < some.length; ) {
    const [doc, other] = [docs[place]!, some[at]!];
    if (doc === other) places[size++] = place;
    if (doc <= other) place++;
    if (other <= doc) at++;
  }
  return places.subarray(0, size);
}

function docsAt(docs: Uint32Array, places: Uint32Array): Uint32Array {
  const some = new Uint32Array(places.length);
  for (let i = 0; i < some.length; i++) some[i] = docs[places[i]!]!;
  return some;
}
