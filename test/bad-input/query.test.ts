// Queries as objects: the request as a whole, its texts, numbers and vectors.

import { expect } from "vitest";
import { heapInUse } from "../support/heap.js";
import { FAST } from "../support/size.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { bad, gives, passes, type Refusal, type Row, type Rows, refuses, resembles, shown, testRows } from "./row.js";
import { idsOf, rec, type Seen, vectorOf, World } from "./world.js";

// The request.

const ask = (world: World, params: unknown): unknown => world.ask(params);
const INVALID_REQUEST: Refusal = bad("invalid_request", "params");
const MISSING: Refusal = bad("missing_query", "query");
const UNKNOWN: Refusal = bad("unknown_parameter");

const isDrills = (result: unknown): void =>
  expect(result).toMatchObject({ nbHits: 2, page: 1, hits: [{ id: "3" }, { id: "two" }] });

testRows("the request", [
  refuses("no parameters", INVALID_REQUEST, (world) => Reflect.apply(world.engine.query, world.engine, ["shop"])),
  refuses(
    "parameters",
    INVALID_REQUEST,
    ask,
    'null | "drill" | "query=drill" | [] | ["drill"] | 5 | true | function | Symbol()',
  ),
  refuses("a getter that throws", { ...INVALID_REQUEST, cause: /from the getter/ }, (world) =>
    world.ask({
      get query() {
        throw new Error("from the getter");
      },
    }),
  ),
  refuses("an empty object", MISSING, (world) => world.ask({})),
  refuses("a query of undefined", MISSING, (world) => world.ask({ query: undefined })),
]);

testRows("the request", [
  {
    what: "an unknown parameter is warned of, once, with the nearest name",
    run: async (world) => [await world.ask({ query: "drill", hitPerPage: 1, xyz: 2 }), world.warnings],
    expect: (result) => {
      const [seen, warnings] = result as unknown[];
      isDrills(seen);
      expect(warnings).toEqual([
        expect.objectContaining({ code: "unknown_parameter", message: expect.stringMatching(/hitsPerPage.*xyz/) }),
      ]);
    },
  },
  {
    what: "an unknown parameter under strict",
    options: { strict: true },
    run: (world) => world.ask({ query: "drill", hitPerPage: 1 }),
    expect: { ...UNKNOWN, param: "hitPerPage", msg: /hitsPerPage/ },
  },
  ...["filter", "Filters", "fliters", "filtres", "FILTERS", "facetFilter", "facetfilters", "facet_filters"].map(
    (name) =>
      refuses(`${name}, which was meant to hide records`, { ...UNKNOWN, param: name }, (world) =>
        world.ask({ query: "drill", [name]: "brand:Forge" }),
      ),
  ),
  refuses("65 parameters", INVALID_REQUEST, (world) =>
    world.ask({ query: "drill", ...Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`p${i}`, 1])) }),
  ),
  passes(
    "a request with",
    {
      "an own key __proto__": JSON.parse('{"query":"drill","__proto__":{"page":2,"hitsPerPage":0}}'),
      "a key constructor": { query: "drill", constructor: {} },
    },
    async (world, params) => [await world.ask(params), world.warnings.length],
    (result) => {
      const [seen, warnings] = result as unknown[];
      isDrills(seen);
      expect(warnings).toBe(1);
    },
  ),
  {
    what: "inherited parameters do not count",
    run: (world) =>
      world.ask(Object.assign(Object.create({ page: 2, hitsPerPage: 0, filters: "x" }), { query: "drill" })),
    expect: isDrills,
  },
  refuses("an inherited query does not count", MISSING, (world) => world.ask(Object.create({ query: "drill" }))),
  refuses(
    "params beside",
    bad("params_not_alone", "params"),
    (world, beside) => world.ask({ params: "query=drill", ...(beside as object) }),
    { query: { query: "drill" }, page: { page: 1 }, "an unknown name": { x: 1 } },
  ),
]);

// Signals and other options of a call.

const ABORTED: Refusal = bad("aborted", "signal", 499);

testRows("signals and other options of a call", [
  refuses("a signal aborted in the middle", ABORTED, (world) => {
    world.embedder.answer = () => new Promise(() => {});
    return world.ask({ query: "drill, not asked before" }, "meant", { signal: AbortSignal.timeout(20) });
  }),
  refuses("addRecords with a signal aborted in the middle", { ...ABORTED, cause: /enough/ }, (world) => {
    const control = new AbortController();
    const done = world.add(
      Array.from({ length: 3000 }, (_, id) => rec({ id: `x${id}` })),
      "shop",
      { signal: control.signal },
    );
    setImmediate(() => control.abort(new Error("enough")));
    return done;
  }),
]);

// Indexes that are empty, huge, busy or closed.

const MANY_RECORDS = FAST ? 20_000 : 200_000;

testRows("indexes that are empty, huge, busy or closed", [
  resembles(
    "an empty index",
    [
      { nbHits: 0, hits: [] },
      { nbHits: 0, hits: [] },
    ],
    async (world) => {
      await world.create("new");
      return [await world.ask({ query: "drill" }, "new"), await world.ask({ query: "" }, "new")];
    },
  ),
  {
    what: "a hit changed by the caller",
    run: async (world) => {
      const first = await world.ask({ query: "blue drill" });
      const source = first.hits[0]!.source as { title: string; specs: { volts: number } };
      source.title = "changed";
      source.specs.volts = 0;
      Reflect.set(first.hits, "length", 0);
      return [await world.ask({ query: "blue drill" }), await world.get(["two"])];
    },
    expect: (result) => {
      const [seen, records] = result as [Seen, { specs: unknown }[]];
      expect(seen.hits[0]?.source).toMatchObject({ title: "Blue drill", specs: { volts: 18 } });
      expect(records[0]?.specs).toEqual({ volts: 18 });
    },
  },
  gives(`${MANY_RECORDS} matching records`, [MANY_RECORDS, 1000, MANY_RECORDS], async (world) => {
    await world.create("new");
    await world.add(
      Array.from({ length: MANY_RECORDS }, (_, id) => ({ id, t: "nut" })),
      "new",
    );
    const seen = await world.ask({ query: "nut", page: MANY_RECORDS / 1000, hitsPerPage: 1000 }, "new");
    const blank = await world.ask({ query: "", hitsPerPage: 1 }, "new");
    return [seen.nbHits, seen.hits.length, blank.nbHits];
  }),
  {
    what: "1,000 queries in one tick",
    run: async (world) => {
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, i) => world.ask({ query: "drill" }, i % 2 ? "shop" : "meant")),
      );
      return new Set(answers.map((seen) => idsOf(seen).join())).size;
    },
    expect: (result) => expect(result).toBeLessThanOrEqual(2),
  },
  ...(["close", "deleteIndex"] as const).map((verb) =>
    resembles(
      `${verb} ends a write whose embedder hangs`,
      verb === "close" ? { code: 503 } : { code: 404 },
      async () => {
        const other = await World.open();
        other.embedder.answer = () => new Promise(() => {});
        const write = other.add([rec()], "meant").catch((error: unknown) => error);
        await new Promise((resolve) => setTimeout(resolve, 20));
        const late = new Promise((resolve) => setTimeout(() => resolve("late"), 30_000).unref());
        return Promise.race([late, Promise.resolve(other.engine[verb]("meant")).then(() => write)]);
      },
    ),
  ),
  ...USABLE_KINDS.map((kind) =>
    gives(`queries while segments are merged and a graph of kind ${kind} grows`, [1, 120], async (world) => {
      const handle = await world.engine.createIndex("new", {
        vectorAttribute: "v",
        dimensions: 2,
        vectorIndex: { kind },
      });
      const counts: number[] = [];
      for (let i = 0; i < 120; i++) {
        await handle.addRecords([{ id: i, t: "nut", v: [1, i] }]);
        counts.push((await world.ask({ query: "nut", vector: [1, 1], hitsPerPage: 0 }, "new")).nbHits - i);
      }
      await handle.whenIdle();
      return [...new Set(counts), (await world.ask({ query: "nut" }, "new")).nbHits];
    }),
  ),
]);

// Texts to look for.

const TOO_LONG: Refusal = bad("query_too_long", "query");
const askFor = (world: World, query: unknown): unknown => world.ask({ query });

/** Adds one record with a text, and asks whether a query finds it. */
function foundIn(text: string, query: string, ids: readonly string[] = ["new"]): Rows {
  return gives(`${JSON.stringify(query)} in ${JSON.stringify(text)}`, ids, async (world) => {
    await world.add([{ id: "new", text }]);
    return world.found(query);
  });
}

/** A query with an answer at once, echoed as it came. */
function echoed(queries: readonly string[]): Rows {
  return Object.entries(shown(...queries)).map(([label, query]) =>
    gives(`${label} is answered, and echoed`, [true, true], async (world) => {
      const seen = await world.ask({ query }, "meant");
      return [seen.query === query, JSON.parse(JSON.stringify(seen)).query === query];
    }),
  );
}

const BLANK = ["", "   ", "\t\n", "\u3000", "\u200b", "\ufeff\u200d", "\u00ad", "\0", "\u202e"];

/** Characters of all kinds that a text may be one run of. */
const FAMILIES: readonly string[] = [
  ..."a1é\u00dfАаΩא\u0627\u0905\u0e01\u0ea5\u1780\u1000\u0f40あア漢한ㄅԱა\u12a0\u13a0\u1401",
  ...["-", "_", "&", "'", ".", ",", "/", ":", "#", "+", '"', "\\", "*", "(", "%", "\0", "\u001b", "\u00ad", "\u200d"],
  ...["\u0301", "\u0345", "\ufdfa", "\ufb03", "\u00bd", "\u2460", "\ufffd", "\ue000", "\u3099", "\uff9e", "\u1f82"],
  ...[
    "\ud83d\ude00",
    "\ud835\udc00",
    "\ud800",
    "\udc00",
    "a1",
    "1a-",
    "a'",
    "1.",
    "a-b_",
    "\u6771a",
    "1,",
    "ı",
    "İ",
    "ﬀ",
  ],
];

testRows("texts to look for", [
  passes(
    "a blank query:",
    [...BLANK],
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
  ...["0", "null", "undefined", "NaN", "false"].map((query) => foundIn("0 null undefined NaN false", query)),
  ...["0", "null", "undefined", "NaN", "false"].map((query) => foundIn("lamp", query, [])),
  resembles(
    "punctuation alone:",
    new Array(2).fill({ nbHits: 0, hits: [] }),
    async (world, query) => [await world.ask({ query }), await world.ask({ query }, "meant")],
    ["!!! ---", "?", "\u2026", "&", "'", "\ud83d\ude00", "\ud800"],
  ),
  foundIn("the end of a lamp", "the of"),
  foundIn("lamp end", "the of", []),
  foundIn("__proto__ constructor toString", "__proto__ constructor toString"),
  foundIn("lamp", "__proto__ constructor toString", []),
  foundEach(),
]);

function foundEach(): Rows {
  return [
    foundIn("(a+)+$ [ * ? \\ ^", "(a+)+$ [ * ? \\ ^"),
    foundIn("lamp", ".*", []),
    foundIn("lamp", "la*p", []),
    foundIn("red shoe", '"red shoe'),
    foundIn("lamp and shade or bulb", "lamp AND bulb"),
    foundIn("lamp shade", "lamp -shade"),
    foundIn("lamp", "NOT lamp"),
    foundIn("brand lamp", "brand:lamp"),
  ];
}

testRows("texts to look for", [
  resembles("4,096 bytes:", { page: 1 }, askFor, ["a".repeat(4096), "word ".repeat(819)]),
  refuses("more than 4,096 bytes:", TOO_LONG, askFor, ["a".repeat(4097), "a".repeat(10_000_000)]),
  resembles("4,096 bytes:", { page: 1 }, askFor, ["\u00e9".repeat(2048), "\ud83d\ude00".repeat(1024)]),
  refuses("more than 4,096 bytes:", TOO_LONG, askFor, ["\u6771".repeat(1366), `${"\u00e9".repeat(2048)}a`]),
  echoed(["\ufdfa".repeat(240), "\ufdfa".repeat(1365)]),
  echoed(FAMILIES.map((family) => family.repeat(Math.floor(4096 / Buffer.byteLength(family))))),
  echoed([Array.from({ length: 2048 }, (_, i) => String.fromCharCode(97 + (i % 26))).join(" ")]),
  gives("the first 64 distinct terms count", ["last"], async (world) => {
    await world.add([
      { id: "last", text: "w63" },
      { id: "over", text: "w64" },
    ]);
    const query = Array.from({ length: 70 }, (_, i) => `w${i} w0`).join(" ");
    return idsOf(await world.ask({ query, matching: "any" }));
  }),
  {
    what: "one word 800 times is one term",
    run: async (world) => [
      (await world.ask({ query: "drill" })).hits,
      (await world.ask({ query: "drill ".repeat(680) })).hits,
    ],
    expect: (result) => {
      const [once, often] = result as unknown[];
      expect(often).toEqual(once);
    },
  },
  echoed(["a\0b", "\u001b[31mred", "\u0085\u009b", "a\u2028b\u2029c", "a\r\nb"]),
  echoed(["lamp \ud800", "\udc00 lamp", "\ud800"]),
]);

const MANY_QUERIES = FAST ? 2000 : 10_000;

const MANY: Row = {
  what: `${MANY_QUERIES} different queries leave the heap as it was`,
  run: async (world) => {
    const random = (i: number): string => `${((i + 1) * 2654435761).toString(36)}x ${((i + 7) * 40503).toString(36)}y`;
    for (let i = 0; i < 1000; i++) await world.ask({ query: random(-i) });
    const before = heapInUse();
    for (let i = 0; i < MANY_QUERIES; i++) await world.ask({ query: random(i) });
    return heapInUse() - before;
  },
  expect: (result) => expect(result).toBeLessThan(MANY_QUERIES * 2000),
};

// How words are read.

testRows("how words are read", [
  gives(
    "optional words",
    ["two", "3"],
    async (world, optionalWords) => idsOf(await world.ask({ query: "blue big drill", matching: "all", optionalWords })),
    { "one by one": ["blue", "big"], "as one text": "blue big", "as one text in a list": ["blue big"] },
  ),
]);

const SYNTAX = [
  '"',
  '""',
  '" "',
  '"drill',
  'drill"',
  '"""',
  "-",
  "--",
  "- drill",
  "-drill",
  '-"',
  '-""',
  '-"drill',
  "-drill -drill",
  '"-drill"',
  "drill-",
  '"\ud800"',
  "-\0",
  '"a" "b" "c',
  "-*",
];

/** Queries that are nothing but syntax, or syntax that was never finished. */
testRows("how words are read", [
  ...SYNTAX.flatMap((query) =>
    ["shop", "meant"].map((index) =>
      resembles(`${JSON.stringify(query)} as advanced syntax in ${index}`, { query, page: 1 }, (world) =>
        world.ask({ query, advancedSyntax: true, facets: ["*"], attributesToHighlight: ["*"], explain: true }, index),
      ),
    ),
  ),
  ...[
    ['"drill" '.repeat(500), 2],
    ["-x ".repeat(1300), undefined],
    ['"'.repeat(4096), undefined],
    ['-"'.repeat(2048), undefined],
    [`"${"drill ".repeat(680)}"`, 0],
  ].map(([query, nbHits]) =>
    gives(`advanced syntax, answered: ${String(query).slice(0, 20)}`, true, async (world) => {
      const seen = await world.ask({ query, advancedSyntax: true });
      return nbHits === undefined || seen.nbHits === nbHits;
    }),
  ),
  {
    what: "without advancedSyntax a minus and quotes are no syntax",
    run: async (world) => [
      idsOf(await world.ask({ query: "drill -blue" })),
      idsOf(await world.ask({ query: '"drill blue"' })),
    ],
    expect: (result) => {
      for (const ids of result as string[][]) expect(ids).toContain("two");
    },
  },
  gives("what is excluded is excluded from counts and from the meaning too", [false, []], async (world) => {
    const seen = await world.ask(
      { query: "drill -blue", advancedSyntax: true, facets: ["sku"], semanticFloor: -1 },
      "meant",
    );
    return [idsOf(seen).includes("two"), seen.facets?.sku];
  }),
]);

// Numbers.

testRows("numbers", [
  {
    what: "page times hitsPerPage above 2^53",
    options: { limits: { page: 2 ** 53 - 1, hitsPerPage: 2 ** 53 - 1 } },
    run: (world) => world.ask({ query: "drill", page: 2 ** 53 - 1, hitsPerPage: 2 ** 53 - 1 }),
    expect: (result) => expect(result).toMatchObject({ page: 2 ** 53 - 1, nbHits: 2, hits: [] }),
  },
  ...(
    [
      [0, ["fullTextSearch"]],
      [-0, ["fullTextSearch"]],
      [1, ["semanticSearch"]],
    ] as const
  ).map(([semanticWeight, legs]) =>
    gives(
      `semanticWeight ${semanticWeight} switches a leg off`,
      legs,
      async (world) => (await world.ask({ query: "drill", semanticWeight }, "meant")).recallSource,
    ),
  ),
  gives(
    "semanticWeight 1 without a vector falls back to words",
    ["fullTextSearch"],
    async (world) => (await world.ask({ query: "drill", semanticWeight: 1 })).recallSource,
  ),
]);

// Vectors, and embedders that fail.

const BAD_VECTOR: Refusal = bad("invalid_vector", "vector");
const near = (world: World, vector: unknown): unknown => world.ask({ query: "drill", vector }, "near");

testRows("vectors, and embedders that fail", [
  refuses("vector", BAD_VECTOR, near, [[], [1, 2], "1,2,3", null, {}, new Array(8).fill(0)]),
  refuses(
    "a vector with",
    BAD_VECTOR,
    (world, component) => near(world, (vectorOf(1) as unknown[]).with(3, component)),
    [Number.NaN, "1", null, 1e39, undefined],
  ),
  refuses("a bad vector for a blank query", BAD_VECTOR, (world) => world.ask({ query: "", vector: [1] }, "near")),
  refuses("a bad vector that would have no weight", BAD_VECTOR, (world) =>
    world.ask({ query: "drill", vector: [1], semanticWeight: 0 }, "near"),
  ),
  refuses(
    "all complaints come together, that of the vector too",
    { ...bad("invalid_page", "page"), msg: /page.*vector/ },
    (world) => world.ask({ query: "drill", page: 0, vector: [1] }, "near"),
  ),
  ...(
    [
      [
        "throws",
        () => {
          throw new Error("no model");
        },
      ],
      ["rejects", () => Promise.reject(new Error("no model"))],
      ["answers nothing", () => undefined],
      ["answers two vectors", () => [vectorOf(0), vectorOf(1)]],
      ["answers none", () => []],
      ["throws undefined", () => Promise.reject(undefined)],
    ] as const
  ).map(
    ([what, answer]): Row => ({
      what: `an embedder that ${what} is warned of, and words answer`,
      run: async (world) => {
        world.embedder.answer = answer;
        const seen = await world.ask({ query: "drill", semanticWeight: 0.9 }, "meant");
        return [seen.recallSource, idsOf(seen), world.warnings.map(({ code, param }) => [code, param]), seen.hits];
      },
      expect: async (result, world) => {
        const byWords = await world.ask({ query: "drill", semanticWeight: 0 }, "meant");
        expect(result).toEqual([["fullTextSearch"], ["3", "two"], [["embedder_failed", "embedder"]], byWords.hits]);
      },
    }),
  ),
  gives("an embedder without a vector for the query, without a warning", [["fullTextSearch"], []], async (world) => {
    world.embedder.answer = () => [null];
    return [(await world.ask({ query: "drill" }, "meant")).recallSource, world.warnings];
  }),
  gives("records with words only", [["1"], []], async (world) => {
    await world.create("new", { vectorAttribute: "v", dimensions: 2 });
    await world.add([{ id: 1, title: "Lamp" }], "new");
    return [
      idsOf(await world.ask({ query: "lamp", vector: [1, 0] }, "new")),
      idsOf(await world.ask({ query: "", vector: [1, 0] }, "new")),
    ];
  }),
  gives("records with vectors only", [["1"], []], async (world) => {
    await world.create("new", { vectorAttribute: "v", dimensions: 2 });
    await world.add([{ id: 1, v: [1, 0] }], "new");
    return [
      idsOf(await world.ask({ query: "lamp", vector: [1, 0] }, "new")),
      idsOf(await world.ask({ query: "lamp" }, "new")),
    ];
  }),
]);

testRows("texts to look for", [MANY]);
