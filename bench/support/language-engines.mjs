// The engines of the language bench as one shape: open an index, fill it, ask it a request of shop.mjs. What an engine
// cannot do is missing from `can`; what it does differently stands in `note`.

import { FACETS, SHOP_FIELDS } from "./shop.mjs";

const PAGE = 12;
const STORED = [...SHOP_FIELDS.attributes, "category", "price", "stock", "colors"];
const BOOST = { [SHOP_FIELDS.title]: 2 };

const words = {
  label: "tandem words",
  isOurs: true,
  can: ["facets"],
  note: "any word of the query, no embedder; words are completed in the last row only; columns are built at their first use.",
  async load() {
    const { SearchEngine } = await import("../../dist/index.js");
    const searchableAttributes = SHOP_FIELDS.attributes;
    const index = await new SearchEngine().createIndex("bench", { embedder: false, searchableAttributes });
    return {
      fill: async (records) => void (await index.addRecords(records)),
      settle: () => index.whenIdle(),
      ask: async (request) => (await index.query(tandemParams(request))).data.nbHits,
      hasColumns: true,
    };
  },
};

function tandemParams({ query, filter, clicked, completes }) {
  const filters = filter && {
    ...(filter.category && { category: filter.category }),
    ...mapValues(filter.ranges, ([gte, lt]) => ({ gte, lt })),
  };
  return {
    query,
    hitsPerPage: PAGE,
    matching: "any",
    queryType: completes ? "prefixLast" : "prefixNone",
    ...(filters && { filters }),
    ...(clicked && { facets: FACETS, facetFilters: { brand: clicked } }),
  };
}

const minisearch = {
  label: "MiniSearch",
  isOurs: false,
  can: [],
  note: "has no facets; a filter is a callback on each hit after scoring; fuzzy 0.2 looks for variants of every word.",
  async load() {
    const { default: MiniSearch } = await import("minisearch");
    const index = new MiniSearch({
      fields: SHOP_FIELDS.attributes,
      storeFields: STORED,
      searchOptions: { boost: BOOST, combineWith: "OR" },
    });
    return {
      fill: async (records) => index.addAll(records),
      settle: async () => {},
      ask: async ({ query, filter, mends, completes }) => {
        const hits = index.search(query, {
          ...(filter && { filter: (hit) => passes(hit, filter) }),
          ...(mends && { fuzzy: 0.2 }),
          ...(completes && { prefix: (_term, i, terms) => i === terms.length - 1 }),
        });
        hits.slice(0, PAGE);
        return hits.length;
      },
    };
  },
};

function passes(record, { category, ranges }) {
  if (category !== undefined && record.category !== category) return false;
  for (const name in ranges) {
    const [from, below] = ranges[name];
    if (record[name] < from || record[name] >= below) return false;
  }
  return true;
}

const orama = {
  label: "Orama",
  isOurs: false,
  can: ["facets"],
  note: "completes every word in every row (exact would ask for the same case and all words); tolerance 1 holds for every word; facets are counted behind all filters, so the clicked group takes a second search.",
  async load() {
    const { create, insertMultiple, search } = await import("@orama/orama");
    const texts = { title: "string", description: "string" };
    const values = { brand: "string", category: "enum", price: "number", stock: "number", colors: "enum[]" };
    // The brand is searched, so it is a text; its double is what clicks filter by.
    const index = create({ schema: { ...texts, ...values, brandValue: "enum" }, sort: { enabled: false } });
    const common = { properties: SHOP_FIELDS.attributes, boost: BOOST, threshold: 1, limit: PAGE };
    return {
      fill: async (records) =>
        void (await insertMultiple(
          index,
          records.map((record) => ({ ...record, brandValue: record.brand })),
          1000,
        )),
      settle: async () => {},
      ask: async ({ query: term, filter, clicked, mends }) => {
        const params = {
          ...common,
          term,
          ...(mends && { tolerance: 1 }),
          ...(filter && { where: oramaWhere(filter) }),
        };
        if (clicked === undefined) return (await search(index, params)).count;
        const whole = await search(index, { ...params, limit: 1, facets: { brandValue: {} } });
        const where = { ...params.where, brandValue: { in: clicked } };
        const hits = await search(index, { ...params, where, facets: { category: {}, colors: {} } });
        return whole.count < hits.count ? Number.NaN : hits.count;
      },
    };
  },
};

const oramaWhere = ({ category, ranges }) => ({
  ...(category && { category: { eq: category } }),
  // Both ends of `between` are included; no price or stock has a half cent.
  ...mapValues(ranges, ([from, below]) => ({ between: [from, below - 0.005] })),
});

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** By the name that --only takes. */
export const LANGUAGE_ENGINES = { words, minisearch, orama };
