// Settings that are wrong, unknown or odd; changes of settings; embedders and analyzers that are not what they should
// be.

import { expect } from "vitest";
import {
  gives,
  givesEach,
  passedEach,
  type Refusal,
  type Row,
  refuses,
  refusesEach,
  resembles,
  resemblesEach,
  shown,
  testRows,
} from "./row.js";
import { idsOf, PlayEmbedder, rec, revoked, throwing, vectorOf, type World } from "./world.js";

// Settings.

const refusal = (param: string, error = "invalid_setting"): Refusal => ({ code: 400, error, param });

const INVALID_SETTINGS: Refusal = { code: 400, error: "invalid_settings", param: "settings" };

const create = (world: World, settings: unknown): unknown => world.create("new", settings);

const setting =
  (name: string) =>
  (world: World, value: unknown): unknown =>
    world.create("new", { [name]: value });

const NAN = Number.NaN;

const INF = Number.POSITIVE_INFINITY;

const WORDS = ["__proto__", "constructor", "hasOwnProperty"];

const ATTRIBUTES: readonly Row[] = [
  ...refusesEach("settings", INVALID_SETTINGS, create, [null, [], ["title"], "title", 5, true, () => ({})]),
  gives("attributes by the names of prototypes", ["1"], async (world) => {
    await world.create("new", { searchableAttributes: WORDS });
    await world.add([JSON.parse('{"id":1,"__proto__":"kettle","constructor":"drill","hasOwnProperty":"saw"}')], "new");
    return [...(await world.found("kettle drill saw", "new")), ...(await world.found("function", "new"))];
  }),
  ...refusesEach(
    "attribute name",
    refusal("searchableAttributes[1]"),
    (world, name) => world.create("new", { searchableAttributes: ["title", name] }),
    ["", "n".repeat(257), "a\nb", "a\0", null, 5],
  ),
  ...refusesEach("idAttribute", refusal("idAttribute"), setting("idAttribute"), [
    "",
    "n".repeat(257),
    "a\n",
    null,
    5,
    [],
  ]),
  ...["identifierAttributes", "embeddedAttributes"].flatMap((name) =>
    refusesEach(name, refusal(name), setting(name), [[""], ["a\n"], [5], [null], "title", null, {}]),
  ),
  ...["searchableAttributes", "identifierAttributes", "embeddedAttributes"].map((name) =>
    refuses(`1,001 ${name}`, refusal(name), (world) =>
      world.create("new", { [name]: Array.from({ length: 1001 }, (_, i) => `a${i}`) }),
    ),
  ),
  ...refusesEach("searchableAttributes", refusal("searchableAttributes"), setting("searchableAttributes"), [
    [],
    "title",
    {},
    null,
  ]),
  ...refusesEach(
    "weight",
    refusal("searchableAttributes[0].weight"),
    (world, weight) => world.create("new", { searchableAttributes: [{ attribute: "title", weight }] }),
    [NAN, INF, -1, 0, "2", null, 1001],
  ),
  ...refusesEach("a repeated attribute:", refusal("searchableAttributes[1]"), setting("searchableAttributes"), [
    ["title", "title"],
    ["title", { attribute: "title" }],
  ]),
];

const OBJECTS: readonly Row[] = [
  gives(
    "an unknown setting is warned of",
    [expect.objectContaining({ code: "unknown_setting", message: expect.stringContaining("searchableAttributes") })],
    async (world) => {
      await world.create("new", { serchableAttributes: ["title"] });
      return world.warnings;
    },
  ),
  {
    what: "an unknown setting under strict",
    options: { strict: true },
    run: (world) => world.create("new", { serchableAttributes: ["title"] }),
    expect: { ...refusal("serchableAttributes", "unknown_setting"), msg: /searchableAttributes/ },
  },
  ...refusesEach(
    "an unknown name within",
    {
      code: 400,
      error: "unknown_setting",
    },
    create,
    [{ vectorIndex: { M: 4 } }, { bm25: { K1: 1 } }, { fusion: { weight: 1 } }],
  ),
  refuses(
    "all complaints come together",
    { ...refusal("idAttribute"), msg: /idAttribute.*matching.*k1.*settings\.bm25\.b/ },
    (world) => world.create("new", { idAttribute: "", bm25: { k1: -1, b: 2 }, matching: "al" }),
  ),
  refuses("a getter that throws", { ...INVALID_SETTINGS, cause: /from the getter/ }, (world) =>
    world.create("new", {
      get idAttribute(): string {
        throw new Error("from the getter");
      },
    }),
  ),
  refuses("a revoked Proxy within", { code: 400, error: "invalid_setting", cause: /revoked/ }, (world) => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return world.create("new", { bm25: proxy });
  }),
  ...passedEach(
    "settings that are",
    {
      frozen: Object.freeze({ idAttribute: "key" }),
      "without a prototype": Object.assign(Object.create(null), { idAttribute: "key" }),
      "a Proxy": new Proxy({ idAttribute: "key" }, {}),
    },
    create,
    async (_, world) => expect(await world.add([{ key: 1 }], "new")).toEqual({ added: 1, replaced: 0 }),
  ),
  gives("settings changed afterwards", [["title"], ["code"], 1.2], async (world) => {
    const settings = { searchableAttributes: ["title"], identifierAttributes: ["code"], bm25: { k1: 1.2 } };
    await world.create("new", settings);
    settings.searchableAttributes[0] = "note";
    settings.identifierAttributes.push("note");
    settings.bm25.k1 = 900;
    const { effective } = await world.engine.getSettings("new");
    return [effective.searchableAttributes, effective.identifierAttributes, effective.bm25.k1];
  }),
  gives("settings in force cannot be changed through getSettings", true, async (world) =>
    Object.isFrozen((await world.engine.getSettings("shop")).effective.bm25),
  ),
];

const SETTINGS: readonly Row[] = [...ATTRIBUTES, ...OBJECTS];

// Settings that are numbers, or one of a few words.

const inGroup =
  (group: string, name: string) =>
  (world: World, value: unknown): unknown =>
    world.create("new", { [group]: { [name]: value } });

const NUMBERS: readonly Row[] = [
  ...refusesEach(
    "dimensions",
    refusal("dimensions", "invalid_dimensions"),
    (world, dimensions) => world.create("new", { vectorAttribute: "v", dimensions }),
    [0, -1, 3.9, NAN, "384", 2 ** 32 + 3, 1e9, 4097, null, undefined],
  ),
  ...refusesEach(
    "m",
    {
      ...refusal("vectorIndex.m"),
      msg: /2 to 256/,
    },
    inGroup("vectorIndex", "m"),
    [0, 1, 1e9, 257, 2.5, NAN, "16"],
  ),
  ...refusesEach(
    "efConstruction",
    {
      ...refusal("vectorIndex.efConstruction"),
      msg: /4 to 10000/,
    },
    inGroup("vectorIndex", "efConstruction"),
    [0, -1, NAN, 3, 10_001],
  ),
  ...refusesEach("efSearch", refusal("vectorIndex.efSearch"), inGroup("vectorIndex", "efSearch"), [0, -1, NAN, 10_001]),
  ...refusesEach("kind", refusal("vectorIndex.kind"), inGroup("vectorIndex", "kind"), ["hsnw", null, 1]),
  ...refusesEach("semanticWeight", refusal("fusion.semanticWeight"), inGroup("fusion", "semanticWeight"), [
    1.0000001,
    -0.1,
    NAN,
    INF,
    "0.5",
    null,
  ]),
  ...[
    [0, ["fullTextSearch"]],
    [1, ["semanticSearch"]],
    [0.5, ["fullTextSearch", "semanticSearch"]],
  ].map(([weight, legs]) =>
    gives(`semanticWeight ${weight} runs ${legs}`, legs, async (world) => {
      await world.create("new", { vectorAttribute: "v", dimensions: 8, fusion: { semanticWeight: weight } });
      await world.add([{ id: 1, title: "drill", v: vectorOf(1) }], "new");
      return (await world.ask({ query: "drill", vector: vectorOf(1) }, "new")).recallSource;
    }),
  ),
  ...refusesEach("k1", refusal("bm25.k1"), inGroup("bm25", "k1"), [-0.1, NAN, INF, 1001, "1.2", null]),
  ...refusesEach("b", refusal("bm25.b"), inGroup("bm25", "b"), [-0.1, 1.1, NAN, "0.6", null]),
  ...refusesEach("bm25", { code: 400, error: "invalid_setting" }, setting("bm25"), [null, [], 5, "x"]),
  ...refusesEach("matchingRatio", refusal("matchingRatio"), setting("matchingRatio"), [-0.1, 1.1, NAN, "0.4", null]),
  ...refusesEach("semanticFloor", refusal("semanticFloor"), setting("semanticFloor"), [-1.1, 1.1, NAN, "0", null]),
  ...refusesEach("semanticDepth", refusal("semanticDepth"), setting("semanticDepth"), [
    0,
    -1,
    1.5,
    NAN,
    10_001,
    "9",
    null,
  ]),
  ...refusesEach("matching", refusal("matching"), setting("matching"), ["al", null, true, ["all"]]),
  ...refusesEach("fusion.method", refusal("fusion.method"), inGroup("fusion", "method"), ["rff", null, 5]),
  ...refusesEach(
    "rankConstant",
    refusal("fusion.rankConstant"),
    (world, rankConstant) => world.create("new", { fusion: { method: "rrf", rankConstant } }),
    [0, -1, NAN, 10_001, "60"],
  ),
];

// Settings that speak of values: faceting, ranking, groups.

const refused = (name: string, values: readonly unknown[]): Row[] =>
  refusesEach(name, refusal(name), setting(name), [...values]);

const LONG = "n".repeat(257);

const ORDER: readonly Row[] = [
  ...refused("customRanking", [
    null,
    5,
    "desc(price)",
    {},
    true,
    [5],
    [null],
    [["desc(price)"]],
    new Array(1),
    new Set(["desc(price)"]),
  ]),
  ...refused("customRanking", [
    ["desc("],
    ["desc()"],
    ["desc"],
    ["price"],
    ["price:desc"],
    ["Desc(price)"],
    [" desc(price)"],
    ["desc(price) "],
    ["desc (price)"],
    [""],
    ["asc(price)", "desc("],
  ]),
  ...refused("customRanking", [[`desc(${LONG})`], ["desc(a\n)"], ["desc(\0)"], new Array(17).fill("desc(price)")]),
  ...resemblesEach(
    "customRanking",
    { nbHits: 2, hits: [{ id: "1" }, { id: "2" }] },
    async (world, customRanking) => {
      await world.create("new", { customRanking });
      await world.add(
        [
          { id: 1, title: "drill", n: 1 },
          { id: 2, title: "drill" },
        ],
        "new",
      );
      return world.ask({ query: "drill" }, "new");
    },
    [
      [],
      ["desc(a)(b)"],
      ["asc(constructor)", "desc(__proto__)"],
      ["desc(nope.x)"],
      new Array(16).fill("asc(price)"),
      ["desc(n)"],
      undefined,
    ],
  ),
  ...refused("attributeForDistinct", [null, "", 5, true, ["brand"], {}, LONG, "a\n"]),
  ...refused("distinct", [null, 1, 0, "true", [], {}]),
  refuses("distinct without attributeForDistinct", { ...refusal("distinct"), msg: /attributeForDistinct/ }, (world) =>
    setting("distinct")(world, true),
  ),
  gives("distinct with attributeForDistinct by the name of a prototype", [3, 4], async (world) => {
    await world.create("new", { attributeForDistinct: "__proto__", distinct: true });
    await world.add(
      [JSON.parse('{"id":1,"__proto__":"a"}'), JSON.parse('{"id":2,"__proto__":"a"}'), { id: 3 }, { id: 4 }],
      "new",
    );
    return [
      (await world.ask({ query: "" }, "new")).nbHits,
      (await world.ask({ query: "", distinct: false }, "new")).nbHits,
    ];
  }),
  ...refusesEach("attributesForFaceting", refusal("attributesForFaceting"), setting("attributesForFaceting"), [
    [""],
    ["a\n"],
    [5],
    [null],
    "brand",
    null,
    {},
    true,
    [LONG],
    new Array(1),
    [["brand"]],
    [{ attribute: "brand" }],
  ]),
  refuses("1,001 attributesForFaceting", refusal("attributesForFaceting"), (world) =>
    setting("attributesForFaceting")(
      world,
      Array.from({ length: 1001 }, (_, i) => `a${i}`),
    ),
  ),
  gives(
    "no attributesForFaceting: nothing can be filtered, counted or sorted",
    [new Array(4).fill(expect.objectContaining({ code: 400 })), {}],
    async (world) => {
      await world.create("new", { attributesForFaceting: [] });
      await world.add([{ id: 1, brand: "Forge" }], "new");
      const errors: unknown[] = [];
      for (const params of [
        { filters: "brand:Forge" },
        { facetFilters: ["brand:Forge"] },
        { facets: ["brand"] },
        { sort: ["brand:asc"] },
      ])
        errors.push(await world.ask({ query: "", ...params }, "new").catch((error: unknown) => error));
      return [errors, (await world.ask({ query: "", facets: ["*"] }, "new")).facets];
    },
  ),
];

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

function finds(what: string, synonyms: readonly object[], query: string, texts: readonly string[], ids: string): Row {
  return gives(what, ids, (world) => found(world, synonyms, query, texts));
}

const SYNONYMS: readonly Row[] = [
  ...refused("synonyms", [null, 5, "a", {}, true, both("a", "b"), new Map(), new Array(10_001).fill(both("a", "b"))]),
  ...refusesEach(
    "a synonym",
    { code: 400, error: "invalid_setting" },
    (world, synonym) => world.create("new", { synonyms: [both("c", "d"), synonym] }),
    {
      ...shown(
        null,
        5,
        "a",
        [],
        ["a", "b"],
        {},
        { synonyms: ["a", "b"] },
        { type: "synonym" },
        { type: "Synonym", synonyms: ["a", "b"] },
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
      "whose getter throws": Object.defineProperty({ type: "synonym" }, "synonyms", {
        get: throwing,
        enumerable: true,
      }),
      inherited: Object.create(both("a", "b")),
    },
  ),
  ...givesEach(
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
  ...refusesEach(
    "more than 1,000 of one word:",
    { code: 400, error: "invalid_setting", msg: /1,?000/ },
    setting("synonyms"),
    {
      "100,000 in one set": [{ type: "synonym", synonyms: words(100_000) }],
      "1,001 one way": [oneWay("a", ...words(1001))],
      "1,002 in one set": [both(...words(1002))],
      "in two sets": [oneWay("a", ...words(600)), oneWay("a", ...words(600, "x"))],
      "in two kinds": [oneWay("a", ...words(600)), both("a", ...words(600, "x"))],
      "of one word in two cases": [oneWay("Hoover", ...words(600)), oneWay("hoover", ...words(600, "x"))],
    },
  ),
  gives("1,000 of one word are found, each", ["0,1,2", "0"], async (world) => [
    await found(world, [oneWay("aaaa", ...words(1000, "wwww"))], "aaaa", ["wwww0", "wwww999", "aaaa", "bbbb"]),
    idsOf(await world.ask({ query: "wwww0" }, "new")).join(),
  ]),
  gives("10,000 synonyms are taken, and a query of all of their words is answered", [["1"], true], async (world) => {
    await world.create("new", { synonyms: words(10_000).map((word) => oneWay(word, ...words(20, `${word}x`))) });
    await world.add([{ id: 1, title: "w7x3 lamp" }], "new");
    const started = performance.now();
    const seen = await world.ask({ query: words(600).join(" "), matching: "any" }, "new");
    return [idsOf(seen), performance.now() - started < 2000];
  }),
];

const LISTS = ["optionalWords", "disableTypoToleranceOnWords", "disableTypoToleranceOnAttributes"];

const OTHERS: readonly Row[] = [
  ...refused("stopWords", [
    null,
    true,
    "the",
    {},
    [5],
    [null],
    ["w".repeat(257)],
    new Array(10_001).fill("a"),
    new Set(["the"]),
    new Array(1),
  ]),
  ...givesEach(
    "stopWords",
    ["1"],
    async (world, stopWords) => {
      await world.create("new", { stopWords });
      await world.add([{ id: 1, title: "kettle" }], "new");
      return idsOf(await world.ask({ query: "kettle" }, "new"));
    },
    [false, [], ["kettle"], ["__proto__", "constructor", "", "\ud800"], undefined],
  ),
  ...LISTS.flatMap((name) =>
    refused(name, [
      null,
      true,
      false,
      "drill",
      {},
      [5],
      [null],
      ["w".repeat(257)],
      new Array(10_001).fill("a"),
      new Array(1),
    ]),
  ),
  ...LISTS.flatMap((name) =>
    passedEach(name, [[], ["drill"], ["constructor", "__proto__", "", "\0"], undefined], setting(name), (_, world) =>
      expect(world.warnings).toEqual([]),
    ),
  ),
  ...refused("typoTolerance", [null, "yes", "true", "min", "strict", 0, 1, [], {}]),
  ...refused("titleEvidence", [null, "yes", "true", 0, 1, [], {}]),
  ...refused("queryType", [null, "prefix", "prefixlast", "", true, 0, ["prefixLast"], {}, "toString"]),
];

const WORD_SETTINGS: readonly Row[] = [...SYNONYMS, ...OTHERS];

// Changes of settings that are refused.

const INVALID: Refusal = { code: 400, error: "invalid_settings", param: "settings" };

const change = (world: World, settings: unknown, index: unknown = "shop"): Promise<unknown> =>
  world.call("updateSettings", index, settings);

const REFUSED_CHANGES: readonly Row[] = [
  ...refusesEach("updateSettings with", INVALID, change, {
    ...shown(null, [], "title", 5, true, () => ({}), Symbol()),
    "a revoked Proxy": revoked(),
    "a getter that throws": Object.defineProperty({}, "queryType", { get: throwing, enumerable: true }),
  }),
  ...refusesEach(
    "updateSettings of",
    { code: 404, error: "index_not_found", param: "indexName" },
    (world, name) => change(world, {}, name),
    ["shpo", "constructor", "__proto__", "", null, 5, {}, Symbol()],
  ),
  ...(
    [
      ["queryType", "prefix"],
      ["typoTolerance", "yes"],
      ["customRanking", ["desc("]],
      ["stopWords", true],
      ["searchableAttributes", []],
      ["idAttribute", ""],
      ["attributeForDistinct", 5],
      ["matchingRatio", 2],
      ["distinct", true],
    ] as const
  ).map(([name, value]) =>
    refuses(`updateSettings: ${name} ${JSON.stringify(value)}`, refusal(name), (world) =>
      change(world, { optionalWords: ["x"], [name]: value }),
    ),
  ),
  refuses(
    "updateSettings: all complaints come together",
    { ...refusal("idAttribute"), msg: /idAttribute.*k1.*distinct.*queryType/ },
    (world) => change(world, { idAttribute: "", queryType: "x", distinct: 5, bm25: { k1: -1 } }),
  ),
  refuses("an idAttribute that the records do not have", refusal("settings", "settings_do_not_fit"), (world) =>
    change(world, { idAttribute: "sku" }),
  ),
  refuses("a vectorAttribute that holds texts", refusal("settings", "settings_do_not_fit"), (world) =>
    change(world, { vectorAttribute: "title", dimensions: 8 }),
  ),
  refuses("another length of the vectors", refusal("settings", "settings_do_not_fit"), (world) =>
    change(world, { vectorAttribute: "vector", dimensions: 4 }, "near"),
  ),
  refuses("an embedder that fails", { code: 502, error: "embedder_failed", param: "embedder" }, (world) =>
    change(world, { embedder: { id: "bad", dimensions: 8, embed: async () => throwing() } }),
  ),
  {
    what: "updateSettings: an unknown setting under strict",
    options: { strict: true },
    run: (world) => change(world, { synonims: [] }),
    expect: { ...refusal("synonims", "unknown_setting"), msg: /synonyms/ },
  },
  ...refusesEach(
    "updateSettings with the options",
    refusal("options", "invalid_options"),
    (world, options) => world.call("updateSettings", "shop", {}, options),
    [null, 5, "x", []],
  ),
  refuses("updateSettings aborted before", { code: 499, error: "aborted", param: "signal" }, (world) =>
    world.call("updateSettings", "shop", { queryType: "prefixAll" }, { signal: AbortSignal.abort() }),
  ),
  {
    what: "updateSettings aborted while it embeds",
    prepare: (world) => (world.embedder.answer = () => new Promise(() => {})),
    run: (world) =>
      world.call("updateSettings", "shop", { embedder: world.embedder }, { signal: AbortSignal.timeout(30) }),
    expect: { code: 499, error: "aborted", param: "signal" },
  },
];

// Changes of settings that are taken.

const effective = async (world: World, index: string): Promise<Readonly<Record<string, unknown>>> => ({
  ...(await world.engine.getSettings(index)).effective,
});

const MERGES: readonly Row[] = [
  ...passedEach(
    "updateSettings by nothing:",
    [undefined, {}, Object.create(null), { queryType: undefined }, Object.create({ queryType: "prefixAll" })],
    async (world, settings) => {
      await change(world, settings);
      return effective(world, "shop");
    },
    async (result, world) => {
      await world.create("new");
      expect(result).toEqual(await effective(world, "new"));
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
      return effective(world, "new");
    }),
  ),
  gives(
    "updateSettings: an unknown setting is warned of once, and not kept",
    [["unknown_setting", "unknown_setting"], ["queryType"]],
    async (world) => {
      await change(world, { synonims: [], __proto: 1, queryType: "prefixAll" });
      return [world.warnings.map(({ code }) => code), Object.keys((await world.engine.getSettings("shop")).settings)];
    },
  ),
  ...(["createIndex", "updateSettings"] as const).flatMap((verb) => [
    gives(`${verb} reads each setting once, and that is what counts`, ["prefixAll", 1], async (world) => {
      let reads = 0;
      const settings = {
        get queryType() {
          return ++reads === 1 ? "prefixAll" : "nonsense";
        },
      };
      if (verb === "createIndex") await world.create("new", settings);
      else await change(world, settings);
      const name = verb === "createIndex" ? "new" : "shop";
      await change(world, { distinct: false }, name);
      return [(await effective(world, name)).queryType, reads];
    }),
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
        return (await effective(world, name)).synonyms;
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
      const { optionalWords, bm25, queryType } = await effective(world, "shop");
      return [optionalWords, bm25, queryType];
    },
  ),
  {
    what: "a getter of createIndex that throws when it is read again",
    run: (world) => {
      let reads = 0;
      return world.create("new", {
        get queryType() {
          return ++reads === 1 ? "prefixAll" : throwing();
        },
      });
    },
    expect: async (_, world) => expect((await effective(world, "new")).queryType).toBe("prefixAll"),
  },
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
];

// Embedders and analyzers.

const embed = async (): Promise<unknown[]> => [];

const analyze = (text: string): string[] => text.split(" ");

const INVALID_EMBEDDER: Refusal = { code: 400, error: "invalid_embedder" };

const INVALID_ANALYZER: Refusal = { code: 400, error: "invalid_analyzer", param: "analyzer" };

const SHAPES: readonly Row[] = [
  ...refusesEach("embedder", INVALID_EMBEDDER, (world, embedder) => world.create("new", { embedder }), {
    ...shown(null, true, 5, "static-de", [], {}, embed),
    "without an id": { dimensions: 8, embed },
    "with an empty id": { id: "", dimensions: 8, embed },
    "with a long id": { id: "i".repeat(257), dimensions: 8, embed },
    "without embed": { id: "x", dimensions: 8 },
    "whose embed is no function": { id: "x", dimensions: 8, embed: "embed" },
    "without dimensions": { id: "x", embed },
    "with a getter that throws": Object.defineProperty({ id: "x", embed }, "dimensions", { get: throwing }),
  }),
  ...refusesEach(
    "dimensions of an embedder",
    INVALID_EMBEDDER,
    (world, dimensions) => world.create("new", { embedder: { id: "x", dimensions, embed } }),
    [0, -1, 1.5, Number.NaN, "8", 4097, null],
  ),
  ...refusesEach(
    "maxBatchSize of an embedder",
    INVALID_EMBEDDER,
    (world, maxBatchSize) => world.create("new", { embedder: { id: "x", dimensions: 8, maxBatchSize, embed } }),
    [0, -1, 1.5, Number.NaN, "8", null],
  ),
  ...refusesEach("analyzer", INVALID_ANALYZER, (world, analyzer) => world.create("new", { analyzer }), {
    ...shown(null, true, 5, "german", [], {}, analyze),
    "without an id": { analyze },
    "with an empty id": { id: "", analyze },
    "whose analyze is no function": { id: "x", analyze: [] },
    "with a getter that throws": Object.defineProperty({ id: "x" }, "analyze", { get: throwing }),
  }),
];

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

const CHANGED: readonly Row[] = [
  ["its dimensions to 4", (embedder: PlayEmbedder) => (embedder.dimensions = 4)],
  ["its maxBatchSize to 0", (embedder: PlayEmbedder) => (embedder.maxBatchSize = 0)],
  ["its maxBatchSize to NaN", (embedder: PlayEmbedder) => (embedder.maxBatchSize = Number.NaN)],
].map(
  ([what, change]): Row => ({
    what: `an embedder that changes ${what} afterwards`,
    run: changed(change as (embedder: PlayEmbedder) => void),
    expect: async (result, world) => {
      expect(result).toEqual({ added: 2, replaced: 0 });
      expect((await world.ask({ query: "lamp", vector: vectorOf(1), semanticWeight: 1 }, "new")).hits[0]).toMatchObject(
        {
          id: "2",
          score: 1,
        },
      );
    },
  }),
);

/** An embedder that later says, and gives, another length. */
const LONGER: Row = gives(
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

const SEAMS: readonly Row[] = [...SHAPES, ...CHANGED, LONGER];

testRows("settings", SETTINGS);
testRows("settings that are numbers, or one of a few words", NUMBERS);
testRows("settings that speak of values: faceting, ranking, groups", ORDER);
testRows("settings that speak of words", WORD_SETTINGS);
testRows("changes of settings that are refused", REFUSED_CHANGES);
testRows("changes of settings that are taken", MERGES);
testRows("embedders and analyzers", SEAMS);
