// The members that can be on a page, out of all. What a member earns by words is at hand; what it could earn by meaning at
// most is a bound: only those whose bound reaches the page are scored exactly. What is left out could not be shown.

import type { DocSet } from "../base/doc-set.js";
import { fuse, type Leg } from "../query/fuse.js";
import type { FusedRanking, TitlePart } from "../query/fusion/fused-ranking.js";
import { placeIn, type VectorRanking } from "../vector/search-vectors.js";
import { keepWindow } from "./page-window.js";
import type { Legs, PageRanks } from "./search-legs.js";
import { AskedTitles, type NearDocs, type PageNeed, sureOfFirst, sureOfReaching, type TextLegs } from "./sure-sum.js";

/** Some members, among them all that can be shown, and how many members pass the clicks. */
export interface Finalists {
  readonly ranking: FusedRanking;
  readonly nbHits: number;
  /** How many members, none of them in the ranking, come before the page. */
  readonly before: number;
}

/** Those at the ranks of a page that pass the clicks are among those it picks. */
export function pickFinalists(legs: TextLegs, ranks: PageRanks): Finalists {
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
/** Fewer candidates are looked at whole at once. */
const FEWEST_SIFTED = 32;
/** From so many times those asked for on, a better bound spares more than it takes. */
const TIMES_SIFTED = 4;
const NONE = new Uint32Array(0);

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

/**
 * The candidates that can be among the first `count` stay, and the members by meaning join them. Where `count` members reach a
 * sum, no other can be shown that cannot, but for rounding. One that is no member by meaning has at
 * most the cosine of the farthest member (with a graph: 1), and no more by its title than its terms let it: the rest it must
 * have by words.
 */
function keepFinalists(legs: TextLegs, near: NearDocs, need: PageNeed): void {
  const { text, vectors, wordsWeight, elsewhere } = legs;
  const { candidates } = text;
  if (need.count === 0) candidates.size = 0;
  if (candidates.size > 0) {
    // The sums that are compared may both be off as far as impacts are.
    const doubt = ROUNDING + 2 * wordsWeight * text.plan.drift;
    const sure = sureOfFirst(legs, near, need) - doubt;
    candidates.keepFrom(elsewhere.leastScore(sure));
    if (vectors !== null && candidates.size >= FEWEST_SIFTED)
      siftFinalists({ ...legs, vectors }, need, { sure, doubt });
    candidates.drop((doc) => placeIn(near.docs, doc) >= 0);
    text.sharpen();
  }
  candidates.add(near.docs, near.scores);
}

/** What a candidate still lacks by words and with the most that its title can add, its own cosine must give, which high bytes bound. */
function siftFinalists(
  legs: TextLegs & { readonly vectors: VectorRanking },
  need: PageNeed,
  { sure, doubt }: { readonly sure: number; readonly doubt: number },
): void {
  const { vectors, meaningWeight, elsewhere } = legs;
  const { candidates } = legs.text;
  const reaches = vectors.keepReaching(candidates, {
    least: sure / meaningWeight,
    worth: elsewhere.worth / meaningWeight,
    count: need.count,
    slack: doubt / meaningWeight,
    besides: (score) => elsewhere.byTitle(score) / meaningWeight,
  });
  const { titles, count } = need;
  if (titles === null || count > MOST_LOOKED_AT || candidates.size < TIMES_SIFTED * count) return;
  const surer = sureOfReaching(legs, reaches, titles, count) - doubt;
  if (surer <= sure) return;
  // Candidates are asked for in their order, which is that of what they reach.
  let place = 0;
  candidates.drop(() => meaningWeight * reaches[place++]! < surer);
}
