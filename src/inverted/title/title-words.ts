// Counts what titles have where a text goes on: words that begin as its last word does, words that stand behind its words, and what
// follows these. One pass over the titles of some records, so the counts are exact whatever filter chose the records.

import { stemOf, writtenForm } from "../../analysis/term-marks.js";
import { CATEGORY_START } from "../../analysis/title-roles.js";
import { type Doc, type LocalDoc, toDoc } from "../../util/doc.js";
import type { DocSet } from "../../util/doc-set.js";
import { offsetAt } from "../../util/offset-table.js";
import type { Task } from "../../util/tasks.js";
import type { TermDictionary } from "../term-dictionary.js";
import type { SearchableSegment } from "../text-corpus.js";
import { FIRST_LONG, longEntry, ROLE_BITS, roleAt, type TitleReader, titleNumber, titleReader } from "./title-table.js";

/** Titles read between two pauses. */
const PAUSE_EVERY = 1 << 12;
/** The records of a segment that are remembered for each form of a completion. */
const MOST_EXAMPLES = 3;

/** What words of titles are looked for in a segment, as ordinals of terms. */
export interface LookedFor {
  /** Terms that complete the last word; null: it is complete, so words behind `before` are looked for. */
  readonly completing: readonly number[] | null;
  /** The last word before that; empty: there is none. */
  readonly before: readonly number[];
  /** All words before that, which are not proposed again. */
  readonly typed: readonly number[];
}

/** One way to write a completion, as index terms without marks. */
export interface CompletionForm {
  readonly words: readonly string[];
  /** The number of records. */
  count: number;
  /** The first records of each segment, in the order of their ids. */
  readonly examples: Doc[];
}

/** A completion: one word, or two. Forms of the same stems are one completion. */
export interface TitleCompletion {
  readonly size: 1 | 2;
  /** The number of records whose titles or categories have it. */
  count: number;
  /** Of them, those that have it right behind the words before. */
  adjacent: number;
  readonly forms: Map<string, CountedForm>;
}

interface CountedForm extends CompletionForm {
  lastDoc: number;
}

interface Counted extends TitleCompletion {
  lastDoc: number;
  lastAdjacent: number;
}

/** Bits of a title term: what it is looked for as. */
const COMPLETING = 1;
const BEFORE = 2;
const TYPED = 4;

/** What a title term is: not yet known, marked, a word, or a number, a code or a word with signs. */
const MARKED = 1;
const WORD = 2;
const OTHER = 3;

/** By table of title terms: what they are, as far as it was asked. */
const kindsOf = new WeakMap<Uint32Array, Uint8Array>();

/** Counts completions in one segment after the other. */
export class TitleWords {
  readonly found: Map<string, Counted> = new Map();
  private readonly isStopWord: (word: string) => boolean;
  private readonly takesPairs: boolean;

  /** `takesPairs`: whether completions of two words are counted, too. */
  constructor(isStopWord: (word: string) => boolean, takesPairs: boolean) {
    this.isStopWord = isStopWord;
    this.takesPairs = takesPairs;
  }

  /** Counts the titles of some records of a segment, which must be loaded; null: of all live ones. */
  *count(segment: SearchableSegment, docs: DocSet<Doc> | null, looked: LookedFor): Task<void> {
    const { postings, base, deletedDocs } = segment;
    if (postings.titles.terms.length === 0) return;
    const counter = new SegmentCounter(segment, looked, this);
    let list: Uint32Array | undefined;
    if (docs !== null) {
      const room = new Uint32Array(postings.maxDoc);
      list = room.subarray(0, docs.listWithin(base, base + postings.maxDoc, room));
    }
    const size = list === undefined ? postings.maxDoc : list.length;
    for (let i = 0; i < size; i++) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      const doc = (list === undefined ? i : list[i]!) as LocalDoc;
      if (!deletedDocs?.has(doc)) counter.read(doc);
    }
  }

  /** The completion and the form that some words are. */
  entryOf(words: readonly TitleWord[]): { readonly counted: Counted; readonly form: CountedForm } {
    const key = words.map(({ stem }) => stem).join(" ");
    let counted = this.found.get(key);
    if (counted === undefined) {
      const size = words.length as 1 | 2;
      counted = { size, count: 0, adjacent: 0, forms: new Map(), lastDoc: -1, lastAdjacent: -1 };
      this.found.set(key, counted);
    }
    const written = words.map((word) => word.written);
    const text = written.join(" ");
    let form = counted.forms.get(text);
    if (form === undefined) {
      form = { words: written, count: 0, examples: [], lastDoc: -1 };
      counted.forms.set(text, form);
    }
    return { counted, form };
  }

  /** Whether a word may end a completion. */
  mayEnd(written: string): boolean {
    return written.length > 1 && !this.isStopWord(written);
  }

  get countsPairs(): boolean {
    return this.takesPairs;
  }
}

/** A word of titles. */
interface TitleWord {
  readonly written: string;
  readonly stem: string;
  readonly kind: typeof WORD | typeof OTHER;
  readonly mayEnd: boolean;
}

interface Entry {
  readonly counted: Counted;
  readonly form: CountedForm;
  /** How many records of this segment are among the examples. */
  examples: number;
}

/** Pairs of title terms are numbered in one number. */
const PAIR_FACTOR = 2 ** 26;
const NO_WORD = -1;

/** Counts the titles of one segment. */
class SegmentCounter {
  private readonly dictionary: TermDictionary;
  private readonly terms: Uint32Array;
  private readonly base: number;
  private readonly reader: TitleReader;
  private readonly kinds: Uint8Array;
  /** By title term: what it is looked for as. */
  private readonly flags: Uint8Array;
  private readonly wanted: number;
  private readonly words: TitleWords;
  private readonly known: (TitleWord | undefined)[] = [];
  private readonly singles: (Entry | undefined)[] = [];
  private readonly pairs = new Map<number, Entry>();
  /** The words of the current title by their title terms; NO_WORD between two texts. */
  private readonly title: number[] = [];

  constructor({ postings, base }: SearchableSegment, { completing, before, typed }: LookedFor, words: TitleWords) {
    const { titles, dictionary } = postings;
    this.dictionary = dictionary;
    this.terms = titles.terms;
    this.base = base;
    this.reader = titleReader(titles);
    this.words = words;
    let kinds = kindsOf.get(titles.terms);
    if (kinds === undefined) {
      kinds = new Uint8Array(titles.terms.length);
      kindsOf.set(titles.terms, kinds);
    }
    this.kinds = kinds;
    const byTerm = new Uint8Array(dictionary.size);
    for (const term of completing ?? []) byTerm[term]! |= COMPLETING;
    for (const term of before) byTerm[term]! |= BEFORE;
    for (const term of typed) byTerm[term]! |= TYPED;
    this.flags = new Uint8Array(titles.terms.length);
    for (let number = 0; number < titles.terms.length; number++) this.flags[number] = byTerm[titles.terms[number]!]!;
    this.wanted = completing === null ? BEFORE : COMPLETING;
  }

  read(doc: LocalDoc): void {
    const { starts, halves, file } = this.reader;
    const from = offsetAt(starts, doc);
    const to = offsetAt(starts, doc + 1);
    if (from === to) return;
    if (halves !== null) this.readHalves(halves, from, to, doc);
    else this.readHalves(file!.halves(from, to), 0, to - from, doc);
  }

  private readHalves(halves: Uint16Array, from: number, to: number, doc: LocalDoc): void {
    if (!this.isWanted(halves, from, to)) return;
    this.splitWords(halves, from, to);
    const { title, flags, wanted } = this;
    for (let at = 0; at < title.length; at++) {
      const number = title[at]!;
      if (number === NO_WORD || (flags[number]! & wanted) === 0) continue;
      if (wanted === BEFORE) this.add(doc, title[at + 1] ?? NO_WORD, NO_WORD, true);
      else {
        const isBehind = at > 0 && title[at - 1] !== NO_WORD && (flags[title[at - 1]!]! & BEFORE) !== 0;
        this.add(doc, number, title[at + 1] ?? NO_WORD, isBehind);
      }
    }
  }

  /** Most titles have nothing that is looked for. */
  private isWanted(halves: Uint16Array, from: number, to: number): boolean {
    const { flags, wanted } = this;
    for (let at = from; at < to; at++) {
      const half = halves[at]!;
      const number = (half < FIRST_LONG ? half : longEntry(half, halves[++at]!)) >>> ROLE_BITS;
      if ((flags[number]! & wanted) !== 0) return true;
    }
    return false;
  }

  /** Fills `title`: the word of each part; that of a compound is the joined one. */
  private splitWords(halves: Uint16Array, from: number, to: number): void {
    const { title } = this;
    title.length = 0;
    let first = NO_WORD;
    let second = NO_WORD;
    const end = (): void => {
      if (first === NO_WORD) return;
      const isCompound = second !== NO_WORD && this.kindOf(first) === WORD && this.kindOf(second) === WORD;
      const word = isCompound ? second : first;
      if (!isCompound || title.at(-1) !== word) title.push(word);
    };
    for (let at = from; at < to; at++) {
      const half = halves[at]!;
      const entry = half < FIRST_LONG ? half : longEntry(half, halves[++at]!);
      const role = roleAt(entry);
      if (role !== 0) {
        end();
        first = NO_WORD;
        second = NO_WORD;
        if (role === CATEGORY_START) title.push(NO_WORD);
      }
      const number = titleNumber(entry);
      if (this.kindOf(number) === MARKED) continue;
      if (first === NO_WORD) first = number;
      else if (second === NO_WORD) second = number;
    }
    end();
  }

  private kindOf(number: number): number {
    const { kinds } = this;
    if (kinds[number] === 0) kinds[number] = kindOfTerm(this.dictionary.termAt(this.terms[number]!));
    return kinds[number]!;
  }

  /** Counts a word, and a pair with the word behind it. */
  private add(doc: LocalDoc, number: number, next: number, isBehind: boolean): void {
    const { flags } = this;
    if (number === NO_WORD || (flags[number]! & TYPED) !== 0) return;
    const word = this.wordOf(number);
    if (word.mayEnd) {
      let entry = this.singles[number];
      if (entry === undefined) {
        entry = { ...this.words.entryOf([word]), examples: 0 };
        this.singles[number] = entry;
      }
      this.countIn(entry, doc, isBehind);
    }
    if (!this.words.countsPairs || next === NO_WORD || next === number || (flags[next]! & TYPED) !== 0) return;
    const behind = this.wordOf(next);
    if (!behind.mayEnd || behind.stem === word.stem) return;
    const key = number * PAIR_FACTOR + next;
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      pair = { ...this.words.entryOf([word, behind]), examples: 0 };
      this.pairs.set(key, pair);
    }
    this.countIn(pair, doc, isBehind);
  }

  private countIn(entry: Entry, local: LocalDoc, isBehind: boolean): void {
    const { counted, form } = entry;
    const doc = toDoc(this.base, local);
    if (counted.lastDoc !== doc) counted.count++;
    counted.lastDoc = doc;
    if (isBehind && counted.lastAdjacent !== doc) {
      counted.adjacent++;
      counted.lastAdjacent = doc;
    }
    if (form.lastDoc === doc) return;
    form.lastDoc = doc;
    form.count++;
    if (entry.examples++ < MOST_EXAMPLES) form.examples.push(doc);
  }

  private wordOf(number: number): TitleWord {
    let word = this.known[number];
    if (word === undefined) {
      const term = this.dictionary.termAt(this.terms[number]!);
      const written = writtenForm(term);
      const kind = this.kindOf(number) === WORD ? WORD : OTHER;
      word = { written, stem: stemOf(term), kind, mayEnd: this.words.mayEnd(written) };
      this.known[number] = word;
    }
    return word;
  }
}

const MARKS = /^[=#+^]/;
const OTHERS = /\p{N}|[+#]$/u;

function kindOfTerm(term: string): number {
  if (MARKS.test(term)) return MARKED;
  return OTHERS.test(term) ? OTHER : WORD;
}
