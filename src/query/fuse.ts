// Two rankings become one. Members are united; each gets one score in 0 … 1, rounded to six decimals, from its own numbers
// and the collection's statistics alone. Convex combination: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
// Retrieval", 2023; reciprocal rank fusion: Cormack, Clarke, Buettcher, 2009, here divided by its greatest value.

/** One leg's members and scores; `scoreOf` answers for every record, member or not. */
export interface Leg {
  /** Ascending record numbers. */
  readonly members: ArrayLike<number>;
  /** The members' scores, by position, where they are at hand: right but for the last bits. */
  readonly near?: Float64Array;
  /** Within 0 … 1. */
  readonly scoreOf: (doc: number) => number;
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

/** The additive parts of a score. */
export interface ScoreParts {
  readonly lexical: number;
  readonly semantic: number;
}

const UNITS = 1e6;
/** Last bits are worth far less than this, in units. */
const DOUBT = 1e-4;
/** The best score of a record that is not the exact code. */
const BELOW_EXACT = 0.999999;

/** Unites the legs' members and scores them. */
export function fuse(input: FusionInput): FusedRanking {
  const { lexical, semantic, method, exact } = input;
  const members = unite([lexical?.members ?? [], semantic?.members ?? [], exact]);
  const partsOf =
    method.method === "rrf"
      ? reciprocalRank(lexical, semantic, method.rankConstant)
      : convex(lexical, semantic, method.semanticWeight);
  const scores = scoreMembers(members, input, partsOf);
  if (exact.length > 0) putExactFirst(members, scores, new Set(exact));
  return { members, scores, partsOf };
}

/** Scores that are at hand but for their last bits are made exact only where these decide how they are rounded. */
function scoreMembers(
  members: Uint32Array,
  { lexical, semantic, method }: FusionInput,
  partsOf: (doc: number) => ScoreParts,
): Float64Array {
  const near = method.method === "convex" ? lexical?.near : undefined;
  const known = near === undefined ? [] : lexical!.members;
  let score = 0;
  const nearly =
    near === undefined || method.method === "rrf"
      ? partsOf
      : convex({ members: [], scoreOf: () => score }, semantic, method.semanticWeight);
  const scores = new Float64Array(members.length);
  for (let i = 0, at = 0; i < members.length; i++) {
    const doc = members[i]!;
    while (at < known.length && known[at]! < doc) at++;
    if (near !== undefined && known[at] === doc) score = near[at]!;
    let parts = (known[at] === doc ? nearly : partsOf)(doc);
    if (known[at] === doc && isDoubtful((parts.lexical + parts.semantic) * UNITS)) parts = partsOf(doc);
    scores[i] = roundScore(parts.lexical + parts.semantic);
  }
  return scores;
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
function convex(lexical: Leg | null, semantic: Leg | null, weight: number): (doc: number) => ScoreParts {
  if (lexical === null) return (doc) => ({ lexical: 0, semantic: semantic?.scoreOf(doc) ?? 0 });
  if (semantic === null) return (doc) => ({ lexical: lexical.scoreOf(doc), semantic: 0 });
  return (doc) => ({ lexical: (1 - weight) * lexical.scoreOf(doc), semantic: weight * semantic.scoreOf(doc) });
}

/** The mean over the legs that ran of (k + 1) / (k + rank); a leg's rank counts for its members only. */
function reciprocalRank(lexical: Leg | null, semantic: Leg | null, rankConstant: number): (doc: number) => ScoreParts {
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
