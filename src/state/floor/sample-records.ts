// A sample of the living records that have a vector: those whose ids have the smallest hashes. So it depends on who is there
// and on nothing else, and one record that comes or goes changes one place of it.

import type { DocSet } from "../../base/doc-set.js";
import type { Task } from "../../base/tasks.js";
import { hashOf } from "../../text/names/term-dictionary.js";
import type { IndexSnapshot, LiveSegment } from "../index-snapshot.js";
import type { Segment } from "../segment.js";

/** Records of one segment in the order of their hashes, equal ones by id. */
interface HashedDocs {
  readonly docs: Uint32Array;
  readonly hashes: Uint32Array;
}

/** So many times the size of a sample are kept for a segment, so that deleting records seldom needs a second look. */
const SPARE = 4;
const PAUSE_EVERY = 1024;

const kept = new WeakMap<Segment, HashedDocs>();

/** The numbers of the sampled records, `size` or all there are, in the order of their hashes, equal ones by id. */
export function* sampleRecords(snapshot: IndexSnapshot, size: number): Task<number[]> {
  const found: HashedDocs[] = [];
  for (const live of snapshot.segments) found.push(yield* livingOf(live, size));
  const greatest = greatestOf(found, size);
  const hashOfDoc = new Map<number, number>();
  for (const [i, { docs, hashes }] of found.entries())
    for (let at = 0; at < docs.length && hashes[at]! <= greatest; at++)
      hashOfDoc.set(snapshot.segments[i]!.base + docs[at]!, hashes[at]!);
  const byHash = (a: number, b: number): number =>
    hashOfDoc.get(a)! - hashOfDoc.get(b)! || (snapshot.idBefore(a, b) ? -1 : 1);
  return [...hashOfDoc.keys()].sort(byHash).slice(0, size);
}

/** The greatest hash of the `size` smallest of all. */
function greatestOf(found: readonly HashedDocs[], size: number): number {
  const all = new Uint32Array(found.reduce((sum, { hashes }) => sum + hashes.length, 0));
  let at = 0;
  for (const { hashes } of found) {
    all.set(hashes, at);
    at += hashes.length;
  }
  return all.sort()[Math.min(size, all.length) - 1] ?? 0;
}

/** 32 bits, the same in every process: begun as FNV-1a is. */
export function hashOfId(id: string): number {
  return hashOf(id, 0x811c9dc5);
}

/** What samples of that size need to know of a segment, looked up once. */
export function* hashRecords(segment: Segment, size: number): Task<HashedDocs> {
  let found = kept.get(segment);
  if (found === undefined) {
    found = yield* smallest(segment, null, SPARE * size);
    kept.set(segment, found);
  }
  return found;
}

/** The living ones of a segment, `size` at most. */
function* livingOf({ segment, deletedDocs, vectorCount }: LiveSegment, size: number): Task<HashedDocs> {
  if (vectorCount === 0) return { docs: new Uint32Array(), hashes: new Uint32Array() };
  const found = yield* hashRecords(segment, size);
  const living = withoutDead(found, deletedDocs, size);
  if (living.docs.length >= Math.min(size, vectorCount)) return living;
  return yield* smallest(segment, deletedDocs, size);
}

function withoutDead({ docs, hashes }: HashedDocs, deletedDocs: DocSet | null, size: number): HashedDocs {
  if (deletedDocs === null) return { docs: docs.subarray(0, size), hashes: hashes.subarray(0, size) };
  const places: number[] = [];
  for (let i = 0; i < docs.length && places.length < size; i++) if (!deletedDocs.has(docs[i]!)) places.push(i);
  return { docs: Uint32Array.from(places, (i) => docs[i]!), hashes: Uint32Array.from(places, (i) => hashes[i]!) };
}

function* smallest({ records, vectors }: Segment, deletedDocs: DocSet | null, most: number): Task<HashedDocs> {
  const docs = vectors!.rowDoc.filter((doc) => !deletedDocs?.has(doc));
  const hashes = new Uint32Array(docs.length);
  for (let i = 0; i < docs.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    hashes[i] = hashOfId(records.ids[docs[i]!]!);
  }
  const greatest = hashes.slice().sort()[Math.min(most, hashes.length) - 1]!;
  yield;
  const places: number[] = [];
  for (let i = 0; i < hashes.length; i++) if (hashes[i]! <= greatest) places.push(i);
  // Records of a segment stand in the order of their ids.
  places.sort((a, b) => hashes[a]! - hashes[b]! || a - b);
  return { docs: Uint32Array.from(places, (i) => docs[i]!), hashes: Uint32Array.from(places, (i) => hashes[i]!) };
}
