import { describe, expect, it } from "vitest";
import { createStaticDeEmbedder } from "../../src/embedding/word-table-embedder.js";
import { checkSettings, copySettings } from "../../src/input/read-settings.js";
import { SETTING_NAMES } from "../../src/input/setting-table.js";
import { textInSteps } from "../../src/settings/fingerprint.js";
import type { Embedder, SearchWarning } from "../../src/util/extension-points.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { thrownBy } from "../support/refusal.js";

const embedderOf = (id: string, dimensions: number): Embedder => ({
  id,
  dimensions,
  embed: async (texts) => texts.map(() => null),
});
const staticEn = embedderOf("static-en-test", 192);

function check(
  given?: unknown,
  { strict = false, defaultEmbedder = staticEn as Embedder | false, problem = undefined as string | undefined } = {},
) {
  const warnings: SearchWarning[] = [];
  const warn = (warning: SearchWarning) => warnings.push(warning);
  const hnswlibProblem = () => problem;
  const context = {
    limits: DEFAULT_LIMITS,
    strict,
    warn,
    defaultEmbedder,
    tables: { "static-en": staticEn, "static-de": createStaticDeEmbedder() },
    hnswlibProblem,
  };
  return { ...runTaskAtOnce(checkSettings(runTaskAtOnce(copySettings(given)), context)), warnings };
}

const VALUES = { attributesForFaceting: null, customRanking: [], attributeForDistinct: null, distinct: false };
const MENDING = { typoTolerance: true, disableTypoToleranceOnWords: [], disableTypoToleranceOnAttributes: [] };
const REST = {
  ...VALUES,
  ...MENDING,
  synonyms: [],
  builtInSynonyms: true,
  stopWords: null,
  optionalWords: [],
  queryType: "prefixAuto",
  suggestions: [],
  language: "en",
  understanding: { price: null, rating: null, newest: null },
};

describe("settings", () => {
  it("have the documented defaults, none of them needed", () => {
    const { shown, analyzer, embedder } = check();
    expect(shown).toEqual({
      idAttribute: "id",
      searchableAttributes: null,
      identifierAttributes: (
        "sku ean gtin upc isbn mpn asin barcode gtin8 gtin12 gtin13 gtin14 ean8 ean13 isbn10 isbn13 articleNumber partNumber " +
        "modelNumber productCode articleNo itemNumber itemNo itemCode partNo modelNo productNumber productNo manufacturerPartNumber oemNumber oeNumber styleNumber styleCode stockCode orderNumber catalogNumber eanCode upcCode pzn issn variantSku variantBarcode gtinUpcEanOrIsbn"
      ).split(" "),
      analyzer: "english",
      matching: "auto",
      matchingRatio: 0.4,
      embedder: "static-en-test",
      embeddedAttributes: null,
      vectorAttribute: null,
      dimensions: 192,
      vectorIndex: { kind: "auto", m: 16, efConstruction: 200, efSearch: 250 },
      fusion: { method: "convex", semanticWeight: 0.1 },
      titleEvidence: true,
      semanticFloor: "auto",
      semanticDepth: 100,
      rankWindow: 1000,
      relevancyStrictness: 0,
      bm25: { k1: 1.2, b: 0.6 },
      boosts: [],
      rules: [],
      ...REST,
    });
    expect([analyzer, embedder]).toEqual(["en", staticEn]);
    const names = SETTING_NAMES.filter((name) => name !== "semanticWeight");
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(names));
    expect(shown).not.toHaveProperty("semanticWeight");
  });

  it("take semanticWeight as short for the convex fusion, and nothing beside it", () => {
    for (const weight of [0, 0.3, 1]) {
      const long = { fusion: { method: "convex", semanticWeight: weight } };
      const { warnings, ...short } = check({ semanticWeight: weight });
      expect(warnings).toEqual([]);
      expect(short).toEqual({ ...check(long), warnings: undefined });
    }
    for (const fusion of [{}, { method: "convex", semanticWeight: 0.3 }, { method: "rrf" }])
      expect(thrownBy(() => check({ semanticWeight: 0.3, fusion }))).toMatchObject({
        ...{ code: 400, error: "invalid_setting", param: "semanticWeight" },
        msg: 'settings.semanticWeight and settings.fusion are both given; the first is short for fusion: { method: "convex", semanticWeight }, so pass one of them.',
      });
  });

  it("take what the caller says, as a frozen copy", () => {
    const given = {
      searchableAttributes: ["title", { attribute: "specs.motor", weight: 3 }, { attribute: "brand" }],
      identifierAttributes: ["Artikel"],
      fusion: { method: "rrf", rankConstant: 20 },
      bm25: { b: 0 },
    };
    const { shown } = check(given);
    given.searchableAttributes.push("more");
    given.bm25.b = 1;
    expect(shown.searchableAttributes).toEqual([
      "title",
      { attribute: "specs.motor", weight: 3 },
      { attribute: "brand", weight: 1 },
    ]);
    expect(shown).toMatchObject({ fusion: { method: "rrf", rankConstant: 20 }, bm25: { k1: 1.2, b: 0 } });
    expect([shown, shown.bm25, shown.searchableAttributes].every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
  });
});

describe("the embedder", () => {
  it("is the engine's, the built-in one, one's own, or none", () => {
    const own = embedderOf("own", 3);
    expect(check({}, { defaultEmbedder: own }).embedder).toBe(own);
    expect(check({}, { defaultEmbedder: false }).embedder).toBeUndefined();
    expect(check({ embedder: "static-en" }, { defaultEmbedder: false }).embedder).toBe(staticEn);
    expect(check({ embedder: own })).toMatchObject({
      embedder: { id: "own", dimensions: 3 },
      shown: { embedder: "own", dimensions: 3 },
    });
    expect(check({ embedder: false }).shown).toMatchObject({ embedder: false, dimensions: 0 });
  });

  it("decides the floor: learned, or the usual one of its kind", () => {
    expect(check({ embedder: embedderOf("own", 3) })).toMatchObject({
      shown: { semanticFloor: "auto" },
      usualFloor: 0,
    });
    expect(check({})).toMatchObject({ shown: { semanticFloor: "auto" }, usualFloor: 0.35 });
    expect(check({ embedder: false }).shown.semanticFloor).toBe(0);
    expect(check({ semanticFloor: 0.2 }).shown.semanticFloor).toBe(0.2);
  });

  it("may be an instance of a class", async () => {
    class Own implements Embedder {
      readonly id = "class";
      readonly dimensions = 2;
      private readonly vectors = [[1, 2]];
      async embed(): Promise<number[][]> {
        return this.vectors;
      }
    }
    const { embedder, shown } = check({ embedder: new Own() });
    expect(shown.embedder).toBe("class");
    expect(await embedder?.embed(["x"], { purpose: "record" })).toEqual([[1, 2]]);
  });
});

describe("the kind of graph", () => {
  it("of hnswlib-node is refused where the package cannot be used, with the reason and what to do", () => {
    const given = { vectorIndex: { kind: "hnswlib", m: 8 } };
    expect(check(given).shown.vectorIndex).toEqual({
      kind: "hnswlib",
      m: 8,
      efConstruction: 200,
      efSearch: 250,
    });
    expect(thrownBy(() => check(given, { problem: "the package is missing" }))).toMatchObject({
      code: 400,
      error: "invalid_setting",
      param: "vectorIndex.kind",
      msg: 'settings.vectorIndex.kind is "hnswlib", but the package is missing; run "npm install hnswlib-node", which needs a C++ compiler, or choose "auto", "hnsw" or "exact".',
    });
    for (const kind of ["auto", "exact", "hnsw"])
      expect(check({ vectorIndex: { kind } }, { problem: "missing" }).shown.vectorIndex.kind).toBe(kind);
  });
});

describe("records' own vectors", () => {
  it("need their dimensions, and switch the engine's embedder off", () => {
    const { shown, embedder } = check({ vectorAttribute: "v", dimensions: 3 });
    expect(shown).toMatchObject({ vectorAttribute: "v", dimensions: 3, embedder: false, semanticFloor: 0 });
    expect(embedder).toBeUndefined();
  });

  it("may have an embedder of their length for the queries", () => {
    const embedder = embedderOf("own", 3);
    expect(check({ vectorAttribute: "v", dimensions: 3, embedder }).embedder?.id).toBe("own");
    expect(check({ vectorAttribute: "v", embedder }).shown.dimensions).toBe(3);
  });
});

describe("the fingerprint", () => {
  const printOf = (given: object) => runTaskAtOnce(textInSteps(check(given).shown));

  it("is one for equal settings, in whatever order and whether spelled out", () => {
    expect(printOf({ matching: "all", bm25: { b: 0.5, k1: 1 } })).toBe(
      printOf({ bm25: { k1: 1, b: 0.5 }, matching: "all" }),
    );
    expect(printOf({ idAttribute: "id", matchingRatio: 0.4 })).toBe(printOf({}));
  });

  it("differs for different settings", () => {
    const prints = [
      {},
      { matching: "all" },
      { bm25: { b: 0.5 } },
      { searchableAttributes: ["a"] },
      { embedder: false },
    ].map(printOf);
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe("the analyzer", () => {
  it("is English, plain or one's own", () => {
    const own = { id: "own-1", analyze: (text: string) => [text] };
    expect(check({ analyzer: "english" }).analyzer).toBe("en");
    expect(check({ analyzer: "plain" }).shown.analyzer).toBe("plain");
    const { analyzer, shown } = check({ analyzer: own });
    expect([shown.analyzer, typeof analyzer === "object" && analyzer.analyze("a b")]).toEqual(["own-1", ["a b"]]);
  });

  it("gives no empty terms", () => {
    const { analyzer } = check({ analyzer: { id: "own", analyze: (text: string) => text.split(" ") } });
    expect(typeof analyzer === "object" && analyzer.analyze(" a  b ")).toEqual(["a", "b"]);
  });
});
