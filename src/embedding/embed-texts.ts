// Embeds texts in batches, and checks everything that the embedder returns. Each call has its time limit and its retries. What was
// embedded before is remembered (remembered-vectors), unless the embedder is a local one.

import { propertyOf, SearchError, show, showCause } from "../util/errors.js";
import {
  EMBEDDER_DEFAULTS,
  type EmbeddedVector,
  type Embedder,
  type EmbedPartsOptions,
  isLocal,
} from "../util/extension-points.js";
import { copyText, has } from "../util/json.js";
import { pauseFor, pauseIfLong, throwIfAborted, withinTime } from "../util/tasks.js";
import { readVector, type UnitVector } from "../vectors/unit-vector.js";
import { EmbeddingJob, memoryOf } from "./remembered-vectors.js";

const FIRST_PAUSE_MS = 500;
/** A query has less time. */
const FIRST_PAUSE_OF_QUERY_MS = 100;
const LONGEST_PAUSE_MS = 8000;
/** A longer `retryAfter` is not waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** Of the errors of the caller (4xx), those that may pass. */
const PASSING = [408, 429];
/** Texts looked up between two pauses. */
const LOOKED_UP_AT_ONCE = 4096;

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

/** What to embed. */
export interface EmbedRequest extends Omit<CallLimits, "lastTry"> {
  readonly texts: readonly string[];
  /** Called after each batch with the number of texts that have their vectors so far. */
  readonly onBatch?: (done: number) => void;
  /** What the texts of records are embedded for. If it is given, the caller ends it. */
  readonly job?: EmbeddingJob | undefined;
}

/**
 * For each text its vector or null; texts are cut at `maxTextLength`. Throws 502 `embedder_failed` if the embedder fails or returns
 * anything invalid, 499 when aborted.
 */
export async function embedTexts(embedder: Embedder, request: EmbedRequest): Promise<(UnitVector | null)[]> {
  const { purpose, onBatch } = request;
  const job = request.job ?? new EmbeddingJob();
  const memory = isLocal(embedder) ? undefined : memoryOf(embedder);
  // Only what is embedded for records has a job.
  const [store, keyOf, owner] =
    purpose === "record"
      ? [memory?.waiting, (text: string) => text, job]
      : [memory?.queries, (text: string) => JSON.stringify(text)];
  const texts = request.texts.map((text) => cutText(embedder, text));
  const vectors: (UnitVector | null)[] = texts.map(() => null);
  const asked: number[] = [];
  for (const [i, text] of texts.entries()) {
    if ((i + 1) % LOOKED_UP_AT_ONCE === 0) await pauseIfLong();
    const isBlank = text !== request.texts[i] && text.trim() === "";
    const known = isBlank ? null : store?.get(keyOf(text), owner);
    if (known === undefined) asked.push(i);
    else vectors[i] = known;
  }
  let done = texts.length - asked.length;
  if (done > 0) onBatch?.(done);
  await askInBatches(embedder, { ...request, texts, asked }, (places, answer) => {
    for (const [i, vector] of answer.entries()) {
      vectors[places[i]!] = vector;
      store?.set(keyOf(texts[places[i]!]!), vector, owner);
    }
    done += places.length;
    onBatch?.(done);
  });
  if (request.job === undefined) job.end();
  return vectors;
}

/** A text as the embedder gets it: at most `maxTextLength` UTF-16 units, and no half of a character at the end. */
export function cutText({ maxTextLength }: Embedder, text: string): string {
  if (maxTextLength === undefined || text.length <= maxTextLength) return text;
  const isInPair = text.codePointAt(maxTextLength - 1)! > 0xffff;
  // Of its own, because a slice would keep the whole text in memory.
  return copyText(text.slice(0, isInPair ? maxTextLength - 1 : maxTextLength));
}

/**
 * Asks for the texts in batches, as many at a time as the embedder takes. When a batch fails, no other is begun, and those that are
 * under way may end, so that their vectors are not asked for again.
 */
async function askInBatches(
  embedder: Embedder,
  { texts, asked, purpose, signal, withinMs, inBackground }: EmbedRequest & { readonly asked: readonly number[] },
  onVectors: (places: readonly number[], vectors: readonly (UnitVector | null)[]) => void,
): Promise<void> {
  const { maxBatchSize = EMBEDDER_DEFAULTS.maxBatchSize, concurrency = EMBEDDER_DEFAULTS.concurrency } = embedder;
  const failed = new AbortController();
  const limits = { purpose, signal, withinMs, lastTry: failed.signal, inBackground };
  let next = 0;
  const askOnAndOn = async (): Promise<void> => {
    while (next < asked.length && !failed.signal.aborted) {
      throwIfAborted(signal);
      const places = asked.slice(next, next + maxBatchSize);
      next += places.length;
      // A list of its own for each try, because the embedder may change it.
      const ask = async (stop: AbortSignal | undefined): Promise<readonly EmbeddedVector[]> =>
        embedder.embed(
          places.map((place) => texts[place]!),
          stop === undefined ? { purpose } : { purpose, signal: stop },
        );
      const answer = await callEmbedder(embedder, ask, limits);
      onVectors(places, readAnswer(answer, places, embedder, limits));
      await pauseIfLong();
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, Math.ceil(asked.length / maxBatchSize)) }, async () => {
    try {
      await askOnAndOn();
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  const ended = await Promise.allSettled(workers);
  throwIfAborted(signal);
  for (const outcome of ended) if (outcome.status === "rejected") throw outcome.reason;
}

/** The vector of a query by its parts, each with its synonyms, from an embedder with `embedParts`. Throws as {@link embedTexts} does. */
export async function embedParts(
  embedder: Embedder,
  parts: readonly (readonly string[])[],
  options: Pick<EmbedPartsOptions, "outOfVocabulary" | "isHeld">,
  { signal, withinMs }: Pick<CallLimits, "signal" | "withinMs">,
): Promise<UnitVector | null> {
  // Which words records hold changes with every write.
  const store = isLocal(embedder) || options.outOfVocabulary.length > 0 ? undefined : memoryOf(embedder).queries;
  const key = store === undefined ? "" : JSON.stringify(parts);
  const known = store?.get(key);
  if (known !== undefined) return known;
  const limits: CallLimits = { purpose: "query", signal, withinMs };
  const ask = async (stop: AbortSignal | undefined): Promise<EmbeddedVector> =>
    embedder.embedParts!(parts, stop === undefined ? options : { ...options, signal: stop });
  const [vector] = readAnswer([await callEmbedder(embedder, ask, limits)], [0], embedder, limits);
  store?.set(key, vector!);
  return vector!;
}

function readAnswer(
  answer: unknown,
  places: readonly number[],
  embedder: Embedder,
  limits: CallLimits,
): (UnitVector | null)[] {
  const fail = (what: string) => embedderFailed(embedder, limits, what);
  if (!Array.isArray(answer)) throw fail(`answered ${show(answer)} for ${places.length} texts`);
  if (answer.length !== places.length) throw fail(`answered ${answer.length} vectors for ${places.length} texts`);
  const vectors: (UnitVector | null)[] = [];
  let complaint: string | undefined;
  for (const [i, given] of (answer as readonly unknown[]).entries()) {
    const read = given === null ? { vector: null } : readVector(given, embedder.dimensions);
    if (has(read, "vector")) vectors.push(read.vector);
    else complaint ??= `answered a bad vector for text ${places[i]}: ${read.complaint} (null means no vector)`;
  }
  if (complaint !== undefined) throw fail(complaint);
  return vectors;
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
