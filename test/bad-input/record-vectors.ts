// Rows A42 to A53: vectors that records bring, and embedders that fail. What is no vector at all is in vectors.ts.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach } from "./row.js";
import { idsOf, rec, SECRET, vectorOf, type World } from "./world.js";

const BAD_VECTOR: Refusal = { code: 400, error: "invalid_vector", param: "records[0]" };
const ADDED = { added: 1, replaced: 0 };
const withVector = (world: World, vector: unknown): unknown => world.add([rec({ vector })], "near");
const withAt = (at: number, component: number): number[] => vectorOf(5).with(at, component);

/** The record nearest to vectorOf(5), and its score. */
async function nearest(world: World): Promise<unknown> {
  const { hits } = await world.ask({ query: "", vector: vectorOf(5), semanticWeight: 1 }, "near");
  return [hits[0]?.id, hits[0]?.score];
}

/** A typed array whose own iterator gives other numbers. */
function misleading(): Float32Array {
  return Object.assign(Float32Array.from(vectorOf(5)), {
    *[Symbol.iterator]() {
      yield* [9, 9, 9, 9, 9, 9, 9, 9];
    },
  });
}

function withGetter(get: (vector: number[]) => number): number[] {
  const vector = vectorOf(5);
  const value = vector[3]!;
  return Object.defineProperty(vector, 3, { get: () => get(vector) || value, enumerable: true, configurable: true });
}

const OWN: readonly Row[] = [
  ...passedEach(
    "A42",
    "a vector",
    [
      ["that is missing", undefined],
      ["of null", null],
    ],
    withVector,
    async (result, world) => {
      expect(result).toEqual(ADDED);
      expect(await world.found("lamp", "near")).toEqual(["new"]);
      expect(idsOf(await world.ask({ query: "", vector: vectorOf(5), semanticFloor: -1 }, "near"))).not.toContain(
        "new",
      );
    },
  ),
  ...refusedEach(
    "A43",
    "a vector of",
    [
      ["7 components", vectorOf(5).slice(1)],
      ["9 components", [...vectorOf(5), 1]],
      ["a Float32Array of 9", new Float32Array(9).fill(1)],
    ],
    withVector,
    { ...BAD_VECTOR, msg: /(7|9).*8/ },
  ),
  {
    row: "A43",
    what: "an empty vector",
    run: (world) => withVector(world, []),
    expect: { ...BAD_VECTOR, msg: /0.*8/ },
  },
  {
    row: "A43",
    what: "a Float32Array of 20,000,000 components is refused",
    run: async (world) => {
      const huge = new Float32Array(20_000_000);
      return world.add([rec({ vector: huge })], "near").catch((thrown: unknown) => thrown);
    },
    expect: (result) => expect(result).toMatchObject({ code: 400, error: "invalid_vector" }),
  },
  ...refusedEach(
    "A44",
    "a component of",
    [Number.NaN, Number.POSITIVE_INFINITY, 1e39, 1e300].map(
      (component) => [String(component), withAt(6, component)] as const,
    ),
    withVector,
    { ...BAD_VECTOR, msg: /6/ },
  ),
  {
    row: "A45",
    what: "a text of the record as vector",
    run: (world) => withVector(world, `${SECRET} lamp`),
    expect: BAD_VECTOR,
  },
  {
    row: "A45",
    what: "a text within the vector",
    run: (world) => withVector(world, [SECRET, 1, 2, 3, 4, 5, 6, 7]),
    expect: BAD_VECTOR,
  },
  ...passedEach(
    "A46",
    "a vector as",
    [
      ["Float32Array", Float32Array.from(vectorOf(5))],
      ["Float64Array", Float64Array.from(vectorOf(5))],
      ["part of a buffer", Float64Array.from([9, ...vectorOf(5), 9]).subarray(1, 9)],
      ["Proxy", new Proxy(vectorOf(5), {})],
      ["typed array with an iterator of its own", misleading()],
    ],
    withVector,
    async (_, world) => expect(await nearest(world)).toEqual(["new", 1]),
  ),
  {
    row: "A46",
    what: "a typed array changed after the call",
    run: async (world) => {
      const vector = Float32Array.from(vectorOf(5));
      const done = withVector(world, vector);
      vector.fill(0);
      await done;
      return nearest(world);
    },
    expect: (result) => expect(result).toEqual(["new", 1]),
  },
  ...refusedEach(
    "A47",
    "a vector as",
    [
      ["Uint8Array", new Uint8Array(8).fill(1)],
      ["DataView", new DataView(new ArrayBuffer(8))],
      ["ArrayBuffer", new ArrayBuffer(8)],
      ["array-like", { ...vectorOf(5), length: 8 }],
    ],
    withVector,
    BAD_VECTOR,
  ),
  ...refusedEach(
    "A48",
    "a vector of",
    [
      ["zeros", new Array(8).fill(0)],
      ["-0", new Float32Array(8).fill(-0)],
    ],
    withVector,
    BAD_VECTOR,
  ),
  ...refusedEach(
    "A49",
    "components of",
    [1e-30, 1e20, 1e-40, 4e11, 3e-13].map((size) => [String(size), new Array(8).fill(size)] as const),
    withVector,
    BAD_VECTOR,
  ),
  {
    row: "A50",
    what: "a getter that shrinks the vector",
    run: (world) =>
      withVector(
        world,
        withGetter((vector) => (vector.length = 4)),
      ),
    expect: BAD_VECTOR,
  },
  {
    row: "A50",
    what: "a getter that adds, queries and deletes",
    run: async (world) => {
      const calls: Promise<unknown>[] = [];
      const vector = withGetter(() => {
        calls.push(
          world.add([rec({ id: "inner" })], "near"),
          world.ask({ query: "lamp" }, "near"),
          world.delete([1], "near"),
        );
        return 0;
      });
      const answer = await withVector(world, vector);
      await Promise.all(calls);
      return [answer, await nearest(world), (await world.get(["inner", 1], "near"))[1]];
    },
    expect: (result) => expect(result).toEqual([ADDED, ["new", 1], null]),
  },
  {
    row: "A51",
    what: "a view of shared memory, changed afterwards",
    run: async (world) => {
      const vector = new Float64Array(new SharedArrayBuffer(64));
      vector.set(vectorOf(5));
      const done = withVector(world, vector);
      vector.fill(Number.NaN);
      await done;
      return nearest(world);
    },
    expect: (result) => expect(result).toEqual(["new", 1]),
  },
  {
    row: "A53",
    what: "10,000 records with one vector hide no other",
    run: async (world) => {
      const handle = await world.engine.createIndex("same", {
        vectorAttribute: "v",
        dimensions: 8,
        vectorIndex: { kind: "hnsw" },
      });
      const others = Array.from({ length: 100 }, (_, i) => ({ id: `other${i}`, v: vectorOf(i) }));
      await handle.addRecords(anyOrder(others));
      await handle.whenIdle();
      const lost = [];
      for (const [i, { id }] of others.entries()) {
        const { hits } = await world.ask({ query: "", vector: vectorOf(i), hitsPerPage: 1 }, "same");
        if (hits[0]?.score !== 1 || (i !== 99 && hits[0]?.id !== id)) lost.push(id);
      }
      return lost;
    },
    expect: (result) => expect(result).toEqual([]),
  },
];

/** 10,000 records with the vector of the last of the others, before, between and after them. */
function anyOrder(
  others: readonly { readonly id: string; readonly v: readonly number[] }[],
): { id: string; v: readonly number[] }[] {
  const same = Array.from({ length: 10_000 }, (_, i) => ({ id: `same${i}`, v: vectorOf(99) }));
  return [...same.slice(0, 5000), ...others, ...same.slice(5000)];
}

/** Rows A42 to A51, A53. */
export const VECTORS: readonly Row[] = OWN;
