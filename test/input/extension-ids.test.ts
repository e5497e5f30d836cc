import { describe, expect, it } from "vitest";
import { LiveIndex } from "../../src/api/live-index.js";
import { SearchIndex } from "../../src/api/search-index.js";
import {
  type Analyzer,
  createStaticEnEmbedder,
  type Embedder,
  type EngineOptions,
  type IndexSettings,
  SearchEngine,
} from "../../src/index.js";
import { readEngineOptions } from "../../src/input/engine-options.js";
import { namedSettings, type RestoreContext, restoreSettings } from "../../src/input/extension-ids.js";
import { engineContext } from "../../src/state/engine-activity.js";
import { runTask, runTaskAtOnce } from "../../src/util/tasks.js";
import { allOf } from "../support/all-of.js";
import { AxisEmbedder } from "../support/axis-embedder.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";

const embedder = new AxisEmbedder();
const analyzer: Analyzer = { id: "letters-1", analyze: (text) => text.toLowerCase().split(/\W+/) };
const FULL = { embedders: { "axes-1": embedder }, analyzers: { "letters-1": analyzer } };

const restored = (settings: unknown, options: object, more: Partial<RestoreContext> = {}) =>
  runTaskAtOnce(restoreSettings(settings, { ...readEngineOptions(options), ...more }));
/** What another engine makes of the settings of an index, written down and read again. */
async function again(settings: IndexSettings, from: EngineOptions, to: EngineOptions) {
  const index = await new SearchEngine(from).createIndex("a", settings);
  const { settings: named } = await index.getSettings();
  return { named, ...restored(JSON.parse(JSON.stringify(named)), to) };
}

describe("settings as JSON", () => {
  it("name the functions by their ids, by which they are found again", async () => {
    const given = { embedder: "axes-1", analyzer: "letters-1", bm25: { k1: 2 } };
    const { named, settings } = await again(given, FULL, FULL);
    expect(named).toEqual(given);
    expect(settings.embedder?.id).toBe("axes-1");
    expect(settings).toMatchObject({ missing: undefined, analyzer: { id: "letters-1" } });
  });

  it("miss the built-in embedder where the vectors are of another version of it", () => {
    const id = createStaticEnEmbedder().id;
    expect(restored({}, {}, { embedderId: id }).settings.missing).toBeUndefined();
    const { missing, readOnly, embedder } = restored(
      {},
      {},
      { embedderId: "static-en-before", dimensions: 192 },
    ).settings;
    expect([missing, embedder?.id, embedder?.dimensions]).toEqual([undefined, "static-en-before", 192]);
    expect(readOnly).toMatchObject({ code: 409, error: "embedder_missing", param: "embedder" });
    for (const each of ["static-en-before", id]) expect(readOnly?.msg).toContain(each);
  });

  it("are damaged where there are none, and not the defaults", () => {
    for (const none of [undefined, null]) expect(thrownBy(() => restored(none, {})).error).toBe("invalid_settings");
  });

  it("keep the graph of hnswlib-node where the package is missing", () => {
    const { settings } = restored({ vectorIndex: { kind: "hnswlib" } }, {}, { hnswlibProblem: () => "it is missing" });
    expect([settings.effective.vectorIndex.kind, settings.missing]).toEqual(["hnswlib", undefined]);
  });

  it("keep what is built in, and words alone", async () => {
    const given = { embedder: false, analyzer: "plain" } as const;
    const { named, settings } = await again(given, {}, FULL);
    expect(named).toEqual(given);
    expect(settings).toMatchObject({ missing: undefined, analyzer: "plain", embedder: undefined });
    expect((await again({ embedder: "static-en" }, {}, {})).named).toEqual({ embedder: "static-en" });
  });

  it("keep the embedder of the engine in which they were made, whatever the other engine has", async () => {
    const own = { embedder };
    const builtIn = createStaticEnEmbedder().id;
    for (const [from, to, named, id] of [
      [{}, {}, {}, builtIn],
      [{}, own, {}, builtIn],
      [{}, { embedder: false }, {}, builtIn],
      [own, own, { embedder: "axes-1" }, "axes-1"],
      [own, { ...FULL, embedder: false }, { embedder: "axes-1" }, "axes-1"],
      [{ embedder: false }, own, { embedder: false }, false],
    ] as const) {
      const found = await again({}, from, to);
      expect([found.named, found.settings.effective.embedder]).toEqual([named, id]);
    }
    const vectors = { vectorAttribute: "v", dimensions: 2 };
    for (const [from, to] of [[{}, own] as const, [own, {}] as const]) {
      const found = await again(vectors, from, to);
      expect([found.named, found.settings.effective.embedder]).toEqual([vectors, false]);
    }
  });

  it("lack a function where the engine was not given it, or has another one of that id", () => {
    const missing = (settings: object, options: object, dimensions?: number) =>
      restored(settings, options, { dimensions }).settings.missing;
    expect(missing({ embedder: "axes-1" }, {})).toMatchObject({
      ...{ code: 409, error: "embedder_missing", param: "embedders" },
      msg: 'The index needs the embedder "axes-1", which the engine was not given; pass it in the option embedders.',
    });
    expect(missing({ embedder: "axes-1" }, FULL, 4)?.msg).toContain('"axes-1" of 4 dimensions, not of 3,');
    expect(missing({ embedder: "axes-1" }, FULL, 3)).toBe(undefined);
    expect(missing({ analyzer: "letters-1" }, {})).toMatchObject({ code: 409, error: "analyzer_missing" });
    expect(missing({ embedder: "axes-1", analyzer: "letters-1" }, {})?.error).toBe("embedder_missing");
    expect(missing({ embedder: "axes-1" }, { embedder })).toBe(undefined);
  });

  it("that lack a function still say how the records were indexed", () => {
    const settings = { embedder: "axes-1", analyzer: "letters-1", matching: "all" };
    const whole = restored(settings, FULL).settings;
    const { settings: bare, given } = restored(settings, {}, { dimensions: 3 });
    expect(bare.shown).toEqual(whole.shown);
    expect(runTaskAtOnce(namedSettings({ given, settings: bare }))).toEqual(settings);
  });

  it("are checked as those of createIndex", () => {
    expect(thrownBy(() => restored({ matching: "most" }, {}))).toMatchObject({ code: 400, error: "invalid_setting" });
    for (const settings of [{ embedder: { id: "x", dimensions: 2 } }, { embedder: 5 }, { embedder: "" }])
      expect(thrownBy(() => restored(settings, FULL)).error).toBe("invalid_embedder");
  });
});

describe("ids in the settings of a call", () => {
  it("stand for the functions of the engine, and for those that the index was given itself", async () => {
    const engine = new SearchEngine({ ...FULL, embedder: false });
    const index = await engine.createIndex("a", { embedder: "axes-1", analyzer: "letters-1" });
    await index.addRecords([{ id: 1, title: "Sofa" }]);
    expect((await index.query({ query: "sofa", semanticWeight: 1 })).data.hits[0]).toMatchObject({ id: "1", score: 1 });
    const own: Embedder = { id: "own-1", dimensions: 2, embed: async (texts) => texts.map(() => [1, 2]) };
    const other = await engine.createIndex("b", { embedder: own });
    await other.updateSettings({ ...(await other.getSettings()).settings, matching: "all" });
    expect((await other.getSettings()).settings).toEqual({ embedder: "own-1", matching: "all" });
    expect(await rejectionOf(engine.createIndex("c", { embedder: "own-1" }))).toMatchObject({
      ...{ code: 400, error: "invalid_embedder", param: "embedder" },
    });
  });
});

describe("an index that lacks a function", () => {
  const RECORDS = [
    { id: 1, title: "Sofa", colour: "red" },
    { id: 2, title: "Lamp", colour: "blue" },
  ];

  /** An index with all functions, and one with the same records that lacks some. */
  async function both(lacks: object) {
    const settings = { embedder: "axes-1", analyzer: "letters-1" };
    const engine = engineContext(readEngineOptions(FULL));
    const whole = new LiveIndex({ name: "a", ...engine, ...runTaskAtOnce(restoreSettings(settings, engine)) });
    await new SearchIndex(whole).addRecords(RECORDS);
    const other = engineContext(readEngineOptions(lacks));
    const bare = new LiveIndex({
      name: "a",
      ...other,
      ...runTaskAtOnce(restoreSettings(settings, { ...other, dimensions: 3 })),
    });
    bare.data.shareRecords(whole.data);
    return { whole: new SearchIndex(whole), bare: new SearchIndex(bare), live: bare, missing: bare.settings.missing };
  }

  for (const [what, lacks] of [
    ["an embedder", { analyzers: FULL.analyzers }],
    ["an analyzer", { embedders: FULL.embedders }],
  ] as const)
    it(`${what}: its records can be read, and it refuses to be searched and written`, async () => {
      const { whole, bare, live, missing } = await both(lacks);
      expect(bare.recordCount).toBe(2);
      expect(await bare.getRecords([2, 3])).toEqual([RECORDS[1], null]);
      expect(await allOf(bare.browseRecords())).toEqual(RECORDS);
      expect(await bare.digest()).toBe(await whole.digest());
      expect(await bare.getSettings()).toEqual(await whole.getSettings());
      expect((await bare.estimate()).records).toBe((await whole.estimate()).records);
      for (const call of [
        () => bare.query({ query: "sofa" }),
        () => bare.query({ query: "" }),
        () => bare.searchForFacetValues({ facetName: "colour" }),
        () => bare.whyNot({ query: "sofa" }, 1),
        () => bare.addRecords([{ id: 3 }]),
        () => bare.updateRecords([{ id: 1, colour: "green" }]),
        () => bare.replaceAllRecords([]),
        () => bare.deleteRecords([1]),
        () => bare.deleteBy({ filters: "colour:red" }),
        () => bare.clearIndex(),
        () => bare.updateSettings({ matching: "all" }),
      ])
        expect(await rejectionOf(call())).toBe(missing);
      expect(await allOf(bare.browseRecords())).toEqual(RECORDS);
      await live.end(missing!);
    });

  it("works again when it gets the records and the settings of another index", async () => {
    const { live, bare } = await both({});
    const engine = engineContext(readEngineOptions(FULL));
    const source = new LiveIndex({
      name: "b",
      ...engine,
      ...runTaskAtOnce(restoreSettings({ embedder: "axes-1" }, engine)),
    });
    await source.swapInto(live);
    expect((await bare.query({ query: "" })).data.nbHits).toBe(0);
    expect(await rejectionOf(bare.query({ query: "sofa", page: 0 }))).toMatchObject({ error: "invalid_page" });
  });
});

describe("the language of stored settings", () => {
  const stored = (language: string, analyzerIds?: string, more: object = {}) =>
    runTask(
      restoreSettings(
        { embedder: false, language, ...more },
        { ...readEngineOptions({}), dimensions: 0, embedderId: false, analyzerIds },
      ),
    );

  it("is read by the rules of English where nothing else was there when it was stored", async () => {
    // The last one is no language that is known.
    for (const language of ["en", "de", "zh", "tlh"]) {
      const { settings } = await stored(language);
      expect([language, settings.effective.analyzer, settings.missing]).toEqual([language, "english", undefined]);
    }
  });

  it("is read by the analyzers that it was stored with, and by no other version of them", async () => {
    for (const [language, id] of [
      ["de", "german-1"],
      ["zh", "plain-1"],
    ]) {
      const { settings } = await stored(language!, id);
      expect([settings.effective.analyzer, settings.missing]).toEqual([id, undefined]);
      expect((await stored(language!, "other-9")).settings.missing).toMatchObject({ error: "analyzer_missing" });
    }
  });

  it("is read by the analyzers of its attributes, and by no other version of them", async () => {
    const of = (...languages: string[]) => ({
      searchableAttributes: languages.map((language, i) => ({ attribute: `title${i}`, language })),
    });
    const { settings } = await stored("en", "french-1 german-1", of("fr", "de-AT", "en", "fr-CA"));
    expect([settings.effective.analyzer, settings.missing]).toEqual(["english", undefined]);
    expect(settings.analyzerIds).toBe("french-1 german-1");
    expect((await stored("en", "klingon-1", of("tlh"))).settings.missing).toMatchObject({ error: "analyzer_missing" });
    expect((await stored("tlh", "klingon-1")).settings.missing).toMatchObject({ error: "analyzer_missing" });
    expect((await stored("tlh", "klingon-1")).given.language).toBe("tlh");
    expect((await stored("de", "german-1 english-2", of("de", "en"))).settings.missing).toBeUndefined();
    for (const ids of ["french-1 german-9", "german-1", "german-1 french-1"])
      expect((await stored("en", ids, of("fr", "de"))).settings.missing).toMatchObject({
        code: 409,
        error: "analyzer_missing",
      });
  });
});
