// The members that can be on a page, out of all. What a member earns by words is at hand; what it could earn by meaning at
// most is a bound: only those whose bound reaches the page are scored exactly. What is left out could not be shown.

import type { DocSet } from "../base/doc-set.js";
import { GreatestNumbers } from "../base/top-k.js";
import { fuse, type Leg } from "../query/fuse.js";
import type { FusedRanking, TitlePart } from "../query/fusion/fused-ranking.js";
import type { TextRanking } from "../text/search-text.js";
import { placeIn } from "../vector/search-vectors.js";
import { keepWindow } from "./page-window.js";
import type { Legs, PageRanks } from "./search-legs.js";

/** Some members, among them all that can be shown, and how many members pass the clicks. */
export interface Finalists {
  readonly ranking: FusedRanking;
  readonly nbHits: number;
  /** How many members, none of them in the ranking, come before the page. */
  readonly before: number;
}

/** Those at the ranks of a page that pass the clicks are among those it picks. */
export function pickFinalists(legs: Legs & { readonly text: TextRanking }, ranks: PageRanks): Finalists {
  const { text, passing } = legs;
  const titles = legs.titles === null ? null : new AskedTitles(legs.titles);
  const isListed = passing === null || legs.isPageEnough;
  if (!isListed) text.candidates.keepAmong(passing);
  const left = passing === null ? legs : onlyPassing(legs, passing);
  const near = left.vectors?.members ?? NONE;
  const nearScores = text.scoresOf(near);
  let nbHits = isListed ? text.count : text.candidates.size;
  for (let i = 0; i < near.length; i++) if (!text.isMember(near[i]!, nearScores[i])) nbHits++;
  for (const doc of left.exact) if (!near.includes(doc) && !text.isMember(doc)) nbHits++;
  let before = 0;
  if (legs.vectors === null && ranks.to > MOST_LOOKED_AT) before = keepWindow(left, ranks);
  else keepFinalists(left, { docs: near, scores: nearScores }, { titles, count: ranks.to });
  return {
    ranking: fuseLegs(left, text.candidates.docs.slice(0, text.candidates.size).sort(), titles),
    nbHits,
    before,
  };
}

/** Of a page that reaches deeper no titles are looked at for a bound. */
const MOST_LOOKED_AT = 256;
/** More than rounding to six decimals can move a sum, before all is divided. */
const ROUNDING = 4e-6;
/** Of candidates that are level, so many times those asked for are looked at for a bound. */
const TIMES_LEVEL = 4;
/** Fewer candidates are looked at whole at once. */
const FEWEST_SIFTED = 32;
const NONE = new Uint32Array(0);

/** Titles that are asked twice, some of them: their sums are kept in between. */
class AskedTitles implements TitlePart {
  readonly most: number;
  readonly divisor: number;
  private readonly titles: TitlePart;
  private readonly sums = new Map<number, number>();

  constructor(titles: TitlePart) {
    this.titles = titles;
    this.most = titles.most;
    this.divisor = titles.divisor;
  }

  sumOf(doc: number, least?: number): number {
    return this.sums.get(doc) ?? this.titles.sumOf(doc, least);
  }

  /** The sum, which is kept. */
  keepSumOf(doc: number): number {
    const sum = this.titles.sumOf(doc);
    this.sums.set(doc, sum);
    return sum;
  }
}

/** All members with their scores; the leg of words has listed all of its own. */
export function fuseAll(legs: Legs): FusedRanking {
  legs.text?.sharpen();
  return fuseLegs(legs, legs.text?.members() ?? new Uint32Array(0), legs.titles);
}

/** The legs with those members by meaning and exact codes alone that pass. */
function onlyPassing<L extends Legs>(legs: L, passing: DocSet): L {
  const { vectors, exact } = legs;
  const passes = (doc: number): boolean => passing.has(doc);
  return {
    ...legs,
    vectors: vectors === null ? null : { ...vectors, members: vectors.members.filter(passes) },
    exact: exact.filter(passes),
  };
}

/** Both legs, of the leg of words these members. */
function fuseLegs(
  { text, vectors, method, exact }: Legs,
  members: Uint32Array,
  titles: TitlePart | null,
): FusedRanking {
  const lexical: Leg | null =
    text === null ? null : { members, near: text.nearShares(members), scoreOf: (doc) => text.shareOf(doc) };
  const semantic: Leg | null =
    vectors === null
      ? null
      : { members: vectors.members, scoreOf: (doc) => vectors.similarityOf(doc), scoresOf: vectors.similaritiesOf };
  return fuse({ lexical, semantic, method, exact, titles });
}

/** Members by meaning, ascending, with what they earn by words. */
interface NearDocs {
  readonly docs: Uint32Array;
  readonly scores: Float64Array;
}

/** What a page needs, and the titles it may ask. */
interface PageNeed {
  readonly titles: AskedTitles | null;
  readonly count: number;
}

/**
 * The candidates that can be among the first `count` stay, and the members by meaning join them. Where `count` members reach a
 * sum, no other can be shown that cannot, but for rounding. One that is no member by meaning has at
 * most the cosine of the farthest member (with a graph: 1), and no title adds more than `most`: the rest it must have by words.
 * What it still lacks by them, with such a title, its own cosine must give, which high bytes bound.
 */
function keepFinalists(legs: Legs & { readonly text: TextRanking }, near: NearDocs, need: PageNeed): void {
  const { text, vectors, wordsWeight, meaningWeight, mostElsewhere } = legs;
  const { candidates } = text;
  if (need.count === 0) candidates.size = 0;
  if (candidates.size > 0) {
    // The sums that are compared may both be off as far as impacts are.
    const doubt = ROUNDING + 2 * wordsWeight * text.plan.drift;
    const sure = sureSum(legs, near, need) - doubt;
    const toSum = wordsWeight / text.attainable;
    candidates.keepFrom(sure - wordsWeight * mostElsewhere, toSum);
    if (vectors !== null && candidates.size >= FEWEST_SIFTED) {
      const most = need.titles?.most ?? 0;
      const slack = (most + doubt) / meaningWeight;
      const [least, worth] = [(sure - most) / meaningWeight, toSum / meaningWeight];
      vectors.keepReaching(candidates, { least, worth, count: need.count, slack });
    }
    candidates.drop((doc) => placeIn(near.docs, doc) >= 0);
    text.sharpen();
  }
  candidates.add(near.docs, near.scores);
}

/**
 * A sum of words, meaning and title that `count` members reach for sure; minus infinity: none is known. Those that words or
 * meaning alone put first are looked at, and of the best of them their titles.
 */
function sureSum(
  { text, vectors, wordsWeight, meaningWeight }: Legs & { readonly text: TextRanking },
  near: NearDocs,
  { titles, count }: PageNeed,
): number {
  const { docs, scores, size } = text.candidates;
  if (near.docs.length + size < count) return Number.NEGATIVE_INFINITY;
  const toSum = wordsWeight / text.attainable;
  const cosines = vectors?.similaritiesOf(near.docs);
  const [found, sums]: [number[], number[]] = [[], []];
  for (let i = 0; i < near.docs.length; i++) {
    found.push(near.docs[i]!);
    sums.push(toSum * near.scores[i]! + meaningWeight * cosines![i]!);
  }
  const { least } = greatest(scores, size, count);
  const level = new Uint32Array(Math.min(size, TIMES_LEVEL * count));
  let levels = 0;
  for (let i = 0; i < size && levels < level.length; i++)
    if (scores[i]! >= least && placeIn(near.docs, docs[i]!) < 0) level[levels++] = i;
  // Asked for together and in order, similarities take a fraction of the time.
  const places = level.subarray(0, levels).sort((a, b) => docs[a]! - docs[b]!);
  const meanings = vectors?.similaritiesOf(Uint32Array.from(places, (place) => docs[place]!));
  for (let i = 0; i < levels; i++) {
    found.push(docs[places[i]!]!);
    sums.push(toSum * scores[places[i]!]! + (meanings === undefined ? 0 : meaningWeight * meanings[i]!));
  }
  if (found.length < count) return Number.NEGATIVE_INFINITY;
  const last = greatest(sums, sums.length, count).least;
  if (titles === null) return last;
  const best = new GreatestNumbers(count);
  for (let i = 0, left = count; left > 0; i++) {
    if (sums[i]! < last) continue;
    left--;
    best.add(sums[i]! + titles.keepSumOf(found[i]!));
  }
  return best.least;
}

/** Of the first `size` numbers the greatest, `count` or all. */
function greatest(numbers: ArrayLike<number>, size: number, count: number): GreatestNumbers {
  const best = new GreatestNumbers(Math.min(count, size));
  for (let i = 0; i < size; i++) best.add(numbers[i]!);
  return best;
}
