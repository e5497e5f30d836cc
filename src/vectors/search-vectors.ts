// The semantic retriever: finds the `depth` records nearest to a vector with a cosine of at least `floor`; ties at the edge go by id.
// Every cosine is exact, whether the graph or a scan found the candidates.

import { type Doc, type DocArray, DocSet, type LocalDoc, toDoc } from "../util/doc-set.js";
import { GreatestNumbers, topK } from "../util/top-k.js";
import { type NeighbourRule, type Neighbours, scanNearest } from "./exact-scan.js";
import type { UnitVector } from "./unit-vector.js";
import { NO_NODE, type VectorGraph } from "./vector-graph.js";
import { cosinesOfRows, NO_COSINE, type VectorSegment } from "./vector-rows.js";

/** A segment's vectors, and the id of the segment in a graph. */
export interface SearchableVectors extends VectorSegment {
  readonly segmentId: number;
  readonly size: number;
  /** Live records with a vector. */
  readonly vectorCount: number;
}

/** The vectors of a whole index. */
export interface VectorSearcher {
  readonly segments: readonly SearchableVectors[];
  /** The length of arrays that are indexed by record number. */
  readonly docSpan: number;
  /** Live records with a vector. */
  readonly vectorCount: number;
  /** The segment with this id, if the searcher has it. */
  readonly segmentById: (segmentId: number) => SearchableVectors | undefined;
  readonly idBefore: (a: Doc, b: Doc) => boolean;
  /** A cache of this module, valid for one revision of one graph. */
  outsideGraph?: OutsideGraph;
}

/** The records with a vector that a graph does not contain; null if there are none. */
interface OutsideGraph {
  readonly graph: VectorGraph;
  readonly revision: number;
  readonly docs: DocSet<Doc> | null;
}

/** The retriever's result. */
export interface SemanticMatches {
  /** The matches, ascending. */
  readonly docs: DocArray<Doc>;
  /** The exact cosine of any record, at least 0; 0 without a vector. */
  readonly similarityOf: (doc: Doc) => number;
  /** The same for many records in ascending order; much faster than one by one. */
  readonly similaritiesOf: (docs: ArrayLike<Doc>) => Float64Array;
}

const UNITS = 1e6;
/** The most neighbours of one search of the graph. */
const MAX_GRAPH_NEIGHBOURS = 10_000;

/** Up to this many allowed records are scanned exactly, because the graph cannot apply filters. */
const MAX_SCANNED = 10_000;
/** The same per neighbour that the graph would have to find. */
const MAX_SCANNED_PER_NEIGHBOUR = 30;
/** From this depth on, without a filter, up to MAX_IN_ORDER_PER_NEIGHBOUR vectors per neighbour are scanned exactly. */
const DEEP = 1000;
const MAX_IN_ORDER_PER_NEIGHBOUR = 100;

/** The nearest of the allowed records (null: of all), found by the graph if one is given and faster, else by an exact scan. */
export function searchVectors(
  searcher: VectorSearcher,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph | undefined,
  allowed: DocSet<Doc> | null = null,
): SemanticMatches {
  const found =
    (graph === undefined ? undefined : searchGraph(searcher, query, rule, graph, allowed)) ??
    scanNearest(searcher.segments, query, rule, allowed);
  const near = pickMatches(found, rule, searcher);
  const similaritiesOf = (docs: ArrayLike<Doc>): Float64Array =>
    similarities(docs, near, (others) => cosinesOfDocs(searcher, others, query));
  return { docs: near.docs, similarityOf: (doc) => similaritiesOf([doc])[0]!, similaritiesOf };
}

/** The cosines of ascending records: known for matches, computed for the others. */
function similarities(
  docs: ArrayLike<Doc>,
  near: Neighbours,
  cosinesOf: (others: DocArray<Doc>) => Float64Array,
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
  const found = cosinesOf(others.subarray(0, missing) as DocArray<Doc>);
  for (let i = 0; i < missing; i++) cosines[places[i]!] = Math.max(0, found[i]!);
  return cosines;
}

/**
 * Searches the graph. undefined if an exact scan is faster, or if too few neighbours are left: the others do not pass the
 * filter, or are newer than this searcher. Then a scan is needed.
 */
function searchGraph(
  searcher: VectorSearcher,
  query: UnitVector,
  rule: NeighbourRule,
  graph: VectorGraph,
  allowed: DocSet<Doc> | null,
): Neighbours | undefined {
  const asked = allowed === null ? depthOf(searcher, rule) : filteredDepthOf(searcher, rule, allowed.count());
  if (asked === undefined) return undefined;
  const nodes = graph.nearest(query, asked);
  const docs = recordsOf(searcher, graph, nodes);
  const missing = docsOutsideGraph(searcher, graph);
  const cosines = cosinesOfDocs(searcher, docs, query);
  const found = { docs, cosines };
  const passing = allowed === null ? found : keepOnly(found, allowed);
  const reachedFloor = nodes.length < asked || cosines.some((cosine) => !isNear(cosine, rule.floor));
  if (passing.docs.length < rule.depth && !reachedFloor) return undefined;
  if (missing === null) return passing;
  const scanned = allowed === null ? missing : missing.copy().and(allowed);
  return joinNeighbours(passing, scanNearest(searcher.segments, query, rule, scanned));
}

/** How many neighbours the graph has to find without a filter; undefined if a scan is faster. */
function depthOf({ vectorCount }: VectorSearcher, { depth }: NeighbourRule): number | undefined {
  return depth >= DEEP && vectorCount <= MAX_IN_ORDER_PER_NEIGHBOUR * depth ? undefined : depth;
}

/** How many neighbours the graph has to find so that twice the wanted number passes the filter; undefined if a scan is faster. */
function filteredDepthOf(
  { vectorCount }: VectorSearcher,
  { depth }: NeighbourRule,
  passing: number,
): number | undefined {
  if (passing <= MAX_SCANNED) return undefined;
  const asked = Math.min(MAX_GRAPH_NEIGHBOURS, Math.ceil((2 * depth * vectorCount) / passing));
  return passing <= MAX_SCANNED_PER_NEIGHBOUR * asked ? undefined : asked;
}

/**
 * The records with a vector that a graph does not contain, perhaps including deleted ones; null if there are none. Either
 * recent writes added them and the graph has not absorbed them yet, or the query is older than a write that deleted or moved
 * them.
 */
function docsOutsideGraph(searcher: VectorSearcher, graph: VectorGraph): DocSet<Doc> | null {
  const cached = searcher.outsideGraph;
  const { revision } = graph;
  if (cached?.graph === graph && cached.revision === revision) return cached.docs;
  let docs: DocSet<Doc> | null = null;
  for (const { segmentId, rows, base, vectorCount } of searcher.segments) {
    // Deletions are applied to the graph at once, so it contains no record that is deleted here, and comparing counts suffices.
    if (graph.records.countOf(segmentId) === vectorCount) continue;
    docs ??= new DocSet(searcher.docSpan);
    const nodes = graph.records.nodesOf(segmentId);
    for (const doc of rows.rowDoc) if ((nodes?.[doc] ?? NO_NODE) === NO_NODE) docs.add(toDoc(base, doc as LocalDoc));
  }
  searcher.outsideGraph = { graph, revision, docs };
  return docs;
}

/** The records of some nodes, ascending. */
function recordsOf(searcher: VectorSearcher, graph: VectorGraph, nodes: readonly number[]): DocArray<Doc> {
  const docs: number[] = [];
  const add = (segmentId: number, doc: LocalDoc): void => {
    const segment = searcher.segmentById(segmentId);
    if (segment !== undefined) docs.push(toDoc(segment.base, doc));
  };
  for (const node of nodes) graph.records.each(node, add);
  return new Uint32Array(docs).sort() as DocArray<Doc>;
}

function keepOnly(found: Neighbours, allowed: DocSet<Doc>): Neighbours {
  const kept: number[] = [];
  for (let i = 0; i < found.docs.length; i++) if (allowed.has(found.docs[i]!)) kept.push(i);
  return atPlaces(found, kept);
}

function joinNeighbours(a: Neighbours, b: Neighbours): Neighbours {
  const docs = new Uint32Array(a.docs.length + b.docs.length);
  const cosines = new Float64Array(docs.length);
  docs.set(a.docs);
  docs.set(b.docs, a.docs.length);
  cosines.set(a.cosines);
  cosines.set(b.cosines, a.cosines.length);
  return { docs: docs as DocArray<Doc>, cosines };
}

/** Whether a cosine is at least the floor, both to six decimals, so that no rounding error decides what matches. */
export function isNear(cosine: number, floor: number): boolean {
  return Math.round(cosine * UNITS) >= Math.round(floor * UNITS);
}

/** The matches, ascending; of those tied at the edge, the first by id. */
function pickMatches(
  { docs, cosines }: Neighbours,
  { floor, depth }: NeighbourRule,
  { idBefore }: VectorSearcher,
): Neighbours {
  const best = new GreatestNumbers(depth);
  const kept = new Uint32Array(cosines.length);
  let near = 0;
  for (let i = 0; i < cosines.length; i++) {
    if (!isNear(cosines[i]!, floor)) continue;
    best.add(cosines[i]!);
    kept[near++] = i;
  }
  const edge = best.least;
  const tied: number[] = [];
  let size = 0;
  for (let at = 0; at < near; at++) {
    const i = kept[at]!;
    if (cosines[i]! > edge) kept[size++] = i;
    else if (cosines[i] === edge) tied.push(i);
  }
  for (const i of topK(tied, depth - size, (a, b) => idBefore(docs[a]!, docs[b]!))) kept[size++] = i;
  return inOrder({ docs, cosines }, kept.subarray(0, size));
}

function atPlaces({ docs, cosines }: Neighbours, places: ArrayLike<number>): Neighbours {
  const chosen = { docs: new Uint32Array(places.length), cosines: new Float64Array(places.length) };
  for (let i = 0; i < places.length; i++) {
    chosen.docs[i] = docs[places[i]!]!;
    chosen.cosines[i] = cosines[places[i]!]!;
  }
  return chosen as Neighbours;
}

/** The neighbours at some indexes, in ascending order of the records. */
function inOrder(found: Neighbours, places: Uint32Array): Neighbours {
  const { docs } = found;
  // Mostly, ascending indexes give ascending records.
  places.sort();
  let isAscending = true;
  for (let i = 1; i < places.length; i++) if (docs[places[i]!]! < docs[places[i - 1]!]!) isAscending = false;
  if (!isAscending) places.sort((a, b) => docs[a]! - docs[b]!);
  return atPlaces(found, places);
}

/** The cosines of many records, which must ascend; NO_COSINE for records without a vector. */
export function cosinesOfDocs({ segments }: VectorSearcher, docs: ArrayLike<Doc>, query: UnitVector): Float64Array {
  const cosines = new Float64Array(docs.length).fill(NO_COSINE);
  const rows = new Uint32Array(docs.length);
  const places = new Uint32Array(docs.length);
  let at = 0;
  for (const segment of segments) {
    const { docRow } = segment.rows;
    let count = 0;
    while (at < docs.length && docs[at]! < segment.base) at++;
    for (; at < docs.length && contains(segment, docs[at]!); at++) {
      const row = docRow[docs[at]! - segment.base]!;
      if (row < 0) continue;
      rows[count] = row;
      places[count++] = at;
    }
    if (count === 0) continue;
    const found = new Float64Array(count);
    cosinesOfRows(segment.rows, rows.subarray(0, count), query, found);
    for (let i = 0; i < count; i++) cosines[places[i]!] = found[i]!;
  }
  return cosines;
}

function contains({ base, size }: SearchableVectors, doc: Doc): boolean {
  return doc >= base && doc < base + size;
}
