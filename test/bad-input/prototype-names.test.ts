// Words that built-in objects know, wherever JSON may name something or give a value: each is a name like any other, and no
// prototype changes or answers in its place.

import { afterEach, describe, expect, it } from "vitest";
import { quoteFilterValue } from "../../src/index.js";
import { expectCleanPrototypes } from "./message-rules.js";
import { idsOf, World } from "./world.js";

const WORDS: readonly string[] = ["__proto__", "constructor", "toString", "hasOwnProperty", "then", "toJSON", "null"];

/** An object with one own key, whatever it is called. */
function keyed(key: string, value: unknown, rest = "{}"): Record<string, unknown> {
  const inner = rest.slice(1, -1);
  return JSON.parse(`{${inner}${inner === "" ? "" : ","}${JSON.stringify(key)}:${JSON.stringify(value)}}`);
}

/** Two records with the word as an attribute, one with it deeper, one without; grouped and ranked by it, too. */
async function named(word: string): Promise<World> {
  const world = await World.bare();
  const settings = { attributeForDistinct: word, customRanking: [`desc(${word})`], attributesForFaceting: [word] };
  await world.create("grouped", settings);
  const records = [
    keyed(word, "a", '{"id":1}'),
    keyed(word, "b", '{"id":2}'),
    { id: 3, deep: keyed(word, 5) },
    { id: 4 },
  ];
  for (const index of ["shop", "grouped"]) await world.add(records, index);
  return world;
}

afterEach(expectCleanPrototypes);

describe.each(WORDS)("%s", (word) => {
  const name = quoteFilterValue(word);

  it("is the name of an index to create, copy, move and delete", async () => {
    const world = await World.bare();
    await expect(world.ask({ query: "" }, word)).rejects.toMatchObject({ code: 404, error: "index_not_found" });
    await world.add([{ id: 1, title: "anvil" }]);
    await world.call("copyIndex", "shop", word);
    await expect(world.create(word)).rejects.toMatchObject({ code: 409 });
    expect((await world.ask({ query: "anvil" }, word)).indexUse).toBe(word);
    await world.call("moveIndex", word, `${word}-2`);
    expect(await world.found("anvil", `${word}-2`)).toEqual(["1"]);
    await expect(world.ask({ query: "" }, word)).rejects.toMatchObject({ code: 404 });
    await world.create(word);
    await world.engine.deleteIndex(word);
    await expect(world.ask({ query: "" }, word)).rejects.toMatchObject({ code: 404 });
  });

  it("is an id", async () => {
    const world = await World.bare();
    expect([await world.get([word]), await world.delete([word])]).toEqual([[null], { deleted: 0 }]);
    expect(await world.call("whyNot", "shop", { query: "" }, word)).toEqual({ found: false, reason: "unknown" });
    expect(await world.add([{ id: word, title: "anvil" }])).toEqual({ added: 1, replaced: 0 });
    expect(await world.add([{ id: word, title: "hammer" }])).toEqual({ added: 0, replaced: 1 });
    expect([await world.found("hammer"), await world.found("anvil")]).toEqual([[word], []]);
    expect(await world.get([word])).toEqual([{ id: word, title: "hammer" }]);
    expect(await world.delete([word])).toEqual({ deleted: 1 });
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
    await world.create("near", { vectorAttribute: word, dimensions: 2 });
    await world.add([keyed(word, [1, 0], '{"id":1}'), { id: 2 }], "near");
    expect(idsOf(await world.ask({ query: "", vector: [1, 0] }, "near"))).toEqual(["1"]);
  });

  it("is an unknown setting, parameter or operator", async () => {
    const world = await World.bare();
    await world.create("new", keyed(word, { idAttribute: "key" }));
    await world.add([{ id: 1, kind: "anvil" }]);
    const plain = await world.ask({ query: "anvil" });
    expect(await world.ask(keyed(word, 2, '{"query":"anvil"}'))).toEqual(plain);
    expect(await world.ask({ params: `${word}=2&query=anvil` })).toEqual(plain);
    const codes = ["unknown_setting", "unknown_parameter", "unknown_parameter"];
    expect(world.warnings.map(({ code }) => code)).toEqual(codes);
    const { effective } = await world.engine.getSettings("new");
    expect(effective).toEqual((await world.engine.getSettings("shop")).effective);
    await expect(world.create("x", { bm25: keyed(word, 1) })).rejects.toMatchObject({ error: "unknown_setting" });
    const odd = { kind: keyed(word, "a") };
    await expect(world.ask({ query: "", filters: odd })).rejects.toMatchObject({ error: "invalid_filter" });
    await expect(world.ask({ query: "", facetFilters: odd })).rejects.toMatchObject({ error: "invalid_facet_filters" });
    await expect(world.ask({ query: "", sort: [`kind:${word}`] })).rejects.toMatchObject({ param: "sort" });
    await expect(world.ask({ query: "", queryType: word })).rejects.toMatchObject({ param: "queryType" });
  });

  it("is an attribute that nobody has until somebody has it", async () => {
    const world = await World.bare();
    await world.add([{ id: 1, title: "anvil", specs: { weight: 5 } }]);
    for (const asked of [
      { filters: `${name}:a` },
      { filters: `${quoteFilterValue(`specs.${word}`)}:a` },
      { filters: keyed(word, "a") },
      { facetFilters: [`${word}:a`] },
      { facetFilters: keyed(word, "a") },
      { facets: [word] },
      { facets: [`title.${word}`] },
      { sort: [`${word}:asc`] },
    ])
      await expect(world.ask({ query: "", ...asked }), JSON.stringify(asked)).rejects.toMatchObject({ code: 400 });
    const shown = async (attributesToRetrieve: readonly string[]): Promise<unknown> =>
      (await world.ask({ query: "", attributesToRetrieve })).hits[0]?.source;
    expect(await shown([word, `title.${word}`, `specs.${word}.${word}`])).toEqual({});
    expect(await shown(["*", `-${word}`, `-specs.${word}`])).toEqual({ id: 1, title: "anvil", specs: { weight: 5 } });
  });

  it("is an attribute to filter and click by, in all forms", async () => {
    const world = await named(word);
    const ids = async (params: object): Promise<string[]> => idsOf(await world.ask({ query: "", ...params }));
    for (const filters of [`${name}:a`, keyed(word, "a"), keyed(word, { eq: "a" }), { AND: [keyed(word, ["a"])] }])
      expect(await ids({ filters })).toEqual(["1"]);
    for (const facetFilters of [[`${word}:a`], [[`${word}:a`]], keyed(word, "a"), keyed(word, ["a"])])
      expect(await ids({ facetFilters })).toEqual(["1"]);
    const deep = quoteFilterValue(`deep.${word}`);
    expect(await ids({ filters: `${deep} > 4 AND NOT ${name} EXISTS` })).toEqual(["3"]);
    const params = new URLSearchParams({ query: "", filters: JSON.stringify(keyed(word, "a")) }).toString();
    expect(idsOf(await world.ask({ params }))).toEqual(["1"]);
    expect(await world.call("deleteBy", "shop", { filters: `${name} EXISTS` })).toEqual({ deleted: 2 });
    expect((await world.ask({ query: "" })).nbHits).toBe(2);
  });

  it("is an attribute to count, sort and group by", async () => {
    const world = await named(word);
    const one = (value: unknown): object => ({ value, count: 1 });
    const { facets } = await world.ask({ query: "", facets: [word, `deep.${word}`] });
    expect(Object.entries(facets ?? {})).toEqual([
      [word, [one("a"), one("b")]],
      [`deep.${word}`, [one(5)]],
    ]);
    expect(Object.keys((await world.ask({ query: "", facets: ["*"] }, "grouped")).facets ?? {})).toEqual([word]);
    expect(idsOf(await world.ask({ query: "", sort: [`${word}:desc`] }))).toEqual(["2", "1", "3", "4"]);
    expect(idsOf(await world.ask({ query: "" }, "grouped"))).toEqual(["2", "1", "3", "4"]);
    await world.call("updateRecords", "grouped", [keyed(word, "b", '{"id":4}')]);
    expect(idsOf(await world.ask({ query: "", distinct: true }, "grouped"))).toEqual(["2", "1", "3"]);
    const asked = { facetName: word, facetQuery: "b" };
    expect(await world.call("searchForFacetValues", "shop", asked)).toEqual({ facetHits: [one("b")] });
  });

  it("is an attribute to store, find, show and highlight, at any depth", async () => {
    const world = await World.bare();
    const record = keyed(word, "an anvil", JSON.stringify({ id: 1, deep: keyed(word, "hammer"), more: 1 }));
    await world.add([record]);
    expect(JSON.stringify(await world.get([1]))).toBe(JSON.stringify([record]));
    expect([await world.found("anvil"), await world.found("hammer")]).toEqual([["1"], ["1"]]);
    const paths = [word, `deep.${word}`];
    const asked = { query: "anvil", attributesToRetrieve: paths, attributesToHighlight: paths };
    const [hit] = JSON.parse(JSON.stringify((await world.ask({ ...asked, attributesToSnippet: [`${word}:3`] })).hits));
    expect(hit.source).toEqual(keyed(word, "an anvil", JSON.stringify({ deep: keyed(word, "hammer") })));
    const marked = { value: expect.stringContaining("<em>anvil</em>") };
    for (const part of ["_highlightResult", "_snippetResult"])
      expect(new Map(Object.entries(hit[part])).get(word)).toMatchObject(marked);
    const hidden = await world.ask({ query: "anvil", attributesToRetrieve: ["*", `-${word}`, `-deep.${word}`] });
    expect(hidden.hits[0]?.source).toEqual({ id: 1, deep: {}, more: 1 });
  });

  it("is a value to search, filter, click, count and delete by", async () => {
    const world = await World.bare();
    const kinds = [{ id: 1, kind: word }, { id: 2, kind: ["other", word] }, { id: 3, kind: "other" }, { id: 4 }];
    await world.add(kinds);
    const found = async (params: object): Promise<string[]> => idsOf(await world.ask({ query: "", ...params })).sort();
    expect(await world.found(word)).toEqual(["1", "2"]);
    for (const filters of [`kind:${name}`, `kind = '${word}'`, { kind: word }, { kind: { in: [word] } }])
      expect(await found({ filters })).toEqual(["1", "2"]);
    for (const facetFilters of [[`kind:${word}`], [[`kind:${word}`]], { kind: word }])
      expect(await found({ facetFilters })).toEqual(["1", "2"]);
    const { facets } = await world.ask({ query: "", facets: ["kind"] });
    expect(facets).toEqual({ kind: [word, "other"].sort().map((value) => ({ value, count: 2 })) });
    expect(await world.call("deleteBy", "shop", { filters: { kind: word } })).toEqual({ deleted: 2 });
    expect(await world.found(word)).toEqual([]);
  });

  it("is a synonym, an optional word and a word that is never mended", async () => {
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
    const titles = [word, "hammer", "anvil", "lamp"];
    await world.add(
      titles.map((title, id) => ({ id, title })),
      "new",
    );
    const found = async (query: string): Promise<string[]> => idsOf(await world.ask({ query }, "new"));
    for (const query of [word, "hammer"]) expect(await found(query)).toEqual(expect.arrayContaining(["0", "1"]));
    expect(await found("anvil")).toEqual(expect.arrayContaining(["0", "2"]));
  });
});
