// The graph over the vectors of an index. Records with equal vectors share a node, because many equal nodes would make others
// unreachable. The graph is a cache that can always be rebuilt from the segments.

import type { LocalDoc } from "../util/doc-set.js";
import { keptIn } from "../util/kept.js";
import { GrowableUint32 } from "../util/offset-table.js";
import { NO_WASM } from "../util/web-assembly.js";
import { hnswAvailable, MOST_BYTES, memoryFor } from "./hnsw/graph-memory.js";
import { HnswGraph } from "./hnsw/hnsw-graph.js";
import { HnswlibGraph, hnswlibBytes, hnswlibProblem } from "./hnsw/hnswlib-graph.js";
import { type GraphKind, type HnswOptions, memoryOfMachine, type NodeGraph } from "./hnsw/node-graph.js";
import type { UnitVector } from "./unit-vector.js";
import type { VectorRows } from "./vector-rows.js";

/** Above this share of deleted nodes the graph should be rebuilt. */
const MAX_DELETED_SHARE = 0.3;
/** Vectors of bytes give a slightly wrong order, so more neighbours are requested than wanted: up to twice as many, within `efSearch`. */
const OVERSAMPLING = 1.25;
const FREE_OVERSAMPLING = 2;

/** Why a kind of graph cannot be used in this process; undefined if it can. */
export function graphProblem(kind: GraphKind): string | undefined {
  if (kind === "hnswlib") return hnswlibProblem();
  return hnswAvailable() ? undefined : NO_WASM;
}

/** The kind of graph for this many vectors: our own, unless only hnswlib-node can hold them. */
export function graphKindFor(options: HnswOptions, vectorCount: number): GraphKind {
  if (hnswAvailable() && memoryFor(options, vectorCount) <= MOST_BYTES) return "hnsw";
  return hnswlibFits(options, vectorCount) ? "hnswlib" : "hnsw";
}

/** Whether a graph of hnswlib-node can hold this many vectors. */
export function hnswlibFits(options: HnswOptions, vectorCount: number): boolean {
  return hnswlibBytes(options, vectorCount) <= memoryOfMachine() && hnswlibProblem() === undefined;
}

/** The graph and the records of its nodes. */
export class VectorGraph {
  readonly kind: GraphKind;
  /** The number of nodes when the graph was stored or opened last. */
  storedNodes = 0;
  /** The nodes, and the records of each; only this class changes them. */
  readonly index: NodeGraph;
  readonly records: NodeDocs = new NodeDocs();
  /** Changes whenever a record is added, removed or moved. */
  revision = 0;
  private readonly efSearch: number;

  private constructor(kind: GraphKind, index: NodeGraph, efSearch: number) {
    this.kind = kind;
    this.index = index;
    this.efSearch = efSearch;
  }

  /** An empty graph; undefined if there is no memory or this kind cannot be used. */
  static create(kind: GraphKind, options: HnswOptions): VectorGraph | undefined {
    const index = kind === "hnsw" ? HnswGraph.create(options) : HnswlibGraph.create(options);
    return index === undefined ? undefined : new VectorGraph(kind, index, options.efSearch);
  }

  /** A graph that was stored, without a record. */
  static opened(index: HnswGraph, { efSearch }: HnswOptions): VectorGraph {
    const graph = new VectorGraph("hnsw", index, efSearch);
    graph.storedNodes = index.size;
    return graph;
  }

  /** The memory of the graph in bytes. */
  get bytes(): number {
    return this.index.bytes + this.records.bytes;
  }

  /** True if so many nodes are deleted that the graph should be rebuilt. */
  get needsRebuild(): boolean {
    return this.index.deletedCount > MAX_DELETED_SHARE * this.index.size;
  }

  /** Adds a live record that the graph does not contain. */
  add(segment: GraphSegment, doc: LocalDoc, vector: UnitVector): void {
    this.addTo(this.index.add(vector), segment, doc);
  }

  /** As {@link add}, for a record whose node is known already. */
  addTo(node: number, segment: GraphSegment, doc: LocalDoc): void {
    this.index.setDeleted(node, false);
    this.records.add(segment, doc, node);
    this.revision++;
  }

  /** Removes records of a segment that were deleted or replaced. */
  remove(segmentId: number, docs: Iterable<LocalDoc>): void {
    for (const doc of docs) {
      const node = this.records.remove(segmentId, doc);
      if (node !== NO_NODE) this.index.setDeleted(node, true);
    }
    this.revision++;
  }

  /** Moves the records of merged segments: record i of the new one was record `docs[i]` of segment `segmentIds[origin[i]]`. */
  move(segment: GraphSegment, segmentIds: readonly number[], origin: Uint16Array, docs: Uint32Array): void {
    this.records.move(segment, segmentIds, origin, docs);
    for (const segmentId of segmentIds) this.forgetOne(segmentId);
  }

  /** Removes the segments that are not in `live`. */
  forget(live: ReadonlySet<number>): void {
    for (const segmentId of this.records.segmentIds()) if (!live.has(segmentId)) this.forgetOne(segmentId);
  }

  /** The `count` nodes nearest to a vector, and some more. Approximate: some of the truly nearest may be missing. */
  nearest(query: UnitVector, count: number): number[] {
    const wanted = Math.max(OVERSAMPLING * count, Math.min(FREE_OVERSAMPLING * count, this.efSearch));
    return this.index.search(query, Math.ceil(wanted));
  }

  /** Frees the memory. */
  dispose(): void {
    this.index.dispose();
  }

  private forgetOne(segmentId: number): void {
    for (const node of this.records.forget(segmentId)) this.index.setDeleted(node, true);
    this.revision++;
  }
}

/** In an array of nodes by document: the graph does not contain the document, or it has no vector. */
export const NO_NODE = -1;

/** A segment in the graph: an id that never changes, and its vectors. */
export interface GraphSegment {
  readonly segmentId: number;
  readonly size: number;
  readonly vectors: VectorRows;
}

/** A segment that is or was in the mapping. */
interface MappedSegment {
  readonly segmentId: number;
  /** A small number, from 1; numbers of removed segments are reused. */
  readonly number: number;
  /** The node of each document. */
  readonly nodes: Int32Array;
  /** Documents with a node. */
  count: number;
}

/** Greater than any document number within a segment. */
const DOC_SPAN = 2 ** 32;
/** The approximate memory of a number in a `Set`. */
const SET_ENTRY_BYTES = 40;

/**
 * The mapping between the nodes of a graph and the documents of the segments, in both directions. Most nodes have one document. A write
 * updates only the documents that it adds, deletes or moves.
 */
export class NodeDocs {
  private readonly segments = new Map<number, MappedSegment>();
  /** The same segments by number. */
  private readonly numbered: (MappedSegment | undefined)[] = [undefined];
  private readonly freeNumbers: number[] = [];
  /** The first document of each node: its segment's number (0: the node has no document), and its number within the segment. */
  private readonly segmentOf = new GrowableUint32();
  private readonly docOf = new GrowableUint32();
  /** The other documents of a node, each as DOC_SPAN times the segment's number plus the document's number. */
  private readonly others = new Map<number, Set<number>>();
  private otherCount = 0;
  private total = 0;

  /** Documents with a node. */
  get count(): number {
    return this.total;
  }

  /** The approximate memory of the mapping in bytes. */
  get bytes(): number {
    let bytes = this.segmentOf.array.byteLength + this.docOf.array.byteLength + SET_ENTRY_BYTES * this.otherCount;
    for (const { nodes } of this.segments.values()) bytes += nodes.byteLength;
    return bytes;
  }

  /** The node of each document of a segment, or NO_NODE; undefined for an unknown segment. */
  nodesOf(segmentId: number): Int32Array | undefined {
    return this.segments.get(segmentId)?.nodes;
  }

  /** The number of a segment's documents that have a node. */
  countOf(segmentId: number): number {
    return this.segments.get(segmentId)?.count ?? 0;
  }

  /** True when the node has a document. */
  hasAny(node: number): boolean {
    return (this.segmentOf.array[node] ?? 0) !== 0;
  }

  /** Calls back with each document of a node. */
  each(node: number, visit: (segmentId: number, doc: LocalDoc) => void): void {
    if (!this.hasAny(node)) return;
    visit(this.numbered[this.segmentOf.array[node]!]!.segmentId, this.docOf.array[node]! as LocalDoc);
    const others = this.others.get(node);
    if (others === undefined) return;
    for (const key of others) visit(this.numbered[Math.floor(key / DOC_SPAN)]!.segmentId, (key % DOC_SPAN) as LocalDoc);
  }

  /** Assigns a node to a document that has none. A new node gets the next number. */
  add(segment: GraphSegment, doc: number, node: number): void {
    this.put(this.open(segment), doc, node);
  }

  /** Removes a document; returns its node if that has no document left, else NO_NODE. */
  remove(segmentId: number, doc: number): number {
    const segment = this.segments.get(segmentId);
    return segment === undefined ? NO_NODE : this.take(segment, doc);
  }

  /** Moves the documents of merged segments: document i of the new one was document `docs[i]` of segment `segmentIds[origin[i]]`. */
  move(segment: GraphSegment, segmentIds: readonly number[], origin: Uint16Array, docs: Uint32Array): void {
    const to = this.open(segment);
    const sources = segmentIds.map((segmentId) => this.segments.get(segmentId));
    for (let i = 0; i < docs.length; i++) {
      const from = sources[origin[i]!];
      const node = from?.nodes[docs[i]!] ?? NO_NODE;
      if (node === NO_NODE) continue;
      this.take(from!, docs[i]!);
      this.put(to, i, node);
    }
  }

  /** Removes a segment with all its documents; returns the nodes that have no document left. */
  forget(segmentId: number): number[] {
    const segment = this.segments.get(segmentId);
    if (segment === undefined) return [];
    const orphans: number[] = [];
    for (let doc = 0; segment.count > 0; doc++) {
      const node = this.take(segment, doc);
      if (node !== NO_NODE) orphans.push(node);
    }
    this.segments.delete(segmentId);
    this.numbered[segment.number] = undefined;
    this.freeNumbers.push(segment.number);
    return orphans;
  }

  /** The ids of the known segments. */
  segmentIds(): number[] {
    return [...this.segments.keys()];
  }

  private open({ segmentId, size }: GraphSegment): MappedSegment {
    return keptIn(this.segments, segmentId, () => {
      const number = this.freeNumbers.pop() ?? this.numbered.length;
      const segment = { segmentId, number, nodes: new Int32Array(size).fill(NO_NODE), count: 0 };
      this.numbered[number] = segment;
      return segment;
    });
  }

  private put(segment: MappedSegment, doc: number, node: number): void {
    while (this.segmentOf.length <= node) {
      this.segmentOf.push(0);
      this.docOf.push(0);
    }
    segment.nodes[doc] = node;
    segment.count++;
    this.total++;
    if (!this.hasAny(node)) this.setFirst(node, segment.number, doc);
    else {
      const others = this.others.get(node) ?? new Set();
      this.others.set(node, others.add(DOC_SPAN * segment.number + doc));
      this.otherCount++;
    }
  }

  private setFirst(node: number, number: number, doc: number): void {
    this.segmentOf.array[node] = number;
    this.docOf.array[node] = doc;
  }

  /** Removes a document's node; returns the node if it has no document left, else NO_NODE. */
  private take(segment: MappedSegment, doc: number): number {
    const node = segment.nodes[doc]!;
    if (node === NO_NODE) return NO_NODE;
    segment.nodes[doc] = NO_NODE;
    segment.count--;
    this.total--;
    const others = this.others.get(node);
    if (this.segmentOf.array[node] !== segment.number || this.docOf.array[node] !== doc) {
      this.removeOther(node, others!, DOC_SPAN * segment.number + doc);
      return NO_NODE;
    }
    this.setFirst(node, 0, 0);
    if (others === undefined) return node;
    const [key] = others;
    this.removeOther(node, others, key!);
    this.setFirst(node, Math.floor(key! / DOC_SPAN), key! % DOC_SPAN);
    return NO_NODE;
  }

  private removeOther(node: number, others: Set<number>, key: number): void {
    others.delete(key);
    this.otherCount--;
    if (others.size === 0) this.others.delete(node);
  }
}
