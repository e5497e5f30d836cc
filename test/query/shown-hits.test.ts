// What a hit shows: its record or parts of it, highlights, snippets and the explanation of its score.

import { describe, expect, it } from "vitest";
import type { JsonRecord, SearchParams } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";
import { shop } from "../support/small-shop.js";

const RECORD: JsonRecord = {
  id: 1,
  title: "Cordless drills & <b>bits</b>",
  tags: ["drill", null, 3, "saw"],
  kind: { main: "Drill press", deep: { er: "drills", est: true } },
  offers: [{ price: 1, shop: "drill" }, { price: 2 }, "none"],
  "a.b": "flat drill",
  a: { b: "deep drill", c: 3 },
  sku: "DR-18V",
  nothing: null,
  empty: {},
};
const RECORDS: readonly JsonRecord[] = [RECORD, { id: 2, title: "Vacuum cleaners", price: 5 }];
const SQUARE = { highlightPreTag: "[", highlightPostTag: "]" };
const { index } = await plainShop({}, RECORDS);
const hits = async (params: SearchParams) => (await index.query({ ...SQUARE, ...params })).data.hits;
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(RECORD).filter(([name]) => !names.includes(name)));

describe("a hit shows of its record", () => {
  it.each<[paths: readonly string[], shown: JsonRecord]>([
    [[], {}],
    [["title"], { title: RECORD.title! }],
    [["*"], RECORD],
    [["kind.deep.er", "kind.main"], { kind: { main: "Drill press", deep: { er: "drills" } } }],
    [["offers.price"], { offers: [{ price: 1 }, { price: 2 }] }],
    [["nothing", "empty"], { nothing: null, empty: {} }],
    [["nope", "kind.nope", "title.length", "constructor", "__proto__"], {}],
    [["a.b"], { "a.b": "flat drill" }],
    [["a.c"], { a: { c: 3 } }],
    [["kind", "-kind.deep"], { kind: { main: "Drill press" } }],
    [["*", "-kind", "-offers"], without("kind", "offers")],
    [["-kind", "-offers"], without("kind", "offers")],
    [["-a.b"], without("a.b")],
    [["a", "-a.b"], { a: { b: "deep drill", c: 3 } }],
  ])("by %j", async (attributesToRetrieve, shown) => {
    const all = [{}, { attributesToHighlight: ["title"] }, { attributesToSnippet: ["title:1"] }, { explain: true }];
    for (const more of all)
      expect((await hits({ query: "bits", attributesToRetrieve, ...more }))[0]!.source).toEqual(shown);
  });

  it("names that mean something to JavaScript", async () => {
    const { index: odd } = await plainShop({}, [JSON.parse('{"__proto__":{"x":"red"},"id":2}') as JsonRecord]);
    for (const path of ["__proto__", "-id"]) {
      const params = { query: "red", attributesToRetrieve: [path], attributesToHighlight: ["*" as const] };
      const [hit] = (await odd.query(params)).data.hits;
      expect(JSON.stringify(hit!.source)).toBe('{"__proto__":{"x":"red"}}');
      expect(JSON.stringify(hit!._highlightResult)).toContain('{"__proto__":{"x":{"value":"<em>red</em>"');
    }
  });

  it("a fresh copy each time", async () => {
    Object.assign((await hits({ query: "drill" }))[0]!.source, { title: "changed" });
    expect((await hits({ query: "drill" }))[0]!.source).toEqual(RECORD);
  });

  it("nothing but id, score and source unless asked for", async () => {
    for (const off of [{}, { attributesToHighlight: [], attributesToSnippet: [], explain: false }])
      expect(Object.keys((await hits({ query: "drill", ...off }))[0]!)).toEqual(["id", "score", "source"]);
  });
});

/** The texts that are shown, nested as the record is. */
const values = (shaped: unknown): unknown =>
  JSON.parse(JSON.stringify(shaped), (_key, value) => (typeof value?.value === "string" ? value.value : value));

describe("a hit is marked", () => {
  it.each<[paths: readonly string[], shown: unknown]>([
    [["title"], { title: "Cordless [drills] &amp; &lt;b&gt;bits&lt;/b&gt;" }],
    [
      ["tags", "offers"],
      { tags: ["[drill]", {}, "3", "saw"], offers: [{ price: "1", shop: "[drill]" }, { price: "2" }, "none"] },
    ],
    [["offers.shop"], { offers: [{ shop: "[drill]" }, {}, {}] }],
    [["kind.deep", "kind.main"], { kind: { main: "[Drill] press", deep: { er: "[drills]" } } }],
    [["kind.*"], { kind: { main: "[Drill] press", deep: { er: "[drills]" } } }],
    [["a.b"], { "a.b": "flat [drill]" }],
    [["kind.deep.est", "nothing", "empty", "title.length", "tags.0"], {}],
  ])("by %j", async (attributesToHighlight, shown) => {
    const [hit] = await hits({ query: "drill", attributesToHighlight });
    expect(values(hit!._highlightResult)).toEqual(shown);
  });

  it.each(["vacu", "vacum x", "vacuun cleaner"])("where a word was completed or mended: %s", async (query) => {
    const [hit] = await hits({ query, attributesToHighlight: ["title"] });
    expect(hit!._highlightResult!.title).toMatchObject({ value: expect.stringContaining("[Vacuum]") });
  });

  it("in snippets of as many words as asked for, or ten, of all texts or of some", async () => {
    const text = "one two three four red five six seven eight nine ten eleven";
    const { index: long } = await plainShop({}, [{ id: 3, a: text, b: { c: "one red two three" } }]);
    const cut = async (...attributesToSnippet: string[]) =>
      values((await long.query({ query: "red", ...SQUARE, attributesToSnippet })).data.hits[0]!._snippetResult);
    expect(await cut("a:3", "b.c:2")).toEqual({ a: "…four [red] five…", b: { c: "one [red]…" } });
    expect(await cut("a")).toEqual({ a: "one two three four [red] five six seven eight nine…" });
    expect(await cut("*:2", "a:1")).toMatchObject({ a: "…[red]…", b: { c: "one [red]…" } });
    const dots = await hits({ query: "bits", attributesToSnippet: ["title:1"], snippetEllipsisText: "..." });
    expect(dots[0]!._snippetResult!.title).toMatchObject({ value: expect.stringMatching(/^\.\.\..*\[bits\]/) });
  });
});

describe("an explanation", () => {
  it("says by which form a hit holds each term, and nothing of terms it lacks", async () => {
    const found = await hits({ query: "cordless vacum x", explain: true, matching: "any" });
    const { terms } = found.find(({ id }) => id === "1")!.explanation!.lexical!;
    expect(terms.map(({ term, heldAs }) => [term, heldAs])).toEqual([["cordless", ["cordless"]]]);
  });

  it("is fresh each time, also of a synonym", async () => {
    const synonyms = [{ type: "synonym", synonyms: ["t-shirt", "tee"] }] as const;
    const { index: own } = await plainShop({ synonyms }, [{ id: 1, title: "T shirt" }]);
    const heldAs = async () =>
      (await own.query({ query: "tshirt", explain: true })).data.hits[0]!.explanation!.lexical!.terms[0]!.heldAs;
    ((await heldAs()) as string[]).length = 0;
    expect(await heldAs()).toEqual(["t", "shirt"]);
  });

  it("has the legs that ran", async () => {
    const { ask } = await shop();
    const legs = async (semanticWeight: number) =>
      Object.keys((await ask({ query: "drill", explain: true, semanticWeight })).hits[0]!.explanation!);
    const [words, both, meaning] = [["lexical", "title"], ["lexical", "title", "semantic"], ["semantic"]];
    expect([await legs(0), await legs(0.5), await legs(1)]).toEqual([words, both, meaning]);
  });

  it("has parts that add up to the score of a code, too", async () => {
    const { ids } = await plainShop({}, [{ id: "x", title: "drill kettle", sku: "DR-18V" }]);
    expect(await ids({ query: "dr18v" })).toEqual(["x"]);
  });
});

it("an answer has the documented keys in the documented order, offset and length behind the page", async () => {
  const keysOf = async (params: object): Promise<string> => {
    const { data, ...envelope } = await index.query({ query: "drill", ...params });
    expect(envelope).toEqual({ msg: "success", code: 200 });
    return Object.keys(data).join(" ");
  };
  const head = "query indexUse recallSource nbHits page hitsPerPage";
  expect(await keysOf({})).toBe(`${head} serverTimeMS processingTimeMS hits`);
  const all = { offset: 0, facets: ["price"], getMatchInfo: true, getParsedQuery: true };
  const asked = "facets facetStats parsedQuery matchInfo";
  expect(await keysOf(all)).toBe(`${head} offset length serverTimeMS processingTimeMS hits ${asked}`);
});
