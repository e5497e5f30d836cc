// What a graph of vectors does, whoever built it. Nodes are numbered in the order in which they were added.

import { totalmem } from "node:os";
import type { UnitVector } from "../unit-vector.js";

/** Which code builds a graph: our own in WebAssembly, or the package hnswlib-node. */
export type GraphKind = "hnsw" | "hnswlib";

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

/** A graph as bytes, without the marks of deleted nodes. A graph that is made from them goes on in the same way. */
export interface GraphImage {
  /** All that the bytes depend on besides the vectors; they mean nothing to a graph of another layout. */
  readonly layout: string;
  readonly nodes: number;
  /** A multiple of 16. */
  readonly byteLength: number;
  /** A copy of the bytes `from` to `to` - 1, both multiples of 16. The bytes change when a node is added, and not by anything else. */
  copy(from: number, to: number): Uint8Array;
}

/** A navigable small world graph: finds nearly all of the nearest vectors by cosine. */
export interface NodeGraph {
  /** undefined: this kind of graph cannot be stored. */
  readonly image: GraphImage | undefined;
  /** Nodes ever added, including deleted ones. */
  readonly size: number;
  /** Nodes that are marked as deleted. */
  readonly deletedCount: number;
  /** The memory of the graph in bytes. */
  readonly bytes: number;
  /** Bytes by which the memory would grow for one more node; 0 if there is room. */
  readonly growth: number;
  /**
   * The node of a vector: the one of an equal vector, deleted or not, else a new one. Throws 507 `index_full` if there is no memory
   * for a new one.
   */
  add(vector: UnitVector): number;
  /** Excludes a node from all results, or no longer; searches pass through it in any case. */
  setDeleted(node: number, isDeleted: boolean): void;
  isDeleted(node: number): boolean;
  /** Up to `count` live nodes, 10,000 at most, nearest first. */
  search(vector: UnitVector, count: number): number[];
  /** Frees the memory; later calls, other than of `dispose`, throw 503 `closed`. */
  dispose(): void;
}

/** The maximum number of candidates of a search. */
export const MOST_CANDIDATES = 10_000;

/** The memory that this process may use, in bytes. */
export function memoryOfMachine(): number {
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
}
