// Settings that are wrong, unknown or odd; changes of settings; embedders and analyzers that are not what they should
// be.

import { expect, it } from "vitest";
import { SETTING_NAMES } from "../../src/input/setting-table.js";
import { cells, refusedValues, SETTING_VALUES, within } from "./refused-values.js";
import {
  bad,
  gives,
  passes,
  type Refusal,
  type Rows,
  refuses,
  refusesTable,
  resembles,
  shown,
  testRows,
} from "./row.js";
import { idsOf, PlayEmbedder, rec, throwing, vectorOf, type World } from "./world.js";

const create = (world: World, settings: unknown): unknown => world.create("new", settings);

const change = (world: World, settings: unknown, index: unknown = "shop"): Promise<unknown> =>
  world.call("updateSettings", index, settings);

const effectiveOf = async (world: World, name = "new"): Promise<Readonly<Record<string, unknown>>> => ({
  ...(await world.engine.getSettings(name)).effective,
});

// Settings that are refused.

const WRONG = bad("invalid_setting");
const UNKNOWN = bad("unknown_setting");
const NO_SETTINGS = 'null | [] | ["title"] | "title" | 5 | true | function | Symbol()';

it("a value of each setting is refused", () => {
  const refused = new Set(refusedValues(SETTING_VALUES).map(({ param }) => param.replace(/[.[].*/, "")));
  // These depend on each other.
  expect([...refused, "analyzer", "dimensions", "embedder"].sort()).toEqual([...SETTING_NAMES].sort());
});

testRows("settings that are refused", [
  refusesTable(SETTING_VALUES, (world, path, value) => create(world, within(path, value))),
  refuses("settings", bad("invalid_settings", "settings"), create, NO_SETTINGS),
  ["bm25", "understanding", "vectorIndex", "fusion"].map((group) =>
    refuses(group, WRONG, (world, value) => create(world, { [group]: value }), 'null | [] | 5 | "x"'),
  ),
  refuses(
    "dimensions",
    bad("invalid_dimensions", "dimensions"),
    (world, dimensions) => create(world, { vectorAttribute: "v", dimensions }),
    '0 | -1 | 3.9 | NaN | "384" | 4294967299 | 4097 | null | undefined',
  ),
  refuses(
    "rankConstant",
    bad("invalid_setting", "fusion.rankConstant"),
    (world, rankConstant) => create(world, { fusion: { method: "rrf", rankConstant } }),
    '0 | -1 | NaN | 10001 | "60"',
  ),
  refuses("a long name of a ranking", bad("invalid_setting", "customRanking"), (world) =>
    create(world, { customRanking: [`desc(${"n".repeat(257)})`] }),
  ),
  refuses(
    "an unknown name within",
    UNKNOWN,
    create,
    '{"vectorIndex":{"M":4}} | {"bm25":{"K1":1}} | {"fusion":{"weight":1}} | {"understanding":{"Price":"price"}}',
  ),
  {
    what: "an unknown setting under strict",
    options: { strict: true },
    run: (world) => create(world, { serchableAttributes: ["title"] }),
    expect: { ...UNKNOWN, param: "serchableAttributes", msg: /searchableAttributes/ },
  },
  refuses(
    "all complaints come together",
    { ...bad("invalid_setting", "idAttribute"), msg: /idAttribute.*matching.*k1.*settings\.bm25\.b/ },
    (world) => create(world, { idAttribute: "", bm25: { k1: -1, b: 2 }, matching: "al" }),
  ),
  refuses(
    "all complaints come together, also of what is no object",
    {
      ...bad("invalid_setting", "vectorIndex"),
      msg: /settings\.vectorIndex is an array.*settings\.bm25 is null.*settings\.synonyms\[0\] is "tv".*settings\.stopWords .*settings\.embedder /,
    },
    (world) => create(world, { vectorIndex: [], bm25: null, synonyms: ["tv"], stopWords: "en", embedder: "openai" }),
  ),
  refuses("a getter that throws", { ...bad("invalid_settings", "settings"), cause: /from the getter/ }, (world) =>
    create(world, Object.defineProperty({}, "idAttribute", { get: throwing, enumerable: true })),
  ),
]);

// Settings that are taken.

/** Both ends of every range, and every word. */
const TAKEN = `{"matching":"auto"} | {"matching":"all"} | {"matching":"any"} | {"matchingRatio":0} | {"matchingRatio":1} |
  {"vectorIndex":{"kind":"auto"}} | {"vectorIndex":{"kind":"exact"}} |
  {"vectorIndex":{"kind":"hnsw","m":2,"efConstruction":4,"efSearch":1}} |
  {"vectorIndex":{"kind":"hnsw","m":256,"efConstruction":10000,"efSearch":10000}} |
  {"fusion":{"method":"convex","semanticWeight":0}} | {"fusion":{"method":"convex","semanticWeight":1}} |
  {"fusion":{"method":"rrf","rankConstant":1}} | {"fusion":{"method":"rrf","rankConstant":10000}} |
  {"semanticFloor":-1} | {"semanticFloor":1} | {"semanticDepth":1} | {"semanticDepth":10000} | {"relevancyStrictness":0} | {"relevancyStrictness":100} |
  {"rankWindow":1} | {"rankWindow":10000} | {"bm25":{"k1":0,"b":0}} | {"bm25":{"k1":1000,"b":1}} |
  {"idAttribute":"sku","identifierAttributes":[],"embeddedAttributes":["title"]} |
  {"vectorAttribute":"v","dimensions":4096} | {"searchableAttributes":[{"attribute":"a","weight":1000},"b"]} |
  {"queryType":"prefixAuto"} | {"queryType":"prefixLast"} | {"queryType":"prefixAll"} | {"queryType":"prefixNone"} |
  {"stopWords":["the"],"optionalWords":["cheap"],"typoTolerance":false,"titleEvidence":false} | {"stopWords":false} |
  {"stopWords":[]} | {"stopWords":["__proto__","constructor",""]} | {"optionalWords":[]} |
  {"disableTypoToleranceOnWords":["drill"],"disableTypoToleranceOnAttributes":["constructor","__proto__"]} |
  {"attributesForFaceting":["a","b.c"],"customRanking":["desc(sold)","asc(a.b)"]} | {"attributesForFaceting":[]} |
  {"attributeForDistinct":"group","distinct":true} | {"customRanking":["asc(a (b).c)","desc(__proto__)","desc(a)(b)"]} |
  {"customRanking":["asc(price)","asc(price)"]}`;

testRows("settings that are taken", [
  cells(TAKEN).map((settings) =>
    resembles(`taken: ${JSON.stringify(settings)}`, settings, async (world) => {
      await create(world, settings);
      expect(world.warnings).toEqual([]);
      await world.add([{ id: 1, sku: "a", title: "kettle" }], "new");
      return effectiveOf(world);
    }),
  ),
  gives(
    "an unknown setting is warned of",
    [expect.objectContaining({ code: "unknown_setting", message: expect.stringContaining("searchableAttributes") })],
    async (world) => {
      await create(world, { serchableAttributes: ["title"] });
      return world.warnings;
    },
  ),
  passes(
    "settings that are",
    {
      frozen: Object.freeze({ idAttribute: "key" }),
      "without a prototype": Object.assign(Object.create(null), { idAttribute: "key" }),
    },
    create,
    async (_, world) => expect(await world.add([{ key: 1 }], "new")).toEqual({ added: 1, replaced: 0 }),
  ),
  cells('[0,["fullTextSearch"]] | [1,["semanticSearch"]] | [0.5,["fullTextSearch","semanticSearch"]]').map((cell) => {
    const [semanticWeight, legs] = cell as readonly unknown[];
    return gives(`semanticWeight ${semanticWeight} runs ${legs}`, legs, async (world) => {
      await create(world, { vectorAttribute: "v", dimensions: 8, fusion: { semanticWeight } });
      await world.add([{ id: 1, title: "drill", v: vectorOf(1) }], "new");
      return (await world.ask({ query: "drill", vector: vectorOf(1) }, "new")).recallSource;
    });
  }),
  gives(
    "a query of stop words alone is answered:",
    ["1"],
    async (world, stopWords) => {
      await create(world, { stopWords });
      await world.add([{ id: 1, title: "kettle" }], "new");
      return world.found("kettle", "new");
    },
    'false | [] | ["kettle"] | undefined',
  ),
  gives(
    "no attributesForFaceting: nothing can be filtered, counted or sorted",
    [new Array(4).fill(expect.objectContaining({ code: 400 })), {}],
    async (world) => {
      await create(world, { attributesForFaceting: [] });
      await world.add([{ id: 1, brand: "Forge" }], "new");
      const errors: unknown[] = [];
      for (const params of cells(
        '{"filters":"brand:Forge"} | {"facetFilters":["brand:Forge"]} | {"facets":["brand"]} | {"sort":["brand:asc"]}',
      ) as object[])
        errors.push(await world.ask({ query: "", ...params }, "new").catch((error: unknown) => error));
      return [errors, (await world.ask({ query: "", facets: ["*"] }, "new")).facets];
    },
  ),
]);

// Synonyms.

const both = (...synonyms: readonly unknown[]): object => ({ type: "synonym", synonyms });
const oneWay = (input: unknown, ...synonyms: readonly unknown[]): object => ({
  type: "oneWaySynonym",
  input,
  synonyms,
});
const words = (count: number, letter = "w"): string[] => Array.from({ length: count }, (_, i) => `${letter}${i}`);

/** Creates an index with synonyms and one record per text, and asks. */
async function found(world: World, synonyms: unknown, query: string, texts: readonly string[]): Promise<string> {
  await world.create("new", { synonyms });
  await world.add(
    texts.map((title, id) => ({ id, title })),
    "new",
  );
  return idsOf(await world.ask({ query, matching: "all" }, "new"))
    .sort()
    .join();
}

testRows("synonyms", [
  refuses("a synonym", WRONG, (world, synonym) => create(world, { synonyms: [both("c", "d"), synonym] }), {
    ...shown(
      ...cells(`undefined | null | 5 | "a" | [] | ["a","b"] | {} | {"synonyms":["a","b"]} | {"type":"synonym"} |
      {"type":"Synonym","synonyms":["a","b"]} | {"type":"altCorrection1","word":"a","corrections":["b"]} |
      {"type":"constructor","synonyms":["a"]} | {"type":"synonym","synonyms":"a b"} | {"type":"synonym","synonyms":["a",5]} |
      {"type":"synonym","synonyms":["a",null]} | {"type":"synonym","synonyms":[["a"]]} | {"type":"synonym","synonyms":["a","b x 257"]} |
      {"type":"oneWaySynonym","synonyms":["a"]} | {"type":"oneWaySynonym","synonyms":["a"],"input":5} |
      {"type":"oneWaySynonym","synonyms":["a"],"input":null} | {"type":"oneWaySynonym","synonyms":["a"],"input":["a"]} |
      {"type":"oneWaySynonym","synonyms":["a"],"input":"a x 257"} | {"type":"oneWaySynonym","synonyms":[5],"input":"a"}`),
    ),
    inherited: Object.create(both("a", "b")),
  }),
  (
    [
      ["of nothing", [both(), both("a"), both("", "b"), both("!!", "b"), both("\ud800", "\0"), oneWay("", "a")], "0"],
      ["of a word for itself", [both("aaaa", "aaaa"), oneWay("aaaa", "aaaa"), oneWay("aaaa")], "0"],
      ["one way each, there and back", [oneWay("aaaa", "bbbb"), oneWay("bbbb", "aaaa")], "0,1,2"],
      ["both ways, twice", [both("aaaa", "bbbb"), both("bbbb", "aaaa")], "0,1,2"],
      ["that grow without end", [oneWay("aaaa", "aaaa aaaa"), oneWay("aaaa aaaa", "aaaa aaaa aaaa")], "0"],
      ["that hold each other", [both("bbbb cccc", "aaaa"), both("aaaa", "bbbb cccc")], "0,2"],
    ] as const
  ).map(([what, synonyms, ids]) =>
    gives(`synonyms ${what}`, ids, (world) => found(world, synonyms, "aaaa", ["aaaa", "bbbb", "bbbb cccc"])),
  ),
  refuses(
    "more than 1,000 of one word:",
    { ...WRONG, msg: /1,?000/ },
    (world, synonyms) => create(world, { synonyms }),
    {
      "100,000 in one set": [both(...words(100_000))],
      "1,001 one way": [oneWay("a", ...words(1001))],
      "1,002 in one set": [both(...words(1002))],
      "in two sets": [oneWay("a", ...words(600)), oneWay("a", ...words(600, "x"))],
      "in two kinds": [oneWay("a", ...words(600)), both("a", ...words(600, "x"))],
      "of one word in two cases": [oneWay("Hoover", ...words(600)), oneWay(" hoover", ...words(600, "x"))],
      "of a Kelvin sign and a k": [oneWay("\u212a", ...words(600)), oneWay("k", ...words(600, "x"))],
    },
  ),
  gives("1,000 of one word are found, each", "0,1,2", (world) =>
    found(world, [oneWay("aaaa", ...words(1000, "wwww"))], "aaaa", ["wwww0", "wwww999", "aaaa", "bbbb"]),
  ),
  gives("10,000 synonyms are taken, and a query of all of their words is answered", ["1"], async (world) => {
    await create(world, { synonyms: words(10_000).map((word) => oneWay(word, ...words(20, `${word}x`))) });
    await world.add([{ id: 1, title: "w7x3 lamp" }], "new");
    return idsOf(await world.ask({ query: words(600).join(" "), matching: "any" }, "new"));
  }),
]);

// Changes of settings.

testRows("changes of settings that are refused", [
  refuses("updateSettings with", bad("invalid_settings", "settings"), change, NO_SETTINGS),
  refuses(
    "updateSettings: all complaints come together",
    { ...bad("invalid_setting", "idAttribute"), msg: /idAttribute.*searchableAttributes.*k1.*distinct.*queryType/ },
    (world) =>
      change(world, { idAttribute: "", searchableAttributes: 5, queryType: "x", distinct: 500, bm25: { k1: -1 } }),
  ),
  refuses("distinct without an attributeForDistinct", bad("invalid_setting", "distinct"), (world) =>
    change(world, { optionalWords: ["x"], distinct: true }),
  ),
  refuses("a vectorAttribute that holds texts", bad("settings_do_not_fit", "settings"), (world) =>
    change(world, { vectorAttribute: "title", dimensions: 8 }),
  ),
  refuses("another length of the vectors", bad("settings_do_not_fit", "settings"), (world) =>
    change(world, { vectorAttribute: "vector", dimensions: 4 }, "near"),
  ),
  {
    what: "updateSettings: an unknown setting under strict",
    options: { strict: true },
    run: (world) => change(world, { synonims: [] }),
    expect: { ...UNKNOWN, param: "synonims", msg: /synonyms/ },
  },
]);

testRows("changes of settings that are taken", [
  passes(
    "updateSettings by nothing:",
    [undefined, {}, Object.create(null), { queryType: undefined }, Object.create({ queryType: "prefixAll" })],
    async (world, settings) => {
      await change(world, settings);
      return effectiveOf(world, "shop");
    },
    async (result, world) => {
      await world.create("new");
      expect(result).toEqual(await effectiveOf(world));
      expect(await world.found("drill")).toEqual(["3", "two"]);
    },
  ),
  (
    [
      [{ attributeForDistinct: "brand" }, { distinct: true }],
      [{ attributeForDistinct: "brand", distinct: true }, { attributeForDistinct: "price" }],
      [{ vectorAttribute: "vector", dimensions: 8 }, { dimensions: 8 }],
      [{ vectorAttribute: "vector", dimensions: 8 }, { vectorAttribute: "vector" }],
    ] as const
  ).map(([before, after]) =>
    resembles(`what ${JSON.stringify(after)} leaves out stays`, { ...before, ...after }, async (world) => {
      await create(world, before);
      await change(world, after, "new");
      return effectiveOf(world);
    }),
  ),
  resembles(
    "a semanticWeight takes the place of a fusion",
    { fusion: { method: "convex", semanticWeight: 0.3 } },
    async (world) => {
      await create(world, { fusion: { method: "rrf" } });
      await change(world, { semanticWeight: 0.3 }, "new");
      return effectiveOf(world);
    },
  ),
  gives(
    "updateSettings: an unknown setting is warned of once, and not kept",
    [
      ["unknown_setting", "unknown_setting"],
      ["queryType", "embedder"],
    ],
    async (world) => {
      await change(world, { synonims: [], __proto: 1, queryType: "prefixAll" });
      return [world.warnings.map(({ code }) => code), Object.keys((await world.engine.getSettings("shop")).settings)];
    },
  ),
  (["createIndex", "updateSettings"] as const).map((verb) =>
    gives(`${verb}: settings that the caller changes afterwards`, [[both("a", "b")], ["title"], 1.3], async (world) => {
      const synonyms = [{ type: "synonym", synonyms: ["a", "b"] }];
      const settings = { synonyms, searchableAttributes: ["title"], bm25: { k1: 1.3 } };
      const done = verb === "createIndex" ? create(world, settings) : change(world, settings);
      synonyms[0]!.synonyms[1] = "hammer";
      synonyms.push({ type: "nonsense", synonyms: [] });
      settings.searchableAttributes[0] = "note";
      settings.bm25.k1 = 900;
      await done;
      const name = verb === "createIndex" ? "new" : "shop";
      await change(world, { queryType: "prefixNone" }, name);
      const { effective } = await world.engine.getSettings(name);
      return [effective.synonyms, effective.searchableAttributes, effective.bm25.k1];
    }),
  ),
  gives(
    "settings cannot be changed through what getSettings gives",
    [["a"], { k1: 2, b: 0.6 }, "prefixAuto", true],
    async (world) => {
      await change(world, { optionalWords: ["a"], bm25: { k1: 2 } });
      const { settings, effective } = await world.engine.getSettings("shop");
      Reflect.set(settings, "queryType", "nonsense");
      Reflect.set(settings.optionalWords ?? [], 0, "b");
      Reflect.set(settings.bm25 ?? {}, "k1", 3);
      await change(world, { distinct: false });
      const { optionalWords, bm25, queryType } = await effectiveOf(world, "shop");
      return [optionalWords, bm25, queryType, Object.isFrozen(effective.bm25)];
    },
  ),
]);

// Embedders and analyzers.

const embed = async (): Promise<unknown[]> => [];
const analyze = (text: string): string[] => text.split(" ");
const INVALID_EMBEDDER: Refusal = bad("invalid_embedder");

const ofEmbedder = (name: string, values: string): Rows =>
  refuses(
    `${name} of an embedder`,
    INVALID_EMBEDDER,
    (world, value) => create(world, { embedder: { id: "x", dimensions: 8, embed, [name]: value } }),
    values,
  );

testRows("embedders and analyzers", [
  refuses("embedder", INVALID_EMBEDDER, (world, embedder) => create(world, { embedder }), {
    ...shown(null, true, 5, "static-fr", [], {}, embed),
    "without embed": { id: "x", dimensions: 8 },
  }),
  ofEmbedder("id", 'undefined | "" | "i x 257"'),
  ofEmbedder("embed", 'undefined | "embed"'),
  ofEmbedder("dimensions", '0 | -1 | 1.5 | NaN | "8" | 4097 | null | undefined'),
  ofEmbedder("maxBatchSize", '0 | -1 | 1.5 | NaN | "8" | null'),
  refuses("analyzer", bad("invalid_analyzer", "analyzer"), (world, analyzer) => create(world, { analyzer }), {
    ...shown(null, true, 5, "german", [], {}, analyze),
    "without an id": { analyze },
    "with an empty id": { id: "", analyze },
    "whose analyze is no function": { id: "x", analyze: [] },
  }),
  Object.entries<Partial<PlayEmbedder>>({
    "its dimensions to 4": { dimensions: 4 },
    "its maxBatchSize to 0": { maxBatchSize: 0 },
    "its maxBatchSize to NaN": { maxBatchSize: Number.NaN },
  }).map(([what, later]) =>
    resembles(
      `an embedder that changes ${what} afterwards`,
      [
        { added: 2, replaced: 0 },
        { id: "2", score: 1 },
      ],
      async (world) => {
        const embedder = new PlayEmbedder();
        await create(world, { embedder });
        Object.assign(embedder, later);
        embedder.answer = (texts) => texts.map((_, i) => vectorOf(i));
        // A batch size of 0 might never end.
        const added = await world.add([rec({ id: 1 }), rec({ id: 2 })], "new", { signal: AbortSignal.timeout(1000) });
        const params = { query: "lamp", vector: vectorOf(1), semanticWeight: 1 };
        return [added, (await world.ask(params, "new")).hits[0]];
      },
    ),
  ),
  resembles(
    "an embedder whose vectors get longer afterwards",
    [{ code: 502, error: "embedder_failed" }, 0],
    async (world) => {
      const embedder = new PlayEmbedder();
      await create(world, { embedder });
      embedder.dimensions = 16;
      embedder.answer = (texts) => texts.map((_, i) => [...vectorOf(i), ...vectorOf(i)]);
      const error: unknown = await world.add([rec({ id: 1 })], "new").catch((thrown: unknown) => thrown);
      return [error, (await world.records("new")).length];
    },
  ),
]);
