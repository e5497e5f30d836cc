// The neighbour graph over an index's vectors: one node a distinct vector (many equal vectors would make others unreachable),
// each standing for any number of records. A cache that can always be built again from the segments; never the truth.

import { GrowableUint32 } from "../base/growable.js";
import { HnswGraph, type HnswOptions } from "./graph/hnsw-graph.js";
import type { UnitVector } from "./unit-vector.js";
import type { VectorRows } from "./vector-rows.js";

/** In a list of nodes by record: the graph does not hold the record (or it has no vector). */
export const NO_NODE = -1;
/** Above this share of dead nodes the graph should be built anew. */
const MOST_DEAD = 0.3;
/** Vectors in bytes are not quite as near as they are, so more are asked for than are wanted: of those kept anyhow, more yet. */
const MORE = 1.25;
const MOST_MORE = 2;

/** A segment as the graph knows it: a key that never changes, and its vectors. */
export interface GraphSegment {
  readonly uid: number;
  readonly size: number;
  readonly vectors: VectorRows;
}

/** Nodes, the records they stand for, and which of them live. */
export class VectorGraph {
  private readonly index: HnswGraph;
  private readonly efSearch: number;
  /** Living records of each node. */
  private readonly living = new GrowableUint32();
  private readonly nodesOfSegment = new Map<number, Int32Array>();
  /** Segments all of whose living records it holds: none of theirs can come any more. */
  private readonly whole = new Set<number>();
  private liveRecords = 0;
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
    return this.liveRecords;
  }

  get nodeCount(): number {
    return this.index.size;
  }

  /** The memory that it takes. */
  get bytes(): number {
    const nodes = [...this.nodesOfSegment.values()].reduce((total, list) => total + list.byteLength, 0);
    return this.index.bytes + this.living.array.byteLength + nodes;
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
  nodesOf(uid: number): Int32Array | undefined {
    return this.nodesOfSegment.get(uid);
  }

  /** True when {@link noteWhole} told so, of this segment or of all that were merged into it. */
  holdsAll(uid: number): boolean {
    return this.whole.has(uid);
  }

  /** It holds all living records of a segment. */
  noteWhole(uid: number): void {
    this.whole.add(uid);
  }

  /** Takes a living record in. */
  add(segment: GraphSegment, doc: number, vector: UnitVector): void {
    const node = this.index.add(vector);
    if (node === this.living.length) this.living.push(0);
    else if (this.living.array[node] === 0) this.index.revive(node);
    this.living.array[node]!++;
    this.liveRecords++;
    this.changes++;
    this.openNodes(segment)[doc] = node;
  }

  /** Lets records of a segment go that were deleted or replaced. */
  release(uid: number, docs: Iterable<number>): void {
    const nodes = this.nodesOfSegment.get(uid);
    if (nodes === undefined) return;
    for (const doc of docs) {
      const node = nodes[doc]!;
      if (node === NO_NODE) continue;
      nodes[doc] = NO_NODE;
      this.liveRecords--;
      this.changes++;
      if (--this.living.array[node]! === 0) this.index.markDead(node);
    }
  }

  /** Follows a merge: record i of the new segment was record `docs[i]` of segment `uids[origin[i]]`. */
  inherit(segment: GraphSegment, uids: readonly number[], origin: Uint16Array, docs: Uint32Array): void {
    const nodes = new Int32Array(segment.size).fill(NO_NODE);
    const before = uids.map((uid) => this.nodesOfSegment.get(uid));
    for (let i = 0; i < docs.length; i++) nodes[i] = before[origin[i]!]?.[docs[i]!] ?? NO_NODE;
    if (uids.every((uid) => this.whole.has(uid))) this.whole.add(segment.uid);
    for (const uid of uids) this.forgetOne(uid);
    this.nodesOfSegment.set(segment.uid, nodes);
    this.changes++;
  }

  /** Forgets segments that are gone altogether; their records were released before. */
  forget(alive: ReadonlySet<number>): void {
    for (const uid of [...this.nodesOfSegment.keys(), ...this.whole]) if (!alive.has(uid)) this.forgetOne(uid);
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

  private forgetOne(uid: number): void {
    this.nodesOfSegment.delete(uid);
    this.whole.delete(uid);
  }

  private openNodes(segment: GraphSegment): Int32Array {
    let nodes = this.nodesOfSegment.get(segment.uid);
    if (nodes === undefined) {
      nodes = new Int32Array(segment.size).fill(NO_NODE);
      this.nodesOfSegment.set(segment.uid, nodes);
    }
    return nodes;
  }
}
