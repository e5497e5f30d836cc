// The guarded graph: what it refuses leaves it as it was, what it accepts it finds again. Where the native package is missing
// there is no graph to test; then each test asserts just that.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SearchError } from "../../src/base/errors.js";
import {
  HnswIndex,
  type HnswOptions,
  hnswAvailable,
  hnswProblem,
  liveNativeIndexes,
} from "../../src/vector/hnsw-addon.js";

const OPTIONS: HnswOptions = { dimensions: 8, m: 16, efConstruction: 100, efSearch: 64 };
const open: HnswIndex[] = [];

afterEach(() => {
  for (const index of open.splice(0)) index.dispose();
  expect(liveNativeIndexes()).toBe(0);
});

/** Runs `body` on a new graph, or asserts that there is none. */
function onGraph(body: (index: HnswIndex) => void, options: HnswOptions = OPTIONS): void {
  const index = HnswIndex.create(options);
  expect(index !== undefined).toBe(hnswAvailable());
  if (index === undefined) return;
  open.push(index);
  body(index);
}

/** Numbers in -1 … 1 from a linear congruential generator. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function vectors(count: number, dimensions: number, seed = 1): Float32Array[] {
  const next = random(seed);
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next));
}

const good = (): number[] => [0.5, -0.25, 0.125, 1, 0.75, -1, 0.0625, 0.3];

/** A good vector with one component replaced; `unknown` because most of what is put in is no number. */
function withAt(at: number, component: unknown): unknown {
  const vector: unknown[] = good();
  vector[at] = component;
  return vector;
}

function withGetter(get: (vector: number[]) => number): unknown {
  const vector = good();
  Object.defineProperty(vector, 3, { get: () => get(vector), configurable: true });
  return vector;
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable(good(), {});
  revoke();
  return proxy;
}

function holed(): unknown {
  const vector = good();
  delete vector[2];
  return vector;
}

const BAD_VECTORS: readonly (readonly [string, () => unknown])[] = [
  ["one component too few", () => good().slice(1)],
  ["one component too many", () => [...good(), 1]],
  ["an empty array", () => []],
  ["a string in the first place", () => withAt(0, "x")],
  ["a numeric string in the middle", () => withAt(3, "1")],
  ["a string in the last place", () => withAt(7, "x")],
  ["null inside", () => withAt(3, null)],
  ["undefined inside", () => withAt(3, undefined)],
  ["a hole", holed],
  ["a BigInt inside", () => withAt(3, 1n)],
  ["a symbol inside", () => withAt(3, Symbol("x"))],
  ["an object with valueOf inside", () => withAt(3, { valueOf: () => 1 })],
  [
    "a getter that throws",
    () =>
      withGetter(() => {
        throw new Error("from the getter");
      }),
  ],
  ["a getter that shrinks the array", () => withGetter((vector) => (vector.length = 4))],
  ["a getter that gives a string", () => withGetter(() => "1" as string & number)],
  ["a revoked Proxy", revoked],
  [
    "a Proxy that gives strings",
    () => new Proxy(good(), { get: (target, name) => (name === "length" ? target.length : "1") }),
  ],
  ["NaN", () => withAt(7, Number.NaN)],
  ["Infinity", () => withAt(0, Number.POSITIVE_INFINITY)],
  ["-Infinity", () => withAt(3, Number.NEGATIVE_INFINITY)],
  ["1e39, too large for 32 bits", () => withAt(3, 1e39)],
  ["1e300", () => withAt(7, 1e300)],
  ["components of 1e20", () => good().fill(1e20)],
  ["components of 1e-30", () => good().fill(1e-30)],
  ["denormals", () => good().fill(1e-40)],
  ["zeros", () => good().fill(0)],
  ["negative zeros in a Float32Array", () => new Float32Array(8).fill(-0)],
  ["a Float32Array with NaN", () => Float32Array.from(withAt(3, Number.NaN) as number[])],
  ["a Float64Array with 1e39", () => Float64Array.from(withAt(3, 1e39) as number[])],
  ["a Float32Array of another length", () => new Float32Array(9).fill(1)],
  ["a BigInt64Array", () => new BigInt64Array(8).fill(1n)],
  ["a Uint8Array of zeros", () => new Uint8Array(8)],
  ["a DataView", () => new DataView(new ArrayBuffer(32))],
  ["an ArrayBuffer", () => new ArrayBuffer(8)],
  ["a SharedArrayBuffer", () => new SharedArrayBuffer(8)],
  ["an array-like without numbers", () => ({ length: 8 })],
  ["an array-like whose length is a string", () => ({ ...good(), length: "8" })],
  ["a string of that length", () => "12345678"],
  ["null", () => null],
  ["undefined", () => undefined],
  ["a number", () => 8],
  [
    "a function with that many parameters",
    () =>
      (..._: [1?, 2?, 3?, 4?, 5?, 6?, 7?, 8?]) =>
        1,
  ],
];

const GOOD_VECTORS: readonly (readonly [string, () => ArrayLike<number>])[] = [
  ["an array", good],
  ["a Float32Array", () => Float32Array.from(good())],
  ["a Float64Array", () => Float64Array.from(good())],
  ["a Uint8Array", () => Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 255)],
  ["a view of a SharedArrayBuffer", () => new Float32Array(new SharedArrayBuffer(32)).fill(2)],
  ["a part of a greater buffer", () => Float32Array.from([9, ...good(), 9]).subarray(1, 9)],
  ["an array-like of numbers", () => ({ ...good(), length: 8 })],
  ["a Proxy of an array", () => new Proxy(good(), {})],
  ["an array with a getter that gives a number", () => withGetter(() => 0.5) as number[]],
  ["components of 1e11", () => good().fill(1e11)],
  ["components of 1e-12", () => good().fill(1e-12)],
];

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("not refused");
}

function refused(work: () => unknown): SearchError {
  const error = caught(work);
  expect(error).toBeInstanceOf(SearchError);
  return error as SearchError;
}

describe("bad vectors", () => {
  it("are of at least 28 kinds", () => expect(BAD_VECTORS.length).toBeGreaterThanOrEqual(28));

  it.each(BAD_VECTORS)("%s is refused by add and search, and changes nothing", (_name, make) => {
    onGraph((index) => {
      const [first, second] = vectors(2, 8);
      index.add(first!);
      for (const work of [() => index.add(make() as number[]), () => index.search(make() as number[], 1)])
        expect(refused(work)).toMatchObject({ code: 400, error: "invalid_vector", param: "vector" });
      expect(index.size).toBe(1);
      expect(index.add(second!)).toBe(1);
      expect(index.search(second!, 9)).toEqual([1, 0]);
    });
  });

  it("are refused by an empty graph too, and the error of a getter is the cause", () => {
    onGraph((index) => {
      const cause = new Error("from the getter");
      const vector = withGetter(() => {
        throw cause;
      });
      expect(refused(() => index.search(vector as number[], 1)).cause).toBe(cause);
    });
  });

  it("of numbers on Array.prototype do not stand in for components", () => {
    onGraph((index) => {
      const first = good();
      Object.defineProperty(Array.prototype, 0, { get: () => "x", set: () => undefined, configurable: true });
      try {
        expect(index.add(Float32Array.from(first))).toBe(0);
        expect(refused(() => index.add([])).error).toBe("invalid_vector");
      } finally {
        Reflect.deleteProperty(Array.prototype, 0);
      }
      expect(index.search(first, 1)).toEqual([0]);
    });
  });
});

describe("good vectors", () => {
  it.each(GOOD_VECTORS)("%s is added and found", (_name, make) => {
    onGraph((index) => {
      for (const vector of vectors(20, 8)) index.add(vector);
      expect(index.add(make())).toBe(20);
      expect(index.search(make(), 1)).toEqual([20]);
    });
  });

  it("are copied: what becomes of the array later has no effect", () => {
    onGraph((index) => {
      const first = Float32Array.from(good());
      index.add(first);
      first.fill(0);
      index.add(good().reverse());
      expect(index.search(good(), 2)).toEqual([0, 1]);
    });
  });

  it("that are alike get nodes of their own", () => {
    onGraph((index) => {
      expect([index.add(good()), index.add(good()), index.add(good())]).toEqual([0, 1, 2]);
      expect(index.search(good(), 5).sort()).toEqual([0, 1, 2]);
    });
  });

  it("whose getter uses the graph leave it consistent", () => {
    onGraph((index) => {
      index.add(vectors(1, 8)[0]!);
      const vector = withGetter(() => index.add(good().reverse()));
      expect(index.add(vector as number[])).toBe(2);
      expect(index.size).toBe(3);
      const closing = withGetter(() => {
        index.dispose();
        return 1;
      });
      expect(refused(() => index.search(closing as number[], 1))).toMatchObject({ code: 503, error: "closed" });
    });
  });
});

describe("options", () => {
  it.each([
    ["dimensions", 1, 65_536],
    ["m", 2, 256],
    ["efConstruction", 4, 10_000],
    ["efSearch", 1, 10_000],
  ] as const)("%s from %i to %i pass, others do not", (name, least, most) => {
    const wrong = [
      least - 1,
      most + 1,
      -1,
      least + 0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 32 + least,
      "9",
      null,
    ];
    for (const value of wrong)
      expect(refused(() => HnswIndex.create({ ...OPTIONS, [name]: value }))).toMatchObject({
        code: 400,
        error: "invalid_option",
        param: name,
      });
    for (const value of [least, most])
      onGraph((index) => expect(index.options[name]).toBe(value), { ...OPTIONS, [name]: value });
  });

  it("are copied and frozen", () => {
    const options = { ...OPTIONS };
    onGraph((index) => {
      options.dimensions = 4;
      expect(index.options).toEqual(OPTIONS);
      expect(Object.isFrozen(index.options)).toBe(true);
    }, options);
  });
});

describe("growing", () => {
  it("passes 1,024 and 4,096 nodes and finds each node by its vector", { timeout: 60_000 }, () => {
    onGraph(
      (index) => {
        const all = vectors(5000, 16);
        expect(all.map((vector) => index.add(vector))).toEqual(all.map((_, node) => node));
        for (const node of [3, 1022, 2048, 4999]) index.markDead(node);
        for (const vector of vectors(20, 16, 7)) index.add(vector);
        expect([index.size, index.deadCount, index.isDead(1022), index.isDead(1023)]).toEqual([5020, 4, true, false]);
        const missed = all.filter((vector, node) => !index.isDead(node) && index.search(vector, 1)[0] !== node);
        expect(missed.length).toBeLessThanOrEqual(5);
        expect(recall(index, all)).toBeGreaterThanOrEqual(0.98);
      },
      { dimensions: 16, m: 16, efConstruction: 100, efSearch: 100 },
    );
  });
});

/** Share of the true ten nearest live nodes that are found, over 50 queries. */
function recall(index: HnswIndex, all: readonly Float32Array[]): number {
  let found = 0;
  for (const query of vectors(50, 16, 99)) {
    const scored = all.map((vector, node) => ({ node, cosine: cosine(query, vector) }));
    const nearest = scored.filter(({ node }) => !index.isDead(node)).sort((a, b) => b.cosine - a.cosine);
    const answer = new Set(index.search(query, 12));
    for (const { node } of nearest.slice(0, 10)) if (answer.has(node)) found++;
  }
  return found / 500;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return dot / Math.sqrt(aa * bb);
}

describe("dead nodes", () => {
  it("are never found, and are found again when revived", () => {
    onGraph((index) => {
      const all = vectors(400, 8);
      for (const vector of all) index.add(vector);
      for (let node = 0; node < 400; node += 3) index.markDead(node);
      expect(index.deadCount).toBe(134);
      for (const vector of all) for (const node of index.search(vector, 20)) expect(node % 3).not.toBe(0);
      expect(index.search(all[0]!, 400)).toHaveLength(266);
      index.revive(0);
      expect([index.search(all[0]!, 1), index.isDead(0), index.deadCount, index.size]).toEqual([[0], false, 133, 400]);
    });
  });

  it("may be marked and revived twice", () => {
    onGraph((index) => {
      index.add(good());
      index.revive(0);
      index.markDead(0);
      index.markDead(0);
      expect([index.deadCount, index.search(good(), 1)]).toEqual([1, []]);
      index.revive(0);
      index.revive(0);
      expect([index.deadCount, index.search(good(), 1)]).toEqual([0, [0]]);
    });
  });

  it("must be nodes", () => {
    onGraph((index) => {
      index.add(good());
      for (const node of [
        -1,
        1,
        0.5,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        2 ** 32,
        "0",
        0n,
        null,
        undefined,
      ] as number[])
        for (const work of [() => index.markDead(node), () => index.revive(node), () => index.isDead(node)])
          expect(refused(work)).toMatchObject({ code: 400, error: "invalid_node", param: "node" });
      expect([index.deadCount, index.search(good(), 1)]).toEqual([0, [0]]);
    });
  });
});

describe("searching", () => {
  it("clamps k to 1 and above, to 10,000 and to the live nodes", () => {
    onGraph((index) => {
      for (const vector of vectors(30, 8)) index.add(vector);
      index.markDead(0);
      const counts = [
        0,
        -1,
        Number.NEGATIVE_INFINITY,
        1.9,
        29,
        30,
        31,
        10_001,
        1e9,
        2 ** 32 + 1,
        Number.POSITIVE_INFINITY,
      ];
      expect(counts.map((k) => index.search(good(), k).length)).toEqual([1, 1, 1, 1, 29, 29, 29, 29, 29, 29, 29]);
      for (const k of [Number.NaN, "3", 3n, null, undefined, {}] as number[])
        expect(refused(() => index.search(good(), k))).toMatchObject({
          code: 400,
          error: "invalid_option",
          param: "k",
        });
    });
  });

  it("gives more nodes than efSearch", () => {
    onGraph(
      (index) => {
        for (const vector of vectors(200, 8)) index.add(vector);
        expect(index.search(good(), 150)).toHaveLength(150);
        expect(index.search(good(), 3)).toHaveLength(3);
      },
      { ...OPTIONS, efSearch: 1 },
    );
  });

  it("gives nothing when there is nothing alive", () => {
    onGraph((index) => {
      expect(index.search(good(), 3)).toEqual([]);
      for (const vector of vectors(10, 8)) index.markDead(index.add(vector));
      expect(index.search(good(), 3)).toEqual([]);
      expect([index.add(good()), index.search(good(), 3)]).toEqual([10, [10]]);
    });
  });

  it("answers alike when the same is built twice", () => {
    const answers: number[][][] = [];
    for (let round = 0; round < 2; round++)
      onGraph((index) => {
        for (const vector of vectors(1500, 8)) index.add(vector);
        for (let node = 0; node < 1500; node += 7) index.markDead(node);
        answers.push(vectors(100, 8, 5).map((query) => index.search(query, 25)));
      });
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe("closing", () => {
  it("makes later calls fail with 503, and may be repeated", () => {
    onGraph((index) => {
      index.add(good());
      index.dispose();
      index.dispose();
      const calls = [
        () => index.add(good()),
        () => index.search(good(), 1),
        () => index.markDead(0),
        () => index.revive(0),
        () => index.isDead(0),
      ];
      for (const call of calls) expect(refused(call)).toMatchObject({ code: 503, error: "closed" });
      expect(index.size).toBe(1);
    });
  });

  it("brings 400 graphs back to none", { timeout: 60_000 }, async () => {
    for (let round = 0; round < 400; round++) {
      onGraph((index) => {
        index.add(good());
        expect(liveNativeIndexes()).toBe(1);
        index.dispose();
        open.length = 0;
      });
      if (round % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(liveNativeIndexes()).toBe(0);
  });
});

/** The module anew, over a native package that only counts, and a machine with so much memory. */
async function withNative(native: unknown, memory = 2 ** 34): Promise<typeof import("../../src/vector/hnsw-addon.js")> {
  vi.resetModules();
  vi.doMock("node:module", () => ({ createRequire: () => () => native }));
  vi.doMock("node:os", () => ({ totalmem: () => memory }));
  try {
    return await import("../../src/vector/hnsw-addon.js");
  } finally {
    vi.doUnmock("node:module");
    vi.doUnmock("node:os");
  }
}

class CountingGraph {
  static calls: string[] = [];
  static failing = "";
  call(name: string, ...args: unknown[]): void {
    CountingGraph.calls.push(`${name} ${args.join(" ")}`);
    if (CountingGraph.failing === `${name} ${args[0]}`) throw new Error("from the native package");
  }
  initIndex = (...args: unknown[]): void => this.call("initIndex", ...args);
  resizeIndex = (...args: unknown[]): void => this.call("resizeIndex", ...args);
  addPoint = (_vector: unknown, ...args: unknown[]): void => this.call("addPoint", ...args);
  setEf = (...args: unknown[]): void => this.call("setEf", ...args);
  searchKnn = (_vector: unknown, ...args: unknown[]): { neighbors: number[] } => {
    this.call("searchKnn", ...args);
    return { neighbors: [] };
  };
}

describe("the native calls", () => {
  const native = { HierarchicalNSW: CountingGraph };
  const small = { ...OPTIONS, dimensions: 1 };

  beforeEach(() => {
    CountingGraph.calls = [];
    CountingGraph.failing = "";
  });

  it("start with one node, grow by doubling, and pass nothing of the caller's", async () => {
    const { HnswIndex } = await withNative(native);
    const index = HnswIndex.create(small)!;
    for (let node = 0; node < 2049; node++) Reflect.apply(index.add, index, [[1], 77, true]);
    Reflect.apply(index.search, index, [[1], 100, () => true]);
    index.dispose();
    expect(CountingGraph.calls.filter((call) => !call.startsWith("addPoint"))).toEqual([
      "initIndex 1 16 100 100 false",
      "resizeIndex 1024",
      "resizeIndex 2048",
      "resizeIndex 4096",
      "setEf 100",
      "searchKnn 100",
      "initIndex 1 2 4 100 false",
    ]);
    expect(CountingGraph.calls.filter((call) => call.startsWith("addPoint")).at(-1)).toBe("addPoint 2048");
  });

  it("are refused when 1,000 graphs are open", async () => {
    const { HnswIndex, liveNativeIndexes } = await withNative(native);
    const all = Array.from({ length: 1000 }, () => HnswIndex.create(small)!);
    expect(caught(() => HnswIndex.create(small))).toMatchObject({ code: 507, error: "index_full" });
    for (const index of all) index.dispose();
    expect(liveNativeIndexes()).toBe(0);
    expect(HnswIndex.create(small)).toBeDefined();
  });

  it("that fail while growing leave the graph open", async () => {
    const { HnswIndex, liveNativeIndexes } = await withNative(native);
    const index = HnswIndex.create(small)!;
    for (let node = 0; node < 1024; node++) index.add([1]);
    CountingGraph.failing = "resizeIndex 2048";
    expect(caught(() => index.add([1]))).toMatchObject({
      code: 507,
      error: "index_full",
      cause: new Error("from the native package"),
    });
    CountingGraph.failing = "";
    expect([index.add([1]), liveNativeIndexes()]).toEqual([1024, 1]);
  });

  it("that fail while adding close the graph", async () => {
    const { HnswIndex, liveNativeIndexes } = await withNative(native);
    const index = HnswIndex.create(small)!;
    CountingGraph.failing = "addPoint 0";
    expect(caught(() => index.add([1]))).toMatchObject({ code: 507, error: "index_full" });
    expect(caught(() => index.add([1]))).toMatchObject({ code: 503, error: "closed" });
    expect([index.size, liveNativeIndexes()]).toEqual([0, 0]);
  });

  it("that fail at the start or the end leave no graph", async () => {
    const { HnswIndex, liveNativeIndexes } = await withNative(native);
    const index = HnswIndex.create(small)!;
    CountingGraph.failing = "initIndex 1";
    expect(caught(() => HnswIndex.create(small))).toMatchObject({ code: 507, error: "index_full" });
    index.dispose();
    expect(liveNativeIndexes()).toBe(0);
  });

  it("are refused where the machine has too little memory", async () => {
    const { HnswIndex } = await withNative(native, 1_000_000);
    expect(caught(() => HnswIndex.create({ ...OPTIONS, dimensions: 4096 }))).toMatchObject({ code: 507 });
    expect(CountingGraph.calls).toEqual([]);
    const index = HnswIndex.create(small)!;
    expect(caught(() => Array.from({ length: 1e5 }, () => index.add([1])))).toMatchObject({ code: 507 });
    expect(index.size).toBe(2048);
  });

  it("are not made on a package without the class", async () => {
    const { HnswIndex, hnswAvailable, hnswProblem } = await withNative({});
    expect([HnswIndex.create(small), hnswAvailable()]).toEqual([undefined, false]);
    expect(hnswProblem()).toBeInstanceOf(Error);
  });
});

it("says why the native package is missing, when it is", () => {
  expect(hnswProblem() === undefined).toBe(hnswAvailable());
});
