// Rows Q6 to Q21 and Q53: texts to look for.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, type Seen, type World } from "./world.js";

const TOO_LONG: Refusal = { code: 400, error: "query_too_long", param: "query" };
const ask = (world: World, query: unknown): unknown => world.ask({ query });

/** Adds one record with a text, and asks whether a query finds it. */
function foundIn(row: string, text: string, query: string, ids: readonly string[] = ["new"]): Row {
  return {
    row,
    what: `${JSON.stringify(query)} in ${JSON.stringify(text)}`,
    run: async (world) => {
      await world.add([{ id: "new", text }]);
      return world.found(query);
    },
    expect: (result) => expect(result).toEqual(ids),
  };
}

/** A query with an answer at once, echoed as it came. */
function echoed(row: string, queries: readonly string[]): Row[] {
  return shown(...queries).map(([label, query]) => ({
    row,
    what: `${label} is answered, and echoed`,
    run: async (world) => {
      const seen = await world.ask({ query }, "meant");
      return [seen.query === query, JSON.parse(JSON.stringify(seen)).query === query];
    },
    expect: (result) => expect(result).toEqual([true, true]),
  }));
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

const KINDS: readonly Row[] = [
  ...passedEach(
    "Q6",
    "a blank query:",
    shown(...BLANK),
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
  ...["0", "null", "undefined", "NaN", "false"].map((query) => foundIn("Q7", "0 null undefined NaN false", query)),
  ...["0", "null", "undefined", "NaN", "false"].map((query) => foundIn("Q7", "lamp", query, [])),
  ...passedEach(
    "Q8",
    "punctuation alone:",
    shown("!!! ---", "?", "\u2026", "&", "'", "\ud83d\ude00", "\ud800"),
    async (world, query) => [await world.ask({ query }), await world.ask({ query }, "meant")],
    (result) =>
      expect(result).toMatchObject([
        { nbHits: 0, hits: [] },
        { nbHits: 0, hits: [] },
      ]),
  ),
  foundIn("Q9", "the end of a lamp", "the of"),
  foundIn("Q9", "lamp end", "the of", []),
  foundIn("Q10", "__proto__ constructor toString", "__proto__ constructor toString"),
  foundIn("Q10", "lamp", "__proto__ constructor toString", []),
  ...foundEach(),
];

function foundEach(): Row[] {
  return [
    foundIn("Q19", "(a+)+$ [ * ? \\ ^", "(a+)+$ [ * ? \\ ^"),
    foundIn("Q19", "lamp", ".*", []),
    foundIn("Q19", "lamp", "la*p", []),
    foundIn("Q20", "red shoe", '"red shoe'),
    foundIn("Q21", "lamp and shade or bulb", "lamp AND bulb"),
    foundIn("Q21", "lamp shade", "lamp -shade"),
    foundIn("Q21", "lamp", "NOT lamp"),
    foundIn("Q21", "brand lamp", "brand:lamp"),
  ];
}

const SIZES: readonly Row[] = [
  ...passedEach("Q11", "4,096 bytes:", shown("a".repeat(4096), "word ".repeat(819)), ask, (result) =>
    expect(result).toMatchObject({ page: 1 }),
  ),
  ...refusedEach("Q11", "more than 4,096 bytes:", shown("a".repeat(4097), "a".repeat(10_000_000)), ask, TOO_LONG),
  ...passedEach("Q12", "4,096 bytes:", shown("\u00e9".repeat(2048), "\ud83d\ude00".repeat(1024)), ask, (result) =>
    expect(result).toMatchObject({ page: 1 }),
  ),
  ...refusedEach(
    "Q12",
    "more than 4,096 bytes:",
    shown("\u6771".repeat(1366), `${"\u00e9".repeat(2048)}a`),
    ask,
    TOO_LONG,
  ),
  ...echoed("Q13", ["\ufdfa".repeat(240), "\ufdfa".repeat(1365)]),
  ...echoed(
    "Q14",
    FAMILIES.map((family) => family.repeat(Math.floor(4096 / Buffer.byteLength(family)))),
  ),
  ...echoed("Q15", [Array.from({ length: 2048 }, (_, i) => String.fromCharCode(97 + (i % 26))).join(" ")]),
  {
    row: "Q15",
    what: "the first 64 distinct terms count",
    run: async (world) => {
      await world.add([
        { id: "last", text: "w63" },
        { id: "over", text: "w64" },
      ]);
      const query = Array.from({ length: 70 }, (_, i) => `w${i} w0`).join(" ");
      return idsOf(await world.ask({ query, matching: "any" }));
    },
    expect: (result) => expect(result).toEqual(["last"]),
  },
  {
    row: "Q16",
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
  ...echoed("Q17", ["a\0b", "\u001b[31mred", "\u0085\u009b", "a\u2028b\u2029c", "a\r\nb"]),
  ...echoed("Q18", ["lamp \ud800", "\udc00 lamp", "\ud800"]),
];

/** Heap in use after a collection. */
function heapInUse(): number {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

const MANY: Row = {
  row: "Q53",
  what: "10,000 different queries leave the heap as it was",
  run: async (world) => {
    const random = (i: number): string => `${((i + 1) * 2654435761).toString(36)}x ${((i + 7) * 40503).toString(36)}y`;
    for (let i = 0; i < 1000; i++) await world.ask({ query: random(-i) });
    const before = heapInUse();
    for (let i = 0; i < 10_000; i++) await world.ask({ query: random(i) });
    return heapInUse() - before;
  },
  expect: (result) => expect(result).toBeLessThan(20_000_000),
};

/** Rows Q6 to Q21, Q53. */
export const TEXTS: readonly Row[] = [...KINDS, ...SIZES, MANY];
