// Whatever grows with what callers do has a bound: names of attributes, complaints, settings.

import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, SearchError, type SearchWarning } from "../src/index.js";
import { seq } from "./support/seq.js";
import { slicesOf } from "./support/slices.js";

const engineOf = (options = {}) => new SearchEngine({ embedder: false, ...options });
const named = (names: readonly string[], id = 1): JsonRecord => ({
  id,
  ...Object.fromEntries(names.map((name) => [name, 1])),
});
const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SearchError);
  return error as SearchError;
};

describe("names of attributes", () => {
  it("that records hold are always known; of the others the last 10,000 or 1 MB", async () => {
    const index = await engineOf({ limits: { recordBytes: 1e6 } }).createIndex("a");
    await index.addRecords([named(["kept"], 2)]);
    for (let write = 0; write < 30; write++) await index.addRecords([named(seq(400, (i) => `n${write}_${i}`))]);
    await index.whenIdle();
    const isKnown = async (name: string) =>
      index.query({ query: "", filters: `${name} = 1` }).then(
        ({ data }) => data.nbHits,
        () => "unknown",
      );
    expect([await isKnown("kept"), await isKnown("n29_0"), await isKnown("n29_399")]).toEqual([1, 1, 1]);
    expect([await isKnown("n6_0"), await isKnown("n28_0")]).toEqual([0, 0]);
    expect([await isKnown("n0_0"), await isKnown("n4_0")]).toEqual(["unknown", "unknown"]);
    const [before] = [await index.estimate()];
    const long = "n".repeat(240);
    for (let write = 0; write < 30; write++) await index.addRecords([named(seq(400, (i) => `${long}${write}_${i}`))]);
    await index.whenIdle();
    const after = await index.estimate();
    // Those of n29 were in one segment with a record that is still there.
    expect(await isKnown("n28_0")).toBe("unknown");
    expect(await isKnown(`${long}20_0`)).toBe("unknown");
    expect(await isKnown(`${long}26_0`)).toBe(0);
    expect(before.columns).toBeGreaterThan(200_000);
    expect(after.columns).toBeGreaterThan(200_000);
    expect(after.columns).toBeLessThan(2_000_000);
  });

  it("never fill the memory, however many are written", async () => {
    const index = await engineOf({ limits: { maxMemory: 4e6 } }).createIndex("a");
    let name = 0;
    for (let write = 0; write < 100; write++)
      await index.addRecords([named(seq(240, () => `${"n".repeat(240)}${name++}`))]);
    expect(index.recordCount).toBe(1);
    const { columns, total } = await index.estimate();
    expect(columns).toBeGreaterThan(500_000);
    expect(total).toBeLessThan(4e6);
  });

  it("count under maxMemory", async () => {
    const index = await engineOf({ limits: { maxMemory: 1e6 } }).createIndex("a");
    let error: unknown;
    for (let write = 0; write < 20 && error === undefined; write++)
      await index.addRecords([named(seq(380, (i) => `${"n".repeat(240)}${write}_${i}`))]).catch((thrown: unknown) => {
        error = thrown;
      });
    expect(error).toMatchObject({ code: 507, error: "memory_limit" });
  });

  it("of records that are gone are forgotten when many segments are merged", async () => {
    const index = await engineOf().createIndex("a");
    await index.addRecords([{ id: 0, kept: 1 }]);
    for (let write = 0; write < 60; write++) {
      await index.addRecords([
        named(
          seq(300, (i) => `n${write}_${i}`),
          1 + (write % 3),
        ),
        { id: 100 + write, kept: 1 },
      ]);
    }
    await index.whenIdle();
    const unknown = await refusalOf(index.query({ query: "", filters: "n0_0 = 1" }));
    expect(unknown.error).toBe("unknown_filter_field");
    expect((await index.query({ query: "", filters: "n59_0 = 1" })).data.nbHits).toBe(1);
    expect((await index.query({ query: "", filters: "kept = 1" })).data.nbHits).toBe(61);
  });

  it("stay known in copies and under new settings", async () => {
    const engine = engineOf();
    const index = await engine.createIndex("a");
    await index.addRecords([named(["gone", "there"])]);
    await index.addRecords([named(["there"])]);
    await index.updateSettings({ matching: "all" });
    await index.updateSettings({ searchableAttributes: ["there"] });
    const copy = await engine.copyIndex("a", "b").then(() => engine.index("b"));
    for (const each of [index, copy])
      expect((await each.query({ query: "", filters: "gone = 1" })).data.nbHits).toBe(0);
  });
});

describe('facets: ["*"]', () => {
  const starOf = async (settings: object, records: readonly JsonRecord[], facets: readonly string[] = ["*"]) => {
    const warnings: SearchWarning[] = [];
    const engine = engineOf({ onWarning: (warning: SearchWarning) => warnings.push(warning) });
    const index = await engine.createIndex("a", settings);
    await index.addRecords(records);
    const { data } = await index.query({ query: "", facets });
    return { names: Object.keys(data.facets ?? {}), codes: warnings.map(({ code }) => code), index };
  };
  const many = seq(30, (i) => `b${String(29 - i).padStart(2, "0")}`);
  const first = seq(20, (i) => `b${String(i).padStart(2, "0")}`);

  it("counts at most 20 attributes, of equally many records the first by name, and warns", async () => {
    expect(await starOf({}, [named(many)])).toMatchObject({ names: first, codes: ["facets_truncated"] });
    expect(await starOf({}, [named(many.slice(11))])).toMatchObject({
      names: [...many.slice(11).reverse(), "id"],
      codes: [],
    });
  });

  it("counts at most 20 of the declared attributes, and none that no match has", async () => {
    const settings = { attributesForFaceting: many };
    expect(await starOf(settings, [named(many)])).toMatchObject({ names: first, codes: ["facets_truncated"] });
    const few = { attributesForFaceting: ["z", "a", "b02", "b01"] };
    expect(await starOf(few, [named(many)])).toMatchObject({ names: ["b01", "b02"], codes: ["unknown_attribute"] });
  });

  it("counts the attributes that are named beside the star first", async () => {
    const { names } = await starOf({}, [named(many)], ["*", "b29"]);
    expect(names).toEqual(["b29", ...first.slice(0, 19)]);
  });

  it("chooses them in slices", async () => {
    const records = seq(40, (id) =>
      named(
        seq(500, (i) => `n${id}_${i}`),
        id,
      ),
    );
    const { index } = await starOf({}, records);
    const { looks, result } = await slicesOf(() => index.query({ query: "", facets: ["*"] }));
    expect(looks).toBeGreaterThan(20_000 / 256);
    const { facets } = (result as Awaited<ReturnType<typeof index.query>>).data;
    const sorted = ["id", ...records.flatMap((record) => Object.keys(record).slice(1))].sort();
    expect(Object.keys(facets!)).toEqual(sorted.slice(0, 20));
  });
});

describe("complaints", () => {
  it("about unknown attributes suggest a name 16 times at most, in slices", async () => {
    const index = await engineOf().createIndex("a");
    await index.addRecords(seq(10, (id) => ({ id, spec: Object.fromEntries(seq(100, (i) => [`at${id}_${i}`, 1])) })));
    const filters = seq(490, (i) => `spek.at${i}>1`).join(" OR ");
    const { looks, result } = await slicesOf(() => index.query({ query: "", filters }));
    expect(looks).toBeGreaterThan(16);
    expect((result as SearchError).details).toMatchObject({ total: 490 });
  });

  it("about names that nobody can know say only that they are unknown", async () => {
    const index = await engineOf().createIndex("a");
    await index.addRecords([{ id: 1, brand: "x" }]);
    const error = await refusalOf(
      index.query({ query: "", filters: "brend:x", facets: seq(16, (i) => `brend${i}`), sort: ["brent:asc"] }),
    );
    expect(error.details).toMatchObject({ total: 18 });
    expect(error.msg).toMatch(/did you mean "brand"/);
  });
});

describe("settings", () => {
  const words = (rule: number, count: number) => seq(count, (i) => `w${rule}_${i}`);
  const rules = (count: number, size: number) =>
    seq(count, (rule) => ({ type: "synonym" as const, synonyms: words(rule, size) }));

  it("hold at most 500,000 values and 8,000,000 characters in all", async () => {
    const engine = engineOf();
    const index = await engine.createIndex("a", { matching: "all" });
    const shared: unknown = Array(100_000).fill(Array(100_000).fill(0));
    const calls: (() => Promise<unknown>)[] = [
      () => index.updateSettings({ x: shared } as object),
      () => index.updateSettings({ synonyms: rules(501, 1000) }),
      () => index.updateSettings({ x: "x".repeat(8_000_001) } as object),
      () => engine.createIndex("b", { x: { ["x".repeat(8_000_001)]: 1 } } as object),
    ];
    for (const call of calls)
      expect(await refusalOf(call())).toMatchObject({ code: 400, error: "settings_too_large", param: "settings" });
    expect((await index.getSettings()).settings).toEqual({ embedder: false, matching: "all" });
  });

  it("can be read back, whatever several calls have added up to", async () => {
    const index = await engineOf().createIndex("a");
    await index.updateSettings({ synonyms: rules(490, 1000) });
    await index.updateSettings({ optionalWords: words(1, 9000) });
    const { settings } = await index.getSettings();
    expect([settings.synonyms?.length, settings.optionalWords?.length]).toEqual([490, 9000]);
  });

  it("with many synonyms are applied in slices", async () => {
    const index = await engineOf().createIndex("a", { synonyms: rules(30, 500) });
    await index.addRecords([{ id: 1, title: "w1_2" }]);
    const { looks } = await slicesOf(() => index.query({ query: seq(30, (i) => `w${i}_2`).join(" ") }));
    expect(looks).toBeGreaterThan(60);
    const { data } = await index.query({ query: "w1_7" });
    expect(data.nbHits).toBe(1);
  });

  it("with unknown names suggest a name 16 times at most", async () => {
    const messages: string[] = [];
    const engine = engineOf({ onWarning: ({ message }: SearchWarning) => messages.push(message) });
    await engine.createIndex("a", Object.fromEntries(seq(40, (i) => [`matchin${i}`, 1])) as object);
    expect(messages).toHaveLength(40);
    expect(messages.filter((message) => message.includes('did you mean "matching"?'))).toHaveLength(16);
  });
});

describe("what queries leave behind", () => {
  const records = seq(200, (id) => ({ id, title: `word${id} common ${id % 10}` }));

  it("counts in estimate(), and stays within a bound", async () => {
    const index = await engineOf().createIndex("a");
    await index.addRecords(records);
    const before = await index.estimate();
    await index.query({ query: "common" });
    const after = await index.estimate();
    expect(after.text).toBeGreaterThan(before.text);
    expect(after.total - before.total).toBe(after.text - before.text);
    for (let i = 0; i < 200; i++) await index.query({ query: `${"long".repeat(900)}${i}`, typoTolerance: false });
    // Room for 16,384 entries of four bytes.
    expect((await index.estimate()).text - before.text).toBeLessThan(2 ** 17);
  });

  it("gives way to records under maxMemory", async () => {
    const roomy = await engineOf().createIndex("a");
    await roomy.addRecords(records);
    await roomy.addRecords([{ id: 200, title: "one more" }]);
    const { total } = await roomy.estimate();
    const index = await engineOf({ limits: { maxMemory: total } }).createIndex("a");
    await index.addRecords(records);
    await index.query({ query: "common word7" });
    expect((await index.estimate()).total).toBeGreaterThan(total);
    await index.addRecords([{ id: 200, title: "one more" }]);
    expect((await index.estimate()).total).toBe(total);
  });
});
