// The state behind all handles of one index: its writer, with the current data and the queue of writes, and whether it exists.

import { type CallOptions, type CheckedOptions, readOptions } from "../index/call-options.js";
import type { IndexData } from "../index/index-data.js";
import { shareTurn } from "../index/write-scheduler.js";
import { IndexWriter, type IndexWriterContext } from "../index/writer.js";
import type { ParamsContext } from "../search/check-params.js";
import type { QueryContext } from "../search/search.js";
import type { ResolvedSettings } from "../settings/settings.js";
import { firstOf, releaseSignal } from "../util/abort.js";
import type { SearchError } from "../util/errors.js";
import { notFound } from "./name-rules.js";

/** What an engine passes to each of its indexes. */
export interface IndexContext extends IndexWriterContext {
  readonly name: string;
}

/** One index, shared by its handles; the verbs are those of `SearchIndex`. */
export class LiveIndex {
  readonly name: string;
  readonly context: IndexContext;
  readonly writer: IndexWriter;
  /** The copies and moves into this index that are under way. */
  arrivals = 0;
  private pending = false;

  constructor(context: IndexContext) {
    this.name = context.name;
    this.context = context;
    this.writer = new IndexWriter(context);
    context.memory.add(this.writer);
  }

  get data(): IndexData {
    return this.writer.data;
  }

  get settings(): ResolvedSettings {
    return this.data.settings;
  }

  /** The number of live records. */
  get recordCount(): number {
    return this.data.snapshot.liveCount;
  }

  /** False while the index is a sibling into which no records were swapped yet. */
  get isThere(): boolean {
    return !this.pending;
  }

  /** Throws when the index has ended or is pending. Only reads call it: writes may be queued while the index is pending. */
  check(): void {
    this.writer.scheduler.check();
    if (this.pending) throw notFound(this.name);
  }

  /** Runs a call with its options, checked. Throws when the index has ended. */
  async call<T>(options: unknown, work: (checked: CheckedOptions) => Promise<T>): Promise<T> {
    this.writer.scheduler.check();
    const checked = readOptions(options);
    try {
      return await work(checked);
    } finally {
      releaseSignal(checked.signal);
    }
  }

  /** Runs a call that writes. Throws 409 when the index needs a function that the engine was not given. */
  async write<T>(options: unknown, work: (checked: CheckedOptions) => Promise<T>): Promise<T> {
    return this.call(options, async (checked) => {
      this.checkFunctions();
      return work(checked);
    });
  }

  private checkFunctions(): void {
    const { missing } = this.settings;
    if (missing !== undefined) throw missing;
  }

  paramsContext(): ParamsContext {
    const { limits, strict, warn } = this.context;
    return { limits, strict, warn, dimensions: this.data.settings.effective.dimensions };
  }

  /** Runs a query with its context. Throws when the index has ended or is pending, and when it needs a function that is missing. */
  async query<T>(options: CallOptions, work: (context: QueryContext) => Promise<T>): Promise<T> {
    const started = performance.now();
    this.check();
    this.checkFunctions();
    return this.call(options, ({ signal }) => {
      const { limits, warn, memory } = this.context;
      const version = (): ReturnType<IndexData["version"]> => this.data.version();
      const whileThere: QueryContext["whileThere"] = (wait) => this.whileThere(signal, wait);
      return work({ name: this.name, limits, signal, warn, memory, version, whileThere, started });
    });
  }

  /** Waits for code of the caller's: until it answers, the signal aborts, or the index ends, which throws the reason. */
  async whileThere<T>(signal: AbortSignal | undefined, wait: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const { scheduler } = this.writer;
    const { signal: stop, end } = firstOf(signal === undefined ? [scheduler.stop] : [signal, scheduler.stop]);
    try {
      return await wait(stop);
    } catch (error) {
      if (stop.aborted) scheduler.check();
      throw error;
    } finally {
      end();
    }
  }

  /** An empty index of another name with the same settings. It is pending, and not visible, until records are swapped in. */
  sibling(name: string): LiveIndex {
    const { settings, given } = this.data;
    const sibling = new LiveIndex({ ...this.context, name, settings, given });
    sibling.pending = true;
    return sibling;
  }

  /**
   * Replaces settings and records of `target` with those of this index. It joins the write queues of both at once, so that
   * calls take effect in their order and cannot deadlock. With `leave`, this index then ends with the reason that `leave` returns,
   * and waiting writes throw it. The signal aborts it while it waits for its turn.
   */
  async swapInto(target: LiveIndex, leave?: () => SearchError, signal?: AbortSignal): Promise<void> {
    const swap = async (): Promise<void> => {
      target.writer.copyFrom(this.writer);
      target.pending = false;
      if (leave !== undefined) this.writer.scheduler.end(leave());
    };
    await shareTurn(this.writer.scheduler, target.writer.scheduler, swap, signal);
  }

  /** Resolves when no write, no merge and no growth of the graph is under way. */
  async whenIdle(): Promise<void> {
    await this.writer.scheduler.idle();
    await this.data.graph.idle();
  }

  /** Ends the index: running calls are aborted, later ones throw `reason`. */
  async end(reason: SearchError): Promise<void> {
    this.writer.scheduler.end(reason);
    await this.whenIdle();
    this.data.graph.dispose();
    this.context.memory.remove(this.writer);
  }
}
