// One index: its verbs, the state in force, and the line where writers queue.

import { countRetired, findLiving, prepareBatch } from "./add-records.js";
import { throwIfAborted, untilAborted } from "./base/abort.js";
import type { SearchError } from "./base/errors.js";
import type { JsonRecord } from "./base/json.js";
import type { Limits } from "./base/limits.js";
import { sortInSteps } from "./base/merge-runs.js";
import type { SearchWarning } from "./base/seams.js";
import { runInSlices } from "./base/slices.js";
import { WriteQueue } from "./base/write-queue.js";
import { browseRecords } from "./browse-records.js";
import { type AddOptions, type CallOptions, type CheckedOptions, readOptions } from "./call-options.js";
import { IndexState, livingDocs, type StateChange } from "./index-state.js";
import { GraphKeeper } from "./keep-graph.js";
import { chooseMerge, mergeSegments } from "./merge-segments.js";
import type { SearchAnswer } from "./query/response.js";
import { checkParams, type EncodedParams, type SearchParams } from "./query/search-params.js";
import { readBatch } from "./read-batch.js";
import { readIds } from "./read-ids.js";
import type { FieldRules } from "./records/field-rules.js";
import { runQuery } from "./run-query.js";
import type { EffectiveSettings, ResolvedSettings } from "./settings/settings.js";

/** What addRecords did. */
export interface AddResult {
  readonly added: number;
  readonly replaced: number;
}

/** What an engine gives each of its indexes. */
export interface IndexContext {
  readonly name: string;
  readonly settings: ResolvedSettings;
  readonly limits: Limits;
  readonly strict: boolean;
  readonly warn: (warning: SearchWarning) => void;
}

/**
 * A handle on one index, with the verbs of the engine but without the name. `createIndex` and `engine.index(name)` give it.
 *
 * @typeParam R - the record type; hits' `source` has it.
 * @example
 * const products = await createIndex<Product>("products");
 * await products.addRecords([{ id: 1, title: "Cordless drill" }]);
 * const { data } = await products.query({ query: "drill" });
 */
export class SearchIndex<R extends object = JsonRecord> {
  /** The name of the index. */
  readonly name: string;
  private readonly context: IndexContext;
  private readonly rules: FieldRules;
  private readonly writers: WriteQueue = new WriteQueue();
  private readonly stop: AbortController = new AbortController();
  private readonly graph: GraphKeeper;
  private state: IndexState = IndexState.empty();
  private gone: SearchError | undefined;

  /** @internal */
  constructor(context: IndexContext) {
    this.name = context.name;
    this.context = context;
    this.rules = fieldRules(context.settings.effective);
    this.graph = new GraphKeeper(context.settings.effective, this.state, context.warn, this.stop.signal);
  }

  /** Living records. */
  get recordCount(): number {
    return this.state.liveCount;
  }

  /**
   * Adds records, or replaces those with the same id: all of them or, when anything is wrong, none. They are searchable when
   * the promise resolves. Change none before that: 256 of them (or 256 kB) are copied at once, the rest in slices.
   *
   * @param records - plain objects of JSON values with an id; an id twice: the last counts.
   * @throws SearchError 400 (complaints about all records), 404, 413 (too large), 499, 502 (embedder), 503, 507 (full)
   */
  async addRecords(records: readonly R[], options: AddOptions = {}): Promise<AddResult> {
    const { signal, onProgress } = this.readOptions(options);
    const { limits, settings, warn } = this.context;
    // Read at once, and in line at once: calls take effect in the order in which they were made.
    const reading = runInSlices(readBatch(records, { settings: settings.effective, limits }), signal);
    return this.write(reading, signal, async (entries, stop) => {
      if (entries.length === 0) return { added: 0, replaced: 0 };
      const batch = { settings, rules: this.rules, limits, signal: stop, warn, onProgress };
      const { change, added, replaced } = await prepareBatch(this.state, entries, batch);
      throwIfAborted(stop);
      this.publish(change);
      return { added, replaced };
    });
  }

  /** Deletes records by id; ids that no record has are passed over. */
  async deleteRecords(ids: readonly (string | number)[], options: CallOptions = {}): Promise<{ deleted: number }> {
    const { signal } = this.readOptions(options);
    const wanted = readIds(ids, this.context.limits);
    return this.write(undefined, signal, async () => {
      const sorted = await runInSlices(sortInSteps([...new Set(wanted)], byCodeUnit), signal);
      const retired = await runInSlices(findLiving(this.state, sorted), signal);
      const deleted = countRetired(retired);
      if (deleted > 0) this.publish({ retired });
      return { deleted };
    });
  }

  /** The records with these ids in the order asked, null where there is none; fresh copies. */
  async getRecords(ids: readonly (string | number)[]): Promise<(R | null)[]> {
    this.check();
    const { state } = this;
    return readIds(ids, this.context.limits).map((id) => {
      const doc = state.find(id);
      return doc < 0 ? null : (state.recordOf(doc) as R);
    });
  }

  /** All records as they are at the call, in the order of their ids by code unit; later writes do not show. */
  browseRecords(): AsyncIterableIterator<R> {
    this.check();
    return browseRecords<R>(this.state);
  }

  /** Removes all records; the settings stay. */
  async clearIndex(): Promise<void> {
    return this.write(undefined, undefined, async () => {
      const retired = new Map(
        this.state.segments.map(({ segment, dead }) => [segment.uid, livingDocs({ segment, dead })]),
      );
      this.publish({ retired });
    });
  }

  /** The settings in force. */
  async getSettings(): Promise<{ readonly effective: EffectiveSettings }> {
    this.check();
    return { effective: this.context.settings.effective };
  }

  /**
   * Answers a query in the documented envelope. Form A is an object, form B `{ params: "query=…&page=2" }`.
   *
   * @throws SearchError 400 (complaints about all parameters), 404, 499, 503
   */
  async query(params: SearchParams | EncodedParams, options: CallOptions = {}): Promise<SearchAnswer<R>> {
    const started = performance.now();
    const { signal } = this.readOptions(options);
    const { name, settings, limits, strict, warn } = this.context;
    const checked = checkParams(params, { limits, strict, warn, dimensions: settings.effective.dimensions });
    const state = (): IndexState => this.state;
    const graph = this.graph.graphFor.bind(this.graph);
    return (await runQuery(checked, {
      name,
      settings,
      limits,
      signal,
      warn,
      state,
      graph,
      started,
    })) as SearchAnswer<R>;
  }

  /** Resolves when nothing works in the background any more: merging segments, growing the graph. For benchmarks and tests. */
  async whenIdle(): Promise<void> {
    await this.writers.idle();
    await this.graph.idle();
  }

  /** Ends the handle: what runs ends, later calls get `reason`. @internal */
  async end(reason: SearchError): Promise<void> {
    this.gone ??= reason;
    this.stop.abort();
    await this.whenIdle();
    this.graph.dispose();
  }

  /**
   * Runs a writer in its turn, on what was read meanwhile, then merges in the background what it left small. A writer is
   * given up when its caller's signal or the end of the index says so.
   */
  private async write<T, B>(
    reading: Promise<B> | B,
    signal: AbortSignal | undefined,
    task: (batch: B, stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const stop = signal === undefined ? this.stop.signal : AbortSignal.any([signal, this.stop.signal]);
    if (reading instanceof Promise) reading.catch(() => {}); // it is heard in its turn
    try {
      let begun = false;
      const turn = this.writers.run(async () => {
        begun = true;
        const batch = await reading;
        this.check();
        throwIfAborted(stop);
        return task(batch, stop);
      });
      return await untilAborted(turn, stop, () => !begun);
    } catch (error) {
      this.check();
      throw error;
    } finally {
      void this.writers.run(() => this.merge()).catch(() => {});
    }
  }

  /** The one place where the state changes. */
  private publish(change: StateChange): void {
    this.check();
    this.state = this.state.with(change);
    this.graph.follow(this.state, change);
  }

  private async merge(): Promise<void> {
    for (
      let chosen = chooseMerge(this.state);
      chosen.length > 0 && this.gone === undefined;
      chosen = chooseMerge(this.state)
    ) {
      const merged = await runInSlices(mergeSegments(chosen), this.stop.signal);
      const dropped = new Set(chosen.map((live) => live.segment.uid));
      this.state = this.state.with({ added: [merged.segment], dropped });
      this.graph.followMerge(this.state, merged);
    }
  }

  private check(): void {
    if (this.gone !== undefined) throw this.gone;
  }

  private readOptions(options: unknown): CheckedOptions {
    this.check();
    return readOptions(options);
  }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fieldRules(settings: EffectiveSettings): FieldRules {
  return {
    idAttribute: settings.idAttribute,
    searchable:
      settings.searchableAttributes?.map((entry) => (typeof entry === "string" ? entry : entry.attribute)) ?? null,
    identifiers: new Set(settings.identifierAttributes.map((name) => name.toLowerCase())),
    vectorAttribute: settings.vectorAttribute ?? undefined,
    embedded: settings.embeddedAttributes,
  };
}
