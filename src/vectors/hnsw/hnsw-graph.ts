// A hierarchical navigable small world graph: approximate nearest neighbours by cosine. Nodes are numbered in the order in which they
// were added, and the same vectors in the same order give the same graph. Malkov, Yashunin, "Efficient and robust approximate nearest
// neighbor search using hierarchical navigable small world graphs", IEEE TPAMI 42 (2020).

import { SearchError } from "../../util/errors.js";
import { GrowableUint32 } from "../../util/growable.js";
import type { UnitVector } from "../unit-vector.js";
import { type ByteVector, GraphMemory, MOST_BYTES, MOST_CANDIDATES, toBytes } from "./graph-memory.js";

/** The parameters of a graph; all are integers. */
export interface HnswOptions {
  /** Components of every vector, 1 to 65,536. */
  readonly dimensions: number;
  /** Links of a node, 2 to 256; twice as many on the lowest level. */
  readonly m: number;
  /** Candidates kept while a node is linked, 4 to 10,000. */
  readonly efConstruction: number;
  /** Candidates kept while a query is answered, 1 to 10,000. */
  readonly efSearch: number;
}

/** An HNSW graph over vectors of one byte per component. Deleted nodes stay in the graph but not in results. */
export class HnswGraph {
  private readonly options: HnswOptions;
  private memory: GraphMemory | undefined;
  private readonly table = new NodeTable();
  /** The address of each node. */
  private readonly addresses = new GrowableUint32();
  private deleted = 0;
  private readonly byteVector: Int8Array;

  private constructor(options: HnswOptions, memory: GraphMemory) {
    this.options = options;
    this.memory = memory;
    this.byteVector = new Int8Array(memory.stride);
  }

  /** An empty graph of at most `mostBytes`; undefined if there is no WebAssembly or no memory. */
  static create(options: HnswOptions, mostBytes: number = MOST_BYTES): HnswGraph | undefined {
    const memory = GraphMemory.create(options, mostBytes);
    return memory === undefined ? undefined : new HnswGraph(options, memory);
  }

  /** Nodes ever added, including deleted ones. */
  get size(): number {
    return this.addresses.length;
  }

  /** Nodes that are marked as deleted. */
  get deletedCount(): number {
    return this.deleted;
  }

  /** The memory of the graph in bytes. */
  get bytes(): number {
    return (this.memory?.used ?? 0) + this.table.bytes + this.addresses.array.byteLength;
  }

  /** Bytes by which the memory would grow for one more node; 0 if there is room. */
  get growth(): number {
    return this.open().growth;
  }

  /**
   * The node of a vector: the one with the same bytes, deleted or not, else a new one. Throws 507 `index_full` if there is no memory
   * for a new one; then nothing was added.
   */
  add(vector: UnitVector): number {
    const memory = this.open();
    const bytes = this.toBytes(vector);
    const known = this.table.find(bytes, (node) => memory.hasVector(this.addressOf(node), bytes));
    if (known >= 0) return known;
    const node = this.size;
    const level = levelOf(node, this.options.m);
    const address = memory.append(bytes, node, level);
    if (address === undefined) throw new SearchError(507, "index_full", "There is no memory for another node.");
    memory.nodes.add(address, level);
    this.addresses.push(address);
    this.table.add(bytes, node);
    return node;
  }

  /** Excludes a node from all results; searches still pass through it. No effect on a deleted node. */
  markDeleted(node: number): void {
    if (this.isDeleted(node)) return;
    this.open().setDeleted(this.addressOf(node), true);
    this.deleted++;
  }

  /** Reverts `markDeleted`. No effect on a live node. */
  restore(node: number): void {
    if (!this.isDeleted(node)) return;
    this.open().setDeleted(this.addressOf(node), false);
    this.deleted--;
  }

  isDeleted(node: number): boolean {
    return this.open().isDeleted(this.addressOf(node));
  }

  /** Up to `count` live nodes, 10,000 at most, nearest first. */
  search(vector: UnitVector, count: number): number[] {
    const memory = this.open();
    const live = this.size - this.deleted;
    const wanted = Math.min(count, live, MOST_CANDIDATES);
    if (wanted <= 0) return [];
    const query = memory.setQuery(this.toBytes(vector));
    // Candidates include deleted nodes, so proportionally more are kept.
    let kept = Math.ceil((Math.max(this.options.efSearch, wanted) * this.size) / live);
    for (;;) {
      kept = Math.min(kept, MOST_CANDIDATES);
      const found = memory.nodes.nearest(query, wanted, kept);
      if (found >= wanted || kept === MOST_CANDIDATES || kept >= 2 * this.size) return memory.found(found);
      kept *= 2;
    }
  }

  /** Frees the memory; later calls, other than of `dispose`, throw 503 `closed`. */
  dispose(): void {
    this.memory?.release();
    this.memory = undefined;
  }

  private open(): GraphMemory {
    if (this.memory !== undefined) return this.memory;
    throw new SearchError(503, "closed", "This vector graph was closed; create another one.");
  }

  private addressOf(node: number): number {
    return this.addresses.array[node]!;
  }

  /** Valid until the next call. */
  private toBytes(vector: UnitVector): ByteVector {
    const { dimensions } = this.options;
    if (vector.components.length !== dimensions)
      throw new RangeError(`A vector of ${vector.components.length} components came to a graph of ${dimensions}.`);
    return toBytes(vector, this.byteVector);
  }
}

/** The highest level of a node. One in `m` nodes of a level is also on the next level. */
function levelOf(node: number, m: number): number {
  let level = 0;
  for (let rest = scatter(node) * m; rest < 1; rest *= m) level++;
  return level;
}

/** A pseudo-random number between 0 (exclusive) and 1: the finalizer of MurmurHash3 (Appleby). */
function scatter(node: number): number {
  let bits = node + 1;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32 + 2 ** -33;
}

const SHARDS = 64;
const FIRST_SLOTS = 8;
/** Integers of a slot: the hash, and the node plus 1 (0: the slot is free). */
const SLOT = 2;
/** The maximum number of probed slots, so that colliding vectors cannot slow down all others. A node without a slot is not found again. */
const MOST_PROBES = 64;

/**
 * Finds the node of a vector, so that equal vectors share one: many equal nodes would make others unreachable. A hash table with
 * linear probing, in shards, so that only a part of it is copied when it grows.
 */
class NodeTable {
  private readonly shards = Array.from({ length: SHARDS }, () => new Int32Array(FIRST_SLOTS * SLOT));
  private readonly sizes = new Uint32Array(SHARDS);

  /** The node with this vector, which `hasVector` confirms; -1 if none is known. */
  find(vector: ByteVector, hasVector: (node: number) => boolean): number {
    const hash = hashOf(vector.bytes);
    const slots = this.shards[shardOf(hash)]!;
    const last = slots.length - SLOT;
    let slot = (hash << 1) & last;
    for (let probes = 0; probes < MOST_PROBES; probes++, slot = (slot + SLOT) & last) {
      const node = slots[slot + 1]! - 1;
      if (node < 0) return -1;
      if (slots[slot] === hash && hasVector(node)) return node;
    }
    return -1;
  }

  /** Adds the node of a vector that was not found. */
  add(vector: ByteVector, node: number): void {
    const hash = hashOf(vector.bytes);
    const shard = shardOf(hash);
    if (2 * SLOT * this.sizes[shard]! >= this.shards[shard]!.length) this.grow(shard);
    if (put(this.shards[shard]!, hash, node + 1)) this.sizes[shard]!++;
  }

  /** The memory of the table in bytes. */
  get bytes(): number {
    return this.shards.reduce((total, { byteLength }) => total + byteLength, 0);
  }

  private grow(shard: number): void {
    const slots = this.shards[shard]!;
    const larger = new Int32Array(2 * slots.length);
    for (let slot = 0; slot < slots.length; slot += SLOT)
      if (slots[slot + 1] !== 0) put(larger, slots[slot]!, slots[slot + 1]!);
    this.shards[shard] = larger;
  }
}

/** Returns false if all probed slots are taken. */
function put(slots: Int32Array, hash: number, nodePlusOne: number): boolean {
  const last = slots.length - SLOT;
  let slot = (hash << 1) & last;
  for (let probes = 0; probes < MOST_PROBES; probes++, slot = (slot + SLOT) & last) {
    if (slots[slot + 1] !== 0) continue;
    slots[slot] = hash;
    slots[slot + 1] = nodePlusOne;
    return true;
  }
  return false;
}

/** FNV-1a over the bytes, with the high bits folded into the low ones. */
function hashOf(bytes: Int8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i]! & 0xff), 0x01000193);
  return hash ^ (hash >>> 15);
}

function shardOf(hash: number): number {
  return hash >>> 26;
}
