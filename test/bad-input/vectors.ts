// Vectors that are none, and what an engine makes of each of them in every place where a vector may stand. The library is a
// parameter, and nothing else is imported: the same steps run here on the sources and in a child process on the build.

import type { Embedder, IndexSettings, SearchAnswer, SearchEngine } from "../../src/index.js";

/** What of the library is needed. */
export interface Library {
  readonly SearchEngine: typeof SearchEngine;
}

/** A kind of bad vector. */
export interface BadVector {
  readonly what: string;
  readonly make: () => unknown;
  /** In these places it means that there is no vector. */
  readonly absentAs?: readonly Place[];
  /** How a record with it is refused, where the record itself is at fault: `invalid_vector` otherwise. */
  readonly recordError?: "invalid_vector" | "record_cyclic";
}

/** Where a vector may stand: in a record, in a query, in what an embedder answers. */
export type Place = "record" | "query" | "answer";

/** A vector of the length that the indexes have. */
const good = (): number[] => [0.5, -0.25, 0.125, 1, 0.75, -1, 0.0625, 0.3];

function withAt(at: number, component: unknown): unknown[] {
  const vector: unknown[] = good();
  vector[at] = component;
  return vector;
}

function holed(): unknown {
  const vector = good();
  delete vector[2];
  return vector;
}

function cyclic(): unknown {
  const vector: unknown[] = good();
  vector[4] = vector;
  return vector;
}

const LENGTHS: readonly BadVector[] = [
  { what: "one component too few", make: () => good().slice(1) },
  { what: "one component too many", make: () => [...good(), 1] },
  { what: "an empty array", make: () => [] },
  { what: "a Float32Array of another length", make: () => new Float32Array(9).fill(1) },
  { what: "an empty Float64Array", make: () => new Float64Array() },
  { what: "an array with a length alone", make: () => Object.assign([], { length: 8 }) },
];

const COMPONENTS: readonly BadVector[] = [
  { what: "a string in the first place", make: () => withAt(0, "x") },
  { what: "a numeric string in the middle", make: () => withAt(3, "1") },
  { what: "a string in the last place", make: () => withAt(7, "x") },
  { what: "null inside", make: () => withAt(3, null) },
  { what: "undefined inside", make: () => withAt(3, undefined) },
  { what: "true inside", make: () => withAt(3, true) },
  { what: "a hole", make: holed },
  { what: "a BigInt inside", make: () => withAt(3, 1n) },
  { what: "a symbol inside", make: () => withAt(3, Symbol("x")) },
  { what: "a function inside", make: () => withAt(3, () => 1) },
  { what: "an object with valueOf inside", make: () => withAt(3, { valueOf: () => 1 }) },
  { what: "a Number object inside", make: () => withAt(3, Object(1)) },
  { what: "an array inside", make: () => withAt(3, [1]) },
  { what: "NaN", make: () => withAt(7, Number.NaN) },
  { what: "Infinity", make: () => withAt(0, Number.POSITIVE_INFINITY) },
  { what: "-Infinity", make: () => withAt(3, Number.NEGATIVE_INFINITY) },
  { what: "1e39, too large for 32 bits", make: () => withAt(3, 1e39) },
  { what: "1e300", make: () => withAt(7, 1e300) },
  { what: "a Float32Array with NaN", make: () => Float32Array.from(good()).fill(Number.NaN, 3, 4) },
  { what: "a Float64Array with 1e39", make: () => Float64Array.from(good()).fill(1e39, 3, 4) },
];

const SIZES: readonly BadVector[] = [
  { what: "components of 1e20", make: () => good().fill(1e20) },
  { what: "components of 1e-30", make: () => good().fill(1e-30) },
  { what: "denormals", make: () => good().fill(1e-40) },
  { what: "zeros", make: () => good().fill(0) },
  { what: "negative zeros in a Float32Array", make: () => new Float32Array(8).fill(-0) },
];

const KINDS: readonly BadVector[] = [
  { what: "itself inside", make: cyclic, recordError: "record_cyclic" },
  { what: "a Uint8Array", make: () => Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 255) },
  { what: "a BigInt64Array", make: () => new BigInt64Array(8).fill(1n) },
  { what: "a DataView", make: () => new DataView(new ArrayBuffer(32)) },
  { what: "an ArrayBuffer", make: () => new ArrayBuffer(8) },
  { what: "a SharedArrayBuffer", make: () => new SharedArrayBuffer(8) },
  { what: "an array-like", make: () => ({ ...good(), length: 8 }) },
  { what: "an array-like without numbers", make: () => ({ length: 8 }) },
  { what: "a Set", make: () => new Set(good()) },
  { what: "a Promise of a vector", make: () => Promise.resolve(good()) },
  { what: "a string of that length", make: () => "12345678" },
  { what: "a list as text", make: () => "1,2,3,4,5,6,7,8" },
  { what: "a number", make: () => 8 },
  { what: "true", make: () => true },
  { what: "a function", make: () => good },
  { what: "null", make: () => null, absentAs: ["record", "answer"] },
  { what: "undefined", make: () => undefined, absentAs: ["record", "query"] },
];

/** All kinds. */
export const BAD_VECTORS: readonly BadVector[] = [...LENGTHS, ...COMPONENTS, ...SIZES, ...KINDS];

/** What came of a bad vector. */
export interface Outcome {
  readonly record: string;
  readonly query: string;
  /** As an embedder's answer for a record. */
  readonly added: string;
  /** As an embedder's answer for a query: the legs that ran, and the codes of the warnings. */
  readonly asked: readonly string[];
  /** Nothing that can be seen has changed. */
  readonly unchanged: boolean;
  /** What was thrown. */
  readonly errors: readonly unknown[];
}

/** An engine with an index of records' own vectors, and one of an embedder's. */
export interface Bench {
  readonly engine: SearchEngine;
  /** Makes the embedder answer with this vector; undefined: rightly again. */
  readonly break: (make: (() => unknown) | undefined) => void;
  readonly warnings: string[];
  /** A query with a text of its own, whose vector nobody remembers. */
  readonly newQuery: () => string;
}

/** Sets up an engine of the given library, with native code for vectors where it can be used. */
export async function openBench({ SearchEngine: Engine }: Library): Promise<Bench> {
  let broken: (() => unknown) | undefined;
  const warnings: string[] = [];
  const embedder: Embedder = {
    id: "bench",
    dimensions: 8,
    retries: 0,
    embed: async (texts) =>
      texts.map((_, i) => (broken === undefined ? good().with(i % 8, 0.9) : broken()) as number[]),
  };
  const engine = new Engine({ embedder: false, onWarning: ({ code }) => warnings.push(code) });
  const vectorIndex = { kind: engine.capabilities().hnswlib ? "hnswlib" : "hnsw" } as const;
  const settings: readonly (readonly [string, IndexSettings])[] = [
    ["near", { vectorAttribute: "vector", dimensions: 8, vectorIndex }],
    ["meant", { embedder, vectorIndex }],
  ];
  for (const [name, own] of settings) {
    const index = await engine.createIndex(name, own);
    await engine.addRecords<object>(name, [
      { id: 1, title: "Drill", vector: good() },
      { id: 2, title: "Drill stand", vector: good().reverse() },
    ]);
    await index.whenIdle();
  }
  let queries = 0;
  return { engine, break: (make) => (broken = make), warnings, newQuery: () => `drill ${"i".repeat(++queries)}` };
}

/** Puts a bad vector in every place; the bench is as before afterwards. */
export async function tryVector(bench: Bench, { make }: BadVector): Promise<Outcome> {
  const { engine, warnings } = bench;
  const errors: unknown[] = [];
  const attempt = async (run: () => Promise<unknown>): Promise<string> =>
    run().then(
      () => "OK",
      (error: unknown) => {
        errors.push(error);
        return error instanceof Error && "code" in error && "error" in error
          ? `${error.code} ${error.error}`
          : String(error);
      },
    );
  const before = await picture(engine);
  const fresh = { id: "new", title: "Drill bit" };
  const bad = { ...fresh, vector: make() };
  const record = await attempt(() => engine.addRecords<object>("near", [{ id: 1, title: "Replaced" }, bad]));
  const query = await attempt(() => engine.query("near", { query: "drill", vector: make() as number[] }));
  bench.break(make);
  const added = await attempt(() => engine.addRecords<object>("meant", [fresh]));
  warnings.length = 0;
  const answer = await engine.query("meant", { query: bench.newQuery() });
  bench.break(undefined);
  const asked = [...answer.data.recallSource, ...warnings];
  const unchanged = (await picture(engine)) === before;
  return { record, query, added, asked, unchanged, errors };
}

/** Removes what a vector that was none has left. */
export async function tidy({ engine }: Bench): Promise<void> {
  await engine.deleteRecords("near", ["new"]);
  await engine.deleteRecords("meant", ["new"]);
  await engine.addRecords<object>("near", [{ id: 1, title: "Drill", vector: good() }]);
}

async function picture(engine: SearchEngine): Promise<string> {
  const seen: unknown[] = [await engine.listIndexes()];
  for (const name of ["near", "meant"]) {
    for (const params of [{ query: "" }, { query: "drill" }, { query: "x", vector: good() }])
      seen.push(withoutTimes(await engine.query(name, params)));
    seen.push(await engine.getRecords(name, [1, 2, "new"]));
  }
  return JSON.stringify(seen);
}

function withoutTimes({ data }: SearchAnswer): unknown {
  return { ...data, serverTimeMS: 0, processingTimeMS: 0 };
}
