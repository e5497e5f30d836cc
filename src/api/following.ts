// How an engine follows what others write to a common store, a data folder or a cluster: when it looks, and how long a call waits.

import type { CheckedRefreshOptions } from "../input/call-options.js";
import { engineClosed, SearchError } from "../util/errors.js";
import { storageWarning, type Warn } from "../util/extension-points.js";
import { firstOf, throwIfAborted, untilAborted } from "../util/tasks.js";

/** What is followed. */
export interface Followed {
  /** For people: `"data folder"` or `"cluster"`. */
  readonly what: string;
  /** Shows what has changed, as it is at the time of the call or later. */
  look(): Promise<void>;
  /** Whether a position is shown. Throws 400 if it never will. */
  hasReached(position: string): boolean;
  /** Calls back when something changes, where that is told; returns what ends that. */
  watch?(changed: () => void): () => void;
}

/** While a call waits for a position, it looks each time so many milliseconds have passed. */
const WAITING_MS = 20;
/** After a notice of the file system, others may follow at once. */
const NOTICE_MS = 5;

/** Brings an engine to the state of what it follows, when asked and by itself. */
export class Following {
  private readonly followed: Followed;
  private readonly warn: Warn;
  private running: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private unwatch: (() => void) | undefined;
  private lastWarning: string | undefined;
  private readonly over = new AbortController();

  constructor(followed: Followed, warn: Warn) {
    this.followed = followed;
    this.warn = warn;
  }

  /** Follows from now on: looks at least every so many milliseconds, and when a change is told. */
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
    this.unwatch = this.followed.watch?.(() => {
      if (this.running === undefined) plan(NOTICE_MS);
    });
    plan(intervalMs);
  }

  /** Shows what there is at the time of the call or later, and at least `atLeast`. */
  async refresh({ atLeast, timeoutMs, signal }: CheckedRefreshOptions): Promise<void> {
    const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const { signal: stop, end } = firstOf([this.over.signal, signal, late].filter((each) => each !== undefined));
    try {
      for (;;) {
        await untilAborted(this.refreshOnce(), stop);
        if (atLeast === undefined || this.followed.hasReached(atLeast)) return;
        await untilAborted(new Promise((resolve) => setTimeout(resolve, WAITING_MS)), stop);
      }
    } catch (error) {
      if (this.over.signal.aborted) throw engineClosed();
      throwIfAborted(signal);
      if (late?.aborted) {
        const msg = `The ${this.followed.what} did not come to the position of atLeast within ${timeoutMs} ms; is the engine running that writes to it?`;
        throw new SearchError(503, "timeout", msg, { param: "timeoutMs" });
      }
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
      this.running = this.followed.look().finally(() => {
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
    const what = `The ${this.followed.what} could not be read again, so the engine shows what it showed before; it will be tried again.`;
    if (message !== this.lastWarning) this.warn(storageWarning(what, cause as SearchError));
    this.lastWarning = message;
  }
}
