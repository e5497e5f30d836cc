// previewSettings: what a change of settings would change, with nothing changed. Pages are compared with those of a copy that has the
// settings; figures with what can be worked out by hand.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { compareRuns, evaluate } from "../src/evaluation.js";
import {
  type IndexSettings,
  type JsonRecord,
  type PreviewedQuery,
  SearchEngine,
  type SearchParams,
  type SettingsPreview,
} from "../src/index.js";
import { pictureOf } from "./support/engine-picture.js";
import { property, type Random } from "./support/random.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";
import { openAt, tempPaths } from "./support/temp-folder.js";
import { WordEmbedder } from "./support/word-embedder.js";

const KINDS = "red oak steel folding cordless garden".split(" ");
const THINGS = "lamp drill kettle chair ladder mirror".split(" ");
const BRANDS = ["Forge", "Hem", "Volt"];

function shopOf(random: Random, count: number): JsonRecord[] {
  return seq(count, (i) => ({
    id: i,
    sku: `S-${i}`,
    title: `${random.pick(KINDS)} ${random.pick(THINGS)}`,
    note: `${random.pick(KINDS)} ${random.pick(THINGS)} ${random.pick(THINGS)}`,
    brand: random.pick(BRANDS),
    price: random.between(1, 50),
    group: `g${random.between(0, 8)}`,
  }));
}

function settingsOf(random: Random): IndexSettings {
  const field = (): string => random.pick(["title", "note", "brand"]);
  const all: IndexSettings[] = [
    { boosts: [{ attribute: "price", weight: random.pick([-0.5, 0.1, 1]) }] },
    { boosts: [{ filters: `brand:${random.pick(BRANDS)}`, weight: 0.3 }] },
    { synonyms: [{ type: "synonym", synonyms: [random.pick(THINGS), random.pick(THINGS)] }] },
    { customRanking: [random.pick(["desc(price)", "asc(price)", "asc(brand)"])] },
    { searchableAttributes: [field(), { attribute: "sku", weight: 2 }] },
    { bm25: { k1: random.pick([0.5, 2]) } },
    { matching: random.pick(["all", "any"]), queryType: "prefixNone" },
    { attributeForDistinct: "group", distinct: true },
    { embeddedAttributes: [field()] },
    { semanticWeight: random.pick([0, 0.5]) },
    { titleEvidence: random.chance(0.5) },
    { embedder: false },
    { identifierAttributes: ["brand"] },
  ];
  return Object.assign({}, ...random.some(all, 0.25));
}

function queriesOf(random: Random): SearchParams[] {
  const words = (): string =>
    [random.pick(KINDS), random.pick(THINGS), "lader", ""].slice(random.between(0, 3)).join(" ");
  return random.list(1, 6, () => ({
    query: words(),
    ...(random.chance(0.4) && { hitsPerPage: random.between(0, 20) }),
    ...(random.chance(0.2) && { page: 2 }),
    ...(random.chance(0.3) && { filters: `price < ${random.between(5, 50)}` }),
    ...(random.chance(0.2) && { sort: ["price:asc"] }),
    ...(random.chance(0.2) && { facets: ["brand"], facetFilters: ["brand:Hem"] }),
  }));
}

const open = (): SearchEngine => new SearchEngine({ embedder: new WordEmbedder(0.5), onWarning: () => {} });

async function shop(settings: IndexSettings = {}, records: readonly JsonRecord[] = TOOLS): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: false, onWarning: () => {} });
  await engine.createIndex("shop", settings);
  await engine.addRecords("shop", records);
  return engine;
}

const TOOLS: readonly JsonRecord[] = [
  { id: "a", title: "drill one", price: 1 },
  { id: "b", title: "drill two", price: 2 },
  { id: "c", title: "drill six", price: 3 },
  { id: "d", title: "lamp", price: 4 },
];
const BY_PRICE: IndexSettings = { customRanking: ["desc(price)"] };

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
  property("on a copy, whatever is changed", 60, async (random) => {
    const engine = random.chance(0.7) ? open() : await openAt(tempPath(), { embedder: new WordEmbedder(0.5) });
    await engine.createIndex("shop", { ...settingsOf(random), embedder: undefined });
    const records = shopOf(random, random.between(0, 80));
    for (const some of [records.slice(0, 50), records.slice(50)]) await engine.addRecords("shop", some);
    await engine.deleteRecords(
      "shop",
      random.some(records, 0.1).map(({ id }) => id as number),
    );
    const [settings, queries] = [settingsOf(random), queriesOf(random)];
    const before = await pagesOf(engine, "shop", queries);
    const picture = await pictureOf(engine);
    const told = await engine.previewSettings("shop", settings, { queries });
    expect(await pictureOf(engine)).toEqual(picture);
    expect(await pagesOf(engine, "shop", queries)).toEqual(before);
    await engine.copyIndex("shop", "copy");
    await engine.updateSettings("copy", settings);
    const after = await pagesOf(engine, "copy", queries);
    for (const [i, page] of told.queries.entries()) {
      expect([page.query, page.nbHits]).toEqual([
        queries[i]!.query,
        { before: before[i]!.nbHits, after: after[i]!.nbHits },
      ]);
      expect([page.before, page.after]).toEqual([before[i]!.ids, after[i]!.ids]);
      expect(applied(page)).toEqual(page.after);
    }
    expect(told.queries).toHaveLength(queries.length);
    await engine.close();
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
  it("counts the queries that change, and weighs them", async () => {
    const engine = await shop();
    const queries = [{ query: "lamp", weight: 6 }, { query: "", hitsPerPage: 3, weight: 3 }, "nothing"];
    const { total } = await engine.previewSettings("shop", BY_PRICE, { queries });
    // The overlap is 1, 2 of 3, and 1 where there is nothing.
    expect(total).toEqual({ queries: 3, changed: 1, changedShare: 0.3, meanOverlapAt10: (6 + 3 * (2 / 3) + 1) / 10 });
  });

  it("looks at the first ten hits, and at the longer list", async () => {
    const engine = await shop(
      {},
      seq(40, (i) => ({ id: String(i).padStart(2, "0"), title: "lamp", price: i })),
    );
    const overlapOf = async (settings: IndexSettings, query: SearchParams): Promise<number | undefined> =>
      (await engine.previewSettings("shop", settings, { queries: [query] })).total?.meanOverlapAt10;
    // 00 … 11 and 39 … 28 have none in common, of 00 … 19 and 19 … 00 the first ten have none.
    expect(await overlapOf(BY_PRICE, { query: "" })).toBe(0);
    expect(await overlapOf(BY_PRICE, { query: "", hitsPerPage: 20, filters: "price < 20" })).toBe(0);
    expect(await overlapOf(BY_PRICE, { query: "", filters: "price < 12" })).toBe(0.8);
    expect(await overlapOf({ attributeForDistinct: "title", distinct: true }, { query: "" })).toBe(0.1);
  });

  it("counts a query whose number of hits alone changes", async () => {
    const engine = await shop();
    const queries = [{ query: "", hitsPerPage: 0 }];
    const { total } = await engine.previewSettings("shop", { attributeForDistinct: "price" }, { queries });
    expect([total?.changed, total?.changedShare]).toEqual([0, 0]);
    const distinct = { attributeForDistinct: "kind", distinct: true };
    await engine.addRecords("shop", [
      { id: "x", kind: 1 },
      { id: "y", kind: 1 },
    ]);
    const { total: other } = await engine.previewSettings("shop", distinct, { queries });
    expect(other).toEqual({ queries: 1, changed: 1, changedShare: 1, meanOverlapAt10: 1 });
  });

  it("is missing without queries", async () => {
    const engine = await shop();
    expect(await engine.previewSettings("shop", BY_PRICE, { queries: [] })).toEqual({ queries: [] });
  });
});

describe("the measures", () => {
  it("are those of evaluate, before and after", async () => {
    const engine = await shop({ customRanking: ["asc(price)"] });
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
  it("before any work: wrong settings, wrong queries, wrong judgements", async () => {
    const embedder = new WordEmbedder();
    const engine = new SearchEngine({ embedder, onWarning: () => {} });
    await engine.createIndex("shop");
    await engine.addRecords("shop", TOOLS);
    const asked = embedder.calls.length;
    const changes = { embeddedAttributes: ["title"] };
    const refused = async (settings: IndexSettings, options: object): Promise<unknown[]> => {
      const { code, error, param } = await rejectionOf(engine.previewSettings("shop", settings, options as never));
      return [code, error, param];
    };
    expect(await refused({ bm25: { k1: -1 } }, { queries: ["x"] })).toEqual([400, "invalid_setting", "bm25.k1"]);
    expect(await refused(changes, {})).toEqual([400, "invalid_parameter", "queries"]);
    expect(await refused(changes, { queries: ["x", { query: "x", page: 0 }] })).toEqual([400, "invalid_page", "page"]);
    expect(await refused(changes, { queries: [{ query: "x", weight: 0 }] })).toEqual([
      ...[400, "invalid_parameter", "queries[0].weight"],
    ]);
    expect(await refused(changes, { queries: ["x"], judgements: { queries: [], qrels: [] } })).toEqual([
      ...[400, "invalid_judgements", "qrels"],
    ]);
    expect(embedder.calls).toHaveLength(asked);
  });

  it("names the query that is wrong", async () => {
    const engine = await shop();
    const previewed = engine.previewSettings("shop", {}, { queries: ["drill", { query: "x", facets: ["nowhere"] }] });
    const { error, msg } = await rejectionOf(previewed);
    expect(error).toBe("unknown_field");
    expect(msg).toMatch(/^queries\[1\]: /);
  });

  it("what the records do not fit, and a vector of another length", async () => {
    const engine = new SearchEngine({ embedder: new WordEmbedder(), onWarning: () => {} });
    await engine.createIndex("shop");
    await engine.addRecords("shop", TOOLS);
    const errorOf = async (settings: IndexSettings, query: SearchParams): Promise<string> =>
      (await rejectionOf(engine.previewSettings("shop", settings, { queries: [query] }))).error;
    expect(await errorOf({ idAttribute: "title" }, { query: "" })).toBe("settings_do_not_fit");
    const vector = new Float64Array(17).fill(1);
    expect(await errorOf({ embedder: false }, { query: "", vector })).toBe("vectors_disabled");
  });

  it("more records than fit into memory, and nothing stays reserved", async () => {
    const engine = new SearchEngine({ embedder: false, limits: { maxMemory: 1_000_000 } });
    await engine.createIndex("shop", { searchableAttributes: ["title"] });
    const text = seq(300, (i) => `word${i}`).join(" ");
    await engine.addRecords(
      "shop",
      seq(350, (i) => ({ id: i, title: `lamp ${i}`, note: `${text} ${i}` })),
    );
    const changes = { searchableAttributes: ["title", "note"] };
    for (let i = 0; i < 3; i++)
      expect((await rejectionOf(engine.previewSettings("shop", changes, { queries: ["x"] }))).error).toBe(
        "memory_limit",
      );
    const few = { searchableAttributes: ["note"], attributesForFaceting: ["title"] };
    await engine.deleteBy("shop", { filters: "id > 50" });
    for (let i = 0; i < 20; i++) await engine.previewSettings("shop", few, { queries: ["lamp"] });
  });
});

describe("beside other calls", () => {
  /** An index whose embedder answers when it is let go. */
  async function held() {
    const embedder = new WordEmbedder();
    const engine = new SearchEngine({ embedder, onWarning: () => {} });
    await engine.createIndex("shop");
    await engine.addRecords("shop", TOOLS);
    let go = (): void => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    let began = (): void => {};
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    embedder.wait = async (_, { purpose }) => {
      if (purpose !== "record") return;
      began();
      await gone;
    };
    return { engine, embedder, go, begun };
  }
  const REEMBEDS: IndexSettings = { embeddedAttributes: ["price"] };

  it("holds up no write, and shows the records as they were at its call", async () => {
    const { engine, embedder, go, begun } = await held();
    const preview = engine.previewSettings("shop", REEMBEDS, { queries: ["drill"] });
    await begun;
    const { wait } = embedder;
    embedder.wait = async () => {};
    await engine.addRecords("shop", [{ id: "new", title: "drill new" }]);
    await engine.deleteRecords("shop", ["a"]);
    await engine.updateSettings("shop", { synonyms: [] });
    embedder.wait = wait;
    go();
    const [page] = (await preview).queries;
    expect([...page!.before].sort()).toEqual(["a", "b", "c", "d"].slice(0, page!.before.length));
    expect([page!.before, page!.after].flat()).not.toContain("new");
    expect((await engine.query("shop", { query: "new" })).data.hits[0]?.id).toBe("new");
    await engine.close();
  });

  it("is aborted by its signal, and by the end of the index or of the engine", async () => {
    const ends: [string, (engine: SearchEngine, stop: AbortController) => Promise<void>, string][] = [
      ["signal", async (_, stop) => stop.abort(), "aborted"],
      ["deleteIndex", (engine) => engine.deleteIndex("shop"), "index_not_found"],
      ["close", (engine) => engine.close(), "closed"],
    ];
    for (const [what, end, error] of ends) {
      const { engine, begun, go } = await held();
      const stop = new AbortController();
      const preview = engine.previewSettings("shop", REEMBEDS, { queries: ["drill"], signal: stop.signal });
      const rejection = rejectionOf(preview);
      await begun;
      await end(engine, stop);
      expect([what, (await rejection).error]).toEqual([what, error]);
      go();
      await engine.close();
    }
  });

  it("is no query of the metrics, and no write", async () => {
    const engine = await shop();
    const { queries, writes } = engine.metrics();
    await engine.previewSettings("shop", BY_PRICE, { queries: ["drill", "lamp"] });
    expect([engine.metrics().queries, engine.metrics().writes, engine.slowQueries()]).toEqual([queries, writes, []]);
  });

  it("embeds as an update does, and keeps no vector", async () => {
    const embedder = new WordEmbedder();
    const engine = new SearchEngine({ embedder, onWarning: () => {} });
    await engine.createIndex("shop");
    await engine.addRecords("shop", TOOLS);
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
    await index.addRecords(seq(100, (i) => ({ id: i, title: `lamp ${KINDS[i % 6]} ${"long text ".repeat(400)}${i}` })));
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
