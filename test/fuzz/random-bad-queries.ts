// Parameters of a query that must be refused, in both forms; and wild ones, which may be anything.

import type { Random } from "../support/random.js";
import { badVector } from "./random-bad-records.js";
import {
  anything,
  circle,
  INHERITED,
  nested,
  noBoolean,
  noList,
  noNames,
  noNumber,
  noObject,
  noText,
  withGetter,
} from "./random-poison.js";

/** What a query of an index may say. */
export interface QueryRules {
  /** Components of the index's vectors; 0: it has none. */
  readonly dimensions: number;
  /** Only declared attributes can be used; none of them is called "nowhere". */
  readonly declared: boolean;
}

type Pair = readonly [name: string, value: unknown];

const BAD_FILTER_TEXTS: readonly string[] = [
  "brand",
  "brand:",
  ":Forge",
  "brand:Forge AND",
  "OR brand:Forge",
  "(brand:Forge",
  "brand:Forge)",
  "NOT",
  'brand:"Forge',
  "price < cheap",
  "price:1 TO",
  "price BETWEEN 1",
  "brand:Forge brand:Volt",
  "price <> 3",
  `${"(".repeat(40)}brand:Forge${")".repeat(40)}`,
  `${"NOT ".repeat(40)}brand:Forge`,
  Array.from({ length: 513 }, () => "price=1").join(" OR "),
  `brand:"${"x".repeat(8192)}"`,
  `brand:${"ü".repeat(5000)}`,
];

/** A filter that must be refused. */
export function badFilter(random: Random, { declared }: QueryRules): unknown {
  const value = (): unknown => random.pick([Number.NaN, 7n, Symbol("s"), {}, { up: 1 }, new Date(0), circle()]);
  return random.pick<() => unknown>([
    () => random.pick(BAD_FILTER_TEXTS),
    () => random.pick(BAD_FILTER_TEXTS),
    () => random.pick([null, 5, true, [], ["brand:Forge"], Symbol("f"), new Map(), new Date(0), withGetter("brand")]),
    () => ({ brand: value() }),
    () => ({ price: { lt: random.pick(["9", Number.NaN, null, {}]) } }),
    () => ({ price: { between: random.pick([[1], [1, 2, 3], 5, ["a", "b"]]) } }),
    () => ({ AND: random.pick([{}, null, "brand:Forge", [null], [circle()]]) }),
    () => ({ OR: [{ brand: "a" }, 5] }),
    () => ({ NOT: random.pick([null, [], "a"]) }),
    () => ({ $or: [] }),
    () => ({ brand: ["a", {}] }),
    () => ({ stock: Array.from({ length: 1001 }, (_, i) => i) }),
    () => Array.from({ length: 40 }).reduce<unknown>((inner) => ({ NOT: inner }), { brand: "a" }),
    () => Object.assign(circle(), { self: undefined, NOT: notItself() }),
    ...(declared ? [() => "nowhere:1", () => ({ nowhere: 1 }), () => ({ constructor: 1 }), () => "toString:x"] : []),
  ])();
}

function notItself(): object {
  const own: Record<string, unknown> = {};
  own.NOT = own;
  return own;
}

/** One parameter that must be refused, whatever the others. */
function badPair(random: Random, rules: QueryRules): Pair {
  const pairs: readonly (() => Pair)[] = [
    () => ["query", random.chance(0.7) ? noText(random) : random.pick(["a".repeat(4097), "ü".repeat(2049)])],
    () => ["page", random.pick([0, -1, 1.5, 1e9 + 1, noNumber(random)])],
    () => ["hitsPerPage", random.pick([-1, 1.5, 2 ** 53, noNumber(random)])],
    () => ["semanticWeight", random.pick([-0.1, 1.1, noNumber(random)])],
    () => ["semanticFloor", random.pick([-1.1, 1.1, noNumber(random)])],
    () => ["semanticDepth", random.pick([0, 10_001, 1.5, noNumber(random)])],
    () => ["matching", random.pick(["ALL", "", noText(random)])],
    () => ["queryType", random.pick(["prefix", "", noText(random)])],
    () => ["vector", badVector(random, rules.dimensions === 0 ? 3 : rules.dimensions)],
    () => ["filters", badFilter(random, rules)],
    () => ["filters", badFilter(random, rules)],
    () => ["facetFilters", badClicks(random, rules)],
    () => ["facets", badFacets(random, rules)],
    () => ["maxValuesPerFacet", random.pick([-1, 0.5, noNumber(random)])],
    () => ["sort", random.pick([noList(random), ["price"], ["price:up"], [":asc"], [5], [noText(random)]])],
    () => ["attributesToHighlight", noNames(random)],
    () => ["attributesToSnippet", noNames(random)],
    () => ["attributesToRetrieve", random.pick([noNames(random), new Array(1001).fill("a")])],
    () => ["restrictSearchableAttributes", noNames(random)],
    () => ["highlightPreTag", random.pick([noText(random), "<".repeat(65)])],
    () => ["snippetEllipsisText", random.pick([noText(random), ".".repeat(65)])],
    () => ["optionalWords", random.pick([7n, 5, {}, [5], [null], new Array(1001).fill("a"), ["a".repeat(4097)]])],
    () => [random.pick(["distinct", "typoTolerance", "advancedSyntax", "explain"]), noBoolean(random)],
    () => [random.pick(["filter", "Filters", "filtres", "facetFilter", "facet_filters"]), "brand:Forge"],
  ];
  return random.pick(pairs)();
}

function badClicks(random: Random, { declared }: QueryRules): unknown {
  return random.pick<() => unknown>([
    () => random.pick([null, 5, "brand:Forge", Symbol("c"), new Map([["brand", 1]])]),
    () => [random.pick<unknown>([5, null, "brand", ":a", ["brand:a", "price:1"], [["brand:a"]], {}])],
    () => ({ [random.pick(["AND", "OR", "NOT", "$and"])]: ["a"] }),
    () => ({ brand: random.pick([{}, [{}], Number.NaN, { lt: "a" }, [[]]]) }),
    () => Array.from({ length: 513 }, () => "brand:a"),
    () => withGetter("brand"),
    ...(declared ? [() => ["nowhere:1"], () => ({ nowhere: 1 })] : []),
  ])();
}

function badFacets(random: Random, { declared }: QueryRules): unknown {
  const many = Array.from({ length: 21 }, (_, i) => `a${i}`);
  return random.pick([noNames(random), many, ...(declared ? [["nowhere"], ["brand", "__proto__"]] : [])]);
}

const BAD_TEXTS: readonly string[] = [
  "",
  "page=2",
  "query=a&page=0",
  "query=a&page=%2B2",
  "query=a&page=02",
  "query=a&page=2e0",
  "query=a&hitsPerPage=-1",
  "query=a&semanticWeight=1.5",
  "query=a&semanticWeight=.5",
  "query=a&filters=brand",
  "query=a&filters={",
  "query=a&filters={%22brand%22:{}}",
  "query=a&facetFilters=[[",
  "query=a&facetFilters=brand",
  "query=a&facets=[5]",
  "query=a&sort=price",
  "query=a&distinct=1",
  "query=a&explain=True",
  "query=a&vector=1,x",
  "query=a&vector=[]",
  "query=a&filter=brand:Forge",
  `query=${"a".repeat(5000)}`,
  `query=a${"&x=1".repeat(64)}`,
  `query=a&b=${"x".repeat(16_384)}`,
];

/** A request that must be refused, in either form. */
export function badRequest(random: Random, good: object, rules: QueryRules): unknown {
  return random.pick<() => unknown>([
    () => noObject(random),
    () => ({ params: random.pick(BAD_TEXTS) }),
    () => ({ params: random.pick(BAD_TEXTS) }),
    () => ({ params: noText(random) }),
    () => ({ ...good, params: "query=a" }),
    () => ({ ...good, query: undefined }),
    () => Object.create(good) as object,
    () => withGetter(random.pick(["query", "filters", "page"]), { ...good, query: undefined }),
    ...Array.from({ length: 8 }, () => () => {
      const bad = random.list(1, random.pick([1, 1, 3]), () => badPair(random, rules));
      return Object.fromEntries([...Object.entries(good), ...bad]);
    }),
  ])();
}

const FRAGMENTS =
  'brand price Forge 9 1e3 -0 NaN AND OR NOT ( ) : = != < >= " \\ \\u0000 TO EXISTS BETWEEN , [ ] { } * ü 💡 \ud800'.split(
    " ",
  );

/** A request that may be good or bad: strange values for known names, noise as a text. */
export function wildRequest(random: Random, names: readonly string[]): unknown {
  const noise = (): string => random.list(0, 12, () => random.pick(FRAGMENTS)).join(random.pick(["", " "]));
  const value = (): unknown => (random.chance(0.4) ? noise() : anything(random));
  if (random.chance(0.3)) {
    const text = random.list(0, 5, () => `${random.pick(names)}=${noise()}`).join("&");
    return { params: random.chance(0.5) ? `query=${noise()}&${text}` : text };
  }
  const all = [...names, ...INHERITED, "a", "nested"];
  const pairs = random.list(1, 4, () => [random.pick(all), value()] as const);
  return Object.fromEntries([["query", noise()], ["nested", nested(3)], ...pairs]);
}
