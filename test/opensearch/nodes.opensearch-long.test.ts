// Three nodes, each with a copy of everything, of which one is stopped and one is killed while records are read and written: no write that
// was acknowledged is lost, and every answer is the right one or a clean 503. So it is of an index that the nodes search, in three shards.

import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClusterNode, type StartedNodes, startNodes, whenJoined } from "../../scripts/opensearch/nodes.mjs";
import { type JsonRecord, SearchEngine, SearchError, type SearchIndex, type SearchParams } from "../../src/index.js";
import { OpenSearchEngine } from "../../src/opensearch.js";
import { PATIENCE } from "../support/patience.js";
import { plainRecords } from "../support/word-embedder.js";

const QUIET = { embedder: false, onWarning: () => {} } as const;
const RECORDS: readonly JsonRecord[] = plainRecords(500);
const QUERIES = ["sofa", "red lamp", "steel drill", "folding", "antique mirror", "kettel"];
const LOAD_MS = 3000;
const MINUTES = 60_000;

let cluster: StartedNodes;
let engine: OpenSearchEngine;
const expected = new Map<string, unknown>();

const hitsOf = async (from: SearchEngine | OpenSearchEngine, query: string): Promise<unknown> => {
  const { nbHits, hits } = (await from.query("still", { query })).data;
  return { nbHits, hits };
};

beforeAll(
  async () => {
    cluster = await startNodes(3);
    engine = await OpenSearchEngine.open({
      ...QUIET,
      ...{ nodes: cluster.urls, replicas: 2, requestTimeoutMs: 10_000 },
    });
    const embedded = new SearchEngine(QUIET);
    for (const one of [embedded, engine]) {
      await one.createIndex("still");
      await one.addRecords("still", RECORDS);
    }
    for (const query of QUERIES) expected.set(query, await hitsOf(embedded, query));
    await engine.createIndex("busy");
    await whenJoined(cluster.nodes);
  },
  PATIENCE * 11 * MINUTES,
);

afterAll(async () => {
  await engine?.close();
  await cluster?.stop();
}, PATIENCE * MINUTES);

/** Reads and writes until it is ended. */
class Load {
  readonly acknowledged: number[] = [];
  /** Writes of which nobody knows whether they were done. */
  readonly unknown: number[] = [];
  right = 0;
  private next = 0;
  private isEnded = false;
  private readonly running: readonly Promise<void>[];

  constructor() {
    this.running = [this.read(), this.read(), this.write(), this.write()];
  }

  private async read(): Promise<void> {
    for (let i = 0; !this.isEnded; i++) {
      const query = QUERIES[i % QUERIES.length]!;
      const answer = await answerOr503(hitsOf(engine, query));
      if (answer === undefined) continue;
      expect(answer, query).toEqual(expected.get(query));
      this.right++;
    }
  }

  private async write(): Promise<void> {
    while (!this.isEnded) {
      const id = this.next++;
      const result = await answerOr503(engine.addRecords("busy", [{ id, title: `written ${id}` }]));
      (result === undefined ? this.unknown : this.acknowledged).push(id);
    }
  }

  /** Waits until both go on. */
  async goesOn(): Promise<void> {
    const [reads, writes] = [this.right, this.acknowledged.length];
    while (this.right < reads + 10 || this.acknowledged.length < writes + 10)
      await Promise.race([pause(100), ...this.running]);
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await Promise.all(this.running);
  }
}

/** What a call gives; undefined: the cluster was away. */
async function answerOr503<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof SearchError) || error.code !== 503) throw error;
    return undefined;
  }
}

it(
  "deletes more records at once than a function takes arguments",
  async () => {
    const count = 150_000;
    await engine.createIndex("many");
    for (let from = 0; from < count; from += 50_000)
      await engine.addRecords(
        "many",
        Array.from({ length: 50_000 }, (_, i) => ({ id: from + i })),
      );
    expect(await engine.deleteBy("many", { filters: "id >= 0" })).toEqual({ deleted: count });
    await engine.deleteIndex("many");
  },
  PATIENCE * 5 * MINUTES,
);

async function elected(): Promise<ClusterNode> {
  const response = await fetch(`${cluster.urls[0]}/_cat/cluster_manager?h=node`);
  const name = (await response.text()).trim();
  return cluster.nodes.find((node) => node.name === name)!;
}

it.each([
  ["is stopped", "SIGTERM", false],
  ["is killed", "SIGKILL", false],
  ["that leads the others is killed", "SIGKILL", true],
] as const)(
  "keeps what was acknowledged, and answers rightly or 503, while a node %s",
  async (_what, signal, leads) => {
    const leader = await elected();
    const node = leads ? leader : cluster.nodes.find((each) => each !== leader)!;
    const load = new Load();
    await load.goesOn();
    await pause(LOAD_MS);
    await node.stop(signal);
    await load.goesOn();
    await pause(LOAD_MS);
    node.start();
    await whenJoined(cluster.nodes);
    await load.goesOn();
    await load.end();
    // Each copy has all of it.
    for (const url of cluster.urls) {
      const reader = await OpenSearchEngine.open({ ...QUIET, nodes: [url] });
      for (let i = 0; i < 3; i++) {
        const found = await reader.getRecords("busy", load.acknowledged);
        expect(found).toEqual(load.acknowledged.map((id) => ({ id, title: `written ${id}` })));
      }
      for (const query of QUERIES) expect(await hitsOf(engine, query)).toEqual(expected.get(query));
      await reader.close();
    }
    const { records } = (await engine.listIndexes()).find(({ name }) => name === "busy")!;
    const least = load.acknowledged.length;
    expect(records).toBeGreaterThanOrEqual(least);
    expect(records).toBeLessThanOrEqual(least + load.unknown.length);
    await engine.clearIndex("busy");
  },
  PATIENCE * 20 * MINUTES,
);

const SHOP: readonly JsonRecord[] = RECORDS.slice(0, 300).map((record, i) => ({
  ...record,
  brand: ["Volt", "Forge", "Aero"][Math.floor(i / 12) % 3]!,
  price: i,
}));
const ASKED: readonly SearchParams[] = ["", "sofa", "steel drill", "kettel", "garden mirror"].flatMap((query) => [
  { query, filters: "price < 250" },
  { query, filters: "price < 200 AND NOT brand:Aero", facetFilters: [["brand:Volt"]] },
]);

/** All ids that match each query, their number, and the counts of facets. */
async function foundBy(index: SearchIndex, params: SearchParams): Promise<{ readonly nbHits: number }> {
  const all = { matching: "all", hitsPerPage: 250, facets: ["brand", "price"], maxValuesPerFacet: 1000 } as const;
  const { nbHits, hits, facets } = (await index.query({ ...params, ...all })).data;
  return { nbHits, ...{ ids: hits.map(({ id }) => id).sort(), facets } };
}

it(
  "answers of an index that it searches, and takes a write, while a node is gone",
  async () => {
    const options = { ...QUIET, nodes: cluster.urls, requestTimeoutMs: 10_000, indexPrefix: "remote" };
    const shop = await OpenSearchEngine.open({ ...options, search: "remote", shards: 3, replicas: 1 });
    const embedded = await new SearchEngine(QUIET).createIndex("shop", { relevancyStrictness: 0 });
    const index = await shop.createIndex("shop", { relevancyStrictness: 0 });
    for (const one of [embedded, index]) await one.addRecords(SHOP);
    const right = await Promise.all(ASKED.map((params) => foundBy(embedded, params)));
    for (const { nbHits } of right) expect(nbHits).toBeGreaterThan(0);
    const expectRight = async (): Promise<void> => {
      for (const [i, params] of ASKED.entries())
        expect(await foundBy(index, params), JSON.stringify(params)).toEqual(right[i]);
    };
    await whenJoined(cluster.nodes);
    await expectRight();

    const leader = await elected();
    const node = cluster.nodes.find((each) => each !== leader)!;
    await node.stop("SIGKILL");
    for (let isKnown = false, i = 0; !isKnown; i++) {
      const answer = await answerOr503(foundBy(index, ASKED[i % ASKED.length]!));
      if (answer !== undefined) expect(answer).toEqual(right[i % ASKED.length]);
      const health = (await (await fetch(`${leader.url}/_cluster/health`)).json()) as Readonly<Record<string, unknown>>;
      isKnown = health.number_of_nodes === cluster.nodes.length - 1 && health.status !== "red";
    }
    await expectRight();
    const late = { id: "late", title: "trampoline", price: 1000 };
    while ((await answerOr503(index.addRecords([late]))) === undefined) await pause(100);
    const findsLate = async (): Promise<void> =>
      expect((await index.query({ query: "trampoline" })).data.hits.map(({ id }) => id)).toEqual(["late"]);
    await findsLate();
    await expectRight();

    node.start();
    await whenJoined(cluster.nodes);
    await expectRight();
    await findsLate();
    await shop.close();
  },
  PATIENCE * 10 * MINUTES,
);
