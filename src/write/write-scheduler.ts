// Schedules the writes of one index: they run one after the other, in the order of the calls; some that wait are written as a group, in one turn. A
// waiting write can be aborted; all of them are aborted when the index ends. A background task runs after each turn, in the same queue.
// A replacement of all records runs beside the turns of records; all other turns wait for it.

import type { SearchError } from "../util/errors.js";
import { aborted, firstOf, throwIfAborted, untilAborted, WriteQueue } from "../util/tasks.js";
import { type AddResult, type Batch, countTogether } from "./read-batch.js";

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
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const inFirst = first.replace(undefined, undefined, async () => {
    begin();
    await inSecond.catch(() => {});
  });
  const inSecond = second.replace(Promise.race([begun, inFirst]), signal, task);
  try {
    await inSecond;
  } finally {
    // The task may have ended the index.
    await inFirst.catch(() => {});
  }
}

/** The reason with which all signals of ended indexes abort: that of `abort()`, but made once for thousands of indexes. */
const ENDED = new DOMException("This operation was aborted", "AbortError");

/** A signal that is made when it is first asked for: most of many indexes are never used. */
class LateSignal {
  private controller: AbortController | undefined;
  private isAborted = false;

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.isAborted) this.abort();
    }
    return this.controller.signal;
  }

  abort(): void {
    this.isAborted = true;
    this.controller?.abort(ENDED);
  }
}

/** Runs the writes of one index one after the other. */
export class WriteScheduler {
  private readonly queue = new WriteQueue();
  private readonly ending = new LateSignal();
  private readonly ceasing = new LateSignal();
  private readonly afterWrite: () => Promise<void>;
  /** What turns wait for when they begin; undefined: nothing. */
  private readonly before: { readonly [turns in "write" | "others"]?: () => Promise<void> | undefined };
  /** Work that runs beside the turns. */
  private readonly aside = new Set<Promise<void>>();
  /** Why the index has ended; undefined: it has not. */
  private reason: SearchError | undefined;
  /** Why no more writes are taken; undefined: they are. */
  private closing: SearchError | undefined;
  private turns = 0;
  private endedTurns = 0;

  /** `afterWrite` runs after each write, in the same queue. It must not change any answer. */
  constructor(afterWrite: () => Promise<void>, before: WriteScheduler["before"] = {}) {
    this.afterWrite = afterWrite;
    this.before = before;
  }

  /** Aborted when the index ends. */
  get stop(): AbortSignal {
    return this.ending.signal;
  }

  /** Aborted when no more writes are taken. */
  get closed(): AbortSignal {
    return this.ceasing.signal;
  }

  /**
   * Runs a write in its turn, with the batch that was read before. The caller's signal or the end of the index aborts it:
   * at once while it waits, at its next pause while it runs. `before`: what it waits for when its turn begins.
   */
  async write<T, B>(
    reading: Promise<B> | B,
    signal: AbortSignal | undefined,
    task: (batch: B, stop: AbortSignal) => Promise<T>,
    before: WriteScheduler["before"]["write"] = this.before.write,
  ): Promise<T> {
    if (reading instanceof Promise) reading.catch(() => {}); // the write handles a rejection in its turn
    this.checkOpen();
    let hasBegun = false;
    const begin = (stop: AbortSignal): Promise<T> =>
      this.turn(async () => {
        try {
          const batch = await reading;
          const ready = before?.();
          if (ready !== undefined) await ready;
          this.check();
          throwIfAborted(stop);
          hasBegun = true;
          return await task(batch, stop);
        } finally {
          // Within the turn, so that who waits until all is idle waits for it, too.
          this.tidy();
        }
      });
    return this.untilStopped(signal, begin, () => hasBegun);
  }

  /** As {@link write}, for a task that waits for a replacement under way, and not until the content of the index is loaded. */
  async replace<T, B>(
    reading: Promise<B> | B,
    signal: AbortSignal | undefined,
    task: (batch: B, stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.write(reading, signal, task, this.before.others);
  }

  /** What a write comes to. If it has not begun when the signal aborts or the index ends, nobody waits for it. */
  async untilStopped<T>(
    given: AbortSignal | undefined,
    write: (stop: AbortSignal) => Promise<T>,
    hasBegun: () => boolean,
  ): Promise<T> {
    const { signal, end } = this.orStop(given);
    try {
      return await untilAborted(write(signal), signal, () => !hasBegun());
    } catch (error) {
      this.check();
      throw error;
    } finally {
      end();
    }
  }

  /** A signal that aborts with this one, or when the index ends; call `end` when it is not needed any more. */
  orStop(signal: AbortSignal | undefined): ReturnType<typeof firstOf> {
    return firstOf(signal === undefined ? [this.stop] : [signal, this.stop]);
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
    this.ceasing.abort();
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
    this.ending.abort();
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

/** Groups writes of one index that wait one behind the other, with no other write between them. A group takes one turn, and one commit. */
export class WriteGroups {
  private readonly scheduler: WriteScheduler;
  private readonly put: (batches: readonly Batch[], stop: AbortSignal) => Promise<readonly AddResult[]>;
  private readonly mayRepeat: (error: unknown) => boolean;
  /** The calls of a group whose turn has not begun, so that others may join it, and the number of its turn. */
  private open: { readonly calls: GroupedWrite[]; readonly turn: number } | undefined;

  /**
   * `put` writes batches together, and returns the result of each; if it fails, nothing has changed. `mayRepeat`: whether batches that
   * failed together may be written one by one, because one of them may be to blame.
   */
  constructor(scheduler: WriteScheduler, put: WriteGroups["put"], mayRepeat: WriteGroups["mayRepeat"]) {
    this.scheduler = scheduler;
    this.put = put;
    this.mayRepeat = mayRepeat;
  }

  /** As {@link WriteScheduler.write}. A call that fails or is aborted does not concern the others of its group. */
  async write(reading: Promise<Batch>, signal: AbortSignal | undefined): Promise<AddResult> {
    reading.catch(() => {}); // the group handles a rejection
    this.scheduler.checkOpen();
    let call: GroupedWrite | undefined;
    const write = (stop: AbortSignal): Promise<AddResult> => {
      call = new GroupedWrite(reading, stop);
      this.join(call);
      return call.outcome;
    };
    return this.scheduler.untilStopped(signal, write, () => call?.hasBegun === true);
  }

  private join(call: GroupedWrite): void {
    if (this.open?.turn === this.scheduler.turnCount) {
      this.open.calls.push(call);
      return;
    }
    const calls = [call];
    // A group that has begun is not kept: it holds the records of its calls.
    const close = (): void => {
      if (this.open?.calls === calls) this.open = undefined;
    };
    const run = (): Promise<void> => {
      close();
      return this.run(calls);
    };
    this.scheduler.write(undefined, undefined, run).catch((error: unknown) => {
      close();
      for (const each of calls) each.reject(error);
    });
    this.open = { calls, turn: this.scheduler.turnCount };
  }

  private async run(calls: readonly GroupedWrite[]): Promise<void> {
    for (let rest = calls; rest.length > 0; ) {
      const first = rest[0]!;
      try {
        await first.reading;
        throwIfAborted(first.stop);
      } catch (error) {
        first.reject(error);
        rest = rest.slice(1);
        continue;
      }
      const batches: Batch[] = [];
      for (const { batch, stop } of rest) {
        // One that is still being read does not hold up those before it.
        if (batch === undefined || stop.aborted) break;
        batches.push(batch);
      }
      const count = countTogether(batches);
      await this.writeTogether(rest.slice(0, count));
      rest = rest.slice(count);
    }
  }

  /** Writes calls together; if that fails, each of them alone, because one of them may be to blame. */
  private async writeTogether(calls: readonly GroupedWrite[]): Promise<void> {
    if (calls.length > 1) {
      const { signal, end } = firstOf(calls.map(({ stop }) => stop));
      try {
        return await this.begin(calls, signal);
      } catch (error) {
        const mayRepeat = this.mayRepeat(error);
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
    for (const call of calls) await this.begin([call], call.stop).catch((error) => call.reject(error));
  }

  private async begin(calls: readonly GroupedWrite[], stop: AbortSignal): Promise<void> {
    throwIfAborted(stop);
    for (const call of calls) call.hasBegun = true;
    const results = await this.put(
      calls.map(({ batch }) => batch!),
      stop,
    );
    for (const [i, call] of calls.entries()) call.resolve(results[i]!);
  }
}

/** One of the calls of a group. */
class GroupedWrite {
  readonly reading: Promise<Batch>;
  readonly stop: AbortSignal;
  readonly outcome: Promise<AddResult>;
  resolve: (result: AddResult) => void = () => {};
  reject: (error: unknown) => void = () => {};
  /** It is being written. */
  hasBegun = false;
  /** What was read; undefined: nothing yet, or reading failed. */
  batch: Batch | undefined;

  constructor(reading: Promise<Batch>, stop: AbortSignal) {
    this.reading = reading;
    this.stop = stop;
    this.outcome = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const keep = (batch: Batch): void => {
      this.batch = batch;
    };
    reading.then(keep, () => {});
  }
}
