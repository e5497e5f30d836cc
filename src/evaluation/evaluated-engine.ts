// The engine under evaluation: the verbs it needs, temporary copies of an index, judged queries to run, and the fields that
// an index searches.

import * as defaultEngine from "../api/default-engine.js";
import type { Engine } from "../api/engine.js";
import type { SearchParams } from "../input/search-params.js";
import type { RecallSource } from "../query/response.js";
import type { CheckedQuery } from "../relevance/judged-set.js";
import { FieldRules } from "../settings/field-rules.js";
import { type EffectiveSettings, searchedName, type WeightedAttribute } from "../settings/settings.js";
import { readFields } from "../state/read-fields.js";
import { throwIfAborted } from "../util/abort.js";
import { refusal } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { showNames } from "../util/show.js";
import { pauseIfLong } from "../util/tasks.js";

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

/** How the queries of a judged set are run. */
export interface Asking {
  readonly engine: Pick<EvaluatedEngine, "query">;
  readonly indexName: string;
  /** Hits to ask for. */
  readonly depth: number;
  /** Parameters of every query; they override the query's own. */
  readonly params: Partial<SearchParams>;
  /** The retriever that must have run; an answer without it counts as empty. */
  readonly needs?: RecallSource;
  readonly signal: AbortSignal | undefined;
  /** Called after each query. */
  readonly onQuery: () => void;
}

/** Runs the queries one after the other; returns the ids that each found, best first, by query id. */
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

/** The fields in which the records of an index have text or identifiers, sorted by name. */
export async function searchedAttributes(
  engine: EvaluatedEngine,
  indexName: string,
  settings: EffectiveSettings,
): Promise<readonly (string | WeightedAttribute)[]> {
  if (settings.searchableAttributes !== null) return settings.searchableAttributes;
  const rules = new FieldRules(settings);
  const names = new Set<string>();
  for await (const record of engine.browseRecords<JsonRecord>(indexName)) {
    for (const { name } of readFields(record, String(record[settings.idAttribute]), rules)) names.add(name);
    await pauseIfLong();
  }
  return [...names].sort();
}

/** Replaces the weights of some attributes; throws 400 `invalid_variation` for an attribute that is not searched. */
export function reweighted(
  attributes: readonly (string | WeightedAttribute)[],
  weights: Readonly<Record<string, number>>,
): (string | WeightedAttribute)[] {
  const names = attributes.map(searchedName);
  const unknown = Object.keys(weights).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const msg = `attributeWeights names ${showNames([unknown])}, which is not searched; searched are ${showNames(names)}.`;
    throw refusal("invalid_variation", "attributeWeights", msg);
  }
  return attributes.map((entry, i) =>
    Object.hasOwn(weights, names[i]!)
      ? { ...(typeof entry === "string" ? { attribute: entry } : entry), weight: weights[names[i]!]! }
      : entry,
  );
}
