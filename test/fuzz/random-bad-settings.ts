// Settings and names of indexes that must be refused.

import type { Random } from "../support/random.js";
import { noBoolean, noList, noNames, noNumber, noObject, noText, withGetter } from "./random-poison.js";

type Pair = readonly [name: string, value: unknown];

/** No name of an index. */
export function badIndexName(random: Random): unknown {
  const names = ["", " ", "../up", "a/b", "a\\b", ".hidden", "..", "a\u0000", "a\n", "caf\u00e9", "n".repeat(129)];
  return random.chance(0.6) ? random.pick(names) : noText(random);
}

/** Settings that must be refused, whatever else the index has. */
export function badSettings(random: Random, strict: boolean): unknown {
  if (random.chance(0.15)) return noObject(random);
  const bad = random.list(1, random.pick([1, 1, 3]), () => badSetting(random, strict));
  return Object.fromEntries([["matching", "all"], ...bad]);
}

function badSetting(random: Random, strict: boolean): Pair {
  const pairs: readonly (() => Pair)[] = [
    () => ["idAttribute", random.pick([noText(random), "", "a\u0001", "n".repeat(257)])],
    () => ["searchableAttributes", badSearchable(random)],
    () => [random.pick(["identifierAttributes", "embeddedAttributes", "attributesForFaceting"]), noNames(random)],
    () => ["matching", random.pick(["ALL", noText(random)])],
    () => ["matchingRatio", random.pick([-0.1, 1.1, noNumber(random)])],
    () => ["dimensions", random.pick([0, -1, 4097, 1.5, noNumber(random)])],
    () => ["vectorIndex", badGroup(random, { kind: ["hsnw", null], m: [1, 257, "9"], efSearch: [0, 10_001] })],
    () => ["fusion", badGroup(random, { method: ["rff", null], semanticWeight: [2, "1"], rankConstant: [60] })],
    () => ["bm25", badGroup(random, { k1: [-1, 1001, Number.NaN], b: [-0.1, 1.1, "0"] })],
    () => ["semanticFloor", random.pick([-1.1, 1.1, noNumber(random)])],
    () => ["semanticDepth", random.pick([0, 10_001, noNumber(random)])],
    () => ["customRanking", random.pick([noList(random), ["price"], ["up(price)"], ["asc()"], [5]])],
    () => ["attributeForDistinct", random.pick([noText(random), ""])],
    () => [random.pick(["distinct", "typoTolerance"]), noBoolean(random)],
    () => ["synonyms", badSynonyms(random)],
    () => ["stopWords", random.pick([true, 5, "the", [5], ["w".repeat(257)]])],
    () => [random.pick(["optionalWords", "disableTypoToleranceOnWords"]), random.pick([noList(random), [5]])],
    () => ["queryType", random.pick(["prefix", noText(random)])],
    () => ["embedder", badEmbedder(random)],
    () => ["analyzer", random.pick([null, 5, "german", {}, { id: "", analyze: String }, { id: "x" }, []])],
    ...(strict ? [(): Pair => [random.pick(["matchng", "constructor", "schema"]), 1]] : []),
  ];
  return random.pick(pairs)();
}

function badSearchable(random: Random): unknown {
  const items = [5, null, "", "a\u0000", {}, { attribute: "a", weight: 0 }, { attribute: "a", weight: 1001 }, ["a"]];
  return random.pick<() => unknown>([
    () => noList(random),
    () => [],
    () => ["title", random.pick(items)],
    () => ["title", "title"],
    () => [withGetter("attribute")],
  ])();
}

function badGroup(random: Random, values: Readonly<Record<string, readonly unknown[]>>): unknown {
  if (random.chance(0.3)) return noObject(random);
  const name = random.pick([...Object.keys(values), "unknown"]);
  return { [name]: random.pick(values[name] ?? [1]), ...(name === "rankConstant" ? { method: "convex" } : {}) };
}

function badSynonyms(random: Random): unknown {
  const word = { type: "synonym", synonyms: ["a", "b"] };
  return random.pick<() => unknown>([
    () => noList(random),
    () => [word, random.pick<unknown>([5, null, [], {}, { ...word, type: "synonyms" }, { ...word, synonyms: "a" }])],
    () => [{ type: "oneWaySynonym", synonyms: ["a"] }],
    () => [{ type: "synonym", synonyms: Array.from({ length: 1001 }, () => "w") }],
    () => [withGetter("type")],
  ])();
}

function badEmbedder(random: Random): unknown {
  const embed = async (): Promise<unknown[]> => [];
  return random.pick<unknown>([
    null,
    true,
    "static-de",
    [],
    {},
    { id: "", dimensions: 3, embed },
    { id: "x", dimensions: 3 },
    { id: "x", dimensions: random.pick([0, 1.5, 4097, "3", null, undefined]), embed },
    { id: "x", dimensions: 3, maxBatchSize: random.pick([0, -1, "9", null]), embed },
    withGetter("id", { dimensions: 3, embed }),
  ]);
}
