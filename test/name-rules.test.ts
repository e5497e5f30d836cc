import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type IndexSettings, SearchEngine } from "../src/index.js";
import { allOf } from "./support/all-of.js";
import { plainShop } from "./support/plain-shop.js";
import { rejectionOf } from "./support/refusal.js";
import { openAt, tempPaths } from "./support/temp-folder.js";

const newPath = tempPaths();

describe("an index that exists", () => {
  it("is opened without settings, or with those it has, in whatever words", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("a", { customRanking: ["asc(x)"] });
    for (const settings of [
      undefined,
      {},
      { customRanking: ["asc(x)"] },
      { customRanking: ["asc(x)"], distinct: false },
    ])
      expect((await engine.createIndex("a", settings, { ifExists: "open" })).name).toBe("a");
  });

  it("is not opened with others, which are named", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("a", { customRanking: ["asc(x)"] });
    const open = (settings: IndexSettings) => engine.createIndex("a", settings, { ifExists: "open" });
    for (const [settings, ...names] of [
      [{ distinct: false }, "customRanking"],
      [{ customRanking: ["desc(x)"] }, "customRanking"],
      [{ optionalWords: ["y"] }, "customRanking", "optionalWords"],
      [{ customRanking: ["asc(x)"], semanticWeight: 0.7 }, "semanticWeight"],
      [{ customRanking: ["asc(x)"], vectorAttribute: "v", dimensions: 3 }, "dimensions", "vectorAttribute"],
    ] as const)
      expect(await rejectionOf(open(settings))).toMatchObject({
        ...{ code: 409, error: "settings_differ", param: "settings", details: { settings: names } },
        msg: `The index "a" exists with other settings: ${names.join(", ")}. Pass { ifExists: "update" } or call updateSettings to change them, or open it without settings.`,
      });
    expect((await rejectionOf(engine.createIndex("a"))).error).toBe("index_exists");
    const many = { matching: "all", matchingRatio: 0.5, bm25: { b: 0 }, titleEvidence: false, rankWindow: 9 } as const;
    const { msg, details } = await rejectionOf(open({ ...many, optionalWords: ["y"] }));
    expect(msg).toContain(": bm25, customRanking, matching, matchingRatio, optionalWords and 2 more. Pass");
    expect(details!.settings).toHaveLength(7);
  });

  it("is not opened where the engine has another embedder than it was made with", async () => {
    const { engine: other } = await plainShop({});
    const text = await allOf(other.exportIndex("shop"));
    const engine = new SearchEngine();
    await engine.importIndex("shop", text);
    const open = engine.createIndex("shop", { rankWindow: 1000 }, { ifExists: "open" });
    expect((await rejectionOf(open)).details!.settings).toEqual(["embedder"]);
  });
});

describe("an index that is opened with settings to update", () => {
  const update = { ifExists: "update" } as const;

  it("gets them as updateSettings would give them, and keeps its others and its records", async () => {
    const { engine, index } = await plainShop({ attributeForDistinct: "x" }, [{ id: 1, title: "lamp", x: 1 }]);
    const handle = await engine.createIndex("shop", { distinct: true, semanticWeight: 0.2 }, update);
    expect([handle.name, handle.recordCount]).toEqual(["shop", 1]);
    const settings = { embedder: false, attributeForDistinct: "x", distinct: true, semanticWeight: 0.2 };
    expect((await index.getSettings()).settings).toEqual(settings);
    await engine.createIndex("shop", { searchableAttributes: ["x"], fusion: { method: "rrf" } }, update);
    expect((await index.getSettings()).settings).toEqual({
      ...{ embedder: false, attributeForDistinct: "x", distinct: true },
      ...{ searchableAttributes: ["x"], fusion: { method: "rrf" } },
    });
    expect((await index.query({ query: "lamp" })).data.nbHits).toBe(0);
    for (const none of [undefined, {}]) await engine.createIndex("shop", none, update);
    expect(
      (await rejectionOf(engine.createIndex("shop", { semanticWeight: 1, fusion: {} as never }, update))).code,
    ).toBe(400);
  });

  it("is made where there is none", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("a", { rankWindow: 7 }, update);
    expect((await index.getSettings()).effective.rankWindow).toBe(7);
    expect((await rejectionOf(engine.createIndex("b", { distinct: true }, update))).error).toBe("invalid_setting");
  });

  it("is warned of an unknown setting once", async () => {
    const warnings: string[] = [];
    const engine = new SearchEngine({ embedder: false, onWarning: ({ code }) => warnings.push(code) });
    for (const count of [1, 2]) {
      await engine.createIndex("a", { schema: 1, rankWindow: count } as object, update);
      expect(warnings).toEqual(new Array(count).fill("unknown_setting"));
    }
  });

  it("has them when the data folder is opened again, and is not written where nothing changes", async () => {
    const dataDir = newPath();
    const sizes = () => readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).size]);
    const open = async () => {
      const engine = await openAt(dataDir);
      return { engine, index: await engine.createIndex("a", { customRanking: ["desc(x)"] }, update) };
    };
    const first = await open();
    await first.index.addRecords([1, 2].map((id) => ({ id, x: id })));
    await first.engine.createIndex("a", { customRanking: ["asc(x)"] }, update);
    await first.engine.close();
    const second = await openAt(dataDir);
    expect((await second.getSettings("a")).settings.customRanking).toEqual(["asc(x)"]);
    await second.close();
    const { engine, index } = await open();
    expect((await index.query({ query: "" })).data.hits.map(({ id }) => id)).toEqual(["2", "1"]);
    const before = sizes();
    await engine.createIndex("a", { customRanking: ["desc(x)"] }, update);
    expect(sizes()).toEqual(before);
    await engine.close();
  });
});
