// The inverted index of one segment; immutable. A *doc field* is one field of one record; doc fields are numbered by record, then by
// field name in code unit order. A posting says that a term occurs in a doc field, and how often: what BM25F needs. Doc fields of one
// field and one length have the same *norm*: a segment has far fewer norms than doc fields. About a byte per posting, one or two
// per doc field.

import { type NarrowArray, type OffsetTable, offsetTableBytes } from "../util/offset-table.js";
import { type Task, waitFor } from "../util/tasks.js";
import type { TermDictionary } from "./term-dictionary.js";
import type { TitleTable } from "./title/title-table.js";

/** The maximum number of records of a segment: their numbers take 16 bits. */
export const MAX_DOCS = 65_536;

/** A bit in `normFields`: the field is the title of its record. */
export const TITLE_BIT = 0x4000_0000;
export const FIELD_MASK = 0x3fff_ffff;

/** The inverted index of one segment. */
export interface Postings {
  /** The number of records with deleted ones: all record numbers are below it. */
  readonly maxDoc: number;
  /** The terms. A term's ordinal in it is the term's number everywhere in a segment. */
  readonly dictionary: TermDictionary;
  /** The number of postings. */
  readonly size: number;
  /** The posting list of term t is the bits from starts[t] to starts[t + 1] - 1 of `lists`. */
  readonly starts: Uint32Array;
  /** The posting lists; see `list-codec.ts`. They leave the memory when they were written to a file. */
  lists: ListBits | ListFile;
  /** By block of `lists`: the bit at which the first record that begins in it does so, and the number of the record before that one. */
  readonly skipEntries: Uint32Array;
  /** The doc fields of record d are those from the offset at d up to the offset at d + 1. */
  readonly docFields: OffsetTable;
  /** By doc field: its norm. */
  readonly fieldNorms: NarrowArray;
  /** By norm: the number of its field in `fields`, with TITLE_BIT if it is the title. */
  readonly normFields: Uint32Array;
  /** By norm: its length in tokens. */
  readonly normLengths: Uint16Array;
  /** The names of the fields. */
  readonly fields: readonly string[];
  /** By field: the sum of its lengths, deleted records included. */
  readonly fieldLengths: readonly number[];
  /** By field: the number of records that have it, deleted ones included. */
  readonly fieldDocs: readonly number[];
  /** The titles as sequences of terms. */
  readonly titles: TitleTable;
  /** The surface forms of words, for corrections and completions. */
  readonly spelling: SpellingDictionary;
}

/** Bits of posting lists. */
export interface ListBits {
  /** At least one word more than the bits take. */
  readonly words: Uint32Array;
  /** The number of the first bit; a multiple of 32. */
  readonly first: number;
}

/** The posting lists of a segment in a file. */
export interface ListFile {
  /** The words of the lists from `from` up to `to`, or to their end, checked; rejects with 500 `storage_corrupt`. */
  read(from: number, to: number): Promise<ListBits>;
}

/** The bits of a term's posting list, read from the file if there is one. */
export function* listOf({ lists, starts }: PostingLists, term: number): Task<ListBits> {
  return "words" in lists ? lists : yield* waitFor(readList(lists, starts, term));
}

/** Reads the bits of a term's posting list. */
export function readList(file: ListFile, starts: Uint32Array, term: number): Promise<ListBits> {
  return file.read(starts[term]! >>> 5, (starts[term + 1]! >>> 5) + 2);
}

/** The bits of all posting lists, for a reader of all of them. */
export function* allLists({ lists, starts }: PostingLists): Task<ListBits> {
  return "words" in lists ? lists : yield* waitFor(lists.read(0, (starts.at(-1)! >>> 5) + 2));
}

/** The surface forms of a segment's words, ordered by length, then by term number. */
export type SpellingDictionary = {
  /** By word: its index term, which is marked, or a stem. A word may occur twice, once with each. */
  readonly terms: Uint32Array;
  /** By word: the set of its letters. Bit n stands for all code units whose last five bits are n. */
  readonly letters: Uint32Array;
  /** The words of n code units are those from starts[n] to starts[n + 1] - 1. */
  readonly starts: Uint32Array;
};

/** The part of `Postings` that reading a posting list needs. */
export type PostingLists = Pick<Postings, "maxDoc" | "starts" | "lists" | "skipEntries" | "docFields">;

/** The number of a doc field's field in `fields`, with TITLE_BIT if it is the title. */
export function fieldAt({ fieldNorms, normFields }: Postings, docField: number): number {
  return normFields[fieldNorms[docField]!]!;
}

/** The length of a doc field in tokens. */
export function lengthAt({ fieldNorms, normLengths }: Postings, docField: number): number {
  return normLengths[fieldNorms[docField]!]!;
}

/** The memory of the postings of a segment, in bytes. */
export function postingsBytes(postings: Postings): number {
  const { dictionary, lists, starts, titles, skipEntries, docFields, fieldNorms, normFields, normLengths, spelling } =
    postings;
  const arrays = [
    starts,
    skipEntries,
    fieldNorms,
    normFields,
    normLengths,
    titles.terms,
    spelling.terms,
    spelling.letters,
    spelling.starts,
  ];
  if ("words" in lists) arrays.push(lists.words);
  if (titles.halves instanceof Uint16Array) arrays.push(titles.halves);
  const tables = dictionary.byteLength + offsetTableBytes(titles.starts) + offsetTableBytes(docFields);
  return arrays.reduce((total, array) => total + array.byteLength, tables);
}
