// The neighbour graph over an index's vectors: one node a distinct vector (many equal vectors would make others unreachable),
// each standing for any number of records. A cache that can always be built again from the segments; never the truth.
// Malkov, Yashunin, "Efficient and robust approximate nearest neighbor search using HNSW graphs", 2018.

import { createHash } from "node:crypto";
import { HnswIndex, type HnswOptions } from "./hnsw-addon.js";
import { toNumbers, type UnitVector } from "./unit-vector.js";
import type { VectorRows } from "./vector-rows.js";

/** In a list of nodes by record: the graph does not hold the record (or it has no vector). */
export const NO_NODE = -1;
/** Above this share of dead nodes the graph should be built anew. */
const MOST_DEAD = 0.3;

/** An entry of the map from vectors to nodes, with its key. */
const NODE_KEY_BYTES = 80;

/** A segment as the graph knows it: a key that never changes, and its vectors. */
export interface GraphSegment {
  readonly uid: number;
  readonly size: number;
  readonly vectors: VectorRows;
}

/** Nodes, the records they stand for, and which of them live. */
export class VectorGraph {
  private readonly index: HnswIndex;
  private readonly nodeOfKey = new Map<string, number>();
  /** Living records of each node. */
  private readonly living: number[] = [];
  private readonly nodesOfSegment = new Map<number, Int32Array>();
  private liveRecords = 0;
  private changes = 0;

  private constructor(index: HnswIndex) {
    this.index = index;
  }

  /** An empty graph, or undefined where the native package cannot be used. */
  static create(options: HnswOptions): VectorGraph | undefined {
    const index = HnswIndex.create(options);
    return index === undefined ? undefined : new VectorGraph(index);
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

  /** About the memory that it takes, native memory included. */
  get bytes(): number {
    const onHeap = this.nodeOfKey.size * NODE_KEY_BYTES + this.living.length * 8;
    const nodes = [...this.nodesOfSegment.values()].reduce((total, list) => total + list.byteLength, 0);
    return this.index.bytes + onHeap + nodes;
  }

  /** True when the next vector will double the native memory. */
  get isFull(): boolean {
    return this.index.isFull;
  }

  /** True when so many nodes are dead that building anew pays. */
  get isWorn(): boolean {
    return this.index.deadCount > MOST_DEAD * this.index.size;
  }

  /** The node of each record of a segment, NO_NODE where there is none; undefined: the graph holds nothing of it. */
  nodesOf(uid: number): Int32Array | undefined {
    return this.nodesOfSegment.get(uid);
  }

  /** Takes a living record in. */
  add(segment: GraphSegment, doc: number, vector: UnitVector): void {
    const key = createHash("sha256").update(bytesOf(vector)).digest("base64").slice(0, 24);
    let node = this.nodeOfKey.get(key);
    if (node === undefined) {
      node = this.index.add(toNumbers(vector));
      this.nodeOfKey.set(key, node);
      this.living[node] = 0;
    } else if (this.living[node] === 0) this.index.revive(node);
    this.living[node]!++;
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
      if (--this.living[node]! === 0) this.index.markDead(node);
    }
  }

  /** Follows a merge: record i of the new segment was record `docs[i]` of segment `uids[origin[i]]`. */
  inherit(segment: GraphSegment, uids: readonly number[], origin: Uint16Array, docs: Uint32Array): void {
    const nodes = new Int32Array(segment.size).fill(NO_NODE);
    const before = uids.map((uid) => this.nodesOfSegment.get(uid));
    for (let i = 0; i < docs.length; i++) nodes[i] = before[origin[i]!]?.[docs[i]!] ?? NO_NODE;
    for (const uid of uids) this.nodesOfSegment.delete(uid);
    this.nodesOfSegment.set(segment.uid, nodes);
    this.changes++;
  }

  /** Forgets segments that are gone altogether; their records were released before. */
  forget(alive: ReadonlySet<number>): void {
    for (const uid of this.nodesOfSegment.keys()) if (!alive.has(uid)) this.nodesOfSegment.delete(uid);
  }

  /** The nodes nearest to a vector, at most `count`; approximate, so some of the truly nearest may be missing. */
  nearest(query: UnitVector, count: number): number[] {
    return this.index.search(toNumbers(query), count);
  }

  /** Frees the native memory. */
  dispose(): void {
    this.index.dispose();
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

function bytesOf({ components }: UnitVector): Uint8Array {
  return new Uint8Array(components.buffer, components.byteOffset, components.byteLength);
}
