// The leg of meaning: the records nearest to a vector by cosine. Members are the `depth` nearest of those at or above the
// floor, ties at the edge by id; every cosine is exact, whichever way the candidates were found.

import type { DocSet } from "../base/doc-set.js";
import { GreatestNumbers, topK } from "../base/top-k.js";
import { type NeighbourRule, type Neighbours, scanNearest } from "./exact-scan.js";
import { unheldOf } from "./unheld-records.js";
import type { UnitVector } from "./unit-vector.js";
import { cosineOfDoc, cosinesOfDocs, type VectorCorpus } from "./vector-corpus.js";
import type { VectorGraph } from "./vector-graph.js";

/** The leg's result. */
export interface VectorRanking {
  /** Members, ascending. */
  readonly members: Uint32Array;
  /** The exact cosine of any record, kept at 0 or above; 0 without a vector. */
  readonly similarityOf: (doc: number) => number;
  /** The same for many records, by position, many times faster; the list must ascend. */
  readonly similaritiesOf: (docs: ArrayLike<number>) => Float64Array;
}

const UNITS = 1e6;
/** The graph gives no more neighbours at once. */
const MOST_CANDIDATES = 10_000;

/** Up to so many allowed records are scanned exactly instead of asking the graph, which knows no filters. */
const SCANNED_SURVIVORS = 10_000;
/** And up to so many for each neighbour that the graph would be asked for. */
const SCANNED_A_NEIGHBOUR = 30;
/** So many neighbours are found by scanning all where there are not more vectors than this for each: rows in order are quicker. */
const DEEP = 1000;
const SCANNED_IN_ORDER = 100;

/** The nearest of the allowed records (null: of all), by the graph where one is given and pays, else by scanning. */
export function searchVectors(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph | undefined,
  allowed: DocSet | null = null,
): VectorRanking {
  const found =
    (graph === undefined ? undefined : askGraph(corpus, query, rule, graph, allowed)) ??
    scanNearest(corpus.segments, query, rule, allowed);
  const near = pickMembers(found, rule, corpus);
  return {
    members: near.docs,
    similarityOf: (doc) => {
      const at = placeIn(near.docs, doc);
      return Math.max(0, at < 0 ? cosineOfDoc(corpus, doc, query) : near.cosines[at]!);
    },
    similaritiesOf: (docs) => similarities(docs, near, (others) => cosinesOfDocs(corpus, others, query)),
  };
}

/** Of records, ascending: those of members are known, the others are asked for. */
function similarities(
  docs: ArrayLike<number>,
  near: Neighbours,
  cosinesOf: (others: Uint32Array) => Float64Array,
): Float64Array {
  const cosines = new Float64Array(docs.length);
  const others = new Uint32Array(docs.length);
  const places = new Uint32Array(docs.length);
  let asked = 0;
  for (let i = 0, at = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    while (at < near.docs.length && near.docs[at]! < doc) at++;
    if (near.docs[at] === doc) cosines[i] = Math.max(0, near.cosines[at]!);
    else {
      others[asked] = doc;
      places[asked++] = i;
    }
  }
  const found = cosinesOf(others.subarray(0, asked));
  for (let i = 0; i < asked; i++) cosines[places[i]!] = Math.max(0, found[i]!);
  return cosines;
}

/** The place of a record in an ascending list; -1: it is not there. */
export function placeIn(docs: Uint32Array, doc: number): number {
  let low = 0;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return docs[low] === doc ? low : -1;
}

/**
 * Undefined where an exact scan is faster, or where too few of the graph's are left: a filter drops them, or they stand for
 * records of a later write than this corpus knows. Then only a scan is right.
 */
function askGraph(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph,
  allowed: DocSet | null,
): Neighbours | undefined {
  const asked = allowed === null ? depthOf(corpus, rule) : askedOf(corpus, rule, allowed.count());
  if (asked === undefined) return undefined;
  const nodes = graph.nearest(query, asked);
  const held = recordsOf(corpus, graph, nodes);
  const fresh = unheldOf(corpus, graph);
  const heldCosines = cosinesOfDocs(corpus, held, query);
  const found = { docs: held, cosines: heldCosines };
  const passing = allowed === null ? found : keepOnly(found, (doc) => allowed.has(doc));
  const reachedFloor = nodes.length < asked || heldCosines.some((cosine) => !isNear(cosine, rule.floor));
  if (passing.docs.length < rule.depth && !reachedFloor) return undefined;
  if (fresh === null) return passing;
  const unheld = allowed === null ? fresh : fresh.copy().and(allowed);
  return unite(passing, scanNearest(corpus.segments, query, rule, unheld));
}

/** How many neighbours to ask for where all pass; undefined: scan. */
function depthOf({ vectorCount }: VectorCorpus, { depth }: NeighbourRule): number | undefined {
  return depth >= DEEP && vectorCount <= SCANNED_IN_ORDER * depth ? undefined : depth;
}

/** How many neighbours to ask for, that enough pass: as many more as the filter will drop, and as many again; undefined: scan. */
function askedOf({ vectorCount }: VectorCorpus, { depth }: NeighbourRule, survivors: number): number | undefined {
  if (survivors <= SCANNED_SURVIVORS) return undefined;
  const asked = Math.min(MOST_CANDIDATES, Math.ceil((2 * depth * vectorCount) / survivors));
  return survivors <= SCANNED_A_NEIGHBOUR * asked ? undefined : asked;
}

/** The records of a corpus for which some nodes stand, ascending. */
function recordsOf(corpus: VectorCorpus, graph: VectorGraph, nodes: readonly number[]): Uint32Array {
  const held: number[] = [];
  const add = (segmentId: number, doc: number): void => {
    const segment = corpus.segmentOfUid(segmentId);
    if (segment !== undefined) held.push(segment.base + doc);
  };
  for (const node of nodes) graph.eachRecord(node, add);
  return new Uint32Array(held).sort();
}

function keepOnly({ docs, cosines }: Neighbours, test: (doc: number, cosine: number) => boolean): Neighbours {
  const kept: number[] = [];
  for (let i = 0; i < docs.length; i++) if (test(docs[i]!, cosines[i]!)) kept.push(i);
  return { docs: Uint32Array.from(kept, (i) => docs[i]!), cosines: Float64Array.from(kept, (i) => cosines[i]!) };
}

function unite(a: Neighbours, b: Neighbours): Neighbours {
  const docs = new Uint32Array(a.docs.length + b.docs.length);
  const cosines = new Float64Array(docs.length);
  docs.set(a.docs);
  docs.set(b.docs, a.docs.length);
  cosines.set(a.cosines);
  cosines.set(b.cosines, a.cosines.length);
  return { docs, cosines };
}

/** At or above the floor, both to six decimals, so that no last bit decides who is a member. */
function isNear(cosine: number, floor: number): boolean {
  return Math.round(cosine * UNITS) >= Math.round(floor * UNITS);
}

/** The `depth` nearest at or above the floor, ascending; of those tied at the edge, the first by id. */
function pickMembers(
  { docs, cosines }: Neighbours,
  { floor, depth }: NeighbourRule,
  { idBefore }: VectorCorpus,
): Neighbours {
  const best = new GreatestNumbers(depth);
  const members = new Uint32Array(cosines.length);
  let near = 0;
  for (let i = 0; i < cosines.length; i++) {
    if (!isNear(cosines[i]!, floor)) continue;
    best.add(cosines[i]!);
    members[near++] = i;
  }
  const edge = best.least;
  const tied: number[] = [];
  let size = 0;
  for (let at = 0; at < near; at++) {
    const i = members[at]!;
    if (cosines[i]! > edge) members[size++] = i;
    else if (cosines[i] === edge) tied.push(i);
  }
  for (const i of topK(tied, depth - size, (a, b) => idBefore(docs[a]!, docs[b]!))) members[size++] = i;
  return inOrder({ docs, cosines }, members.subarray(0, size));
}

/** Those at some places, ascending. */
function inOrder({ docs, cosines }: Neighbours, places: Uint32Array): Neighbours {
  // Most were found in their order.
  places.sort();
  let isAscending = true;
  for (let i = 1; i < places.length; i++) if (docs[places[i]!]! < docs[places[i - 1]!]!) isAscending = false;
  if (!isAscending) places.sort((a, b) => docs[a]! - docs[b]!);
  const sorted = { docs: new Uint32Array(places.length), cosines: new Float64Array(places.length) };
  for (let i = 0; i < places.length; i++) {
    sorted.docs[i] = docs[places[i]!]!;
    sorted.cosines[i] = cosines[places[i]!]!;
  }
  return sorted;
}
