// Nothing that a caller can ask for blocks the event loop: long work looks at the clock again and again. Time is not measured
// here. Each look is counted under a clock by which every slice is used up, so work that forgets to look is seen.

import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";
import { slicesOf } from "./support/slices.js";

const seq = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const indexOf = async (records: readonly JsonRecord[], settings = {}) => {
  const index = await new SearchEngine({ embedder: false, onWarning: () => {} }).createIndex("a", settings);
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

  it("by the values of records while it reads dates, however few the records are", async () => {
    const days = seq(6160, (i) => new Date(86_400_000 * i).toISOString().slice(0, 10));
    const records = seq(160, (id) => ({ id, days: days.slice(id, id + 6000) }));
    const index = await indexOf(records, { searchableAttributes: ["title"] });
    // The column of texts is made before; what remains is the reading of their dates, which the second query knows.
    await index.query({ query: "", facets: ["days"] });
    const params = { query: "", filters: `days < "${days[80]}"` };
    const [first, second] = [await looksOf(index, params), await looksOf(index, params)];
    expect(first.result).toMatchObject({ data: { nbHits: 80 } });
    expect(first.looks - second.looks).toBeGreaterThan((160 * 6000) / 2000);
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

describe("bad input is read in slices:", () => {
  const date = new Date(Number.NaN) as unknown as number;

  it("records that are refused late", async () => {
    const index = await indexOf([]);
    const bad = seq(64, () => ({ id: 1, a: seq(5, () => Array<number>(9000).fill(0)), z: date }));
    const { looks, result } = await slicesOf(() => index.addRecords(bad));
    // The first 256 kB are copied at once: the first record.
    expect(looks).toBeGreaterThan(60);
    expect(result).toMatchObject({ error: "invalid_field_value", details: { total: 64 } });
  });

  it("records whose values are undefined", async () => {
    const index = await indexOf([]);
    const empty = { id: 1, ...Object.fromEntries(seq(9000, (i) => [`a${i}`, undefined])) } as JsonRecord;
    expect((await slicesOf(() => index.addRecords(seq(200, () => empty)))).looks).toBeGreaterThan(40);
    const bad = { ...empty, z: date };
    expect((await slicesOf(() => index.addRecords(seq(200, () => bad)))).looks).toBeGreaterThan(40);
    const tooMany = { ...empty, ...Object.fromEntries(seq(9000, (i) => [`b${i}`, undefined])) } as JsonRecord;
    const { result } = await slicesOf(() => index.addRecords([tooMany]));
    expect(result).toMatchObject({ error: "record_too_large" });
  });

  it("ids", async () => {
    const index = await indexOf([{ id: 1 }]);
    const bad = Array<string>(100_000).fill("");
    for (const call of [() => index.deleteRecords(bad), () => index.getRecords(bad)]) {
      const { looks, result } = await slicesOf(call);
      expect(looks).toBeGreaterThan(90);
      expect(result).toMatchObject({ error: "invalid_id", details: { total: 100_000 } });
    }
  });

  it("patches of large records, one by one", async () => {
    const large = (id: number) => ({ id, n: Array<number>(9000).fill(0) });
    const index = await indexOf(seq(60, large), { searchableAttributes: ["title"] });
    const looksOf = async (from: number) => {
      const patches = seq(60, (i) => ({ id: from + i, more: 1 }));
      return (await slicesOf(() => index.updateRecords(patches, { createIfNotExists: false }))).looks;
    };
    // Three times for each record while it is built, and once while it is merged.
    expect((await looksOf(0)) - (await looksOf(100))).toBeGreaterThan(210);
  });

  it("many operations on one record, done or refused", async () => {
    const index = await indexOf([{ id: 1, n: 1, list: seq(9000, (i) => i) }], { searchableAttributes: ["title"] });
    const looksOf = async (count: number, patch: object) => {
      const patches = seq(count, () => ({ id: 1, ...patch }));
      return (await slicesOf(() => index.updateRecords(patches, { onInvalid: "skip" }))).looks;
    };
    const unread = { n: { _operation: "Add" } };
    const refused = { n: { _operation: "Add", value: 1 } };
    // Sorting them looks at the clock, too.
    expect((await looksOf(5000, refused)) - (await looksOf(5000, unread))).toBeGreaterThan(150);
    const done = { list: { _operation: "AddUnique", value: 1 } };
    expect((await looksOf(40, done)) - (await looksOf(20, done))).toBeGreaterThan(20);
  });
});

it("an object of too many keys is refused by every verb", async () => {
  const given = Object.fromEntries(seq(1001, (i) => [`key${i}`, 1])) as never;
  const engine = new SearchEngine({ embedder: false });
  const index = await engine.createIndex("a");
  const calls = {
    query: () => index.query(given),
    options: () => index.query({ query: "" }, given),
    filters: () => index.query({ query: "", filters: given }),
    facetFilters: () => index.query({ query: "", facetFilters: given }),
    facets: () => index.searchForFacetValues(given),
    deleteBy: () => index.deleteBy(given),
    updateSettings: () => index.updateSettings(given),
    nested: () => index.updateSettings({ bm25: given }),
    createIndex: () => engine.createIndex("b", given),
    engine: async () => new SearchEngine(given),
    limits: async () => new SearchEngine({ limits: given }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error, name).toMatchObject({ code: 400 });
    expect((error as Error).message, name).toMatch(/1001 keys; pass at most 1000/);
  }
});
