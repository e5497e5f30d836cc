// The warm-up runs once in a process: each engine loads the modules anew.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SearchEngine } from "../src/api/search-engine.js";
import type { OpenOptions } from "../src/input/engine-options.js";

const WORDS = "cordless hammer drill garden bucket ladder pliers wrench lantern blanket cushion curtain".split(" ");
const records = Array.from({ length: 300 }, (_, i) => ({
  id: i,
  title: `${WORDS[i % 12]} ${WORDS[(i + 5) % 12]} ${WORDS[(i + 7) % 12]}`,
  brand: i % 2 ? "Hem" : "Volt",
}));
/** Longer than the warm-up of so few records takes. */
const LONG_MS = 1500;

let base = "";
let dataDir = "";
let calls: string[] = [];
const embedder = {
  id: "own",
  dimensions: 2,
  embed: async (texts: readonly string[]) => {
    calls.push("embed");
    return texts.map(() => [1, 0]);
  },
};
const analyzer = {
  id: "own",
  analyze: (text: string) => {
    calls.push("analyze");
    return text.toLowerCase().split(" ");
  },
};

/** An engine of a process in which nothing was loaded yet. */
async function open(options: Partial<OpenOptions> = {}): Promise<SearchEngine> {
  vi.resetModules();
  const modules = await import("../src/api/search-engine.js");
  return modules.SearchEngine.open({ dataDir, embedder, analyzers: { own: analyzer }, ...options });
}

async function fill(settings: object, ...names: string[]): Promise<void> {
  const engine = await open({ warmUp: false });
  for (const name of names) await (await engine.createIndex(name, settings)).addRecords(records);
  await engine.close();
  calls = [];
}

const bytesOf = (engine: SearchEngine) => engine.metrics().indexes.map(({ bytes }) => bytes);
/** Bytes of indexes that are not read yet. */
const unread = async (): Promise<number[]> => {
  const engine = await open({ warmUp: false });
  const bytes = bytesOf(engine);
  await engine.close();
  return bytes;
};

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "warm-up-"));
  dataDir = join(base, "data");
});

afterEach(() => {
  rmSync(base, { recursive: true });
});

describe("the warm-up", () => {
  it("reads the only index of a folder, and leaves no trace of its queries", async () => {
    await fill({ attributesForFaceting: ["brand"] }, "shop");
    const before = await unread();
    const heard: unknown[] = [];
    const listen = (message: unknown) => void heard.push(message);
    subscribe("tandem-search:query", listen);
    const engine = await open();
    await vi.waitFor(() => expect(bytesOf(engine)).not.toEqual(before), LONG_MS);
    await wait(LONG_MS);
    unsubscribe("tandem-search:query", listen);
    expect([heard, engine.slowQueries(), engine.metrics().queries.total, calls]).toEqual([[], [], 0, []]);
    const warm = await engine.index("shop").estimate();
    await engine.close();
    const cold = await open({ warmUp: false });
    expect(await cold.index("shop").estimate()).toEqual(warm);
    await cold.close();
  });

  it("reads nothing where it is told not to, where indexes are several, and where it would call the caller's", async () => {
    const cases = [
      ["with warmUp: false", {}, ["shop"], { warmUp: false }],
      ["of several indexes", {}, ["shop", "other"], {}],
      ["where it would call an analyzer of the caller's", { analyzer }, ["shop"], {}],
    ] as const;
    const folders = [];
    for (const [why, settings, names, options] of cases) {
      dataDir = join(base, why);
      await fill(settings, ...names);
      folders.push({ why, options: { ...options, dataDir }, before: await unread() });
    }
    const opened = await Promise.all(folders.map(async (each) => ({ ...each, engine: await open(each.options) })));
    await wait(LONG_MS);
    for (const { why, before, engine } of opened) {
      expect([why, bytesOf(engine)]).toEqual([why, before]);
      await engine.close();
    }
    expect(calls).toEqual([]);
  });

  it("ends with the engine", async () => {
    await fill({}, "shop");
    for (const ms of [0, 5, 20, 60]) {
      const engine = await open();
      await wait(ms);
      await engine.close();
    }
    const engine = await open();
    expect((await engine.query("shop", { query: "hammer", semanticWeight: 0 })).data.nbHits).toBe(75);
    await engine.close();
  });
});
