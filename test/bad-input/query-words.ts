// Rows Q20, Q21 and Q30: parameters that say how words are read.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, type World } from "./world.js";

const refusal = (param: string): Refusal => ({ code: 400, error: "invalid_parameter", param });
const withParam =
  (name: string) =>
  (world: World, value: unknown): unknown =>
    world.ask({ query: "drill", [name]: value });
const refused = (name: string, values: readonly unknown[]): Row[] =>
  refusedEach("Q30", name, shown(...values), withParam(name), refusal(name));

const BOOLEANS = ["typoTolerance", "advancedSyntax", "explain"];
const NO_BOOLEANS = [null, 0, 1, "true", "yes", "", [], {}, [true], Object(true), Symbol(), 1n];

const KINDS: readonly Row[] = [
  ...BOOLEANS.flatMap((name) => refused(name, NO_BOOLEANS)),
  ...BOOLEANS.flatMap((name) =>
    passedEach("Q30", name, shown(true, false, undefined), withParam(name), (result) =>
      expect(result).toMatchObject({ nbHits: 2 }),
    ),
  ),
  ...refused("typoTolerance", ["min", "strict"]),
  ...refused("queryType", ["prefix", "PrefixLast", "prefixlast", "", null, true, ["prefixLast"], 0, "constructor"]),
  ...refused("optionalWords", [
    null,
    5,
    {},
    [5],
    [null],
    [["a"]],
    ["w".repeat(4097)],
    new Array(1001).fill("a"),
    new Array(1),
    Symbol(),
  ]),
  ...passedEach(
    "Q30",
    "optionalWords",
    shown(
      [],
      "",
      "blue  red",
      ["blue", ""],
      ["constructor", "__proto__"],
      ["w".repeat(4096)],
      ["\ud800", "\0"],
      undefined,
    ),
    withParam("optionalWords"),
    (result) => expect(result).toMatchObject({ nbHits: 2 }),
  ),
  ...passedEach(
    "Q30",
    "restrictSearchableAttributes",
    shown(["nope"], ["constructor"], ["__proto__"], []),
    (world, restrictSearchableAttributes) => world.ask({ query: "drill", restrictSearchableAttributes }),
    (result) => expect(result).toMatchObject({ nbHits: 0, hits: [] }),
  ),
  ...passedEach(
    "Q30",
    "optional words",
    [
      ["one by one", ["blue", "big"]],
      ["as one text", "blue big"],
      ["as one text in a list", ["blue big"]],
    ],
    async (world, optionalWords) => idsOf(await world.ask({ query: "blue big drill", matching: "all", optionalWords })),
    (result) => expect(result).toEqual(["two", "3"]),
  ),
  {
    row: "Q30",
    what: "all complaints about words come together",
    run: (world) =>
      world.ask({
        query: "drill",
        typoTolerance: "yes",
        queryType: "x",
        optionalWords: 5,
        explain: 1,
        sort: "x",
        facets: 5,
      }),
    expect: { ...refusal("facets"), msg: /facets.*sort.*typoTolerance.*queryType.*optionalWords.*explain/ },
  },
];

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
const ADVANCED: readonly Row[] = [
  ...SYNTAX.flatMap((query) =>
    ["shop", "meant"].map(
      (index): Row => ({
        row: "Q20",
        what: `${JSON.stringify(query)} as advanced syntax in ${index}`,
        run: (world) =>
          world.ask({ query, advancedSyntax: true, facets: ["*"], attributesToHighlight: ["*"], explain: true }, index),
        expect: (result) => expect(result).toMatchObject({ query, page: 1 }),
      }),
    ),
  ),
  ...[
    ['"drill" '.repeat(500), 2],
    ["-x ".repeat(1300), undefined],
    ['"'.repeat(4096), undefined],
    ['-"'.repeat(2048), undefined],
    [`"${"drill ".repeat(680)}"`, 0],
  ].map(
    ([query, nbHits]): Row => ({
      row: "Q20",
      what: `advanced syntax, answered: ${String(query).slice(0, 20)}`,
      run: async (world) => {
        const seen = await world.ask({ query, advancedSyntax: true });
        return nbHits === undefined || seen.nbHits === nbHits;
      },
      expect: (result) => expect(result).toBe(true),
    }),
  ),
  {
    row: "Q21",
    what: "without advancedSyntax a minus and quotes are no syntax",
    run: async (world) => [
      idsOf(await world.ask({ query: "drill -blue" })),
      idsOf(await world.ask({ query: '"drill blue"' })),
    ],
    expect: (result) => {
      for (const ids of result as string[][]) expect(ids).toContain("two");
    },
  },
  {
    row: "Q21",
    what: "what is excluded is excluded from counts and from the meaning too",
    run: async (world) => {
      const seen = await world.ask(
        { query: "drill -blue", advancedSyntax: true, facets: ["sku"], semanticFloor: -1 },
        "meant",
      );
      return [idsOf(seen).includes("two"), seen.facets?.sku];
    },
    expect: (result) => expect(result).toEqual([false, []]),
  },
];

/** Rows Q20, Q21, Q30. */
export const WORDS: readonly Row[] = [...KINDS, ...ADVANCED];
