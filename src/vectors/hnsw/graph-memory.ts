// The memory of a graph: a growing WebAssembly memory with the layout of assembly/neighbour-graph.ts. It begins with the work areas of
// a search and the query vector. Then come the nodes: each has a header, its vector in bytes, and its links, level by level. A node is
// identified by its address.

import { type GrowingMemory, loadOnce, PAGE_BYTES } from "../../util/web-assembly.js";
import type { UnitVector } from "../unit-vector.js";
import { NEIGHBOUR_GRAPH } from "./neighbour-graph.wasm.js";
import { type HnswOptions, MOST_CANDIDATES, memoryOfMachine } from "./node-graph.js";

/** The functions of assembly/neighbour-graph.ts over one memory; nodes and work areas are addresses in it. */
interface LinkedNodes {
  open(
    rowBytes: number,
    m: number,
    efConstruction: number,
    listed: number,
    nearness: number,
    pool: number,
    chosen: number,
  ): void;
  add(node: number, level: number): void;
  nearest(query: number, count: number, ef: number): number;
}

const load = loadOnce<LinkedNodes>(NEIGHBOUR_GRAPH, ({ nearest }) => nearest(0, 0, 0) === 0);

/** True if graphs can be used; the first call loads the WebAssembly module. */
export function hnswAvailable(): boolean {
  return load() !== null;
}

/** A vector with one byte per component, scaled so that the greatest is 127 or -127. */
export interface ByteVector {
  /** Padded with zeros to {@link GraphMemory.stride}. */
  readonly bytes: Int8Array;
  /** One over the length of `bytes`. */
  readonly inverseLength: number;
}

const GREATEST_BYTE = 127;

/** Rounds a vector to bytes; `bytes` must be zero after its components. */
export function toBytes({ components }: UnitVector, bytes: Int8Array): ByteVector {
  let greatest = 0;
  for (let i = 0; i < components.length; i++) greatest = Math.max(greatest, Math.abs(components[i]!));
  const scale = GREATEST_BYTE / greatest;
  let square = 0;
  for (let i = 0; i < components.length; i++) {
    const byte = Math.round(components[i]! * scale);
    bytes[i] = byte;
    square += byte * byte;
  }
  return { bytes, inverseLength: 1 / Math.sqrt(square) };
}

/** The parameters of the layout. */
type GraphShape = Omit<HnswOptions, "efSearch">;

/** Addresses have 32 bits. */
export const MOST_BYTES: number = 2 ** 32;

/** Stored graphs name it. Count it up when the bytes of the nodes change their meaning: their layout, levels, or places. */
export const LAYOUT = 1;

/** Fields of a node's header, in 32-bit words, as in assembly/neighbour-graph.ts. */
const SEEN = 0;
const NUMBER = 1;
const FACTOR = 2;
const DELETED = 3;
const HEAD_BYTES = 16;

/** Vectors are padded to a multiple of this many components. */
const LANES = 8;
/** Nodes are rated four at a time, so up to three extra ratings are written. */
const SPARE = 3;
/** The memory grows by an eighth, but by at least this many bytes. */
const LEAST_GROWTH = 4 * PAGE_BYTES;
const GROWTH_SHARE = 8;

/** The approximate memory of this many nodes in bytes. One in `m` nodes of a level is also on the next level. */
export function memoryFor(shape: GraphShape, nodes: number): number {
  const { stride, end } = layout(shape);
  return end + nodes * (nodeBytes(stride, shape.m, 0) + linkBytes(shape.m) / (shape.m - 1));
}

/** The memory of one graph. */
export class GraphMemory {
  /** The compiled functions that link and search the nodes. */
  readonly nodes: LinkedNodes;
  /** Bytes of a vector, including the padding. */
  readonly stride: number;
  private readonly memory: GrowingMemory;
  private readonly m: number;
  private readonly most: number;
  private readonly pool: number;
  private readonly query: number;
  private end: number;
  private words: Uint32Array;
  private floats: Float32Array;
  private bytes: Int8Array;

  private constructor(memory: GrowingMemory, shape: GraphShape, most: number) {
    const { stride, listed, nearness, chosen, pool, query, end } = layout(shape);
    this.memory = memory;
    this.stride = stride;
    this.m = shape.m;
    this.most = most;
    this.pool = pool;
    this.query = query;
    this.end = end;
    this.words = new Uint32Array(memory.buffer);
    this.floats = new Float32Array(memory.buffer);
    this.bytes = new Int8Array(memory.buffer);
    this.nodes = load()!.instantiate(memory);
    this.nodes.open(stride, shape.m, shape.efConstruction, listed, nearness, pool, chosen);
  }

  /** An empty memory of at most `mostBytes`; undefined if none can be allocated. */
  static create(shape: GraphShape, mostBytes: number): GraphMemory | undefined {
    const most = Math.min(mostBytes, MOST_BYTES, memoryOfMachine());
    const { end } = layout(shape);
    const memory = end > most ? undefined : load()?.createMemory(end, most);
    return memory === undefined ? undefined : new GraphMemory(memory, shape, most);
  }

  /** Bytes in use. */
  get used(): number {
    return this.end;
  }

  /** Bytes by which the memory would grow for one more node; 0 if there is room. */
  get growth(): number {
    const missing = this.end + nodeBytes(this.stride, this.m, 0) - this.memory.buffer.byteLength;
    return missing <= 0 ? 0 : this.growthFor(missing);
  }

  /** Stores a new node with links on the levels 0 to `level`; returns its address, or undefined if there is no memory for it. */
  append(vector: ByteVector, number: number, level: number): number | undefined {
    const at = this.end;
    const end = at + nodeBytes(this.stride, this.m, level);
    if (!this.growTo(end)) return undefined;
    this.end = end;
    this.write(at, vector);
    this.words[(at >>> 2) + NUMBER] = number;
    return at;
  }

  /** Makes room for many nodes, which the caller fills, and returns it; undefined if there is no memory. Nothing may be appended meanwhile. */
  extend(bytes: number): Uint8Array | undefined {
    const at = this.end;
    if (!this.growTo(at + bytes)) return undefined;
    this.end = at + bytes;
    return new Uint8Array(this.memory.buffer, at, bytes);
  }

  /** A copy of the bytes from one address to another. In it, the nodes at these addresses are marked as deleted, and not as seen. */
  copy(from: number, to: number, nodes: Uint32Array): Uint8Array {
    const copy = new Uint8Array(this.memory.buffer, from, to - from).slice();
    const words = new Uint32Array(copy.buffer);
    for (const node of nodes) {
      const at = (node - from) >>> 2;
      words[at + SEEN] = 0;
      words[at + DELETED] = 1;
    }
    return copy;
  }

  /** The bytes of a node with links on the levels 0 to `level`. */
  bytesOf(level: number): number {
    return nodeBytes(this.stride, this.m, level);
  }

  /** The vector of a node; valid until the memory grows. */
  vectorOf(node: number): Int8Array {
    return this.bytes.subarray(node + HEAD_BYTES, node + HEAD_BYTES + this.stride);
  }

  /** Stores the query vector and returns its address. */
  setQuery(vector: ByteVector): number {
    this.write(this.query, vector);
    return this.query;
  }

  /** The numbers of the nodes that the last search found, nearest first. */
  found(count: number): number[] {
    const first = this.pool >> 2;
    return Array.from(this.words.subarray(first, first + count));
  }

  /** Frees the memory. */
  release(): void {
    load()!.release(this.memory);
  }

  isDeleted(node: number): boolean {
    return this.words[(node >>> 2) + DELETED] === 1;
  }

  setDeleted(node: number, isDeleted: boolean): void {
    this.words[(node >>> 2) + DELETED] = isDeleted ? 1 : 0;
  }

  /** Whether a node has exactly this vector. */
  hasVector(node: number, { bytes }: ByteVector): boolean {
    const start = node + HEAD_BYTES;
    for (let i = 0; i < bytes.length; i++) if (this.bytes[start + i] !== bytes[i]) return false;
    return true;
  }

  private write(at: number, { bytes, inverseLength }: ByteVector): void {
    this.floats[(at >>> 2) + FACTOR] = inverseLength;
    this.bytes.set(bytes, at + HEAD_BYTES);
  }

  private growthFor(missing: number): number {
    const { byteLength } = this.memory.buffer;
    const wanted = Math.max(missing, LEAST_GROWTH, byteLength / GROWTH_SHARE);
    const room = this.most - byteLength;
    return Math.ceil(Math.max(missing, Math.min(wanted, room)) / PAGE_BYTES) * PAGE_BYTES;
  }

  /** Grows the memory to `end` bytes; false if that is impossible. */
  private growTo(end: number): boolean {
    const { byteLength } = this.memory.buffer;
    if (end <= byteLength) return true;
    if (end > this.most) return false;
    try {
      this.memory.grow(this.growthFor(end - byteLength) / PAGE_BYTES);
    } catch {
      return false;
    }
    this.words = new Uint32Array(this.memory.buffer);
    this.floats = new Float32Array(this.memory.buffer);
    this.bytes = new Int8Array(this.memory.buffer);
    return true;
  }
}

/** The addresses of the areas before the nodes. No node has address 0. */
function layout({ dimensions, m }: GraphShape) {
  const stride = Math.ceil(dimensions / LANES) * LANES;
  // The links of a node, and a new one.
  const most = 2 * m + 1;
  const listed = HEAD_BYTES;
  const nearness = listed + 4 * most;
  const chosen = aligned(nearness + 4 * (most + SPARE));
  const pool = aligned(chosen + 4 * most);
  const query = aligned(pool + 8 * (Math.max(MOST_CANDIDATES, most) + 1));
  const end = aligned(query + HEAD_BYTES + stride);
  return { stride, listed, nearness, chosen, pool, query, end };
}

/** The memory of a node with links on the levels 0 to `level`. */
function nodeBytes(stride: number, m: number, level: number): number {
  return aligned(HEAD_BYTES + stride + linkBytes(2 * m) + level * linkBytes(m));
}

function linkBytes(links: number): number {
  return 4 + 4 * links;
}

function aligned(at: number): number {
  return Math.ceil(at / HEAD_BYTES) * HEAD_BYTES;
}
