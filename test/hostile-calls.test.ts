// What a caller may pass or do to harm a process, by the public verbs: waits that nobody ends, signals that live for ever, embedders
// that answer what they should not, and verbs that run at the same time.

import { describe, expect, it } from "vitest";
import { evaluate } from "../src/evaluation.js";
import { type Embedder, type JsonRecord, SearchEngine, type SearchIndex } from "../src/index.js";
import { rejectionOf } from "./support/refusal.js";
import { plainRecords } from "./support/word-embedder.js";

const RECORDS = [
  { id: 1, title: "lamp", n: 1 },
  { id: 2, title: "red lamp", n: 2 },
];

const one: Embedder = { id: "one", dimensions: 2, retries: 0, embed: async (texts) => texts.map(() => [1, 0]) };

describe("a wait for an embedder that never answers", () => {
  /** An embedder whose calls for queries hang: all of them, those of one text, those of many, or those by parts. */
  class Hung implements Embedder {
    readonly id = "hung";
    readonly dimensions = 2;
    readonly signals: (AbortSignal | undefined)[] = [];
    hangs: "never" | "always" | "probes" | "parts" = "never";

    knows(): boolean {
      return true;
    }

    async embed(texts: readonly string[], { signal }: { readonly signal?: AbortSignal }): Promise<number[][]> {
      const isProbe = texts.length > 1;
      if (this.hangs === "always" || (this.hangs === "probes" && isProbe)) return this.hang(signal);
      return texts.map((_, i) => [1, i]);
    }

    async embedParts(_parts: unknown, { signal }: { readonly signal?: AbortSignal }): Promise<number[]> {
      return this.hangs === "parts" ? ((await this.hang(signal)) as never) : [1, 0];
    }

    private hang(signal: AbortSignal | undefined): Promise<never> {
      this.signals.push(signal);
      return new Promise(() => {});
    }
  }

  const CALLS: readonly (readonly [
    what: string,
    hangs: Hung["hangs"],
    call: (index: SearchIndex) => Promise<unknown>,
  ])[] = [
    ["query", "always", (index) => index.query({ query: "lamp" })],
    ["query, for the floor", "probes", (index) => index.query({ query: "lamp" })],
    ["query, for words that no record holds", "parts", (index) => index.query({ query: "xqzt" })],
    ["getSettings", "probes", (index) => index.getSettings()],
    ["similar", "probes", (index) => index.similar("r1")],
    ["whyNot", "always", (index) => index.whyNot({ query: "lamp" }, "r1")],
    ["searchForFacetValues", "always", (index) => index.searchForFacetValues({ query: "lamp", facetName: "title" })],
    ["suggest", "always", (index) => index.suggest({ query: "lamp", hitsPerPage: 1 })],
    ["addRecords", "always", (index) => index.addRecords([{ id: "new", title: "new" }])],
    ["updateSettings", "always", (index) => index.updateSettings({ searchableAttributes: ["id"] })],
  ];
  const ENDS: readonly (readonly [string, (engine: SearchEngine) => Promise<void>, object])[] = [
    ["close", (engine) => engine.close(), { code: 503, error: "closed" }],
    ["deleteIndex", (engine) => engine.deleteIndex("a"), { code: 404, error: "index_not_found" }],
    ["moveIndex onto another name", (engine) => engine.moveIndex("a", "b"), { code: 404, error: "index_not_found" }],
  ];

  describe.each(ENDS)("ends with %s", (verb, end, expected) => {
    it.each(
      CALLS.filter(([what]) => verb !== "moveIndex onto another name" || !/addRecords|updateSettings/.test(what)),
    )("in %s", async (_what, hangs, call) => {
      const embedder = new Hung();
      const engine = new SearchEngine({ embedder });
      const index = await engine.createIndex("a");
      await index.addRecords(plainRecords(40));
      embedder.hangs = hangs;
      const pending = rejectionOf(call(index));
      for (let turn = 0; turn < 100 && embedder.signals.length === 0; turn++)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await end(engine);
      expect(await pending).toMatchObject(expected);
      expect(embedder.signals.map((signal) => signal?.aborted)).toEqual([true]);
    });
  });

  it("ends with the signal of the call", async () => {
    const embedder = new Hung();
    const index = await new SearchEngine({ embedder }).createIndex("a");
    await index.addRecords(plainRecords(40));
    embedder.hangs = "always";
    const controller = new AbortController();
    const pending = rejectionOf(index.query({ query: "lamp" }, { signal: controller.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort("enough");
    expect(await pending).toMatchObject({ code: 499, error: "aborted", cause: "enough" });
  });
});

describe("a signal that lives long", () => {
  it("keeps no listener of a call that has ended, well or not, and one for all that run", async () => {
    const { signal } = new AbortController();
    const counts: number[] = [];
    let listeners = 0;
    const counting =
      (by: number, call: (...args: never) => void) =>
      (...args: readonly unknown[]): void => {
        listeners += by;
        counts.push(listeners);
        Reflect.apply(call, signal, args);
      };
    Object.assign(signal, {
      addEventListener: counting(1, signal.addEventListener),
      removeEventListener: counting(-1, signal.removeEventListener),
    });
    const engine = new SearchEngine({ embedder: one });
    const index = await engine.createIndex("a");
    const options = { signal };
    await Promise.all(RECORDS.map(async (record) => index.addRecords([record], options)));
    await Promise.all([
      index.query({ query: "lamp" }, options),
      index.updateRecords(RECORDS, options),
      index.searchForFacetValues({ query: "", facetName: "title" }, options),
      index.suggest({ query: "la" }, options),
      index.digest(options),
      index.deleteBy({ filters: { n: 1 } }, options),
      index.deleteRecords([1], options),
      rejectionOf(index.query({ query: "lamp", page: 0 }, options)),
      rejectionOf(index.addRecords([{}], options)),
      rejectionOf(index.addRecords([], { signal, createIfNotExists: 1 } as object)),
      index.replaceAllRecords(RECORDS, options),
    ]);
    await index.updateSettings({ searchableAttributes: ["title"] }, options);
    const judgements = { queries: [{ id: "q", query: "lamp" }], qrels: [{ queryId: "q", recordId: 1, relevance: 1 }] };
    await evaluate("a", judgements, { engine, signal, resamples: 100 });
    await rejectionOf(evaluate("none", judgements, { engine, signal }));
    expect([listeners, Math.max(...counts)]).toEqual([0, 1]);
  });

  it("aborts all calls that were given it", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const index = await new SearchEngine({ embedder: false }).createIndex("a");
    const calls = [1, 2, 3].map((id) => rejectionOf(index.addRecords([{ id }], { signal })));
    controller.abort();
    for (const call of calls) expect(await call).toMatchObject({ code: 499 });
    expect(await rejectionOf(index.query({ query: "" }, { signal }))).toMatchObject({ code: 499 });
  });

  it("may be that of many calls at once, without a word from Node", async () => {
    const warned: Error[] = [];
    const note = (warning: Error): void => void warned.push(warning);
    process.on("warning", note);
    const index = await new SearchEngine({ embedder: one }).createIndex("a");
    const { signal } = new AbortController();
    const ids = Array.from({ length: 200 }, (_, id) => id);
    await Promise.all(ids.map(async (id) => index.addRecords([{ id, title: "lamp" }], id % 2 === 0 ? { signal } : {})));
    await Promise.all(ids.map(async () => index.query({ query: "lamp" }, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect([warned, index.recordCount]).toEqual([[], 200]);
  });
});

describe("what a call throws is a SearchError", () => {
  it("for an embedder that answers too many vectors", async () => {
    const embed = async (): Promise<number[][]> => new Array<number[]>(4e9);
    const index = await new SearchEngine({ embedder: { ...one, embed } }).createIndex("a");
    const failed = { code: 502, error: "embedder_failed", param: "embedder" };
    expect(await rejectionOf(index.addRecords(RECORDS))).toMatchObject(failed);
    expect(index.recordCount).toBe(0);
  });

  it("for an embedder of many texts at once, there is none", async () => {
    const index = await new SearchEngine({ embedder: { ...one, maxBatchSize: 1_000_000 } }).createIndex("a");
    await index.addRecords(Array.from({ length: 40 }, (_, id) => ({ id, title: "lamp" })));
    expect((await index.query({ query: "lamp" })).data.nbHits).toBe(40);
  });

  it("and none for what the greatest limits allow", async () => {
    const limits = { filterDepth: 256, filterBytes: 1e6, recordDepth: 256, recordBytes: 1e6, semanticDepth: 1e7 };
    const index = await new SearchEngine({ embedder: one, limits }).createIndex<JsonRecord>("a");
    let deep: JsonRecord = { end: "lamp" };
    for (let level = 2; level < 256; level++) deep = { deep };
    await index.addRecords([{ id: 1, deep, n: 1 }]);
    const filters = `${"(".repeat(255)}n:1${")".repeat(255)}`;
    const found = await index.query({ query: "lamp", filters, semanticDepth: 1e7, attributesToHighlight: ["deep"] });
    expect(found.data.nbHits).toBe(1);
    const tooDeep = `(${filters})`;
    expect((await rejectionOf(index.query({ query: "", filters: tooDeep }))).error).toBe("filter_too_complex");
    expect((await rejectionOf(index.addRecords([{ id: 2, deep: { deep } }]))).error).toBe("record_too_large");
  });
});

describe("verbs that run at the same time", () => {
  const titles = async (index: SearchIndex): Promise<unknown[]> =>
    (await index.query({ query: "", sort: ["id:asc"] })).data.hits.map(({ source }) => source.title);
  const shop = async () => {
    const engine = new SearchEngine({ embedder: false });
    const a = await engine.createIndex("a");
    await a.addRecords([{ id: 1, title: "first" }]);
    return { engine, a };
  };

  it("moveIndex leaves an index alone that was made under the old name meanwhile", async () => {
    for (let turns = 0; turns < 30; turns++) {
      const { engine } = await shop();
      const moved = engine.moveIndex("a", "b").catch((error: unknown) => error);
      for (let turn = 0; turn < turns; turn++) await null;
      void engine.deleteIndex("a").catch(() => {});
      const fresh = await engine.createIndex("a");
      await fresh.addRecords([{ id: 2, title: "second" }]);
      await moved;
      expect(await titles(engine.index("a"))).toEqual(["second"]);
      expect(await titles(fresh)).toEqual(["second"]);
    }
  });

  it("the old name is free as soon as the index has moved", async () => {
    const { engine } = await shop();
    const moved = engine.moveIndex("a", "b");
    let made: SearchIndex | undefined;
    while (made === undefined) {
      await null;
      if (await hasMoved(engine)) made = await engine.createIndex("a", {}, { ifExists: "open" });
    }
    await made.addRecords([{ id: 2, title: "second" }]);
    await moved;
    expect(await titles(engine.index("a"))).toEqual(["second"]);
    expect(await titles(engine.index("b"))).toEqual(["first"]);
  });

  async function hasMoved(engine: SearchEngine): Promise<boolean> {
    return (await engine.listIndexes()).some(({ name }) => name === "b");
  }

  it("a copy arrives though another copy to the same new name fails", async () => {
    const { engine } = await shop();
    const c = await engine.createIndex("c");
    const failing = rejectionOf(engine.copyIndex("c", "b"));
    const copied = engine.copyIndex("a", "b");
    await engine.deleteIndex("c");
    expect(await failing).toMatchObject({ code: 404 });
    await copied;
    expect(await titles(engine.index("b"))).toEqual(["first"]);
    expect(() => c.recordCount).not.toThrow();
  });

  it("each of them either happens or is refused, and every name answers as its handle", async () => {
    for (let seed = 0; seed < 60; seed++) {
      const { engine, a } = await shop();
      const verbs: (() => Promise<unknown>)[] = [
        () => engine.copyIndex("a", "b"),
        () => engine.moveIndex("a", "b"),
        () => engine.moveIndex("b", "a"),
        () => a.replaceAllRecords([{ id: 2, title: "second" }]),
        () => engine.deleteIndex("a"),
        () => engine.createIndex("a", {}, { ifExists: "open" }),
        () => engine.createIndex("b", {}, { ifExists: "open" }),
      ];
      const order = verbs
        .map((verb, i) => ({ verb, at: (seed * 31 + i * (seed + 7)) % 13 }))
        .sort((x, y) => x.at - y.at);
      const running: Promise<unknown>[] = [];
      for (const { verb, at } of order) {
        running.push(verb().catch((error: unknown) => error));
        for (let turn = 0; turn < at % 4; turn++) await null;
      }
      for (const outcome of await Promise.all(running))
        if (outcome instanceof Error) expect(outcome).toMatchObject({ error: "index_not_found" });
      for (const { name, records } of await engine.listIndexes()) {
        const handle = engine.index(name);
        expect(await titles(handle)).toHaveLength(records);
        await handle.addRecords([{ id: 3, title: "third" }]);
        expect(await titles(engine.index(name))).toHaveLength(records + 1);
      }
      await engine.close();
    }
  });
});
