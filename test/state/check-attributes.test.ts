import { describe, expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchParams,
  type SearchWarning,
} from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";
import { rejectionOf } from "../support/refusal.js";

const LONG = "a long text about nothing ".repeat(9);
const RECORDS = [
  { id: 1, title: "drill", brand: "Volt", kind: { main: "tools" }, about: LONG, "a.b": 1 },
  { id: 2, title: "saw", tags: ["x"], about: LONG },
];

const NAMING: Readonly<Record<string, (name: string) => Partial<SearchParams>>> = {
  filters: (name) => ({ filters: { [name]: "x" } }),
  facetFilters: (name) => ({ facetFilters: { [name]: "x" } }),
  facets: (name) => ({ facets: [name] }),
  sort: (name) => ({ sort: [`${name}:asc`] }),
};

describe("attributes in which words are searched", () => {
  const FIELDS = { restrictSearchableAttributes: ["brend"] };

  it("are refused where no record has them and no setting declares them, with the nearest known", async () => {
    const { index } = await plainShop({}, RECORDS);
    const error = await rejectionOf(index.query({ query: "drill", ...FIELDS }));
    expect([error.code, error.error, error.param]).toEqual([400, "unknown_field", "restrictSearchableAttributes"]);
    expect(error.msg).toBe('restrictSearchableAttributes names the unknown attribute "brend"; did you mean "brand"?');
    for (const name of ["title", "about", "kind", "kind.main", "a.b", "id", "sku"])
      expect((await index.query({ query: "drill", restrictSearchableAttributes: [name] })).code, name).toBe(200);
  });

  it("are all known to an index that never held a record, and if the settings declare them", async () => {
    const empty = await plainShop({}, []);
    expect((await empty.index.query({ query: "drill", ...FIELDS })).data.nbHits).toBe(0);
    const declared = await plainShop({ searchableAttributes: ["title", "brend"] }, RECORDS);
    expect((await declared.index.query({ query: "drill", ...FIELDS })).data.nbHits).toBe(0);
  });
});

describe("attributes that hits show", () => {
  async function warnedOf(params: Partial<SearchParams>, records = RECORDS): Promise<SearchWarning[]> {
    const warnings: SearchWarning[] = [];
    const engine = new SearchEngine({ embedder: false, onWarning: (warning) => warnings.push(warning) });
    const index = await engine.createIndex("shop");
    await index.addRecords(records);
    await index.query({ query: "drill", ...params });
    return warnings;
  }
  const told = (param: string, names: string) => [
    { code: "unknown_attribute", message: `${param} names ${names}`, param, indexName: "shop" },
  ];

  it("are warned of where no record has them, with the nearest known, once a parameter", async () => {
    const near = '"titel", which no record has; did you mean "title"?';
    expect(await warnedOf({ attributesToRetrieve: ["titel"] })).toEqual(told("attributesToRetrieve", near));
    expect(await warnedOf({ attributesToRetrieve: ["*", "-titel"] })).toEqual(told("attributesToRetrieve", near));
    expect(await warnedOf({ attributesToHighlight: ["titel"] })).toEqual(told("attributesToHighlight", near));
    expect(await warnedOf({ attributesToSnippet: ["titel:5"] })).toEqual(told("attributesToSnippet", near));
    const two = `${near} attributesToHighlight names "kind.min", which no record has; did you mean "kind.main"?`;
    expect(await warnedOf({ attributesToHighlight: ["titel", "brand", "kind.min"] })).toEqual(
      told("attributesToHighlight", two),
    );
  });

  it("are known by themselves, as objects around others, and by stars", async () => {
    const names = ["*", "title", "kind", "kind.main", "a", "a.b", "tags", "about", "kind.*", "sku"];
    const shown = { attributesToHighlight: names, attributesToRetrieve: ["kind", "-about"] };
    expect(await warnedOf({ ...shown, attributesToSnippet: ["about:3", "kind", "*"] })).toEqual([]);
    expect(await warnedOf({ attributesToHighlight: ["titel"] }, [])).toEqual([]);
  });
});

describe("attributesForFaceting with the modifiers of Algolia", () => {
  const shopOf = (attributesForFaceting: readonly string[]) => plainShop({ attributesForFaceting }, RECORDS);

  it("act as the plain names, but for filterOnly, which is not counted", async () => {
    const plain = await shopOf(["brand", "tags", "kind.main"]);
    const { index, count } = await shopOf([
      "searchable(brand)",
      "filterOnly(tags)",
      "afterDistinct(filterOnly(kind.main))",
    ]);
    for (const filters of ["brand:Volt", "tags:x", "kind.main:tools", { tags: "x" }])
      expect(await count({ filters })).toBe(1);
    expect(await count({ facetFilters: { tags: "x" } })).toBe(1);
    expect(await count({ sort: ["tags:asc"] })).toBe(2);
    const asked = { query: "", facets: ["brand"] };
    expect((await index.query(asked)).data.facets).toEqual((await plain.index.query(asked)).data.facets);
    const { facetHits } = await index.searchForFacetValues({ facetName: "brand", facetQuery: "vo" });
    expect(facetHits).toEqual([{ value: "Volt", count: 1 }]);
    expect(Object.keys((await index.query({ query: "", facets: ["*"] })).data.facets!)).toEqual(["brand"]);
    const { effective } = await index.getSettings();
    expect(effective.attributesForFaceting).toEqual(["brand", "filterOnly(tags)", "filterOnly(kind.main)"]);
  });

  it("refuse to count what is for filters only, and say what to declare", async () => {
    const { index } = await shopOf(["filterOnly(tags)"]);
    const msg = 'names "tags", which is declared as filterOnly; declare it as "tags" to count its values.';
    expect(await rejectionOf(index.query({ query: "", facets: ["tags"] }))).toMatchObject({
      ...{ code: 400, error: "not_filterable", param: "facets", msg: `facets ${msg}` },
    });
    expect(await rejectionOf(index.searchForFacetValues({ facetName: "tags" }))).toMatchObject({
      ...{ code: 400, error: "not_filterable", param: "facetName", msg: `facetName ${msg}` },
    });
    const both = await shopOf(["filterOnly(tags)", "searchable(tags)"]);
    expect((await both.index.query({ query: "", facets: ["tags"] })).data.facets!.tags).toHaveLength(1);
  });

  it("are the same settings when the index is opened", async () => {
    const { engine } = await shopOf(["searchable(brand)"]);
    const same = { embedder: false, attributesForFaceting: ["afterDistinct(searchable(brand))"] } as const;
    expect((await engine.createIndex("shop", same, { ifExists: "open" })).recordCount).toBe(2);
  });
});

describe("settings that no record fulfils", () => {
  /** The warnings of a batch under these settings. */
  async function warnedOf(settings: IndexSettings, records: readonly JsonRecord[] = RECORDS) {
    const warnings: SearchWarning[] = [];
    const engine = new SearchEngine({ embedder: false, onWarning: (warning) => warnings.push(warning) });
    const index = await engine.createIndex("shop", settings);
    await index.addRecords([]);
    expect(warnings).toEqual([]);
    for (let i = 0; i < 2; i++) await index.addRecords(records);
    return warnings.map(({ code, message, param }) => {
      expect(code).toBe("unknown_attribute");
      return { message, param };
    });
  }

  it("are each warned of once (R18)", async () => {
    const records = [
      { id: 1, title: "Lamp", sales: 1, product: "a", brand: "Volt", code: "x1" },
      { id: 2, title: "Lamp", sales: 9, product: "a", brand: "Volt", code: "x2" },
    ];
    const settings = {
      ...{ customRanking: ["desc(salse)"], attributeForDistinct: "prodct", distinct: true },
      ...{ attributesForFaceting: ["brnad"], embeddedAttributes: ["titel"], identifierAttributes: ["Kode", "Code"] },
    };
    expect(await warnedOf(settings, records)).toEqual([
      {
        param: "identifierAttributes",
        message: 'identifierAttributes names "Kode", which no record has; did you mean "code"?',
      },
      {
        param: "embeddedAttributes",
        message: 'embeddedAttributes names "titel", which no record has; did you mean "title"?',
      },
      {
        param: "attributesForFaceting",
        message: 'attributesForFaceting names "brnad", which no record has; did you mean "brand"?',
      },
      { param: "customRanking", message: 'customRanking names "salse", which no record has; did you mean "sales"?' },
      {
        param: "attributeForDistinct",
        message: 'attributeForDistinct names "prodct", which no record has; did you mean "product"?',
      },
    ]);
  });

  it("are those whose attribute is an object where values count", async () => {
    const within = 'names "kind", which holds no values of its own; name what is within, such as "kind.main".';
    expect(
      await warnedOf({
        customRanking: ["desc(kind)"],
        attributesForFaceting: ["filterOnly(kind)"],
        embeddedAttributes: ["kind"],
      }),
    ).toEqual([
      { param: "attributesForFaceting", message: `attributesForFaceting ${within}` },
      { param: "customRanking", message: `customRanking ${within}` },
    ]);
  });

  it("are none where the names are those of the records, in any spelling that counts", async () => {
    const records = [{ id: 1, "Part Number": "a1", offers: [{ sku: "x", price: 3 }], vector: [1, 0] }];
    const settings = {
      ...{ identifierAttributes: ["partNumber", "SKU", "id"], customRanking: ["desc(offers.price)"] },
      ...{
        attributesForFaceting: ["searchable(offers.sku)"],
        attributeForDistinct: "id",
        embeddedAttributes: ["Part Number"],
      },
    };
    expect(await warnedOf(settings, records)).toEqual([]);
    expect(await warnedOf({}, records)).toEqual([]);
  });

  it("say how to name identifiers, which are names at any depth", async () => {
    const records = [{ id: 1, offers: [{ sku: "x" }] }];
    expect(await warnedOf({ identifierAttributes: ["offers.sku"] }, records)).toEqual([
      {
        param: "identifierAttributes",
        message:
          'identifierAttributes names "offers.sku", but identifiers are named without a path, at any depth; write "sku".',
      },
    ]);
  });
});

describe("searchableAttributes that no record has", () => {
  it("are warned of after a batch, once until the settings change", async () => {
    const warnings: SearchWarning[] = [];
    const engine = new SearchEngine({ embedder: false, onWarning: (warning) => warnings.push(warning) });
    const index = await engine.createIndex("shop", { searchableAttributes: ["titel", "brand", "kind"] });
    expect(warnings).toEqual([]);
    const message = 'searchableAttributes names "titel", which no record has; did you mean "title"?';
    const param = "searchableAttributes";
    for (let i = 0; i < 3; i++) await index.addRecords(RECORDS);
    expect(warnings.splice(0)).toEqual([{ code: "unknown_attribute", message, param, indexName: "shop" }]);
    await index.updateSettings({ searchableAttributes: ["title", { attribute: "kind.main", weight: 2 }] });
    await index.addRecords(RECORDS);
    expect(warnings).toEqual([]);
  });
});

describe("attributes that a query names", async () => {
  const { index } = await plainShop({}, RECORDS);
  const refused = async (params: Partial<SearchParams>) => rejectionOf(index.query({ query: "", ...params }));

  for (const [param, naming] of Object.entries(NAMING)) {
    it(`in ${param} are refused where none does, with the nearest known`, async () => {
      const error = await refused(naming("brend"));
      expect([error.code, error.param, error.msg.includes("brand")]).toEqual([400, param, true]);
      for (const name of ["nope", "kind.mainx", "constructor", "__proto__", "tags.0"])
        expect((await refused(naming(name))).code, name).toBe(400);
    });

    it(`in ${param} are refused where they hold long texts`, async () => {
      expect((await refused(naming("about"))).error).toBe(param === "sort" ? "not_sortable" : "not_filterable");
    });
  }

  it("are those that are declared, and no others", async () => {
    const own = await plainShop({ attributesForFaceting: ["brand", "about", "later"] }, RECORDS);
    expect(await own.count({ filters: { about: LONG, brand: "Volt" } })).toBe(1);
    expect(await own.count({ filters: "later:1" })).toBe(0);
    expect((await rejectionOf(own.index.query({ query: "", filters: "id:1" }))).code).toBe(400);
  });
});
