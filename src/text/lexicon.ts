// The words of one segment as they were written, for completing and mending: scoring knows stems only. A word that differs
// from its stem has a posting list of its own under a marked term that names both; one that equals its stem has none, and is
// there when its stem stands somewhere more often than the marked words of that stem do.

import { IDENTIFIER_MARK, isWord, QUANTITY_MARK, WORD_MARK } from "../base/index-terms.js";
import type { Task } from "../base/tasks.js";
import { areAllSearched } from "./find-holders.js";
import { PostingCursor } from "./lists/posting-cursor.js";
import { sortNames } from "./names/sort-names.js";
import { type BothWays, bothWays } from "./names/sorted-names.js";
import type { TermDictionary } from "./names/term-dictionary.js";
import { FIELD_MASK, fieldAt, type Postings } from "./postings.js";
import type { SearchableSegment } from "./searchable-segment.js";

/** A segment's words, ascending by code unit; one may come twice, marked and plain. */
export interface Lexicon {
  readonly words: readonly string[];
  /** The term of each word: a marked one, or its stem. */
  readonly terms: Uint32Array;
}

const PAUSE_EVERY = 1024;
/** Terms from one character up to another are no words: quantities, numbers, identifiers. Most terms are such. */
const NO_WORDS: readonly (readonly [string, string])[] = [
  [QUANTITY_MARK, "$"],
  ["0", ":"],
  [IDENTIFIER_MARK, ">"],
];
const lexicons = new WeakMap<Postings, Lexicon>();
const readings = new WeakMap<Lexicon, BothWays>();

/** The words of a segment: a pure function of it, made when first asked for, in slices. */
export function* lexiconOf(postings: Postings): Task<Lexicon> {
  const known = lexicons.get(postings);
  if (known !== undefined) return known;
  const found: string[] = [];
  const terms: number[] = [];
  const { names } = postings;
  let from = 0;
  for (const [first, after] of NO_WORDS) {
    yield* collectWords(names, from, names.firstFrom(first), { words: found, terms });
    from = names.firstFrom(after);
  }
  yield* collectWords(names, from, names.size, { words: found, terms });
  // Of equal words the one with the lesser term comes first.
  const order = yield* sortNames(found);
  const words: string[] = [];
  for (let at = 0; at < order.length; at++) words.push(found[order[at]!]!);
  const lexicon = { words, terms: order.map((at) => terms[at]!) };
  lexicons.set(postings, lexicon);
  return lexicon;
}

/** A lexicon's words, to be read from both ends; made when first asked for, in slices. */
export function* readingsOf(lexicon: Lexicon): Task<BothWays> {
  const known = readings.get(lexicon);
  if (known !== undefined) return known;
  const made = yield* bothWays(lexicon.words);
  readings.set(lexicon, made);
  return made;
}

/** Adds the words among some of the terms, in their order. */
function* collectWords(
  names: TermDictionary,
  from: number,
  to: number,
  { words, terms }: { readonly words: string[]; readonly terms: number[] },
): Task<void> {
  for (let term = from; term < to; term++) {
    if (term % PAUSE_EVERY === 0) yield;
    const name = names.nameOf(term);
    const word = name[0] === WORD_MARK ? name.slice(name.lastIndexOf(WORD_MARK) + 1) : name;
    if (!isWord(word)) continue;
    words.push(word);
    terms.push(term);
  }
}

/** A pointer, a number, and a string of about ten characters. */
const WORD_BYTES = 8 + 4 + 32;
/** The place of a word read backwards, and how it begins from either end. */
const READING_BYTES = 4 + 8;

/** About the memory that a segment's words take; 0 before they are made. */
export function lexiconBytes(postings: Postings): number {
  const lexicon = lexicons.get(postings);
  if (lexicon === undefined) return 0;
  const marks = writtenWords.get(lexicon)?.byteLength ?? 0;
  return lexicon.words.length * (WORD_BYTES + (readings.has(lexicon) ? READING_BYTES : 0)) + marks;
}

/** The stem of a term of the lexicon. */
export function stemOf(term: string): string {
  return term[0] === WORD_MARK ? term.slice(1, term.lastIndexOf(WORD_MARK)) : term;
}

const UNKNOWN = 0;
const NOWHERE = 1;
const WRITTEN = 2;
/** By place of a word: whether any record holds it as it is written; a pure function of the lexicon. */
const writtenWords = new WeakMap<Lexicon, Uint8Array>();

/** True when a living record holds the word at a place of its lexicon as it is written, in a field that is searched. */
export function isWritten(
  segment: SearchableSegment,
  lexicon: Lexicon,
  at: number,
  notIn?: ReadonlySet<string>,
): boolean {
  const { postings } = segment;
  const term = lexicon.terms[at]!;
  const known = writtenWords.get(lexicon) ?? new Uint8Array(lexicon.words.length);
  if (!writtenWords.has(lexicon)) writtenWords.set(lexicon, known);
  // What stands in no record at all, deletedDocs ones and all fields included, need not be looked for again.
  if (known[at] === UNKNOWN) known[at] = standsIn(postings, term) ? WRITTEN : NOWHERE;
  if (known[at] === NOWHERE) return false;
  return areAllSearched(segment, notIn) || standsIn(postings, term, { segment, notIn });
}

/** Who counts: the living, and the fields that are searched. */
interface WrittenWhere {
  readonly segment: SearchableSegment;
  readonly notIn: ReadonlySet<string> | undefined;
}

/** True when a record holds the word more often than the marked words of its stem; `where` undefined: any record, in any field. */
function standsIn(postings: Postings, term: number, where?: WrittenWhere): boolean {
  const name = postings.names.nameOf(term);
  const marked = name[0] === WORD_MARK ? [] : termsFrom(postings, WORD_MARK + name + WORD_MARK);
  if (marked.length === 0 && where === undefined) return postings.starts[term]! < postings.starts[term + 1]!;
  const others = marked.map((other) => new PostingCursor(postings, other));
  for (const cursor = new PostingCursor(postings, term); cursor.next(); ) {
    if (where?.segment.deletedDocs?.has(cursor.doc)) continue;
    for (let place = 0; place < cursor.places; place++) {
      const slot = cursor.slotAt(place);
      if (where !== undefined && !isSearchedAt(postings, slot, where)) continue;
      if (cursor.frequencyAt(place) > occurrencesOf(others, cursor.doc, slot)) return true;
    }
  }
  return false;
}

function isSearchedAt(postings: Postings, slot: number, { segment: { fields }, notIn }: WrittenWhere): boolean {
  const field = fieldAt(postings, slot) & FIELD_MASK;
  return fields.weights[field] !== 0 && !notIn?.has(postings.fields[field]!);
}

/** How often terms stand in a slot of a record, together. */
function occurrencesOf(terms: readonly PostingCursor[], doc: number, slot: number): number {
  let sum = 0;
  for (const cursor of terms) if (cursor.seek(doc) && cursor.doc === doc) sum += cursor.frequencyIn(slot);
  return sum;
}

function termsFrom({ names }: Postings, prefix: string): number[] {
  const terms: number[] = [];
  const end = names.afterPrefix(prefix);
  for (let term = names.firstFrom(prefix); term < end; term++) terms.push(term);
  return terms;
}
