// What rewriting a query depends on, and the question that all of its acts ask: whether a live record holds a term.

import type { QueryToken } from "../../analysis/parse-query.js";
import type { QueryTerm } from "../../analysis/query-term.js";
import type { SynonymTable } from "../../analysis/synonyms.js";
import type { WordForms } from "../../analysis/word-forms.js";
import { HELD, type Vocabulary } from "../../inverted/vocabulary.js";
import type { Analyzer } from "../../util/extension-points.js";
import type { Task } from "../../util/tasks.js";

/** Which words are known besides those of the records. */
export interface ExtraWords {
  /** Whether the embedder knows a word and vectors are searched: such a word is neither a typo nor a prefix. */
  readonly isKnownToEmbedder: (word: string) => boolean;
  /** Whether the embedder knows a word; null: it was not asked for the query, or does not say which words it knows. */
  readonly isWord: ((word: string) => boolean) | null;
  /** Whether the word table of the language has a word; it may be a part of a compound. */
  readonly isInDictionary: (word: string) => boolean;
}

/** What rewriting a query depends on. */
export interface RewriteRules extends ExtraWords {
  readonly words: WordForms | Analyzer;
  readonly synonyms: SynonymTable;
  readonly vocabulary: Vocabulary;
  readonly queryType: "prefixAuto" | "prefixLast" | "prefixAll" | "prefixNone";
  readonly typoTolerance: boolean;
  /** Keys of words whose typos are not corrected. */
  readonly exactWords: ReadonlySet<string>;
  /** Fields in which corrected words do not count. */
  readonly exactFields: ReadonlySet<string>;
  /** Keys of words that a hit need not have. */
  readonly optionalWords: ReadonlySet<string>;
  /** The maximum number of distinct terms. */
  readonly maxTerms: number;
  /** Whether words that the embedder knows are corrected too: the query finds nothing near. */
  readonly correctsKnown: boolean;
}

/** The same, where words have stems; a user's analyzer has none. */
export type StemmedRules = RewriteRules & { readonly words: WordForms };

/** The same, with what expanding the tokens of one query may still spend. */
export interface ExpansionRules extends StemmedRules {
  /** The sounds that may stand between joined words, "" for none; empty: the language joins no words. */
  readonly links: readonly string[];
  /** How often the whole vocabulary may still be searched, and how many completions taken. */
  readonly left: { corrections: number; completions: number };
}

/** A token and its place in the query. */
export type PlacedToken = QueryToken & { readonly at: number };

/** Longer words are neither joined nor split, because each place takes two stems. */
export const LONGEST_COMPOUND = 32;

/** Whether a live record holds one of the term's alternatives. */
export function isIndexed(term: Pick<QueryTerm, "alternatives">, vocabulary: Vocabulary): Task<boolean> {
  const [first] = term.alternatives;
  const isHeld = first?.terms.length === 1 && vocabulary.has(first.terms[0]!) === HELD;
  return isHeld ? HELD : isAnyIndexed(term, vocabulary);
}

function* isAnyIndexed({ alternatives }: Pick<QueryTerm, "alternatives">, vocabulary: Vocabulary): Task<boolean> {
  for (const { terms } of alternatives)
    if (yield* terms.length === 1 ? vocabulary.has(terms[0]!) : vocabulary.cooccur(terms)) return true;
  return false;
}
