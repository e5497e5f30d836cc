// The named indexes of an engine.

import { SearchError } from "../util/errors.js";
import type { LiveIndex } from "./live-index.js";
import { notFound } from "./name-rules.js";

/** Indexes by name, until the engine is closed. */
export class IndexRegistry {
  /** A Map, because an object has inherited names. */
  private readonly indexes = new Map<string, LiveIndex>();
  private closing: Promise<void> | undefined;

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
    this.get(name);
    await this.drop(name);
  }

  /** As {@link delete}, but does nothing if there is no such index. */
  async drop(name: string): Promise<void> {
    const index = this.indexes.get(name);
    this.indexes.delete(name);
    await index?.end(notFound(name));
  }

  /** All indexes, sorted by name. */
  all(): LiveIndex[] {
    this.checkOpen();
    return [...this.indexes.values()].filter((index) => index.isThere).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Ends all indexes. Closing twice is allowed. */
  async close(): Promise<void> {
    this.closing ??= this.endAll();
    return this.closing;
  }

  /** Throws 503 when the engine is closed. */
  checkOpen(): void {
    if (this.closing !== undefined) throw closed();
  }

  private async endAll(): Promise<void> {
    await Promise.all([...this.indexes.values()].map((index) => index.end(closed())));
    this.indexes.clear();
  }
}

function closed(): SearchError {
  return new SearchError(503, "closed", "The engine is closed; create a new one.");
}
