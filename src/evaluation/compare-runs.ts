// Runs of any origin: rankings that are measured by judgements, and runs that are compared.

import { Checker } from "../input/kinds.js";
import { copyItems, copyProperties } from "../input/plain-data.js";
import { type Comparison, compare, type EvaluatedRun, isRun, scoreRankings } from "../relevance/evaluated-run.js";
import { type JudgedSet, readJudgedSet } from "../relevance/judged-set.js";
import { refusal, show, throwValidationErrors } from "../util/errors.js";
import { type EvaluationOptions, readEvaluationOptions, withOptions } from "./evaluation-options.js";

/** The answer of any engine to one query, best first. */
export interface Ranking {
  readonly queryId: string | number;
  readonly recordIds: readonly (string | number)[];
}

/**
 * Measures rankings of any origin, such as another engine, by the same judgements. A query without a ranking found nothing.
 *
 * @throws SearchError 400 for judgements, rankings or options that cannot be read
 * @example
 * const theirs = measureRun([{ queryId: "q1", recordIds: ["7", "3"] }], { queries, qrels });
 */
export function measureRun(
  rankings: readonly Ranking[],
  judgements: JudgedSet,
  options: Pick<EvaluationOptions, "k" | "recallAt" | "relevantFrom"> = {},
): EvaluatedRun {
  const { cutoffs } = readEvaluationOptions(options);
  return scoreRankings(readRankings(rankings), readJudgedSet(judgements, cutoffs.relevantFrom), cutoffs);
}

/**
 * Subtracts a baseline from a run, measure by measure, with 95 % paired bootstrap intervals of the mean over queries. Both
 * runs must have measured the same queries.
 *
 * @throws SearchError 400 for runs over different queries
 */
export async function compareRuns(
  run: EvaluatedRun,
  baseline: EvaluatedRun,
  options: Pick<EvaluationOptions, "resamples" | "seed" | "signal"> = {},
): Promise<Comparison> {
  return withOptions(options, [], ({ bootstrap, signal }) => {
    for (const [name, each] of Object.entries({ run, baseline }))
      if (!isRun(each)) throw refusal("invalid_run", name, `${name} is ${show(each)}; pass a run that was measured.`);
    return compare(run, baseline, bootstrap, signal);
  });
}

const MOST = 1_000_000;

function readRankings(given: unknown): Map<string, readonly string[]> {
  const check = new Checker("invalid_rankings", "");
  const rankings = new Map<string, readonly string[]>();
  const list = copyItems(given, MOST);
  if (list === undefined) check.complain("rankings", given, "a list of { queryId, recordIds }");
  for (const [i, item] of (list ?? []).entries()) {
    const { queryId, recordIds } = copyProperties(item, { what: `rankings[${i}]`, error: "invalid_rankings" });
    const ids = copyItems(recordIds, MOST);
    if (!isId(queryId)) check.complain(`rankings[${i}].queryId`, queryId, "a text or a number");
    else if (rankings.has(String(queryId))) check.complain(`rankings[${i}].queryId`, queryId, "one ranking a query");
    else if (ids?.every(isId) && new Set(ids.map(String)).size === ids.length)
      rankings.set(String(queryId), ids.map(String));
    else check.complain(`rankings[${i}].recordIds`, recordIds, "a list of ids, each once");
  }
  throwValidationErrors(check.complaints);
  return rankings;
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}
