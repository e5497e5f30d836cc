// How the legs' scores become one score a member.

import type { Leg } from "./naive-legs.js";
import type { NaiveSettings } from "./naive-record.js";
import type { TitlePoints } from "./naive-titles.js";

/** Some records, members or not: each with its score before it is rounded. */
export function fuse(
  ids: readonly string[],
  { lexical, semantic }: { readonly lexical: Leg | null; readonly semantic: Leg | null },
  weight: number,
  { fusion }: NaiveSettings,
  titles: TitlePoints | undefined,
  window: ReadonlySet<string>,
): Map<string, number> {
  // Behind the window a record has the score of its words alone; where meaning counts more, its cosine as well.
  const isInWindow = (id: string): boolean => lexical === null || window.has(id) || semantic?.members.has(id) === true;
  const ranks = [lexical, semantic].filter((leg) => leg !== null).map(ranksOf);
  const scores = new Map<string, number>();
  const share = semantic === null ? 1 : 1 - weight;
  for (const id of ids) {
    const lacking = share * (1 - (lexical?.scores.get(id) ?? 0));
    const score =
      fusion?.method === "rrf"
        ? reciprocal(id, ranks, fusion.rankConstant ?? 60)
        : Math.max(
            0,
            convex(id, lexical, semantic, weight, isInWindow(id) || weight > 0.5) +
              (isInWindow(id) ? (titles?.of(id, lacking) ?? 0) : 0),
          ) / (titles?.divisor ?? 1);
    scores.set(id, score);
  }
  return scores;
}

function convex(id: string, lexical: Leg | null, semantic: Leg | null, weight: number, hasMeaning: boolean): number {
  const word = lexical?.scores.get(id) ?? 0;
  const meaning = hasMeaning ? (semantic?.scores.get(id) ?? 0) : 0;
  if (lexical === null) return meaning;
  return semantic === null ? word : (1 - weight) * word + weight * meaning;
}

/** The mean over the legs that ran; a leg counts for its members only. */
function reciprocal(id: string, legs: readonly ReadonlyMap<string, number>[], k: number): number {
  let sum = 0;
  for (const ranks of legs) if (ranks.has(id)) sum += (k + 1) / (k + ranks.get(id)!);
  return sum / legs.length;
}

/** One more than the number of members that are better, to six decimals. */
function ranksOf({ members, scores }: Leg): Map<string, number> {
  const rounded = [...members].map((id) => round6(scores.get(id)!));
  return new Map([...members].map((id, i) => [id, 1 + rounded.filter((score) => score > rounded[i]!).length]));
}

export function round6(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
