// Bad vectors of every kind, as vectors of records and of queries and as answers of an embedder: each is refused, or the
// words answer alone.

import { afterAll, beforeAll, expect, it } from "vitest";
import { type Embedder, type IndexSettings, type SearchAnswer, SearchEngine } from "../../src/index.js";
import { expectCleanPrototypes, expectMessageRules, searchError } from "./message-rules.js";

/** A kind of bad vector. */
interface BadVector {
  readonly what: string;
  readonly make: () => unknown;
  /** In these places it means that there is no vector. */
  readonly absentAs: readonly Place[];
  /** How a record with it is refused. */
  readonly recordError: "invalid_vector" | "record_cyclic";
}

/** Where a vector may stand: in a record, in a query, in what an embedder answers. */
type Place = "record" | "query" | "answer";

/** A vector of the length that the indexes have. */
const good = (): number[] => [0.5, -0.25, 0.125, 1, 0.75, -1, 0.0625, 0.3];

const withAt = (at: number, component: unknown): unknown[] => (good() as unknown[]).with(at, component);

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

const MADE: Readonly<Record<string, () => unknown>> = {
  "one component too few": () => good().slice(1),
  "one component too many": () => [...good(), 1],
  "an empty array": () => [],
  "a Float32Array of another length": () => new Float32Array(9).fill(1),
  "an empty Float64Array": () => new Float64Array(),
  "an array with a length alone": () => Object.assign([], { length: 8 }),
  "a string in the first place": () => withAt(0, "x"),
  "a numeric string in the middle": () => withAt(3, "1"),
  "a string in the last place": () => withAt(7, "x"),
  "null inside": () => withAt(3, null),
  "undefined inside": () => withAt(3, undefined),
  "true inside": () => withAt(3, true),
  "a hole": holed,
  "a BigInt inside": () => withAt(3, 1n),
  "a symbol inside": () => withAt(3, Symbol("x")),
  "a function inside": () => withAt(3, () => 1),
  "an object with valueOf inside": () => withAt(3, { valueOf: () => 1 }),
  "a Number object inside": () => withAt(3, Object(1)),
  "an array inside": () => withAt(3, [1]),
  NaN: () => withAt(7, Number.NaN),
  Infinity: () => withAt(0, Number.POSITIVE_INFINITY),
  "-Infinity": () => withAt(3, Number.NEGATIVE_INFINITY),
  "1e39, too large for 32 bits": () => withAt(3, 1e39),
  "1e300": () => withAt(7, 1e300),
  "a Float32Array with NaN": () => Float32Array.from(good()).fill(Number.NaN, 3, 4),
  "a Float64Array with 1e39": () => Float64Array.from(good()).fill(1e39, 3, 4),
  "components of 1e20": () => good().fill(1e20),
  "components of 1e-30": () => good().fill(1e-30),
  denormals: () => good().fill(1e-40),
  zeros: () => good().fill(0),
  "negative zeros in a Float32Array": () => new Float32Array(8).fill(-0),
  "itself inside": cyclic,
  "a Uint8Array": () => Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 255),
  "a BigInt64Array": () => new BigInt64Array(8).fill(1n),
  "a DataView": () => new DataView(new ArrayBuffer(32)),
  "an ArrayBuffer": () => new ArrayBuffer(8),
  "a SharedArrayBuffer": () => new SharedArrayBuffer(8),
  "an array-like": () => ({ ...good(), length: 8 }),
  "an array-like without numbers": () => ({ length: 8 }),
  "a Set": () => new Set(good()),
  "a Promise of a vector": () => Promise.resolve(good()),
  "a string of that length": () => "12345678",
  "a list as text": () => "1,2,3,4,5,6,7,8",
  "a number": () => 8,
  true: () => true,
  "a function": () => good,
  null: () => null,
  undefined: () => undefined,
};

/** Where no vector is what is meant. */
const ABSENT: Readonly<Record<string, readonly Place[]>> = {
  null: ["record", "answer"],
  undefined: ["record", "query"],
};

/** All kinds. */
const BAD_VECTORS: readonly BadVector[] = Object.entries(MADE).map(([what, make]) => ({
  ...{ what, make, absentAs: ABSENT[what] ?? [] },
  recordError: what === "itself inside" ? "record_cyclic" : "invalid_vector",
}));

/** What came of a bad vector. */
interface Outcome {
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
interface Bench {
  readonly engine: SearchEngine;
  /** Makes the embedder answer with this vector; undefined: rightly again. */
  readonly break: (make: (() => unknown) | undefined) => void;
  readonly warnings: string[];
  /** A query with a text of its own, whose vector nobody remembers. */
  readonly newQuery: () => string;
}

/** Sets up an engine, with native code for vectors where it can be used. */
async function openBench(): Promise<Bench> {
  let broken: (() => unknown) | undefined;
  const warnings: string[] = [];
  const embedder: Embedder = {
    id: "bench",
    dimensions: 8,
    retries: 0,
    embed: async (texts) =>
      texts.map((_, i) => (broken === undefined ? good().with(i % 8, 0.9) : broken()) as number[]),
  };
  const engine = new SearchEngine({ embedder: false, onWarning: ({ code }) => warnings.push(code) });
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
async function tryVector(bench: Bench, { make }: BadVector): Promise<Outcome> {
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
async function tidy({ engine }: Bench): Promise<void> {
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

/** What must come of a bad vector. */
function due({ absentAs, recordError }: BadVector): Omit<Outcome, "errors"> {
  const answersNothing = absentAs.includes("answer");
  return {
    record: absentAs.includes("record") ? "OK" : `400 ${recordError}`,
    query: absentAs.includes("query") ? "OK" : "400 invalid_vector",
    added: answersNothing ? "OK" : "502 embedder_failed",
    asked: answersNothing ? ["fullTextSearch"] : ["fullTextSearch", "embedder_failed"],
    unchanged: !absentAs.includes("record") && !answersNothing,
  };
}

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.engine.close());

it.each(BAD_VECTORS.map((vector) => [vector.what, vector] as const))("%s", async (_what, vector) => {
  const { errors, ...outcome } = await tryVector(bench, vector);
  await tidy(bench);
  expect(outcome).toEqual(due(vector));
  for (const error of errors) expectMessageRules(searchError(error));
  expectCleanPrototypes();
});
