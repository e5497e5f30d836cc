// The title's part of a score, besides BM25F, where the title is a field of double weight: how many of the query's terms the
// title contains or has similar words for (coverage), how much of the title is about the query (focus), and whether neighbours
// in the query are neighbours in the title (adjacency). Terms that the title has only in another form than the typed one cost a
// part of it; see docs/scoring.md. The part is bounded, and depends only on the query, the record and the statistics of the live
// records.

import { differInNumberOnly } from "../../analysis/plurals.js";
import { writtenForm } from "../../analysis/term-marks.js";
import { GrowableUint32, type NarrowArray } from "../../util/growable.js";
import { offsetAt } from "../../util/offset-table.js";
import { runTask, type Task, waitFor } from "../../util/tasks.js";
import { idf } from "../bm25.js";
import { FIELD_MASK, fieldAt, type Postings, TITLE_BIT } from "../postings.js";
import type { TextCorpus } from "../text-corpus.js";
import { type SegmentQuery, segmentAt, type WeightedQuery } from "../weighted-query.js";
import {
  isFirstOfPart,
  loadTitle,
  loadTitles,
  readTitle,
  type TitleReader,
  titleNumber,
  titleReader,
} from "./title-table.js";
import {
  isModifierBoundary,
  NO_WORD,
  type SimilarityRow,
  type TitleCache,
  TitleWords,
  type WordEmbeddings,
  wordNumber,
} from "./title-words.js";

/** The maximum that each kind of evidence adds to a score, before the sum is divided by its maximum. */
export const COVERAGE = 0.1;
export const FOCUS = 0.025;
export const ADJACENCY = 0.025;
/** What a title loses at most that has the query's words only in another form, such as "organizer" for "organ". */
export const OTHER_FORM = 0.12;
/** The share of that loss for a word in its other number: "cup" for "cups". */
export const OTHER_NUMBER = 0.2;
/** In queries of more terms than this, coverage has less weight: more terms already tell the records apart. */
export const FULL_COVERAGE_TERMS = 4;
/** Without word embeddings, the matched share of the query counts instead of coverage and focus. */
export const MATCHED_SHARE = 0.075;
/** The coverage of a term that the record contains, but not in its title. */
export const MATCHED_ELSEWHERE = 0.8;
/** A smaller similarity of two words counts as 0. */
export const MIN_WORD_SIMILARITY = 0.3;

/** The kinds of evidence, each 0 … 1, and their weighted sum. */
export interface TitleScore {
  readonly coverage: number;
  readonly focus: number;
  readonly adjacency: number;
  /** The share of the terms that the title has only in another form than the typed one. */
  readonly otherForm: number;
  readonly sum: number;
}

/** The title words of a corpus; `embeddings` null: words have no similarities. Computed once and kept with the corpus. */
export function* titleWordsOf(
  { segments, docCount, caches }: TextCorpus,
  embeddings: WordEmbeddings | null,
): Task<TitleWords> {
  const known = caches.titleWords.get(embeddings);
  if (known !== undefined) return known;
  const titles = segments.map((segment) => segment.caches.titles);
  const counts: NarrowArray[] = [];
  if (embeddings !== null)
    for (const [i, { deletedDocs }] of segments.entries()) counts.push(yield* titles[i]!.liveCounts(deletedDocs));
  const words = new TitleWords(titles, counts, docCount, embeddings);
  caches.titleWords.set(embeddings, words);
  return words;
}

/** Scores the titles of records for one query. */
export class TitleEvidence {
  /** The maximum that a title adds. */
  readonly most: number;
  private readonly query: WeightedQuery;
  private readonly hasEmbeddings: boolean;
  private readonly titleQuery: TitleQuery;
  private readonly check: TitleCheck;
  private readonly coverageWeight: number;
  private readonly isRestricted: boolean;
  private readonly titles: TitlesBySegment;

  constructor(query: WeightedQuery, words: TitleWords) {
    this.query = query;
    this.hasEmbeddings = words.hasEmbeddings;
    this.titleQuery = new TitleQuery(query);
    this.check = new TitleCheck(this.titleQuery, words);
    this.titles = new TitlesBySegment(query, this.titleQuery);
    this.coverageWeight = !this.hasEmbeddings
      ? MATCHED_SHARE
      : COVERAGE * Math.min(1, FULL_COVERAGE_TERMS / Math.max(1, this.titleQuery.size));
    this.isRestricted = query.corpus.segments.some(({ scoring }) => scoring.weights.includes(0));
    const focus = this.hasEmbeddings ? FOCUS : 0;
    this.most = this.coverageWeight + focus + (this.titleQuery.pairSum > 0 ? ADJACENCY : 0);
  }

  /** Whether some titles are in files: then `load` must be called before the evidence of a record is asked for. */
  get isInFile(): boolean {
    return this.titles.isInFile;
  }

  /** The maximum that a title takes away. */
  get mostLoss(): number {
    return OTHER_FORM * Math.max(0, ...this.query.segments.map((leaf) => this.titles.of(leaf).matches.mostOtherForm));
  }

  /** Reads the titles of records that are in files: those that their evidence depends on. */
  *load(docs: Iterable<number>): Task<void> {
    const reads: Promise<void>[] = [];
    for (const doc of docs) {
      const leaf = segmentAt(this.query, doc);
      const inSegment = doc - leaf.segment.base;
      if (!this.hasEmbeddings && !this.matchedShare(leaf, inSegment).needsTitle) continue;
      const read = loadTitle(this.titles.readerOf(leaf), inSegment);
      if (read !== undefined) reads.push(read);
    }
    if (reads.length > 0) yield* waitFor(Promise.all(reads));
  }

  /** Reads all titles that are in files, without waiting: queries read ever more of them. */
  loadRest(): void {
    const tables = this.query.segments.map(({ segment }) => segment.postings.titles);
    // Whoever needs a title that could not be read reads it again, and fails.
    if (this.isInFile) runTask(loadTitles(tables)).catch(() => {});
  }

  /** The score with the title's part is divided by this, so that its maximum stays 1. */
  get divisor(): number {
    // The parts are added first: added to 1 one by one, they differ from the documented number in the last bit.
    return 1 + (ADJACENCY + (this.hasEmbeddings ? COVERAGE + FOCUS : MATCHED_SHARE));
  }

  /** The title's part of a record's score, before the division. */
  sumOf(doc: number): number {
    return this.scoreOf(doc).sum;
  }

  /** The evidence of a record. */
  scoreOf(doc: number): TitleScore {
    const leaf = segmentAt(this.query, doc);
    const inSegment = doc - leaf.segment.base;
    return this.hasEmbeddings ? this.byWords(leaf, inSegment) : this.byMatchedShare(leaf, inSegment);
  }

  private byWords(leaf: SegmentQuery, doc: number): TitleScore {
    this.read(leaf, doc);
    const coverage = this.coverage(leaf, doc);
    const focus = this.check.focus();
    const adjacency = this.adjacency();
    const otherForm = this.check.otherForm();
    const sum = this.coverageWeight * coverage + FOCUS * focus + ADJACENCY * adjacency - OTHER_FORM * otherForm;
    return { coverage, focus, adjacency, otherForm, sum };
  }

  private byMatchedShare(leaf: SegmentQuery, doc: number): TitleScore {
    const { coverage, needsTitle } = this.matchedShare(leaf, doc);
    if (!needsTitle) return { coverage, focus: 0, adjacency: 0, otherForm: 0, sum: this.coverageWeight * coverage };
    this.read(leaf, doc);
    const adjacency = this.adjacency();
    const otherForm = this.check.otherForm();
    const sum = this.coverageWeight * coverage + ADJACENCY * adjacency - OTHER_FORM * otherForm;
    return { coverage, focus: 0, adjacency, otherForm, sum };
  }

  /**
   * The share of the query that a record contains, and whether its title counts besides: neighbours that the record does not
   * contain are not neighbours in its title, and words that it does not contain have no other form there.
   */
  private matchedShare(leaf: SegmentQuery, doc: number): { readonly coverage: number; readonly needsTitle: boolean } {
    const { lists } = leaf;
    const { idfs, idfSum, pairs, size } = this.titleQuery;
    let held = 0;
    let hasPair = false;
    let hasTerm = false;
    let before = false;
    for (let term = 0; term < size; term++) {
      const isHeld = lists[term]?.has(doc) === true;
      if (isHeld) hasTerm = true;
      if (isHeld) held += idfs[term]!;
      if (isHeld && before && pairs[term - 1]! > 0) hasPair = true;
      before = isHeld;
    }
    const needsTitle = hasPair || (hasTerm && this.titles.of(leaf).matches.mostOtherForm > 0);
    return { coverage: idfSum === 0 ? 0 : held / idfSum, needsTitle };
  }

  private adjacency(): number {
    const { pairSum } = this.titleQuery;
    return pairSum === 0 ? 0 : this.check.together() / pairSum;
  }

  /** The share of the query's terms that the title contains or has similar words for, weighted by the root of their idf. */
  private coverage({ lists }: SegmentQuery, doc: number): number {
    const { roots, rootSum, size } = this.titleQuery;
    let sum = 0;
    for (let term = 0; term < size; term++) sum += roots[term]! * this.shareOf(term, lists, doc);
    return sum / rootSum;
  }

  /** 1 if the title contains a term; else the similarity of a word of it, or the coverage of a term elsewhere in the record. */
  private shareOf(term: number, lists: SegmentQuery["lists"], doc: number): number {
    if (this.check.held[term] !== 0) return 1;
    const similarity = this.check.maxSimilarityTo(term);
    const share = similarity >= MIN_WORD_SIMILARITY ? similarity : 0;
    return share < MATCHED_ELSEWHERE && lists[term]?.has(doc) === true ? MATCHED_ELSEWHERE : share;
  }

  /** Checks a title; one in a field that is not searched counts as empty. */
  private read(leaf: SegmentQuery, doc: number): void {
    const { check, titleQuery } = this;
    const { postings, scoring } = leaf.segment;
    const { titles } = postings;
    const asksField =
      (titleQuery.hasExceptions || this.isRestricted) &&
      offsetAt(titles.starts, doc) < offsetAt(titles.starts, doc + 1);
    const field = asksField ? titleField(postings, doc) : -1;
    check.begin(postings.fields[field]);
    if (asksField && scoring.titleWeights[field] === 0) return;
    check.read(this.titles.of(leaf), doc);
  }
}

/** An alternative of a term of the query, as one of its index terms refers to it. */
interface TermUse {
  /** Number of the query's term. */
  readonly term: number;
  /** Number of the alternative among all of the query. */
  readonly alternative: number;
  /** The number of its index terms. */
  readonly size: number;
  /** Fields in which it does not count. */
  readonly notIn: ReadonlySet<string> | undefined;
  /** See {@link TermAlternative.distance}. */
  readonly distance: number | undefined;
}

/** A query as the title check needs it. */
class TitleQuery {
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
  /** By term: the lesser idf of it and of the next term; 0 for the last. */
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
      for (const { terms: parts, notIn, distance } of given) {
        const distinct = new Set(parts);
        const use = { term, alternative: alternatives++, size: distinct.size, notIn, distance };
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

  /** How far a written form in a title is from what was typed, 0 … 1, where it is an index term of an alternative alone. */
  distanceOf({ term, distance }: TermUse, written: string): number {
    if (distance !== undefined) return distance;
    const word = this.words[term];
    if (word === undefined || word === written) return 0;
    return differInNumberOnly(word, written) ? OTHER_NUMBER : 1;
  }
}

function sum(numbers: Float64Array): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

const NOWHERE = -2;
/** The distance of a term that the title does not hold. */
const NOT_HELD = 2;
/** Most titles have fewer entries. V8 makes arrays of so few numbers at a fraction of the cost of larger ones. */
const FEW = 16;

/** The check of one title at a time: first its terms; its words only where the terms do not decide. */
class TitleCheck {
  /** By term of the query: 1 where the title holds it. */
  readonly held: Uint8Array;
  /** By term of the query: how far the nearest form in the title is from what was typed, 0 … 1, or NOT_HELD. */
  private readonly distances: Float64Array;
  private readonly titleQuery: TitleQuery;
  private readonly titleWords: TitleWords;
  /** By term of the query: the similarities of its word; null: there are none. */
  private rows: readonly (SimilarityRow | null)[] = [];
  private generation = -1;
  private segment = 0;
  /** The entries of the title in the title table. */
  private readonly entries = new GrowableUint32(FEW);
  /** The indexes of entries that are the first of their part and match the query. */
  private readonly asked = new GrowableUint32(FEW);
  /** The numbers of the title's words, and whether they match the query; read when first needed. */
  private readonly words = new GrowableUint32(FEW);
  private readonly isAsked = new GrowableUint32(FEW);
  private hasWords = false;
  /** The number of words before the first modifier boundary. */
  private mainWords = 0;
  /** The index terms of the query in the title: their numbers, and their parts. */
  private readonly found = new GrowableUint32(FEW);
  private readonly foundParts = new GrowableUint32(FEW);
  private field: string | undefined;
  private part = -1;
  /** By alternative with several index terms: how many of them the title contains. */
  private readonly counts: Uint8Array;
  /** By term: the last part that contains it and the one before. */
  private readonly lastPart: Int32Array;
  private readonly partBefore: Int32Array;
  private readonly joined: Uint8Array;

  constructor(titleQuery: TitleQuery, titleWords: TitleWords) {
    this.titleQuery = titleQuery;
    this.titleWords = titleWords;
    this.held = new Uint8Array(titleQuery.size);
    this.distances = new Float64Array(titleQuery.size);
    this.counts = new Uint8Array(titleQuery.alternatives);
    this.lastPart = new Int32Array(titleQuery.size);
    this.partBefore = new Int32Array(titleQuery.size);
    this.joined = new Uint8Array(titleQuery.size);
  }

  /** Begins with an empty title; `field`: its name, where it matters. */
  begin(field?: string): void {
    this.held.fill(0);
    this.distances.fill(NOT_HELD);
    this.found.length = 0;
    this.foundParts.length = 0;
    this.asked.length = 0;
    this.words.length = 0;
    this.isAsked.length = 0;
    this.mainWords = 0;
    this.hasWords = true;
    this.field = field;
    this.part = -1;
  }

  /** Reads the title of a record of a segment. */
  read({ reader, terms, matches, segment }: SegmentTitles, doc: number): void {
    this.segment = segment;
    this.hasWords = false;
    readTitle(reader, doc, this.entries);
    const { array: entries, length } = this.entries;
    for (let at = 0; at < length; at++) {
      const entry = entries[at]!;
      const isFirst = isFirstOfPart(entry);
      if (isFirst) this.part++;
      const matched = matches.of(terms[titleNumber(entry)]!);
      let isAsked = false;
      for (let i = 0; i < matched.length; i++) if (this.find(matched[i]!)) isAsked = true;
      if (isAsked && isFirst) this.asked.push(at);
    }
    this.end();
  }

  /** The greatest similarity of a word of the title to a term of the query. */
  maxSimilarityTo(term: number): number {
    this.findRows();
    if (this.rows[term] == null) return 0;
    this.findWords();
    return this.rows[term].maxSimilarityTo(this.words.array, this.words.length, this.titleWords.meanings);
  }

  /** The share of the words before the first modifier boundary that is about the query, weighted by their idf over titles. */
  focus(): number {
    this.findWords();
    const { rows, titleWords } = this;
    const { meanings } = titleWords;
    const [words, isAsked] = [this.words.array, this.isAsked.array];
    let weight = 0;
    let about = 0;
    for (let i = 0; i < this.mainWords; i++) {
      const number = words[i]!;
      const wordIdf = titleWords.idfOf(number);
      let similarity = isAsked[i]!;
      for (let term = 0; similarity < 1 && term < rows.length; term++)
        similarity = Math.max(similarity, rows[term]?.similarityTo(number, meanings) ?? 0);
      weight += wordIdf;
      about += wordIdf * similarity;
    }
    return weight === 0 ? 0 : about / weight;
  }

  private findRows(): void {
    const { titleWords, titleQuery } = this;
    if (this.generation === titleWords.generation) return;
    this.generation = titleWords.generation;
    this.rows = titleQuery.words.map((word) => (word === undefined ? null : titleWords.rowOf(word)));
  }

  /** Reads the words of the title, once. */
  private findWords(): void {
    if (this.hasWords) return;
    this.hasWords = true;
    const { titleWords } = this;
    titleWords.makeRoom();
    this.findRows();
    let isBeyond = false;
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
      if (part > 0 && isModifierBoundary(word)) isBeyond = true;
      if (!isBeyond) this.mainWords++;
      this.words.push(wordNumber(word));
      this.isAsked.push(isAsked ? 1 : 0);
    }
  }

  /** An alternative of several index terms is in the title if all of them are. */
  private end(): void {
    const { counts, found, held, titleQuery } = this;
    if (!titleQuery.hasSeveral || found.length === 0) return;
    counts.fill(0);
    for (const number of new Set(found.toArray()))
      for (const use of titleQuery.uses[number]!)
        if (use.size > 1 && this.allows(use) && ++counts[use.alternative]! === use.size) {
          held[use.term] = 1;
          this.noteDistance(use.term, use.distance ?? 0);
        }
  }

  /** The distances of the terms that the title holds, as a share of all terms. */
  otherForm(): number {
    let sum = 0;
    for (const distance of this.distances) if (distance !== NOT_HELD) sum += distance;
    return sum / this.distances.length;
  }

  private noteDistance(term: number, distance: number): void {
    if (distance < this.distances[term]!) this.distances[term] = distance;
  }

  /** The summed weight of the pairs of neighbours in the query that are neighbours in the title. */
  together(): number {
    const { joined, titleQuery } = this;
    const { array: found, length } = this.found;
    const parts = this.foundParts.array;
    if (length < 2) return 0;
    this.lastPart.fill(NOWHERE);
    this.partBefore.fill(NOWHERE);
    joined.fill(0);
    for (let i = 0; i < length; i++)
      for (const use of titleQuery.uses[found[i]!]!)
        if (this.allows(use) && (use.size === 1 || this.counts[use.alternative] === use.size))
          this.notePart(use.term, parts[i]!);
    let sum = 0;
    for (let term = 0; term < titleQuery.size; term++) if (joined[term] === 1) sum += titleQuery.pairs[term]!;
    return sum;
  }

  /** Notes the part of a term; parts come in order. */
  private notePart(term: number, part: number): void {
    const { lastPart, partBefore } = this;
    if (lastPart[term] !== part) {
      partBefore[term] = lastPart[term]!;
      lastPart[term] = part;
    }
    if (term > 0 && (lastPart[term - 1] === part - 1 || partBefore[term - 1] === part - 1)) this.joined[term - 1] = 1;
  }

  /** Notes an index term of the query; false: it does not count in this field. */
  private find({ number, distances }: TermMatch): boolean {
    const uses = this.titleQuery.uses[number]!;
    let counts = false;
    for (let i = 0; i < uses.length; i++) {
      const use = uses[i]!;
      if (!this.allows(use)) continue;
      counts = true;
      if (use.size > 1) continue;
      this.held[use.term] = 1;
      this.noteDistance(use.term, distances[i]!);
    }
    if (!counts) return false;
    this.found.push(number);
    this.foundParts.push(this.part);
    return true;
  }

  private allows({ notIn }: TermUse): boolean {
    return notIn === undefined || this.field === undefined || !notIn.has(this.field);
  }
}

/** The titles of one segment, and which of their terms match the query. */
interface SegmentTitles {
  readonly reader: TitleReader;
  /** By number of a title term: the term. */
  readonly terms: Uint32Array;
  readonly matches: TermMatches;
  /** The number of the segment. */
  readonly segment: number;
}

/** The titles of a query's segments. */
class TitlesBySegment {
  /** Whether some are in files. */
  readonly isInFile: boolean;
  private readonly query: WeightedQuery;
  private readonly titleQuery: TitleQuery;
  /** By segment. They stay the same for the query, also when another one reads all titles into memory meanwhile. */
  private readonly readers: readonly TitleReader[];
  private readonly found: (SegmentTitles | undefined)[] = [];

  constructor(query: WeightedQuery, titleQuery: TitleQuery) {
    this.query = query;
    this.titleQuery = titleQuery;
    this.readers = query.segments.map(({ segment }) => titleReader(segment.postings.titles));
    this.isInFile = this.readers.some(({ file }) => file !== null);
  }

  readerOf(leaf: SegmentQuery): TitleReader {
    return this.readers[this.query.segments.indexOf(leaf)]!;
  }

  /** The titles of a segment. */
  of(leaf: SegmentQuery): SegmentTitles {
    const segment = this.query.segments.indexOf(leaf);
    const known = this.found[segment];
    if (known !== undefined) return known;
    const { postings, caches } = leaf.segment;
    const matches = new TermMatches(caches.titles, this.titleQuery);
    const made = { reader: this.readers[segment]!, terms: postings.titles.terms, matches, segment };
    this.found[segment] = made;
    return made;
  }
}

/** The number of the field that is a record's title. */
function titleField(postings: Postings, doc: number): number {
  let slot = offsetAt(postings.docSlots, doc);
  while ((fieldAt(postings, slot) & TITLE_BIT) === 0) slot++;
  return fieldAt(postings, slot) & FIELD_MASK;
}

/** An index term of the query that a term of a segment matches. */
interface TermMatch {
  /** The query's number for it. */
  readonly number: number;
  /** How far the term of the segment is from what was typed, by use of the number. */
  readonly distances: readonly number[];
}

const NONE: readonly TermMatch[] = [];
const EMPTY = -1;
/** Buckets of the hash table for each term: enough that most terms that match nothing find an empty bucket. */
const BUCKETS_PER_TERM = 8;

/** Which index terms of the query a term of a segment matches: a hash table, because most terms match none. */
class TermMatches {
  /** By bucket: a term, and what it matches. */
  private readonly terms: Int32Array;
  private readonly matches: (readonly TermMatch[])[] = [];
  /** The maximum of `otherForm` in a title of the segment. */
  readonly mostOtherForm: number;

  /** A surface form matches its stem, too. */
  constructor(titles: TitleCache, titleQuery: TitleQuery) {
    const found = findTerms(titles, titleQuery);
    this.mostOtherForm = mostOtherForm([...found.values()].flat(), titleQuery);
    let size = 16;
    while (size < BUCKETS_PER_TERM * found.size) size *= 2;
    this.terms = new Int32Array(size).fill(EMPTY);
    for (const [term, matches] of found) {
      let bucket = bucketOf(term, size);
      while (this.terms[bucket] !== EMPTY) bucket = (bucket + 1) & (size - 1);
      this.terms[bucket] = term;
      this.matches[bucket] = matches;
    }
  }

  /** What a term matches: first the index terms that are itself, then its stem. */
  of(term: number): readonly TermMatch[] {
    const { terms } = this;
    for (let bucket = bucketOf(term, terms.length); ; bucket = (bucket + 1) & (terms.length - 1)) {
      const known = terms[bucket]!;
      if (known === term) return this.matches[bucket]!;
      if (known === EMPTY) return NONE;
    }
  }
}

function findTerms(titles: TitleCache, titleQuery: TitleQuery): Map<number, TermMatch[]> {
  const { numbers, uses } = titleQuery;
  const found = new Map<number, TermMatch[]>();
  const add = (term: number, number: number, written: string): void => {
    const distances = uses[number]!.map((use) => (use.size > 1 ? 0 : titleQuery.distanceOf(use, written)));
    const match = { number, distances };
    const known = found.get(term);
    if (known === undefined) found.set(term, [match]);
    else known.push(match);
  };
  for (const [name, number] of numbers) {
    const { own } = titles.termsOf(name);
    if (own !== undefined) add(own, number, writtenForm(name));
  }
  for (const [name, number] of numbers)
    for (const { term, written } of titles.termsOf(name).surfaceForms) add(term, number, written);
  return found;
}

function mostOtherForm(matches: readonly TermMatch[], { uses, size }: TitleQuery): number {
  const greatest = new Float64Array(size);
  for (const { number, distances } of matches)
    for (const [i, { term, distance }] of uses[number]!.entries())
      greatest[term] = Math.max(greatest[term]!, distances[i]!, distance ?? 0);
  return sum(greatest) / size;
}

function bucketOf(term: number, size: number): number {
  const hash = Math.imul(term, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) & (size - 1);
}
