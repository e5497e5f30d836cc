// Builds the postings of one segment: records come in the order of their ids, their fields in the order of their names,
// terms as they are read. Entries are kept as (term, frequency), slot after slot, and become lists at the end.

import { GrowableUint32, narrowed } from "../base/growable.js";
import { ownText } from "../base/index-terms.js";
import type { Steps } from "../base/slices.js";
import { ascending } from "./ascending.js";
import { codePostings } from "./lists/code-postings.js";
import { NameTable } from "./names/name-table.js";
import { sortNames } from "./names/sort-names.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "./postings.js";
import { TitleWriter } from "./title/title-table.js";
import { WrittenNames } from "./written-names.js";

const MAX_FREQUENCY = 0xffff;
const MAX_LENGTH = 0xffff;
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
  private readonly docSlots = new GrowableUint32();
  private readonly slotShape = new GrowableUint32();
  /** Numbers of the shapes, by field and length. */
  private readonly shapes = new Map<number, number>();
  /** The present field, perhaps with TITLE_BIT. */
  private field = 0;
  private readonly fieldNumbers = new Map<string, number>();
  private readonly fieldLengths: number[] = [];
  private readonly fieldDocs: number[] = [];
  /** The titles of the records. */
  readonly titles: TitleWriter = new TitleWriter();
  private docCount = 0;
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
    this.docSlots.push(this.slotEntry.length);
    this.titles.beginRecord();
    this.docCount++;
  }

  /** Begins a field of the present record. */
  beginField(name: string, isTitle: boolean): void {
    let field = this.fieldNumbers.get(name);
    if (field === undefined) {
      field = this.fieldNumbers.size;
      this.fieldNumbers.set(name, field);
    }
    this.field = field | (isTitle ? TITLE_BIT : 0);
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
    const field = this.field & FIELD_MASK;
    const key = this.field * (MAX_LENGTH + 1) + tokens;
    let shape = this.shapes.get(key);
    if (shape === undefined) {
      shape = this.shapes.size;
      this.shapes.set(key, shape);
    }
    this.slotShape.push(shape);
    this.fieldLengths[field] = (this.fieldLengths[field] ?? 0) + tokens;
    this.fieldDocs[field] = (this.fieldDocs[field] ?? 0) + 1;
  }

  /** The finished postings; the writer is of no use afterwards. */
  *finish(): Steps<Postings> {
    const order = yield* sortNames(this.written.names);
    const names = yield* NameTable.of(this.written.names, order);
    this.docSlots.push(this.slotEntry.length);
    this.slotEntry.push(this.entryTerm.length);
    const lists = yield* codePostings(
      {
        size: this.size,
        terms: this.entryTerm.array,
        freqs: this.entryFreq.array,
        docCount: this.docCount,
        docSlots: this.docSlots.array,
        slotEntries: this.slotEntry.array,
      },
      order,
    );
    const numbers = new Uint32Array(order.length);
    for (let number = 0; number < order.length; number++) numbers[order[number]!] = number;
    const titles = yield* this.titles.finish(numbers);
    const docSlots = yield* ascending(this.docSlots.toArray());
    const shapes = this.slotShape.array.subarray(0, this.slotShape.length);
    return {
      docCount: this.docCount,
      names,
      ...lists,
      docSlots,
      slotShape: narrowed(shapes, this.shapes.size),
      shapeFields: Uint32Array.from(this.shapes.keys(), (key) => Math.floor(key / (MAX_LENGTH + 1))),
      shapeLengths: Uint16Array.from(this.shapes.keys(), (key) => key % (MAX_LENGTH + 1)),
      fields: [...this.fieldNumbers.keys()],
      fieldLengths: this.fieldLengths,
      fieldDocs: this.fieldDocs,
      titles,
    };
  }

  private known(term: number): number {
    if (term === this.lastEntry.length) this.lastEntry.push(0);
    return term;
  }
}

function asIs(text: string): string {
  return text;
}
