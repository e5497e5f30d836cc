// One call of an embedder, with its time limit and its retries, and the error when it fails.

import { pauseFor, throwIfAborted, withinTime } from "../util/abort.js";
import { propertyOf, SearchError, show, showCause } from "../util/errors.js";
import { EMBEDDER_DEFAULTS, type Embedder, isLocal } from "../util/extension-points.js";
import { has } from "../util/json.js";

const FIRST_PAUSE_MS = 500;
/** A query has less time. */
const FIRST_PAUSE_OF_QUERY_MS = 100;
const LONGEST_PAUSE_MS = 8000;
/** A longer `retryAfter` is not waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** Of the errors of the caller (4xx), those that may pass. */
const PASSING = [408, 429];

/** How a call may end. */
export interface CallLimits {
  readonly purpose: "record" | "query";
  /** The signal of the caller; when it aborts, the call rejects with 499 at once. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for all tries together; undefined: each has the embedder's `timeoutMs`. */
  readonly withinMs?: number | undefined;
  /** When it aborts, pauses end, and a try that fails is the last one. */
  readonly lastTry?: AbortSignal | undefined;
  /** Whether the process may end while the call waits for an answer, or for the next try. Default: no. */
  readonly inBackground?: boolean | undefined;
}

/** A try: what it answered, what it threw, or the time limit that it broke. */
type Outcome<T> = { readonly answer: T } | Failure;
type Failure = { readonly thrown: unknown } | { readonly late: "timeoutMs" | "queryTimeoutMs" };

/** Asks until there is an answer. Rejects with 502 `embedder_failed` when the last try has failed, with 499 when aborted. */
export async function callEmbedder<T>(
  embedder: Embedder,
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  limits: CallLimits,
): Promise<T> {
  const { signal, withinMs = Number.POSITIVE_INFINITY, lastTry, inBackground } = limits;
  const isHere = isLocal(embedder);
  const retries = isHere ? 0 : (embedder.retries ?? EMBEDDER_DEFAULTS.retries);
  const timeoutMs = isHere ? Number.POSITIVE_INFINITY : (embedder.timeoutMs ?? EMBEDDER_DEFAULTS.timeoutMs);
  const ends = performance.now() + (isHere ? timeoutMs : withinMs);
  for (let tries = 1; ; tries++) {
    throwIfAborted(signal);
    const outcome = await attempt(ask, limits, timeoutMs, ends - performance.now());
    if (has(outcome, "answer")) return outcome.answer;
    const pause = pauseAfter(outcome, tries, limits);
    const isLast = tries > retries || pause === undefined || performance.now() + pause > ends;
    if (!isLast)
      await pauseFor(
        pause,
        [signal, lastTry].filter((each) => each !== undefined),
        inBackground,
      );
    throwIfAborted(signal);
    if (isLast || lastTry?.aborted) throw failureOf(embedder, outcome, tries, limits);
  }
}

/** Asks once, for at most `timeoutMs` and the time that is left. Rejects only if the signal aborts. */
async function attempt<T>(
  ask: (signal: AbortSignal | undefined) => Promise<T>,
  { signal, inBackground }: CallLimits,
  timeoutMs: number,
  leftMs: number,
): Promise<Outcome<T>> {
  try {
    const outcome = await withinTime(Math.min(timeoutMs, leftMs), signal, ask, inBackground);
    return has(outcome, "answer") ? outcome : { late: timeoutMs <= leftMs ? "timeoutMs" : "queryTimeoutMs" };
  } catch (thrown) {
    throwIfAborted(signal);
    return { thrown };
  }
}

/** Milliseconds to wait before the next try; undefined: there is none. */
function pauseAfter(failure: Failure, tries: number, { withinMs }: CallLimits): number | undefined {
  const thrown = has(failure, "thrown") ? failure.thrown : undefined;
  const status = propertyOf(thrown, "status");
  if (typeof status === "number" && status >= 400 && status < 500 && !PASSING.includes(status)) return undefined;
  const retryAfter = propertyOf(thrown, "retryAfter");
  if (typeof retryAfter === "number" && retryAfter >= 0)
    return retryAfter > LONGEST_RETRY_AFTER_MS ? undefined : retryAfter;
  const first = withinMs === undefined ? FIRST_PAUSE_MS : FIRST_PAUSE_OF_QUERY_MS;
  return Math.min(LONGEST_PAUSE_MS, first * 2 ** (tries - 1));
}

function failureOf(embedder: Embedder, failure: Failure, tries: number, limits: CallLimits): SearchError {
  const after = tries === 1 ? "" : `, in ${tries} tries`;
  if (has(failure, "thrown"))
    return embedderFailed(embedder, limits, `threw ${showCause(failure.thrown)}${after}`, failure.thrown);
  const ms = failure.late === "timeoutMs" ? (embedder.timeoutMs ?? EMBEDDER_DEFAULTS.timeoutMs) : limits.withinMs;
  return embedderFailed(embedder, limits, `gave no answer in ${ms} ms (${failure.late})${after}`);
}

/** The error of an embedder that failed: what it did. */
export function embedderFailed(
  { id }: Embedder,
  { purpose }: Pick<CallLimits, "purpose">,
  what: string,
  cause?: unknown,
): SearchError {
  const options = { param: "embedder" };
  const msg = `The embedder ${show(id)} ${what}${purpose === "record" ? "; nothing was changed" : ""}.`;
  return new SearchError(502, "embedder_failed", msg, cause === undefined ? options : { ...options, cause });
}
