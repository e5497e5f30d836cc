// A hierarchical navigable small world graph: approximate nearest neighbours by cosine. Nodes are numbered in the order in which they
// were added, and the same vectors in the same order give the same graph. Malkov, Yashunin, "Efficient and robust approximate nearest
// neighbor search using hierarchical navigable small world graphs", IEEE TPAMI 42 (2020).

import { SearchError } from "../../util/errors.js";
import { GrowableUint32 } from "../../util/offset-table.js";
import { partitionPoint } from "../../util/sorted.js";
import { runInBackground, type Task, waitFor } from "../../util/tasks.js";
import type { UnitVector } from "../unit-vector.js";
import { type ByteVector, GraphMemory, LAYOUT, MOST_BYTES, toBytes } from "./graph-memory.js";
import { type GraphImage, type HnswOptions, MOST_CANDIDATES, type NodeGraph } from "./node-graph.js";
import { NodeTable } from "./node-table.js";

/** Nodes restored between two pauses. */
const RESTORED_AT_ONCE = 1 << 9;

/** The image of a graph, and how to read its bytes: `read` fills an array with all of them, and rejects if it cannot. */
export interface ImageSource extends Omit<GraphImage, "copy"> {
  read(into: Uint8Array): Promise<void>;
}

/** An HNSW graph over vectors of one byte per component. Deleted nodes stay in the graph but not in results. */
export class HnswGraph implements NodeGraph {
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

  /**
   * The graph of an image, in which all nodes are deleted. undefined if the image is of another layout, or there is no memory.
   * Rejects if the image cannot be read, and with 499 when the signal aborts.
   */
  static async fromImage(
    options: HnswOptions,
    image: ImageSource,
    { signal, mostBytes }: { readonly signal?: AbortSignal; readonly mostBytes?: number } = {},
  ): Promise<HnswGraph | undefined> {
    if (image.layout !== layoutOf(options)) return undefined;
    const graph = HnswGraph.create(options, mostBytes);
    let isRestored = false;
    try {
      isRestored = graph !== undefined && (await runInBackground(graph.restoreAll(image), signal));
      return isRestored ? graph : undefined;
    } finally {
      if (!isRestored) graph?.dispose();
    }
  }

  get size(): number {
    return this.addresses.length;
  }

  get image(): GraphImage {
    const memory = this.open();
    const nodes = this.size;
    const start = nodes === 0 ? memory.used : this.addressOf(0);
    const copy = (from: number, to: number): Uint8Array => {
      const nodeAt = (offset: number): number =>
        partitionPoint(0, nodes, (node) => this.addressOf(node) < start + offset);
      return memory.copy(start + from, start + to, this.addresses.array.subarray(nodeAt(from), nodeAt(to)));
    };
    return { layout: layoutOf(this.options), nodes, byteLength: memory.used - start, copy };
  }

  get deletedCount(): number {
    return this.deleted;
  }

  get bytes(): number {
    return (this.memory?.used ?? 0) + this.table.bytes + this.addresses.array.byteLength;
  }

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
    const known = this.table.find(bytes.bytes, (node) => memory.hasVector(this.addressOf(node), bytes));
    if (known >= 0) return known;
    const node = this.size;
    const level = levelOf(node, this.options.m);
    const address = memory.append(bytes, node, level);
    if (address === undefined) throw new SearchError(507, "index_full", "There is no memory for another node.");
    memory.nodes.add(address, level);
    this.addresses.push(address);
    this.table.add(bytes.bytes, node);
    return node;
  }

  setDeleted(node: number, isDeleted: boolean): void {
    if (this.isDeleted(node) === isDeleted) return;
    this.open().setDeleted(this.addressOf(node), isDeleted);
    this.deleted += isDeleted ? 1 : -1;
  }

  isDeleted(node: number): boolean {
    return this.open().isDeleted(this.addressOf(node));
  }

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

  dispose(): void {
    this.memory?.release();
    this.memory = undefined;
  }

  /** Fills an empty graph; false if the image is not one of a graph like this, or there is no memory. */
  private *restoreAll(image: ImageSource): Task<boolean> {
    const { nodes, byteLength } = image;
    const memory = this.open();
    const start = memory.used;
    const highest = { address: start, level: -1 };
    let end = start;
    for (let node = 0; node < nodes; node++) {
      if (node % RESTORED_AT_ONCE === 0) yield;
      const level = levelOf(node, this.options.m);
      if (level > highest.level) Object.assign(highest, { address: end, level });
      this.addresses.push(end);
      end += memory.bytesOf(level);
    }
    const bytes = end - start === byteLength ? memory.extend(byteLength) : undefined;
    if (bytes === undefined) return false;
    yield* waitFor(image.read(bytes));
    for (let node = 0; node < nodes; node++) {
      if (node % RESTORED_AT_ONCE === 0) yield;
      this.table.add(memory.vectorOf(this.addressOf(node)), node);
    }
    // The first node that is added becomes the entry point, without any other effect. So the first node on the top level is
    // added first: it was the entry point of the stored graph.
    if (nodes > 0) memory.nodes.add(highest.address, highest.level);
    this.deleted = nodes;
    return true;
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

/** Everything that the meaning of a graph's bytes depends on. */
function layoutOf({ dimensions, m, efConstruction }: HnswOptions): string {
  return JSON.stringify({ kind: "hnsw", layout: LAYOUT, dimensions, m, efConstruction });
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
