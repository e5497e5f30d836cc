// Embeds texts in batches, and checks everything that the embedder returns. What was embedded before is remembered
// (remembered-vectors), unless the embedder is a local one.

import { throwIfAborted } from "../util/abort.js";
import { show } from "../util/errors.js";
import {
  EMBEDDER_DEFAULTS,
  type EmbeddedVector,
  type Embedder,
  type EmbedPartsOptions,
  isLocal,
} from "../util/extension-points.js";
import { copyText, has } from "../util/json.js";
import { pauseIfLong } from "../util/tasks.js";
import { readVector, type UnitVector } from "../vectors/unit-vector.js";
import { type CallLimits, callEmbedder, embedderFailed } from "./embedder-call.js";
import { EmbeddingJob, memoryOf } from "./remembered-vectors.js";

/** What to embed. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly purpose: "record" | "query";
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch with the number of texts that have their vectors so far. */
  readonly onBatch?: (done: number) => void;
  /** What the texts of records are embedded for. If it is given, the caller ends it. */
  readonly job?: EmbeddingJob | undefined;
  /** Milliseconds to wait for each batch, retries included; undefined: each try has the embedder's `timeoutMs`. */
  readonly withinMs?: number | undefined;
  /** Whether the process may end while the embedder is waited for. Default: no. */
  readonly inBackground?: boolean | undefined;
}

/** Texts looked up between two pauses. */
const LOOKED_UP_AT_ONCE = 4096;

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
