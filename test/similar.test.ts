// Records like others: which words and vectors are looked for, what is never found, and what a call may ask.

import { describe, expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SimilarParams,
  type SimilarTo,
} from "../src/index.js";
import { fromOutside } from "../src/input/call-options.js";
import { plainShop } from "./support/plain-shop.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";

const TITLES =
  "drill:Cordless drill|phone:Cordless phone|stand:Drill stand|lamp:Cordless lamp|press:Drill press|hose:Garden hose";

const indexOf = async (records: readonly JsonRecord[], settings: IndexSettings = {}): Promise<SearchIndex> =>
  (await plainShop(settings, records)).index;

const titled = TITLES.split("|")
  .map((each) => each.split(":"))
  .map(([id, title]) => ({ id: id!, title: title! }));

async function found(index: SearchIndex, of: SimilarTo, params: SimilarParams = {}): Promise<string[]> {
  return (await index.similar(of, { hitsPerPage: 1000, ...params })).data.hits.map(({ id }) => id);
}

describe("records like others", () => {
  it("come later the more they are like what they shall not be like, and say so", async () => {
    const records = [
      { id: "a", title: "Red drill" },
      { id: "b", title: "Blue drill" },
      { id: "like", title: "Steel drill" },
      { id: "unlike", title: "Blue hammer" },
      { id: "other", title: "Blue, red and steel saw" },
    ];
    const index = await indexOf(records);
    expect((await found(index, "like")).sort()).toEqual(["a", "b", "other"]);
    const { data } = await index.similar({ like: ["like"], unlike: ["unlike"] }, { explain: true });
    const [first, second] = ["a", "b"].map((id) => data.hits.find((hit) => hit.id === id)!);
    expect(first!.score).toBeGreaterThan(second!.score);
    const { terms, score } = second!.explanation!.lexical!;
    expect(terms.map((term) => [term.term, term.score > 0])).toEqual([
      ["drill", true],
      ["blue", false],
    ]);
    expect(terms.reduce((sum, term) => sum + term.score, 0)).toBeCloseTo(score, 9);
    expect(await found(index, { like: ["like"], unlike: ["like"] })).toEqual(await found(index, "like"));
  });

  it("are found by meaning alone where records have no words", async () => {
    const vectors = { near: [1, 0.1], far: [-1, 0], none: null, seed: [1, 0], against: [0, 1], between: [1, 1] };
    const records = Object.entries(vectors).map(([id, v]) => ({ id, v }));
    const settings = { vectorAttribute: "v", dimensions: 2, identifierAttributes: ["id"], semanticFloor: 0.2 };
    const index = await indexOf(records, settings);
    const { data } = await index.similar("seed");
    expect(data.hits.map(({ id }) => id)).toEqual(["near", "between"]);
    expect(data.hits[0]!.score).toBeCloseTo(1 / Math.sqrt(1.01), 4);
    // (1, 0) - 0.5 * (0, 1) is at an angle of about 27 degrees on the other side.
    const lowered = await index.similar({ like: ["seed"], unlike: ["against"] });
    expect(lowered.data.hits[0]!.score).toBeCloseTo((1 - 0.05) / Math.sqrt(1.25) / Math.sqrt(1.01), 3);
    expect(await found(index, "none")).toEqual([]);
    expect(await found(index, ["seed", "far"])).toEqual([]);
  });

  it("are no siblings, unless these are let in", async () => {
    const sizes = seq(20, (i) => ({ id: `s${i}`, title: `Oxford shirt ${i}`, model: ["oxford", "zz"] }));
    const others = [
      { id: "x", title: "Linen shirt", model: "linen" },
      { id: "y", title: "Linen shirt" },
      { id: "z", title: "Oxford shirt", model: ["a", "oxford"] },
    ];
    const index = await indexOf([...sizes, ...others], { attributeForDistinct: "model" });
    expect(await found(index, "s3")).toEqual(["z", "x", "y"]);
    expect(await found(index, { like: ["x"], unlike: ["s1"] })).toEqual(["y", "z"]);
    expect(await found(index, "s3", { distinct: false })).toHaveLength(22);
    expect(await found(index, "y", { distinct: true })).toHaveLength(3);
  });

  it("read a bounded part of a long text", async () => {
    const long = seq(9000, (i) => `word${i}`).join(" ");
    const records = [
      { id: "long", title: "Cordless drill", text: long },
      { id: "late", title: "word8000" },
      { id: "early", title: "word7" },
      { id: "title", title: "drill" },
    ];
    const index = await indexOf(records, {});
    expect((await found(index, "long")).sort()).toEqual(["early", "title"]);
    const { data } = await index.similar("title", { explain: true });
    expect(data.hits.map(({ id }) => id)).toEqual(["long"]);
  });

  it("are read where a long text has no blanks", async () => {
    const text = "電動ドリルと充電器と金属用の刃。".repeat(400);
    const index = await indexOf([
      { id: 1, text },
      { id: 2, text },
      { id: 3, text: "garden hose" },
    ]);
    expect(await found(index, "1")).toEqual(["2"]);
  });

  it("are like at most 25 terms, those that are frequent in the record and rare elsewhere", async () => {
    const words = seq(30, (i) => `thing${String.fromCharCode(97 + (i % 26))}${i < 26 ? "" : "x"}`);
    const common = seq(40, (i) => ({ id: `c${i}`, title: words.slice(0, 10).join(" ") }));
    const rare = words.slice(10).map((word, i) => ({ id: `r${i}`, title: word }));
    const index = await indexOf([{ id: "seed", title: words.join(" ") }, ...common, ...rare]);
    const { data } = await index.similar("seed", { hitsPerPage: 100, explain: true });
    const terms = new Set(data.hits.flatMap(({ explanation }) => explanation!.lexical!.terms.map(({ term }) => term)));
    expect(terms.size).toBe(25);
    expect(data.hits.filter(({ id }) => id.startsWith("r"))).toHaveLength(20);
  });
});

describe("what a call may ask", () => {
  it("takes parameters in either form, and refuses wrong ones", async () => {
    const index = await indexOf(titled.map((record, price) => ({ ...record, price })));
    const one = (await index.similar("drill", { params: "hitsPerPage=1&page=2&filters=price>1" })).data;
    const other = (await index.similar("drill", { hitsPerPage: 1, page: 2, filters: "price>1" })).data;
    expect([one.hits, one.nbHits, one.page]).toEqual([other.hits, other.nbHits, 2]);
    expect(await rejectionOf(index.similar("drill", { page: 0 }))).toMatchObject({ error: "invalid_page" });
    const text = { query: "lamp" } as SimilarParams;
    expect(await rejectionOf(index.similar("drill", text))).toMatchObject({
      error: "invalid_parameter",
      param: "query",
    });
    const about = { query: " ", typoTolerance: false, matching: "all", relevancyStrictness: 100, getParsedQuery: true };
    expect(await found(index, "drill", about as SimilarParams)).toEqual(await found(index, "drill"));
    expect((await index.similar("drill", about as SimilarParams)).data).not.toHaveProperty("parsedQuery");
  });

  it("can be called off, and is not counted as a query", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shop");
    await engine.addRecords("shop", titled);
    const signal = AbortSignal.abort();
    expect(await rejectionOf(engine.similar("shop", "drill", {}, { signal }))).toMatchObject({ error: "aborted" });
    await engine.similar("shop", "drill");
    expect(engine.metrics().queries.total).toBe(0);
    await engine.close();
  });

  it("does not see what the bounds of the call hide", async () => {
    const index = await indexOf(titled.map((record, i) => ({ ...record, tenant: i % 2 })));
    const within = { filters: "tenant = 0", maxHitsPerPage: 1 };
    const { data } = await index.similar("drill", { hitsPerPage: 5 }, fromOutside({}, within));
    expect([data.hits.length, data.hitsPerPage, data.nbHits]).toEqual([1, 1, 2]);
    const hidden = await rejectionOf(index.similar(["drill", "phone"], {}, fromOutside({}, within)));
    const missing = await rejectionOf(index.similar(["drill", "nobody"], {}, fromOutside({}, within)));
    expect(hidden.msg.replace("phone", "nobody")).toBe(missing.msg);
    expect([hidden.code, hidden.error]).toEqual([404, "record_not_found"]);
  });
});
