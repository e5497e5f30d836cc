// Named indexes and their verbs.

import type { AddResult } from "../index/add-records.js";
import {
  type AddOptions,
  type CallOptions,
  type CreateOptions,
  readCreateOptions,
  type UpdateOptions,
} from "../index/call-options.js";
import type { DeleteByParams } from "../index/delete-by.js";
import { type CheckedEngineOptions, type EngineOptions, readEngineOptions } from "../index/engine-options.js";
import type { MemoryEstimate } from "../index/estimate-memory.js";
import type { FacetHits, FacetSearchParams } from "../search/facet-search.js";
import type { SearchAnswer } from "../search/response.js";
import type { EncodedParams, SearchParams } from "../search/search-params.js";
import type { Absence } from "../search/why-not.js";
import { checkSettings } from "../settings/check-settings.js";
import { copySettings, knownSettings } from "../settings/copy-settings.js";
import type { EffectiveSettings, IndexSettings } from "../settings/settings.js";
import type { SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { type Capabilities, findCapabilities } from "./capabilities.js";
import { IndexRegistry } from "./index-registry.js";
import { LiveIndex } from "./live-index.js";
import { checkIndexName, checkSameSettings, indexExists, notFound } from "./name-rules.js";
import { SearchIndex } from "./search-index.js";

/** One line of listIndexes. */
export interface IndexInfo {
  readonly name: string;
  readonly records: number;
}

/** A set of named indexes in this process. */
export class SearchEngine {
  private readonly indexes = new IndexRegistry();
  private readonly options: CheckedEngineOptions;

  constructor(options: EngineOptions = {}) {
    this.options = readEngineOptions(options);
  }

  /**
   * Creates an index; no settings are needed.
   *
   * @throws SearchError 400 (name, settings), 409 `index_exists`, 503
   * @example
   * const products = await engine.createIndex<Product>("products", { searchableAttributes: ["title", "brand"] });
   */
  async createIndex<R extends object = JsonRecord>(
    name: string,
    settings?: IndexSettings,
    options: CreateOptions = {},
  ): Promise<SearchIndex<R>> {
    this.indexes.checkOpen();
    checkIndexName(name, this.options.limits);
    const ifExists = readCreateOptions(options);
    const given = copySettings(settings);
    const resolved = checkSettings(given, this.options);
    const existing = this.indexes.find(name);
    if (existing !== undefined) {
      if (ifExists === "error") throw indexExists(name);
      checkSameSettings(existing, given, resolved);
      return new SearchIndex<R>(existing);
    }
    const index = new LiveIndex({ name, settings: resolved, given: knownSettings(given), ...this.options });
    this.indexes.set(name, index);
    return new SearchIndex<R>(index);
  }

  /** The handle of an existing index. Throws 404 `index_not_found`. */
  index<R extends object = JsonRecord>(name: string): SearchIndex<R> {
    return new SearchIndex<R>(this.indexes.get(name));
  }

  /** See {@link SearchIndex.addRecords}. */
  async addRecords<R extends object = JsonRecord>(
    name: string,
    records: readonly R[],
    options?: AddOptions,
  ): Promise<AddResult> {
    return this.index<R>(name).addRecords(records, options);
  }

  /** See {@link SearchIndex.updateRecords}. */
  async updateRecords<R extends object = JsonRecord>(
    name: string,
    records: readonly (Partial<R> & object)[],
    options?: UpdateOptions,
  ): Promise<AddResult> {
    return this.index<R>(name).updateRecords(records, options);
  }

  /** See {@link SearchIndex.replaceAllRecords}. */
  async replaceAllRecords<R extends object = JsonRecord>(
    name: string,
    records: readonly R[],
    options?: AddOptions,
  ): Promise<AddResult> {
    return this.index<R>(name).replaceAllRecords(records, options);
  }

  /** See {@link SearchIndex.deleteRecords}. */
  async deleteRecords(
    name: string,
    ids: readonly (string | number)[],
    options?: CallOptions,
  ): Promise<{ deleted: number }> {
    return this.index(name).deleteRecords(ids, options);
  }

  /** See {@link SearchIndex.deleteBy}. */
  async deleteBy<R extends object = JsonRecord>(
    name: string,
    params: DeleteByParams<R>,
    options?: CallOptions,
  ): Promise<{ deleted: number }> {
    return this.index<R>(name).deleteBy(params, options);
  }

  /** See {@link SearchIndex.getRecords}. */
  async getRecords<R extends object = JsonRecord>(
    name: string,
    ids: readonly (string | number)[],
  ): Promise<(R | null)[]> {
    return this.index<R>(name).getRecords(ids);
  }

  /** See {@link SearchIndex.browseRecords}. */
  browseRecords<R extends object = JsonRecord>(name: string): AsyncIterableIterator<R> {
    return this.index<R>(name).browseRecords();
  }

  /** See {@link SearchIndex.clearIndex}. */
  async clearIndex(name: string): Promise<void> {
    return this.index(name).clearIndex();
  }

  /** See {@link SearchIndex.getSettings}. */
  async getSettings(
    name: string,
  ): Promise<{ readonly settings: IndexSettings; readonly effective: EffectiveSettings }> {
    return this.index(name).getSettings();
  }

  /** See {@link SearchIndex.updateSettings}. */
  async updateSettings(name: string, settings: IndexSettings, options?: AddOptions): Promise<void> {
    return this.index(name).updateSettings(settings, options);
  }

  /** See {@link SearchIndex.query}. */
  async query<R extends object = JsonRecord>(
    name: string,
    params: SearchParams<R> | EncodedParams,
    options?: CallOptions,
  ): Promise<SearchAnswer<R>> {
    return this.index<R>(name).query(params, options);
  }

  /** See {@link SearchIndex.searchForFacetValues}. */
  async searchForFacetValues<R extends object = JsonRecord>(
    name: string,
    params: FacetSearchParams<R>,
    options?: CallOptions,
  ): Promise<FacetHits> {
    return this.index<R>(name).searchForFacetValues(params, options);
  }

  /** See {@link SearchIndex.whyNot}. */
  async whyNot<R extends object = JsonRecord>(
    name: string,
    params: SearchParams<R> | EncodedParams,
    id: string | number,
  ): Promise<Absence> {
    return this.index<R>(name).whyNot(params, id);
  }

  /** See {@link SearchIndex.digest}. */
  async digest(name: string, options?: CallOptions): Promise<string> {
    return this.index(name).digest(options);
  }

  /** See {@link SearchIndex.estimate}. */
  async estimate(name: string): Promise<MemoryEstimate> {
    return this.index(name).estimate();
  }

  /** Makes an index, new or existing, a copy of another: settings and records. Segments are shared, so it is quick. */
  async copyIndex(source: string, destination: string): Promise<void> {
    return this.hand(source, destination);
  }

  /** Moves an index to another name, at once; an index of that name is replaced, and its handles see the new records. */
  async moveIndex(source: string, destination: string): Promise<void> {
    await this.hand(source, destination, notFound(source));
    if (source !== destination) await this.indexes.drop(source);
  }

  /** Deletes an index with all its records; its handles answer 404 from then on. */
  async deleteIndex(name: string): Promise<void> {
    await this.indexes.delete(name);
  }

  /** All indexes, by name. */
  async listIndexes(): Promise<IndexInfo[]> {
    return this.indexes.all().map(({ name, recordCount }) => ({ name, records: recordCount }));
  }

  /** What this process can do. */
  capabilities(): Capabilities {
    return findCapabilities();
  }

  /** Ends the engine: waits for running writes, frees all memory. Later calls get 503 `closed`; closing twice is fine. */
  async close(): Promise<void> {
    await this.indexes.close();
  }

  private async hand(source: string, destination: string, reason?: SearchError): Promise<void> {
    const from = this.indexes.get(source);
    checkIndexName(destination, this.options.limits);
    if (source === destination) return;
    const existing = this.indexes.find(destination);
    const to = existing ?? from.sibling(destination);
    // The name is taken from now on, so that nobody creates another index under it meanwhile.
    this.indexes.set(destination, to);
    try {
      await from.swapInto(to, reason);
    } catch (error) {
      if (!to.isThere && this.indexes.find(destination) === to) await this.indexes.drop(destination);
      throw error;
    }
  }
}
