import { describe, expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";
import { fromOutside } from "../../src/input/call-options.js";
import { checkQuery } from "../support/check-query.js";
import { property } from "../support/random.js";
import { readCatalogues } from "./sentences.js";

const LAPTOPS = [
  { id: "1", title: "Laptop 15 inch", brand: "HP", color: "black", price: 449 },
  { id: "2", title: "Gaming laptop", brand: "Lenovo", color: "red", price: 899 },
  { id: "3", title: "Laptop sleeve, black", brand: "HP", color: "black", price: 19 },
  { id: "4", title: "Office laptop with microphone", brand: "Acer", color: "grey", price: 399 },
  { id: "5", title: "Gaming laptop, refurbished", brand: "Lenovo", color: "grey", price: 599 },
  { id: "6", title: "Gaming mouse", brand: "HP", color: "red", price: 29 },
];

async function shop(settings: IndexSettings = {}, records: readonly JsonRecord[] = LAPTOPS): Promise<SearchIndex> {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop", settings);
  await index.addRecords(records);
  return index;
}

const understood = async (index: SearchIndex, query: string, more: Partial<SearchParams> = {}) =>
  (await index.query({ query, understand: true, ...more })).data;
const idsOf = async (...args: Parameters<typeof understood>) => (await understood(...args)).hits.map(({ id }) => id);

describe("a query that is understood", () => {
  it("tells what it asks for, and shows the caller's text", async () => {
    const index = await shop();
    const query = "cheapest black laptop under $500 without microphone";
    const data = await understood(index, query);
    expect(data.query).toBe(query);
    expect(data.understood).toEqual(await index.understandQuery(query));
  });

  it("passes conditions and excluded values as refinements: scores stay those of the text", async () => {
    const index = await shop();
    const { hits, nbHits } = await understood(index, "laptop under 500 not from HP");
    const plain = await index.query({ query: "laptop" });
    expect(nbHits).toBe(1);
    expect(hits).toEqual(plain.data.hits.filter(({ id }) => id === "4"));
    expect(await idsOf(index, "laptop under 500", { filters: "color:grey" })).toEqual(["4"]);
  });

  it("raises values that are rather wanted by boosts, behind the optional filters", async () => {
    const index = await shop();
    const params = { optionalFilters: ["brand:Acer"], explain: true };
    const { hits, nbHits } = await understood(index, "red laptop", params);
    expect(nbHits).toBe((await index.query({ query: "red laptop" })).data.nbHits);
    expect(hits[0]!.id).toBe("2");
    const shown = hits[0]!.explanation!.boosts!.map(({ filters, weight, signal }) => ({ filters, weight, signal }));
    expect(shown).toEqual([
      { filters: "brand:Acer", weight: 0.1, signal: 0 },
      { filters: "color:red", weight: 0.1, signal: 1 },
    ]);
  });

  it("excludes the holders of a term", async () => {
    const index = await shop();
    expect((await idsOf(index, "laptop without microphone")).sort()).toEqual(["1", "2", "3", "5"]);
  });

  it("lists the hits that are what is asked for first, in the order that was asked for, then the others by score", async () => {
    const index = await shop();
    const plain = await index.query({ query: "gaming laptop", hitsPerPage: 10 });
    const scored = plain.data.hits.map(({ id }) => id).filter((id) => id !== "2" && id !== "5");
    const sorted = ["5", "2", ...scored];
    expect(await idsOf(index, "cheapest gaming laptop", { hitsPerPage: 10 })).toEqual(sorted);
    const pages = [1, 2, 3].map((page) => idsOf(index, "cheapest gaming laptop", { page, hitsPerPage: 2 }));
    expect((await Promise.all(pages)).flat()).toEqual(sorted);
    expect(await idsOf(index, "most expensive gaming laptop", { hitsPerPage: 2 })).toEqual(["2", "5"]);
    expect(await idsOf(index, "cheapest gaming laptop", { sort: ["price:desc"], hitsPerPage: 2 })).toEqual(["2", "5"]);
  });

  it("orders what is the thing by its title or its category; what only names it stays behind, by score", async () => {
    const records = [
      { id: "1", title: "Racket bag", category: "Bags", price: 25 },
      { id: "2", title: "Ace 300", category: "Rackets", price: 129 },
      { id: "3", title: "Grip tape for any racket", category: "Rackets and grips", price: 5 },
      { id: "4", title: "Junior racket, 21 inch", category: "Children", price: 39 },
    ];
    const index = await shop({}, records);
    const { hits, nbHits } = await understood(index, "cheapest racket");
    const plain = (await index.query({ query: "racket" })).data;
    expect(nbHits).toBe(plain.nbHits);
    const others = plain.hits.map(({ id }) => id).filter((id) => id === "1" || id === "3");
    expect(hits.map(({ id }) => id)).toEqual(["4", "2", ...others]);
    expect(await idsOf(index, "most expensive racket")).toEqual(["2", "4", ...others]);
    expect((await idsOf(index, "cheapest racket bag"))[0]).toBe("1");
  });

  it("orders the best hits where no title says what is the thing, and all that is it where none holds all words", async () => {
    const index = await shop({}, [
      { id: "1", title: "Fjell", text: "A tent. For two, a tent of nylon", price: 149 },
      { id: "2", title: "Skog", text: "A tent. For two, a tent of nylon", price: 119 },
      {
        id: "3",
        title: "Pole",
        text: "Goes with any tent and with many other things of this shop, as long as they are here",
        price: 9,
      },
    ]);
    expect(await idsOf(index, "cheapest tent")).toEqual(["2", "1", "3"]);
    const laptops = await idsOf(await shop(), "cheapest waterproof laptop", { matching: "any", hitsPerPage: 4 });
    expect(laptops).toEqual(["4", "1", "5", "2"]);
  });

  it("takes parts back by their places, which stay", async () => {
    const index = await shop();
    const query = "cheapest laptop under 500 not from HP";
    const { understood: told, nbHits } = await understood(index, query, { understand: { except: [1, 2, 9] } });
    expect(told).toMatchObject({ query: "laptop under 500 not from HP", order: { sort: ["price:asc"] } });
    expect(told).not.toHaveProperty("filters");
    expect(told!.parts.map(({ text, became }) => [text, became])).toEqual([
      ["cheapest", "price:asc"],
      ["under 500", ""],
      ["not from HP", ""],
    ]);
    expect(nbHits).toBeGreaterThan(1);
  });

  it("answers as without where nothing is understood", async () => {
    const index = await shop();
    for (const query of ["gaming lapto", "", "under", '"gaming laptop" -mouse', "?!"]) {
      const params = { query, facets: ["*"], explain: true, advancedSyntax: true };
      const { serverTimeMS: _a, processingTimeMS: _b, ...plain } = (await index.query(params)).data;
      const {
        serverTimeMS: _c,
        processingTimeMS: _d,
        ...data
      } = (await index.query({ ...params, understand: true })).data;
      expect(data).toEqual({
        ...plain,
        understood: { original: query, query, preferred: [], excluded: [], parts: [] },
      });
    }
  });
});

describe("an excluded term", () => {
  const HOLDING = [
    "Tea with caffeine",
    "Caffeine tablets, sugar free",
    "No sugar. Caffeine",
    "Caffeine. Free of charge",
    "Tea without sugar, with caffeine",
    "Caffeine free? No: caffeine!",
    "Not for children; caffeine",
    "zero worries about caffeine",
  ];
  const NEGATING = [
    "Caffeine free tea",
    "Caffeine-free tea",
    "Tea, free of caffeine",
    "Tea free from added caffeine",
    "Non-caffeine tea",
    "No caffeine",
    "Tea without any caffeine",
    "Tea without sugar or caffeine",
    "0 % caffeine",
    "0% Caffeine",
    "0mg caffeine",
    "Tea: <b>caffeine</b> free",
    "0 mg of caffeine",
    "Tea",
  ];
  const RECORDS = [...HOLDING, ...NEGATING].map((text, id) => ({ id, title: `Drink ${id}`, text }));
  const leftOf = async (index: SearchIndex, query: string) =>
    new Set((await idsOf(index, query, { hitsPerPage: 100 })).map((id) => RECORDS[Number(id)]!.text));

  it("stays where it is negated", async () => {
    expect(await leftOf(await shop({}, RECORDS), "drink without caffeine")).toEqual(new Set(NEGATING));
    expect(await leftOf(await shop({ analyzer: "plain" }, RECORDS), "drink without caffeine")).toEqual(
      new Set(NEGATING),
    );
  });

  it("of several words excludes what has them side by side, not negated", async () => {
    const texts = ["Cup with plastic lid", "Lid, plastic", "No plastic lid", "Plastic lid-free cup", "Plastic lids"];
    const index = await shop(
      {},
      texts.map((text, id) => ({ id, title: `Mug ${id}`, text })),
    );
    expect((await idsOf(index, "mug without plastic lid")).sort()).toEqual(["1", "2", "3"]);
  });
});

describe("everything else about a query that is understood", () => {
  it("keeps facet counts true: each number is what choosing the value finds", async () => {
    const index = await shop();
    const query = "laptop under 600 without microphone";
    const { facets, nbHits } = await understood(index, query, { facets: ["brand", "price"] });
    expect(nbHits).toBe(3);
    expect(facets!.brand).toEqual([
      { value: "HP", count: 2 },
      { value: "Lenovo", count: 1 },
    ]);
    expect(facets!.price!.map(({ value }) => value).sort()).toEqual([19, 449, 599]);
    const chosen = await understood(index, query, { facets: ["brand"], facetFilters: [["brand:HP"]] });
    expect([chosen.nbHits, chosen.facets!.brand!.length]).toEqual([2, 2]);
    const { facetHits } = await index.searchForFacetValues({ query, understand: true, facetName: "brand" });
    expect(facetHits).toEqual(facets!.brand);
  });

  it("says why a record is no hit", async () => {
    const index = await shop({ rules: [{ id: "hide", consequence: { hide: ["5"] } }] });
    const reasonOf = async (id: string, query: string) =>
      (await index.whyNot({ query, understand: true, facetFilters: ["brand:-Acer"] }, id)).reason;
    const query = "laptop under 600 without microphone";
    expect(await Promise.all(["2", "4", "5", "6"].map((id) => reasonOf(id, query)))).toEqual([
      "understanding",
      "facetFilters",
      "rules",
      "membership",
    ]);
    expect((await index.whyNot({ query, understand: true }, "4")).reason).toBe("understanding");
  });

  it("shows the first record of a group in the order that was asked for", async () => {
    const index = await shop({ attributeForDistinct: "brand" });
    expect(await idsOf(index, "cheapest laptop", { distinct: true })).toEqual(["4", "1", "5"]);
    expect(await idsOf(index, "most expensive laptop", { distinct: true })).toEqual(["2", "1", "4"]);
  });

  it("sorts the hits that hold a value's word, where nothing else is left", async () => {
    const index = await shop();
    const { understood: told, hits } = await understood(index, "black cheapest");
    expect(told!.order).toEqual({ sort: ["price:asc"], within: "named" });
    expect(hits.slice(0, 2).map(({ id }) => id)).toEqual(["3", "1"]);
  });

  it("leaves alone what stands in quotes or behind a hyphen, with advanced syntax alone", async () => {
    const index = await shop();
    const query = '"black laptop" under 500 -"not from HP"';
    const { understood: told } = await understood(index, query, { advancedSyntax: true });
    expect(told!.parts.map(({ became }) => became)).toEqual(["price < 500"]);
    expect(told!.query).toBe('"black laptop" -"not from HP"');
    expect((await understood(index, "laptop -hp", { advancedSyntax: true })).understood!.parts).toEqual([]);
    expect((await understood(index, query)).understood!.parts.length).toBeGreaterThan(1);
  });

  it("works in previews, in lists of queries and in the encoded form", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("shop");
    await index.addRecords(LAPTOPS);
    const asked = { query: "laptop under 400", understand: true };
    const [one] = await engine.multiQuery([{ indexName: "shop", ...asked }]);
    expect(one).toMatchObject({ data: { nbHits: 2, understood: { filters: "price < 400" } } });
    const encoded = await index.query({ params: "query=laptop+under+400&understand=%7B%22except%22%3A%5B0%5D%7D" });
    expect(encoded.data.understood!.parts).toMatchObject([{ became: "" }]);
    const { queries } = await index.previewSettings({ boosts: [] }, { queries: [asked] });
    expect(queries[0]).toMatchObject({ nbHits: { before: 2, after: 2 }, before: ["4", "3"] });
  });

  it("stands beside conditions on items of lists", async () => {
    const records = LAPTOPS.map((record, i) => ({
      ...record,
      offers: [
        { seller: "A", price: record.price },
        { seller: "B", price: 10 * i },
      ],
    }));
    const index = await shop({ understanding: { price: "offers.price" } }, records);
    const cheap = await understood(index, "cheapest laptop under 500", {
      filters: "offers{seller:A}",
      facets: ["brand"],
    });
    expect(cheap.understood!.parts.map(({ became }) => became)).toEqual(["offers.price:asc", "offers.price < 500"]);
    expect(cheap.hits.map(({ id }) => id)).toEqual(["4", "1", "3"]);
    expect(await idsOf(index, "cheapest laptop under 500")).toEqual(["1", "2", "4", "5", "3"]);
  });

  it("finds by a vector, too, and sorts before others what holds all words", async () => {
    const records = LAPTOPS.map((record, i) => ({ ...record, vector: [Math.cos(i), Math.sin(i)] }));
    const index = await shop({ vectorAttribute: "vector", dimensions: 2 }, records);
    const vector = [Math.cos(5), Math.sin(5)];
    const asked = { vector, semanticFloor: -1, semanticWeight: 0.9 };
    const plain = (await index.query({ query: "gaming laptop", ...asked })).data.hits.map(({ id }) => id);
    const { hits, nbHits } = await understood(index, "gaming laptop under 700 cheapest", asked);
    const rest = plain.filter((id) => !["2", "5"].includes(id));
    expect(hits.map(({ id }) => id)).toEqual(["5", ...rest]);
    expect(nbHits).toBe(5);
    const alone = await understood(index, "most expensive gaming laptop", { ...asked, semanticWeight: 1 });
    expect(alone.hits.slice(0, 2).map(({ id }) => id)).toEqual(["2", "5"]);
  });

  it("refuses queries where the language is not English", async () => {
    const index = await shop({ language: "de" });
    const refused = { code: 400, error: "invalid_parameter", param: "understand" };
    await expect(index.query({ query: "", understand: true })).rejects.toMatchObject(refused);
    await expect(index.query({ query: "", understand: false })).resolves.toMatchObject({ code: 200 });
  });

  it("tells nothing of records that bounds hide", async () => {
    const index = await shop();
    const query = "cheapest lenovo laptop under 500 not from acer";
    const bounded = (await index.query({ query, understand: true }, fromOutside({}, { filters: "brand:HP" }))).data;
    expect(bounded.understood!.parts.map(({ became }) => became)).toEqual(["price:asc", "price < 500"]);
    const other = await shop(
      {},
      LAPTOPS.filter(({ brand }) => brand === "HP"),
    );
    for (const text of [
      query,
      "gaming laptop under 600",
      "red laptop with at least 16 gb",
      "laptop without microphone",
    ]) {
      const params = { query: text, understand: true };
      const within = (await index.query(params, fromOutside({}, { filters: "brand:HP" }))).data.understood;
      expect(within).toEqual((await other.query(params)).data.understood);
    }
    expect((await understood(index, query)).understood!.preferred).toEqual(["brand:Lenovo"]);
  });
});

describe("rules beside it", () => {
  const rules = [
    { id: "any", conditions: [{ context: "natural_language" }], consequence: { userData: "sentence" } },
    {
      id: "text",
      conditions: [{ pattern: "notebook", anchoring: "contains" as const }],
      consequence: {
        params: { query: { edits: [{ type: "replace" as const, delete: "notebook", insert: "gaming laptop" }] } },
      },
    },
    { id: "whole", conditions: [{ pattern: "deal" }], consequence: { params: { query: "laptop under 500" } } },
  ];

  it("have the context natural_language where something is understood, and only there", async () => {
    const index = await shop({ rules });
    const appliedTo = async (query: string, more = {}) => (await understood(index, query, more)).appliedRules;
    expect(await appliedTo("laptop under 500")).toEqual(["any"]);
    expect(await appliedTo("laptop under 500", { understand: { except: [0] } })).toEqual(["any"]);
    expect(await appliedTo("laptop under 500", { understand: false })).toBeUndefined();
    expect(await appliedTo("gaming laptop")).toBeUndefined();
  });

  it("leave the text that is read; parts have places in the caller's text, or none", async () => {
    const index = await shop({ rules });
    const { query, understood: told } = await understood(index, "cheapest notebook under 800");
    expect(query).toBe("cheapest notebook under 800");
    expect(told!.query).toBe("gaming laptop");
    expect(told!.parts).toEqual([
      { from: 0, to: 8, text: "cheapest", kind: "order", became: "price:asc" },
      { from: 18, to: 27, text: "under 800", kind: "price", became: "price < 800" },
    ]);
    const deal = (await understood(index, "deal")).understood!;
    expect(deal.parts).toEqual([{ text: "under 500", kind: "price", became: "price < 500" }]);
  });
});

describe("the catalogue of electronics", () => {
  const { settings, records } = readCatalogues().find(({ name }) => name === "electronics")!;
  const electronics = async () => {
    const index = await new SearchEngine({ embedder: false }).createIndex("electronics", settings);
    for (let at = 0; at < records.length; at += 7) await index.addRecords(records.slice(at, at + 7));
    return index;
  };

  it("answers what went wrong without it", async () => {
    const index = await electronics();
    expect(await idsOf(index, "laptop under 500")).toEqual(expect.arrayContaining(["1", "4"]));
    expect(await idsOf(index, "laptop under 500")).toHaveLength(2);
    const phones = await idsOf(index, "headphones without microphone");
    expect(phones).toEqual(expect.arrayContaining(["6", "7"]));
    expect(phones).not.toContain("5");
    expect(await idsOf(index, "keyboard not wireless")).toEqual(expect.not.arrayContaining(["9"]));
    expect((await idsOf(index, "keyboard not wireless"))[0]).toBe("10");
    expect(await idsOf(index, "camera under 300 dollars")).toEqual(["11"]);
    const bluetooth = await idsOf(index, "bluetooth headphones not sony");
    expect(bluetooth[0]).toBe("6");
    expect(bluetooth).not.toContain("5");
  });

  const PIECES = [
    ..."laptop headphones keyboard camera printer monitor bluetooth black gaming wireless".split(" "),
    ..."cheapest,newest,best rated,most expensive,under 500,between 50 and 300,at least 16 GB RAM,4 stars and up".split(
      ",",
    ),
    ..."without microphone,not wireless,without ink,not from sony,without stand,not black".split(","),
  ];
  /** By noun: the records that are it. */
  const THINGS: Record<string, string[]> = {
    ...{ laptop: ["1", "2", "3", "4"], headphones: ["5", "6", "7"], keyboard: ["9", "10"], camera: ["11", "12"] },
    ...{ printer: ["19", "20"], monitor: ["14", "15"], gaming: [] },
  };
  const EXCLUDED = /^(no|not|without|non|0)$/;
  /** Whether a record holds a word, but negated right before it. */
  const holds = (record: JsonRecord, word: string): boolean =>
    Object.values(record).some((text) => {
      const pieces = String(text).toLowerCase().split(/[.,;]/);
      return pieces.some((piece) => {
        const words = piece.trim().split(/[ -]+/);
        return words.some((one, i) => one === word && !EXCLUDED.test(words[i - 1] ?? "") && words[i + 1] !== "free");
      });
    });

  property("is asked by its parts", 150, async (random) => {
    const index = await electronics();
    const query = random.list(1, 5, () => random.pick(PIECES)).join(" ");
    const base = { hitsPerPage: 100, ...(random.chance(0.3) ? { sort: ["rating:desc"] } : {}) };
    const data = await understood(index, query, base);
    const intent = await index.understandQuery(query);
    expect(data.understood).toEqual(intent);
    const wishes = intent.excluded.map((words) => ` without ${words}`).join("");
    const asked = { ...base, query: intent.query + wishes, optionalFilters: intent.preferred };
    const all = (await index.query(asked)).data.hits;
    const passing = (await index.query({ query: "", filters: intent.filters ?? "", hitsPerPage: 100 })).data.hits;
    const ids = new Set(passing.map(({ id }) => id));
    const hits = all.filter(({ id, source }) => ids.has(id) && !intent.excluded.some((word) => holds(source, word)));
    const whole = (await index.query({ ...asked, matching: "all" })).data.hits.map(({ id }) => id);
    const candidates = hits.filter(({ id }) => whole.includes(id));
    const some = candidates.length > 0 ? candidates : hits;
    const head = [...new Set(intent.query.split(" "))].findLast((word) => word in THINGS);
    const things = some.filter(({ id }) => head !== undefined && THINGS[head]!.includes(id));
    const best = Math.max(...some.map(({ score }) => score));
    const first = things.length > 0 ? things : some.filter(({ score }) => score >= 0.9 * best);
    const isFirst = (id: string) => base.sort === undefined && first.some((hit) => hit.id === id);
    const [attribute, direction] = (intent.order?.sort[0] ?? "").split(":");
    const keyOf = ({ source }: (typeof hits)[0]) => {
      const value = source[attribute!] as string | number | undefined;
      const number = typeof value === "string" ? Date.parse(value) : value;
      return number === undefined ? Number.POSITIVE_INFINITY : direction === "asc" ? number : -number;
    };
    const sorted = attribute === "" ? [] : hits.filter(({ id }) => isFirst(id));
    sorted.sort((a, b) => (keyOf(a) === keyOf(b) ? hits.indexOf(a) - hits.indexOf(b) : keyOf(a) - keyOf(b)));
    const expected = [...sorted, ...hits.filter((hit) => !sorted.includes(hit))];
    expect(data.hits).toEqual(expected);
    expect(data.nbHits).toBe(expected.length);
    await checkQuery(index, { query, understand: true, ...base, hitsPerPage: random.between(1, 4) });
  });
});
