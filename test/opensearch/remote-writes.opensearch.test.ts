// An index that the cluster searches is written as any other: each verb leaves the records that a map would have, from any process.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine } from "../../src/index.js";
import type { OpenSearchEngine } from "../../src/opensearch.js";
import { allOf } from "../support/all-of.js";
import { askNode, clusterEngines } from "../support/cluster-engines.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { WordEmbedder } from "../support/word-embedder.js";
import { expectAlike, heldAt } from "./two-engines.js";

const { open, prefix } = clusterEngines();
const REMOTE = { search: "remote" } as const;
const INCREMENT = { _operation: "Increment", value: 1 } as const;
const RECORDS: readonly JsonRecord[] = seq(30, (id) => ({ id, title: `drill ${id}`, brand: id % 2 ? "Volt" : "Hem" }));

const recordsOf = (engine: SearchEngine | OpenSearchEngine, name: string): Promise<JsonRecord[]> =>
  allOf(engine.browseRecords(name));

/** What a search of the cluster finds, without an engine. */
async function countIn(name: string, query: object): Promise<number> {
  const [physical] = Object.keys((await askNode("GET", `/${prefix}_-${name}`)) as object);
  return ((await askNode("POST", `/${physical}/_count`, { query })) as { count: number }).count;
}

/** The engine has exactly these records: by browsing, by id, by number, and in the cluster's own search. */
async function expectRecords(engine: OpenSearchEngine, name: string, model: ReadonlyMap<string, JsonRecord>) {
  const ids = [...model.keys()].sort();
  expect(await recordsOf(engine, name)).toEqual(ids.map((id) => model.get(id)));
  expect(await engine.getRecords(name, [...ids, "none"])).toEqual([...ids.map((id) => model.get(id)), null]);
  expect(engine.index(name).recordCount).toBe(model.size);
  expect((await engine.listIndexes()).find((each) => each.name === name)?.records).toBe(model.size);
  expect(await countIn(name, { exists: { field: "id" } })).toBe(model.size);
}

describe.each([1, 2])("the verbs of an index that the cluster searches, on %i shards", (shards) => {
  it("leave what a map would have", async () => {
    const engine = await open({ shards });
    const warned: string[] = [];
    const other = await open({ onWarning: ({ code }) => warned.push(code) });
    const name = `verbs-${shards}`;
    const unseen = other.index(name);
    const index = await engine.createIndex(name, { searchableAttributes: ["title"] }, REMOTE);
    const model = new Map<string, JsonRecord>();
    const put = (records: readonly JsonRecord[]) => records.map((record) => model.set(String(record.id), record));
    expect(await index.addRecords(RECORDS)).toEqual({ added: 30, replaced: 0 });
    put(RECORDS);
    await expectRecords(engine, name, model);
    const odd = ["~x", "\u{1f600}b", "\uff21", "\u{1f600}\uff21", "\uff21\u{1f600}", "x".repeat(500), 'a"b', "A"];
    expect(await unseen.addRecords([{ id: "bare" }])).toEqual({ added: 1, replaced: 0 });
    put([{ id: "bare" }]);
    expect(warned).toEqual([]);
    const newer = ["new", "newer"].map((title) => ({ id: 3, title }));
    const more = [...odd.map((id) => ({ id, title: "odd", "a.b": 1, list: [[1], { c: null }] })), ...newer];
    expect(await unseen.addRecords(more)).toEqual({ added: 8, replaced: 1 });
    put(more);
    await engine.refresh();
    await expectRecords(engine, name, model);
    expect(await index.addRecords([{ id: 1, title: "one" }, { title: "none" }], { onInvalid: "skip" })).toMatchObject({
      ...{ added: 0, replaced: 1, skipped: [{ index: 1, error: "missing_id" }] },
    });
    expect(await rejectionOf(index.addRecords([{ title: "none" }]))).toMatchObject({ code: 400 });
    const increment = { id: 1, stock: INCREMENT };
    const patches = [increment, { id: "up", title: "up" }, increment] as never;
    expect(await index.updateRecords(patches)).toEqual({ added: 1, replaced: 1 });
    put([
      { id: 1, title: "one", stock: 2 },
      { id: "up", title: "up" },
    ]);
    const nothing = { added: 0, replaced: 0 };
    expect(await index.updateRecords([{ id: "no", a: 1 }], { createIfNotExists: false })).toEqual(nothing);
    expect(await index.deleteRecords([0, 5, 5, "none", "~x"])).toEqual({ deleted: 3 });
    expect(await unseen.deleteRecords([5, 0])).toEqual({ deleted: 0 });
    expect(await index.updateRecords([RECORDS[0]!])).toEqual({ added: 1, replaced: 0 });
    expect(await index.deleteRecords([0])).toEqual({ deleted: 1 });
    expect(await index.addRecords([RECORDS[0]!])).toEqual({ added: 1, replaced: 0 });
    for (const id of ["5", "~x"]) model.delete(id);
    expect(await index.deleteBy({ filters: { brand: "Volt" } })).toEqual({ deleted: 12 });
    for (const { id, brand } of [...model.values()]) if (brand === "Volt") model.delete(String(id));
    const refusal = { code: 400, error: "unknown_filter_field" };
    expect(await rejectionOf(index.deleteBy({ filters: { nobodyHas: 1 } }))).toMatchObject(refusal);
    await expectRecords(engine, name, model);
    await engine.updateSettings(name, { searchableAttributes: ["brand"] });
    expect(await countIn(name, { term: { terms: "hem" } })).toBe(15);
    expect(await countIn(name, { term: { terms: "odd" } })).toBe(0);
    await other.refresh();
    await expectRecords(other, name, model);
    expect((await other.getSettings(name)).settings).toEqual({ embedder: false, searchableAttributes: ["brand"] });
    await other.updateSettings(name, { matching: "all" });
    await engine.refresh();
    expect((await engine.getSettings(name)).effective.matching).toBe("all");
    await engine.copyIndex(name, `${name}-copy`);
    expect(await recordsOf(engine, `${name}-copy`)).toEqual(await recordsOf(engine, name));
    await index.deleteRecords([0]);
    await engine.moveIndex(`${name}-copy`, name);
    await expectRecords(engine, name, model);
    expect(await index.replaceAllRecords(RECORDS.slice(0, 3))).toMatchObject({ added: 3 });
    model.clear();
    put(RECORDS.slice(0, 3));
    await expectRecords(engine, name, model);
    expect((await index.estimate()).records).toBe(0);
    await index.clearIndex();
    await expectRecords(engine, name, new Map());
    await engine.deleteIndex(name);
    expect(await rejectionOf(index.addRecords([]))).toMatchObject({ code: 404 });
    await other.refresh();
    expect(() => other.index(name).recordCount).not.toThrow();
    expect(await rejectionOf(unseen.getRecords([1]))).toMatchObject({ code: 404 });
  });
});

it("what tells of deletions is forgotten in every shard, and no record with it", async () => {
  const [engine, other] = [await open({ shards: 3, tombstoneMs: 50 }), await open()];
  await engine.createIndex("forgetful", {}, REMOTE);
  await engine.addRecords("forgetful", RECORDS);
  await other.refresh();
  for (let id = 0; id < 20; id++) {
    await engine.deleteRecords("forgetful", [id]);
    await pause(20);
  }
  await expect.poll(() => countIn("forgetful", { exists: { field: "deleted" } })).toBeLessThan(15);
  await other.addRecords("forgetful", [RECORDS[3]!]);
  await engine.refresh();
  for (const each of [engine, other])
    await expectRecords(
      each,
      "forgetful",
      new Map([3, ...seq(10, (i) => 20 + i)].map((id) => [`${id}`, RECORDS[id]!])),
    );
});

describe("two engines that write to one index", () => {
  it.each(["remote", "replica"] as const)("add up, each increment once, in an index of the form %s", async (search) => {
    const [name, engines] = [`stocks-${search}`, [await open(), await open()] as const];
    await engines[0].createIndex(name, {}, { search });
    await engines[1].refresh();
    const patchesOf = (i: number) => ["one", `other ${i % 3}`].map((id) => ({ id, stock: INCREMENT })) as never;
    const results = await Promise.all(seq(60, (i) => engines[i % 2]!.updateRecords(name, patchesOf(i))));
    const sum = (of: "added" | "replaced"): number => results.reduce((all, each) => all + each[of], 0);
    expect([sum("added"), sum("replaced")]).toEqual([4, 116]);
    if (search === "replica") await expectAlike(open, name, engines);
    expect(await recordsOf(engines[1], name)).toEqual([
      { id: "one", stock: 60 },
      ...seq(3, (i) => ({ id: `other ${i}`, stock: 20 })),
    ]);
  });

  it.each([
    ["replaced as a whole", (engine: OpenSearchEngine) => engine.replaceAllRecords("whole", RECORDS)],
    ["indexed anew", (engine: OpenSearchEngine) => engine.updateSettings("whole", { bm25: { k1: 2, b: 0 } })],
  ])("keep what the other writes while it is %s", async (_, change) => {
    const other = await open();
    await other.createIndex("whole", {}, { ...REMOTE, ifExists: "open" });
    await other.replaceAllRecords("whole", RECORDS);
    const engine = await heldAt(open, /_block\/write/, async () => {
      await other.addRecords(
        "whole",
        [1, "new"].map((id) => ({ id, title: "other" })),
      );
      await other.updateRecords("whole", [{ id: 1, stock: INCREMENT }] as never);
      await other.deleteRecords("whole", [7]);
    });
    await change(engine);
    const kept = RECORDS.filter(({ id }) => id !== 7 && id !== 1);
    const all = [...kept, { id: 1, title: "other", stock: 1 }, { id: "new", title: "other" }];
    for (const each of [engine, other]) {
      await each.refresh();
      await expectRecords(each, "whole", new Map(all.map((record) => [String(record.id), record])));
    }
  });

  it("write on under the settings that the other changed", async () => {
    const [one, other] = [await open(), await open()];
    const index = await one.createIndex("changed", {}, REMOTE);
    await other.refresh();
    await other.updateSettings("changed", { searchableAttributes: ["brand"] });
    await index.addRecords(RECORDS);
    expect(await countIn("changed", { term: { terms: "drill" } })).toBe(0);
    expect(await countIn("changed", { term: { terms: "volt" } })).toBe(15);
    const writes = [
      () => index.deleteRecords([3]),
      () => index.deleteBy({ filters: { id: 5 } }),
      () => index.updateRecords([{ id: 7, stock: INCREMENT }] as never),
      () => index.getRecords([7]),
    ];
    const results: unknown[] = [];
    for (const [b, write] of writes.entries()) {
      await other.refresh();
      await other.updateSettings("changed", { bm25: { k1: 1, b: b / 10 } });
      results.push(await write());
    }
    expect(results).toEqual([{ deleted: 1 }, { deleted: 1 }, { added: 0, replaced: 1 }, [{ ...RECORDS[7], stock: 1 }]]);
    await one.updateSettings("changed", { matching: "all" });
    await other.updateSettings("changed", { titleEvidence: false });
    await one.refresh();
    const { effective } = await one.getSettings("changed");
    expect(effective).toMatchObject({ matching: "all", titleEvidence: false, bm25: { k1: 1, b: 0.3 } });
  });
});

describe("both forms", () => {
  it("are there when an engine with a folder opens again, and by the default of the engine", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "remote-"));
    const first = await open({ dataDir, search: "remote" });
    await first.createIndex("kept", {}, { search: "replica" });
    await first.createIndex("far", {});
    for (const name of ["kept", "far"]) await first.addRecords(name, RECORDS);
    await first.close();
    const again = await open({ dataDir });
    expect((await again.query("kept", { query: "drill" })).data.nbHits).toBe(30);
    expect(await recordsOf(again, "far")).toHaveLength(30);
    expect((await again.index("far").estimate()).records).toBe(0);
    expect((await again.index("kept").estimate()).records).toBeGreaterThan(0);
    await rm(dataDir, { recursive: true, force: true });
  });

  it("stand side by side, and take the place of each other", async () => {
    const [engine, other] = [await open(), await open()];
    const replica = await engine.createIndex("replica");
    const remote = await engine.createIndex("remote", {}, REMOTE);
    await replica.addRecords(RECORDS);
    await remote.addRecords(RECORDS.slice(0, 4));
    await other.refresh({ atLeast: engine.position() });
    expect((await other.query("replica", { query: "drill" })).data.nbHits).toBe(30);
    expect(await rejectionOf(other.digest("remote"))).toMatchObject({ code: 501, error: "not_implemented" });
    const differs = { code: 409, error: "settings_differ", param: "options.search" };
    for (const search of ["remote", "replica"] as const)
      for (const ifExists of ["open", "update"] as const) {
        const name = search === "remote" ? "replica" : "remote";
        expect(await rejectionOf(other.createIndex(name, {}, { search, ifExists }))).toMatchObject(differs);
      }
    const both = rejectionOf(other.createIndex("x", {}, { search: "both" as never }));
    expect(await both).toMatchObject({ code: 400, error: "invalid_option" });
    expect((await other.createIndex("remote", {}, { ifExists: "open" })).recordCount).toBe(4);
    await engine.moveIndex("remote", "replica");
    for (const each of [engine, other]) {
      await each.refresh();
      expect(await rejectionOf(each.digest("replica"))).toMatchObject({ code: 501 });
      expect(each.index("replica").recordCount).toBe(4);
      expect(await each.listIndexes()).toContainEqual({ name: "replica", records: 4 });
    }
    await engine.createIndex("again");
    await engine.addRecords("again", RECORDS);
    await engine.moveIndex("again", "replica");
    for (const each of [engine, other]) {
      await each.refresh();
      expect((await each.query("replica", { query: "drill" })).data.nbHits).toBe(30);
    }
  });

  it("are exported to each other, with vectors too", async () => {
    const embedder = new WordEmbedder();
    const engine = await open({ embedder, search: "remote" });
    const local = new SearchEngine({ embedder, onWarning: () => {} });
    await local.createIndex("shop", { semanticFloor: -1 });
    await local.addRecords("shop", RECORDS);
    await engine.importIndex("shop", local.exportIndex("shop"));
    expect(await countIn("shop", { exists: { field: "near" } })).toBe(30);
    expect((await engine.index("shop").estimate()).records).toBe(0);
    await engine.addRecords("shop", [RECORDS[4]!]);
    const back = new SearchEngine({ embedder, onWarning: () => {} });
    await back.importIndex("shop", engine.exportIndex("shop"));
    expect(await back.digest("shop")).toBe(await local.digest("shop"));
    expect(await allOf(engine.exportIndex("shop"))).toEqual(await allOf(local.exportIndex("shop")));
  });
});
