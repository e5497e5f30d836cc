// The neighbour graph over an index's vectors: one node a distinct vector (many equal vectors would make others unreachable),
// each standing for any number of records. A cache that can always be built again from the segments; never the truth.

import { HnswGraph, type HnswOptions } from "./graph/hnsw-graph.js";
import { type GraphSegment, NO_NODE, NodeRecords } from "./node-records.js";
import type { UnitVector } from "./unit-vector.js";

/** Above this share of dead nodes the graph should be built anew. */
const MOST_DEAD = 0.3;
/** Vectors in bytes are not quite as near as they are, so more are asked for than are wanted: of those kept anyhow, more yet. */
const MORE = 1.25;
const MOST_MORE = 2;

/** Nodes, the records they stand for, and which of them live. */
export class VectorGraph {
  private readonly index: HnswGraph;
  private readonly efSearch: number;
  private readonly records = new NodeRecords();
  private changes = 0;

  private constructor(index: HnswGraph, efSearch: number) {
    this.index = index;
    this.efSearch = efSearch;
  }

  /** An empty graph, or undefined where there can be none: see {@link HnswGraph.create}. */
  static create(options: HnswOptions): VectorGraph | undefined {
    const index = HnswGraph.create(options);
    return index === undefined ? undefined : new VectorGraph(index, options.efSearch);
  }

  /** Changes whenever a record joins, leaves or moves. */
  get revision(): number {
    return this.changes;
  }

  /** Living records in the graph. */
  get recordCount(): number {
    return this.records.count;
  }

  get nodeCount(): number {
    return this.index.size;
  }

  /** The memory that it takes. */
  get bytes(): number {
    return this.index.bytes + this.records.bytes;
  }

  /** Bytes by which it grows at once for one more vector; 0: there is room. */
  get growth(): number {
    return this.index.growth;
  }

  /** True when so many nodes are dead that building anew pays. */
  get isWorn(): boolean {
    return this.index.deadCount > MOST_DEAD * this.index.size;
  }

  /** The node of each record of a segment, NO_NODE where there is none; undefined: the graph holds nothing of it. */
  nodesOf(segmentId: number): Int32Array | undefined {
    return this.records.nodesOf(segmentId);
  }

  /** How many records of a segment it holds. */
  countOf(segmentId: number): number {
    return this.records.countOf(segmentId);
  }

  /** Calls back with each record that a node stands for. */
  eachRecord(node: number, visit: (segmentId: number, doc: number) => void): void {
    this.records.each(node, visit);
  }

  /** Takes a living record in that it does not hold. */
  add(segment: GraphSegment, doc: number, vector: UnitVector): void {
    const node = this.index.add(vector);
    this.index.revive(node);
    this.records.add(segment, doc, node);
    this.changes++;
  }

  /** Lets records of a segment go that were deleted or replaced. */
  release(segmentId: number, docs: Iterable<number>): void {
    for (const doc of docs) {
      const node = this.records.remove(segmentId, doc);
      if (node !== NO_NODE) this.index.markDead(node);
    }
    this.changes++;
  }

  /** Follows a merge: record i of the new segment was record `docs[i]` of segment `uids[origin[i]]`. */
  inherit(segment: GraphSegment, uids: readonly number[], origin: Uint16Array, docs: Uint32Array): void {
    this.records.move(segment, uids, origin, docs);
    for (const segmentId of uids) this.forgetOne(segmentId);
  }

  /** Forgets segments that are gone altogether. */
  forget(alive: ReadonlySet<number>): void {
    for (const segmentId of this.records.uids()) if (!alive.has(segmentId)) this.forgetOne(segmentId);
  }

  /**
   * The nodes among which the `count` nearest to a vector are, some more than these; approximate, so some of the truly nearest
   * may be missing.
   */
  nearest(query: UnitVector, count: number): number[] {
    const more = Math.max(MORE * count, Math.min(MOST_MORE * count, this.efSearch));
    return this.index.search(query, Math.ceil(more));
  }

  /** Lets its memory go. */
  dispose(): void {
    this.index.dispose();
  }

  private forgetOne(segmentId: number): void {
    for (const node of this.records.forget(segmentId)) this.index.markDead(node);
    this.changes++;
  }
}
