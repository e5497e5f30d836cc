// What an engine asks of its cluster: physical indexes and their aliases, documents to write and to read. Every answer is whole: one of
// which a shard is missing is an error.

import { type SettingsPair, settingsText } from "../input/extension-ids.js";
import { type CheckedSettings, type ResolvedSettings, searchedName } from "../settings/settings.js";
import { pauseFor } from "../util/abort.js";
import { SearchError } from "../util/errors.js";
import { show } from "../util/show.js";
import { runTaskAtOnce } from "../util/tasks.js";
import { type Cluster, type ClusterRequest, refused, unavailable } from "./cluster.js";
import { type ClusterNames, newPhysical, writeAliasOf } from "./cluster-names.js";
import { KEEP_ALIVE, PointInTime } from "./point-in-time.js";
import { documentIn, mappingsFor, READ_FIELDS, type RecordDocument } from "./record-documents.js";
import type { SearchBody, SearchRequest } from "./search-body.js";

/** An index as the cluster has it. */
export interface PhysicalIndex {
  readonly name: string;
  /** The settings as text, as they stand in its metadata. */
  readonly settings: string;
}

/** Settings with the text of them that the cluster keeps. */
export interface KeptSettings {
  readonly text: string;
  readonly settings: ResolvedSettings;
}

/** The settings of an index, with the text of them that stands in the metadata of the physical one. */
export function keptSettings(pair: SettingsPair): KeptSettings {
  return { text: runTaskAtOnce(settingsText(pair)), settings: pair.settings };
}

/** Of every physical index. Deep pages are as long as they are. */
const INDEX = { max_result_window: 10_000_000 } as const;

/** What a physical index is made with, and does not change afterwards: another one takes its place if these settings change. */
function madeWith(settings: CheckedSettings): { readonly index: object; readonly mappings: object } {
  const { bm25, dimensions, vectorIndex } = settings;
  // The words of records are scored by the cluster about as they are here.
  const similarity = { default: { type: "BM25", k1: bm25.k1, b: bm25.b } };
  const knn = dimensions > 0 && vectorIndex.kind !== "exact";
  return { index: { ...INDEX, similarity, ...(knn && { knn }) }, mappings: mappingsFor(settings) };
}

function refuseOwnLanguages({ searchableAttributes }: CheckedSettings): void {
  const own = searchableAttributes?.find((entry) => typeof entry === "object" && entry.language !== undefined);
  if (own === undefined) return;
  const msg = `searchableAttributes gives ${show(searchedName(own))} a language of its own, which an index in a cluster cannot have; leave it out, or make an index for each language.`;
  throw new SearchError(400, "invalid_setting", msg, { param: "searchableAttributes" });
}

/** Whether a physical index that was filled under some settings serves others. Weights of fields are in its documents. */
export function serves(before: ResolvedSettings, after: ResolvedSettings): boolean {
  const keyOf = ({ effective }: ResolvedSettings): string =>
    JSON.stringify([madeWith(effective), effective.searchableAttributes]);
  return keyOf(before) === keyOf(after);
}

/** How physical indexes are made. */
export interface IndexShape {
  readonly shards: number;
  readonly replicas: number;
}

/** Shows whether records were written since. */
export interface IndexState {
  readonly state: string;
  readonly count: number;
}

/** A document, and what tells whether it was written since it was read. */
export interface DocumentVersion {
  readonly document: RecordDocument;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** How documents are written. */
export interface WriteContext {
  readonly signal?: AbortSignal | undefined;
  readonly versions?: ReadonlyMap<string, DocumentVersion> | undefined;
  /** False: a failure removes the index, with what was written before. */
  readonly isSeen?: boolean;
  /** Gets how many were written so far. */
  readonly onWritten?: ((done: number) => void) | undefined;
}

/** What was written. */
export interface WriteResult {
  readonly added: number;
  readonly replaced: number;
  /** The ids of documents that were not written. */
  readonly conflicts: readonly string[];
}

/** Asks for the state of an index, which {@link stateIn} finds in the answer. */
export const STATE_REQUEST: SearchRequest & { readonly aggs: Readonly<Record<string, object>> } = {
  size: 0,
  track_total_hits: true,
  aggs: { stamps: { sum: { field: "stamp" } } },
};

export function stateIn({ hits, aggregations = {} }: SearchBody): string {
  return `${hits.total!.value}:${aggregations.stamps?.value}`;
}

/** Bytes of the lines of one request that writes, and documents of one that reads. */
const BULK_BYTES = 4_000_000;
const READ_AT_ONCE = 1000;
/** What the cluster does for all records of an index may take so long. */
const LONG_MS = 300_000;
/** An item that the cluster was too busy for is written again after so many milliseconds. */
const PATIENCE_MS: readonly number[] = [100, 200, 400, 800, 1600, 3200];
const TOO_MANY = 429;
/** In place of the result of an item whose document is another version by now. */
const CONFLICT = "conflict";
/** An alias has one index to write to at most, so that of two processes that give away a name one is refused. */
const ONLY = { is_write_index: true } as const;
const FAILED = 500;

function isTaken(body: unknown): boolean {
  return JSON.stringify(body).includes("has more than one write index");
}

type Mappings = Readonly<Record<string, { readonly mappings: { readonly _meta?: { readonly tandem?: string } } }>>;

interface BulkItem {
  readonly status: number;
  readonly result?: string;
  readonly error?: { readonly type: string; readonly reason: string };
}

/** What a bulk request is made of. */
interface BulkItems<T> {
  readonly of: readonly T[];
  /** A line or two. */
  readonly itemOf: (each: T) => readonly string[];
  readonly isSeen: boolean;
  readonly onWritten?: ((done: number) => void) | undefined;
}

interface BulkBody {
  readonly items: readonly Readonly<Record<string, BulkItem>>[];
}

/** The indexes of an engine in its cluster. */
export class ClusterIndexes {
  private readonly cluster: Cluster;
  private readonly names: ClusterNames;
  private readonly shape: IndexShape;

  constructor(cluster: Cluster, names: ClusterNames, shape: IndexShape) {
    this.cluster = cluster;
    this.names = names;
    this.shape = shape;
  }

  /** For how many milliseconds a call tries again that conflicts with writes of other processes. */
  get patienceMs(): number {
    return this.cluster.requestTimeoutMs;
  }

  /** The physical index of a name; undefined: there is none. */
  async find(name: string, signal?: AbortSignal): Promise<PhysicalIndex | undefined> {
    const path = `/${this.names.aliasOf(name)}/_mapping?filter_path=*.mappings._meta`;
    const { status, body } = await this.cluster.send<Mappings>({
      method: "GET",
      path,
      isRead: true,
      signal,
      mayAnswer: [404],
    });
    const [found] = status === 404 ? [] : Object.entries(body);
    const settings = found?.[1].mappings._meta?.tandem;
    return found === undefined || settings === undefined ? undefined : { name: found[0], settings };
  }

  /** Throws 400 for a name that the cluster cannot have. */
  checkName(name: string): void {
    this.names.check(name);
  }

  /** All names, with how many records each has. */
  async list(): Promise<Map<string, number>> {
    const { all } = this.names;
    const { status, body } = await this.cluster.send<Readonly<Record<string, { readonly aliases: object }>>>({
      method: "GET",
      path: `/_alias/${all}`,
      isRead: true,
      mayAnswer: [404],
    });
    const names = new Map<string, string>();
    for (const [physical, { aliases }] of status === 404 ? [] : Object.entries(body))
      for (const alias of Object.keys(aliases)) {
        const name = this.names.nameOf(alias);
        if (name !== undefined) names.set(physical, name);
      }
    const counts = new Map([...names.values()].sort().map((name) => [name, 0]));
    if (counts.size === 0) return counts;
    const aggs = { by: { terms: { field: "_index", size: names.size } } };
    const { aggregations } = await this.search(`/${all}/_search`, { size: 0, aggs });
    for (const { key, doc_count: count } of aggregations?.by?.buckets ?? []) {
      const name = names.get(key);
      if (name !== undefined) counts.set(name, count);
    }
    return counts;
  }

  /** Makes the physical index of a name; undefined: another process made one at the same time. */
  async create(name: string, settings: KeptSettings): Promise<PhysicalIndex | undefined> {
    return this.make(name, settings, { [this.names.aliasOf(name)]: ONLY });
  }

  /** Makes a physical index that nobody sees. */
  async createUnseen(name: string, settings: KeptSettings): Promise<PhysicalIndex> {
    return (await this.make(name, settings, {}))!;
  }

  private async make(
    name: string,
    { text, settings }: KeptSettings,
    aliases: Readonly<Record<string, object>>,
  ): Promise<PhysicalIndex | undefined> {
    refuseOwnLanguages(settings.effective);
    const physical = newPhysical(this.names.aliasOf(name));
    const { shards, replicas } = this.shape;
    const { index, mappings } = madeWith(settings.effective);
    const { status, body } = await this.cluster.send({
      method: "PUT",
      path: `/${physical}`,
      isRead: false,
      timeoutMs: LONG_MS,
      body: {
        settings: { index: { ...index, number_of_shards: shards, number_of_replicas: replicas } },
        mappings: { ...mappings, _meta: { tandem: text } },
        aliases: { [writeAliasOf(physical)]: {}, ...aliases },
      },
      mayAnswer: [FAILED],
    });
    if (status !== FAILED) return { name: physical, settings: text };
    if (isTaken(body)) return undefined;
    throw refused(status, body);
  }

  /**
   * Makes a physical index the one of a name, at once, and removes the one before. False: another process gave the name to another one, or
   * took it away, and nothing was changed.
   */
  async swap(name: string, physical: PhysicalIndex, before: PhysicalIndex | undefined): Promise<boolean> {
    const alias = this.names.aliasOf(name);
    const isDone = await this.alias([
      ...(before === undefined ? [] : takenFrom(before, alias)),
      { add: { index: physical.name, alias, ...ONLY } },
    ]);
    if (isDone && before !== undefined) await this.removeNameless(before);
    return isDone;
  }

  /** Gives a physical index another name, at once; one that has that name is removed. Throws 409 where another process was faster. */
  async rename(physical: PhysicalIndex, from: string, to: string, replaced: PhysicalIndex | undefined): Promise<void> {
    const alias = this.names.aliasOf(to);
    const isDone = await this.alias([
      ...(replaced === undefined ? [] : takenFrom(replaced, alias)),
      { remove: { index: physical.name, alias: this.names.aliasOf(from), must_exist: true } },
      { add: { index: physical.name, alias, ...ONLY } },
    ]);
    if (!isDone) throw settingsChanged();
    if (replaced !== undefined) await this.removeNameless(replaced);
  }

  /** Removes what another index has taken the name of. Where that fails, it takes disk, and nobody sees it. */
  private async removeNameless(index: PhysicalIndex): Promise<void> {
    await this.remove(index).catch(() => {});
  }

  /** Changes aliases, all at once; false: none, since an index is gone or a name is taken. */
  private async alias(actions: readonly object[]): Promise<boolean> {
    const { status, body } = await this.cluster.send({
      method: "POST",
      path: "/_aliases",
      body: { actions },
      isRead: false,
      timeoutMs: LONG_MS,
      mayAnswer: [404, FAILED],
    });
    if (status === FAILED && !isTaken(body)) throw refused(status, body);
    return status !== 404 && status !== FAILED;
  }

  async remove({ name }: PhysicalIndex): Promise<void> {
    await this.cluster.send({ method: "DELETE", path: `/${name}`, isRead: false, mayAnswer: [404] });
  }

  /** Changes the settings in the metadata alone. */
  async keepSettings({ name }: PhysicalIndex, settings: string, signal?: AbortSignal): Promise<void> {
    const body = { _meta: { tandem: settings } };
    const { status, body: answer } = await this.cluster.send({
      method: "PUT",
      path: `/${name}/_mapping`,
      body,
      isRead: false,
      signal,
      mayAnswer: [404],
    });
    if (status === 404) throw settingsChanged(answer);
  }

  /** Shows whether records of an index were written. Throws `index_replaced` where it is gone. */
  async stateOf({ name }: PhysicalIndex, signal?: AbortSignal): Promise<IndexState> {
    const body = await this.search(`/${name}/_search`, STATE_REQUEST, signal);
    return { count: body.hits.total!.value, state: stateIn(body) };
  }

  /** All documents of an index, as they are at one moment, in no order. */
  async documents(index: PhysicalIndex, signal?: AbortSignal): Promise<RecordDocument[]> {
    const all: RecordDocument[] = [];
    const point = await this.openPoint(index, signal);
    try {
      for await (const some of point.documents()) all.push(...some);
      return all;
    } finally {
      await point.close();
    }
  }

  /** An index as it is now, to be closed. */
  async openPoint({ name }: PhysicalIndex, signal?: AbortSignal): Promise<PointInTime> {
    const path = `/${name}/_search/point_in_time?keep_alive=${KEEP_ALIVE}&allow_partial_pit_creation=false`;
    const { status, body } = await this.cluster.send<{ readonly pit_id: string }>({
      method: "POST",
      path,
      isRead: true,
      signal,
      mayAnswer: [404],
    });
    if (status === 404) throw replaced();
    const close = async (id: string): Promise<void> => {
      const request: ClusterRequest = {
        method: "DELETE",
        path: "/_search/point_in_time",
        body: { pit_id: [id] },
        isRead: false,
        mayAnswer: [404],
      };
      await this.cluster.send(request).catch(() => {});
    };
    return new PointInTime({ id: body.pit_id, search: (request) => this.search("/_search", request, signal), close });
  }

  /** The documents with these ids that are there. */
  async documentsOf(index: PhysicalIndex, ids: readonly string[], signal?: AbortSignal): Promise<RecordDocument[]> {
    return [...(await this.versionsOf(index, ids, signal)).values()].map(({ document }) => document);
  }

  /** The documents with these ids that are there, by id, with their versions: see {@link write}. */
  async versionsOf(
    index: PhysicalIndex,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, DocumentVersion>> {
    const found = new Map<string, DocumentVersion>();
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const some = ids.slice(from, from + READ_AT_ONCE);
      const request = {
        ...READ_FIELDS,
        query: { terms: { id: some } },
        size: some.length,
        track_total_hits: false,
        seq_no_primary_term: true,
      };
      const [body] = await this.searchAll(index, [request], signal);
      for (const { fields, _seq_no: seqNo = 0, _primary_term: primaryTerm = 0 } of body!.hits.hits) {
        const document = documentIn(fields);
        found.set(document.id, { document, seqNo, primaryTerm });
      }
    }
    return found;
  }

  /** A search of which every shard has answered. Throws `index_replaced` where the index is gone. */
  private async search(path: string, body: object, signal?: AbortSignal): Promise<SearchBody> {
    const isOfPoint = path === "/_search";
    const answer = await this.cluster.send<SearchBody>({
      method: "POST",
      isRead: true,
      body,
      signal,
      mayAnswer: [404],
      path: isOfPoint ? path : `${path}?allow_partial_search_results=false`,
    });
    if (answer.status === 404) throw replaced();
    const { timed_out: isLate, _shards: shards } = answer.body;
    if (isLate || shards.failed > 0) throw unavailable(`${shards.failed} shards did not answer a search`);
    return answer.body;
  }

  /**
   * Some searches at once, of which every shard has answered. With the same `preference` the same copies of a part answer, as long as they
   * are there. Throws `index_replaced` where the index is gone.
   */
  async searchAll(
    { name }: PhysicalIndex,
    requests: readonly SearchRequest[],
    signal: AbortSignal | undefined,
    preference?: string,
  ): Promise<readonly SearchBody[]> {
    if (requests.length === 0) return [];
    const head = { index: name, allow_partial_search_results: false, ...(preference !== undefined && { preference }) };
    // Frequencies of terms are of all shards where scores count; other answers the cluster may remember.
    const scored = { ...head, search_type: "dfs_query_then_fetch" };
    const { responses } = await this.cluster.call<{
      readonly responses: readonly (SearchBody & { readonly status: number })[];
    }>({
      method: "POST",
      path: "/_msearch",
      isRead: true,
      signal,
      lines: requests.flatMap((request) => ["track_scores" in request ? scored : head, request]),
    });
    for (const body of responses) {
      if (body.status === 404) throw replaced();
      if (body.status >= 300) throw refused(body.status, body);
      if (body.timed_out || body._shards.failed > 0) throw unavailable(`${body._shards.failed} shards did not answer`);
    }
    return responses;
  }

  /**
   * Writes documents, and tells how many of them were new. They are seen when it resolves. With the versions that were read, those that are
   * others by now are not written.
   */
  async write(
    { name }: PhysicalIndex,
    documents: readonly { readonly id: string }[],
    { signal, versions, isSeen = true, onWritten }: WriteContext = {},
  ): Promise<WriteResult> {
    const actionOf = (id: string): object => {
      if (versions === undefined) return { index: { _id: id } };
      const version = versions.get(id);
      if (version === undefined) return { create: { _id: id } };
      return { index: { _id: id, if_seq_no: version.seqNo, if_primary_term: version.primaryTerm } };
    };
    const itemOf = (document: { readonly id: string }): string[] => [
      JSON.stringify(actionOf(document.id)),
      JSON.stringify(document),
    ];
    const results = await this.bulk(name, { of: documents, itemOf, isSeen, onWritten }, signal);
    const conflicts = documents.flatMap(({ id }, i) => (results[i] === CONFLICT ? [id] : []));
    const added = results.filter((result) => result === "created").length;
    return { added, replaced: results.length - added - conflicts.length, conflicts };
  }

  /** Deletes documents, and tells how many of them were there. */
  async delete({ name }: PhysicalIndex, ids: readonly string[], signal?: AbortSignal | undefined): Promise<number> {
    const itemOf = (id: string): string[] => [JSON.stringify({ delete: { _id: id } })];
    const results = await this.bulk(name, { of: ids, itemOf, isSeen: true }, signal);
    return results.filter((result) => result === "deleted").length;
  }

  /** The results of items, in their order. */
  private async bulk<T>(
    physical: string,
    { of, itemOf, isSeen, onWritten }: BulkItems<T>,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const results: string[] = [];
    while (results.length < of.length) {
      const items: (readonly string[])[] = [];
      for (let bytes = 0; bytes < BULK_BYTES && results.length + items.length < of.length; ) {
        const item = itemOf(of[results.length + items.length]!);
        items.push(item);
        for (const line of item) bytes += line.length;
      }
      const after = isSeen ? partlyAfter(results.length) : undefined;
      results.push(...(await this.bulkOnce(physical, items, signal).catch(after)));
      onWritten?.(results.length);
      // What is written is not taken back.
      if (isSeen) signal = undefined;
    }
    if (results.some((result) => result !== CONFLICT)) await this.refresh(physical);
    return results;
  }

  private async bulkOnce(
    physical: string,
    items: readonly (readonly string[])[],
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const results = new Array<string>(items.length);
    let left = [...items.keys()];
    for (let attempt = 0; left.length > 0; attempt++) {
      if (attempt > 0) await pauseFor(PATIENCE_MS[attempt - 1]!, []);
      const body = await this.cluster.call<BulkBody>({
        method: "POST",
        path: `/${writeAliasOf(physical)}/_bulk?require_alias=true`,
        isRead: false,
        lines: left.flatMap((i) => items[i]!),
        signal,
        timeoutMs: LONG_MS,
      });
      const again: number[] = [];
      for (const [at, item] of body.items.entries()) {
        const [{ status, result = "", error }] = Object.values(item) as [BulkItem];
        if (error === undefined) results[left[at]!] = result;
        else if (error.type === "version_conflict_engine_exception") results[left[at]!] = CONFLICT;
        else if (error.type === "index_not_found_exception") throw settingsChanged(error);
        else if (status === TOO_MANY && attempt < PATIENCE_MS.length) again.push(left[at]!);
        else throw refused(status, { error });
      }
      left = again;
    }
    return results;
  }

  /** Shows to searches what was written before, by any process. */
  async refresh(physical: string): Promise<void> {
    const { body } = await this.cluster.send<{ readonly _shards: { readonly failed: number } }>({
      method: "POST",
      path: `/${physical}/_refresh`,
      isRead: true,
      timeoutMs: LONG_MS,
      mayAnswer: [404],
    });
    if ((body._shards?.failed ?? 0) > 0) throw unavailable("a shard did not show what was written");
  }
}

/** Takes its name from a physical index, if it still has it, and lets nobody write to it any more. */
function takenFrom({ name }: PhysicalIndex, alias: string): object[] {
  return [alias, writeAliasOf(name)].map((own) => ({ remove: { index: name, alias: own, must_exist: true } }));
}

/** Says how much was written before an error. */
function partlyAfter(written: number): (error: unknown) => never {
  return (error) => {
    if (written === 0 || !(error instanceof SearchError)) throw error;
    // What was written is gone with the index.
    if (error.error === "settings_changed") throw error;
    const { code, error: name, msg } = error;
    const more = `${msg} Before that, ${written} records of the call were written; write all of them again.`;
    throw new SearchError(code, name, more, { details: { ...error.details, written }, cause: error });
  };
}

/** Another process replaced or deleted the index between two requests. */
function replaced(): SearchError {
  return new SearchError(503, "index_replaced", "The index was replaced or deleted during the call; call again.");
}

/** A write found another index than the one that it was made for. */
export function settingsChanged(cause?: unknown): SearchError {
  const msg = "Another process replaced or deleted the index during the call, and nothing was written; call again.";
  return new SearchError(409, "settings_changed", msg, { cause });
}
