// Asking an index the queries of a judged set, one after the other.

import { throwIfAborted } from "../base/abort.js";
import { pauseIfLong } from "../base/slices.js";
import type { RecallSource } from "../query/response.js";
import type { SearchParams } from "../query/search-params.js";
import type { EvaluatedEngine } from "./evaluated-engine.js";
import type { CheckedQuery } from "./judged-set.js";

/** How the queries are asked. */
export interface Asking {
  readonly engine: EvaluatedEngine;
  readonly indexName: string;
  /** Hits to ask for. */
  readonly depth: number;
  /** What is asked beside each query's own parameters; wins over them. */
  readonly params: Partial<SearchParams>;
  /** The leg without which an answer counts as empty. */
  readonly needs?: RecallSource;
  readonly signal: AbortSignal | undefined;
  /** Called after each query. */
  readonly onQuery: () => void;
}

/** The ids that each query found, best first, by its id. */
export async function askQueries(
  queries: readonly CheckedQuery[],
  { engine, indexName, depth, params, needs, signal, onQuery }: Asking,
): Promise<Map<string, readonly string[]>> {
  const rankings = new Map<string, readonly string[]>();
  for (const query of queries) {
    throwIfAborted(signal);
    const asked = { ...query.params, ...params, page: 1, hitsPerPage: depth, attributesToRetrieve: [] };
    const { data } = await engine.query(indexName, asked, signal === undefined ? {} : { signal });
    const counts = needs === undefined || data.recallSource.includes(needs);
    rankings.set(query.id, counts ? data.hits.map(({ id }) => id) : []);
    onQuery();
    await pauseIfLong();
  }
  return rankings;
}
