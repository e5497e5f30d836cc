// What a caller may pass or do to harm a process, by the public verbs: lists that grow while they are read, functions that fail
// later than their call, waits that nobody ends, signals that live for ever, and verbs that run at the same time.

import { describe, expect, it } from "vitest";
import { type Embedder, type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";

const RECORDS = [
  { id: 1, title: "lamp", n: 1 },
  { id: 2, title: "red lamp", n: 2 },
];

/** A list that says another length from the second time on, and how often it was asked. */
function growing<T>(items: readonly T[]): { readonly list: T[]; readonly asked: () => number } {
  let asked = 0;
  const get = (own: T[], name: string | symbol): unknown =>
    name === "length" ? own.length + asked++ : Reflect.get(own, name);
  return { list: new Proxy([...items], { get }), asked: () => asked };
}

const one: Embedder = { id: "one", dimensions: 2, embed: async (texts) => texts.map(() => [1, 0]) };

describe("the length of a list is read once", () => {
  const QUERIES: readonly (readonly [name: string, items: readonly unknown[]])[] = [
    ["facets", ["n"]],
    ["sort", ["n:asc"]],
    ["facetFilters", ["n:1"]],
    ["facetFilters", [["n:1", "n:2"]]],
    ["optionalWords", ["red"]],
    ["attributesToRetrieve", ["title"]],
    ["attributesToHighlight", ["title"]],
    ["attributesToSnippet", ["title"]],
    ["restrictSearchableAttributes", ["title"]],
    ["vector", [1, 0]],
  ];
  const index = async () => {
    const made = await new SearchEngine({ embedder: one }).createIndex<JsonRecord>("a");
    await made.addRecords(RECORDS);
    return made;
  };

  it.each(QUERIES)("%s of a query: %j", async (name, items) => {
    const { list, asked } = growing(items);
    const params = { query: "lamp", [name]: list } as SearchParams<JsonRecord>;
    await (await index()).query(params);
    expect(asked()).toBe(1);
  });

  it.each([
    ["AND", (list: unknown) => ({ AND: list }), [{ n: 1 }]],
    ["OR", (list: unknown) => ({ OR: list }), [{ n: 1 }]],
    ["in", (list: unknown) => ({ n: { in: list } }), [1, 2]],
    ["between", (list: unknown) => ({ n: { between: list } }), [1, 2]],
    ["a list of values", (list: unknown) => ({ n: list }), [1, 2]],
  ] as const)("filters: %s", async (_name, filterOf, items) => {
    const { list, asked } = growing<unknown>(items);
    const filters = filterOf(list) as SearchParams<JsonRecord>["filters"];
    await (await index()).query({ query: "lamp", filters });
    expect(asked()).toBe(1);
  });

  it.each([
    ["addRecords", [{ id: 3 }]],
    ["updateRecords", [{ id: 3 }]],
    ["replaceAllRecords", [{ id: 3 }]],
    ["deleteRecords", [1]],
    ["getRecords", [1]],
  ] as const)("%s", async (verb, items) => {
    const { list, asked } = growing<JsonRecord & number>(
      items as readonly unknown[] as readonly (JsonRecord & number)[],
    );
    await (await index())[verb](list);
    expect(asked()).toBe(1);
  });

  it("an array in a record, and a vector", async () => {
    const tags = growing(["a", "b"]);
    const vector = growing([1, 0]);
    const made = await new SearchEngine().createIndex<JsonRecord>("a", { vectorAttribute: "v", dimensions: 2 });
    await made.addRecords([{ id: 1, tags: tags.list, v: vector.list }]);
    expect([tags.asked(), vector.asked()]).toEqual([1, 1]);
    expect(await made.getRecords([1])).toEqual([{ id: 1, tags: ["a", "b"], v: [1, 0] }]);
  });

  const SETTINGS: readonly (readonly [name: string, items: readonly unknown[]])[] = [
    ["searchableAttributes", ["title"]],
    ["attributesForFaceting", ["n"]],
    ["customRanking", ["asc(n)"]],
    ["stopWords", ["the"]],
    ["synonyms", [{ type: "synonym", synonyms: ["lamp", "light"] }]],
  ];
  it.each(SETTINGS)("the setting %s", async (name, items) => {
    const { list, asked } = growing(items);
    await new SearchEngine({ embedder: one }).createIndex("a", { [name]: list } as IndexSettings);
    expect(asked()).toBe(1);
  });

  it("the answers of an embedder and of an analyzer", async () => {
    const answers: (() => number)[] = [];
    const noting = <T>(items: readonly T[]): T[] => {
      const { list, asked } = growing(items);
      answers.push(asked);
      return list;
    };
    const embedder: Embedder = { ...one, embed: async (texts) => noting(texts.map(() => noting([1, 0]))) };
    const analyzer = { id: "noting", analyze: (text: string) => noting(text.split(" ")) };
    const made = await new SearchEngine({ embedder }).createIndex<JsonRecord>("a", { analyzer });
    await made.addRecords(RECORDS);
    expect((await made.query({ query: "lamp" })).data.nbHits).toBe(2);
    expect(answers.length).toBeGreaterThan(6);
    expect(answers.map((asked) => asked())).toEqual(answers.map(() => 1));
  });
});
