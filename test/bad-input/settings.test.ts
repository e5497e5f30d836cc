// Settings that are wrong, unknown or odd; changes of settings; embedders and analyzers that are not what they should
// be.

import { expect } from "vitest";
import { cells, SETTING_VALUES, within } from "./refused-values.js";
import {
  bad,
  gives,
  passes,
  type Refusal,
  type Row,
  type Rows,
  refuses,
  refusesTable,
  resembles,
  shown,
  testRows,
} from "./row.js";
import { idsOf, PlayEmbedder, rec, throwing, vectorOf, type World } from "./world.js";

const create = (world: World, settings: unknown): unknown => world.create("new", settings);

// Settings whose values are refused.

testRows("settings that are refused", [
  refusesTable(SETTING_VALUES, (world, path, value) => create(world, within(path, value))),
  refuses(
    "settings",
    bad("invalid_settings", "settings"),
    create,
    'null | [] | ["title"] | "title" | 5 | true | function',
  ),
  refuses("bm25", bad("invalid_setting"), (world, bm25) => create(world, { bm25 }), 'null | [] | 5 | "x"'),
  refuses(
    "understanding",
    bad("invalid_setting"),
    (world, understanding) => create(world, { understanding }),
    'null | [] | 5 | "price"',
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
  refuses(
    "a long name of a ranking",
    bad("invalid_setting", "customRanking"),
    (world, name) => create(world, { customRanking: [`desc(${name})`] }),
    '"n x 257"',
  ),
  refuses(
    "an unknown name within",
    bad("unknown_setting"),
    create,
    '{"vectorIndex":{"M":4}} | {"bm25":{"K1":1}} | {"fusion":{"weight":1}} | {"understanding":{"Price":"price"}}',
  ),
  {
    what: "an unknown setting under strict",
    options: { strict: true },
    run: (world) => create(world, { serchableAttributes: ["title"] }),
    expect: { ...bad("unknown_setting", "serchableAttributes"), msg: /searchableAttributes/ },
  },
  refuses(
    "all complaints come together",
    { ...bad("invalid_setting", "idAttribute"), msg: /idAttribute.*matching.*k1.*settings\.bm25\.b/ },
    (world) => create(world, { idAttribute: "", bm25: { k1: -1, b: 2 }, matching: "al" }),
  ),
  refuses(
    "all complaints come together, also of what is no object",
    {
      ...bad("invalid_setting", "customRanking"),
      msg: /settings\.customRanking .*settings\.synonyms\[0\] is "tv".*settings\.stopWords .*settings\.embedder /,
    },
    (world) => create(world, { customRanking: ["desc:price"], synonyms: ["tv"], stopWords: "en", embedder: "openai" }),
  ),
  refuses(
    "all complaints come together, also of several things that are no objects",
    {
      ...bad("invalid_setting", "searchableAttributes[0]"),
      msg: /settings\.vectorIndex is an array.*settings\.bm25 is null.*synonyms\[1\] is null.*settings\.fusion is 5/,
    },
    (world) =>
      create(world, {
        ...{ searchableAttributes: [["title"], ["title"]], synonyms: [{ type: "synonym", synonyms: [] }, null] },
        ...{ bm25: null, vectorIndex: [], fusion: 5 },
      }),
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
  {"attributeForDistinct":"group","distinct":true} | {"customRanking":["asc(a (b).c)","desc(__proto__)"]}`;

const effectiveOf = async (world: World, name = "new"): Promise<Readonly<Record<string, unknown>>> => ({
  ...(await world.engine.getSettings(name)).effective,
});

testRows("settings that are taken", [
  resembles(
    "a semanticWeight is taken:",
    { fusion: { method: "convex", semanticWeight: 0.3 } },
    async (world, settings) => {
      await create(world, settings);
      expect(world.warnings).toEqual([]);
      return effectiveOf(world);
    },
    '{"semanticWeight":0.3} | {"fusion":{"semanticWeight":0.3}}',
  ),
  ...cells(TAKEN).map((settings) =>
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
  gives("attributes by the names of prototypes", ["1"], async (world) => {
    await create(world, { searchableAttributes: ["__proto__", "constructor", "hasOwnProperty"] });
    await world.add([JSON.parse('{"id":1,"__proto__":"kettle","constructor":"drill","hasOwnProperty":"saw"}')], "new");
    return [...(await world.found("kettle drill saw", "new")), ...(await world.found("function", "new"))];
  }),
  passes(
    "settings that are",
    {
      frozen: Object.freeze({ idAttribute: "key" }),
      "without a prototype": Object.assign(Object.create(null), { idAttribute: "key" }),
    },
    create,
    async (_, world) => expect(await world.add([{ key: 1 }], "new")).toEqual({ added: 1, replaced: 0 }),
  ),
  gives("settings changed afterwards", [["title"], ["code"], 1.2], async (world) => {
    const settings = { searchableAttributes: ["title"], identifierAttributes: ["code"], bm25: { k1: 1.2 } };
    await create(world, settings);
    settings.searchableAttributes[0] = "note";
    settings.identifierAttributes.push("note");
    settings.bm25.k1 = 900;
    const { effective } = await world.engine.getSettings("new");
    return [effective.searchableAttributes, effective.identifierAttributes, effective.bm25.k1];
  }),
  gives("settings in force cannot be changed through getSettings", true, async (world) =>
    Object.isFrozen((await world.engine.getSettings("shop")).effective.bm25),
  ),
  ...[
    [0, ["fullTextSearch"]],
    [1, ["semanticSearch"]],
    [0.5, ["fullTextSearch", "semanticSearch"]],
  ].map(([weight, legs]) =>
    gives(`semanticWeight ${weight} runs ${legs}`, legs, async (world) => {
      await create(world, { vectorAttribute: "v", dimensions: 8, fusion: { semanticWeight: weight } });
      await world.add([{ id: 1, title: "drill", v: vectorOf(1) }], "new");
      return (await world.ask({ query: "drill", vector: vectorOf(1) }, "new")).recallSource;
    }),
  ),
  resembles(
    "customRanking",
    { nbHits: 2, hits: [{ id: "1" }, { id: "2" }] },
    async (world, customRanking) => {
      await create(world, { customRanking });
      await world.add(cells('{"id":1,"title":"drill","n":1} | {"id":2,"title":"drill"}'), "new");
      return world.ask({ query: "drill" }, "new");
    },
    `[] | ["desc(a)(b)"] | ["asc(constructor)","desc(__proto__)"] | ["desc(nope.x)"] | ["asc(price)"] x 16 |
    ["desc(n)"] | undefined`,
  ),
  gives("distinct with attributeForDistinct by the name of a prototype", [3, 4], async (world) => {
    await create(world, { attributeForDistinct: "__proto__", distinct: true });
    await world.add(
      [JSON.parse('{"id":1,"__proto__":"a"}'), JSON.parse('{"id":2,"__proto__":"a"}'), { id: 3 }, { id: 4 }],
      "new",
    );
    const nbHits = async (params: object) => (await world.ask({ query: "", ...params }, "new")).nbHits;
    return [await nbHits({}), await nbHits({ distinct: false })];
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

// Settings that speak of words.

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

function finds(what: string, synonyms: readonly object[], query: string, texts: readonly string[], ids: string): Rows {
  return gives(what, ids, (world) => found(world, synonyms, query, texts));
}

testRows("synonyms", [
  refuses(
    "a synonym",
    bad("invalid_setting"),
    (world, synonym) => world.create("new", { synonyms: [both("c", "d"), synonym] }),
    {
      ...shown(
        ...cells(`null | 5 | "a" | [] | ["a","b"] | {} | {"synonyms":["a","b"]} | {"type":"synonym"} |
    {"type":"Synonym","synonyms":["a","b"]}`),
      ),
      ...shown({ type: "altCorrection1", word: "a", corrections: ["b"] }, { type: "constructor", synonyms: ["a"] }),
      ...shown(
        both("a", 5),
        both("a", null),
        both(["a"]),
        { type: "synonym", synonyms: "a b" },
        both("a", "b".repeat(257)),
      ),
      ...shown(
        { type: "oneWaySynonym", synonyms: ["a"] },
        oneWay(5, "a"),
        oneWay(null, "a"),
        oneWay(["a"], "b"),
        oneWay("a".repeat(257), "b"),
        oneWay("a", 5),
      ),
      undefined: undefined,
      inherited: Object.create(both("a", "b")),
    },
  ),
  gives(
    "a synonym of nothing:",
    "0",
    async (world, synonym) => found(world, [synonym], "kettle", ["kettle", "drill"]),
    [
      both(),
      both("a"),
      both("a", "a"),
      both("", "b"),
      both("!!", "b"),
      both("\ud800", "\0"),
      oneWay("", "a"),
      oneWay("a"),
      oneWay("a", "a"),
      both("__proto__", "constructor"),
    ],
  ),
  finds(
    "a -> b -> a one way each",
    [oneWay("aaaa", "bbbb"), oneWay("bbbb", "aaaa")],
    "aaaa",
    ["aaaa", "bbbb", "cccc"],
    "0,1",
  ),
  finds("a, b and b, a", [both("aaaa", "bbbb"), both("bbbb", "aaaa")], "bbbb", ["aaaa", "bbbb", "cccc"], "0,1"),
  finds("a word for itself", [oneWay("aaaa", "aaaa"), both("aaaa", "aaaa")], "aaaa", ["aaaa", "bbbb"], "0"),
  finds(
    "phrases that hold each other",
    [both("red kettle", "kettle"), both("kettle", "red kettle")],
    "red kettle",
    ["red kettle", "kettle", "lamp"],
    "0,1",
  ),
  finds(
    "a phrase that grows without end",
    [oneWay("aaaa", "aaaa aaaa"), oneWay("aaaa aaaa", "aaaa aaaa aaaa")],
    "aaaa",
    ["aaaa", "bbbb"],
    "0",
  ),
  refuses(
    "more than 1,000 of one word:",
    { ...bad("invalid_setting"), msg: /1,?000/ },
    (world, synonyms) => create(world, { synonyms }),
    {
      "100,000 in one set": [{ type: "synonym", synonyms: words(100_000) }],
      "1,001 one way": [oneWay("a", ...words(1001))],
      "1,002 in one set": [both(...words(1002))],
      "in two sets": [oneWay("a", ...words(600)), oneWay("a", ...words(600, "x"))],
      "in two kinds": [oneWay("a", ...words(600)), both("a", ...words(600, "x"))],
      "of one word in two cases": [oneWay("Hoover", ...words(600)), oneWay(" hoover", ...words(600, "x"))],
      "of a Kelvin sign and a k": [oneWay("\u212a", ...words(600)), oneWay("k", ...words(600, "x"))],
    },
  ),
  gives("1,000 of one word are found, each", ["0,1,2", "0"], async (world) => [
    await found(world, [oneWay("aaaa", ...words(1000, "wwww"))], "aaaa", ["wwww0", "wwww999", "aaaa", "bbbb"]),
    idsOf(await world.ask({ query: "wwww0" }, "new")).join(),
  ]),
  gives("10,000 synonyms are taken, and a query of all of their words is answered", ["1"], async (world) => {
    await world.create("new", { synonyms: words(10_000).map((word) => oneWay(word, ...words(20, `${word}x`))) });
    await world.add([{ id: 1, title: "w7x3 lamp" }], "new");
    return idsOf(await world.ask({ query: words(600).join(" "), matching: "any" }, "new"));
  }),
]);

// Changes of settings that are refused.

const change = (world: World, settings: unknown, index: unknown = "shop"): Promise<unknown> =>
  world.call("updateSettings", index, settings);

testRows("changes of settings that are refused", [
  refuses("updateSettings with", bad("invalid_settings", "settings"), change, {
    ...shown(null, [], "title", 5, true, () => ({}), Symbol()),
  }),
  refusesTable(
    `
    queryType            invalid_setting "prefix"
    searchableAttributes invalid_setting []
    distinct             invalid_setting true`,
    (world, name, value) => change(world, { optionalWords: ["x"], [name]: value }),
  ),
  refuses(
    "updateSettings: all complaints come together",
    { ...bad("invalid_setting", "idAttribute"), msg: /idAttribute.*k1.*distinct.*queryType/ },
    (world) => change(world, { idAttribute: "", queryType: "x", distinct: 5, bm25: { k1: -1 } }),
  ),
  refuses("an idAttribute that the records do not have", bad("settings_do_not_fit", "settings"), (world) =>
    change(world, { idAttribute: "sku" }),
  ),
  refuses("a vectorAttribute that holds texts", bad("settings_do_not_fit", "settings"), (world) =>
    change(world, { vectorAttribute: "title", dimensions: 8 }),
  ),
  refuses("another length of the vectors", bad("settings_do_not_fit", "settings"), (world) =>
    change(world, { vectorAttribute: "vector", dimensions: 4 }, "near"),
  ),
  refuses("an embedder that fails", bad("embedder_failed", "embedder", 502), (world) =>
    change(world, { embedder: { id: "bad", dimensions: 8, retries: 0, embed: async () => throwing() } }),
  ),
  {
    what: "updateSettings: an unknown setting under strict",
    options: { strict: true },
    run: (world) => change(world, { synonims: [] }),
    expect: { ...bad("unknown_setting", "synonims"), msg: /synonyms/ },
  },
  {
    what: "updateSettings aborted while it embeds",
    prepare: (world) => (world.embedder.answer = () => new Promise(() => {})),
    run: (world) =>
      world.call("updateSettings", "shop", { embedder: world.embedder }, { signal: AbortSignal.timeout(30) }),
    expect: bad("aborted", "signal", 499),
  },
]);

// Changes of settings that are taken.

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
  ...(
    [
      ["attributeForDistinct", { attributeForDistinct: "brand" }, { distinct: true }],
      [
        "attributeForDistinct, taken up again",
        { attributeForDistinct: "brand", distinct: true },
        { attributeForDistinct: "price" },
      ],
      ["vectorAttribute", { vectorAttribute: "vector", dimensions: 8 }, { dimensions: 8 }],
      ["dimensions", { vectorAttribute: "vector", dimensions: 8 }, { vectorAttribute: "vector" }],
    ] as const
  ).map(([what, before, after]) =>
    resembles(`what a change leaves out stays: ${what}`, { ...before, ...after }, async (world) => {
      await world.create("new", before);
      await change(world, after, "new");
      return effectiveOf(world);
    }),
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
  ...(["createIndex", "updateSettings"] as const).flatMap((verb) => [
    gives(
      `${verb}: synonyms that the caller changes afterwards`,
      [{ type: "synonym", synonyms: ["drill", "screwdriver"] }],
      async (world) => {
        const synonyms = [{ type: "synonym", synonyms: ["drill", "screwdriver"] }];
        const settings = { synonyms };
        const done = verb === "createIndex" ? world.create("new", settings) : change(world, settings);
        synonyms[0]!.synonyms[1] = "hammer";
        synonyms.push({ type: "nonsense", synonyms: [] });
        await done;
        const name = verb === "createIndex" ? "new" : "shop";
        await change(world, { queryType: "prefixNone" }, name);
        return (await effectiveOf(world, name)).synonyms;
      },
    ),
  ]),
  gives(
    "settings cannot be changed through what getSettings gives",
    [["a"], { k1: 2, b: 0.6 }, "prefixAuto"],
    async (world) => {
      await change(world, { optionalWords: ["a"], bm25: { k1: 2 } });
      const { settings } = await world.engine.getSettings("shop");
      Reflect.set(settings, "queryType", "nonsense");
      if (Array.isArray(settings.optionalWords) && !Object.isFrozen(settings.optionalWords))
        settings.optionalWords.push("b");
      Reflect.set(settings.bm25 ?? {}, "k1", 3);
      await change(world, { distinct: false });
      const { optionalWords, bm25, queryType } = await effectiveOf(world, "shop");
      return [optionalWords, bm25, queryType];
    },
  ),
  gives("queries while the settings change see the old or the new index", [1, ["3", "two"]], async (world) => {
    const seen = new Set<string>();
    let changing = true;
    const done = change(
      world,
      { searchableAttributes: ["title"], vectorAttribute: "vector", dimensions: 8 },
      "near",
    ).then(() => (changing = false));
    while (changing) {
      const { recallSource, hits } = await world.ask({ query: "drill", vector: vectorOf(1) }, "near");
      seen.add(JSON.stringify([recallSource, hits.map((hit) => hit.id)]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    return [seen.size, idsOf(await world.ask({ query: "drill", semanticWeight: 0 }, "near"))];
  }),
]);

// Embedders and analyzers.

const embed = async (): Promise<unknown[]> => [];
const analyze = (text: string): string[] => text.split(" ");
const INVALID_EMBEDDER: Refusal = bad("invalid_embedder");
const INVALID_ANALYZER: Refusal = bad("invalid_analyzer", "analyzer");

testRows("embedders and analyzers", [
  refuses("embedder", INVALID_EMBEDDER, (world, embedder) => world.create("new", { embedder }), {
    ...shown(null, true, 5, "static-fr", [], {}, embed),
    "without an id": { dimensions: 8, embed },
    "with an empty id": { id: "", dimensions: 8, embed },
    "with a long id": { id: "i".repeat(257), dimensions: 8, embed },
    "without embed": { id: "x", dimensions: 8 },
    "whose embed is no function": { id: "x", dimensions: 8, embed: "embed" },
    "without dimensions": { id: "x", embed },
  }),
  refuses(
    "dimensions of an embedder",
    INVALID_EMBEDDER,
    (world, dimensions) => world.create("new", { embedder: { id: "x", dimensions, embed } }),
    [0, -1, 1.5, Number.NaN, "8", 4097, null],
  ),
  refuses(
    "maxBatchSize of an embedder",
    INVALID_EMBEDDER,
    (world, maxBatchSize) => world.create("new", { embedder: { id: "x", dimensions: 8, maxBatchSize, embed } }),
    [0, -1, 1.5, Number.NaN, "8", null],
  ),
  refuses("analyzer", INVALID_ANALYZER, (world, analyzer) => world.create("new", { analyzer }), {
    ...shown(null, true, 5, "german", [], {}, analyze),
    "without an id": { analyze },
    "with an empty id": { id: "", analyze },
    "whose analyze is no function": { id: "x", analyze: [] },
  }),
]);

/** Adds after `change` was done to the embedder; gives up after a while, because a batch size of 0 might never end. */
function changed(change: (embedder: PlayEmbedder) => void): Row["run"] {
  return async (world: World) => {
    const embedder = new PlayEmbedder();
    await world.create("new", { embedder });
    change(embedder);
    embedder.answer = (texts) => texts.map((_, i) => vectorOf(i));
    return world.add([rec({ id: 1 }), rec({ id: 2 })], "new", { signal: AbortSignal.timeout(1000) });
  };
}

testRows(
  "embedders and analyzers",
  [
    ["its dimensions to 4", (embedder: PlayEmbedder) => (embedder.dimensions = 4)],
    ["its maxBatchSize to 0", (embedder: PlayEmbedder) => (embedder.maxBatchSize = 0)],
    ["its maxBatchSize to NaN", (embedder: PlayEmbedder) => (embedder.maxBatchSize = Number.NaN)],
  ].map(
    ([what, change]): Row => ({
      what: `an embedder that changes ${what} afterwards`,
      run: changed(change as (embedder: PlayEmbedder) => void),
      expect: async (result, world) => {
        expect(result).toEqual({ added: 2, replaced: 0 });
        expect(
          (await world.ask({ query: "lamp", vector: vectorOf(1), semanticWeight: 1 }, "new")).hits[0],
        ).toMatchObject({
          id: "2",
          score: 1,
        });
      },
    }),
  ),
);

/** An embedder that later says, and gives, another length. */
const LONGER: Rows = gives(
  "an embedder whose vectors get longer afterwards",
  [expect.objectContaining({ code: 502, error: "embedder_failed" }), 0],
  async (world) => {
    const embedder = new PlayEmbedder();
    await world.create("new", { embedder });
    embedder.dimensions = 16;
    embedder.answer = (texts) => texts.map((_, i) => [...vectorOf(i), ...vectorOf(i)]);
    const error: unknown = await world.add([rec({ id: 1 })], "new").catch((thrown: unknown) => thrown);
    return [error, (await world.records("new")).length];
  },
);
testRows("embedders and analyzers", [LONGER]);
