// The words of one segment as they were written, for completing and mending: scoring knows stems only. A word that differs
// from its stem has a posting list of its own under a marked term that names both; one that equals its stem has none, and is
// there when its stem stands somewhere more often than the marked words of that stem do.

import { isWord, WORD_MARK } from "../base/index-terms.js";
import { sortInSteps } from "../base/merge-runs.js";
import type { Steps } from "../base/slices.js";
import { afterPrefix, placeOf } from "./near-names.js";
import { FIELD_MASK, type Postings } from "./postings.js";
import type { SearchableSegment } from "./searchable-segment.js";

/** A segment's words, ascending by code unit; one may come twice, marked and plain. */
export interface Lexicon {
  readonly words: readonly string[];
  /** The term of each word: a marked one, or its stem. */
  readonly terms: Uint32Array;
}

const PAUSE_EVERY = 4096;
const lexicons = new WeakMap<Postings, Lexicon>();

/** The words of a segment: a pure function of it, made when first asked for, in slices. */
export function* lexiconOf(postings: Postings): Steps<Lexicon> {
  const known = lexicons.get(postings);
  if (known !== undefined) return known;
  const entries: { readonly word: string; readonly term: number }[] = [];
  for (const [term, name] of postings.names.entries()) {
    if (term % PAUSE_EVERY === 0) yield;
    const word = name[0] === WORD_MARK ? name.slice(name.lastIndexOf(WORD_MARK) + 1) : name;
    if (isWord(word)) entries.push({ word, term });
  }
  const sorted = yield* sortInSteps(entries, (a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : a.term - b.term));
  const lexicon = { words: sorted.map((entry) => entry.word), terms: Uint32Array.from(sorted, (entry) => entry.term) };
  lexicons.set(postings, lexicon);
  return lexicon;
}

/** A pointer, a number, and the head of a string that shares its characters with a name. */
const WORD_BYTES = 8 + 4 + 32;

/** About the memory that a segment's words take; 0 before they are made. */
export function lexiconBytes(postings: Postings): number {
  return (lexicons.get(postings)?.words.length ?? 0) * WORD_BYTES;
}

/** The stem of a term of the lexicon. */
export function stemOf(term: string): string {
  return term[0] === WORD_MARK ? term.slice(1, term.lastIndexOf(WORD_MARK)) : term;
}

/** True when a living record holds this word as it is written, in a field that is searched. */
export function isWritten(segment: SearchableSegment, term: number, notIn?: ReadonlySet<string>): boolean {
  const { postings, dead, fields } = segment;
  const name = postings.names[term]!;
  const inflected = name[0] === WORD_MARK ? [] : termsFrom(postings, WORD_MARK + name + WORD_MARK);
  for (let at = postings.starts[term]!; at < postings.starts[term + 1]!; at++) {
    const slot = postings.slots[at]!;
    const field = postings.slotField[slot]! & FIELD_MASK;
    if (dead?.has(postings.slotDoc[slot]!) || fields.weights[field] === 0 || notIn?.has(postings.fields[field]!))
      continue;
    let others = 0;
    for (const other of inflected) others += frequencyIn(postings, other, slot);
    if (postings.freqs[at]! > others) return true;
  }
  return false;
}

function termsFrom({ names }: Postings, prefix: string): number[] {
  const from = placeOf(names, prefix);
  const terms: number[] = [];
  if (from === names.length || !names[from]!.startsWith(prefix)) return terms;
  for (let term = from; term < afterPrefix(names, from, prefix); term++) terms.push(term);
  return terms;
}

function frequencyIn({ starts, slots, freqs }: Postings, term: number, slot: number): number {
  let low = starts[term]!;
  let high = starts[term + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slots[middle]! < slot) low = middle + 1;
    else high = middle;
  }
  return low < starts[term + 1]! && slots[low] === slot ? freqs[low]! : 0;
}
