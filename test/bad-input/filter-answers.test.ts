// What filters find.

import { expect } from "vitest";
import { quoteFilterValue } from "../../src/index.js";
import type { GraphKind } from "../../src/vectors/hnsw/node-graph.js";
import { FAST } from "../support/size.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { expectRefusal } from "./message-rules.js";
import { bad, gives, passes, type Rows, resembles, testRows } from "./row.js";
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

testRows("the values that filters compare with", [
  gives("values by the names of prototypes and keywords", [], (world) => lost(world, NAMES)),
  gives("300 odd texts through quoteFilterValue", [], (world) => lost(world, oddTexts(300))),
  gives("attempts to break out of the quotes", [], (world) => lost(world, INJECTIONS)),
  gives(
    "numbers and booleans through quoteFilterValue",
    ["0,1", "0,1", "2", "3", "4", "5", "6", "7", "8", "9"],
    async (world) => {
      const values = [0, -0, 5, -2.5, 1e21, 5e-324, Number.MAX_VALUE, 2 ** 53 - 1, true, false];
      await kinds(world, values);
      const answers = [];
      for (const value of values) answers.push(await ids(world, `kind:${quoteFilterValue(value)}`));
      return answers.map(String);
    },
  ),
  passes(
    "quoteFilterValue refuses",
    [null, undefined, Number.NaN, Number.POSITIVE_INFINITY, {}, ["a"], Symbol(), 5n, Object("a")],
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

/** Compares texts, numbers and booleans with filters of all kinds. */
function compared(what: string, values: readonly unknown[], filters: readonly unknown[], expected: string): Rows {
  return filters.map((filter) =>
    gives(`${what}: ${JSON.stringify(filter)}`, expected, async (world) => {
      await kinds(world, values);
      return (await ids(world, filter)).join();
    }),
  );
}

const MIXED = [89, "89", true, "true", null, [], undefined, [89, "x"], "12abc", "1e3"];

testRows("the values that filters compare with", [
  compared("text is no number", ["a", "5"], ["kind < 9", "kind >= 0", "kind:0 TO 9", { kind: { lte: 5 } }], ""),
  compared("a number is no text", [5, 6], ['kind:"5"', { kind: "5" }, { kind: { eq: "5" } }, { kind: ["5"] }], ""),
  compared("a word equals what prints like it", MIXED, ["kind:89", "kind = 89"], "0,1,7"),
  compared("a word equals what prints like it", MIXED, ["kind:true"], "2,3"),
  compared("quotes mean a text", MIXED, ['kind:"89"', { kind: "89" }], "1"),
  compared("an object is exact", MIXED, [{ kind: 89 }], "0,7"),
  compared("texts that begin with numbers are none", MIXED, ["kind > 0", { kind: { gt: 0 } }], "0,7"),
  compared("other case", ["Forge", "forge"], ["kind:forge", { kind: "forge" }], "1"),
  compared("NFC", ["\u00e9", "e\u0301"], ["kind:\u00e9", 'kind:"\u00e9"', { kind: "\u00e9" }], "0"),
  compared("NFD", ["\u00e9", "e\u0301"], ["kind:e\u0301", { kind: "e\u0301" }], "1"),
  compared("keywords in quotes", ["AND", "TO", "NOT"], ['kind:"TO"', "kind = 'TO'", { kind: "TO" }], "1"),
  compared("keywords in lower case are words", ["and", "to", "not"], ["kind:to", "kind = to"], "1"),
  compared(
    "a value is there",
    MIXED,
    ["kind EXISTS", "NOT NOT kind EXISTS", { kind: { exists: true } }, { kind: { ne: null } }],
    "0,1,2,3,7,8,9",
  ),
  compared(
    "no value is there",
    MIXED,
    ["NOT kind EXISTS", { kind: null }, { kind: { exists: false } }, { kind: [null] }, { kind: { eq: null } }],
    "4,5,6",
  ),
  compared("null is a text in the text form", ["null", null], ["kind = null"], "0"),
  compared("another value, or none", ["a", "b", null], ["kind != a", "NOT kind:a", { kind: { ne: "a" } }], "1,2"),
]);

// Filters that pass nothing or everything, and records that come and go.

/** The vectors that filters are tried on. */
const VECTORS = FAST ? 4000 : 20_000;

const manyVectors = (kind: GraphKind) => async (world: World) => {
  const handle = await world.engine.createIndex("many", {
    vectorAttribute: "v",
    dimensions: 8,
    vectorIndex: { kind },
  });
  await handle.addRecords(Array.from({ length: VECTORS }, (_, id) => ({ id, kind: "nut", t: "nut", v: vectorOf(id) })));
  await handle.whenIdle();
};

const NOTHING: readonly unknown[] = ["kind:bolt", { kind: "bolt" }, "kind:nut AND NOT kind:nut", { kind: [] }];

testRows("filters that pass nothing or everything, and records that come and go", [
  ...USABLE_KINDS.flatMap(
    (kind): Rows => [
      {
        what: `filters that none or one of many vectors passes find nothing or that one, by a graph of kind ${kind}`,
        prepare: manyVectors(kind),
        run: async (world) => {
          for (const filters of NOTHING)
            for (const query of ["", "nut"]) {
              const { nbHits, hits } = await world.ask({ query, filters, vector: vectorOf(5) }, "many");
              expect([nbHits, hits.length]).toEqual([0, 0]);
            }
          await world.add([{ id: "one", kind: "bolt", v: vectorOf(70_000) }], "many");
          return idsOf(
            await world.ask({ query: "", filters: "kind:bolt", vector: vectorOf(5), semanticFloor: -1 }, "many"),
          );
        },
        expect: (result) => expect(result).toEqual(["one"]),
      },
    ],
  ),
  gives("a filter that all pass changes nothing", [true], async (world) => {
    const alike: boolean[] = [];
    for (const index of ["shop", "near", "meant"])
      for (const query of ["", "drill", "red kettle", "unicycle"])
        for (const filters of ["note EXISTS", { note: { exists: true } }, "title EXISTS OR price < 0", " "]) {
          const vector = index === "near" ? { vector: vectorOf(1) } : {};
          const [plain, passing] = [
            await world.ask({ query, facets: ["*"], ...vector }, index),
            await world.ask({ query, facets: ["*"], filters, ...vector }, index),
          ];
          alike.push(JSON.stringify(plain) === JSON.stringify(passing));
        }
    return [...new Set(alike)];
  }),
]);

const CONDITIONS = ["brand:Forge", "price < 20", "tags:garden", "brand EXISTS", "price:5 TO 15", "brand:nobody"];

testRows(
  "filters that pass nothing or everything, and records that come and go",
  CONDITIONS.flatMap((condition) => [
    gives(`${condition} AND NOT ${condition}`, [0, 0], async (world) => [
      (await world.ask({ query: "", filters: `${condition} AND NOT ${condition}` })).nbHits,
      (await world.ask({ query: "", filters: `NOT (${condition} OR NOT (${condition}))` })).nbHits,
    ]),
    gives(`${condition} OR NOT ${condition}`, [3, 3], async (world) => [
      (await world.ask({ query: "", filters: `${condition} OR NOT ${condition}` })).nbHits,
      (await world.ask({ query: "", filters: `NOT (${condition} AND NOT ${condition})` })).nbHits,
    ]),
  ]),
);

/** Rounds of changes after which a filter or a count disagreed with a Map. */
async function ghosts(world: World): Promise<unknown> {
  await world.create("new");
  const kinds = ["a", "b", "c", "__proto__"];
  const model = new Map<string, string>();
  let state = 3;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const wrong: unknown[] = [];
  for (let round = 0; round < 40; round++) {
    const batch = Array.from({ length: 20 }, () => ({ id: `r${random(60)}`, kind: kinds[random(4)]! }));
    if (round % 10 === 9) await world.call("replaceAllRecords", "new", batch);
    else await world.call("updateRecords", "new", batch);
    model.clear();
    for (const record of (await world.records("new")) as typeof batch) model.set(record.id, record.kind);
    const gone = kinds[random(4)]!;
    await world.call("deleteBy", "new", { filters: { kind: gone, NOT: { id: ["r1", "r2"] } } });
    for (const [id, kind] of [...model]) if (kind === gone && id !== "r1" && id !== "r2") model.delete(id);
    for (const kind of kinds) {
      const expected = [...model]
        .filter(([, each]) => each === kind)
        .map(([id]) => id)
        .sort();
      const seen = await world.ask(
        { query: "", filters: `kind:${quoteFilterValue(kind)}`, facets: ["kind"], hitsPerPage: 1000 },
        "new",
      );
      const count = seen.facets?.kind?.find(({ value }) => value === kind)?.count ?? 0;
      if (idsOf(seen).sort().join() !== expected.join() || count !== expected.length) wrong.push([round, kind]);
    }
  }
  return wrong;
}

testRows("filters that pass nothing or everything, and records that come and go", [
  gives("40 rounds of adding, updating, replacing and deleting leave no ghost in filters or counts", [], ghosts),
  gives(
    "a value that no record holds any more is known, and found nowhere",
    [0, 0, 0, { brand: [{ value: "Volt", count: 1 }], tags: [] }],
    async (world) => {
      await world.add([{ id: 1, title: "Red kettle", brand: "Volt" }]);
      await world.delete(["two", 3]);
      return [
        (await world.ask({ query: "", filters: "brand:Forge" })).nbHits,
        (await world.ask({ query: "", filters: "price < 100" })).nbHits,
        (await world.ask({ query: "", filters: "tags:garden OR specs.volts = 18" })).nbHits,
        (await world.ask({ query: "", facets: ["brand", "tags"] })).facets,
      ];
    },
  ),
  resembles(
    "after clearIndex the old attributes are forgotten",
    { code: 400, error: "unknown_filter_field" },
    async (world) => {
      await world.engine.clearIndex("shop");
      await world.add([{ id: 1, kind: "a" }]);
      return world.ask({ query: "", filters: "brand:Forge" }).catch((error: unknown) => error);
    },
  ),
]);

// Random filters in equal forms, against a reading of their own.

type Thing = Readonly<Record<string, unknown>>;

interface Leaf {
  readonly text: string;
  readonly object: object;
  readonly holds: (thing: Thing) => boolean;
}

type Tree =
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  | { readonly kind: "not"; readonly inner: Tree }
  | { readonly kind: "and" | "or"; readonly parts: readonly Tree[] };

const COLORS = ["red", "blue", "AND", "__proto__"];

const THINGS: readonly Thing[] = Array.from({ length: 60 }, (_, id) => ({
  id,
  color: id % 5 === 4 ? null : COLORS[id % 5],
  size: id % 7 === 6 ? undefined : (id * 13) % 17,
  marks: id % 3 === 0 ? [] : [COLORS[id % 4], id % 6],
  sold: id % 2 === 0,
}));

const LEAVES: readonly Leaf[] = [
  ...COLORS.map(
    (color): Leaf => ({
      text: `color:${quoteFilterValue(color)}`,
      object: { color },
      holds: (thing) => thing.color === color,
    }),
  ),
  ...COLORS.map(
    (color): Leaf => ({
      text: `marks:${quoteFilterValue(color)}`,
      object: { marks: { in: [color] } },
      holds: (thing) => (thing.marks as unknown[]).includes(color),
    }),
  ),
  ...[0, 3, 8, 16].flatMap((size): Leaf[] => [
    { text: `size < ${size}`, object: { size: { lt: size } }, holds: (thing) => Number(thing.size ?? 99) < size },
    { text: `size >= ${size}`, object: { size: { gte: size } }, holds: (thing) => Number(thing.size ?? -1) >= size },
    { text: `size != ${size}`, object: { size: { ne: size } }, holds: (thing) => thing.size !== size },
    {
      text: `size:3 TO ${size}`,
      object: { size: { between: [3, size] } },
      holds: (thing) => Number(thing.size ?? -1) >= 3 && Number(thing.size) <= size,
    },
  ]),
  { text: "color EXISTS", object: { color: { exists: true } }, holds: (thing) => thing.color !== null },
  { text: "NOT size EXISTS", object: { size: null }, holds: (thing) => thing.size === undefined },
  { text: "sold:true", object: { sold: true }, holds: (thing) => thing.sold === true },
];

let state = 5;

function random(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function grow(depth: number): Tree {
  const kind = depth === 0 ? 0 : random(4);
  if (kind === 0) return { kind: "leaf", leaf: LEAVES[random(LEAVES.length)]! };
  if (kind === 1) return { kind: "not", inner: grow(depth - 1) };
  return { kind: kind === 2 ? "and" : "or", parts: Array.from({ length: 1 + random(3) }, () => grow(depth - 1)) };
}

function asText(tree: Tree): string {
  if (tree.kind === "leaf") return tree.leaf.text;
  if (tree.kind === "not") return `NOT (${asText(tree.inner)})`;
  return `(${tree.parts.map(asText).join(tree.kind === "and" ? " AND " : " OR ")})`;
}

function asObject(tree: Tree): object {
  if (tree.kind === "leaf") return tree.leaf.object;
  if (tree.kind === "not") return { NOT: asObject(tree.inner) };
  return { [tree.kind === "and" ? "AND" : "OR"]: tree.parts.map(asObject) };
}

function holds(tree: Tree, thing: Thing): boolean {
  if (tree.kind === "leaf") return tree.leaf.holds(thing);
  if (tree.kind === "not") return !holds(tree.inner, thing);
  return tree.kind === "and"
    ? tree.parts.every((part) => holds(part, thing))
    : tree.parts.some((part) => holds(part, thing));
}

/** By De Morgan, turned around and denied twice: always the same records. */
function otherwise(tree: Tree): Tree {
  if (tree.kind === "leaf") return { kind: "not", inner: { kind: "not", inner: tree } };
  if (tree.kind === "not") return { kind: "not", inner: otherwise(tree.inner) };
  const parts = tree.parts.map((part): Tree => ({ kind: "not", inner: otherwise(part) })).reverse();
  return { kind: "not", inner: { kind: tree.kind === "and" ? "or" : "and", parts } };
}

async function disagreements(world: World): Promise<unknown> {
  await world.create("new");
  await world.add(THINGS, "new");
  const wrong: unknown[] = [];
  for (let n = 0; n < 300; n++) {
    const tree = grow(3);
    const expected = THINGS.filter((thing) => holds(tree, thing))
      .map(({ id }) => String(id))
      .sort()
      .join();
    for (const filters of [asText(tree), asObject(tree), asText(otherwise(tree)), asObject(otherwise(tree))]) {
      const seen = await world.ask({ query: "", filters, hitsPerPage: 1000 }, "new");
      if (idsOf(seen).sort().join() !== expected) wrong.push(filters);
    }
  }
  return wrong;
}

testRows("random filters in equal forms, against a reading of their own", [
  gives("300 random filters in four forms", [], disagreements),
]);
