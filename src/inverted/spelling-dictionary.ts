// The surface forms of the words of one segment, as they occur in texts, for correcting typos and completing prefixes. The
// posting lists alone are not enough, because they are of stems. A word that differs from its stem has a posting list of its
// own as well, under a marked term "~stem~word". A word that equals its stem has none: it occurs as such where the stem occurs
// more often than all marked words of the stem together. Stems that occur in no record as such are left out.
//
// Words are grouped by length, and each has a bitset of its letters. An edit changes the length by at most one, removes at most
// one letter from the set, and adds at most one. A pass over the bitsets leaves about one word in a hundred to compare. It
// needs no order of the words, and takes as long for the first query as for any other.

import { IDENTIFIER_MARK, PAIR_MARK, QUANTITY_MARK, SIGNED_MARK, WORD_MARK } from "../analysis/scan-tokens.js";
import { type LocalDoc, ones } from "../util/doc-set.js";
import { KeptKey } from "../util/kept.js";
import type { Task } from "../util/tasks.js";
import { areAllSearched, isSearchedField } from "./find-holders.js";
import { PostingCursor } from "./list-codec.js";
import { listOf, type PostingLists, type Postings, type SpellingDictionary } from "./postings.js";
import { TermUnits } from "./term-dictionary.js";
import type { SearchableSegment, TextCaches } from "./text-searcher.js";

/** The part of `Postings` that the words are collected from. */
type NamedLists = PostingLists & Pick<Postings, "dictionary">;

/** Terms read between two pauses. */
const PAUSE_EVERY = 1 << 12;
/** Stems looked up between two pauses. */
const PAUSE_EVERY_STEM = 1 << 6;
/** Postings read between two pauses. */
const PAUSE_EVERY_POSTINGS = 1 << 12;
/** Words whose letters are compared between two pauses. */
const PAUSE_EVERY_SET = 1 << 15;

/** Ranges of terms that are not words, from the first text up to the second: quantities, signed terms, numbers, identifiers, pairs. */
const NO_WORDS: readonly (readonly [string, string])[] = [
  [QUANTITY_MARK, "$"],
  [SIGNED_MARK, ","],
  ["0", ":"],
  [IDENTIFIER_MARK, ">"],
  [PAIR_MARK, "_"],
];
const MARK = WORD_MARK.charCodeAt(0);
const NO_FIRST = [WORD_MARK, QUANTITY_MARK, SIGNED_MARK, IDENTIFIER_MARK, PAIR_MARK].map((mark) => mark.charCodeAt(0));
/** Words with a sign after them are in the dictionary without it. */
const NO_LAST = [0x2b, 0x23];

/** Collects the words of a segment. The result depends on its terms and posting lists only. */
export function* writeSpelling(postings: NamedLists): Task<SpellingDictionary> {
  const { dictionary } = postings;
  const words = new WordCollector(postings, yield* stemsWithoutForm(postings));
  let from = 0;
  for (const [first, after] of NO_WORDS) {
    yield* words.collect(from, dictionary.firstFrom(first));
    from = dictionary.firstFrom(after);
  }
  yield* words.collect(from, dictionary.size);
  return yield* words.finish();
}

/** By term: 1 for stems that have marked words and are not words themselves. */
function* stemsWithoutForm(postings: NamedLists): Task<Uint8Array> {
  const { dictionary } = postings;
  const without = new Uint8Array(dictionary.size);
  const end = dictionary.afterPrefix(WORD_MARK);
  let stems = 0;
  for (let term = dictionary.firstFrom(WORD_MARK), after = term; term < end; term = after) {
    if (++stems % PAUSE_EVERY_STEM === 0) yield;
    const marked = dictionary.textAt(term);
    const prefix = marked.slice(0, marked.lastIndexOf(WORD_MARK) + 1);
    for (after = term + 1; after < end && dictionary.beginsWith(after, prefix); ) after++;
    const stem = dictionary.ordinalOf(prefix.slice(1, -1));
    if (stem !== undefined && !(yield* occursAlone(postings, stem, { from: term, to: after }))) without[stem] = 1;
  }
  return without;
}

/** Collects the words among a segment's terms. */
class WordCollector {
  private readonly postings: NamedLists;
  private readonly excluded: Uint8Array;
  private readonly text = new TermUnits();
  /** By word. The arrays have room for all terms; memory that is never touched costs nothing. */
  private readonly terms: Uint32Array;
  private readonly letters: Uint32Array;
  private readonly lengths: Uint32Array;
  private size = 0;
  private longest = 0;

  /** `excluded`: by term, 1 if it is not a word. */
  constructor(postings: NamedLists, excluded: Uint8Array) {
    const { size } = postings.dictionary;
    this.postings = postings;
    this.excluded = excluded;
    this.terms = new Uint32Array(size);
    this.letters = new Uint32Array(size);
    this.lengths = new Uint32Array(size);
  }

  /** Adds the words among the terms from `from` up to `to`. */
  *collect(from: number, to: number): Task<void> {
    const { starts } = this.postings;
    for (let term = from; term < to; term++) {
      if (term % PAUSE_EVERY === 0) yield;
      // A term may occur in a title but in no field that is indexed.
      if (starts[term]! < starts[term + 1]! && this.excluded[term] === 0) this.add(term);
    }
  }

  /** Adds the word of a term, unless it is empty, has a digit, begins with a mark or ends in a sign. */
  private add(term: number): void {
    this.postings.dictionary.read(term, this.text);
    const { units, length } = this.text;
    const first = wordStart(this.text);
    if (first === length || NO_FIRST.includes(units[first]!) || NO_LAST.includes(units[length - 1]!)) return;
    let letters = 0;
    for (let at = first; at < length; at++) {
      const unit = units[at]!;
      if (unit >= 0x30 && unit <= 0x39) return;
      letters |= 1 << (unit & 31);
    }
    this.terms[this.size] = term;
    this.letters[this.size] = letters;
    this.lengths[this.size++] = length - first;
    this.longest = Math.max(this.longest, length - first);
  }

  /** The words by length. */
  *finish(): Task<SpellingDictionary> {
    const { size, lengths } = this;
    const starts = new Uint32Array(this.longest + 2);
    for (let word = 0; word < size; word++) starts[lengths[word]! + 1]!++;
    for (let length = 0; length <= this.longest; length++) starts[length + 1]! += starts[length]!;
    yield;
    const next = starts.slice();
    const terms = new Uint32Array(size);
    const letters = new Uint32Array(size);
    for (let word = 0; word < size; word++) {
      if (word % PAUSE_EVERY_SET === 0) yield;
      const at = next[lengths[word]!]!++;
      terms[at] = this.terms[word]!;
      letters[at] = this.letters[word]!;
    }
    return { terms, letters, starts };
  }
}

/** The index in a term at which its word begins: after the last mark. */
function wordStart({ units, length }: TermUnits): number {
  if (length === 0 || units[0] !== MARK) return 0;
  let start = length;
  while (units[start - 1] !== MARK) start--;
  return start;
}

/** Whether the word of a term is the surface form of some token in a live record, in a searched field outside `notIn`. */
export function* isSurfaceForm(segment: SearchableSegment, term: number, notIn?: ReadonlySet<string>): Task<boolean> {
  if (areAllSearched(segment, notIn)) return true;
  const { dictionary } = segment.postings;
  const text = dictionary.textAt(term);
  const prefix = WORD_MARK + text + WORD_MARK;
  const marked =
    text[0] === WORD_MARK ? NO_TERMS : { from: dictionary.firstFrom(prefix), to: dictionary.afterPrefix(prefix) };
  return yield* occursAlone(segment.postings, term, marked, { segment, notIn });
}

/** The terms, or places, from `from` up to `to`, exclusive. */
interface TermRange {
  readonly from: number;
  readonly to: number;
}

const NO_TERMS: TermRange = { from: 0, to: 0 };

/** Whether a term occurs more often in some field of some record than `others` together. Without a scope, all records count. */
function* occursAlone(
  postings: PostingLists,
  term: number,
  others: TermRange,
  scope?: { readonly segment: SearchableSegment; readonly notIn: ReadonlySet<string> | undefined },
): Task<boolean> {
  const cursors: PostingCursor[] = [];
  for (let other = others.from; other < others.to; other++)
    cursors.push(new PostingCursor(postings, other, yield* listOf(postings, other)));
  let read = 0;
  for (const cursor = new PostingCursor(postings, term, yield* listOf(postings, term)); cursor.next(); ) {
    if (++read % PAUSE_EVERY_POSTINGS === 0) yield;
    if (scope?.segment.deletedDocs?.has(cursor.doc)) continue;
    for (let i = 0; i < cursor.fieldCount; i++) {
      const docField = cursor.docFieldAt(i);
      if (scope !== undefined && !isSearchedField(scope.segment, docField, scope.notIn)) continue;
      if (cursor.frequencyAt(i) > occurrencesOf(cursors, cursor.doc, docField)) return true;
    }
  }
  return false;
}

/** The sum of the frequencies of terms in a doc field of a record. */
function occurrencesOf(terms: readonly PostingCursor[], doc: LocalDoc, docField: number): number {
  let sum = 0;
  for (const cursor of terms) if (cursor.seek(doc) && cursor.doc === doc) sum += cursor.frequencyIn(docField);
  return sum;
}

/**
 * The terms of the words of a length that begin with `prefix`, deleted or not. `nearly`: but for one error behind its first letter, which is
 * a letter that is wrong, missing, or too much, or two neighbours that are swapped.
 */
export function* wordsFrom(postings: Postings, prefix: string, length: number, nearly = false): Task<number[]> {
  const { starts } = postings.spelling;
  const found: number[] = [];
  const end = starts[length]! + wordsOfLength(postings, length);
  for (let from = starts[length]!; from < end; from += PAUSE_EVERY) {
    if (from > starts[length]!) yield;
    const to = Math.min(end, from + PAUSE_EVERY);
    for (const term of beginningWith(prefix, postings, length, { from, to }, nearly)) found.push(term);
  }
  return found;
}

/** See {@link wordsFrom}: those at some places. No generator, as in {@link passing}. */
function beginningWith(
  prefix: string,
  { dictionary, spelling: { terms, letters } }: Postings,
  length: number,
  { from, to }: TermRange,
  nearly: boolean,
): number[] {
  const found: number[] = [];
  const wanted = lettersOf(prefix);
  const text = COMPARED;
  for (let at = from; at < to; at++) {
    const missing = wanted & ~letters[at]!;
    if (missing !== 0 && (!nearly || ones(missing) > 1)) continue;
    dictionary.read(terms[at]!, text);
    if ((nearly ? nearlyBegins : hasAt)(text, text.length - length, prefix)) found.push(terms[at]!);
  }
  return found;
}

/** The words of a segment by the last three characters of them, or of their stems: a counting sort by a hash of these. */
interface WordEnds {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

type Ended = "word" | "stem";

const SHORTEST_END = 3;
const END_BUCKETS = 1 << 12;
/** Made by the first query that looks for ends. */
const WORD_ENDS = new KeptKey<Map<Ended, WordEnds>>();

function endsIn({ kept }: TextCaches): Map<Ended, WordEnds> {
  return kept.get(WORD_ENDS, () => new Map());
}

/** The memory of what queries for ends made of a segment, in bytes. */
export function endsBytes(caches: TextCaches): number {
  let bytes = 0;
  for (const { starts, terms } of endsIn(caches).values()) bytes += starts.byteLength + terms.byteLength;
  return bytes;
}

/** The terms of the words that are longer than `end`, or whose stems are, and end with it, deleted or not. */
export function* termsTo({ postings, caches }: SearchableSegment, end: string, ended: Ended): Task<number[]> {
  const found: number[] = [];
  if (end.length < SHORTEST_END) return found;
  const known = endsIn(caches).get(ended) ?? (yield* sortByEnds(postings, ended));
  endsIn(caches).set(ended, known);
  const { starts, terms } = known;
  const bucket = bucketOf(
    Array.from(end.slice(-SHORTEST_END), (letter) => letter.charCodeAt(0)),
    SHORTEST_END,
  );
  const text = COMPARED;
  for (let at = starts[bucket]!; at < starts[bucket + 1]!; at++) {
    if ((at + 1) % PAUSE_EVERY === 0) yield;
    postings.dictionary.read(terms[at]!, text);
    const [from, to] = partOf(text, ended);
    if (to - from > end.length && hasAt(text, to - end.length, end)) found.push(terms[at]!);
  }
  return found;
}

function* sortByEnds({ dictionary, spelling }: Postings, ended: Ended): Task<WordEnds> {
  const size = spelling.terms.length;
  const buckets = new Uint16Array(size);
  const starts = new Uint32Array(END_BUCKETS + 1);
  const text = new TermUnits();
  for (let word = 0; word < size; word++) {
    if ((word + 1) % PAUSE_EVERY === 0) yield;
    dictionary.read(spelling.terms[word]!, text);
    const [from, to] = partOf(text, ended);
    buckets[word] = to - from < SHORTEST_END ? 0 : bucketOf(text.units, to);
    starts[buckets[word]! + 1]!++;
  }
  for (let bucket = 0; bucket < END_BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
  const next = starts.slice();
  const terms = new Uint32Array(size);
  for (let word = 0; word < size; word++) terms[next[buckets[word]!]!++] = spelling.terms[word]!;
  return { starts, terms };
}

/** The hash of the last three code units before `to`. */
function bucketOf(units: ArrayLike<number>, to: number): number {
  return ((units[to - 3]! * 31 + units[to - 2]!) * 31 + units[to - 1]!) % END_BUCKETS;
}

/** Where a word, or its stem, stands in its term. */
function partOf(text: TermUnits, ended: Ended): readonly [from: number, to: number] {
  const start = wordStart(text);
  return ended === "word" || start === 0 ? [start, text.length] : [1, start - 1];
}

/** Whether the word of a term from an index on begins with a text, but for one error behind its first letter. */
function nearlyBegins({ units, length }: TermUnits, from: number, text: string): boolean {
  let same = 0;
  while (same < text.length && from + same < length && units[from + same] === text.charCodeAt(same)) same++;
  if (same === 0 || same === text.length) return same > 0;
  const goesOn = (inText: number, inWord: number): boolean => {
    if (from + inWord + text.length - inText > length) return false;
    for (let at = inText; at < text.length; at++)
      if (units[from + inWord + at - inText] !== text.charCodeAt(at)) return false;
    return true;
  };
  const isSwapped =
    units[from + same] === text.charCodeAt(same + 1) && units[from + same + 1] === text.charCodeAt(same);
  return (
    goesOn(same + 1, same + 1) ||
    goesOn(same + 1, same) ||
    goesOn(same, same + 1) ||
    (isSwapped && goesOn(same + 2, same + 2))
  );
}

/** The word that is compared; each comparison overwrites it. A new buffer for each length takes longer than its words. */
const COMPARED = new TermUnits();

/** How many words of a length a segment has. */
export function wordsOfLength({ spelling: { starts } }: Postings, length: number): number {
  return length + 1 < starts.length ? starts[length + 1]! - starts[length]! : 0;
}

/** The length of the longest word of a segment, in code units. */
export function longestWord({ spelling }: Postings): number {
  return Math.max(0, spelling.starts.length - 2);
}

/** A word that words of a segment are compared with. */
export interface ComparedWord {
  readonly word: string;
  /** The forms of a word of the segment that are compared besides. */
  readonly otherNumbers: (word: string) => readonly string[];
}

/** How a word differs from a form of it, in length and as bitsets of letters. */
interface FormChange {
  /** The number of letters that the form has more than the word. */
  readonly longer: number;
  /** The number of letters at the end of the word that the form may lack. */
  readonly cuts: number;
  /** Letters that the word must have. */
  readonly needs: number;
  /** Letters that the form has in any case, and those that it may have. */
  readonly adds: number;
  readonly mayAdd: number;
  /** Letters of the word that the form may lack. */
  readonly mayLose: number;
}

/** A word as it is. */
const UNCHANGED: FormChange = { longer: 0, cuts: 0, needs: 0, adds: 0, mayAdd: 0, mayLose: 0 };
/** What all other numbers have in common: "bags", "brushes" and "berries", and back. */
const OTHER_NUMBERS: readonly FormChange[] = [
  { longer: 1, cuts: 0, needs: 0, adds: lettersOf("s"), mayAdd: 0, mayLose: 0 },
  { longer: 2, cuts: 1, needs: 0, adds: lettersOf("es"), mayAdd: lettersOf("i"), mayLose: lettersOf("y") },
  { longer: -1, cuts: 1, needs: lettersOf("s"), adds: 0, mayAdd: 0, mayLose: lettersOf("s") },
  { longer: -2, cuts: 3, needs: lettersOf("es"), adds: 0, mayAdd: lettersOf("y"), mayLose: lettersOf("ies") },
];
/** The other number of a word is longer or shorter by so many letters at most. */
const LONGEST_ENDING = 2;

/** Tells by the letters of a word whether a form of it may be near to the asked word. */
interface LetterTest {
  readonly cuts: number;
  readonly needs: number;
  /** Letters of a word that do not count as added, and the maximum number of its other letters. */
  readonly freely: number;
  readonly mostAdded: number;
  /** Letters that are missing if a word does not have them, and the maximum number of them. */
  readonly wanted: number;
  readonly mostMissing: number;
}

/**
 * The test for words with a form that has `more` letters more than the asked word; undefined if no such form is near. One edit
 * adds a letter, removes one, or both.
 */
function letterTest(change: FormChange, wanted: number, more: number, most: number): LetterTest | undefined {
  const mostAdded = most - Math.max(0, -more) - ones(change.adds & ~wanted);
  const mostMissing = most - Math.max(0, more);
  if (mostAdded < 0 || mostMissing < 0) return undefined;
  const { cuts, needs, adds, mayAdd, mayLose } = change;
  return { cuts, needs, freely: wanted | adds | mayLose, mostAdded, wanted: wanted & ~(adds | mayAdd), mostMissing };
}

/** A test that passes every word that passes one of two tests. */
function looser(a: LetterTest, b: LetterTest): LetterTest {
  return {
    cuts: Math.max(a.cuts, b.cuts),
    needs: a.needs & b.needs,
    freely: a.freely | b.freely,
    mostAdded: Math.max(a.mostAdded, b.mostAdded),
    wanted: a.wanted & b.wanted,
    mostMissing: Math.max(a.mostMissing, b.mostMissing),
  };
}

/**
 * The places from `from` up to `to` at which words pass a test. No generator and no calls, because this loop takes most of the time of a
 * query that has typing errors, and runs long before it is compiled.
 */
function passing(test: LetterTest, letters: Uint32Array, from: number, to: number): number[] {
  const { needs, freely, mostAdded, wanted, mostMissing } = test;
  const places: number[] = [];
  for (let at = from; at < to; at++) {
    const held = letters[at]!;
    // Each step takes away one letter.
    let added = held & ~freely;
    for (let left = mostAdded; left > 0; left--) added &= added - 1;
    if (added !== 0) continue;
    let missing = wanted & ~held;
    for (let left = mostMissing; left > 0; left--) missing &= missing - 1;
    if (missing === 0 && (held & needs) === needs) places.push(at);
  }
  return places;
}

function passes({ needs, freely, mostAdded, wanted, mostMissing }: LetterTest, letters: number): boolean {
  return ones(letters & ~freely) <= mostAdded && ones(wanted & ~letters) <= mostMissing && (letters & needs) === needs;
}

/** A word within some edits of another. */
export interface NearWord {
  readonly term: number;
  /** The number of insertions, deletions, substitutions and swaps of neighbours. */
  readonly distance: number;
}

/** The tests of the words of one length. */
interface LengthTests {
  /** For the word itself. */
  readonly own: LetterTest | undefined;
  /** For its other numbers. */
  readonly others: readonly LetterTest[];
  /** Nearly no word passes this test, and each that passes another passes it. */
  readonly loosest: LetterTest;
}

/** Finds the words near to one word, in one segment after the other. */
export class NearWords {
  private readonly asked: ComparedWord;
  private readonly most: number;
  private readonly letters: number;
  private readonly matcher: BoundedDistance;
  /** By length; null: no word of this length is near. */
  private readonly tests: (LengthTests | null)[] = [];

  /** Words of which a number is within `most` edits of the asked word are near. */
  constructor(asked: ComparedWord, most: number) {
    this.asked = asked;
    this.most = most;
    this.letters = lettersOf(asked.word);
    this.matcher = new BoundedDistance(asked.word, most);
  }

  /** The near words of a segment, deleted or not. */
  *in(postings: Postings): Task<NearWord[]> {
    const { most } = this;
    const { word } = this.asked;
    const { letters, starts } = postings.spelling;
    const found: NearWord[] = [];
    let sincePause = 0;
    const last = Math.min(starts.length - 2, word.length + most + LONGEST_ENDING);
    for (let length = Math.max(0, word.length - most - LONGEST_ENDING); length <= last; length++) {
      const tests = this.testsOf(length);
      if (tests === null) continue;
      for (let from = starts[length]!, to = from; from < starts[length + 1]!; from = to) {
        to = Math.min(from + PAUSE_EVERY_SET, starts[length + 1]!);
        this.compare(postings, passing(tests.loosest, letters, from, to), length, tests, found);
        sincePause += to - from;
        if (sincePause < PAUSE_EVERY_SET) continue;
        sincePause = 0;
        yield;
      }
    }
    return found;
  }

  private testsOf(length: number): LengthTests | null {
    const known = this.tests[length];
    if (known !== undefined) return known;
    const testOf = (change: FormChange): LetterTest | undefined =>
      letterTest(change, this.letters, length + change.longer - this.asked.word.length, this.most);
    const own = testOf(UNCHANGED);
    const others = OTHER_NUMBERS.map(testOf).filter((test) => test !== undefined);
    const all = own === undefined ? others : [own, ...others];
    const tests = all.length === 0 ? null : { own, others, loosest: all.reduce(looser) };
    this.tests[length] = tests;
    return tests;
  }

  /** Adds to `found` the near words at some places. */
  private compare(
    { dictionary, spelling: { terms, letters } }: Postings,
    places: readonly number[],
    length: number,
    { own, others }: LengthTests,
    found: NearWord[],
  ): void {
    const matcher = this.matcher;
    const most = this.most;
    const text = COMPARED;
    for (const at of places) {
      const held = letters[at]!;
      const isNear = own !== undefined && passes(own, held);
      let cuts = -1;
      for (const test of others) if (test.cuts > cuts && passes(test, held)) cuts = test.cuts;
      if (!isNear && cuts < 0) continue;
      const term = terms[at]!;
      dictionary.read(term, text);
      let distance = isNear ? matcher.to(text.units, text.length - length, length) : most + 1;
      if (cuts >= 0 && distance > 0 && matcher.mayBegin(text.units, text.length - length, length - cuts))
        for (const form of this.asked.otherNumbers(wordOf(text, length)))
          distance = Math.min(distance, matcher.toText(form));
      if (distance <= most) found.push({ term, distance });
    }
  }
}

/** The last `length` code units of a term. */
function wordOf(text: TermUnits, length: number): string {
  return String.fromCharCode(...text.units.subarray(text.length - length, text.length));
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** Whether a term has a text at an index. */
function hasAt({ units }: TermUnits, from: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (units[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Optimal string alignment distance (Damerau 1964; a swap of neighbours counts 1) from one word, up to a limit. */
export class BoundedDistance {
  readonly word: string;
  readonly most: number;
  /** Three rows of the matrix: for a letter of the other word, and for the two letters before it. */
  readonly rows: readonly Uint16Array[];

  constructor(word: string, most: number) {
    this.word = word;
    this.most = most;
    this.rows = Array.from({ length: 3 }, () => new Uint16Array(word.length + 1));
  }

  /** The distance to a text. */
  toText(text: string): number {
    if (Math.abs(text.length - this.word.length) > this.most) return this.most + 1;
    const units = new Uint16Array(text.length);
    for (let at = 0; at < units.length; at++) units[at] = text.charCodeAt(at);
    return this.to(units, 0, units.length);
  }

  /** The distance to the `length` code units from `from` on; any number above the limit if it is above the limit. */
  to(units: Uint16Array, from: number, length: number): number {
    const { word, most } = this;
    if (Math.abs(length - word.length) > most) return most + 1;
    return this.lastRow(units, from, length)?.[word.length] ?? most + 1;
  }

  /** False if no text is within the limit that begins with the `length` code units from `from` on. */
  mayBegin(units: Uint16Array, from: number, length: number): boolean {
    return this.lastRow(units, from, length) !== undefined;
  }

  /** The distances of the beginnings of the word to some code units; undefined if all are above the limit. */
  private lastRow(units: Uint16Array, from: number, length: number): Uint16Array | undefined {
    const { word, most } = this;
    const far = most + 1;
    let row = this.rows[0]!;
    let above = this.rows[1]!;
    let twoAbove = this.rows[2]!;
    for (let j = 0; j <= word.length; j++) row[j] = j;
    for (let i = 1; i <= length; i++) {
      const spare = twoAbove;
      twoAbove = above;
      above = row;
      row = spare;
      const unit = units[from + i - 1]!;
      // Farther from the diagonal, every distance is above the limit.
      const left = Math.max(1, i - most);
      const right = Math.min(word.length, i + most);
      let least = left === 1 ? i : far;
      row[left - 1] = least;
      for (let j = left; j <= right; j++) {
        const asked = word.charCodeAt(j - 1);
        let cost = above[j - 1]! + (asked === unit ? 0 : 1);
        if (row[j - 1]! + 1 < cost) cost = row[j - 1]! + 1;
        if (j < i + most && above[j]! + 1 < cost) cost = above[j]! + 1;
        if (i > 1 && j > 1 && asked === units[from + i - 2] && word.charCodeAt(j - 2) === unit)
          cost = Math.min(cost, twoAbove[j - 2]! + 1);
        row[j] = cost;
        if (cost < least) least = cost;
      }
      if (least > most) return undefined;
    }
    return row;
  }
}
