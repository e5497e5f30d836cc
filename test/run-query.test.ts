import { describe, expect, it } from "vitest";
import { SearchEngine, type SearchError } from "../src/index.js";
import { AXES, AxisEmbedder } from "./support/axis-embedder.js";
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
});

describe("members by words", () => {
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
});
