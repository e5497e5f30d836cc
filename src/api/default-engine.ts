// The process's own engine, and its verbs as plain functions: search in three lines.

import type { AddResult } from "../index/add-records.js";
import type { AddOptions, CallOptions, CreateOptions, UpdateOptions } from "../index/call-options.js";
import type { DeleteByParams } from "../index/delete-by.js";
import type { MemoryEstimate } from "../index/estimate-memory.js";
import type { FacetHits, FacetSearchParams } from "../search/facet-search.js";
import type { SearchAnswer } from "../search/response.js";
import type { EncodedParams, SearchParams } from "../search/search-params.js";
import type { Absence } from "../search/why-not.js";
import type { EffectiveSettings, IndexSettings } from "../settings/settings.js";
import { SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { show } from "../util/show.js";
import { type IndexInfo, SearchEngine } from "./search-engine.js";
import type { SearchIndex } from "./search-index.js";

let engine: SearchEngine | undefined;

function current(): SearchEngine {
  engine ??= new SearchEngine();
  return engine;
}

/** Makes an engine the default one and returns the previous default. */
export function setDefaultEngine(next: SearchEngine): SearchEngine {
  if (!isEngine(next))
    throw new SearchError(400, "invalid_engine", `The engine is ${show(next)}; pass a SearchEngine.`, {
      param: "engine",
    });
  const previous = current();
  engine = next;
  return previous;
}

function isEngine(value: unknown): value is SearchEngine {
  try {
    return value instanceof SearchEngine;
  } catch {
    return false; // a proxy that throws
  }
}

/** {@link SearchEngine.createIndex} of the default engine. */
export async function createIndex<R extends object = JsonRecord>(
  name: string,
  settings?: IndexSettings,
  options?: CreateOptions,
): Promise<SearchIndex<R>> {
  return current().createIndex<R>(name, settings, options);
}

/** {@link SearchEngine.addRecords} of the default engine. */
export async function addRecords<R extends object = JsonRecord>(
  name: string,
  records: readonly R[],
  options?: AddOptions,
): Promise<AddResult> {
  return current().addRecords<R>(name, records, options);
}

/** {@link SearchEngine.query} of the default engine. */
export async function query<R extends object = JsonRecord>(
  name: string,
  params: SearchParams<R> | EncodedParams,
  options?: CallOptions,
): Promise<SearchAnswer<R>> {
  return current().query<R>(name, params, options);
}

/** {@link SearchEngine.deleteRecords} of the default engine. */
export async function deleteRecords(
  name: string,
  ids: readonly (string | number)[],
  options?: CallOptions,
): Promise<{ deleted: number }> {
  return current().deleteRecords(name, ids, options);
}

/** {@link SearchEngine.getRecords} of the default engine. */
export async function getRecords<R extends object = JsonRecord>(
  name: string,
  ids: readonly (string | number)[],
): Promise<(R | null)[]> {
  return current().getRecords<R>(name, ids);
}

/** {@link SearchEngine.browseRecords} of the default engine. */
export function browseRecords<R extends object = JsonRecord>(name: string): AsyncIterableIterator<R> {
  return current().browseRecords<R>(name);
}

/** {@link SearchEngine.clearIndex} of the default engine. */
export async function clearIndex(name: string): Promise<void> {
  return current().clearIndex(name);
}

/** {@link SearchEngine.deleteIndex} of the default engine. */
export async function deleteIndex(name: string): Promise<void> {
  return current().deleteIndex(name);
}

/** {@link SearchEngine.listIndexes} of the default engine. */
export async function listIndexes(): Promise<IndexInfo[]> {
  return current().listIndexes();
}

/** {@link SearchEngine.getSettings} of the default engine. */
export async function getSettings(
  name: string,
): Promise<{ readonly settings: IndexSettings; readonly effective: EffectiveSettings }> {
  return current().getSettings(name);
}

/** {@link SearchEngine.updateRecords} of the default engine. */
export async function updateRecords<R extends object = JsonRecord>(
  name: string,
  records: readonly (Partial<R> & object)[],
  options?: UpdateOptions,
): Promise<AddResult> {
  return current().updateRecords<R>(name, records, options);
}

/** {@link SearchEngine.replaceAllRecords} of the default engine. */
export async function replaceAllRecords<R extends object = JsonRecord>(
  name: string,
  records: readonly R[],
  options?: AddOptions,
): Promise<AddResult> {
  return current().replaceAllRecords<R>(name, records, options);
}

/** {@link SearchEngine.deleteBy} of the default engine. */
export async function deleteBy<R extends object = JsonRecord>(
  name: string,
  params: DeleteByParams<R>,
  options?: CallOptions,
): Promise<{ deleted: number }> {
  return current().deleteBy<R>(name, params, options);
}

/** {@link SearchEngine.updateSettings} of the default engine. */
export async function updateSettings(name: string, settings: IndexSettings, options?: AddOptions): Promise<void> {
  return current().updateSettings(name, settings, options);
}

/** {@link SearchEngine.searchForFacetValues} of the default engine. */
export async function searchForFacetValues<R extends object = JsonRecord>(
  name: string,
  params: FacetSearchParams<R>,
  options?: CallOptions,
): Promise<FacetHits> {
  return current().searchForFacetValues<R>(name, params, options);
}

/** {@link SearchEngine.whyNot} of the default engine. */
export async function whyNot<R extends object = JsonRecord>(
  name: string,
  params: SearchParams<R> | EncodedParams,
  id: string | number,
): Promise<Absence> {
  return current().whyNot<R>(name, params, id);
}

/** {@link SearchEngine.digest} of the default engine. */
export async function digest(name: string, options?: CallOptions): Promise<string> {
  return current().digest(name, options);
}

/** {@link SearchEngine.estimate} of the default engine. */
export async function estimate(name: string): Promise<MemoryEstimate> {
  return current().estimate(name);
}

/** {@link SearchEngine.copyIndex} of the default engine. */
export async function copyIndex(source: string, destination: string): Promise<void> {
  return current().copyIndex(source, destination);
}

/** {@link SearchEngine.moveIndex} of the default engine. */
export async function moveIndex(source: string, destination: string): Promise<void> {
  return current().moveIndex(source, destination);
}
