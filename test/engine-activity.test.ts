// What an engine tells about itself: metrics, channels, the slowest queries.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/api/search-engine.js";
import { copyParams } from "../src/input/read-params.js";
import { PhaseClock, SlowQueries, type SlowQuery } from "../src/state/engine-activity.js";
import { nodeDisk } from "../src/storage/store.js";
import { DEFAULT_LIMITS } from "../src/util/limits.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";

const titles = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    id: from + i,
    title: `drill ${from + i}`,
    brand: i % 2 ? "Hem" : "Volt",
  }));

async function shop(records = titles(10)) {
  const engine = new SearchEngine({ embedder: false });
  const index = await engine.createIndex("shop");
  await index.addRecords(records);
  return { engine, index };
}

/** What a channel says while `work` runs. */
async function hear(name: string, work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const heard: Record<string, unknown>[] = [];
  const listen = (message: unknown): void => void heard.push(message as Record<string, unknown>);
  subscribe(`tandem-search:${name}`, listen);
  try {
    await work();
  } finally {
    unsubscribe(`tandem-search:${name}`, listen);
  }
  return heard;
}

describe("metrics", () => {
  it("count queries and writes of engine and handles, refused ones too", async () => {
    const { engine, index } = await shop();
    await index.query({ query: "drill" });
    await engine.query("shop", { query: "drill" });
    await rejectionOf(engine.query("shop", { query: "drill", page: 0 }));
    await rejectionOf(engine.query("nowhere", { query: "drill" }));
    await engine.deleteRecords("shop", [1, 2, 99]);
    await rejectionOf(engine.addRecords("nowhere", titles(1)));
    const { queries, writes, indexes } = engine.metrics();
    expect([queries.total, queries.failed]).toEqual([4, 2]);
    expect(writes).toEqual({ total: 3, failed: 1, records: 12 });
    expect(indexes).toEqual([{ name: "shop", records: 8, bytes: (await index.estimate()).total }]);
  });

  it("sort durations into a histogram that adds up", async () => {
    const { engine } = await shop();
    for (let i = 0; i < 20; i++) await engine.query("shop", { query: "drill" });
    const { bounds, counts, sum } = engine.metrics().queries.durations;
    expect(counts).toHaveLength(bounds.length + 1);
    expect(counts.reduce((total, count) => total + count)).toBe(20);
    expect(sum).toBeGreaterThan(0);
    expect([...bounds].sort((a, b) => a - b)).toEqual(bounds);
  });

  it("stay after close, without indexes", async () => {
    const { engine } = await shop();
    await engine.close();
    await rejectionOf(engine.query("shop", { query: "drill" }));
    const { queries, writes, indexes } = engine.metrics();
    expect([queries.failed, writes.records, indexes]).toEqual([1, 10, []]);
  });

  it("do not load an index of a data folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tandem-metrics-"));
    const first = await SearchEngine.open({ dataDir: folder, embedder: false });
    await (await first.createIndex("shop")).addRecords(titles(5));
    await first.close();
    const second = await SearchEngine.open({ dataDir: folder, embedder: false });
    expect(second.metrics().indexes).toEqual([{ name: "shop", records: 5, bytes: 0 }]);
    await second.query("shop", { query: "drill" });
    expect(second.metrics().indexes[0]!.bytes).toBeGreaterThan(0);
    await second.close();
    rmSync(folder, { recursive: true });
  });
});

describe("channels", () => {
  it("tell each query and each write once", async () => {
    const { engine, index } = await shop();
    const queries = await hear("query", async () => {
      await index.query({ query: "drill", hitsPerPage: 1 });
      await rejectionOf(engine.query("nowhere", { query: "drill" }));
    });
    const clockless = ({ milliseconds, ...rest }: Record<string, unknown>) => rest;
    expect(queries.map(clockless)).toEqual([
      { indexName: "shop", nbHits: 10 },
      { indexName: "nowhere", nbHits: 0, error: "index_not_found" },
    ]);
    const writes = await hear("write", () => engine.deleteBy("shop", { filters: { brand: "Hem" } }));
    expect(writes.map(clockless)).toEqual([{ indexName: "shop", verb: "deleteBy", records: 5 }]);
    // The channels are those of the process: a merge in the background would be heard by the next test.
    await index.whenIdle();
  });

  it("tell the text of a query, in either form, which is not written into a log by accident", async () => {
    const { index } = await shop();
    const heard = await hear("query", async () => {
      await index.query({ query: " drill  5 " });
      await index.query({ params: "query=hem+drill&hitsPerPage=2" });
      await index.query({ query: "" });
      await rejectionOf(index.query({ query: "drill", filters: "nothing:1" }));
      await rejectionOf(index.query({ query: "drill", page: 0 }));
    });
    expect(heard.map(({ query, nbHits }) => [query, nbHits])).toEqual([
      [" drill  5 ", 1],
      ["hem drill", 5],
      ["", 10],
      ["drill", 0],
      [undefined, 0],
    ]);
    expect(Object.keys(heard[0]!)).toEqual(["indexName", "milliseconds", "nbHits"]);
    expect(JSON.stringify(heard)).not.toContain("drill");
  });

  it("tell what a merge made", async () => {
    const { engine, index } = await shop();
    const merges = await hear("merge", async () => {
      for (let i = 1; i < 9; i++) await engine.addRecords("shop", titles(10, 10 * i));
      await index.whenIdle();
    });
    const [{ indexName, records, bytes, error }] = merges as [Record<string, unknown>];
    expect([indexName, records, error]).toEqual(["shop", 80, undefined]);
    expect(bytes).toBeGreaterThan(1000);
  });

  it("tell each file of a segment, and the failure to write one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tandem-flush-"));
    const disk = { ...nodeDisk, sizes: { ...nodeDisk.sizes, inlineBytes: 1 } };
    const engine = await SearchEngine.openOn(disk, { dataDir: folder, embedder: false });
    await engine.createIndex("shop");
    const [flush, ...others] = await hear("flush", () => engine.addRecords("shop", titles(30)));
    expect([flush!.indexName, flush!.records, others]).toEqual(["shop", 30, []]);
    expect(flush!.bytes).toBeGreaterThan(1000);
    await engine.close();
    rmSync(folder, { recursive: true });
  });
});

describe("slow queries", () => {
  it("are the queries that ran, with their parameters and phases", async () => {
    const { engine } = await shop();
    const params = { query: "drill", filters: { brand: "Hem" }, facets: ["brand"], hitsPerPage: 3 };
    await engine.query("shop", params);
    await engine.query("shop", { params: "query=drill&page=2" });
    await rejectionOf(engine.query("shop", { query: "drill", page: 0 }));
    const slow = engine.slowQueries();
    expect(slow.map((query) => query.params)).toContainEqual(params);
    expect(slow.map((query) => query.params)).toContainEqual({ params: "query=drill&page=2" });
    expect(slow).toHaveLength(2);
    const { indexName, milliseconds, phases } = slow.find((query) => "filters" in query.params)!;
    expect(indexName).toBe("shop");
    expect(Object.keys(phases).sort()).toEqual(["embed", "facets", "parse", "prepare", "rank", "shape"]);
    expect(Object.values(phases).reduce((sum, time) => sum + time)).toBeLessThanOrEqual(milliseconds);
  });

  it("keep nothing of the caller's, and give nothing away", async () => {
    const { engine } = await shop();
    const params = { query: "drill", facets: ["brand"] };
    const asked = engine.query("shop", params);
    params.facets[0] = "changed";
    await asked;
    (engine.slowQueries()[0]!.params as { query: string }).query = "changed";
    expect(engine.slowQueries()[0]!.params).toEqual({ query: "drill", facets: ["brand"] });
  });

  it("are the 20 slowest of the last hour, whatever came since", () => {
    const slow = new SlowQueries();
    const minute = 60_000;
    const add = (at: number, milliseconds: number) =>
      slow.add(at, { indexName: "shop", params: {}, milliseconds, clock: new PhaseClock() });
    const times = (now: number) => slow.list(now).map(({ milliseconds }) => milliseconds);
    for (let i = 0; i < 200; i++) add(i * 100, (i * 37) % 200);
    expect(times(minute)).toEqual(Array.from({ length: 20 }, (_, i) => 199 - i));
    add(30 * minute, 150.5);
    add(59 * minute, 500);
    expect(times(59 * minute).slice(0, 2)).toEqual([500, 199]);
    expect(times(61 * minute)).toEqual([500, 150.5]);
    expect(times(100 * minute)).toEqual([500]);
    expect(times(200 * minute)).toEqual([]);
    add(300 * minute, 1);
    expect(times(300 * minute)).toEqual([1]);
  });

  it("bound what they copy", () => {
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    const given = {
      query: "x".repeat(5000),
      vector: Array.from({ length: 384 }, () => 1),
      floats: new Float32Array(4),
      map: new Map(),
      filters: { price: { lt: 5 }, brand: seq(200, (i) => `b${i}`) },
      circle,
    };
    const slow = new SlowQueries();
    const params = copyParams(given, DEFAULT_LIMITS);
    slow.add(0, { indexName: "shop", params, milliseconds: 1, clock: new PhaseClock() });
    const [{ params: copy }] = slow.list(0) as [SlowQuery];
    expect(copy).toMatchObject({
      query: "… (a text of 5000 characters)",
      vector: "… (a list of 384)",
      floats: "… (an object)",
      map: "… (an object)",
      filters: { price: { lt: 5 }, brand: "… (a list of 200)" },
      circle: { again: "… (an object)" },
    });
    expect(JSON.stringify(copy).length).toBeLessThan(5000);
  });
});
