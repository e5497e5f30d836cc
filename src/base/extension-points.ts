// What a user may replace: how text becomes terms, and how text becomes vectors. Each extension point states its contract.

/** Turns text into the terms that are searched. The same analyzer serves records and queries. */
export interface Analyzer {
  /** Names the analyzer and its version; stored with an index, so that another one is not used by mistake. */
  readonly id: string;
  /**
   * The terms of a text in reading order. Must be a pure function of the text, must not throw, and must give the same terms
   * for a record and for a query. Codes of identifier attributes do not pass through it.
   */
  analyze(text: string): readonly string[];
}

/** Why a text is embedded, and the caller's signal. */
export interface EmbedOptions {
  readonly purpose: "record" | "query";
  readonly signal?: AbortSignal;
}

/** A vector as an embedder may give it; `null`: the text has no vector, and its record takes part in words only. */
export type EmbeddedVector = Float32Array | Float64Array | readonly number[] | null;

/** What a word means to an embedder. */
export interface WordMeaning {
  /** The cosine with another word's meaning by the same embedder; less than 0 counts as 0. */
  nearnessTo(other: WordMeaning): number;
}

/** What is known of a query when its vector is made. */
export interface EmbedPartsOptions {
  /** Words of the query as typed, in lower case, that no record holds and the embedder knows; 8 at most. */
  readonly unheld: readonly string[];
  /** True for a word, in lower case, that some record holds. */
  readonly isHeld: (word: string) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Turns texts into vectors of one length.
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
  /** Names the model and its version. */
  readonly id: string;
  /** Components of every vector, 1 … 4,096. */
  readonly dimensions: number;
  /** Texts of one call at most. Default 256. */
  readonly maxBatchSize?: number;
  /** True: of a query's codes only those known as one whole word are given to it (static-en). Default false. */
  readonly wordsOnly?: boolean;
  /**
   * True for a word, in lower case, that the model knows as it stands. Where the meaning counts, such a word is not taken for
   * a typing error although no record holds it: "couch" is no "pouch". Asked after a query was embedded. Default: none is.
   */
  knows?(word: string): boolean;
  /**
   * What a word, in lower case, means to the model; null: it does not know it. With it a title that says "sofa" answers in
   * part what asked for a "couch". Asked after a query was embedded, for its words and for those of titles, so it must be
   * quick, and a pure function of the word. Default: titles count by the words they hold alone.
   */
  meaningOf?(word: string): WordMeaning | null;
  /**
   * The vector of a query that is more than its words. `parts` are the query in order, each with the texts that may stand for
   * it, its own first: `[["hoover", "vacuum cleaner"], ["bags"]]` by the synonyms of the settings; codes are one unbroken word
   * each. Asked instead of `embed` where a part has synonyms, and again where some of its words no record holds, which may then
   * lean on near words that are held (static-en). Default: the text as it was typed goes to `embed`.
   */
  embedParts?(parts: readonly (readonly string[])[], options: EmbedPartsOptions): Promise<EmbeddedVector>;
  /** One vector (or null) a text, in the order of the texts; never called with an empty or blank text. Compared by angle. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly EmbeddedVector[]>;
}

/**
 * The codes of all warnings. They are stable strings to switch on; docs/errors.md says when each is given.
 *
 * - `unknown_parameter`, `unknown_setting`, `unknown_option`: a name that was ignored (an error with `strict`);
 * - `field_truncated`: a text was longer than a limit, and the rest of it is stored but not searched;
 * - `embedder_failed`: a query was answered by words alone, or its `semanticFloor` could not be learned;
 * - `graph_unavailable`: vectors are scanned exactly because the neighbour graph cannot be used.
 */
export type WarningCode =
  | "unknown_parameter"
  | "unknown_setting"
  | "unknown_option"
  | "field_truncated"
  | "embedder_failed"
  | "graph_unavailable";

/** Something the caller should know although the call goes on. */
export interface SearchWarning {
  readonly code: WarningCode;
  readonly message: string;
  /** The parameter, setting or attribute it is about. */
  readonly param?: string;
  /** What made it fail, such as the error that an embedder threw. */
  readonly cause?: unknown;
}

/** Receives each warning (`onWarning` of an engine). Whatever it throws is ignored. */
export type WarningHandler = (warning: SearchWarning) => void;
