// What the cluster is asked of an index that it searches: queries, and what is known of all records meanwhile. That is read anew when the
// index has changed.

import type { LiveIndex } from "../api/live-index.js";
import { AttributeHistory, AttributeNames } from "../docvalues/attribute-catalog.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { searchedName } from "../settings/settings.js";
import type { IndexVersion } from "../state/index-data.js";
import { IndexSnapshot } from "../state/index-snapshot.js";
import type { WrittenEntry } from "../state/record-table.js";
import { at } from "../util/json.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { runTask } from "../util/tasks.js";
import { type BuildContext, buildSegment } from "../write/build-segment.js";
import { documentIn, foreignRecords } from "./cluster-documents.js";
import type { ClusterStore, KeptIndex } from "./cluster-store.js";
import type { ValueKind } from "./remote-documents.js";
import { ALL } from "./remote-filter.js";
import { type Answer, bucketsIn, COUNTED, totalIn } from "./remote-words.js";

/** So many records are the sample from which settings learn. */
const SAMPLED = 256;
/** The sample is taken anew when the number of records has changed by this share. */
const RESAMPLED = 0.1;
/** Attributes with the kinds of their values. */
const MOST_ATTRIBUTES = 50_000;
const NO_KINDS: ReadonlySet<ValueKind> = new Set();

/** What is known of all records, as of a version of the index. */
export interface Catalog extends Pick<KeptIndex, "physical" | "position"> {
  readonly settings: ResolvedSettings;
  readonly docCount: number;
  readonly kindsOf: (attribute: string) => ReadonlySet<ValueKind>;
  /** The fields in which words are searched. */
  readonly fields: readonly string[];
  /** Some of the records, from which settings learn, and the attributes of all. */
  readonly sample: IndexVersion;
  /** The number of records when the sample was taken. */
  readonly sampledOf: number;
  /** What the cluster answered of words, by bounds and fields. */
  readonly words: Map<string, Map<string, Answer>>;
}

/** An index that the cluster searches. */
export class RemoteSearch {
  private readonly live: LiveIndex;
  private readonly store: ClusterStore;
  private known: Catalog | undefined;
  private reading: Promise<void> | undefined;

  constructor(live: LiveIndex, store: ClusterStore) {
    this.live = live;
    this.store = store;
  }

  /** What this process knows of it: which physical index has its records, and how far it has come. Throws 404. */
  get kept(): KeptIndex {
    this.live.check();
    return this.store.of(this.live.name);
  }

  /** Asks several searches at once. */
  search(searches: readonly object[], preference: string, signal?: AbortSignal): Promise<readonly unknown[]> {
    return this.store.indexes.searchAll(this.kept.physical, searches, preference, signal);
  }

  /** What is known of all records now: at least what this process knows to be written. */
  async catalog(): Promise<Catalog> {
    const { position } = this.kept;
    for (;;) {
      const known = this.known;
      const isOf = known?.physical === this.kept.physical && known.settings === this.live.settings;
      if (isOf && known.position >= position) return known;
      this.reading ??= this.read(known).finally(() => {
        this.reading = undefined;
      });
      await this.reading;
    }
  }

  private async read(before: Catalog | undefined): Promise<void> {
    const { physical, position } = this.kept;
    const { settings } = this.live;
    // What the dictionary lists, no record need be visited for.
    const names = { terms: { field: "attributes", size: MOST_ATTRIBUTES, min_doc_count: 0 } };
    const listing = { size: 0, track_total_hits: false, query: { match_none: {} }, aggs: { names } };
    const [counted, listed] = await this.search([{ ...COUNTED, query: ALL }, listing], "catalog");
    const docCount = totalIn(counted);
    const kinds = new Map<string, Set<ValueKind>>();
    for (const bucket of bucketsIn(listed, "names")) {
      const name = String(at(bucket, "key"));
      kinds.set(name.slice(1), (kinds.get(name.slice(1)) ?? new Set()).add(name[0] as ValueKind));
    }
    const isNear =
      before?.settings === settings && Math.abs(docCount - before.sampledOf) <= RESAMPLED * before.sampledOf;
    const { searchableAttributes, idAttribute } = settings.effective;
    const texts = [...kinds].flatMap(([path, own]) => (own.has("s") ? [path, path.split(".", 1)[0]!] : []));
    const seen = [...kinds.keys()].map((path) => [path, { short: 1, long: 0 }] as const);
    const attributes = new AttributeNames(AttributeHistory.of(seen), []);
    this.known = {
      ...{ physical, position, settings, docCount, words: new Map() },
      kindsOf: (attribute: string) => kinds.get(attribute) ?? NO_KINDS,
      fields: [...new Set([...(searchableAttributes?.map(searchedName) ?? []), ...texts, idAttribute])],
      sample: { ...(isNear ? before.sample : await this.takeSample()), attributes },
      sampledOf: isNear ? before.sampledOf : docCount,
    };
  }

  /** Takes the records with the smallest hashes of their ids: of the same records these are the same. */
  private async takeSample(): Promise<IndexVersion> {
    const version = this.live.data.version();
    const { effective } = version.settings;
    const query = effective.dimensions > 0 ? { exists: { field: "near" } } : ALL;
    const sort = [{ hash: "asc" }, { id: "asc" }];
    const search = { query, sort, size: SAMPLED, track_total_hits: false, _source: ["content"] };
    const [body] = await this.search([search], "catalog");
    const hits = at(body, "hits", "hits");
    const documents = (Array.isArray(hits) ? hits : []).map(documentIn);
    const { entries, vectors } = foreignRecords(documents, effective);
    const snapshot = await snapshotOf(entries, version, { embedded: vectors, signal: undefined });
    return { ...version, snapshot, graphFor: () => undefined };
  }
}

/** A snapshot of some records, sorted by their ids, in memory. */
export async function snapshotOf(
  entries: readonly WrittenEntry[],
  version: Pick<IndexVersion, "settings">,
  more: Pick<BuildContext, "embedded" | "signal">,
): Promise<IndexSnapshot> {
  const quiet = { limits: GREATEST_LIMITS, vectorsFrom: undefined, warn: () => {}, onProgress: () => {} };
  const segment = await buildSegment(entries, { ...version, ...more, ...quiet });
  return runTask(IndexSnapshot.empty().after({ added: [segment] }), more.signal);
}
