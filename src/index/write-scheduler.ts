// Schedules the writes of one index: they run one after the other, in the order of the calls; some that wait are written as a group, in one turn. A
// waiting write can be aborted; all of them are aborted when the index ends. A background task runs after each turn, in the same queue.
// A replacement of all records runs beside the turns of records; all other turns wait for it.

import { aborted, firstOf, throwIfAborted, untilAborted } from "../util/abort.js";
import type { SearchError } from "../util/errors.js";
import { runTask, type Task } from "../util/tasks.js";

/**
 * Runs a task that replaces the content of the second index, during a turn in both queues. The task joins both queues at once,
 * because two such tasks could deadlock otherwise. The signal aborts it while it waits.
 */
export async function inTurnOfBoth(
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
  const held = first.replace(undefined, undefined, async () => {
    begin();
    await ended;
  });
  held.catch(giveUp);
  try {
    await second.replace(begun, signal, task);
  } finally {
    end();
    // The task may have ended the index.
    await held.catch(() => {});
  }
}

/** The reason with which all signals of ended indexes abort: that of `abort()`, but made once for thousands of indexes. */
const ENDED = new DOMException("This operation was aborted", "AbortError");

/** What turns wait for when they begin; undefined: nothing. */
export interface BeforeTurns {
  readonly write?: () => Promise<void> | undefined;
  readonly others?: () => Promise<void> | undefined;
}

/** Runs the writes of one index one after the other. */
export class WriteScheduler {
  private readonly queue = new WriteQueue();
  /** Made when it is first asked for: most of many indexes are never used. */
  private ending: AbortController | undefined;
  private readonly afterWrite: () => Promise<void>;
  private readonly before: BeforeTurns;
  /** Work that runs beside the turns. */
  private readonly aside = new Set<Promise<void>>();
  /** Why the index has ended; undefined: it has not. */
  private reason: SearchError | undefined;
  /** Why no more writes are taken; undefined: they are. */
  private closing: SearchError | undefined;
  private turns = 0;
  private endedTurns = 0;

  /** `afterWrite` runs after each write, in the same queue. It must not change any answer. */
  constructor(afterWrite: () => Promise<void>, before: BeforeTurns = {}) {
    this.afterWrite = afterWrite;
    this.before = before;
  }

  /** Aborted when the index ends. */
  get stop(): AbortSignal {
    if (this.ending === undefined) {
      this.ending = new AbortController();
      if (this.reason !== undefined) this.ending.abort(ENDED);
    }
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
    return this.take(reading, signal, task, this.before.write);
  }

  /** As {@link write}, for a task that waits for a replacement under way, and not until the content of the index is loaded. */
  async replace<T, B>(
    reading: Promise<B> | B,
    signal: AbortSignal | undefined,
    task: (batch: B, stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.take(reading, signal, task, this.before.others);
  }

  private async take<T, B>(
    reading: Promise<B> | B,
    signal: AbortSignal | undefined,
    task: (batch: B, stop: AbortSignal) => Promise<T>,
    before: (() => Promise<void> | undefined) | undefined,
  ): Promise<T> {
    if (reading instanceof Promise) reading.catch(() => {}); // the write handles a rejection in its turn
    this.checkOpen();
    const { signal: stop, end } = firstOf(signal === undefined ? [this.stop] : [signal, this.stop]);
    let begun = false;
    const turn = this.turn(async () => {
      const batch = await reading;
      const ready = before?.();
      if (ready !== undefined) await ready;
      this.check();
      throwIfAborted(stop);
      begun = true;
      return task(batch, stop);
    });
    try {
      return await untilAborted(turn, stop, () => !begun);
    } catch (error) {
      this.check();
      throw error;
    } finally {
      end();
      this.tidy();
    }
  }

  private turn<T>(work: () => Promise<T>): Promise<T> {
    this.turns++;
    return this.queue.run(work).finally(() => {
      this.endedTurns++;
    });
  }

  /** Runs the background task in its turn. */
  tidy(): void {
    void this.queue.run(this.afterWrite).catch(() => {});
  }

  /** No turn waits or runs. */
  get isIdle(): boolean {
    return this.turns === this.endedTurns;
  }

  /** No more writes are taken. */
  get isClosing(): boolean {
    return this.closing !== undefined;
  }

  /** How many turns were asked for. */
  get turnCount(): number {
    return this.turns;
  }

  /** Throws when no more writes are taken. */
  checkOpen(): void {
    if (this.closing !== undefined) throw this.closing;
  }

  /** Refuses later writes; those that run or wait go on. */
  refuse(reason: SearchError): void {
    this.closing ??= reason;
  }

  /** Resolves when all writes that were called before are done. */
  async settled(): Promise<void> {
    // Also when the index has ended meanwhile: nothing is asked of it.
    await this.queue.run(async () => {});
  }

  /** Runs what is not a write of records in its turn. */
  async inTurn(task: () => Promise<void>): Promise<void> {
    await this.turn(async () => {
      await this.before.others?.();
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
    this.ending?.abort(ENDED);
  }

  /** Runs a step between two writes, even after the index has ended. */
  async betweenTurns<T>(task: () => T | Promise<T>): Promise<T> {
    return this.queue.run(async () => task());
  }

  /** Runs work beside the turns. It must not fail. */
  runAside(work: () => Promise<void>): void {
    const running = work().finally(() => this.aside.delete(running));
    this.aside.add(running);
  }

  /** Resolves when no write is waiting or running, and nothing beside them. */
  async idle(): Promise<void> {
    await this.queue.idle();
    while (this.aside.size > 0) {
      await Promise.all(this.aside);
      await this.queue.idle();
    }
  }
}

/** How the writes of a group are written with one commit, as databases do (group commit). */
export interface GroupCommit<B, T> {
  /** How many of some batches can be written together, from the first on; at least 1. */
  readonly countTogether: (batches: readonly B[]) => Task<number>;
  /** Writes batches together, and returns the result of each. If it fails, nothing has changed. */
  readonly write: (batches: readonly B[], stop: AbortSignal) => Promise<readonly T[]>;
  /** Whether batches that failed together may be written one by one, because one of them may be to blame. */
  readonly mayRepeat: (error: unknown) => boolean;
}

/** Groups writes of one index that wait one behind the other, with no other write between them. A group takes one turn. */
export class WriteGroups<B, T> {
  private readonly scheduler: WriteScheduler;
  private readonly commit: GroupCommit<B, T>;
  /** A group whose turn has not begun, so that others may join it, and the number of its turn. */
  private open: { readonly group: WriteGroup<B, T>; readonly number: number } | undefined;

  constructor(scheduler: WriteScheduler, commit: GroupCommit<B, T>) {
    this.scheduler = scheduler;
    this.commit = commit;
  }

  /** As {@link WriteScheduler.write}. A call that fails or is aborted does not concern the others of its group. */
  async write(reading: Promise<B>, signal: AbortSignal | undefined): Promise<T> {
    reading.catch(() => {}); // the group handles a rejection
    this.scheduler.checkOpen();
    const { stop: ending } = this.scheduler;
    const { signal: stop, end } = firstOf(signal === undefined ? [ending] : [signal, ending]);
    const call = new GroupedWrite<B, T>(reading, stop);
    this.join(call);
    try {
      return await untilAborted(call.outcome, stop, () => !call.hasBegun);
    } catch (error) {
      this.scheduler.check();
      throw error;
    } finally {
      end();
    }
  }

  private join(call: GroupedWrite<B, T>): void {
    if (this.open?.number === this.scheduler.turnCount) {
      this.open.group.calls.push(call);
      return;
    }
    const group = new WriteGroup(this.commit, call);
    // A group that has begun is not kept: it holds the records of its calls.
    const close = (): void => {
      if (this.open?.group === group) this.open = undefined;
    };
    const run = (): Promise<void> => {
      close();
      return group.run();
    };
    const refuse = (error: unknown): void => {
      close();
      group.refuse(error);
    };
    this.scheduler.write(undefined, undefined, run).catch(refuse);
    this.open = { group, number: this.scheduler.turnCount };
  }
}

/** One of the calls of a group. */
class GroupedWrite<B, T> {
  readonly reading: Promise<B>;
  readonly stop: AbortSignal;
  readonly outcome: Promise<T>;
  /** It is being written. */
  hasBegun = false;
  /** What was read; undefined: nothing yet, or reading failed. */
  batch: { readonly value: B } | undefined;
  private deferred: { readonly resolve: (result: T) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(reading: Promise<B>, stop: AbortSignal) {
    this.reading = reading;
    this.stop = stop;
    this.outcome = new Promise((resolve, reject) => {
      this.deferred = { resolve, reject };
    });
    reading.then(
      (value) => {
        this.batch = { value };
      },
      () => {},
    );
  }

  resolve(result: T): void {
    this.deferred?.resolve(result);
  }

  reject(error: unknown): void {
    this.deferred?.reject(error);
  }
}

/** Several calls that take one turn, each of which gets its own result or error. */
class WriteGroup<B, T> {
  readonly calls: GroupedWrite<B, T>[];
  private readonly commit: GroupCommit<B, T>;

  constructor(commit: GroupCommit<B, T>, first: GroupedWrite<B, T>) {
    this.commit = commit;
    this.calls = [first];
  }

  /** Rejects all calls: their turn never comes. */
  refuse(error: unknown): void {
    for (const call of this.calls) call.reject(error);
  }

  async run(): Promise<void> {
    for (let rest: readonly GroupedWrite<B, T>[] = this.calls; rest.length > 0; ) {
      const first = rest[0]!;
      try {
        await first.reading;
        throwIfAborted(first.stop);
      } catch (error) {
        first.reject(error);
        rest = rest.slice(1);
        continue;
      }
      const count = await this.countTogether(rest);
      await this.write(rest.slice(0, count));
      rest = rest.slice(count);
    }
  }

  /** How many of the calls can be written together. One that is still being read does not hold up those before it. */
  private async countTogether(calls: readonly GroupedWrite<B, T>[]): Promise<number> {
    const batches: B[] = [];
    for (const { batch, stop } of calls) {
      if (batch === undefined || stop.aborted) break;
      batches.push(batch.value);
    }
    return runTask(this.commit.countTogether(batches));
  }

  /** Writes calls together; if that fails, each of them alone, because one of them may be to blame. */
  private async write(calls: readonly GroupedWrite<B, T>[]): Promise<void> {
    if (calls.length > 1) {
      const { signal, end } = firstOf(calls.map(({ stop }) => stop));
      try {
        const results = await this.begin(calls, signal);
        for (const [i, call] of calls.entries()) call.resolve(results[i]!);
        return;
      } catch (error) {
        const mayRepeat = this.commit.mayRepeat(error);
        for (const call of calls) {
          call.hasBegun = false;
          if (call.stop.aborted) call.reject(aborted(call.stop));
          else if (!mayRepeat) call.reject(error);
        }
        if (!mayRepeat) return;
      } finally {
        end();
      }
    }
    for (const call of calls)
      try {
        const [result] = await this.begin([call], call.stop);
        call.resolve(result!);
      } catch (error) {
        call.reject(error);
      }
  }

  private async begin(calls: readonly GroupedWrite<B, T>[], stop: AbortSignal): Promise<readonly T[]> {
    throwIfAborted(stop);
    for (const call of calls) call.hasBegun = true;
    return this.commit.write(
      calls.map(({ batch }) => batch!.value),
      stop,
    );
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
