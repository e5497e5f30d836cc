// The words of titles: how similar they are to the words of queries, how rare they are among the titles of live records, and
// which term of each segment they are. Similarities and word numbers are kept per embedder, so a write asks it nothing again;
// term counts are kept per segment; idfs belong to one corpus.

import { isWord, stemOf, WORD_MARK, writtenForm } from "../../analysis/term-marks.js";
import type { DocSet } from "../../util/doc-set.js";
import type { Embedder, WordMeaning } from "../../util/extension-points.js";
import { GrowableUint32, type NarrowArray } from "../../util/growable.js";
import type { Task } from "../../util/tasks.js";
import { idf } from "../bm25.js";
import type { Postings } from "../postings.js";
import { isFirstOfPart, loadTitles, readTitle, type TitleTable, titleNumber, titleReader } from "./title-table.js";

/** The index term is a code, a number, or another term that is no word. */
export const NO_WORD = -1;

/** Knows how similar words are. */
export type WordEmbeddings = Pick<Embedder, "meaningOf">;

/** The maximum number of title words that are cached for an embedder: about 5 MB. */
const MAX_WORDS = 1 << 15;
/** The maximum number of query words whose similarities are cached: 4 MB at most. */
const MAX_ROWS = 64;
/** The words after one of these say what a product goes with, not what it is. */
const MODIFIER_BOUNDARIES = new Set(["for", "compatible", "suitable", "fit", "fits"]);
/** Similarities are multiples of 1/256, so the last bits of a cosine, which differ between machines, change no answer. */
const SIMILARITY_STEPS = 256;
const NOT_COMPARED = 0;
const MIN_CAPACITY = 256;
const NO_SIMILARITIES = new Uint16Array(0);

/** The word number in an entry of `WordCache.entryOf`. */
export function wordNumber(entry: number): number {
  return (entry >> 1) - 1;
}

/** Whether the words after this one are modifiers. */
export function isModifierBoundary(entry: number): boolean {
  return (entry & 1) === 1;
}

/** The similarities of one query word to the words of titles, by word number; each is computed when it is first needed. */
export class SimilarityRow {
  private readonly meaning: WordMeaning;
  /** The similarity in steps, plus 1; 0: not compared yet. */
  private steps: Uint16Array;

  /** `buffer`: an array to reuse; its content is cleared. */
  constructor(meaning: WordMeaning, buffer: Uint16Array = NO_SIMILARITIES) {
    this.meaning = meaning;
    this.steps = buffer.fill(NOT_COMPARED);
  }

  /** Returns the array for reuse. The row stays usable: it compares again. */
  release(): Uint16Array {
    const { steps } = this;
    this.steps = NO_SIMILARITIES;
    return steps;
  }

  /** The similarity to one word, 0 … 1; `meanings` are those of all words. */
  similarityTo(word: number, meanings: readonly (WordMeaning | null)[]): number {
    const steps = this.steps[word] ?? NOT_COMPARED;
    return ((steps === NOT_COMPARED ? this.compare(word, meanings) : steps) - 1) / SIMILARITY_STEPS;
  }

  /** The greatest similarity to the first `size` words; 0 if there are none. */
  maxSimilarityTo(words: ArrayLike<number>, size: number, meanings: readonly (WordMeaning | null)[]): number {
    let greatest = 1;
    for (let i = 0; i < size && greatest <= SIMILARITY_STEPS; i++) {
      const word = words[i]!;
      const known = word < this.steps.length ? this.steps[word]! : NOT_COMPARED;
      const steps = known === NOT_COMPARED ? this.compare(word, meanings) : known;
      if (steps > greatest) greatest = steps;
    }
    return (greatest - 1) / SIMILARITY_STEPS;
  }

  private compare(word: number, meanings: readonly (WordMeaning | null)[]): number {
    if (word >= this.steps.length) this.grow(Math.max(MIN_CAPACITY, word + 1, meanings.length));
    const other = meanings[word]!;
    const similarity = other === null ? 0 : this.meaning.nearnessTo(other);
    // NaN counts as 0.
    const steps = similarity > 0 ? Math.min(SIMILARITY_STEPS, Math.round(similarity * SIMILARITY_STEPS)) : 0;
    this.steps[word] = 1 + steps;
    return 1 + steps;
  }

  private grow(least: number): void {
    const steps = new Uint16Array(Math.max(least, 2 * this.steps.length));
    steps.set(this.steps);
    this.steps = steps;
  }
}

const wordCaches = new WeakMap<WordEmbeddings, WordCache>();

/** The word cache of an embedder. */
export function wordCacheOf(embeddings: WordEmbeddings): WordCache {
  let cache = wordCaches.get(embeddings);
  if (cache === undefined) {
    cache = new WordCache(embeddings);
    wordCaches.set(embeddings, cache);
  }
  return cache;
}

/** Numbers for the words of titles, with their meanings to one embedder. All are dropped together when there are too many. */
export class WordCache {
  /** By word number; null: the embedder does not know the word. */
  readonly meanings: (WordMeaning | null)[] = [];
  /** Increases when all words and rows are dropped. */
  generation = 0;
  private readonly embeddings: WordEmbeddings;
  /** By word number: the index term. */
  private readonly terms: string[] = [];
  private readonly entryOfTerm = new Map<string, number>();
  private readonly rows = new Map<string, SimilarityRow>();

  constructor(embeddings: WordEmbeddings) {
    this.embeddings = embeddings;
  }

  /** Drops everything when the cache is full. To be called before a title is read, so that its words stay while it is. */
  makeRoom(): void {
    if (this.terms.length < MAX_WORDS) return;
    this.terms.length = 0;
    this.meanings.length = 0;
    this.entryOfTerm.clear();
    this.rows.clear();
    this.generation++;
  }

  /** The similarities of a query word; null: the embedder does not know it. */
  rowOf(word: string): SimilarityRow | null {
    const known = this.rows.get(word);
    if (known !== undefined) return known;
    const meaning = this.meaningOf(word);
    if (meaning === null) return null;
    const row = new SimilarityRow(meaning, this.reuseOldestRow());
    this.rows.set(word, row);
    return row;
  }

  /** Drops the oldest row of a full cache and returns its array: clearing one is cheaper than allocating one per query word. */
  private reuseOldestRow(): Uint16Array | undefined {
    if (this.rows.size < MAX_ROWS) return undefined;
    const [oldest] = this.rows.keys();
    const buffer = this.rows.get(oldest!)!.release();
    this.rows.delete(oldest!);
    return buffer;
  }

  /** The entry of an index term, which `wordNumber` and `isModifierBoundary` read; NO_WORD: it is no word. */
  entryOf(term: string): number {
    const stem = stemOf(term);
    const word = term === stem ? term : term.slice(stem.length + 2);
    if (!isWord(word)) return NO_WORD;
    const known = this.entryOfTerm.get(term);
    if (known !== undefined) return known;
    const meaning = this.meaningOf(word);
    const number = this.terms.push(term) - 1;
    this.meanings.push(meaning);
    const entry = ((number + 1) << 1) | (MODIFIER_BOUNDARIES.has(word) ? 1 : 0);
    this.entryOfTerm.set(term, entry);
    return entry;
  }

  /** The index term of a word number. */
  termOf(word: number): string {
    return this.terms[word]!;
  }

  private meaningOf(word: string): WordMeaning | null {
    return this.embeddings.meaningOf?.(word) ?? null;
  }
}

const UNREAD = 0;
const UNKNOWN = 0;
const ABSENT = -1;

/** Maps the title terms of one segment to the word numbers of a cache, and back. */
export class WordOrdinalMap {
  readonly words: WordCache;
  readonly generation: number;
  private readonly postings: Postings;
  /** By title term: the entry of its word, UNREAD or NO_WORD. */
  private readonly entries: Int32Array;
  /** By term: its number as a title term, plus 1; 0: no title holds it. */
  private readonly titleTerms: Uint32Array;
  /** By word number: the same, UNKNOWN or ABSENT. */
  private found = new Int32Array(0);

  constructor(words: WordCache, postings: Postings) {
    this.words = words;
    this.generation = words.generation;
    this.postings = postings;
    const { terms } = postings.titles;
    this.entries = new Int32Array(terms.length);
    this.titleTerms = new Uint32Array(postings.dictionary.size);
    for (let number = 0; number < terms.length; number++) this.titleTerms[terms[number]!] = number + 1;
  }

  get bytes(): number {
    return this.entries.byteLength + this.titleTerms.byteLength + this.found.byteLength;
  }

  /** The entry of the word that a title term is; NO_WORD: it is no word. */
  entryOf(titleTerm: number): number {
    const known = this.entries[titleTerm]!;
    if (known !== UNREAD) return known;
    const { dictionary, titles } = this.postings;
    const entry = this.words.entryOf(dictionary.termAt(titles.terms[titleTerm]!));
    this.entries[titleTerm] = entry;
    return entry;
  }

  /** The title term that a word is here; -1: no title holds it. */
  titleTermOf(word: number): number {
    if (word >= this.found.length) this.grow(word + 1);
    let number = this.found[word]!;
    if (number === UNKNOWN) {
      const term = this.postings.dictionary.ordinalOf(this.words.termOf(word));
      number = (term === undefined ? 0 : this.titleTerms[term]!) || ABSENT;
      this.found[word] = number;
    }
    return number === ABSENT ? -1 : number - 1;
  }

  private grow(least: number): void {
    const found = new Int32Array(Math.max(least, 2 * this.found.length));
    found.set(this.found);
    this.found = found;
  }
}

/** A term of a segment that is a word other than its stem. */
interface SurfaceForm {
  readonly term: number;
  readonly written: string;
}

/** The terms of a segment that an index term of the query matches: the same term, and the surface forms if it is a stem. */
interface MatchedTerms {
  readonly own: number | undefined;
  readonly surfaceForms: readonly SurfaceForm[];
}

/**
 * The number of query terms that are cached for a segment, 200 bytes each: 1024 or an eighth of its terms, whichever is
 * greater.
 */
const MIN_MATCHED_TERMS = 1024;
const MATCHED_TERMS_SHARE = 1 / 8;
/** Words of a query may be longer, but hardly words of titles. */
const MAX_CACHED_LENGTH = 64;
/** Titles counted between two pauses. */
const PAUSE_EVERY = 1 << 12;

/** What queries need of the titles of one segment again and again: the last ordinal map, the last counts, and some terms. */
export class TitleCache {
  private readonly postings: Postings;
  private map: WordOrdinalMap | undefined;
  private live: { readonly deletedDocs: DocSet; readonly counts: Uint32Array } | undefined;
  private readonly matched = new Map<string, MatchedTerms>();

  constructor(postings: Postings) {
    this.postings = postings;
  }

  /** The memory of the counts and the ordinal map; 0 before they are built. */
  get bytes(): number {
    return (this.live?.counts.byteLength ?? 0) + (this.map?.bytes ?? 0);
  }

  /** The ordinal map for a word cache: valid until the cache drops its words. */
  ordinalMapFor(words: WordCache): WordOrdinalMap {
    if (this.map?.words !== words || this.map.generation !== words.generation)
      this.map = new WordOrdinalMap(words, this.postings);
    return this.map;
  }

  /** By title term: how many titles of live records hold it. The array never changes afterwards. */
  *liveCounts(deletedDocs: DocSet | null): Task<NarrowArray> {
    const { titles } = this.postings;
    if (deletedDocs === null) return titles.docFreqs;
    const last = this.live;
    if (last?.deletedDocs === deletedDocs) return last.counts;
    // A deleted record stays deleted, so only a query of an older snapshot finds fewer deleted records than the last one.
    const before = last !== undefined && includes(deletedDocs, last.deletedDocs) ? last : undefined;
    const deleted = before === undefined ? deletedDocs : deletedDocs.copy().andNot(before.deletedDocs);
    const counts = Uint32Array.from(before?.counts ?? titles.docFreqs);
    yield* subtractTitles(titles, deleted.toArray(), counts);
    this.live = { deletedDocs, counts };
    return counts;
  }

  /** The terms that an index term of the query matches. */
  termsOf(text: string): MatchedTerms {
    const { dictionary } = this.postings;
    let terms = this.matched.get(text);
    if (terms === undefined) {
      if (this.matched.size >= Math.max(MIN_MATCHED_TERMS, MATCHED_TERMS_SHARE * dictionary.size)) this.matched.clear();
      terms = { own: dictionary.ordinalOf(text), surfaceForms: this.surfaceFormsOf(text) };
      if (text.length <= MAX_CACHED_LENGTH) this.matched.set(text, terms);
    }
    return terms;
  }

  private surfaceFormsOf(stem: string): SurfaceForm[] {
    const { dictionary } = this.postings;
    const forms: SurfaceForm[] = [];
    const prefix = WORD_MARK + stem + WORD_MARK;
    for (let term = dictionary.firstFrom(prefix); term < dictionary.size && dictionary.beginsWith(term, prefix); term++)
      if (stemOf(dictionary.termAt(term)) === stem) forms.push({ term, written: writtenForm(dictionary.termAt(term)) });
    return forms;
  }
}

function includes(all: DocSet, some: DocSet): boolean {
  return some.words.every((word, i) => (word & ~all.words[i]!) === 0);
}

/** Subtracts the titles of some records from the counts. */
function* subtractTitles(titles: TitleTable, docs: Uint32Array, counts: Uint32Array): Task<void> {
  yield* loadTitles([titles]);
  const reader = titleReader(titles);
  const entries = new GrowableUint32();
  for (const [i, doc] of docs.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    readTitle(reader, doc, entries);
    const counted = new Set<number>();
    for (let at = 0; at < entries.length; at++) {
      const entry = entries.array[at]!;
      if (isFirstOfPart(entry)) counted.add(titleNumber(entry));
    }
    for (const number of counted) counts[number]!--;
  }
}

/** The title words of one corpus, by the numbers of the embedder's word cache. */
export class TitleWords {
  /** Whether there are word embeddings. */
  readonly hasEmbeddings: boolean;
  private readonly segments: readonly TitleCache[];
  /** By segment: the live counts. */
  private readonly counts: readonly NarrowArray[];
  private readonly docCount: number;
  private readonly words: WordCache | null;
  /** Valid for one generation of the word cache: by word number, NaN where not computed; and by segment. */
  private idfs = new Float64Array(0);
  private maps: WordOrdinalMap[] = [];
  private known = -1;

  /** `docCount`: the number of live records. */
  constructor(
    segments: readonly TitleCache[],
    counts: readonly NarrowArray[],
    docCount: number,
    embeddings: WordEmbeddings | null,
  ) {
    this.segments = segments;
    this.counts = counts;
    this.docCount = docCount;
    this.hasEmbeddings = embeddings !== null;
    this.words = embeddings === null ? null : wordCacheOf(embeddings);
  }

  /** Increases when all word numbers and rows become invalid. */
  get generation(): number {
    return this.words?.generation ?? 0;
  }

  /** By word number; null: the embedder does not know the word. */
  get meanings(): readonly (WordMeaning | null)[] {
    return this.words?.meanings ?? [];
  }

  /** To be called before a title is read, so that its words stay while it is. */
  makeRoom(): void {
    const { words } = this;
    if (words === null) return;
    words.makeRoom();
    if (this.known === words.generation) return;
    this.known = words.generation;
    this.idfs = new Float64Array(0);
    this.maps = this.segments.map((titles) => titles.ordinalMapFor(words));
  }

  /** The similarities of a query word; null: the embedder does not know it. */
  rowOf(word: string): SimilarityRow | null {
    return this.words?.rowOf(word) ?? null;
  }

  /** The entry of the word that a title term of a segment is; NO_WORD: it is no word. */
  entryOf(segment: number, titleTerm: number): number {
    return this.maps[segment]?.entryOf(titleTerm) ?? NO_WORD;
  }

  /**
   * A word's idf over titles, ln(1 + (N - tdf + 0.5) / (tdf + 0.5)), N live records, tdf of them with the word in the title.
   */
  idfOf(word: number): number {
    if (word >= this.idfs.length) this.grow(word + 1);
    let value = this.idfs[word]!;
    if (Number.isNaN(value)) {
      value = idf(this.docCount, this.titlesWith(word));
      this.idfs[word] = value;
    }
    return value;
  }

  private titlesWith(word: number): number {
    let titles = 0;
    for (let i = 0; i < this.maps.length; i++) {
      const term = this.maps[i]!.titleTermOf(word);
      if (term >= 0) titles += this.counts[i]![term]!;
    }
    return titles;
  }

  private grow(least: number): void {
    const idfs = new Float64Array(Math.max(least, 2 * this.idfs.length)).fill(Number.NaN);
    idfs.set(this.idfs);
    this.idfs = idfs;
  }
}
