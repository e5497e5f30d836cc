// The minimum cosine of a semantic match (`semanticFloor`): the configured one, or one learned from the records. The learned
// one is the cosine that 97 % of all pairs of an unrelated query and a sampled record do not exceed. A second one, for queries whose
// terms no record holds together, is such that half of all unrelated queries find at most five records. Both are pure functions of
// the embedder and the live records, whatever their order. They are learned by the first reader that needs them; only caches change.
// A data folder keeps them with the records that they were learned from.

import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { EffectiveSettings } from "../settings/settings.js";
import { type Doc, type DocArray, type DocSet, type LocalDoc, toDoc, toLocal } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import { queryTimeoutOf, type SearchWarning } from "../util/extension-points.js";
import { runTask, type Task } from "../util/tasks.js";
import { hashText } from "../util/text-table.js";
import { GreatestNumbers } from "../util/top-k.js";
import { scanNearest } from "../vectors/exact-scan.js";
import { cosinesOfRows, type VectorRows, vectorOf } from "../vectors/vector-rows.js";
import type { IndexSnapshot } from "./index-snapshot.js";
import { type Probes, probesFor } from "./probe-queries.js";
import type { HashedDocs, LiveSegment, ProbeNeighbours, Segment } from "./segment.js";

/** With fewer vectors of records or of probes, nothing is learned. */
const MIN_VECTORS = 32;
/** Records that are compared with the probes. */
const SAMPLE_SIZE = 256;
/** For each segment this many times the sample's size is cached, so that after deletions the ids seldom need hashing again. */
const SPARE = 4;
/** The percentage of the pairs whose cosine is at most the floor. */
const PERCENTILE = 97;
/** Cosines are rounded to thousandths: finer than samples differ, and coarser than the difference of one model on two machines. */
const UNITS = 1000;
const PAIRS_PAUSE = 16;
const HASHES_PAUSE = 1024;

/** With fewer vectors, the floor of queries whose terms no record holds together is the least one: few records are unrelated then. */
const MIN_VECTORS_OF_UNHELD = 1000;
/** That floor lies above the cosine of this many records with half of the probes, by these units. */
const MOST_UNRELATED = 5;
const MARGIN = 50;
/** So many neighbours of each probe are cached for a segment, so that after deletions it seldom needs to be scanned again. */
const KEPT_NEIGHBOURS = 2 * (MOST_UNRELATED + 1);
/** The neighbours in smaller segments are found when they are needed. */
const MIN_PREPARED = 1024;

const NUMBERS = [MIN_VECTORS, SAMPLE_SIZE, PERCENTILE, UNITS, MIN_VECTORS_OF_UNHELD, MOST_UNRELATED, MARGIN];

/** How floors are learned by these probes: those that a data folder has from another version are not used. */
function methodOf(probes: Probes): number {
  probes.method ??= hashText(JSON.stringify([probes.queries, ...NUMBERS]), 0);
  return probes.method;
}

/** What depends on the caller. */
export interface FloorContext {
  readonly signal: AbortSignal | undefined;
  /** Given by a query: it waits no longer than the embedder's `queryTimeoutMs`; the embedder goes on until this aborts. */
  readonly ended?: AbortSignal;
  readonly warn: (warning: SearchWarning) => void;
}

/** The floor in force. If the embedder fails, it is the default one, with a warning. Throws 499 when aborted. */
export async function semanticFloor(
  snapshot: IndexSnapshot,
  settings: ResolvedSettings,
  { signal, ended, warn }: FloorContext,
): Promise<number> {
  const { effective, embedder, usualFloor } = settings;
  if (effective.semanticFloor !== "auto") return effective.semanticFloor;
  if (embedder === undefined) return usualFloor;
  const known = snapshot.caches.floor;
  const probes = probesFor(settings);
  const method = methodOf(probes);
  if (known?.embedder === embedder.id && known.method === method) return known.value ?? usualFloor;
  if (snapshot.vectorCount < MIN_VECTORS) return usualFloor;
  try {
    const withinMs = ended === undefined ? undefined : queryTimeoutOf(embedder);
    const vectors = await probes.vectors(embedder, { signal, withinMs, ended });
    const value = await runTask(learnFloor(snapshot, vectors), signal);
    snapshot.caches.floor = { value, embedder: embedder.id, method };
    return value ?? usualFloor;
  } catch (cause) {
    if (!(cause instanceof SearchError) || cause.error !== "embedder_failed") throw cause;
    const message = `semanticFloor was ${usualFloor} instead of one learned from the records: ${cause.msg}`;
    warn({ code: "embedder_failed", message, param: "semanticFloor", cause });
    return usualFloor;
  }
}

/**
 * The floor of a query whose terms no record holds together; undefined: that of all queries, because settings name one, or there are
 * too few vectors. Throws what the embedder throws, and 499 when aborted.
 */
export async function outOfVocabularyFloor(
  snapshot: IndexSnapshot,
  settings: ResolvedSettings,
  context: FloorContext,
): Promise<number | undefined> {
  const { embedder, leastOutOfVocabularyFloor: least } = settings;
  if (least === undefined || snapshot.vectorCount < MIN_VECTORS) return undefined;
  if (snapshot.vectorCount < MIN_VECTORS_OF_UNHELD) return least;
  await semanticFloor(snapshot, settings, context);
  const known = snapshot.caches.floor;
  if (known === null) return least;
  if (known.outOfVocabulary !== undefined) return known.outOfVocabulary;
  const probes = await probesFor(settings).vectors(embedder!, { signal: context.signal });
  const outOfVocabulary = await runTask(learnOutOfVocabularyFloor(snapshot, probes, least), context.signal);
  snapshot.caches.floor = { ...known, outOfVocabulary };
  return outOfVocabulary;
}

/** Computes of a new segment what the floors are learned from, so that no query has to; does nothing if nothing is learned. `run` runs the tasks. */
export async function prepareFloor(
  segment: Segment,
  settings: ResolvedSettings,
  signal?: AbortSignal,
  run = (task: Task<unknown>): Promise<unknown> => runTask(task, signal),
): Promise<void> {
  const { vectors } = segment;
  const { effective, embedder, leastOutOfVocabularyFloor } = settings;
  if (effective.semanticFloor !== "auto" || embedder === undefined || vectors === null) return;
  await run(hashRecords(segment, SAMPLE_SIZE));
  if (leastOutOfVocabularyFloor === undefined || vectors.count < MIN_PREPARED) return;
  const probes = await probesFor(settings).vectors(embedder, { signal });
  await run(neighboursOfProbes(segment, probes));
}

/** The settings in force for these records. */
export async function effectiveSettings(
  { snapshot, settings }: { readonly snapshot: IndexSnapshot; readonly settings: ResolvedSettings },
  context: FloorContext,
): Promise<EffectiveSettings> {
  const floor = await semanticFloor(snapshot, settings, context);
  return Object.freeze({ ...settings.shown, semanticFloor: floor });
}

/** The learned floor, a multiple of 0.001; null with fewer than 32 vectors of records or of probes. */
function* learnFloor(snapshot: IndexSnapshot, probes: VectorRows): Task<number | null> {
  const docs = probes.count < MIN_VECTORS ? [] : yield* sampleRecords(snapshot, SAMPLE_SIZE);
  if (docs.length < MIN_VECTORS) return null;
  const counts = new Uint32Array(2 * UNITS + 1);
  const used = new Map<Segment, Map<LocalDoc, Int16Array>>();
  for (const [i, doc] of docs.entries()) {
    if (i % PAIRS_PAUSE === 0) yield;
    const { segment, base } = snapshot.segmentOf(doc);
    const rows = segment.vectors!;
    const known = segment.caches.probeCosines;
    const own = toLocal(base, doc);
    const units = (known?.probes === probes ? known.byDoc.get(own) : undefined) ?? cosinesWithProbes(rows, own, probes);
    used.set(segment, (used.get(segment) ?? new Map<LocalDoc, Int16Array>()).set(own, units));
    for (let at = 0; at < units.length; at++) counts[UNITS + units[at]!]!++;
  }
  for (const [{ caches }, byDoc] of used) caches.probeCosines = { probes, byDoc };
  // The least value that PERCENTILE percent of all do not exceed (nearest rank).
  const rank = Math.ceil((docs.length * probes.count * PERCENTILE) / 100);
  let at = 0;
  for (let below = counts[0]!; below < rank; below += counts[++at]!);
  return (at - UNITS) / UNITS;
}

function cosinesWithProbes(rows: VectorRows, doc: LocalDoc, probes: VectorRows): Int16Array {
  const cosines = new Float64Array(probes.count);
  cosinesOfRows(probes, probes.rowDoc, vectorOf(rows, doc)!, cosines);
  const units = new Int16Array(cosines.length);
  for (let at = 0; at < units.length; at++) units[at] = Math.round(cosines[at]! * UNITS);
  return units;
}

/** A multiple of 0.001. */
function* learnOutOfVocabularyFloor({ segments }: IndexSnapshot, probes: VectorRows, least: number): Task<number> {
  const found = [];
  for (const { segment, deletedDocs } of segments)
    if (segment.vectors !== null) found.push({ segment, deletedDocs, ...(yield* neighboursOfProbes(segment, probes)) });
  const reached = new Float64Array(probes.count);
  for (let probe = 0; probe < probes.count; probe++) {
    const best = new GreatestNumbers(MOST_UNRELATED + 1);
    for (const { segment, deletedDocs, nearest } of found) {
      const { docs, cosines } = nearest[probe]!;
      const live = cosines.filter((_, i) => deletedDocs?.has(docs[i]!) !== true);
      const isEnough = live.length > MOST_UNRELATED || docs.length === segment.vectors!.count;
      if (!isEnough) yield;
      for (const cosine of isEnough ? live : nearestTo(probes, probe, segment, deletedDocs).cosines) best.add(cosine);
    }
    reached[probe] = best.least;
  }
  const median = reached.sort()[(reached.length - 1) >> 1]!;
  return Math.max(least, (Math.round(median * UNITS) + MARGIN) / UNITS);
}

/** By probe: the records of a segment nearest to it, deleted or not; computed once. */
function* neighboursOfProbes(segment: Segment, probes: VectorRows): Task<ProbeNeighbours> {
  const { caches } = segment;
  if (caches.probeNeighbours?.probes === probes) return caches.probeNeighbours;
  const nearest: ProbeNeighbours["nearest"][number][] = [];
  for (let probe = 0; probe < probes.count; probe++) {
    nearest.push(nearestTo(probes, probe, segment, null));
    yield;
  }
  caches.probeNeighbours = { probes, nearest };
  return caches.probeNeighbours;
}

/** `probe`: by its row. */
function nearestTo(
  probes: VectorRows,
  probe: number,
  { vectors }: Segment,
  deletedDocs: DocSet<LocalDoc> | null,
): ProbeNeighbours["nearest"][number] {
  const vector = vectorOf(probes, probes.rowDoc[probe]! as LocalDoc)!;
  const rule = { floor: -1, depth: KEPT_NEIGHBOURS };
  const { docs, cosines } = scanNearest([{ rows: vectors!, deletedDocs, base: 0 }], vector, rule);
  const places = [...docs.keys()].sort((a, b) => cosines[b]! - cosines[a]!).slice(0, KEPT_NEIGHBOURS);
  return { docs: places.map((i) => toLocal(0, docs[i]!)), cosines: places.map((i) => cosines[i]!) };
}

/**
 * A sample of at most `size` live records with a vector: those whose ids have the smallest hashes, in that order, ties by id. So
 * it depends on the records only, and adding or deleting one record changes at most one record of the sample.
 */
export function* sampleRecords(snapshot: IndexSnapshot, size: number): Task<Doc[]> {
  const found: HashedDocs[] = [];
  for (const live of snapshot.segments) found.push(yield* hashLiveRecords(live, size));
  const greatest = nthLeast(Uint32Array.from(found.flatMap(({ hashes }) => [...hashes])), size) ?? 0;
  const hashOfDoc = new Map<Doc, number>();
  for (const [i, { docs, hashes }] of found.entries())
    for (let at = 0; at < docs.length && hashes[at]! <= greatest; at++)
      hashOfDoc.set(toDoc(snapshot.segments[i]!.base, docs[at]!), hashes[at]!);
  const byHash = (a: Doc, b: Doc): number =>
    hashOfDoc.get(a)! - hashOfDoc.get(b)! || (snapshot.idBefore(a, b) ? -1 : 1);
  return [...hashOfDoc.keys()].sort(byHash).slice(0, size);
}

/** The n-th least of some hashes, or the greatest if there are fewer; undefined: there is none. */
function nthLeast(hashes: Uint32Array, n: number): number | undefined {
  return hashes.toSorted()[Math.min(n, hashes.length) - 1];
}

/** A hash of 32 bits, the same in every process; its start value is that of FNV-1a. */
export function hashOfId(id: string): number {
  return hashText(id, 0x811c9dc5);
}

/** The records of a segment with the smallest hashes, enough for samples of `size`; computed once. */
function* hashRecords(segment: Segment, size: number): Task<HashedDocs> {
  const { caches } = segment;
  caches.hashedDocs ??= yield* smallest(segment, null, SPARE * size);
  return caches.hashedDocs;
}

/** The live records of a segment with the smallest hashes, at most `size` and their ties. */
function* hashLiveRecords({ segment, deletedDocs, vectorCount }: LiveSegment, size: number): Task<HashedDocs> {
  if (vectorCount === 0) return { docs: new Uint32Array() as DocArray<LocalDoc>, hashes: new Uint32Array() };
  const found = yield* hashRecords(segment, size);
  const { docs } = found;
  const places: number[] = [];
  for (let i = 0; i < docs.length && places.length < size; i++) if (!deletedDocs?.has(docs[i]!)) places.push(i);
  if (places.length >= Math.min(size, vectorCount)) return atPlaces(found, places);
  return yield* smallest(segment, deletedDocs, size);
}

function atPlaces({ docs, hashes }: Record<"docs" | "hashes", Uint32Array>, places: readonly number[]): HashedDocs {
  return {
    docs: Uint32Array.from(places, (i) => docs[i]!) as DocArray<LocalDoc>,
    hashes: Uint32Array.from(places, (i) => hashes[i]!),
  };
}

function* smallest(
  { records, vectors }: Segment,
  deletedDocs: DocSet<LocalDoc> | null,
  most: number,
): Task<HashedDocs> {
  const docs = vectors!.rowDoc.filter((doc) => !deletedDocs?.has(doc as LocalDoc));
  const hashes = new Uint32Array(docs.length);
  for (let i = 0; i < docs.length; i++) {
    if (i % HASHES_PAUSE === 0) yield;
    hashes[i] = hashOfId(records.ids.textAt(docs[i]!));
  }
  const greatest = nthLeast(hashes, most)!;
  yield;
  const places: number[] = [];
  for (let i = 0; i < hashes.length; i++) if (hashes[i]! <= greatest) places.push(i);
  // Records of a segment are in the order of their ids.
  places.sort((a, b) => hashes[a]! - hashes[b]! || a - b);
  return atPlaces({ docs, hashes }, places);
}
