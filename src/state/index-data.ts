// Everything an index holds, as one replaceable object: settings with what is derived from them, the snapshot of the records, and
// the neighbour graph that follows it. New settings, or a replacement of all records, create a new object; handles stay valid.

import { AttributeHistory, AttributeNames } from "../docvalues/attribute-catalog.js";
import { PLACES } from "../docvalues/place.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import type { LocalDoc } from "../util/doc-set.js";
import { runTaskAtOnce, type Task } from "../util/tasks.js";
import type { VectorGraph } from "../vectors/vector-graph.js";
import { hasAttribute, KEPT_COLUMNS, usedAttributes } from "./column-store.js";
import type { MergedSegment } from "./index-snapshot.js";
import { countDeletions, IndexSnapshot, type LearnedFloor, type SnapshotChange } from "./index-snapshot.js";
import { type GraphContext, GraphKeeper, type StoredGraph } from "./keep-graph.js";
import type { LiveSegment } from "./segment.js";

/** One version of an index: everything that a query reads. */
export interface IndexVersion {
  readonly attributes: AttributeNames;
  readonly snapshot: IndexSnapshot;
  readonly settings: ResolvedSettings;
  /** The graph for a snapshot. Call it right before searching: graphs are replaced while queries are prepared. */
  readonly graphFor: (snapshot: IndexSnapshot) => VectorGraph | undefined;
  /** Recently deleted ids, for `whyNot`. Replaced records do not count. */
  readonly deleted: RecentIds;
}

/** The maximum number of remembered deleted ids. */
const MAX_DELETED_IDS = 10_000;

/** The ids that were added last, up to 10,000. */
export class RecentIds {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(ids: Iterable<string>): void {
    for (const id of ids) this.ids.add(id);
    for (const id of this.ids) {
      if (this.ids.size <= MAX_DELETED_IDS) break;
      this.ids.delete(id);
    }
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.ids.values();
  }
}

/** The ids of the records that a change deletes, at most the last 10,000; none if it replaces records. */
export function deletedIdsOf(snapshot: IndexSnapshot, { added, deletions = new Map() }: SnapshotChange): string[] {
  if (added !== undefined) return [];
  const ids: string[] = [];
  let skipped = countDeletions(deletions) - MAX_DELETED_IDS;
  for (const { segment } of snapshot.segments) {
    const docs = deletions.get(segment.segmentId) ?? [];
    for (const doc of docs.slice(Math.max(0, skipped))) ids.push(segment.records.ids.textAt(doc));
    skipped -= docs.length;
  }
  return ids;
}

/** What a data folder has of an index beside its settings. */
export interface RestoredIndex {
  readonly segments: readonly Pick<LiveSegment, "segment" | "deletedDocs">[];
  readonly written: AttributeHistory;
  readonly deletedIds: readonly string[];
  readonly graph?: StoredGraph | undefined;
  readonly floor?: LearnedFloor | null;
  /** The undeclared attributes that queries used. */
  readonly used?: readonly string[];
}

/** The snapshot of what a data folder has of an index. */
export function* snapshotOf({ segments }: Pick<RestoredIndex, "segments">): Task<IndexSnapshot> {
  const deletions = new Map(
    segments.map(({ segment, deletedDocs }) => [
      segment.segmentId,
      Array.from(deletedDocs?.toArray() ?? []) as LocalDoc[],
    ]),
  );
  const all = yield* IndexSnapshot.empty().after({ added: segments.map(({ segment }) => segment) });
  return yield* all.after({ deletions });
}

/** Settings, snapshot and graph of an index. */
export class IndexData {
  readonly settings: ResolvedSettings;
  /** The settings as the caller passed them. */
  readonly given: IndexSettings;
  readonly graph: GraphKeeper;
  /** The attributes that were written last since the index was created or cleared. */
  written: AttributeHistory = new AttributeHistory();
  private deleted = new RecentIds();
  snapshot: IndexSnapshot = IndexSnapshot.empty();
  /** The undeclared attributes that queries of other data used, or before the data folder was opened; the last used one last. */
  usedBefore: readonly string[] = [];

  constructor(context: GraphContext & Pick<IndexData, "settings" | "given">) {
    const { settings, given } = context;
    this.settings = settings;
    this.given = given;
    this.graph = new GraphKeeper(settings.effective, this.snapshot, context);
  }

  /** The version that a query reads from its beginning to its end. */
  version(): IndexVersion {
    const { snapshot, settings, written, graph, deleted } = this;
    const attributes = new AttributeNames(
      written,
      snapshot.segments.map((live) => live.segment.attributes),
    );
    return { snapshot, settings, attributes, graphFor: (asked) => graph.graphFor(asked), deleted };
  }

  /**
   * Publishes the snapshot after a change, by swapping one reference. Synchronous; cannot fail. No other method changes which
   * records there are. The graph of data that nobody sees yet grows later.
   */
  publish(after: IndexSnapshot, change: SnapshotChange, written?: AttributeHistory, isSeen = true): void {
    this.deleted.add(deletedIdsOf(this.snapshot, change));
    this.snapshot = after;
    if (written !== undefined) this.written.add(written);
    if (isSeen) this.graph.follow(after, change);
    else this.graph.found(after, undefined);
  }

  /** Publishes merged segments; this changes no answer. Records that were deleted meanwhile stay deleted. */
  publishMerge(merged: MergedSegment): void {
    const { floor } = this.snapshot.caches;
    this.snapshot = this.snapshot.withMerged(merged);
    this.snapshot.caches.floor = floor;
    this.graph.followMerge(this.snapshot, merged);
  }

  /** The remembered deleted ids, the last one last. */
  deletedIds(): string[] {
    return [...this.deleted];
  }

  /** Takes over what a data folder has of this index; it has nothing yet. */
  restore(restored: RestoredIndex): void {
    this.adopt(restored, runTaskAtOnce(snapshotOf(restored)));
    this.graph.found(this.snapshot, restored.graph);
  }

  /** Takes over what a data folder has of this index now, in the snapshot that {@link snapshotOf} made of it. */
  follow(restored: RestoredIndex, snapshot: IndexSnapshot): void {
    const before = new Map(this.snapshot.segments.map((live) => [live.segment.segmentId, live]));
    const deletions = new Map<number, readonly LocalDoc[]>();
    for (const { segment, deletedDocs } of snapshot.segments) {
      const known = before.get(segment.segmentId);
      if (known === undefined || deletedDocs === null) continue;
      const fresh = known.deletedDocs === null ? deletedDocs : deletedDocs.copy().andNot(known.deletedDocs);
      deletions.set(segment.segmentId, Array.from(fresh.toArray()) as LocalDoc[]);
    }
    this.adopt(restored, snapshot);
    this.graph.follow(snapshot, { deletions });
  }

  private adopt({ written, deletedIds, floor = null, used = [] }: RestoredIndex, snapshot: IndexSnapshot): void {
    this.snapshot = snapshot;
    this.usedBefore = used;
    snapshot.caches.floor = floor;
    this.written = written;
    this.deleted = new RecentIds();
    this.deleted.add(deletedIds);
  }

  /** Copies the deleted ids that other data remembers. */
  inheritDeletedIds({ deleted }: IndexData): void {
    this.deleted.add(deleted);
  }

  /** Uses the attributes that queries of other data used. */
  inheritUsed(other: IndexData): void {
    this.usedBefore = other.usedNames().slice(-KEPT_COLUMNS);
  }

  /** The undeclared attributes that queries use, the last used one last, and that of places, as far as records have them. At most 128. */
  usedAttributes(): string[] {
    const { segments } = this.snapshot;
    const isThere = (attribute: string): boolean => segments.some(({ segment }) => hasAttribute(segment, attribute));
    return this.usedNames().filter(isThere).slice(-KEPT_COLUMNS);
  }

  private usedNames(): string[] {
    const uses = [PLACES, ...this.usedBefore, ...usedAttributes(this.snapshot.segments)];
    // The last use of each counts.
    return [...new Set(uses.reverse())].reverse();
  }

  /** Takes over the records of other data. Segments are immutable, so they are shared. */
  shareRecords(other: IndexData): void {
    this.inheritDeletedIds(other);
    this.snapshot = other.snapshot;
    this.written.add(other.written);
    this.graph.follow(this.snapshot, {});
  }
}
