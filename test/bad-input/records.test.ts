// Records that are odd and right: their ids, keys, values, texts and vectors. Wrong ones are rows of wrong-arguments.ts.

import { expect } from "vitest";
import type { SearchError } from "../../src/index.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { gives, passes, type Rows, shown, testRows } from "./row.js";
import { anything, idsOf, rec, vectorOf, type World } from "./world.js";
import { nested, ofBytes } from "./wrong-arguments.js";

const ADDED = { added: 1, replaced: 0 };

/** Adds a record under an id, and looks for it in every way; then deletes it. */
async function roundTrip(world: World, id: unknown): Promise<unknown> {
  const added = await world.add([{ id, title: "Unicycle" }]);
  const [record] = await world.get([id]);
  const hits = idsOf(await world.ask({ query: "unicycle" }));
  return [added, record, hits, await world.delete([id]), await world.get([id])];
}

const ODD_IDS = shown(
  ...["i".repeat(512), "\u00e9".repeat(256), "__proto__", "constructor", "-1", -1, -0, 2 ** 53 - 1],
  ...["a\0b", "a\nb", " ", "\u202e", "\ufeff", "\ud83d\ude00", "\uffff"],
);

testRows("ids", [
  passes(
    "an id",
    ODD_IDS,
    (world, id) => roundTrip(world, id).then((seen) => [id, seen]),
    (result) => {
      const [id, seen] = result as unknown[];
      const record = { id: Object.is(id, -0) ? 0 : id, title: "Unicycle" };
      expect(seen).toEqual([ADDED, record, [String(id)], { deleted: 1 }, [null]]);
    },
  ),
  gives("an id attribute by another name", ADDED, async (world) => {
    await world.create("new", { idAttribute: "key" });
    return world.add([{ key: "a", id: {} }], "new");
  }),
  gives(
    "-0, 0 and their text are one id, and the last of one call counts",
    [ADDED, [rec({ id: "0" })]],
    async (world) => [await world.add([rec({ id: -0 }), rec({ id: 0 }), rec({ id: "0" })]), await world.get([0])],
  ),
  gives("ids are not normalised", { added: 2, replaced: 0 }, (world) =>
    world.add([rec({ id: "\u00e9" }), rec({ id: "e\u0301" })]),
  ),
  gives("one id twice in one deletion", [{ deleted: 1 }, { deleted: 0 }], async (world) => [
    await world.delete([1, "1", 1]),
    await world.delete([1, "nope"]),
  ]),
]);

const stored = async (world: World, record: unknown): Promise<unknown> => {
  await world.add([record]);
  return (await world.get(["new"]))[0];
};
const withValue = (world: World, value: unknown): unknown => world.add([rec({ value })]);
const OWN_KEYS =
  '{"id":"new","__proto__":{"isAdmin":true},"constructor":2,"toJSON":5,"then":1,"length":-1,"deep":{"__proto__":"unicycle"}}';

testRows("keys and values", [
  gives("keys that built-in objects have", [OWN_KEYS, true, undefined], async (world) => {
    const back = (await stored(world, JSON.parse(OWN_KEYS))) as object;
    return [JSON.stringify(back), Object.getPrototypeOf(back) === Object.prototype, Reflect.get({}, "isAdmin")];
  }),
  gives("a record with a then is no promise", '[[{"then":"a"}],[{"then":"a"}]]', async (world) => {
    await world.create("new", { idAttribute: "then" });
    await world.add([JSON.parse('{"then":"a"}')], "new");
    return JSON.stringify([await world.get(["a"], "new"), await world.records("new")]);
  }),
  gives("a dotted name beside a nested attribute of the same path", [["new"], []], async (world) => {
    await world.add([{ id: "new", "a.b": "first lamp", a: { b: "second lamp" } }]);
    const passing = async (value: string): Promise<string[]> =>
      idsOf(await world.ask({ query: "lamp", filters: anything({ "a.b": value }) }));
    return [await passing("first lamp"), await passing("second lamp")];
  }),
  gives("null in any attribute", { id: "new", title: null, tags: [null], deep: { a: null } }, (world) =>
    stored(world, { id: "new", title: null, tags: [null], deep: { a: null } }),
  ),
  gives("a Date, 32 levels, 10,000 items or 997 attributes", ADDED, withValue, {
    "a Date": { a: [new Date(0)] },
    "32 levels": nested(31),
    "10,000 items": Array.from({ length: 10_000 }, () => 1),
    "997 attributes": Object.fromEntries(Array.from({ length: 997 }, (_, i) => [`a${i}`, 1])),
  }),
  gives("100,000 bytes as JSON", ADDED, (world) => world.add([ofBytes(100_000)])),
  gives("deep records and others are refused together", 2, (world) =>
    Promise.resolve(world.add([rec({ value: nested(100_000) }), {}])).catch(
      (error: unknown) => (error as SearchError).details?.total,
    ),
  ),
  gives("records changed after the call", [{ id: "new", tags: ["a"], deep: { n: 1 } }, null], async (world) => {
    const record = { id: "new", tags: ["a"], deep: { n: 1 } };
    const list: unknown[] = [record];
    const done = world.add(list);
    list.push(rec({ id: "late" }));
    record.tags.push("b");
    record.deep.n = 2;
    await done;
    return world.get(["new", "late"]);
  }),
]);

// Values of any type as facets.

const FACET_VALUES = [
  ...["", " ", "\0", "\n", "\u202e", "\ud800", "x".repeat(469), "\u00e9".repeat(512), "y".repeat(50_000)],
];

async function kinds(world: World, values: readonly unknown[], settings?: object): Promise<void> {
  await world.create("new", settings);
  await world.add(
    values.map((kind, id) => ({ id, kind })),
    "new",
  );
}

async function passing(world: World, filters: unknown): Promise<string> {
  return (await world.ask({ query: "", filters, hitsPerPage: 100 }, "new")).hits.map(({ id }) => id).join();
}

testRows("values of any type as facets", [
  gives(
    "texts that look like numbers are none",
    ["5,7", "5", "6", { min: 3, max: 7, sum: 10, avg: 5 }],
    async (world) => {
      await kinds(world, ["12abc", "1e3", "", " 5", "0x10", 3, "7", 7]);
      const { data } = await world.engine.query("new", { query: "", facets: ["kind"] });
      return [
        await passing(world, "kind >= 0"),
        await passing(world, { kind: { lt: 5 } }),
        await passing(world, { kind: "7" }),
        data.facetStats?.kind,
      ];
    },
  ),
  gives("a list of all kinds", { kind: [1, 2, "a", true], "kind.a": [1] }, async (world) => {
    await kinds(world, [[1, "a", true, null, [2], { a: 1 }]]);
    const { facets } = await world.ask({ query: "", facets: ["kind", "kind.a"] }, "new");
    return Object.fromEntries(Object.entries(facets ?? {}).map(([name, all]) => [name, all.map(({ value }) => value)]));
  }),
  gives("facet values that are empty, long or cannot be printed", [[...FACET_VALUES].sort(), []], async (world) => {
    await kinds(world, FACET_VALUES, { attributesForFaceting: ["kind"] });
    const { facets } = await world.ask({ query: "", facets: ["kind"] }, "new");
    const wrong: unknown[] = [];
    for (const [id, kind] of FACET_VALUES.entries())
      if ((await passing(world, { kind })) !== String(id)) wrong.push(kind.slice(0, 10));
    return [facets?.kind?.map(({ value }) => value), wrong];
  }),
]);

// Texts that are hard to read.

const SCRIPT = '<script>alert("x")</script> <b>unicycle</b> &amp; co';

/** What is written, what is asked, and whether it is found. */
const TEXTS: readonly (readonly [written: string, asked: string, isFound: boolean])[] = [
  ["half \ud800 unicycle \udc00", "unicycle", true],
  ["uni\ud800cycle", "uni cycle", true],
  ["uni\ud800cycle", "unicyclist", false],
  [SCRIPT, "unicycle co", true],
  [SCRIPT, "alert", false],
  ["\u05d0\u05d5\u05e4\u05e0\u05d9\u05d9\u05dd", "\u05d0\u05d5\u05e4\u05e0\u05d9\u05d9\u05dd", true],
  ["\u202eunicycle\u202c", "unicycle", true],
  ["\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 unicycle", "unicycle", true],
  ["uni\u0308cycle", "unicycle", true],
  ["un\u00efcycle", "uni\u0308cycle", true],
  ["\uff35\uff4e\uff49\uff43\uff59\uff43\uff4c\uff45", "unicycle", true],
  ["\ufb01sh o\ufb00er", "fish offer", true],
  ["uni\u00adcycle", "unicycle", true],
  ["\u6771\u4eac\u30bf\u30ef\u30fc", "\u6771\u4eac", true],
  ["cable CD-123 x", "cd123", true],
  ["cable CD-123 x", "cd-12i", false],
  ["plug 3.5mm", "3.5mm", true],
  ["plug 3.5mm", "5.3mm", false],
  ["an mp3 player", "mp4", false],
];

testRows("texts that are hard to read", [
  gives("a text", ADDED, (world, title) => world.add([{ id: "new", title, sku: title }]), {
    "that is empty": "",
    "of blanks": " \t\n\u3000",
    "that cannot be seen": "\u200b\ufeff",
    "of punctuation": "!?--",
  }),
  TEXTS.map(
    ([text, asked, isFound]): Rows =>
      gives(`${JSON.stringify(text)} by ${JSON.stringify(asked)}`, [text, isFound ? ["new"] : []], async (world) => [
        ((await stored(world, { id: "new", text })) as { readonly text: string }).text,
        await world.found(asked),
      ]),
  ),
  {
    what: "1,000,000 characters, where a record may have them",
    options: { limits: { recordBytes: 8_000_000 } },
    run: (world) => stored(world, { id: "new", text: "word ".repeat(200_000) }),
    expect: (record, { warnings }) => {
      expect((record as { readonly text: string }).text).toHaveLength(1_000_000);
      expect(warnings.map(({ code }) => code)).toEqual(["field_truncated"]);
    },
  },
]);

// Vectors.

const withVector = (world: World, vector: unknown): unknown => world.add([rec({ vector })], "near");

/** The record nearest to vectorOf(5), and its score. */
async function nearest(world: World): Promise<unknown> {
  const { hits } = await world.ask({ query: "", vector: vectorOf(5), semanticWeight: 1 }, "near");
  return [hits[0]?.id, hits[0]?.score];
}

testRows("vectors", [
  passes("a vector", { "that is missing": undefined, "of null": null }, withVector, async (result, world) => {
    expect(result).toEqual(ADDED);
    expect(await world.found("lamp", "near")).toEqual(["new"]);
    expect(idsOf(await world.ask({ query: "", vector: vectorOf(5), semanticFloor: -1 }, "near"))).not.toContain("new");
  }),
  passes(
    "a vector, changed after the call, as",
    {
      Float32Array: () => Float32Array.from(vectorOf(5)),
      Float64Array: () => Float64Array.from(vectorOf(5)),
      "part of a buffer": () => Float64Array.from([9, ...vectorOf(5), 9]).subarray(1, 9),
      "a view of shared memory": () => {
        const view = new Float64Array(new SharedArrayBuffer(64));
        view.set(vectorOf(5));
        return view;
      },
    },
    async (world, make) => {
      const vector = (make as () => Float32Array)();
      const done = withVector(world, vector);
      vector.fill(Number.NaN);
      await done;
    },
    async (_, world) => expect(await nearest(world)).toEqual(["new", 1]),
  ),
  USABLE_KINDS.map((kind) =>
    gives(`10,000 records with one vector hide no other from a graph of kind ${kind}`, [], async (world) => {
      const settings = { vectorAttribute: "v", dimensions: 8, vectorIndex: { kind } };
      const handle = await world.engine.createIndex("same", settings);
      const others = Array.from({ length: 100 }, (_, i) => ({ id: `other${i}`, v: vectorOf(i) }));
      const same = Array.from({ length: 10_000 }, (_, i) => ({ id: `same${i}`, v: vectorOf(99) }));
      await handle.addRecords([...same.slice(0, 5000), ...others, ...same.slice(5000)]);
      await handle.whenIdle();
      const lost = [];
      for (const [i, { id }] of others.entries()) {
        const { hits } = await world.ask({ query: "", vector: vectorOf(i), hitsPerPage: 1 }, "same");
        if (hits[0]?.score !== 1 || (i !== 99 && hits[0]?.id !== id)) lost.push(id);
      }
      return lost;
    }),
  ),
]);
