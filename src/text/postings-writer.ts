// Builds the postings of one segment: records come in the order of their ids, their fields in the order of their names,
// terms as they are read. Entries are kept as (term, slot, frequency) and sorted by term at the end, by counting.

import { GrowableUint32 } from "../base/growable.js";
import { ownText } from "../base/index-terms.js";
import { byCodeUnit, sortInSteps } from "../base/merge-runs.js";
import type { Steps } from "../base/slices.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "./postings.js";

const MAX_FREQUENCY = 0xffff;
/** Entries moved between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** Names given their numbers between two pauses. */
const PAUSE_EVERY_NAMES = 1 << 11;
const NONE = 0xffffffff;

interface Renumbered {
  readonly terms: Map<string, number>;
  readonly numbers: Uint32Array;
  readonly starts: Uint32Array;
}

/** Collects the postings of a segment; used once. */
export class PostingsWriter {
  private readonly terms = new Map<string, number>();
  private readonly lastEntry = new GrowableUint32();
  private readonly counts = new GrowableUint32();
  private readonly entryTerm: GrowableUint32;
  private readonly entrySlot: GrowableUint32;
  private readonly entryFreq: GrowableUint32;
  private readonly docSlots = new GrowableUint32();
  private readonly slotDoc = new GrowableUint32();
  private readonly slotField = new GrowableUint32();
  private readonly slotLength = new GrowableUint32();
  private readonly fieldNumbers = new Map<string, number>();
  private readonly fieldLengths: number[] = [];
  private readonly fieldDocs: number[] = [];
  private docCount = 0;

  /** `expected`: about how many postings there will be; growing a large array would block for long. */
  constructor(expected = 256) {
    this.entryTerm = new GrowableUint32(expected);
    this.entrySlot = new GrowableUint32(expected);
    this.entryFreq = new GrowableUint32(expected);
  }

  /** Entries so far: what the memory of the segment grows with. */
  get size(): number {
    return this.entryTerm.length;
  }

  /** Begins the next record; its fields follow in code unit order of their names. */
  beginRecord(): void {
    this.docSlots.push(this.slotDoc.length);
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
  }

  /** Adds `frequency` occurrences of a term to the present field. */
  add(text: string, frequency = 1): void {
    let term = this.terms.get(text);
    if (term === undefined) {
      term = this.terms.size;
      this.terms.set(ownText(text), term);
      this.lastEntry.push(NONE);
      this.counts.push(0);
    }
    const slot = this.slotDoc.length - 1;
    const last = this.lastEntry.array[term]!;
    if (last !== NONE && this.entrySlot.array[last] === slot) {
      this.entryFreq.array[last] = Math.min(MAX_FREQUENCY, this.entryFreq.array[last]! + frequency);
      return;
    }
    this.lastEntry.array[term] = this.entryTerm.length;
    this.counts.array[term]!++;
    this.entryTerm.push(term);
    this.entrySlot.push(slot);
    this.entryFreq.push(Math.min(MAX_FREQUENCY, frequency));
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
    const names = yield* sortInSteps([...this.terms.keys()], byCodeUnit);
    yield;
    const { terms, numbers, starts } = yield* this.renumber(names);
    const { slots, freqs } = yield* this.sortByTerm(starts, numbers);
    this.docSlots.push(this.slotDoc.length);
    return {
      docCount: this.docCount,
      names,
      terms,
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
    };
  }

  /** New numbers, in the order of the names, for those that terms got as they came; and where their postings will start. */
  private *renumber(names: readonly string[]): Steps<Renumbered> {
    const terms = new Map<string, number>();
    const numbers = new Uint32Array(names.length);
    const starts = new Uint32Array(names.length + 1);
    for (let term = 0; term < names.length; term++) {
      const old = this.terms.get(names[term]!)!;
      numbers[old] = term;
      terms.set(names[term]!, term);
      starts[term + 1] = starts[term]! + this.counts.array[old]!;
      if (term % PAUSE_EVERY_NAMES === 0) yield;
    }
    return { terms, numbers, starts };
  }

  private *sortByTerm(starts: Uint32Array, numbers: Uint32Array): Steps<Pick<Postings, "slots" | "freqs">> {
    const next = starts.slice();
    const slots = new Uint32Array(this.entryTerm.length);
    const freqs = new Uint16Array(slots.length);
    const { array: entryTerm } = this.entryTerm;
    const { array: entrySlot } = this.entrySlot;
    const { array: entryFreq } = this.entryFreq;
    for (let entry = 0; entry < slots.length; entry++) {
      const at = next[numbers[entryTerm[entry]!]!]!++;
      slots[at] = entrySlot[entry]!;
      freqs[at] = entryFreq[entry]!;
      if (entry % PAUSE_EVERY === 0) yield;
    }
    return { slots, freqs };
  }
}
