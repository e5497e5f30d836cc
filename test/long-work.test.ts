// Nothing that a caller can ask for blocks the event loop: long work looks at the clock again and again. Time is not measured
// here. Each look is counted under a clock by which every slice is used up, so work that forgets to look is seen.

import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";
import { slicesOf } from "./support/slices.js";

const seq = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const indexOf = async (records: readonly JsonRecord[], settings = {}) => {
  const index = await new SearchEngine({ embedder: false }).createIndex("a", settings);
  await index.addRecords(records);
  await index.whenIdle();
  return index;
};

describe("a query looks at the clock", () => {
  const looksOf = async (index: Awaited<ReturnType<typeof indexOf>>, params: SearchParams<JsonRecord>) =>
    slicesOf(() => index.query(params));

  it("between the conditions of a filter", async () => {
    const index = await indexOf(seq(50, (i) => ({ id: i, n: seq(50, (j) => j), even: i % 2 === 0 })));
    const filters = seq(500, (i) => `n > ${i % 49}`);
    const or = await looksOf(index, { query: "", filters: filters.join(" OR ") });
    expect(or.looks).toBeGreaterThan(500);
    expect(or.result).toMatchObject({ data: { nbHits: 50 } });
    const and = await looksOf(index, { query: "", filters: `even:true AND ${filters.join(" AND ")}` });
    expect(and.looks).toBeGreaterThan(500);
    expect(and.result).toMatchObject({ data: { nbHits: 25 } });
  });

  it("while it marks a long text, and marks no more of it than is searched", async () => {
    const index = await indexOf([{ id: 1, t: "\ufdfa".repeat(21_000) }]);
    const { looks, result } = await looksOf(index, { query: "\ufdfa", attributesToHighlight: ["t"] });
    expect(looks).toBeGreaterThan(20);
    const { hits } = (result as Awaited<ReturnType<typeof index.query>>).data;
    const { value, fullyHighlighted } = hits[0]!._highlightResult!.t as { value: string; fullyHighlighted: boolean };
    // Each of these characters is 18 in the normal form, of which 65,536 are searched.
    const marked = value.lastIndexOf("</em>") - value.replaceAll(/<\/?em>/g, "").length;
    expect(marked).toBeLessThan(value.length);
    expect(value.slice(value.lastIndexOf("</em>") + 5)).toMatch(/^\ufdfa{17000,}$/u);
    expect(fullyHighlighted).toBe(false);
  });

  it("while it takes attributes out of records", async () => {
    const index = await indexOf(seq(12, (id) => ({ id, ...Object.fromEntries(seq(990, (k) => [`a${k}`, k])) })));
    const { looks, result } = await looksOf(index, { query: "", attributesToRetrieve: seq(990, (k) => `-a${k}`) });
    expect(looks).toBeGreaterThan(36);
    const { hits } = (result as Awaited<ReturnType<typeof index.query>>).data;
    expect(hits.map(({ source }) => Object.keys(source))).toEqual(seq(12, () => ["id"]));
  });

  it("while it searches the values of a facet", async () => {
    const settings = { attributesForFaceting: ["v"] };
    const many = await indexOf(
      seq(3000, (id) => ({ id, v: `Größe Ünïcödé 한국어 ${id}` })),
      settings,
    );
    const found = await slicesOf(() => many.searchForFacetValues({ facetName: "v", facetQuery: "unicode" }));
    expect(found.looks).toBeGreaterThan(8);
    expect((found.result as { facetHits: unknown[] }).facetHits).toHaveLength(10);
  });

  it("before it begins, however many begin in one turn", async () => {
    let embedded = 0;
    let most = 0;
    const embedder = {
      id: "two",
      dimensions: 2,
      embed: async (texts: readonly string[]) => {
        embedded++;
        return texts.map(() => [1, 0]);
      },
    };
    const engine = new SearchEngine({ embedder });
    const index = await engine.createIndex("a");
    await index.addRecords(seq(100, (id) => ({ id, title: `drill ${id}` })));
    await index.query({ query: "warm" });
    let before = embedded;
    await slicesOf(
      () => Promise.all(seq(300, (i) => index.query({ query: `drill ${i}` }))),
      () => {
        most = Math.max(most, embedded - before);
        before = embedded;
      },
    );
    expect(most).toBeLessThan(5);
  });
});
