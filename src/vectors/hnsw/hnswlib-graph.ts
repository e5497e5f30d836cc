// The graph of hnswlib-node, the only file that touches this package. Its native code ends the process on a wrong option,
// length or component, so no value of a caller reaches it: options and vectors were checked before, and labels are our own node
// numbers. Its files are never read or written: a damaged file ends the process too, and at 100,000 nodes reading or writing
// one would block the process for 0.1 s.

import { SearchError } from "../../util/errors.js";
import { requireInstalled } from "../../util/installed-package.js";
import type { UnitVector } from "../unit-vector.js";
import { type HnswOptions, MOST_CANDIDATES, memoryOfMachine, type NodeGraph } from "./node-graph.js";
import { NodeTable } from "./node-table.js";

/** The part of the package that is used. */
interface NativeGraph {
  initIndex(capacity: number, m: number, efConstruction: number, seed: number, allowReplaceDeleted: boolean): void;
  resizeIndex(capacity: number): void;
  addPoint(vector: readonly number[], label: number): void;
  getPoint(label: number): readonly number[];
  markDelete(label: number): void;
  unmarkDelete(label: number): void;
  setEf(ef: number): void;
  searchKnn(vector: readonly number[], count: number): { readonly neighbors: number[] };
}

type NativeClass = new (space: "ip", dimensions: number) => NativeGraph;

const SEED = 100;
const FIRST_CAPACITY = 1024;
/** The capacity grows by an eighth: the memory for more nodes is touched at once. */
const GROWTH_SHARE = 8;
const MAX_CAPACITY = 2 ** 28;
/** Even an empty graph takes 2.6 MB. */
const MAX_LIVE = 1000;
/** The memory of a node in addition to its vector and its links, rounded up: label, level, lock, visited mark, entry of a map. */
const NODE_OVERHEAD = 160;

let loaded: { readonly native?: NativeClass; readonly problem?: string } | undefined;
let live = 0;
const collected = new FinalizationRegistry<undefined>(() => void live--);

/** Why hnswlib-node cannot be used; undefined if it can. The first call loads it. */
export function hnswlibProblem(): string | undefined {
  return load().problem;
}

/** Graphs of hnswlib-node that were created and not disposed of. */
export function liveHnswlibGraphs(): number {
  return live;
}

/** The memory of this many nodes in bytes. */
export function hnswlibBytes({ dimensions, m }: HnswOptions, nodes: number): number {
  return nodes * (4 * dimensions + 4 * (2 * m + 1) + NODE_OVERHEAD);
}

/** A graph of hnswlib over vectors of 32-bit floats. Deleted nodes stay in the graph but not in results. */
export class HnswlibGraph implements NodeGraph {
  readonly image: undefined;
  private readonly options: HnswOptions;
  private native: NativeGraph | undefined;
  private readonly table = new NodeTable();
  private nodes = 0;
  private isBroken = false;
  private deleted = 0;
  /** For each node that there is room for, whether it is deleted. */
  private deletedNodes = new Uint8Array(FIRST_CAPACITY);
  /** The vector of a call; see `toNumbers`. */
  private readonly numbers: number[];

  private constructor(options: HnswOptions, native: NativeGraph) {
    this.options = options;
    this.native = native;
    this.numbers = [];
    for (let i = 0; i < options.dimensions; i++) this.numbers[i] = 0;
    live++;
    collected.register(this, undefined, this);
  }

  /** An empty graph; undefined if hnswlib-node cannot be used. Throws 507 `index_full` if there is no memory. */
  static create(options: HnswOptions): HnswlibGraph | undefined {
    const { native } = load();
    if (native === undefined) return undefined;
    if (live >= MAX_LIVE) throw full(`There are ${live} open vector graphs, the most possible; close some first.`);
    const graph = new native("ip", options.dimensions);
    allocate(options, FIRST_CAPACITY, () => {
      // If there is no memory, `resizeIndex` throws, but `initIndex` of many nodes ends the process.
      graph.initIndex(1, options.m, options.efConstruction, SEED, false);
      graph.resizeIndex(FIRST_CAPACITY);
      graph.setEf(options.efSearch);
    });
    return new HnswlibGraph(options, graph);
  }

  get size(): number {
    return this.nodes;
  }

  get deletedCount(): number {
    return this.deleted;
  }

  get bytes(): number {
    return this.native === undefined ? 0 : hnswlibBytes(this.options, this.capacity) + this.table.bytes;
  }

  get growth(): number {
    this.open();
    return this.nodes < this.capacity ? 0 : hnswlibBytes(this.options, this.nextCapacity - this.capacity);
  }

  add(vector: UnitVector): number {
    const native = this.open();
    const { components } = vector;
    const numbers = this.toNumbers(vector);
    const known = this.table.find(components, (node) => this.hasVector(native, node, components));
    if (known >= 0) return known;
    if (this.isBroken) throw full("This vector graph can only be searched, because a vector could not be added to it.");
    if (this.nodes === this.capacity) this.grow(native);
    try {
      native.addPoint(numbers, this.nodes);
    } catch (cause) {
      // A part of the node was made. It is not linked, but adding it again would end the process.
      this.isBroken = true;
      throw full("A vector could not be added to its graph.", cause);
    }
    this.table.add(components, this.nodes);
    return this.nodes++;
  }

  setDeleted(node: number, isDeleted: boolean): void {
    if (this.isDeleted(node) === isDeleted) return;
    if (isDeleted) this.open().markDelete(node);
    else this.open().unmarkDelete(node);
    this.deletedNodes[node] = Number(isDeleted);
    this.deleted += isDeleted ? 1 : -1;
  }

  isDeleted(node: number): boolean {
    this.open();
    if (node >= 0 && node < this.nodes) return this.deletedNodes[node] === 1;
    throw new RangeError(`A graph of ${this.nodes} nodes has no node ${node}.`);
  }

  search(vector: UnitVector, count: number): number[] {
    const native = this.open();
    const numbers = this.toNumbers(vector);
    const wanted = Math.min(count, this.nodes - this.deleted, MOST_CANDIDATES);
    return wanted <= 0 ? [] : native.searchKnn(numbers, wanted).neighbors;
  }

  dispose(): void {
    const { native } = this;
    if (native === undefined) return;
    this.native = undefined;
    live--;
    collected.unregister(this);
    try {
      // The garbage collector does not see native memory. A new start frees it first, and only then may fail.
      native.initIndex(1, 2, 4, SEED, false);
    } catch {}
  }

  private hasVector(native: NativeGraph, node: number, components: Int16Array): boolean {
    const isDeleted = this.isDeleted(node);
    // The native code returns no vectors of deleted nodes.
    if (isDeleted) native.unmarkDelete(node);
    const point = native.getPoint(node);
    if (isDeleted) native.markDelete(node);
    return components.every((component, i) => component === point[i]);
  }

  private get capacity(): number {
    return this.deletedNodes.length;
  }

  private get nextCapacity(): number {
    return this.capacity + Math.ceil(this.capacity / GROWTH_SHARE);
  }

  private grow(native: NativeGraph): void {
    const capacity = this.nextCapacity;
    allocate(this.options, capacity, () => native.resizeIndex(capacity));
    const { deletedNodes } = this;
    this.deletedNodes = new Uint8Array(capacity);
    this.deletedNodes.set(deletedNodes);
  }

  private open(): NativeGraph {
    if (this.native !== undefined) return this.native;
    throw new SearchError(503, "closed", "This vector graph was closed; create another one.");
  }

  /**
   * The components as the native code takes them, valid until the next call. They are integers, which 32-bit floats hold exactly, so
   * equal vectors stay equal. All vectors have nearly one length, so their inner product orders them as their cosine does.
   */
  private toNumbers({ components }: UnitVector): readonly number[] {
    const { numbers } = this;
    if (components.length !== numbers.length)
      throw new RangeError(`A vector of ${components.length} components came to a graph of ${numbers.length}.`);
    for (let i = 0; i < components.length; i++) numbers[i] = components[i]!;
    return numbers;
  }
}

function load(): NonNullable<typeof loaded> {
  loaded ??= loadAddon();
  return loaded;
}

function loadAddon(): NonNullable<typeof loaded> {
  try {
    const addon = requireAddon();
    if (addon === undefined) return { problem: "the package hnswlib-node is not installed, or was not compiled" };
    if (addon.HierarchicalNSW === undefined) throw new Error("The binary is another one.");
    return { native: addon.HierarchicalNSW };
  } catch (error) {
    // The message of the error names paths.
    const { code } = error as NodeJS.ErrnoException;
    const isRefused = code === "ERR_DLOPEN_DISABLED" || code === "ERR_ACCESS_DENIED";
    const unfit = "the binary of hnswlib-node does not fit this system";
    return { problem: isRefused ? "this process may not load native code" : unfit };
  }
}

/** The binary by its path, since the entry of the package changes globals of the process; undefined if it is not found. */
function requireAddon(): { readonly HierarchicalNSW?: NativeClass } | undefined {
  // A bundler that knew the request would read the binary as JavaScript and fail, or warn where the package is not installed. Buffer
  // is a variable that a program may replace, so no bundler or minifier computes what it gives.
  const addon = requireInstalled(Buffer.from("hnswlib-node/build/Release/addon.node").toString());
  return addon as ReturnType<typeof requireAddon>;
}

/** Runs a native call that allocates memory for a graph of `capacity` nodes. */
function allocate(options: HnswOptions, capacity: number, call: () => void): void {
  if (capacity > MAX_CAPACITY) throw full(`A vector graph has at most ${MAX_CAPACITY} nodes.`);
  const bytes = hnswlibBytes(options, capacity);
  const message = `There is no memory for a vector graph of ${capacity} nodes, about ${bytes} bytes.`;
  if (bytes > memoryOfMachine()) throw full(message);
  try {
    call();
  } catch (cause) {
    throw full(message, cause);
  }
}

function full(message: string, cause?: unknown): SearchError {
  return new SearchError(507, "index_full", message, { cause });
}
