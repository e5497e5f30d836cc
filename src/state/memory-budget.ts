// The memory of indexes, and its limits. All indexes of an engine together take at most `maxMemory`: writers reserve memory before they
// build, and fail with nothing changed when it does not fit. What can be rebuilt, columns and impact lists, is dropped first, that of the
// least recently read index before all else. Reads keep at most `cacheBytes` of it.
//
// What the indexes take is a sum that is kept: a write counts its own index only, however many others there are. Segments that indexes
// share count once. Parts that were read from a data folder, or left the memory because a folder has them, are not told to this sum. It
// finds them later, because some indexes are counted again with each reservation, in turns.

import { postingsBytes } from "../inverted/postings.js";
import { endsBytes } from "../inverted/spelling-dictionary.js";
import { SearchError } from "../util/errors.js";
import { rowsBytes } from "../vectors/vector-rows.js";
import { columnBytes, dropColumns, droppableBytes, KEPT_COLUMNS } from "./column-store.js";
import type { IndexData } from "./index-data.js";
import { tableBytes, type WrittenEntry } from "./record-table.js";
import { isInFile, type Segment } from "./segment.js";

/** The approximate bytes that the parts of an index take in memory. */
export interface MemoryEstimate {
  /** Stored records with their ids. */
  readonly records: number;
  /**
   * Terms, posting lists, titles and the words for corrections, completions and compounds; also what queries computed and is kept: counts
   * and numbers of the words of titles, and impact lists of terms, in a segment at most 16 bytes per posting or 64 kB, whichever
   * is more, and in all indexes at most `cacheBytes`. What is only in a file of the data folder does not count.
   */
  readonly text: number;
  readonly vectors: number;
  /** Doc-values columns of attributes that were used or declared, and the names of all known attributes. */
  readonly columns: number;
  /** The neighbour graph. */
  readonly graph: number;
  /** The sum of the parts. */
  readonly total: number;
}

/** An object whose `data` is the current data of an index. */
export interface DataHolder {
  readonly data: Pick<IndexData, "snapshot" | "graph" | "written">;
}

/** Estimates the memory of an index by part: typed arrays to the byte, strings and maps on V8's heap by their usual size. */
export function estimateMemory({ snapshot, graph, written }: DataHolder["data"]): MemoryEstimate {
  const parts = snapshot.segments.map(({ segment }) => partsOf(segment));
  const sum = (part: keyof (typeof parts)[number]): number => parts.reduce((total, each) => total + each[part], 0);
  const [records, text, vectors] = [sum("records"), sum("text"), sum("vectors")];
  const columns = sum("columns") + written.bytes;
  const total = records + text + vectors + columns + graph.bytes;
  return { records, text, vectors, columns, graph: graph.bytes, total };
}

/** The bytes of a segment in memory. */
export function segmentBytes(segment: Segment): number {
  const { records, text, vectors, columns } = partsOf(segment);
  return records + text + vectors + columns;
}

function partsOf(segment: Segment): Omit<MemoryEstimate, "graph" | "total"> {
  const { records, postings, vectors, attributes, caches } = segment;
  return {
    records: tableBytes(records),
    text: postingsBytes(postings) + endsBytes(caches.text) + caches.text.impacts.bytes,
    vectors: vectors === null ? 0 : rowsBytes(vectors),
    columns: attributes.bytes + columnBytes(segment),
  };
}

/** The default of `cacheBytes`. */
export const DEFAULT_CACHE_BYTES = 256_000_000;
/** What was read of a data folder counts, but leaves this share of `cacheBytes` to what queries compute. */
const COMPUTED_SHARE = 1 / 4;
/** With each reservation, so many indexes are counted again. */
const COUNTED_WITH_RESERVATION = 2;
/** Before a reservation is refused, so many indexes are counted again: some may hold less by now. */
const COUNTED_BEFORE_REFUSAL = 256;

/** What was counted of an index, in bytes. */
interface CountedIndex {
  /** Those that the sum has; none without a limit. */
  readonly segments: readonly Segment[];
  /** Its graph, and the names of its attributes. */
  readonly own: number;
  /** What reads keep of it. */
  readonly kept: number;
}

const NOTHING: CountedIndex = { segments: [], own: 0, kept: 0 };

/** The memory budget of an engine. */
export class MemoryBudget {
  private readonly most: number;
  private readonly cacheBytes: number;
  private readonly indexes = new Map<DataHolder, CountedIndex>();
  /** What was counted of each segment, and how many indexes have it. */
  private readonly segments = new Map<Segment, { bytes: number; indexes: number }>();
  /** The sum of all segments, graphs and names. */
  private held = 0;
  /** The indexes whose graphs have changed since they were counted. */
  private readonly growing = new Set<DataHolder>();
  /** Those in which queries left something that can be dropped, the last read one last. */
  private readonly computing = new Set<DataHolder>();
  /** The sum of what reads keep. */
  private kept = 0;
  private reserved = 0;
  /** In the order in which indexes are counted again. There is one iterator, because a new one would begin with the first index. */
  private turns: Iterator<DataHolder> = this.indexes.keys();

  /** `most` bytes; `Number.MAX_SAFE_INTEGER`: no limit, and nothing is counted. `cacheBytes`: how many of them reads may keep. */
  constructor(most: number, cacheBytes: number = DEFAULT_CACHE_BYTES) {
    this.most = most;
    this.cacheBytes = cacheBytes;
  }

  add(holder: DataHolder): void {
    this.indexes.set(holder, NOTHING);
    this.changed(holder);
  }

  remove(holder: DataHolder): void {
    this.setCount(holder, NOTHING);
    for (const holders of [this.indexes, this.computing]) holders.delete(holder);
  }

  /** After an index got other records or columns, or its segments were merged. */
  changed(holder: DataHolder): void {
    if (this.isLimited) this.note(holder);
  }

  /** After the graph of an index got more or less memory: it is counted when the sum is needed. */
  graphChanged(holder: DataHolder): void {
    if (this.isLimited) this.growing.add(holder);
  }

  /** After a read of an index: drops what reads keep beyond `cacheBytes`, that of other indexes first. */
  wasRead(holder: DataHolder): void {
    if (!this.indexes.has(holder)) return;
    this.computing.delete(holder);
    const computed = this.note(holder);
    this.drop(() => this.kept <= this.cacheBytes, holder);
    const over = Math.max(0, this.kept - this.cacheBytes);
    const left = Math.max(COMPUTED_SHARE * this.cacheBytes, computed - over);
    if (left >= computed && this.hasRoom(0)) return;
    for (const { segment } of holder.data.snapshot.segments) {
      const { impacts } = segment.caches.text;
      if (left < computed) impacts.shrinkTo((left / computed) * impacts.bytes);
      dropColumns(segment, 0);
    }
    this.count(holder);
  }

  private get isLimited(): boolean {
    return this.most !== Number.MAX_SAFE_INTEGER;
  }

  /** Changes a reservation from `before` to `bytes`. Throws 507 `memory_limit` if they do not fit. */
  reserve(before: number, bytes: number): void {
    if (!this.fits(bytes - before)) throw this.full(bytes, this.reserved - before);
    this.reserved += bytes - before;
  }

  /** Ends a reservation of this many bytes. */
  release(bytes: number): void {
    this.reserved -= bytes;
  }

  /** Whether this many more bytes fit. Drops what queries computed, if necessary. */
  fits(bytes: number): boolean {
    if (!this.isLimited) return true;
    const hasRoom = (): boolean => this.hasRoom(bytes);
    this.countNext(COUNTED_WITH_RESERVATION);
    this.drop(hasRoom);
    this.countNext(COUNTED_BEFORE_REFUSAL, hasRoom);
    this.drop(hasRoom);
    return hasRoom();
  }

  private hasRoom(bytes: number): boolean {
    return this.total() + this.reserved + bytes <= this.most;
  }

  /** The number of undeclared columns that a segment may keep. */
  columnsToKeep(): number {
    return this.hasRoom(0) ? KEPT_COLUMNS : 0;
  }

  private total(): number {
    for (const holder of this.growing) this.count(holder);
    this.growing.clear();
    return this.held;
  }

  /** Counts some indexes again whose turn it is, until `isEnough`. */
  private countNext(most: number, isEnough: () => boolean = () => false): void {
    for (let left = Math.min(most, this.indexes.size); left > 0 && !isEnough(); left--) {
      let next = this.turns.next();
      if (next.done === true) {
        this.turns = this.indexes.keys();
        next = this.turns.next();
      }
      this.note(next.value as DataHolder);
    }
  }

  /** Drops what queries computed and do not use, that of the index that was read least recently first, until `isEnough`. */
  private drop(isEnough: () => boolean, spared?: DataHolder): void {
    for (const holder of this.computing) {
      if (holder === spared || isEnough()) return;
      for (const { segment } of holder.data.snapshot.segments) {
        dropColumns(segment, 0);
        segment.caches.text.impacts.clear();
      }
      this.count(holder);
      // What running queries still use is noted again when they end.
      this.computing.delete(holder);
    }
  }

  /** Counts an index again, and whether there is something to drop. */
  private note(holder: DataHolder): number {
    const computed = this.count(holder);
    if (computed > 0) this.computing.add(holder);
    return computed;
  }

  /** Counts an index again; returns the bytes of what can be dropped. */
  private count(holder: DataHolder): number {
    const { snapshot, written, graph } = holder.data;
    const segments = snapshot.segments.map(({ segment }) => segment);
    let [computed, loaded] = [0, 0];
    for (const segment of segments) {
      computed += segment.caches.text.impacts.bytes + droppableBytes(segment);
      if (isInFile(segment)) loaded += postingsBytes(segment.postings) + tableBytes(segment.records);
    }
    const own = written.bytes + graph.bytes;
    this.setCount(holder, { segments: this.isLimited ? segments : [], own, kept: computed + loaded });
    return computed;
  }

  private setCount(holder: DataHolder, now: CountedIndex): void {
    const before = this.indexes.get(holder);
    if (before === undefined) return;
    for (const segment of now.segments) {
      const counted = this.segments.get(segment) ?? { bytes: 0, indexes: 0 };
      const bytes = segmentBytes(segment);
      this.held += bytes - counted.bytes;
      this.segments.set(segment, { bytes, indexes: counted.indexes + 1 });
    }
    for (const segment of before.segments) {
      const counted = this.segments.get(segment)!;
      if (--counted.indexes > 0) continue;
      this.held -= counted.bytes;
      this.segments.delete(segment);
    }
    this.held += now.own - before.own;
    this.kept += now.kept - before.kept;
    this.indexes.set(holder, now);
  }

  /** `others`: what other calls reserve. */
  private full(bytes: number, others: number): SearchError {
    const msg = `The call would take about ${bytes} bytes beside the ${this.total()} that the indexes take and the ${others} of other calls and previews under way, together more than limits.maxMemory (${this.most}); delete records or indexes, raise the limit, or call again when the others have ended.`;
    return new SearchError(507, "memory_limit", msg, { param: "records" });
  }
}

/**
 * The memory that a write reserves before it is published: that of its built segments and names, and the JSON of its other records.
 */
export class MemoryReservation {
  private readonly budget: MemoryBudget;
  private readonly holder: DataHolder;
  private bytes = 0;

  constructor(budget: MemoryBudget, holder: DataHolder) {
    this.budget = budget;
    this.holder = holder;
  }

  /** Reserves the JSON of all records, the least that they will take. So a batch that cannot fit is refused before it is built. */
  begin(entries: readonly WrittenEntry[]): void {
    // Its segments may have been read from a data folder since it was counted.
    this.budget.changed(this.holder);
    this.grow(jsonLength(entries));
  }

  /** Reserves the memory of the segment that was built from a group, in place of its JSON. */
  add(segment: Segment, group: readonly WrittenEntry[]): void {
    this.grow(segmentBytes(segment) - jsonLength(group));
  }

  /** Reserves so many bytes more. */
  grow(bytes: number): void {
    this.budget.reserve(this.bytes, this.bytes + bytes);
    this.bytes += bytes;
  }

  /** Ends the reservation: the batch is published or abandoned. */
  end(): void {
    this.budget.release(this.bytes);
    this.bytes = 0;
  }
}

function jsonLength(entries: readonly WrittenEntry[]): number {
  return entries.reduce((total, { json }) => total + json.length, 0);
}
