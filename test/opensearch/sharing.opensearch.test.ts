// Engines of one cluster share its indexes: what one writes the others show after a look, what several write at once is all there, and
// what comes too late is refused.

import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { Engine } from "../../src/api/engine.js";
import type { JsonRecord } from "../../src/index.js";
import type { OpenSearchEngine } from "../../src/opensearch.js";
import { allOf } from "../support/all-of.js";
import { askNode, clusterEngines, NODE, physicalsOf } from "../support/cluster-engines.js";
import { countingProxy } from "../support/counting-proxy.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { WordEmbedder } from "../support/word-embedder.js";
import { expectAlike as expectSame, heldAt } from "./two-engines.js";

const { open, prefix } = clusterEngines();
const RECORDS: readonly JsonRecord[] = seq(20, (id) => ({ id, title: `drill ${id}`, brand: id % 2 ? "Volt" : "Hem" }));
const INCREMENT = { _operation: "Increment", value: 1 } as const;

const both = async (): Promise<readonly [OpenSearchEngine, OpenSearchEngine]> => [await open(), await open()];
const idsOf = async (engine: Engine, name: string): Promise<unknown[]> =>
  (await allOf(engine.browseRecords(name))).map(({ id }) => id);

const expectAlike = (name: string, engines: readonly OpenSearchEngine[], options?: object) =>
  expectSame(open, name, engines, options);

describe("what one engine writes", () => {
  it("shows in it at once, and in the other after refresh, at equal positions", async () => {
    const [one, other] = await both();
    await one.createIndex("shared");
    await other.refresh();
    for (let i = 0; i < 6; i++) {
      const [writer, reader] = i % 2 === 0 ? [one, other] : [other, one];
      await writer.addRecords("shared", [{ id: i, title: `drill ${i}` }]);
      expect((await writer.query("shared", { query: "drill" })).data.nbHits).toBe(i + 1);
      await reader.refresh({ atLeast: writer.position() });
      expect(await reader.getRecords("shared", [i])).toEqual([{ id: i, title: `drill ${i}` }]);
      expect(reader.position()).toBe(writer.position());
    }
    await other.replaceAllRecords("shared", RECORDS);
    await one.refresh({ atLeast: other.position() });
    expect(await one.deleteBy("shared", { filters: { brand: "Volt" } })).toEqual({ deleted: 10 });
    await one.updateSettings("shared", { searchableAttributes: ["brand"] });
    await other.refresh({ atLeast: one.position() });
    expect((await other.query("shared", { query: "hem" })).data.nbHits).toBe(10);
    await expectAlike("shared", [one, other]);
  });

  it("shows in the other by itself", async () => {
    const [one, other] = [await open(), await open({ refreshIntervalMs: 20 })];
    await one.createIndex("by-itself");
    await one.addRecords("by-itself", RECORDS);
    await vi.waitUntil(() => other.index("by-itself").recordCount === RECORDS.length, { timeout: 60_000 });
  });

  it("is found by the name of an index that the other has not seen; where there is none, that is 404", async () => {
    const [one, other] = await both();
    const [unseen, none] = [other.index("unseen"), other.index("none")];
    await one.createIndex("unseen");
    await one.addRecords("unseen", RECORDS);
    expect(unseen.recordCount).toBe(0);
    expect((await unseen.query({ query: "drill" })).data.nbHits).toBe(20);
    expect([unseen.name, unseen.recordCount]).toEqual(["unseen", 20]);
    expect(await rejectionOf(none.query({ query: "drill" }))).toMatchObject({ code: 404, error: "index_not_found" });
    expect(await rejectionOf(allOf(none.browseRecords()))).toMatchObject({ code: 404, error: "index_not_found" });
  });

  it("is seen by the handles of a name to which another index was moved or copied", async () => {
    const [one, other] = await both();
    for (const name of ["live", "next"]) await one.createIndex(name);
    await one.addRecords("next", RECORDS);
    await other.refresh();
    const handle = other.index("live");
    await one.moveIndex("next", "live");
    await other.refresh();
    expect((await handle.query({ query: "drill" })).data.nbHits).toBe(20);
    expect(await handle.addRecords([{ id: "new" }])).toEqual({ added: 1, replaced: 0 });
    expect(await rejectionOf(other.query("next", { query: "" }))).toMatchObject({ code: 404 });
    await expectAlike("live", [one, other]);
  });
});

describe("what two engines change at once", () => {
  it("is deleted by a filter once, and not if it passes no more", async () => {
    const engines = await both();
    await engines[0].createIndex("filtered");
    await engines[0].addRecords("filtered", RECORDS);
    await engines[1].refresh();
    const deleted = await Promise.all(engines.map((each) => each.deleteBy("filtered", { filters: { brand: "Volt" } })));
    expect(deleted[0]!.deleted + deleted[1]!.deleted).toBe(10);
    // The other one has not seen this.
    await engines[0].updateRecords("filtered", [{ id: 2, brand: "Volt" }]);
    expect(await engines[1].deleteBy("filtered", { filters: { brand: "Hem" } })).toEqual({ deleted: 9 });
    await expectAlike("filtered", engines);
    expect(await idsOf(engines[1], "filtered")).toEqual([2]);
  });

  it("is told of where it is changed again and again: 409, and the records that were written", async () => {
    const other = await open();
    await other.createIndex("contested");
    const proxy = await countingProxy(NODE, async (url) => {
      if (url.includes("_bulk")) await other.addRecords("contested", [{ id: "one", stock: 7 }]);
    });
    const one = await open({ nodes: [proxy.url], requestTimeoutMs: 1000 });
    const update = one.updateRecords("contested", [
      { id: "one", stock: INCREMENT },
      { id: "two", stock: INCREMENT },
    ]);
    expect(await rejectionOf(update)).toMatchObject({
      ...{ code: 409, error: "version_conflict", details: { recordIds: ["one"] } },
    });
    await proxy.close();
    await other.refresh();
    expect(await other.getRecords("contested", ["one", "two"])).toMatchObject([{ stock: 7 }, { stock: 1 }]);
  });

  it("holds for all settings, and for those of createIndex", async () => {
    const engines = await both();
    await engines[0].createIndex("settled");
    await engines[0].addRecords("settled", RECORDS);
    await engines[1].refresh();
    await Promise.all([
      engines[0].updateSettings("settled", { matching: "all" }),
      engines[1].updateSettings("settled", { stopWords: false }),
      engines[0].updateSettings("settled", { searchableAttributes: ["brand", "title"] }),
      engines[1].createIndex("settled", { matchingRatio: 0.5 }, { ifExists: "update" }),
    ]);
    await expectAlike("settled", engines);
    expect((await engines[0].getSettings("settled")).settings).toEqual({
      ...{
        embedder: false,
        matching: "all",
        stopWords: false,
        searchableAttributes: ["brand", "title"],
        matchingRatio: 0.5,
      },
    });
  });

  it.each([
    "error",
    "open",
    "update",
  ] as const)("is one index where all create it, with ifExists %s", async (ifExists) => {
    const engines = await Promise.all(seq(4, () => open()));
    for (let round = 0; round < 3; round++) {
      const name = `one-${ifExists}-${round}`;
      const outcomes = await Promise.allSettled(engines.map((engine) => engine.createIndex(name, {}, { ifExists })));
      const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.error] : []));
      expect(refused).toEqual(ifExists === "error" ? seq(3, () => "index_exists") : []);
      expect(await physicalsOf(prefix, name)).toHaveLength(1);
      await Promise.all(engines.map((engine, id) => engine.index(name).addRecords([{ id }])));
      await expectAlike(name, engines);
      expect(await idsOf(engines[0]!, name)).toEqual([0, 1, 2, 3]);
    }
  });

  it.each<[string, (engine: OpenSearchEngine, name: string) => Promise<unknown>]>([
    ["by-creating", (engine, name) => engine.createIndex(name)],
    ["by-importing", (engine, name) => engine.importIndex(name, '{"id":"imported"}\n', { format: "records" })],
  ])("is not replaced %s an index that is to be new", async (name, call) => {
    const other = await open();
    let one: OpenSearchEngine | undefined;
    // The other engine makes it at the same time, and this one looks by itself meanwhile.
    one = await heldAt(open, new RegExp(`_-${name}~[^/]*$`), async () => {
      await other.createIndex(name);
      await other.addRecords(name, [{ id: "kept" }]);
      void one!.refresh().catch(() => {});
      await pause(500);
    });
    expect(await rejectionOf(call(one, name))).toMatchObject({ code: 409 });
    expect(await idsOf(await open(), name)).toEqual(["kept"]);
  });

  it("holds for settings that another engine changes right after", async () => {
    const other = await open();
    await other.createIndex("after");
    const one = await heldAt(open, /_mget/, () => other.updateSettings("after", { stopWords: false }));
    await one.updateSettings("after", { matching: "all" });
    await one.updateSettings("after", { matchingRatio: 0.5 });
    await expectAlike("after", [one, other]);
    const { settings } = await other.getSettings("after");
    expect(settings).toEqual({ embedder: false, matching: "all", matchingRatio: 0.5, stopWords: false });
  });

  it("is carried over where one replaces all records, or embeds them anew, while the other writes", async () => {
    const options = { embedders: { "words-1": new WordEmbedder() } };
    const [name, other] = ["carried", await open(options)];
    const write = async (): Promise<void> => {
      await other.addRecords(name, [{ id: "new", title: "lamp" }]);
      await other.updateRecords(name, [{ id: 3, stock: INCREMENT }]);
      await other.deleteRecords(name, [5]);
    };
    for (const embedder of [false, "words-1"] as const)
      for (const call of [
        (engine: OpenSearchEngine) => engine.replaceAllRecords(name, RECORDS),
        (engine: OpenSearchEngine) =>
          engine.updateSettings(name, { embedder: embedder === false ? "words-1" : false } as never),
      ]) {
        await other.createIndex(name, { embedder } as never);
        await other.addRecords(name, RECORDS);
        const one = await heldAt(open, /_-carried~[^/]*$/, write, options);
        await call(one);
        await expectAlike(name, [one, other], options);
        const found = await other.getRecords(name, ["new", 3, 5]);
        expect(found).toMatchObject([{ title: "lamp" }, { title: "drill 3", stock: 1 }, null]);
        expect((await other.query(name, { query: "lamp" })).data.hits[0]?.id).toBe("new");
        await other.deleteIndex(name);
      }
  });
});

describe("who is late, after another engine", () => {
  type Call = (engine: OpenSearchEngine, name: string) => Promise<unknown>;
  const CHANGES: readonly (readonly [string, Call])[] = [
    ["moved the index", (engine, name) => engine.moveIndex(name, `to-${name}`)],
    ["deleted it", (engine, name) => engine.deleteIndex(name)],
    ["replaced all records", (engine, name) => engine.replaceAllRecords(name, [{ id: "replaced" }])],
  ];
  const WRITES: readonly (readonly [string, Call])[] = [
    ["addRecords", (engine, name) => engine.addRecords(name, [{ id: "late" }])],
    ["updateRecords", (engine, name) => engine.updateRecords(name, [{ id: "late", stock: INCREMENT }])],
    ["deleteRecords", (engine, name) => engine.deleteRecords(name, [1])],
    ["replaceAllRecords", (engine, name) => engine.replaceAllRecords(name, [{ id: "late" }])],
    ["updateSettings", (engine, name) => engine.updateSettings(name, { searchableAttributes: ["brand"] })],
  ];
  const CASES = CHANGES.flatMap(([what, change], i) =>
    WRITES.map(([verb, write], j) => ({ what, change, verb, write, name: `late-${i}-${j}` })),
  );
  it.each(CASES)("$what: $verb is refused, or is in the index of that name", async ({ name, change, write }) => {
    const [one, other] = await both();
    await one.createIndex(name);
    await one.addRecords(name, RECORDS);
    await other.refresh();
    await change(one, name);
    const stays = (await one.listIndexes()).some((each) => each.name === name);
    const call = (): Promise<string> =>
      write(other, name).then(
        () => "done",
        ({ error }) => error,
      );
    const REFUSED = ["index_not_found", "settings_changed"];
    const first = await call();
    expect(stays ? ["done", ...REFUSED] : REFUSED).toContain(first);
    // Who is told to call again may do so at once.
    expect(stays ? ["done"] : REFUSED).toContain(first === "done" ? first : await call());
    if (stays) await expectAlike(name, [one, other]);
    else expect((await rejectionOf(one.query(name, { query: "" }))).code).toBe(404);
    if (stays && name.endsWith("-0")) expect(await idsOf(one, name)).toContain("late");
    if (name.startsWith("late-0")) expect(await idsOf(await open(), `to-${name}`)).toHaveLength(RECORDS.length);
    expect(await physicalsOf(prefix, name)).toHaveLength(name.startsWith("late-1") ? 0 : 1);
  });
});

describe("an engine that ended while it held an index for itself", () => {
  it("is waited for as long as a request may take, and then the others go on", async () => {
    const other = await open();
    await other.createIndex("held");
    await other.addRecords("held", RECORDS);
    const proxy = await countingProxy(NODE);
    const one = await open({ nodes: [proxy.url], requestTimeoutMs: 3000 });
    const [physical] = await physicalsOf(prefix, "held");
    const made = `${physical!.slice(0, -12)}0123456789ab`;
    await askNode("PUT", `/${made}`);
    const lock = { index: made, alias: `${physical}~lock`, is_write_index: true };
    await askNode("POST", "/_aliases", { actions: [{ add: lock }] });
    await askNode("PUT", `/${physical}/_block/write`);
    await one.addRecords("held", [{ id: "after" }]);
    expect(proxy.asked.filter((asked) => asked.includes("_bulk")).length).toBeGreaterThan(2);
    await other.refresh();
    await other.replaceAllRecords("held", [{ id: "all" }]);
    await expectAlike("held", [one, other]);
    expect(await idsOf(one, "held")).toEqual(["all"]);
    await proxy.close();
    expect(await physicalsOf(prefix, "held")).toHaveLength(1);
  });

  it("is not mistaken for an operator, whose block stays", async () => {
    await (await open()).createIndex("blocked");
    const one = await open({ requestTimeoutMs: 3000 });
    const [physical] = await physicalsOf(prefix, "blocked");
    await askNode("PUT", `/${physical}/_block/write`);
    expect(await rejectionOf(one.addRecords("blocked", [{ id: 1 }]))).toMatchObject({ code: 502 });
    expect((await one.query("blocked", { query: "" })).data.nbHits).toBe(0);
  });
});
