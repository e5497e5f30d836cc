// The words of one segment: for each term the places where it stands. A place is a field of a record (a *slot*), so that
// BM25F finds frequency, field and length together. Slots are numbered by record, then by field name in code unit order;
// posting lists ascend by record. Immutable; about a byte a posting, a byte or two a slot. Fields of one name and one length
// are of one *shape*: there are far fewer shapes than slots.

import type { NarrowArray } from "../util/growable.js";
import { type OffsetTable, offsetTableBytes } from "./offset-table.js";
import type { TermDictionary } from "./term-dictionary.js";
import { type TitleTable, titleBytes } from "./title/title-table.js";

/** In `shapeFields`: the slot is its record's title. */
export const TITLE_BIT = 0x4000_0000;
export const FIELD_MASK = 0x3fff_ffff;

/** The inverted index of one segment. */
export interface Postings {
  readonly maxDoc: number;
  /** The terms by number, ascending by code unit. */
  readonly dictionary: TermDictionary;
  /** How many postings there are. */
  readonly size: number;
  /** The list of term t, as `decodeList` reads it, is the bits starts[t] … starts[t + 1] - 1. */
  readonly starts: Uint32Array;
  readonly listBits: Uint32Array;
  /** Of each block of bits where in it a record begins, and the record before, as `PostingCursor` reads them. */
  readonly skipEntries: Uint32Array;
  /** The slots of record d are the numbers from the one at d up to the one at d + 1. */
  readonly docSlots: OffsetTable;
  readonly slotShape: NarrowArray;
  /** Number of each shape's field in `fields`, perhaps with TITLE_BIT. */
  readonly shapeFields: Uint32Array;
  /** Tokens of a field of each shape. */
  readonly shapeLengths: Uint16Array;
  readonly fields: readonly string[];
  /** Tokens of each field, over all records. */
  readonly fieldLengths: readonly number[];
  /** Records that have each field. */
  readonly fieldDocs: readonly number[];
  /** The titles, word by word. */
  readonly titles: TitleTable;
  /** The words as they were written. */
  readonly spelling: SpellingDictionary;
}

/** A segment's words as they were written: by length, those of one length by term number. */
export interface SpellingDictionary {
  /** The term of each word: a marked one, or a stem. A word may be here twice, once with each. */
  readonly terms: Uint32Array;
  /** The letters of each word: bit n stands for all code units whose last five bits are n. */
  readonly letters: Uint32Array;
  /** The words of n code units are those at starts[n] … starts[n + 1] - 1. */
  readonly starts: Uint32Array;
}

/** What posting lists are read by. */
export type PostingLists = Pick<Postings, "maxDoc" | "starts" | "listBits" | "skipEntries" | "docSlots">;

/** Number of a slot's field in `fields`, perhaps with TITLE_BIT. */
export function fieldAt({ slotShape, shapeFields }: Postings, slot: number): number {
  return shapeFields[slotShape[slot]!]!;
}

/** Tokens of a slot's field. */
export function lengthAt({ slotShape, shapeLengths }: Postings, slot: number): number {
  return shapeLengths[slotShape[slot]!]!;
}

/** The memory that the postings of a segment take. */
export function postingsBytes(postings: Postings): number {
  const { dictionary, starts, listBits, skipEntries, docSlots, slotShape, shapeFields, shapeLengths, spelling } =
    postings;
  const arrays = [
    starts,
    listBits,
    skipEntries,
    slotShape,
    shapeFields,
    shapeLengths,
    spelling.terms,
    spelling.letters,
    spelling.starts,
  ];
  const fixed = dictionary.byteLength + titleBytes(postings.titles) + offsetTableBytes(docSlots);
  return arrays.reduce((total, array) => total + array.byteLength, fixed);
}
