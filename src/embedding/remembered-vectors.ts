// The vectors that are remembered for each embedder, by text, so that a network is not asked twice: those of the last queries, and
// those that a write got before it failed. Both have bounds. No answer depends on them.

import type { Embedder } from "../util/extension-points.js";
import { keptIn } from "../util/kept.js";
import type { UnitVector } from "../vectors/unit-vector.js";

const MOST_QUERIES = 1000;
const MOST_BYTES = 64 * 1024 * 1024;
const WAIT_MS = 10 * 60_000;
/** Longer keys are not remembered. */
const LONGEST_KEY = 1_000_000;
/** What an entry takes besides its text and its components, estimated. */
const ENTRY_BYTES = 200;

/** What embeds records: a write, or all writes of an import. The vectors it got wait until it has succeeded. */
export class EmbeddingJob {
  private readonly stores = new Set<RememberedVectors>();

  /** Notes where vectors of the job wait. */
  waitsIn(store: RememberedVectors): void {
    this.stores.add(store);
  }

  /** The job has succeeded: its vectors need not wait any more. */
  end(): void {
    for (const store of this.stores) store.forget(this);
    this.stores.clear();
  }
}

interface Entry {
  readonly vector: UnitVector | null;
  readonly bytes: number;
  /** The last job that asked for the text; undefined: the text is of a query. */
  readonly job: EmbeddingJob | undefined;
}

/** Vectors by key. Where there are too many, those that were not used for longest go. */
export class RememberedVectors {
  /** The least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly mostEntries: number;
  private readonly lifeMs: number | undefined;
  private bytes = 0;
  /** `performance.now()` when the last vector came. */
  private lastCame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `lifeMs`: so long after the last vector came, all are forgotten; undefined: never. */
  constructor(mostEntries: number, lifeMs?: number) {
    this.mostEntries = mostEntries;
    this.lifeMs = lifeMs;
  }

  /** The number of vectors. */
  get size(): number {
    return this.entries.size;
  }

  /** The vector of a key, null if it has none; undefined: it is not remembered. From now on it belongs to `job`. */
  get(key: string, job?: EmbeddingJob): UnitVector | null | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, { ...entry, job });
    job?.waitsIn(this);
    return entry.vector;
  }

  set(key: string, vector: UnitVector | null, job?: EmbeddingJob): void {
    if (key.length > LONGEST_KEY) return;
    this.remove(key);
    const bytes = 2 * key.length + (vector?.components.byteLength ?? 0) + ENTRY_BYTES;
    this.entries.set(key, { vector, bytes, job });
    this.bytes += bytes;
    job?.waitsIn(this);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.mostEntries && this.bytes <= MOST_BYTES) break;
      this.remove(oldest);
    }
    this.lastCame = performance.now();
    if (this.lifeMs !== undefined && this.timer === undefined) this.forgetAfter(this.lifeMs);
  }

  /** Forgets everything after so many milliseconds, unless a vector comes meanwhile. */
  private forgetAfter(ms: number): void {
    this.timer = setTimeout(() => {
      const left = this.lastCame + this.lifeMs! - performance.now();
      if (left > 0) this.forgetAfter(left);
      else this.clear();
    }, ms);
    // It must not keep the process alive.
    this.timer.unref?.();
  }

  /** Forgets the vectors of a job. */
  forget(job: EmbeddingJob): void {
    for (const [key, entry] of this.entries) if (entry.job === job) this.remove(key);
    if (this.entries.size === 0) this.clear();
  }

  private remove(key: string): void {
    this.bytes -= this.entries.get(key)?.bytes ?? 0;
    this.entries.delete(key);
  }

  private clear(): void {
    this.entries.clear();
    this.bytes = 0;
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

type EmbedderMemory = Readonly<Record<"queries" | "waiting", RememberedVectors>>;

const memories = new WeakMap<Embedder, EmbedderMemory>();

/**
 * What is remembered for an embedder, by all engines of the process: the vectors of queries, by their text or their parts as JSON, and
 * those of records that no index has yet, by their text.
 */
export function memoryOf(embedder: Embedder): EmbedderMemory {
  return keptIn(memories, embedder, () => ({
    queries: new RememberedVectors(MOST_QUERIES),
    waiting: new RememberedVectors(Number.POSITIVE_INFINITY, WAIT_MS),
  }));
}
