// Schedules the writes of one index: they run one after the other, in the order of the calls. A waiting write can be aborted;
// all of them are aborted when the index ends. A background task runs after each write, in the same queue.

import { firstOf, throwIfAborted, untilAborted } from "../util/abort.js";
import type { SearchError } from "../util/errors.js";

/**
 * Runs a task during a turn in both queues. It joins both at once, because two such tasks could deadlock otherwise. The signal
 * aborts it while it waits.
 */
export async function shareTurn(
  first: WriteScheduler,
  second: WriteScheduler,
  task: () => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let begin = (): void => {};
  let giveUp = (_reason: unknown): void => {};
  const begun = new Promise<void>((resolve, reject) => {
    begin = resolve;
    giveUp = reject;
  });
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = first.write(undefined, undefined, async () => {
    begin();
    await ended;
  });
  held.catch(giveUp);
  try {
    await second.write(begun, signal, task);
  } finally {
    end();
    // The task may have ended the index.
    await held.catch(() => {});
  }
}

/** Runs the writes of one index one after the other. */
export class WriteScheduler {
  private readonly queue = new WriteQueue();
  private readonly ending = new AbortController();
  private readonly afterWrite: () => Promise<void>;
  private readonly beforeWrite: () => Promise<void> | undefined;
  /** Why the index has ended; undefined: it has not. */
  private reason: SearchError | undefined;
  /** Why no more writes are taken; undefined: they are. */
  private refusal: SearchError | undefined;

  /**
   * `afterWrite` runs after each write, in the same queue. It must not change any answer. `beforeWrite` gives what each write waits for
   * in its turn; undefined: nothing.
   */
  constructor(afterWrite: () => Promise<void>, beforeWrite: () => Promise<void> | undefined = () => undefined) {
    this.afterWrite = afterWrite;
    this.beforeWrite = beforeWrite;
  }

  /** Aborted when the index ends. */
  get stop(): AbortSignal {
    return this.ending.signal;
  }

  /**
   * Runs a write in its turn, with the batch that was read before. The caller's signal or the end of the index aborts it:
   * at once while it waits, at its next pause while it runs.
   */
  async write<T, B>(
    reading: Promise<B> | B,
    signal: AbortSignal | undefined,
    task: (batch: B, stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (reading instanceof Promise) reading.catch(() => {}); // the write handles a rejection in its turn
    if (this.refusal !== undefined) throw this.refusal;
    const { signal: stop, end } = firstOf(signal === undefined ? [this.stop] : [signal, this.stop]);
    let begun = false;
    const turn = this.queue.run(async () => {
      begun = true;
      const batch = await reading;
      const before = this.beforeWrite();
      if (before !== undefined) await before;
      this.check();
      throwIfAborted(stop);
      return task(batch, stop);
    });
    try {
      return await untilAborted(turn, stop, () => !begun);
    } catch (error) {
      this.check();
      throw error;
    } finally {
      end();
      void this.queue.run(async () => (this.refusal === undefined ? this.afterWrite() : undefined)).catch(() => {});
    }
  }

  /** Refuses later writes; those that run or wait go on. Merging stops. */
  refuse(reason: SearchError): void {
    this.refusal ??= reason;
  }

  /** Resolves when all writes that were called before are done. */
  async settled(): Promise<void> {
    await this.inTurn(async () => {});
  }

  /** Runs what is not a write of records in its turn. */
  async inTurn(task: () => Promise<void>): Promise<void> {
    await this.queue.run(async () => {
      this.check();
      await task();
    });
  }

  /** Throws the reason when the index has ended. */
  check(): void {
    if (this.reason !== undefined) throw this.reason;
  }

  /** Ends the index: aborts waiting and running writes; later ones throw `reason`. */
  end(reason: SearchError): void {
    this.reason ??= reason;
    this.ending.abort();
  }

  /** Resolves when no write is waiting or running. */
  async idle(): Promise<void> {
    return this.queue.idle();
  }
}

/** A queue of asynchronous tasks: each begins when the one before has ended, whether it succeeded or failed. */
export class WriteQueue {
  private tail: Promise<unknown> = Promise.resolve();

  /** Runs the task after all earlier ones; its result and its failure go to the caller alone. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task);
    this.tail = result.catch(() => {});
    return result;
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    for (let seen: unknown; seen !== this.tail; ) {
      seen = this.tail;
      await this.tail;
    }
  }
}
