// A run: the measured rankings of one way to search. Two runs over the same queries can be compared.

import { Checker } from "../input/checker.js";
import { takeItems, takeProperties } from "../input/plain-data.js";
import { releaseSignal } from "../util/abort.js";
import { refusal, throwValidationErrors } from "../util/errors.js";
import { show } from "../util/show.js";
import { runTask } from "../util/tasks.js";
import { type EvaluationOptions, readEvaluationOptions, withOptions } from "./evaluation-options.js";
import { type CheckedSet, type JudgedSet, readJudgedSet } from "./judged-set.js";
import {
  type BootstrapRule,
  bootstrapIntervals,
  type Cutoffs,
  type Interval,
  MEASURE_NAMES,
  type Measures,
  meanMeasures,
  measureRanking,
} from "./measures.js";

/** The measures of one query. */
export interface QueryMeasures extends Measures {
  readonly queryId: string;
}

/** The measures of one way to search. */
export interface EvaluatedRun {
  /** Means over the queries that have a relevant record. */
  readonly means: Measures;
  /** The measures of each of these queries, in the given order. */
  readonly queries: readonly QueryMeasures[];
  /** Ids of the queries without a relevant record; they are in no mean. */
  readonly leftOut: readonly string[];
}

/** A run minus another, measure by measure. */
export type Comparison = { readonly [name in keyof Measures]: Interval };

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
  const { cutoffs, signal } = readEvaluationOptions(options);
  releaseSignal(signal);
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

/** Whether the value is a run: every query has an id and all measures as numbers. */
export function isRun(value: unknown): value is EvaluatedRun {
  const queries = isObject(value) ? value.queries : undefined;
  const isQuery = (query: unknown): boolean =>
    isObject(query) && typeof query.queryId === "string" && MEASURE_NAMES.every((name) => Number.isFinite(query[name]));
  return Array.isArray(queries) && queries.every(isQuery);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** As `compareRuns`, with checked options. */
export async function compare(
  run: EvaluatedRun,
  baseline: EvaluatedRun,
  rule: BootstrapRule,
  signal: AbortSignal | undefined,
): Promise<Comparison> {
  const before = new Map(baseline.queries.map((query) => [query.queryId, query]));
  if (before.size !== run.queries.length || !run.queries.every(({ queryId }) => before.has(queryId)))
    throw refusal("invalid_baseline", "baseline", "The two runs measured different queries; measure the same in both.");
  const differences = MEASURE_NAMES.map((name) =>
    run.queries.map((query) => query[name] - before.get(query.queryId)![name]),
  );
  const [ndcg, recall, mrr, precision, judged, condensedNdcg] = await runTask(
    bootstrapIntervals(differences, rule),
    signal,
  );
  return {
    ndcg: ndcg!,
    recall: recall!,
    mrr: mrr!,
    precision: precision!,
    judged: judged!,
    condensedNdcg: condensedNdcg!,
  };
}

/** Measures checked rankings, given by query id. */
export function scoreRankings(
  rankings: ReadonlyMap<string, readonly string[]>,
  { queries, leftOut }: CheckedSet,
  cutoffs: Cutoffs,
): EvaluatedRun {
  const measured = queries.map(({ id, relevance }) => ({
    queryId: id,
    ...measureRanking(rankings.get(id) ?? [], relevance, cutoffs),
  }));
  return { means: meanMeasures(measured), queries: measured, leftOut };
}

const MOST = 1_000_000;

function readRankings(given: unknown): Map<string, readonly string[]> {
  const check = new Checker("invalid_rankings", "");
  const rankings = new Map<string, readonly string[]>();
  const list = takeItems(given, MOST);
  if (list === undefined) check.complain("rankings", given, "a list of { queryId, recordIds }");
  for (const [i, item] of (list ?? []).entries()) {
    const { queryId, recordIds } = takeProperties(item, { what: `rankings[${i}]`, error: "invalid_rankings" });
    const ids = takeItems(recordIds, MOST);
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
