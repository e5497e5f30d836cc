// The engine under evaluation: the verbs it needs, temporary copies of an index, judged queries to run, and the fields that
// an index searches.

import { throwIfAborted } from "../base/abort.js";
import { refusal } from "../base/errors.js";
import type { JsonRecord } from "../base/json.js";
import { showNames } from "../base/show.js";
import { pauseIfLong } from "../base/tasks.js";
import {
  browseRecords,
  copyIndex,
  createIndex,
  deleteIndex,
  getRecords,
  getSettings,
  listIndexes,
  query,
  updateSettings,
} from "../default-engine.js";
import type { RecallSource } from "../query/response.js";
import type { SearchParams } from "../query/search-params.js";
import type { FieldRules } from "../records/field-rules.js";
import { readFields } from "../records/read-fields.js";
import { SearchEngine } from "../search-engine.js";
import type { EffectiveSettings, WeightedAttribute } from "../settings/settings.js";
import type { CheckedQuery } from "./judged-set.js";

/** The verbs of an engine that an evaluation uses. */
export type EvaluatedEngine = Pick<
  SearchEngine,
  | "query"
  | "getSettings"
  | "updateSettings"
  | "createIndex"
  | "copyIndex"
  | "deleteIndex"
  | "listIndexes"
  | "getRecords"
  | "browseRecords"
>;

/** The process's own engine. */
export const DEFAULT_ENGINE: EvaluatedEngine = {
  query,
  getSettings,
  updateSettings,
  createIndex,
  copyIndex,
  deleteIndex,
  listIndexes,
  getRecords,
  browseRecords,
};

/** True for what has the verbs. */
export function isEngine(value: unknown): value is SearchEngine {
  return value instanceof SearchEngine;
}

/** Makes a copy, hands its name to `work`, deletes it, and answers what `work` did. */
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

/** A name that no index has, and no other evaluation of this process takes. */
async function freeName(engine: EvaluatedEngine): Promise<string> {
  const taken = new Set((await engine.listIndexes()).map(({ name }) => name));
  let name: string;
  do name = `evaluation-copy-${++copies}`;
  while (taken.has(name));
  return name;
}

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

/** How an index reads records as fields. */
export function rulesOf(settings: EffectiveSettings): FieldRules {
  return {
    idAttribute: settings.idAttribute,
    searchable:
      settings.searchableAttributes?.map((entry) => (typeof entry === "string" ? entry : entry.attribute)) ?? null,
    identifiers: new Set(settings.identifierAttributes.map((name) => name.toLowerCase())),
    vectorAttribute: settings.vectorAttribute ?? undefined,
    embedded: settings.embeddedAttributes,
    titles: settings.titleEvidence,
  };
}

/** Fields in which the records of an index have text or identifiers, by name. */
export async function searchedAttributes(
  engine: EvaluatedEngine,
  indexName: string,
  settings: EffectiveSettings,
): Promise<readonly (string | WeightedAttribute)[]> {
  if (settings.searchableAttributes !== null) return settings.searchableAttributes;
  const rules = rulesOf(settings);
  const names = new Set<string>();
  for await (const record of engine.browseRecords<JsonRecord>(indexName)) {
    for (const { name } of readFields(record, String(record[settings.idAttribute]), rules)) names.add(name);
    await pauseIfLong();
  }
  return [...names].sort();
}

/** The same attributes with other weights for some of them; throws 400 for one that is not searched. */
export function reweighted(
  attributes: readonly (string | WeightedAttribute)[],
  weights: Readonly<Record<string, number>>,
): (string | WeightedAttribute)[] {
  const names = attributes.map((entry) => (typeof entry === "string" ? entry : entry.attribute));
  const stranger = Object.keys(weights).find((name) => !names.includes(name));
  if (stranger !== undefined) {
    const msg = `attributeWeights names ${showNames([stranger])}, which is not searched; searched are ${showNames(names, 12)}.`;
    throw refusal("invalid_variation", "attributeWeights", msg);
  }
  return attributes.map((entry, i) =>
    Object.hasOwn(weights, names[i]!) ? { attribute: names[i]!, weight: weights[names[i]!]! } : entry,
  );
}
