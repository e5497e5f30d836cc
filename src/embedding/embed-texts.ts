// Embeds texts in batches, and checks everything that the embedder returns.

import { throwIfAborted, untilAborted } from "../util/abort.js";
import { copyItems, has, lengthOf } from "../util/checks.js";
import { contain } from "../util/contain.js";
import { SearchError } from "../util/errors.js";
import type { EmbeddedVector, Embedder } from "../util/extension-points.js";
import { show } from "../util/show.js";
import { pauseIfLong } from "../util/tasks.js";
import { readVector, type UnitVector } from "../vectors/unit-vector.js";

/** What to embed. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly purpose: "record" | "query";
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch with the number of texts embedded so far. */
  readonly onBatch?: (done: number) => void;
}

const DEFAULT_BATCH = 256;

/** For each text its vector or null. Throws 502 `embedder_failed` if the embedder fails or returns anything invalid, 499 when aborted. */
export async function embedTexts(embedder: Embedder, request: EmbedRequest): Promise<(UnitVector | null)[]> {
  const { texts, purpose, signal, onBatch } = request;
  const batchSize = embedder.maxBatchSize ?? DEFAULT_BATCH;
  const vectors: (UnitVector | null)[] = [];
  for (let from = 0; from < texts.length; from += batchSize) {
    throwIfAborted(signal);
    const batch = texts.slice(from, from + batchSize);
    // Counted before the embedder gets the list, which it may change.
    const expected = batch.length;
    const answer = await untilAborted(ask(embedder, batch, purpose, signal), signal);
    for (const vector of readAnswer(answer, expected, from, embedder)) vectors.push(vector);
    onBatch?.(vectors.length);
    await pauseIfLong();
  }
  return vectors;
}

async function ask(
  embedder: Embedder,
  texts: readonly string[],
  purpose: "record" | "query",
  signal: AbortSignal | undefined,
): Promise<readonly EmbeddedVector[]> {
  try {
    return await embedder.embed(texts, signal === undefined ? { purpose } : { purpose, signal });
  } catch (cause) {
    throwIfAborted(signal);
    throw failed(embedder, "threw an error (see cause)", cause);
  }
}

function readAnswer(answer: unknown, expected: number, from: number, embedder: Embedder): (UnitVector | null)[] {
  const items = readItems(answer, expected, embedder);
  const vectors: (UnitVector | null)[] = [];
  let complaint: string | undefined;
  for (const [i, given] of items.entries()) {
    const read = given === null ? { vector: null } : readVector(given, embedder.dimensions);
    if (has(read, "vector")) vectors.push(read.vector);
    else {
      contain(given); // an embedder may answer promises, all of which may reject
      complaint ??= `answered a bad vector for text ${from + i}: ${read.complaint} (null means no vector)`;
    }
  }
  if (complaint !== undefined) throw failed(embedder, complaint);
  return vectors;
}

function readItems(answer: unknown, expected: number, embedder: Embedder): unknown[] {
  let length: number;
  try {
    if (!Array.isArray(answer)) throw failed(embedder, `answered ${show(answer)} for ${expected} texts`);
    length = lengthOf(answer);
    if (length === expected) return copyItems(answer, length);
  } catch (cause) {
    if (cause instanceof SearchError) throw cause;
    throw failed(embedder, "gave an answer that cannot be read (see cause)", cause);
  }
  throw failed(embedder, `answered ${length} vectors for ${expected} texts`);
}

function failed(embedder: Embedder, what: string, cause?: unknown): SearchError {
  const options = { param: "embedder" };
  const msg = `The embedder ${show(embedder.id)} ${what}; nothing was changed.`;
  return new SearchError(502, "embedder_failed", msg, cause === undefined ? options : { ...options, cause });
}
