// The vector of a query: the caller's, or what an embedder makes of its text, its synonyms and the words that no record holds.
// A failing embedder leaves a query to its words, with a warning.

import type { ReadQuery } from "../analysis/parse-query.js";
import { embedTexts } from "../embedding/embed-texts.js";
import type { IndexVersion } from "../index/index-data.js";
import { vocabularyOf } from "../inverted/weighted-query.js";
import { has } from "../util/checks.js";
import { SearchError } from "../util/errors.js";
import type { Embedder, EmbedPartsOptions, SearchWarning } from "../util/extension-points.js";
import { runTask } from "../util/tasks.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import type { CheckedParams } from "./check-params.js";
import { semanticWeightOf } from "./fusion-method.js";
import type { PreparedQuery } from "./prepare-query.js";
import { isIndexedWord, outOfVocabularyWords } from "./rewrite-query.js";

/** Who waits for a vector. */
export interface VectorContext {
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
}

/** What a query's vector is made of. */
export interface EmbeddedQuery {
  /** null: the query has no meaning leg. */
  readonly vector: UnitVector | null;
  /** What the embedder read, each part with its synonyms; undefined: it read nothing. */
  readonly parts: readonly (readonly string[])[] | undefined;
}

/** A query as it was read, and the settings that it was read by. */
export interface ParsedQuery extends Pick<IndexVersion, "settings" | "language"> {
  readonly read: ReadQuery;
  readonly blank: boolean;
}

/** A query that was embedded, and then compared with the words of the records. */
export interface EmbeddedAndPrepared {
  readonly embedded: EmbeddedQuery;
  readonly prepared: Pick<PreparedQuery, "terms" | "corpus">;
  readonly version: Pick<IndexVersion, "settings" | "language">;
}

/** The vector of a query as it is written, before any record is looked at. */
export async function queryVector(
  { vector, semanticWeight }: CheckedParams,
  { read, blank, settings, language }: ParsedQuery,
  context: VectorContext,
): Promise<EmbeddedQuery> {
  if (vector !== undefined) return { vector, parts: undefined };
  const { embedder, effective } = settings;
  const nothing: EmbeddedQuery = { vector: null, parts: undefined };
  if (embedder === undefined || blank || (semanticWeight ?? semanticWeightOf(effective.fusion)) === 0) return nothing;
  const text = embedder.wordsOnly === true ? read.wordsText : read.hasWords ? read.plainText : "";
  if (text.trim() === "") return nothing;
  const synonymous = await readSynonyms(embedder, read, language, context);
  const asked = synonymous === undefined ? undefined : { unheld: [], isHeld: () => false };
  const parts = synonymous ?? [[text]];
  const message = "The embedder failed, so the query was answered in words alone.";
  return { vector: await embed(embedder, parts, { asked, message, ...context }), parts };
}

/** The same vector, or another where the embedder has more to say of words that no record holds. */
export async function addSimilarWords(
  { semanticWeight }: CheckedParams,
  { embedded, prepared, version }: EmbeddedAndPrepared,
  context: VectorContext,
): Promise<UnitVector | null> {
  const { vector, parts } = embedded;
  const { settings, language } = version;
  const { embedder, effective } = settings;
  if (vector === null || parts === undefined || embedder?.embedParts === undefined) return vector;
  // Where meaning is all that counts, nothing speaks for the other words, and one that leans on five outweighs them.
  if ((semanticWeight ?? semanticWeightOf(effective.fusion)) === 1) return vector;
  const vocabulary = vocabularyOf(prepared.corpus);
  const unheld = outOfVocabularyWords(prepared.terms, vocabulary);
  if (unheld.length === 0) return vector;
  const asked = { unheld, isHeld: (word: string) => isIndexedWord(word, language.words, vocabulary) };
  const message = "The embedder failed, so words that no record holds lean on no others.";
  return (await embed(embedder, parts, { asked, message, ...context })) ?? vector;
}

/** Terms of a user's analyzer are no words for an embedder. */
async function readSynonyms(
  { embedParts }: Embedder,
  { tokens }: ReadQuery,
  language: IndexVersion["language"],
  { signal }: VectorContext,
): Promise<readonly (readonly string[])[] | undefined> {
  if (embedParts === undefined || has(language.words, "analyze")) return undefined;
  return (await runTask(language.forQueries(), signal)).synonyms.texts(tokens);
}

/** By `embedParts` where something is asked of it, else by `embed`. */
async function embed(
  embedder: Embedder,
  parts: readonly (readonly string[])[],
  {
    asked,
    message,
    signal,
    warn,
  }: VectorContext & { readonly asked: EmbedPartsOptions | undefined; readonly message: string },
): Promise<UnitVector | null> {
  const options = { ...asked!, ...(signal === undefined ? {} : { signal }) };
  const one: Embedder =
    asked === undefined ? embedder : { ...embedder, embed: async () => [await embedder.embedParts!(parts, options)] };
  try {
    const texts = [parts.map(([own]) => own!).join(" ")];
    const [embedded] = await embedTexts(one, { texts, purpose: "query", signal });
    return embedded ?? null;
  } catch (cause) {
    if (cause instanceof SearchError && cause.code === 499) throw cause;
    warn({ code: "embedder_failed", message, param: "embedder", cause });
    return null;
  }
}
