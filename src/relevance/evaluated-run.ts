// A run: the measured rankings of one way to search. Two runs over the same queries can be compared.

import { refusal } from "../util/errors.js";
import { objectIn } from "../util/json.js";
import { runTask } from "../util/tasks.js";
import type { CheckedSet } from "./judged-set.js";
import {
  type BootstrapRule,
  bootstrapIntervals,
  byMeasure,
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

/** Whether the value is a run: every query has an id and all measures as numbers. */
export function isRun(value: unknown): value is EvaluatedRun {
  const queries = objectIn(value)?.queries;
  const isQuery = (given: unknown): boolean => {
    const query = objectIn(given);
    return typeof query?.queryId === "string" && MEASURE_NAMES.every((name) => Number.isFinite(query[name]));
  };
  return Array.isArray(queries) && queries.every(isQuery);
}

/** Subtracts a baseline from a run; see `compareRuns`. Throws 400 for runs over different queries. */
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
  const intervals = await runTask(bootstrapIntervals(differences, rule), signal);
  return byMeasure((_, place) => intervals[place]!);
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
