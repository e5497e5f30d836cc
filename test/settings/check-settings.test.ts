import { describe, expect, it } from "vitest";
import { checkSettings } from "../../src/settings/check-settings.js";
import { settingsFingerprint } from "../../src/settings/fingerprint.js";
import { SETTING_NAMES } from "../../src/settings/settings.js";
import type { Embedder, SearchWarning } from "../../src/util/extension-points.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const embedderOf = (id: string, dimensions: number): Embedder => ({
  id,
  dimensions,
  embed: async (texts) => texts.map(() => null),
});
const staticEn = embedderOf("static-en-test", 192);

function check(given?: unknown, { strict = false, defaultEmbedder = staticEn as Embedder | false } = {}) {
  const warnings: SearchWarning[] = [];
  const warn = (warning: SearchWarning) => warnings.push(warning);
  return { ...checkSettings(given, { limits: DEFAULT_LIMITS, strict, warn, defaultEmbedder, staticEn }), warnings };
}

const refused = (given: unknown, strict = false) => thrownBy(() => check(given, { strict }));

const VALUES = { attributesForFaceting: null, customRanking: [], attributeForDistinct: null, distinct: false };
const MENDING = { typoTolerance: true, disableTypoToleranceOnWords: [], disableTypoToleranceOnAttributes: [] };
const REST = { ...VALUES, ...MENDING, synonyms: [], stopWords: null, optionalWords: [], queryType: "prefixAuto" };

describe("settings", () => {
  it("have the documented defaults, none of them needed", () => {
    const { effective, analyzer, embedder } = check();
    expect(effective).toEqual({
      idAttribute: "id",
      searchableAttributes: null,
      identifierAttributes: ["sku", "ean", "gtin", "upc", "isbn", "mpn", "asin"],
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
      bm25: { k1: 1.2, b: 0.6 },
      ...REST,
    });
    expect([analyzer, embedder]).toEqual(["english", staticEn]);
    expect(Object.keys(effective)).toEqual(expect.arrayContaining([...SETTING_NAMES]));
  });

  it("take what the caller says, as a frozen copy", () => {
    const given = {
      searchableAttributes: ["title", { attribute: "specs.motor", weight: 3 }, { attribute: "brand" }],
      identifierAttributes: ["Artikel"],
      fusion: { method: "rrf", rankConstant: 20 },
      bm25: { b: 0 },
    };
    const { effective } = check(given);
    given.searchableAttributes.push("more");
    given.bm25.b = 1;
    expect(effective.searchableAttributes).toEqual([
      "title",
      { attribute: "specs.motor", weight: 3 },
      { attribute: "brand", weight: 1 },
    ]);
    expect(effective).toMatchObject({ fusion: { method: "rrf", rankConstant: 20 }, bm25: { k1: 1.2, b: 0 } });
    expect([effective, effective.bm25, effective.searchableAttributes].every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
  });

  const WRONG: readonly (readonly [object, string])[] = [
    [{ idAttribute: "" }, "idAttribute"],
    [{ idAttribute: 5 }, "idAttribute"],
    [{ searchableAttributes: [] }, "searchableAttributes"],
    [{ searchableAttributes: "title" }, "searchableAttributes"],
    [{ searchableAttributes: Array.from({ length: 1001 }, (_, i) => `a${i}`) }, "searchableAttributes"],
    [{ searchableAttributes: [5] }, "searchableAttributes[0]"],
    [{ searchableAttributes: [null] }, "searchableAttributes[0]"],
    [{ searchableAttributes: ["a", "a"] }, "searchableAttributes[1]"],
    [{ searchableAttributes: ["a", { attribute: "a" }] }, "searchableAttributes[1]"],
    [{ searchableAttributes: [{ attribute: "a", weight: 0 }] }, "searchableAttributes[0].weight"],
    [{ searchableAttributes: [{ attribute: "a", weight: 1001 }] }, "searchableAttributes[0].weight"],
    [{ searchableAttributes: [{ weight: 2 }] }, "searchableAttributes[0].attribute"],
    [{ identifierAttributes: [5] }, "identifierAttributes"],
    [{ embeddedAttributes: "title" }, "embeddedAttributes"],
    [{ analyzer: "german" }, "analyzer"],
    [{ analyzer: { id: "x" } }, "analyzer"],
    [{ matching: "most" }, "matching"],
    [{ matchingRatio: 1.1 }, "matchingRatio"],
    [{ embedder: "other" }, "embedder"],
    [{ embedder: true }, "embedder"],
    [{ vectorIndex: { kind: "flat" } }, "vectorIndex.kind"],
    [{ vectorIndex: { m: 1 } }, "vectorIndex.m"],
    [{ vectorIndex: { ef: 5 } }, "vectorIndex.ef"],
    [{ fusion: { method: "sum" } }, "fusion.method"],
    [{ fusion: { method: "rrf", semanticWeight: 0.5 } }, "fusion.semanticWeight"],
    [{ fusion: { semanticWeight: 2 } }, "fusion.semanticWeight"],
    [{ fusion: { method: "rrf", rankConstant: 0 } }, "fusion.rankConstant"],
    [{ semanticFloor: 1.5 }, "semanticFloor"],
    [{ semanticDepth: 0 }, "semanticDepth"],
    [{ rankWindow: 0 }, "rankWindow"],
    [{ rankWindow: 10_001 }, "rankWindow"],
    [{ bm25: { k1: -1 } }, "bm25.k1"],
    [{ bm25: { b: 2 } }, "bm25.b"],
    [{ bm25: { k2: 2 } }, "bm25.k2"],
    [{ bm25: 5 }, "settings.bm25"],
    [{ fusion: null }, "settings.fusion"],
  ];
  for (const [given, param] of WRONG)
    it(`refuse ${JSON.stringify(given).slice(0, 70)}, naming ${param}`, () => {
      expect(refused(given)).toMatchObject({ code: 400, param });
    });

  it("complain about everything at once", () => {
    const error = refused({ matchingRatio: -1, bm25: { k1: -1, b: -1 }, semanticDepth: 0 });
    expect(error.details?.total).toBe(4);
  });

  it("of unknown names are warned of, with the nearest known", () => {
    const { warnings, effective } = check({ serchableAttributes: ["x"] });
    expect(warnings).toEqual([expect.objectContaining({ code: "unknown_setting", param: "searchableAttributes" })]);
    expect(effective.searchableAttributes).toBeNull();
    expect(check({ zzzzzzzz: 1 }).warnings[0]?.param).toBe("zzzzzzzz");
  });

  it("of unknown names are errors under strict", () => {
    expect(refused({ serchableAttributes: ["x"] }, true)).toMatchObject({ error: "unknown_setting" });
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
      effective: { embedder: "own", dimensions: 3 },
    });
    expect(check({ embedder: false }).effective).toMatchObject({ embedder: false, dimensions: 0 });
  });

  it("decides the floor: learned, or the usual one of its kind", () => {
    expect(check({ embedder: embedderOf("own", 3) })).toMatchObject({
      effective: { semanticFloor: "auto" },
      usualFloor: 0,
    });
    expect(check({})).toMatchObject({ effective: { semanticFloor: "auto" }, usualFloor: 0.35 });
    expect(check({ embedder: false }).effective.semanticFloor).toBe(0);
    expect(check({ semanticFloor: 0.2 }).effective.semanticFloor).toBe(0.2);
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
    const { embedder, effective } = check({ embedder: new Own() });
    expect(effective.embedder).toBe("class");
    expect(await embedder?.embed(["x"], { purpose: "record" })).toEqual([[1, 2]]);
  });

  for (const [name, wrong] of Object.entries({
    "no id": { dimensions: 2, embed: async () => [] },
    "no dimensions": { id: "x", embed: async () => [] },
    "too many dimensions": { id: "x", dimensions: 4097, embed: async () => [] },
    "no function": { id: "x", dimensions: 2 },
    "a batch of none": { id: "x", dimensions: 2, maxBatchSize: 0, embed: async () => [] },
  }))
    it(`with ${name} is refused`, () => {
      expect(refused({ embedder: wrong })).toMatchObject({ code: 400, error: "invalid_embedder" });
    });
});

describe("records' own vectors", () => {
  it("need their dimensions, and switch the engine's embedder off", () => {
    const { effective, embedder } = check({ vectorAttribute: "v", dimensions: 3 });
    expect(effective).toMatchObject({ vectorAttribute: "v", dimensions: 3, embedder: false, semanticFloor: 0 });
    expect(embedder).toBeUndefined();
    expect(refused({ vectorAttribute: "v" })).toMatchObject({ error: "invalid_dimensions", param: "dimensions" });
    expect(refused({ vectorAttribute: "v", dimensions: 0 }).error).toBe("invalid_dimensions");
  });

  it("may have an embedder of their length for the queries", () => {
    const embedder = embedderOf("own", 3);
    expect(check({ vectorAttribute: "v", dimensions: 3, embedder }).embedder?.id).toBe("own");
    expect(check({ vectorAttribute: "v", embedder }).effective.dimensions).toBe(3);
    expect(refused({ vectorAttribute: "v", dimensions: 4, embedder }).error).toBe("invalid_dimensions");
  });
});

describe("the fingerprint", () => {
  const printOf = (given: object) => settingsFingerprint(check(given).effective);

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
    expect(check({ analyzer: "english" }).analyzer).toBe("english");
    expect(check({ analyzer: "plain" }).effective.analyzer).toBe("plain");
    const { analyzer, effective } = check({ analyzer: own });
    expect([effective.analyzer, typeof analyzer === "object" && analyzer.analyze("a b")]).toEqual(["own-1", ["a b"]]);
  });

  it("is refused when it cannot be read", () => {
    const throwing = Object.defineProperty({ id: "x" }, "analyze", {
      get: () => {
        throw new Error("from the getter");
      },
    });
    expect(refused({ analyzer: throwing })).toMatchObject({ code: 400, error: "invalid_analyzer" });
  });

  const BAD: Readonly<Record<string, () => unknown>> = {
    "throws an error": () => {
      throw new Error("theirs");
    },
    "answers no list": () => "a b",
    "answers no texts": () => ["a", 5],
  };
  for (const [name, analyze] of Object.entries(BAD))
    it(`that ${name} fails with 502`, () => {
      const { analyzer } = check({ analyzer: { id: "bad", analyze } });
      const call = () => typeof analyzer === "object" && analyzer.analyze("x");
      expect(thrownBy(call)).toMatchObject({ code: 502, error: "analyzer_failed", param: "analyzer" });
    });

  it("gives no empty terms", () => {
    const { analyzer } = check({ analyzer: { id: "own", analyze: (text: string) => text.split(" ") } });
    expect(typeof analyzer === "object" && analyzer.analyze(" a  b ")).toEqual(["a", "b"]);
  });
});
