// The settings of an index: taken as a copy, checked, filled in, and compared.

import { describe, expect, it } from "vitest";
import { createStaticDeEmbedder } from "../../src/embedding/word-table-embedder.js";
import { readEngineOptions } from "../../src/input/engine-options.js";
import { checkSettings, copySettings, knownSettings } from "../../src/input/read-settings.js";
import { SETTING_NAMES } from "../../src/input/setting-table.js";
import { givenAlike, stableText, textInSteps } from "../../src/settings/fingerprint.js";
import type { Embedder, SearchWarning } from "../../src/util/extension-points.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { thrownBy } from "../support/refusal.js";

const embedderOf = (id: string, dimensions: number): Embedder => ({
  ...{ id, dimensions },
  embed: async (texts) => texts.map(() => null),
});
const staticEn = embedderOf("static-en-test", 192);
const take = (given: unknown) => runTaskAtOnce(copySettings(given));

function check(
  given?: unknown,
  { defaultEmbedder = staticEn as Embedder | false, problem = undefined as string | undefined } = {},
) {
  const warnings: SearchWarning[] = [];
  const context = {
    ...{ limits: DEFAULT_LIMITS, strict: false, defaultEmbedder, hnswlibProblem: () => problem },
    warn: (warning: SearchWarning) => warnings.push(warning),
    tables: { "static-en": staticEn, "static-de": createStaticDeEmbedder() },
  };
  return { ...runTaskAtOnce(checkSettings(take(given), context)), warnings };
}

const IDENTIFIERS =
  "sku ean gtin upc isbn mpn asin barcode gtin8 gtin12 gtin13 gtin14 ean8 ean13 isbn10 isbn13 articleNumber partNumber " +
  "modelNumber productCode articleNo itemNumber itemNo itemCode partNo modelNo productNumber productNo manufacturerPartNumber " +
  "oemNumber oeNumber styleNumber styleCode stockCode orderNumber catalogNumber eanCode upcCode pzn issn variantSku " +
  "variantBarcode gtinUpcEanOrIsbn";

describe("settings", () => {
  it("have the documented defaults, none of them needed", () => {
    const { shown, analyzer, embedder } = check();
    expect(shown).toEqual({
      ...{ idAttribute: "id", searchableAttributes: null, identifierAttributes: IDENTIFIERS.split(" ") },
      ...{ analyzer: "english", language: "en", matching: "auto", matchingRatio: 0.4, queryType: "prefixAuto" },
      ...{ embedder: "static-en-test", embeddedAttributes: null, vectorAttribute: null, dimensions: 192 },
      vectorIndex: { kind: "auto", m: 16, efConstruction: 200, efSearch: 250 },
      fusion: { method: "convex", semanticWeight: 0.1 },
      ...{ semanticFloor: "auto", semanticDepth: 100, rankWindow: 1000, relevancyStrictness: 0, titleEvidence: true },
      bm25: { k1: 1.2, b: 0.6 },
      ...{ attributesForFaceting: null, customRanking: [], attributeForDistinct: null, distinct: false },
      ...{ boosts: [], rules: [], synonyms: [], builtInSynonyms: true, suggestions: [], stopWords: null },
      ...{ typoTolerance: true, disableTypoToleranceOnWords: [], disableTypoToleranceOnAttributes: [] },
      ...{ optionalWords: [], understanding: { price: null, rating: null, newest: null } },
    });
    expect([analyzer, embedder]).toEqual(["en", staticEn]);
    expect([...Object.keys(shown), "semanticWeight"].sort()).toEqual([...SETTING_NAMES].sort());
  });

  it("take semanticWeight as short for the convex fusion, and nothing beside it", () => {
    for (const semanticWeight of [0, 0.3, 1])
      expect(check({ semanticWeight })).toEqual({
        ...check({ fusion: { method: "convex", semanticWeight } }),
        warnings: [],
      });
    for (const fusion of [{}, { method: "convex", semanticWeight: 0.3 }, { method: "rrf" }])
      expect(thrownBy(() => check({ semanticWeight: 0.3, fusion }))).toMatchObject({
        ...{ code: 400, error: "invalid_setting", param: "semanticWeight" },
        msg: 'settings.semanticWeight and settings.fusion are both given; the first is short for fusion: { method: "convex", semanticWeight }, so pass one of them.',
      });
  });

  it("take what the caller says, as a frozen copy", () => {
    const searchableAttributes = ["title", { attribute: "specs.motor", weight: 3 }, { attribute: "brand" }];
    const given = { searchableAttributes, fusion: { method: "rrf", rankConstant: 20 }, bm25: { b: 0 } };
    const { shown } = check(given);
    given.bm25.b = 1;
    expect(shown).toMatchObject({
      searchableAttributes: [...searchableAttributes.slice(0, 2), { attribute: "brand", weight: 1 }],
      ...{ fusion: { method: "rrf", rankConstant: 20 }, bm25: { k1: 1.2, b: 0 } },
    });
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
      shown: { embedder: "own", dimensions: 3, semanticFloor: "auto" },
      usualFloor: 0,
    });
    expect(check({ embedder: false }).shown).toMatchObject({ embedder: false, dimensions: 0, semanticFloor: 0 });
    expect(check({})).toMatchObject({ shown: { semanticFloor: "auto" }, usualFloor: 0.35 });
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
    const { embedder } = check({ embedder: new Own() });
    expect(await embedder?.embed(["x"], { purpose: "record" })).toEqual([[1, 2]]);
  });

  it("is switched off by records' own vectors, or has their length", () => {
    const none = { vectorAttribute: "v", dimensions: 3, embedder: false, semanticFloor: 0 };
    const { shown, embedder } = check({ vectorAttribute: "v", dimensions: 3 });
    expect([shown, embedder]).toEqual([expect.objectContaining(none), undefined]);
    const own = embedderOf("own", 3);
    expect(check({ vectorAttribute: "v", dimensions: 3, embedder: own }).embedder?.id).toBe("own");
    expect(check({ vectorAttribute: "v", embedder: own }).shown.dimensions).toBe(3);
  });
});

it("the graph of hnswlib-node is refused where the package cannot be used, with the reason and what to do", () => {
  const given = { vectorIndex: { kind: "hnswlib", m: 8 } };
  expect(check(given).shown.vectorIndex).toMatchObject({ kind: "hnswlib", m: 8 });
  expect(thrownBy(() => check(given, { problem: "the package is missing" }))).toMatchObject({
    ...{ code: 400, error: "invalid_setting", param: "vectorIndex.kind" },
    msg: 'settings.vectorIndex.kind is "hnswlib", but the package is missing; run "npm install hnswlib-node", which needs a C++ compiler, or choose "auto", "hnsw" or "exact".',
  });
  for (const kind of ["auto", "exact", "hnsw"])
    expect(check({ vectorIndex: { kind } }, { problem: "missing" }).shown.vectorIndex.kind).toBe(kind);
});

it("the analyzer is English, plain or one's own, which gives no empty terms", () => {
  const own = { id: "own-1", analyze: (text: string) => text.split(" ") };
  expect(check({ analyzer: "english" }).analyzer).toBe("en");
  expect(check({ analyzer: "plain" }).shown.analyzer).toBe("plain");
  const { analyzer, shown } = check({ analyzer: own });
  expect([shown.analyzer, typeof analyzer === "object" && analyzer.analyze(" a  b ")]).toEqual(["own-1", ["a", "b"]]);
});

it("the fingerprint is one for equal settings alone, in whatever order and whether spelled out", () => {
  const printOf = (given: object) => runTaskAtOnce(textInSteps(check(given).shown));
  expect(printOf({ matching: "all", bm25: { b: 0.5, k1: 1 } })).toBe(
    printOf({ bm25: { k1: 1, b: 0.5 }, matching: "all" }),
  );
  expect(printOf({ idAttribute: "id", matchingRatio: 0.4 })).toBe(printOf({}));
  const others = [{}, { matching: "all" }, { bm25: { b: 0.5 } }, { searchableAttributes: ["a"] }, { embedder: false }];
  expect(new Set(others.map(printOf)).size).toBe(others.length);
});

describe("a copy of settings", () => {
  it("holds what was given, and what the caller changes later does not reach it", () => {
    const given = { bm25: { k1: 1 }, optionalWords: ["a"], unknown: [1] };
    const copy = take(given);
    given.bm25.k1 = 2;
    given.optionalWords.push("b");
    expect(copy).toEqual({ bm25: { k1: 1 }, optionalWords: ["a"], unknown: [1] });
    expect(take(undefined)).toEqual({});
    expect(knownSettings(copy)).toEqual({ bm25: { k1: 1 }, optionalWords: ["a"] });
    expect(thrownBy(() => take(5))).toMatchObject({ code: 400, error: "invalid_settings", param: "settings" });
  });

  it("keeps analyzer and embedder as they are, and what cannot be copied for the checks to refuse", () => {
    const analyzer = new (class {
      readonly id = "own";
      analyze(text: string): string[] {
        return [text];
      }
    })();
    const embedder = { id: "own", dimensions: 1 };
    const copy = take({ analyzer, embedder, matching: analyzer.analyze });
    expect(copy.matching).toEqual(expect.any(Function));
    expect([copy.analyzer === analyzer, Object.is(copy.embedder, embedder)]).toEqual([true, true]);
  });
});

describe("large settings", () => {
  const rules = [
    { id: "a", consequence: { hide: Array.from({ length: 50_000 }, (_, i) => i) } },
    { id: "b", conditions: Array.from({ length: 5000 }, (_, i) => ({ context: `c${i}` })), consequence: { hide: [1] } },
  ];

  it("are taken, checked, compared and written with pauses, counted by what is in them", () => {
    const pausesOf = (steps: Iterable<unknown>): number => [...steps].length;
    const taken = take({ rules });
    expect(pausesOf(copySettings({ rules }))).toBeGreaterThan(10);
    expect(pausesOf(checkSettings(taken, readEngineOptions({})))).toBeGreaterThan(200);
    expect(pausesOf(givenAlike(taken, take({ rules })))).toBeGreaterThan(50);
    expect(pausesOf(textInSteps(taken))).toBeGreaterThan(50);
  });

  it("are the same text in steps as at once", () => {
    const value = { b: [1, undefined, "\u2028", { z: null, a: undefined, c: true }], a: { "": -0 }, rules };
    expect(runTaskAtOnce(textInSteps(value))).toBe(stableText(value));
    expect(runTaskAtOnce(textInSteps(value, false))).toBe(JSON.stringify(value));
  });
});
