// Every verb of an engine on a cluster does what it does in one process: the same calls give the same values, scores and errors.

import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/api/engine.js";
import { evaluate } from "../../src/evaluation.js";
import {
  createStaticEnEmbedder,
  type IndexSettings,
  type JsonRecord,
  listIndexes,
  query,
  type SearchIndex,
  type SearchParams,
  setDefaultEngine,
} from "../../src/index.js";
import { answerRequest, hashKey } from "../../src/service.js";
import { allOf } from "../support/all-of.js";
import { clusterEngines, type EnginePair } from "../support/cluster-engines.js";
import { rejectionOf } from "../support/refusal.js";
import { WordEmbedder } from "../support/word-embedder.js";
import { makeTable } from "../support/word-table.js";

const { open, pair } = clusterEngines();

const BRANDS = ["Volt", "Steelhand", "Nordlicht"];
const THINGS = ["cordless drill", "hammer drill", "drill bits", "battery charger", "claw hammer", "desk lamp"];
const RECORDS: readonly JsonRecord[] = Array.from({ length: 40 }, (_, i) => ({
  id: i % 7 === 0 ? i : `p-${i}`,
  title: `${BRANDS[i % 3]} ${THINGS[i % 6]} ${i % 4 === 0 ? "18V" : `DX-${100 + i}`}`,
  brand: BRANDS[i % 3]!,
  price: ((i * 37) % 100) / 4,
  inStock: i % 3 !== 1,
  added: `2026-0${(i % 9) + 1}-15`,
  stock: i % 5,
  tags: i % 2 === 0 ? ["tool", "garden"] : ["tool"],
  sku: `SKU-${1000 + i}`,
  _geoloc: { lat: 50 + i / 100, lng: 8 - i / 100 },
  variants: [
    { color: i % 2 === 0 ? "red" : "blue", size: i % 4 },
    { color: "black", size: 9 },
  ],
}));
const SETTINGS: IndexSettings = {
  searchableAttributes: ["title", { attribute: "brand", weight: 2 }, "tags"],
  synonyms: [{ type: "synonym", synonyms: ["charger", "loader"] }],
};

/** A verb with its arguments, right or wrong, or what else asks an engine. */
type Call = readonly [verb: keyof Engine, ...args: unknown[]] | ((engine: Engine) => Promise<unknown>);

function make(engine: Engine, call: Call): Promise<unknown> {
  if (typeof call === "function") return call(engine);
  const [verb, ...args] = call;
  const answer = (engine[verb] as (...args: unknown[]) => unknown).apply(engine, args);
  return verb === "browseRecords" ? allOf(answer as AsyncIterable<unknown>) : (answer as Promise<unknown>);
}

/** Both engines say the same to each call, and hold the same afterwards. */
async function sameAll(engines: EnginePair, calls: readonly Call[]): Promise<void> {
  for (const call of [...calls, pictureOf]) {
    const [embedded, cluster] = await engines.both((engine) => make(engine, call));
    expect(cluster, JSON.stringify(call)?.slice(0, 100)).toEqual(embedded);
  }
}

async function pictureOf(engine: Engine): Promise<unknown> {
  const indexes = await engine.listIndexes();
  const pictures: unknown[] = [];
  for (const { name, records } of indexes) {
    const { settings, effective } = await engine.getSettings(name);
    pictures.push([name, records, settings, effective, await engine.digest(name)]);
    pictures.push(await allOf(engine.browseRecords(name)));
  }
  return pictures;
}

/** Two engines with the same shop. */
async function shops(settings: IndexSettings = SETTINGS, options: object = {}): Promise<EnginePair> {
  const engines = await pair(options);
  for (const engine of [engines.embedded, engines.cluster]) {
    await engine.createIndex("shop", settings);
    await engine.addRecords("shop", RECORDS);
  }
  return engines;
}

describe("createIndex", () => {
  it("refuses, opens and updates an index that is there", async () => {
    await sameAll(await pair(), [
      ["createIndex", "a", { matching: "all" }],
      ["createIndex", "a"],
      ["createIndex", "a", {}, { ifExists: "open" }],
      ["createIndex", "a", { matching: "all" }, { ifExists: "open" }],
      ["createIndex", "a", { matching: "any" }, { ifExists: "open" }],
      ["createIndex", "a", { matching: "any" }, { ifExists: "update" }],
      ["createIndex", "a", {}, { ifExists: "update" }],
      ["createIndex", "b", { matching: "none" }],
      ["createIndex", "b", {}, { ifExists: "never" }],
      ["createIndex", "a", { matching: "none" }],
    ]);
  });

  it("takes names of capitals, dots and lines, none of which is mistaken for another", async () => {
    const names = ["a", "A", "aA", "_a", "a_", "a.b", "A.b", "a..b", "A_B.C-d", "_", "__", "-", "9", "a".repeat(128)];
    const engines = await pair();
    await sameAll(engines, [
      ...names.map((name): Call => ["createIndex", name]),
      ...names.map((name, id): Call => ["addRecords", name, [{ id, title: "drill" }]]),
      ["multiQuery", names.map((indexName) => ({ indexName, query: "drill" }))],
      ...["", "a*", "a,b"].map((name): Call => ["createIndex", name]),
    ]);
  });
});

describe("writing", () => {
  it("adds, updates, deletes and replaces records, and clears an index", async () => {
    await sameAll(await shops(), [
      ["addRecords", "shop", ["p-1", "n", "n"].map((id, i) => ({ id, title: `new ${i}` }))],
      ["addRecords", "shop", []],
      ["addRecords", "shop", [{ id: 1 }, { title: "without an id" }]],
      ["addRecords", "shop", [{ id: 1 }, { title: "without an id" }], { onInvalid: "skip" }],
      ["addRecords", "none", [{ id: 1 }]],
      ["updateRecords", "shop", ["p-1", "n"].map((id) => ({ id, price: 5, title: null }))],
      ["updateRecords", "shop", [{ id: "p-1", stock: { _operation: "Increment", value: 3 } }]],
      ["updateRecords", "shop", [{ id: "p-2", tags: { _operation: "Add", value: "new" } }]],
      ["updateRecords", "shop", [{ id: "none", a: 1 }], { createIfNotExists: false }],
      ["updateRecords", "shop", [{ id: "p-1", title: { _operation: "Increment", value: 3 } }]],
      ["updateRecords", "shop", [{ id: "p-2", "variants.color": "x" }]],
      ["deleteRecords", "shop", ["p-1", "p-1", 7, "none"]],
      ["deleteBy", "shop", { filters: { brand: "Volt", price: { gt: 10 } } }],
      ["deleteBy", "shop", { filters: { variants: { some: { color: "red", size: 2 } } } }],
      ["deleteBy", "shop", { filters: { brand: "none" } }],
      ["deleteBy", "shop", { filters: {} }],
      ["deleteRecords", "shop", [null]],
      ["replaceAllRecords", "shop", RECORDS.slice(0, 5)],
      ["replaceAllRecords", "shop", [{ title: "without an id" }]],
      ["query", "shop", { query: "drill" }],
      ["clearIndex", "shop"],
      ["query", "shop", { query: "drill" }],
      ["addRecords", "shop", RECORDS.slice(3, 9)],
    ]);
  });

  it("keeps the order of calls that do not wait for each other, after one that replaces all records too", async () => {
    const { cluster } = await shops();
    const increment = [{ id: "x", n: { _operation: "Increment", value: 1 } }] as const;
    await Promise.all([
      cluster.addRecords("shop", [{ id: "x", n: 1 }]),
      cluster.updateRecords("shop", increment),
      cluster.updateRecords("shop", increment),
      cluster.deleteRecords("shop", ["p-1"]),
    ]);
    expect(await cluster.getRecords("shop", ["x", "p-1"])).toEqual([{ id: "x", n: 3 }, null]);
    await Promise.all([
      cluster.replaceAllRecords("shop", [{ id: "x", n: 1 }]),
      cluster.updateRecords("shop", increment),
      cluster.addRecords("shop", [{ id: "y" }]),
      cluster.clearIndex("shop"),
      cluster.addRecords("shop", [{ id: "z" }]),
    ]);
    expect(await allOf(cluster.browseRecords("shop"))).toEqual([{ id: "z" }]);
  });

  const NAMES = `" \\ ' * é e\u0301 \u0001 a/b .. _all ~settings ~x 電🔋 %2F <b> {}`.split(" ");
  const LONG = ["x".repeat(500), "電".repeat(166)];
  it("takes any id", async () => {
    const ids = [...NAMES, ...LONG, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER];
    await sameAll(await shops(), [
      ["addRecords", "shop", ids.map((id) => ({ id, title: "odd drill" }))],
      ["getRecords", "shop", ids],
      ["query", "shop", { query: "odd drill", hitsPerPage: 100 }],
      ["query", "shop", { query: "", hitsPerPage: 100 }],
      ...ids.map((id): Call => ["deleteRecords", "shop", [id]]),
      ["addRecords", "shop", [{ id: "x".repeat(600) }]],
      ["addRecords", "shop", [{ id: "" }]],
    ]);
  });

  it("keeps records as they came", async () => {
    const record = {
      ...{
        id: "odd",
        big: 1e300,
        small: 5e-324,
        negative: -0,
        text: "\u0000\u2028\ud83d\ude00",
        list: [[], [[1]], {}],
      },
      ...{ "a.b": 1, a: { b: 2 }, "": "empty", constructor: "x", _source: 1, _id: "other", terms: ["x"], json: "{}" },
    };
    await sameAll(await shops(), [
      ["addRecords", "shop", [record]],
      ["getRecords", "shop", ["odd"]],
      ["query", "shop", { query: "empty" }],
    ]);
  });
});

describe("reading", () => {
  it("gets, browses and lists records", async () => {
    await sameAll(await shops(), [
      ["getRecords", "shop", ["p-1", 0, "0", "none", 7]],
      ["getRecords", "none", ["p-1"]],
      ["browseRecords", "shop"],
      ["browseRecords", "none"],
      ["getAttributes", "shop"],
      ["listIndexes"],
    ]);
  });

  const QUERIES: readonly SearchParams[] = [
    { query: "" },
    { query: "cordless drll" },
    { query: "volt drill 18v", matching: "any", hitsPerPage: 3, page: 2 },
    { query: "SKU-1003" },
    { query: "hammer", filters: { variants: { some: { color: "red", size: { gte: 2 } } } } },
    { query: "", filters: { added: { gt: "2026-05-01" } }, sort: ["price:desc"] },
    { query: "drill", facets: ["*"], facetFilters: [["brand:Volt", "brand:Steelhand"]] },
    { query: "lamp", aroundLatLng: "50.1,7.9", aroundRadius: 5000 },
    { query: "drill", getParsedQuery: true, minScore: 0.4 },
    { query: "cordless drill", getMatchInfo: true, filters: "brand:Volt" },
    { query: "drill", hitsPerPage: 1001 },
    { query: 5 as never },
    { query: "drill", filters: { price: { gt: "x" } } },
  ];
  it("answers queries, in both forms, and several at once", async () => {
    await sameAll(await shops(), [
      ["query", "shop", { params: "query=drill&hitsPerPage=2&page=2" }],
      ["multiQuery", QUERIES.map((params) => ({ indexName: "shop", ...params }))],
      ["multiQuery", ["none", "shop"].map((indexName) => ({ indexName, query: "drill" }))],
      ["query", "none", { query: "drill" }],
    ]);
  });

  it("answers by meaning as well as by words, with exactly these scores", async () => {
    await sameAll(await shops({ ...SETTINGS, semanticFloor: -1 }, { embedder: new WordEmbedder() }), [
      ...QUERIES.map((params): Call => ["query", "shop", params]),
      ["query", "shop", { query: "lamp", semanticWeight: 1 }],
      ["query", "shop", { query: "lamp", semanticWeight: 0 }],
      ["query", "shop", { query: "lamp", vector: new WordEmbedder().vectorOf("drill") }],
    ]);
  });

  it("answers by the vectors of records", async () => {
    const engines = await pair();
    const vectors = [[1, 0, 0], [0.6, 0.8, 0], [0, 0, 1], null];
    await sameAll(engines, [
      ["createIndex", "own", { vectorAttribute: "vector", dimensions: 3 }],
      ["addRecords", "own", vectors.map((vector, id) => ({ id, title: `drill ${id}`, vector }))],
      ["query", "own", { query: "drill", vector: [1, 0.1, 0] }],
      ["query", "own", { query: "", vector: [0, 0, 1] }],
      ["addRecords", "own", [{ id: 9, vector: [0, 0, 0] }]],
      ["addRecords", "own", [{ id: 9, vector: [0, 0] }]],
      ["query", "own", { query: "drill", vector: [1, 2] }],
    ]);
  });

  it("suggests, finds similar records, understands, and says why not", async () => {
    const engines = await shops(SETTINGS, { embedder: new WordEmbedder() });
    await sameAll(engines, [
      ["suggest", "shop", { query: "dri" }],
      ["suggest", "shop", { query: "cordless d" }],
      ["suggest", "shop", { query: 5 }],
      ["similar", "shop", "p-1"],
      ["similar", "shop", ["p-1", "p-3"], { hitsPerPage: 3 }],
      ["similar", "shop", "none"],
      ["understandQuery", "shop", "a red drill for under 20 euros"],
      ["whyNot", "shop", { query: "lamp", filters: { inStock: true } }, "p-1"],
      ["whyNot", "shop", { query: "drill" }, "none"],
      ["searchForFacetValues", "shop", { facetName: "brand", facetQuery: "st" }],
      ["searchForFacetValues", "shop", { facetName: "brand", facetQuery: "st", query: "drill" }],
      ["suggest", "none", { query: "dri" }],
      ["similar", "none", "p-1"],
    ]);
  });
});

describe("settings", () => {
  it("can be tried first, and change, also where all records are indexed again", async () => {
    await sameAll(await shops(), [
      ["updateSettings", "shop", { matching: "all", matchingRatio: 0.7 }],
      ["query", "shop", { query: "cordless drill" }],
      ["updateSettings", "shop", { searchableAttributes: ["sku", "brand"] }],
      ["query", "shop", { query: "volt" }],
      ["updateSettings", "shop", { bm25: { k1: 2, b: 0.1 }, analyzer: "plain" }],
      ["query", "shop", { query: "volt" }],
      ["updateSettings", "shop", { matching: "none" }],
      ["updateSettings", "shop", { searchableAttributes: null }],
      ["updateSettings", "none", {}],
      ["getSettings", "none"],
      ["previewSettings", "shop", { searchableAttributes: ["brand"] }, { queries: ["volt", "lamp"] }],
      ["previewSettings", "shop", { matching: "none" }, { queries: [{ query: "volt" }] }],
    ]);
  });

  it("change to another embedder, and back to none", async () => {
    const engines = await shops(SETTINGS, { embedders: { "words-1": new WordEmbedder() } });
    await sameAll(engines, [
      ["updateSettings", "shop", { embedder: "words-1", semanticFloor: -1 }],
      ["query", "shop", { query: "lamp" }],
      ["updateSettings", "shop", { embedder: false }],
      ["query", "shop", { query: "lamp" }],
    ]);
  });
});

describe("indexes", () => {
  it("are copied, moved and deleted", async () => {
    await sameAll(await shops(), [
      ["copyIndex", "shop", "Shop"],
      ["copyIndex", "shop", "shop"],
      ["deleteRecords", "shop", ["p-1"]],
      ["moveIndex", "shop", "other.shop"],
      ["query", "shop", { query: "drill" }],
      ["query", "other.shop", { query: "drill" }],
      ["moveIndex", "Shop", "other.shop"],
      ["moveIndex", "other.shop", "other.shop"],
      ["copyIndex", "none", "x"],
      ["moveIndex", "none", "x"],
      ["createIndex", "x"],
      ["deleteIndex", "x"],
      ["deleteIndex", "x"],
      ["query", "x", { query: "drill" }],
    ]);
  });

  it("change alone after they were copied", async () => {
    await sameAll(await shops(), [
      ["copyIndex", "shop", "copy"],
      ["addRecords", "copy", [{ id: "new", title: "drill" }]],
      ["deleteRecords", "copy", ["p-1"]],
      ["updateSettings", "copy", { matching: "all" }],
      ["query", "copy", { query: "cordless drill" }],
      ["query", "shop", { query: "cordless drill" }],
      ["updateSettings", "copy", { searchableAttributes: ["brand"] }],
    ]);
  });

  it("are imported whole or not at all", async () => {
    const line = (value: object) => `${JSON.stringify(value)}\n`;
    const { embedded } = await shops();
    const text = (await allOf(embedded.exportIndex("shop"))).join("");
    await sameAll(await shops(), [
      ["importIndex", "shop", text],
      ["importIndex", "shop", text, { ifExists: "replace" }],
      ["importIndex", "shop", text.slice(0, text.length / 2), { ifExists: "replace" }],
      ["importIndex", "new", text.slice(0, text.length / 2)],
      ["importIndex", "new", line({})],
      ["importIndex", "new", text + line({ id: 1, title: "twice" }) + line({ id: 1, title: "last" })],
    ]);
  });
});

describe("an index whose functions another engine does not have", () => {
  const table = createStaticEnEmbedder(makeTable(["cordless", "drill", "lamp"]));
  const WRITES: readonly ((index: SearchIndex) => Promise<unknown>)[] = [
    (index) => index.addRecords([{ id: 1, title: "lamp" }]),
    (index) => index.updateRecords([{ id: 1, price: 3 }]),
    (index) => index.replaceAllRecords([]),
    (index) => index.deleteRecords([1]),
    (index) => index.deleteBy({ filters: { brand: "Volt" } }),
    (index) => index.clearIndex(),
    (index) => index.updateSettings({ stopWords: false }),
  ];

  it("is not written with vectors of another word table, until it is embedded anew", async () => {
    const maker = await open({ embedder: table });
    await (await maker.createIndex("tabled")).addRecords(RECORDS);
    const digest = await maker.digest("tabled");
    const other = await open({ embedder: "static-en" });
    const index = await other.createIndex("tabled", {}, { ifExists: "open" });
    for (const write of WRITES) {
      const refusal = await rejectionOf(write(index));
      expect(refusal).toMatchObject({ code: 409, error: "embedder_missing", param: "embedder" });
      for (const part of [table.id, 'updateSettings({ embedder: "static-en" })'])
        expect(refusal.message).toContain(part);
    }
    expect((await index.query({ query: "lamp" })).data).toMatchObject({ nbHits: 6, recallSource: ["fullTextSearch"] });
    expect(await maker.digest("tabled")).toBe(digest);
    await index.updateSettings({ embedder: "static-en" });
    await index.addRecords([{ id: "new", title: "lamp" }]);
    expect((await index.query({ query: "lamp" })).data.recallSource).toEqual(["fullTextSearch", "semanticSearch"]);
  });

  it("is neither written nor searched without its embedder", async () => {
    const maker = await open({ embedders: { "words-1": new WordEmbedder() } });
    await (await maker.createIndex("embedded", { embedder: "words-1" as never })).addRecords(RECORDS);
    const index = (await open()).index("embedded");
    for (const call of [...WRITES, (handle: SearchIndex) => handle.query({ query: "lamp" })])
      expect(await rejectionOf(call(index))).toMatchObject({
        code: 409,
        error: "embedder_missing",
        param: "embedders",
      });
    expect(await index.getRecords(["p-1"])).toEqual([RECORDS[1]]);
  });
});

describe("what takes an engine", () => {
  const KEY = "k".repeat(32);
  const ACCESS = {
    credentials: [{ applicationId: "app", keyHash: hashKey(KEY), permissions: ["search"], name: "test" }],
  } as const;
  const headers = { "x-search-application-id": "app", "x-search-api-key": KEY, "content-type": "application/json" };

  it("takes one on a cluster: a server, the functions of the package, and an evaluation", async () => {
    const set = {
      queries: [{ id: "1", query: "lamp" }],
      qrels: RECORDS.map(({ id }, i) => ({ queryId: "1", recordId: id as string, relevance: i % 6 === 5 ? 1 : 0 })),
    };
    await sameAll(await shops(), [
      (engine) => answerRequest(engine, { indexName: "shop", headers, body: '{"query":"cordless drill"}' }, ACCESS),
      (engine) => answerRequest(engine, { indexName: "none", headers, body: '{"query":"drill"}' }, ACCESS),
      (engine) => evaluate("shop", set, { engine }),
      async (engine) => {
        const before = setDefaultEngine(engine);
        try {
          return [await query("shop", { query: "hammer" }), await listIndexes()];
        } finally {
          setDefaultEngine(before);
        }
      },
    ]);
  });
});

it("an engine that is closed answers 503 to everything, and twice is no error", async () => {
  const engine = await open();
  const handle = await engine.createIndex("closed");
  await engine.close();
  await engine.close();
  for (const call of [
    () => engine.query("closed", { query: "drill" }),
    () => engine.addRecords("closed", [{ id: 1 }]),
    () => engine.createIndex("other"),
    () => engine.listIndexes(),
    () => engine.deleteIndex("closed"),
    () => allOf(engine.exportIndex("closed")),
    () => engine.importIndex("other", []),
    () => engine.copyIndex("closed", "other"),
    () => engine.refresh(),
    () => handle.query({ query: "drill" }),
    () => handle.addRecords([{ id: 1 }]),
  ])
    expect(await rejectionOf(call())).toMatchObject({ code: 503, error: "closed" });
  expect((await (await open()).getRecords("closed", [1]))[0]).toBeNull();
});
