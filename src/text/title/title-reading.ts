// One title, read for one query: which terms it holds and where, how near its words are, how much of it is about them. Kept
// between titles, so that reading one allocates nothing.

import { GrowableUint32 } from "../../base/growable.js";
import type { SegmentTitles } from "./segment-titles.js";
import type { NearnessRows } from "./title-glance.js";
import type { TermUse, TitleQuestion } from "./title-question.js";
import { isFirstOfPart, readTitle, titleNumber } from "./title-table.js";
import type { TitleWords } from "./title-words.js";
import { isTurn, NO_WORD, numberIn } from "./word-memory.js";

const NOWHERE = -2;

/** What one title was found to say. */
export class TitleReading {
  /** By term of the query: 1 where the title holds it. */
  readonly held: Uint8Array;
  private readonly question: TitleQuestion;
  private readonly titleWords: TitleWords;
  private rows: NearnessRows = [];
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

  /** By term of the query: what is near to its word; null: nothing is. Valid for the next title, whose words are not forgotten. */
  nearnessRows(): NearnessRows {
    this.titleWords.makeRoom();
    this.findRows();
    return this.rows;
  }

  /** False: no word of any title is near to this term of the query. */
  mayBeNear(term: number): boolean {
    this.findRows();
    return this.rows[term] != null;
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
