import { SearchError } from "./errors.js";
import { show } from "./show.js";

/** Throws 499 `aborted` when the signal has been aborted; the signal's reason becomes the cause. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

/** The error of a call that its caller gave up. */
export function aborted(signal: AbortSignal): SearchError {
  return new SearchError(499, "aborted", "The call was aborted by its signal; nothing was changed.", {
    param: "signal",
    cause: signal.reason,
  });
}

/** Refuses what is not an AbortSignal (400); checked by its shape, so that signals of other realms pass. */
export function checkSignal(signal: unknown): AbortSignal | undefined {
  if (signal === undefined || isSignal(signal)) return signal;
  throw new SearchError(400, "invalid_signal", `signal is ${show(signal)}; pass an AbortSignal.`, { param: "signal" });
}

function isSignal(signal: unknown): signal is AbortSignal {
  try {
    const shape = signal as { readonly aborted?: unknown; readonly addEventListener?: unknown } | null;
    return (
      typeof shape === "object" &&
      shape !== null &&
      typeof shape.aborted === "boolean" &&
      typeof shape.addEventListener === "function"
    );
  } catch {
    return false;
  }
}

/**
 * The promise's result, or 499 as soon as the signal aborts, so that what hangs does not hang its caller. `mayGiveUp` is
 * asked at that moment: work that can no longer be given up is waited for.
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
    signal.addEventListener("abort", listener, { once: true });
    // It may have been aborted before anyone listened, by the embedder itself for one.
    if (signal.aborted) listener();
  });
  // Either may lose the race and fail later, unheard.
  promise.catch(() => {});
  abortion.catch(() => {});
  try {
    return await Promise.race([promise, abortion]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}
