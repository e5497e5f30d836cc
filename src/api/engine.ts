// What every engine has, wherever its indexes are: its verbs, of which those of an index take its name first.

import {
  type CallOptions,
  type CreateOptions,
  fromOutside,
  type ImportOptions,
  type ImportSkipResult,
  type ProgressOptions,
  readOptions,
  type SkipOption,
  type SnapshotOptions,
} from "../input/call-options.js";
import { copyQueries, copyQuery } from "../input/read-params.js";
import type { EncodedParams, NamedParams, Retrieved, SearchParams } from "../input/search-params.js";
import type { SearchAnswer } from "../query/response.js";
import type { IndexSettings } from "../settings/settings.js";
import type { EngineActivity, WriteVerb } from "../state/engine-activity.js";
import { loadEnglishReader } from "../understanding/english-reader.js";
import { addBrand } from "../util/brand.js";
import { type ErrorEnvelope, SearchError, show } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { throwIfAborted } from "../util/tasks.js";
import type { SkipResult } from "../write/read-batch.js";
import type { SearchIndex } from "./search-index.js";
import type { ImportSource } from "./transfer.js";

/** One line of listIndexes. */
export interface IndexInfo {
  readonly name: string;
  readonly records: number;
}

/** The verbs of `SearchIndex` that engines have with the name of the index first. True: a call is counted, also if there is no index of its name. */
const INDEX_VERBS = {
  addRecords: true,
  updateRecords: true,
  replaceAllRecords: true,
  deleteRecords: true,
  deleteBy: true,
  getRecords: false,
  browseRecords: false,
  clearIndex: false,
  getSettings: false,
  previewSettings: false,
  getAttributes: false,
  searchForFacetValues: false,
  suggest: false,
  similar: false,
  understandQuery: false,
  whyNot: false,
  digest: false,
  estimate: false,
};
type IndexVerb = keyof typeof INDEX_VERBS;

/** A verb that takes records, of a call whose result names those that were left out. */
type SkippingVerb<V extends "addRecords" | "updateRecords" | "replaceAllRecords"> = <R extends object = JsonRecord>(
  name: string,
  records: Parameters<SearchIndex<R>[V]>[0],
  options: NonNullable<Parameters<SearchIndex<R>[V]>[1]> & SkipOption,
) => Promise<SkipResult>;

/** The verbs of `SearchIndex`, with the name of the index as the first argument: each is defined and described there. */
type VerbsByName = {
  readonly [V in "addRecords" | "updateRecords" | "replaceAllRecords"]: SkippingVerb<V>;
} & {
  readonly [V in keyof Pick<SearchIndex, IndexVerb>]: <R extends object = JsonRecord>(
    name: string,
    ...rest: Parameters<SearchIndex<R>[V]>
  ) => ReturnType<SearchIndex<R>[V]>;
};

/** Gives engines these verbs. A promise rejects also where there is no such index. */
const ByName = classWithVerbs() as new () => VerbsByName;

function classWithVerbs(): object {
  const verbs = class {};
  for (const verb of Object.keys(INDEX_VERBS) as IndexVerb[]) {
    const run = (engine: Engine, name: string, rest: readonly unknown[]): unknown => {
      const index = engine.handleFor(name, verb);
      return Reflect.apply(index[verb], index, rest);
    };
    const value =
      verb === "browseRecords"
        ? function (this: Engine, name: string, ...rest: readonly unknown[]): unknown {
            return run(this, name, rest);
          }
        : async function (this: Engine, name: string, ...rest: readonly unknown[]): Promise<unknown> {
            return run(this, name, rest);
          };
    Object.defineProperty(value, "name", { value: verb });
    Object.defineProperty(verbs.prototype, verb, { value, writable: true, configurable: true });
  }
  return verbs;
}

/**
 * The verbs of an engine, wherever its indexes are: `SearchEngine` has them in this process, and `OpenSearchEngine` in a cluster. It is
 * made by these two alone.
 */
export abstract class Engine extends ByName {
  static {
    addBrand(Engine, "Engine");
  }

  /** @internal Counts queries and writes. */
  protected abstract readonly activity: EngineActivity;

  /** @internal Throws 503 when the engine is closed. */
  protected abstract checkOpen(): void;

  /**
   * Creates an index; no settings are needed.
   *
   * @throws SearchError 400 (name, settings), 409 `index_exists`, `settings_differ`, 503
   * @example
   * const settings = { searchableAttributes: ["title", "brand"] } as const;
   * const products = await engine.createIndex<Product>("products", settings, { ifExists: "update" });
   */
  abstract createIndex<R extends object = JsonRecord>(
    name: string,
    settings?: IndexSettings<NoInfer<R>>,
    options?: CreateOptions,
  ): Promise<SearchIndex<R>>;

  /** The handle of an existing index. Throws 404 `index_not_found`. */
  abstract index<R extends object = JsonRecord>(name: string): SearchIndex<R>;

  /** Copies settings and records to another index, new or existing. */
  abstract copyIndex(source: string, destination: string): Promise<void>;

  /** Renames an index at once. An index that has the new name is replaced, and its handles see the new records. */
  abstract moveIndex(source: string, destination: string): Promise<void>;

  /** Deletes an index with all its records. From then on its handles throw 404. */
  abstract deleteIndex(name: string): Promise<void>;

  /** All indexes, sorted by name. */
  abstract listIndexes(): Promise<IndexInfo[]>;

  /**
   * The index as text, in pieces of about 64 kB: a line with the settings, where functions appear by id, then one line of JSON for
   * each record, in the order of their ids. It shows the state at the call, whatever is written meanwhile; when the engine is closed,
   * the next piece is 503.
   *
   * @throws SearchError 400 (wrong options) and 404, when it is iterated
   * @example
   * await pipeline(engine.exportIndex("products"), createWriteStream("products.jsonl"));
   */
  abstract exportIndex(name: string, options?: SnapshotOptions): AsyncIterableIterator<string>;

  /**
   * Makes an index of what `exportIndex` gave, or with `format: "records"` of plain JSON Lines: all of it, at once, or nothing.
   * Texts are embedded anew, by the embedder that the settings name. If an id occurs twice, the last record counts.
   *
   * @param source - text, bytes, or an iterable of either, cut anywhere; it is closed when the import fails
   * @param options - with `onInvalid: "skip"`, wrong records are left out, and the result counts them and names the first hundred
   * @throws SearchError 400 and 413 (with `details.line`, counted from 1), 409 `index_exists`, `embedder_missing`,
   *   `analyzer_missing`, 499, 500 `storage_version` (written by a newer version), 502 `source_failed`, 503, 507
   * @example
   * await engine.importIndex("products", createReadStream("products.jsonl"), { ifExists: "replace" });
   * await engine.importIndex("feed", createReadStream("feed.jsonl"), { format: "records", settings: { idAttribute: "sku" } });
   */
  abstract importIndex(
    name: string,
    source: ImportSource,
    options: ImportOptions & SkipOption,
  ): Promise<ImportSkipResult>;
  abstract importIndex(name: string, source: ImportSource, options?: ImportOptions): Promise<{ records: number }>;

  /** Closes the engine. Later calls throw 503 `closed`; closing twice is allowed. */
  abstract close(): Promise<void>;

  /** See {@link SearchIndex.updateSettings}. */
  async updateSettings<R extends object = JsonRecord>(
    name: string,
    settings: IndexSettings<R>,
    options?: ProgressOptions,
  ): Promise<void> {
    return this.index<R>(name).updateSettings(settings, options);
  }

  /** See {@link SearchIndex.query}. With `attributesToRetrieve`, let `R` be what is shown: `Pick<Product, "id">`. */
  async query<R extends object = JsonRecord>(
    name: string,
    params: SearchParams<NoInfer<R>> | EncodedParams,
    options?: CallOptions,
  ): Promise<SearchAnswer<R>> {
    return this.handleFor<R>(name, "query").query(params, options);
  }

  /**
   * Answers several queries at once, each of any index: what `query` answers, in their order. One that fails is its error envelope,
   * in its place, and does not concern the others.
   *
   * @param queries - at most 50
   * @throws SearchError 400 (no list, too many, wrong options), 499, 503
   * @example
   * const [products, brands] = await engine.multiQuery([
   *   { indexName: "products", query: "drill" },
   *   { indexName: "brands", query: "drill", hitsPerPage: 3 },
   * ]);
   * if (products?.data) console.log(products.data.nbHits);
   */
  multiQuery<R extends object = JsonRecord>(
    queries: readonly (NamedParams<NoInfer<R>> & { readonly attributesToRetrieve?: undefined })[],
    options?: CallOptions,
  ): Promise<(SearchAnswer<R> | ErrorEnvelope)[]>;
  multiQuery<R extends object = JsonRecord>(
    queries: readonly NamedParams<NoInfer<R>>[],
    options?: CallOptions,
  ): Promise<(SearchAnswer<Retrieved<R>> | ErrorEnvelope)[]>;
  async multiQuery(
    queries: readonly NamedParams<object>[],
    options: CallOptions = {},
  ): Promise<(SearchAnswer<object> | ErrorEnvelope)[]> {
    this.checkOpen();
    const { signal, isFromOutside, bounds } = readOptions("call", options);
    const own: CallOptions = { signal };
    if (isFromOutside) fromOutside(own, bounds);
    const answers = await Promise.all(copyQueries(queries).map((each, i) => this.answerInPlace(each, i, own)));
    throwIfAborted(signal);
    return answers;
  }

  private async answerInPlace(
    given: unknown,
    position: number,
    options: CallOptions,
  ): Promise<SearchAnswer<object> | ErrorEnvelope> {
    try {
      const { indexName, params } = copyQuery(given, position);
      return await this.query(indexName as string, params as SearchParams, options);
    } catch (error) {
      if (error instanceof SearchError) return error.toEnvelope();
      throw error;
    }
  }

  /** @internal The handle for a verb. One that is counted is so, too, when there is no such index. */
  handleFor<R extends object = JsonRecord>(name: string, verb: IndexVerb | "query"): SearchIndex<R> {
    try {
      return this.index<R>(name);
    } catch (error) {
      if (isCounted(verb)) this.activity.refused(typeof name === "string" ? name : show(name), verb, error);
      throw error;
    }
  }

  /**
   * Loads what understands queries, wink-nlp and its English model, before the first query that asks for it: some 200 ms, and 40 MB of
   * memory. Later calls do nothing.
   *
   * @throws SearchError 503
   * @example
   * await engine.loadUnderstanding();
   */
  async loadUnderstanding(): Promise<void> {
    this.checkOpen();
    await loadEnglishReader();
  }
}

function isCounted(verb: IndexVerb | "query"): verb is WriteVerb | "query" {
  return verb === "query" || INDEX_VERBS[verb];
}
