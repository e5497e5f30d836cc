// The engine under evaluation: the verbs it needs, temporary copies of an index, and judged queries to run.

import * as defaultEngine from "../api/default-engine.js";
import type { Engine } from "../api/engine.js";
import type { SearchParams } from "../input/search-params.js";
import type { RecallSource } from "../query/response.js";
import { type EvaluatedRun, scoreRankings } from "../relevance/evaluated-run.js";
import type { CheckedSet } from "../relevance/judged-set.js";
import type { Cutoffs } from "../relevance/measures.js";
import { pauseIfLong, throwIfAborted } from "../util/tasks.js";

/** The verbs of an engine that are functions, too. */
export type EvaluatedEngine = Pick<Engine, keyof typeof defaultEngine & keyof Engine>;

/** The default engine of the process. */
export const DEFAULT_ENGINE: EvaluatedEngine = defaultEngine;

/** Copies an index, passes the copy's name to `work` and returns its result; always deletes the copy. */
export async function withCopy<T>(
  engine: EvaluatedEngine,
  indexName: string,
  work: (copyName: string) => Promise<T>,
): Promise<T> {
  const copyName = await freeName(engine);
  await engine.copyIndex(indexName, copyName);
  try {
    return await work(copyName);
  } finally {
    await engine.deleteIndex(copyName);
  }
}

let copies = 0;

/** A name that neither an index nor another evaluation of this process has. */
async function freeName(engine: EvaluatedEngine): Promise<string> {
  const taken = new Set((await engine.listIndexes()).map(({ name }) => name));
  let name: string;
  do name = `evaluation-copy-${++copies}`;
  while (taken.has(name));
  return name;
}

/** How the queries of a judged set are asked. */
interface Asking {
  readonly engine: Pick<EvaluatedEngine, "query">;
  readonly indexName: string;
  /** Parameters of every query; they override the query's own. */
  readonly params: Partial<SearchParams>;
  /** The retriever that must have run; an answer without it counts as empty. */
  readonly needs?: RecallSource;
  /** Called after each query. */
  readonly onQuery: () => void;
}

/** Measures what the queries of a judged set find, one after the other. */
export async function measure(
  set: CheckedSet,
  { cutoffs, signal }: { readonly cutoffs: Cutoffs; readonly signal: AbortSignal | undefined },
  { engine, indexName, params, needs, onQuery }: Asking,
): Promise<EvaluatedRun> {
  const rankings = new Map<string, readonly string[]>();
  for (const query of set.queries) {
    throwIfAborted(signal);
    const asked = { ...query.params, ...params, page: 1, hitsPerPage: cutoffs.recallAt, attributesToRetrieve: [] };
    const { data } = await engine.query(indexName, asked, signal === undefined ? {} : { signal });
    const counts = needs === undefined || data.recallSource.includes(needs);
    rankings.set(query.id, counts ? data.hits.map(({ id }) => id) : []);
    onQuery();
    await pauseIfLong();
  }
  return scoreRankings(rankings, set, cutoffs);
}
