// Words that built-in objects know, wherever a caller may name something or give a value: each is a name like any other, and
// no prototype changes or answers in its place.

import { afterEach, describe, expect, it } from "vitest";
import { quoteFilterValue } from "../../src/index.js";
import { FAST } from "../support/size.js";
import { expectCleanPrototypes } from "./message-rules.js";
import { idsOf, World } from "./world.js";

/** Names and values that built-in objects or JavaScript itself know. */
const WORDS: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"],
  ...["isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "__defineGetter__", "__defineSetter__"],
  ...["__lookupGetter__", "__lookupSetter__", "length", "name", "caller", "callee", "arguments", "apply", "call"],
  ...["bind", "catch", "finally", "get", "set", "has", "size", "keys", "values", "entries", "forEach", "inspect"],
  ...["null", "undefined", "NaN", "Infinity", "true", "false", "default", "eval", "this", "class", "await", "exports"],
  ...["require", "module", "globalThis", "process", "Symbol.iterator", "nodejs.util.inspect.custom"],
];

/** The fast size tries every third. */
const TRIED = WORDS.filter((_, i) => !FAST || i % 3 === 0);

/** An object with one own key, whatever it is called. */
function keyed(key: string, value: unknown, rest = "{}"): Record<string, unknown> {
  const inner = rest.slice(1, -1);
  return JSON.parse(`{${inner}${inner === "" ? "" : ","}${JSON.stringify(key)}:${JSON.stringify(value)}}`);
}

afterEach(expectCleanPrototypes);

it("are at least 40", () => expect(new Set(WORDS).size).toBeGreaterThanOrEqual(40));

describe.each(TRIED)("%s", (word) => {
  it("is the name of an index", async () => {
    const world = await World.bare();
    await expect(world.ask({ query: "" }, word)).rejects.toMatchObject({ code: 404, error: "index_not_found" });
    await world.create(word);
    await world.add([{ id: 1, title: "anvil" }], word);
    expect(await world.found("anvil", word)).toEqual(["1"]);
    expect((await world.ask({ query: "anvil" }, word)).indexUse).toBe(word);
    expect((await world.engine.listIndexes()).map(({ name }) => name)).toContain(word);
    await expect(world.create(word)).rejects.toMatchObject({ code: 409 });
    await world.engine.deleteIndex(word);
    await expect(world.found("anvil", word)).rejects.toMatchObject({ code: 404 });
  });

  it("is an id", async () => {
    const world = await World.bare();
    expect([await world.get([word]), await world.delete([word])]).toEqual([[null], { deleted: 0 }]);
    expect(await world.add([{ id: word, title: "anvil" }])).toEqual({ added: 1, replaced: 0 });
    expect(await world.add([{ id: word, title: "hammer" }])).toEqual({ added: 0, replaced: 1 });
    expect([await world.found("hammer"), await world.found("anvil")]).toEqual([[word], []]);
    expect((await world.ask({ query: word })).hits[0]).toMatchObject({ id: word, score: 1 });
    expect(await world.get([word])).toEqual([{ id: word, title: "hammer" }]);
    expect(await world.delete([word])).toEqual({ deleted: 1 });
  });

  it("is the name of an attribute, at any depth", async () => {
    const world = await World.bare();
    const record = keyed(word, { a: "anvil" }, JSON.stringify({ id: 1, deep: keyed(word, "hammer") }));
    await world.add([record]);
    const [back] = await world.get([1]);
    expect(JSON.stringify(back)).toBe(JSON.stringify(record));
    expect(Object.keys(back as object)).toContain(word);
    expect([await world.found("anvil"), await world.found("hammer")]).toEqual([["1"], ["1"]]);
  });

  it("is an attribute that settings name", async () => {
    const world = await World.bare();
    const settings = { searchableAttributes: [word], embeddedAttributes: [word], identifierAttributes: ["code"] };
    await world.create("searched", { ...settings, embedder: world.embedder });
    await world.add([keyed(word, "anvil", '{"id":1,"title":"hammer"}'), { id: 2, title: "anvil" }], "searched");
    expect([await world.found("anvil", "searched"), world.embedder.asked]).toEqual([["1"], ["anvil", "anvil"]]);
    await world.create("coded", { identifierAttributes: [word] });
    await world.add([keyed(word, "AB-123", '{"id":1}')], "coded");
    expect((await world.ask({ query: "ab123" }, "coded")).hits[0]?.score).toBe(1);
    await world.create("keyed", { idAttribute: word });
    await world.add([keyed(word, "k1")], "keyed");
    expect(await world.get(["k1"], "keyed")).toHaveLength(1);
    await expect(world.add([{ id: 1 }], "keyed")).rejects.toMatchObject({ error: "missing_id" });
  });

  it("is the attribute of a vector, and never inherited", async () => {
    const world = await World.bare();
    await world.create("near", { vectorAttribute: word, dimensions: 2 });
    await world.add([keyed(word, [1, 0], '{"id":1}'), { id: 2 }], "near");
    expect(idsOf(await world.ask({ query: "", vector: [1, 0] }, "near"))).toEqual(["1"]);
  });

  it("is a word of a text", async () => {
    const world = await World.bare();
    await world.add([
      { id: 1, title: `an anvil, ${word}` },
      { id: 2, title: "an anvil" },
    ]);
    expect(await world.found(word)).toEqual(["1"]);
    expect(await world.found(`${word} anvil`)).toContain("1");
    await world.delete([1]);
    expect(await world.found(word)).toEqual([]);
  });

  it("is an unknown setting", async () => {
    const world = await World.bare();
    await world.create("new", keyed(word, { idAttribute: "key" }));
    expect(world.warnings.map(({ code }) => code)).toEqual(["unknown_setting"]);
    expect((await world.engine.getSettings("new")).effective).toEqual(
      (await world.engine.getSettings("shop")).effective,
    );
    const strict = await World.bare({ strict: true });
    await expect(strict.create("new", keyed(word, 1))).rejects.toMatchObject({ error: "unknown_setting", param: word });
    await expect(world.create("other", { bm25: keyed(word, 1) })).rejects.toMatchObject({ error: "unknown_setting" });
  });

  it("is the value of an identifier", async () => {
    const world = await World.bare();
    await world.add([
      { id: 1, sku: word },
      { id: 2, title: `anvil ${word}` },
      { id: 3, sku: "AB-1" },
    ]);
    const { hits } = await world.ask({ query: word });
    expect(hits[0]).toMatchObject({ id: "1", score: 1 });
    expect(hits.slice(1).every(({ id, score }) => id === "2" && score < 1)).toBe(true);
  });
});

const encoded = (params: Readonly<Record<string, string>>): object => ({
  params: new URLSearchParams(params).toString(),
});

/** What happens to each way to name an attribute; "" where it is taken. */
async function refusals(world: World, word: string): Promise<unknown[]> {
  const name = quoteFilterValue(word);
  const asked: object[] = [
    { filters: `${name}:a` },
    { filters: `specs.${word}:a`.replace(`specs.${word}`, quoteFilterValue(`specs.${word}`)) },
    { filters: keyed(word, "a") },
    { facetFilters: [`${word}:a`] },
    { facetFilters: keyed(word, "a") },
    { facets: [word] },
    { facets: [`title.${word}`] },
    { sort: [`${word}:asc`] },
  ];
  const errors: unknown[] = [];
  for (const params of asked)
    errors.push(
      await world.ask({ query: "", ...params }).then(
        () => params,
        (error: { readonly code?: number }) => error.code,
      ),
    );
  return errors;
}

/** Two records with the word as an attribute, one with it deeper, one without. */
async function named(word: string): Promise<World> {
  const world = await World.bare();
  await world.create("grouped", {
    attributeForDistinct: word,
    customRanking: [`desc(${word})`],
    attributesForFaceting: [word],
  });
  for (const index of ["shop", "grouped"])
    await world.add(
      [
        keyed(word, "a", '{"id":1}'),
        keyed(word, "b", '{"id":2}'),
        JSON.parse(`{"id":3,"deep":${JSON.stringify(keyed(word, 5))}}`),
        { id: 4, other: "a" },
      ],
      index,
    );
  return world;
}

describe.each(TRIED)("%s in the query language", (word) => {
  it("is an attribute that nobody has until somebody has it", async () => {
    const world = await World.bare();
    await world.add([{ id: 1, title: "anvil", specs: { weight: 5 }, tags: ["a"] }]);
    expect(await refusals(world, word)).toEqual(new Array(8).fill(400));
    expect(
      (await world.ask({ query: "", attributesToRetrieve: [word, `tags.${word}`, `specs.${word}.${word}`] })).hits[0]
        ?.source,
    ).toEqual({});
    const { hits } = await world.ask({ query: "", attributesToRetrieve: ["*", `-${word}`, `-specs.${word}`] });
    expect(hits[0]?.source).toEqual({ id: 1, title: "anvil", specs: { weight: 5 }, tags: ["a"] });
  });

  it("is an attribute to filter and click by, in all forms", async () => {
    const world = await named(word);
    const name = quoteFilterValue(word);
    const filters: unknown[] = [
      `${name}:a`,
      `${name} = "a"`,
      keyed(word, "a"),
      keyed(word, { eq: "a" }),
      { AND: [keyed(word, ["a"])] },
    ];
    for (const filter of filters) expect(idsOf(await world.ask({ query: "", filters: filter }))).toEqual(["1"]);
    expect(idsOf(await world.ask(encoded({ query: "", filters: JSON.stringify(keyed(word, "a")) })))).toEqual(["1"]);
    for (const refinements of [[`${word}:a`], [[`${word}:a`]], keyed(word, "a"), keyed(word, ["a"])])
      expect(idsOf(await world.ask({ query: "", facetFilters: refinements }))).toEqual(["1"]);
    const deep = quoteFilterValue(`deep.${word}`);
    expect(idsOf(await world.ask({ query: "", filters: `${deep} > 4 AND NOT ${name} EXISTS` }))).toEqual(["3"]);
    expect(await world.call("deleteBy", "shop", { filters: `${name} EXISTS` })).toEqual({ deleted: 2 });
    expect((await world.ask({ query: "" })).nbHits).toBe(2);
  });

  it("is an attribute to count, sort and group by", async () => {
    const world = await named(word);
    const { facets } = await world.ask({ query: "", facets: [word, `deep.${word}`] });
    expect(Object.entries(facets ?? {})).toEqual([
      [
        word,
        [
          { value: "a", count: 1 },
          { value: "b", count: 1 },
        ],
      ],
      [`deep.${word}`, [{ value: 5, count: 1 }]],
    ]);
    expect(Object.keys((await world.ask({ query: "", facets: ["*"] }, "grouped")).facets ?? {})).toEqual([word]);
    expect(idsOf(await world.ask({ query: "", sort: [`${word}:desc`] }))).toEqual(["2", "1", "3", "4"]);
    expect(idsOf(await world.ask({ query: "" }, "grouped"))).toEqual(["2", "1", "3", "4"]);
    await world.call("updateRecords", "grouped", [keyed(word, "b", '{"id":4}')]);
    expect(idsOf(await world.ask({ query: "", distinct: true }, "grouped"))).toEqual(["2", "1", "3"]);
    expect(await world.call("searchForFacetValues", "shop", { facetName: word, facetQuery: "b" })).toEqual({
      facetHits: [{ value: "b", count: 1 }],
    });
  });

  it("is an attribute to show, highlight and cut", async () => {
    const world = await World.bare();
    const record = keyed(word, "an anvil", JSON.stringify({ id: 1, deep: keyed(word, "hammer"), more: 1 }));
    await world.add([record]);
    const paths = [word, `deep.${word}`];
    const { hits } = await world.ask({
      query: "anvil",
      attributesToRetrieve: paths,
      attributesToHighlight: paths,
      attributesToSnippet: [`${word}:3`],
    });
    const [hit] = JSON.parse(JSON.stringify(hits));
    const marked = { value: expect.stringContaining("<em>anvil</em>") };
    expect(JSON.stringify(hits[0]?.source)).toBe(
      JSON.stringify(keyed(word, "an anvil", JSON.stringify({ deep: keyed(word, "hammer") }))),
    );
    for (const part of ["_highlightResult", "_snippetResult"])
      expect(new Map(Object.entries(hit[part])).get(word)).toMatchObject(marked);
    const hidden = await world.ask({ query: "anvil", attributesToRetrieve: ["*", `-${word}`, `-deep.${word}`] });
    expect(hidden.hits[0]?.source).toEqual({ id: 1, deep: {}, more: 1 });
  });

  it("is a value to filter, click, count, sort, group and search by", async () => {
    const world = await World.bare();
    await world.create("kinds", { attributeForDistinct: "kind" });
    await world.add(
      [{ id: 1, kind: word }, { id: 2, kind: ["other", word] }, { id: 3, kind: "other" }, { id: 4 }],
      "kinds",
    );
    const ids = async (params: object): Promise<string> =>
      idsOf(await world.ask({ query: "", ...params }, "kinds")).join();
    const filters = [`kind:${quoteFilterValue(word)}`, `kind = '${word}'`, { kind: word }, { kind: { in: [word] } }];
    for (const each of filters) expect(await ids({ filters: each })).toBe("1,2");
    for (const each of [[`kind:${word}`], [[`kind:${word}`]], { kind: word }])
      expect(await ids({ facetFilters: each })).toBe("1,2");
    const seen = await world.ask({ query: "", facets: ["kind"], facetFilters: [[`kind:${word}`]] }, "kinds");
    const expected = [word, "other"].sort().map((value) => ({ value, count: 2 }));
    expect(seen.facets).toEqual({ kind: expected });
    expect(await ids({ distinct: true, filters: { kind: [word] } })).toBe(word < "other" ? "1" : "1,2");
    expect(await world.call("searchForFacetValues", "kinds", { facetName: "kind", facetQuery: word })).toEqual({
      facetHits: [{ value: word, count: 2 }],
    });
    expect(await world.call("deleteBy", "kinds", { filters: { kind: word } })).toEqual({ deleted: 2 });
    expect((await world.ask({ query: "", facets: ["kind"] }, "kinds")).facets).toEqual({
      kind: [{ value: "other", count: 1 }],
    });
  });

  it("is an operator that is none, in filters and clicks", async () => {
    const world = await World.bare();
    await world.add([{ id: 1, kind: "a" }]);
    const odd = { kind: keyed(word, "a") };
    for (const [params, error] of [
      [{ filters: odd }, "invalid_filter"],
      [{ facetFilters: odd }, "invalid_facet_filters"],
    ] as const)
      await expect(world.ask({ query: "", ...params })).rejects.toMatchObject({ code: 400, error });
    await expect(world.call("deleteBy", "shop", { filters: odd })).rejects.toMatchObject({ error: "invalid_filter" });
    await expect(world.ask({ query: "", sort: [`kind:${word}`] })).rejects.toMatchObject({ code: 400, param: "sort" });
    await expect(world.ask({ query: "", queryType: word })).rejects.toMatchObject({ code: 400, param: "queryType" });
  });

  it("is a synonym, a stop word, an optional word and a word that is never mended", async () => {
    const world = await World.bare();
    await world.create("new", {
      synonyms: [
        { type: "synonym", synonyms: [word, "hammer"] },
        { type: "oneWaySynonym", input: "anvil", synonyms: [word] },
      ],
      optionalWords: [word],
      disableTypoToleranceOnWords: [word],
      disableTypoToleranceOnAttributes: [word],
      stopWords: [],
    });
    await world.add(
      [
        { id: 1, title: word },
        { id: 2, title: "hammer" },
        { id: 3, title: "anvil" },
        { id: 4, title: "lamp" },
      ],
      "new",
    );
    for (const query of [word, "hammer"])
      expect(idsOf(await world.ask({ query }, "new"))).toEqual(expect.arrayContaining(["1", "2"]));
    expect(idsOf(await world.ask({ query: "anvil" }, "new"))).toEqual(expect.arrayContaining(["1", "3"]));
    if (/[^a-z]/i.test(word)) return; // several tokens: no single word
    expect(idsOf(await world.ask({ query: `lamp ${word}`, matching: "all" }, "new"))).toContain("4");
    await world.create("stopped", { stopWords: [word] });
    await world.add(
      [
        { id: 1, title: `${word} lamp` },
        { id: 2, title: "lamp" },
      ],
      "stopped",
    );
    expect(idsOf(await world.ask({ query: `${word} lamp`, matching: "all" }, "stopped")).sort()).toEqual(["1", "2"]);
  });

  it("is the name of an index to copy, move and change", async () => {
    const world = await World.bare();
    await world.add([{ id: 1, title: "anvil" }]);
    await world.call("copyIndex", "shop", word);
    await world.call("updateSettings", word, { queryType: "prefixAll" });
    await world.call("moveIndex", word, `${word}-2`);
    expect(await world.found("anvil", `${word}-2`)).toEqual(["1"]);
    await expect(world.ask({ query: "" }, word)).rejects.toMatchObject({ code: 404 });
    expect(await world.call("whyNot", "shop", { query: "anvil" }, word)).toEqual({ found: false, reason: "unknown" });
  });
});

// A length is a parameter.
describe.each(TRIED.filter((word) => word !== "length"))("%s", (word) => {
  it("is an unknown parameter, in both forms", async () => {
    const world = await World.bare();
    await world.add([{ id: 1, title: "anvil" }]);
    const plain = await world.ask({ query: "anvil" });
    expect(await world.ask(keyed(word, 2, '{"query":"anvil"}'))).toEqual(plain);
    expect(await world.ask({ params: `${word}=2&query=anvil` })).toEqual(plain);
    expect(world.warnings.map(({ code }) => code)).toEqual(["unknown_parameter", "unknown_parameter"]);
    const strict = await World.bare({ strict: true });
    await expect(strict.ask(keyed(word, 2, '{"query":"anvil"}'))).rejects.toMatchObject({
      error: "unknown_parameter",
      param: word,
    });
  });
});
