// Counts what titles have where a text goes on: words that begin as its last word does, words that stand behind its words, and what
// follows these. One pass over the titles of some records, so the counts are exact whatever filter chose the records.

import { QUANTITY_MARK, stemOf, writtenForm } from "../../analysis/scan-tokens.js";
import { CATEGORY_START, HEAD, MODIFIER } from "../../analysis/title-roles.js";
import { type Doc, type DocSet, type LocalDoc, toDoc } from "../../util/doc-set.js";
import { KeptKey, keptIn } from "../../util/kept.js";
import { offsetAt } from "../../util/offset-table.js";
import type { Task } from "../../util/tasks.js";
import type { TermDictionary } from "../term-dictionary.js";
import type { SearchableSegment } from "../text-searcher.js";
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
  /** Those in which its last word says what the product is. */
  heads: number;
  readonly forms: Map<string, CountedForm>;
}

interface CountedForm extends CompletionForm {
  lastDoc: number;
}

interface Counted extends TitleCompletion {
  lastDoc: number;
  lastAdjacent: number;
  lastHead: number;
}

/** Bits of a title term: what it is looked for as. */
const COMPLETING = 1;
const BEFORE = 2;
const TYPED = 4;

/** What a title term is, once it is known: a quantity, marked otherwise, a word, or a number, a code or a word with signs. */
const QUANTITY = 1;
const MARKED = 2;
const WORD = 3;
const OTHER = 4;

/** By title term: what it is, as far as it was asked. */
const KINDS = new KeptKey<Uint8Array>();

/** Counts completions in one segment after the other. */
export class TitleWords {
  readonly found: Map<string, Counted> = new Map();
  readonly isStopWord: (word: string) => boolean;
  /** Completions of two words are counted, too. */
  readonly takesPairs: boolean;
  /** The words of quantities are words, too. */
  readonly takesQuantities: boolean;

  constructor(
    isStopWord: (word: string) => boolean,
    { takesPairs, takesQuantities }: Pick<TitleWords, "takesPairs" | "takesQuantities">,
  ) {
    this.isStopWord = isStopWord;
    this.takesPairs = takesPairs;
    this.takesQuantities = takesQuantities;
  }

  /** Counts the titles of some live records of a segment, ascending; null: of all. The titles must be loaded. */
  *count(segment: SearchableSegment, docs: Uint32Array | null, looked: LookedFor): Task<void> {
    const { postings } = segment;
    if (postings.titles.terms.length === 0) return;
    const counter = new SegmentCounter(segment, looked, this);
    const size = docs === null ? postings.maxDoc : docs.length;
    for (let from = 0; from < size; from += PAUSE_EVERY) {
      if (from > 0) yield;
      counter.readAll(docs, from, Math.min(size, from + PAUSE_EVERY));
    }
  }

  /** The completion and the form that some words are. */
  entryOf(words: readonly TitleWord[]): { readonly counted: Counted; readonly form: CountedForm } {
    const key = words.map(({ stem }) => stem).join(" ");
    const counted = keptIn(this.found, key, () => ({
      size: words.length as 1 | 2,
      count: 0,
      adjacent: 0,
      heads: 0,
      forms: new Map<string, CountedForm>(),
      lastDoc: -1,
      lastAdjacent: -1,
      lastHead: -1,
    }));
    const written = words.map((word) => word.written);
    const makeForm = (): CountedForm => ({ words: written, count: 0, examples: [], lastDoc: -1 });
    return { counted, form: keptIn(counted.forms, written.join(" "), makeForm) };
  }
}

/** A word of titles. */
interface TitleWord {
  readonly written: string;
  readonly stem: string;
  /** Whether it may end a completion. */
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
  private readonly base: number;
  private readonly deletedDocs: DocSet<LocalDoc> | null;
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
  /** Their roles. */
  private readonly roles: number[] = [];

  constructor(
    { postings, base, deletedDocs, caches }: SearchableSegment,
    { completing, before, typed }: LookedFor,
    words: TitleWords,
  ) {
    const { titles, dictionary } = postings;
    this.dictionary = dictionary;
    this.base = base;
    this.deletedDocs = deletedDocs;
    this.reader = titleReader(titles);
    this.words = words;
    this.kinds = caches.kept.get(KINDS, () => new Uint8Array(titles.terms.length));
    const byTerm = new Uint8Array(dictionary.size);
    for (const term of completing ?? []) byTerm[term]! |= COMPLETING;
    for (const term of before) byTerm[term]! |= BEFORE;
    for (const term of typed) byTerm[term]! |= TYPED;
    this.flags = new Uint8Array(titles.terms.length);
    for (let number = 0; number < titles.terms.length; number++) this.flags[number] = byTerm[titles.terms[number]!]!;
    this.wanted = completing === null ? BEFORE : COMPLETING;
  }

  /** Counts the records at some places of a list; null: the live records with these numbers. No generator, because it takes most of the time. */
  readAll(list: Uint32Array | null, first: number, end: number): void {
    const { starts, halves } = this.reader;
    let to = -1;
    for (let i = first; i < end; i++) {
      const doc = (list === null ? i : list[i]!) as LocalDoc;
      const from = to >= 0 && list === null ? to : offsetAt(starts, doc);
      to = offsetAt(starts, doc + 1);
      if (from === to || (list === null && this.deletedDocs?.has(doc))) continue;
      if (this.isWanted(halves, from, to)) this.read(halves, from, to, doc);
    }
  }

  private read(halves: Uint16Array, from: number, to: number, doc: LocalDoc): void {
    this.splitWords(halves, from, to);
    const { title, flags } = this;
    for (let at = 0; at < title.length; at++) {
      const number = title[at]!;
      if (number === NO_WORD || (flags[number]! & this.wanted) === 0) continue;
      if (this.wanted === BEFORE) this.add(doc, at + 1, true);
      else this.add(doc, at, at > 0 && title[at - 1] !== NO_WORD && (flags[title[at - 1]!]! & BEFORE) !== 0);
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
    this.title.length = 0;
    this.roles.length = 0;
    const { title, roles } = this;
    const { takesQuantities } = this.words;
    let first = NO_WORD;
    let second = NO_WORD;
    let role: number = MODIFIER;
    let isMeasured = false;
    const push = (word: number): void => {
      title.push(word);
      roles.push(role);
    };
    const end = (): void => {
      if (first === NO_WORD) return;
      const isCompound = second !== NO_WORD && this.kindOf(first) === WORD && this.kindOf(second) === WORD;
      const word = isCompound ? second : first;
      if (isCompound && title.at(-1) === word) roles[roles.length - 1] = role;
      else push(word);
    };
    for (let at = from; at < to; at++) {
      const half = halves[at]!;
      const entry = half < FIRST_LONG ? half : longEntry(half, halves[++at]!);
      if (roleAt(entry) !== 0) {
        end();
        first = NO_WORD;
        second = NO_WORD;
        role = roleAt(entry);
        isMeasured = false;
        if (role === CATEGORY_START) push(NO_WORD);
      }
      const number = titleNumber(entry);
      const kind = this.kindOf(number);
      if (kind === QUANTITY && !takesQuantities) {
        isMeasured = true;
        push(NO_WORD);
      }
      if (isMeasured || kind <= MARKED) continue;
      if (first === NO_WORD) first = number;
      else if (second === NO_WORD) second = number;
    }
    end();
  }

  private kindOf(number: number): number {
    let kind = this.kinds[number]!;
    if (kind === 0) {
      const term = this.dictionary.textAt(this.reader.terms[number]!);
      if (term.startsWith(QUANTITY_MARK)) kind = QUANTITY;
      else kind = MARKS.test(term) ? MARKED : OTHERS.test(term) ? OTHER : WORD;
      this.kinds[number] = kind;
    }
    return kind;
  }

  /** Counts a word, and a pair with the word behind it. */
  private add(doc: LocalDoc, at: number, isBehind: boolean): void {
    const { flags, title, roles } = this;
    const number = title[at] ?? NO_WORD;
    const next = title[at + 1] ?? NO_WORD;
    if (number === NO_WORD || (flags[number]! & TYPED) !== 0) return;
    const word = this.wordOf(number);
    if (word.mayEnd) {
      let entry = this.singles[number];
      if (entry === undefined) {
        entry = { ...this.words.entryOf([word]), examples: 0 };
        this.singles[number] = entry;
      }
      this.countIn(entry, doc, isBehind, roles[at] === HEAD);
    }
    if (!this.words.takesPairs || next === NO_WORD || next === number || (flags[next]! & TYPED) !== 0) return;
    const behind = this.wordOf(next);
    if (!behind.mayEnd || behind.stem === word.stem) return;
    const key = number * PAIR_FACTOR + next;
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      pair = { ...this.words.entryOf([word, behind]), examples: 0 };
      this.pairs.set(key, pair);
    }
    this.countIn(pair, doc, isBehind, roles[at + 1] === HEAD);
  }

  private countIn(entry: Entry, local: LocalDoc, isBehind: boolean, isHead: boolean): void {
    const { counted, form } = entry;
    const doc = toDoc(this.base, local);
    if (counted.lastDoc !== doc) counted.count++;
    counted.lastDoc = doc;
    if (isBehind && counted.lastAdjacent !== doc) {
      counted.adjacent++;
      counted.lastAdjacent = doc;
    }
    if (isHead && counted.lastHead !== doc) {
      counted.heads++;
      counted.lastHead = doc;
    }
    if (form.lastDoc === doc) return;
    form.lastDoc = doc;
    form.count++;
    if (entry.examples++ < MOST_EXAMPLES) form.examples.push(doc);
  }

  private wordOf(number: number): TitleWord {
    let word = this.known[number];
    if (word === undefined) {
      const term = this.dictionary.textAt(this.reader.terms[number]!);
      const written = writtenForm(term);
      word = { written, stem: stemOf(term), mayEnd: written.length > 1 && !this.words.isStopWord(written) };
      this.known[number] = word;
    }
    return word;
  }
}

const MARKS = /^[=+^]/;
const OTHERS = /\p{N}|[+#]$/u;
