// The words and terms that living records hold: what a query may be corrected to or completed with. What only deleted
// records held is passed over, so that no answer remembers them.

import { stemOf } from "../analysis/term-marks.js";
import { joinKeys } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { areAllSearched, cooccurIn, holdersOf } from "./find-holders.js";
import type { SearchableSegment } from "./searchable-segment.js";
import { isSurfaceForm, longestWord, nearWords, wordsFrom } from "./spelling-dictionary.js";

const PAUSE_EVERY = 256;
const NO_FIELDS: ReadonlySet<string> = new Set();
/** The terms of the corrections and completions that are kept; with more, all are forgotten. */
const MOST_KEPT = 1 << 15;

/** The live terms of all segments. */
export class Vocabulary {
  private readonly segments: readonly SearchableSegment[];
  /** Corrections and completions that queries asked for: both scan all words, and queries share words. */
  private readonly kept = new Map<string, readonly string[]>();
  private keptTerms = 0;

  constructor(segments: readonly SearchableSegment[]) {
    this.segments = segments;
  }

  /** True when a living record has the term, in a field that is searched. */
  has(term: string): boolean {
    return this.segments.some((segment) => livesIn(segment, term));
  }

  /** True when one living record has all of the terms. */
  cooccur(terms: readonly string[]): boolean {
    return this.segments.some((segment) => cooccurIn(segment, terms));
  }

  /** Index terms of the living words that begin with `prefix`: shortest words first, then by code unit; at most `most`. */
  wordsFrom(prefix: string, most: number): Task<readonly string[]> {
    return this.once(joinKeys(["complete", prefix, String(most)]), () => this.findWordsFrom(prefix, most));
  }

  private *findWordsFrom(prefix: string, most: number): Task<string[]> {
    const found: string[] = [];
    const longest = Math.max(0, ...this.segments.map(({ postings }) => longestWord(postings)));
    for (let length = prefix.length, words = 0; length <= longest; length++) {
      const places = yield* this.placesOf(prefix, length);
      for (const word of [...places.keys()].sort()) {
        if (words === most) return found;
        const terms = yield* surfaceTerms(places.get(word)!);
        if (terms.length > 0) words++;
        found.push(...terms);
      }
    }
    return found;
  }

  /** Where the words of a length stand that begin with `prefix`, living or not. */
  private *placesOf(prefix: string, length: number): Task<Map<string, WordPlace[]>> {
    const places = new Map<string, WordPlace[]>();
    for (const segment of this.segments)
      yield* wordsFrom(segment.postings, { prefix, length }, (word, term) => {
        const known = places.get(word);
        if (known === undefined) places.set(word, [{ segment, term }]);
        else known.push({ segment, term });
      });
    yield;
    return places;
  }

  /** The living terms that begin with `prefix`, whatever they are: shortest first, then by code unit; at most `most`. */
  *termsFrom(prefix: string, most: number): Task<string[]> {
    const found = new Set<string>();
    for (const segment of this.segments) {
      const { dictionary } = segment.postings;
      const end = dictionary.afterPrefix(prefix);
      for (let term = dictionary.firstFrom(prefix), seen = 0; term < end; term++) {
        if (++seen % PAUSE_EVERY === 0) yield;
        const name = dictionary.termAt(term);
        if (!found.has(name) && livesIn(segment, name)) found.add(name);
      }
      yield;
    }
    return shortestFirst([...found]).slice(0, most);
  }

  /** The stems of the living words nearest to `word`, within `most` edits: all of the least distance, by code unit. */
  nearest(word: string, most: number, notIn: ReadonlySet<string> = NO_FIELDS): Task<readonly string[]> {
    return this.once(joinKeys(["correct", word, String(most), ...notIn]), () => this.findNearest(word, most, notIn));
  }

  private *findNearest(word: string, most: number, notIn: ReadonlySet<string>): Task<string[]> {
    // Words one edit away are looked for first: most typos have one, and few words are to be compared.
    for (let edits = Math.min(1, most); edits <= most; edits++) {
      const stems = yield* this.within(word, edits, notIn);
      if (stems.length > 0) return stems;
    }
    return [];
  }

  private *once(key: string, find: () => Task<readonly string[]>): Task<readonly string[]> {
    let found = this.kept.get(key);
    if (found === undefined) {
      found = yield* find();
      this.keptTerms += 1 + found.length;
      if (this.keptTerms > MOST_KEPT) {
        this.kept.clear();
        this.keptTerms = 1 + found.length;
      }
      this.kept.set(key, found);
    }
    return found;
  }

  private *within(word: string, edits: number, notIn: ReadonlySet<string>): Task<string[]> {
    let least = edits;
    const found = new Map<string, number>();
    for (const segment of this.segments) {
      for (const { term, distance } of yield* nearWords(segment.postings, word, least)) {
        if (distance > least) continue;
        const stem = stemOf(segment.postings.dictionary.termAt(term));
        // Segments share most words: one record that holds it is enough.
        if (found.get(stem) === distance || !(yield* isSurfaceForm(segment, term, notIn))) continue;
        found.set(stem, distance);
        least = distance;
      }
      yield;
    }
    return [...found]
      .filter(([, distance]) => distance === least)
      .map(([stem]) => stem)
      .sort();
  }
}

/** A word in the dictionary of a segment. */
interface WordPlace {
  readonly segment: SearchableSegment;
  readonly term: number;
}

/** The terms under which living records hold a word, by code unit. */
function* surfaceTerms(places: readonly WordPlace[]): Task<string[]> {
  const terms = new Set<string>();
  for (const { segment, term } of places) {
    const name = segment.postings.dictionary.termAt(term);
    if (!terms.has(name) && (yield* isSurfaceForm(segment, term))) terms.add(name);
    yield;
  }
  return [...terms].sort();
}

function shortestFirst(words: string[]): string[] {
  return words.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** A living record holds the term, in a field that is searched. */
function livesIn(segment: SearchableSegment, text: string): boolean {
  const { dictionary, starts } = segment.postings;
  const term = dictionary.ordinalOf(text);
  if (term === undefined) return false;
  if (areAllSearched(segment)) return starts[term]! < starts[term + 1]!;
  return !holdersOf(segment, text).next().done;
}
