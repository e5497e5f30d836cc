// What a change of settings would change: the same queries on the index as it is, and as it would be, side by side. Nothing is
// published. Each answer is that of `query`, so whatever has a part in answers has a part in a preview.

import type { CallOptions } from "../input/call-options.js";
import { copyItems, copyProperties } from "../input/plain-data.js";
import { type CheckedParams, readParams, requireSameDimensions } from "../input/read-params.js";
import { copySettings } from "../input/read-settings.js";
import type { EncodedParams, SearchParams } from "../input/search-params.js";
import { type QueryContext, runQuery } from "../query/run-query.js";
import { compare, scoreRankings } from "../relevance/evaluated-run.js";
import { type CheckedSet, type JudgedSet, readJudgedSet } from "../relevance/judged-set.js";
import { byMeasure, DEFAULT_BOOTSTRAP, DEFAULT_CUTOFFS, type Interval, type Measures } from "../relevance/measures.js";
import { PhaseClock } from "../state/engine-activity.js";
import { refusal, SearchError, show } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { beginTask, pauseIfLong, throwIfAborted } from "../util/tasks.js";
import type { LiveIndex } from "./live-index.js";

/** A query of a preview: its text, or its parameters in either form. */
export type PreviewedQuery<R extends object = JsonRecord> =
  | string
  | ((SearchParams<R> | EncodedParams) & {
      /** How much it counts in the total, such as how often it is asked; above 0. Default 1. */
      readonly weight?: number | undefined;
    });

/** What previewSettings compares. */
export interface PreviewOptions<R extends object = JsonRecord> extends CallOptions {
  /** At most 10,000. */
  readonly queries: readonly PreviewedQuery<R>[];
  /** Queries whose relevant records are known, as `evaluate` of `tandem-search/evaluation` takes them: then there are `measures`. */
  readonly judgements?: JudgedSet | undefined;
}

/** The page of a query before and after a change. All places are those on the page, from 0. */
export interface QueryPreview {
  readonly query: string;
  readonly nbHits: { readonly before: number; readonly after: number };
  /** The ids of the hits, in their order. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Hits of both at different places, in the order after the change. */
  readonly moved: readonly { readonly id: string; readonly from: number; readonly to: number }[];
  readonly entered: readonly { readonly id: string; readonly to: number }[];
  readonly left: readonly { readonly id: string; readonly from: number }[];
}

/** How much changes in all queries. */
export interface PreviewTotal {
  readonly queries: number;
  /** How many of them have another page, or another number of hits. */
  readonly changed: number;
  /** Their share of all queries by weight, 0 … 1. */
  readonly changedShare: number;
  /**
   * The share of the first ten hits that is the same before and after, whatever their order: of the longer list, if one is shorter; 1
   * where there are none. The mean by weight, 0 … 1.
   */
  readonly meanOverlapAt10: number;
}

/** The measures of the judged queries before and after a change: nDCG@10, recall@100 and others, each as the mean over queries. */
export interface PreviewMeasures {
  readonly before: Measures;
  readonly after: Measures;
  /** After minus before. */
  readonly difference: Measures;
  /** Where the difference lies with 95 % confidence (paired bootstrap). `significant`: chance is an unlikely cause. */
  readonly interval: { readonly [name in keyof Measures]: Omit<Interval, "difference"> };
}

/** What a change of settings would change. */
export interface SettingsPreview {
  /** In the order of the queries. */
  readonly queries: readonly QueryPreview[];
  /** Missing where there are no queries. */
  readonly total?: PreviewTotal;
  /** Only with `judgements`. */
  readonly measures?: PreviewMeasures;
}

const MOST_QUERIES = 10_000;
const DEPTH = 10;

/** Compares the answers of queries under the settings of an index with those under changed settings. */
export async function previewSettings(live: LiveIndex, settings: unknown, options: unknown): Promise<SettingsPreview> {
  const changes = Promise.resolve(beginTask(copySettings(settings)));
  changes.catch(() => {}); // the preview handles a rejection
  const { queries, judgements, ...own } = copyProperties(options, { what: "options", error: "invalid_options" });
  const asked = readQueries(queries);
  const judged = judgements === undefined ? undefined : readJudgedSet(judgements, DEFAULT_CUTOFFS.relevantFrom);
  return live.preview(changes, own, async (context, change) => {
    const params = await oneByOne([...asked, ...judgedQueries(judged)], context, async ({ what, params }) => ({
      what,
      checked: readParams(params, live.paramsContext(context)),
    }));
    const before = await askAll(params, context);
    const after = await askAll(params, await change());
    const pages: QueryPreview[] = [];
    for (let i = 0; i < asked.length; i++) {
      pages.push(compareAnswers(before[i]!, after[i]!));
      await pauseIfLong();
    }
    const weights = asked.map(({ weight }) => weight);
    const rankings = { before: before.slice(asked.length), after: after.slice(asked.length) };
    return {
      queries: pages,
      ...(pages.length > 0 && { total: totalOf(pages, weights) }),
      ...(judged !== undefined && { measures: await measure(judged, rankings, context.signal) }),
    };
  });
}

/** A query that is not checked yet. */
interface UncheckedQuery {
  /** For messages. */
  readonly what: string;
  readonly params: object;
  readonly weight: number;
}

function readQueries(given: unknown): readonly UncheckedQuery[] {
  const tooMany = (length: number): never => {
    throw refusal("invalid_parameter", "queries", `queries holds ${length} queries; pass at most ${MOST_QUERIES}.`);
  };
  const list = copyItems(given, MOST_QUERIES, tooMany);
  if (list !== undefined) return list.map(readAsked);
  const msg = `queries is ${show(given)}; pass an array of texts, or of parameters such as { query, filters }.`;
  throw refusal("invalid_parameter", "queries", msg);
}

function readAsked(given: unknown, position: number): UncheckedQuery {
  const what = `queries[${position}]`;
  if (typeof given === "string") return { what, params: { query: given }, weight: 1 };
  const { weight = 1, ...params } = copyProperties(given, { what, error: "invalid_parameter" });
  if (typeof weight === "number" && weight > 0 && weight <= Number.MAX_SAFE_INTEGER) return { what, params, weight };
  const msg = `${what}.weight is ${show(weight)}; pass a number above 0, at most ${Number.MAX_SAFE_INTEGER}.`;
  throw refusal("invalid_parameter", `${what}.weight`, msg);
}

/** The judged queries, as `evaluate` asks them. */
function judgedQueries(judged: CheckedSet | undefined): readonly UncheckedQuery[] {
  const own = { page: 1, hitsPerPage: DEFAULT_CUTOFFS.recallAt, attributesToRetrieve: [] };
  const asked = ({ id, params }: CheckedSet["queries"][number]): UncheckedQuery => ({
    what: `the judged query ${show(id)}`,
    params: { ...params, ...own },
    weight: 1,
  });
  return judged?.queries.map(asked) ?? [];
}

/** A query that is checked. */
type ReadyQuery = Pick<UncheckedQuery, "what"> & { readonly checked: CheckedParams };

/** What an answer is compared by. */
interface Answered {
  readonly query: string;
  readonly nbHits: number;
  readonly ids: readonly string[];
}

function askAll(queries: readonly ReadyQuery[], context: QueryContext): Promise<readonly Answered[]> {
  const { dimensions } = context.version().settings.effective;
  return oneByOne(queries, context, async ({ checked }) => {
    requireSameDimensions(checked.vector, dimensions);
    const { data } = await runQuery(checked, { ...context, clock: new PhaseClock() });
    return { query: data.query, nbHits: data.nbHits, ids: data.hits.map(({ id }) => id) };
  });
}

/** Works on one query after the other, so that whoever else asks need not wait for all of them. An error of a query says which one it is. */
async function oneByOne<Q extends Pick<UncheckedQuery, "what">, T>(
  queries: readonly Q[],
  { signal }: QueryContext,
  work: (query: Q) => Promise<T>,
): Promise<readonly T[]> {
  const done: T[] = [];
  for (const query of queries) {
    throwIfAborted(signal);
    try {
      done.push(await work(query));
    } catch (cause) {
      if (!(cause instanceof SearchError) || cause.code !== 400) throw cause;
      const { code, error, param, details } = cause;
      throw new SearchError(code, error, `${query.what}: ${cause.msg}`, { param, details, cause });
    }
    await pauseIfLong();
  }
  return done;
}

function compareAnswers(
  { query, nbHits, ids: before }: Answered,
  { nbHits: later, ids: after }: Answered,
): QueryPreview {
  const [placeBefore, placeAfter] = [placesOf(before), placesOf(after)];
  return {
    query,
    nbHits: { before: nbHits, after: later },
    before,
    after,
    moved: after.flatMap((id, to) => {
      const from = placeBefore.get(id);
      return from === undefined || from === to ? [] : [{ id, from, to }];
    }),
    entered: after.flatMap((id, to) => (placeBefore.has(id) ? [] : [{ id, to }])),
    left: before.flatMap((id, from) => (placeAfter.has(id) ? [] : [{ id, from }])),
  };
}

function placesOf(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, place) => [id, place]));
}

function totalOf(pages: readonly QueryPreview[], weights: readonly number[]): PreviewTotal {
  const changes = pages.map(
    ({ nbHits, moved, entered, left }) =>
      nbHits.before !== nbHits.after || moved.length + entered.length + left.length > 0,
  );
  const mean = (values: readonly number[]): number => {
    let [sum, all] = [0, 0];
    for (const [i, value] of values.entries()) {
      sum += weights[i]! * value;
      all += weights[i]!;
    }
    return sum / all;
  };
  const overlaps = pages.map(({ before, after }) => {
    const [first, second] = [before.slice(0, DEPTH), new Set(after.slice(0, DEPTH))];
    const most = Math.max(first.length, second.size);
    return most === 0 ? 1 : first.filter((id) => second.has(id)).length / most;
  });
  return {
    queries: pages.length,
    changed: changes.filter((one) => one).length,
    changedShare: mean(changes.map(Number)),
    meanOverlapAt10: mean(overlaps),
  };
}

async function measure(
  set: CheckedSet,
  answers: { readonly before: readonly Answered[]; readonly after: readonly Answered[] },
  signal: AbortSignal | undefined,
): Promise<PreviewMeasures> {
  const run = (given: readonly Answered[]): ReturnType<typeof scoreRankings> => {
    const rankings = new Map(set.queries.map(({ id }, i) => [id, given[i]!.ids]));
    return scoreRankings(rankings, set, DEFAULT_CUTOFFS);
  };
  const [before, after] = [run(answers.before), run(answers.after)];
  const comparison = await compare(after, before, DEFAULT_BOOTSTRAP, signal);
  return {
    before: before.means,
    after: after.means,
    difference: byMeasure((name) => comparison[name].difference),
    interval: byMeasure((name) => {
      const { low, high, significant } = comparison[name];
      return { low, high, significant };
    }),
  };
}
