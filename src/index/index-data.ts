// Everything an index holds, as one replaceable object: settings with what they produce, the snapshot of the records, and the
// neighbour graph that follows it. New settings, or a replacement of all records, make a new one; handles stay.

import { AttributeCatalog } from "../docvalues/attribute-values.js";
import type { ResolvedSettings } from "../settings/settings.js";
import type { SearchWarning } from "../util/extension-points.js";
import type { VectorGraph } from "../vectors/vector-graph.js";
import { IndexSnapshot, type SnapshotChange } from "./index-snapshot.js";
import { GraphKeeper } from "./keep-graph.js";
import type { MergedSegment } from "./merge-segments.js";
import { type FieldRules, fieldRules } from "./read-fields.js";
import type { SearchLanguage } from "./search-language.js";

/** One version of an index: everything that a query reads. */
export interface IndexVersion {
  readonly catalog: AttributeCatalog;
  readonly snapshot: IndexSnapshot;
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  /** The graph for a snapshot. Call it right before searching: graphs are replaced while queries are prepared. */
  readonly graphFor: (snapshot: IndexSnapshot) => VectorGraph | undefined;
  /** Recently deleted ids, for `whyNot`. */
  readonly deleted: ReadonlySet<string>;
}

/** The maximum number of remembered deleted ids. */
const MOST_DELETED = 10_000;

/** What the data of an index is created with. */
export interface IndexDataContext {
  readonly settings: ResolvedSettings;
  readonly language: SearchLanguage;
  readonly warn: (warning: SearchWarning) => void;
  readonly stop: AbortSignal;
  /** Whether this many more bytes of memory are available. */
  readonly fits: (bytes: number) => boolean;
}

/** Settings, snapshot and graph of an index. */
export class IndexData {
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  readonly graph: GraphKeeper;
  /** The attributes that any record had since the index was created or cleared. */
  readonly catalog: AttributeCatalog = new AttributeCatalog();
  private readonly deleted = new Set<string>();
  private present: IndexSnapshot = IndexSnapshot.empty();

  constructor(context: IndexDataContext) {
    const { settings } = context;
    this.settings = settings;
    this.rules = fieldRules(settings.effective);
    this.language = context.language;
    this.graph = new GraphKeeper(settings.effective, this.present, context);
  }

  get snapshot(): IndexSnapshot {
    return this.present;
  }

  /** The version that a query reads from its beginning to its end. */
  version(): IndexVersion {
    const { snapshot, settings, rules, language, catalog, graph, deleted } = this;
    return { snapshot, settings, rules, language, catalog, graphFor: (asked) => graph.graphFor(asked), deleted };
  }

  /** Publishes the snapshot after a change. No other method changes which records there are. */
  publish(after: IndexSnapshot, change: SnapshotChange, attributes?: AttributeCatalog): void {
    this.present = after;
    if (attributes !== undefined) this.catalog.add(attributes);
    this.graph.follow(this.present, change);
  }

  /** Remembers the ids of records that are about to be deleted, up to the last 10,000. */
  rememberDeletedIds(deletions: ReadonlyMap<number, readonly number[]>): void {
    let before = -MOST_DELETED;
    for (const docs of deletions.values()) before += docs.length;
    for (const { segment } of this.present.segments) {
      const docs = deletions.get(segment.segmentId) ?? [];
      for (const doc of docs.slice(Math.max(0, before))) this.deleted.add(segment.records.ids[doc]!);
      before -= docs.length;
    }
    for (const id of this.deleted) {
      if (this.deleted.size <= MOST_DELETED) break;
      this.deleted.delete(id);
    }
  }

  /** Publishes merged segments; this changes no answer. */
  publishMerge(merged: MergedSegment): void {
    const dropped = new Set(merged.sources.map((live) => live.segment.segmentId));
    this.present = this.present.with({ added: [merged.segment], dropped });
    this.graph.followMerge(this.present, merged);
  }

  /** Copies the deleted ids that other data remembers. */
  inheritDeletedIds({ deleted }: IndexData): void {
    for (const id of deleted) this.deleted.add(id);
  }

  /** Takes over the records of other data. Segments are immutable, so they are shared. */
  shareRecords(other: IndexData): void {
    this.inheritDeletedIds(other);
    this.present = other.present;
    this.catalog.add(other.catalog);
    this.graph.follow(this.present, {});
  }
}
