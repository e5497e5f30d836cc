// What is said of a setting that is refused, and the ends of the ranges that are taken.

import { describe, expect, it } from "vitest";
import { checkSettings } from "../../src/settings/check-settings.js";
import type { Embedder, SearchWarning } from "../../src/util/extension-points.js";
import { resolveLimits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const staticEn: Embedder = { id: "static", dimensions: 4, embed: async () => [] };
const OWN: Embedder = { id: "own", dimensions: 3, embed: async () => [] };
const limits = resolveLimits({ attributeName: 8, dimensions: 9, semanticDepth: 50 });

function check(given: unknown, strict = false) {
  const warnings: SearchWarning[] = [];
  const warn = (warning: SearchWarning) => warnings.push(warning);
  return { ...checkSettings(given, { limits, strict, warn, defaultEmbedder: staticEn, staticEn }), warnings };
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);
const A_NAME = "expected an attribute name of 1 to 8 characters.";
const LIST = "expected a list of at most 1000 attribute names of 1 to 8 characters.";
const TEXTS = "expected a list of at most 10000 texts of at most 256 characters.";
const SEARCHABLE = "expected a list of 1 to 1000 names or { attribute, weight }.";
const EMBEDDER = 'expected "static-en", false or { id, dimensions, embed(texts, options) }.';
const ANALYZER = 'expected "english", "plain" or { id, analyze(text) }.';
const RANKINGS = 'expected a list of at most 16 of "asc(attribute)" or "desc(attribute)".';

describe("a refused setting is described", () => {
  for (const [given, error, says] of [
    [{ idAttribute: "x".repeat(9) }, "invalid_setting", `idAttribute is "xxxxxxxxx"; ${A_NAME}`],
    [{ vectorAttribute: 5 }, "invalid_setting", `vectorAttribute is 5; ${A_NAME}`],
    [{ attributeForDistinct: 5 }, "invalid_setting", `attributeForDistinct is 5; ${A_NAME}`],
    [{ identifierAttributes: 5 }, "invalid_setting", `identifierAttributes is 5; ${LIST}`],
    [{ embeddedAttributes: names(1001) }, "invalid_setting", `embeddedAttributes is an array; ${LIST}`],
    [{ attributesForFaceting: names(1001) }, "invalid_setting", `attributesForFaceting is an array; ${LIST}`],
    [{ searchableAttributes: [] }, "invalid_setting", `searchableAttributes is an array; ${SEARCHABLE}`],
    [{ searchableAttributes: names(1001) }, "invalid_setting", `searchableAttributes is an array; ${SEARCHABLE}`],
    [
      { searchableAttributes: [5] },
      "invalid_setting",
      "searchableAttributes[0] is 5; expected a name or { attribute, weight }.",
    ],
    [{ searchableAttributes: [""] }, "invalid_setting", `searchableAttributes[0] is ""; ${A_NAME}`],
    [
      { searchableAttributes: ["a", "a"] },
      "invalid_setting",
      'searchableAttributes[1] is "a"; expected each attribute once.',
    ],
    [
      { searchableAttributes: [{ attribute: "a", weight: 0 }] },
      "invalid_setting",
      "searchableAttributes[0].weight is 0; expected a number above 0, at most 1000.",
    ],
    [{ searchableAttributes: [{}] }, "invalid_setting", `searchableAttributes[0].attribute is null; ${A_NAME}`],
    [{ analyzer: "german" }, "invalid_analyzer", `analyzer is "german"; ${ANALYZER}`],
    [{ analyzer: { id: "", analyze: () => [] } }, "invalid_analyzer", `analyzer is an object; ${ANALYZER}`],
    [{ analyzer: { id: "x", analyze: 5 } }, "invalid_analyzer", `analyzer is an object; ${ANALYZER}`],
    [{ matching: "x" }, "invalid_setting", 'matching is "x"; expected one of "auto", "all", "any".'],
    [{ matchingRatio: 2 }, "invalid_setting", "matchingRatio is 2; expected a number from 0 to 1."],
    [{ embedder: "other" }, "invalid_embedder", `embedder is "other"; ${EMBEDDER}`],
    [{ embedder: { ...OWN, id: "" } }, "invalid_embedder", `embedder is an object; ${EMBEDDER}`],
    [{ embedder: { ...OWN, id: "x".repeat(257) } }, "invalid_embedder", `embedder is an object; ${EMBEDDER}`],
    [{ embedder: { ...OWN, id: 5 } }, "invalid_embedder", `embedder is an object; ${EMBEDDER}`],
    [
      { embedder: { ...OWN, dimensions: 10 } },
      "invalid_embedder",
      "embedder.dimensions is 10; expected an integer from 1 to 9.",
    ],
    [
      { embedder: { id: "x", embed: async () => [] } },
      "invalid_embedder",
      "embedder.dimensions is null; expected an integer from 1 to 9.",
    ],
    [
      { embedder: { ...OWN, maxBatchSize: 0 } },
      "invalid_embedder",
      "embedder.maxBatchSize is 0; expected an integer from 1 to 1000000.",
    ],
    [
      { vectorAttribute: "v" },
      "invalid_dimensions",
      "dimensions is undefined; expected an integer from 1 to 9, the length of the records' vectors.",
    ],
    [
      { vectorAttribute: "v", dimensions: 10 },
      "invalid_dimensions",
      "dimensions is 10; expected an integer from 1 to 9.",
    ],
    [{ embedder: OWN, dimensions: 4 }, "invalid_dimensions", "dimensions is 4; expected 3, which the embedder gives."],
    [
      { vectorIndex: { kind: "x" } },
      "invalid_setting",
      'vectorIndex.kind is "x"; expected one of "auto", "exact", "hnsw".',
    ],
    [{ vectorIndex: { m: 257 } }, "invalid_setting", "vectorIndex.m is 257; expected an integer from 2 to 256."],
    [
      { vectorIndex: { efConstruction: 3 } },
      "invalid_setting",
      "vectorIndex.efConstruction is 3; expected an integer from 4 to 10000.",
    ],
    [
      { vectorIndex: { efSearch: 0 } },
      "invalid_setting",
      "vectorIndex.efSearch is 0; expected an integer from 1 to 10000.",
    ],
    [{ fusion: { method: "x" } }, "invalid_setting", 'fusion.method is "x"; expected one of "convex", "rrf".'],
    [
      { fusion: { semanticWeight: 2 } },
      "invalid_setting",
      "fusion.semanticWeight is 2; expected a number from 0 to 1.",
    ],
    [
      { fusion: { method: "rrf", rankConstant: 0 } },
      "invalid_setting",
      "fusion.rankConstant is 0; expected a number from 1 to 10000.",
    ],
    [{ semanticFloor: 2 }, "invalid_setting", 'semanticFloor is 2; expected a number from -1 to 1, or "auto".'],
    [{ semanticDepth: 51 }, "invalid_setting", "semanticDepth is 51; expected an integer from 1 to 50."],
    [{ bm25: { k1: 1001 } }, "invalid_setting", "bm25.k1 is 1001; expected a number from 0 to 1000."],
    [{ bm25: { b: 2 } }, "invalid_setting", "bm25.b is 2; expected a number from 0 to 1."],
    [{ customRanking: ["up(a)"] }, "invalid_setting", `customRanking is an array; ${RANKINGS}`],
    [{ distinct: 1 }, "invalid_setting", "distinct is 1; expected true or false."],
    [{ distinct: true }, "invalid_setting", "distinct is true; expected an attributeForDistinct beside it."],
    [{ stopWords: true }, "invalid_setting", `stopWords is true; ${TEXTS}`],
    [{ optionalWords: 5 }, "invalid_setting", `optionalWords is 5; ${TEXTS}`],
    [{ typoTolerance: 5 }, "invalid_setting", "typoTolerance is 5; expected true or false."],
    [
      { queryType: "x" },
      "invalid_setting",
      'queryType is "x"; expected one of "prefixAuto", "prefixLast", "prefixAll", "prefixNone".',
    ],
    [{ synonyms: 5 }, "invalid_setting", "synonyms is 5; expected a list of at most 10000 synonyms."],
    [
      { synonyms: [{ type: "x", synonyms: [] }] },
      "invalid_setting",
      'synonyms[0].type is "x"; expected one of "synonym", "oneWaySynonym".',
    ],
    [{ synonyms: [{ type: "synonym" }] }, "invalid_setting", `synonyms[0].synonyms is null; ${TEXTS}`],
    [
      { synonyms: [{ type: "oneWaySynonym", synonyms: [], input: "x".repeat(257) }] },
      "invalid_setting",
      `synonyms[0].input is "${"x".repeat(77)}…"; expected a text of at most 256 characters.`,
    ],
    [
      { synonyms: [{ type: "oneWaySynonym", synonyms: names(1001), input: "x" }] },
      "invalid_setting",
      "synonyms[0] is 1001; expected at most 1000 synonyms of one word.",
    ],
  ] as const)
    it(says, () => {
      const param = /^[\w.[\]]+/.exec(says)?.[0];
      expect(thrownBy(() => check(given))).toMatchObject({ code: 400, error, param, msg: `settings.${says}` });
    });

  for (const [given, param, error] of [
    [5, "settings", "invalid_settings"],
    [{ vectorIndex: 5 }, "settings.vectorIndex", "invalid_setting"],
    [{ fusion: 5 }, "settings.fusion", "invalid_setting"],
    [{ bm25: 5 }, "settings.bm25", "invalid_setting"],
    [{ synonyms: [5] }, "settings.synonyms[0]", "invalid_setting"],
  ] as const)
    it(`${param} is 5; pass an object.`, () =>
      expect(thrownBy(() => check(given))).toMatchObject({ error, param, msg: `${param} is 5; pass an object.` }));

  it("settings.searchableAttributes[0] is an array; pass an object.", () => {
    expect(thrownBy(() => check({ searchableAttributes: [[]] }))).toMatchObject({
      error: "invalid_setting",
      param: "settings.searchableAttributes[0]",
      msg: "settings.searchableAttributes[0] is an array; pass an object.",
    });
  });

  it("settings.synonyms[0] is null where an item is missing", () => {
    expect(thrownBy(() => check({ synonyms: [undefined] })).msg).toBe("settings.synonyms[0] is null; pass an object.");
  });
});

describe("an unknown setting is described", () => {
  for (const [given, param, says] of [
    [{ bm25: { k2: 1 } }, "bm25.k2", 'setting "bm25.k2" is unknown; did you mean bm25.k1?'],
    [{ vectorIndex: { ef: 1 } }, "vectorIndex.ef", 'setting "vectorIndex.ef" is unknown; did you mean vectorIndex.m?'],
    [
      { fusion: { method: "rrf", semanticWeight: 0.5 } },
      "fusion.semanticWeight",
      'setting "fusion.semanticWeight" is unknown; known are fusion.method, fusion.rankConstant.',
    ],
    [
      { fusion: { rankConstant: 5 } },
      "fusion.rankConstant",
      'setting "fusion.rankConstant" is unknown; known are fusion.method, fusion.semanticWeight.',
    ],
  ] as const)
    it(says, () => expect(thrownBy(() => check(given))).toMatchObject({ error: "unknown_setting", param, msg: says }));

  it("in a warning, or in an error under strict", () => {
    const message = 'setting "matchin" is unknown; did you mean matching?';
    expect(check({ matchin: "all" }).warnings).toEqual([
      { code: "unknown_setting", message: `${message} It was ignored.`, param: "matching" },
    ]);
    expect(thrownBy(() => check({ matchin: "all" }, true))).toMatchObject({
      error: "unknown_setting",
      param: "matchin",
      msg: message,
    });
  });
});
