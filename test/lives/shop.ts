// A shop for one fuzzed index: the random shop with values, words and grouping, and an embedder that can be made to fail.

import type {
  EmbeddedVector,
  Embedder,
  EmbedOptions,
  FilterObject,
  IndexSettings,
  JsonRecord,
  SearchParams,
} from "../../src/index.js";
import { type QueryRules, strangeAttributes } from "../fuzz/bad-calls.js";
import {
  ATTRIBUTES,
  heldAttributes,
  randomArea,
  randomAttributes,
  randomClicks,
  randomFacetEntries,
  randomNumericFilters,
  randomSort,
} from "../oracle/random-attributes.js";
import { randomBoosts, randomOptionalFilters } from "../oracle/random-boosts.js";
import { randomFilter } from "../oracle/random-filters.js";
import { randomRules, ruleParams } from "../oracle/random-rules.js";
import { negatingText } from "../oracle/random-sentences.js";
import { wordsParams, wordsSettings, wordsText } from "../oracle/random-words.js";
import type { Random } from "../support/random.js";
import { randomShop, type Shop } from "../support/random-shop.js";
import { USABLE_KINDS } from "../support/vectors.js";
import type { Goods, Id } from "./calls.js";

type PlainSettings = Omit<IndexSettings, "embedder" | "analyzer">;

type Fault = (texts: readonly string[], options: EmbedOptions) => unknown;

class FaultyEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly maxBatchSize?: number;
  readonly retries = 0;
  readonly wordsOnly?: boolean;
  readonly meaningOf?: NonNullable<Embedder["meaningOf"]>;
  readonly embedParts?: NonNullable<Embedder["embedParts"]>;
  fault: Fault | undefined;
  private readonly inner: Embedder;

  constructor(inner: Embedder) {
    this.inner = inner;
    this.id = inner.id;
    this.dimensions = inner.dimensions;
    if (inner.maxBatchSize !== undefined) this.maxBatchSize = inner.maxBatchSize;
    if (inner.wordsOnly !== undefined) this.wordsOnly = inner.wordsOnly;
    if (inner.meaningOf !== undefined) this.meaningOf = (word) => inner.meaningOf!(word);
    if (inner.embedParts !== undefined)
      this.embedParts = async (parts, options) => {
        if (this.fault === undefined) return inner.embedParts!(parts, options);
        // A list of vectors is no vector.
        return (await this.fault(["query"], { purpose: "query" })) as EmbeddedVector;
      };
  }

  knows(word: string): boolean {
    return this.inner.knows!(word);
  }

  async embed(texts: readonly string[], options: EmbedOptions): ReturnType<Embedder["embed"]> {
    if (this.fault !== undefined) return (await this.fault(texts, options)) as Awaited<ReturnType<Embedder["embed"]>>;
    return this.inner.embed(texts, options);
  }
}

export function randomFault(random: Random): Fault {
  return random.pick<Fault>([
    () => {
      throw new Error("the embedder is down\u0007");
    },
    () => Promise.reject(null),
    () => undefined,
    () => [],
    (texts) => [...texts.map(() => [1, 2]), [1]],
    (texts) => texts.map(() => Number.NaN),
    (texts) => texts.map(() => [Number.NaN]),
    (texts) => texts.map(() => new Float32Array(9000)),
  ]);
}

export interface FuzzShop extends QueryRules {
  readonly shop: Shop;
  readonly embedder: FaultyEmbedder | undefined;
  /** Components of the records' own vectors, in `vec`; 0: they bring none. */
  readonly ownDimensions: number;
}

/** Settings, records and queries of one index; `declared`: its attributes are, all of them. */
export function fuzzShop(random: Random, declared: boolean): FuzzShop {
  const facets = declared ? { attributesForFaceting: ATTRIBUTES } : {};
  const shop = randomShop(random, {
    settings: { ...wordsSettings(random), attributeForDistinct: "group", ...facets },
    attributes: () => ({
      ...randomAttributes(random),
      ...(random.chance(0.5) ? { note: random.chance(0.5) ? wordsText(random) : negatingText(random) } : {}),
      ...(random.chance(0.1) ? strangeAttributes(random) : {}),
    }),
  });
  const given = shop.settings.embedder;
  const embedder = typeof given === "object" ? new FaultyEmbedder(given) : undefined;
  const settings = embedder === undefined ? shop.settings : { ...shop.settings, embedder };
  const ownDimensions = shop.naive.vectorAttribute === undefined ? 0 : shop.naive.dimensions!;
  const dimensions = embedder?.dimensions ?? ownDimensions;
  return { shop: { ...shop, settings }, declared, embedder, ownDimensions, dimensions };
}

/** Ids for a call: of the shop, of strangers, of nobody; sometimes one twice. */
export function randomIds(random: Random, { shop }: FuzzShop, most: number): Id[] {
  const known = [...shop.records, ...shop.strangers].map(({ id }) => id as Id);
  const id = (): Id => (known.length === 0 || random.chance(0.1) ? random.pick(["x", 7, -3, "7"]) : random.pick(known));
  return random.list(0, most, id);
}

/** What calls of the index are made of. `held`: attributes that a filter may name. */
export function goodsOf(random: Random, of: FuzzShop, held: readonly string[]): Goods {
  return {
    records: () => randomIds(random, of, random.pick([1, 1, 3, 3, 10, 30])).map((id) => ({ ...of.shop.other(id), id })),
    ids: () => randomIds(random, of, random.pick([3, 10, 60])),
    filters: () => {
      const { text, object } = randomFilter(random, held, 1);
      return random.chance(0.5) ? text : (object as FilterObject);
    },
    settings: () => (random.chance(0.15) ? {} : { ...otherSettings(random), ...otherRules(random, of, held) }),
  };
}

function otherRules(random: Random, { shop }: FuzzShop, held: readonly string[]): Pick<IndexSettings, "rules"> {
  const ids = [...shop.records, ...shop.strangers].map(({ id }) => id as Id);
  return random.chance(0.5) ? { rules: randomRules(random, ids, held) } : {};
}

/** Attributes that a query of these records may name. */
export function usable({ declared }: FuzzShop, records: readonly JsonRecord[]): readonly string[] {
  return declared ? ATTRIBUTES : heldAttributes(records);
}

export function goodParams(random: Random, of: FuzzShop, held: readonly string[]): SearchParams {
  const filter = held.length > 0 ? randomFilter(random, held, 2) : undefined;
  const maybe = (share: number, params: () => Partial<SearchParams>): Partial<SearchParams> =>
    random.chance(share) ? params() : {};
  return {
    ...random.pick(of.shop.queries),
    ...maybe(0.7, () => wordsParams(random, ["id", ...held])),
    ...(filter && maybe(0.3, () => ({ filters: random.pick([filter.text, filter.object]) as string }))),
    ...maybe(held.length > 0 ? 0.3 : 0, () => ({ facetFilters: randomClicks(random, held) })),
    ...maybe(0.3, () => ({
      facets: randomFacetEntries(random, random.some(held, 0.4)),
      maxValuesPerFacet: random.pick([0, 1, 3, 100]),
    })),
    ...maybe(0.2, () => randomArea(random)),
    ...maybe(0.3, () => ({ sort: randomSort(random, held) })),
    ...maybe(0.3, () => ({ distinct: random.chance(0.7) })),
    ...maybe(0.4, () => ({ page: random.between(1, 4), hitsPerPage: random.pick([0, 1, 3, 12, 1000]) })),
    ...maybe(0.2, () => ({
      attributesToRetrieve: random.pick([["*"], ["title"], ["-title", "*"], ["specs.color"], []]),
    })),
    ...maybe(0.15, () => ({ attributesToHighlight: random.pick([["*"], ["title"], ["tags", "specs"]]) })),
    ...maybe(0.15, () => ({ attributesToSnippet: random.pick([["*:3"], ["description:5", "title"]]) })),
    ...maybe(0.15, () => ({ explain: true })),
    ...maybe(0.4, () => ruleParams(random)),
    ...maybe(0.3, () => ({ boosts: randomBoosts(random, held) })),
    ...maybe(0.15, () => ({ optionalFilters: randomOptionalFilters(random, held) })),
    ...maybe(0.2, () => ({ numericFilters: randomNumericFilters(random, held) })),
    ...maybe(0.15, () => ({ relevancyStrictness: random.pick([20, 60]) })),
    ...maybe(0.15, () => ({ minScore: random.pick([0.000001, 0.2, 0.5]) })),
  };
}

/** Settings that change in the middle of a life; those that speak of vectors and declare attributes stay. */
export function otherSettings(random: Random): PlainSettings {
  const attributes = ["group", "brand", "mixed"];
  const ranking = random.list(0, 2, () => `${random.pick(["asc", "desc"])}(${random.pick(ATTRIBUTES)})`);
  const fields = ["sku", "note", { attribute: "brand", weight: 3 }, "specs.inner.note", "description"];
  const maybe = (settings: PlainSettings): PlainSettings => (random.chance(0.3) ? settings : {});
  return {
    ...wordsSettings(random),
    ...maybe({ customRanking: ranking }),
    ...maybe({ searchableAttributes: [random.pick(fields), "title", "tags"] }),
    ...maybe({ identifierAttributes: random.some(["sku", "ean", "Model", "brand"], 0.5) }),
    ...maybe({ matching: random.pick(["auto", "all", "any"]), matchingRatio: random.pick([0, 0.5, 1]) }),
    ...maybe({ bm25: { k1: random.pick([0.5, 2]), b: random.pick([0, 0.9]) } }),
    ...maybe({ attributeForDistinct: random.pick(attributes), distinct: random.chance(0.5) }),
    ...maybe({ vectorIndex: { kind: random.pick(["auto", "exact", ...USABLE_KINDS]) } }),
    ...maybe({ boosts: randomBoosts(random, ATTRIBUTES) }),
  };
}
