// The words of one segment: for each term the places where it stands. A place is a field of a record (a *slot*), so that
// BM25F finds frequency, field and length together. Slots are numbered by record, then by field name in code unit order;
// posting lists ascend by slot, hence by record. Immutable; about 6 bytes a posting and 10 bytes a slot.

import { heapBytes } from "../base/json.js";
import { type TitleTable, titleBytes } from "./title/title-table.js";

/** In `slotField`: the slot is its record's title. */
export const TITLE_BIT = 0x4000_0000;
export const FIELD_MASK = 0x3fff_ffff;

/** The inverted index of one segment. */
export interface Postings {
  readonly docCount: number;
  /** The terms by number, ascending by code unit. */
  readonly names: readonly string[];
  /** Term -> its number. */
  readonly terms: ReadonlyMap<string, number>;
  /** The postings of term t are starts[t] … starts[t + 1] - 1. */
  readonly starts: Uint32Array;
  /** Slot of each posting. */
  readonly slots: Uint32Array;
  /** Frequency of the term in the slot, at most 65,535. */
  readonly freqs: Uint16Array;
  /** The slots of record d are docSlots[d] … docSlots[d + 1] - 1. */
  readonly docSlots: Uint32Array;
  readonly slotDoc: Uint32Array;
  /** Number of the field in `fields`, perhaps with TITLE_BIT. */
  readonly slotField: Uint32Array;
  /** Tokens of the field. */
  readonly slotLength: Uint16Array;
  readonly fields: readonly string[];
  /** Tokens of each field, over all records. */
  readonly fieldLengths: readonly number[];
  /** Records that have each field. */
  readonly fieldDocs: readonly number[];
  /** The titles, word by word. */
  readonly titles: TitleTable;
}

const POINTER_BYTES = 8;
/** An entry of a Map of its usual fullness. */
const MAP_ENTRY_BYTES = 40;

/** About the memory that the postings of a segment take. */
export function postingsBytes(postings: Postings): number {
  const { names, starts, slots, freqs, docSlots, slotDoc, slotField, slotLength } = postings;
  let bytes = names.length * (POINTER_BYTES + MAP_ENTRY_BYTES) + titleBytes(postings.titles);
  for (const array of [starts, slots, freqs, docSlots, slotDoc, slotField, slotLength]) bytes += array.byteLength;
  for (const name of names) bytes += heapBytes(name);
  return bytes;
}
