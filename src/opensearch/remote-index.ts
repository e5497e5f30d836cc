// An index that the cluster searches: this process has its settings, and none of its records. What writes records reads, checks and analyses
// them in memory, and the cluster has them from then on.

import type { LiveIndex } from "../api/live-index.js";
import { notFound } from "../api/name-rules.js";
import { SearchIndex } from "../api/search-index.js";
import { exportLines } from "../api/transfer.js";
import type { ValueRank } from "../docvalues/facet-counts.js";
import { checkFilter } from "../index/check-attributes.js";
import { type DeleteByParams, readDeletion } from "../index/delete-by.js";
import { type EngineContext, QueryTrack } from "../index/engine-activity.js";
import {
  type BatchContext,
  mergePatches,
  type ReadRecords,
  readBatch,
  readEntry,
  readIds,
  readPatches,
  type SkippedRecord,
  sortSkipped,
} from "../index/read-batch.js";
import type { WrittenEntry } from "../index/record-table.js";
import type { Segment } from "../index/segment.js";
import {
  type AddResult,
  type Durability,
  IndexWriter,
  type SkipResult,
  Trying,
  WriteConflict,
} from "../index/writer.js";
import {
  type AddOptions,
  type CallOptions,
  type CheckedOptions,
  fromOutside,
  type ProgressOptions,
  readOptions,
  type SkipOption,
  type SnapshotOptions,
  type UpdateOptions,
} from "../input/call-options.js";
import { type SettingsPair, settingsText } from "../input/extension-ids.js";
import type { PlainObject } from "../input/plain-data.js";
import { type QueryBounds, readParams } from "../input/read-params.js";
import { takeSettings } from "../input/read-settings.js";
import type { EncodedParams, Retrieved, RetrievingParams, SearchParams } from "../input/search-params.js";
import { checkFacetSearch, type FacetHits, type FacetSearchParams, namingFacet } from "../search/facet-search.js";
import type { SearchAnswer } from "../search/response.js";
import type { QueryContext } from "../search/search.js";
import { understandQuery } from "../search/understand-query.js";
import { rankingsFor } from "../search/value-matcher.js";
import { embedsAlike, indexesAlike, stableText } from "../settings/fingerprint.js";
import type { IndexSettings, ResolvedSettings } from "../settings/settings.js";
import type { WriteVerb } from "../util/diagnostics.js";
import { SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { show } from "../util/show.js";
import { byCodeUnit } from "../util/sorted.js";
import { endedTask, pauseIfLong, runTask, startTask } from "../util/tasks.js";
import { type DocumentVersion, foreignRecords, type RecordDocument } from "./cluster-documents.js";
import { type PointInTime, type ReadDocument, settingsChanged } from "./cluster-indexes.js";
import { documentIdOf } from "./cluster-names.js";
import type { ClusterStore, RemoteSource } from "./cluster-store.js";
import { cannot } from "./remote-documents.js";
import { filterQuery } from "./remote-filter.js";
import { RemoteSearch } from "./remote-search.js";

export type { RemoteSource } from "./cluster-store.js";

/** Characters of the pieces in which an export is given. */
const PIECE = 1 << 16;
/** Settings that documents depend on, besides those by which records are indexed. */
const KEPT_BY = ["bm25", "language", "titleEvidence"] as const;

/** A writer in memory, whose records `commit` writes elsewhere. */
function scratchWriter(
  context: EngineContext,
  { settings, given }: SettingsPair,
  commit: (segments: readonly Segment[]) => Promise<void>,
): IndexWriter {
  const durability: Durability = {
    commit: async ({ scope }) => {
      if (scope.kind === "records") await commit(scope.change.added ?? []);
    },
    note: async () => {},
    isLarge: () => false,
    prepare: async () => {},
    discard: async () => {},
  };
  const writer = new IndexWriter({ ...context, settings, given, durability });
  writer.data.graph.end();
  return writer;
}

/** The segments of records as they were read, with the vectors that they have. */
export async function segmentsOf(
  context: EngineContext,
  documents: readonly RecordDocument[],
  pair: SettingsPair,
): Promise<readonly Segment[]> {
  if (pair.settings.missing !== undefined) throw pair.settings.missing;
  const writer = scratchWriter({ ...context, limits: GREATEST_LIMITS }, pair, async () => {});
  await writer.applyRecords(foreignRecords(documents, pair.settings.effective));
  return writer.data.snapshot.segments.map(({ segment }) => segment);
}

/** One for all handles of an index. */
const searches = new WeakMap<RemoteSource, RemoteSearch>();

/** The handle of an index that the cluster searches. */
export class RemoteIndex<R extends object = JsonRecord> extends SearchIndex<R> {
  private readonly source: RemoteSource;
  private readonly store: ClusterStore;

  constructor(live: LiveIndex, store: ClusterStore) {
    super(live);
    this.source = store.sourceOf(live);
    this.store = store;
  }

  // Queries.

  private get search(): RemoteSearch {
    const search = searches.get(this.source) ?? new RemoteSearch(this.source);
    searches.set(this.source, search);
    return search;
  }

  override async query<A extends readonly string[] | undefined = undefined>(
    params: SearchParams<R> | RetrievingParams<R, A> | EncodedParams,
    options: CallOptions = {},
  ): Promise<SearchAnswer<undefined extends A ? R : Retrieved<R>>> {
    const answer: unknown = await this.ask(params, options);
    return answer as SearchAnswer<undefined extends A ? R : Retrieved<R>>;
  }

  override async queryWithin(
    bounds: QueryBounds,
    params: unknown,
    options: CallOptions,
  ): Promise<SearchAnswer<JsonRecord>> {
    return this.ask(params, fromOutside(options), bounds);
  }

  private ask(params: unknown, options: CallOptions, bounds?: QueryBounds): Promise<SearchAnswer<JsonRecord>> {
    const { live } = this.source;
    const track = new QueryTrack();
    const work = async (context: QueryContext): Promise<SearchAnswer<JsonRecord>> => {
      const checked = readParams(params, live.paramsContext(context), bounds);
      track.params = checked.given;
      track.query = checked.query;
      return this.onPhysical(() => this.search.query(checked, context));
    };
    return live.context.activity.query(live.name, track, live.query(options, work, track.clock));
  }

  override async searchForFacetValues(
    params: FacetSearchParams<R> | EncodedParams,
    options: CallOptions = {},
  ): Promise<FacetHits> {
    return this.countedValues(params, options);
  }

  override async searchForFacetValuesWithin(
    bounds: QueryBounds,
    params: unknown,
    options: CallOptions,
  ): Promise<FacetHits> {
    return this.countedValues(params, fromOutside(options), bounds);
  }

  private countedValues(given: unknown, options: CallOptions, bounds?: QueryBounds): Promise<FacetHits> {
    const { live } = this.source;
    return live.query(options, async (context) => {
      const { name, typed, checked } = checkFacetSearch(given, live.paramsContext(context), bounds);
      const rankings = (mends: boolean): readonly ValueRank[] => rankingsFor(typed, mends);
      const { facets } = await this.onPhysical(() => this.search.facets(checked, context, rankings)).catch((error) => {
        throw namingFacet(error, "facetName");
      });
      return { facetHits: facets[name] ?? [] };
    });
  }

  override async understandQuery(text: string, options: CallOptions = {}): ReturnType<typeof understandQuery> {
    return this.source.live.query(options, async (context) => {
      const version = await this.search.sample();
      return understandQuery(text, { ...context, version: () => version });
    });
  }

  // What needs all records in this process.

  override async suggest(): Promise<never> {
    throw cannot("how texts go on; ask queries while somebody types, or suggest of a replica");
  }

  override async suggestWithin(): Promise<never> {
    return this.suggest();
  }

  override async similar(): Promise<never> {
    throw cannot("which records are like others; keep a replica of it for that");
  }

  override async similarWithin(): Promise<never> {
    return this.similar();
  }

  override async whyNot(): Promise<never> {
    throw cannot("why a record is no hit; ask the query with its id as a filter");
  }

  override async digest(): Promise<never> {
    throw cannot("digests; compare exports");
  }

  override async getAttributes(): Promise<never> {
    throw cannot("all attributes; ask for facets");
  }

  override async previewSettings(): Promise<never> {
    throw cannot("previews; try the settings on a copy");
  }

  // Records that are read.

  /** The number of records as this process knows it: after its own writes, and after each look at the cluster. */
  override get recordCount(): number {
    return this.store.find(this.name)?.count ?? 0;
  }

  override async getRecords(ids: readonly (string | number)[]): Promise<(R | null)[]> {
    const { live, indexes } = this.source;
    return live.read({}, async () => {
      const wanted = (await startTask(readIds(ids, live.context.limits))).map(documentIdOf);
      const found = await this.onPhysical((physical) => indexes.documents(physical, wanted));
      return found.map((document) => (document === null ? null : JSON.parse(document.json)));
    });
  }

  override browseRecords(): AsyncIterableIterator<R> {
    const { live } = this.source;
    live.check();
    return live.untilClosed(this.browse(this.openPoint()));
  }

  private async *browse(opened: Promise<PointInTime>): AsyncGenerator<R> {
    for await (const documents of this.inIdOrder(opened))
      for (const { json } of documents) {
        yield JSON.parse(json);
        await pauseIfLong();
      }
  }

  /** As `exportIndex` of an engine. */
  exportLines(options: SnapshotOptions): AsyncIterableIterator<string> {
    return this.source.live.untilClosed(this.lines(this.openPoint(), options));
  }

  private async *lines(opened: Promise<PointInTime>, options: SnapshotOptions): AsyncGenerator<string> {
    const { onProgress } = readOptions("snapshot", options);
    const { data } = this.source.live;
    yield* exportLines(data, data.snapshot, { onProgress: () => {} });
    const { total } = await opened;
    let text = "";
    let done = 0;
    for await (const documents of this.inIdOrder(opened))
      for (const { json } of documents) {
        text += `${json}\n`;
        done++;
        if (text.length < PIECE) continue;
        yield text;
        text = "";
        if (done < total) onProgress({ done, total });
      }
    if (text !== "") yield text;
    onProgress({ done, total });
  }

  /** Holds the records as they are at the call. Who iterates handles a rejection. */
  private openPoint(): Promise<PointInTime> {
    const { indexes } = this.source;
    const opened = this.onPhysical((physical) => indexes.openPoint(physical));
    opened.catch(() => {});
    return opened;
  }

  /** The records of a point in time in the order of their ids by code unit, in pages. */
  private async *inIdOrder(opened: Promise<PointInTime>): AsyncGenerator<readonly ReadDocument[]> {
    const { indexes } = this.source;
    const point = await opened;
    try {
      let held: readonly ReadDocument[] = [];
      for await (const page of indexes.pages(point)) {
        const all = [...held, ...page];
        const at = startOfOpenRun(all.map(({ id }) => id));
        held = all.slice(at);
        yield byId(all.slice(0, at));
      }
      yield byId(held);
    } finally {
      await indexes.endPoint(point);
    }
  }

  /** Reads from the physical index; again where another one has the name by then. */
  private async onPhysical<T>(read: (physical: string) => Promise<T>): Promise<T> {
    const trying = new Trying(this.store.sharedIndex(this.name));
    for (;;) {
      try {
        return await read(this.source.physical);
      } catch (error) {
        if (!isReplaced(error)) throw error;
      }
      await trying.again(new Set());
      await this.store.catchUp(this.name);
    }
  }

  // Records that are written.

  override addRecords(records: unknown, options: AddOptions & SkipOption): Promise<SkipResult>;
  override addRecords(records: unknown, options?: AddOptions): Promise<AddResult>;
  override async addRecords(records: unknown, options: AddOptions = {}): Promise<AddResult> {
    return this.counted("addRecords", options, (checked) => {
      const reading = startTask(readBatch(records, this.batchContext(checked)), checked.signal);
      return this.inTurn(reading, checked, async ({ entries, skipped }, signal) => {
        const { added, replaced } = await this.put(this.scratch(), entries, { ...checked, signal });
        return withSkipped({ added, replaced }, skipped, checked);
      });
    });
  }

  override updateRecords(records: unknown, options: UpdateOptions & SkipOption): Promise<SkipResult>;
  override updateRecords(records: unknown, options?: UpdateOptions): Promise<AddResult>;
  override async updateRecords(records: unknown, options: UpdateOptions = {}): Promise<AddResult> {
    return this.counted("updateRecords", options, (checked) => {
      const reading = startTask(readPatches(records, this.batchContext(checked)), checked.signal);
      const done = new Updated();
      return this.inTurn(reading, checked, async (read, signal) => {
        await this.update(done.begin(read), { ...checked, signal });
        return withSkipped(done, await runTask(sortSkipped(done.skipped)), checked);
      });
    });
  }

  /** Merges patches into the records as they are; what others change meanwhile is read and changed again. */
  private async update(done: Updated, options: CheckedOptions): Promise<void> {
    const { live, indexes } = this.source;
    const { createIfNotExists } = options;
    const trying = new Trying(this.store.sharedIndex(this.name));
    for (;;) {
      const ids = [...new Set(done.left.map(({ id }) => id))];
      const found = await indexes.documents(this.source.physical, ids.map(documentIdOf));
      const there = found.filter((document) => document !== null);
      const versions = new Map(there.map(({ id, version }) => [id, version]));
      const scratch = this.scratch(versions);
      await scratch.writer.applyRecords(foreignRecords(there, live.settings.effective));
      const context = { ...this.batchContext(options), creates: () => createIfNotExists };
      const merging = mergePatches(done.left, scratch.writer.data.snapshot, context);
      const merged = await runTask(merging, options.signal);
      // What is written is not taken back.
      const signal = done.added + done.replaced === 0 ? options.signal : undefined;
      const { conflicts, ...result } = await this.put(scratch, merged.entries, { ...options, signal });
      done.add(result, merged.skipped, conflicts);
      if (conflicts.size === 0) return;
      await trying.again(conflicts);
    }
  }

  override replaceAllRecords(records: unknown, options: AddOptions & SkipOption): Promise<SkipResult>;
  override replaceAllRecords(records: unknown, options?: AddOptions): Promise<AddResult>;
  override async replaceAllRecords(records: unknown, options: AddOptions = {}): Promise<AddResult> {
    const { writer } = this.source.live;
    try {
      return await super.replaceAllRecords(records as never, options);
    } finally {
      if (writer.data.snapshot.liveCount > 0) writer.replace(writer.emptyData(writer.data));
    }
  }

  override async deleteRecords(
    ids: readonly (string | number)[],
    options: CallOptions = {},
  ): Promise<{ deleted: number }> {
    return this.counted("deleteRecords", options, (checked) => {
      const reading = startTask(readIds(ids, this.source.live.context.limits), checked.signal);
      return this.inTurn(reading, checked, async (wanted) => {
        const { deleted } = await this.store.remove(this.name, [...new Set(wanted)]);
        return { deleted };
      });
    });
  }

  override async deleteBy(params: DeleteByParams<R>, options: CallOptions = {}): Promise<{ deleted: number }> {
    return this.counted("deleteBy", options, (checked) => {
      const filter = readDeletion(params, this.source.live.context.limits);
      let deleted = 0;
      return this.inTurn(Promise.resolve(), checked, async () => {
        const shared = this.store.sharedIndex(this.name);
        const trying = new Trying(shared);
        for (;;) {
          await shared.catchUp();
          const { live, indexes, physical } = this.source;
          const { attributes } = await this.search.sample();
          await runTask(checkFilter(filter, "filters", { settings: live.settings.effective, attributes }));
          const query = filterQuery(filter);
          const point = await indexes.openPoint(physical);
          const conflicts: string[] = [];
          try {
            for await (const documents of indexes.pages(point, query)) {
              const ids = documents.map(({ id }) => id);
              const versions = documents.map(({ version }) => version);
              const removed = await this.store.remove(this.name, ids, versions);
              deleted += removed.deleted;
              conflicts.push(...removed.conflicts);
            }
          } finally {
            await indexes.endPoint(point);
          }
          if (conflicts.length === 0) return { deleted };
          await trying.again(new Set(conflicts));
        }
      });
    });
  }

  /** Runs a call that writes records, and counts it. */
  private counted<T extends AddResult | { readonly deleted: number }>(
    verb: WriteVerb,
    options: CallOptions,
    work: (checked: CheckedOptions) => Promise<T>,
  ): Promise<T> {
    const { live } = this.source;
    return live.context.activity.write(live.name, verb, performance.now(), live.write(options, work));
  }

  /** Runs a write in its turn; again where the index was replaced meanwhile by one that reads records alike. */
  private inTurn<B, T>(
    reading: Promise<B>,
    { signal }: CheckedOptions,
    work: (batch: B, stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { live } = this.source;
    const { settings } = live;
    const shared = this.store.sharedIndex(this.name);
    return live.writer.scheduler.write(reading, signal, async (batch, stop) => {
      const trying = new Trying(shared);
      for (;;) {
        if (!readsAlike(settings, live.settings)) throw settingsChanged();
        try {
          return await work(batch, stop);
        } catch (error) {
          if (!isReplaced(error)) throw error;
        }
        await trying.again(new Set());
        await shared.catchUp();
      }
    });
  }

  private batchContext({ onInvalid }: CheckedOptions): BatchContext {
    const { context, settings } = this.source.live;
    return { settings: settings.effective, limits: context.limits, skipsInvalid: onInvalid === "skip" };
  }

  /** A writer in memory, whose records go to the cluster; with `versions`, in place of these alone. */
  private scratch(versions?: ReadonlyMap<string, DocumentVersion>): Scratch {
    const { live } = this.source;
    const { context, data } = live;
    // A batch does not tell which attributes no record has.
    const warn: typeof context.warn = (warning, isFromOutside) => {
      if (warning.code !== "unknown_attribute") context.warn(warning, isFromOutside);
    };
    const written: Scratch["written"] = { added: 0, replaced: 0, conflicts: new Set() };
    const writer = scratchWriter({ ...context, warn }, data, async (segments) => {
      Object.assign(written, await this.store.write(live.name, segments, data, versions));
    });
    return { writer, written };
  }

  /** Writes records by a scratch writer. */
  private async put(
    { writer, written }: Scratch,
    entries: readonly WrittenEntry[],
    options: CheckedOptions,
  ): Promise<Scratch["written"]> {
    try {
      await writer.addEntries([...entries], options);
      return written;
    } finally {
      end(writer);
    }
  }

  // Settings.

  override async updateSettings(settings: IndexSettings<R>, options: ProgressOptions = {}): Promise<void> {
    const { live } = this.source;
    const work = async (checked: CheckedOptions): Promise<void> => {
      const shared = this.store.sharedIndex(this.name);
      const reading = startTask(takeSettings(settings), checked.signal);
      await live.writer.scheduler.replace(reading, checked.signal, async (changes, signal) => {
        for (const trying = new Trying(shared); ; ) {
          await shared.catchUp();
          try {
            return await this.changeSettings(changes, { ...checked, signal });
          } catch (error) {
            if (!(error instanceof WriteConflict) && !isReplaced(error)) throw error;
            await trying.again(new Set());
          }
        }
      });
    };
    return live.write(options, work, false);
  }

  private async changeSettings(changes: PlainObject, options: CheckedOptions): Promise<void> {
    const { live } = this.source;
    const { name, writer } = live;
    // An index without records tells what the settings will be.
    const scratch = live.emptyCopy(name);
    const before = scratch.data;
    try {
      await scratch.updateSettings(endedTask(changes), options);
      const { data } = scratch;
      if (data === before) return;
      const text = await runTask(settingsText(data));
      if (keepsDocuments(before.settings, data.settings)) {
        if (!(await this.store.note(name, text))) throw new WriteConflict(new Set());
      } else {
        const make = (documents: readonly RecordDocument[]) => this.indexAnew(documents, data, before, options);
        await this.store.rebuild(name, name, { text, pair: data, segmentsOf: make });
      }
      writer.replace(writer.emptyData(data));
    } finally {
      await scratch.end(notFound(name));
    }
  }

  /** The segments of records under other settings. */
  private async indexAnew(
    documents: readonly RecordDocument[],
    pair: SettingsPair,
    before: SettingsPair,
    options: CheckedOptions,
  ): Promise<readonly Segment[]> {
    const { context } = this.source.live;
    if (embedsAlike(before.settings, pair.settings)) return segmentsOf(context, documents, pair);
    const reading = { settings: pair.settings.effective, limits: GREATEST_LIMITS };
    const entries: WrittenEntry[] = [];
    for (const { id, json } of documents) {
      const entry = readEntry(JSON.parse(json!), reading);
      if (entry.id !== id) throw doesNotFit(id);
      entries.push(entry);
      await pauseIfLong();
    }
    let made: readonly Segment[] = [];
    const writer = scratchWriter({ ...context, warn: () => {}, limits: GREATEST_LIMITS }, pair, async (segments) => {
      made = segments;
    });
    try {
      await writer.addEntries(entries, { ...options, onProgress: undefined });
      return made;
    } finally {
      end(writer);
    }
  }
}

/** A writer in memory, and what came of its records in the cluster. */
interface Scratch {
  readonly writer: IndexWriter;
  readonly written: AddResult & { readonly conflicts: ReadonlySet<string> };
}

/** What an update has done, also before the index was replaced. */
class Updated {
  added = 0;
  replaced = 0;
  skipped: SkippedRecord[] = [];
  /** The patches that are not written yet. */
  left: readonly WrittenEntry[] = [];
  private hasBegun = false;

  begin({ entries, skipped }: ReadRecords): this {
    if (this.hasBegun) return this;
    this.hasBegun = true;
    this.left = entries;
    this.skipped = [...skipped];
    return this;
  }

  add({ added, replaced }: AddResult, skipped: readonly SkippedRecord[], conflicts: ReadonlySet<string>): void {
    this.added += added;
    this.replaced += replaced;
    for (const each of skipped) if (each.id === undefined || !conflicts.has(each.id)) this.skipped.push(each);
    this.left = this.left.filter(({ id }) => conflicts.has(id));
  }
}

function withSkipped(
  { added, replaced }: AddResult,
  skipped: readonly SkippedRecord[],
  { onInvalid }: CheckedOptions,
): AddResult | SkipResult {
  return { added, replaced, ...(onInvalid === "skip" && { skipped }) };
}

/** Lets a scratch writer merge nothing. */
function end(writer: IndexWriter): void {
  const over = notFound("scratch");
  writer.refuse(over);
  writer.scheduler.end(over);
}

function byId(documents: readonly ReadDocument[]): ReadDocument[] {
  return [...documents].sort((a, b) => byCodeUnit(a.id, b.id));
}

const FIRST_SURROGATE = 0xd800;

/**
 * Where the last of some ids, in the order of code points, begin that later ones may come before in the order of code units: the two orders
 * differ among characters from U+E000 on, behind the same beginning.
 */
function startOfOpenRun(ids: readonly string[]): number {
  const last = ids.at(-1) ?? "";
  let at = 0;
  while (at < last.length && last.charCodeAt(at) < FIRST_SURROGATE) at++;
  if (at === last.length) return ids.length;
  const start = last.slice(0, at);
  return ids.findIndex((id) => id.startsWith(start) && id.charCodeAt(at) >= FIRST_SURROGATE);
}

/** Whether the documents of records are the same under both settings. */
function keepsDocuments(a: ResolvedSettings, b: ResolvedSettings): boolean {
  const keptBy = ({ effective }: ResolvedSettings): string => stableText(KEPT_BY.map((name) => effective[name]));
  return indexesAlike(a, b) && keptBy(a) === keptBy(b);
}

/** Whether records are read alike under both settings. */
function readsAlike({ effective: a }: ResolvedSettings, { effective: b }: ResolvedSettings): boolean {
  return a.idAttribute === b.idAttribute && a.vectorAttribute === b.vectorAttribute && a.dimensions === b.dimensions;
}

function isReplaced(error: unknown): boolean {
  return error instanceof SearchError && error.error === "settings_changed";
}

function doesNotFit(id: string): SearchError {
  const msg = `Under these settings the record ${show(id)} has another id; nothing was changed.`;
  return new SearchError(400, "settings_do_not_fit", msg, { param: "settings" });
}
