// The queries of the demo; each shows one feature of the engine.

/** @typedef {{ shows: string, params: import("tandem-search").SearchParams | import("tandem-search").EncodedParams }} DemoQuery */

/** @type {readonly DemoQuery[]} */
export const DEMO_QUERIES = [
  { shows: "by words and by meaning, in one ranking", params: { query: "cordless drill" } },
  { shows: "no product holds this word; they say espresso pot and coffee maker", params: { query: "percolator" } },
  { shows: "another word for what is there; they say refrigerator", params: { query: "fridge" } },
  { shows: "and another; they say torch", params: { query: "flashlight" } },
  { shows: "a code without its hyphens: the exact one comes first, with score 1", params: { query: "frg dd18 2a" } },
  { shows: "a plural; the titles say sofa", params: { query: "sofas" } },
  { shows: "a compound joined; the product says e-bike", params: { query: "ebike" } },
  { shows: "a compound split; the product says T-shirts", params: { query: "t shirt" } },
  { shows: "a quantity without its space; most products say 18 V", params: { query: "18v battery" } },
  { shows: "two typing errors, corrected", params: { query: "cordles dril" } },
  {
    shows: "a filter, a click and what other clicks would leave",
    params: {
      query: "drill",
      filters: "price < 150 AND stock > 0",
      facetFilters: [["category:Power tools"]],
      facets: ["category", "brand"],
    },
  },
  { shows: "the cheapest first", params: { query: "wireless headphones", sort: ["price:asc"], hitsPerPage: 3 } },
  { shows: "a price, understood", params: { query: "camera under 300 dollars", understand: true } },
  {
    shows: "what is not wanted, understood",
    params: { query: "headphones without microphone", understand: true, hitsPerPage: 3 },
  },
  { shows: "and what shall not be so", params: { query: "keyboard not wireless", understand: true, hitsPerPage: 2 } },
  { shows: "a word without its accents", params: { query: "jalapeno" } },
  { shows: "nothing to find, and nothing made up", params: { query: "qwxyzzt blorfgh" } },
  { shows: "the second page of a longer result", params: { query: "wireless", page: 2, hitsPerPage: 5 } },
  { shows: "form B: the parameters in one string", params: { params: "query=frying%20pan&page=1" } },
  { shows: "by the words alone: every bike", params: { query: "kids bike", semanticWeight: 0 } },
  { shows: "by the meaning alone: bikes for children first", params: { query: "kids bike", semanticWeight: 1 } },
  { shows: "by both, as it comes", params: { query: "kids bike" } },
];

/** The query whose answer is printed as JSON. */
export const RAW_QUERY = Object.freeze({ query: "head torch", hitsPerPage: 1 });
