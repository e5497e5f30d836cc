// Rows Q34 to Q36 and Q51: what a hit shows.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const LISTS = ["attributesToRetrieve", "attributesToHighlight", "attributesToSnippet", "restrictSearchableAttributes"];
const TAGS = ["highlightPreTag", "highlightPostTag", "snippetEllipsisText"];
const refusal = (param: string): Refusal => ({ code: 400, error: "invalid_parameter", param });

/** The only hit of a query, as it is shown. */
async function hitOf(world: World, params: object): Promise<Readonly<Record<string, unknown>>> {
  const { hits } = await world.ask({ query: "kettle", ...params });
  return { ...hits[0]! };
}

const FULL = { id: 1, title: "Red kettle", brand: "Forge", price: 10 };
const RECORD =
  '{"id":5,"title":"kettle","a":{"__proto__":{"b":1},"c":2},"__proto__":{"d":3},"x.y":1,"x":{"y":2,"z":[{"y":1},{"z":5}]}}';

/** What of that record some paths show. */
function projected(row: string, paths: readonly string[], expected: string): Row {
  return {
    row,
    what: `${JSON.stringify(paths)} of keys that built-in objects have`,
    run: async (world) => {
      await world.create("new");
      await world.add([JSON.parse(RECORD)], "new");
      const { hits } = await world.ask({ query: "kettle", attributesToRetrieve: paths }, "new");
      return [JSON.stringify(hits[0]?.source), hits[0]?.id];
    },
    expect: (result) => expect(result).toEqual([expected, "5"]),
  };
}

const RETRIEVED: readonly Row[] = [
  ...(
    [
      [["*"], FULL],
      [["*", "title"], FULL],
      [["-note"], FULL],
      [["*", "-note", "-x"], FULL],
      [[], {}],
      [["nope"], {}],
      [["title", "title", "nope"], { title: "Red kettle" }],
      [["-title", "-nope", "-note", "-brand", "-price"], { id: 1 }],
      [["title", "-title"], {}],
      [["title.length", "title.0", "brand"], { brand: "Forge" }],
    ] as const
  ).map(
    ([attributesToRetrieve, expected]): Row => ({
      row: "Q34",
      what: `attributesToRetrieve ${JSON.stringify(attributesToRetrieve)}`,
      run: async (world) => (await hitOf(world, { attributesToRetrieve })).source,
      expect: (result) => {
        const { note: _note, ...source } = result as Readonly<Record<string, unknown>>;
        expect(source).toEqual(expected);
      },
    }),
  ),
  projected("Q36", ["__proto__"], '{"__proto__":{"d":3}}'),
  projected("Q36", ["a.__proto__.b"], '{"a":{"__proto__":{"b":1}}}'),
  projected("Q36", ["a.__proto__", "a.constructor", "constructor.name"], '{"a":{"__proto__":{"b":1}}}'),
  projected("Q36", ["toString", "__proto__.toString", "a.b", "title.__proto__"], "{}"),
  projected("Q36", ["x.y"], '{"x.y":1}'),
  projected("Q36", ["x.z.y"], '{"x":{"z":[{"y":1}]}}'),
  projected("Q36", ["*", "-a.__proto__", "-x", "-x.y", "-title"], '{"id":5,"a":{"c":2},"__proto__":{"d":3}}'),
  projected("Q36", ["*", "-__proto__", "-a", "-x", "-x.y"], '{"id":5,"title":"kettle"}'),
];

const SHAPES: readonly Row[] = LISTS.flatMap((name) => [
  ...refusedEach(
    "Q35",
    name,
    shown(
      "title",
      null,
      5,
      {},
      true,
      [5],
      [null],
      [""],
      ["a\n"],
      ["n".repeat(257)],
      [["title"]],
      new Array(1),
      new Set(["title"]),
      Object("title"),
    ),
    (world, value) => world.ask({ query: "kettle", [name]: value }),
    refusal(name),
  ),
  ...refusedEach(
    "Q35",
    `10,000 names in`,
    [[name, new Array(10_000).fill("title")]],
    (world, value) => world.ask({ query: "kettle", [name]: value }),
    refusal(name),
  ),
  ...refusedEach(
    "Q35",
    `encoded ${name}`,
    shown("[", "{}", "[5]", "[null]", ",", "a,,b"),
    (world, text) =>
      world.ask({
        params: new URLSearchParams([
          ["query", "a"],
          [name, String(text)],
        ]).toString(),
      }),
    refusal(name),
  ),
]);

const TEXTS: readonly Row[] = [
  ...TAGS.flatMap((name) => [
    ...refusedEach(
      "Q51",
      name,
      shown(null, 5, true, {}, ["<b>"], "x".repeat(65), "x".repeat(10_000), Symbol(), Object("<b>")),
      (world, tag) => world.ask({ query: "kettle", [name]: tag, attributesToHighlight: ["*"] }),
      refusal(name),
    ),
    ...passedEach(
      "Q51",
      name,
      shown("", "x".repeat(64), "\0", "<script>", "\ud800", "$&", "$1", undefined),
      (world, tag) =>
        world.ask({ query: "kettle", [name]: tag, attributesToHighlight: ["*"], attributesToSnippet: ["*"] }),
      (result) => expect(result).toMatchObject({ nbHits: 1 }),
    ),
  ]),
  ...["<b title='x'>", "\0", "$&", "$1$`", "&amp;", "\\", ""].map(
    (tag): Row => ({
      row: "Q51",
      what: `tags stand as they are, the text is escaped: ${JSON.stringify(tag)}`,
      run: async (world) => {
        await world.add([{ id: 1, title: `<script>kettle</script> "a" & 'b'` }]);
        const hit = await hitOf(world, {
          attributesToHighlight: ["title"],
          highlightPreTag: tag,
          highlightPostTag: tag,
        });
        return [hit._highlightResult, hit.source];
      },
      expect: (result) =>
        expect(result).toMatchObject([
          { title: { value: `&lt;script&gt;${tag}kettle${tag}&lt;/script&gt; &quot;a&quot; &amp; &#39;b&#39;` } },
          { title: `<script>kettle</script> "a" & 'b'` },
        ]),
    }),
  ),
  ...(["attributesToHighlight", "attributesToSnippet"] as const).flatMap((name) =>
    passedEach(
      "Q51",
      name,
      shown(["nope"], ["constructor"], ["title.length"], [], ["__proto__"]),
      async (world, value) => {
        const hit = await hitOf(world, { [name]: value });
        return hit[name === "attributesToHighlight" ? "_highlightResult" : "_snippetResult"] ?? {};
      },
      (result) => expect(JSON.stringify(result)).toBe("{}"),
    ),
  ),
  ...passedEach(
    "Q51",
    "a snippet of",
    shown(["title:0"], ["title:-1"], ["title:x"], ["title:99999999999999999999"], [":5"], ["*:0"]),
    (world, value) => world.ask({ query: "kettle", attributesToSnippet: value }),
    (result) => expect(result).toMatchObject({ nbHits: 1 }),
  ),
  {
    row: "Q51",
    what: "highlights of attributes that built-in objects have",
    run: async (world) => {
      await world.create("new");
      await world.add([JSON.parse(RECORD)], "new");
      const params = {
        query: "kettle",
        attributesToHighlight: ["__proto__", "a", "x"],
        attributesToSnippet: ["__proto__:1"],
      };
      const { hits } = await world.ask(params, "new");
      const hit = { ...hits[0]! } as { readonly _highlightResult?: object };
      return [JSON.stringify(Object.keys(hit._highlightResult ?? {}).sort()), JSON.stringify(hit)];
    },
    expect: (result) => {
      const [names, hit] = result as [string, string];
      expect(names).toBe('["__proto__","a","x"]');
      expect(hit).toContain('"_snippetResult":{"__proto__":{"d":');
    },
  },
  {
    row: "Q51",
    what: "what is shown of a hit, changed by the caller, has no effect on later answers",
    run: async (world) => {
      const params = {
        attributesToHighlight: ["*"],
        attributesToSnippet: ["*"],
        attributesToRetrieve: ["title"],
        explain: true,
      };
      const first = await hitOf(world, params);
      const before = JSON.stringify(first);
      for (const name of ["_highlightResult", "_snippetResult", "source", "explanation"])
        Reflect.set(first[name] as object, "title", "changed");
      return JSON.stringify(await hitOf(world, params)) === before;
    },
    expect: (result) => expect(result).toBe(true),
  },
];

/** Rows Q34 to Q36, Q51. */
export const HITS: readonly Row[] = [...RETRIEVED, ...SHAPES, ...TEXTS];
