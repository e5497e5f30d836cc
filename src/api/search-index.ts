// A typed handle on one index: the verbs of the engine without the name.

import type { AddResult } from "../index/add-records.js";
import type { AddOptions, CallOptions, UpdateOptions } from "../index/call-options.js";
import type { DeleteByParams } from "../index/delete-by.js";
import type { MemoryEstimate } from "../index/estimate-memory.js";
import type { FacetHits, FacetSearchParams } from "../search/facet-search.js";
import type { SearchAnswer } from "../search/response.js";
import type { EncodedParams, SearchParams } from "../search/search-params.js";
import type { Absence } from "../search/why-not.js";
import type { EffectiveSettings, IndexSettings } from "../settings/settings.js";
import type { JsonRecord } from "../util/json.js";
import type { LiveIndex } from "./live-index.js";

/**
 * A handle on one index, with the verbs of the engine but without the name. `createIndex` and `engine.index(name)` give it.
 *
 * @typeParam R - the record type; hits' `source`, filters and attribute names follow it.
 * @example
 * const products = await createIndex<Product>("products");
 * await products.addRecords([{ id: 1, title: "Cordless drill", price: 89 }]);
 * const { data } = await products.query({ query: "drill", filters: { price: { lt: 100 } } });
 */
export class SearchIndex<R extends object = JsonRecord> {
  private readonly live: LiveIndex;

  /** @internal */
  constructor(live: LiveIndex) {
    this.live = live;
  }

  /** The name of the index. */
  get name(): string {
    return this.live.name;
  }

  /** Living records. */
  get recordCount(): number {
    return this.live.recordCount;
  }

  /**
   * Adds records, or replaces those with the same id: all of them or, when anything is wrong, none. They are searchable when
   * the promise resolves. Change none before that: 256 of them (or 256 kB) are copied at once, the rest in slices.
   *
   * @param records - plain objects of JSON values with an id; an id twice: the last counts.
   * @throws SearchError 400 (complaints about all records), 404, 413 (too large), 499, 502 (embedder), 503, 507 (full)
   */
  async addRecords(records: readonly R[], options?: AddOptions): Promise<AddResult> {
    return this.live.addRecords(records, options);
  }

  /**
   * Merges top-level attributes into records that are there: what is given replaces, `null` stores null. Unknown ids are
   * created unless `createIfNotExists` is false. All or nothing.
   */
  async updateRecords(records: readonly (Partial<R> & object)[], options?: UpdateOptions): Promise<AddResult> {
    return this.live.updateRecords(records, options);
  }

  /** Replaces all records by these, at once: until the promise resolves, queries see the old ones. */
  async replaceAllRecords(records: readonly R[], options?: AddOptions): Promise<AddResult> {
    return this.live.replaceAllRecords(records, options);
  }

  /** Deletes records by id; ids that no record has are passed over. */
  async deleteRecords(ids: readonly (string | number)[], options?: CallOptions): Promise<{ deleted: number }> {
    return this.live.deleteRecords(ids, options);
  }

  /** Deletes the records that pass a filter. An empty filter is refused: `clearIndex` deletes all. */
  async deleteBy(params: DeleteByParams<R>, options?: CallOptions): Promise<{ deleted: number }> {
    return this.live.deleteBy(params, options);
  }

  /** The records with these ids in the order asked, null where there is none; fresh copies. */
  async getRecords(ids: readonly (string | number)[]): Promise<(R | null)[]> {
    return (await this.live.getRecords(ids)) as (R | null)[];
  }

  /** All records as they are at the call, in the order of their ids by code unit; later writes do not show. */
  browseRecords(): AsyncIterableIterator<R> {
    return this.live.browseRecords() as AsyncIterableIterator<R>;
  }

  /** Removes all records; the settings stay. */
  async clearIndex(): Promise<void> {
    return this.live.clearIndex();
  }

  /** The settings as they were given, and as they are in force. */
  async getSettings(): Promise<{ readonly settings: IndexSettings; readonly effective: EffectiveSettings }> {
    return this.live.getSettings();
  }

  /**
   * Changes some settings; the others stay. Records are indexed again in slices while the old version answers, then the new
   * one takes its place at once; when anything fails, nothing changes.
   */
  async updateSettings(settings: IndexSettings, options?: AddOptions): Promise<void> {
    return this.live.updateSettings(settings, options);
  }

  /**
   * Answers a query in the documented envelope. Form A is an object, form B `{ params: "query=…&page=2" }`.
   *
   * @throws SearchError 400 (complaints about all parameters), 404, 499, 503
   */
  async query(params: SearchParams<R> | EncodedParams, options?: CallOptions): Promise<SearchAnswer<R>> {
    return (await this.live.query(params, options)) as SearchAnswer<R>;
  }

  /** Values of a facet that begin, in any of their words, with a text; counted as `query` would count them. */
  async searchForFacetValues(params: FacetSearchParams<R>, options?: CallOptions): Promise<FacetHits> {
    return this.live.searchForFacetValues(params, options);
  }

  /** Why a record is not among the hits of a query; `found: true` where it is. */
  async whyNot(params: SearchParams<R> | EncodedParams, id: string | number): Promise<Absence> {
    return this.live.whyNot(params, id);
  }

  /**
   * One hash of what answers depend on: settings, records, words, vectors. Equal for equal content, whatever the order in
   * which it came and whatever was deleted before; the order of a record's attributes counts. SHA-256, 64 hexadecimal digits.
   *
   * @throws SearchError 404, 499, 503
   * @example
   * if ((await here.digest()) !== digestOfTheOther) console.log("the replicas differ");
   */
  async digest(options?: CallOptions): Promise<string> {
    return this.live.digest(options);
  }

  /** About how many bytes the parts of the index take in memory. */
  async estimate(): Promise<MemoryEstimate> {
    return this.live.estimate();
  }

  /** Resolves when nothing works in the background any more: merging segments, growing the graph. For benchmarks and tests. */
  async whenIdle(): Promise<void> {
    return this.live.whenIdle();
  }
}
