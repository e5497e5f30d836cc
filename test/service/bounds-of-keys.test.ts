// A key with a filter learns nothing of the records that it may not see but statistics of words. Two engines whose hidden records have the
// same words in other company, and other values, answer it the same, to the last digit; and what does not hang on statistics is what an
// engine that has the key's records alone answers.

import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, type SearchWarning } from "../../src/index.js";
import { PARAMETERS } from "../../src/input/parameter-table.js";
import { answerRequest, hashKey } from "../../src/service.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { seq } from "../support/seq.js";
import { scaled } from "../support/size.js";

const KEY = "a-random-key-of-16-characters-or-more";
const KEYS = [
  { filters: { tenant: "acme" } },
  { filters: "tenant:acme", maxHitsPerPage: 7 },
  {
    filters: { OR: [{ tenant: "acme" }, { tenant: "nobody" }] },
    parameters: [...Object.keys(PARAMETERS), "of", "facetName", "facetQuery", "requests", "facet"],
  },
];

/**
 * A text has a word of each pool, in this order. No two words of different pools have an index term in common, so that the frequencies of
 * all terms stay where words are dealt to other texts.
 */
const POOLS = [
  ["cordless", "blue", "hand", "wi-fi", "wifi", "kühl", "kuehl", "t-shirt", "tshirt", "red", "x"],
  ["drill", "hammer", "bag", "phones", "saw", "screw", "box", "drilling"],
  ["kettle", "steel", "head", "oak", "handbag", "headphones", "xbox", "driver"],
  ["zqlamp", "zqlamps", "table", "chair", "garden", "screwdriver", "gx", "h", "u"],
  ["8", "12", "wh1000xm4", "7-in-1", "n", "zq9", "kg", "m"],
  ["quartz", "flask", "zqsecret", "lamps", "lamp", "mirror"],
];
const WORDS = [...POOLS.flat(), "gx8", "hm", "hun"];
/** Ids of digits alone are no words. */
const FIRST_IDS: Readonly<Record<string, number>> = { acme: 1, evil: 1000, gone: 2000 };
const VALUES = {
  own: { brand: ["Forge", "Volt"], category: ["Tools", "Garden"] },
  hidden: { brand: ["Forge", "Secret"], category: ["Tools", "Vault"] },
  other: { brand: ["Elsewhere"], category: ["Nowhere", "Garden"] },
};

const textsOf = (random: Random, count: number) =>
  seq(count, () => ({
    title: POOLS.slice(0, 3).map((pool) => random.pick(pool)),
    text: POOLS.slice(3).map((pool) => random.pick(pool)),
  }));
type Texts = ReturnType<typeof textsOf>;

/** The same words in each place of a text, dealt to other records. */
function dealt(texts: Texts, random: Random): Texts {
  const columns = (of: "title" | "text") => seq(3, (place) => random.shuffle(texts.map((one) => one[of][place]!)));
  const [titles, others] = [columns("title"), columns("text")];
  return texts.map((_, i) => ({ title: titles.map((words) => words[i]!), text: others.map((words) => words[i]!) }));
}

function recordsOf(texts: Texts, kind: keyof typeof VALUES, tenant: string, random: Random): JsonRecord[] {
  const { brand, category } = VALUES[kind];
  return texts.map(({ title, text }, i) => ({
    ...{ id: FIRST_IDS[tenant]! + i, tenant, title: title.join(" ") },
    description: [...text, ...(kind === "own" ? random.some(["gx8", "hun", "hm"], 0.2) : [])].join(" "),
    ...{
      brand: random.pick(brand),
      category: random.pick(category),
      price: random.between(1, kind === "own" ? 99 : 9999),
    },
    ...{ created: new Date(1.5e12 + random.next() * 4e11).toISOString(), group: `${kind}${random.between(1, 9)}` },
    ...{
      variants: [{ size: random.pick(["S", "M"]), n: random.between(1, 99) }],
      cost: kind === "own" ? "1.50" : "much",
    },
    _geoloc: { lat: random.between(-80, 80), lng: random.between(-170, 170) },
    ...(kind === "hidden" ? { pricr: 1, secretName: "x" } : kind === "other" ? { brandt: "y" } : {}),
  }));
}

class Shop {
  readonly messages: string[] = [];
  readonly engine: SearchEngine;

  constructor() {
    const onWarning = ({ message }: SearchWarning): void => void this.messages.push(message);
    this.engine = new SearchEngine({ embedder: false, onWarning });
  }

  async load(records: readonly JsonRecord[]): Promise<this> {
    const index = await this.engine.createIndex("p", {
      ...{ searchableAttributes: ["title", "description"], attributeForDistinct: "group", language: "en" },
      ...{
        suggestions: [{ text: "drill steel", weight: 3 }],
        synonyms: [{ type: "synonym", synonyms: ["saw", "table"] }],
      },
    });
    // Several segments, with deleted records.
    for (let from = 0; from < records.length; from += 40) await index.addRecords(records.slice(from, from + 40));
    await index.deleteRecords(
      records
        .filter(({ tenant }, i) => tenant === "gone" || (tenant === "acme" && i % 17 === 0))
        .map(({ id }) => id as number),
    );
    return this;
  }

  /** What an answer says, without times; the warnings are part of it. */
  async ask(key: object, operation: string, body: object): Promise<string> {
    this.messages.length = 0;
    const credentials = [{ applicationId: "shop", keyHash: hashKey(KEY), permissions: ["search"], ...key }];
    const headers = { "x-search-application-id": "shop", "x-search-api-key": KEY, "content-type": "application/json" };
    const indexName = operation === "multiQuery" ? "*" : "p";
    const answer = await answerRequest(
      this.engine,
      { indexName, operation, headers, body: JSON.stringify(body) },
      { credentials },
    );
    return JSON.stringify([answer.body, this.messages.sort()], (name, value) => (/MS$/.test(name) ? 0 : value));
  }
}

/** A request of any operation. */
class Requests {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  text(): string {
    const { random } = this;
    const word = () => random.pick(WORDS);
    return random.pick([
      word(),
      `${word()} ${word()}`,
      `${word()} ${word()} ${word()}`,
      `${word()}${word()}`,
      word().slice(0, 3),
      `${word()} ${word().slice(0, 2)}`,
      random.shuffle([...word()]).join(""),
      word().replace(/.$/, ""),
      "",
      "zq",
      "gx 8",
      "wh-1000 xm4",
      "x box",
      "head phones",
      `${word()} under ${random.between(5, 500)} euros`,
      `cheap ${word()} by Forge`,
      `${word()} not ${word()}`,
      `"${word()} ${word()}" -${word()}`,
    ]);
  }

  params(scored: boolean): Record<string, unknown> {
    const { random } = this;
    const maybe = (share: number, name: string, value: () => unknown) =>
      random.chance(share) ? { [name]: value() } : {};
    const filter = () =>
      random.pick<unknown>([
        "brand:Forge",
        "price > 10",
        "tenant:evil",
        "NOT tenant:acme",
        "cost > 3",
        "variants{n > 50} OR brand:Secret",
        "pricee:1",
        "brandd:x",
        { OR: [{ tenant: "evil" }, { price: { gt: 0 } }] },
      ]);
    return {
      query: this.text(),
      ...maybe(0.3, "understand", () => true),
      ...maybe(0.3, "advancedSyntax", () => true),
      ...maybe(0.4, "getParsedQuery", () => true),
      ...maybe(0.4, "getMatchInfo", () => true),
      ...maybe(0.5, "facets", () =>
        random.pick<unknown>([
          ["*"],
          ["brand", "category", "price"],
          [{ attribute: "price", histogram: 5 }],
          ["variants.*"],
          ["bran"],
        ]),
      ),
      ...maybe(0.3, "filters", filter),
      ...maybe(0.2, "numericFilters", () => ["price<50"]),
      ...maybe(0.2, "facetFilters", () => [["brand:Forge", "brand:Volt"]]),
      ...maybe(0.2, "distinct", () => true),
      ...maybe(0.2, "sort", () => random.pick([["price:desc"], ["variants.n:asc"], ["_geoPoint(10,10):asc"]])),
      ...maybe(0.1, "attributesToRetrieve", () => ["title", "secretNam"]),
      ...(scored && {
        ...maybe(0.4, "explain", () => true),
        ...maybe(0.3, "boosts", () =>
          random.pick<unknown>([
            [{ attribute: "price", weight: 1 }],
            [{ filters: filter(), weight: 1 }],
            [{ attribute: "created", halfLifeDays: 90, weight: 0.5 }],
            [{ aroundLatLng: "1,1", pivotMetres: 9000, weight: 1 }],
          ]),
        ),
        ...maybe(0.2, "optionalFilters", () => random.pick([["category:Vault"], ["variants.size:M<score=5>"]])),
        ...maybe(0.2, "relevancyStrictness", () => 50),
        ...maybe(0.2, "minScore", () => 0.2),
      }),
    };
  }

  /** An operation with its body. */
  any(): [operation: string, body: object] {
    const { random } = this;
    const operation = random.pick(["query", "query", "suggest", "similar", "searchForFacetValues", "multiQuery"]);
    const params = this.params(true);
    const { query, understand: _, facets: __, ...others } = params;
    const of = random.pick<unknown>([2, [2, 3], { like: [4], unlike: [5] }, 1001]);
    switch (operation) {
      case "suggest":
        return [operation, { query, facet: random.pick(["brand", "category", "tenat"]) }];
      case "similar":
        return [operation, { ...others, of }];
      case "searchForFacetValues":
        return [
          operation,
          { ...others, query, facetName: random.pick(["brand", "category"]), facetQuery: random.pick(["", "s", "v"]) },
        ];
      case "multiQuery":
        return [operation, { requests: seq(2, () => ({ indexName: "p", ...this.params(true) })) }];
      default:
        return [operation, params];
    }
  }
}

const SIZES = { own: 60, hidden: 100 };

describe("what a key with a filter is answered", () => {
  it("is the same whatever hidden records say, with the same words", { timeout: PATIENCE * 120_000 }, async () => {
    const random = new Random(1);
    const own = recordsOf(textsOf(random, SIZES.own), "own", "acme", random);
    const hidden = textsOf(random, SIZES.hidden);
    const gone = recordsOf(textsOf(random, 9), "hidden", "gone", random);
    const shops = await Promise.all([
      new Shop().load([...own, ...gone, ...recordsOf(hidden, "hidden", "evil", random)]),
      new Shop().load([...own, ...gone, ...recordsOf(dealt(hidden, random), "other", "evil", random)]),
    ]);
    const requests = new Requests(random);
    for (let asked = 0; asked < scaled(2000); asked++) {
      const [key, [operation, body]] = [random.pick(KEYS), requests.any()];
      const [a, b] = [await shops[0].ask(key, operation, body), await shops[1].ask(key, operation, body)];
      expect(JSON.parse(b), `request ${asked}: ${operation} ${JSON.stringify(body)}`).toEqual(JSON.parse(a));
    }
  });

  it("is found, counted and said as by an engine without the hidden records", {
    timeout: PATIENCE * 120_000,
  }, async () => {
    const random = new Random(2);
    const own = recordsOf(textsOf(random, SIZES.own), "own", "acme", random);
    const [shared, alone] = await Promise.all([
      new Shop().load([...own, ...recordsOf(textsOf(random, SIZES.hidden), "hidden", "evil", random)]),
      new Shop().load(own),
    ]);
    const requests = new Requests(random);
    // Which record of a group is the best one hangs on scores.
    const unscored = (answer: string, body: object): unknown => {
      const [{ data, ...others }, messages] = JSON.parse(answer);
      const ids = "distinct" in body ? undefined : data?.hits?.map(({ id }: { id: string }) => id).sort();
      return { ...others, data: data && { ...data, hits: ids }, messages };
    };
    for (let asked = 0; asked < scaled(2000); asked++) {
      const more = { matching: random.pick(["all", "any"]), hitsPerPage: 1000 };
      const plain = random.chance(0.5) ? { typoTolerance: false, queryType: "prefixNone" } : {};
      const body = random.chance(0.2)
        ? { query: requests.text(), facet: "brand" }
        : { ...requests.params(false), ...more, ...plain };
      const operation = "facet" in body ? "suggest" : "query";
      const key = { filters: { tenant: "acme" } };
      const [a, b] = [await alone.ask(key, operation, body), await shared.ask(key, operation, body)];
      expect(unscored(b, body), `request ${asked}: ${operation} ${JSON.stringify(body)}`).toEqual(unscored(a, body));
    }
  });
});
