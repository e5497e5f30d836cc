// The bytes that all indexes of an engine hold in memory, as a sum that is kept: a write counts its own index only, however
// many others there are. Segments that indexes share count once. Parts that were read from a data folder, or left the memory
// because a folder has them, are not told to this sum. It finds them later, because some indexes are counted again with each
// reservation, in turns.

import { dropColumns, droppableBytes } from "./column-store.js";
import { segmentBytes } from "./estimate-memory.js";
import type { IndexData } from "./index-data.js";
import type { Segment } from "./segment.js";

/** An object whose `data` is the current data of an index. */
export interface DataHolder {
  readonly data: Pick<IndexData, "snapshot" | "graph" | "written">;
}

/** What was counted of an index. */
interface CountedIndex {
  readonly segments: readonly Segment[];
  /** The bytes of its graph, and of the names of its attributes. */
  own: number;
}

/** What was counted of a segment. */
interface CountedSegment {
  bytes: number;
  /** The number of indexes that have it. */
  indexes: number;
}

/** The bytes that the indexes of an engine hold. */
export class HeldMemory {
  private sum = 0;
  private readonly indexes = new Map<DataHolder, CountedIndex>();
  private readonly segments = new Map<Segment, CountedSegment>();
  /** The segments with something that queries computed, the last read one last. */
  private readonly computed = new Set<Segment>();
  /** What has changed since it was counted. */
  private readonly changedSegments = new Set<Segment>();
  private readonly changedIndexes = new Set<DataHolder>();
  /**
   * The indexes in the order in which they are counted again. There is one iterator, because a new one would begin with the
   * first index.
   */
  private turns: Iterator<DataHolder> = this.indexes.keys();

  add(holder: DataHolder): void {
    this.indexes.set(holder, { segments: [], own: 0 });
    this.count(holder);
  }

  remove(holder: DataHolder): void {
    const counted = this.indexes.get(holder);
    if (counted === undefined) return;
    for (const segment of counted.segments) this.release(segment);
    this.sum -= counted.own;
    this.indexes.delete(holder);
    this.changedIndexes.delete(holder);
  }

  /** Counts an index again. */
  count(holder: DataHolder): void {
    const before = this.indexes.get(holder);
    if (before === undefined) return;
    const segments = holder.data.snapshot.segments.map(({ segment }) => segment);
    for (const segment of segments) this.hold(segment);
    for (const segment of before.segments) this.release(segment);
    const own = ownBytes(holder);
    this.sum += own - before.own;
    this.indexes.set(holder, { segments, own });
  }

  /** Counts some indexes again whose turn it is, until `isEnough`. */
  countNext(most: number, isEnough: () => boolean = () => false): void {
    for (let left = Math.min(most, this.indexes.size); left > 0 && !isEnough(); left--) {
      let next = this.turns.next();
      if (next.done === true) {
        this.turns = this.indexes.keys();
        next = this.turns.next();
      }
      this.count(next.value as DataHolder);
    }
  }

  /** The graph of an index has changed: it is counted again when the sum is needed. */
  graphChanged(holder: DataHolder): void {
    if (this.indexes.has(holder)) this.changedIndexes.add(holder);
  }

  /** An index was read: what queries computed of it is dropped last. */
  wasRead(holder: DataHolder): void {
    this.count(holder);
    for (const segment of this.indexes.get(holder)?.segments ?? [])
      if (this.computed.delete(segment)) this.computed.add(segment);
  }

  /** The bytes of all indexes. */
  total(): number {
    for (const segment of this.changedSegments) this.measure(segment);
    this.changedSegments.clear();
    for (const holder of this.changedIndexes) {
      const counted = this.indexes.get(holder)!;
      const own = ownBytes(holder);
      this.sum += own - counted.own;
      counted.own = own;
    }
    this.changedIndexes.clear();
    return this.sum;
  }

  /** Drops what queries computed, that of the segments that were read least recently first, until `isEnough`. */
  drop(isEnough: () => boolean): void {
    for (const segment of this.computed) {
      if (isEnough()) return;
      dropComputed(segment);
      this.measure(segment);
      // What running queries still use is noted again when they end.
      this.computed.delete(segment);
    }
  }

  private hold(segment: Segment): void {
    const counted = this.segments.get(segment);
    if (counted === undefined) {
      this.segments.set(segment, { bytes: 0, indexes: 1 });
      segment.caches.columnsChanged = () => this.changedSegments.add(segment);
    } else counted.indexes++;
    this.measure(segment);
  }

  private release(segment: Segment): void {
    const counted = this.segments.get(segment)!;
    if (--counted.indexes > 0) return;
    this.sum -= counted.bytes;
    segment.caches.columnsChanged = () => {};
    this.segments.delete(segment);
    this.computed.delete(segment);
    this.changedSegments.delete(segment);
  }

  private measure(segment: Segment): void {
    const counted = this.segments.get(segment)!;
    const bytes = segmentBytes(segment);
    this.sum += bytes - counted.bytes;
    counted.bytes = bytes;
    if (computedBytes(segment) > 0) this.computed.add(segment);
    else this.computed.delete(segment);
  }
}

/** The bytes of what queries computed of a segment. */
export function computedBytes(segment: Segment): number {
  return segment.caches.text.impacts.bytes + droppableBytes(segment);
}

/** Drops what queries computed of a segment, and do not use. */
export function dropComputed(segment: Segment): void {
  dropColumns(segment, 0);
  segment.caches.text.impacts.clear();
}

function ownBytes({ data }: DataHolder): number {
  return data.written.bytes + data.graph.bytes;
}
