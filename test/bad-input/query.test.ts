// Queries as objects: the request as a whole, its texts, numbers and vectors.

import { expect } from "vitest";
import { heapInUse } from "../support/heap.js";
import { FAST } from "../support/size.js";
import { cells } from "./refused-values.js";
import { bad, gives, passes, type Refusal, type Row, type Rows, refuses, resembles, testRows } from "./row.js";
import { idsOf, type Seen, throwing, vectorOf, type World } from "./world.js";

// The request.

const ask = (world: World, params: unknown): unknown => world.ask(params);
const INVALID_REQUEST: Refusal = bad("invalid_request", "params");
const MISSING: Refusal = bad("missing_query", "query");
const DRILLS = { nbHits: 2, page: 1, hits: [{ id: "3" }, { id: "two" }] };
const HIDING = ["filter", "Filters", "fliters", "filtres", "FILTERS", "facetFilter", "facetfilters", "facet_filters"];

testRows("the request", [
  refuses("no parameters", INVALID_REQUEST, (world) => world.call("query", "shop")),
  refuses(
    "parameters",
    INVALID_REQUEST,
    ask,
    'null | "drill" | "query=drill" | [] | ["drill"] | 5 | true | function | Symbol()',
  ),
  refuses("a getter that throws", { ...INVALID_REQUEST, cause: /from the getter/ }, (world) =>
    world.ask(Object.defineProperty({}, "query", { get: throwing, enumerable: true })),
  ),
  refuses("no query:", MISSING, ask, {
    "an empty object": {},
    undefined: { query: undefined },
    "an inherited one": Object.create({ query: "drill" }),
  }),
  {
    what: "an unknown parameter is warned of, once, with the nearest name",
    run: (world) => world.ask({ query: "drill", hitPerPage: 1, xyz: 2 }),
    expect: (result, world) => {
      expect(result).toMatchObject(DRILLS);
      expect(world.warnings).toEqual([
        expect.objectContaining({ code: "unknown_parameter", message: expect.stringMatching(/hitsPerPage.*xyz/) }),
      ]);
    },
  },
  {
    what: "an unknown parameter under strict",
    options: { strict: true },
    run: (world) => world.ask({ query: "drill", hitPerPage: 1 }),
    expect: { ...bad("unknown_parameter", "hitPerPage"), msg: /hitsPerPage/ },
  },
  HIDING.map((name) =>
    refuses(`${name}, which was meant to hide records`, bad("unknown_parameter", name), (world) =>
      world.ask({ query: "drill", [name]: "brand:Forge" }),
    ),
  ),
  refuses(
    "a misspelt name of places:",
    bad("unknown_parameter"),
    (world, name) => world.ask({ query: "drill", [String(name)]: 5 }),
    '"aroundRadus" | "arroundRadius" | "insideBoundingBoxes"',
  ),
  refuses("65 parameters", INVALID_REQUEST, (world) =>
    world.ask({ query: "drill", ...Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`p${i}`, 1])) }),
  ),
  passes(
    "a name that built-in objects have:",
    '{"query":"drill","__proto__":{"page":2,"hitsPerPage":0}} | {"query":"drill","constructor":{}}',
    ask,
    (result, world) => {
      expect(result).toMatchObject(DRILLS);
      expect(world.warnings).toHaveLength(1);
    },
  ),
  resembles("inherited parameters do not count", DRILLS, (world) =>
    world.ask(Object.assign(Object.create({ page: 2, hitsPerPage: 0, filters: "x" }), { query: "drill" })),
  ),
  refuses(
    "params beside",
    bad("params_not_alone", "params"),
    (world, beside) => world.ask({ params: "query=drill", ...(beside as object) }),
    '{"query":"drill"} | {"page":1} | {"x":1}',
  ),
]);

// Texts to look for.

const TOO_LONG: Refusal = bad("query_too_long", "query");
const askFor = (world: World, query: unknown): unknown => world.ask({ query });

/** Characters of all kinds that a text may be one run of. */
const FAMILIES: readonly string[] = [
  ..."a1é\u00dfАаΩא\u0627\u0905\u0e01\u0ea5\u1780\u1000\u0f40あア漢한ㄅԱა\u12a0\u13a0\u1401-_&'.,/:#+\"\\*(%\0\u001b\u00adıİﬀ",
  ..."\u200d\u0301\u0345\ufdfa\ufb03\u00bd\u2460\ufffd\ue000\u3099\uff9e\u1f82\ud83d\ude00\ud835\udc00",
  ...["\ud800", "\udc00", "a1", "1a-", "a'", "1.", "a-b_", "\u6771a", "1,"],
];

const ECHOED = [
  ...FAMILIES.map((family) => family.repeat(Math.floor(4096 / Buffer.byteLength(family)))),
  ...["\ufdfa".repeat(240), Array.from({ length: 2048 }, (_, i) => String.fromCharCode(97 + (i % 26))).join(" ")],
  ...["a\0b", "\u001b[31mred", "\u0085\u009b", "a\u2028b\u2029c", "a\r\nb", "lamp \ud800", "\udc00 lamp", "\ud800"],
];

testRows("texts to look for", [
  passes(
    "a blank query:",
    ["", "   ", "\t\n", "\u3000", "\u200b", "\ufeff\u200d", "\u00ad", "\0", "\u202e"],
    async (world, query) => [await world.ask({ query }, "shop"), await world.ask({ query }, "meant")],
    (result, world) => {
      for (const seen of result as readonly Seen[]) {
        expect(seen.recallSource).toEqual(["fullTextSearch"]);
        expect(seen.hits.map(({ id, score }) => [id, score])).toEqual([
          ["1", 0],
          ["3", 0],
          ["two", 0],
        ]);
      }
      expect(world.embedder.asked).not.toContain("");
    },
  ),
  resembles(
    "signs alone:",
    new Array(2).fill({ nbHits: 0, hits: [] }),
    async (world, query) => [await world.ask({ query }), await world.ask({ query }, "meant")],
    ["!!! ---", "?", "\u2026", "&", "'", "\ud83d\ude00", "\ud800"],
  ),
  (
    [
      ["0 null undefined NaN false", ["0", "null", "undefined", "NaN", "false"], [".*"]],
      ["the end of a lamp", ["the of"], ["null", "0", "la*p"]],
      ["__proto__ constructor toString", ["__proto__ constructor toString"], ["valueOf"]],
      ["(a+)+$ [ * ? \\ ^", ["(a+)+$ [ * ? \\ ^"], [".*"]],
      ["red shoe", ['"red shoe'], ["toString"]],
      ["lamp and shade or bulb", ["lamp AND bulb", "lamp -shade", "NOT lamp"], ["undefined"]],
      ["brand lamp", ["brand:lamp"], ["NaN", "the of"]],
    ] as const
  ).map(([text, held, missing]) =>
    gives(`${JSON.stringify(held)} in ${JSON.stringify(text)}`, { found: held, missed: missing }, async (world) => {
      await world.add([{ id: "new", text }]);
      const isFound = async (query: string): Promise<boolean> => (await world.found(query)).join() === "new";
      const found = [];
      for (const query of held) if (await isFound(query)) found.push(query);
      const missed = [];
      for (const query of missing) if ((await world.found(query)).length === 0) missed.push(query);
      return { found, missed };
    }),
  ),
  resembles(
    "4,096 bytes:",
    { page: 1 },
    askFor,
    cells('"a x 4096" | "word  x 819" | "\u00e9 x 2048" | "\u{1f600} x 1024"'),
  ),
  refuses(
    "more than 4,096 bytes:",
    TOO_LONG,
    askFor,
    '"a x 4097" | "a x 10000000" | "\u6771 x 1366" | "\u00e9 x 2049"',
  ),
  gives("texts of all kinds are answered, and echoed", [], async (world) => {
    const wrong: string[] = [];
    for (const query of ECHOED) {
      const seen = await world.ask({ query }, "meant");
      if (seen.query !== query || JSON.parse(JSON.stringify(seen)).query !== query) wrong.push(query);
    }
    return wrong;
  }),
  gives("the first 64 distinct terms count", ["last"], async (world) => {
    await world.add(cells('{"id":"last","text":"w63"} | {"id":"over","text":"w64"}'));
    const query = Array.from({ length: 70 }, (_, i) => `w${i} w0`).join(" ");
    return idsOf(await world.ask({ query, matching: "any" }));
  }),
  gives("one word 680 times is one term", true, async (world) => {
    const [once, often] = [await world.ask({ query: "drill" }), await world.ask({ query: "drill ".repeat(680) })];
    return JSON.stringify(once.hits) === JSON.stringify(often.hits);
  }),
  gives(
    "optional words",
    ["two", "3"],
    async (world, optionalWords) => idsOf(await world.ask({ query: "blue big drill", matching: "all", optionalWords })),
    { "one by one": ["blue", "big"], "as one text": "blue big", "as one text in a list": ["blue big"] },
  ),
]);

// Advanced syntax.

/** Queries that are nothing but syntax, or syntax that was never finished. */
const SYNTAX = [
  ...cells(String.raw`"\"" | "\"\"" | "\" \"" | "\"drill" | "drill\"" | "\"\"\"" | "-" | "--" | "- drill" | "-drill" | "-\"" | "-\"\"" | "-\"drill"
    | "-drill -drill" | "\"-drill\"" | "drill-" | "\"\ud800\"" | "-\u0000" | "\"a\" \"b\" \"c" | "-*"`),
  ...['"drill" '.repeat(500), "-x ".repeat(1300), '"'.repeat(4096), '-"'.repeat(2048), `"${"drill ".repeat(680)}"`],
];

testRows("advanced syntax", [
  ["shop", "meant"].map((index) =>
    gives(`odd syntax is answered in ${index}`, SYNTAX, async (world) => {
      const answered = [];
      const shows = { advancedSyntax: true, facets: ["*"], attributesToHighlight: ["*"], explain: true };
      for (const query of SYNTAX) answered.push((await world.ask({ query, ...shows }, index)).query);
      return answered;
    }),
  ),
  gives("a phrase is one, however often it is asked for", [2, 0], async (world) => {
    const count = async (query: string): Promise<number> => (await world.ask({ query, advancedSyntax: true })).nbHits;
    return [await count('"drill" '.repeat(500)), await count(`"${"drill ".repeat(680)}"`)];
  }),
  gives("without advancedSyntax a minus and quotes are no syntax", [true, true], async (world) => {
    const [minus, quotes] = [await world.ask({ query: "drill -blue" }), await world.ask({ query: '"drill blue"' })];
    return [idsOf(minus).includes("two"), idsOf(quotes).includes("two")];
  }),
  gives("what is excluded is excluded from counts and from the meaning too", [false, []], async (world) => {
    const params = { query: "drill -blue", advancedSyntax: true, facets: ["sku"], semanticFloor: -1 };
    const seen = await world.ask(params, "meant");
    return [idsOf(seen).includes("two"), seen.facets?.sku];
  }),
]);

// Numbers, vectors, and embedders that fail.

const BAD_VECTOR: Refusal = bad("invalid_vector", "vector");

function throwNoModel(): never {
  throw new Error("no model");
}

testRows("numbers, vectors, and embedders that fail", [
  {
    what: "page times hitsPerPage above 2^53",
    options: { limits: { page: 2 ** 53 - 1, hitsPerPage: 2 ** 53 - 1 } },
    run: (world) => world.ask({ query: "drill", page: 2 ** 53 - 1, hitsPerPage: 2 ** 53 - 1 }),
    expect: (result) => expect(result).toMatchObject({ page: 2 ** 53 - 1, nbHits: 2, hits: [] }),
  },
  (
    [
      ["meant", 0, "fullTextSearch"],
      ["meant", -0, "fullTextSearch"],
      ["meant", 1, "semanticSearch"],
      ["shop", 1, "fullTextSearch"],
    ] as const
  ).map(([index, semanticWeight, leg]) =>
    resembles(`semanticWeight ${semanticWeight} in ${index} runs one leg`, { recallSource: [leg] }, (world) =>
      world.ask({ query: "drill", semanticWeight }, index),
    ),
  ),
  refuses(
    "a bad vector that would have no weight:",
    BAD_VECTOR,
    (world, params) => world.ask({ vector: [1], ...(params as object) }, "near"),
    '{"query":""} | {"query":"drill","semanticWeight":0}',
  ),
  refuses(
    "all complaints come together, that of the vector too",
    { ...bad("invalid_page", "page"), msg: /page.*vector/ },
    (world) => world.ask({ query: "drill", page: 0, vector: [1] }, "near"),
  ),
  Object.entries<() => unknown>({
    throws: throwNoModel,
    rejects: () => Promise.reject(new Error("no model")),
    "rejects with undefined": () => Promise.reject(undefined),
    "answers nothing": () => undefined,
    "answers none": () => [],
    "answers two vectors": () => [vectorOf(0), vectorOf(1)],
  }).map(
    ([what, answer]): Row => ({
      what: `an embedder that ${what} is warned of, and words answer`,
      run: async (world) => {
        world.embedder.answer = answer;
        const seen = await world.ask({ query: "drill", semanticWeight: 0.9 }, "meant");
        return [seen.recallSource, world.warnings.map(({ code, param }) => [code, param]), seen.hits];
      },
      expect: async (result, world) => {
        const byWords = await world.ask({ query: "drill", semanticWeight: 0 }, "meant");
        expect(result).toEqual([["fullTextSearch"], [["embedder_failed", "embedder"]], byWords.hits]);
      },
    }),
  ),
  gives("an embedder without a vector for the query, without a warning", [["fullTextSearch"], []], async (world) => {
    world.embedder.answer = () => [null];
    return [(await world.ask({ query: "drill" }, "meant")).recallSource, world.warnings];
  }),
]);

const MANY_QUERIES = FAST ? 2000 : 10_000;

const MANY: Rows = passes(
  `${MANY_QUERIES} different queries leave the heap as it was`,
  [MANY_QUERIES],
  async (world) => {
    const random = (i: number): string => `${((i + 1) * 2654435761).toString(36)}x ${((i + 7) * 40503).toString(36)}y`;
    for (let i = 0; i < 1000; i++) await world.ask({ query: random(-i) });
    const before = heapInUse();
    for (let i = 0; i < MANY_QUERIES; i++) await world.ask({ query: random(i) });
    return heapInUse() - before;
  },
  (grown) => expect(grown).toBeLessThan(MANY_QUERIES * 2000),
);

testRows("texts to look for", MANY);
