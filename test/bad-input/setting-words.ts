// Rows C27, C32 and C33: settings that speak of words.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, type World } from "./world.js";

const refusal = (param: string): Refusal => ({ code: 400, error: "invalid_setting", param });
const setting =
  (name: string) =>
  (world: World, value: unknown): unknown =>
    world.create("new", { [name]: value });
const refused = (name: string, values: readonly unknown[]): Row[] =>
  refusedEach("C27", name, shown(...values), setting(name), refusal(name));
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

function finds(
  row: string,
  what: string,
  synonyms: readonly object[],
  query: string,
  texts: readonly string[],
  ids: string,
): Row {
  return {
    row,
    what,
    run: (world) => found(world, synonyms, query, texts),
    expect: (result) => expect(result).toBe(ids),
  };
}

const SYNONYMS: readonly Row[] = [
  ...refused("synonyms", [null, 5, "a", {}, true, both("a", "b"), new Map(), new Array(10_001).fill(both("a", "b"))]),
  ...refusedEach(
    "C27",
    "a synonym",
    [
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
      ["undefined", undefined],
      [
        "whose getter throws",
        Object.defineProperty({ type: "synonym" }, "synonyms", { get: throwing, enumerable: true }),
      ],
      ["inherited", Object.create(both("a", "b"))],
    ],
    (world, synonym) => world.create("new", { synonyms: [both("c", "d"), synonym] }),
    { code: 400, error: "invalid_setting" },
  ),
  ...passedEach(
    "C27",
    "a synonym of nothing:",
    shown(
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
    ),
    async (world, synonym) => found(world, [synonym], "kettle", ["kettle", "drill"]),
    (result) => expect(result).toBe("0"),
  ),
  finds(
    "C32",
    "a -> b -> a one way each",
    [oneWay("aaaa", "bbbb"), oneWay("bbbb", "aaaa")],
    "aaaa",
    ["aaaa", "bbbb", "cccc"],
    "0,1",
  ),
  finds("C32", "a, b and b, a", [both("aaaa", "bbbb"), both("bbbb", "aaaa")], "bbbb", ["aaaa", "bbbb", "cccc"], "0,1"),
  finds("C32", "a word for itself", [oneWay("aaaa", "aaaa"), both("aaaa", "aaaa")], "aaaa", ["aaaa", "bbbb"], "0"),
  finds(
    "C32",
    "phrases that hold each other",
    [both("red kettle", "kettle"), both("kettle", "red kettle")],
    "red kettle",
    ["red kettle", "kettle", "lamp"],
    "0,1",
  ),
  finds(
    "C32",
    "a phrase that grows without end",
    [oneWay("aaaa", "aaaa aaaa"), oneWay("aaaa aaaa", "aaaa aaaa aaaa")],
    "aaaa",
    ["aaaa", "bbbb"],
    "0",
  ),
  ...refusedEach(
    "C33",
    "more than 1,000 of one word:",
    [
      ["100,000 in one set", [{ type: "synonym", synonyms: words(100_000) }]],
      ["1,001 one way", [oneWay("a", ...words(1001))]],
      ["1,002 in one set", [both(...words(1002))]],
      ["in two sets", [oneWay("a", ...words(600)), oneWay("a", ...words(600, "x"))]],
      ["in two kinds", [oneWay("a", ...words(600)), both("a", ...words(600, "x"))]],
      ["of one word in two cases", [oneWay("Hoover", ...words(600)), oneWay("hoover", ...words(600, "x"))]],
    ],
    setting("synonyms"),
    { code: 400, error: "invalid_setting", msg: /1,?000/ },
  ),
  {
    row: "C33",
    what: "1,000 of one word are found, each",
    run: async (world) => [
      await found(world, [oneWay("aaaa", ...words(1000, "wwww"))], "aaaa", ["wwww0", "wwww999", "aaaa", "bbbb"]),
      idsOf(await world.ask({ query: "wwww0" }, "new")).join(),
    ],
    expect: (result) => expect(result).toEqual(["0,1,2", "0"]),
  },
  {
    row: "C33",
    what: "10,000 synonyms are taken, and a query of all of their words is answered",
    run: async (world) => {
      await world.create("new", { synonyms: words(10_000).map((word) => oneWay(word, ...words(20, `${word}x`))) });
      await world.add([{ id: 1, title: "w7x3 lamp" }], "new");
      const started = performance.now();
      const seen = await world.ask({ query: words(600).join(" "), matching: "any" }, "new");
      return [idsOf(seen), performance.now() - started < 2000];
    },
    expect: (result) => expect(result).toEqual([["1"], true]),
  },
];

function throwing(): never {
  throw new Error("from the getter");
}

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
  ...passedEach(
    "C27",
    "stopWords",
    shown(false, [], ["kettle"], ["__proto__", "constructor", "", "\ud800"], undefined),
    async (world, stopWords) => {
      await world.create("new", { stopWords });
      await world.add([{ id: 1, title: "kettle" }], "new");
      return idsOf(await world.ask({ query: "kettle" }, "new"));
    },
    (result) => expect(result).toEqual(["1"]),
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
    passedEach(
      "C27",
      name,
      shown([], ["drill"], ["constructor", "__proto__", "", "\0"], undefined),
      setting(name),
      (_, world) => expect(world.warnings).toEqual([]),
    ),
  ),
  ...refused("typoTolerance", [null, "yes", "true", "min", "strict", 0, 1, [], {}]),
  ...refused("titleEvidence", [null, "yes", "true", 0, 1, [], {}]),
  ...refused("queryType", [null, "prefix", "prefixlast", "", true, 0, ["prefixLast"], {}, "toString"]),
];

/** Rows C27, C32, C33 of words. */
export const WORDS: readonly Row[] = [...SYNONYMS, ...OTHERS];
