// What a user may replace: the analysis of text, and the embedding of text. Each extension point states its contract.

import { SearchError } from "./errors.js";

/**
 * Turns words into index terms. The same analyzer serves records and queries. What has a digit (numbers, codes, quantities) is the
 * engine's, and so are identifiers.
 *
 * @example
 * const analyzer: Analyzer = {
 *   id: "letters-1",
 *   analyze: (text) => text.toLowerCase().match(/\p{L}+/gu) ?? [],
 * };
 */
export interface Analyzer {
  /** Identifies the analyzer and its version. It is part of an index's settings, so that no other one is used by mistake. */
  readonly id: string;
  /**
   * The terms of a text in reading order. It gets a text without digits whole, else what is between numbers, codes and quantities;
   * for highlights it gets single words. It must be a pure function of the text and must not throw (502 `analyzer_failed`).
   */
  analyze(text: string): readonly string[];
}

/** Whether texts are embedded as records or as queries, and a signal that aborts with the caller's or when a time limit is over. */
export interface EmbedOptions {
  readonly purpose: "record" | "query";
  readonly signal?: AbortSignal;
}

/** A vector as an embedder may return it. `null`: the text has no vector, and its record is found by words only. */
export type EmbeddedVector = Float32Array | Float64Array | readonly number[] | null;

/** The meaning of a word to an embedder. */
export interface WordMeaning {
  /** The cosine with the meaning of another word by the same embedder; negative values count as 0. */
  nearnessTo(other: WordMeaning): number;
}

/** What an embedder learns about the words of a query. */
export interface EmbedPartsOptions {
  /** The out-of-vocabulary words of the query, in lower case: no record contains them, but the embedder knows them. At most 8. */
  readonly outOfVocabulary: readonly string[];
  /** True for a word, in lower case, that some record contains; a promise where the disk has to be read. */
  readonly isHeld: (word: string) => boolean | Promise<boolean>;
  readonly signal?: AbortSignal;
}

/**
 * Turns texts into vectors of one length.
 *
 * A failed call is tried again, unless the error that `embed` throws has a `status` of 400 … 499 other than 408 and 429. The pause
 * before the next try is the error's `retryAfter` in milliseconds, if it has one (above 60,000 there is no next try), else it grows
 * from 0.5 s (0.1 s in a query).
 *
 * @example
 * const embedder: Embedder = {
 *   id: "my-model-1",
 *   dimensions: 384,
 *   maxBatchSize: 64,
 *   embed: async (texts, { purpose, signal }) => callModel(texts, purpose, signal),
 * };
 */
export interface Embedder {
  /** Identifies the model and its version. */
  readonly id: string;
  /** The length of every vector, 1 … 4,096. */
  readonly dimensions: number;
  /** The maximum number of texts per call. Default 256. */
  readonly maxBatchSize?: number | undefined;
  /** The maximum number of calls that a write has under way at a time, 1 … 1,000. Default 1. */
  readonly concurrency?: number | undefined;
  /** How often a failed call is tried again, 0 … 10. Default 2. */
  readonly retries?: number | undefined;
  /** Milliseconds after which a call has failed and its `signal` is aborted, 1 … 2,147,483,647. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds that a query waits for an answer, retries included, 1 … 2,147,483,647. Then it is answered by words alone, with a
   * warning. Default 2,000.
   */
  readonly queryTimeoutMs?: number | undefined;
  /**
   * The maximum length of a text in UTF-16 units, 1 … 100,000,000. Longer ones are cut there, or one unit before where that is the
   * middle of a character, with a warning. Vectors depend on it, so change the `id` with it. Default: no text is cut.
   */
  readonly maxTextLength?: number | undefined;
  /** True: `embed` gets the tokens of a query, with each code as one unbroken word (static-en). Default false: the typed text. */
  readonly wordsOnly?: boolean | undefined;
  /**
   * True for a word, in lower case, that the model knows as it is. When a query has a vector, such a word is not corrected as
   * a typing error, even if no record contains it: "couch" does not become "pouch". A word that few records contain is corrected
   * only if the model does not know it. Called after the query was embedded. Default, without `meaningOf` either: the words of
   * static-en, if its table is there and the analyzer is `"english"`; else no word is known, and rare words stay.
   */
  readonly knows?: ((word: string) => boolean) | undefined;
  /**
   * The meaning of a word, in lower case; null: the model does not know it. With this function and `embedParts`, a known word is
   * corrected if no word of the records is near to it. Called after the query was embedded, so it must be fast and a pure function of
   * the word. Default: a known word is never corrected.
   */
  readonly meaningOf?: ((word: string) => WordMeaning | null) | undefined;
  /**
   * The vector of a query with synonyms or out-of-vocabulary words. `parts` are the parts of the query in order, each with its
   * alternatives, its own text first: `[["hoover", "vacuum cleaner"], ["bags"]]`; each code is one unbroken word. Called
   * instead of `embed` when a part has synonyms. Called again when no record contains some of the words: static-en then adds
   * similar words that records do contain. Default: the typed text goes to `embed`.
   */
  readonly embedParts?:
    | ((parts: readonly (readonly string[])[], options: EmbedPartsOptions) => Promise<EmbeddedVector>)
    | undefined;
  /** One vector (or null) per text, in the order of the texts. Never called with a blank text. Vectors compare by cosine. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly EmbeddedVector[]>;
}

/** What an embedder of the caller's has where it says nothing else. */
export const EMBEDDER_DEFAULTS: Readonly<
  Record<"maxBatchSize" | "concurrency" | "retries" | "timeoutMs" | "queryTimeoutMs", number>
> = Object.freeze({
  maxBatchSize: 256,
  concurrency: 1,
  retries: 2,
  timeoutMs: 60_000,
  queryTimeoutMs: 2000,
});

const localEmbedders = new WeakSet<Embedder>();

/** Marks an embedder that computes in this process: it is waited for without a time limit, and nothing of it is remembered. */
export function asLocal(embedder: Embedder): Embedder {
  localEmbedders.add(embedder);
  return embedder;
}

/** True for an embedder that was marked by {@link asLocal}. */
export function isLocal(embedder: Embedder): boolean {
  return localEmbedders.has(embedder);
}

/** Milliseconds that a query waits for an answer of the embedder; undefined: without a limit. */
export function queryTimeoutOf(embedder: Embedder): number | undefined {
  return isLocal(embedder) ? undefined : (embedder.queryTimeoutMs ?? EMBEDDER_DEFAULTS.queryTimeoutMs);
}

/**
 * The codes of all warnings. They are stable strings to switch on; docs/errors.md says when each is given.
 *
 * - `unknown_parameter`, `unknown_setting`, `unknown_option`: a name that was ignored (an error with `strict`);
 * - `unknown_attribute`: no record has an attribute that a parameter or a setting names;
 * - `boosts_left_out`: the rules that hold for a query bring more boosts than can be in force together;
 * - `numbers_as_text`: an attribute holds only texts that read as numbers, so no range finds them;
 * - `values_of_another_kind`: a query compares an attribute with a number, a date, true or false, and none of its values is one;
 * - `no_title`: no attribute of an index has the name of a title, so titles have no part in its order;
 * - `change_left_out`: what was changed while all records were replaced does not fit the new ones;
 * - `field_truncated`: a text was longer than a limit, and the rest of it is stored but not searched;
 * - `text_truncated`: a text was longer than the embedder's `maxTextLength`, and the rest of it has no part in the vector;
 * - `embedder_failed`: a query was answered by words alone, or its `semanticFloor` could not be learned;
 * - `embedder_missing`: an index was made without an embedder, because the word table of a built-in one is not there;
 * - `language_limited`: an index was made in a language that has no rules, or that no built-in embedder knows;
 * - `graph_unavailable`: vectors are scanned exactly because the neighbour graph cannot be used;
 * - `storage_failed`, `storage_full`: work on the data folder in the background failed, and no call did;
 * - `storage_restored`: the files of the folder that a reader follows were replaced, and it shows what is there now.
 */
export type WarningCode =
  | "unknown_parameter"
  | "unknown_setting"
  | "unknown_option"
  | "field_truncated"
  | "unknown_attribute"
  | "boosts_left_out"
  | "numbers_as_text"
  | "values_of_another_kind"
  | "no_title"
  | "change_left_out"
  | "facets_truncated"
  | "text_truncated"
  | "embedder_failed"
  | "embedder_missing"
  | "language_limited"
  | "graph_unavailable"
  | "storage_failed"
  | "storage_full"
  | "storage_restored";

/** A problem that does not stop a call. */
export interface SearchWarning {
  readonly code: WarningCode;
  readonly message: string;
  /** The parameter, setting or attribute it is about. */
  readonly param?: string;
  /** The index it is about; absent: the engine. */
  readonly indexName?: string;
  /** What made it fail, such as the error that an embedder threw. */
  readonly cause?: unknown;
}

/**
 * Passes a warning on. `isFromOutside`: it comes from a request that someone outside may send as often as they like, so it never
 * becomes a warning of the process.
 */
export type Warn = (warning: SearchWarning, isFromOutside?: boolean) => void;

/** The warning for work in the background that the disk made fail: `storage_full` when there is no room, else `storage_failed`. */
export function storageWarning(message: string, cause: unknown): SearchWarning {
  const isFull = cause instanceof SearchError && cause.error === "storage_full";
  return { code: isFull ? "storage_full" : "storage_failed", message, cause };
}

/** Receives each warning (`onWarning` of an engine). Whatever it throws is ignored. */
export type WarningHandler = (warning: SearchWarning) => void;
