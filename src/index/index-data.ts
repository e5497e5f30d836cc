// Everything an index holds, as one replaceable object: settings with what is derived from them, the snapshot of the records, and
// the neighbour graph that follows it. New settings, or a replacement of all records, create a new object; handles stay valid.

import { KnownAttributes, WrittenAttributes } from "../docvalues/attribute-catalog.js";
import type { IndexSettings, ResolvedSettings } from "../settings/settings.js";
import type { SearchWarning } from "../util/extension-points.js";
import type { VectorGraph } from "../vectors/vector-graph.js";
import { countDeletions, type Deletions, IndexSnapshot, type SnapshotChange } from "./index-snapshot.js";
import { GraphKeeper } from "./keep-graph.js";
import type { MergedSegment } from "./merge-segments.js";
import { type FieldRules, fieldRules } from "./read-fields.js";
import type { SearchLanguage } from "./search-language.js";

/** One version of an index: everything that a query reads. */
export interface IndexVersion {
  readonly attributes: KnownAttributes;
  readonly snapshot: IndexSnapshot;
  readonly settings: ResolvedSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  /** The graph for a snapshot. Call it right before searching: graphs are replaced while queries are prepared. */
  readonly graphFor: (snapshot: IndexSnapshot) => VectorGraph | undefined;
  /** Recently deleted ids, for `whyNot`. Replaced records do not count. */
  readonly deleted: ReadonlySet<string>;
}

/** The maximum number of remembered deleted ids. */
const MAX_DELETED_IDS = 10_000;

/** What the data of an index is created with. */
export interface IndexDataContext {
  readonly settings: ResolvedSettings;
  /** The settings as the caller passed them. */
  readonly given: IndexSettings;
  readonly language: SearchLanguage;
  readonly warn: (warning: SearchWarning) => void;
  readonly stop: AbortSignal;
  /** Whether this many more bytes of memory are available. */
  readonly fits: (bytes: number) => boolean;
}

/** Settings, snapshot and graph of an index. */
export class IndexData {
  readonly settings: ResolvedSettings;
  /** The settings as the caller passed them. */
  readonly given: IndexSettings;
  readonly rules: FieldRules;
  readonly language: SearchLanguage;
  readonly graph: GraphKeeper;
  /** The attributes that were written last since the index was created or cleared. */
  readonly written: WrittenAttributes = new WrittenAttributes();
  private readonly deleted = new Set<string>();
  private present: IndexSnapshot = IndexSnapshot.empty();

  constructor(context: IndexDataContext) {
    const { settings, given } = context;
    this.settings = settings;
    this.given = given;
    this.rules = fieldRules(settings.effective);
    this.language = context.language;
    this.graph = new GraphKeeper(settings.effective, this.present, context);
  }

  get snapshot(): IndexSnapshot {
    return this.present;
  }

  /** The version that a query reads from its beginning to its end. */
  version(): IndexVersion {
    const { snapshot, settings, rules, language, written, graph, deleted } = this;
    const attributes = new KnownAttributes(
      written,
      snapshot.segments.map((live) => live.segment.attributes),
    );
    return { snapshot, settings, rules, language, attributes, graphFor: (asked) => graph.graphFor(asked), deleted };
  }

  /**
   * Publishes the snapshot after a change, by swapping one reference. Synchronous; cannot fail. No other method changes which
   * records there are.
   */
  publish(after: IndexSnapshot, change: SnapshotChange, written?: WrittenAttributes): void {
    if (change.added === undefined) this.rememberDeletedIds(change.deletions ?? new Map());
    this.present = after;
    if (written !== undefined) this.written.add(written);
    this.graph.follow(this.present, change);
  }

  /** Remembers the ids of records that are about to be deleted; only the last ones are kept. */
  private rememberDeletedIds(deletions: Deletions): void {
    let skipped = countDeletions(deletions) - MAX_DELETED_IDS;
    for (const { segment } of this.present.segments) {
      const docs = deletions.get(segment.segmentId) ?? [];
      for (const doc of docs.slice(Math.max(0, skipped))) this.deleted.add(segment.records.ids[doc]!);
      skipped -= docs.length;
    }
    for (const id of this.deleted) {
      if (this.deleted.size <= MAX_DELETED_IDS) break;
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
    this.written.add(other.written);
    this.graph.follow(this.present, {});
  }
}
