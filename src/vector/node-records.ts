// Which records the nodes of a graph stand for, and which node stands for a record: most nodes for one, those of equal
// vectors for many. Kept as records come, go and move, so that a write costs what it changes and no more.

import { GrowableUint32 } from "../base/growable.js";
import type { VectorRows } from "./vector-rows.js";

/** In a list of nodes by record: the graph does not hold the record (or it has no vector). */
export const NO_NODE = -1;

/** A segment as the graph knows it: a key that never changes, and its vectors. */
export interface GraphSegment {
  readonly segmentId: number;
  readonly size: number;
  readonly vectors: VectorRows;
}

/** A segment of which the graph holds records, or held some. */
interface HeldSegment {
  readonly segmentId: number;
  /** Counted from 1; one that is free again is given once more. */
  readonly number: number;
  /** By record. */
  readonly nodes: Int32Array;
  /** Records held. */
  count: number;
}

/** A record's number within its segment is less. */
const DOC_SPAN = 2 ** 32;
/** A number in a set. */
const OTHER_BYTES = 40;

/** Nodes and records, both ways. */
export class NodeRecords {
  private readonly segments = new Map<number, HeldSegment>();
  /** The same by number. */
  private readonly numbered: (HeldSegment | undefined)[] = [undefined];
  private readonly freeNumbers: number[] = [];
  /** Of each node one of its records: the number of its segment (0: it has none), and its own there. */
  private readonly segmentOf = new GrowableUint32();
  private readonly docOf = new GrowableUint32();
  /** Its other records, where it has several: DOC_SPAN times the number of the segment, and the record's own. */
  private readonly others = new Map<number, Set<number>>();
  private otherCount = 0;
  private held = 0;

  /** Records held. */
  get count(): number {
    return this.held;
  }

  /** About the memory that it takes. */
  get bytes(): number {
    let bytes = this.segmentOf.array.byteLength + this.docOf.array.byteLength + OTHER_BYTES * this.otherCount;
    for (const { nodes } of this.segments.values()) bytes += nodes.byteLength;
    return bytes;
  }

  /** The node of each record of a segment, NO_NODE where there is none; undefined: it holds nothing of it. */
  nodesOf(segmentId: number): Int32Array | undefined {
    return this.segments.get(segmentId)?.nodes;
  }

  /** How many records of a segment it holds. */
  countOf(segmentId: number): number {
    return this.segments.get(segmentId)?.count ?? 0;
  }

  /** True when the node stands for any record. */
  hasAny(node: number): boolean {
    return (this.segmentOf.array[node] ?? 0) !== 0;
  }

  /** Calls back with each record of a node. */
  each(node: number, visit: (segmentId: number, doc: number) => void): void {
    if (!this.hasAny(node)) return;
    visit(this.numbered[this.segmentOf.array[node]!]!.segmentId, this.docOf.array[node]!);
    const others = this.others.get(node);
    if (others === undefined) return;
    for (const place of others) visit(this.numbered[Math.floor(place / DOC_SPAN)]!.segmentId, place % DOC_SPAN);
  }

  /** A record that it does not hold has this node now; nodes are numbered in the order in which they are met here. */
  add(segment: GraphSegment, doc: number, node: number): void {
    this.put(this.open(segment), doc, node);
  }

  /** Lets a record go; returns its node where that stands for no other, else NO_NODE. */
  remove(segmentId: number, doc: number): number {
    const segment = this.segments.get(segmentId);
    return segment === undefined ? NO_NODE : this.take(segment, doc);
  }

  /** Record i of a new segment was record `docs[i]` of segment `uids[origin[i]]`. */
  move(segment: GraphSegment, uids: readonly number[], origin: Uint16Array, docs: Uint32Array): void {
    const to = this.open(segment);
    const sources = uids.map((segmentId) => this.segments.get(segmentId));
    for (let i = 0; i < docs.length; i++) {
      const from = sources[origin[i]!];
      const node = from?.nodes[docs[i]!] ?? NO_NODE;
      if (node === NO_NODE) continue;
      this.take(from!, docs[i]!);
      this.put(to, i, node);
    }
  }

  /** Lets a segment go with all records that it still holds of it; returns the nodes that stand for no other. */
  forget(segmentId: number): number[] {
    const segment = this.segments.get(segmentId);
    if (segment === undefined) return [];
    const left: number[] = [];
    for (let doc = 0; segment.count > 0; doc++) {
      const node = this.take(segment, doc);
      if (node !== NO_NODE) left.push(node);
    }
    this.segments.delete(segmentId);
    this.numbered[segment.number] = undefined;
    this.freeNumbers.push(segment.number);
    return left;
  }

  /** The segments of which it knows. */
  uids(): number[] {
    return [...this.segments.keys()];
  }

  private open({ segmentId, size }: GraphSegment): HeldSegment {
    let segment = this.segments.get(segmentId);
    if (segment === undefined) {
      const number = this.freeNumbers.pop() ?? this.numbered.length;
      segment = { segmentId, number, nodes: new Int32Array(size).fill(NO_NODE), count: 0 };
      this.numbered[number] = segment;
      this.segments.set(segmentId, segment);
    }
    return segment;
  }

  private put(segment: HeldSegment, doc: number, node: number): void {
    while (this.segmentOf.length <= node) {
      this.segmentOf.push(0);
      this.docOf.push(0);
    }
    segment.nodes[doc] = node;
    segment.count++;
    this.held++;
    if (!this.hasAny(node)) this.putFirst(node, segment.number, doc);
    else {
      const others = this.others.get(node) ?? new Set();
      this.others.set(node, others.add(DOC_SPAN * segment.number + doc));
      this.otherCount++;
    }
  }

  private putFirst(node: number, number: number, doc: number): void {
    this.segmentOf.array[node] = number;
    this.docOf.array[node] = doc;
  }

  /** Returns the record's node where that stands for no other any more. */
  private take(segment: HeldSegment, doc: number): number {
    const node = segment.nodes[doc]!;
    if (node === NO_NODE) return NO_NODE;
    segment.nodes[doc] = NO_NODE;
    segment.count--;
    this.held--;
    const others = this.others.get(node);
    if (this.segmentOf.array[node] !== segment.number || this.docOf.array[node] !== doc) {
      this.leave(node, others!, DOC_SPAN * segment.number + doc);
      return NO_NODE;
    }
    this.putFirst(node, 0, 0);
    if (others === undefined) return node;
    const [place] = others;
    this.leave(node, others, place!);
    this.putFirst(node, Math.floor(place! / DOC_SPAN), place! % DOC_SPAN);
    return NO_NODE;
  }

  private leave(node: number, others: Set<number>, place: number): void {
    others.delete(place);
    this.otherCount--;
    if (others.size === 0) this.others.delete(node);
  }
}
