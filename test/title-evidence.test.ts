// What titles add, worked out by hand: two records hold nothing else than what is said here.

import { describe, expect, it } from "vitest";
import { type Embedder, type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";

/** Knows that a couch and a sofa are near (.5), and puts every text in one direction. */
const speaker = (nearness: (word: string, other: string) => unknown): Embedder => {
  const meaningOf = (word: string) => ({
    word,
    nearnessTo: (other: object) => nearness(word, (other as { readonly word: string }).word) as number,
  });
  return { id: "speaker", dimensions: 1, embed: async (texts) => texts.map(() => [1]), meaningOf };
};
const couchIsSofa = speaker((word, other) => ([word, other].sort().join() === "couch,sofa" ? 0.5 : 0));

const throwing = (): never => {
  throw new Error("no idea");
};

async function titles(settings: IndexSettings, records: readonly JsonRecord[], params: SearchParams) {
  const index = await new SearchEngine().createIndex("a", settings);
  await index.addRecords(records);
  const { hits } = (await index.query({ explain: true, matching: "any", ...params })).data;
  return new Map(hits.map(({ id, explanation }) => [id, explanation!.title]));
}

describe("with an embedder that compares words", () => {
  const ask = (records: readonly JsonRecord[], params: SearchParams) =>
    titles({ embedder: couchIsSofa }, records, params);

  it("coverage is 1 for a word in the title, .8 for one elsewhere, the nearness for one that is near", async () => {
    const records = [
      { id: 1, title: "couch" },
      { id: 2, title: "seat", note: "couch" },
      { id: 3, title: "sofa" },
    ];
    const found = await ask(records, { query: "couch" });
    expect([1, 2, 3].map((id) => found.get(String(id))!.coverage)).toEqual([1, 0.8, 0.5]);
    expect([1, 2, 3].map((id) => found.get(String(id))!.focus)).toEqual([1, 0, 0.5]);
    expect(found.get("3")!.contribution).toBeCloseTo((0.1 * 0.5 + 0.025 * 0.5) / 1.15, 12);
  });

  it("focus ends where it is said what a thing is for, but not at the first word", async () => {
    const records = [
      { id: 1, title: "case for couch" },
      { id: 2, title: "for couch" },
    ];
    const found = await ask(records, { query: "couch" });
    expect(found.get("1")!.focus).toBe(0);
    // "for" stands in two titles of two, "couch" as well.
    expect(found.get("2")!.focus).toBe(0.5);
  });

  it("adjacency counts neighbours of the query that are neighbours in the title, in this order", async () => {
    const records = ["red couch", "couch red", "red big couch", "couch"].map((title, id) => ({ id, title }));
    const found = await ask(records, { query: "red couch" });
    expect([0, 1, 2, 3].map((id) => found.get(String(id))!.adjacency)).toEqual([1, 0, 0, 0]);
  });

  it("coverage weighs less in queries of more than four terms", async () => {
    const found = await ask([{ id: 1, title: "red big soft old couch" }], { query: "red big soft old couch" });
    expect(found.get("1")).toMatchObject({ coverage: 1, focus: 1, adjacency: 1 });
    expect(found.get("1")!.contribution).toBeCloseTo((0.1 * 0.8 + 0.025 + 0.025) / 1.15, 12);
  });

  it("a title that is not searched says nothing", async () => {
    const records = [{ id: 1, title: "red couch", note: "red couch" }];
    const found = await ask(records, { query: "red couch", restrictSearchableAttributes: ["note"] });
    expect(found.get("1")).toMatchObject({ coverage: 0.8, focus: 0, adjacency: 0 });
  });

  it("what an embedder throws, and what is no number, is nothing", async () => {
    for (const bad of [() => Number.NaN, () => "1", () => Number.POSITIVE_INFINITY, throwing, () => -5] as const) {
      const found = await titles({ embedder: speaker(bad) }, [{ id: 1, title: "sofa" }], { query: "couch" });
      expect(found.get("1")!.coverage).toBe(0);
    }
    const found = await titles({ embedder: speaker(() => 7) }, [{ id: 1, title: "sofa" }], { query: "couch" });
    expect(found.get("1")!.coverage).toBe(1);
  });
});

describe("without", () => {
  it("the share of what is held counts, wherever it is held", async () => {
    const records = [
      { id: 1, title: "red couch" },
      { id: 2, title: "seat", note: "couch red" },
      { id: 3, title: "sofa couch" },
      { id: 4, title: "red sofa" },
    ];
    const found = await titles({ embedder: false }, records, { query: "red couch nowhere" });
    expect([1, 2, 3].map((id) => found.get(String(id))!.coverage)).toEqual([1, 1, 0.5]);
    expect([1, 2, 3].map((id) => found.get(String(id))!.adjacency)).toEqual([1, 0, 0]);
    expect(found.get("1")!.contribution).toBeCloseTo(0.1 / 1.1, 12);
  });
});

describe("another form than the typed one", () => {
  const records = [
    { id: 1, title: "organ" },
    { id: 2, title: "organs" },
    { id: 3, title: "organizer" },
    { id: 4, title: "seat", note: "organizer" },
    { id: 5, title: "organic organ" },
  ];
  const losses = async (query: string, embedder: Embedder | false) => {
    const found = await titles({ embedder }, records, { query });
    return [1, 2, 3, 4, 5].map((id) => found.get(String(id))!.otherForm);
  };

  it("takes away a part, and the other number of the word a fifth of it", async () => {
    for (const embedder of [couchIsSofa, false] as const) {
      expect(await losses("organ", embedder)).toEqual([0, 0.2, 1, 0, 0]);
      expect(await losses("organizer", embedder)).toEqual([1, 1, 0, 0, 1]);
    }
  });

  it("counts as a share of the query's terms", async () => {
    expect((await losses("organ seat", false))[2]).toBe(0.5);
    const found = await titles({ embedder: couchIsSofa }, records, { query: "organ" });
    expect(found.get("3")!.contribution).toBeCloseTo((0.1 + 0.025 - 0.12) / 1.15, 12);
  });

  it("comes after the typed one, also on a page of one hit and by words alone", async () => {
    const found = [
      { id: 1, title: "Boxing gloves" },
      { id: 2, title: "Box oak red" },
    ];
    for (const embedder of [couchIsSofa, false] as const) {
      const index = await new SearchEngine().createIndex("a", { embedder });
      await index.addRecords(found);
      const { data } = await index.query({ query: "box", hitsPerPage: 1 });
      expect(data.hits.map(({ id }) => id)).toEqual(["2"]);
    }
  });

  it("makes no score negative, and the contributions add up", async () => {
    const many = Array.from({ length: 60 }, (_, id) => ({ id, title: "drilling" }));
    const index = await new SearchEngine().createIndex("a", { embedder: false, matching: "any" });
    await index.addRecords([...many, { id: 60, title: "anvil" }]);
    const { hits } = (await index.query({ query: "drill anvil", explain: true, hitsPerPage: 100 })).data;
    expect(hits).toHaveLength(61);
    for (const { score, explanation } of hits) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(explanation!.lexical!.contribution + explanation!.title!.contribution).toBeCloseTo(score, 6);
    }
  });
});

it("adds nothing to ranks, to meaning alone, and where it is switched off", async () => {
  const records = [{ id: 1, title: "red couch" }];
  for (const settings of [{ titleEvidence: false }, { fusion: { method: "rrf" } }] as const)
    expect(await titles({ embedder: couchIsSofa, ...settings }, records, { query: "red couch" })).toEqual(
      new Map([["1", undefined]]),
    );
  expect(await titles({ embedder: couchIsSofa }, records, { query: "red couch", semanticWeight: 1 })).toEqual(
    new Map([["1", undefined]]),
  );
});

it("adds after it was switched on what it adds where it was never off", async () => {
  const records = [
    { id: 1, title: "red couch" },
    { id: 2, title: "sofa", note: "red couch" },
    { id: 3, title: "red sofa" },
  ];
  const params = { query: "red couch", explain: true } as const;
  const index = await new SearchEngine().createIndex("a", { embedder: couchIsSofa });
  await index.addRecords(records.slice(0, 1));
  const always = await index.estimate();
  await index.updateSettings({ titleEvidence: false });
  await index.addRecords(records.slice(1));
  await index.updateSettings({ titleEvidence: true });
  const afresh = await new SearchEngine().createIndex("a", { embedder: couchIsSofa });
  await afresh.addRecords(records);
  expect((await index.query(params)).data.hits).toEqual((await afresh.query(params)).data.hits);
  expect(await index.digest()).toBe(await afresh.digest());

  const without = await new SearchEngine().createIndex("a", { embedder: couchIsSofa, titleEvidence: false });
  await without.addRecords(records.slice(0, 1));
  expect((await without.estimate()).text).toBeLessThan(always.text);
});

it("takes the first name for titles that is searched", async () => {
  const records = [{ id: 1, title: "Dr.", name: "red couch", label: "couch" }];
  const settings = { embedder: false, searchableAttributes: ["label", "name"] } as const;
  expect((await titles(settings, records, { query: "red couch" })).get("1")!.adjacency).toBe(1);
});

it("asks titles alike, however many words other titles have", async () => {
  // More words than are remembered, each in one title beside the same one.
  const letters = (n: number): string =>
    (n < 26 ? "" : letters(Math.floor(n / 26) - 1)) + "abcdefghijklmnopqrstuvwxyz"[n % 26];
  const word = (n: number): string => `zz${letters(n)}`;
  const records = Array.from({ length: 10_000 }, (_, id) => ({
    id,
    title: [4 * id, 4 * id + 1, 4 * id + 2, 4 * id + 3].map(word).join(" ").replace(" ", " couch "),
    note: "seat",
  }));
  const index = await new SearchEngine().createIndex("a", {
    embedder: couchIsSofa,
    attributeForDistinct: "id",
    rankWindow: 10_000,
  });
  await index.addRecords(records);
  const scores = new Set<number>();
  for (const page of [1, 10]) {
    const { data } = await index.query({ query: "seat sofa", distinct: true, page, hitsPerPage: 1000, explain: true });
    expect(data.nbHits).toBe(10_000);
    for (const { score, explanation } of data.hits) scores.add(score).add(explanation!.title!.focus);
  }
  expect(scores.size).toBe(2);
});
