// The words that queries met in titles and asked about, with what they mean to one speaker: they outlive the states of an
// index, so that after a write nothing has to be asked again.

import type { Embedder, WordMeaning } from "../../util/extension-points.js";
import { isWord, stemOf } from "../../util/index-terms.js";
import type { Postings } from "../postings.js";
import { NearnessRow } from "./nearness-row.js";

/** The index term is a code, a number, or another that is no word. */
export const NO_WORD = -1;
const UNREAD = 0;
/** Of a word its number among the titles of a segment, from 1; nobody looked, no title holds it. */
const UNKNOWN = 0;
const ABSENT = -1;

/** Who knows what words mean. */
export type Speaker = Pick<Embedder, "meaningOf">;

/** So many words are remembered: about 5 MB. */
const MOST_REMEMBERED = 1 << 15;
/** And for so many words of queries what is near to them: 4 MB at most. */
const MOST_ROWS = 64;
/** What follows these says what a thing goes with, not what it is. */
const TURNS = new Set(["for", "compatible", "suitable", "fit", "fits"]);

const memories = new WeakMap<Speaker, WordMemory>();
/** Of each segment what the last memory that it was asked for has of it. */
const placesOf = new WeakMap<Postings, WordPlaces>();

/** The number of a word, from its entry. */
export function numberIn(entry: number): number {
  return (entry >> 1) - 1;
}

/** What follows the word says what a thing goes with. */
export function isTurn(entry: number): boolean {
  return (entry & 1) === 1;
}

/** What was learned of a speaker's words. */
export function memoryOf(speaker: Speaker): WordMemory {
  let memory = memories.get(speaker);
  if (memory === undefined) {
    memory = new WordMemory(speaker);
    memories.set(speaker, memory);
  }
  return memory;
}

/** The memory that is taken by the places of words in a segment; 0 before it was asked for. */
export function placeBytes(postings: Postings): number {
  return placesOf.get(postings)?.bytes ?? 0;
}

/** Words by numbers that hold until they are forgotten, all at once. */
export class WordMemory {
  /** By number: what the word means; null: nobody knows. */
  readonly meanings: (WordMeaning | null)[] = [];
  /** Grows when all numbers, and all rows, are forgotten. */
  generation = 0;
  private readonly speaker: Speaker;
  /** By number: the index term. */
  private readonly names: string[] = [];
  private readonly entryOfName = new Map<string, number>();
  private readonly rows = new Map<string, NearnessRow>();

  constructor(speaker: Speaker) {
    this.speaker = speaker;
  }

  /** To be called before a title is read: its words are not forgotten in between. */
  makeRoom(): void {
    if (this.names.length < MOST_REMEMBERED) return;
    this.names.length = 0;
    this.meanings.length = 0;
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
    const row = new NearnessRow(meaning, this.takeRoom());
    this.rows.set(word, row);
    return row;
  }

  /** The array of the oldest row where there are enough: to allocate one for each word of a query costs more than to clear it. */
  private takeRoom(): Uint16Array | undefined {
    if (this.rows.size < MOST_ROWS) return undefined;
    const [oldest] = this.rows.keys();
    const room = this.rows.get(oldest!)!.release();
    this.rows.delete(oldest!);
    return room;
  }

  /** The entry of a word that is a term of titles: its number, and whether it turns; NO_WORD: it is none. */
  entryOf(name: string): number {
    const stem = stemOf(name);
    const word = name === stem ? name : name.slice(stem.length + 2);
    if (!isWord(word)) return NO_WORD;
    const known = this.entryOfName.get(name);
    if (known !== undefined) return known;
    const meaning = this.meaningOf(word);
    const number = this.names.push(name) - 1;
    this.meanings.push(meaning);
    const entry = ((number + 1) << 1) | (TURNS.has(word) ? 1 : 0);
    this.entryOfName.set(name, entry);
    return entry;
  }

  /** The index term that has a number. */
  nameOf(number: number): string {
    return this.names[number]!;
  }

  /** Where its words stand in a segment: valid until they are forgotten. */
  placesIn(postings: Postings): WordPlaces {
    let places = placesOf.get(postings);
    if (places?.memory !== this || places.generation !== this.generation) {
      places = new WordPlaces(this, postings);
      placesOf.set(postings, places);
    }
    return places;
  }

  private meaningOf(word: string): WordMeaning | null {
    return this.speaker.meaningOf?.(word) ?? null;
  }
}

/** The words of a memory in one segment. */
export class WordPlaces {
  readonly memory: WordMemory;
  readonly generation: number;
  private readonly postings: Postings;
  /** By the term's number among titles: its entry, else 0 or NO_WORD. */
  private readonly entries: Int32Array;
  /** By term: its number among titles, from 1; 0: no title holds it. */
  private readonly numbers: Uint32Array;
  /** By the word's number: the same, else UNKNOWN or ABSENT. */
  private found = new Int32Array(0);

  constructor(memory: WordMemory, postings: Postings) {
    this.memory = memory;
    this.generation = memory.generation;
    this.postings = postings;
    const { terms } = postings.titles;
    this.entries = new Int32Array(terms.length);
    this.numbers = new Uint32Array(postings.names.size);
    for (let number = 0; number < terms.length; number++) this.numbers[terms[number]!] = number + 1;
  }

  get bytes(): number {
    return this.entries.byteLength + this.numbers.byteLength + this.found.byteLength;
  }

  /** The entry of the word that an index term is, given by its number among titles; NO_WORD: it is none. */
  entryOf(titleNumber: number): number {
    const known = this.entries[titleNumber]!;
    if (known !== UNREAD) return known;
    const { names, titles } = this.postings;
    const entry = this.memory.entryOf(names.nameOf(titles.terms[titleNumber]!));
    this.entries[titleNumber] = entry;
    return entry;
  }

  /** The number that a word has among the titles here; -1: none holds it. */
  titleNumberOf(word: number): number {
    if (word >= this.found.length) this.grow(word + 1);
    let number = this.found[word]!;
    if (number === UNKNOWN) {
      const term = this.postings.names.numberOf(this.memory.nameOf(word));
      number = (term === undefined ? 0 : this.numbers[term]!) || ABSENT;
      this.found[word] = number;
    }
    return number === ABSENT ? -1 : number - 1;
  }

  private grow(least: number): void {
    const found = new Int32Array(Math.max(least, 2 * this.found.length));
    found.set(this.found);
    this.found = found;
  }
}
