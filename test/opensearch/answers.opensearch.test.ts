// What an engine makes of a cluster that answers otherwise than it should: nothing is taken for done that was not, nothing is lost, and
// whatever it meets is a SearchError that tells strangers nothing of the cluster.

import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchError } from "../../src/index.js";
import type { OpenSearchEngine } from "../../src/opensearch.js";
import { allOf } from "../support/all-of.js";
import { askNode, clusterEngines, NODE, physicalsOf } from "../support/cluster-engines.js";
import { countingProxy, type ProxyAnswer } from "../support/counting-proxy.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";

const { open, prefix } = clusterEngines();
const RECORDS: readonly JsonRecord[] = seq(5, (id) => ({ id, title: `drill ${id}` }));
type Call = (engine: OpenSearchEngine, name: string) => Promise<unknown>;

const VERBS: readonly (readonly [string, Call])[] = [
  ["query", (engine, name) => engine.query(name, { query: "drill" })],
  ["suggest", (engine, name) => engine.suggest(name, { query: "d" })],
  ["getRecords", (engine, name) => engine.getRecords(name, [1])],
  ["browseRecords", (engine, name) => allOf(engine.browseRecords(name))],
  ["getSettings", (engine, name) => engine.getSettings(name)],
  ["digest", (engine, name) => engine.digest(name)],
  ["exportIndex", (engine, name) => allOf(engine.exportIndex(name))],
  ["addRecords", (engine, name) => engine.addRecords(name, [{ id: "new" }])],
  ["updateRecords", (engine, name) => engine.updateRecords(name, [{ id: "new", a: 1 }])],
  ["deleteRecords", (engine, name) => engine.deleteRecords(name, [1])],
  ["deleteBy", (engine, name) => engine.deleteBy(name, { filters: { title: "drill 2" } })],
  ["updateSettings", (engine, name) => engine.updateSettings(name, { matching: "all" })],
  ["createIndex", (engine, name) => engine.createIndex(name, { matching: "all" }, { ifExists: "update" })],
  ["copyIndex", (engine, name) => engine.copyIndex(name, `${name}-copy`)],
];

describe("an answer that is not whole", () => {
  const fewer = async (ask: () => Promise<string>): Promise<string> => {
    const told = JSON.parse(await ask());
    return JSON.stringify({ ...told, items: told.items.slice(1) });
  };
  const EMPTY = ["", "{}", "[]", "5", "null", "{"];
  const CASES: readonly (readonly [what: string, pattern: RegExp, call: Call, isRead: boolean])[] = [
    ["_bulk, adding", /_bulk/, (engine, name) => engine.addRecords(name, [{ id: 1 }, { id: "new" }]), false],
    ["_bulk, deleting", /_bulk/, (engine, name) => engine.deleteRecords(name, [1, 2]), false],
    [
      "_bulk, replacing",
      /_bulk/,
      (engine, name) => engine.replaceAllRecords(name, [{ id: "new" }, { id: "other" }]),
      false,
    ],
    ["_bulk, settings", /_bulk/, (engine, name) => engine.updateSettings(name, { matching: "all" }), false],
    ["_aliases", /_aliases/, (engine, name) => engine.createIndex(`${name}-2`), false],
    ["_aliases, moving", /_aliases/, (engine, name) => engine.moveIndex(name, `${name}-2`), false],
    ["_aliases, deleting", /_aliases/, (engine, name) => engine.deleteIndex(name), false],
    ["PUT", /^PUT .*~[^/]*$/, (engine, name) => engine.createIndex(`${name}-2`), false],
    ["PUT, replacing", /^PUT .*~[^/]*$/, (engine, name) => engine.replaceAllRecords(name, []), false],
    ["_block", /_block/, (engine, name) => engine.replaceAllRecords(name, [{ id: "new" }]), false],
    ["_mget", /_mget/, (engine, name) => engine.updateRecords(name, [{ id: 1, a: 2 }]), true],
    ["_stats", /_stats/, (engine) => engine.listIndexes(), true],
    ["_alias", /^GET .*_alias$/, (engine) => engine.listIndexes(), true],
    ["_refresh", /_refresh/, (engine) => engine.refresh(), true],
    ["_search", /_search/, (engine) => engine.refresh(), true],
  ];
  it.each(
    CASES,
  )("to %s is 503, asked for again only by a read, and nothing is taken for done", async (what, pattern, call, isRead) => {
    const name = `answer-${CASES.findIndex(([each]) => each === what)}`;
    const direct = await open();
    await direct.createIndex(name);
    await direct.addRecords(name, RECORDS);
    let answer: ProxyAnswer | undefined;
    const proxy = await countingProxy(NODE, undefined, (asked, ask) =>
      answer !== undefined && pattern.test(asked) ? answer(asked, ask) : ask(),
    );
    const engine = await open({ nodes: [proxy.url], requestTimeoutMs: 2000 });
    const kinds: ProxyAnswer[] = [...EMPTY.map((text) => () => text)];
    if (/_bulk/.test(what))
      kinds.push(
        () => '{"items":[],"errors":false}',
        (_, ask) => fewer(ask),
      );
    for (const [i, kind] of kinds.entries()) {
      // A cluster without indexes answers {}.
      if (what === "_alias" && EMPTY[i] === "{}") continue;
      // There is something to look at.
      await direct.addRecords(name, [{ id: "since", n: i }]);
      answer = kind;
      proxy.asked.length = 0;
      const error = await rejectionOf(call(engine, name));
      answer = undefined;
      expect([EMPTY[i], error.code, error.error]).toEqual([EMPTY[i], 503, "cluster_unavailable"]);
      expect(JSON.stringify([error.toEnvelope(), error.message])).not.toMatch(/127\.0\.0\.1|~|test-/);
      expect(proxy.asked.filter((asked) => pattern.test(asked))).toHaveLength(isRead ? 2 : 1);
      // What was asked for in vain may have been done only where the node was asked.
      await engine.refresh();
      await direct.refresh();
      expect(await engine.digest(name)).toBe(await direct.digest(name));
      if (i < EMPTY.length) expect(await direct.getRecords(name, [1, "new"])).toEqual([RECORDS[1], null]);
      expect((await direct.listIndexes()).map((each) => each.name)).not.toContain(`${name}-2`);
      expect(await engine.listIndexes()).toEqual(await direct.listIndexes());
    }
    // All goes on.
    await engine.replaceAllRecords(name, [{ id: "end" }]);
    await direct.refresh();
    expect(await direct.getRecords(name, ["end", 1])).toEqual([{ id: "end" }, null]);
    await proxy.close();
  });

  it("of a write that was done leaves it there, and shows it after a look", async () => {
    const direct = await open();
    await direct.createIndex("done");
    let isLost = false;
    const proxy = await countingProxy(NODE, undefined, async (asked, ask) => {
      const text = await ask();
      return isLost && /_bulk|_aliases/.test(asked) ? "" : text;
    });
    const engine = await open({ nodes: [proxy.url] });
    isLost = true;
    expect(await rejectionOf(engine.addRecords("done", [{ id: 1 }]))).toMatchObject({ code: 503 });
    expect(await engine.getRecords("done", [1])).toEqual([null]);
    // An answer about names that is lost is found out.
    await engine.moveIndex("done", "gone");
    isLost = false;
    await engine.refresh();
    expect(await engine.getRecords("gone", [1])).toEqual([{ id: 1 }]);
    await direct.refresh();
    expect(engine.position()).toBe(direct.position());
    await proxy.close();
  });
});

describe("an index of another form", () => {
  it("is 409 on every verb, and can be deleted or replaced", async () => {
    const alias = `${prefix}_-old`;
    await askNode("PUT", `/${alias}~1`, {
      mappings: {
        dynamic: false,
        _meta: { tandem: '{"version":1,"settings":{}}' },
        properties: { json: { type: "keyword" } },
      },
    });
    await askNode("POST", "/_aliases", { actions: [{ add: { index: `${alias}~1`, alias } }] });
    await askNode("PUT", `/${alias}~1/_doc/1?refresh=true`, { json: "{}" });
    const engine = await open();
    await engine.createIndex("well");
    for (const [verb, call] of VERBS) {
      const error = await rejectionOf(call(engine, "old"));
      expect([verb, error.code, error.error]).toEqual([verb, 409, "storage_version"]);
      expect(error.message).toMatch(/export it with the version that wrote it/);
    }
    await engine.addRecords("well", RECORDS);
    expect((await engine.query("well", { query: "drill" })).data.nbHits).toBe(5);
    await engine.deleteIndex("old");
    expect(await physicalsOf(prefix, "old")).toEqual([]);
    await engine.createIndex("old");
    await engine.addRecords("old", RECORDS);
    expect((await engine.query("old", { query: "drill" })).data.nbHits).toBe(5);
  });
});

describe("a document that was damaged by hand", () => {
  const DAMAGES: readonly (readonly [string, string, (source: Record<string, unknown>) => object])[] = [
    ["record", "1", (source) => ({ ...source, content: { id: "1", json: "{" } })],
    ["record", "1", (source) => ({ ...source, content: { id: "1", json: "null" } })],
    ["record", "1", (source) => ({ ...source, content: { id: "2", json: '{"id":1}' } })],
    ["record", "1", (source) => ({ ...source, content: null })],
    ["record", "1", (source) => ({ ...source, content: { id: "1", json: '{"id":1}', vector: 5 } })],
    ["settings", "~settings", (source) => ({ ...source, content: { form: 2, text: "{", forgotten: 0 } })],
    ["settings", "~settings", (source) => ({ ...source, content: { form: 2, text: "5", forgotten: 0 } })],
    ["settings", "~settings", (source) => ({ ...source, content: {} })],
  ];
  it.each(
    DAMAGES.map(([what, id, damage], i) => ({ i, what, id, damage })),
  )("$i, a $what, gives SearchErrors alone", async ({ i, what, id, damage }) => {
    const [one, name] = [await open(), `damaged-${i}`];
    await one.createIndex(name);
    await one.addRecords(name, RECORDS);
    const [physical] = await physicalsOf(prefix, name);
    const { _source } = (await askNode("GET", `/${physical}/_doc/${id}`)) as { _source: Record<string, unknown> };
    await askNode("PUT", `/${physical}/_doc/${id}`, { ...damage(_source), by: "hand" });
    const alone = await rejectionOf(one.refresh());
    expect([409, 500]).toContain(alone.code);
    // Who has it shows what it showed; who opens it is told.
    expect((await one.query(name, { query: "drill" })).data.nbHits).toBe(5);
    const fresh = await open();
    for (const [verb, call] of VERBS) {
      const error = await call(fresh, name).then(
        () => undefined,
        (refusal) => refusal,
      );
      expect([verb, what, error instanceof SearchError ? error.code : error]).toEqual([
        verb,
        what,
        expect.toBeOneOf([409, 500]),
      ]);
    }
    await fresh.deleteIndex(name);
    expect(await physicalsOf(prefix, name)).toEqual([]);
  });

  it("concerns no other index", async () => {
    const one = await open();
    await one.createIndex("whole");
    await one.createIndex("harmed");
    await one.addRecords("harmed", RECORDS);
    const [physical] = await physicalsOf(prefix, "harmed");
    await askNode("PUT", `/${physical}/_doc/1`, { content: null, by: "hand" });
    await one.addRecords("whole", RECORDS);
    await one.createIndex("another");
    expect((await one.listIndexes()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["another", "harmed", "whole"]),
    );
    await one.deleteIndex("harmed");
    expect(await physicalsOf(prefix, "harmed")).toEqual([]);
  });
});
