// The verbs of an index, on a typed handle. Engines and the default engine call them by the name of the index.

import type {
  AddOptions,
  CallOptions,
  CheckedOptions,
  ProgressOptions,
  SkipOption,
  UpdateOptions,
} from "../input/call-options.js";
import { namedSettings } from "../input/extension-ids.js";
import { readParams } from "../input/read-params.js";
import { copySettings } from "../input/read-settings.js";
import { readId, readIds } from "../input/record-ids.js";
import type { EncodedParams, Retrieved, RetrievingParams, SearchParams } from "../input/search-params.js";
import { type FacetHits, type FacetSearchParams, searchForFacetValues } from "../query/facets/facet-search.js";
import { understandQuery } from "../query/read/apply-intent.js";
import type { SearchAnswer } from "../query/response.js";
import { type SimilarParams, type SimilarTo, similar } from "../query/similar/similar.js";
import { type SuggestAnswer, type SuggestParams, suggest } from "../query/suggest/suggest.js";
import { type Absence, whyNot } from "../query/why-not.js";
import type { EffectiveSettings, IndexSettings } from "../settings/settings.js";
import { type AttributeInfo, listAttributes } from "../state/attribute-summary.js";
import { digestContent } from "../state/digest-content.js";
import type { WriteVerb } from "../state/engine-activity.js";
import { browseRecords, recordsById } from "../state/index-snapshot.js";
import type { MemoryEstimate } from "../state/memory-budget.js";
import { effectiveSettings } from "../state/semantic-floor.js";
import type { Intent } from "../understanding/intent.js";
import type { UntypedRecord } from "../util/attribute-path.js";
import type { JsonRecord } from "../util/json.js";
import type { Storable } from "../util/storable.js";
import { runTask, startTask } from "../util/tasks.js";
import type { OperationOn } from "../write/built-in-operation.js";
import type { DeleteByParams } from "../write/delete-by.js";
import type { AddResult, SkipResult } from "../write/read-batch.js";
import type { LiveIndex } from "./live-index.js";
import { type PreviewOptions, previewSettings, type SettingsPreview } from "./settings-preview.js";

/** What changes in a record: values, or operations on them; with its id if the records' type has an `id`. `null` stores null. */
export type RecordUpdate<R extends object> = {
  readonly [K in keyof R]?: R[K] | OperationOn<R[K]> | null;
} & ([R] extends [{ readonly id: unknown }] ? { readonly id: R["id" & keyof R] } : object);

/**
 * A handle on one index, with the verbs of the engine but without the name. `createIndex` and `engine.index(name)` give it.
 *
 * @typeParam R - the record type; hits' `source`, filters and attribute names follow it. A function for indexes of any records takes
 *   a `SearchIndex<object>`.
 * @example
 * const products = await createIndex<Product>("products");
 * await products.addRecords([{ id: 1, title: "Cordless drill", price: 89 }]);
 * const { data } = await products.query({ query: "drill", filters: { price: { lt: 100 } } });
 */
export class SearchIndex<R extends object = JsonRecord> {
  /** @internal */
  protected readonly live: LiveIndex;

  /** @internal */
  constructor(live: LiveIndex) {
    this.live = live;
  }

  /** The name of the index. */
  get name(): string {
    return this.live.name;
  }

  /** The number of live records. */
  get recordCount(): number {
    return this.live.recordCount;
  }

  /**
   * Adds records, or replaces those with the same id: all of them or, when anything is wrong, none. They are searchable when
   * the promise resolves. Do not change the objects before that: only the first 256 of them (or the first 256 kB; with many calls at
   * the same time, the first 32 kB of each) are copied during the call.
   *
   * @param records - plain objects of JSON values with an id; a `Date` is stored as its ISO text. If an id occurs twice, the last record counts.
   * @param options - with `onInvalid: "skip"`, wrong records are left out, and `skipped` in the result names them
   * @throws SearchError 400 (complaints about all records), 404, 413 (too large), 499, 502 (embedder), 503, 507 (full)
   * @example
   * const { skipped } = await products.addRecords(feed, { onInvalid: "skip" });
   * for (const { index, id, msg } of skipped) console.warn(index, id, msg);
   */
  addRecords(
    records: Storable<R, readonly (R | UntypedRecord<R>)[]>,
    options: AddOptions & SkipOption,
  ): Promise<SkipResult>;
  addRecords(records: Storable<R, readonly (R | UntypedRecord<R>)[]>, options?: AddOptions): Promise<AddResult>;
  async addRecords(
    records: Storable<R, readonly (R | UntypedRecord<R>)[]>,
    options: AddOptions = {},
  ): Promise<AddResult> {
    return this.write("addRecords", options, (checked) => this.live.writer.addRecords(records, checked));
  }

  /**
   * Merges top-level attributes into stored records: what is given replaces, `null` stores null. A path into an object that the record
   * has, such as `price.eur`, is refused. Unknown ids are created unless
   * `createIfNotExists` is false. All or nothing, unless `onInvalid` is `"skip"`.
   */
  updateRecords(
    records: Storable<R, readonly RecordUpdate<R>[]>,
    options: UpdateOptions & SkipOption,
  ): Promise<SkipResult>;
  updateRecords(records: Storable<R, readonly RecordUpdate<R>[]>, options?: UpdateOptions): Promise<AddResult>;
  async updateRecords(
    records: Storable<R, readonly RecordUpdate<R>[]>,
    options: UpdateOptions = {},
  ): Promise<AddResult> {
    return this.write("updateRecords", options, (checked) => this.live.writer.updateRecords(records, checked));
  }

  /**
   * Replaces all records by these, at once: until the promise resolves, queries see the old ones. What is written meanwhile is answered
   * by the old ones, and repeated on the new; what does not fit them is left out with a warning, `change_left_out`.
   */
  replaceAllRecords(
    records: Storable<R, readonly (R | UntypedRecord<R>)[]>,
    options: AddOptions & SkipOption,
  ): Promise<SkipResult>;
  replaceAllRecords(records: Storable<R, readonly (R | UntypedRecord<R>)[]>, options?: AddOptions): Promise<AddResult>;
  async replaceAllRecords(
    records: Storable<R, readonly (R | UntypedRecord<R>)[]>,
    options: AddOptions = {},
  ): Promise<AddResult> {
    return this.write("replaceAllRecords", options, (checked) => this.live.writer.replaceAllRecords(records, checked));
  }

  /** Deletes records by id. Unknown ids are ignored. */
  async deleteRecords(ids: readonly (string | number)[], options: CallOptions = {}): Promise<{ deleted: number }> {
    return this.write("deleteRecords", options, (checked) => this.live.writer.deleteRecords(ids, checked));
  }

  /** Deletes the records that pass a filter. An empty filter is refused: `clearIndex` deletes all. */
  async deleteBy(params: DeleteByParams<R>, options: CallOptions = {}): Promise<{ deleted: number }> {
    return this.write("deleteBy", options, (checked) => this.live.writer.deleteBy(params, checked));
  }

  /** Runs a call that writes records, and counts it. */
  private write<T extends AddResult | { readonly deleted: number }>(
    verb: WriteVerb,
    options: CallOptions,
    work: (checked: CheckedOptions) => Promise<T>,
  ): Promise<T> {
    const { live } = this;
    return live.context.activity.write(live.name, verb, performance.now(), live.write(options, work));
  }

  /** Fresh copies of the records with these ids, in the order of the ids; null for an unknown id. */
  async getRecords(ids: readonly (string | number)[]): Promise<(R | null)[]> {
    const { live } = this;
    return live.read({}, async () => {
      const snapshot = live.snapshot();
      const wanted = await startTask(readIds(ids, live.context.limits));
      return (await runTask(recordsById(await snapshot, wanted))) as (R | null)[];
    });
  }

  /**
   * All records at the time of the call, in the order of their ids by code unit. Later writes have no effect on it; when the engine is
   * closed, the next one is 503.
   */
  browseRecords(): AsyncIterableIterator<R> {
    const { live } = this;
    live.check();
    return live.untilClosed(browseRecords<R>(live.snapshot()));
  }

  /** Deletes all records and keeps the settings. */
  async clearIndex(): Promise<void> {
    return this.live.write({}, () => this.live.writer.clear());
  }

  /**
   * The settings as they were given, and the effective settings with all defaults. Functions appear by id. The embedder appears
   * too if it comes from the engine, unless it is `"static-en"`.
   */
  async getSettings(): Promise<{ readonly settings: IndexSettings; readonly effective: EffectiveSettings }> {
    const { live } = this;
    return live.read({}, async () => {
      await live.ready();
      const { data, context } = live;
      const effective = await live.whileThere(undefined, (signal) =>
        effectiveSettings(data, { signal, warn: context.warn }),
      );
      return { settings: await runTask(namedSettings(data)), effective };
    });
  }

  /**
   * Changes some settings; the others stay. Records are indexed again in slices while the old version answers queries, then the
   * new version replaces it at once. If anything fails, nothing changes.
   */
  async updateSettings(settings: IndexSettings<R>, options: ProgressOptions = {}): Promise<void> {
    const { live } = this;
    return live.write(options, (checked) => live.updateSettings(copySettings(settings), checked), false);
  }

  /**
   * What a change of settings would change: for each query the page as it is, and as it would be after `updateSettings(settings)`, with
   * the hits that move, enter or leave. Nothing of the index changes, no write waits for it, and what it needs in memory is freed at its
   * end. Like an update, it indexes the records again, in memory, if the change requires that.
   *
   * @param options - the queries; `judgements` adds measures before and after, `weight` of a query counts in the total
   * @throws SearchError 400 (the settings, or a query), 404, 409, 499, 502 (embedder), 503, 507
   * @example
   * const boosts = [{ attribute: "popularity", weight: 0.05 }];
   * const { queries, total } = await products.previewSettings({ boosts }, { queries: ["drill", { query: "lamp", weight: 20 }] });
   * console.log(total?.changed, total?.meanOverlapAt10, queries[0]?.moved);
   */
  async previewSettings(settings: IndexSettings<R>, options: PreviewOptions<R>): Promise<SettingsPreview> {
    return previewSettings(this.live, settings, options);
  }

  /**
   * Answers a query in the documented envelope. Form A is an object, form B `{ params: "query=…&page=2" }`. With
   * `attributesToRetrieve`, any attribute may be missing in `source`.
   *
   * @throws SearchError 400 (complaints about all parameters), 404, 499, 503
   */
  async query<A extends readonly string[] | undefined = undefined>(
    params: SearchParams<R> | RetrievingParams<R, A> | EncodedParams,
    options: CallOptions = {},
  ): Promise<SearchAnswer<undefined extends A ? R : Retrieved<R>>> {
    const answer: unknown = await this.answer(params, options);
    return answer as SearchAnswer<undefined extends A ? R : Retrieved<R>>;
  }

  /** @internal */
  protected answer(params: unknown, options: CallOptions): Promise<SearchAnswer<JsonRecord>> {
    return this.live.answer(params, options);
  }

  /** Values of a facet that equal a text, begin with it or have it in a later word; counted as `query` would count them. */
  async searchForFacetValues(
    params: FacetSearchParams<R> | EncodedParams,
    options: CallOptions = {},
  ): Promise<FacetHits> {
    const { live } = this;
    return live.query(options, (context) => searchForFacetValues(params, live.paramsContext(context), context));
  }

  /**
   * Suggests how a text that is being typed may go on: the setting's `suggestions`, then words of titles and other texts. Each has hits:
   * `nbHits` is that of a query for it with `matching: "all"` and the same filters.
   *
   * @throws SearchError 400 (complaints about all parameters), 404, 499, 503
   * @example
   * const { data } = await index.suggest({ query: "cordless d" });
   * data.suggestions; // [{ text: "cordless drill", nbHits: 12 }, …]
   */
  async suggest(params: SuggestParams<R> | EncodedParams, options: CallOptions = {}): Promise<SuggestAnswer> {
    const { live } = this;
    return live.query(options, (context) => suggest(params, live.paramsContext(context), context));
  }

  /**
   * Finds records like those that are named: by the words that tell most about them, and by meaning. The answer is that of a query with
   * an empty text. Never found are the records named, nor others of their groups (`attributeForDistinct`; these are with
   * `distinct: false`). Boosts of the settings do not count, those of `params` do.
   *
   * @param of - an id, a list of ids, or `{ like, unlike }`: 1 to 100 ids that hits shall be like, at most 100 that they shall not
   * @param params - those of a query that are not about its text, in either form: page, filters, facets, sort, `minScore` …
   * @throws SearchError 400 (`invalid_id`; complaints about all parameters), 404 (`record_not_found`; no such index), 499, 503
   * @example
   * const { data } = await products.similar(17, { filters: { inStock: true }, hitsPerPage: 4 });
   * const basket = await products.similar({ like: [17, 23], unlike: [5] });
   */
  async similar<A extends readonly string[] | undefined = undefined>(
    of: SimilarTo,
    params: SimilarParams<R> | (SimilarParams<R> & { readonly attributesToRetrieve: A }) | EncodedParams = {},
    options: CallOptions = {},
  ): Promise<SearchAnswer<undefined extends A ? R : Retrieved<R>>> {
    const { live } = this;
    const answer: unknown = await live.query(options, (context) =>
      similar(of, params, live.paramsContext(context), context),
    );
    return answer as SearchAnswer<undefined extends A ? R : Retrieved<R>>;
  }

  /**
   * What a text is understood to ask for: prices and numbers, what is not wanted, values, an order, a purpose. Nothing is searched. What
   * is ambiguous is left alone. The first call of the process loads the English model, as `loadUnderstanding` does.
   *
   * @throws SearchError 400 (no text, too long; the `language` of the index is not English), 404, 499, 503
   * @example
   * const { query, filters } = await products.understandQuery("laptop under $500"); // "laptop", "price < 500"
   */
  async understandQuery(text: string, options: CallOptions = {}): Promise<Intent> {
    return this.live.query(options, (context) => understandQuery(text, context));
  }

  /** Why a record is not among the hits of a query; `found: true` if it is. */
  async whyNot(params: SearchParams<R> | EncodedParams, id: string | number): Promise<Absence> {
    return this.live.query({}, async (context) => {
      const checked = readParams(params, this.live.paramsContext(context));
      return whyNot(checked, readId(id, this.live.context.limits), context);
    });
  }

  /**
   * One hash of everything that answers depend on: settings, records, words, vectors. It is equal for equal content, whatever
   * the order of the writes and deletions; the order of a record's attributes counts. SHA-256, 64 hexadecimal digits.
   *
   * @throws SearchError 404, 499, 503
   * @example
   * if ((await here.digest()) !== digestOfTheOther) console.log("the replicas differ");
   */
  async digest(options: CallOptions = {}): Promise<string> {
    const { live } = this;
    return live.read(options, async ({ signal }) => {
      const { settings } = live;
      return runTask(digestContent(await live.snapshot(), settings.shown), signal);
    });
  }

  /**
   * The attributes that records have, with what their values are, how many records have them, and how many different values there are:
   * those of most records first, then by name. It reads all records.
   *
   * @throws SearchError 404, 499, 503
   * @example
   * const numbers = (await products.getAttributes()).filter(({ kind }) => kind === "number");
   */
  async getAttributes(options: CallOptions = {}): Promise<AttributeInfo[]> {
    const { live } = this;
    return live.read(options, async ({ signal }) => runTask(listAttributes(await live.snapshot()), signal));
  }

  /** The approximate number of bytes that the parts of the index take in memory. */
  async estimate(): Promise<MemoryEstimate> {
    const { live } = this;
    return live.read({}, async () => {
      await live.ready();
      return live.estimate();
    });
  }

  /** Resolves when no background work is left: merging segments, growing the graph. For benchmarks and tests. */
  async whenIdle(): Promise<void> {
    return this.live.whenIdle();
  }
}

/** How the handle of an index is found. */
interface UnseenLook<R extends object> {
  readonly known: () => SearchIndex<R> | undefined;
  readonly find: () => Promise<SearchIndex<R>>;
}

/** The handle of an index that this engine does not have yet: each verb looks for it first. */
export class UnseenIndex<R extends object> extends SearchIndex<R> {
  private readonly ownName: string;
  private readonly looking: UnseenLook<R>;

  constructor(unknown: LiveIndex, name: string, looking: UnseenLook<R>) {
    super(unknown);
    this.ownName = name;
    this.looking = looking;
  }

  override get name(): string {
    return this.ownName;
  }

  override get recordCount(): number {
    return this.looking.known()?.recordCount ?? 0;
  }

  override async *browseRecords(): AsyncGenerator<R, void, undefined> {
    yield* (await this.found()).browseRecords();
  }

  private async found(): Promise<SearchIndex<R>> {
    return this.looking.known() ?? (await this.looking.find());
  }

  static {
    const { prototype } = SearchIndex;
    for (const verb of Object.getOwnPropertyNames(prototype)) {
      const found = Object.getOwnPropertyDescriptor(prototype, verb)!;
      if (!Object.hasOwn(found, "value") || Object.hasOwn(UnseenIndex.prototype, verb)) continue;
      const ask = async function (this: UnseenIndex<object>, ...args: readonly unknown[]): Promise<unknown> {
        const index = await this.found();
        // Its own: it may be of another class.
        return Reflect.apply(Reflect.get(index, verb), index, args);
      };
      Reflect.set(UnseenIndex.prototype, verb, ask);
    }
  }
}
