// Limits the memory that all indexes of an engine take together. Writers claim memory before they build, and fail with nothing
// changed when it does not fit. What can be rebuilt, columns and impact lists, is dropped first. Reads keep no more of it than
// `cacheBytes`: that of the index that was read least recently is dropped first.

import { postingsBytes } from "../inverted/postings.js";
import { SearchError } from "../util/errors.js";
import type { Task } from "../util/tasks.js";
import { dropColumns, droppableBytes, KEPT_COLUMNS } from "./column-store.js";
import { estimateMemory } from "./estimate-memory.js";
import type { IndexData } from "./index-data.js";
import { tableBytes, type WrittenEntry } from "./record-table.js";
import { isInFile, type Segment } from "./segment.js";

/** An object whose `data` is the current data of an index. */
export interface DataHolder {
  readonly data: Pick<IndexData, "snapshot" | "graph" | "written">;
}

/** The default of `cacheBytes`. */
export const DEFAULT_CACHE_BYTES = 256_000_000;
/** What was read of a data folder counts, but leaves this share of `cacheBytes` to what queries compute. */
const COMPUTED_SHARE = 1 / 4;

/** The memory budget of an engine. */
export class MemoryBudget {
  private readonly most: number;
  private readonly cacheBytes: number;
  private readonly holders = new Set<DataHolder>();
  /** What reads keep of each index, in bytes; the one that was read last comes last. */
  private readonly kept = new Map<DataHolder, number>();
  private keptBytes = 0;
  private claimed = 0;

  /** `most` bytes; `Number.MAX_SAFE_INTEGER`: no limit, and nothing is counted. `cacheBytes`: how many of them reads may keep. */
  constructor(most: number, cacheBytes: number = DEFAULT_CACHE_BYTES) {
    this.most = most;
    this.cacheBytes = cacheBytes;
  }

  add(holder: DataHolder): void {
    this.holders.add(holder);
  }

  remove(holder: DataHolder): void {
    this.holders.delete(holder);
    this.note(holder, 0);
    this.kept.delete(holder);
  }

  /** After a read of an index: drops what reads keep beyond `cacheBytes`, that of other indexes first. */
  wasRead(holder: DataHolder): void {
    if (!this.holders.has(holder)) return;
    const { computed, loaded } = keptOf(holder);
    this.note(holder, computed + loaded);
    for (const other of this.kept.keys()) {
      if (other === holder || this.keptBytes <= this.cacheBytes) break;
      for (const { segment } of other.data.snapshot.segments) dropComputed(segment);
      this.kept.set(other, this.noted(other, keptOf(other).loaded));
    }
    const over = this.keptBytes - this.cacheBytes;
    if (over <= 0 || computed === 0) return;
    const left = Math.max(COMPUTED_SHARE * this.cacheBytes, computed - over) / computed;
    if (left >= 1) return;
    for (const { segment } of holder.data.snapshot.segments) {
      const { impacts } = segment.caches.text;
      impacts.shrinkTo(left * impacts.bytes);
      dropColumns(segment, 0);
    }
    const after = keptOf(holder);
    this.note(holder, after.computed + after.loaded);
  }

  /** Remembers what reads keep of an index, which is now the one that was read last. */
  private note(holder: DataHolder, bytes: number): void {
    const noted = this.noted(holder, bytes);
    this.kept.delete(holder);
    this.kept.set(holder, noted);
  }

  private noted(holder: DataHolder, bytes: number): number {
    this.keptBytes += bytes - (this.kept.get(holder) ?? 0);
    return bytes;
  }

  /** Whether there is a limit. If not, callers need not count. */
  get isLimited(): boolean {
    return this.most !== Number.MAX_SAFE_INTEGER;
  }

  /** Changes a claim from `before` to `bytes`. Throws 507 `memory_limit` if they do not fit. */
  claim(before: number, bytes: number): void {
    if (!this.fits(bytes - before)) throw this.full(bytes);
    this.claimed += bytes - before;
  }

  /** Ends a claim of this many bytes. */
  release(bytes: number): void {
    this.claimed -= bytes;
  }

  /** Whether this many more bytes fit; drops columns that no query uses, and impact lists, if necessary. */
  fits(bytes: number): boolean {
    if (!this.isLimited) return true;
    const isOver = (): boolean => this.used() + this.claimed + bytes > this.most;
    if (!isOver()) return true;
    for (const segment of this.segments()) dropComputed(segment);
    return !isOver();
  }

  /** The number of undeclared columns that a segment may keep. */
  columnsToKeep(): number {
    return !this.isLimited || this.used() + this.claimed <= this.most ? KEPT_COLUMNS : 0;
  }

  /** The bytes of all indexes; shared segments count once. */
  private used(): number {
    let [nameBytes, graphBytes] = [0, 0];
    for (const { data } of this.holders) {
      nameBytes += data.written.bytes;
      graphBytes += data.graph.bytes;
    }
    return estimateMemory({ segments: this.segments(), nameBytes, graphBytes }).total;
  }

  private segments(): ReadonlySet<Segment> {
    const segments = new Set<Segment>();
    for (const { data } of this.holders) for (const { segment } of data.snapshot.segments) segments.add(segment);
    return segments;
  }

  private full(bytes: number): SearchError {
    const msg = `The indexes would take about ${this.used() + bytes} bytes, more than limits.maxMemory (${this.most}); delete records or indexes, or raise the limit.`;
    return new SearchError(507, "memory_limit", msg, { param: "records" });
  }
}

/** The bytes that reads keep of an index: what queries computed, and what they read of a data folder. */
function keptOf({ data }: DataHolder): { readonly computed: number; readonly loaded: number } {
  let [computed, loaded] = [0, 0];
  for (const { segment } of data.snapshot.segments) {
    computed += segment.caches.text.impacts.bytes + droppableBytes(segment);
    if (isInFile(segment)) loaded += postingsBytes(segment.postings) + tableBytes(segment.records);
  }
  return { computed, loaded };
}

function dropComputed(segment: Segment): void {
  dropColumns(segment, 0);
  segment.caches.text.impacts.clear();
}

/**
 * The memory that a write claims before it is published: that of its built segments and names, and the JSON of its other records.
 */
export class BatchClaim {
  private readonly budget: MemoryBudget;
  private claimed = 0;
  private built = 0;
  private unbuilt = 0;

  constructor(budget: MemoryBudget) {
    this.budget = budget;
  }

  /** Claims the JSON of all records, the least that they will take. So a batch that cannot fit is refused before it is built. */
  *begin(groups: readonly (readonly WrittenEntry[])[]): Task<void> {
    if (!this.budget.isLimited) return;
    for (const group of groups) {
      this.unbuilt += jsonLength(group);
      yield;
    }
    this.claim();
  }

  /** Claims the memory of the segment that was built from a group, in place of its JSON. */
  add(segment: Segment, group: readonly WrittenEntry[]): void {
    if (!this.budget.isLimited) return;
    this.built += estimateMemory({ segments: [segment], nameBytes: 0, graphBytes: 0 }).total;
    this.unbuilt -= jsonLength(group);
    this.claim();
  }

  /** Claims the names of attributes that the index will remember in addition. */
  addNames(bytes: number): void {
    if (!this.budget.isLimited) return;
    this.built += bytes;
    this.claim();
  }

  /** Ends the claim: the batch is published or abandoned. */
  end(): void {
    this.budget.release(this.claimed);
    this.claimed = 0;
  }

  private claim(): void {
    const bytes = this.built + this.unbuilt;
    this.budget.claim(this.claimed, bytes);
    this.claimed = bytes;
  }
}

function jsonLength(entries: readonly WrittenEntry[]): number {
  return entries.reduce((total, { json }) => total + json.length, 0);
}
