// An index that the cluster searches: this process has its settings, and of its records those alone that it is about to write, for which
// the verbs are those of every index.

import type { LiveIndex } from "../api/live-index.js";
import { SearchIndex } from "../api/search-index.js";
import { exportLines } from "../api/transfer.js";
import type { ValueRank } from "../docvalues/value-counts.js";
import { type CallOptions, readOptions, type SnapshotOptions } from "../input/call-options.js";
import { readIds } from "../input/record-ids.js";
import { checkFacetSearch, type FacetHits, namingFacet } from "../query/facets/facet-search.js";
import { rankingsFor } from "../query/facets/value-matcher.js";
import { understandQuery } from "../query/read/apply-intent.js";
import type { SearchAnswer } from "../query/response.js";
import { checkFilter } from "../state/check-attributes.js";
import { retryOnConflict, WriteConflict } from "../state/durability.js";
import { IndexSnapshot } from "../state/index-snapshot.js";
import type { JsonRecord } from "../util/json.js";
import { byCodeUnit } from "../util/sorted.js";
import { pauseIfLong, runTask, startTask } from "../util/tasks.js";
import { type DeleteByParams, readDeletion } from "../write/delete-by.js";
import type { ReadDocument } from "./cluster-documents.js";
import { isSettingsChanged } from "./cluster-indexes.js";
import { documentIdOf } from "./cluster-names.js";
import type { ClusterStore } from "./cluster-store.js";
import { cannot } from "./remote-documents.js";
import { filterQuery } from "./remote-filter.js";
import { RemoteQuery } from "./remote-query.js";
import type { RemoteSearch } from "./remote-search.js";

const SUGGEST = "how texts go on; ask queries while somebody types, or suggest of a replica";
const SIMILAR = "which records are like others; keep a replica of it for that";
/** What needs all records in this process. */
const REFUSED: Readonly<Partial<Record<keyof SearchIndex, string>>> = {
  ...{ suggest: SUGGEST, suggestWithin: SUGGEST, similar: SIMILAR, similarWithin: SIMILAR },
  whyNot: "why a record is no hit; ask the query with its id as a filter",
  digest: "digests; compare exports",
  getAttributes: "all attributes; ask for facets",
  previewSettings: "previews; try the settings on a copy",
};

/** The beginning of a text, up to where the orders of code points and of code units may differ. */
const ORDERED_ALIKE = /^[^\ud800-\uffff]*/;
/** The handle of an index that the cluster searches. */
export class RemoteIndex<R extends object = JsonRecord> extends SearchIndex<R> {
  private readonly store: ClusterStore;
  private readonly search: RemoteSearch;

  static {
    for (const [verb, what] of Object.entries(REFUSED))
      Reflect.set(RemoteIndex.prototype, verb, async () => Promise.reject(cannot(what)));
  }

  /** `search`: one for all handles of an index. */
  constructor(live: LiveIndex, store: ClusterStore, search: RemoteSearch) {
    super(live);
    this.store = store;
    this.search = search;
  }

  /** @internal */
  protected override answer(params: unknown, options: CallOptions): Promise<SearchAnswer<JsonRecord>> {
    const { live, search } = this;
    return live.answer(params, options, (checked, context) =>
      this.onPhysical(async () => new RemoteQuery(search, await search.catalog(), checked, context).answer()),
    );
  }

  override async searchForFacetValues(given: unknown, options: CallOptions = {}): Promise<FacetHits> {
    const { live, search } = this;
    return live.query(options, async (context) => {
      const { name, typed, checked } = checkFacetSearch(given, live.paramsContext(context));
      const { facets } = await this.onPhysical(async () => {
        const rankings = (mends: boolean): readonly ValueRank[] => rankingsFor(typed, mends);
        return new RemoteQuery(search, await search.catalog(), checked, context, rankings).facets();
      }).catch((error) => {
        throw namingFacet(error, "facetName");
      });
      return { facetHits: facets[name] ?? [] };
    });
  }

  override async understandQuery(text: string, options: CallOptions = {}): ReturnType<typeof understandQuery> {
    return this.live.query(options, async (context) => {
      const { sample: version } = await this.search.catalog();
      return understandQuery(text, { ...context, version: () => version });
    });
  }

  override async getRecords(ids: readonly (string | number)[]): Promise<(R | null)[]> {
    const { live, store } = this;
    return live.read({}, async () => {
      const wanted = (await startTask(readIds(ids, live.context.limits))).map(documentIdOf);
      const found = await this.onPhysical((physical) => store.indexes.documents(physical, wanted));
      return found.map((document) => (document?.json === undefined ? null : JSON.parse(document.json)));
    });
  }

  override browseRecords(): AsyncIterableIterator<R> {
    this.live.check();
    return this.live.untilClosed(this.browse(this.openPoint()));
  }

  private async *browse(point: Promise<string>): AsyncGenerator<R> {
    for await (const documents of this.inIdOrder(point))
      for (const { json } of documents) {
        yield JSON.parse(json!);
        await pauseIfLong();
      }
  }

  /** As `exportIndex` of an engine. */
  exportLines(options: SnapshotOptions): AsyncIterableIterator<string> {
    return this.live.untilClosed(this.lines(this.openPoint(), options));
  }

  private async *lines(point: Promise<string>, options: SnapshotOptions): AsyncGenerator<string> {
    const { onProgress } = readOptions("snapshot", options);
    yield* exportLines(this.live.data, IndexSnapshot.empty(), { onProgress: () => {} });
    let done = 0;
    for await (const documents of this.inIdOrder(point)) {
      if (documents.length > 0) yield documents.map(({ json }) => `${json}\n`).join("");
      done += documents.length;
      if (done < this.recordCount) onProgress({ done, total: this.recordCount });
    }
    onProgress({ done, total: done });
  }

  /** Holds the records as they are at the call. Who iterates handles a rejection. */
  private openPoint(): Promise<string> {
    const point = this.onPhysical((physical) => this.store.indexes.openPoint(physical));
    point.catch(() => {});
    return point;
  }

  /** The records of a point in time in the order of their ids by code unit, in pages. */
  private async *inIdOrder(point: Promise<string>): AsyncGenerator<readonly ReadDocument[]> {
    const byId = (a: ReadDocument, b: ReadDocument): number => byCodeUnit(a.id, b.id);
    const held: ReadDocument[] = [];
    for await (const page of this.store.indexes.pages(point)) {
      held.push(...page);
      // The cluster orders by code point, so that behind this beginning of the last one, others may follow that come before.
      const [start] = ORDERED_ALIKE.exec(held.at(-1)!.id)!;
      const open = held.findIndex(({ id }) => id !== start && ORDERED_ALIKE.exec(id)![0] === start);
      yield held.splice(0, open < 0 ? held.length : open).sort(byId);
    }
    yield held.sort(byId);
  }

  /** Reads from the physical index; again where another one has the name by then. */
  private async onPhysical<T>(read: (physical: string) => Promise<T>): Promise<T> {
    try {
      return await read(this.search.kept.physical);
    } catch (error) {
      if (!isSettingsChanged(error)) throw error;
      await this.store.catchUp(this.name);
      return read(this.search.kept.physical);
    }
  }

  override async deleteBy(params: DeleteByParams<R>, options: CallOptions = {}): Promise<{ deleted: number }> {
    const { live, search, store, name } = this;
    const { indexes } = store;
    const { activity, limits } = live.context;
    const writing = live.write(options, ({ signal }) => {
      const filter = readDeletion(params, limits);
      return live.writer.scheduler.write(undefined, signal, async () => {
        const shared = store.sharedIndex(name);
        let deleted = 0;
        return retryOnConflict(shared, async () => {
          await shared.catchUp();
          const { attributes } = (await search.catalog()).sample;
          await runTask(checkFilter(filter, "filters", { settings: live.settings.effective, attributes }));
          const point = indexes.openPoint(search.kept.physical);
          const lost = new Set<string>();
          for await (const documents of indexes.pages(point, filterQuery(filter))) {
            const refused = await store.remove(name, documents);
            deleted += documents.length - refused.size;
            for (const id of refused) lost.add(id);
          }
          if (lost.size > 0) throw new WriteConflict(lost);
          return { deleted };
        });
      });
    });
    return activity.write(name, "deleteBy", performance.now(), writing);
  }
}
