// The variants of tandem-search in the bench of speed: words with default settings, what shops ask for besides, the same task as the
// peers, words and meaning, and own vectors.

import { readFileSync } from "node:fs";
import { seededRandom, vectorSource } from "../support/corpus.mjs";
import { FACETS, FIELDS, FILTERS } from "./corpus.mjs";

const NAME = "bench";
const PAGE = 12;
const DIMENSIONS = 384;
/** Up to this number, vectors are scanned exactly; above it, a graph is built in the background. */
const MOST_EXACT = 50_000;
const BUILD = new URL("../../dist/index.js", import.meta.url).href;
const SEARCHED = FIELDS.map((attribute) => ({ attribute, weight: attribute === "title" ? 2 : 1 }));
/** The task of the peers: any word, without stems. */
const LIKE_PEERS = { matching: "any", typoTolerance: false, queryType: "prefixNone" };
const CLICKABLE = [3, 7];

async function open(settings, build = BUILD) {
  const { SearchEngine } = await import(build);
  const engine = new SearchEngine();
  const index = await engine.createIndex(NAME, settings);
  /** A request is the parameters of a query, or a function that asks something else and counts what it found. */
  const ask = async (request) =>
    typeof request === "function" ? request(engine) : (await index.query(request)).data.nbHits;
  return {
    fill: (records) => index.addRecords(records),
    finish: () => index.whenIdle(),
    estimate: () => index.estimate(),
    ask,
    async firstPage(query) {
      const { nbHits, hits } = (await index.query({ query, hitsPerPage: PAGE })).data;
      return { nbHits, ids: hits.map(({ id }) => id) };
    },
    /** The number of distinct records on all pages. */
    async enumerate(params) {
      const ids = new Set();
      for (let page = 1; ; page++) {
        const { hits } = (await index.query({ ...params, page, hitsPerPage: 1000, attributesToRetrieve: [] })).data;
        for (const { id } of hits) ids.add(id);
        if (hits.length < 1000) return ids.size;
      }
    },
  };
}

const version = () => JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
const rowOf = (label, more) => ({ label, paramsAt: (query, i) => ({ query, hitsPerPage: PAGE, ...more(i, query) }) });
const row = (label, params) => rowOf(label, () => params);
const AS_IT_COMES = row("by default", {});
const WITH_WRITES = { ...row("a record written before every 20th", {}), writesEvery: 20 };

const filterRows = Object.fromEntries(
  Object.entries(FILTERS).map(([share, filterAt]) => [
    `filter ${share}`,
    rowOf(`filter passing ${share}`, (i) => ({ filters: filterAt(i) })),
  ]),
);

const cutLast = (query) => {
  const words = query.split(" ");
  const last = words.pop();
  return [...words, last.slice(0, Math.max(3, Math.ceil(last.length / 2)))].join(" ");
};

const WORD_ROWS = {
  default: AS_IT_COMES,
  exact: row("no typos corrected, no word completed", { typoTolerance: false, queryType: "prefixNone" }),
  any: row("any word", { matching: "any" }),
  all: row("all words", { matching: "all" }),
  prefix: rowOf("last word cut and completed", (_, query) => ({ query: cutLast(query), queryType: "prefixLast" })),
  "page 100": row("any word, page 100", { matching: "any", page: 100 }),
  ...filterRows,
  facets: rowOf("3 facets, 2 clicked groups", (i) => ({
    facets: FACETS,
    facetFilters: [
      CLICKABLE.map((step) => `category:Aisle ${((i * step) % 20) + 1}`),
      ["colors:black", "colors:white"],
    ],
  })),
  writes: WITH_WRITES,
};

const FREQUENT_WORDS = ["black", "cable", "usb", "set", "case"];

/** Somewhere in the half of a continent where the records have their places. */
const placeAt = (i) => `${40 + ((i * 7) % 150) / 10},${((i * 11) % 300) / 10}`;
const rangeAt = (i) => [`stock>=${(i * 13) % 500}`, `stock<${((i * 13) % 500) + 500}`];
const countAll = (answers) => answers.reduce((sum, { data }) => sum + data.nbHits, 0);

/** Patterns of all kinds; some hold for many queries. */
const RULES = Array.from({ length: 10_000 }, (_, i) => ({
  id: String(i),
  conditions: [
    {
      pattern: i % 2000 === 0 ? FREQUENT_WORDS[i / 2000] : `${FREQUENT_WORDS[i % FREQUENT_WORDS.length]} ${i}`,
      anchoring: ["contains", "is", "startsWith", "endsWith", "words"][i % 5],
    },
  ],
  consequence: { promote: [{ id: String((i % 500) + 1), position: i % 3 }] },
}));

const SHOP_ROWS = {
  default: AS_IT_COMES,
  "number boost": row("raised by a number", { boosts: [{ attribute: "stock", weight: 0.05 }] }),
  "filter boost": rowOf("raised by a filter", (i) => ({ boosts: [{ filters: FILTERS["5 %"](i), weight: 0.05 }] })),
  rules: row("10,000 rules", { enableRules: true }),
  ranges: rowOf("a histogram of 20 bars, a range chosen", (i) => ({
    facets: [{ attribute: "stock", histogram: 20 }],
    numericFilters: rangeAt(i),
  })),
  suggest: {
    label: "suggestions for a word that is cut",
    paramsAt: (query) => async (engine) =>
      (await engine.suggest(NAME, { query: cutLast(query) })).data.suggestions.length,
  },
  radius: rowOf("within 300 km", (i) => ({ aroundLatLng: placeAt(i), aroundRadius: 300_000 })),
  distance: rowOf("ordered by distance", (i) => ({ sort: [`_geoPoint(${placeAt(i)}):asc`] })),
  similar: {
    label: "similar to a record",
    // The least size of the bench has 500 records.
    paramsAt: (_, i) => async (engine) =>
      (await engine.similar(NAME, String(((i * 37) % 500) + 1), { hitsPerPage: PAGE })).data.nbHits,
  },
  several: {
    label: "4 queries in one call",
    paramsAt: (query, i) => async (engine) =>
      countAll(
        await engine.multiQuery(
          [{}, { filters: FILTERS["5 %"](i) }, { facets: FACETS }, { page: 2 }].map((more) => ({
            indexName: NAME,
            query,
            hitsPerPage: PAGE,
            enableRules: false,
            ...more,
          })),
        ),
      ),
  },
};

const ours = { isOurs: true, count: "exact", package: "tandem-search", version };

/** By the name that --only takes. */
export const TANDEM = {
  words: {
    ...ours,
    label: "tandem words",
    group: "text",
    note: "no embedder, all else by default: the English analyser, auto, typos corrected, prefixes",
    main: "default",
    rows: WORD_ROWS,
    open: (build) => open({ embedder: false, searchableAttributes: SEARCHED }, build),
  },
  shop: {
    ...ours,
    label: "tandem for shops",
    group: "shop",
    note: "as tandem words, and nine in ten records have a place",
    main: "default",
    rows: SHOP_ROWS,
    async open(build) {
      const index = await open({ embedder: false, searchableAttributes: SEARCHED, rules: RULES }, build);
      // Rules count in their own row alone.
      const ask = (request) => index.ask(typeof request === "function" ? request : { enableRules: false, ...request });
      const random = seededRandom(14);
      const somewhere = () => ({ lat: 40 + 15 * random(), lng: 30 * random() });
      const placed = (record) => (random() < 0.1 ? record : { ...record, _geoloc: somewhere() });
      return { ...index, ask, prepare: (records) => records.map(placed) };
    },
  },
  plain: {
    ...ours,
    label: "tandem plain",
    group: "text",
    note: "the peers' work: any word, no stems, no stop words, no typos corrected, none completed; BM25 alone, titles only count double",
    main: "any",
    rows: { any: row("any word", LIKE_PEERS) },
    open: (build) =>
      open({ embedder: false, analyzer: "plain", titleEvidence: false, searchableAttributes: SEARCHED }, build),
  },
  hybrid: {
    ...ours,
    label: "tandem by default",
    group: "hybrid",
    note: "all defaults: words and static-en's meaning, auto, typos corrected, prefixes",
    main: "default",
    rows: { default: AS_IT_COMES, ...filterRows, writes: WITH_WRITES },
    open: (build) => open({ searchableAttributes: SEARCHED }, build),
  },
  growing: {
    ...ours,
    label: "tandem by default",
    group: "growing",
    note: "the same while the graph of the vectors grows after the last record",
    main: "default",
    leastRecords: MOST_EXACT + 1,
    asksInBackground: true,
    rows: { default: row("while the graph grows", {}) },
    open: (build) => open({ searchableAttributes: SEARCHED }, build),
  },
  vectors: {
    ...ours,
    label: "tandem vectors",
    group: "vectors",
    note: `records bring ${DIMENSIONS} components, in 256 clusters; the query has a vector and no word`,
    main: "vector",
    mostRecords: MOST_EXACT,
    rows: vectorRows(),
    async open(build) {
      const own = { embedder: false, vectorAttribute: "vector", dimensions: DIMENSIONS };
      const index = await open({ ...own, searchableAttributes: SEARCHED }, build);
      const draw = vectorSource(DIMENSIONS);
      // Vectors are added to the records before the clock starts.
      return { ...index, prepare: (records) => records.map((record) => ({ ...record, vector: draw() })) };
    },
  },
};

function vectorRows() {
  let drawn;
  const random = seededRandom(13);
  const draw = () => {
    const next = drawn === undefined && vectorSource(DIMENSIONS, 7);
    drawn ??= Array.from({ length: 200 }, next);
    return drawn[Math.floor(random() * drawn.length)];
  };
  const asked = (label, filterAt) => ({
    label,
    paramsAt: (_, i) => ({
      query: "",
      vector: draw(),
      hitsPerPage: PAGE,
      ...(filterAt && { filters: filterAt(i) }),
    }),
  });
  const filtered = Object.entries(FILTERS).map(([share, filterAt]) => [
    `filter ${share}`,
    asked(`filter passing ${share}`, filterAt),
  ]);
  return { vector: asked("vector"), ...Object.fromEntries(filtered) };
}
