import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  addRecords,
  browseRecords,
  clearIndex,
  createIndex,
  deleteIndex,
  deleteRecords,
  type Engine,
  getRecords,
  getSettings,
  listIndexes,
  query,
  SearchEngine,
  setDefaultEngine,
} from "../src/index.js";
import { OpenSearchEngine } from "../src/opensearch.js";
import { allOf } from "./support/all-of.js";
import { rejectionOf, thrownBy } from "./support/refusal.js";

let previous: Engine;
let engine: SearchEngine;

beforeEach(() => {
  engine = new SearchEngine({ embedder: false });
  previous = setDefaultEngine(engine);
});

afterEach(() => {
  setDefaultEngine(previous);
});

it("every function speaks to the default engine", async () => {
  await createIndex("a", { matching: "all" }, { ifExists: "open" });
  await addRecords("a", [{ id: 1, title: "Cordless drill" }, { id: 2 }]);
  const { data } = await query("a", { params: "query=cordless%20drill&page=1" });
  expect(data.hits.map(({ id }) => id)).toEqual(["1"]);
  expect(await deleteRecords("a", [1])).toEqual({ deleted: 1 });
  expect(await getRecords("a", [1, 2])).toEqual([null, { id: 2 }]);
  expect(await allOf(browseRecords("a"))).toEqual([{ id: 2 }]);
  expect((await getSettings("a")).effective.matching).toBe("all");
  expect(await listIndexes()).toEqual(await engine.listIndexes());
  await clearIndex("a");
  expect(engine.index("a").recordCount).toBe(0);
  await deleteIndex("a");
  expect(await engine.listIndexes()).toEqual([]);
});

it("the default engine, which is there before anybody sets one, can be exchanged for an engine", async () => {
  expect(previous).toBeInstanceOf(SearchEngine);
  const other = new SearchEngine({ embedder: false });
  await createIndex("a");
  expect(setDefaultEngine(other)).toBe(engine);
  expect(await listIndexes()).toEqual([]);
  expect(setDefaultEngine(engine)).toBe(other);
  expect(await listIndexes()).toHaveLength(1);
  for (const wrong of [null, undefined, {}, "engine", SearchEngine, { ...engine }, SearchEngine.prototype.query]) {
    const error = thrownBy(() => setDefaultEngine(wrong as SearchEngine));
    expect(error).toMatchObject({ code: 400, error: "invalid_engine" });
  }
  expect(setDefaultEngine(engine)).toBe(engine);
});

it("an engine of a cluster can be the default one, and its kind can be told", async () => {
  const cluster = createServer((_, response) => response.end("{}"));
  await new Promise<void>((listening) => cluster.listen(0, "127.0.0.1", listening));
  try {
    const { port } = cluster.address() as AddressInfo;
    const other = await OpenSearchEngine.open({ nodes: [`http://127.0.0.1:${port}`], embedder: false });
    expect(setDefaultEngine(other)).toBe(engine);
    expect([engine, other].map((one) => one instanceof OpenSearchEngine)).toEqual([false, true]);
    expect(other).toBeInstanceOf(SearchEngine);
    await other.close();
    expect(await rejectionOf(listIndexes())).toMatchObject({ code: 503, error: "closed" });
    expect(setDefaultEngine(engine)).toBe(other);
  } finally {
    cluster.closeAllConnections();
    cluster.close();
  }
});
