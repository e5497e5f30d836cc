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

/** An answer for which all that always holds does. */
const understood = (index: SearchIndex, query: string, more: Partial<SearchParams> = {}) =>
  checkQuery(index, { query, understand: true, ...more });
const idsOf = async (...args: Parameters<typeof understood>) =>
  (await understood(...args)).hits.map(({ id }) => id).join(" ");
const became = async (...args: Parameters<typeof understood>) =>
  (await understood(...args)).understood!.parts.map((part) => part.became);

describe("a query that is understood", () => {
  it.each<[query: string, ids: string, more?: Partial<SearchParams>]>([
    ["laptop under 500 not from HP", "4", { facets: ["brand", "price"] }],
    ["laptop under 500", "4", { filters: "color:grey" }],
    ["laptop under 600 without microphone", "1 5 3", { facets: ["brand", "price"] }],
    ["laptop under 600 without microphone", "1 3", { facetFilters: [["brand:HP"]], facets: ["brand"] }],
    // What is asked for comes first, in the order that was asked for, then the others by score.
    ["gaming laptop", "2 5 6"],
    ["cheapest gaming laptop", "5 2 6"],
    ["most expensive gaming laptop", "2 5 6"],
    ["cheapest gaming laptop", "2 5 1 4 6 3", { sort: ["price:desc"], matching: "any" }],
    ["cheapest laptop", "4 1 5", { distinct: true }],
    ["most expensive laptop", "2 1 4", { distinct: true }],
    ["cheapest waterproof laptop", "4 1 5 2 3", { matching: "any" }],
    // Nothing else is left than a value's word.
    ["black cheapest", "3 1"],
  ])("%s: shows %s", async (query, ids, more = {}) => {
    expect(await idsOf(await shop({ attributeForDistinct: "brand" }), query, more)).toBe(ids);
  });

  it("reads no order where nothing is asked for besides", async () => {
    expect(await became(await shop(), "show me the cheapest")).toEqual([]);
  });

  it("tells what it asks for, and shows the caller's text", async () => {
    const index = await shop();
    const query = "cheapest black laptop under $500 without microphone";
    const data = await understood(index, query);
    expect([data.query, data.understood]).toEqual([query, await index.understandQuery(query)]);
  });

  it("raises values that are rather wanted by boosts, behind the optional filters", async () => {
    const index = await shop();
    const { hits } = await understood(index, "red laptop", { optionalFilters: ["brand:Acer"], explain: true });
    expect(hits[0]).toMatchObject({
      id: "2",
      explanation: {
        boosts: [
          { filters: "brand:Acer", weight: 0.1, signal: 0 },
          { filters: "color:red", weight: 0.1, signal: 1 },
        ],
      },
    });
  });

  it("orders what is the thing by its title or its category; what only names it stays behind, by score", async () => {
    const index = await shop({}, [
      { id: "1", title: "Racket bag", category: "Bags", price: 25 },
      { id: "2", title: "Ace 300", category: "Rackets", price: 129 },
      { id: "3", title: "Grip tape for any racket", category: "Rackets and grips", price: 5 },
      { id: "4", title: "Junior racket, 21 inch", category: "Children", price: 39 },
    ]);
    expect(await idsOf(index, "cheapest racket")).toMatch(/^4 2 (1 3|3 1)$/);
    expect(await idsOf(index, "most expensive racket")).toMatch(/^2 4 (1 3|3 1)$/);
    expect((await idsOf(index, "cheapest racket bag"))[0]).toBe("1");
  });

  it("orders the best hits where no title says what is the thing", async () => {
    const text = "A tent. For two, a tent of nylon";
    const index = await shop({}, [
      { id: "1", title: "Fjell", text, price: 149 },
      { id: "2", title: "Skog", text, price: 119 },
      {
        id: "3",
        title: "Pole",
        text: `Goes with any tent and with ${"many other things of this shop ".repeat(3)}`,
        price: 9,
      },
    ]);
    expect(await idsOf(index, "cheapest tent")).toBe("2 1 3");
  });

  it("takes parts back by their places, which stay", async () => {
    const query = "cheapest laptop under 500 not from HP";
    const { understood: told } = await understood(await shop(), query, { understand: { except: [1, 2, 9] } });
    expect(told).toMatchObject({ query: "laptop under 500 not from HP", order: { sort: ["price:asc"] } });
    expect(told).not.toHaveProperty("filters");
    expect(told!.parts.map((part) => [part.text, part.became])).toEqual([
      ["cheapest", "price:asc"],
      ["under 500", ""],
      ["not from HP", ""],
    ]);
  });

  it("answers as without where nothing is understood", async () => {
    const index = await shop();
    for (const query of ["gaming lapto", "", "under", '"gaming laptop" -mouse', "?!"]) {
      const params = { query, facets: ["*"], explain: true, advancedSyntax: true };
      const [plain, data] = [
        await understood(index, query, { ...params, understand: false }),
        await understood(index, query, params),
      ];
      const nothing = { original: query, query, preferred: [], excluded: [], parts: [] };
      expect({ ...data, serverTimeMS: 0, processingTimeMS: 0 }).toEqual({
        ...plain,
        serverTimeMS: 0,
        processingTimeMS: 0,
        understood: nothing,
      });
    }
  });

  it("leaves alone what stands in quotes or behind a hyphen, with advanced syntax alone", async () => {
    const index = await shop();
    const query = '"black laptop" under 500 -"not from HP"';
    const { understood: told } = await understood(index, query, { advancedSyntax: true });
    expect([told!.query, told!.parts.map((part) => part.became)]).toEqual([
      '"black laptop" -"not from HP"',
      ["price < 500"],
    ]);
    expect(await became(index, "laptop -hp", { advancedSyntax: true })).toEqual([]);
    expect((await became(index, query)).length).toBeGreaterThan(1);
  });

  it("works in previews and in lists of queries", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("shop");
    await index.addRecords(LAPTOPS);
    const asked = { query: "laptop under 400", understand: true };
    const [one] = await engine.multiQuery([{ indexName: "shop", ...asked }]);
    expect(one).toMatchObject({ data: { nbHits: 2, understood: { filters: "price < 400" } } });
    const { queries } = await index.previewSettings({ boosts: [] }, { queries: [asked] });
    expect(queries[0]).toMatchObject({ nbHits: { before: 2, after: 2 }, before: ["4", "3"] });
    const { facetHits } = await index.searchForFacetValues({ ...asked, facetName: "brand" });
    expect(facetHits.map(({ value, count }) => [value, count])).toEqual([
      ["Acer", 1],
      ["HP", 1],
    ]);
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
    const asked = ["cheapest laptop under 500", { filters: "offers{seller:A}", facets: ["brand"] }] as const;
    expect(await became(index, ...asked)).toEqual(["offers.price:asc", "offers.price < 500"]);
    expect(await idsOf(index, ...asked)).toBe("4 1 3");
    expect(await idsOf(index, asked[0])).toBe("1 2 4 5 3");
  });

  it("finds by a vector, too, and sorts before others what holds all words", async () => {
    const records = LAPTOPS.map((record, i) => ({ ...record, vector: [Math.cos(i), Math.sin(i)] }));
    const index = await shop({ vectorAttribute: "vector", dimensions: 2 }, records);
    const asked = { vector: [Math.cos(5), Math.sin(5)], semanticFloor: -1 };
    expect(await idsOf(index, "gaming laptop under 700 cheapest", { ...asked, semanticWeight: 0.9 })).toMatch(
      /^5 (\d ?){4}$/,
    );
    expect(await idsOf(index, "most expensive gaming laptop", { ...asked, semanticWeight: 1 })).toMatch(/^2 5 /);
  });

  it("says why a record is no hit", async () => {
    const index = await shop({ rules: [{ id: "hide", consequence: { hide: ["5"] } }] });
    const params = { query: "laptop under 600 without microphone", understand: true };
    const reasonOf = async (id: string, more = {}) => (await index.whyNot({ ...params, ...more }, id)).reason;
    expect(await reasonOf("4")).toBe("understanding");
    expect(
      await Promise.all(["2", "4", "5", "6"].map((id) => reasonOf(id, { facetFilters: ["brand:-Acer"] }))),
    ).toEqual([...["understanding", "facetFilters", "rules", "membership"]]);
  });

  it("tells nothing of records that bounds hide", async () => {
    const index = await shop();
    const other = await shop(
      {},
      LAPTOPS.filter(({ brand }) => brand === "HP"),
    );
    const query = "cheapest lenovo laptop under 500 not from acer";
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
    expect(await became(other, query)).toEqual(["price:asc", "price < 500"]);
    expect((await understood(index, query)).understood!.preferred).toEqual(["brand:Lenovo"]);
  });
});

describe("an excluded term", () => {
  const HOLDING =
    "Tea with caffeine|Caffeine tablets, sugar free|No sugar. Caffeine|Caffeine. Free of charge|Tea without sugar, with caffeine|" +
    "Caffeine free? No: caffeine!|Not for children; caffeine|zero worries about caffeine";
  const NEGATING =
    "Caffeine free tea|Caffeine-free tea|Tea, free of caffeine|Tea free from added caffeine|Non-caffeine tea|No caffeine|" +
    "Tea without any caffeine|Tea without sugar or caffeine|0 % caffeine|0% Caffeine|0mg caffeine|Tea: <b>caffeine</b> free|" +
    "0 mg of caffeine|Tea";

  it.each(["english", "plain"])("stays where it is negated, with the analyzer %s", async (analyzer) => {
    const texts = `${HOLDING}|${NEGATING}`.split("|");
    const index = await shop(
      { analyzer } as IndexSettings,
      texts.map((text, id) => ({ id, title: `Drink ${id}`, text })),
    );
    const { hits } = await understood(index, "drink without caffeine", { hitsPerPage: 100 });
    expect(new Set(hits.map(({ id }) => texts[Number(id)]))).toEqual(new Set(NEGATING.split("|")));
  });

  it("of several words excludes what has them side by side, not negated", async () => {
    const texts = ["Cup with plastic lid", "Lid, plastic", "No plastic lid", "Plastic lid-free cup", "Plastic lids"];
    const index = await shop(
      {},
      texts.map((text, id) => ({ id, title: `Mug ${id}`, text })),
    );
    expect((await idsOf(index, "mug without plastic lid")).split(" ").sort()).toEqual(["1", "2", "3"]);
  });
});

describe("rules beside it", () => {
  const edits = [{ type: "replace" as const, delete: "notebook", insert: "gaming laptop" }];
  const rules = [
    { id: "any", conditions: [{ context: "natural_language" }], consequence: { userData: "sentence" } },
    {
      id: "text",
      conditions: [{ pattern: "notebook", anchoring: "contains" as const }],
      consequence: { params: { query: { edits } } },
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
    expect([query, told!.query]).toEqual(["cheapest notebook under 800", "gaming laptop"]);
    expect(told!.parts).toEqual([
      { from: 0, to: 8, text: "cheapest", kind: "order", became: "price:asc" },
      { from: 18, to: 27, text: "under 800", kind: "price", became: "price < 800" },
    ]);
    const deal = (await understood(index, "deal")).understood!;
    expect(deal.parts).toEqual([{ text: "under 500", kind: "price", became: "price < 500" }]);
  });
});

it.each([
  ["laptop under 500", /^(1 4|4 1)$/],
  ["headphones without microphone", /^(6 7|7 6)( [^5])*$/],
  ["keyboard not wireless", /^10( (?!9)\d+)*$/],
  ["camera under 300 dollars", /^11$/],
  ["bluetooth headphones not sony", /^6( (?!5)\d+)*$/],
])("shows of a catalogue of electronics for %s the records %s", async (query, ids) => {
  const { settings, records } = readCatalogues().find(({ name }) => name === "electronics")!;
  expect(await idsOf(await shop(settings, records), query)).toMatch(ids);
});
