// What the title says beyond BM25F. Is the thing that was asked for the head of the title, or does it only describe the head?
// Has the title the query in one piece? Is it nothing but the query? Has it the small words, and all words as they were typed?
// See docs/scoring.md. The sum is bounded. It depends on the query and the record, and for the category on the titles with that head.

import { alternativesKey, type TermAlternative } from "../../analysis/query-term.js";
import { CATEGORY, CATEGORY_START, HEAD, MODIFIER, WEAK_HEAD } from "../../analysis/title-roles.js";
import { type Doc, type LocalDoc, ones, toLocal } from "../../util/doc-set.js";
import { KeptKey, keptIn } from "../../util/kept.js";
import { GrowableUint32, offsetAt } from "../../util/offset-table.js";
import type { Task } from "../../util/tasks.js";
import { FIELD_MASK, fieldAt, type Postings, TITLE_BIT } from "../postings.js";
import type { TermDictionary } from "../term-dictionary.js";
import type { SearchableSegment } from "../text-searcher.js";
import { type SegmentQuery, segmentAt, type WeightedQuery } from "../weigh-terms.js";
import {
  FIRST_LONG,
  longEntry,
  ROLE_BITS,
  ROLE_MASK,
  roleAt,
  type TitleReader,
  termsInTitles,
  titleNumber,
  titleReader,
} from "./title-table.js";

/** What the sum of a title gets at most for each kind of evidence. */
export const HEAD_BONUS = 0.1;
export const WEAK_HEAD_BONUS = 0.05;
export const PHRASE = 0.05;
export const EQUAL = 0.1;
/** For a category that all records have whose titles have the head of the query; of another one that share. */
export const CATEGORY_BONUS = 0.15;
/** So many records are counted besides, so that the category of a few is not that of all. */
export const UNCOUNTED = 2;
/** For small words. */
export const SMALL_WORDS = 0.05;
/** For the share of the query's terms that the title itself holds, of several. */
export const WHOLE_TITLE = 0.15;
/** For a head, or a weak one, if the record lacks other terms of the query. */
export const PARTLY_HEAD = 0.06;
export const PARTLY_WEAK_HEAD = 0.03;
/** The share of what a record lacks by words that it gets if its title names what was asked for, and it holds all of the query. */
export const LIFT = 0.3;
/** What a title loses if it has the head of the query only as a modifier, or in another form. */
export const NO_HEAD = 0.03;
/** What a title loses at most if it has the query's words only in another form, such as "organizer" for "organ". */
export const OTHER_FORM = 0.12;
/** The share of that loss for a word in its other number: "cup" for "cups". */
export const OTHER_NUMBER = 0.2;
/** What a title loses that has what the query wants none of, and does not say that it has none. */
export const UNWANTED = 0.15;
/** How much a term counts that says what the thing belongs to that is asked for: the thing itself may not name it. */
export const BELONGING = 0.2;
/** Queries of more terms describe so much that the head does not matter. */
export const MOST_HEAD_TERMS = 3;
/** Longer queries are no titles that somebody typed. */
export const MOST_PHRASE_TOKENS = 4;
/** In queries of more terms than this, small words have less weight. */
export const FULL_SMALL_TERMS = 4;

/** The score with the title's part is divided by this, so that its maximum stays 1. */
const DIVISOR = 1 + (WHOLE_TITLE + HEAD_BONUS + CATEGORY_BONUS + PHRASE + EQUAL + SMALL_WORDS);

/** One token of the query, in the order in which it was typed. */
export interface TypedToken {
  /** The number of its term; -1: it is a small word, which is not searched. */
  readonly term: number;
  /** As it was typed, normalised. */
  readonly text: string;
  readonly alternatives: readonly TermAlternative[];
  /** The typed word, if it is a word. */
  readonly word: string | undefined;
  /** A small word that tells something: not "the", "a", "of", "and". */
  readonly isTelling: boolean;
  /** The number of blanks before it in the query, where several readings of it are compared. */
  readonly from?: number | undefined;
}

/** A query as it was typed. */
export interface TypedQuery {
  readonly tokens: readonly TypedToken[];
  /** The place of its head among the tokens; -1: it has none. */
  readonly head: number;
  /** Whether the head of a title counts only where the record has all terms of the query. */
  readonly headNeedsAll: boolean;
  /** Whether two written forms of one stem are one word. */
  readonly isSameWord: (a: string, b: string) => boolean;
  /** The terms that say what the thing belongs to that is asked for: "camera" in "bag for camera". */
  readonly belonging: ReadonlySet<number>;
  /** Its terms; a number with its unit counts twice. */
  readonly size: number;
  /** Of each token that says what is not wanted: its place, and the index terms of that. */
  readonly unwanted: readonly { readonly at: number; readonly terms: readonly string[] }[];
}

/** The kinds of evidence. */
const [HEADS, PHRASES, EQUALS, WORDS, FORMS, CATEGORIES, SHARES, NEGATED] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const KINDS = 8;
/** By the role of the query's head in the title; 0: the title has another form of it only. */
const BY_ROLE = [-NO_HEAD, -NO_HEAD, WEAK_HEAD_BONUS, HEAD_BONUS];
/** The same where the record lacks other terms of the query. */
const BY_ROLE_PARTLY = [0, 0, PARTLY_WEAK_HEAD, PARTLY_HEAD];

/** A kind of evidence in words, and what it adds to the score. */
export interface TitlePart {
  readonly text: string;
  readonly contribution: number;
}

/** Scores the titles of records for one query. */
export class TitleEvidence {
  readonly divisor: number = DIVISOR;
  /** The maximum that a title adds. */
  readonly most: number;
  /** The maximum that a title adds if its record lacks a term of the query. */
  private readonly mostPartly: number;
  private readonly query: WeightedQuery;
  private readonly typed: TypedQuery;
  private readonly check: TitleCheck;
  private readonly hasCategories: boolean;
  private readonly asked: readonly TitleQueryTerm[];
  /** By segment. */
  private readonly titles: (SegmentTitles | undefined)[] = [];
  /** Whether a title or a term in it may not count because of its field. */
  private readonly mayBeUncounted: boolean;
  private readonly smallWeight: number;
  /** The small words, as bits. */
  private readonly smallWords: number;
  private readonly asksHead: boolean;
  /** What the head adds at most where the record lacks other terms. */
  private readonly partlyHead: number;
  private readonly asksPhrase: boolean;
  /** The greatest share of what a record lacks by words that its title may give. */
  readonly mostLift: number;
  private lift = 0;
  /** undefined: not counted. */
  private shares: CategoryShares | undefined;
  /** The sum of the weights of several terms: those behind a boundary word count less. */
  private readonly allWeights: number = 0;
  /** By kind of evidence, for the title that was scored last. */
  private readonly scores = new Float64Array(KINDS);

  /** `hasCategories`: whether the categories of records are searched. */
  constructor(query: WeightedQuery, typed: TypedQuery, hasCategories: boolean) {
    this.query = query;
    this.typed = typed;
    this.hasCategories = hasCategories;
    const { tokens, head, size } = typed;
    this.check = new TitleCheck(typed);
    this.asked = askedTerms(typed);
    this.mayBeUncounted =
      query.searcher.segments.some(({ scoring }) => scoring.weights.includes(0)) ||
      tokens.some(({ alternatives }) => alternatives.some(({ notIn }) => notIn !== undefined && notIn.size > 0));
    this.smallWeight = Math.min(1, FULL_SMALL_TERMS / size);
    let words = 0;
    for (let at = 0; at < Math.min(MOST_TOKENS, tokens.length); at++) if (tokens[at]!.isTelling) words |= 1 << at;
    this.smallWords = words;
    this.asksHead = head >= 0 && (size <= MOST_HEAD_TERMS || typed.belonging.size > 0);
    this.asksPhrase = tokens.length <= MOST_PHRASE_TOKENS;
    let partly = words === 0 ? 0 : this.smallWeight * SMALL_WORDS;
    if (this.asksHead && hasCategories) partly += CATEGORY_BONUS;
    this.partlyHead = this.asksHead && !typed.headNeedsAll ? PARTLY_HEAD : 0;
    partly += this.partlyHead;
    if (query.terms.length > 1) {
      for (let term = 0; term < query.terms.length; term++)
        this.allWeights += typed.belonging.has(term) ? BELONGING : 1;
      partly += WHOLE_TITLE;
    }
    this.mostPartly = partly;
    const phrase = this.asksPhrase ? EQUAL + (tokens.length > 1 ? PHRASE : 0) : 0;
    this.most = this.mostPartly + (this.asksHead ? HEAD_BONUS - this.partlyHead : 0) + phrase;
    this.mostLift = this.asksHead ? LIFT : 0;
  }

  /** The maximum that a title takes away. */
  get mostLoss(): number {
    let otherForm = 0;
    for (const leaf of this.query.segments) otherForm = Math.max(otherForm, this.titlesOf(leaf).matches.mostOtherForm);
    const unwanted = this.typed.unwanted.length > 0 ? UNWANTED : 0;
    return OTHER_FORM * otherForm + (this.asksHead ? NO_HEAD : 0) + unwanted;
  }

  /** The maximum that the title of a record adds. `lacking`: as of `sumOf`. */
  mostOf(doc: Doc, lacking: number): number {
    const leaf = segmentAt(this.query, doc);
    const local = toLocal(leaf.segment.base, doc);
    if (!this.holdsAll(leaf, doc)) return this.mostPartly - this.lostByLacking(leaf, local);
    const mayBeEqual = !this.asksPhrase || this.check.mayBeEqual(this.titlesOf(leaf), local);
    return (mayBeEqual ? this.most : this.most - EQUAL) + this.mostLift * lacking;
  }

  /** What a title cannot get of the most because its record lacks terms: a title has no word that its record lacks. */
  private lostByLacking({ lists }: SegmentQuery, doc: LocalDoc): number {
    const { tokens, head, belonging } = this.typed;
    let weight = 0;
    // Words of categories count, too, and may be in fields that are not searched.
    if (this.allWeights > 0 && !this.hasCategories)
      for (let term = 0; term < lists.length; term++)
        if (lists[term]?.has(doc) !== true) weight += belonging.has(term) ? BELONGING : 1;
    const lost = weight === 0 ? 0 : (WHOLE_TITLE * weight) / this.allWeights;
    const lacksHead = this.asksHead && lists[tokens[head]!.term]?.has(doc) !== true;
    return lacksHead ? lost + this.partlyHead : lost;
  }

  /** Counts the categories of the records whose titles have the head of the query. To be called before the evidence of a record is asked for. */
  *countCategories(): Task<void> {
    const { query, typed } = this;
    if (!this.asksHead || !this.hasCategories) return;
    const { term, alternatives } = typed.tokens[typed.head]!;
    const known = query.searcher.kept.get(KNOWN_SHARES, () => new Map());
    const key = alternativesKey(alternatives);
    this.shares = known.get(key);
    if (this.shares !== undefined) return;
    const holders = query.segments.reduce((sum, { lists }) => sum + (lists[term]?.size ?? 0), 0);
    const shares = new CategoryShares();
    for (const leaf of holders > MOST_HOLDERS ? [] : query.segments) yield* this.countIn(leaf, shares);
    this.shares = shares;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, shares);
  }

  /** Counts those of a segment. A head may have tens of thousands of records, so their titles are looked through for it alone. */
  private *countIn(leaf: SegmentQuery, shares: CategoryShares): Task<void> {
    const { typed, check } = this;
    const { term, alternatives } = typed.tokens[typed.head]!;
    const titles = this.titlesOf(leaf);
    const { starts, halves } = titles;
    const { deletedDocs } = leaf.segment;
    const docs = leaf.lists[term]?.docs ?? NO_DOCS;
    const counts = new Map<string, number>();
    // Then the entries alone do not tell whether the title has the head: of several index terms it may have a part.
    const mayBeUncounted = this.mayBeUncounted || alternatives.some(({ terms }) => terms.length > 1);
    for (let i = 0; i < docs.length; i++) {
      if ((i + 1) % COUNTED_AT_ONCE === 0) yield;
      const doc = docs[i] as LocalDoc;
      if (deletedDocs?.has(doc) === true) continue;
      const to = offsetAt(starts, doc + 1);
      const from = check.endOfTitleWithHead(titles, offsetAt(starts, doc), to);
      if (from < 0) continue;
      if (mayBeUncounted) {
        this.read(leaf, doc);
        if (!check.hasHead) continue;
      }
      shares.records++;
      for (const key of categoriesAt(halves, from, to)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    yield;
    for (const [key, records] of counts) shares.add(leaf.segment, key, records);
  }

  /** The title's part of a record's score, before the division. `lacking`: what the record lacks of the greatest score by words. */
  sumOf(doc: Doc, lacking: number): number {
    this.score(doc);
    let sum = this.lift * lacking;
    for (let kind = 0; kind < KINDS; kind++) sum += this.scores[kind]!;
    return sum;
  }

  /** The evidence of a record, kind by kind, before the division. `lacking`: as of `sumOf`. */
  partsOf(doc: Doc, lacking: number): TitlePart[] {
    this.score(doc);
    const head = this.typed.tokens[this.typed.head]?.text ?? "";
    const { headRole } = this.check;
    const about = headRole === HEAD ? "is" : headRole === WEAK_HEAD ? "may be" : "only describes";
    const texts = [
      `"${head}" ${about} what the title names`,
      "the title has the query in one piece",
      "the title is the query",
      "the title has the small words",
      "a word has another form in the title",
      `"${head}" is of its category`,
      "the title has words of the query",
      "the title has what is not wanted",
    ];
    const lifted = { text: "a long title that names it lacks no words", contribution: this.lift * lacking };
    return [...texts.map((text, kind) => ({ text, contribution: this.scores[kind]! })), lifted].filter(
      (part) => part.contribution !== 0,
    );
  }

  /** Whether a record is what the query asks for: its title names that, or its category is nothing else. Its title must be loaded. */
  names(doc: Doc): boolean {
    if (this.typed.head < 0) return false;
    const { check } = this;
    const leaf = segmentAt(this.query, doc);
    this.read(leaf, toLocal(leaf.segment.base, doc), this.hasCategories);
    return check.headRole === HEAD || (check.hasOwnCategory && check.headRole !== MODIFIER);
  }

  /** Computes what the title of a record adds for each kind of evidence. */
  private score(doc: Doc): void {
    const { scores, check, smallWeight } = this;
    for (let kind = 0; kind < KINDS; kind++) scores[kind] = 0;
    this.lift = 0;
    const leaf = segmentAt(this.query, doc);
    this.read(leaf, toLocal(leaf.segment.base, doc));
    if (check.isEmpty) return;
    const asksAll = (this.asksHead && check.hasHead) || (this.asksPhrase && check.hasPhrase);
    const holdsAll = asksAll && this.holdsAll(leaf, doc);
    if (this.asksHead && check.hasHead) {
      if (holdsAll || this.partlyHead > 0) scores[HEADS] = (holdsAll ? BY_ROLE : BY_ROLE_PARTLY)[check.headRole]!;
      if (holdsAll && check.headRole === HEAD) this.lift = LIFT;
    }
    if (this.asksPhrase && check.hasPhrase && holdsAll) {
      if (this.typed.tokens.length > 1) scores[PHRASES] = PHRASE;
      if (check.isEqual) scores[EQUALS] = EQUAL;
    }
    if (this.asksHead && this.hasCategories) {
      let share = check.isOfCategory ? 1 : 0;
      if (this.shares !== undefined && share < 1)
        for (const key of check.categoryKeys()) share = Math.max(share, this.shares.shareOf(leaf.segment, key));
      scores[CATEGORIES] = CATEGORY_BONUS * share;
    }
    const words = this.smallWords;
    if (words !== 0) scores[WORDS] = (smallWeight * SMALL_WORDS * ones(check.held & words)) / ones(words);
    if (this.allWeights > 0) scores[SHARES] = (WHOLE_TITLE * check.weightHeld()) / this.allWeights;
    scores[FORMS] = -OTHER_FORM * check.otherForm();
    if (check.hasUnwanted()) scores[NEGATED] = -UNWANTED;
  }

  private holdsAll({ lists, segment }: SegmentQuery, doc: Doc): boolean {
    for (let term = 0; term < lists.length; term++)
      if (this.query.terms[term]!.optional !== true && lists[term]?.has(toLocal(segment.base, doc)) !== true)
        return false;
    return true;
  }

  private titlesOf(leaf: SegmentQuery): SegmentTitles {
    const segment = this.query.segments.indexOf(leaf);
    const { titles, dictionary } = leaf.segment.postings;
    this.titles[segment] ??= {
      ...titleReader(titles),
      matches: new TermMatches(dictionary, this.asked, this.typed),
    };
    return this.titles[segment];
  }

  /** Checks a title; one in a field that is not searched counts as empty. `doc`: its number within the segment. */
  private read(leaf: SegmentQuery, doc: LocalDoc, asksCategories = this.asksHead && this.hasCategories): void {
    let field: string | undefined;
    if (this.mayBeUncounted) {
      const { postings, scoring } = leaf.segment;
      const { starts } = postings.titles;
      const isThere = offsetAt(starts, doc) < offsetAt(starts, doc + 1);
      const number = isThere ? titleField(postings, doc) : -1;
      field = postings.fields[number];
      if (isThere && scoring.titleWeights[number] === 0) {
        this.check.begin();
        return;
      }
    }
    this.check.begin(field);
    this.check.read(this.titlesOf(leaf), doc, asksCategories);
  }
}

/** Scores each title as the language of its field reads the query. */
export class TitlesByLanguage {
  private readonly query: WeightedQuery;
  /** The evidence of each language; the first one reads what has no language of its own. */
  private readonly all: readonly [TitleEvidence, ...TitleEvidence[]];
  private readonly byField: ReadonlyMap<string, TitleEvidence>;
  readonly divisor: number = DIVISOR;
  readonly most: number;
  readonly mostLift: number;

  constructor(
    query: WeightedQuery,
    all: readonly [TitleEvidence, ...TitleEvidence[]],
    byField: ReadonlyMap<string, TitleEvidence>,
  ) {
    this.query = query;
    this.all = all;
    this.byField = byField;
    this.most = Math.max(...all.map(({ most }) => most));
    this.mostLift = Math.max(...all.map(({ mostLift }) => mostLift));
  }

  get mostLoss(): number {
    return Math.max(...this.all.map(({ mostLoss }) => mostLoss));
  }

  mostOf(doc: Doc, lacking: number): number {
    return this.of(doc).mostOf(doc, lacking);
  }

  sumOf(doc: Doc, lacking: number): number {
    return this.of(doc).sumOf(doc, lacking);
  }

  partsOf(doc: Doc, lacking: number): TitlePart[] {
    return this.of(doc).partsOf(doc, lacking);
  }

  names(doc: Doc): boolean {
    return this.of(doc).names(doc);
  }

  private of(doc: Doc): TitleEvidence {
    const { postings, base } = segmentAt(this.query, doc).segment;
    const field = postings.fields[titleField(postings, toLocal(base, doc))];
    return (field === undefined ? undefined : this.byField.get(field)) ?? this.all[0];
  }
}

/** Words that more records hold are not asked for their categories. */
const MOST_HOLDERS = 1 << 16;
const COUNTED_AT_ONCE = 1 << 12;
const NO_DOCS = new Uint16Array(0);

/** By head: the shares that the last queries counted. */
const KNOWN_SHARES = new KeptKey<Map<string, CategoryShares>>();
const MOST_KNOWN = 256;

/** Counts the categories of records. Segments number the words of titles each in its own way, so categories are compared by their words. */
class CategoryShares {
  records = 0;
  /** By the words of a category. */
  private readonly counts = new Map<string, number>();
  /** By segment: the words that entries stand for. */
  private readonly names = new Map<SearchableSegment, Map<string, string>>();

  /** Adds so many records to those of a category. `key`: its entries. */
  add(segment: SearchableSegment, key: string, records: number): void {
    const name = this.nameOf(segment, key);
    this.counts.set(name, (this.counts.get(name) ?? 0) + records);
  }

  /** The share of the counted records that have a category of these entries. */
  shareOf(segment: SearchableSegment, key: string): number {
    return this.counts.size === 0 ? 0 : (this.counts.get(this.nameOf(segment, key)) ?? 0) / (this.records + UNCOUNTED);
  }

  private nameOf(segment: SearchableSegment, key: string): string {
    const names = keptIn(this.names, segment, () => new Map<string, string>());
    return keptIn(names, key, () => {
      const { dictionary, titles } = segment.postings;
      const words = entriesOf(key).map((entry) => dictionary.textAt(titles.terms[titleNumber(entry)]!));
      return words.join(" ");
    });
  }
}

/** The entries of each category from one place up to another, as texts. */
function categoriesAt(halves: Uint16Array, from: number, to: number): string[] {
  const keys: string[] = [];
  let key = "";
  for (let at = from; at < to; at++) {
    const half = halves[at]!;
    const low = half < FIRST_LONG ? half : halves[++at]!;
    if (key !== "" && roleAt(low) === CATEGORY_START) {
      keys.push(key);
      key = "";
    }
    key += half < FIRST_LONG ? String.fromCharCode(half) : String.fromCharCode(half, low);
  }
  if (key !== "") keys.push(key);
  return keys;
}

/** The entries of which a key consists. */
function entriesOf(key: string): number[] {
  const entries: number[] = [];
  for (let at = 0; at < key.length; ) {
    const half = key.charCodeAt(at++);
    entries.push(half < FIRST_LONG ? half : longEntry(half, key.charCodeAt(at++)));
  }
  return entries;
}

/** Tokens beyond so many have no neighbours: there is a bit for each. */
const MOST_TOKENS = 31;
const NOT_HELD = 2;
/** Most titles have fewer entries. V8 makes arrays of so few numbers at a fraction of the cost of larger ones. */
const FEW = 16;

/** An index term of the query, as it matches a term of a title. */
interface TermMatch {
  /** The place of the query's token, and its bit; 0: beyond the first tokens. */
  readonly token: number;
  readonly bit: number;
  /** How far the term is from what was typed, 0 … 1. */
  readonly distance: number;
  /** Whether it is the word that was typed, in any number, or stands for it as a synonym or a correction. */
  readonly isWord: boolean;
  /** Its alternative among all of the query, the bit of the index term in it, and the bits of all. */
  readonly alternative: number;
  readonly own: number;
  readonly all: number;
  /** Fields in which it does not count. */
  readonly notIn: ReadonlySet<string> | undefined;
}

/** The check of one title at a time. */
class TitleCheck {
  isEmpty = true;
  /** The best role of the query's head; whether the title has the head at all. */
  headRole = 0;
  hasHead = false;
  hasPhrase = false;
  isEqual = false;
  /** Whether the query's head is that of a category that has all words of the query. */
  isOfCategory = false;
  /** Whether the query's head is that of a category that has no other words than the query. */
  hasOwnCategory = false;
  /** As bits: the tokens that the title has. */
  held = 0;
  private readonly typed: TypedQuery;
  /** By token: how far the nearest form in the title is from what was typed, 0 … 1, or NOT_HELD. */
  private readonly distances: Float64Array;
  private readonly terms: number;
  /** The bits of the head and of all terms. */
  private readonly headBit: number;
  private readonly termBits: number;
  /** The bits of the tokens in the current category, and in its last word. */
  private inCategory = 0;
  /** Those in any category. */
  private heldByCategories = 0;
  private inLastWord = 0;
  /** Whether a word before the last one in the current category is none of the query's. */
  private hasOthers = false;
  /** By alternative of several index terms: the bits of those in the current category. */
  private readonly categoryBits = new Map<number, number>();
  /** The bit of the last token; 0: the query is too long for a phrase. */
  private readonly last: number;
  /** What was found in it: the matches, and for each its part and the role of that. Matches behind these are left from other titles. */
  private readonly found: TermMatch[] = [];
  private readonly places = new GrowableUint32(FEW);
  private parts = 0;
  /** Of the record that was read last: its entries, where its categories begin, and where they end. */
  private halves: Uint16Array = NO_DOCS;
  private categories = 0;
  private end = 0;
  private field: string | undefined;
  /** Whether an alternative of several index terms was found, at least in part. */
  private hasSeveral = false;
  /** By alternative: the bits of the index terms that the title contains. */
  private readonly seenBits = new Map<number, number>();

  constructor(typed: TypedQuery) {
    this.typed = typed;
    const { tokens } = typed;
    this.distances = new Float64Array(tokens.length + typed.unwanted.length);
    this.terms = Math.max(1, tokens.filter(({ term }) => term >= 0).length);
    this.headBit = typed.head < 0 ? 0 : bitOf(typed.head);
    this.termBits = tokens.reduce((bits, { term }, at) => (term < 0 ? bits : bits | bitOf(at)), 0);
    this.last = tokens.length <= MOST_PHRASE_TOKENS ? 1 << (tokens.length - 1) : 0;
  }

  /** The entries of each category of the record that was read last. */
  categoryKeys(): string[] {
    return categoriesAt(this.halves, this.categories, this.end);
  }

  /** Begins with an empty title; `field`: its name, where it matters. */
  begin(field?: string): void {
    this.isEmpty = true;
    this.field = field;
    this.places.length = 0;
    this.categories = this.end;
    this.held = 0;
    this.headRole = 0;
    this.hasHead = false;
    this.hasPhrase = false;
    this.isEqual = false;
    this.isOfCategory = false;
    this.hasOwnCategory = false;
    this.heldByCategories = 0;
    this.inLastWord = 0;
    this.hasSeveral = false;
    const { distances } = this;
    for (let at = 0; at < distances.length; at++) distances[at] = NOT_HELD;
  }

  /** Reads the title of a record of a segment, and its categories if they are asked for. */
  read({ starts, halves, terms, matches }: SegmentTitles, doc: LocalDoc, asksCategories: boolean): void {
    const to = offsetAt(starts, doc + 1);
    let place = 0;
    let parts = 0;
    this.halves = halves;
    this.categories = to;
    this.end = to;
    for (let at = offsetAt(starts, doc); at < to; ) {
      const half = halves[at++]!;
      const entry = half < FIRST_LONG ? half : longEntry(half, halves[at++]!);
      const role = roleAt(entry);
      if (role >= CATEGORY) {
        // Categories follow the title.
        if (!asksCategories) break;
        if (this.categories === to) this.categories = half < FIRST_LONG ? at - 1 : at - 2;
        this.beginWord(role);
      }
      if (role !== 0) place = (parts++ << ROLE_BITS) | role;
      const matched = matches.of(terms[titleNumber(entry)]!);
      for (let i = 0; i < matched.length; i++) {
        const match = matched[i]!;
        if ((place & ROLE_MASK) >= CATEGORY) this.takeCategory(match);
        else if (match.notIn === undefined || this.field === undefined || !match.notIn.has(this.field)) {
          this.found[this.places.length] = match;
          this.places.push(place);
          if (match.own !== match.all) this.hasSeveral = true;
        }
      }
      if ((place & ROLE_MASK) < CATEGORY) this.parts = parts;
    }
    this.endCategory();
    this.isEmpty = this.places.length === 0 && this.categories === this.end;
    if (this.places.length > 0) this.evaluate();
  }

  /** Where a title ends that has an index term of the query's head; -1: it has none. */
  endOfTitleWithHead({ halves, terms, matches }: SegmentTitles, from: number, to: number): number {
    const { head } = this.typed;
    let hasHead = false;
    let at = from;
    while (at < to) {
      const half = halves[at]!;
      const isLong = half >= FIRST_LONG;
      const entry = isLong ? longEntry(half, halves[at + 1]!) : half;
      if (roleAt(entry) >= CATEGORY) break;
      at += isLong ? 2 : 1;
      hasHead ||= matches.hasOf(terms[titleNumber(entry)]!, head);
    }
    return hasHead ? at : -1;
  }

  /** Whether a title can be nothing but the query. Seldom reads beyond its first word. */
  mayBeEqual({ starts, halves, terms, matches }: SegmentTitles, doc: LocalDoc): boolean {
    const to = offsetAt(starts, doc + 1);
    let equal = 1;
    let tokens = 0;
    let parts = 0;
    for (let at = offsetAt(starts, doc); at < to; ) {
      const half = halves[at++]!;
      const entry = half < FIRST_LONG ? half : longEntry(half, halves[at++]!);
      const role = roleAt(entry);
      if (role >= CATEGORY) break;
      if (role !== 0 && parts++ > 0) {
        equal = reached(equal, tokens);
        if (equal === 0) return false;
        equal |= equal << 1;
        tokens = 0;
      }
      for (const { bit } of matches.of(terms[titleNumber(entry)]!)) tokens |= bit;
    }
    return (reached(equal, tokens) & this.last) !== 0;
  }

  /** Begins a word of a category. */
  private beginWord(role: number): void {
    if (role === CATEGORY_START) {
      this.endCategory();
      this.inCategory = 0;
      this.hasOthers = false;
      // V8 allocates a new table, also for an empty map.
      if (this.categoryBits.size > 0) this.categoryBits.clear();
    } else if (this.inLastWord === 0) this.hasOthers = true;
    this.inLastWord = 0;
  }

  private takeCategory({ bit, isWord, alternative, own, all }: TermMatch): void {
    if (!isWord) return;
    if (own !== all) {
      const seen = (this.categoryBits.get(alternative) ?? 0) | own;
      this.categoryBits.set(alternative, seen);
      if (seen !== all) return;
    }
    this.inCategory |= bit;
    this.heldByCategories |= bit;
    this.inLastWord |= bit;
  }

  private endCategory(): void {
    if ((this.inLastWord & this.headBit) === 0) return;
    if (!this.hasOthers) this.hasOwnCategory = true;
    if ((this.inCategory & this.termBits) === this.termBits) this.isOfCategory = true;
  }

  private evaluate(): void {
    const { found, places, distances } = this;
    const seen = this.seenBits;
    const { head } = this.typed;
    if (this.hasSeveral) {
      seen.clear();
      for (const { alternative, own, all } of found.slice(0, places.length))
        if (own !== all) seen.set(alternative, (seen.get(alternative) ?? 0) | own);
    }
    /** The places in the query of a phrase that ends at the part before, and of one that began with the title. */
    let phrase = 0;
    let equal = 0;
    let last = -1;
    for (let i = 0; i < places.length; ) {
      const place = places.array[i]!;
      const part = place >>> ROLE_BITS;
      let tokens = 0;
      for (; i < places.length && places.array[i] === place; i++) {
        const { token, bit, distance, isWord, alternative, own, all } = found[i]!;
        // An alternative of several index terms is in the title if all of them are.
        if (own !== all && seen.get(alternative) !== all) continue;
        this.held |= bit;
        if (distance < distances[token]!) distances[token] = distance;
        if (distance <= OTHER_NUMBER) tokens |= bit;
        if (token !== head) continue;
        this.hasHead = true;
        if (isWord) this.headRole = Math.max(this.headRole, place & ROLE_MASK);
      }
      if (part !== last + 1) phrase = equal = 0;
      phrase = reached((phrase << 1) | phrase | 1, tokens);
      equal = reached(part === 0 ? 1 : (equal << 1) | equal, tokens);
      if ((phrase & this.last) !== 0) this.hasPhrase = true;
      if ((equal & this.last) !== 0 && part === this.parts - 1) this.isEqual = true;
      last = part;
    }
  }

  /** The weights of the terms that the title or a category holds, in any form. */
  weightHeld(): number {
    const { tokens, belonging } = this.typed;
    let held = 0;
    for (let at = 0; at < tokens.length; at++) {
      const { term } = tokens[at]!;
      const isHeld = this.distances[at] !== NOT_HELD || (this.heldByCategories & bitOf(at)) !== 0;
      if (term >= 0 && isHeld) held += belonging.has(term) ? BELONGING : 1;
    }
    return held;
  }

  /** The distances of the terms that the title holds, as a share of all terms. */
  otherForm(): number {
    const { tokens } = this.typed;
    let sum = 0;
    for (let at = 0; at < tokens.length; at++)
      if (tokens[at]!.term >= 0 && this.distances[at] !== NOT_HELD) sum += this.distances[at]!;
    return sum / this.terms;
  }

  /** Whether the title has what a token of the query says that is not wanted, and nothing of that token. */
  hasUnwanted(): boolean {
    const { tokens, unwanted } = this.typed;
    return unwanted.some(({ at }, i) => {
      const isThere = this.distances[tokens.length + i] !== NOT_HELD;
      return isThere && this.distances[at] === NOT_HELD;
    });
  }
}

/**
 * The places in the query that a phrase can have reached at a part with these tokens. A token may take several parts, as a
 * compound does, and several tokens one part, as joined words do.
 */
function reached(places: number, tokens: number): number {
  let found = places & tokens;
  for (let more = found; more !== 0; found |= more) more = (found << 1) & tokens & ~found;
  return found;
}

/** The titles of one segment, and which of their terms match the query. */
interface SegmentTitles extends TitleReader {
  readonly matches: TermMatches;
}

/** The number of the field that is a record's title; -1: it has none. */
function titleField(postings: Postings, doc: LocalDoc): number {
  const end = offsetAt(postings.docFields, doc + 1);
  for (let docField = offsetAt(postings.docFields, doc); docField < end; docField++) {
    const field = fieldAt(postings, docField);
    if ((field & TITLE_BIT) !== 0) return field & FIELD_MASK;
  }
  return -1;
}

/** An index term of the query. */
interface TitleQueryTerm {
  readonly text: string;
  /** How it matches a term of a title, by its written form. */
  readonly matchOf: (written: string) => TermMatch;
}

/** All index terms of a query. */
function askedTerms({ tokens, unwanted, isSameWord }: TypedQuery): TitleQueryTerm[] {
  const asked: TitleQueryTerm[] = [];
  let alternative = 0;
  const negated = unwanted.map(
    ({ terms }): Pick<TypedToken, "alternatives" | "word"> => ({
      alternatives: [{ terms, weight: 1, distance: 0 }],
      word: undefined,
    }),
  );
  for (const [token, { alternatives, word }] of [...tokens, ...negated].entries())
    for (const { terms, distance, notIn, isHead = true } of alternatives) {
      const distinct = terms.length === 1 ? terms : [...new Set(terms)].slice(0, MOST_TOKENS);
      const isFixed = distance !== undefined || distinct.length > 1;
      const all = distinct.reduce((bits, _, i) => bits | (1 << i), 0);
      for (const [i, text] of distinct.entries()) {
        const match: TermMatch = {
          token,
          bit: bitOf(token),
          distance: distance ?? 0,
          isWord: isHead,
          alternative,
          own: 1 << i,
          all,
          notIn,
        };
        const matchOf = (written: string): TermMatch => {
          if (isFixed || word === undefined || written === word) return match;
          const own = isSameWord(word, written) ? OTHER_NUMBER : 1;
          return { ...match, distance: own, isWord: own <= OTHER_NUMBER };
        };
        asked.push({ text, matchOf });
      }
      alternative++;
    }
  return asked;
}

const NONE: readonly TermMatch[] = [];
/** Buckets of the hash table for each term: enough that most terms that match nothing find an empty bucket. */
const BUCKETS_PER_TERM = 8;
const FEWEST_BUCKETS = 16;

/** Which index terms of the query a term of a segment matches: a hash table, because most terms match none. */
class TermMatches {
  /** The maximum of `otherForm` in a title of the segment. */
  readonly mostOtherForm: number;
  /** By bucket, two numbers: a term, and the place of its matches plus 1; 0: the bucket is empty. */
  private readonly table: Int32Array;
  private readonly mask: number;
  private readonly matches: TermMatch[][] = [];

  constructor(dictionary: TermDictionary, asked: readonly TitleQueryTerm[], { tokens }: TypedQuery) {
    const found = asked.map(({ text }) => termsInTitles(dictionary, text));
    const most = found.reduce((sum, terms) => sum + terms.length, 0);
    let size = FEWEST_BUCKETS;
    while (size < BUCKETS_PER_TERM * most) size *= 2;
    this.mask = size - 1;
    this.table = new Int32Array(2 * size);
    const greatest = new Float64Array(tokens.length);
    for (let i = 0; i < asked.length; i++)
      for (const { term, written } of found[i]!) {
        const match = asked[i]!.matchOf(written);
        this.add(term, match);
        if (match.distance > greatest[match.token]!) greatest[match.token] = match.distance;
      }
    const ofTerms = greatest.filter((_, token) => tokens[token]!.term >= 0);
    this.mostOtherForm = ofTerms.reduce((sum, one) => sum + one, 0) / Math.max(1, ofTerms.length);
  }

  private add(term: number, match: TermMatch): void {
    const table = this.table;
    const matches = this.matches;
    const mask = this.mask;
    let bucket = bucketOf(term, mask);
    while (table[2 * bucket + 1] !== 0 && table[2 * bucket] !== term) bucket = (bucket + 1) & mask;
    const place = table[2 * bucket + 1]!;
    if (place > 0) {
      matches[place - 1]!.push(match);
      return;
    }
    table[2 * bucket] = term;
    table[2 * bucket + 1] = matches.push([match]);
  }

  /** Whether a term matches a token. */
  hasOf(term: number, token: number): boolean {
    const matched = this.of(term);
    for (let i = 0; i < matched.length; i++) if (matched[i]!.token === token) return true;
    return false;
  }

  /** What a term matches. */
  of(term: number): readonly TermMatch[] {
    const table = this.table;
    const mask = this.mask;
    for (let bucket = bucketOf(term, mask); ; bucket = (bucket + 1) & mask) {
      const place = table[2 * bucket + 1]!;
      if (place === 0) return NONE;
      if (table[2 * bucket] === term) return this.matches[place - 1]!;
    }
  }
}

function bitOf(token: number): number {
  return token < MOST_TOKENS ? 1 << token : 0;
}

function bucketOf(term: number, mask: number): number {
  const hash = Math.imul(term, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) & mask;
}
