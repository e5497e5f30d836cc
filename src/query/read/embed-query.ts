// The vector of a query: the caller's, or the embedding of its text, its synonyms and words similar to those that no record
// holds. If the embedder fails, the query is answered by words alone, with a warning.

import { withoutNegations } from "../../analysis/negations.js";
import type { ReadQuery } from "../../analysis/parse-query.js";
import { cutText, embedParts, embedTexts } from "../../embedding/embed-texts.js";
import { tableOfId } from "../../input/extensions.js";
import type { CheckedParams } from "../../input/read-params.js";
import { vocabularyOf } from "../../inverted/vocabulary.js";
import type { BoundedVersion } from "../../state/bounded-snapshot.js";
import { SearchError } from "../../util/errors.js";
import {
  type Embedder,
  type EmbedPartsOptions,
  queryTimeoutOf,
  type SearchWarning,
  type WordMeaning,
} from "../../util/extension-points.js";
import { has } from "../../util/json.js";
import { beginTask, runTask, throwIfAborted } from "../../util/tasks.js";
import type { UnitVector } from "../../vectors/unit-vector.js";
import type { PreparedQuery } from "../prepare/prepare-query.js";
import { isIndexedWord, outOfVocabularyWords } from "../prepare/rewrite-terms.js";
import { semanticWeightOf } from "../rank/fuse.js";

/** What a query waits for its embedder with, and how it is warned. */
interface EmbedContext {
  readonly warn: (warning: SearchWarning) => void;
  readonly whileThere: <T>(wait: (stop: AbortSignal) => Promise<T>) => Promise<T>;
}

/** A query's vector and what it was made of. */
export interface EmbeddedQuery {
  /** null: vectors are not searched. */
  readonly vector: UnitVector | null;
  /** The embedded parts of the text, each with its synonyms; undefined: nothing was embedded. */
  readonly parts: readonly (readonly string[])[] | undefined;
}

/** The vector of a query's text, before any record is looked at. */
export async function queryVector(
  { vector, semanticWeight }: CheckedParams,
  { read, blank, settings }: { readonly read: ReadQuery; readonly blank: boolean } & Pick<BoundedVersion, "settings">,
  { warn, whileThere }: EmbedContext,
): Promise<EmbeddedQuery> {
  if (vector !== undefined) return { vector, parts: undefined };
  const { embedder, effective } = settings;
  const nothing: EmbeddedQuery = { vector: null, parts: undefined };
  if (embedder === undefined || blank || (semanticWeight ?? semanticWeightOf(effective.fusion)) === 0) return nothing;
  const text = embedder.wordsOnly === true ? read.wordsText : read.hasWords ? read.plainText : "";
  if (text.trim() === "") return nothing;
  return whileThere(async (signal) => {
    // Where it stands in for the single words of another model.
    if (settings.wordModel !== embedder) await readWordTable(settings.wordModel, signal);
    const synonymous = await readSynonyms(embedder, read, settings.language, signal);
    const partsOptions = synonymous === undefined ? undefined : { outOfVocabulary: [], isHeld: () => false };
    const parts = synonymous ?? [[text]];
    const message = "The query was answered in words alone";
    return { vector: await embed(embedder, parts, { partsOptions, message, signal, warn }), parts };
  });
}

/** Reads the word table of a built-in embedder, if single words are looked up in it. Without it, no word is known. */
export async function readWordTable(wordModel: Embedder | undefined, signal: AbortSignal): Promise<void> {
  if (wordModel === undefined || tableOfId(wordModel.id) === undefined) return;
  try {
    await wordModel.embed([], { purpose: "query", signal });
  } catch (cause) {
    throwIfAborted(signal);
    // Typing errors are then judged as with a model that knows no words.
    if (!(cause instanceof SearchError)) throw cause;
  }
}

/** A query's vector with similar words. */
interface LeaningVector extends Pick<EmbeddedQuery, "vector"> {
  /** The embedder knows words of the query that no record holds, and records hold no word that is near to one of them. */
  readonly isFar: boolean;
}

/** The cosine of words near in meaning, in steps of 1/256: "soup" and "broth" have 0.48, names of people and things at most 0.45. */
const NEAR_WORDS = 0.45;
const NEARNESS_STEPS = 256;

/** The query's vector; where no record holds a word that the embedder knows, the words most similar to it are added. */
export async function addSimilarWords(
  { semanticWeight }: CheckedParams,
  {
    embedded,
    prepared,
    version,
  }: {
    readonly embedded: EmbeddedQuery;
    readonly prepared: Pick<PreparedQuery, "terms" | "searcher">;
    readonly version: Pick<BoundedVersion, "settings">;
  },
  { warn, whileThere }: EmbedContext,
): Promise<LeaningVector> {
  const { vector, parts } = embedded;
  const { embedder, effective, language } = version.settings;
  const asItIs: LeaningVector = { vector, isFar: false };
  if (vector === null || parts === undefined || embedder?.embedParts === undefined) return asItIs;
  // With meaning alone, no lexical score balances the added words: five for one word would outweigh the rest of the query.
  if ((semanticWeight ?? semanticWeightOf(effective.fusion)) === 1) return asItIs;
  const vocabulary = vocabularyOf(prepared.searcher);
  const outOfVocabulary = await runTask(outOfVocabularyWords(prepared.terms, vocabulary));
  if (outOfVocabulary.length === 0) return asItIs;
  /** The words that the embedder asked for and that records hold. */
  const held = new Set<string>();
  const seen = (word: string, isHeld: boolean): boolean => {
    if (isHeld) held.add(word);
    return isHeld;
  };
  const partsOptions = {
    outOfVocabulary,
    isHeld: (word: string): boolean | Promise<boolean> => {
      const answer = beginTask(isIndexedWord(word, language.words, vocabulary), undefined, Number.POSITIVE_INFINITY);
      return typeof answer === "boolean" ? seen(word, answer) : answer.then((isHeld) => seen(word, isHeld));
    },
  };
  const message = "No similar words were added for words that no record contains";
  const leaning = await whileThere((signal) => embed(embedder, parts, { partsOptions, message, signal, warn }));
  if (leaning === null) return asItIs;
  return { vector: leaning, isFar: embedder.meaningOf !== undefined && !areNear(embedder, outOfVocabulary, held) };
}

/** Whether some words of a query are near in meaning to words that records hold. */
function areNear(embedder: Embedder, outOfVocabulary: readonly string[], held: ReadonlySet<string>): boolean {
  const others = [...held].map((word) => embedder.meaningOf?.(word) ?? null);
  return outOfVocabulary.some((word) => {
    const own = embedder.meaningOf?.(word) ?? null;
    const isNear = (other: WordMeaning | null): boolean =>
      own !== null &&
      other !== null &&
      Math.round(own.nearnessTo(other) * NEARNESS_STEPS) >= NEAR_WORDS * NEARNESS_STEPS;
    return others.some(isNear);
  });
}

/** The parts of the query with their synonyms; undefined: the embedder takes none, or an own analyzer's terms are no words. */
async function readSynonyms(
  { embedParts }: Embedder,
  { tokens }: ReadQuery,
  language: BoundedVersion["settings"]["language"],
  signal: AbortSignal,
): Promise<readonly (readonly string[])[] | undefined> {
  if (embedParts === undefined || has(language.words, "analyze")) return undefined;
  return (await runTask(language.forQueries(), signal)).synonyms.texts(withoutNegations(tokens, language.words));
}

/** Calls `embedParts` if there are options for it, else `embed`. */
async function embed(
  embedder: Embedder,
  parts: readonly (readonly string[])[],
  {
    partsOptions,
    message,
    signal,
    warn,
  }: Pick<EmbedContext, "warn"> & {
    readonly signal: AbortSignal;
    readonly partsOptions: Pick<EmbedPartsOptions, "outOfVocabulary" | "isHeld"> | undefined;
    readonly message: string;
  },
): Promise<UnitVector | null> {
  const withinMs = queryTimeoutOf(embedder);
  try {
    if (partsOptions !== undefined) return await embedParts(embedder, parts, partsOptions, { signal, withinMs });
    const text = parts.map(([own]) => own!).join(" ");
    warnIfCut(embedder, text, warn);
    const [embedded] = await embedTexts(embedder, { texts: [text], purpose: "query", signal, withinMs });
    return embedded ?? null;
  } catch (cause) {
    if (cause instanceof SearchError && cause.code === 499) throw cause;
    warn({ code: "embedder_failed", message: `${message}: ${(cause as Error).message}`, param: "embedder", cause });
    return null;
  }
}

function warnIfCut(embedder: Embedder, text: string, warn: EmbedContext["warn"]): void {
  const { length } = cutText(embedder, text);
  if (length === text.length) return;
  const message = `The query has ${text.length} UTF-16 units, and the embedder takes ${length} (maxTextLength); the rest is searched by words alone.`;
  warn({ code: "text_truncated", message, param: "query" });
}
