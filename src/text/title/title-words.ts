// What the words of titles are: how rare among the titles of the living records, and what they mean. Titles are counted once a
// segment and set of dead ones; what queries asked for is remembered with the corpus, which is another after every write.

import type { DocSet } from "../../base/doc-set.js";
import { GrowableUint32 } from "../../base/growable.js";
import { isWord } from "../../base/index-terms.js";
import type { Embedder, WordMeaning } from "../../base/seams.js";
import type { Steps } from "../../base/slices.js";
import { idf } from "../bm25.js";
import type { TextCorpus } from "../impacts/text-plan.js";
import { stemOf } from "../lexicon.js";
import type { Postings } from "../postings.js";
import type { SearchableSegment } from "../searchable-segment.js";
import { NearnessRow } from "./nearness-row.js";
import { isFirstOfPart, readTitle, titleNumber } from "./title-table.js";

/** The index term is a code, a number, or another that is no word. */
export const NO_WORD = -1;
const UNREAD = 0;

/** The number of a word, from its entry. */
export function numberIn(entry: number): number {
  return (entry >> 1) - 1;
}

/** What follows the word says what a thing goes with. */
export function isTurn(entry: number): boolean {
  return (entry & 1) === 1;
}

/** Who knows what words mean. */
export type Speaker = Pick<Embedder, "meaningOf">;

/** Titles counted between two pauses. */
const PAUSE_EVERY = 1 << 12;
/** So many words are remembered with a corpus: about 5 MB. */
const MOST_REMEMBERED = 1 << 15;
/** And for so many words of queries what is near to them: 4 MB at most. */
const MOST_ROWS = 64;
/** What follows these says what a thing goes with, not what it is. */
const TURNS = new Set(["for", "compatible", "suitable", "fit", "fits"]);

/** By term: how many titles hold it as the first term of a part. */
interface Counts {
  /** Over all records. */
  readonly all: Uint32Array;
  /** The same without the dead ones. */
  living?: { readonly dead: DocSet; readonly counts: Uint32Array };
}

const countsOf = new WeakMap<Postings, Counts>();
/** Those of whose words a corpus has entries, or had. */
const askedFor = new WeakSet<Postings>();
const ENTRY_BYTES = 4;
/** With and without meanings. */
const known = new WeakMap<TextCorpus["segments"], Map<Speaker | null, TitleWords>>();

/** The words of a corpus's titles, counting the titles that were not counted before; `speaker` null: words mean nothing. */
export function* titleWordsOf(corpus: TextCorpus, speaker: Speaker | null): Steps<TitleWords> {
  const before = known.get(corpus.segments) ?? new Map<Speaker | null, TitleWords>();
  const same = before.get(speaker);
  if (same !== undefined) return same;
  const counts: Uint32Array[] = [];
  if (speaker !== null) for (const segment of corpus.segments) counts.push(yield* livingCounts(segment));
  const words = new TitleWords(corpus, counts, speaker);
  known.set(corpus.segments, before.set(speaker, words));
  return words;
}

/** The words of the titles of one corpus, by numbers that hold until they are forgotten. */
export class TitleWords {
  readonly speaker: Speaker | null;
  /** By number: idf over titles, ln(1 + (N - tdf + 0.5) / (tdf + 0.5)), N living records, tdf with the word in the title. */
  readonly rarities: number[] = [];
  /** By number: what the word means; null: nobody knows. */
  readonly meanings: (WordMeaning | null)[] = [];
  /** Grows when all numbers, and all rows, are forgotten. */
  generation = 0;
  private readonly corpus: TextCorpus;
  private readonly counts: readonly Uint32Array[];
  /** By segment, where it was asked: of each term of its titles the entry of its word, else 0 or NO_WORD. */
  private readonly entries: (Int32Array | undefined)[] = [];
  private readonly entryOfName = new Map<string, number>();
  private readonly rows = new Map<string, NearnessRow>();

  constructor(corpus: TextCorpus, counts: readonly Uint32Array[], speaker: Speaker | null) {
    this.corpus = corpus;
    this.counts = counts;
    this.speaker = speaker;
  }

  /** To be called before a title is read: its words are not forgotten in between. */
  makeRoom(): void {
    if (this.rarities.length < MOST_REMEMBERED) return;
    this.rarities.length = 0;
    this.meanings.length = 0;
    this.entries.length = 0;
    this.entryOfName.clear();
    this.rows.clear();
    this.generation++;
  }

  /** What is near to a word of a query; null: nobody knows what it means. */
  rowOf(word: string): NearnessRow | null {
    const known = this.rows.get(word);
    if (known !== undefined) return known;
    const meaning = this.meaningOf(word);
    if (meaning === null) return null;
    const [oldest] = this.rows.keys();
    if (oldest !== undefined && this.rows.size >= MOST_ROWS) this.rows.delete(oldest);
    const row = new NearnessRow(meaning);
    this.rows.set(word, row);
    return row;
  }

  /** The entry of the word that an index term is, given by the numbers of its segment and of it among titles; NO_WORD: it is none. */
  entryOf(segment: number, number: number): number {
    let entries = this.entries[segment];
    if (entries === undefined) {
      const { postings } = this.corpus.segments[segment]!;
      entries = new Int32Array(postings.titles.terms.length);
      this.entries[segment] = entries;
      askedFor.add(postings);
    }
    if (entries[number] === UNREAD) entries[number] = this.read(segment, number);
    return entries[number]!;
  }

  private read(segment: number, titleNumber: number): number {
    const { names, titles } = this.corpus.segments[segment]!.postings;
    const name = names.nameOf(titles.terms[titleNumber]!);
    const stem = stemOf(name);
    const word = name === stem ? name : name.slice(stem.length + 2);
    if (this.speaker === null || !isWord(word)) return NO_WORD;
    const known = this.entryOfName.get(name);
    if (known !== undefined) return known;
    const number = this.rarities.push(idf(this.corpus.docCount, this.titlesWith(name))) - 1;
    this.meanings.push(this.meaningOf(word));
    const entry = ((number + 1) << 1) | (TURNS.has(word) ? 1 : 0);
    this.entryOfName.set(name, entry);
    return entry;
  }

  private meaningOf(word: string): WordMeaning | null {
    return this.speaker?.meaningOf?.(word) ?? null;
  }

  private titlesWith(name: string): number {
    let titles = 0;
    for (const [i, { postings }] of this.corpus.segments.entries()) {
      const term = postings.names.numberOf(name);
      if (term !== undefined) titles += this.counts[i]![term]!;
    }
    return titles;
  }
}

/** The memory that is taken by the counts of a segment and by a corpus's entries of its words; 0 before they are made. */
export function titleWordBytes(postings: Postings): number {
  const counts = countsOf.get(postings);
  const counted = counts === undefined ? 0 : counts.all.byteLength + (counts.living?.counts.byteLength ?? 0);
  return counted + (askedFor.has(postings) ? ENTRY_BYTES * postings.titles.terms.length : 0);
}

function* livingCounts({ postings, dead }: SearchableSegment): Steps<Uint32Array> {
  let counts = countsOf.get(postings);
  if (counts === undefined) {
    counts = { all: new Uint32Array(postings.names.size) };
    yield* countTitles(postings, counts.all, 1, () => true);
    countsOf.set(postings, counts);
  }
  if (dead === null) return counts.all;
  if (counts.living?.dead === dead) return counts.living.counts;
  const living = counts.all.slice();
  yield* countTitles(postings, living, -1, (doc) => dead.has(doc));
  counts.living = { dead, counts: living };
  return living;
}

/** Adds `sign` for each word of each of the titles, once a title. */
function* countTitles(
  { titles, docCount, names }: Postings,
  counts: Uint32Array,
  sign: 1 | -1,
  isCounted: (doc: number) => boolean,
): Steps<void> {
  const { terms } = titles;
  const entries = new GrowableUint32();
  /** Of each term the last title it was counted in, from 1. */
  const last = new Uint32Array(names.size);
  for (let doc = 0; doc < docCount; doc++) {
    if (doc % PAUSE_EVERY === 0) yield;
    if (!isCounted(doc)) continue;
    readTitle(titles, doc, entries);
    for (let at = 0; at < entries.length; at++) {
      const entry = entries.array[at]!;
      const term = terms[titleNumber(entry)]!;
      if (!isFirstOfPart(entry) || last[term] === doc + 1) continue;
      last[term] = doc + 1;
      counts[term]! += sign;
    }
  }
}
