import { describe, expect, it } from "vitest";
import { SearchEngine, type SearchError } from "../src/index.js";
import { AXES, AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf } from "./support/refusal.js";
import { shop } from "./support/small-shop.js";

describe("the legs of a query", () => {
  it("are both run, and named", async () => {
    const { ask, embedder } = await shop();
    expect((await ask({ query: "drill" })).recallSource).toEqual(["fullTextSearch", "semanticSearch"]);
    expect([embedder.takeTexts(), embedder.purposes]).toEqual([["drill"], ["query"]]);
  });

  it("are meaning alone at weight 1, scored by the cosine", async () => {
    const { ask } = await shop();
    const { recallSource, hits } = await ask({ query: "sofa", semanticWeight: 1, semanticFloor: 0.1 });
    expect(recallSource).toEqual(["semanticSearch"]);
    // by hand: "Corner sofa Corner sofa sofa and a drill" has the axes 1, 3, 0
    expect(hits).toEqual([expect.objectContaining({ id: "2", score: expect.closeTo(3 / Math.sqrt(10), 4) })]);
  });

  it("fall back to words at weight 1 without a vector for the query", async () => {
    const { ask } = await shop();
    const { recallSource, hits } = await ask({ query: "reading", semanticWeight: 1 });
    expect([recallSource, hits.map(({ id }) => id)]).toEqual([["fullTextSearch"], ["4"]]);
  });

  it("are words alone at weight 0, for codes, and without an embedder, which is not asked", async () => {
    const { ask, embedder } = await shop();
    for (const params of [{ query: "drill", semanticWeight: 0 }, { query: "18v DR-18V" }])
      expect((await ask(params)).recallSource).toEqual(["fullTextSearch"]);
    expect(embedder.takeTexts()).toEqual([]);
    await ask({ query: "18v drill" });
    expect(embedder.takeTexts()).toEqual(["18v drill"]);
    const words = await shop({ embedder: false });
    expect((await words.ask({ query: "drill" })).recallSource).toEqual(["fullTextSearch"]);
  });

  it("both add to the score of every member, by their weights", async () => {
    const { ask } = await shop({ titleEvidence: false });
    const scoreOf = async (semanticWeight: number) =>
      new Map(
        (await ask({ query: "drill", semanticWeight, semanticFloor: 0.1 })).hits.map(({ id, score }) => [id, score]),
      );
    const [words, meaning, both] = [await scoreOf(0), await scoreOf(1), await scoreOf(0.3)];
    for (const [id, score] of both)
      expect(score).toBeCloseTo(0.7 * (words.get(id) ?? 0) + 0.3 * (meaning.get(id) ?? 0), 5);
    expect(both.size).toBe(2);
  });

  it("are joined by ranks where the settings say so, and its weight has no say", async () => {
    const { ask } = await shop({ fusion: { method: "rrf", rankConstant: 60 } });
    const { hits, recallSource } = await ask({ query: "drill", semanticFloor: 0.1 });
    expect(recallSource).toEqual(["fullTextSearch", "semanticSearch"]);
    expect(hits.map(({ id, score }) => [id, score])).toEqual([
      ["1", 1],
      ["2", expect.closeTo(61 / 62, 5)],
    ]);
  });
});

describe("an embedder that fails", () => {
  it("leaves the query answered in words, with a warning", async () => {
    const { ask, embedder, warnings } = await shop();
    embedder.wait = async () => {
      throw new Error("no connection");
    };
    const { recallSource, hits } = await ask({ query: "drill" });
    expect([recallSource, hits[0]?.id]).toEqual([["fullTextSearch"], "1"]);
    expect(warnings).toEqual([expect.objectContaining({ code: "embedder_failed", param: "embedder" })]);
    expect(warnings[0]?.cause).toMatchObject({ code: 502 });
  });
});

describe("a query's own vector", () => {
  it("stands in place of an embedding", async () => {
    const { ids, embedder } = await shop();
    expect(await ids({ query: "zzz", vector: [0, 0, 5], semanticFloor: 0.9 })).toEqual(["3"]);
    expect(embedder.takeTexts()).toEqual([]);
  });

  it("with a blank query finds the nearest alone, at weight 1", async () => {
    const { ask } = await shop();
    const { hits, recallSource } = await ask({ query: " ", vector: new Float32Array([0, 0, 1]), semanticFloor: 0.9 });
    expect(recallSource).toEqual(["semanticSearch"]);
    expect(hits.map(({ id, score }) => [id, score])).toEqual([["3", 1]]);
  });

  it("is refused, or answered as before, where settings with other dimensions come meanwhile", async () => {
    const engine = new SearchEngine({ embedder: false });
    const [flat, deep] = [2, 4].map((dimensions) => ({ vectorAttribute: "v", dimensions }));
    await engine.createIndex("flat", flat).then((index) => index.addRecords([{ id: 1, v: [1, 0] }] as never));
    await engine.createIndex("deep", deep).then((index) => index.addRecords([{ id: 2, v: [1, 0, 0, 0] }] as never));
    for (let turns = 0; turns < 30; turns++) {
      await engine.copyIndex("flat", "both");
      const copying = engine.copyIndex("deep", "both");
      for (let turn = 0; turn < turns; turn++) await undefined;
      const answer = await engine.query("both", { query: "", vector: [1, 0], semanticFloor: -1 }).then(
        ({ data }) => data.hits.map(({ id, score }) => [id, score]),
        (error: unknown) => (error as SearchError).error,
      );
      expect([[["1", 1]], "invalid_vector"]).toContainEqual(answer);
      await copying;
    }
  });

  it("meets the vectors that records bring", async () => {
    const records = [{ id: "a", v: [1, 0] }, { id: "b", v: [0, 1] }, { id: "c" }, { id: "d", v: null }];
    const { index, ids } = await shop({ vectorAttribute: "v", dimensions: 2 }, records);
    expect(await ids({ query: "", vector: [0.9, 0.1], semanticFloor: 0.5 })).toEqual(["a"]);
    expect(await index.getRecords(["b"])).toEqual([records[1]]);
    expect((await rejectionOf(index.addRecords([{ id: "e", v: [1, 2, 3] }]))).error).toBe("invalid_vector");
  });
});

describe("members by meaning", () => {
  it("follow floor and depth of the query", async () => {
    const { ids } = await shop();
    const params = { query: "zzz", vector: [1, 1, 0.2] };
    expect(await ids({ ...params, semanticFloor: 0 })).toHaveLength(3);
    expect(await ids({ ...params, semanticFloor: 0, semanticDepth: 1 })).toHaveLength(1);
    expect(await ids({ ...params, semanticFloor: 1 })).toEqual([]);
  });
});

describe("members by words", () => {
  it("follow matching of the query", async () => {
    const { ids } = await shop({ embedder: false });
    expect(await ids({ query: "drill sofa lamp", matching: "any" })).toHaveLength(3);
    expect(await ids({ query: "drill sofa", matching: "all" })).toEqual(["2"]);
  });

  it("are none where nothing can be read", async () => {
    const { ask } = await shop();
    expect(await ask({ query: "?!" })).toMatchObject({ nbHits: 0, hits: [], recallSource: ["fullTextSearch"] });
  });
});

describe("the exact code", () => {
  it("comes first at any weight, with score 1, and nothing else reaches it", async () => {
    for (const semanticWeight of [0, 0.1, 1])
      for (const query of ["DR-18V", "dr 18v", "dr18v"]) {
        const { ask } = await shop();
        const { hits } = await ask({ query, semanticWeight });
        expect([hits[0]?.id, hits[0]?.score], query).toEqual(["1", 1]);
        expect(hits.slice(1).every(({ score }) => score <= 0.999999)).toBe(true);
      }
  });

  it("is found though words did not run, and then words are named", async () => {
    const { ask } = await shop();
    const { recallSource, hits } = await ask({ query: "DR-18V", semanticWeight: 1, vector: [0, 1, 0] });
    expect([recallSource, hits[0]?.id]).toEqual([["fullTextSearch", "semanticSearch"], "1"]);
  });
});

describe("the answer", () => {
  it("echoes the query as it was typed, and names its index and page", async () => {
    const { ask } = await shop();
    const params = { query: "  Drill ", page: 2, hitsPerPage: 1, semanticFloor: 0.1 };
    expect(await ask(params)).toMatchObject({
      query: "  Drill ",
      indexUse: "shop",
      nbHits: 2,
      page: 2,
      hitsPerPage: 1,
    });
  });

  it("measures whole milliseconds, and waits for an embedding outside of processing", async () => {
    const { ask, embedder } = await shop();
    embedder.wait = () => new Promise((resolve) => setTimeout(resolve, 30));
    const { serverTimeMS, processingTimeMS } = await ask({ query: "drill" });
    expect([serverTimeMS, processingTimeMS].every(Number.isInteger)).toBe(true);
    expect(serverTimeMS).toBeGreaterThanOrEqual(processingTimeMS);
  });

  it("measures the wait for similar words outside of processing as well", async () => {
    let calls = 0;
    const embedParts = async () => {
      calls++;
      await new Promise((resolve) => setTimeout(resolve, 80));
      return [1, 0, 0];
    };
    const embedder = Object.assign(new AxisEmbedder(), { embedParts, knows: (word: string) => AXES.includes(word) });
    const index = await new SearchEngine().createIndex("a", { embedder });
    await index.addRecords([{ id: 1, body: "drill" }]);
    const { serverTimeMS, processingTimeMS } = (await index.query({ query: "sofa" })).data;
    expect(calls).toBe(1);
    expect(serverTimeMS - processingTimeMS).toBeGreaterThan(70);
  });

  it("to a blank query is every record, score 0, by id", async () => {
    const { ask } = await shop();
    for (const query of ["", "  ", "\u200b"]) {
      const { hits, nbHits, recallSource } = await ask({ query });
      expect([hits.map(({ id }) => id), nbHits, recallSource]).toEqual([["1", "2", "3", "4"], 4, ["fullTextSearch"]]);
      expect(hits.every(({ score }) => score === 0)).toBe(true);
    }
  });

  it("has pages that join to the whole list, however many hits there are", async () => {
    const records = Array.from({ length: 57 }, (_, i) => ({ id: `r${i}`, title: `drill ${"and ".repeat(i % 5)}` }));
    const { ids } = await shop({}, records);
    for (const hitsPerPage of [0, 1, 7, 57, 58])
      expect(await ids({ query: "drill", hitsPerPage })).toHaveLength(Math.min(57, hitsPerPage));
  });

  it("breaks ties by id, by code unit", async () => {
    const { ids } = await shop(
      {},
      ["b", "a10", "a9", "B", "é"].map((id) => ({ id, title: "drill" })),
    );
    expect(await ids({ query: "drill" })).toEqual(["B", "a10", "a9", "b", "é"]);
  });

  it("weighs titles twice and attributes as told", async () => {
    const records = [
      { id: "t", title: "saw", body: "x" },
      { id: "b", title: "x", body: "saw" },
    ];
    expect(await (await shop({ embedder: false }, records)).ids({ query: "saw" })).toEqual(["t", "b"]);
    const searchableAttributes = [
      { attribute: "body", weight: 9 },
      { attribute: "title", weight: 1 },
    ];
    const told = await shop({ embedder: false, searchableAttributes }, records);
    expect(await told.ids({ query: "saw", matching: "any" })).toEqual(["b", "t"]);
  });
});
