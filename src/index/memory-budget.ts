// Limits the memory that all indexes of an engine take together. Writers reserve memory before they build, and fail with nothing
// changed when it does not fit. What can be rebuilt, columns and impact lists, is dropped first. Reads keep at most
// `cacheBytes` of it. The memory of the least recently read index is dropped first.

import { postingsBytes } from "../inverted/postings.js";
import { SearchError } from "../util/errors.js";
import type { Task } from "../util/tasks.js";
import { dropColumns, KEPT_COLUMNS } from "./column-store.js";
import { segmentBytes } from "./estimate-memory.js";
import { computedBytes, type DataHolder, dropComputed, HeldMemory } from "./held-memory.js";
import { tableBytes, type WrittenEntry } from "./record-table.js";
import { isInFile, type Segment } from "./segment.js";

/** The default of `cacheBytes`. */
export const DEFAULT_CACHE_BYTES = 256_000_000;
/** What was read of a data folder counts, but leaves this share of `cacheBytes` to what queries compute. */
const COMPUTED_SHARE = 1 / 4;
/** With each reservation, so many indexes are counted again. */
const COUNTED_WITH_RESERVATION = 2;
/** Before a reservation is refused, so many indexes are counted again: some may hold less by now. */
const COUNTED_BEFORE_REFUSAL = 256;

/** The memory budget of an engine. */
export class MemoryBudget {
  private readonly most: number;
  private readonly cacheBytes: number;
  private readonly holders = new Set<DataHolder>();
  /** The bytes of all indexes; kept only if there is a limit. */
  private readonly held = new HeldMemory();
  /** What reads keep of each index, in bytes. */
  private readonly kept = new Map<DataHolder, number>();
  private keptBytes = 0;
  /** The indexes for which something computed by queries is kept, the last read one last. */
  private readonly computing = new Set<DataHolder>();
  private reserved = 0;

  /** `most` bytes; `Number.MAX_SAFE_INTEGER`: no limit, and nothing is counted. `cacheBytes`: how many of them reads may keep. */
  constructor(most: number, cacheBytes: number = DEFAULT_CACHE_BYTES) {
    this.most = most;
    this.cacheBytes = cacheBytes;
  }

  add(holder: DataHolder): void {
    this.holders.add(holder);
    if (this.isLimited) this.held.add(holder);
  }

  remove(holder: DataHolder): void {
    this.holders.delete(holder);
    this.held.remove(holder);
    this.note(holder, { computed: 0, loaded: 0 });
    this.kept.delete(holder);
  }

  /** After an index got other records, or its segments were merged. */
  changed(holder: DataHolder): void {
    if (this.isLimited) this.held.count(holder);
  }

  /** After the graph of an index got more or less memory. */
  graphChanged(holder: DataHolder): void {
    if (this.isLimited) this.held.graphChanged(holder);
  }

  /** After a read of an index: drops what reads keep beyond `cacheBytes`, that of other indexes first. */
  wasRead(holder: DataHolder): void {
    if (!this.holders.has(holder)) return;
    this.keepWithin(holder);
    if (!this.isLimited) return;
    this.held.wasRead(holder);
    if (this.hasRoom(0)) return;
    for (const { segment } of holder.data.snapshot.segments) dropColumns(segment, 0);
  }

  /** Keeps what reads keep within `cacheBytes`, after a read of an index. */
  private keepWithin(holder: DataHolder): void {
    const kept = keptOf(holder);
    this.note(holder, kept);
    if (this.keptBytes <= this.cacheBytes) return;
    for (const other of this.computing) {
      if (other === holder || this.keptBytes <= this.cacheBytes) break;
      for (const { segment } of other.data.snapshot.segments) dropComputed(segment);
      // Memory in use is noted again when its reader has ended.
      this.note(other, { computed: 0, loaded: keptOf(other).loaded });
    }
    const { computed } = kept;
    const over = this.keptBytes - this.cacheBytes;
    if (over <= 0 || computed === 0) return;
    const left = Math.max(COMPUTED_SHARE * this.cacheBytes, computed - over) / computed;
    if (left >= 1) return;
    for (const { segment } of holder.data.snapshot.segments) {
      const { impacts } = segment.caches.text;
      impacts.shrinkTo(left * impacts.bytes);
      dropColumns(segment, 0);
    }
    this.note(holder, keptOf(holder));
  }

  /** Remembers what reads keep of an index, which is now the one that was read last. */
  private note(holder: DataHolder, { computed, loaded }: KeptBytes): void {
    this.keptBytes += computed + loaded - (this.kept.get(holder) ?? 0);
    this.kept.set(holder, computed + loaded);
    this.computing.delete(holder);
    if (computed > 0) this.computing.add(holder);
  }

  /** Whether there is a limit. If not, callers need not count. */
  get isLimited(): boolean {
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

  /**
   * Whether this many more bytes fit. Drops columns that no query uses, and impact lists, if necessary, those that were read least
   * recently first.
   */
  fits(bytes: number): boolean {
    if (!this.isLimited) return true;
    const hasRoom = (): boolean => this.hasRoom(bytes);
    this.held.countNext(COUNTED_WITH_RESERVATION);
    if (hasRoom()) return true;
    this.held.drop(hasRoom);
    this.held.countNext(COUNTED_BEFORE_REFUSAL, hasRoom);
    this.held.drop(hasRoom);
    return hasRoom();
  }

  private hasRoom(bytes: number): boolean {
    return this.held.total() + this.reserved + bytes <= this.most;
  }

  /** The number of undeclared columns that a segment may keep. */
  columnsToKeep(): number {
    return !this.isLimited || this.hasRoom(0) ? KEPT_COLUMNS : 0;
  }

  /** `others`: what other calls reserve. */
  private full(bytes: number, others: number): SearchError {
    const msg = `The call would take about ${bytes} bytes beside the ${this.held.total()} that the indexes take and the ${others} of other calls and previews under way, together more than limits.maxMemory (${this.most}); delete records or indexes, raise the limit, or call again when the others have ended.`;
    return new SearchError(507, "memory_limit", msg, { param: "records" });
  }
}

/** The bytes that reads keep of an index: what queries computed, and what they read of a data folder. */
interface KeptBytes {
  readonly computed: number;
  readonly loaded: number;
}

function keptOf({ data }: DataHolder): KeptBytes {
  let [computed, loaded] = [0, 0];
  for (const { segment } of data.snapshot.segments) {
    computed += computedBytes(segment);
    if (isInFile(segment)) loaded += postingsBytes(segment.postings) + tableBytes(segment.records);
  }
  return { computed, loaded };
}

/**
 * The memory that a write reserves before it is published: that of its built segments and names, and the JSON of its other records.
 */
export class MemoryReservation {
  private readonly budget: MemoryBudget;
  private readonly holder: DataHolder;
  private reserved = 0;
  private built = 0;
  private unbuilt = 0;

  constructor(budget: MemoryBudget, holder: DataHolder) {
    this.budget = budget;
    this.holder = holder;
  }

  /** Reserves the JSON of all records, the least that they will take. So a batch that cannot fit is refused before it is built. */
  *begin(groups: readonly (readonly WrittenEntry[])[]): Task<void> {
    if (!this.budget.isLimited) return;
    // Its segments may have been read from a data folder since it was counted.
    this.budget.changed(this.holder);
    for (const group of groups) {
      this.unbuilt += jsonLength(group);
      yield;
    }
    this.update();
  }

  /** Reserves the memory of the segment that was built from a group, in place of its JSON. */
  add(segment: Segment, group: readonly WrittenEntry[]): void {
    // Also without a limit: so the first call that asks for the memory of many indexes need not count their arrays.
    const bytes = segmentBytes(segment);
    if (!this.budget.isLimited) return;
    this.built += bytes;
    this.unbuilt -= jsonLength(group);
    this.update();
  }

  /** Reserves so many bytes more. */
  grow(bytes: number): void {
    if (!this.budget.isLimited) return;
    this.built += bytes;
    this.update();
  }

  /** Ends the reservation: the batch is published or abandoned. */
  end(): void {
    this.budget.release(this.reserved);
    this.reserved = 0;
  }

  private update(): void {
    const bytes = this.built + this.unbuilt;
    this.budget.reserve(this.reserved, bytes);
    this.reserved = bytes;
  }
}

function jsonLength(entries: readonly WrittenEntry[]): number {
  return entries.reduce((total, { json }) => total + json.length, 0);
}
