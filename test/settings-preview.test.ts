// previewSettings: what a change of settings would change, with nothing changed. Pages are compared with those of a copy that has the
// settings; figures with what can be worked out by hand.

import { EventEmitter, once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { compareRuns, evaluate } from "../src/evaluation.js";
import {
  type EngineOptions,
  type IndexSettings,
  type JsonRecord,
  type PreviewedQuery,
  type PreviewOptions,
  SearchEngine,
  type SearchParams,
  type SettingsPreview,
} from "../src/index.js";
import { pictureOf } from "./support/engine-picture.js";
import { Random } from "./support/random.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";
import { openAt, tempPaths } from "./support/temp-folder.js";
import { WordEmbedder } from "./support/word-embedder.js";

const TOOLS: readonly JsonRecord[] = [
  { id: "a", title: "drill one", price: 1 },
  { id: "b", title: "drill two", price: 2 },
  { id: "c", title: "drill six", price: 3 },
  { id: "d", title: "lamp", price: 4 },
];
const BY_PRICE: IndexSettings = { customRanking: ["desc(price)"] };

async function shop({ records = TOOLS, settings = {}, ...options }: ShopOptions = {}): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: false, onWarning: () => {}, ...options });
  await engine.createIndex("shop", settings);
  await engine.addRecords("shop", records);
  return engine;
}
interface ShopOptions extends EngineOptions {
  readonly records?: readonly JsonRecord[];
  readonly settings?: IndexSettings;
}

/** The code and the parameter of the refusal. */
const refusalOf = async (previewed: Promise<unknown>): Promise<string> => {
  const { error, param } = await rejectionOf(previewed);
  return `${error} ${param}`;
};

/** The pages of an index as a preview tells them. */
async function pagesOf(engine: SearchEngine, name: string, queries: readonly SearchParams[]) {
  const answers = [];
  for (const params of queries) answers.push((await engine.query(name, params)).data);
  return answers.map(({ query, nbHits, hits }) => ({ query, nbHits, ids: hits.map(({ id }) => id) }));
}

/** Puts the moves that a preview tells on the page before; the page after must come out. */
function applied({ before, after, moved, entered, left }: SettingsPreview["queries"][number]): (string | undefined)[] {
  const stays = new Set([...moved, ...left].map(({ id }) => id));
  const page = after.map((_, place) => (stays.has(before[place]!) ? undefined : before[place]));
  for (const { id, from, to } of moved) {
    expect(before[from]).toBe(id);
    page[to] = id;
  }
  for (const { id, to } of entered) page[to] = id;
  for (const { id, from } of left) expect(before[from]).toBe(id);
  return page;
}

const tempPath = tempPaths();
const filesOf = (folder: string): [string, number][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, number] => [entry.name, readFileSync(join(entry.parentPath ?? folder, entry.name)).length])
    .sort();

describe("a preview is what updateSettings and query would give", () => {
  it.each<IndexSettings>([
    { boosts: [{ attribute: "price", weight: -0.5 }], matching: "any" },
    { synonyms: [{ type: "synonym", synonyms: ["drill", "kettle"] }], queryType: "prefixNone" },
    { customRanking: ["asc(brand)", "desc(price)"], titleEvidence: false },
    { searchableAttributes: ["note"], identifierAttributes: ["brand"] },
    { attributeForDistinct: "group", distinct: true },
    { embeddedAttributes: ["note"], semanticWeight: 0.5 },
    { embedder: false },
  ])("on a copy, with %j", async (settings) => {
    const random = new Random(7);
    const words = () => `${random.pick(["red", "oak"])} ${random.pick(["lamp", "drill", "kettle", "ladder"])}`;
    const records = seq(80, (id) => ({
      ...{ id, title: words(), note: words(), brand: random.pick(["Hem", "Volt"]) },
      ...{ price: random.between(1, 50), group: id % 9 },
    }));
    const engine = await shop({ embedder: new WordEmbedder(0.5), records: records.slice(0, 50) });
    await engine.addRecords("shop", records.slice(50));
    await engine.deleteRecords("shop", [3, 60]);
    const queries: SearchParams[] = [
      { query: "oak lader" },
      { query: "drill", page: 2, hitsPerPage: 5 },
      { query: "", sort: ["price:asc"], filters: "price < 30", hitsPerPage: 0 },
      { query: "red lamp", facets: ["brand"], facetFilters: ["brand:Hem"], hitsPerPage: 20 },
    ];
    const picture = await pictureOf(engine);
    const told = await engine.previewSettings("shop", settings, { queries });
    expect(await pictureOf(engine)).toEqual(picture);
    await engine.copyIndex("shop", "copy");
    await engine.updateSettings("copy", settings);
    const [before, after] = [await pagesOf(engine, "shop", queries), await pagesOf(engine, "copy", queries)];
    const expected = before.map(({ query, nbHits, ids }, i) => ({
      ...{ query, nbHits: { before: nbHits, after: after[i]!.nbHits } },
      ...{ before: ids, after: after[i]!.ids },
    }));
    expect(told.queries).toMatchObject(expected);
    for (const page of told.queries) expect(applied(page)).toEqual(page.after);
  });

  it("takes texts, and parameters of either form", async () => {
    const engine = await shop();
    const queries: PreviewedQuery[] = ["drill", { query: "drill" }, { params: "query=drill&page=1", weight: 3 }];
    const { queries: pages } = await engine.previewSettings("shop", BY_PRICE, { queries });
    expect(pages.map(({ query }) => query)).toEqual(["drill", "drill", "drill"]);
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
  });

  it("says of each hit how it moves", async () => {
    const engine = await shop();
    const { queries } = await engine.previewSettings("shop", BY_PRICE, { queries: [{ query: "", hitsPerPage: 3 }] });
    expect(queries).toEqual([
      {
        query: "",
        nbHits: { before: 4, after: 4 },
        before: ["a", "b", "c"],
        after: ["d", "c", "b"],
        moved: [
          { id: "c", from: 2, to: 1 },
          { id: "b", from: 1, to: 2 },
        ],
        entered: [{ id: "d", to: 0 }],
        left: [{ id: "a", from: 0 }],
      },
    ]);
  });
});

describe("the total", () => {
  it("counts the queries that change, and weighs them; it is missing without queries", async () => {
    const engine = await shop();
    const queries = [{ query: "lamp", weight: 6 }, { query: "", hitsPerPage: 3, weight: 3 }, "nothing"];
    const { total } = await engine.previewSettings("shop", BY_PRICE, { queries });
    // The overlap is 1, 2 of 3, and 1 where there is nothing.
    expect(total).toEqual({ queries: 3, changed: 1, changedShare: 0.3, meanOverlapAt10: (6 + 3 * (2 / 3) + 1) / 10 });
    expect(await engine.previewSettings("shop", BY_PRICE, { queries: [] })).toEqual({ queries: [] });
  });

  it.each<[overlap: number, settings: IndexSettings, params: Partial<SearchParams>]>([
    // 00 … 11 and 39 … 28 have none in common, of 00 … 19 and 19 … 00 the first ten have none.
    [0, BY_PRICE, {}],
    [0, BY_PRICE, { hitsPerPage: 20, filters: "price < 20" }],
    [0.8, BY_PRICE, { filters: "price < 12" }],
    [0.1, { attributeForDistinct: "title", distinct: true }, {}],
  ])("looks at the first ten hits, and at the longer list: %j for %j and %j", async (overlap, settings, params) => {
    const records = seq(40, (i) => ({ id: String(i).padStart(2, "0"), title: "lamp", price: i }));
    const engine = await shop({ records });
    const { total } = await engine.previewSettings("shop", settings, { queries: [{ query: "", ...params }] });
    expect(total?.meanOverlapAt10).toBe(overlap);
  });

  it("counts a query whose number of hits alone changes", async () => {
    const engine = await shop({ records: ["x", "y"].map((id) => ({ id, kind: 1 })) });
    const totalOf = async (settings: IndexSettings) =>
      (await engine.previewSettings("shop", settings, { queries: [{ query: "", hitsPerPage: 0 }] })).total;
    const same = { queries: 1, changed: 0, changedShare: 0, meanOverlapAt10: 1 };
    expect(await totalOf({ attributeForDistinct: "kind" })).toEqual(same);
    expect(await totalOf({ attributeForDistinct: "kind", distinct: true })).toEqual({
      ...same,
      changed: 1,
      changedShare: 1,
    });
  });
});

describe("the measures", () => {
  it("are those of evaluate, before and after", async () => {
    const engine = await shop({ settings: { customRanking: ["asc(price)"] } });
    const judgements = {
      queries: [
        { id: "q1", query: "drill" },
        { id: 2, query: "", params: { filters: "price > 1" } },
        { id: "no", query: "nothing judged" },
      ],
      qrels: [
        { queryId: "q1", recordId: "c", relevance: 2 },
        { queryId: "q1", recordId: "a", relevance: 1 },
        { queryId: 2, recordId: "d", relevance: 1 },
      ],
    };
    const told = await engine.previewSettings("shop", BY_PRICE, { queries: [], judgements });
    expect(Object.keys(told)).toEqual(["queries", "measures"]);
    await engine.copyIndex("shop", "copy");
    await engine.updateSettings("copy", BY_PRICE);
    const runOf = async (name: string) => (await evaluate(name, judgements, { engine, ways: ["both"] })).runs.both!;
    const [before, after] = [await runOf("shop"), await runOf("copy")];
    const { measures } = told;
    expect([measures?.before, measures?.after]).toEqual([before.means, after.means]);
    expect(measures?.after.ndcg).toBeGreaterThan(measures!.before.ndcg);
    for (const [name, { difference, ...interval }] of Object.entries(await compareRuns(after, before)))
      expect([measures?.difference, measures?.interval].map((one) => one?.[name as "ndcg"])).toEqual([
        difference,
        interval,
      ]);
  });
});

describe("what is refused", () => {
  it.each<[string, IndexSettings, PreviewOptions]>([
    ["invalid_setting bm25.k1", { bm25: { k1: -1 } }, { queries: ["x"] }],
    ["invalid_page page", {}, { queries: ["x", { query: "x", page: 0 }] }],
    ["invalid_parameter queries[0].weight", {}, { queries: [{ query: "x", weight: 0 }] }],
    ["invalid_judgements qrels", {}, { queries: ["x"], judgements: { queries: [], qrels: [] } }],
    ["settings_do_not_fit settings", { idAttribute: "title" }, { queries: [""] }],
  ])("before any work: %s", async (refusal, settings, options) => {
    const embedder = new WordEmbedder();
    const engine = await shop({ embedder, records: [...TOOLS, { id: "e", title: "drill one" }] });
    embedder.calls.length = 0;
    const changes = { embeddedAttributes: ["title"], ...settings };
    expect(await refusalOf(engine.previewSettings("shop", changes, options))).toBe(refusal);
    expect(embedder.calls).toEqual([]);
  });

  it("names the query that is wrong, for its facets or its vector", async () => {
    const engine = await shop({ embedder: new WordEmbedder() });
    const previewed = engine.previewSettings("shop", {}, { queries: ["drill", { query: "x", facets: ["nowhere"] }] });
    expect(await rejectionOf(previewed)).toMatchObject({ error: "unknown_field", msg: /^queries\[1\]: / });
    const queries = [{ query: "", vector: new Float64Array(17).fill(1) }];
    expect(await refusalOf(engine.previewSettings("shop", { embedder: false }, { queries }))).toBe(
      "vectors_disabled vector",
    );
  });

  it("more records than fit into memory, and nothing stays reserved", async () => {
    const text = seq(300, (i) => `word${i}`).join(" ");
    const records = seq(350, (i) => ({ id: i, title: `lamp ${i}`, note: `${text} ${i}` }));
    const settings = { searchableAttributes: ["title"] };
    const engine = await shop({ records, settings, limits: { maxMemory: 1_000_000 } });
    const previewed = (searchableAttributes: string[]) =>
      engine.previewSettings("shop", { searchableAttributes }, { queries: ["lamp"] });
    for (let i = 0; i < 3; i++) expect((await rejectionOf(previewed(["title", "note"]))).error).toBe("memory_limit");
    await engine.deleteBy("shop", { filters: "id > 50" });
    for (let i = 0; i < 20; i++) await previewed(["note"]);
  });
});

describe("beside other calls", () => {
  /** An index whose embedder answers when it is let go. */
  async function held() {
    const embedder = new WordEmbedder();
    const engine = await shop({ embedder });
    const door = new EventEmitter();
    const [begun, gone] = [once(door, "begun"), once(door, "gone")];
    embedder.wait = async (_, { purpose }) => {
      if (purpose !== "record") return;
      door.emit("begun");
      await gone;
    };
    return { engine, embedder, go: () => door.emit("gone"), begun };
  }
  const REEMBEDS: IndexSettings = { embeddedAttributes: ["price"] };

  it("holds up no write, and shows the records as they were at its call", async () => {
    const { engine, embedder, go, begun } = await held();
    const preview = engine.previewSettings("shop", REEMBEDS, { queries: ["drill"] });
    await begun;
    embedder.wait = async () => {};
    await engine.addRecords("shop", [{ id: "new", title: "drill new" }]);
    await engine.deleteRecords("shop", ["a"]);
    await engine.updateSettings("shop", { synonyms: [] });
    go();
    const [page] = (await preview).queries;
    expect([page!.before, page!.after].flat()).not.toContain("new");
    expect((await engine.query("shop", { query: "new" })).data.hits[0]?.id).toBe("new");
    await engine.close();
  });

  it.each<[what: string, error: string, end: (engine: SearchEngine, stop: AbortController) => unknown]>([
    ["its signal", "aborted", (_, stop) => stop.abort()],
    ["the end of the index", "index_not_found", (engine) => engine.deleteIndex("shop")],
    ["the end of the engine", "closed", (engine) => engine.close()],
  ])("is aborted by %s", async (_, error, end) => {
    const { engine, begun, go } = await held();
    const stop = new AbortController();
    const rejection = rejectionOf(
      engine.previewSettings("shop", REEMBEDS, { queries: ["drill"], signal: stop.signal }),
    );
    await begun;
    await end(engine, stop);
    expect((await rejection).error).toBe(error);
    go();
    await engine.close();
  });

  it("is no query of the metrics, and no write", async () => {
    const engine = await shop();
    const { queries, writes } = engine.metrics();
    await engine.previewSettings("shop", BY_PRICE, { queries: ["drill", "lamp"] });
    expect([engine.metrics().queries, engine.metrics().writes, engine.slowQueries()]).toEqual([queries, writes, []]);
  });

  it("embeds as an update does, and keeps no vector", async () => {
    const embedder = new WordEmbedder();
    const engine = await shop({ embedder });
    const textsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
      embedder.calls.length = 0;
      await work();
      return embedder.calls.filter(({ options }) => options.purpose === "record").flatMap(({ texts }) => texts);
    };
    const embedded = { embeddedAttributes: ["title", "price"] };
    const previewed = await textsOf(() => engine.previewSettings("shop", embedded, { queries: ["drill"] }));
    expect(previewed.length).toBeGreaterThan(0);
    expect(await textsOf(() => engine.updateSettings("shop", embedded))).toEqual(previewed);
    expect(await textsOf(() => engine.previewSettings("shop", BY_PRICE, { queries: ["drill"] }))).toEqual([]);
  });
});

describe("in a data folder", () => {
  it("writes no file, whether it ends, fails or is aborted", async () => {
    const folder = tempPath();
    const embedder = new WordEmbedder();
    const engine = await openAt(folder, { embedder });
    const index = await engine.createIndex("shop");
    await index.addRecords(seq(100, (i) => ({ id: i, title: `lamp oak ${"long text ".repeat(400)}${i}` })));
    await index.whenIdle();
    const files = filesOf(folder);
    const changes = { searchableAttributes: ["id", "title"], embeddedAttributes: ["id", "title"] };
    const { queries } = await index.previewSettings(changes, { queries: ["lamp oak"] });
    expect(queries[0]?.after.length).toBeGreaterThan(0);
    const stop = new AbortController();
    embedder.wait = async () => stop.abort();
    const options = { queries: ["lamp oak"], signal: stop.signal };
    expect((await rejectionOf(index.previewSettings(changes, options))).error).toBe("aborted");
    embedder.wait = async () => {
      throw new Error("no");
    };
    expect((await rejectionOf(index.previewSettings(changes, { queries: ["lamp"] }))).error).toBe("embedder_failed");
    await pause(20);
    expect(filesOf(folder)).toEqual(files);
    await engine.close();
  });

  it("works beside the engine that writes, where nothing may be written", async () => {
    const folder = tempPath();
    const writer = await openAt(folder);
    await writer.createIndex("shop");
    await writer.addRecords("shop", TOOLS);
    const reader = await openAt(folder, { readOnly: true });
    const options = { queries: ["drill", ""] };
    for (const settings of [BY_PRICE, { searchableAttributes: ["price"] }])
      expect(await reader.previewSettings("shop", settings, options)).toEqual(
        await writer.previewSettings("shop", settings, options),
      );
    await reader.close();
    await writer.close();
  });
});
