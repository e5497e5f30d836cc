// Limits the memory that all indexes of an engine take together. Writers claim memory before they build, and fail with nothing
// changed when it does not fit. What can be rebuilt, columns and impact lists, is dropped first.

import { SearchError } from "../util/errors.js";
import type { Task } from "../util/tasks.js";
import { dropColumns, KEPT_COLUMNS } from "./column-store.js";
import { estimateMemory } from "./estimate-memory.js";
import type { IndexData } from "./index-data.js";
import type { WrittenEntry } from "./record-table.js";
import type { Segment } from "./segment.js";

/** An object whose `data` is the current data of an index. */
export interface DataHolder {
  readonly data: Pick<IndexData, "snapshot" | "graph" | "written">;
}

/** The memory budget of an engine. */
export class MemoryBudget {
  private readonly most: number;
  private readonly holders = new Set<DataHolder>();
  private claimed = 0;

  /** `most` bytes; `Number.MAX_SAFE_INTEGER`: no limit, and nothing is counted. */
  constructor(most: number) {
    this.most = most;
  }

  add(holder: DataHolder): void {
    this.holders.add(holder);
  }

  remove(holder: DataHolder): void {
    this.holders.delete(holder);
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
    for (const segment of this.segments()) {
      dropColumns(segment, 0);
      segment.caches.text.impacts.clear();
    }
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
