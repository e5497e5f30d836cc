// Abort signals of callers: checked, combined, and raced against promises.

import { types } from "node:util";
import { SearchError } from "./errors.js";
import { show } from "./show.js";

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

/** Throws 400 for anything but an AbortSignal. A foreign one (of another realm, or proxied) is replaced by one that aborts with it. */
export function checkSignal(signal: unknown): AbortSignal | undefined {
  if (signal === undefined || isOurs(signal)) return signal;
  const followed = follow(signal);
  if (followed !== undefined) return followed;
  throw new SearchError(400, "invalid_signal", `signal is ${show(signal)}; pass an AbortSignal.`, { param: "signal" });
}

/** True for a signal of this realm without own properties, so that reading it runs no code of the caller. */
function isOurs(signal: unknown): signal is AbortSignal {
  return (
    typeof signal === "object" &&
    signal !== null &&
    !types.isProxy(signal) &&
    Object.getPrototypeOf(signal) === AbortSignal.prototype &&
    Object.getOwnPropertyNames(signal).length === 0
  );
}

/** A new signal that aborts together with a foreign one; undefined if the value does not look like a signal. */
function follow(signal: unknown): AbortSignal | undefined {
  const own = new AbortController();
  try {
    const shape = signal as AbortSignal | null;
    if (typeof shape !== "object" || shape === null) return undefined;
    const isAborted: unknown = shape.aborted;
    const listen: unknown = shape.addEventListener;
    if (typeof isAborted !== "boolean" || typeof listen !== "function") return undefined;
    if (isAborted) own.abort(reasonOf(shape));
    else Reflect.apply(listen, shape, ["abort", () => own.abort(reasonOf(shape))]);
    return own.signal;
  } catch {
    return undefined;
  }
}

function reasonOf(signal: AbortSignal): unknown {
  try {
    return signal.reason;
  } catch {
    return undefined;
  }
}

/** A signal that aborts with the first of several. Call `end` after the work to remove the listeners. */
export function firstOf(signals: readonly AbortSignal[]): { readonly signal: AbortSignal; readonly end: () => void } {
  const own = new AbortController();
  const listeners = signals.map((signal) => {
    const listener = (): void => own.abort(signal.reason);
    signal.addEventListener("abort", listener);
    if (signal.aborted) listener();
    return (): void => signal.removeEventListener("abort", listener);
  });
  return { signal: own.signal, end: () => listeners.forEach((remove) => void remove()) };
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
  let listener = (): void => {};
  const abortion = new Promise<never>((_, reject) => {
    listener = () => {
      if (mayGiveUp()) reject(aborted(signal));
    };
    signal.addEventListener("abort", listener);
    // The signal may have been aborted before the listener was added, for example by the embedder itself.
    if (signal.aborted) listener();
  });
  // Avoids an unhandled rejection of the promise that loses the race.
  promise.catch(() => {});
  abortion.catch(() => {});
  try {
    return await Promise.race([promise, abortion]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}
