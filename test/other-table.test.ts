// Indexes with vectors of another word table of static-en than that of the engine, as after an update of the library.

import { describe, expect, it } from "vitest";
import {
  createStaticEnEmbedder,
  type Embedder,
  SearchEngine,
  type SearchIndex,
  type SearchWarning,
} from "../src/index.js";
import { allOf } from "./support/all-of.js";
import { rejectionOf } from "./support/refusal.js";
import { tempPaths } from "./support/temp-folder.js";
import { makeTable } from "./support/word-table.js";

const RECORDS = [
  { id: 1, title: "sofa" },
  { id: 2, title: "drill" },
];
const BOTH = ["fullTextSearch", "semanticSearch"];
const newPath = tempPaths();
const table = createStaticEnEmbedder(makeTable(["sofa", "couch", "drill"]));
const current = createStaticEnEmbedder();
/** An embedder of one's own with the id that the table of an old version had. */
const old: Embedder = {
  id: "static-en-60k-192-int4-1",
  dimensions: 192,
  embed: async (texts) =>
    texts.map((text) => Float32Array.from({ length: 192 }, (_, i) => (i === text.length ? 1 : 0.1))),
};

const legs = async (index: SearchIndex<Record<string, unknown>>, query: string) =>
  (await index.query({ query })).data.recallSource;

describe.each([
  ["the table of the engine that made it", { embedder: table }, {}, table.id],
  ["static-en by name", { embedder: table }, { embedder: "static-en" }, table.id],
  ["an embedder that had its id", { embedders: { [old.id]: old } }, { embedder: old.id }, old.id],
] as const)("an index with vectors of another table, from %s", (_, options, settings, id) => {
  const given = settings as { embedder?: "static-en" };

  it("answers by words with a warning, refuses writes, and is embedded anew when it is told", async () => {
    const dataDir = newPath();
    const before = await SearchEngine.open({ dataDir, ...options });
    await (await before.createIndex("a", given)).addRecords(RECORDS);
    await (await before.createIndex("b", { embedder: false })).addRecords(RECORDS);
    await before.close();

    const warnings: SearchWarning[] = [];
    const engine = await SearchEngine.open({ dataDir, onWarning: (warning) => warnings.push(warning) });
    const index = await engine.createIndex("a", {}, { ifExists: "open" });
    expect(await index.getRecords([1, 3])).toEqual([RECORDS[0], null]);
    expect(await allOf(index.browseRecords())).toEqual(RECORDS);
    expect(warnings).toEqual([]);
    expect((await index.query({ query: "sofa" })).data.hits.map((hit) => hit.id)).toEqual(["1"]);
    expect(await legs(index, "sofa")).toEqual(["fullTextSearch"]);
    expect(warnings[0]).toMatchObject({ code: "embedder_failed", indexName: "a" });
    for (const part of ["in words alone", id, current.id, "updateSettings with static-en"])
      expect(warnings[0]?.message).toContain(part);
    expect((await index.getSettings()).effective.embedder).toBe(id);
    for (const call of [
      () => index.addRecords([{ id: 3, title: "lamp" }]),
      () => index.updateRecords([{ id: 1, price: 3 }]),
      () => index.replaceAllRecords([]),
      () => index.deleteRecords([1]),
      () => index.clearIndex(),
      () => index.updateSettings({ stopWords: false }),
    ]) {
      const refusal = await rejectionOf(call());
      expect(refusal).toMatchObject({ code: 409, error: "embedder_missing", param: "embedder" });
      for (const part of [id, current.id, 'updateSettings({ embedder: "static-en" })'])
        expect(refusal?.message).toContain(part);
    }
    await engine.addRecords("b", [{ id: 3, title: "lamp" }]);

    warnings.length = 0;
    await index.updateSettings({ embedder: "static-en" });
    await index.addRecords([{ id: 3, title: "lamp" }]);
    expect((await index.getSettings()).effective.embedder).toBe(current.id);
    expect((await index.query({ query: "settee", semanticWeight: 1 })).data.hits[0]?.id).toBe("1");
    expect(await legs(index, "sofa")).toEqual(BOTH);
    await engine.close();
    const again = await SearchEngine.open({ dataDir, onWarning: (warning) => warnings.push(warning) });
    expect(await legs(again.index("a"), "settee")).toEqual(BOTH);
    expect(warnings).toEqual([]);
    await again.close();
  });

  it("is the same from a snapshot, and its export names no table of the past", async () => {
    const [file, copied] = [newPath("a.snapshot"), newPath("copy.snapshot")];
    const before = new SearchEngine(options);
    await (await before.createIndex("a", given)).addRecords(RECORDS);
    await before.writeSnapshot("a", file);

    const engine = new SearchEngine({ onWarning: () => {} });
    await engine.readSnapshot("a", file);
    const index = engine.index("a");
    expect(await legs(index, "sofa")).toEqual(["fullTextSearch"]);
    expect(await rejectionOf(index.addRecords(RECORDS))).toMatchObject({ code: 409, error: "embedder_missing" });
    expect((await index.getSettings()).settings).toEqual(settings);
    await engine.copyIndex("a", "copy");
    await engine.writeSnapshot("copy", copied);
    await engine.readSnapshot("c", copied);
    expect(await rejectionOf(engine.addRecords("c", RECORDS))).toMatchObject({
      code: 409,
      error: "embedder_missing",
    });
    for (const name of ["a", "copy", "c"]) {
      await engine.updateSettings(name, { embedder: "static-en" });
      await engine.addRecords(name, RECORDS);
      expect(await legs(engine.index(name), "settee")).toEqual(BOTH);
    }
  });
});

describe("an index of another table", () => {
  async function snapshot(): Promise<string> {
    const file = newPath("a.snapshot");
    const before = new SearchEngine({ embedder: table });
    await (await before.createIndex("a")).addRecords(RECORDS);
    await before.writeSnapshot("a", file);
    return file;
  }

  it("works on in an engine that is given that table", async () => {
    const engine = new SearchEngine({ embedder: table });
    await engine.readSnapshot("a", await snapshot());
    await engine.addRecords("a", [{ id: 3, title: "couch" }]);
    expect(await legs(engine.index("a"), "couch")).toEqual(BOTH);
  });

  it("can do without vectors", async () => {
    const warnings: SearchWarning[] = [];
    const engine = new SearchEngine({ onWarning: (warning) => warnings.push(warning) });
    await engine.readSnapshot("a", await snapshot());
    await engine.updateSettings("a", { embedder: false, builtInSynonyms: false });
    await engine.addRecords("a", [{ id: 3, title: "couch" }]);
    expect((await engine.query("a", { query: "couch" })).data.hits.map((hit) => hit.id)).toEqual(["3"]);
    expect(warnings).toEqual([]);
  });
});
