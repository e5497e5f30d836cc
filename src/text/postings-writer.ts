// Builds the postings of one segment: records come in the order of their ids, their fields in the order of their names,
// terms as they are read. Entries are kept as (term, frequency), slot after slot, and sorted by term at the end, by counting.

import { GrowableUint32 } from "../base/growable.js";
import { ownText } from "../base/index-terms.js";
import type { Steps } from "../base/slices.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "./postings.js";
import { sortNames } from "./sort-names.js";
import { TitleWriter } from "./title/title-table.js";

const MAX_FREQUENCY = 0xffff;
/** Entries moved between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** Names given their numbers between two pauses. */
const PAUSE_EVERY_NAMES = 1 << 11;
let writers = 0;

/** Collects the postings of a segment; used once. */
export class PostingsWriter {
  /** Tells this writer's numbers from those of all others; never 0. */
  readonly id: number = ++writers;
  private readonly terms = new Map<string, number>();
  /** Of each term its last entry, counted from 1; 0: none. */
  private readonly lastEntry = new GrowableUint32();
  private readonly entryTerm: GrowableUint32;
  private readonly entryFreq: GrowableUint32;
  /** Of each slot its first entry: the entries of a slot stand together. */
  private readonly slotEntry = new GrowableUint32();
  private readonly docSlots = new GrowableUint32();
  private readonly slotDoc = new GrowableUint32();
  private readonly slotField = new GrowableUint32();
  private readonly slotLength = new GrowableUint32();
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
    this.docSlots.push(this.slotDoc.length);
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
    this.slotDoc.push(this.docCount - 1);
    this.slotField.push((field & FIELD_MASK) | (isTitle ? TITLE_BIT : 0));
    this.slotLength.push(0);
    this.slotEntry.push(this.entryTerm.length);
    this.fieldEntry = this.entryTerm.length;
  }

  /** The number by which this writer knows a term; it gets one when it has none. The text is kept, so it must be its own. */
  numberOf(text: string): number {
    let term = this.terms.get(text);
    if (term === undefined) {
      term = this.terms.size;
      this.terms.set(text, term);
      this.lastEntry.push(0);
    }
    return term;
  }

  /** The same for a text that may hold a longer one alive. */
  numberOfText(text: string): number {
    return this.terms.get(text) ?? this.numberOf(ownText(text));
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
    const slot = this.slotLength.length - 1;
    const field = this.slotField.array[slot]! & FIELD_MASK;
    this.slotLength.array[slot] = tokens;
    this.fieldLengths[field] = (this.fieldLengths[field] ?? 0) + tokens;
    this.fieldDocs[field] = (this.fieldDocs[field] ?? 0) + 1;
  }

  /** The finished postings; the writer is of no use afterwards. */
  *finish(): Steps<Postings> {
    const { names, numbers } = yield* this.renumber();
    const starts = yield* this.countByTerm(numbers);
    const { slots, freqs } = yield* this.sortByTerm(starts, numbers);
    const titles = yield* this.titles.finish(numbers);
    this.docSlots.push(this.slotDoc.length);
    return {
      docCount: this.docCount,
      names,
      terms: this.terms,
      starts,
      slots,
      freqs,
      docSlots: this.docSlots.toArray(),
      slotDoc: this.slotDoc.toArray(),
      slotField: this.slotField.toArray(),
      slotLength: new Uint16Array(this.slotLength.toArray()),
      fields: [...this.fieldNumbers.keys()],
      fieldLengths: this.fieldLengths,
      fieldDocs: this.fieldDocs,
      titles,
    };
  }

  /** Terms get new numbers, in the order of their names; returns those by the old ones. */
  private *renumber(): Steps<{ readonly names: readonly string[]; readonly numbers: Uint32Array }> {
    const given = [...this.terms.keys()];
    const order = yield* sortNames(given);
    const numbers = new Uint32Array(given.length);
    const names: string[] = [];
    for (let term = 0; term < order.length; term++) {
      names.push(given[order[term]!]!);
      numbers[order[term]!] = term;
      if (term % PAUSE_EVERY_NAMES === 0) yield;
    }
    for (let old = 0; old < given.length; old++) {
      this.terms.set(given[old]!, numbers[old]!);
      if (old % PAUSE_EVERY_NAMES === 0) yield;
    }
    return { names, numbers };
  }

  /** Where the postings of each term start, by new numbers. */
  private *countByTerm(numbers: Uint32Array): Steps<Uint32Array> {
    const starts = new Uint32Array(numbers.length + 1);
    const { array: entryTerm, length } = this.entryTerm;
    for (let entry = 0; entry < length; entry++) {
      starts[numbers[entryTerm[entry]!]! + 1]!++;
      if (entry % PAUSE_EVERY === 0) yield;
    }
    for (let term = 0; term < numbers.length; term++) starts[term + 1]! += starts[term]!;
    return starts;
  }

  private *sortByTerm(starts: Uint32Array, numbers: Uint32Array): Steps<Pick<Postings, "slots" | "freqs">> {
    const next = starts.slice();
    const slots = new Uint32Array(this.entryTerm.length);
    const freqs = new Uint16Array(slots.length);
    const { array: entryTerm } = this.entryTerm;
    const { array: entryFreq } = this.entryFreq;
    const { array: slotEntry, length: slotCount } = this.slotEntry;
    for (let entry = 0, slot = -1; entry < slots.length; entry++) {
      while (slot + 1 < slotCount && slotEntry[slot + 1]! <= entry) slot++;
      const at = next[numbers[entryTerm[entry]!]!]!++;
      slots[at] = slot;
      freqs[at] = entryFreq[entry]!;
      if (entry % PAUSE_EVERY === 0) yield;
    }
    return { slots, freqs };
  }
}
