// Words that no record holds and the embedder knows: meaning speaks for them. All numbers are worked out by hand, without what
// titles add.

import { describe, expect, it } from "vitest";
import { type IndexSettings, SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";
import { AXES, AxisEmbedder } from "./support/axis-embedder.js";

/** Says of its axes, and of no other word, that it knows them. */
class KnowingEmbedder extends AxisEmbedder {
  knows(word: string): boolean {
    return AXES.includes(word);
  }
}

/** One word each, so that a held word earns idf * 2.2 / 2.2. */
const RECORDS = [
  { id: 1, body: "drill" },
  { id: 2, body: "saw" },
  { id: 3, body: "nail" },
];
/** Of three records, one holds it; none does. */
const ONE = Math.log(1 + 2.5 / 1.5);
const NONE = Math.log(1 + 3.5 / 0.5);

async function shop(settings: IndexSettings = {}): Promise<SearchIndex> {
  const own = { embedder: new KnowingEmbedder(), titleEvidence: false, ...settings };
  const index = await new SearchEngine().createIndex("a", own);
  await index.addRecords(RECORDS);
  return index;
}

const explained = async (index: SearchIndex, params: SearchParams) => {
  const [hit] = (await index.query({ explain: true, ...params })).data.hits;
  return { score: hit!.score, ...hit!.explanation! };
};

/** A word that stands once in a field of mean length: 1 / (k1 + 1), in steps of 1 / 65,535. */
const IMPACT = 29_789 / 65_535;
/** What part of "drill sofa" is held. */
const HELD = ONE / (ONE + NONE);
/** The share of words in a short query that no record holds whole, before it shrinks by what is not held. */
const WORDS = 0.3;

describe("a word that no record holds", () => {
  it("gives its share of the words to the meaning, where the embedder knows it", async () => {
    const { score, lexical, semantic } = await explained(await shop(), { query: "drill sofa" });
    // .98083 / (.98083 + 2.07944); the query's vector is half drill, half sofa.
    expect(HELD).toBeCloseTo(0.320504, 6);
    expect(lexical!.score).toBeCloseTo(IMPACT, 12);
    expect(lexical!.terms.map(({ term }) => term)).toEqual(["drill"]);
    expect(lexical!.contribution).toBeCloseTo(WORDS * HELD * IMPACT, 12);
    expect(semantic!.cosine).toBeCloseTo(Math.SQRT1_2, 4);
    expect(semantic!.contribution).toBeCloseTo((1 - WORDS * HELD) * semantic!.cosine, 12);
    expect(score).toBeCloseTo(lexical!.contribution + semantic!.contribution, 6);
    expect(score).toBeCloseTo(0.043706 + 0.903849 * Math.SQRT1_2, 4);
  });

  it("does not where nobody knows it, or no meaning is asked for", async () => {
    const index = await shop();
    const part = async (params: SearchParams) => (await explained(index, params)).lexical!.contribution;
    expect(await part({ query: "drill fjord" })).toBeCloseTo(WORDS * IMPACT, 12);
    expect(await part({ query: "drill sofa", semanticWeight: 0 })).toBeCloseTo(IMPACT, 12);
    expect(await part({ query: "drill sofa", vector: [1, 0, 0] })).toBeCloseTo(WORDS * IMPACT, 12);
  });

  it("counts as held where a synonym is, and where it is optional it counts all the same", async () => {
    const synonyms = [{ type: "synonym" as const, synonyms: ["sofa", "nail"] }];
    const { lexical } = await explained(await shop({ synonyms }), { query: "drill sofa" });
    expect(lexical!.contribution).toBeCloseTo((WORDS / 2) * IMPACT, 12);
    const optional = await explained(await shop({ optionalWords: ["sofa"] }), { query: "drill sofa" });
    expect(optional.lexical!.contribution).toBeCloseTo(0.7 * HELD * IMPACT, 12);
  });

  it("changes no member by words", async () => {
    const ids = async (index: SearchIndex, query: string) =>
      (await index.query({ query, semanticFloor: 1 })).data.hits.map((hit) => hit.id).sort();
    const index = await shop({ matchingRatio: 1 });
    for (const held of ["drill", "drill saw", "drill saw nail"])
      expect(await ids(index, `${held} sofa`)).toEqual(await ids(index, `${held} fjord`));
  });

  it("leaves all to the meaning where it is alone", async () => {
    const index = await shop({ semanticFloor: -1 });
    const { score, lexical } = await explained(index, { query: "sofa" });
    expect([score, lexical!.score, lexical!.contribution]).toEqual([0, 0, 0]);
    await index.updateSettings({ embeddedAttributes: ["body", "kind"], searchableAttributes: ["body"] });
    await index.addRecords([{ id: 5, body: "bench", kind: "sofa" }]);
    expect((await explained(index, { query: "sofa" })).score).toBe(1);
  });
});

describe("a short query that no record holds whole", () => {
  const RECORDS = [
    { id: 1, body: "red drill", kind: "tool" },
    { id: 2, body: "blue lamp", kind: "tool" },
    { id: 3, body: "steel drill", kind: "part" },
  ];
  /** The weight of meaning for the best hit: its part of the score, as a share of its cosine. */
  const weightIn = async (index: SearchIndex, params: SearchParams) => {
    const { semantic } = await explained(index, params);
    return semantic!.contribution / semantic!.cosine;
  };
  async function weightOf(params: SearchParams, settings: IndexSettings = {}): Promise<number> {
    const index = await shop({ semanticFloor: -1, ...settings });
    await index.replaceAllRecords(RECORDS);
    return weightIn(index, params);
  }

  it.each<[what: string, params: SearchParams, weight: number, settings?: IndexSettings]>([
    ["static-en", { query: "drill qxzt" }, 0.25, { embedder: "static-en" }],
    ["static-en, of one record", { query: "red drill" }, 0.1, { embedder: "static-en" }],
    ["the settings", { query: "drill fjord" }, 0.1, { fusion: { method: "convex", semanticWeight: 0.1 } }],
    ["settings without a weight", { query: "drill fjord" }, 0.7, { fusion: { method: "convex" } }],
    ["a term that no record holds", { query: "drill fjord" }, 0.7],
    ["terms of two records", { query: "red lamp" }, 0.7],
    ["terms of one record", { query: "drill red" }, 0.3],
    ["terms of one record, doubled", { query: "red drill drill red drill" }, 0.3],
    ["four terms", { query: "red drill blue fjord" }, 0.7],
    ["four terms and stop words", { query: "the red drill and a blue fjord" }, 0.7],
    ["five terms", { query: "red drill blue lamp fjord" }, 0.3],
    ["a quantity, which is two", { query: "drill red blue 5 kg" }, 0.3],
    ["a term that need not be there", { query: "drill red lamp", optionalWords: ["lamp"] }, 0.3],
    ["no term that must be there", { query: "red lamp", optionalWords: ["red", "lamp"] }, 0.3],
    ["terms of a record that a filter hides", { query: "red drill", filters: { kind: "part" } }, 0.3],
    ["terms of a field that is not searched", { query: "drill tool", restrictSearchableAttributes: ["body"] }, 0.7],
    ["a weight of its own", { query: "drill fjord", semanticWeight: 0.1 }, 0.1],
  ])("has the weight for %s", async (_, params, weight, settings) => {
    expect(await weightOf(params, settings)).toBeCloseTo(weight, 6);
  });

  it("knows no record that was deleted, and asks all segments", async () => {
    const index = await shop({ semanticFloor: -1 });
    await index.replaceAllRecords(RECORDS);
    await index.addRecords([{ id: 4, body: "red lamp" }]);
    expect(await weightIn(index, { query: "red lamp" })).toBeCloseTo(0.3, 6);
    await index.deleteRecords([4]);
    expect(await weightIn(index, { query: "red lamp" })).toBeCloseTo(0.7, 6);
  });
});
