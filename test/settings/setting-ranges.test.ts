// What settings take: both ends of their ranges, every word they know, and a call that is refused for several at once.

import { describe, expect, it } from "vitest";
import { checkSettings } from "../../src/settings/check-settings.js";
import type { IndexSettings } from "../../src/settings/settings.js";
import type { Embedder } from "../../src/util/extension-points.js";
import { DEFAULT_LIMITS, resolveLimits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const staticEn: Embedder = { id: "static", dimensions: 4, embed: async () => [] };

const effective = (given: unknown, limits = DEFAULT_LIMITS) =>
  checkSettings(given, { limits, strict: true, warn: () => {}, defaultEmbedder: staticEn, staticEn }).effective;

const refusedParams = (given: unknown): string[] => {
  const complaints = thrownBy(() => effective(given)).details?.complaints as readonly { readonly param: string }[];
  return complaints.map(({ param }) => param);
};

describe("settings take", () => {
  const taken: readonly IndexSettings[] = [
    ...(["auto", "all", "any"] as const).map((matching) => ({ matching })),
    ...[0, 1].map((matchingRatio) => ({ matchingRatio })),
    ...(["auto", "exact", "hnsw"] as const).map((kind) => ({ vectorIndex: { kind } })),
    { vectorIndex: { kind: "hnsw", m: 2, efConstruction: 4, efSearch: 1 } },
    { vectorIndex: { kind: "hnsw", m: 256, efConstruction: 10_000, efSearch: 10_000 } },
    ...[0, 1].map((semanticWeight) => ({ fusion: { method: "convex" as const, semanticWeight } })),
    ...[1, 10_000].map((rankConstant) => ({ fusion: { method: "rrf" as const, rankConstant } })),
    ...[-1, 1].map((semanticFloor) => ({ semanticFloor })),
    ...[1, 10_000].map((semanticDepth) => ({ semanticDepth })),
    ...[1, 10_000].map((rankWindow) => ({ rankWindow })),
    { bm25: { k1: 0, b: 0 } },
    { bm25: { k1: 1000, b: 1 } },
    { idAttribute: "sku", identifierAttributes: [], embeddedAttributes: ["title"] },
    { vectorAttribute: "v", dimensions: 4096 },
    { searchableAttributes: [{ attribute: "a", weight: 1000 }, "b"] },
  ];
  for (const given of taken) it(JSON.stringify(given), () => expect(effective(given)).toMatchObject(given));

  it("a thousand attributes to search", () => {
    const searchableAttributes = Array.from({ length: 1000 }, (_, i) => `a${i}`);
    expect(effective({ searchableAttributes }).searchableAttributes).toHaveLength(1000);
  });

  it("a method's own default, and a depth within the engine's limit", () => {
    expect(effective({ fusion: { method: "rrf" } }).fusion).toEqual({ method: "rrf", rankConstant: 60 });
    expect(effective({}, resolveLimits({ semanticDepth: 7 })).semanticDepth).toBe(7);
  });
});

describe("settings that are refused", () => {
  it("are each complained of once, under their own names", () => {
    expect(refusedParams({ embedder: { ...staticEn }, dimensions: 0 })).toEqual(["dimensions"]);
    expect(refusedParams({ vectorAttribute: 5, searchableAttributes: [{}, "b"] })).toEqual([
      "vectorAttribute",
      "searchableAttributes[0].attribute",
    ]);
    expect(refusedParams({ searchableAttributes: [5, ""] })).toEqual([
      "searchableAttributes[0]",
      "searchableAttributes[1]",
    ]);
  });

  it("do not make others wrong", () => {
    expect(refusedParams({ vectorAttribute: "", searchableAttributes: [null, "a"] })).toEqual([
      "vectorAttribute",
      "searchableAttributes[0]",
    ]);
  });
});
