// One hash of everything that answers depend on: settings, records, words, vectors. Everything is visited in an order that the
// records themselves determine (ids, field names, terms by code unit), so neither the order of insertion nor the division into
// segments has an effect. Derived data (columns, graphs) and deleted records are not hashed.

import { createHash, type Hash } from "node:crypto";
import { decodeList } from "../inverted/list-codec.js";
import {
  allLists,
  FIELD_MASK,
  fieldAt,
  type ListBits,
  lengthAt,
  type Postings,
  TITLE_BIT,
} from "../inverted/postings.js";
import { textInSteps } from "../settings/fingerprint.js";
import type { ShownSettings } from "../settings/settings.js";
import { type Doc, type LocalDoc, toDoc, toLocal } from "../util/doc-set.js";
import { offsetAt } from "../util/offset-table.js";
import { mergeRuns } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { vectorOf } from "../vectors/vector-rows.js";
import { docsInIdOrder, type IndexSnapshot, SnapshotReader } from "./index-snapshot.js";
import type { LiveSegment } from "./segment.js";

/** The version of the digest; it changes with what is hashed and how, so digests of different versions never agree. */
const KIND = "tandem-search digest 1";
const PAUSE_EVERY = 64;
const PAUSE_EVERY_POSTINGS = 1 << 14;

/** The digest of a snapshot under its settings: 64 hexadecimal digits (SHA-256). */
export function* digestContent(snapshot: IndexSnapshot, settings: ShownSettings): Task<string> {
  const hash = createHash("sha256");
  const fields = [...snapshot.totals.keys()].sort();
  const places = placesOfFields(snapshot, fields);
  hashTexts(hash, [KIND, yield* textInSteps(settings), ...fields, ""]);
  const docs = yield* docsInIdOrder(snapshot);
  const reader = new SnapshotReader(snapshot);
  const ranks = new Uint32Array(snapshot.docSpan);
  for (const [rank, doc] of docs.entries()) {
    ranks[doc] = rank;
    const json = (yield* reader.stored(doc)).wholeJson();
    hashRecord(hash, snapshot.segmentOf(doc), { doc, json }, places);
    if (rank % PAUSE_EVERY === 0) yield;
  }
  yield* hashTerms(hash, snapshot, ranks, places);
  return hash.digest("hex");
}

/** By segment id: the place of each of its fields among the sorted names of all fields. */
type FieldPlaces = ReadonlyMap<number, readonly number[]>;

function placesOfFields(snapshot: IndexSnapshot, fields: readonly string[]): FieldPlaces {
  const places = new Map(fields.map((name, place) => [name, place]));
  // A field that no live record has is not among the names.
  return new Map(
    snapshot.segments.map(({ segment }) => [
      segment.segmentId,
      segment.postings.fields.map((name) => places.get(name) ?? -1),
    ]),
  );
}

/** Hashes a record's id and JSON, the lengths of its fields, and its vector. */
function hashRecord(
  hash: Hash,
  { segment, base }: LiveSegment,
  { doc, json }: { readonly doc: Doc; readonly json: Uint8Array },
  places: FieldPlaces,
): void {
  const { records, postings, vectors } = segment;
  const ownPlaces = places.get(segment.segmentId)!;
  const own = toLocal(base, doc);
  hashTexts(hash, [records.ids.textAt(own)]);
  hashBytes(hash, json);
  const lengths: number[] = [];
  for (let docField = offsetAt(postings.docFields, own); docField < offsetAt(postings.docFields, own + 1); docField++)
    lengths.push(fieldMark(postings, docField, ownPlaces), lengthAt(postings, docField));
  hashBytes(hash, bytesOf(lengths));
  hashBytes(hash, bytesOf((vectors === null ? null : vectorOf(vectors, own))?.components ?? []));
}

/** A cursor over the terms of one segment. */
interface TermCursor {
  readonly live: LiveSegment;
  readonly lists: ListBits;
  /** The number of the current term in this segment, and its text; undefined: there are no more. */
  term: number;
  name: string | undefined;
}

/** Hashes every term that a live record contains, with the ranks of its records, their fields and frequencies. */
function* hashTerms(hash: Hash, snapshot: IndexSnapshot, ranks: Uint32Array, places: FieldPlaces): Task<void> {
  const cursors: TermCursor[] = [];
  for (const live of snapshot.segments)
    cursors.push({ live, lists: yield* allLists(live.segment.postings), term: 0, name: nameAt(live, 0) });
  for (let term = leastTerm(cursors); term !== undefined; term = leastTerm(cursors)) {
    const runs: Posting[][] = [];
    for (const cursor of cursors) {
      if (cursor.name !== term) continue;
      runs.push(livePostings(cursor, ranks, places.get(cursor.live.segment.segmentId)!));
      yield;
      cursor.term++;
      cursor.name = nameAt(cursor.live, cursor.term);
    }
    // Each rank is in one run only.
    const merged = yield* mergeRuns(runs, (a, b) => a[0] - b[0]);
    if (merged.length > 0) {
      hashTexts(hash, [term]);
      hashLength(hash, BYTES_OF_POSTING * merged.length);
      for (let from = 0; from < merged.length; from += PAUSE_EVERY_POSTINGS) {
        hash.update(bytesOf(merged.slice(from, from + PAUSE_EVERY_POSTINGS).flat()));
        yield;
      }
    }
  }
}

function nameAt({ segment }: LiveSegment, term: number): string | undefined {
  const { dictionary } = segment.postings;
  return term < dictionary.size ? dictionary.textAt(term) : undefined;
}

function leastTerm(cursors: readonly TermCursor[]): string | undefined {
  let least: string | undefined;
  for (const { name } of cursors) if (name !== undefined && (least === undefined || name < least)) least = name;
  return least;
}

/** The rank of a record, a field of it, and the frequency there. */
type Posting = readonly [rank: number, field: number, frequency: number];
const BYTES_OF_POSTING = 12;

/** The live postings of a cursor's term, by rank. Records are numbered in id order, so ranks ascend. */
function livePostings({ live, lists, term }: TermCursor, ranks: Uint32Array, places: readonly number[]): Posting[] {
  const { postings } = live.segment;
  const { docs, ranks: patternOf, patterns, size } = decodeList(postings, term, lists);
  const found: Posting[] = [];
  for (let at = 0; at < size; at++) {
    const doc = docs[at]! as LocalDoc;
    if (live.deletedDocs?.has(doc)) continue;
    for (let place = patterns.starts[patternOf[at]!]!; place < patterns.starts[patternOf[at]! + 1]!; place++) {
      const docField = offsetAt(postings.docFields, doc) + patterns.offsets[place]!;
      found.push([ranks[toDoc(live.base, doc)]!, fieldMark(postings, docField, places), patterns.freqs[place]!]);
    }
  }
  return found;
}

/** The place of a field instance's name among all field names, and whether it is the title, as one number. */
function fieldMark(postings: Postings, docField: number, places: readonly number[]): number {
  const field = fieldAt(postings, docField);
  return 2 * places[field & FIELD_MASK]! + ((field & TITLE_BIT) === 0 ? 0 : 1);
}

/** Numbers as four bytes each, little-endian on every machine. */
function bytesOf(numbers: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * numbers.length));
  for (let i = 0; i < numbers.length; i++) view.setUint32(4 * i, numbers[i]!, true);
  return new Uint8Array(view.buffer);
}

function hashTexts(hash: Hash, texts: readonly string[]): void {
  for (const text of texts) hashBytes(hash, Buffer.from(text, "utf16le"));
}

/** Hashes each part with its length, so that different lists of parts never produce the same bytes. */
function hashBytes(hash: Hash, bytes: Uint8Array): void {
  hashLength(hash, bytes.length);
  hash.update(bytes);
}

function hashLength(hash: Hash, length: number): void {
  hash.update(bytesOf([length]));
}
