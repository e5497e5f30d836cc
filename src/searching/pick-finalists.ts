// The members that can be on a page, out of all. What a member earns by words is at hand; what it could earn by meaning at
// most is a bound: only those whose bound reaches the page are scored exactly. What is left out could not be shown.

import { type DocSet, inAll } from "../base/doc-set.js";
import { GreatestNumbers } from "../base/top-k.js";
import { fuse, type Leg } from "../query/fuse.js";
import type { FusedRanking, TitlePart } from "../query/fusion/fused-ranking.js";
import type { TextRanking } from "../text/search-text.js";
import type { Legs } from "./search-legs.js";

/** Some members, among them all that can be shown, and how many members pass the clicks. */
export interface Finalists {
  readonly ranking: FusedRanking;
  readonly nbHits: number;
}

/** More than rounding to six decimals can move a score. */
const ROUNDING = 2e-6;

/** The `count` best that pass the clicks are among those it picks. Where there are clicks, all members by words must be listed. */
export function pickFinalists(
  legs: Legs & { readonly text: TextRanking },
  clicked: readonly DocSet[],
  count: number,
): Finalists {
  const { text, vectors, exact } = legs;
  const titles = legs.titles === null ? null : new AskedTitles(legs.titles);
  const passing = clicked.length === 0 ? null : inAll(clicked);
  const passes = (doc: number): boolean => passing === null || passing.has(doc);
  if (passing !== null) text.candidates.keepAmong(passing);
  let nbHits = clicked.length > 0 ? text.candidates.size : text.count;
  for (const doc of new Set([...(vectors?.members ?? []), ...exact])) if (passes(doc) && !text.isMember(doc)) nbHits++;
  const left = passing === null ? legs : onlyPassing(legs, passes);
  return { ranking: fuseLegs(left, pickByWords(legs, titles, count), titles), nbHits };
}

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
  return fuseLegs(legs, legs.text?.members() ?? new Uint32Array(0), legs.titles);
}

/** The legs with those members by meaning and exact codes alone that pass. */
function onlyPassing(legs: Legs, passes: (doc: number) => boolean): Legs {
  const { vectors, exact } = legs;
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

/**
 * The members by words that can be among the first `count`, ascending; no others are candidates any more. All is counted in
 * shares by words.
 */
function pickByWords(
  { text, vectors, method, wordsWeight, mostElsewhere }: Legs & { readonly text: TextRanking },
  titles: AskedTitles | null,
  count: number,
): Uint32Array {
  const { docs, scores, size } = text.candidates;
  if (count === 0 || size === 0) return new Uint32Array(0);
  const toShare = 1 / text.attainable;
  const room = Math.min(count, size);
  const best = new GreatestNumbers(room);
  for (let i = 0; i < size; i++) best.add(toShare * scores[i]!);
  let { least } = best;
  if ((vectors !== null || titles !== null) && method.method === "convex") {
    // The first by words are so good with meaning and title: no other need be looked at that cannot be as good as the last
    // of them. Of those that are level at the edge, the titles of some are enough.
    const factor = vectors === null ? 0 : method.semanticWeight / wordsWeight;
    const full = new GreatestNumbers(room);
    for (let i = 0, asked = 0; i < size; i++) {
      const share = toShare * scores[i]!;
      if (share < least) continue;
      const meaning = vectors === null ? 0 : factor * vectors.similarityOf(docs[i]!);
      const title = titles === null || asked++ >= room ? 0 : titles.keepSumOf(docs[i]!) / wordsWeight;
      full.add(share + meaning + title);
    }
    least = full.least;
  }
  const reached = least - mostElsewhere - ROUNDING;
  text.candidates.keepFrom(reached, toShare);
  return docs.slice(0, text.candidates.size).sort();
}
