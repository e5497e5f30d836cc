// What queries search by words: the segments of a snapshot, with their postings, their deleted records and the scoring of their
// fields, and the statistics of all of them.

import type { QueryTerm } from "../analysis/query-term.js";
import type { WordForms } from "../analysis/word-forms.js";
import type { LocalDoc } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import type { FieldScoring } from "./bm25.js";
import { ImpactCache } from "./impact-cache.js";
import type { Postings } from "./postings.js";
import { TitleTerms } from "./title/title-table.js";

/** The text of an index, with the statistics that scores depend on. */
export interface TextCorpus {
  readonly segments: readonly SearchableSegment[];
  /** The number of records with deleted ones: all record numbers are below it. */
  readonly maxDoc: number;
  /** The number of live records. */
  readonly docCount: number;
  /** k1 of BM25. */
  readonly k1: number;
  /** The same corpus restricted to some fields, by their names; a limited number of them. No answer depends on it. */
  readonly restricted: Map<string, TextCorpus>;
  /** Where the segments hold some records of an index only: what is known of all of them. */
  readonly whole?: WholeCorpus | undefined;
}

/** The text of an index of which a corpus holds a part. */
export interface WholeCorpus {
  readonly words: WordSource;
  /** How many records hold each term. */
  docFreqs(terms: readonly QueryTerm[]): readonly number[];
  /** Whether some record holds all terms. */
  holdsTogether(terms: readonly QueryTerm[]): boolean;
}

/** The words and terms that live records hold; `Vocabulary` describes the answers. */
export interface WordSource {
  /** The number of live records. */
  readonly docCount: number;
  has(term: string): Task<boolean>;
  count(term: string, most: number): Task<number>;
  countWritten(word: string, words: WordForms, most: number): Task<number>;
  cooccur(terms: readonly string[]): Task<boolean>;
  /** Told of terms of which it may be asked next whether each is held, and whether one record holds all. Absent: no need to tell. */
  foresee?(terms: readonly string[]): void;
  wordsFrom(prefix: string, most: number): Task<readonly string[]>;
  /** The index terms of at most `most` live words that are longer than `word` and end with it, or whose stems do so with its `stem`. */
  wordsTo(word: string, stem: string, most: number): Task<readonly string[]>;
  termsFrom(prefix: string, most: number): Task<readonly string[]>;
  nearest(word: string, most: number, words: WordForms, notIn?: ReadonlySet<string>): Task<readonly string[]>;
  nearestWritten(word: string, most: number, words: WordForms, notIn?: ReadonlySet<string>): Task<readonly string[]>;
  neighbours(word: string, words: WordForms, notIn?: ReadonlySet<string>): Task<readonly string[]>;
}

/** A segment within a snapshot. */
export interface SearchableSegment {
  readonly postings: Postings;
  /** Records that are not there for this corpus: deleted or replaced, or beyond the bounds of who asks; null: none. */
  readonly deletedDocs: DocSet<LocalDoc> | null;
  /** Those that statistics do not count, where these are others: deleted or replaced ones alone. */
  readonly uncountedDocs?: DocSet<LocalDoc> | null;
  /** The number of this segment's first record in the index; add it to a number within the segment. */
  readonly base: number;
  readonly scoring: FieldScoring;
  readonly caches: TextCaches;
}

/** What queries derive from the postings of a segment and keep with it. No answer depends on it. */
export class TextCaches {
  /** Impact lists, bounded by the number of postings. */
  readonly impacts: ImpactCache;
  /** The title terms that queries looked up, a limited number of them. */
  readonly titles: TitleTerms;
  /**
   * The last scoring of the fields. A write that changes no mean length reuses this object, so the impact lists that were read
   * with it stay valid.
   */
  scoring: FieldScoring | undefined = undefined;

  constructor(postings: Postings) {
    this.impacts = new ImpactCache(postings);
    this.titles = new TitleTerms(postings.dictionary);
  }
}
