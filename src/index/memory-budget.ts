// Limits the memory that all indexes of an engine take together. Writers claim memory before they build, and fail with nothing
// changed when it does not fit. Columns that can be rebuilt are dropped first.

import { SearchError } from "../util/errors.js";
import { dropColumns, KEPT_COLUMNS } from "./column-store.js";
import { estimateMemory } from "./estimate-memory.js";
import type { IndexData } from "./index-data.js";
import type { Segment } from "./segment.js";

/** An object whose `data` is the current data of an index. */
export interface DataHolder {
  readonly data: Pick<IndexData, "snapshot" | "graph">;
}

/** Memory that a write has claimed and not yet published. */
export interface MemoryClaim {
  /** Sets the claim to `bytes` in total; throws 507 `memory_limit` when they do not fit. */
  readonly claim: (bytes: number) => void;
  /** Ends the claim: what was built is published or abandoned. */
  readonly end: () => void;
  /** False when there is no limit, so that callers need not count. */
  readonly counts: boolean;
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

  /** Opens a claim of 0 bytes. */
  open(): MemoryClaim {
    let own = 0;
    return {
      counts: this.most !== Number.MAX_SAFE_INTEGER,
      claim: (bytes) => {
        if (!this.fits(bytes - own)) throw this.full(bytes);
        this.claimed += bytes - own;
        own = bytes;
      },
      end: () => {
        this.claimed -= own;
        own = 0;
      },
    };
  }

  /** Whether this many more bytes fit; drops columns that no query uses if necessary. */
  fits(bytes: number): boolean {
    if (this.most === Number.MAX_SAFE_INTEGER) return true;
    const isOver = (): boolean => this.used() + this.claimed + bytes > this.most;
    if (!isOver()) return true;
    for (const segment of this.segments()) dropColumns(segment, 0);
    return !isOver();
  }

  /** The number of undeclared columns that a segment may keep. */
  columnsToKeep(): number {
    return this.most === Number.MAX_SAFE_INTEGER || this.used() + this.claimed <= this.most ? KEPT_COLUMNS : 0;
  }

  /** The bytes of all indexes; shared segments count once. */
  private used(): number {
    let total = estimateMemory({ segments: this.segments(), graphBytes: 0 }).total;
    for (const { data } of this.holders) total += data.graph.bytes;
    return total;
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
