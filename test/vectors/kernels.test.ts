import { describe, expect, it } from "vitest";
import {
  BLOCK_ROWS,
  kernelOf,
  PlainKernel,
  type RowKernel,
  vectorKernelAvailable,
  WasmKernel,
} from "../../src/vectors/row-kernel.js";
import type { UnitVector } from "../../src/vectors/unit-vector.js";
import type { VectorRows } from "../../src/vectors/vector-rows.js";
import { property, Random } from "../support/random.js";
import { exactCosine, exactDot, KERNELS, randomNumbers, stored, storedSegment } from "../support/vectors.js";

const NAMES = vectorKernelAvailable() ? (["plain", "wasm"] as const) : (["plain"] as const);

function rowsOf(vectors: readonly (UnitVector | null)[], kernel: keyof typeof KERNELS): VectorRows {
  const dimensions = vectors.find((vector) => vector !== null)!.components.length;
  return storedSegment(1, 0, vectors, { dimensions, leastLinear: KERNELS[kernel] }).rows;
}

function dots(kernel: RowKernel, rows: readonly number[], query: UnitVector): number[] {
  kernel.setQuery(query);
  kernel.list.set(rows);
  kernel.dots(rows.length);
  return [...kernel.sums.subarray(0, rows.length)];
}

/** Rows found with their sums, in order. */
function filter(kernel: RowKernel, rows: VectorRows, query: UnitVector, threshold: number): [number, number][] {
  kernel.setQuery(query);
  const count = kernel.filter(0, rows.count, threshold);
  return Array.from({ length: count }, (_, i) => [kernel.found[i]!, kernel.sums[i]!]);
}

/** A vector that no text gives: its components as told, and any length. */
function extreme(components: readonly number[]): UnitVector {
  const length = Math.sqrt(components.reduce((sum, component) => sum + component * component, 0)) || 1;
  return { components: Int16Array.from(components), inverseLength: 1 / length };
}

/** Random, sparse, constant and repeated vectors, in any mixture. */
function randomVectors(random: Random, dimensions: number, count: number): UnitVector[] {
  const vectors: UnitVector[] = [];
  for (let i = 0; i < count; i++) {
    const kind = random.between(0, 5);
    const numbers = randomNumbers(random, dimensions);
    if (kind === 0 && i > 0) vectors.push(random.pick(vectors));
    else if (kind === 1) vectors.push(stored(numbers.map((_, at) => (at === i % dimensions ? -1 : 0))));
    else if (kind === 2) vectors.push(stored(numbers.map((value, at) => (at === 0 ? 1 : value / 1000))));
    else vectors.push(stored(numbers));
  }
  return vectors;
}

it("runs compiled where there is WebAssembly (else: npm run build), and plain where rows lie in ordinary arrays", () => {
  const isThere = "WebAssembly" in globalThis;
  expect(vectorKernelAvailable()).toBe(isThere);
  expect(kernelOf(rowsOf([stored([1, 0])], "wasm"))).toBeInstanceOf(isThere ? WasmKernel : PlainKernel);
  expect(kernelOf(rowsOf([stored([1, 0])], "plain"))).toBeInstanceOf(PlainKernel);
});

describe.each(NAMES)("the %s kernel", (name) => {
  for (const dimensions of [1, 2, 7, 8, 9, 100, 192, 384, 4096])
    it(`gives the dot products of big integers in ${dimensions} dimensions`, () => {
      const random = new Random(dimensions);
      const vectors = [
        ...randomVectors(random, dimensions, 30),
        extreme(new Array<number>(dimensions).fill(32_767)),
        extreme(new Array<number>(dimensions).fill(-32_767)),
        extreme(Array.from({ length: dimensions }, (_, i) => (i % 2 === 0 ? 32_767 : -32_767))),
        extreme(new Array<number>(dimensions).fill(0)),
        extreme(new Array<number>(dimensions).fill(-1)),
        extreme(new Array<number>(dimensions).fill(127)),
        extreme(new Array<number>(dimensions).fill(-256)),
      ];
      const kernel = kernelOf(rowsOf(vectors, name));
      const order = random.shuffle([...vectors.keys()]);
      for (const query of vectors)
        expect(dots(kernel, order, query)).toEqual(order.map((row) => exactDot(vectors[row]!, query)));
    });

  property("misses no row whose cosine reaches the threshold", 40, (random) => {
    const dimensions = random.pick([1, 3, 8, 50, 192, 384]);
    const vectors = randomVectors(random, dimensions, random.between(1, 60));
    const rows = rowsOf(vectors, name);
    const query = random.chance(0.5) ? random.pick(vectors) : stored(randomNumbers(random, dimensions));
    const cosines = vectors.map((vector) => exactCosine(vector, query));
    for (const threshold of [...random.some(cosines, 0.3), -1, 0, 1]) {
      const found = filter(kernelOf(rows), rows, query, threshold).map(([row]) => row);
      expect(found).toEqual(expect.arrayContaining([...cosines.keys()].filter((row) => cosines[row]! >= threshold)));
    }
  });

  it("finds among the rows listed what it finds among all", () => {
    const random = new Random(17);
    const vectors = randomVectors(random, 24, 500);
    const rows = rowsOf(vectors, name);
    const kernel = kernelOf(rows);
    const all = new Map(filter(kernel, rows, vectors[3]!, 0.1));
    for (const count of [0, 1, 2, 3, 4, 5, 99, 500]) {
      const listed = random.shuffle([...vectors.keys()]).slice(0, count);
      kernel.list.set(listed);
      const found = kernel.filterListed(count, 0.1);
      expect([...kernel.found.subarray(0, found)]).toEqual(listed.filter((row) => all.has(row)));
      expect([...kernel.sums.subarray(0, found)]).toEqual(listed.flatMap((row) => all.get(row) ?? []));
    }
  });

  it("passes over most rows that are far", () => {
    const random = new Random(4);
    const vectors = Array.from({ length: 1000 }, () => stored(randomNumbers(random, 192)));
    const rows = rowsOf(vectors, name);
    expect(filter(kernelOf(rows), rows, vectors[0]!, 0.5)).toHaveLength(1);
  });
});

if (vectorKernelAvailable())
  property("both kernels find the same rows with the same sums", 40, (random) => {
    const dimensions = random.pick([1, 5, 8, 17, 100, 192, 384, 1024]);
    const vectors = randomVectors(random, dimensions, random.between(1, Math.min(BLOCK_ROWS, 300)));
    const query = stored(randomNumbers(random, dimensions));
    const [plain, wasm] = (["plain", "wasm"] as const).map((name) => rowsOf(vectors, name));
    for (const threshold of [-2, -0.2, 0, 0.05, 0.3, random.next()])
      expect(filter(kernelOf(wasm!), wasm!, query, threshold)).toEqual(
        filter(kernelOf(plain!), plain!, query, threshold),
      );
  });
