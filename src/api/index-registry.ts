// The named indexes of an engine.

import { aborted, firstOf } from "../util/abort.js";
import { engineClosed } from "../util/errors.js";
import { pauseIfLong } from "../util/tasks.js";
import type { LiveIndex } from "./live-index.js";
import { notFound } from "./name-rules.js";

/** While a data folder is closed, reads and embedders that run may go on for so many milliseconds. */
const PATIENCE_MS = 500;

/** Indexes by name, until the engine is closed. */
export class IndexRegistry {
  /** A Map, because an object has inherited names. */
  private readonly indexes = new Map<string, LiveIndex>();
  private closing: Promise<void> | undefined;
  private readonly ending = new AbortController();
  private readonly ended = new AbortController();
  /** Work that no index knows of. */
  private readonly running = new Set<Promise<unknown>>();
  /** What keeps the indexes; undefined: they are in memory only. */
  private readonly store: { close(): Promise<void> } | undefined;

  constructor(store?: { close(): Promise<void> }) {
    this.store = store;
  }

  /** Aborted, with 503 `closed`, when the engine is closed and waits for nothing any more. */
  get patience(): AbortSignal {
    return this.ended.signal;
  }

  /** The index of this name; throws 404 `index_not_found`, or 503 when the engine is closed. */
  get(name: unknown): LiveIndex {
    this.checkOpen();
    const index = typeof name === "string" ? this.indexes.get(name) : undefined;
    if (index !== undefined) return index;
    throw notFound(name);
  }

  /** The index of this name, if there is one. */
  find(name: string): LiveIndex | undefined {
    return this.indexes.get(name);
  }

  set(name: string, index: LiveIndex): void {
    this.checkOpen();
    this.indexes.set(name, index);
  }

  /** Ends an index. From then on its handles throw 404. */
  async delete(name: string): Promise<void> {
    const index = this.get(name);
    if (index.isKept) await index.deleteKept(() => this.forget(index));
    await this.drop(index);
  }

  /** As {@link delete}, for this index alone: another one may have its name by now. */
  async drop(index: LiveIndex): Promise<void> {
    this.forget(index);
    await index.end(notFound(index.name));
  }

  /** Frees the name of an index, unless another index has it by now. */
  forget(index: LiveIndex): void {
    if (this.indexes.get(index.name) === index) this.indexes.delete(index.name);
  }

  /** All indexes, also those that are still to be made. */
  known(): LiveIndex[] {
    return [...this.indexes.values()];
  }

  /** All indexes, sorted by name. */
  all(): LiveIndex[] {
    this.checkOpen();
    return [...this.indexes.values()].filter((index) => index.isThere).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Ends all indexes and closes the data folder, which waits for running writes. Closing twice is allowed. */
  async close(): Promise<void> {
    this.closing ??= this.endAll();
    return this.closing;
  }

  /** Throws 503 when the engine is closed. */
  checkOpen(): void {
    if (this.closing !== undefined) throw engineClosed();
  }

  /** Runs work that builds an index which has no name yet. It is aborted by the signal (499), or when the engine is closed (503). */
  async whileOpen<T>(signal: AbortSignal | undefined, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    this.checkOpen();
    const { signal: stop, end } = firstOf(signal === undefined ? [this.ending.signal] : [signal, this.ending.signal]);
    const result = work(stop);
    this.running.add(result);
    try {
      return await result;
    } catch (error) {
      if (!stop.aborted) throw error;
      this.checkOpen();
      throw aborted(stop);
    } finally {
      this.running.delete(result);
      end();
    }
  }

  private async endAll(): Promise<void> {
    const reason = engineClosed();
    this.ending.abort();
    const indexes = [...this.indexes.values()];
    // All at once, so that no handle takes a call while the engine is being closed.
    for (const index of indexes) index.refuse(reason);
    try {
      if (this.store !== undefined) await this.finishAll(indexes);
      this.ended.abort(reason);
      const ends: Promise<void>[] = [];
      for (const index of indexes) {
        ends.push(index.end(reason));
        await pauseIfLong();
      }
      await Promise.allSettled([...ends, ...this.running]);
    } finally {
      this.indexes.clear();
      await this.store?.close();
    }
  }

  /** Waits until what runs is done, and for embedders and reads not too long. */
  private async finishAll(indexes: readonly LiveIndex[]): Promise<void> {
    let giveUp = (): void => {};
    const late = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const timer = setTimeout(() => {
      this.ended.abort(engineClosed());
      giveUp();
    }, PATIENCE_MS);
    try {
      const writes: Promise<void>[] = [];
      for (const index of indexes) {
        if (index.isIdle) continue;
        writes.push(index.finish());
        await pauseIfLong();
      }
      await Promise.allSettled(writes);
      await Promise.race([late, Promise.all(indexes.map((index) => index.whenRead()))]);
    } finally {
      clearTimeout(timer);
    }
  }
}
