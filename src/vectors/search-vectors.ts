// The semantic retriever: the records nearest to a vector by cosine. Its matches are the `depth` nearest of those with a cosine of
// at least `floor`, ties at the edge by id. Every cosine is exact, whether the graph or a scan found the candidates.

import { indexOfSorted } from "../util/binary-search.js";
import { DocSet } from "../util/doc-set.js";
import { GreatestNumbers, topK } from "../util/top-k.js";
import { type NeighbourRule, type Neighbours, scanNearest } from "./exact-scan.js";
import { NO_NODE } from "./node-docs.js";
import type { UnitVector } from "./unit-vector.js";
import { cosineOfDoc, cosinesOfDocs, type VectorCorpus } from "./vector-corpus.js";
import type { VectorGraph } from "./vector-graph.js";

/** The retriever's result. */
export interface VectorRanking {
  /** The matches, ascending. */
  readonly members: Uint32Array;
  /** The exact cosine of any record, at least 0; 0 without a vector. */
  readonly similarityOf: (doc: number) => number;
  /** The same for many records, which must ascend; many times faster than one by one. */
  readonly similaritiesOf: (docs: ArrayLike<number>) => Float64Array;
}

const UNITS = 1e6;
/** The most neighbours of one search of the graph. */
const MAX_GRAPH_NEIGHBOURS = 10_000;

/** Up to this many allowed records are scanned exactly. The graph knows no filters. */
const MAX_SCANNED = 10_000;
/** And up to this many for each neighbour that the graph would have to find. */
const MAX_SCANNED_PER_NEIGHBOUR = 30;
/** From this depth on, without a filter, all are scanned if there are at most MAX_IN_ORDER_PER_NEIGHBOUR vectors per neighbour. */
const DEEP = 1000;
const MAX_IN_ORDER_PER_NEIGHBOUR = 100;

/** The nearest of the allowed records (null: of all), found by the graph if one is given and faster, else by an exact scan. */
export function searchVectors(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph | undefined,
  allowed: DocSet | null = null,
): VectorRanking {
  const found =
    (graph === undefined ? undefined : searchGraph(corpus, query, rule, graph, allowed)) ??
    scanNearest(corpus.segments, query, rule, allowed);
  const near = pickMembers(found, rule, corpus);
  return {
    members: near.docs,
    similarityOf: (doc) => {
      const at = indexOfSorted(near.docs, doc);
      return Math.max(0, at < 0 ? cosineOfDoc(corpus, doc, query) : near.cosines[at]!);
    },
    similaritiesOf: (docs) => similarities(docs, near, (others) => cosinesOfDocs(corpus, others, query)),
  };
}

/** The cosines of ascending records: those of matches are known, the others are computed. */
function similarities(
  docs: ArrayLike<number>,
  near: Neighbours,
  cosinesOf: (others: Uint32Array) => Float64Array,
): Float64Array {
  const cosines = new Float64Array(docs.length);
  const others = new Uint32Array(docs.length);
  const places = new Uint32Array(docs.length);
  let missing = 0;
  for (let i = 0, at = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    while (at < near.docs.length && near.docs[at]! < doc) at++;
    if (near.docs[at] === doc) cosines[i] = Math.max(0, near.cosines[at]!);
    else {
      others[missing] = doc;
      places[missing++] = i;
    }
  }
  const found = cosinesOf(others.subarray(0, missing));
  for (let i = 0; i < missing; i++) cosines[places[i]!] = Math.max(0, found[i]!);
  return cosines;
}

/**
 * Searches the graph; undefined if an exact scan is faster, or if too few of the graph's neighbours are left, because they do not
 * pass the filter or were written after this corpus. Then only a scan gives the right result.
 */
function searchGraph(
  corpus: VectorCorpus,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph,
  allowed: DocSet | null,
): Neighbours | undefined {
  const asked = allowed === null ? depthOf(corpus, rule) : filteredDepthOf(corpus, rule, allowed.count());
  if (asked === undefined) return undefined;
  const nodes = graph.nearest(query, asked);
  const held = recordsOf(corpus, graph, nodes);
  const missing = docsOutsideGraph(corpus, graph);
  const heldCosines = cosinesOfDocs(corpus, held, query);
  const found = { docs: held, cosines: heldCosines };
  const passing = allowed === null ? found : keepOnly(found, (doc) => allowed.has(doc));
  const reachedFloor = nodes.length < asked || heldCosines.some((cosine) => !isNear(cosine, rule.floor));
  if (passing.docs.length < rule.depth && !reachedFloor) return undefined;
  if (missing === null) return passing;
  const scanned = allowed === null ? missing : missing.copy().and(allowed);
  return unite(passing, scanNearest(corpus.segments, query, rule, scanned));
}

/** How many neighbours the graph has to find without a filter; undefined if a scan is faster. */
function depthOf({ vectorCount }: VectorCorpus, { depth }: NeighbourRule): number | undefined {
  return depth >= DEEP && vectorCount <= MAX_IN_ORDER_PER_NEIGHBOUR * depth ? undefined : depth;
}

/** How many neighbours the graph has to find such that twice the wanted number passes the filter; undefined if a scan is faster. */
function filteredDepthOf({ vectorCount }: VectorCorpus, { depth }: NeighbourRule, passing: number): number | undefined {
  if (passing <= MAX_SCANNED) return undefined;
  const asked = Math.min(MAX_GRAPH_NEIGHBOURS, Math.ceil((2 * depth * vectorCount) / passing));
  return passing <= MAX_SCANNED_PER_NEIGHBOUR * asked ? undefined : asked;
}

/** A cache: valid until the corpus or the graph changes. */
const outsideGraph = new WeakMap<VectorCorpus, { graph: VectorGraph; revision: number; docs: DocSet | null }>();

/**
 * The records with a vector that a graph does not contain, perhaps including dead ones; null if there are none. They are those of
 * the last writes while the graph grows, and for a query that began before a write those that the write retired or merged.
 */
function docsOutsideGraph(corpus: VectorCorpus, graph: VectorGraph): DocSet | null {
  const cached = outsideGraph.get(corpus);
  const { revision } = graph;
  if (cached?.graph === graph && cached.revision === revision) return cached.docs;
  let docs: DocSet | null = null;
  for (const { segmentId, rows, base, vectorCount } of corpus.segments) {
    // The graph contains no record that is dead here, because it knows of every deletion; so comparing the numbers suffices.
    if (graph.countOf(segmentId) === vectorCount) continue;
    docs ??= new DocSet(corpus.docSpan);
    const nodes = graph.nodesOf(segmentId);
    for (const doc of rows.rowDoc) if ((nodes?.[doc] ?? NO_NODE) === NO_NODE) docs.add(base + doc);
  }
  outsideGraph.set(corpus, { graph, revision, docs });
  return docs;
}

/** The records of some nodes, ascending. */
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

/** Whether a cosine is at least the minimum similarity, both to six decimals, so that no rounding error decides what matches. */
function isNear(cosine: number, minSimilarity: number): boolean {
  return Math.round(cosine * UNITS) >= Math.round(minSimilarity * UNITS);
}

/** The matches, ascending; of those tied at the edge, the first by id. */
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

/** The neighbours at some indexes, by ascending record. */
function inOrder({ docs, cosines }: Neighbours, places: Uint32Array): Neighbours {
  // Most are in order already.
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
