// What filters find.

import { expect } from "vitest";
import { quoteFilterValue } from "../../src/index.js";
import { Random } from "../support/random.js";
import { FAST } from "../support/size.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { expectRefusal } from "./message-rules.js";
import { cells } from "./refused-values.js";
import { bad, gives, passes, type Row, resembles, testRows } from "./row.js";
import { anything, idsOf, vectorOf, type World } from "./world.js";

// The values that filters compare with.

/** An index "kinds" with one record for each value of `kind`, its place as id. */
async function kinds(world: World, values: readonly unknown[]): Promise<void> {
  await world.create("kinds", { attributesForFaceting: ["kind"] });
  await world.add(
    values.map((kind, id) => ({ id, kind })),
    "kinds",
  );
}

async function ids(world: World, filters: unknown): Promise<string> {
  return idsOf(await world.ask({ query: "", filters, hitsPerPage: 1000 }, "kinds")).join();
}

/** The values that are not found alone by text, by object and by encoded text. */
async function lost(world: World, values: readonly string[]): Promise<string[]> {
  await kinds(world, values);
  const wrong: string[] = [];
  for (const [id, value] of values.entries()) {
    const text = `kind:${quoteFilterValue(value)}`;
    const params = new URLSearchParams({ query: "", filters: text }).toString();
    const answers = [
      await ids(world, text),
      await ids(world, text.replace(":", " = ")),
      await ids(world, { kind: value }),
      await ids(world, { kind: { in: [value] } }),
      idsOf(await world.ask({ params }, "kinds")).join(),
    ];
    if (answers.some((answer) => answer !== String(id))) wrong.push(JSON.stringify([value, answers]));
  }
  return wrong;
}

/** What means something to a parser. */
const PIECES =
  cells(String.raw`"\"" | "'" | "\\" | "\n" | "\r" | "\t" | "\u0000" | "\u001b" | "\u2028" | "\ud83d\ude00" | "\ud800" | "\udc00"
  | "e\u0301" | "a" | "1" | " " | ":" | "=" | "<" | "(" | ")" | " AND " | " OR " | "NOT " | " TO " | "-" | "\\u0041" | "\u202e" | ".5"`);

/** What means something to a filter or to JavaScript, and attempts to break out of the quotes. */
const MEANT =
  cells(String.raw`"__proto__" | "constructor" | "AND" | "OR" | "NOT" | "TO" | "EXISTS" | "true" | "null" | "" | "*" | "-a"
  | "x\" OR \"1\"=\"1" | "x' OR '1'='1" | "x\\\" OR kind EXISTS OR kind:\"" | ") OR (kind EXISTS" | "x OR kind EXISTS"`);

/** Different texts made of pieces. */
function oddTexts(count: number): string[] {
  const random = new Random(11);
  const texts = new Set(PIECES.map(String));
  while (texts.size < count) texts.add(random.list(1, 6, () => random.pick(PIECES)).join(""));
  return [...texts];
}

testRows("the values that filters compare with", [
  gives("300 odd texts through quoteFilterValue", [], (world) =>
    lost(world, [...new Set([...MEANT.map(String), ...oddTexts(300)])]),
  ),
  gives("numbers and booleans through quoteFilterValue", "0,1 0,1 2 3 4 5 6 7 8 9", async (world) => {
    const values = [0, -0, 5, -2.5, 1e21, 5e-324, Number.MAX_VALUE, 2 ** 53 - 1, true, false];
    await kinds(world, values);
    const answers = [];
    for (const value of values) answers.push(await ids(world, `kind:${quoteFilterValue(value)}`));
    return answers.join(" ");
  }),
  passes(
    "quoteFilterValue refuses",
    'null | undefined | NaN | Infinity | {} | ["a"] | Symbol() | 5n | Object("a")',
    (_, value) => {
      try {
        return quoteFilterValue(anything(value));
      } catch (error) {
        return error;
      }
    },
    (error) => expectRefusal(error, bad("invalid_filter", "value")),
  ),
]);

const MIXED = [
  89,
  "89",
  true,
  "true",
  null,
  [],
  undefined,
  [89, "x"],
  "12abc",
  "1e3",
  "Forge",
  "forge",
  "TO",
  "to",
  "null",
];
const ACCENTS = ["\u00e9", "e\u0301"];

/** What is so, of which values, by which filters, and the places of the values that are found. */
const COMPARED: readonly (readonly [what: string, values: readonly unknown[], filters: string, found: string])[] = [
  ["a text is no number", ["a", "5"], '"kind < 9" | "kind >= 0" | "kind:0 TO 9" | {"kind":{"lte":5}}', ""],
  ["a number is no text", [5, 6], '"kind:\\"5\\"" | {"kind":"5"} | {"kind":{"eq":"5"}} | {"kind":["5"]}', ""],
  ["a word equals what prints like it", MIXED, '"kind:89" | "kind = 89"', "0,1,7"],
  ["a word equals what prints like it", MIXED, '"kind:true"', "2,3"],
  ["quotes mean a text", MIXED, '"kind:\\"89\\"" | {"kind":"89"}', "1"],
  ["an object is exact", MIXED, '{"kind":89}', "0,7"],
  ["texts that begin with numbers are none", MIXED, '"kind > 0" | {"kind":{"gt":0}}', "0,7"],
  ["other case is another value", MIXED, '"kind:forge" | {"kind":"forge"}', "11"],
  ["keywords in quotes", MIXED, '"kind:\\"TO\\"" | {"kind":"TO"}', "12"],
  ["keywords in lower case are words", MIXED, '"kind:to" | "kind = to"', "13"],
  ["null is a text in the text form", MIXED, '"kind = null"', "14"],
  [
    "no value is there",
    MIXED,
    '"NOT kind EXISTS" | {"kind":null} | {"kind":{"exists":false}} | {"kind":[null]}',
    "4,5,6",
  ],
  ["a value is there", [1, null], '"kind EXISTS" | "NOT NOT kind EXISTS" | {"kind":{"ne":null}}', "0"],
  ["another value, or none", ["a", "b", null], '"kind != a" | "NOT kind:a" | {"kind":{"ne":"a"}}', "1,2"],
  ["NFC", ACCENTS, '"kind:\u00e9" | {"kind":"\u00e9"}', "0"],
  ["NFD", ACCENTS, '"kind:e\u0301" | {"kind":"e\u0301"}', "1"],
];

testRows(
  "the values that filters compare with",
  COMPARED.map(([what, values, filters, found]) =>
    gives(`${what}: ${filters}`, cells(filters).fill(found), async (world) => {
      await kinds(world, values);
      const answers = [];
      for (const filter of cells(filters)) answers.push(await ids(world, filter));
      return answers;
    }),
  ),
);

// Filters that pass nothing, and records that come and go.

/** The vectors that filters are tried on. */
const VECTORS = FAST ? 4000 : 20_000;
const NOTHING: readonly unknown[] = ["kind:bolt", { kind: "bolt" }, "kind:nut AND NOT kind:nut", { kind: [] }];

testRows("filters that pass nothing, and records that come and go", [
  USABLE_KINDS.map(
    (kind): Row => ({
      what: `filters that none or one of many vectors passes find nothing or that one, by a graph of kind ${kind}`,
      prepare: async (world) => {
        const settings = { vectorAttribute: "v", dimensions: 8, vectorIndex: { kind } };
        const handle = await world.engine.createIndex("many", settings);
        await handle.addRecords(
          Array.from({ length: VECTORS }, (_, id) => ({ id, kind: "nut", t: "nut", v: vectorOf(id) })),
        );
        await handle.whenIdle();
      },
      run: async (world) => {
        for (const filters of NOTHING)
          for (const query of ["", "nut"]) {
            const { nbHits, hits } = await world.ask({ query, filters, vector: vectorOf(5) }, "many");
            expect([nbHits, hits.length]).toEqual([0, 0]);
          }
        await world.add([{ id: "one", kind: "bolt", v: vectorOf(70_000) }], "many");
        const params = { query: "", filters: "kind:bolt", vector: vectorOf(5), semanticFloor: -1 };
        return idsOf(await world.ask(params, "many"));
      },
      expect: (result) => expect(result).toEqual(["one"]),
    }),
  ),
  gives(
    "a value that no record holds any more is known, and found nowhere",
    [0, 0, 0, { brand: [{ value: "Volt", count: 1 }], tags: [] }],
    async (world) => {
      await world.add([{ id: 1, title: "Red kettle", brand: "Volt" }]);
      await world.delete(["two", 3]);
      const counts: unknown[] = [];
      for (const filters of ["brand:Forge", "price < 100", "tags:garden OR specs.volts = 18"])
        counts.push((await world.ask({ query: "", filters })).nbHits);
      return [...counts, (await world.ask({ query: "", facets: ["brand", "tags"] })).facets];
    },
  ),
  resembles("after clearIndex the old attributes are forgotten", bad("unknown_filter_field"), async (world) => {
    await world.engine.clearIndex("shop");
    await world.add([{ id: 1, kind: "a" }]);
    return world.ask({ query: "", filters: "brand:Forge" }).catch((error: unknown) => error);
  }),
]);
