// The words and terms that live records hold, to which queries are corrected or completed. Words that only deleted records hold
// are left out, so no answer depends on deleted records.

import { markedWord, stemOf, writtenForm } from "../analysis/scan-tokens.js";
import type { WordForms } from "../analysis/word-forms.js";
import { joinKeys } from "../util/json.js";
import { KeptKey } from "../util/kept.js";
import { listIn } from "../util/offset-table.js";
import { endedTask, type Task } from "../util/tasks.js";
import { areAllSearched, commonHolders, holdersOf } from "./find-holders.js";
import { listSize } from "./list-codec.js";
import { listOf } from "./postings.js";
import {
  type ComparedWord,
  isSurfaceForm,
  longestWord,
  NearWords,
  termsTo,
  wordsFrom,
  wordsOfLength,
} from "./spelling-dictionary.js";
import type { SearchableSegment, TextSearcher } from "./text-searcher.js";

const PAUSE_EVERY = 256;
/** Words of which the beginnings are compared between two pauses. */
const PAUSE_EVERY_WORD = 1 << 10;
const NO_FIELDS: ReadonlySet<string> = new Set();
/** The maximum number of terms in the cached corrections and completions; with more, the cache is cleared. */
const MOST_KEPT = 1 << 15;
/** The maximum number of cached counts; with more, the cache is cleared. */
const MOST_COUNTS = 1 << 13;
/** Counts of longer words are not cached. */
const LONGEST_COUNTED = 64;
/** So many characters of what was asked count as one term. */
const CHARACTERS_PER_TERM = 32;

/** The answers of most questions, which need no generator. */
export const HELD: Task<boolean> = endedTask(true);
const NOT_HELD: Task<boolean> = endedTask(false);

const VOCABULARY = new KeptKey<Vocabulary>();

/** The words that live records of a searcher hold; kept with the searcher. */
export function vocabularyOf({ kept, segments }: TextSearcher): Vocabulary {
  return kept.get(VOCABULARY, () => new Vocabulary(segments));
}

/** The words and terms that live records of some segments hold. */
export class Vocabulary {
  /** The number of live records. */
  readonly docCount: number;
  private readonly segments: readonly SearchableSegment[];
  /** By segment: whether its dictionary and its posting lists say all, because each posting counts. */
  private readonly areAllSearched: readonly boolean[];
  /** A cache of corrections and completions: they scan all words, and many queries have the same words. */
  private readonly kept = new Map<string, readonly string[]>();
  private keptTerms = 0;
  /** A cache of how many records hold a word: every query asks it of each of its words. */
  private readonly counts = new Map<string, number>();

  constructor(segments: readonly SearchableSegment[]) {
    this.segments = segments;
    this.areAllSearched = segments.map((segment) => areAllSearched(segment));
    this.docCount = segments.reduce(
      (sum, { postings, deletedDocs }) => sum + postings.maxDoc - (deletedDocs?.count() ?? 0),
      0,
    );
  }

  /** Whether a live record holds the term in a searched field. */
  has(term: string): Task<boolean> {
    return this.isSurelyHeld(term) ? HELD : this.areAllSearched.includes(false) ? this.isLive(term) : NOT_HELD;
  }

  private *isLive(term: string): Task<boolean> {
    for (let i = 0; i < this.segments.length; i++)
      if (!this.areAllSearched[i]! && (yield* isLiveIn(this.segments[i]!, term))) return true;
    return false;
  }

  /** Whether a segment holds the term of which each posting counts. */
  private isSurelyHeld(term: string): boolean {
    for (let i = 0; i < this.segments.length; i++) {
      if (!this.areAllSearched[i]!) continue;
      const { dictionary, starts } = this.segments[i]!.postings;
      const ordinal = dictionary.ordinalOf(term);
      if (ordinal !== undefined && starts[ordinal]! < starts[ordinal + 1]!) return true;
    }
    return false;
  }

  /** The number of live records that hold the term in a searched field, at most `most`. */
  *count(term: string, most: number): Task<number> {
    let holders = 0;
    for (const [i, segment] of this.segments.entries()) {
      if (holders >= most) break;
      if (this.areAllSearched[i]!) {
        holders += yield* countIn(segment, term);
        continue;
      }
      for (const _ of yield* holdersOf(segment, term)) if (++holders >= most) break;
      yield;
    }
    return Math.min(holders, most);
  }

  /**
   * How many live records hold a word as it is written, or in its other number: the greater count, at most `most`. A word that
   * is its own stem counts in every form.
   */
  *countWritten(word: string, words: WordForms, most: number): Task<number> {
    const key = joinKeys([words.id, word, String(most)]);
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    let holders = 0;
    for (const form of [word, ...words.otherNumbers(word)]) {
      const stem = words.stem(form);
      for (const term of stem === form ? [form] : [markedWord(stem, form), form])
        if (holders < most) holders = Math.max(holders, yield* this.count(term, most));
    }
    if (this.counts.size >= MOST_COUNTS) this.counts.clear();
    if (word.length <= LONGEST_COUNTED) this.counts.set(key, holders);
    return holders;
  }

  /** Whether one live record holds all of the terms. */
  *cooccur(terms: readonly string[]): Task<boolean> {
    for (const segment of this.segments) {
      for (const _ of yield* commonHolders(segment, terms)) return true;
      yield;
    }
    return false;
  }

  /** The index terms of at most `most` live words that begin with `prefix`: shortest words first, then by code unit. */
  wordsFrom(prefix: string, most: number): Task<readonly string[]> {
    return this.once(joinKeys(["complete", prefix, String(most)]), () => this.findWordsFrom(prefix, most));
  }

  private *findWordsFrom(prefix: string, most: number): Task<string[]> {
    const found: string[] = [];
    const longest = Math.max(0, ...this.segments.map(({ postings }) => longestWord(postings)));
    for (let length = prefix.length, words = 0; length <= longest; length++) {
      const entries = yield* this.entriesFrom(prefix, length);
      for (const word of [...entries.keys()].sort()) {
        if (words === most) return found;
        const terms = yield* liveTermsOf(entries.get(word)!);
        if (terms.length > 0) words++;
        found.push(...terms);
      }
    }
    return found;
  }

  /** The entries, in all spelling dictionaries, of the words of a length that begin with `prefix`; also of words of deleted records. */
  private *entriesFrom(prefix: string, length: number): Task<Map<string, SpellingEntry[]>> {
    const entries = new Map<string, SpellingEntry[]>();
    let words = 0;
    for (const segment of this.segments) {
      const { postings } = segment;
      const some = wordsOfLength(postings, length);
      words += some;
      if (some === 0) continue;
      for (const term of yield* wordsFrom(postings, prefix, length)) {
        const word = postings.dictionary.textAt(term).slice(-length);
        listIn(entries, word).push({ segment, term });
      }
    }
    if (words >= PAUSE_EVERY_WORD) yield;
    return entries;
  }

  /**
   * The index terms of at most `most` live words that are longer than `word` and end with it, or whose stems do so with its `stem`, of
   * three characters at least: shortest first, then by code unit.
   */
  wordsTo(word: string, stem: string, most: number): Task<readonly string[]> {
    return this.once(joinKeys(["ends", word, stem, String(most)]), () => this.findWordsTo(word, stem, most));
  }

  private *findWordsTo(word: string, stem: string, most: number): Task<string[]> {
    const found = new Set<string>();
    for (const segment of this.segments) {
      const { postings } = segment;
      let seen = 0;
      for (const term of [...(yield* termsTo(segment, word, "word")), ...(yield* termsTo(segment, stem, "stem"))]) {
        if (++seen % PAUSE_EVERY === 0) yield;
        const text = postings.dictionary.textAt(term);
        if (found.has(text)) continue;
        if (areAllSearched(segment) || (yield* isSurfaceForm(segment, term))) found.add(text);
      }
      yield;
    }
    return shortestFirst([...found]).slice(0, most);
  }

  /** At most `most` live index terms of any kind that begin with `prefix`: shortest first, then by code unit. */
  termsFrom(prefix: string, most: number): Task<readonly string[]> {
    return this.once(joinKeys(["terms", prefix, String(most)]), () => this.findTermsFrom(prefix, most));
  }

  private *findTermsFrom(prefix: string, most: number): Task<string[]> {
    const found = new Set<string>();
    for (const segment of this.segments) {
      const { dictionary } = segment.postings;
      const end = dictionary.afterPrefix(prefix);
      for (let term = dictionary.firstFrom(prefix), seen = 0; term < end; term++) {
        if (++seen % PAUSE_EVERY === 0) yield;
        const text = dictionary.textAt(term);
        if (!found.has(text) && (yield* isLiveIn(segment, text))) found.add(text);
      }
      yield;
    }
    return shortestFirst([...found]).slice(0, most);
  }

  /**
   * The stems of the live words with the least edit distance to `word`, if it is at most `most`; by code unit. The distance of a
   * word is that of its nearest number. `asWritten`: the words themselves.
   */
  nearest(
    word: string,
    most: number,
    { id, otherNumbers }: WordForms,
    notIn: ReadonlySet<string> = NO_FIELDS,
    asWritten = false,
  ): Task<readonly string[]> {
    const key = joinKeys([asWritten ? "corrected" : "correct", id, word, String(most), ...notIn]);
    const formOf = asWritten ? writtenForm : stemOf;
    return this.once(key, () => this.findNearest({ word, otherNumbers }, most, notIn, formOf));
  }

  /**
   * The index terms of the live words with the same first letter that are one edit away from `word`, in either number, and have other
   * stems; by code unit.
   */
  neighbours(word: string, words: WordForms, notIn: ReadonlySet<string> = NO_FIELDS): Task<readonly string[]> {
    const key = joinKeys(["neighbours", words.id, word, ...notIn]);
    return this.once(key, () => this.findNeighbours(word, words, notIn));
  }

  private *findNeighbours(word: string, { stem, otherNumbers }: WordForms, notIn: ReadonlySet<string>): Task<string[]> {
    const own = stem(word);
    const terms = new Set<string>();
    const near = new NearWords({ word, otherNumbers }, 1);
    for (const segment of this.segments) {
      for (const { term } of yield* near.in(segment.postings)) {
        const text = segment.postings.dictionary.textAt(term);
        if (writtenForm(text)[0] !== word[0] || stemOf(text) === own || terms.has(text)) continue;
        if (yield* isSurfaceForm(segment, term, notIn)) terms.add(text);
      }
      yield;
    }
    return [...terms].sort();
  }

  private *findNearest(
    word: ComparedWord,
    most: number,
    notIn: ReadonlySet<string>,
    formOf: (term: string) => string,
  ): Task<string[]> {
    // Most typos are one edit, and the search for one edit compares few words: so it comes first.
    for (let edits = Math.min(1, most); edits <= most; edits++) {
      const forms = yield* this.within(word, edits, notIn, formOf);
      if (forms.length > 0) return forms;
    }
    return [];
  }

  /** The cached result for a key, or that of `find`. */
  private *once(key: string, find: () => Task<readonly string[]>): Task<readonly string[]> {
    let found = this.kept.get(key);
    if (found === undefined) {
      found = yield* find();
      const cost = 1 + found.length + Math.floor(key.length / CHARACTERS_PER_TERM);
      this.keptTerms += cost;
      if (this.keptTerms > MOST_KEPT) {
        this.kept.clear();
        this.keptTerms = cost;
      }
      this.kept.set(key, found);
    }
    return found;
  }

  /** The stems, or another form, of the live words nearest to `word` within `edits`. */
  private *within(
    word: ComparedWord,
    edits: number,
    notIn: ReadonlySet<string>,
    formOf: (term: string) => string,
  ): Task<string[]> {
    let least = edits;
    const found = new Map<string, number>();
    const near = new NearWords(word, edits);
    for (const segment of this.segments) {
      for (const { term, distance } of yield* near.in(segment.postings)) {
        if (distance > least) continue;
        const form = formOf(segment.postings.dictionary.textAt(term));
        // Most words are in several segments: one live record in one of them is enough.
        if (found.get(form) === distance || !(yield* isSurfaceForm(segment, term, notIn))) continue;
        found.set(form, distance);
        least = distance;
      }
      yield;
    }
    return [...found]
      .filter(([, distance]) => distance === least)
      .map(([form]) => form)
      .sort();
  }
}

/** A word in the spelling dictionary of a segment. */
interface SpellingEntry {
  readonly segment: SearchableSegment;
  readonly term: number;
}

/** The distinct index terms of some entries that live records hold as surface forms, by code unit. */
function* liveTermsOf(entries: readonly SpellingEntry[]): Task<string[]> {
  const terms = new Set<string>();
  for (const { segment, term } of entries) {
    const text = segment.postings.dictionary.textAt(term);
    if (terms.has(text)) continue;
    if (areAllSearched(segment)) terms.add(text);
    else {
      if (yield* isSurfaceForm(segment, term)) terms.add(text);
      yield;
    }
  }
  return [...terms].sort();
}

function shortestFirst(words: string[]): string[] {
  return words.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** Whether a live record of a segment holds the term in a searched field. */
function* isLiveIn(segment: SearchableSegment, text: string): Task<boolean> {
  const { dictionary, starts } = segment.postings;
  const term = dictionary.ordinalOf(text);
  if (term === undefined) return false;
  if (areAllSearched(segment)) return starts[term]! < starts[term + 1]!;
  for (const _ of yield* holdersOf(segment, text)) return true;
  return false;
}

/** The number of records of a segment that hold the term, deleted or not. */
function* countIn({ postings }: SearchableSegment, text: string): Task<number> {
  const term = postings.dictionary.ordinalOf(text);
  return term === undefined ? 0 : listSize(postings, term, yield* listOf(postings, term));
}
