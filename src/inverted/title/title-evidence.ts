// What a record's title says for it, beyond being a field that counts double: whether it holds or nearly holds every term of
// the query, how much of it is about what was asked, and whether neighbours stand together (docs/scoring.md). It adds a
// bounded part to the score, and depends on the query, the record and the statistics of the living records alone.

import { GrowableUint32 } from "../../util/growable.js";
import { stemOf, WORD_MARK } from "../../util/index-terms.js";
import { numberAt } from "../ascending.js";
import { idf } from "../bm25.js";
import { FIELD_MASK, fieldAt, type Postings, TITLE_BIT } from "../postings.js";
import type { TermDictionary } from "../term-dictionary.js";
import { type SegmentQuery, segmentAt, type WeightedQuery } from "../weighted-query.js";
import type { NearnessRow } from "./nearness-row.js";
import { isFirstOfPart, readTitle, type TitleTable, titleNumber } from "./title-table.js";
import type { TitleWords } from "./title-words.js";
import { isTurn, NO_WORD, numberIn } from "./word-memory.js";

/** The most that each kind of evidence adds to a score, before all is divided by what it could be at most. */
export const COVERAGE = 0.1;
export const FOCUS = 0.025;
export const ADJACENCY = 0.025;
/** Coverage counts less in longer queries: they have more words, and words have more say. */
export const FULL_COVERAGE_TERMS = 4;
/** Without knowledge of words the share of the query that is held counts instead of coverage and focus. */
export const HELD_SHARE = 0.075;
/** What a term is worth to coverage that the record holds elsewhere. */
export const HELD_ELSEWHERE = 0.8;
/** Words less near than this are not near at all. */
export const LEAST_NEARNESS = 0.3;

/** The kinds of evidence, each 0 … 1, and what they add to a score together. */
export interface TitleScore {
  readonly coverage: number;
  readonly focus: number;
  readonly adjacency: number;
  readonly sum: number;
}

/** Asks titles about one query. */
export class TitleEvidence {
  /** The most that a title can add. */
  readonly most: number;
  private readonly query: WeightedQuery;
  /** Whether anything is known of words. */
  private readonly knowsWords: boolean;
  private readonly question: TitleQuestion;
  private readonly reading: TitleReading;
  private readonly coverageWeight: number;
  private readonly isRestricted: boolean;
  private readonly titles: TitlesBySegment;

  constructor(query: WeightedQuery, words: TitleWords) {
    this.query = query;
    this.knowsWords = words.knowsWords;
    this.question = new TitleQuestion(query);
    this.reading = new TitleReading(this.question, words);
    this.titles = new TitlesBySegment(query, this.question);
    this.coverageWeight = !this.knowsWords
      ? HELD_SHARE
      : COVERAGE * Math.min(1, FULL_COVERAGE_TERMS / Math.max(1, this.question.size));
    this.isRestricted = query.corpus.segments.some(({ fields }) => fields.weights.includes(0));
    const focus = this.knowsWords ? FOCUS : 0;
    this.most = this.coverageWeight + focus + (this.question.pairSum > 0 ? ADJACENCY : 0);
  }

  /** What score and evidence together are divided by, so that 1 stays the most. */
  get divisor(): number {
    // The parts first: added to 1 one by one they miss the number that they make by its last bit.
    return 1 + (ADJACENCY + (this.knowsWords ? COVERAGE + FOCUS : HELD_SHARE));
  }

  /** What the title of a record adds to its score, before the division. */
  sumOf(doc: number): number {
    return this.scoreOf(doc).sum;
  }

  /** The evidence of a record. */
  scoreOf(doc: number): TitleScore {
    const part = segmentAt(this.query, doc);
    const inSegment = doc - part.segment.base;
    return this.knowsWords ? this.byWords(part, inSegment) : this.byHeldShare(part, inSegment);
  }

  private byWords(part: SegmentQuery, doc: number): TitleScore {
    this.read(part, doc);
    const coverage = this.coverage(part, doc);
    const focus = this.reading.focus();
    const adjacency = this.adjacency();
    return { coverage, focus, adjacency, sum: this.coverageWeight * coverage + FOCUS * focus + ADJACENCY * adjacency };
  }

  private byHeldShare(part: SegmentQuery, doc: number): TitleScore {
    const { lists } = part;
    const { idfs, idfSum, pairs, size } = this.question;
    let held = 0;
    let hasPair = false;
    let before = false;
    for (let term = 0; term < size; term++) {
      const isHeld = lists[term]?.has(doc) === true;
      if (isHeld) held += idfs[term]!;
      if (isHeld && before && pairs[term - 1]! > 0) hasPair = true;
      before = isHeld;
    }
    const coverage = idfSum === 0 ? 0 : held / idfSum;
    // Neighbours that the record does not hold cannot stand together in its title.
    if (!hasPair) return { coverage, focus: 0, adjacency: 0, sum: this.coverageWeight * coverage };
    this.read(part, doc);
    const adjacency = this.adjacency();
    return { coverage, focus: 0, adjacency, sum: this.coverageWeight * coverage + ADJACENCY * adjacency };
  }

  private adjacency(): number {
    const { pairSum } = this.question;
    return pairSum === 0 ? 0 : this.reading.together() / pairSum;
  }

  /** The terms of the query that the title holds, or nearly holds, weighed by the root of their idf. */
  private coverage({ lists }: SegmentQuery, doc: number): number {
    const { roots, rootSum, size } = this.question;
    let sum = 0;
    for (let term = 0; term < size; term++) sum += roots[term]! * this.shareOf(term, lists, doc);
    return sum / rootSum;
  }

  /** 1 where the title holds a term; else how near a word of it is, or what counts for a term that the record holds elsewhere. */
  private shareOf(term: number, lists: SegmentQuery["lists"], doc: number): number {
    if (this.reading.held[term] !== 0) return 1;
    const nearest = this.reading.nearestTo(term);
    const share = nearest >= LEAST_NEARNESS ? nearest : 0;
    return share < HELD_ELSEWHERE && lists[term]?.has(doc) === true ? HELD_ELSEWHERE : share;
  }

  /** Reads a title; one in a field that is not searched says nothing. */
  private read(part: SegmentQuery, doc: number): void {
    const { reading, question } = this;
    const { postings, fields } = part.segment;
    const { titles } = postings;
    const asksField =
      (question.hasExceptions || this.isRestricted) && numberAt(titles.starts, doc) < numberAt(titles.starts, doc + 1);
    const field = asksField ? titleField(postings, doc) : -1;
    reading.begin(postings.fields[field]);
    if (asksField && fields.titleWeights[field] === 0) return;
    reading.read(this.titles.of(part), doc);
  }
}

/** An alternative of a term of the query, by the index term that leads to it. */
interface TermUse {
  /** Number of the query's term. */
  readonly term: number;
  /** Number of the alternative among all of the query; its index terms are so many. */
  readonly alternative: number;
  readonly size: number;
  /** Fields in which it does not count. */
  readonly notIn: ReadonlySet<string> | undefined;
}

/** A query, laid out for titles. */
class TitleQuestion {
  /** How many terms the query has. */
  readonly size: number;
  /** The numbers that the index terms of its alternatives have here. */
  readonly numbers: ReadonlyMap<string, number>;
  /** By these numbers. */
  readonly uses: readonly (readonly TermUse[])[];
  readonly alternatives: number;
  /** Whether some alternative is held by several index terms together, and whether some does not count in every field. */
  readonly hasSeveral: boolean;
  readonly hasExceptions: boolean;
  /** By term: the root of its idf; its idf, 0 where no record holds it. */
  readonly roots: Float64Array;
  readonly idfs: Float64Array;
  /** By term: the least idf of it and the next; 0 behind the last. */
  readonly pairs: Float64Array;
  /** Sums of these, in order. */
  readonly rootSum: number;
  readonly idfSum: number;
  readonly pairSum: number;
  /** By term: its word as it was typed; undefined: it is none. */
  readonly words: readonly (string | undefined)[];

  constructor({ terms, idfs, docFreqs, corpus }: WeightedQuery) {
    this.size = terms.length;
    this.idfs = idfs;
    // A word that no record holds is as rare as can be: ln(1 + N), not the idf of df 0.
    this.roots = Float64Array.from(docFreqs, (docFreq) =>
      Math.sqrt(docFreq === 0 ? Math.log(1 + corpus.docCount) : idf(corpus.docCount, docFreq)),
    );
    this.pairs = Float64Array.from(idfs, (one, term) => (term + 1 < idfs.length ? Math.min(one, idfs[term + 1]!) : 0));
    this.rootSum = sum(this.roots);
    this.idfSum = sum(idfs);
    this.pairSum = sum(this.pairs);
    this.words = terms.map(({ word }) => word);
    const numbers = new Map<string, number>();
    const uses: TermUse[][] = [];
    let alternatives = 0;
    for (const [term, { alternatives: given }] of terms.entries())
      for (const { terms: parts, notIn } of given) {
        const distinct = new Set(parts);
        const use = { term, alternative: alternatives++, size: distinct.size, notIn };
        for (const part of distinct) {
          let number = numbers.get(part);
          if (number === undefined) {
            number = uses.push([]) - 1;
            numbers.set(part, number);
          }
          uses[number]!.push(use);
        }
      }
    this.numbers = numbers;
    this.uses = uses;
    this.alternatives = alternatives;
    this.hasSeveral = uses.some((list) => list.some(({ size }) => size > 1));
    this.hasExceptions = uses.some((list) => list.some(({ notIn }) => notIn !== undefined && notIn.size > 0));
  }
}

function sum(numbers: Float64Array): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

const NOWHERE = -2;

/** What one title was found to say. */
class TitleReading {
  /** By term of the query: 1 where the title holds it. */
  readonly held: Uint8Array;
  private readonly question: TitleQuestion;
  private readonly titleWords: TitleWords;
  /** By term of the query: what is near to its word; null: nothing is. */
  private rows: readonly (NearnessRow | null)[] = [];
  private generation = -1;
  private segment = 0;
  /** The title, as its table has it. */
  private readonly entries = new GrowableUint32();
  /** The places of entries that are the first of their part and answer the query. */
  private readonly asked = new GrowableUint32();
  /** The words of the title by number, and whether they are words of the query: found when first asked for. */
  private readonly words = new GrowableUint32();
  private readonly isAsked = new GrowableUint32();
  private hasWords = false;
  /** How many of the words stand before the first turn. */
  private unturned = 0;
  /** Where index terms of the query stand: their numbers, and the parts. */
  private readonly found = new GrowableUint32();
  private readonly places = new GrowableUint32();
  private field: string | undefined;
  private part = -1;
  /** By alternative: how many of its index terms the title holds, where it has several. */
  private readonly counts: Uint8Array;
  /** By term: the last part and the one before where it stands. */
  private readonly lastPlace: Int32Array;
  private readonly placeBefore: Int32Array;
  private readonly joined: Uint8Array;

  constructor(question: TitleQuestion, titleWords: TitleWords) {
    this.question = question;
    this.titleWords = titleWords;
    this.held = new Uint8Array(question.size);
    this.counts = new Uint8Array(question.alternatives);
    this.lastPlace = new Int32Array(question.size);
    this.placeBefore = new Int32Array(question.size);
    this.joined = new Uint8Array(question.size);
  }

  /** Begins a title, which is empty as long as nothing is read; `field`: its name, where it matters. */
  begin(field?: string): void {
    this.held.fill(0);
    this.found.length = 0;
    this.places.length = 0;
    this.asked.length = 0;
    this.words.length = 0;
    this.isAsked.length = 0;
    this.unturned = 0;
    this.hasWords = true;
    this.field = field;
    this.part = -1;
  }

  /** Reads the title of a record of a segment. */
  read({ table, answers, segment }: SegmentTitles, doc: number): void {
    const { terms } = table;
    this.segment = segment;
    this.hasWords = false;
    readTitle(table, doc, this.entries);
    const { array: entries, length } = this.entries;
    for (let at = 0; at < length; at++) {
      const entry = entries[at]!;
      const isFirst = isFirstOfPart(entry);
      if (isFirst) this.part++;
      const numbers = answers.of(terms[titleNumber(entry)]!);
      let isAsked = false;
      for (let i = 0; i < numbers.length; i++) if (this.find(numbers[i]!)) isAsked = true;
      if (isAsked && isFirst) this.asked.push(at);
    }
    this.end();
  }

  /** How near the nearest of its words is to a term of the query. */
  nearestTo(term: number): number {
    this.findRows();
    if (this.rows[term] == null) return 0;
    this.findWords();
    return this.rows[term].nearestOf(this.words.array, this.words.length, this.titleWords.meanings);
  }

  /** How much of the words before the first turn is about the query, each by its rarity. */
  focus(): number {
    this.findWords();
    const { rows, titleWords } = this;
    const { meanings } = titleWords;
    const [words, isAsked] = [this.words.array, this.isAsked.array];
    let weight = 0;
    let about = 0;
    for (let i = 0; i < this.unturned; i++) {
      const number = words[i]!;
      const rarity = titleWords.rarityOf(number);
      let nearest = isAsked[i]!;
      for (let term = 0; nearest < 1 && term < rows.length; term++)
        nearest = Math.max(nearest, rows[term]?.nearnessOf(number, meanings) ?? 0);
      weight += rarity;
      about += rarity * nearest;
    }
    return weight === 0 ? 0 : about / weight;
  }

  private findRows(): void {
    const { titleWords, question } = this;
    if (this.generation === titleWords.generation) return;
    this.generation = titleWords.generation;
    this.rows = question.words.map((word) => (word === undefined ? null : titleWords.rowOf(word)));
  }

  /** The words are looked at only where the terms that the title holds do not say enough. */
  private findWords(): void {
    if (this.hasWords) return;
    this.hasWords = true;
    const { titleWords } = this;
    titleWords.makeRoom();
    this.findRows();
    let isTurned = false;
    const { array: entries, length } = this.entries;
    const asked = this.asked.array;
    for (let at = 0, part = -1, next = 0; at < length; at++) {
      const entry = entries[at]!;
      if (!isFirstOfPart(entry)) continue;
      part++;
      const isAsked = next < this.asked.length && asked[next] === at;
      if (isAsked) next++;
      const word = titleWords.entryOf(this.segment, titleNumber(entry));
      if (word === NO_WORD) continue;
      if (part > 0 && isTurn(word)) isTurned = true;
      if (!isTurned) this.unturned++;
      this.words.push(numberIn(word));
      this.isAsked.push(isAsked ? 1 : 0);
    }
  }

  /** What needs several index terms is held where all of them were found. */
  private end(): void {
    const { counts, found, held, question } = this;
    if (!question.hasSeveral || found.length === 0) return;
    counts.fill(0);
    for (const number of new Set(found.toArray()))
      for (const use of question.uses[number]!)
        if (use.size > 1 && this.allows(use) && ++counts[use.alternative]! === use.size) held[use.term] = 1;
  }

  /** The pairs of neighbours among the query's terms that stand one behind the other, by what they weigh. */
  together(): number {
    const { joined, question } = this;
    const { array: found, length } = this.found;
    const places = this.places.array;
    if (length < 2) return 0;
    this.lastPlace.fill(NOWHERE);
    this.placeBefore.fill(NOWHERE);
    joined.fill(0);
    for (let i = 0; i < length; i++)
      for (const use of question.uses[found[i]!]!)
        if (this.allows(use) && (use.size === 1 || this.counts[use.alternative] === use.size))
          this.place(use.term, places[i]!);
    let sum = 0;
    for (let term = 0; term < question.size; term++) if (joined[term] === 1) sum += question.pairs[term]!;
    return sum;
  }

  /** A term stands at a part; parts come in order. */
  private place(term: number, part: number): void {
    const { lastPlace, placeBefore } = this;
    if (lastPlace[term] !== part) {
      placeBefore[term] = lastPlace[term]!;
      lastPlace[term] = part;
    }
    if (term > 0 && (lastPlace[term - 1] === part - 1 || placeBefore[term - 1] === part - 1)) this.joined[term - 1] = 1;
  }

  /** Notes an index term of the query; false: it counts for nothing in this field. */
  private find(number: number): boolean {
    let counts = false;
    for (const use of this.question.uses[number]!) {
      if (!this.allows(use)) continue;
      counts = true;
      if (use.size === 1) this.held[use.term] = 1;
    }
    if (!counts) return false;
    this.found.push(number);
    this.places.push(this.part);
    return true;
  }

  private allows({ notIn }: TermUse): boolean {
    return notIn === undefined || this.field === undefined || !notIn.has(this.field);
  }
}

/** The titles of one segment, and what their terms are to a query. */
interface SegmentTitles {
  readonly table: TitleTable;
  readonly answers: TermAnswers;
  /** The number of the segment. */
  readonly segment: number;
}

/** The titles of a query's segments. */
class TitlesBySegment {
  private readonly query: WeightedQuery;
  private readonly question: TitleQuestion;
  private readonly found: (SegmentTitles | undefined)[] = [];

  constructor(query: WeightedQuery, question: TitleQuestion) {
    this.query = query;
    this.question = question;
  }

  /** The titles of a segment. */
  of(part: SegmentQuery): SegmentTitles {
    const segment = this.query.segments.indexOf(part);
    const known = this.found[segment];
    if (known !== undefined) return known;
    const { names, titles } = part.segment.postings;
    const made = { table: titles, answers: new TermAnswers(names, this.question.numbers), segment };
    this.found[segment] = made;
    return made;
  }
}

/** The number of the field that is a record's title. */
function titleField(postings: Postings, doc: number): number {
  let slot = numberAt(postings.docSlots, doc);
  while ((fieldAt(postings, slot) & TITLE_BIT) === 0) slot++;
  return fieldAt(postings, slot) & FIELD_MASK;
}

const NONE: readonly number[] = [];
const EMPTY = -1;
/** Places in the table a term, so that most terms that answer nothing fall on an empty one. */
const ROOM = 8;

/** The query's numbers by term of a segment. */
class TermAnswers {
  /** By place: a term, and at the same place what it answers. */
  private readonly terms: Int32Array;
  private readonly answers: (readonly number[])[] = [];

  /** `numbers`: those that the query gave to its index terms. A word as it was written answers for its stem besides. */
  constructor(names: TermDictionary, numbers: ReadonlyMap<string, number>) {
    const found = findTerms(names, numbers);
    let size = 16;
    while (size < ROOM * found.size) size *= 2;
    this.terms = new Int32Array(size).fill(EMPTY);
    for (const [term, answers] of found) {
      let place = placeOf(term, size);
      while (this.terms[place] !== EMPTY) place = (place + 1) & (size - 1);
      this.terms[place] = term;
      this.answers[place] = answers;
    }
  }

  /** What a term is to the query: first what it is itself, then what its stem is. */
  of(term: number): readonly number[] {
    const { terms } = this;
    for (let place = placeOf(term, terms.length); ; place = (place + 1) & (terms.length - 1)) {
      const known = terms[place]!;
      if (known === term) return this.answers[place]!;
      if (known === EMPTY) return NONE;
    }
  }
}

function findTerms(names: TermDictionary, numbers: ReadonlyMap<string, number>): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const add = (term: number, number: number): void => {
    const known = found.get(term);
    if (known === undefined) found.set(term, [number]);
    else known.push(number);
  };
  for (const [name, number] of numbers) {
    const { own } = termsOf(names, name);
    if (own !== undefined) add(own, number);
  }
  for (const [name, number] of numbers) for (const term of termsOf(names, name).written) add(term, number);
  return found;
}

/** The term that a name is, and the words as they were written of which it is the stem. */
interface NamedTerms {
  readonly own: number | undefined;
  readonly written: readonly number[];
}

/** Queries share words, so a segment remembers what some were, 200 bytes each: so many, or the eighth part of its names. */
const LEAST_REMEMBERED = 1024;
const REMEMBERED_SHARE = 1 / 8;
const remembered = new WeakMap<TermDictionary, Map<string, NamedTerms>>();

function termsOf(names: TermDictionary, name: string): NamedTerms {
  const known = remembered.get(names) ?? new Map<string, NamedTerms>();
  if (known.size === 0) remembered.set(names, known);
  let terms = known.get(name);
  if (terms === undefined) {
    if (known.size >= Math.max(LEAST_REMEMBERED, REMEMBERED_SHARE * names.size)) known.clear();
    terms = { own: names.numberOf(name), written: writtenAs(names, name) };
    known.set(name, terms);
  }
  return terms;
}

function writtenAs(names: TermDictionary, stem: string): number[] {
  const terms: number[] = [];
  const prefix = WORD_MARK + stem + WORD_MARK;
  for (let term = names.firstFrom(prefix); term < names.size && names.beginsWith(term, prefix); term++)
    if (stemOf(names.nameOf(term)) === stem) terms.push(term);
  return terms;
}

function placeOf(term: number, size: number): number {
  const hash = Math.imul(term, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) & (size - 1);
}
