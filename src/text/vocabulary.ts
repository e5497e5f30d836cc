// The words and terms that living records hold: what a query may be mended to or completed with. What only dead records
// held is passed over, so that no answer remembers them.

import type { Steps } from "../base/slices.js";
import { holdersOf, holdsTogether } from "./find-holders.js";
import { isWritten, lexiconOf, stemOf } from "./lexicon.js";
import { afterPrefix, nearNames, placeOf } from "./near-names.js";
import type { SearchableSegment } from "./searchable-segment.js";

const PAUSE_EVERY = 64;

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
  *wordsFrom(prefix: string, most: number): Steps<string[]> {
    const found = new Map<string, Set<string>>();
    for (const segment of this.segments) {
      const { words, terms } = yield* lexiconOf(segment.postings);
      const { names } = segment.postings;
      for (let at = placeOf(words, prefix), seen = 0; at < words.length && words[at]!.startsWith(prefix); at++) {
        if (++seen % PAUSE_EVERY === 0) yield;
        if (!isWritten(segment, terms[at]!)) continue;
        const known = found.get(words[at]!) ?? new Set();
        found.set(words[at]!, known.add(names[terms[at]!]!));
      }
      yield;
    }
    return shortestFirst([...found.keys()])
      .slice(0, most)
      .flatMap((word) => [...found.get(word)!].sort());
  }

  /** The living terms that begin with `prefix`, whatever they are: shortest first, then by code unit; at most `most`. */
  *termsFrom(prefix: string, most: number): Steps<string[]> {
    const found = new Set<string>();
    for (const segment of this.segments) {
      const { names } = segment.postings;
      const from = placeOf(names, prefix);
      const end = from < names.length && names[from]!.startsWith(prefix) ? afterPrefix(names, from, prefix) : from;
      for (let at = from, seen = 0; at < end; at++) {
        if (++seen % PAUSE_EVERY === 0) yield;
        if (!found.has(names[at]!) && livesIn(segment, names[at]!)) found.add(names[at]!);
      }
      yield;
    }
    return shortestFirst([...found]).slice(0, most);
  }

  /** The stems of the living words nearest to `word`, within `most` edits: all of the least distance, by code unit. */
  *nearest(word: string, most: number, notIn?: ReadonlySet<string>): Steps<string[]> {
    let least = most;
    const found = new Map<string, number>();
    for (const segment of this.segments) {
      const { words, terms } = yield* lexiconOf(segment.postings);
      for (const { at, distance } of nearNames(words, word, least)) {
        if (distance > least || !isWritten(segment, terms[at]!, notIn)) continue;
        const stem = stemOf(segment.postings.names[terms[at]!]!);
        found.set(stem, Math.min(distance, found.get(stem) ?? distance));
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

function shortestFirst(words: string[]): string[] {
  return words.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** A living record holds the term, in a field that is searched. */
function livesIn(segment: SearchableSegment, text: string): boolean {
  return !holdersOf(segment, text).next().done;
}
