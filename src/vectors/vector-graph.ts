// The graph over the vectors of an index. Records with equal vectors share a node, because many equal nodes would make others
// unreachable. The graph is a cache that can always be rebuilt from the segments.

import type { LocalDoc } from "../util/doc-set.js";
import { NO_WASM } from "../util/web-assembly.js";
import { hnswAvailable, MOST_BYTES, memoryFor } from "./hnsw/graph-memory.js";
import { HnswGraph } from "./hnsw/hnsw-graph.js";
import { HnswlibGraph, hnswlibBytes, hnswlibProblem } from "./hnsw/hnswlib-graph.js";
import { type GraphKind, type HnswOptions, memoryOfMachine, type NodeGraph } from "./hnsw/node-graph.js";
import { type GraphSegment, NO_NODE, NodeDocs } from "./node-docs.js";
import type { UnitVector } from "./unit-vector.js";

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
