// How much memory the indexes of one engine may take together. Writers ask before they grow and are refused with nothing
// changed; what can be made again gives way first.

import { SearchError } from "../base/errors.js";
import { dropColumns, KEPT_COLUMNS } from "./column-store.js";
import { estimateMemory } from "./estimate-memory.js";
import type { IndexData } from "./index-data.js";
import type { Segment } from "./segment.js";

/** What holds a content: the index's, as it is now. */
export interface DataHolder {
  readonly data: Pick<IndexData, "snapshot" | "graph">;
}

/** Room that one writer claimed and did not fill yet. */
export interface MemoryClaim {
  /** Claims so many bytes in all; throws 507 `memory_limit` when they do not fit. */
  readonly claim: (bytes: number) => void;
  /** Gives the claim back: what was built is published, or given up. */
  readonly end: () => void;
  /** False: nothing is limited, and nobody need count. */
  readonly counts: boolean;
}

/** The budget of an engine. */
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

  /** A claim of nothing, to be enlarged. */
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

  /** True when so many bytes more have room, if need be after dropping columns that no query uses. */
  fits(bytes: number): boolean {
    if (this.most === Number.MAX_SAFE_INTEGER) return true;
    const isOver = (): boolean => this.used() + this.claimed + bytes > this.most;
    if (!isOver()) return true;
    for (const segment of this.segments()) dropColumns(segment, 0);
    return !isOver();
  }

  /** How many columns that were not declared a segment may keep. */
  columnsToKeep(): number {
    return this.most === Number.MAX_SAFE_INTEGER || this.used() + this.claimed <= this.most ? KEPT_COLUMNS : 0;
  }

  /** What all indexes take; what they share is counted once. */
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
    const msg = `About ${this.used() + bytes} bytes would be held, more than limits.maxMemory (${this.most}); delete records or indexes, or raise it.`;
    return new SearchError(507, "memory_limit", msg, { param: "records" });
  }
}
