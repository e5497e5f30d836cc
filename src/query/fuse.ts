// Two rankings become one. Members are united; each gets one score in 0 … 1, rounded to six decimals, from its own numbers
// and the collection's statistics alone. Convex combination: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
// Retrieval", 2023; reciprocal rank fusion: Cormack, Clarke, Buettcher, 2009, here divided by its greatest value.

import { GreatestNumbers } from "../base/top-k.js";

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

/** A bounded third part of the score. */
export interface TitlePart {
  /** What it adds to a record's score, before the division; something less where that is below `least` for sure. */
  readonly sumOf: (doc: number, least?: number) => number;
  /** The most that it adds. */
  readonly most: number;
  /** What all is divided by, so that 1 stays the most. */
  readonly divisor: number;
}

/** The united members, and the score of each. */
export interface FusedRanking {
  /** Ascending record numbers. */
  readonly members: Uint32Array;
  /** By position in `members`. */
  readonly scores: Float64Array;
  /** What each leg contributes to a record's score, before rounding. */
  readonly partsOf: (doc: number) => ScoreParts;
}

/** What each leg gives a record. */
type LegParts = Pick<ScoreParts, "lexical" | "semantic">;

/** The additive parts of a score. */
export interface ScoreParts {
  readonly lexical: number;
  readonly semantic: number;
  readonly title: number;
}

const UNITS = 1e6;
/** Last bits are worth far less than this, in units. */
const DOUBT = 1e-4;
/** The best score of a record that is not the exact code. */
const BELOW_EXACT = 0.999999;

/** Unites the legs' members and scores them; with `count`, at least all that can be among so many of the best. */
export function fuse(input: FusionInput, count: number = Number.POSITIVE_INFINITY): FusedRanking {
  const { lexical, semantic, method, exact } = input;
  const united = unite([lexical?.members ?? [], semantic?.members ?? [], exact]);
  const legs =
    method.method === "rrf"
      ? reciprocalRank(lexical, semantic, method.rankConstant)
      : convex(lexical, semantic, method.semanticWeight);
  const titles = method.method === "rrf" ? null : input.titles;
  const base = baseOf(united, input, legs);
  const { members, sums } =
    titles === null ? { members: united, sums: base } : addTitles(united, base, titles, input, count);
  const divisor = titles?.divisor ?? 1;
  const partsOf = (doc: number): ScoreParts => {
    const parts = legs(doc);
    return {
      lexical: parts.lexical / divisor,
      semantic: parts.semantic / divisor,
      title: titles === null ? 0 : titles.sumOf(doc) / divisor,
    };
  };
  const scores = sums.map((sum: number, i: number): number => {
    if (!isDoubtful((sum / divisor) * UNITS)) return roundScore(sum / divisor);
    const parts = legs(members[i]!);
    return roundScore((parts.lexical + parts.semantic + (titles?.sumOf(members[i]!) ?? 0)) / divisor);
  });
  if (exact.length > 0) putExactFirst(members, scores, new Set(exact));
  return { members, scores, partsOf };
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
  const meanings = semantic?.scoresOf?.(members);
  const known = lexical?.near === undefined ? [] : lexical.members;
  let at = 0;
  let place = 0;
  const nearly = convex(
    lexical && { members: [], scoreOf: (doc) => (known[at] === doc ? lexical.near![at]! : lexical.scoreOf(doc)) },
    semantic && { members: [], scoreOf: (doc) => meanings?.[place] ?? semantic.scoreOf(doc) },
    method.semanticWeight,
  );
  for (; place < members.length; place++) {
    const doc = members[place]!;
    while (at < known.length && known[at]! < doc) at++;
    sums[place] = sumOf(nearly(doc));
  }
  return sums;
}

function sumOf({ lexical, semantic }: LegParts): number {
  return lexical + semantic;
}

/** More than rounding to six decimals can move a score, before the division. */
const ROUNDING = 4e-6;

/**
 * The members that can be among the first `count` with their titles, and their sums. Those that are best without it are asked
 * first, so that the others soon need not be.
 */
function addTitles(
  members: Uint32Array,
  base: Float64Array,
  titles: TitlePart,
  { exact }: FusionInput,
  count: number,
): { readonly members: Uint32Array; readonly sums: Float64Array } {
  const full = (place: number): number => base[place]! + titles.sumOf(members[place]!);
  if (count >= members.length) return { members, sums: Float64Array.from(members.keys(), full) };
  const first = new GreatestNumbers(count);
  for (const sum of base) first.add(sum);
  const possible = members.map((_, place) => place).filter((at) => base[at]! + titles.most >= first.least - ROUNDING);
  const best = new GreatestNumbers(count);
  const sums = new Map<number, number>();
  for (const place of possible.sort((a, b) => base[b]! - base[a]!)) {
    const wanted = best.least - ROUNDING - base[place]!;
    if (titles.most < wanted) break;
    const title = titles.sumOf(members[place]!, wanted);
    if (title < wanted) continue;
    sums.set(place, base[place]! + title);
    best.add(base[place]! + title);
  }
  const codes = new Set(exact);
  for (const [place, doc] of members.entries()) if (codes.has(doc) && !sums.has(place)) sums.set(place, full(place));
  const kept = Uint32Array.from(sums.keys()).sort();
  return {
    members: kept.map((place) => members[place]!),
    sums: Float64Array.from(kept, (place) => sums.get(place)!),
  };
}

/** So near to a half that the last bits decide how it is rounded. */
function isDoubtful(units: number): boolean {
  return Math.abs(units - Math.floor(units) - 0.5) < DOUBT;
}

/** To six decimals. */
export function roundScore(score: number): number {
  return Math.round(score * UNITS) / UNITS;
}

function putExactFirst(members: Uint32Array, scores: Float64Array, exact: ReadonlySet<number>): void {
  for (let i = 0; i < members.length; i++) scores[i] = exact.has(members[i]!) ? 1 : Math.min(scores[i]!, BELOW_EXACT);
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
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length === 1) return Uint32Array.from(filled[0]!);
  const all = new Uint32Array(filled.reduce((total, list) => total + list.length, 0));
  let at = 0;
  for (const list of filled) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  return all.filter((doc, i) => i === 0 || doc !== all[i - 1]);
}
