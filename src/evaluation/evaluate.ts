// Measures the relevance of an index with judgements: by words alone, by meaning alone, and by both with its settings.

import { SearchIndex } from "../api/search-index.js";
import type { CallOptions } from "../input/call-options.js";
import { copyItems } from "../input/plain-data.js";
import type { SearchParams } from "../input/search-params.js";
import type { RecallSource } from "../query/response.js";
import { type Comparison, compare, type EvaluatedRun, isRun } from "../relevance/evaluated-run.js";
import { type JudgedSet, readJudgedSet } from "../relevance/judged-set.js";
import { SearchError } from "../util/errors.js";
import { type EvaluatedEngine, measure } from "./evaluated-engine.js";
import { type CheckedEvaluation, type EvaluationOptions, withOptions } from "./evaluation-options.js";

/** How an index is queried: by words alone, by meaning alone, or by both with its settings. */
export type Way = "words" | "meaning" | "both";

/** Options of evaluate. */
export interface EvaluateOptions extends EvaluationOptions {
  /** The ways to query. Default all three. */
  readonly ways?: readonly Way[] | undefined;
  /** The baseline of the differences: one of the ways, or an earlier run. Default `"words"` if it is among the ways. */
  readonly baseline?: Way | EvaluatedRun | undefined;
}

/** What evaluate answers. */
export interface Evaluation {
  readonly runs: { readonly [way in Way]?: EvaluatedRun };
  /** Each way minus the baseline. */
  readonly differences: { readonly [way in Way]?: Comparison };
  /** Ids that were judged relevant but are not in the index: the judgements may belong to another catalogue. */
  readonly missingRecords: readonly string[];
}

const WAYS: readonly Way[] = ["words", "meaning", "both"];

/** The parameters of each way, and the retriever that must have run for the answer to count. */
const ASKED: Readonly<Record<Way, { readonly params: Partial<SearchParams>; readonly needs?: RecallSource }>> = {
  words: { params: { semanticWeight: 0 }, needs: "fullTextSearch" },
  meaning: { params: { semanticWeight: 1 }, needs: "semanticSearch" },
  both: { params: {} },
};

/**
 * Measures an index by queries whose relevant records are known: nDCG, recall, MRR, precision, the judged share, and nDCG
 * without unjudged records, for each query and as means, with 95 % bootstrap intervals of the differences.
 *
 * Queries without a relevant record are left out. A query that a retriever cannot answer (because none of its words has a
 * vector, for example) counts as having found nothing. The index is not changed.
 *
 * @param index - a handle, or the name of an index of the process's own engine, or of `options.engine`
 * @throws SearchError 400 (judgements, options), 404, 499
 * @example
 * const { runs, differences } = await evaluate(products, {
 *   queries: [{ id: "q1", query: "couch" }],
 *   qrels: [{ queryId: "q1", recordId: 2001, relevance: 2 }],
 * });
 * console.log(runs.both.means.ndcg, differences.both.ndcg);
 */
export async function evaluate(
  index: string | SearchIndex<object>,
  judgements: JudgedSet,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  return withOptions(options, ["ways", "baseline"], async (checked) => {
    const { cutoffs, bootstrap, signal, counting } = checked;
    const [engine, indexName] = askedOf(index, checked.engine);
    const { ways, baseline } = readWays(checked);
    const set = readJudgedSet(judgements, cutoffs.relevantFrom);
    await engine.getSettings(indexName);
    const runs: { [way in Way]?: EvaluatedRun } = {};
    const onQuery = counting(ways.length * set.queries.length);
    for (const way of ways) runs[way] = await measure(set, checked, { engine, indexName, ...ASKED[way], onQuery });
    const before = typeof baseline === "string" ? runs[baseline] : baseline;
    const differences: { [way in Way]?: Comparison } = {};
    for (const way of ways)
      if (before !== undefined && runs[way] !== before)
        differences[way] = await compare(runs[way]!, before, bootstrap, signal);
    const relevant = set.queries.flatMap(({ relevance }) => [...relevance].filter(([, value]) => value > 0));
    const ids = [...new Set(relevant.map(([id]) => id))];
    const records = await engine.getRecords(indexName, ids);
    return { runs, differences, missingRecords: ids.filter((_, i) => records[i] === null) };
  });
}

type AskedEngine = Pick<EvaluatedEngine, "query" | "getSettings" | "getRecords">;

/** What answers, and the name of the index there. */
function askedOf(index: string | SearchIndex<object>, engine: EvaluatedEngine): [engine: AskedEngine, name: string] {
  if (!(index instanceof SearchIndex)) return [engine, index];
  const handle = index as SearchIndex;
  const own = {
    query: (_: string, params: SearchParams, options?: CallOptions) => handle.query(params, options),
    getSettings: () => handle.getSettings(),
    getRecords: (_: string, ids: readonly (string | number)[]) => handle.getRecords(ids),
  };
  return [own as AskedEngine, handle.name];
}

function readWays({ entries, check }: CheckedEvaluation): {
  readonly ways: readonly Way[];
  readonly baseline: Way | EvaluatedRun | undefined;
} {
  const asked = entries.ways ?? WAYS;
  const list = copyItems(asked, WAYS.length);
  const ways = WAYS.filter((way) => list?.includes(way));
  if (ways.length === 0 || ways.length !== list?.length)
    check.complain("ways", asked, 'some of "words", "meaning", "both", each once');
  const baseline = entries.baseline ?? (ways.includes("words") ? "words" : undefined);
  const isWay = typeof baseline === "string";
  if (isWay ? !ways.some((way) => way === baseline) : baseline !== undefined && !isRun(baseline))
    check.complain("baseline", baseline, "one of the given ways, or a run");
  const [complaint] = check.complaints;
  if (complaint !== undefined) throw new SearchError(400, complaint.error, complaint.msg, { param: complaint.param });
  return { ways, baseline: baseline as Way | EvaluatedRun | undefined };
}
