// The only file that touches the native package hnswlib-node. The package ends the process on many bad inputs, so nothing of
// a caller's crosses as it is: vectors are copied and checked, labels are our own, no function and no path is ever passed.
// Loaded at first use; where it cannot be loaded, `HnswIndex.create` answers undefined and the caller scans instead.

import { createRequire } from "node:module";
import { totalmem } from "node:os";
import { refusal, SearchError } from "../base/errors.js";
import { show } from "../base/show.js";
import { copyVector } from "./native-vector.js";

/**
 * Integers: the components of every vector (1 … 65,536), the links of a node (`m`, 2 … 256; on the lowest level twice as many),
 * and the candidates that are kept while a node is linked (4 … 10,000) and while a query is answered (1 … 10,000).
 */
export interface HnswOptions {
  readonly dimensions: number;
  readonly m: number;
  readonly efConstruction: number;
  readonly efSearch: number;
}

interface NativeGraph {
  initIndex(capacity: number, m: number, efConstruction: number, seed: number, allowReplaceDeleted: boolean): void;
  resizeIndex(capacity: number): void;
  addPoint(vector: readonly number[], label: number): void;
  markDelete(label: number): void;
  unmarkDelete(label: number): void;
  setEf(ef: number): void;
  searchKnn(vector: readonly number[], k: number): { readonly neighbors: number[] };
}

type NativeClass = new (space: "cosine", dimensions: number) => NativeGraph;
type Loaded = { readonly native?: NativeClass; readonly problem?: unknown };

const RANGES = { dimensions: [1, 65_536], m: [2, 256], efConstruction: [4, 10_000], efSearch: [1, 10_000] } as const;
const SEED = 100;
const FIRST_CAPACITY = 1024;
const MAX_CAPACITY = 2 ** 28;
const MAX_HITS = 10_000;
const MAX_LIVE = 1000;
/** Label, level, lock, visited mark, label map: what a node costs besides its vector and its links, rounded up. */
const NODE_OVERHEAD = 160;

let loaded: Loaded | undefined;
let live = 0;

/** An index that is dropped without `dispose` must not count for ever. */
const forgotten = new FinalizationRegistry<undefined>(() => void live--);

/** True when the native package can be used; the first call loads it. */
export function hnswAvailable(): boolean {
  return load().native !== undefined;
}

/** Why the native package cannot be used; undefined when it can. */
export function hnswProblem(): unknown {
  return load().problem;
}

/** Native indexes that were created and not disposed of. */
export function liveNativeIndexes(): number {
  return live;
}

/** A graph of vectors that finds the nearest by angle, approximately. Nodes are numbered in the order they were added. */
export class HnswIndex {
  readonly options: HnswOptions;
  #native: NativeGraph | undefined;
  #size = 0;
  #deadCount = 0;
  /** A mark for each node there is room for. */
  #dead: Uint8Array = new Uint8Array(FIRST_CAPACITY);

  private constructor(options: HnswOptions, native: NativeGraph) {
    this.options = options;
    this.#native = native;
    live++;
    forgotten.register(this, undefined, this);
  }

  /** An empty graph, or undefined when the native package is missing. Throws 400 `invalid_option`, 507 `index_full`. */
  static create(options: HnswOptions): HnswIndex | undefined {
    const checked = checkOptions(options);
    const { native } = load();
    if (native === undefined) return undefined;
    if (live >= MAX_LIVE) throw full(`${live} vector graphs are open, the most there may be; close some first.`);
    const graph = new native("cosine", checked.dimensions);
    makeRoom(graph, checked, FIRST_CAPACITY);
    return new HnswIndex(checked, graph);
  }

  /** Nodes ever added, dead ones included. */
  get size(): number {
    return this.#size;
  }

  /** Nodes that are marked dead. */
  get deadCount(): number {
    return this.#deadCount;
  }

  /** About the native memory it takes. */
  get bytes(): number {
    return bytesFor(this.options, this.#dead.length);
  }

  /** True when there is no room for another node; the next one doubles the memory. */
  get isFull(): boolean {
    return this.#size === this.#dead.length;
  }

  /** Adds a vector and gives its node. Throws 400 `invalid_vector` or 507 `index_full`; then nothing was added. */
  add(vector: ArrayLike<number>): number {
    const copy = copyVector(vector, this.options.dimensions);
    const native = this.#open();
    if (this.isFull) {
      makeRoom(native, this.options, 2 * this.#size);
      const dead = new Uint8Array(2 * this.#size);
      dead.set(this.#dead);
      this.#dead = dead;
    }
    try {
      native.addPoint(copy, this.#size);
    } catch (cause) {
      // The node may be linked by half, which no later call could mend.
      this.#drop();
      throw full("A vector could not be added, and its graph was closed; there may be too little memory.", { cause });
    }
    return this.#size++;
  }

  /** Keeps a node out of all answers; it goes on to lead to others. No effect when it is dead already. */
  markDead(node: number): void {
    if (this.isDead(node)) return;
    this.#open().markDelete(node);
    this.#dead[node] = 1;
    this.#deadCount++;
  }

  /** Takes `markDead` back. No effect on a live node. */
  revive(node: number): void {
    if (!this.isDead(node)) return;
    this.#open().unmarkDelete(node);
    this.#dead[node] = 0;
    this.#deadCount--;
  }

  /** True when the node is marked dead; throws 400 `invalid_node` when there is no such node. */
  isDead(node: number): boolean {
    this.#open();
    if (Number.isInteger(node) && node >= 0 && node < this.#size) return this.#dead[node] === 1;
    throw refusal("invalid_node", "node", `node is ${show(node)}; pass an integer from 0 to below ${this.#size}.`);
  }

  /** Up to `k` live nodes, nearest first. `k` is clamped to 1 … 10,000 and to the live nodes; NaN is refused (400). */
  search(vector: ArrayLike<number>, k: number): number[] {
    const copy = copyVector(vector, this.options.dimensions);
    const native = this.#open();
    if (typeof k !== "number" || Number.isNaN(k))
      throw refusal("invalid_option", "k", `k is ${show(k)}; pass a number.`);
    if (this.#size === this.#deadCount) return [];
    const wanted = Math.min(Math.max(Math.trunc(k), 1), MAX_HITS, this.#size - this.#deadCount);
    native.setEf(Math.max(this.options.efSearch, wanted));
    return native.searchKnn(copy, wanted).neighbors;
  }

  /** Gives the native memory back; later calls, other than of `dispose`, throw 503 `closed`. */
  dispose(): void {
    const native = this.#native;
    if (native === undefined) return;
    this.#drop();
    try {
      // Garbage collection does not see native memory: a new start frees the nodes now, and first, so it may fail.
      native.initIndex(1, 2, 4, SEED, false);
    } catch {}
  }

  #open(): NativeGraph {
    if (this.#native !== undefined) return this.#native;
    throw new SearchError(503, "closed", "This vector graph was closed; create another one.");
  }

  #drop(): void {
    this.#native = undefined;
    this.#dead = new Uint8Array(0);
    live--;
    forgotten.unregister(this);
  }
}

/** The binary is loaded by its path: the package's own entry goes through `bindings`, which patches the Error globals. */
function load(): Loaded {
  if (loaded !== undefined) return loaded;
  try {
    const require = createRequire(import.meta.url);
    const addon = require("hnswlib-node/build/Release/addon.node") as { readonly HierarchicalNSW?: NativeClass };
    if (typeof addon.HierarchicalNSW !== "function") throw new Error("hnswlib-node has no HierarchicalNSW.");
    loaded = { native: addon.HierarchicalNSW };
  } catch (problem) {
    loaded = { problem };
  }
  return loaded;
}

function bytesFor({ dimensions, m }: HnswOptions, capacity: number): number {
  return capacity * (4 * dimensions + 4 * (2 * m + 1) + NODE_OVERHEAD);
}

function makeRoom(graph: NativeGraph, options: HnswOptions, capacity: number): void {
  if (capacity > MAX_CAPACITY) throw full(`A vector graph holds at most ${MAX_CAPACITY} vectors.`);
  const bytes = bytesFor(options, capacity);
  const most = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  if (bytes > most) throw full(`A vector graph of ${capacity} nodes takes about ${bytes} bytes; there are ${most}.`);
  try {
    // From one node on: where memory runs out, a resize throws, but an initIndex of many nodes ends the process.
    if (capacity === FIRST_CAPACITY) graph.initIndex(1, options.m, options.efConstruction, SEED, false);
    graph.resizeIndex(capacity);
  } catch (cause) {
    throw full(`There is no memory for a vector graph of ${capacity} nodes, about ${bytes} bytes.`, { cause });
  }
}

function checkOptions(options: HnswOptions): HnswOptions {
  const { dimensions, m, efConstruction, efSearch } = options;
  const checked: HnswOptions = Object.freeze({ dimensions, m, efConstruction, efSearch });
  for (const name of ["dimensions", "m", "efConstruction", "efSearch"] as const) {
    const [least, most] = RANGES[name];
    if (!Number.isInteger(checked[name]) || checked[name] < least || checked[name] > most)
      throw refusal("invalid_option", name, `${name} is ${show(checked[name])}; pass an integer ${least} to ${most}.`);
  }
  return checked;
}

function full(msg: string, more: { readonly cause?: unknown } = {}): SearchError {
  return new SearchError(507, "index_full", msg, more);
}
