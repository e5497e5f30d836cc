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
  const index = await new SearchEngine().createIndex("a", {
    embedder: new KnowingEmbedder(),
    titleEvidence: false,
    ...settings,
  });
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

describe("a word that no record holds", () => {
  it("gives its share of the words to the meaning, where the embedder knows it", async () => {
    const { score, lexical, semantic } = await explained(await shop(), { query: "drill sofa" });
    // .98083 / (.98083 + 2.07944); the query's vector is half drill, half sofa.
    expect(HELD).toBeCloseTo(0.320504, 6);
    expect(lexical!.score).toBeCloseTo(IMPACT, 12);
    expect(lexical!.terms.map(({ term }) => term)).toEqual(["drill"]);
    expect(lexical!.contribution).toBeCloseTo(0.9 * HELD * IMPACT, 12);
    expect(semantic!.cosine).toBeCloseTo(Math.SQRT1_2, 4);
    expect(semantic!.contribution).toBeCloseTo((1 - 0.9 * HELD) * semantic!.cosine, 12);
    expect(score).toBeCloseTo(lexical!.contribution + semantic!.contribution, 6);
    expect(score).toBeCloseTo(0.131115 + 0.711546 * Math.SQRT1_2, 4);
  });

  it("does not where nobody knows it, or no meaning is asked for", async () => {
    const index = await shop();
    const part = async (params: SearchParams) => (await explained(index, params)).lexical!.contribution;
    expect(await part({ query: "drill fjord" })).toBeCloseTo(0.9 * IMPACT, 12);
    expect(await part({ query: "drill sofa", semanticWeight: 0 })).toBeCloseTo(IMPACT, 12);
    expect(await part({ query: "drill sofa", vector: [1, 0, 0] })).toBeCloseTo(0.9 * IMPACT, 12);
  });

  it("counts as held where a synonym is, and where it is optional it counts all the same", async () => {
    const synonyms = [{ type: "synonym" as const, synonyms: ["sofa", "nail"] }];
    const { lexical } = await explained(await shop({ synonyms }), { query: "drill sofa" });
    expect(lexical!.contribution).toBeCloseTo(0.45 * IMPACT, 12);
    const optional = await explained(await shop({ optionalWords: ["sofa"] }), { query: "drill sofa" });
    expect(optional.lexical!.contribution).toBeCloseTo(0.9 * HELD * IMPACT, 12);
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
