// Cooperative tasks: long work in short slices. Work that may take long is a generator that yields where it may pause. The functions
// here run it in slices, so that it never blocks the event loop for more than a few milliseconds. Below them stand the abort signals of
// callers, which end tasks and waits: checked, combined, and raced against promises.

import { SearchError, show } from "./errors.js";
import { objectIn } from "./json.js";

/** A cooperative task: a generator that may pause at each `yield`. A promise that it yields is waited for: see {@link waitFor}. */
export type Task<T> = Generator<undefined | Promise<unknown>, T, void>;

/** Waits for a promise within a task. What it rejects with is thrown there. */
export function* waitFor<T>(promise: Promise<T>): Task<T> {
  let outcome: { readonly value: T } | undefined;
  yield promise.then((value) => {
    outcome = { value };
  });
  return outcome!.value;
}

/** A task that has ended, to be run again and again: an answer that is mostly known needs no generator each time. */
export function endedTask<T>(value: T): Task<T> {
  const end: IteratorReturnResult<T> = { done: true, value };
  const task: Task<T> = {
    next: () => end,
    return: () => end,
    throw: (error) => {
      throw error;
    },
    [Symbol.iterator]: () => task,
  };
  return task;
}

/** A slice ends at the first pause after this many milliseconds. With pauses every 1–2 ms, no slice takes more than 10 ms. */
const SLICE_MS = 5;

/** The time at which tasks began to use the current turn of the event loop, if they did. All tasks of a turn share one slice. */
let turnBegan: number | undefined;

/** Waiting tasks. Each turn resumes one of them; if it resumed all, one long task would leave a single step to each of the others. */
const waiting: (() => void)[] = [];

/** Waits for a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(resumeFirst);
  });
}

function resumeFirst(): void {
  const resume = waiting.shift()!;
  if (waiting.length > 0) setImmediate(resumeFirst);
  beginTurn();
  resume();
}

function beginTurn(): number {
  const now = performance.now();
  turnBegan = now;
  setImmediate(() => {
    if (turnBegan === now) turnBegan = undefined;
  });
  return now;
}

/** Waits for the next turn of the event loop if the slice of the current one is used up; undefined: it is not. */
export function pauseIfLong(): Promise<void> | undefined {
  const used = performance.now() - (turnBegan ?? beginTurn());
  return used >= SLICE_MS ? nextTurn() : undefined;
}

/**
 * Runs a task to its end and lets the event loop turn after each slice. Rejects with 499 when the signal aborts. It looks at
 * the clock before each step, the first one too: calls that begin in the same turn share one slice.
 */
export function runTask<T>(steps: Task<T>, signal?: AbortSignal): Promise<T> {
  return runSteps(steps, signal, pauseIfLong);
}

/** `pause` gives what each step waits for; undefined: nothing. */
async function runSteps<T>(
  steps: Task<T>,
  signal: AbortSignal | undefined,
  pause: () => Promise<void> | undefined,
): Promise<T> {
  for (;;) {
    const pausing = pause();
    if (pausing !== undefined) await pausing;
    throwIfAborted(signal);
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value !== undefined) {
      const ended = await settle(steps, step.value);
      if (ended !== undefined) return ended.value;
    }
  }
}

/** A slice of background work ends at the first pause after this many milliseconds: a call that begins meanwhile waits no longer. */
const BACKGROUND_SLICE_MS = 2;

/** While calls wait for turns, background work gets one after so many of theirs, so that it ends all the same. */
const MOST_PASSED = 10;

/** Waiting background work. Each turn in which no call waits resumes one of them. */
const background: (() => void)[] = [];
let passed = 0;

function backgroundTurn(): Promise<void> {
  return new Promise((resume) => {
    background.push(resume);
    if (background.length === 1) setImmediate(resumeBackground);
  });
}

function resumeBackground(): void {
  if (waiting.length > 0 && passed++ < MOST_PASSED) {
    setImmediate(resumeBackground);
    return;
  }
  passed = 0;
  const resume = background.shift()!;
  if (background.length > 0) setImmediate(resumeBackground);
  resume();
}

/**
 * As {@link runTask}, for work behind the calls: in slices of 2 ms, and only in turns in which no call waits, or the eleventh. So it has at
 * least a twenty-fifth of the time while calls never pause. As long as `isAwaited`, calls wait for the work itself, and it takes turns as
 * they do.
 */
export function runInBackground<T>(steps: Task<T>, signal?: AbortSignal, isAwaited = (): boolean => false): Promise<T> {
  let until = 0;
  const nextSlice = async (): Promise<void> => {
    await backgroundTurn();
    until = performance.now() + BACKGROUND_SLICE_MS;
  };
  return runSteps(steps, signal, () => {
    if (isAwaited()) return pauseIfLong();
    return performance.now() >= until ? nextSlice() : undefined;
  });
}

/** Waits for what a task waits for. If that fails, the task may handle it, and even end. */
async function settle<T>(steps: Task<T>, promise: Promise<unknown>): Promise<{ readonly value: T } | undefined> {
  try {
    await promise;
  } catch (error) {
    const step = steps.throw(error);
    if (step.done) return { value: step.value };
    if (step.value !== undefined) return settle(steps, step.value);
  }
  return undefined;
}

/** As {@link runTask}, but takes the first step now, even if the current slice is used up: it copies what the caller may change. */
export async function startTask<T>(steps: Task<T>, signal?: AbortSignal): Promise<T> {
  return beginTask(steps, signal);
}

/** As {@link startTask}, but a promise only where so many steps are not enough, or one has to wait. */
export function beginTask<T>(steps: Task<T>, signal?: AbortSignal, most = 1): T | Promise<T> {
  let step = steps.next();
  for (let taken = 1; taken < most && !step.done && step.value === undefined; taken++) step = steps.next();
  if (step.done) return step.value;
  const waited = step.value;
  const goOn = async (): Promise<T> => {
    const ended = waited === undefined ? undefined : await settle(steps, waited);
    return ended === undefined ? runTask(steps, signal) : ended.value;
  };
  return goOn();
}

/** Runs a task without pauses: for small work that waits for nothing, and for tests. */
export function runTaskAtOnce<T>(steps: Task<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value !== undefined) throw new Error("This task waits, so it cannot run at once.");
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

/** The longest time of a timer. */
export const LONGEST_TIMEOUT_MS: number = 2 ** 31 - 1;

/** Throws 499 `aborted` if the signal is aborted; the signal's reason becomes the cause. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

/** The error of an aborted call. */
export function aborted(signal: AbortSignal): SearchError {
  return new SearchError(499, "aborted", "The call was aborted by its signal; nothing was changed.", {
    param: "signal",
    cause: signal.reason,
  });
}

/** Throws 400 for anything but an AbortSignal. One of another realm, or of a package, is known by its shape. */
export function checkSignal(signal: unknown): AbortSignal | undefined {
  if (signal === undefined || isSignal(signal)) return signal;
  throw new SearchError(400, "invalid_signal", `signal is ${show(signal)}; pass an AbortSignal.`, { param: "signal" });
}

function isSignal(value: unknown): value is AbortSignal {
  const shape = objectIn(value);
  return typeof shape?.aborted === "boolean" && typeof shape.addEventListener === "function";
}

/** What waits for each signal. A signal has one listener for all of it, because Node warns of many. */
const waits = new WeakMap<AbortSignal, { readonly callbacks: Set<() => void>; readonly listener: () => void }>();

/** Calls back when the signal aborts, at once if it has. Returns a function that ends the wait. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let entry = waits.get(signal);
  if (entry === undefined) {
    const callbacks = new Set<() => void>();
    const listener = (): void => [...callbacks].forEach((each) => void each());
    entry = { callbacks, listener };
    waits.set(signal, entry);
    signal.addEventListener("abort", listener);
  }
  const { callbacks, listener } = entry;
  // Two waits with the same function are two waits.
  const own = (): void => callback();
  callbacks.add(own);
  // The signal may have been aborted before, for example by the embedder itself.
  if (signal.aborted) own();
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0) return;
    waits.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}

/** A signal that aborts with the first of several. Call `end` after the work to stop waiting for them. */
export function firstOf(signals: readonly AbortSignal[]): { readonly signal: AbortSignal; readonly end: () => void } {
  const own = new AbortController();
  const ends = signals.map((signal) => onAbort(signal, () => own.abort(signal.reason)));
  return { signal: own.signal, end: () => ends.forEach((end) => void end()) };
}

/**
 * The promise's result, or 499 as soon as the signal aborts, so that a hanging promise does not hang the caller. If
 * `mayGiveUp` returns false at that moment, the promise is still awaited.
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  mayGiveUp: () => boolean = () => true,
): Promise<T> {
  if (signal === undefined) return promise;
  let end = (): void => {};
  const abortion = new Promise<never>((_, reject) => {
    end = onAbort(signal, () => {
      if (mayGiveUp()) reject(aborted(signal));
    });
  });
  // Avoids an unhandled rejection of the promise that loses the race.
  promise.catch(() => {});
  abortion.catch(() => {});
  try {
    return await Promise.race([promise, abortion]);
  } finally {
    end();
  }
}

/** Starts a timer. One of the background lets the process end before. */
function startTimer(callback: () => void, ms: number, inBackground: boolean): ReturnType<typeof setTimeout> {
  const timer = setTimeout(callback, ms);
  // In a browser it is a number.
  if (inBackground) timer.unref?.();
  return timer;
}

/**
 * Waits for work with a time limit: the answer, or that it is late. The signal of the work aborts with the given one, or after `ms`
 * milliseconds. Rejects as the work does, and with 499 as soon as the given signal aborts. With `Infinity`, the work gets the given
 * signal itself. In the background, the process may end meanwhile.
 */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal | undefined) => Promise<T>,
  inBackground = false,
): Promise<{ readonly answer: T } | { readonly late: true }> {
  if (ms === Number.POSITIVE_INFINITY) return { answer: await untilAborted(work(signal), signal) };
  const clock = new AbortController();
  const late = (): void => clock.abort(new DOMException(`There was no answer in ${ms} ms.`, "TimeoutError"));
  const timer = startTimer(late, Math.max(0, ms), inBackground);
  const { signal: stop, end } = firstOf(signal === undefined ? [clock.signal] : [signal, clock.signal]);
  try {
    return { answer: await untilAborted(work(stop), stop) };
  } catch (error) {
    throwIfAborted(signal);
    if (clock.signal.aborted) return { late: true };
    throw error;
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** Waits for so many milliseconds, or until one of the signals aborts. In the background, the process may end meanwhile. */
export async function pauseFor(ms: number, signals: readonly AbortSignal[], inBackground = false): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ends: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    timer = startTimer(resolve, ms, inBackground);
    ends = signals.map((signal) => onAbort(signal, resolve));
  });
  clearTimeout(timer);
  for (const end of ends) end();
}

/** The result of work; until then, the process does not end. */
export async function keepingAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {}, LONGEST_TIMEOUT_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
