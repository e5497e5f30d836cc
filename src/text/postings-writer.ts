// Builds the postings of one segment: records come in the order of their ids, their fields in the order of their names,
// terms as they are read. Their occurrences are kept, slot after slot, and become lists at the end.

import { GrowableUint32 } from "../base/growable.js";
import type { Steps } from "../base/slices.js";
import { codePostings } from "./lists/code-postings.js";
import { WrittenNames, writeNames } from "./names/name-writer.js";
import { sortNames } from "./names/sort-names.js";
import { type Postings, TITLE_BIT } from "./postings.js";
import { SlotWriter } from "./slot-writer.js";
import { TitleWriter } from "./title/title-table.js";

/** About how often a term stands in a segment. */
const OCCURRENCES_OF_TERM = 8;

/** Collects the postings of a segment; used once. */
export class PostingsWriter {
  private readonly names: WrittenNames;
  /** The terms, occurrence after occurrence. */
  private readonly terms: GrowableUint32;
  /** Of each slot its first occurrence: those of a slot stand together. */
  private readonly slotStarts = new GrowableUint32();
  private readonly slots = new SlotWriter();
  /** The present field, perhaps with TITLE_BIT. */
  private field = 0;
  /** The titles of the records. */
  readonly titles: TitleWriter = new TitleWriter();

  /** `expected`: about how many terms there will be; growing a large array would block for long. */
  constructor(expected = 256) {
    this.terms = new GrowableUint32(expected);
    this.names = new WrittenNames(expected / OCCURRENCES_OF_TERM);
  }

  /** Begins the next record; its fields follow in code unit order of their names. */
  beginRecord(): void {
    this.slots.beginRecord();
    this.titles.beginRecord();
  }

  /** Begins a field of the present record. */
  beginField(name: string, isTitle: boolean): void {
    this.field = this.slots.fieldOf(name) | (isTitle ? TITLE_BIT : 0);
    this.slotStarts.push(this.terms.length);
  }

  /** The number by which this writer knows a term; it gets one when it has none. `isOwn`: the text holds no longer one alive. */
  numberOf(text: string, isOwn = false): number {
    return this.names.numberOf(text, isOwn);
  }

  /** Adds a term to the present field. */
  add(text: string): void {
    this.addNumber(this.numberOf(text));
  }

  /** The same of a term given by its number. */
  addNumber(term: number): void {
    this.terms.push(term);
  }

  /** The same of the terms whose numbers stand there. */
  addNumbers(numbers: Int32Array, from: number, end: number): void {
    this.terms.pushFrom(numbers, from, end);
  }

  /** Ends the present field: it has so many tokens. */
  endField(tokens: number): void {
    this.slots.add(this.slots.shapeOf(this.field, tokens));
  }

  /** The finished postings; the writer is of no use afterwards. */
  *finish(): Steps<Postings> {
    const { texts } = this.names;
    const order = yield* sortNames(texts);
    const names = yield* writeNames(this.names, order);
    const slots = yield* this.slots.finish();
    this.slotStarts.push(this.terms.length);
    const lists = yield* codePostings(
      {
        size: this.terms.length,
        terms: this.terms.array,
        docCount: slots.docCount,
        docSlots: this.slots.docSlots.array,
        slotStarts: this.slotStarts.array,
      },
      order,
    );
    const numbers = new Uint32Array(order.length);
    for (let number = 0; number < order.length; number++) numbers[order[number]!] = number;
    const titles = yield* this.titles.finish(order.length, numbers);
    return { names, ...lists, ...slots, titles };
  }
}
