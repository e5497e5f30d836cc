// How a reader follows the engine that writes to its data folder: when it looks, and how all changed indexes are shown at once.

import type { CheckedRefreshOptions } from "../input/call-options.js";
import type { IndexRemoval, Store, StoredIndex } from "../storage/store.js";
import { firstOf, throwIfAborted, untilAborted } from "../util/abort.js";
import { engineClosed, SearchError } from "../util/errors.js";
import { storageWarning, type Warn } from "../util/extension-points.js";

/** Prepares changed indexes; the function that it returns shows all of them, at once. */
type Prepare = (changes: readonly (StoredIndex | IndexRemoval)[]) => Promise<() => void>;

/** While a call waits for a position, the folder is looked at this often. */
const WAITING_MS = 20;
/** After a notice of the file system, others may follow at once. */
const NOTICE_MS = 5;
const NOT_FOLLOWED =
  "The data folder could not be read again, so the engine shows what it showed before; it will be tried again.";

/** Brings a reader to the state of its folder, when asked and by itself. */
export class Following {
  private readonly store: Store;
  private readonly prepare: Prepare;
  private readonly warn: Warn;
  private running: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private unwatch: (() => void) | undefined;
  private lastWarning: string | undefined;
  private readonly over = new AbortController();

  constructor(store: Store, warn: Warn, prepare: Prepare) {
    this.store = store;
    this.warn = warn;
    this.prepare = prepare;
  }

  /** Follows from now on: looks at least every so many milliseconds, and when the file system tells of a change. */
  start(intervalMs: number): void {
    const look = (): void => {
      this.refreshOnce()
        .then(
          () => {
            this.lastWarning = undefined;
          },
          (error: unknown) => this.warnOnce(error),
        )
        .finally(() => plan(intervalMs));
    };
    const plan = (ms: number): void => {
      clearTimeout(this.timer);
      if (this.over.signal.aborted) return;
      this.timer = setTimeout(look, ms);
      this.timer.unref?.();
    };
    this.unwatch = this.store.watch(() => {
      if (this.running === undefined) plan(NOTICE_MS);
    });
    plan(intervalMs);
  }

  /** Shows what the folder has at the time of the call or later, and at least `atLeast`. */
  async refresh({ atLeast, timeoutMs, signal }: CheckedRefreshOptions): Promise<void> {
    const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const { signal: stop, end } = firstOf([this.over.signal, signal, late].filter((each) => each !== undefined));
    try {
      for (;;) {
        await untilAborted(this.refreshOnce(), stop);
        if (atLeast === undefined || this.store.hasReached(atLeast)) return;
        await untilAborted(new Promise((resolve) => setTimeout(resolve, WAITING_MS)), stop);
      }
    } catch (error) {
      if (this.over.signal.aborted) throw engineClosed();
      throwIfAborted(signal);
      if (late?.aborted) throw tooLate(timeoutMs!);
      throw error;
    } finally {
      end();
    }
  }

  /** Ends all calls that wait: 503 `closed`. A look that is under way ends by itself. */
  stop(): void {
    this.over.abort();
    clearTimeout(this.timer);
    this.unwatch?.();
  }

  /** Looks once, from the call on. Calls that wait for their turn share a look. */
  private refreshOnce(): Promise<void> {
    const look = (): Promise<void> => {
      this.waiting = undefined;
      this.running = this.store
        .refresh(async (changes) => {
          const show = await this.prepare(changes);
          show();
        })
        .finally(() => {
          this.running = undefined;
        });
      return this.running;
    };
    if (this.running === undefined) return look();
    this.waiting ??= this.running.then(look, look);
    return this.waiting;
  }

  /** Of failures that are alike, one after the other, only the first is told. */
  private warnOnce(cause: unknown): void {
    if (this.over.signal.aborted) return;
    const { message } = cause as Error;
    if (message !== this.lastWarning) this.warn(storageWarning(NOT_FOLLOWED, cause as SearchError));
    this.lastWarning = message;
  }
}

function tooLate(timeoutMs: number): SearchError {
  const msg = `The data folder did not come to the position of atLeast within ${timeoutMs} ms; is the engine running that writes to it?`;
  return new SearchError(503, "timeout", msg, { param: "timeoutMs" });
}
