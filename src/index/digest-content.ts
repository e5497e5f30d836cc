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
import { type Doc, type LocalDoc, toDoc, toLocal } from "../util/doc.js";
import { offsetAt } from "../util/offset-table.js";
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
  const from = offsetAt(postings.docSlots, own);
  const lengths = new NumberBlock(2 * (offsetAt(postings.docSlots, own + 1) - from));
  for (let slot = from; slot < offsetAt(postings.docSlots, own + 1); slot++) {
    lengths.push(fieldMark(postings, slot, ownPlaces));
    lengths.push(lengthAt(postings, slot));
  }
  hashBytes(hash, lengths.bytes());
  const vector = vectors === null ? null : vectorOf(vectors, own);
  const components = new NumberBlock(vector?.components.length ?? 0);
  for (const component of vector?.components ?? []) components.push(component);
  hashBytes(hash, components.bytes());
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
  let seen = 0;
  for (let term = leastTerm(cursors); term !== undefined; term = leastTerm(cursors)) {
    const runs: Uint32Array[] = [];
    for (const cursor of cursors) {
      const { postings } = cursor.live.segment;
      if (cursor.name !== term) continue;
      seen += postings.starts[cursor.term + 1]! - postings.starts[cursor.term]!;
      runs.push(livePostings(cursor, ranks, places.get(cursor.live.segment.segmentId)!));
      yield;
      cursor.term++;
      cursor.name = nameAt(cursor.live, cursor.term);
    }
    const merged = yield* mergeByRank(runs);
    if (merged.length > 0) {
      hashTexts(hash, [term]);
      hashBytes(hash, merged.bytes());
    }
    if (++seen > PAUSE_EVERY_POSTINGS) {
      seen = 0;
      yield;
    }
  }
}

function nameAt({ segment }: LiveSegment, term: number): string | undefined {
  const { dictionary } = segment.postings;
  return term < dictionary.size ? dictionary.termAt(term) : undefined;
}

function leastTerm(cursors: readonly TermCursor[]): string | undefined {
  let least: string | undefined;
  for (const { name } of cursors) if (name !== undefined && (least === undefined || name < least)) least = name;
  return least;
}

/** The numbers per posting: rank, field, frequency. */
const WIDTH = 3;

/** The live postings of a cursor's term, by rank. Records are numbered in id order, so ranks ascend. */
function livePostings({ live, lists, term }: TermCursor, ranks: Uint32Array, places: readonly number[]): Uint32Array {
  const { postings } = live.segment;
  const { docs, ranks: patternOf, patterns, size } = decodeList(postings, term, lists);
  const numbers: number[] = [];
  for (let at = 0; at < size; at++) {
    const doc = docs[at]! as LocalDoc;
    if (live.deletedDocs?.has(doc)) continue;
    for (let place = patterns.starts[patternOf[at]!]!; place < patterns.starts[patternOf[at]! + 1]!; place++) {
      const slot = offsetAt(postings.docSlots, doc) + patterns.offsets[place]!;
      numbers.push(ranks[toDoc(live.base, doc)]!, fieldMark(postings, slot, places), patterns.freqs[place]!);
    }
  }
  return Uint32Array.from(numbers);
}

/** Merges runs by rank; each rank occurs in one run only. */
function* mergeByRank(runs: readonly Uint32Array[]): Task<NumberBlock> {
  const filled = runs.filter((run) => run.length > 0);
  const merged = new NumberBlock(filled.reduce((total, run) => total + run.length, 0));
  const places = filled.map(() => 0);
  for (let read = 1; !merged.isFull; read++) {
    if (read % PAUSE_EVERY_POSTINGS === 0) yield;
    let next = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < filled.length; run++) {
      const rank = filled[run]![places[run]!];
      if (rank === undefined || rank >= least) continue;
      next = run;
      least = rank;
    }
    for (let i = 0; i < WIDTH; i++) merged.push(filled[next]![places[next]!++]!);
  }
  return merged;
}

/** The place of a field instance's name among all field names, and whether it is the title, as one number. */
function fieldMark(postings: Postings, slot: number, places: readonly number[]): number {
  const field = fieldAt(postings, slot);
  return 2 * places[field & FIELD_MASK]! + ((field & TITLE_BIT) === 0 ? 0 : 1);
}

/** Numbers as four bytes each, little-endian on every machine. */
class NumberBlock {
  private readonly view: DataView;
  private size = 0;

  constructor(numbers: number) {
    this.view = new DataView(new ArrayBuffer(4 * numbers));
  }

  get length(): number {
    return this.size;
  }

  get isFull(): boolean {
    return 4 * this.size === this.view.byteLength;
  }

  push(value: number): void {
    this.view.setUint32(4 * this.size++, value, true);
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.view.buffer);
  }
}

function hashTexts(hash: Hash, texts: readonly string[]): void {
  for (const text of texts) hashBytes(hash, Buffer.from(text, "utf16le"));
}

/** Hashes each part with its length, so that different lists of parts never produce the same bytes. */
function hashBytes(hash: Hash, bytes: Uint8Array): void {
  const length = new NumberBlock(1);
  length.push(bytes.length);
  hash.update(length.bytes());
  hash.update(bytes);
}
