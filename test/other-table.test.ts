// Indexes with vectors of another word table of static-en than that of the engine, as after an update of the library.

import { describe, expect, it } from "vitest";
import {
  createStaticEnEmbedder,
  type Embedder,
  type IndexSettings,
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
const vectorOf = (text: string) => Float32Array.from({ length: 192 }, (_, i) => (i === text.length ? 1 : 0.1));
const embed = async (texts: readonly string[]) => texts.map(vectorOf);
const old: Embedder = { id: "static-en-60k-192-int4-1", dimensions: 192, embed };

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
    expect(await allOf(index.browseRecords())).toEqual(RECORDS);
    expect(warnings).toEqual([]);
    const { hits, recallSource } = (await index.query({ query: "sofa" })).data;
    expect([hits.map((hit) => hit.id), recallSource]).toEqual([["1"], ["fullTextSearch"]]);
    expect(warnings[0]).toMatchObject({ code: "embedder_failed", indexName: "a" });
    for (const part of ["in words alone", id, current.id, "updateSettings with static-en"])
      expect(warnings[0]?.message).toContain(part);
    expect((await index.getSettings()).effective.embedder).toBe(id);
    const lamp = [{ id: 3, title: "lamp" }];
    for (const call of [
      () => index.addRecords(lamp),
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
    await engine.addRecords("b", lamp);

    warnings.length = 0;
    await index.updateSettings({ embedder: "static-en" });
    await index.addRecords(lamp);
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
    expect(await rejectionOf(engine.addRecords("c", RECORDS))).toMatchObject({ error: "embedder_missing" });
    for (const name of ["a", "copy", "c"]) {
      await engine.updateSettings(name, { embedder: "static-en" });
      await engine.addRecords(name, RECORDS);
      expect(await legs(engine.index(name), "settee")).toEqual(BOTH);
    }
  });
});

it.each<[what: string, table: Embedder | undefined, settings: IndexSettings, legs: readonly string[]]>([
  ["works on in an engine that is given that table", table, {}, BOTH],
  ["can do without vectors", undefined, { embedder: false, builtInSynonyms: false }, ["fullTextSearch"]],
])("an index of another table %s", async (_, embedder, settings, expected) => {
  const file = newPath("a.snapshot");
  const before = new SearchEngine({ embedder: table });
  await (await before.createIndex("a")).addRecords(RECORDS);
  await before.writeSnapshot("a", file);
  const warnings: SearchWarning[] = [];
  const engine = new SearchEngine({ ...(embedder && { embedder }), onWarning: (warning) => warnings.push(warning) });
  await engine.readSnapshot("a", file);
  await engine.updateSettings("a", settings);
  await engine.addRecords("a", [{ id: 3, title: "couch" }]);
  const { hits, recallSource } = (await engine.query("a", { query: "couch" })).data;
  expect([hits[0]!.id, recallSource, warnings]).toEqual(["3", expected, []]);
});
