// What replaces the whole content of an index: new settings, all new records. The old version answers meanwhile, and stays
// when anything fails.

import { describe, expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchWarning,
} from "../src/index.js";
import { nextTurn } from "../src/util/tasks.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "drill", body: "for wood", brand: "Volt" },
  { id: 2, title: "sofa", body: "drill beside it", brand: "Hem" },
  { id: 3, title: "lamp", brand: "Hem" },
];

async function made(settings: IndexSettings = {}) {
  const embedder = new AxisEmbedder();
  const engine = new SearchEngine({ embedder });
  const index = await engine.createIndex("shop", settings);
  await index.addRecords(RECORDS);
  embedder.batches.length = 0;
  return { engine, index, embedder };
}

/** What an index shows: records, answers and settings. */
async function pictureOf(index: SearchIndex): Promise<unknown> {
  const answers: unknown[] = [];
  for (const query of ["", "drill", "sofa for wood"]) {
    const { hits, nbHits } = (await index.query({ query, facets: ["brand"] })).data;
    answers.push([nbHits, hits]);
  }
  return [answers, await index.getSettings(), index.recordCount];
}

/** Makes the embedder wait, or fail, once asked; tells when it was asked. */
function holdUp(embedder: AxisEmbedder, failing = false) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    embedder.wait = async ({ purpose }) => {
      if (purpose === "query") return;
      resolve();
      await released;
      if (failing) throw new Error("out of order");
    };
  });
  return { asked, release };
}

it.each<[string, (index: SearchIndex) => Promise<unknown>]>([
  ["new settings", (index) => index.updateSettings({ embeddedAttributes: ["body"] })],
  ["all new records", (index) => index.replaceAllRecords([{ id: 9, title: "lamp", brand: "New" }])],
])("%s let the old version answer meanwhile", async (_, change) => {
  const { index, embedder } = await made();
  const before = await pictureOf(index);
  const { asked, release } = holdUp(embedder);
  const changed = change(index);
  await asked;
  expect(await pictureOf(index)).toEqual(before);
  release();
  await changed;
  expect(await pictureOf(index)).not.toEqual(before);
});

describe("new settings", () => {
  it("are in force when the promise resolves, beside those that stay", async () => {
    const { index } = await made({ idAttribute: "id", searchableAttributes: ["title"] });
    const found = async () => (await index.query({ query: "wood", semanticWeight: 0 })).data.nbHits;
    expect(await found()).toBe(0);
    await index.updateSettings({ searchableAttributes: ["title", "body"] });
    expect(await found()).toBe(1);
    const { settings, effective } = await index.getSettings();
    expect(settings).toEqual({ embedder: "axes-1", idAttribute: "id", searchableAttributes: ["title", "body"] });
    expect(effective.searchableAttributes).toEqual(["title", "body"]);
  });

  it("make of an index what creating it with them makes", async () => {
    const settings = { searchableAttributes: ["body"], customRanking: ["desc(brand)"], analyzer: "plain" } as const;
    const { index } = await made();
    await index.updateSettings(settings);
    expect(await pictureOf(index)).toEqual(await pictureOf((await made(settings)).index));
  });

  it("change nothing when the embedder fails, when they are wrong, when the call is given up, or do not fit", async () => {
    const { index, embedder } = await made();
    const before = await pictureOf(index);
    holdUp(embedder, true).release();
    expect((await rejectionOf(index.updateSettings({ embeddedAttributes: ["body"] }))).code).toBe(502);
    embedder.wait = async () => {};
    expect((await rejectionOf(index.updateSettings({ matchingRatio: 2 }))).code).toBe(400);
    expect((await rejectionOf(index.updateSettings({ idAttribute: "brand" }))).error).toBe("settings_do_not_fit");
    const signal = AbortSignal.abort();
    expect((await rejectionOf(index.updateSettings({ distinct: false }, { signal }))).code).toBe(499);
    expect(await pictureOf(index)).toEqual(before);
  });

  it("may name an attribute for vectors that no record has, whatever it is called", async () => {
    const { index } = await made({ embedder: false });
    await index.updateSettings({ vectorAttribute: "constructor", dimensions: 2 });
    expect(index.recordCount).toBe(3);
  });

  it("keep the vectors of texts that stay as they are", async () => {
    const { index, embedder } = await made();
    await index.updateSettings({ customRanking: ["asc(brand)"] });
    expect(embedder.takeTexts()).toEqual([]);
  });

  it("take their turn among writers: what was read by the old ones is refused, and may be called again", async () => {
    const { index } = await made();
    const changed = index.updateSettings({ attributesForFaceting: ["brand"] });
    const added = index.addRecords([{ id: 4, title: "saw" }]);
    await changed;
    expect(await rejectionOf(added)).toMatchObject({ code: 409, error: "settings_changed" });
    expect(await index.addRecords([{ id: 4, title: "saw" }])).toEqual({ added: 1, replaced: 0 });
  });

  it("make no difference to a replacement by records that are refused for themselves", async () => {
    const { index } = await made();
    const changed = index.updateSettings({ attributesForFaceting: ["brand"] });
    const replaced = index.replaceAllRecords([{ title: "no id" }]);
    await changed;
    expect(await rejectionOf(replaced)).toMatchObject({ code: 400 });
  });

  it("hold the records of writers before them", async () => {
    const { index } = await made();
    const added = index.addRecords([{ id: 4, title: "saw" }]);
    await index.updateSettings({ analyzer: "plain" });
    await added;
    expect(index.recordCount).toBe(4);
  });
});

describe("all new records", () => {
  const NEW = [
    { id: 9, title: "lamp", brand: "New" },
    { id: 1, title: "drill", brand: "New" },
  ];

  it("are all there is when the promise resolves", async () => {
    const { index } = await made();
    expect(await index.replaceAllRecords(NEW)).toEqual({ added: 2, replaced: 0 });
    const { hits, facets } = (await index.query({ query: "", facets: ["brand"] })).data;
    expect([hits.map(({ id }) => id), facets!.brand]).toEqual([["1", "9"], [{ value: "New", count: 2 }]]);
  });

  it("change nothing when the embedder fails or one of them is wrong", async () => {
    const { index, embedder } = await made();
    const before = await pictureOf(index);
    expect((await rejectionOf(index.replaceAllRecords([...NEW, { title: "no id" }]))).code).toBe(400);
    holdUp(embedder, true).release();
    expect((await rejectionOf(index.replaceAllRecords([{ id: 1, title: "another drill" }]))).code).toBe(502);
    embedder.wait = async () => {};
    expect(await pictureOf(index)).toEqual(before);
  });

  it("keep the vectors of texts that stay as they are", async () => {
    const { index, embedder } = await made();
    await index.replaceAllRecords([RECORDS[0]!, { ...RECORDS[1]!, title: "lamp" }]);
    expect(embedder.takeTexts()).toHaveLength(1);
  });

  it("may be none, and may be followed by others", async () => {
    const { index } = await made();
    expect(await index.replaceAllRecords([])).toEqual({ added: 0, replaced: 0 });
    await index.addRecords(NEW);
    expect(index.recordCount).toBe(2);
  });

  it("come after the calls before them, and beside those after them", async () => {
    const { index } = await made();
    const calls = [index.addRecords([{ id: 7 }]), index.replaceAllRecords(NEW), index.deleteRecords([9])];
    const results = await Promise.all([...calls, index.addRecords([{ id: 8 }])]);
    // The old version had no record 9.
    expect(results).toEqual([
      { added: 1, replaced: 0 },
      { added: 2, replaced: 0 },
      { deleted: 0 },
      { added: 1, replaced: 0 },
    ]);
    const { hits } = (await index.query({ query: "" })).data;
    expect(hits.map(({ id }) => id)).toEqual(["1", "8"]);
  });
});

describe("calls beside a replacement of all records", () => {
  const OLD: readonly JsonRecord[] = [
    { id: "both", title: "drill", stock: 5, tags: ["old"] },
    { id: "gone", title: "sofa", stock: 1 },
    { id: "text", title: "lamp", stock: 2 },
  ];
  const NEW: readonly JsonRecord[] = [
    { id: "both", title: "drill", stock: 100, price: 7 },
    { id: "fresh", title: "sofa", stock: 10, brand: "Hem" },
    { id: "text", title: "lamp", stock: "many", brand: "Volt" },
  ];

  /** An index whose records are being replaced: the embedder holds that up until `release`. */
  async function replacing(newer: readonly JsonRecord[] = NEW, options: { readonly signal?: AbortSignal } = {}) {
    const warnings: SearchWarning[] = [];
    const embedder = new AxisEmbedder();
    const onWarning = (warning: SearchWarning) => void warnings.push(warning);
    const engine = new SearchEngine({ embedder, onWarning, limits: { indexRecords: 20 } });
    const index = await engine.createIndex("shop", { embeddedAttributes: ["title"] });
    await index.addRecords(OLD);
    const { asked, release } = holdUp(embedder);
    const replaced = index.replaceAllRecords([...newer, { id: "held up", title: "drill sofa" }], options);
    await asked;
    // What is written beside it has texts of its own, for which the embedder is not asked.
    embedder.wait = async ({ purpose }) => {
      if (purpose === "record") throw new Error("no text is embedded twice");
    };
    return { engine, index, embedder, replaced, release, warnings };
  }

  async function recordsOf(index: SearchIndex): Promise<JsonRecord[]> {
    const records: JsonRecord[] = [];
    for await (const record of index.browseRecords()) records.push(record);
    return records;
  }

  const HELD_UP = { id: "held up", title: "drill sofa" };

  it("are answered at once, as the old version has it, and repeated on the new one", async () => {
    const { index, replaced, release, warnings } = await replacing();
    expect(await index.addRecords([{ id: "added", brand: "Hem" }])).toEqual({ added: 1, replaced: 0 });
    expect(await index.addRecords([{ id: "fresh", title: "", stock: 1 }])).toEqual({ added: 1, replaced: 0 });
    const sold = { id: "both", stock: { _operation: "Decrement", value: 2 } };
    const tagged = { id: "both", tags: { _operation: "Add", value: "beside" } };
    expect(await index.updateRecords([sold, tagged])).toEqual({ added: 0, replaced: 1 });
    expect(await index.updateRecords([{ id: "made", stock: 3 }])).toEqual({ added: 1, replaced: 0 });
    expect(await index.updateRecords([{ id: "made", stock: { _operation: "Increment", value: 4 } }])).toEqual({
      added: 0,
      replaced: 1,
    });
    expect(await index.deleteRecords(["added", "nobody"])).toEqual({ deleted: 1 });
    expect(await recordsOf(index)).toEqual([
      { id: "both", title: "drill", stock: 3, tags: ["old", "beside"] },
      { id: "fresh", title: "", stock: 1 },
      { id: "gone", title: "sofa", stock: 1 },
      { id: "made", stock: 7 },
      { id: "text", title: "lamp", stock: 2 },
    ]);
    release();
    expect(await replaced).toEqual({ added: 4, replaced: 0 });
    expect(await recordsOf(index)).toEqual([
      { id: "both", title: "drill", stock: 98, price: 7, tags: ["beside"] },
      { id: "fresh", title: "", stock: 1 },
      HELD_UP,
      { id: "made", stock: 7 },
      { id: "text", title: "lamp", stock: "many", brand: "Volt" },
    ]);
    expect(warnings).toEqual([]);
  });

  it("are kept from the moment of the call, also while the records are read", async () => {
    const { index } = await made({ embedder: false });
    const many = seq(5000, (i) => ({ id: 100 + i, title: "drill" }));
    const replaced = index.replaceAllRecords(many);
    const added = index.addRecords([{ id: "beside" }]);
    await Promise.all([replaced, added]);
    expect(index.recordCount).toBe(5001);
  });

  it("judge a filter on each version by itself", async () => {
    const { index, replaced, release, warnings } = await replacing();
    expect(await index.deleteBy({ filters: "stock < 3" })).toEqual({ deleted: 2 });
    expect(await index.deleteBy({ filters: { title: "sofa" } })).toEqual({ deleted: 0 });
    release();
    await replaced;
    expect((await recordsOf(index)).map(({ id }) => id)).toEqual(["both", "held up", "text"]);
    expect(warnings).toEqual([]);
  });

  it("are left out of the new version where they do not fit it, which is told once", async () => {
    const { index, replaced, release, warnings } = await replacing();
    // Records of the old version that the new one lacks, or of which an operation is not possible there.
    expect(await index.updateRecords([{ id: "gone", stock: 8 }])).toEqual({ added: 0, replaced: 1 });
    const sold = { id: "text", stock: { _operation: "Decrement", value: 1 } };
    expect(await index.updateRecords([sold, { id: "both", price: 9 }])).toEqual({ added: 0, replaced: 2 });
    // No record of the new version has such an attribute, so everything would pass.
    expect(await index.deleteBy({ filters: { NOT: { tags: "old" } } })).toEqual({ deleted: 2 });
    // Was left out of the old version, as the call asked, but the new one has it.
    const unknown = await index.updateRecords([{ id: "fresh", stock: 1 }], { createIfNotExists: false });
    expect(unknown).toEqual({ added: 0, replaced: 0 });
    // Was refused.
    const wrong = [{ id: "both", title: { _operation: "Add", value: "a" } }] as const;
    expect((await rejectionOf(index.updateRecords(wrong))).code).toBe(400);
    const { skipped } = await index.updateRecords([...wrong, { id: "both", stock: 50 }], { onInvalid: "skip" });
    expect(skipped).toHaveLength(1);
    release();
    await replaced;
    expect(await recordsOf(index)).toEqual([
      { id: "both", title: "drill", stock: 50, price: 9 },
      { id: "fresh", title: "sofa", stock: 1, brand: "Hem" },
      HELD_UP,
      { id: "text", title: "lamp", stock: "many", brand: "Volt" },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(["change_left_out"]);
    expect(warnings[0]!.message).toContain("update of gone, update of text, deleteBy (");
  });

  it("make a record anew that was deleted and made again", async () => {
    const { index, replaced, release, warnings } = await replacing();
    await index.deleteRecords(["gone"]);
    await index.updateRecords([{ id: "gone", stock: 3 }]);
    release();
    await replaced;
    expect((await index.getRecords(["gone"]))[0]).toEqual({ id: "gone", stock: 3 });
    expect(warnings).toEqual([]);
  });

  it.each(["fails", "is aborted"])("stand on the old version when the replacement %s", async (how) => {
    const control = new AbortController();
    const { index, replaced, release, embedder } = await replacing(NEW, { signal: control.signal });
    await index.addRecords([{ id: "added" }]);
    await index.updateRecords([{ id: "both", stock: 1 }]);
    await index.deleteRecords(["gone"]);
    if (how === "is aborted") control.abort();
    // As many as the old version may have, and more than the new one.
    else await index.addRecords(seq(17, (i) => ({ id: i })));
    release();
    expect((await rejectionOf(replaced)).code).toBe(how === "fails" ? 507 : 499);
    const records = await recordsOf(index);
    expect(records.filter(({ id }) => typeof id === "string")).toEqual([
      { id: "added" },
      { id: "both", title: "drill", stock: 1, tags: ["old"] },
      { id: "text", title: "lamp", stock: 2 },
    ]);
    embedder.wait = async () => {};
    await index.replaceAllRecords(NEW);
    expect(await recordsOf(index)).toEqual(NEW);
  });

  it("are all that goes on: others wait, in the order of the calls", async () => {
    const { engine, index, replaced, release, embedder } = await replacing();
    embedder.wait = async () => {};
    const order: string[] = [];
    const told = <T>(what: string, call: Promise<T>) => call.then(() => void order.push(what));
    const calls = [
      told("replaced", replaced),
      told("beside", index.addRecords([{ id: "beside" }])),
      told("copied", engine.copyIndex("shop", "copy")),
      told("after the copy", index.deleteRecords(["beside"])),
      told("settled", index.updateSettings({ customRanking: ["desc(stock)"] })),
      told("replaced again", index.replaceAllRecords([{ id: "last" }])).catch(() => void order.push("refused")),
      told("cleared", index.clearIndex()),
      told("deleted", index.deleteBy({ filters: "stock = 1" })),
    ];
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(order).toEqual(["beside"]);
    release();
    await Promise.all(calls);
    // What was read under the old settings is refused, as ever.
    expect(order.indexOf("replaced again")).toBe(-1);
    expect(order.filter((what) => what !== "replaced")).toEqual([
      "beside",
      "copied",
      "after the copy",
      "settled",
      "refused",
      "cleared",
      "deleted",
    ]);
    expect(engine.index("copy").recordCount).toBe(5);
    expect(index.recordCount).toBe(0);
  });

  it("wait where too much would have to be kept", async () => {
    const { index, embedder } = await made();
    const { asked, release } = holdUp(embedder);
    const replaced = index.replaceAllRecords([{ id: "held up", title: "lamp sofa" }]);
    await asked;
    embedder.wait = async () => {};
    const filler = "-".repeat(90_000);
    // 36 MB; 32 MB are kept.
    for (let batch = 0; batch < 4; batch++) await index.addRecords(seq(100, (i) => ({ id: 100 * batch + i, filler })));
    let isLate = true;
    const late = index.addRecords([{ id: "late" }]).then(() => {
      isLate = false;
    });
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(isLate).toBe(true);
    release();
    await Promise.all([late, replaced]);
    expect(index.recordCount).toBe(402);
  });

  it("are repeated in their order, however many change one record", async () => {
    const { index, replaced, release, warnings } = await replacing();
    const sold = { id: "both", stock: { _operation: "Decrement", value: 1 } } as const;
    for (let call = 0; call < 100; call++) await index.updateRecords([sold]);
    await index.updateRecords([{ id: "both", stock: { _operation: "Increment", value: 0.5 } }]);
    await Promise.all(seq(20, (i) => index.updateRecords([{ id: "both", [`call${i}`]: i }, sold])));
    release();
    await replaced;
    const [both] = await index.getRecords(["both"]);
    const calls = Object.fromEntries(seq(20, (i) => [`call${i}`, i]));
    expect(both).toEqual({ id: "both", title: "drill", stock: -19.5, price: 7, ...calls });
    expect(warnings).toEqual([]);
  });

  it("are beside one replacement after the other", async () => {
    const { index, embedder } = await made();
    const first = holdUp(embedder);
    const replacements = [index.replaceAllRecords([{ id: "first", title: "lamp sofa" }])];
    await first.asked;
    await index.addRecords([{ id: "beside the first" }]);
    const second = holdUp(embedder);
    replacements.push(index.replaceAllRecords([{ id: "second", title: "lamp drill" }]));
    const added = index.addRecords([{ id: "beside the second" }]);
    first.release();
    await replacements[0];
    await second.asked;
    expect(await added).toEqual({ added: 1, replaced: 0 });
    expect((await recordsOf(index)).map(({ id }) => id)).toEqual(["beside the first", "beside the second", "first"]);
    second.release();
    await replacements[1];
    expect((await recordsOf(index)).map(({ id }) => id)).toEqual(["beside the second", "second"]);
  });

  it("do not wait for a flush, which waits for the replacement", async () => {
    const { engine, index, replaced, release } = await replacing();
    let isFlushed = false;
    const flushed = engine.flush().then(() => {
      isFlushed = true;
    });
    await index.addRecords([{ id: "added" }]);
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(isFlushed).toBe(false);
    release();
    await Promise.all([replaced, flushed]);
  });

  it("end with the index", async () => {
    const { engine, index, replaced, release } = await replacing();
    await index.addRecords([{ id: "added" }]);
    const refused = rejectionOf(replaced);
    const deleted = engine.deleteIndex("shop");
    release();
    await deleted;
    expect((await refused).error).toBe("index_not_found");
  });
});
