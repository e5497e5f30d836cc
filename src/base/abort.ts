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
  if (signal === undefined) return undefined;
  const shape = signal as { readonly aborted?: unknown; readonly addEventListener?: unknown } | null;
  if (
    typeof shape !== "object" ||
    shape === null ||
    typeof shape.aborted !== "boolean" ||
    typeof shape.addEventListener !== "function"
  )
    throw new SearchError(400, "invalid_signal", `signal is ${show(signal)}; pass an AbortSignal.`, {
      param: "signal",
    });
  return signal as AbortSignal;
}
