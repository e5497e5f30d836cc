// Two rankings become one. Members are united; each gets one score in 0 … 1, rounded to six decimals, from its own numbers
// and the collection's statistics alone. Convex combination: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
// Retrieval", 2023; reciprocal rank fusion: Cormack, Clarke, Buettcher, 2009, here divided by its greatest value.

import { FusedRanking, roundScore, type ScoreParts, type TitlePart } from "./fusion/fused-ranking.js";

/** One leg's members and scores; `scoreOf` answers for every record, member or not. */
export interface Leg {
  /** Ascending record numbers. */
  readonly members: ArrayLike<number>;
  /** The members' scores, by position, where they are at hand: right but for the last bits. */
  readonly near?: Float64Array;
  /** Within 0 … 1. */
  readonly scoreOf: (doc: number) => number;
  /** The same for many records, by position; they ascend. */
  readonly scoresOf?: (docs: Uint32Array) => Float64Array;
}

/** The legs that ran, and how they are joined. */
export interface FusionInput {
  readonly lexical: Leg | null;
  readonly semantic: Leg | null;
  readonly method:
    | { readonly method: "convex"; readonly semanticWeight: number }
    | { readonly method: "rrf"; readonly rankConstant: number };
  /** Records whose identifier is the whole query: they score 1, and nothing else above .999999. */
  readonly exact: readonly number[];
  /** What titles add to a convex score; null: nothing. */
  readonly titles: TitlePart | null;
}

/** What each leg gives a record. */
type LegParts = Pick<ScoreParts, "lexical" | "semantic">;

/** Unites the legs' members. */
export function fuse(input: FusionInput): FusedRanking {
  const { lexical, semantic, method, exact } = input;
  const members = unite([lexical?.members ?? [], semantic?.members ?? [], exact]);
  const legs =
    method.method === "rrf"
      ? reciprocalRank(lexical, semantic, method.rankConstant)
      : convex(lexical, semantic, method.semanticWeight);
  const titles = method.method === "rrf" ? null : input.titles;
  const divisor = titles?.divisor ?? 1;
  const partsOf = (doc: number): ScoreParts => {
    const parts = legs(doc);
    return {
      lexical: parts.lexical / divisor,
      semantic: parts.semantic / divisor,
      title: titles === null ? 0 : titles.sumOf(doc) / divisor,
    };
  };
  const base = baseOf(members, input, legs);
  const source = { base, exactBase: (doc: number) => sumOf(legs(doc)), titles, codes: new Set(exact) };
  return new FusedRanking(members, source, partsOf);
}

/** What the legs give each member, right but for the last bits where words are at hand so. */
function baseOf(
  members: Uint32Array,
  { lexical, semantic, method }: FusionInput,
  partsOf: (doc: number) => LegParts,
): Float64Array {
  const sums = new Float64Array(members.length);
  if (method.method === "rrf") {
    for (let i = 0; i < members.length; i++) sums[i] = sumOf(partsOf(members[i]!));
    return sums;
  }
  // A leg that ran alone counts fully.
  const [byWords, byMeaning] = [lexical, semantic].map((leg) => (leg === null ? 0 : 1));
  const both = byWords === 1 && byMeaning === 1;
  const ofWords = both ? 1 - method.semanticWeight : byWords!;
  const ofMeaning = both ? method.semanticWeight : byMeaning!;
  const shares = lexical === null ? null : nearScores(lexical, members);
  const meanings = semantic?.scoresOf?.(members) ?? null;
  for (let i = 0; i < sums.length; i++) {
    const meaning = meanings === null ? (semantic?.scoreOf(members[i]!) ?? 0) : meanings[i]!;
    sums[i] = ofWords * (shares?.[i] ?? 0) + ofMeaning * meaning;
  }
  return sums;
}

/** The scores of these, as they are at hand; both lists ascend. */
function nearScores({ members: known, near, scoreOf }: Leg, members: Uint32Array): Float64Array {
  const scores = new Float64Array(members.length);
  for (let i = 0, at = 0; i < members.length; i++) {
    const doc = members[i]!;
    while (at < known.length && known[at]! < doc) at++;
    scores[i] = near !== undefined && known[at] === doc ? near[at]! : scoreOf(doc);
  }
  return scores;
}

function sumOf({ lexical, semantic }: LegParts): number {
  return lexical + semantic;
}

/** (1 - w) * lexical + w * semantic; a leg that ran alone counts fully. */
function convex(lexical: Leg | null, semantic: Leg | null, weight: number): (doc: number) => LegParts {
  if (lexical === null) return (doc) => ({ lexical: 0, semantic: semantic?.scoreOf(doc) ?? 0 });
  if (semantic === null) return (doc) => ({ lexical: lexical.scoreOf(doc), semantic: 0 });
  return (doc) => ({ lexical: (1 - weight) * lexical.scoreOf(doc), semantic: weight * semantic.scoreOf(doc) });
}

/** The mean over the legs that ran of (k + 1) / (k + rank); a leg's rank counts for its members only. */
function reciprocalRank(lexical: Leg | null, semantic: Leg | null, rankConstant: number): (doc: number) => LegParts {
  const legs = Number(lexical !== null) + Number(semantic !== null);
  const part = (leg: Leg | null): ((doc: number) => number) => {
    if (leg === null) return () => 0;
    const ranks = rankMembers(leg);
    return (doc) => {
      const rank = ranks.get(doc);
      return rank === undefined ? 0 : (rankConstant + 1) / (rankConstant + rank) / legs;
    };
  };
  const [byWords, byMeaning] = [part(lexical), part(semantic)];
  return (doc) => ({ lexical: byWords(doc), semantic: byMeaning(doc) });
}

/** 1 for the best; equal scores (to six decimals) share the first of their ranks. */
function rankMembers(leg: Leg): Map<number, number> {
  const scored = Array.from(leg.members, (doc) => ({ doc, score: roundScore(leg.scoreOf(doc)) }));
  scored.sort((a, b) => b.score - a.score);
  const ranks = new Map<number, number>();
  let rank = 1;
  for (const [i, { doc, score }] of scored.entries()) {
    if (i > 0 && score !== scored[i - 1]!.score) rank = i + 1;
    ranks.set(doc, rank);
  }
  return ranks;
}

/** The members of several ascending lists, ascending, each once. */
export function unite(lists: readonly ArrayLike<number>[]): Uint32Array {
  const [first = [], ...others] = lists.filter((list) => list.length > 0);
  return others.reduce<Uint32Array>(uniteTwo, Uint32Array.from(first));
}

function uniteTwo(a: Uint32Array, b: ArrayLike<number>): Uint32Array {
  const all = new Uint32Array(a.length + b.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; size++) {
    const [left, right] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY];
    all[size] = Math.min(left, right);
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return all.slice(0, size);
}
