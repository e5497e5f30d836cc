// The requests of an engine to its cluster. An index is an alias of a physical one with one primary shard, whose operations are numbered
// without gaps: all up to its global checkpoint are done, on each copy that counts. Whoever reads asks the cluster for a refresh first.

import { pauseFor } from "../util/abort.js";
import { SearchError } from "../util/errors.js";
import { at, type Cluster, isFull, objectIn, refused, unavailable } from "./cluster.js";
import { damaged, documentIn, FORM, mappingsOf, type RecordDocument, sourceOf, tagsIn } from "./cluster-documents.js";
import { type ClusterNames, documentIdOf, lockOf, madeAt, SETTINGS_ID } from "./cluster-names.js";

/** An index as the cluster has it. */
export interface ListedIndex {
  readonly physical: string;
  /** The number of the last operation that is done, -1 for none; undefined: its shard does not answer. */
  readonly checkpoint: number | undefined;
}

/** The document of the settings of an index. */
export interface SettingsDocument extends DocumentVersion {
  /** As the engine writes them. */
  readonly text: string;
  /** The number of the last operation whose deletion is not told any more. */
  readonly forgotten: number;
}

/** What tells whether a document was written since. */
export interface DocumentVersion {
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly tags: readonly string[];
}

/** A record, as an operation wrote it. */
export interface ChangedDocument {
  readonly seqNo: number;
  readonly document: RecordDocument;
}

/** Some changes, in the order of their operations. */
export interface Changes {
  readonly documents: readonly ChangedDocument[];
  readonly settings: SettingsDocument | undefined;
}

/** Which changes are asked for. */
export interface ChangeRange {
  /** Behind this operation. */
  readonly after: number;
  /** Up to this one. */
  readonly upTo: number;
  /** Not those of this writer. */
  readonly notBy?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One operation of a bulk request. */
export interface WriteItem {
  readonly documentId: string;
  readonly source: string;
  /** The version that it replaces, null for none; undefined: any. */
  readonly version?: DocumentVersion | null | undefined;
}

/** What came of an item: the number of its operation; undefined: another version was there. */
export type WriteResult = number | undefined;

/** Bytes of one request that writes. */
const BULK_BYTES = 4_000_000;
/** Bytes of JSON that one answer should have, and documents at most. */
const PAGE_BYTES = 8_000_000;
const PAGE_DOCUMENTS = 1000;
/** Ids looked up by one request. */
const IDS_AT_ONCE = 1000;
/** What the cluster does for all records of an index may take so long. */
const LONG_MS = 300_000;
/** An item that the cluster was too busy for is written again after so many milliseconds. */
const BUSY_MS: readonly number[] = [100, 200, 400, 800, 1600, 3200];
/** While another engine is about to replace an index, writes wait for so many milliseconds each time. */
const REPLACED_MS = 50;
const TOO_MANY = 429;
/** An alias has one index to write to at most, so that of two processes that give away a name one is refused. */
const ONLY = { is_write_index: true } as const;
const FAILED = 500;
/** Physical indexes without a name that are older were left behind by an engine that ended. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;
const isAcknowledged = (body: unknown): true | undefined => (at(body, "acknowledged") === true ? true : undefined);

/** The number of the last operation that is done, in the answer of an index about its shard. */
function checkpointIn(stats: unknown): number | undefined {
  const copies = at(stats, "shards", "0");
  const primary = Array.isArray(copies) ? copies.find((copy) => at(copy, "routing", "primary") === true) : undefined;
  const checkpoint = at(primary, "seq_no", "global_checkpoint");
  return Number.isSafeInteger(checkpoint) ? (checkpoint as number) : undefined;
}

function versionIn(document: unknown): DocumentVersion | undefined {
  const [seqNo, primaryTerm] = [at(document, "_seq_no"), at(document, "_primary_term")];
  if (!Number.isSafeInteger(seqNo) || !Number.isSafeInteger(primaryTerm)) return undefined;
  return { seqNo: seqNo as number, primaryTerm: primaryTerm as number, tags: tagsIn(at(document, "_source")) };
}

function settingsIn(document: unknown): SettingsDocument | undefined {
  const version = versionIn(document);
  const content = at(document, "_source", "content");
  const [form, text, forgotten] = ["form", "text", "forgotten"].map((name) => at(content, name));
  if (version === undefined || form !== FORM || typeof text !== "string" || typeof forgotten !== "number")
    return undefined;
  return { ...version, text, forgotten };
}

/** The indexes of an engine in its cluster. */
export class ClusterIndexes {
  private readonly cluster: Cluster;
  private readonly names: ClusterNames;
  /** undefined: one more copy as soon as there is another node. */
  private readonly replicas: number | undefined;

  constructor(cluster: Cluster, names: ClusterNames, replicas: number | undefined) {
    this.cluster = cluster;
    this.names = names;
    this.replicas = replicas;
  }

  /** For how many milliseconds a call tries again. */
  get patienceMs(): number {
    return this.cluster.requestTimeoutMs;
  }

  /** All indexes, by name. Physical indexes that an engine left behind without a name are removed. */
  async list(): Promise<ReadonlyMap<string, ListedIndex>> {
    const physicals = await this.cluster.send({
      ...{ method: "GET", path: `/${this.names.all}/_alias`, isRead: true },
      read: (body) => {
        const found = objectIn(body);
        return found !== undefined && Object.values(found).every((each) => objectIn(at(each, "aliases")) !== undefined)
          ? Object.entries(found).map(([name, each]) => [name, Object.keys(at(each, "aliases") as object)] as const)
          : undefined;
      },
    });
    const named = new Map<string, string>();
    for (const [physical, aliases] of physicals) {
      const name = aliases.map((alias) => this.names.nameOf(alias)).find((each) => each !== undefined);
      if (name !== undefined) named.set(name, physical);
      else if (Date.now() - (madeAt(physical) ?? Number.POSITIVE_INFINITY) > LEFT_BEHIND_MS)
        await this.discard(physical);
    }
    if (named.size === 0) return new Map();
    const checkpoints = await this.checkpoints(this.names.all);
    return new Map([...named].map(([name, physical]) => [name, { physical, checkpoint: checkpoints.get(physical) }]));
  }

  /** One of them; undefined: there is none of this name. */
  async find(name: string): Promise<ListedIndex | undefined> {
    const physical = await this.cluster.send({
      ...{ method: "GET", path: `/_alias/${this.names.aliasOf(name)}`, isRead: true, mayAnswer: [404] },
      read: (body, status) => (status === 404 ? null : Object.keys(objectIn(body) ?? {})[0]),
    });
    if (physical === null) return undefined;
    return { physical, checkpoint: await this.checkpointOf(physical) };
  }

  /** How far the operations of a physical index have come. Throws 409 where it is gone, 503 where its shard does not answer. */
  async checkpointOf(physical: string): Promise<number> {
    const found = await this.checkpoints(physical);
    if (!found.has(physical)) throw settingsChanged();
    const checkpoint = found.get(physical);
    if (checkpoint === undefined) throw unavailable(new Error(`The primary shard of ${physical} is not started.`));
    return checkpoint;
  }

  private async checkpoints(names: string): Promise<ReadonlyMap<string, number | undefined>> {
    const kept = "_shards.total,indices.*.shards.*.routing,indices.*.shards.*.seq_no";
    return this.cluster.send({
      ...{ method: "GET", path: `/${names}/_stats/docs?level=shards&filter_path=${kept}`, isRead: true },
      mayAnswer: [404],
      read: (body, status) => {
        if (status === 404) return new Map();
        if (!Number.isSafeInteger(at(body, "_shards", "total"))) return undefined;
        const indices = objectIn(at(body, "indices")) ?? {};
        return new Map(Object.entries(indices).map(([name, stats]) => [name, checkpointIn(stats)]));
      },
    });
  }

  /** Makes a physical index that has no name yet, with its settings. */
  async create(name: string, settings: string): Promise<string> {
    const physical = this.names.newPhysical(name);
    const { replicas } = this;
    const copies = replicas === undefined ? { auto_expand_replicas: "0-1" } : { number_of_replicas: replicas };
    await this.cluster.send({
      ...{ method: "PUT", path: `/${physical}`, isRead: false, timeoutMs: LONG_MS },
      body: { settings: { index: { number_of_shards: 1, ...copies } }, mappings: mappingsOf(physical) },
      read: (body) => (at(body, "index") === physical ? isAcknowledged(body) : undefined),
    });
    await this.write(physical, physical, [this.settingsItem(physical, settings, 0, "")]);
    return physical;
  }

  /** The item that writes the settings of an index. `forgotten`: see {@link SettingsDocument}. */
  settingsItem(
    physical: string,
    text: string,
    forgotten: number,
    by: string,
    version?: DocumentVersion | undefined,
  ): WriteItem {
    const source = JSON.parse(sourceOf(physical, { id: SETTINGS_ID, json: "" }, { by })) as object;
    const content = { form: FORM, text, forgotten };
    return { documentId: SETTINGS_ID, source: JSON.stringify({ ...source, content }), version };
  }

  /** The settings of a physical index. Throws 409 for one of another form. */
  async settingsOf(physical: string): Promise<SettingsDocument> {
    const [document] = await this.multiGet(physical, [SETTINGS_ID], true);
    const settings = settingsIn(document);
    if (settings === undefined) throw otherForm(physical);
    return settings;
  }

  /** The versions of the documents of some records, by the id of the document; null: there is none. */
  async versions(
    physical: string,
    documentIds: readonly string[],
  ): Promise<ReadonlyMap<string, DocumentVersion | null>> {
    const found = new Map<string, DocumentVersion | null>();
    for (let from = 0; from < documentIds.length; from += IDS_AT_ONCE) {
      const some = documentIds.slice(from, from + IDS_AT_ONCE);
      for (const [i, document] of (await this.multiGet(physical, some, false)).entries())
        found.set(some[i]!, at(document, "found") === true ? versionIn(document)! : null);
    }
    return found;
  }

  private multiGet(physical: string, ids: readonly string[], isWhole: boolean): Promise<readonly unknown[]> {
    const source = isWhole ? "" : "?_source=content.tags";
    return this.cluster.send({
      ...{ method: "POST", path: `/${physical}/_mget${source}`, body: { ids }, isRead: true, mayAnswer: [404] },
      read: (body, status) => {
        if (status === 404) throw settingsChanged(new Error(`There is no index ${physical}.`));
        const documents = at(body, "docs");
        if (!Array.isArray(documents) || documents.length !== ids.length) return undefined;
        const isTold = (document: unknown, i: number): boolean =>
          at(document, "_id") === ids[i] &&
          (at(document, "found") === false || (at(document, "found") === true && versionIn(document) !== undefined));
        return documents.every(isTold) ? documents : undefined;
      },
    });
  }

  /**
   * What was written in a range of operations, in pages; an earlier version of a record that was written again is not there. Operations
   * up to the checkpoint must be done. With the settings, in whatever operation they were written.
   */
  async *changes(physical: string, { after, upTo, notBy, signal }: ChangeRange): AsyncGenerator<Changes> {
    await this.refresh(physical);
    let size = PAGE_DOCUMENTS / 4;
    for (let from = after, isFirst = true; ; isFirst = false) {
      const range = { range: { _seq_no: { gt: from, lte: upTo } } };
      const must = notBy === undefined ? range : { bool: { filter: range, must_not: { term: { by: notBy } } } };
      const body = {
        ...{ size, track_total_hits: false, seq_no_primary_term: true, sort: [{ _seq_no: "asc" }] },
        query: isFirst ? { bool: { should: [must, { ids: { values: [SETTINGS_ID] } }] } } : must,
      };
      const hits = await this.search(physical, body, signal);
      let settings: SettingsDocument | undefined;
      const documents: ChangedDocument[] = [];
      let bytes = 0;
      for (const hit of hits) {
        const version = versionIn(hit)!;
        if (at(hit, "_id") === SETTINGS_ID) {
          settings = settingsIn(hit);
          if (settings === undefined) throw otherForm(physical);
          continue;
        }
        const document = documentIn(at(hit, "_source"));
        if (document === undefined || documentIdOf(document.id) !== at(hit, "_id"))
          throw damaged(new Error(`The document ${String(at(hit, "_id"))} of ${physical} has no record.`));
        documents.push({ seqNo: version.seqNo, document });
        bytes += (document.json?.length ?? 0) + (document.vector?.length ?? 0);
      }
      yield { documents, settings };
      if (hits.length < size) return;
      from = documents.at(-1)?.seqNo ?? versionIn(hits.at(-1))!.seqNo;
      size = Math.max(1, Math.min(PAGE_DOCUMENTS, Math.floor((size * PAGE_BYTES) / Math.max(1, bytes))));
    }
  }

  /** The hits of a search of which the primary shard has answered. */
  private search(physical: string, body: object, signal?: AbortSignal): Promise<readonly unknown[]> {
    return this.cluster.send({
      ...{ method: "POST", isRead: true, body, signal, mayAnswer: [404] },
      path: `/${physical}/_search?preference=_primary&allow_partial_search_results=false`,
      read: (answer, status) => {
        if (status === 404) throw settingsChanged(new Error(`There is no index ${physical}.`));
        const hits = at(answer, "hits", "hits");
        const isWhole = at(answer, "timed_out") === false && at(answer, "_shards", "failed") === 0;
        if (!isWhole || at(answer, "_shards", "successful") !== 1 || !Array.isArray(hits)) return undefined;
        return hits.every((hit) => versionIn(hit) !== undefined) ? hits : undefined;
      },
    });
  }

  /** Shows to searches what was written before, by any process. */
  private async refresh(physical: string): Promise<void> {
    await this.cluster.send({
      ...{ method: "POST", path: `/${physical}/_refresh`, isRead: true, timeoutMs: LONG_MS, mayAnswer: [404] },
      read: (body, status) => {
        if (status === 404) throw settingsChanged(new Error(`There is no index ${physical}.`));
        const successful = at(body, "_shards", "successful");
        return at(body, "_shards", "failed") === 0 && typeof successful === "number" && successful > 0
          ? true
          : undefined;
      },
    });
  }

  /** Deletions that are older than a time, with the versions of their documents: some of them. */
  async deletionsBefore(physical: string, time: number): Promise<ReadonlyMap<string, DocumentVersion>> {
    const query = { range: { deleted: { lt: time } } };
    const body = { size: PAGE_DOCUMENTS, track_total_hits: false, seq_no_primary_term: true, _source: false, query };
    const hits = await this.search(physical, body);
    return new Map(hits.map((hit) => [String(at(hit, "_id")), versionIn(hit)!]));
  }

  /** Removes documents of these versions: what nobody needs any more. */
  async forget(physical: string, versions: ReadonlyMap<string, DocumentVersion>): Promise<void> {
    const lines = [...versions].map(([_id, { seqNo, primaryTerm }]) =>
      JSON.stringify({ delete: { _id, if_seq_no: seqNo, if_primary_term: primaryTerm } }),
    );
    await this.cluster.send({
      ...{ method: "POST", path: `/${physical}/_bulk`, lines, isRead: false, timeoutMs: LONG_MS },
      read: (body) => (Array.isArray(at(body, "items")) ? true : undefined),
    });
  }

  /**
   * Writes documents to a physical index by the name of an alias, or its own, and returns what came of each, in their order. Throws 409
   * where the alias leads elsewhere by now; what was written before an error is told by `details.written`.
   */
  async write(
    physical: string,
    target: string,
    items: readonly WriteItem[],
    signal?: AbortSignal | undefined,
  ): Promise<WriteResult[]> {
    const results: WriteResult[] = [];
    let stop = signal;
    while (results.length < items.length) {
      const from = results.length;
      let to = from;
      for (let bytes = 0; bytes < BULK_BYTES && to < items.length; to++) bytes += items[to]!.source.length;
      try {
        results.push(...(await this.writeOnce(physical, target, items.slice(from, to), stop)));
      } catch (error) {
        throw partly(error, from);
      }
      // What is written is not taken back.
      stop = undefined;
    }
    return results;
  }

  private async writeOnce(
    physical: string,
    target: string,
    items: readonly WriteItem[],
    signal: AbortSignal | undefined,
  ): Promise<WriteResult[]> {
    const results = new Array<WriteResult>(items.length);
    let left = [...items.keys()];
    let isTaken = false;
    const started = performance.now();
    for (let attempt = 0, pause = 0; left.length > 0; attempt++) {
      if (pause > 0) await pauseFor(pause, []);
      pause = 0;
      let isWaiting = false;
      const answers = await this.bulk(
        target,
        physical !== target,
        left.map((i) => items[i]!),
        signal,
      );
      const again: number[] = [];
      for (const [place, answer] of answers.entries()) {
        const i = left[place]!;
        const status = at(answer, "status");
        const type = at(answer, "error", "type");
        const reason = String(at(answer, "error", "reason"));
        const seqNo = at(answer, "_seq_no");
        if (Number.isSafeInteger(seqNo) && at(answer, "_index") === physical) results[i] = seqNo as number;
        else if (type === "version_conflict_engine_exception") results[i] = undefined;
        else if (type === "index_not_found_exception" || type === "strict_dynamic_mapping_exception")
          throw settingsChanged(new Error(reason));
        else if (status === TOO_MANY && !isFull(answer) && attempt < BUSY_MS.length) {
          again.push(i);
          pause = Math.max(pause, BUSY_MS[attempt]!);
        } else if (isHeld(answer) && !isTaken) {
          again.push(i);
          pause = Math.max(pause, REPLACED_MS);
          isWaiting = true;
        } else throw refused(Number(status), answer);
      }
      left = again;
      if (isWaiting && performance.now() - started > this.patienceMs) {
        await this.takeLock(physical);
        isTaken = true;
      }
    }
    return results;
  }

  private bulk(
    target: string,
    isAlias: boolean,
    items: readonly WriteItem[],
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    const actionOf = ({ documentId, version }: WriteItem): object => {
      const own = { _id: documentId };
      if (version === null) return { create: own };
      if (version === undefined) return { index: own };
      return { index: { ...own, if_seq_no: version.seqNo, if_primary_term: version.primaryTerm } };
    };
    return this.cluster.send({
      ...{
        method: "POST",
        path: `/${target}/_bulk?require_alias=${isAlias}`,
        isRead: false,
        signal,
        timeoutMs: LONG_MS,
      },
      lines: items.flatMap((item) => [JSON.stringify(actionOf(item)), item.source]),
      read: (body) => {
        const answers = at(body, "items");
        if (!Array.isArray(answers) || answers.length !== items.length) return undefined;
        const own = answers.map((answer) => at(answer, "index") ?? at(answer, "create"));
        const isTold = (answer: unknown, i: number): boolean =>
          at(answer, "_id") === items[i]!.documentId &&
          (Number.isSafeInteger(at(answer, "_seq_no")) || objectIn(at(answer, "error")) !== undefined);
        return own.every(isTold) ? own : undefined;
      },
    });
  }

  /**
   * Makes a physical index the one of a name, at once. False: another process gave the name to another one, or took it away, and nothing
   * was changed. `before`: the one that has the name now, and whether this process holds the lock to replace it.
   */
  async swap(
    name: string,
    physical: string,
    before?: { readonly physical: string; readonly isLocked: boolean } | undefined,
  ): Promise<boolean> {
    const alias = this.names.aliasOf(name);
    const actions: object[] = [{ add: { index: physical, alias, ...ONLY } }];
    if (before !== undefined) actions.unshift({ remove: { index: before.physical, alias, must_exist: true } });
    if (before?.isLocked === true)
      actions.unshift({ remove: { index: physical, alias: lockOf(before.physical), must_exist: true } });
    if (!(await this.changeAliases(actions, () => this.leadsTo(alias, physical)))) return false;
    if (before !== undefined) await this.discard(before.physical);
    return true;
  }

  /** Gives a physical index another name, at once; one that has that name is removed. False: as {@link swap}. */
  async rename(physical: string, from: string, to: string, replaced: string | undefined): Promise<boolean> {
    const alias = this.names.aliasOf(to);
    const isDone = await this.changeAliases(
      [
        ...(replaced === undefined ? [] : [{ remove: { index: replaced, alias, must_exist: true } }]),
        { remove: { index: physical, alias: this.names.aliasOf(from), must_exist: true } },
        { add: { index: physical, alias, ...ONLY } },
      ],
      () => this.leadsTo(alias, physical),
    );
    if (isDone && replaced !== undefined) await this.discard(replaced);
    return isDone;
  }

  /** Takes the name from a physical index, and removes it. False: as {@link swap}. */
  async remove(name: string, physical: string): Promise<boolean> {
    const alias = this.names.aliasOf(name);
    const isDone = await this.changeAliases([{ remove: { index: physical, alias, must_exist: true } }], async () => {
      return !(await this.leadsTo(alias, physical));
    });
    if (isDone) await this.discard(physical);
    return isDone;
  }

  /** Removes a physical index that nobody sees. Where that fails, another look removes it later. */
  async discard(physical: string): Promise<void> {
    const read = (body: unknown, status: number): true | undefined => (status === 404 ? true : isAcknowledged(body));
    const request = { method: "DELETE", path: `/${physical}`, isRead: false, mayAnswer: [404], read } as const;
    await this.cluster.send(request).catch(() => {});
  }

  /** Changes aliases, all at once; false: none. After no answer, `isDone` tells whether it was. */
  private async changeAliases(actions: readonly object[], isDone: () => Promise<boolean>): Promise<boolean> {
    try {
      return await this.cluster.send({
        ...{ method: "POST", path: "/_aliases", body: { actions }, isRead: false, mayAnswer: [404, FAILED] },
        read: (body, status) => {
          if (status === 404) return false;
          if (status !== FAILED) return isAcknowledged(body);
          if (JSON.stringify(body).includes("has more than one write index")) return false;
          throw refused(status, body);
        },
      });
    } catch (error) {
      if (!(error instanceof SearchError) || error.error !== "cluster_unavailable") throw error;
      if (await isDone()) return true;
      throw error;
    }
  }

  private leadsTo(alias: string, physical: string): Promise<boolean> {
    return this.cluster.send({
      ...{ method: "GET", path: `/_alias/${alias}`, isRead: true, mayAnswer: [404] },
      read: (body, status) => (status === 404 ? false : objectIn(body) && Object.hasOwn(body as object, physical)),
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
        if (status === 404) throw settingsChanged();
        return at(body, "shards_acknowledged") === true ? isAcknowledged(body) : undefined;
      },
    });
    return true;
  }

  /** Lets write again to an index that was locked for one that did not come. */
  async unlock(physical: string, made: string): Promise<void> {
    await this.unblock(physical);
    await this.changeAliases(
      [{ remove: { index: made, alias: lockOf(physical), must_exist: true } }],
      async () => true,
    );
  }

  private async unblock(physical: string): Promise<void> {
    await this.cluster.send({
      ...{ method: "PUT", path: `/${physical}/_settings`, isRead: false, mayAnswer: [404] },
      body: { "index.blocks.write": null },
      read: (body, status) => (status === 404 ? true : isAcknowledged(body)),
    });
  }

  /** Takes the lock of an engine that ended before it replaced an index, so that it cannot do so any more, and lets write again. */
  private async takeLock(physical: string): Promise<void> {
    const alias = lockOf(physical);
    const [holder] = await this.cluster.send({
      ...{ method: "GET", path: `/_alias/${alias}`, isRead: true, mayAnswer: [404] },
      read: (body, status) => (status === 404 ? [] : Object.keys(objectIn(body) ?? {})),
    });
    // What an operator has locked stays so.
    if (holder === undefined) return;
    const actions = [
      { remove: { index: holder, alias, must_exist: true } },
      { add: { index: physical, alias, ...ONLY } },
    ];
    if (!(await this.changeAliases(actions, () => this.leadsTo(alias, physical)))) return;
    await this.unlock(physical, physical);
    if (holder !== physical) await this.discard(holder);
  }

  /** Asks whether the cluster is there, and what tells it from others. */
  async greet(): Promise<string> {
    return this.cluster.send({
      ...{ method: "GET", path: "/", isRead: true },
      read: (body) => (objectIn(body) === undefined ? undefined : String(at(body, "cluster_uuid"))),
    });
  }
}

/** Whether an item was refused because an engine is about to replace the index, or an operator has locked it. */
function isHeld(answer: unknown): boolean {
  return /FORBIDDEN\/8\//.test(String(at(answer, "error", "reason")));
}

/** Says how much was written before an error. */
function partly(error: unknown, written: number): unknown {
  // What was written is gone with the index.
  if (written === 0 || !(error instanceof SearchError) || error.error === "settings_changed") return error;
  const { code, error: name, msg } = error;
  const more = `${msg} Before that, ${written} records of the call were written; write all of them again.`;
  return new SearchError(code, name, more, { details: { ...error.details, written }, cause: error });
}

/** An index that another version wrote, or another program. */
function otherForm(physical: string): SearchError {
  const msg =
    "The index in the cluster is of another form than this version keeps; export it with the version that wrote it and import that, or delete it and load it anew.";
  return new SearchError(409, "storage_version", msg, { cause: new Error(`It is ${physical}.`) });
}

/** A write found another index than the one that it was made for. */
export function settingsChanged(cause?: unknown): SearchError {
  const msg =
    "Another process replaced, renamed or deleted the index during the call, and nothing was written; call again.";
  return new SearchError(409, "settings_changed", msg, { cause });
}
