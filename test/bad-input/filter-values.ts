// Rows F16, F18 to F20, F23 and F27: the values that filters compare with.

import { expect } from "vitest";
import { quoteFilterValue } from "../../src/index.js";
import { expectRefusal } from "./message-rules.js";
import { passedEach, type Row, shown } from "./row.js";
import { anything, idsOf, type World } from "./world.js";

/** An index "kinds" with one record for each value of `kind`, its place as id. */
async function kinds(world: World, values: readonly unknown[]): Promise<void> {
  await world.create("kinds", { attributesForFaceting: ["kind"] });
  await world.add(
    values.map((kind, id) => ({ id, kind })),
    "kinds",
  );
}

async function ids(world: World, filters: unknown): Promise<string[]> {
  return idsOf(await world.ask({ query: "", filters, hitsPerPage: 1000 }, "kinds"));
}

/** The values that are not found alone by text, by object and by encoded text. */
async function lost(world: World, values: readonly string[]): Promise<string[]> {
  await kinds(world, values);
  const wrong: string[] = [];
  for (const [id, value] of values.entries()) {
    const text = `kind:${quoteFilterValue(value)}`;
    const encoded = new URLSearchParams([
      ["query", ""],
      ["filters", text],
    ]).toString();
    const answers = [
      await ids(world, text),
      await ids(world, text.replace(":", " = ")),
      await ids(world, { kind: value }),
      await ids(world, { kind: { in: [value] } }),
      idsOf(await world.ask({ params: encoded }, "kinds")),
    ];
    if (answers.some((answer) => answer.join() !== String(id))) wrong.push(JSON.stringify([value, answers]));
  }
  return wrong;
}

const PIECES = [
  '"',
  "'",
  "\\",
  "\n",
  "\r",
  "\t",
  "\0",
  "\u001b",
  "\u2028",
  "\ud83d\ude00",
  "\ud800",
  "\udc00",
  "e\u0301",
];
const MORE_PIECES = [
  "a",
  "1",
  " ",
  ":",
  "=",
  "<",
  "(",
  ")",
  " AND ",
  " OR ",
  "NOT ",
  " TO ",
  "-",
  "\\u0041",
  "\u202e",
  ".5",
];

/** Different texts made of pieces that mean something to a parser. */
function oddTexts(count: number): string[] {
  const pieces = [...PIECES, ...MORE_PIECES];
  let state = 11;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const texts = new Set<string>(pieces);
  while (texts.size < count)
    texts.add(Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]!).join(""));
  return [...texts];
}

const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "AND",
  "OR",
  "NOT",
  "TO",
  "EXISTS",
  "true",
  "null",
  "",
  " ",
  "*",
  "-a",
];
const INJECTIONS = [
  'x" OR "1"="1',
  "x' OR '1'='1",
  'x\\" OR kind EXISTS OR kind:"',
  ") OR (kind EXISTS",
  "x OR kind EXISTS",
];

const QUOTED: readonly Row[] = [
  {
    row: "F18",
    what: "values by the names of prototypes and keywords",
    run: (world) => lost(world, NAMES),
    expect: (result) => expect(result).toEqual([]),
  },
  {
    row: "F19",
    what: "300 odd texts through quoteFilterValue",
    run: (world) => lost(world, oddTexts(300)),
    expect: (result) => expect(result).toEqual([]),
  },
  {
    row: "F23",
    what: "attempts to break out of the quotes",
    run: (world) => lost(world, INJECTIONS),
    expect: (result) => expect(result).toEqual([]),
  },
  {
    row: "F19",
    what: "numbers and booleans through quoteFilterValue",
    run: async (world) => {
      const values = [0, -0, 5, -2.5, 1e21, 5e-324, Number.MAX_VALUE, 2 ** 53 - 1, true, false];
      await kinds(world, values);
      const answers = [];
      for (const value of values) answers.push(await ids(world, `kind:${quoteFilterValue(value)}`));
      return answers.map(String);
    },
    expect: (result) => expect(result).toEqual(["0,1", "0,1", "2", "3", "4", "5", "6", "7", "8", "9"]),
  },
  ...passedEach(
    "F19",
    "quoteFilterValue refuses",
    shown(null, undefined, Number.NaN, Number.POSITIVE_INFINITY, {}, ["a"], Symbol(), 5n, Object("a")),
    (_, value) => {
      try {
        return quoteFilterValue(anything(value));
      } catch (error) {
        return error;
      }
    },
    (error) => expectRefusal(error, { code: 400, error: "invalid_filter", param: "value" }),
  ),
];

/** Compares texts, numbers and booleans with filters of all kinds. */
function compared(
  row: string,
  what: string,
  values: readonly unknown[],
  filters: readonly unknown[],
  expected: string,
): Row[] {
  return filters.map((filter) => ({
    row,
    what: `${what}: ${JSON.stringify(filter)}`,
    run: async (world) => {
      await kinds(world, values);
      return (await ids(world, filter)).join();
    },
    expect: (result) => expect(result).toBe(expected),
  }));
}

const MIXED = [89, "89", true, "true", null, [], undefined, [89, "x"], "12abc", "1e3"];

const KINDS: readonly Row[] = [
  ...compared(
    "F16",
    "text is no number",
    ["a", "5"],
    ["kind < 9", "kind >= 0", "kind:0 TO 9", { kind: { lte: 5 } }],
    "",
  ),
  ...compared(
    "F16",
    "a number is no text",
    [5, 6],
    ['kind:"5"', { kind: "5" }, { kind: { eq: "5" } }, { kind: ["5"] }],
    "",
  ),
  ...compared("F16", "a word equals what prints like it", MIXED, ["kind:89", "kind = 89"], "0,1,7"),
  ...compared("F16", "a word equals what prints like it", MIXED, ["kind:true"], "2,3"),
  ...compared("F16", "quotes mean a text", MIXED, ['kind:"89"', { kind: "89" }], "1"),
  ...compared("F16", "an object is exact", MIXED, [{ kind: 89 }], "0,7"),
  ...compared("F16", "texts that begin with numbers are none", MIXED, ["kind > 0", { kind: { gt: 0 } }], "0,7"),
  ...compared("F20", "other case", ["Forge", "forge"], ["kind:forge", { kind: "forge" }], "1"),
  ...compared("F20", "NFC", ["\u00e9", "e\u0301"], ["kind:\u00e9", 'kind:"\u00e9"', { kind: "\u00e9" }], "0"),
  ...compared("F20", "NFD", ["\u00e9", "e\u0301"], ["kind:e\u0301", { kind: "e\u0301" }], "1"),
  ...compared("F21", "keywords in quotes", ["AND", "TO", "NOT"], ['kind:"TO"', "kind = 'TO'", { kind: "TO" }], "1"),
  ...compared("F22", "keywords in lower case are words", ["and", "to", "not"], ["kind:to", "kind = to"], "1"),
  ...compared(
    "F27",
    "a value is there",
    MIXED,
    ["kind EXISTS", "NOT NOT kind EXISTS", { kind: { exists: true } }, { kind: { ne: null } }],
    "0,1,2,3,7,8,9",
  ),
  ...compared(
    "F27",
    "no value is there",
    MIXED,
    ["NOT kind EXISTS", { kind: null }, { kind: { exists: false } }, { kind: [null] }, { kind: { eq: null } }],
    "4,5,6",
  ),
  ...compared("F27", "null is a text in the text form", ["null", null], ["kind = null"], "0"),
  ...compared(
    "F27",
    "another value, or none",
    ["a", "b", null],
    ["kind != a", "NOT kind:a", { kind: { ne: "a" } }],
    "1,2",
  ),
];

/** Rows F16, F18 to F20, F23, F27. */
export const VALUES: readonly Row[] = [...QUOTED, ...KINDS];
