// The requests of an engine to its cluster. An index is an alias of a physical one, whose operations are numbered without gaps in each of its
// primary shards: all up to the global checkpoint of a shard are done, on each copy that counts. An index that the cluster does not search has
// one shard. Whoever reads asks the cluster for a refresh first.

import { SearchError } from "../util/errors.js";
import { at, objectIn } from "../util/json.js";
import { pauseFor } from "../util/tasks.js";
import { Cluster, isFull, refused, unavailable } from "./cluster.js";
import {
  type DocumentVersion,
  documentIn,
  mappingsOf,
  type OperationNumber,
  type ReadDocument,
  type RecordDocument,
  type SettingsDocument,
  settingsDocumentIn,
  settingsItem,
  sizeOf,
  versionIn,
  type WriteItem,
} from "./cluster-documents.js";
import { aliasOf, BEHIND_PREFIX, lockOf, madeAt, nameOf, newPhysical, newTag, SETTINGS_ID } from "./cluster-names.js";
import type { ReadClusterOptions } from "./cluster-options.js";
import { cannot, type RemoteDocuments, remoteForm } from "./remote-documents.js";
import { ALL, type ClusterQuery } from "./remote-filter.js";

/** An index as the cluster has it. */
export interface ListedIndex {
  readonly physical: string;
  /** Tells it from one of its name that was restored in its place. */
  readonly uuid?: unknown;
  /** The number of the last operation that is done, -1 for none, of each primary shard; undefined: one does not answer. */
  readonly shards?: readonly number[] | undefined;
}

/** Some changes, in the order of their operations. */
export interface Changes {
  readonly documents: readonly ReadDocument[];
  readonly settings: SettingsDocument | undefined;
}

/** What came of a written item: its operation; undefined: another version was there. */
type WriteResult = OperationNumber | undefined;

/** A name that a physical index gets. */
interface NameChange {
  /** The name that it had; undefined: none. */
  readonly from?: string | undefined;
  /** undefined: none, and it is removed. */
  readonly to?: string | undefined;
  /** The one that has the name now, and is removed. */
  readonly replaced?: string | undefined;
  /** This one holds the lock of `replaced`. */
  readonly isLocked?: boolean;
}

/** Bytes of one request that writes. */
const BULK_BYTES = 4_000_000;
/** Bytes of JSON that one answer should have, and documents at most. */
const PAGE_BYTES = 8_000_000;
const PAGE_DOCUMENTS = 1000;
/** So long a reader may pause between two pages of records. */
const KEEP_ALIVE = "10m";
/** What the cluster does for all records of an index may take so long. */
const LONG_MS = 300_000;
/** A request that writes more documents may take so long, too. */
const FEW = 100;
/** An item that the cluster was too busy for is written again after so many milliseconds. */
const BUSY_MS: readonly number[] = [100, 200, 400, 800, 1600, 3200];
/** While another engine is about to replace an index, writes wait for so many milliseconds each time. */
const REPLACED_MS = 50;
const TOO_MANY = 429;
/** What is read of the answers of searches. */
const HIT_PATHS = ["_id", "_score", "fields", "_source", "_seq_no", "_primary_term", "matched_queries"];
const SEARCH_PATHS = [
  "status",
  "error",
  "timed_out",
  "terminated_early",
  "_shards.failed",
  "aggregations",
  "suggest",
  "hits.total",
]
  .concat(HIT_PATHS.map((path) => `hits.hits.${path}`))
  .map((path) => `responses.${path}`)
  .join();
/** An alias has one index to write to at most, so that of two processes that give away a name one is refused. */
const ONLY = { is_write_index: true } as const;
const FAILED = 500;
const NO_KNN = "meaning without the plugin opensearch-knn; install it on all nodes, or pass embedder: false";
/** Physical indexes without a name that are older were left behind by an engine that ended. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;

const isAcknowledged = (body: unknown): true | undefined => (at(body, "acknowledged") === true ? true : undefined);
const isAcknowledgedOrGone = (body: unknown, status: number): true | undefined =>
  status === 404 ? true : isAcknowledged(body);

/** The numbers of the last operations that are done, in the answer of an index about its shards. */
function shardsIn(stats: unknown): readonly number[] | undefined {
  const all = objectIn(at(stats, "shards")) ?? {};
  const shards = Object.keys(all).map((_, shard) => {
    const copies = at(all, String(shard));
    const primary = Array.isArray(copies) ? copies.find((copy) => at(copy, "routing", "primary") === true) : undefined;
    return at(primary, "seq_no", "global_checkpoint") as number;
  });
  return shards.length > 0 && shards.every(Number.isSafeInteger) ? shards : undefined;
}

/** The number of the last operation, as if all shards had counted together. */
export function operationsOf(shards: readonly number[]): number {
  return shards.reduce((sum, checkpoint) => sum + checkpoint + 1, -1);
}

/** The indexes of an engine in its cluster. */
export class ClusterIndexes {
  private readonly cluster: Cluster;
  /** What all aliases and physical indexes begin with. */
  private readonly start: string;
  readonly options: ReadClusterOptions;

  constructor(options: ReadClusterOptions) {
    this.cluster = new Cluster(options.address);
    this.start = options.prefix + BEHIND_PREFIX;
    this.options = options;
  }

  /** For how many milliseconds a call tries again. */
  get patienceMs(): number {
    return this.options.address.requestTimeoutMs;
  }

  /** Asks whether the cluster is there, and what tells it from others. */
  greet(): Promise<string> {
    const read = (body: unknown): string | undefined => objectIn(body) && String(at(body, "cluster_uuid"));
    return this.cluster.send({ method: "GET", path: "/", isRead: true, read });
  }

  /** All indexes, by name, or one. Physical indexes that an engine left behind without a name are removed. */
  async list(name?: string): Promise<ReadonlyMap<string, ListedIndex>> {
    const asked = name === undefined ? `${this.start}*` : aliasOf(this.start, name);
    const named = new Map<string, string>();
    for (const [physical, found] of await this.aliases(asked)) {
      const aliases = Object.keys(found);
      const own = aliases.map((alias) => nameOf(this.start, alias)).find((each) => each !== undefined);
      if (own !== undefined) named.set(own, physical);
      else if (Date.now() - (madeAt(physical) ?? Number.POSITIVE_INFINITY) > LEFT_BEHIND_MS) {
        for (const alias of aliases) await this.unlock(alias.replace(/~\w+$/, ""), physical);
        await this.discard(physical);
      }
    }
    // Also where there are none: an answer without anything may come from what stands before the cluster.
    const checkpoints = await this.checkpoints(asked);
    return new Map([...named].map(([own, physical]) => [own, { physical, ...checkpoints.get(physical) }]));
  }

  /** How far the operations of each shard of a physical index have come. Throws 409 where it is gone, 503 where one does not answer. */
  async shardsOf(physical: string): Promise<readonly number[]> {
    const found = await this.checkpoints(physical);
    if (!found.has(physical)) throw settingsChanged();
    return found.get(physical)?.shards ?? noShard(physical);
  }

  private checkpoints(names: string): Promise<ReadonlyMap<string, Omit<ListedIndex, "physical">>> {
    const kept = "_shards.total,indices.*.uuid,indices.*.shards.*.routing,indices.*.shards.*.seq_no";
    return this.cluster.send({
      ...{ method: "GET", path: `/${names}/_stats/docs?level=shards&filter_path=${kept}`, isRead: true },
      mayAnswer: [404],
      read: (body, status) => {
        if (status !== 404 && !Number.isSafeInteger(at(body, "_shards", "total"))) return undefined;
        const indices = Object.entries(objectIn(at(body, "indices")) ?? {});
        return new Map(indices.map(([name, each]) => [name, { uuid: at(each, "uuid"), shards: shardsIn(each) }]));
      },
    });
  }

  /** Makes a physical index that has no name yet, with its settings. `remote`: the cluster is to search it. Throws 501. */
  async create(
    name: string,
    text: string,
    remote?: RemoteDocuments,
  ): Promise<ListedIndex & { readonly settings: SettingsDocument }> {
    const physical = newPhysical(aliasOf(this.start, name));
    const { replicas, shards } = this.options;
    // One more as soon as there is another node.
    const copies = replicas === undefined ? { auto_expand_replicas: "0-1" } : { number_of_replicas: replicas };
    const { index, properties, others } = remote === undefined ? {} : remoteForm(remote.settings.effective);
    await this.cluster.send({
      ...{ method: "PUT", path: `/${physical}`, isRead: false, timeoutMs: LONG_MS, mayAnswer: [400] },
      body: {
        settings: {
          index: { number_of_shards: remote === undefined ? 1 : shards, ...copies, ...index },
        },
        mappings: { ...mappingsOf(physical, properties), ...others },
      },
      read: (body, status) => {
        if (status === 400)
          throw /\bknn/.test(JSON.stringify(body)) ? cannot(NO_KNN, "embedder") : refused(status, body);
        return at(body, "index") === physical ? isAcknowledged(body) : undefined;
      },
    });
    const noted = { text, forgotten: -1, lengths: remote?.lengths };
    const [result] = await this.write(undefined, physical, [settingsItem(physical, noted)]);
    return { physical, settings: { ...noted, ...result! } };
  }

  /** The settings of a physical index. Throws 409 for one of another form. */
  async settingsOf(physical: string): Promise<SettingsDocument> {
    const [document] = await this.multiGet(physical, [SETTINGS_ID], true);
    return settingsDocumentIn(document, physical);
  }

  /** The versions of documents, in their order; null: there is none. */
  async versions(physical: string, documentIds: readonly string[]): Promise<(DocumentVersion | null)[]> {
    return (await this.documents(physical, documentIds, false)).map((document) => document?.version ?? null);
  }

  /** Documents as they are now, in their order; null: there is none. Not `isWhole`: what records say is left out. */
  async documents(physical: string, ids: readonly string[], isWhole = true): Promise<(ReadDocument | null)[]> {
    const documents: (ReadDocument | null)[] = [];
    const size = isWhole ? PAGE_DOCUMENTS / 4 : PAGE_DOCUMENTS;
    for (let from = 0; from < ids.length; from += size)
      for (const document of await this.multiGet(physical, ids.slice(from, from + size), isWhole))
        documents.push(at(document, "found") === true ? documentIn(document) : null);
    return documents;
  }

  /** Holds the records of a physical index as they are now, for {@link pages}. */
  async openPoint(physical: string): Promise<string> {
    await this.refresh(physical);
    return this.ask(`/${physical}/_search/point_in_time?keep_alive=${KEEP_ALIVE}`, undefined, (body) => {
      const id = at(body, "pit_id");
      return at(body, "_shards", "failed") === 0 && typeof id === "string" ? id : undefined;
    });
  }

  /** The records of a point in time that a query finds, in pages, in the order of their ids by code point; then it is over. */
  async *pages(point: Promise<string>, query: ClusterQuery = ALL): AsyncGenerator<readonly ReadDocument[]> {
    const pit = { id: await point, keep_alive: KEEP_ALIVE };
    const path = "/_search?allow_partial_search_results=false";
    try {
      let size = PAGE_DOCUMENTS / 4;
      for (let more = {}; ; ) {
        const order = { sort: [{ id: "asc" }], seq_no_primary_term: true, track_total_hits: false };
        const hits = await this.ask(path, { pit, size, query, ...order, ...more }, wholeHits);
        const documents = hits.map(documentIn);
        if (documents.length > 0) yield documents;
        if (hits.length < size) return;
        more = { search_after: at(hits.at(-1), "sort") };
        size = nextSize(size, documents);
      }
    } finally {
      const request = { method: "DELETE", path: "/_search/point_in_time", isRead: false, mayAnswer: [404] } as const;
      await this.cluster.send({ ...request, body: { pit_id: [pit.id] }, read: () => true }).catch(() => {});
    }
  }

  private multiGet(physical: string, ids: readonly string[], isWhole: boolean): Promise<readonly unknown[]> {
    const source = isWhole ? "" : "?_source=content.tags,content.id,deleted";
    const isTold = (document: unknown, i: number): boolean =>
      at(document, "_id") === ids[i] && at(document, "found") === (versionIn(document) !== undefined);
    return this.ask(`/${physical}/_mget${source}`, { ids }, (body) => {
      const documents = at(body, "docs");
      if (!Array.isArray(documents)) return undefined;
      if (at(documents[0], "error", "type") === "index_not_found_exception") throw settingsChanged(body);
      return documents.length === ids.length && documents.every(isTold) ? documents : undefined;
    });
  }

  /** Reads from a physical index. Throws 409 where it is gone. */
  private ask<T>(
    path: string,
    body: object | undefined,
    read: (body: unknown) => T | undefined,
    timeoutMs?: number,
  ): Promise<T> {
    return this.cluster.send({
      ...{ method: "POST", path, body, isRead: true, mayAnswer: [404], timeoutMs },
      read: (answer, status) => {
        if (status === 404) throw settingsChanged(answer);
        return read(answer);
      },
    });
  }

  /**
   * What was written behind an operation and up to one, in pages, but not by a writer; an earlier version of a record that was written
   * again is not there. These operations must be done. One page has the settings, whichever operation wrote them. `shard`: of this one.
   */
  async *changes(
    physical: string,
    { after, upTo, notBy, shard }: { after: number; upTo: number; notBy?: string; shard?: number },
  ): AsyncGenerator<Changes> {
    await this.refresh(physical);
    const others = notBy === undefined ? {} : { must_not: { term: { by: notBy } } };
    let size = PAGE_DOCUMENTS / 4;
    for (let from = after, settings: SettingsDocument | undefined, hits: readonly unknown[] = []; ; ) {
      const records = { bool: { filter: { range: { _seq_no: { gt: from, lte: upTo } } }, ...others } };
      const asksSettings = settings === undefined;
      hits = await this.search(physical, shard, {
        ...{ size, sort: [{ _seq_no: "asc" }] },
        query: asksSettings ? { bool: { should: [records, { ids: { values: [SETTINGS_ID] } }] } } : records,
      });
      const documents: ReadDocument[] = [];
      for (const hit of hits) {
        from = Math.max(from, Math.min(versionIn(hit)!.seqNo, upTo));
        if (at(hit, "_id") === SETTINGS_ID) settings = settingsDocumentIn(hit, physical);
        else documents.push(documentIn(hit));
      }
      yield { documents, settings: asksSettings ? settings : undefined };
      if (hits.length < size) return;
      size = nextSize(size, documents);
    }
  }

  /** The hits of a search of which all primary shards, or that one, have answered. */
  private search(physical: string, shard: number | undefined, body: object): Promise<readonly unknown[]> {
    const asked = shard === undefined ? "_primary" : `_shards:${shard}|_primary`;
    const path = `/${physical}/_search?preference=${asked}&allow_partial_search_results=false`;
    return this.ask(path, { ...body, track_total_hits: false, seq_no_primary_term: true }, wholeHits);
  }

  /**
   * Asks several searches at once, each of all shards. `preference`: a text, of which equal ones ask the same copies. Throws 409 where the
   * index is gone.
   */
  searchAll(
    physical: string,
    searches: readonly object[],
    preference: string,
    signal?: AbortSignal,
  ): Promise<readonly unknown[]> {
    const head = JSON.stringify({ preference, allow_partial_search_results: false });
    const isWhole = (body: unknown): boolean =>
      at(body, "timed_out") === false && at(body, "_shards", "failed") === 0 && at(body, "status") === 200;
    return this.cluster.send({
      ...{ method: "POST", path: `/${physical}/_msearch?filter_path=${SEARCH_PATHS}`, isRead: true, signal },
      lines: searches.flatMap((search) => [head, JSON.stringify(search)]),
      read: (answer) => {
        const bodies = at(answer, "responses");
        if (!Array.isArray(bodies) || bodies.length !== searches.length) return undefined;
        const failed = bodies.find((body) => at(body, "error") !== undefined);
        if (at(failed, "error", "type") === "index_not_found_exception") throw settingsChanged(failed);
        if (JSON.stringify(failed ?? "").includes("maxClauseCount"))
          throw cannot("queries of so many words and conditions; ask for fewer", "query");
        if (failed !== undefined) throw refused(Number(at(failed, "status")), failed);
        return bodies.every(isWhole) ? bodies : undefined;
      },
    });
  }

  /** Shows to searches what was written before, by any process. */
  async refresh(physical: string): Promise<void> {
    const read = (body: unknown): true | undefined => {
      const { failed, successful } = objectIn(at(body, "_shards")) ?? {};
      return failed === 0 && typeof successful === "number" && successful > 0 ? true : undefined;
    };
    await this.ask(`/${physical}/_refresh`, undefined, read, LONG_MS);
  }

  /** What removes some of the deletions that are older than a time, which nobody needs any more. */
  async deletionsBefore(physical: string, time: number): Promise<WriteItem[]> {
    const query = { range: { deleted: { lt: time } } };
    const hits = await this.search(physical, undefined, { size: PAGE_DOCUMENTS, _source: false, query });
    return hits.map((hit) => ({ documentId: String(at(hit, "_id")), source: "", version: versionIn(hit) }));
  }

  /**
   * Writes documents to a physical index that has a name, or none, and returns what came of each, in their order. Throws 409 where the name leads elsewhere by now; `details.written` tells what was written before an error.
   */
  async write(name: string | undefined, physical: string, items: readonly WriteItem[]): Promise<WriteResult[]> {
    const results: WriteResult[] = [];
    while (results.length < items.length) {
      const from = results.length;
      let to = from;
      for (let bytes = 0; bytes < BULK_BYTES && to < items.length; to++) bytes += items[to]!.source.length;
      try {
        results.push(...(await this.writeOnce(name, physical, items.slice(from, to))));
      } catch (error) {
        throw partly(error, from);
      }
    }
    return results;
  }

  private async writeOnce(name: string | undefined, physical: string, items: readonly WriteItem[]) {
    const results = new Array<WriteResult>(items.length);
    const ends = performance.now() + this.patienceMs;
    let mayTake = true;
    for (let left = [...items.keys()], attempt = 0; left.length > 0; attempt++) {
      const sent = left.map((i) => items[i]!);
      const answers = await this.bulk(name, physical, sent);
      const again: number[] = [];
      let pause = 0;
      for (const [place, answer] of answers.entries()) {
        const i = left[place]!;
        const type = at(answer, "error", "type");
        const isHeld = /FORBIDDEN\/8\//.test(String(at(answer, "error", "reason")));
        const isBusy = at(answer, "status") === TOO_MANY && !isFull(answer) && attempt < BUSY_MS.length;
        if (type === undefined) results[i] = versionIn(answer)!;
        else if (type === "index_not_found_exception" || type === "strict_dynamic_mapping_exception")
          throw settingsChanged(at(answer, "error"));
        else if (isBusy || (isHeld && mayTake)) {
          again.push(i);
          pause = Math.max(pause, isHeld ? REPLACED_MS : BUSY_MS[attempt]!);
        } else if (type !== "version_conflict_engine_exception") throw refused(Number(at(answer, "status")), answer);
      }
      left = again;
      if (pause > 0) await pauseFor(pause, []);
      if (pause === REPLACED_MS && performance.now() > ends) {
        await this.takeLock(physical);
        mayTake = false;
      }
    }
    return results;
  }

  private bulk(name: string | undefined, physical: string, items: readonly WriteItem[]): Promise<readonly unknown[]> {
    const target = name === undefined ? physical : aliasOf(this.start, name);
    const linesOf = ({ documentId: _id, source, version }: WriteItem): string[] => {
      const action = version === null ? "create" : source === "" ? "delete" : "index";
      const condition = version && { if_seq_no: version.seqNo, if_primary_term: version.primaryTerm };
      return [JSON.stringify({ [action]: { _id, ...condition } }), ...(source === "" ? [] : [source])];
    };
    const isTold = (answer: unknown, i: number): boolean =>
      at(answer, "_id") === items[i]!.documentId &&
      (typeof at(answer, "error", "type") === "string" ||
        (versionIn(answer) !== undefined && at(answer, "_index") === physical));
    return this.cluster.send({
      ...{ method: "POST", isRead: false, timeoutMs: items.length > FEW ? LONG_MS : undefined },
      path: `/${target}/_bulk?require_alias=${name !== undefined}`,
      lines: items.flatMap(linesOf),
      read: (body) => {
        const answers = at(body, "items");
        if (!Array.isArray(answers) || answers.length !== items.length) return undefined;
        const own = answers.map((answer) => at(answer, "index") ?? at(answer, "create") ?? at(answer, "delete"));
        return own.every(isTold) ? own : undefined;
      },
    });
  }

  /**
   * Gives a name to a physical index, at once, or takes it away. False: another process has changed the names meanwhile, and nothing was
   * done.
   */
  async give(physical: string, { from, to, replaced, isLocked = false }: NameChange): Promise<boolean> {
    const of = (name: string): string => aliasOf(this.start, name);
    const take = (index: string, alias: string): object => ({ remove: { index, alias, must_exist: true } });
    const alias = to === undefined ? `${physical}~gone` : of(to);
    // Nobody searches by an alias, so its filter can tell whose change of it this is.
    const filter = { term: { by: newTag() } };
    const actions: object[] = [];
    if (isLocked) actions.push(take(physical, lockOf(replaced!)));
    if (replaced !== undefined) actions.push(take(replaced, of(to!)));
    if (from !== undefined) actions.push(take(physical, of(from)));
    actions.push({ add: { index: physical, alias, filter, ...ONLY } });
    const isDone = (): Promise<boolean> => this.leadsTo(alias, physical, filter.term.by);
    if (!(await this.changeAliases(actions, isDone))) return false;
    if (replaced !== undefined) await this.discard(replaced);
    if (to === undefined) await this.discard(physical);
    return true;
  }

  /** Removes a physical index that nobody sees. Where that fails, a later look removes it. */
  async discard(physical: string): Promise<void> {
    const request = { method: "DELETE", path: `/${physical}`, isRead: false, mayAnswer: [404] } as const;
    await this.cluster.send({ ...request, read: isAcknowledgedOrGone }).catch(() => {});
  }

  /** Changes aliases, all at once; false: none. After no answer, or a refusal of what came twice, `isDone` tells whether it was. */
  private async changeAliases(actions: readonly object[], isDone: () => Promise<boolean>): Promise<boolean> {
    try {
      const isChanged = await this.cluster.send({
        ...{ method: "POST", path: "/_aliases", body: { actions }, isRead: false, mayAnswer: [404, FAILED] },
        read: (body, status) => {
          if (status === 404) return false;
          if (status !== FAILED) return isAcknowledged(body);
          if (JSON.stringify(body).includes("has more than one write index")) return false;
          throw refused(status, body);
        },
      });
      return isChanged || (await isDone());
    } catch (error) {
      if (!(error instanceof SearchError) || error.error !== "cluster_unavailable" || !(await isDone())) throw error;
      return true;
    }
  }

  /** Whether an alias is one of a physical index; with `by`, whether that was changed by this call. */
  private async leadsTo(alias: string, physical: string, by?: string): Promise<boolean> {
    const found = (await this.aliases(alias)).find(([holder]) => holder === physical);
    return found !== undefined && (by === undefined || at(found[1], alias, "filter", "term", "by") === by);
  }

  /** The physical indexes of some names of aliases, or of physical ones, with their aliases. */
  private aliases(asked: string): Promise<readonly (readonly [physical: string, aliases: object])[]> {
    return this.cluster.send({
      ...{ method: "GET", path: `/${asked}/_alias`, isRead: true, mayAnswer: [404] },
      read: (body, status) => {
        const found = status === 404 ? [] : Object.entries(objectIn(body) ?? { "": undefined });
        if (!found.every(([, each]) => objectIn(at(each, "aliases")) !== undefined)) return undefined;
        return found.map(([physical, each]) => [physical, at(each, "aliases") as object] as const);
      },
    });
  }

  /**
   * Lets nobody write to a physical index any more, and waits for the writes that run; `made` is to take its place. False: another process
   * is about to replace it.
   */
  async lock(physical: string, made: string): Promise<boolean> {
    const alias = lockOf(physical);
    const actions = [{ add: { index: made, alias, ...ONLY } }];
    if (!(await this.changeAliases(actions, () => this.leadsTo(alias, made)))) return false;
    await this.cluster.send({
      ...{ method: "PUT", path: `/${physical}/_block/write`, isRead: false, timeoutMs: LONG_MS, mayAnswer: [404] },
      read: (body, status) => {
        if (status === 404) throw settingsChanged(body);
        return at(body, "shards_acknowledged") === true ? isAcknowledged(body) : undefined;
      },
    });
    return true;
  }

  /** Lets write again to an index that was locked for one that did not come, unless another process has the lock by now. */
  async unlock(physical: string, holder: string): Promise<void> {
    const alias = lockOf(physical);
    const take = (index: string): object => ({ remove: { index, alias, must_exist: true } });
    // From now on the holder cannot take the place of the index, and nobody else can lock it before the end.
    const actions = [take(holder), { add: { index: physical, alias, ...ONLY } }];
    if (!(await this.changeAliases(actions, () => this.leadsTo(alias, physical)))) return;
    await this.cluster.send({
      ...{ method: "PUT", path: `/${physical}/_settings`, isRead: false, mayAnswer: [404] },
      ...{ body: { "index.blocks.write": null }, read: isAcknowledgedOrGone },
    });
    await this.changeAliases([take(physical)], async () => true);
  }

  /** Takes the lock of an engine that ended before it replaced an index, and lets write again. What an operator has locked stays so. */
  private async takeLock(physical: string): Promise<void> {
    const [[holder] = []] = await this.aliases(lockOf(physical));
    if (holder === undefined) return;
    await this.unlock(physical, holder);
    if (holder !== physical) await this.discard(holder);
  }
}

/** The hits of a search; undefined: not all shards have answered. */
function wholeHits(answer: unknown): readonly unknown[] | undefined {
  const hits = at(answer, "hits", "hits");
  const { failed, successful } = objectIn(at(answer, "_shards")) ?? {};
  if (at(answer, "timed_out") !== false || failed !== 0 || !(Number(successful) > 0)) return undefined;
  return Array.isArray(hits) && hits.every((hit) => versionIn(hit) !== undefined) ? hits : undefined;
}

/** How many documents the next page should have. */
function nextSize(size: number, documents: readonly RecordDocument[]): number {
  return Math.max(1, Math.min(PAGE_DOCUMENTS, Math.floor((size * PAGE_BYTES) / (sizeOf(documents) + 1))));
}

/** Says how much was written before an error. */
function partly(error: unknown, written: number): unknown {
  // What was written is gone with the index.
  if (written === 0 || !(error instanceof SearchError) || error.error === "settings_changed") return error;
  const { code, error: name, msg } = error;
  const more = `${msg} Before that, at least ${written} records of the call were written; write all of them again.`;
  return new SearchError(code, name, more, { details: { ...error.details, written }, cause: error });
}

/** Throws 503: a shard does not answer. */
export function noShard(physical: string): never {
  throw unavailable(new Error(`The primary shard of ${physical} is not started.`));
}

/** Other processes changed which index has the name. */
export function settingsChanged(cause?: unknown): SearchError {
  const msg =
    "Another process replaced, renamed or deleted the index during the call, and nothing was written; call again.";
  return new SearchError(409, "settings_changed", msg, { cause });
}

/** Whether other processes changed which index has a name. */
export function isSettingsChanged(error: unknown): boolean {
  return error instanceof SearchError && error.error === "settings_changed";
}
