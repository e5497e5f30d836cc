// Builds the postings of one segment: records come in the order of their ids, their fields in the order of their names,
// terms as they are read. Entries are kept as (term, frequency), slot after slot, and become lists at the end.

import { GrowableUint32 } from "../base/growable.js";
import { ownText } from "../base/index-terms.js";
import type { Steps } from "../base/slices.js";
import { codePostings } from "./lists/code-postings.js";
import { writeNames } from "./names/name-writer.js";
import { sortNames } from "./names/sort-names.js";
import { type Postings, TITLE_BIT } from "./postings.js";
import { SlotWriter } from "./slot-writer.js";
import { TitleWriter } from "./title/title-table.js";
import { WrittenNames } from "./written-names.js";

const MAX_FREQUENCY = 0xffff;
let writers = 0;

/** Collects the postings of a segment; used once. */
export class PostingsWriter {
  /** Tells this writer's numbers from those of all others; never 0. */
  readonly id: number = ++writers;
  private readonly written = new WrittenNames();
  /** Of each term its last entry, counted from 1; 0: none. */
  private readonly lastEntry = new GrowableUint32();
  private readonly entryTerm: GrowableUint32;
  private readonly entryFreq: GrowableUint32;
  /** Of each slot its first entry: the entries of a slot stand together. */
  private readonly slotEntry = new GrowableUint32();
  private readonly slots = new SlotWriter();
  /** The present field, perhaps with TITLE_BIT. */
  private field = 0;
  /** The titles of the records. */
  readonly titles: TitleWriter = new TitleWriter();
  /** The first entry of the present field. */
  private fieldEntry = 0;

  /** `expected`: about how many postings there will be; growing a large array would block for long. */
  constructor(expected = 256) {
    this.entryTerm = new GrowableUint32(expected);
    this.entryFreq = new GrowableUint32(expected);
  }

  /** Entries so far: what the memory of the segment grows with. */
  get size(): number {
    return this.entryTerm.length;
  }

  /** Begins the next record; its fields follow in code unit order of their names. */
  beginRecord(): void {
    this.slots.beginRecord();
    this.titles.beginRecord();
  }

  /** Begins a field of the present record. */
  beginField(name: string, isTitle: boolean): void {
    this.field = this.slots.fieldOf(name) | (isTitle ? TITLE_BIT : 0);
    this.slotEntry.push(this.entryTerm.length);
    this.fieldEntry = this.entryTerm.length;
  }

  /** The number by which this writer knows a term; it gets one when it has none. The text is kept, so it must be its own. */
  numberOf(text: string): number {
    return this.known(this.written.numberOf(text, asIs));
  }

  /** The same for a text that may hold a longer one alive. */
  numberOfText(text: string): number {
    return this.known(this.written.numberOf(text, ownText));
  }

  /** Adds `frequency` occurrences of a term to the present field. */
  add(text: string, frequency = 1): void {
    this.addNumber(this.numberOfText(text), frequency);
  }

  /** The same of a term given by its number. */
  addNumber(term: number, frequency = 1): void {
    const last = this.lastEntry.array[term]! - 1;
    if (last >= this.fieldEntry) {
      this.entryFreq.array[last] = Math.min(MAX_FREQUENCY, this.entryFreq.array[last]! + frequency);
      return;
    }
    this.entryTerm.push(term);
    this.entryFreq.push(Math.min(MAX_FREQUENCY, frequency));
    this.lastEntry.array[term] = this.entryTerm.length;
  }

  /** Ends the present field: it has so many tokens. */
  endField(tokens: number): void {
    this.slots.add(this.slots.shapeOf(this.field, tokens));
  }

  /** The finished postings; the writer is of no use afterwards. */
  *finish(): Steps<Postings> {
    const order = yield* sortNames(this.written.names);
    const names = yield* writeNames(this.written.names, order);
    const slots = yield* this.slots.finish();
    this.slotEntry.push(this.entryTerm.length);
    const lists = yield* codePostings(
      {
        size: this.size,
        terms: this.entryTerm.array,
        freqs: this.entryFreq.array,
        docCount: slots.docCount,
        docSlots: this.slots.docSlots.array,
        slotEntries: this.slotEntry.array,
      },
      order,
    );
    const numbers = new Uint32Array(order.length);
    for (let number = 0; number < order.length; number++) numbers[order[number]!] = number;
    const titles = yield* this.titles.finish(order.length, numbers);
    return { names, ...lists, ...slots, titles };
  }

  private known(term: number): number {
    if (term === this.lastEntry.length) this.lastEntry.push(0);
    return term;
  }
}

function asIs(text: string): string {
  return text;
}
