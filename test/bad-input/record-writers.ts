// Rows A52, A59 to A62 and A69: embedders and analyzers that fail, writers that meet, indexes that grow or are full.

import { expect } from "vitest";
import { searchError } from "./message-rules.js";
import { type Refusal, type Row, refusedEach } from "./row.js";
import { idsOf, rec, vectorOf, type World } from "./world.js";

const FAILED: Refusal = { code: 502, error: "embedder_failed", param: "embedder" };
type Answer = (texts: readonly string[]) => unknown;

const vectors: Answer = (texts) => texts.map((_, i) => vectorOf(i));
const withLast =
  (last: unknown): Answer =>
  (texts) => [...texts.slice(1).map((_, i) => vectorOf(i)), last];

function fail(reason: unknown): Answer {
  return () => {
    throw reason;
  };
}

/** A right list of vectors whose own iterator gives none of them. */
function misleading(texts: readonly string[]): unknown {
  return Object.assign(
    texts.map((_, i) => vectorOf(i)),
    { *[Symbol.iterator]() {} },
  );
}

function addMeant(world: World, answer: unknown, options?: unknown): unknown {
  world.embedder.answer = answer as Answer;
  return world.add([rec({ id: "a" }), rec({ id: "b", title: "Lamp stand" })], "meant", options);
}

const SEAMS: readonly Row[] = [
  ...refusedEach(
    "A52",
    "an embedder that",
    [
      ["throws", fail(new Error("no model"))],
      ["throws a text", fail("no model")],
      ["throws undefined", fail(undefined)],
      ["rejects", () => Promise.reject(new Error("no model"))],
      ["throws what looks like an abort", fail(Object.assign(new Error("x"), { code: 499, name: "AbortError" }))],
      ["answers undefined", () => undefined],
      ["answers a text", () => "12"],
      ["answers an array-like", () => ({ 0: vectorOf(0), 1: vectorOf(1), length: 2 })],
      ["answers one vector for two texts", () => [vectorOf(0)]],
      ["answers three vectors for two texts", () => [vectorOf(0), vectorOf(1), vectorOf(2)]],
      ["answers promises of vectors", (texts: readonly string[]) => texts.map((_, i) => Promise.resolve(vectorOf(i)))],
      [
        "answers a revoked Proxy",
        () => {
          const { proxy, revoke } = Proxy.revocable([], {});
          revoke();
          return proxy;
        },
      ],
    ],
    addMeant,
    FAILED,
  ),
  {
    row: "A52",
    what: "the error of an embedder is kept",
    run: (world) => addMeant(world, fail(new Error("no model"))),
    expect: { ...FAILED, cause: /no model/ },
  },
  {
    row: "A52",
    what: "the text of a bad vector is named by position",
    run: (world) => addMeant(world, withLast([1, 2])),
    expect: { ...FAILED, msg: /text 1/ },
  },
  {
    row: "A52",
    what: "an answer whose iterator gives nothing: what the list holds counts",
    run: (world) => addMeant(world, misleading),
    expect: async (result, world) => {
      expect(result).toEqual({ added: 2, replaced: 0 });
      expect((await world.ask({ query: "x", vector: vectorOf(1), semanticWeight: 1 }, "meant")).hits[0]?.score).toBe(1);
    },
  },
  {
    row: "A52",
    what: "an embedder that hangs, and a signal",
    run: (world) => addMeant(world, () => new Promise(() => {}), { signal: AbortSignal.timeout(30) }),
    expect: { code: 499, error: "aborted", param: "signal" },
  },
  {
    row: "A52",
    what: "an embedder that hung does not stand in the way of the next",
    run: async (world) => {
      const first = addMeant(world, () => new Promise(() => {}), { signal: AbortSignal.timeout(30) });
      const second = new Promise((resolve) => setTimeout(() => resolve(addMeant(world, vectors)), 50));
      return [await Promise.resolve(first).catch((error: unknown) => error), await second];
    },
    expect: (result) => expect(result).toEqual([expect.objectContaining({ code: 499 }), { added: 2, replaced: 0 }]),
  },
  {
    row: "A52",
    what: "no vector for a text",
    run: (world) => addMeant(world, withLast(null)),
    expect: (result) => expect(result).toEqual({ added: 2, replaced: 0 }),
  },
  ...(
    [
      ["throws", fail(new Error("no words"))],
      ["answers nothing", () => undefined],
      ["answers no texts", () => [1, null, {}]],
    ] as const
  ).map(
    ([what, analyze]): Row => ({
      row: "A52",
      what: `an analyzer that ${what} is refused, or ignored, by an error of ours`,
      run: async (world) => {
        await world.create("new", { analyzer: { id: "own", analyze } });
        const thrown = [];
        for (const work of [() => world.add([rec()], "new"), () => world.ask({ query: "lamp" }, "new")])
          thrown.push(
            await work().then(
              () => undefined,
              (error: unknown) => error,
            ),
          );
        return thrown.filter((error) => error !== undefined);
      },
      expect: (result) => {
        for (const error of result as unknown[]) searchError(error);
      },
    }),
  ),
];

const MEETING: readonly Row[] = [
  {
    row: "A59",
    what: "two writers with the same ids: one batch after the other",
    run: async (world) => {
      const batch = (n: number): unknown[] => Array.from({ length: 50 }, (_, id) => ({ id, n, title: "Unicycle" }));
      await Promise.all([world.add(batch(1)), world.add(batch(2)), world.add(batch(3))]);
      const records = (await world.get(Array.from({ length: 50 }, (_, id) => id))) as { readonly n: number }[];
      return [[...new Set(records.map(({ n }) => n))], (await world.ask({ query: "unicycle" })).nbHits];
    },
    expect: (result) => expect(result).toEqual([[3], 50]),
  },
  {
    row: "A60",
    what: "queries while adding see before or after",
    run: async (world) => {
      const seen = new Set<number>();
      let writing = true;
      const done = Promise.resolve(
        world.add(Array.from({ length: 3000 }, (_, id) => ({ id: `u${id}`, title: "Unicycle" }))),
      ).then(() => (writing = false));
      while (writing) {
        seen.add((await world.ask({ query: "unicycle", hitsPerPage: 0 })).nbHits);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await done;
      seen.add((await world.ask({ query: "unicycle", hitsPerPage: 0 })).nbHits);
      return [...seen];
    },
    expect: (result) => expect(result).toEqual([0, 3000]),
  },
  {
    row: "A61",
    what: "an index that grows from 64 to 5,000 vectors",
    run: async (world) => {
      const handle = await world.engine.createIndex("grown", {
        vectorAttribute: "v",
        dimensions: 8,
        vectorIndex: { kind: "hnsw" },
      });
      for (const [from, to] of [
        [0, 64],
        [64, 1100],
        [1100, 5000],
      ] as const)
        await handle.addRecords(Array.from({ length: to - from }, (_, i) => ({ id: from + i, v: vectorOf(from + i) })));
      await handle.whenIdle();
      const ids = [0, 63, 64, 1099, 4999];
      const answers = await Promise.all(
        ids.map((i) => world.ask({ query: "", vector: vectorOf(i), hitsPerPage: 1 }, "grown")),
      );
      return answers.map((answer) => idsOf(answer)[0]);
    },
    expect: (result) => expect(result).toEqual(["0", "63", "64", "1099", "4999"]),
  },
  {
    row: "A62",
    what: "an index that is full",
    options: { limits: { indexRecords: 4 } },
    run: (world) => world.add([rec({ id: 4 }), rec({ id: 5 })]),
    expect: { code: 507, error: "index_full", param: "records" },
  },
  {
    row: "A62",
    what: "replacing in an index that is full",
    options: { limits: { indexRecords: 3 } },
    run: async (world) => [await world.add([rec({ id: 1 })]), await world.found("drill")],
    expect: (result) => expect(result).toEqual([{ added: 0, replaced: 1 }, ["3", "two"]]),
  },
  {
    row: "A69",
    what: "6,000 additions and deletions of random ids leave no ghost",
    run: churn,
    expect: (result) => expect(result).toEqual([]),
  },
];

/** Compares the index with a Map after each round; gives the rounds that differ. */
async function churn(world: World): Promise<unknown> {
  await world.create("new");
  const model = new Map<string, string>();
  const wrong: number[] = [];
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 60; round++) {
    const batch = Array.from({ length: 70 }, () => ({ id: `r${random(300)}`, title: `Unicycle ${round}` }));
    await world.add(batch, "new");
    for (const { id, title } of batch) model.set(id, title);
    const ids = Array.from({ length: 30 }, () => `r${random(300)}`);
    await world.delete(ids, "new");
    for (const id of ids) model.delete(id);
    const { nbHits, hits } = await world.ask({ query: "unicycle", matching: "any", hitsPerPage: 1000 }, "new");
    const right = hits.every(({ id, source }) => (source as { title: string }).title === model.get(id));
    if (nbHits !== model.size || hits.length !== model.size || !right) wrong.push(round);
  }
  return wrong;
}

/** Rows A52, A59 to A62, A69. */
export const WRITERS: readonly Row[] = [...SEAMS, ...MEETING];
