// What a process has of the cluster's indexes: a folder that is read again, or only a part of the memory that they need.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/index.js";
import type { OpenSearchEngine } from "../../src/opensearch.js";
import { askNode, clusterEngines, NODE, physicalsOf } from "../support/cluster-engines.js";
import { countingProxy } from "../support/counting-proxy.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { openAt, tempPaths } from "../support/temp-folder.js";
import { WordEmbedder } from "../support/word-embedder.js";

const { open, prefix } = clusterEngines();
const newPath = tempPaths();
const RECORDS: readonly JsonRecord[] = seq(300, (id) => ({ id, title: `drill ${id % 7} of kind ${id}`, stock: id }));

interface Hit {
  readonly _id: string;
  readonly _source: { readonly content: { readonly id?: string } };
}

/** At rest both have read the same. */
async function expectSamePosition(...engines: readonly [OpenSearchEngine, OpenSearchEngine]): Promise<void> {
  const positions = async (): Promise<number> => {
    for (const engine of engines) await engine.refresh();
    return new Set(engines.map((engine) => engine.position())).size;
  };
  await expect.poll(positions, { timeout: 20_000 }).toBe(1);
}

describe("a folder with a copy of the indexes", () => {
  it("is opened again with what changed since, embedding nothing", async () => {
    const embedder = new WordEmbedder();
    const [dataDir, other] = [newPath(), await open({ embedder })];
    for (const name of ["kept", "emptied", "moved"]) {
      await other.createIndex(name);
      await other.addRecords(name, RECORDS);
    }
    const first = await open({ dataDir, embedder });
    await first.addRecords("kept", [{ id: "own", title: "drill" }]);
    await first.updateSettings("kept", { matching: "all" });
    await first.close();
    await other.refresh();
    await other.updateRecords("kept", [{ id: 7, stock: 0 }]);
    await other.deleteRecords("kept", [8, 9]);
    await other.updateSettings("kept", { stopWords: false });
    await other.clearIndex("emptied");
    await other.moveIndex("moved", "other");
    const { length } = embedder.calls;
    const proxy = await countingProxy(NODE);
    const again = await open({ dataDir, embedder, nodes: [proxy.url] });
    for (const name of ["kept", "emptied", "other"]) expect(await again.digest(name)).toBe(await other.digest(name));
    expect(again.position()).toBe(other.position());
    expect(await again.getRecords("kept", ["own", 7, 8])).toMatchObject([{ title: "drill" }, { stock: 0 }, null]);
    expect(proxy.documents).toBeLessThan(20);
    expect(embedder.calls).toHaveLength(length);
    await again.close();
    await proxy.close();
  });

  it("is of one cluster, one prefix, and one engine: 409", async () => {
    const [dataDir, foreign] = [newPath(), newPath()];
    const one = await open({ dataDir });
    expect(await rejectionOf(open({ dataDir }))).toMatchObject({ code: 409, error: "storage_locked" });
    await one.close();
    expect(await rejectionOf(open({ dataDir, indexPrefix: `${prefix}x` }))).toMatchObject({ code: 409 });
    const local = await openAt(foreign);
    await local.createIndex("own");
    await local.close();
    expect(await rejectionOf(open({ dataDir: foreign }))).toMatchObject({ code: 409 });
    expect((await openAt(foreign)).index("own").recordCount).toBe(0);
    // Another cluster behind the same address.
    const proxy = await countingProxy(NODE, undefined, async (asked, ask) =>
      asked === "GET /" ? JSON.stringify({ ...JSON.parse(await ask()), cluster_uuid: "another" }) : ask(),
    );
    expect(await rejectionOf(open({ dataDir, nodes: [proxy.url] }))).toMatchObject({ code: 409 });
    await proxy.close();
    await (await open({ dataDir })).close();
  });

  it("says where an embedder is missing, as a folder without a cluster does", async () => {
    const dataDir = newPath();
    const embedders = { "words-1": new WordEmbedder() };
    const one = await open({ dataDir, embedders });
    await one.createIndex("embedded", { embedder: "words-1" } as never);
    await one.addRecords("embedded", RECORDS);
    const digest = await one.digest("embedded");
    await one.close();
    const without = await open({ dataDir });
    for (const call of [
      () => without.query("embedded", { query: "drill" }),
      () => without.addRecords("embedded", [{ id: 1 }]),
    ])
      expect(await rejectionOf(call())).toMatchObject({ code: 409, error: "embedder_missing", param: "embedders" });
    expect(await without.getRecords("embedded", [3])).toEqual([RECORDS[3]]);
    await without.close();
    expect(await (await open({ dataDir, embedders })).digest("embedded")).toBe(digest);
  });

  it("survives the death of its process at any moment", async () => {
    const [dataDir, other] = [newPath(), await open()];
    await other.createIndex("killed");
    const options = { nodes: [NODE], indexPrefix: prefix, dataDir, embedder: false };
    const script = `
      import { OpenSearchEngine } from ${JSON.stringify(new URL("../../dist/opensearch.js", import.meta.url).href)};
      const engine = await OpenSearchEngine.open({ ...${JSON.stringify(options)}, onWarning: () => {} });
      for (let i = 0; ; i++) {
        await engine.addRecords("killed", [{ id: i % 40, title: "drill " + i }, { id: "last", n: i }]);
        if (i % 5 === 4) await engine.deleteRecords("killed", [i % 40]);
        console.log(i);
      }`;
    for (const ms of [100, 700, 2500]) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let told = "";
      child.stdout.on("data", (text) => {
        told += text;
      });
      await once(child.stdout, "data");
      await pause(ms);
      child.kill("SIGKILL");
      await once(child, "close");
      const again = await open({ dataDir });
      // The node may be at work still on what the process asked for last.
      await expectSamePosition(again, other);
      expect(await again.digest("killed")).toBe(await other.digest("killed"));
      const [last] = await again.getRecords("killed", ["last"]);
      expect((last as { readonly n: number }).n).toBeGreaterThanOrEqual(Number(told.trim().split("\n").at(-1)));
      await again.close();
    }
  });
});

it("an engine that was away for longer than deletions are told loads anew, and shows nothing deleted", async () => {
  const [dataDir, tombstoneMs] = [newPath(), 50];
  const [other, follower] = [await open({ tombstoneMs }), await open()];
  await other.createIndex("away");
  await other.addRecords("away", RECORDS);
  await (await open({ dataDir })).close();
  await follower.refresh();
  for (let id = 0; id < 10; id++) {
    await other.deleteRecords("away", [id]);
    await pause(60);
  }
  await other.addRecords("away", [{ id: "new" }]);
  for (const engine of [await open({ dataDir }), follower, await open()]) {
    await engine.refresh();
    expect(
      await engine.getRecords(
        "away",
        seq(10, (id) => id),
      ),
    ).toEqual(seq(10, () => null));
    expect(await engine.digest("away")).toBe(await other.digest("away"));
    // What tells of deletions is forgotten in the background.
    await expectSamePosition(engine, other);
  }
});

it("an index that does not fit the memory of a process is 507 there, which says what to do, and whole elsewhere", async () => {
  const one = await open();
  for (const name of ["large", "small"]) await one.createIndex(name);
  await one.addRecords(
    "large",
    RECORDS.map((record) => ({ ...record, note: `${"lorem ".repeat(400)}${record.id}` })),
  );
  await one.addRecords("small", [{ id: 1, title: "drill" }]);
  const poor = await open({ limits: { maxMemory: 300_000 } });
  for (const call of [
    () => poor.query("large", { query: "drill" }),
    () => poor.addRecords("large", [{ id: 1 }]),
    () => poor.getRecords("large", [1]),
  ]) {
    const error = await rejectionOf(call());
    expect(error.code).toBe(507);
    expect(error.message).toMatch(/"large" does not fit .*limits\.maxMemory/);
  }
  expect((await poor.query("small", { query: "drill" })).data.nbHits).toBe(1);
  await poor.addRecords("small", [{ id: 2, title: "drill" }]);
  await one.refresh();
  expect((await one.query("small", { query: "drill" })).data.nbHits).toBe(2);
  expect((await one.query("large", { query: "drill" })).data.nbHits).toBe(RECORDS.length);
  // What grows beyond it later is told in the same way.
  await one.addRecords(
    "small",
    RECORDS.map((record) => ({ ...record, note: `${"ipsum ".repeat(400)}${record.id}` })),
  );
  const late = await rejectionOf(poor.refresh());
  expect(late.code).toBe(507);
  expect(late.message).toMatch(/limits\.maxMemory/);
  expect((await poor.query("small", { query: "drill" })).data.nbHits).toBe(2);
  await poor.deleteIndex("large");
  expect(await one.listIndexes().then((all) => all.map(({ name }) => name))).not.toContain("large");
});

it("an index that was restored in place, with its name and other operations, is loaded anew, and from no copy", async () => {
  const [dataDir, other] = [newPath(), await open()];
  await other.createIndex("restored");
  await other.addRecords("restored", RECORDS);
  await other.refresh();
  const copied = await open({ dataDir });
  await copied.close();
  const [physical] = await physicalsOf(prefix, "restored");
  const source = (await askNode("GET", `/${physical}`)) as Record<string, { mappings: object; aliases: object }>;
  const { hits } = (await askNode("GET", `/${physical}/_search?size=1000`)) as { hits: { hits: Hit[] } };
  await askNode("DELETE", `/${physical}`);
  const { mappings, aliases } = source[physical!]!;
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await askNode("PUT", `/${physical}`, { mappings, aliases, settings });
  const kept = hits.hits.filter(({ _source }) => _source.content.id !== "7");
  await Promise.all(kept.map(({ _id, _source }) => askNode("PUT", `/${physical}/_doc/${_id}`, _source)));
  await askNode("POST", `/${physical}/_refresh`);
  for (const engine of [other, await open({ dataDir }), await open()]) {
    await engine.refresh();
    expect(await engine.getRecords("restored", [6, 7])).toMatchObject([{ id: 6 }, null]);
  }
});
