// What an embedder that reads queries part by part is told: synonyms, and words that no record holds.

import { describe, expect, it } from "vitest";
import { type EmbedPartsOptions, type IndexSettings, SearchEngine, type SearchIndex } from "../src/index.js";
import { AXES, AxisEmbedder } from "./support/axis-embedder.js";

interface Asked {
  readonly parts: readonly (readonly string[])[];
  readonly outOfVocabulary: readonly string[];
  /** Of the axes and "saw", those that records hold. */
  readonly held: readonly string[];
}

/** Knows its axes; a query that leans on nothing means the first text of each part. */
class PartsEmbedder extends AxisEmbedder {
  readonly asked: Asked[] = [];
  answer: (asked: Asked) => Promise<number[] | null> = async () => [1, 0, 0];

  knows(word: string): boolean {
    return AXES.includes(word);
  }

  async embedParts(parts: readonly (readonly string[])[], { outOfVocabulary, isHeld }: EmbedPartsOptions) {
    const asked = { parts, outOfVocabulary, held: [...AXES, "saw"].filter(isHeld) };
    this.asked.push(asked);
    return this.answer(asked);
  }
}

async function shop(own: PartsEmbedder, settings: IndexSettings = {}, warnings: string[] = []): Promise<SearchIndex> {
  const engine = new SearchEngine({ onWarning: ({ code }) => warnings.push(code) });
  const index = await engine.createIndex("a", { embedder: own, ...settings });
  await index.addRecords(["drill", "saws", "lamp"].map((title, i) => ({ id: i + 1, title })));
  await index.deleteRecords(["3"]);
  return index;
}

const SYNONYMS: IndexSettings = {
  synonyms: [
    { type: "synonym", synonyms: ["couch", "sofa", "corner sofa"] },
    { type: "oneWaySynonym", input: "WH-7", synonyms: ["head phones"] },
  ],
};

describe("synonyms", () => {
  it("come with the part of the query they stand for, codes as one word", async () => {
    const own = new PartsEmbedder();
    const index = await shop(own, SYNONYMS);
    await index.query({ query: "Blue Couches for WH-7" });
    expect(own.asked[0]).toEqual({
      parts: [["blue"], ["couches", "sofa", "corner sofa"], ["for"], ["wh7", "head phones"]],
      outOfVocabulary: [],
      held: [],
    });
  });

  it("give a query a meaning that its own words have not", async () => {
    const own = new PartsEmbedder();
    const index = await shop(own, SYNONYMS);
    const { data } = await index.query({ query: "couch" });
    expect([data.recallSource, data.hits.map((hit) => hit.id)]).toEqual([["fullTextSearch", "semanticSearch"], ["1"]]);
  });

  it("are not told where meaning does not count, where none is asked for, or where a caller's own analyzer reads words", async () => {
    const own = new PartsEmbedder();
    const index = await shop(own, SYNONYMS);
    await index.query({ query: "couch", semanticWeight: 0 });
    await index.query({ query: "drill" });
    await index.updateSettings({ analyzer: { id: "own", analyze: (text) => text.split(" ") } });
    await index.query({ query: "couch drill" });
    expect(own.asked).toEqual([]);
  });
});

describe("words that no record holds and the embedder knows", () => {
  it("are told with what living records hold", async () => {
    const own = new PartsEmbedder();
    const index = await shop(own);
    await index.query({ query: "drill sofa, fjord" });
    expect(own.asked).toEqual([{ parts: [["drill sofa, fjord"]], outOfVocabulary: ["sofa"], held: ["drill", "saw"] }]);
  });

  it("are searched by the vector that is then answered", async () => {
    const own = new PartsEmbedder();
    const index = await shop(own, { semanticFloor: 0.5 });
    const { hits } = (await index.query({ query: "sofa", explain: true })).data;
    expect(hits.map((hit) => [hit.id, hit.explanation!.semantic!.cosine])).toEqual([["1", 1]]);
    own.answer = async () => null;
    expect((await index.query({ query: "sofa" })).data.hits).toEqual([]);
  });

  it("are not told where meaning counts alone, nor those that a synonym or a completion holds", async () => {
    const own = new PartsEmbedder();
    const index = await shop(own, { synonyms: [{ type: "oneWaySynonym", input: "sofa", synonyms: ["saw"] }] });
    await index.query({ query: "drill sofa", semanticWeight: 1 });
    await index.query({ query: "sofa drill" });
    expect(own.asked.map(({ outOfVocabulary }) => outOfVocabulary)).toEqual([[], []]);
    await index.addRecords([{ id: 4, title: "lampshade" }]);
    await index.query({ query: "lamp" });
    expect(own.asked).toHaveLength(2);
  });

  it("are eight at most, the first", async () => {
    const own = new PartsEmbedder();
    own.knows = (word) => word.startsWith("q");
    const index = await shop(own);
    const words = Array.from("abcdefghij", (letter) => `quilted${letter}${letter}`);
    await index.query({ query: `sofa ${words.join(" ")}` });
    expect(own.asked.map(({ outOfVocabulary }) => outOfVocabulary)).toEqual([words.slice(0, 8)]);
  });
});

it("warns and goes on where the embedder fails", async () => {
  const warnings: string[] = [];
  const own = new PartsEmbedder();
  own.answer = async () => {
    throw new Error("theirs");
  };
  const index = await shop(own, SYNONYMS, warnings);
  expect((await index.query({ query: "drill couch" })).data.recallSource).toEqual(["fullTextSearch"]);
  expect((await index.query({ query: "drill lamp" })).data.recallSource).toEqual(["fullTextSearch", "semanticSearch"]);
  own.answer = async () => [1, 2];
  await index.query({ query: "drill lamp" });
  expect(warnings).toEqual(["embedder_failed", "embedder_failed", "embedder_failed"]);
});
