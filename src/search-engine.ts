// Named indexes and their verbs.

import { Checker, ownEntries } from "./base/checks.js";
import { refuse, SearchError } from "./base/errors.js";
import type { JsonRecord } from "./base/json.js";
import { show } from "./base/show.js";
import type { AddOptions, CallOptions } from "./call-options.js";
import { type CheckedEngineOptions, type EngineOptions, readEngineOptions } from "./engine-options.js";
import type { SearchAnswer } from "./query/response.js";
import type { EncodedParams, SearchParams } from "./query/search-params.js";
import { type AddResult, SearchIndex } from "./search-index.js";
import { checkSettings } from "./settings/check-settings.js";
import { settingsFingerprint } from "./settings/fingerprint.js";
import type { EffectiveSettings, IndexSettings, ResolvedSettings } from "./settings/settings.js";
import { hnswAvailable } from "./vector/hnsw-addon.js";

/** Options of createIndex. */
export interface CreateOptions {
  /** When the name exists: `"error"` (409, default), or `"open"` the index that is there. */
  readonly ifExists?: "error" | "open";
}

/** One line of listIndexes. */
export interface IndexInfo {
  readonly name: string;
  readonly records: number;
}

/** What this process can do. */
export interface Capabilities {
  /** The neighbour graph can be used; else vectors are scanned exactly. */
  readonly hnsw: boolean;
}

const INDEX_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** A set of named indexes in this process. */
export class SearchEngine {
  private readonly indexes = new Map<string, SearchIndex<object>>();
  private readonly settingsOf = new Map<string, ResolvedSettings>();
  private readonly options: CheckedEngineOptions;
  private closing: Promise<void> | undefined;

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
    this.checkOpen();
    this.checkName(name);
    const check = new Checker("invalid_option", "options");
    const ifExists = check.oneOf(
      "ifExists",
      ownEntries(options, "options", "invalid_options").get("ifExists"),
      ["error", "open"],
      "error",
    );
    refuse(check.complaints);
    const resolved = checkSettings(settings, this.options);
    const existing = this.indexes.get(name);
    if (existing !== undefined) {
      if (ifExists === "error")
        throw new SearchError(
          409,
          "index_exists",
          `The index ${show(name)} exists; use another name, delete it, or pass { ifExists: "open" }.`,
          { param: "indexName" },
        );
      this.checkSameSettings(name, settings, resolved);
      return existing as SearchIndex<R>;
    }
    const index = new SearchIndex<R>({ name, settings: resolved, ...this.options });
    this.indexes.set(name, index as SearchIndex<object>);
    this.settingsOf.set(name, resolved);
    return index;
  }

  /** The handle of an existing index. Throws 404 `index_not_found`. */
  index<R extends object = JsonRecord>(name: string): SearchIndex<R> {
    this.checkOpen();
    const index = typeof name === "string" ? this.indexes.get(name) : undefined;
    if (index === undefined)
      throw new SearchError(404, "index_not_found", `There is no index ${show(name)}; create it with createIndex.`, {
        param: "indexName",
      });
    return index as SearchIndex<R>;
  }

  /** See {@link SearchIndex.addRecords}. */
  async addRecords<R extends object = JsonRecord>(
    name: string,
    records: readonly R[],
    options?: AddOptions,
  ): Promise<AddResult> {
    return this.index<R>(name).addRecords(records, options);
  }

  /** See {@link SearchIndex.deleteRecords}. */
  async deleteRecords(
    name: string,
    ids: readonly (string | number)[],
    options?: CallOptions,
  ): Promise<{ deleted: number }> {
    return this.index(name).deleteRecords(ids, options);
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
  async getSettings(name: string): Promise<{ readonly effective: EffectiveSettings }> {
    return this.index(name).getSettings();
  }

  /** See {@link SearchIndex.query}. */
  async query<R extends object = JsonRecord>(
    name: string,
    params: SearchParams | EncodedParams,
    options?: CallOptions,
  ): Promise<SearchAnswer<R>> {
    return this.index<R>(name).query(params, options);
  }

  /** Deletes an index with all its records; its handles answer 404 from then on. */
  async deleteIndex(name: string): Promise<void> {
    const index = this.index(name);
    this.indexes.delete(name);
    this.settingsOf.delete(name);
    await index.end(
      new SearchError(404, "index_not_found", `The index ${show(name)} was deleted.`, { param: "indexName" }),
    );
  }

  /** All indexes, by name. */
  async listIndexes(): Promise<IndexInfo[]> {
    this.checkOpen();
    return [...this.indexes]
      .map(([name, index]) => ({ name, records: index.recordCount }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** What this process can do. */
  capabilities(): Capabilities {
    return { hnsw: hnswAvailable() };
  }

  /** Ends the engine: waits for running writes, frees all memory. Later calls get 503 `closed`; closing twice is fine. */
  async close(): Promise<void> {
    this.closing ??= this.endAll();
    return this.closing;
  }

  private async endAll(): Promise<void> {
    const ended = [...this.indexes.values()].map((index) => index.end(closed()));
    await Promise.all(ended);
    this.indexes.clear();
  }

  private checkOpen(): void {
    if (this.closing !== undefined) throw closed();
  }

  private checkName(name: unknown): void {
    if (typeof name === "string" && name.length <= this.options.limits.indexName && INDEX_NAME.test(name)) return;
    const expected = `1 to ${this.options.limits.indexName} of A-Z a-z 0-9 . _ - that do not begin with a dot`;
    throw new SearchError(400, "invalid_index_name", `The index name is ${show(name)}; use ${expected}.`, {
      param: "indexName",
    });
  }

  /** Opening an index with other settings than it has would promise what it does not keep. */
  private checkSameSettings(name: string, asked: unknown, resolved: ResolvedSettings): void {
    if (asked === undefined || Object.keys(asked as object).length === 0) return;
    if (settingsFingerprint(this.settingsOf.get(name)!.effective) === settingsFingerprint(resolved.effective)) return;
    const msg = `The index ${show(name)} exists with other settings; open it without settings, or delete it first.`;
    throw new SearchError(409, "settings_differ", msg, { param: "settings" });
  }
}

function closed(): SearchError {
  return new SearchError(503, "closed", "The engine is closed; create a new one.");
}
