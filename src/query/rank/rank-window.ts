// Which matches by words may be on the page, and which of them are in the rank window: only these get a cosine and title evidence
// (docs/decisions/rank-window.md). The window is cut from the order by words, before refinements, so that no choice of a shopper moves it.

import type { Candidates, CompetitiveRank } from "../../inverted/text-matches.js";
import type { CheckedSettings } from "../../settings/resolved-settings.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import type { Doc, DocArray } from "../../util/doc-set.js";
import type { Task } from "../../util/tasks.js";
import { topKInSteps } from "../../util/top-k.js";
import type { PreparedQuery } from "../prepare/prepare-query.js";
import { orderOf } from "./order-hits.js";

/** What the window is cut from besides the matches. */
interface WindowInput {
  readonly prepared: PreparedQuery;
  readonly snapshot: BoundedSnapshot;
  readonly settings: CheckedSettings;
}

/** The records of the window, ascending: the best matches by words; of those with equal scores the first by custom ranking, then by id. */
export function* bestLexicalMatches(
  matches: Candidates,
  { snapshot, settings }: Pick<WindowInput, "snapshot" | "settings">,
): Task<DocArray<Doc>> {
  const { docs, scores, size } = matches;
  const count = settings.rankWindow;
  if (size <= count) return docs.slice(0, size).sort() as DocArray<Doc>;
  const least = matches.thresholdFor([{ count, slack: 0 }]);
  const best: number[] = [];
  const level: number[] = [];
  for (let i = 0; i < size; i++) {
    if (scores[i]! > least) best.push(docs[i]!);
    else if (scores[i] === least) level.push(docs[i]!);
  }
  const tied = Uint32Array.from(level).sort() as DocArray<Doc>;
  yield;
  const { before } = yield* orderOf({ docs: tied, scores: new Float64Array(tied.length) }, [], settings, { snapshot });
  const places = yield* topKInSteps(Uint32Array.from(tied.keys()), count - best.length, before);
  for (const place of places) best.push(tied[place]!);
  return Uint32Array.from(best).sort() as DocArray<Doc>;
}

/** Scores that round to the same six decimals differ by less. */
const ROUNDING = 2e-6;

/**
 * The ranks for which a match by words must compete to be needed for a page. `pageEnd`: the place behind the last hit of the page;
 * `cosineShare`: the share of the cosine in a score.
 */
export function competitiveRanks(
  pageEnd: number,
  cosineShare: number,
  { prepared: { query, titles, boosts }, settings: { rankWindow } }: WindowInput,
): CompetitiveRank[] {
  // Without a page, nothing competes: matches are only counted.
  if (pageEnd === 0) return [{ count: 1, slack: 0 }];
  const divisor = titles?.divisor ?? 1;
  // How much lexical score, before it is fused, adds this part to the fused score.
  const rounding = ROUNDING * divisor * (boosts?.divisor ?? 1);
  const toLexical = (part: number): number => Math.ceil(((part + rounding) * query.maxScore) / (1 - cosineShare));
  // What boosts can change between two records.
  const boosted = boosts === null ? 0 : divisor * (boosts.most + boosts.mostLoss);
  const { most, mostLift, mostLoss } = titles ?? { most: 0, mostLift: 0, mostLoss: 0 };
  return [
    // Behind the window, only the lexical score and boosts count. Records within it may fall behind others if titles take something away.
    { count: mostLoss > 0 ? rankWindow + pageEnd : Math.max(rankWindow, pageEnd), slack: toLexical(boosted) },
    // The most that cosine, title and boosts can change between a record and one before it.
    { count: pageEnd, slack: toLexical(cosineShare + most + mostLift + mostLoss + boosted) },
  ];
}
