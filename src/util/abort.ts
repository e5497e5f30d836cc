// Abort signals of callers: checked, combined, and raced against promises.

import { SearchError, show } from "./errors.js";
import { objectIn } from "./json.js";

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
const waiting = new WeakMap<AbortSignal, { readonly callbacks: Set<() => void>; readonly listener: () => void }>();

/** Calls back when the signal aborts, at once if it has. Returns a function that ends the wait. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let entry = waiting.get(signal);
  if (entry === undefined) {
    const callbacks = new Set<() => void>();
    const listener = (): void => [...callbacks].forEach((each) => void each());
    entry = { callbacks, listener };
    waiting.set(signal, entry);
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
    waiting.delete(signal);
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
 * milliseconds. Rejects as the work does, with 499 as soon as the given signal aborts. With `Infinity`, the work gets the given signal itself. In the background, the process may
 * end meanwhile.
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
