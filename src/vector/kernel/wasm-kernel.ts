// The kernel of assembly/vector-scan.ts over the memory of one segment's rows.

import { scaleOf, sumOf, type UnitVector } from "../unit-vector.js";
import { writeCoarseQuery } from "./coarse-rows.js";
import type { Bounds, CoarseKernel } from "./row-kernel.js";
import { BLOCK_ROWS, COARSE_QUERY, type LinearRows, QUERY_SCALE, QUERY_SUM, type RowMemory } from "./row-memory.js";
import { instantiate, type VectorScan } from "./web-assembly.js";

/** Rows in a WebAssembly memory. */
export class WasmKernel implements CoarseKernel {
  readonly list: Uint32Array;
  readonly found: Uint32Array;
  readonly sums: Int32Array;
  private readonly buffer: ArrayBuffer;
  private readonly query: Int16Array;
  private readonly scan: VectorScan;
  private readonly coarseComponents: Int16Array;
  private asked: UnitVector | undefined;
  private coarselyAsked: UnitVector | undefined;

  constructor({ memory, query, list, found, sums, coarseQuery }: LinearRows, { stride, coarse }: RowMemory) {
    const { buffer } = memory;
    this.buffer = buffer;
    this.query = new Int16Array(buffer, query, stride);
    this.coarseComponents = new Int16Array(buffer, coarseQuery, 4 * (coarse?.stride ?? 0));
    this.list = new Uint32Array(buffer, list, BLOCK_ROWS);
    this.found = new Uint32Array(buffer, found, BLOCK_ROWS);
    this.sums = new Int32Array(buffer, sums, BLOCK_ROWS);
    this.scan = instantiate(memory);
  }

  ask(query: UnitVector): void {
    if (query === this.asked) return;
    this.query.set(query.components);
    new Int32Array(this.buffer)[QUERY_SUM] = sumOf(query);
    new Float32Array(this.buffer)[QUERY_SCALE] = scaleOf(query);
    this.asked = query;
  }

  sift(from: number, to: number, threshold: number): number {
    return this.scan.sift(from, to, threshold);
  }

  siftListed(count: number, threshold: number): number {
    return this.scan.siftListed(count, threshold);
  }

  dots(count: number): void {
    this.scan.dots(count);
  }

  askCoarse(query: UnitVector): void {
    if (query === this.coarselyAsked) return;
    const { scale, growth, leeway } = writeCoarseQuery(query, this.coarseComponents);
    new Float32Array(this.buffer).set([scale, growth, leeway], COARSE_QUERY);
    this.coarselyAsked = query;
  }

  scout(from: number, to: number): void {
    this.scan.scout(from, to);
  }

  pick(from: number, to: number, { least, below }: Bounds): number {
    return this.scan.pick(from, to, least, below);
  }
}
