// What the words of a corpus's titles are to a query: how rare among the titles of the living records, and what they mean.
// Rarities are of one corpus, which is another after every write; all else is remembered beyond.

import type { WordMeaning } from "../../util/extension-points.js";
import type { NarrowArray } from "../../util/growable.js";
import type { Task } from "../../util/tasks.js";
import { idf } from "../bm25.js";
import type { Postings } from "../postings.js";
import type { TextCorpus } from "../weighted-query.js";
import type { NearnessRow } from "./nearness-row.js";
import { countBytes, livingCounts } from "./title-counts.js";
import { memoryOf, NO_WORD, placeBytes, type Speaker, type WordMemory, type WordPlaces } from "./word-memory.js";

/** With and without meanings. */
const known = new WeakMap<TextCorpus["segments"], Map<Speaker | null, TitleWords>>();

/** The words of a corpus's titles, less the titles of records that died since; `speaker` null: words mean nothing. */
export function* titleWordsOf(corpus: TextCorpus, speaker: Speaker | null): Task<TitleWords> {
  const before = known.get(corpus.segments) ?? new Map<Speaker | null, TitleWords>();
  const same = before.get(speaker);
  if (same !== undefined) return same;
  const counts: NarrowArray[] = [];
  if (speaker !== null) for (const segment of corpus.segments) counts.push(yield* livingCounts(segment));
  const words = new TitleWords(corpus, counts, speaker);
  known.set(corpus.segments, before.set(speaker, words));
  return words;
}

/** The words of the titles of one corpus, by the numbers of a memory. */
export class TitleWords {
  /** Whether anything is known of words. */
  readonly knowsWords: boolean;
  private readonly corpus: TextCorpus;
  private readonly counts: readonly NarrowArray[];
  private readonly memory: WordMemory | null;
  /** Valid for one generation of the memory: by number, NaN where nobody asked; and by segment. */
  private rarities = new Float64Array(0);
  private places: WordPlaces[] = [];
  private known = -1;

  constructor(corpus: TextCorpus, counts: readonly NarrowArray[], speaker: Speaker | null) {
    this.corpus = corpus;
    this.counts = counts;
    this.knowsWords = speaker !== null;
    this.memory = speaker === null ? null : memoryOf(speaker);
  }

  /** Grows when all numbers, and all rows, are forgotten. */
  get generation(): number {
    return this.memory?.generation ?? 0;
  }

  /** By number: what the word means; null: nobody knows. */
  get meanings(): readonly (WordMeaning | null)[] {
    return this.memory?.meanings ?? [];
  }

  /** To be called before a title is read: its words are not forgotten in between. */
  makeRoom(): void {
    const { memory } = this;
    if (memory === null) return;
    memory.makeRoom();
    if (this.known === memory.generation) return;
    this.known = memory.generation;
    this.rarities = new Float64Array(0);
    this.places = this.corpus.segments.map(({ postings }) => memory.placesIn(postings));
  }

  /** What is near to a word of a query; null: nobody knows what it means. */
  rowOf(word: string): NearnessRow | null {
    return this.memory?.rowOf(word) ?? null;
  }

  /** The entry of the word that an index term is, given by the numbers of its segment and of it among titles; NO_WORD: it is none. */
  entryOf(segment: number, titleNumber: number): number {
    return this.places[segment]?.entryOf(titleNumber) ?? NO_WORD;
  }

  /** A word's idf over titles, ln(1 + (N - tdf + 0.5) / (tdf + 0.5)), N living records, tdf with the word in the title. */
  rarityOf(number: number): number {
    if (number >= this.rarities.length) this.grow(number + 1);
    let rarity = this.rarities[number]!;
    if (Number.isNaN(rarity)) {
      rarity = idf(this.corpus.docCount, this.titlesWith(number));
      this.rarities[number] = rarity;
    }
    return rarity;
  }

  private titlesWith(number: number): number {
    let titles = 0;
    for (let i = 0; i < this.places.length; i++) {
      const here = this.places[i]!.titleNumberOf(number);
      if (here >= 0) titles += this.counts[i]![here]!;
    }
    return titles;
  }

  private grow(least: number): void {
    const rarities = new Float64Array(Math.max(least, 2 * this.rarities.length)).fill(Number.NaN);
    rarities.set(this.rarities);
    this.rarities = rarities;
  }
}

/** The memory that is taken by the counts of a segment's titles and by the places of their words; 0 before they are asked for. */
export function titleWordBytes(postings: Postings): number {
  return countBytes(postings) + placeBytes(postings);
}
