// Lexical and semantic matches become one list with one score for each record: 0 … 1, rounded to six decimals, from the query,
// the record and the collection's statistics alone. Convex combination: Bruch, Gai, Ingber, "An Analysis of Fusion Functions
// for Hybrid Retrieval", 2023. Reciprocal rank fusion: Cormack, Clarke, Buettcher, 2009, here divided by its maximum.
//
// On the way of a query, no other file asks for a method by name, and every switch is exhaustive: a new method does not compile
// until it has said here what it needs.

import type { TitleEvidence } from "../../inverted/title/title-evidence.js";
import type { EffectiveSettings } from "../../settings/settings.js";
import type { Doc, DocArray } from "../../util/doc-set.js";
import { indexOfSorted, sortWithPauses } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";
import { GreatestNumbers } from "../../util/top-k.js";
import type { BoostScores } from "../prepare/active-boosts.js";

/** How the lexical and the semantic matches become one list; of "convex", the share of the cosine where both were searched, 0 … 1. */
export type FusionMethod = EffectiveSettings["fusion"];

/** What a fusion method needs to know of the matches. */
export interface FusionNeeds {
  /** A score depends on ranks among all matches, also those that facet refinements hide: so every match is scored. */
  readonly ranks: boolean;
  /** Only records in the rank window get a cosine and title evidence. */
  readonly window: boolean;
  /** Records behind the rank window get a cosine all the same. */
  readonly allCosines: boolean;
  readonly titles: boolean;
  /** The share of the cosine in the score, where that is a weighted sum of both searches; else 0. */
  readonly cosineShare: number;
}

/** Above this weight the cosine counts more than words, so every record gets its cosine. */
const MAX_WINDOWED_WEIGHT = 0.5;

/** What a method needs. */
export function needsOf(fusion: FusionMethod): FusionNeeds {
  switch (fusion.method) {
    case "convex": {
      const { semanticWeight } = fusion;
      const allCosines = semanticWeight > MAX_WINDOWED_WEIGHT;
      return { ranks: false, window: true, allCosines, titles: true, cosineShare: semanticWeight };
    }
    case "rrf":
      return { ranks: true, window: false, allCosines: true, titles: false, cosineShare: 0 };
  }
}

/** The semantic weight of a query that names none: 0 or 1 would leave out one of the searches. */
export function semanticWeightOf(fusion: FusionMethod): number {
  switch (fusion.method) {
    case "convex":
      return fusion.semanticWeight;
    case "rrf":
      // Ranks have no weights: both searches run.
      return 0.5;
  }
}

/** The same method with the semantic weight of one query. */
export function withSemanticWeight(fusion: FusionMethod, semanticWeight: number): FusionMethod {
  switch (fusion.method) {
    case "convex":
      return { ...fusion, semanticWeight };
    case "rrf":
      return fusion;
  }
}

/** Lexical matches: records, ascending, and the score of each as a share of the maximum possible score. */
export interface LexicalScores {
  readonly docs: DocArray<Doc>;
  readonly shares: Float64Array;
  /** The share of any record, whether it matches or not. */
  readonly shareOf: (doc: Doc) => number;
}

/** What the titles of records add to a convex score. */
type TitleScores = Pick<TitleEvidence, "most" | "mostLift" | "mostOf" | "divisor" | "sumOf">;

/** What a record's own signals add to its score, or take away. */
type BoostSums = Pick<BoostScores, "divisor" | "sumsOf">;

/** What is fused. */
export interface FusionInput {
  readonly fusion: FusionMethod;
  /** null: words were not searched. */
  readonly lexical: LexicalScores | null;
  /** The cosines of ascending records, negative ones as 0; null: vectors were not searched. */
  readonly semantic: {
    readonly docs: DocArray<Doc>;
    readonly cosinesOf: (docs: ArrayLike<Doc>) => Float64Array;
  } | null;
  /** Records that have the whole query as an identifier: they score 1, and then all others at most 0.999999. */
  readonly exactIdentifierDocs: readonly Doc[];
  /** null: titles add nothing. */
  readonly titles: TitleScores | null;
  /** null: there are no boosts. */
  readonly boosts: BoostSums | null;
  /** The records, ascending, that get a cosine and title evidence besides the semantic matches; null: all. */
  readonly window: DocArray<Doc> | null;
  /** How many of the best scores must be exact; null: all. */
  readonly top: number | null;
  /** Records, ascending, that are scored exactly, whether they match or not. */
  readonly promoted: DocArray<Doc>;
}

/** The parts of a score, before rounding; they add up to it. */
export interface ScoreParts {
  readonly lexical: number;
  readonly semantic: number;
  readonly title: number;
  /** What the record lacks of the greatest score by words, before it is divided. */
  readonly lacking: number;
  /** The record is behind the rank window, so cosine and title do not count. */
  readonly isBeyondWindow: boolean;
}

/** The maximum score of other records, where the whole query is the identifier of one, or where there are boosts. */
const BELOW_EXACT_IDENTIFIER = 0.999999;
/** Sums of floating-point numbers in two orders differ by far less. */
const LAST_BITS = 1e-12;
/** Titles scored, or records looked at, between two pauses. */
const PAUSE_EVERY = 256;
/** Cosines or scores computed between two pauses. */
const PAUSE_EVERY_SCORES = 1 << 16;

/** Records, ascending, with their scores. */
export class ScoredDocs {
  readonly docs: DocArray<Doc>;
  /** By place in `docs`. Of records that cannot be among the best `top`, the score without their title, which is below these. */
  readonly scores: Float64Array;
  /** The scores without boosts. */
  readonly relevance: Float64Array;
  readonly partsOf: (doc: Doc) => ScoreParts;

  constructor(
    docs: DocArray<Doc>,
    { scores, relevance = scores }: { readonly scores: Float64Array; readonly relevance?: Float64Array },
    partsOf: (doc: Doc) => ScoreParts,
  ) {
    this.docs = docs;
    this.scores = scores;
    this.relevance = relevance;
    this.partsOf = partsOf;
  }

  /** The records that pass a test. */
  *pick(test: (doc: Doc) => boolean): Task<ScoredDocs> {
    const { length } = this.docs;
    const docs = new Uint32Array(length);
    const scores = new Float64Array(length);
    const relevance = this.relevance === this.scores ? scores : new Float64Array(length);
    let size = 0;
    for (let place = 0; place < length; place++) {
      if ((place + 1) % PAUSE_EVERY_SCORES === 0) yield;
      if (!test(this.docs[place]!)) continue;
      docs[size] = this.docs[place]!;
      relevance[size] = this.relevance[place]!;
      scores[size++] = this.scores[place]!;
    }
    const picked = scores.subarray(0, size);
    const ofRelevance = relevance === scores ? picked : relevance.subarray(0, size);
    return new ScoredDocs(
      docs.subarray(0, size) as DocArray<Doc>,
      { scores: picked, relevance: ofRelevance },
      this.partsOf,
    );
  }
}

/** Scores the matches. */
export function* fuse(input: FusionInput): Task<ScoredDocs> {
  const { lexical, semantic, exactIdentifierDocs, promoted } = input;
  const docs = mergeDocs([
    lexical?.docs ?? NONE,
    semantic?.docs ?? NONE,
    Uint32Array.from(exactIdentifierDocs) as DocArray<Doc>,
    promoted,
  ]);
  switch (input.fusion.method) {
    case "convex":
      return yield* fuseConvex(docs, input, input.fusion.semanticWeight);
    case "rrf":
      return yield* fuseRanks(docs, input, input.fusion.rankConstant);
  }
}

/** Makes scores, 0 … 1, of the relevance of records and their boosts. */
class Scorer {
  /** What all parts of a score are divided by because of the boosts. */
  readonly divisor: number;
  private readonly docs: DocArray<Doc>;
  private readonly exact: ReadonlySet<Doc>;
  private readonly boosts: Float64Array | null;

  private constructor(docs: DocArray<Doc>, exact: ReadonlySet<Doc>, boosts: Float64Array | null, divisor: number) {
    this.docs = docs;
    this.exact = exact;
    this.boosts = boosts;
    this.divisor = divisor;
  }

  static *make(
    docs: DocArray<Doc>,
    { exactIdentifierDocs, boosts }: Pick<FusionInput, "exactIdentifierDocs" | "boosts">,
  ): Task<Scorer> {
    const sums = boosts === null ? null : yield* boosts.sumsOf(docs);
    return new Scorer(docs, new Set(exactIdentifierDocs), sums, boosts?.divisor ?? 1);
  }

  /** The score of the record at a place. */
  scoreAt(place: number, relevance: number): number {
    if (this.boosts === null) return this.relevanceAt(place, relevance);
    if (this.exact.has(this.docs[place]!)) return 1;
    const score = Math.max(0, relevance + this.boosts[place]!) / this.divisor;
    return Math.min(roundScore(score), BELOW_EXACT_IDENTIFIER);
  }

  /** The same without boosts. */
  relevanceAt(place: number, relevance: number): number {
    const score = roundScore(relevance);
    if (this.exact.size === 0) return score;
    return this.exact.has(this.docs[place]!) ? 1 : Math.min(score, BELOW_EXACT_IDENTIFIER);
  }

  /** All scores, of the relevance of each record. */
  *scored(relevanceOf: (place: number) => number, partsOf: ScoredDocs["partsOf"]): Task<ScoredDocs> {
    const { docs } = this;
    const relevance = new Float64Array(docs.length);
    const scores = this.boosts === null ? relevance : new Float64Array(docs.length);
    for (let place = 0; place < docs.length; place++) {
      if ((place + 1) % PAUSE_EVERY_SCORES === 0) yield;
      const given = relevanceOf(place);
      relevance[place] = this.relevanceAt(place, given);
      if (scores !== relevance) scores[place] = this.scoreAt(place, given);
    }
    return new ScoredDocs(docs, { scores, relevance }, partsOf);
  }
}

/** The records of a query that neither words nor meaning rank: boosts alone make their scores. */
export function* boostAlone(docs: DocArray<Doc>, boosts: BoostSums | null): Task<ScoredDocs> {
  const noParts = { lexical: 0, semantic: 0, title: 0, lacking: 0, isBeyondWindow: false };
  const scorer = yield* Scorer.make(docs, { exactIdentifierDocs: [], boosts });
  return yield* scorer.scored(
    () => 0,
    () => noParts,
  );
}

const NONE = new Uint32Array(0) as DocArray<Doc>;

/** max(0, (1 - w) * lexical share + w * cosine + title) / maximum of this sum. If only one of both was searched, its weight is 1. */
function* fuseConvex(docs: DocArray<Doc>, input: FusionInput, semanticWeight: number): Task<ScoredDocs> {
  const { lexical, semantic, titles, window } = input;
  const { allCosines } = needsOf(input.fusion);
  const scorer = yield* Scorer.make(docs, input);
  const lexicalWeight = lexical === null ? 0 : semantic === null ? 1 : 1 - semanticWeight;
  const cosineWeight = semantic === null ? 0 : lexical === null ? 1 : semanticWeight;
  const divisor = titles?.divisor ?? 1;
  const scoreBy = (place: number, sum: number): number => scorer.scoreAt(place, Math.max(0, sum) / divisor);

  // The records that get a cosine and title evidence, and their places.
  const rescored = window === null ? docs : mergeDocs([window, semantic?.docs ?? NONE]);
  const places = placesIn(docs, rescored);
  const sums = new Float64Array(docs.length);
  if (lexical !== null) {
    addShares(docs, lexical, lexicalWeight, sums);
    yield;
  }
  if (semantic !== null) {
    const withCosine = allCosines ? Uint32Array.from(docs.keys()) : places;
    for (let from = 0; from < withCosine.length; from += PAUSE_EVERY_SCORES) {
      const some = withCosine.subarray(from, from + PAUSE_EVERY_SCORES);
      const cosines = semantic.cosinesOf(docsAt(docs, some));
      for (let i = 0; i < some.length; i++) sums[some[i]!]! += cosineWeight * cosines[i]!;
      yield;
    }
  }
  const scores = new Float64Array(docs.length);
  for (let i = 0; i < docs.length; i++) {
    if ((i + 1) % PAUSE_EVERY_SCORES === 0) yield;
    scores[i] = scoreBy(i, sums[i]!);
  }
  const lackingOf = (doc: Doc): number => (lexical === null ? 0 : lexicalWeight * (1 - lexical.shareOf(doc)));
  if (titles !== null) yield* addTitles(docs, places, { sums, scores, scoreBy, lackingOf }, titles, input);

  // What all parts are divided by.
  const whole = divisor * scorer.divisor;
  const cosineOf = (doc: Doc): number => semantic!.cosinesOf(Uint32Array.of(doc) as DocArray<Doc>)[0]!;
  const partsOf = (doc: Doc): ScoreParts => {
    const isBeyondWindow = window !== null && indexOfSorted(rescored, doc) < 0;
    const byWords = lexical === null ? 0 : (lexicalWeight * lexical.shareOf(doc)) / whole;
    const byMeaning = semantic === null || (isBeyondWindow && !allCosines) ? 0 : (cosineWeight * cosineOf(doc)) / whole;
    return {
      lexical: byWords,
      semantic: byMeaning,
      title:
        titles === null || isBeyondWindow
          ? 0
          : Math.max(-byWords - byMeaning, titles.sumOf(doc, lackingOf(doc)) / whole),
      lacking: lackingOf(doc),
      isBeyondWindow: isBeyondWindow && (titles !== null || (semantic !== null && !allCosines)),
    };
  };
  if (input.boosts === null || input.top !== null) return new ScoredDocs(docs, { scores }, partsOf);
  return yield* scorer.scored((place) => Math.max(0, sums[place]!) / divisor, partsOf);
}

/** The scores while titles are added. */
interface OpenScores {
  readonly sums: Float64Array;
  readonly scores: Float64Array;
  readonly scoreBy: (place: number, sum: number) => number;
  /** What a record lacks of the greatest score by words. */
  readonly lackingOf: (doc: Doc) => number;
}

/**
 * Adds title evidence to the records at some places. If only the best `top` are needed, titles are scored best record first, and
 * a record that cannot reach the `top`-th best score with the maximum of a title is skipped, unless it is promoted.
 */
function* addTitles(
  docs: DocArray<Doc>,
  places: Uint32Array,
  { sums, scores, scoreBy, lackingOf }: OpenScores,
  titles: TitleScores,
  { top, promoted }: Pick<FusionInput, "top" | "promoted">,
): Task<void> {
  if (top === null || top >= docs.length) {
    for (let from = 0; from < places.length; from += PAUSE_EVERY) {
      const some = places.subarray(from, from + PAUSE_EVERY);
      for (const place of some) {
        sums[place]! += titles.sumOf(docs[place]!, lackingOf(docs[place]!));
        scores[place] = scoreBy(place, sums[place]!);
      }
      yield;
    }
    return;
  }
  if (top === 0) return;
  const best = new GreatestNumbers(top);
  let at = 0;
  // The other records have their scores already.
  for (let place = 0; place < docs.length; place++) {
    if ((place + 1) % PAUSE_EVERY_SCORES === 0) yield;
    if (places[at] === place) at++;
    else best.add(scores[place]!);
  }
  // The best without title evidence come first, so that the threshold rises early and most of the others are skipped.
  const first = new GreatestNumbers(top);
  for (let i = 0; i < places.length; i++) first.add(scores[places[i]!]!);
  const firstThreshold = first.least;
  const mayAdd = (place: number): boolean => {
    const doc = docs[place]!;
    if (indexOfSorted(promoted, doc) >= 0) return true;
    const { least } = best;
    const sum = sums[place]! + LAST_BITS;
    if (scoreBy(place, sum + titles.most + titles.mostLift) < least) return false;
    const lacking = lackingOf(doc);
    return (
      scoreBy(place, sum + titles.most + titles.mostLift * lacking) >= least &&
      scoreBy(place, sum + titles.mostOf(doc, lacking)) >= least
    );
  };
  const firstPlaces = places.filter((place) => scores[place]! >= firstThreshold);
  const otherPlaces = places.filter((place) => scores[place]! < firstThreshold);
  for (const some of [firstPlaces, otherPlaces])
    for (let i = 0; i < some.length; i++) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      const place = some[i]!;
      if (!mayAdd(place)) continue;
      sums[place]! += titles.sumOf(docs[place]!, lackingOf(docs[place]!));
      scores[place] = scoreBy(place, sums[place]!);
      best.add(scores[place]!);
    }
}

/** The mean of (k + 1) / (k + rank) over the searches that ran; a record that a search does not match gets 0 from it. */
function* fuseRanks(docs: DocArray<Doc>, input: FusionInput, rankConstant: number): Task<ScoredDocs> {
  const { lexical, semantic } = input;
  const scorer = yield* Scorer.make(docs, input);
  const searches = Number(lexical !== null) + Number(semantic !== null);
  const part = (rank: number | undefined): number =>
    rank === undefined ? 0 : (rankConstant + 1) / (rankConstant + rank) / searches;
  const lexicalRank = lexical === null ? undefined : yield* ranksOf(lexical.docs, lexical.shares);
  const semanticRank = semantic === null ? undefined : yield* ranksOf(semantic.docs, semantic.cosinesOf(semantic.docs));
  const partsOf = (doc: Doc): ScoreParts => ({
    lexical: part(lexicalRank?.(doc)) / scorer.divisor,
    semantic: part(semanticRank?.(doc)) / scorer.divisor,
    title: 0,
    lacking: 0,
    isBeyondWindow: false,
  });
  return yield* scorer.scored((place) => {
    const doc = docs[place]!;
    return part(lexicalRank?.(doc)) + part(semanticRank?.(doc));
  }, partsOf);
}

/** The best has rank 1; scores that are equal to six decimals share the first of their ranks. */
function* ranksOf(docs: DocArray<Doc>, scores: Float64Array): Task<(doc: Doc) => number | undefined> {
  const rounded: number[] = [];
  for (let i = 0; i < docs.length; i++) {
    if ((i + 1) % PAUSE_EVERY_SCORES === 0) yield;
    rounded.push(roundScore(scores[i]!));
  }
  const ranks = new Map<number, number>();
  for (const [i, score] of (yield* sortWithPauses(rounded, (a, b) => b - a)).entries()) {
    if ((i + 1) % PAUSE_EVERY_SCORES === 0) yield;
    if (!ranks.has(score)) ranks.set(score, i + 1);
  }
  return (doc) => {
    const place = indexOfSorted(docs, doc);
    return place < 0 ? undefined : ranks.get(rounded[place]!);
  };
}

/** To six decimals. */
export function roundScore(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

/** Adds the lexical part of the scores; `docs` contains all records of `lexical`, and both ascend. */
function addShares(docs: DocArray<Doc>, lexical: LexicalScores, weight: number, sums: Float64Array): void {
  for (let place = 0, at = 0; place < docs.length; place++) {
    const isListed = lexical.docs[at] === docs[place];
    sums[place] = weight * (isListed ? lexical.shares[at]! : lexical.shareOf(docs[place]!));
    if (isListed) at++;
  }
}

/** The union of ascending lists, ascending. */
function mergeDocs(lists: readonly DocArray<Doc>[]): DocArray<Doc> {
  const [first = NONE, ...others] = lists.filter((list) => list.length > 0);
  return others.reduce(mergeTwo, first);
}

function mergeTwo(a: DocArray<Doc>, b: DocArray<Doc>): DocArray<Doc> {
  const all = new Uint32Array(a.length + b.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; size++) {
    const takesA = j >= b.length || (i < a.length && a[i]! <= b[j]!);
    const doc = takesA ? a[i]! : b[j]!;
    all[size] = doc;
    if (a[i] === doc) i++;
    if (b[j] === doc) j++;
  }
  return all.slice(0, size) as DocArray<Doc>;
}

/** The places in `docs` of those records of `some` that it contains; both ascend. */
function placesIn(docs: DocArray<Doc>, some: DocArray<Doc>): Uint32Array {
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

function docsAt(docs: DocArray<Doc>, places: Uint32Array): DocArray<Doc> {
  const some = new Uint32Array(places.length);
  for (let i = 0; i < some.length; i++) some[i] = docs[places[i]!]!;
  return some as DocArray<Doc>;
}
