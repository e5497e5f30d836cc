// The words and terms that living records hold: what a query may be mended to or completed with. What only deletedDocs records
// held is passed over, so that no answer remembers them.

import type { Task } from "../base/tasks.js";
import { areAllSearched, holdersOf, holdsTogether } from "./find-holders.js";
import { isWritten, type Lexicon, lexiconOf, readingsOf, stemOf } from "./lexicon.js";
import { nearNames } from "./names/near-names.js";
import { placeOf } from "./names/sorted-names.js";
import type { SearchableSegment } from "./searchable-segment.js";

const PAUSE_EVERY = 256;

/** The living terms of all segments. */
export class Vocabulary {
  private readonly segments: readonly SearchableSegment[];

  constructor(segments: readonly SearchableSegment[]) {
    this.segments = segments;
  }

  /** True when a living record holds the term (in a field that is searched). */
  holds(term: string): boolean {
    return this.segments.some((segment) => livesIn(segment, term));
  }

  /** True when one living record holds all of the terms. */
  holdsTogether(terms: readonly string[]): boolean {
    return this.segments.some((segment) => holdsTogether(segment, terms));
  }

  /** Index terms of the living words that begin with `prefix`: shortest words first, then by code unit; at most `most`. */
  *wordsFrom(prefix: string, most: number): Task<string[]> {
    const found: string[] = [];
    let words = 0;
    const byLength = yield* this.placesFrom(prefix);
    for (const length of [...byLength.keys()].sort((a, b) => a - b)) {
      const places = yield* byWord(byLength.get(length)!);
      for (const word of [...places.keys()].sort()) {
        if (words === most) return found;
        const terms = writtenAs(places.get(word)!);
        if (terms.length > 0) words++;
        found.push(...terms);
        yield;
      }
    }
    return found;
  }

  /** Where words stand that begin with `prefix`, living or not, by their length: only the shortest will be looked at. */
  private *placesFrom(prefix: string): Task<Map<number, WordPlace[]>> {
    const byLength = new Map<number, WordPlace[]>();
    for (const segment of this.segments) {
      const lexicon = yield* lexiconOf(segment.postings);
      const { words } = lexicon;
      for (let at = placeOf(words, prefix), seen = 0; at < words.length && words[at]!.startsWith(prefix); at++) {
        if (++seen % PAUSE_EVERY === 0) yield;
        const known = byLength.get(words[at]!.length);
        if (known === undefined) byLength.set(words[at]!.length, [{ segment, lexicon, at }]);
        else known.push({ segment, lexicon, at });
      }
      yield;
    }
    return byLength;
  }

  /** The living terms that begin with `prefix`, whatever they are: shortest first, then by code unit; at most `most`. */
  *termsFrom(prefix: string, most: number): Task<string[]> {
    const found = new Set<string>();
    for (const segment of this.segments) {
      const { names } = segment.postings;
      const end = names.afterPrefix(prefix);
      for (let term = names.firstFrom(prefix), seen = 0; term < end; term++) {
        if (++seen % PAUSE_EVERY === 0) yield;
        const name = names.nameOf(term);
        if (!found.has(name) && livesIn(segment, name)) found.add(name);
      }
      yield;
    }
    return shortestFirst([...found]).slice(0, most);
  }

  /** The stems of the living words nearest to `word`, within `most` edits: all of the least distance, by code unit. */
  *nearest(word: string, most: number, notIn?: ReadonlySet<string>): Task<string[]> {
    // Few errors are looked for first: that takes a hundredth of the time, and most words have no more.
    for (let edits = Math.min(1, most); edits <= most; edits++) {
      const stems = yield* this.within(word, edits, notIn);
      if (stems.length > 0) return stems;
    }
    return [];
  }

  private *within(word: string, edits: number, notIn?: ReadonlySet<string>): Task<string[]> {
    let least = edits;
    const found = new Map<string, number>();
    for (const segment of this.segments) {
      const lexicon = yield* lexiconOf(segment.postings);
      for (const { at, distance } of yield* nearNames(yield* readingsOf(lexicon), word, least)) {
        if (distance > least) continue;
        const stem = stemOf(segment.postings.names.nameOf(lexicon.terms[at]!));
        // Segments share most words: one record that holds it is enough.
        if (found.get(stem) === distance || !isWritten(segment, lexicon, at, notIn)) continue;
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

/** A word in the lexicon of a segment. */
interface WordPlace {
  readonly segment: SearchableSegment;
  readonly lexicon: Lexicon;
  readonly at: number;
}

function* byWord(places: readonly WordPlace[]): Task<Map<string, WordPlace[]>> {
  const groups = new Map<string, WordPlace[]>();
  for (const [i, place] of places.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    const word = place.lexicon.words[place.at]!;
    const known = groups.get(word);
    if (known === undefined) groups.set(word, [place]);
    else known.push(place);
  }
  return groups;
}

/** The terms under which living records hold a word, by code unit. */
function writtenAs(places: readonly WordPlace[]): string[] {
  const terms = new Set<string>();
  for (const { segment, lexicon, at } of places) {
    const name = segment.postings.names.nameOf(lexicon.terms[at]!);
    if (!terms.has(name) && isWritten(segment, lexicon, at)) terms.add(name);
  }
  return [...terms].sort();
}

function shortestFirst(words: string[]): string[] {
  return words.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** A living record holds the term, in a field that is searched. */
function livesIn(segment: SearchableSegment, text: string): boolean {
  const { names, starts } = segment.postings;
  const term = names.numberOf(text);
  if (term === undefined) return false;
  if (areAllSearched(segment)) return starts[term]! < starts[term + 1]!;
  return !holdersOf(segment, text).next().done;
}
