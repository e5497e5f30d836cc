import { describe, expect, it } from "vitest";
import type { JsonRecord, SearchParams } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";
import { property } from "../support/random.js";
import { randomRecords, randomWords } from "../support/random-values.js";
import { shop } from "../support/small-shop.js";

const RECORDS: readonly JsonRecord[] = [
  {
    id: 1,
    title: "Cordless drills & <b>bits</b>",
    tags: ["drill", "saw"],
    kind: { main: "Drill press" },
    sku: "DR-18V",
  },
  { id: 2, title: "Vacuum cleaners", price: 5 },
];

const SQUARE = { highlightPreTag: "[", highlightPostTag: "]" };

describe("a hit", async () => {
  const { index } = await plainShop({}, RECORDS);
  const hits = async (params: SearchParams) => (await index.query({ ...SQUARE, ...params })).data.hits;

  it("has nothing but id, score and source unless asked for", async () => {
    expect(Object.keys((await hits({ query: "drill" }))[0]!)).toEqual(["id", "score", "source"]);
    const off = { attributesToHighlight: [], attributesToSnippet: [], explain: false };
    expect(Object.keys((await hits({ query: "drill", ...off }))[0]!)).toEqual(["id", "score", "source"]);
  });

  it("is highlighted as the record is nested", async () => {
    const [hit] = await hits({ query: "drill", attributesToHighlight: ["*"] });
    expect(hit!._highlightResult).toMatchObject({
      title: { value: "Cordless [drills] &amp; &lt;b&gt;bits&lt;/b&gt;" },
      tags: [{ value: "[drill]" }, { value: "saw" }],
      kind: { main: { value: "[Drill] press" } },
    });
  });

  it("is highlighted where a word was completed or mended", async () => {
    for (const query of ["vacu", "vacum x", "vacuun cleaner"]) {
      const [hit] = await hits({ query, attributesToHighlight: ["title"] });
      expect(hit!._highlightResult!.title, query).toMatchObject({ value: expect.stringContaining("[Vacuum]") });
    }
  });

  it("is highlighted whether or not its source shows the attribute", async () => {
    const [hit] = await hits({ query: "drill", attributesToRetrieve: ["id"], attributesToHighlight: ["kind.main"] });
    expect([hit!.source, hit!._highlightResult]).toMatchObject([
      { id: 1 },
      { kind: { main: { value: "[Drill] press" } } },
    ]);
  });

  it("shows nothing of its record where nothing is asked for", async () => {
    for (const more of [
      {},
      { attributesToHighlight: ["title"] },
      { attributesToSnippet: ["title:1"] },
      { explain: true },
    ])
      expect((await hits({ query: "bits", attributesToRetrieve: [], ...more }))[0]!.source).toEqual({});
    const marked = await hits({ query: "bits", attributesToRetrieve: [], attributesToHighlight: ["title"] });
    expect(marked[0]!._highlightResult!.title).toMatchObject({ value: expect.stringContaining("[bits]") });
    const cut = await hits({ query: "bits", attributesToRetrieve: [], attributesToSnippet: ["title:1"] });
    expect(cut[0]!._snippetResult!.title).toMatchObject({ value: expect.stringContaining("[bits]") });
  });

  it("is cut around the match, and says so", async () => {
    const [hit] = await hits({ query: "bits", attributesToSnippet: ["title:1"], snippetEllipsisText: "..." });
    expect(hit!._snippetResult!.title).toMatchObject({ value: expect.stringMatching(/^\.\.\..*\[bits\]/) });
  });

  it("has a fresh source each time", async () => {
    const [first] = await hits({ query: "drill" });
    Object.assign(first!.source, { title: "changed" });
    expect((await hits({ query: "drill" }))[0]!.source).toEqual(RECORDS[0]);
  });

  it("says by which form it holds each term, and nothing of terms it lacks", async () => {
    const found = await hits({ query: "cordless vacum x", explain: true, matching: "any" });
    const hit = found.find(({ id }) => id === "1");
    const terms = hit!.explanation!.lexical!.terms.map(({ term, heldAs }) => [term, heldAs]);
    expect(terms).toContainEqual(["cordless", ["cordless"]]);
    expect(terms.map(([term]) => term)).not.toContain("vacum");
  });

  it("has a fresh explanation each time, also of a synonym", async () => {
    const synonyms = [{ type: "synonym", synonyms: ["t-shirt", "tee"] }] as const;
    const { index: own } = await plainShop({ synonyms }, [{ id: 1, title: "T shirt" }]);
    const heldAs = async (): Promise<readonly string[]> => {
      const { hits: found } = (await own.query({ query: "tshirt", explain: true })).data;
      return found[0]!.explanation!.lexical!.terms[0]!.heldAs;
    };
    ((await heldAs()) as string[]).length = 0;
    expect(await heldAs()).toEqual(["t", "shirt"]);
  });

  it("that is the exact code scores 1, and says so", async () => {
    const [hit] = await hits({ query: "dr18v", explain: true });
    const { lexical, title, exactCode } = hit!.explanation!;
    expect(hit!.score).toBe(1);
    expect(lexical!.contribution + title!.contribution + (exactCode?.contribution ?? 0)).toBeCloseTo(1, 5);
  });
});

property("the parts of an explanation add up to the score", 25, async (random) => {
  const { index } = await plainShop({}, randomRecords(random, 20), [{ id: "x", title: "drill drill kettle" }]);
  const query = randomWords(random);
  for (const { score, explanation } of (await index.query({ query, explain: true, hitsPerPage: 100 })).data.hits) {
    const { lexical, semantic, title, exactCode } = explanation!;
    const sum = [lexical, semantic, title, exactCode].reduce((total, part) => total + (part?.contribution ?? 0), 0);
    expect(Math.abs(sum - score)).toBeLessThanOrEqual(2e-6);
  }
});

it("an explanation has the legs that ran", async () => {
  const { ask } = await shop();
  const legs = async (semanticWeight: number) =>
    Object.keys((await ask({ query: "drill", explain: true, semanticWeight })).hits[0]!.explanation!);
  const [words, both, meaning] = [["lexical", "title"], ["lexical", "title", "semantic"], ["semantic"]];
  expect([await legs(0), await legs(0.5), await legs(1)]).toEqual([words, both, meaning]);
});
