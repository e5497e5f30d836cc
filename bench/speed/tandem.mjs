// tandem-search as the bench of speed asks it: words alone, words without stems, words and meaning, and vectors of one's own.

import { readFileSync } from "node:fs";
import { vectorSource } from "../support/blocking-corpus.mjs";
import { seededRandom } from "../support/corpus.mjs";
import { FACETS, FIELDS, FILTERS } from "./corpus.mjs";

const PAGE = 12;
const DIMENSIONS = 384;
/** Words alone, as they stand: no typos mended, none completed. */
const BARE = { semanticWeight: 0, typoTolerance: false, queryType: "prefixNone" };
const MENDS = { ...BARE, typoTolerance: true };
const SEARCHED = FIELDS.map((attribute) => ({ attribute, weight: attribute === "title" ? 2 : 1 }));
const PLAIN = { embedder: false, analyzer: "plain", titleEvidence: false, searchableAttributes: SEARCHED };
const CLICKABLE = [3, 7];

async function open(settings) {
  const { SearchEngine } = await import("../../dist/index.js");
  const index = await new SearchEngine().createIndex("bench", settings);
  const ask = async (params) => (await index.query(params)).data.nbHits;
  return {
    fill: (records) => index.addRecords(records),
    finish: () => index.whenIdle(),
    ask,
    /** How many records the pages hold, joined, each told once. */
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

/** The same between writes. */
const written = ({ label, ...rest }) => ({
  ...rest,
  label: `${label}, a record written before every 20th`,
  writesEvery: 20,
});

const filterRows = (params) =>
  Object.fromEntries(
    Object.entries(FILTERS).map(([share, filterAt]) => [
      `filter ${share}`,
      rowOf(`filter passing ${share}`, (i) => ({ ...params, filters: filterAt(i) })),
    ]),
  );

const WORD_ROWS = {
  any: row("any word", { ...BARE, matching: "any" }),
  "any, typos": row("any word, typos mended", { ...MENDS, matching: "any" }),
  auto: row("auto", { ...BARE, matching: "auto" }),
  "auto, typos": row("auto, typos mended", { ...MENDS, matching: "auto" }),
  all: row("all words", { ...BARE, matching: "all" }),
  "all, typos": row("all words, typos mended", { ...MENDS, matching: "all" }),
  prefix: rowOf("auto, last word cut and completed", (_, query) => ({
    ...BARE,
    query: cutLast(query),
    queryType: "prefixLast",
  })),
  "page 100": row("any word, page 100", { ...BARE, matching: "any", page: 100 }),
  ...filterRows({ ...BARE, matching: "any" }),
  facets: rowOf("any word, 3 facets, 2 clicked groups", (i) => ({
    ...BARE,
    matching: "any",
    facets: FACETS,
    facetFilters: [
      CLICKABLE.map((step) => `category:Aisle ${((i * step) % 20) + 1}`),
      ["colors:black", "colors:white"],
    ],
  })),
  writes: written(row("any word", { ...BARE, matching: "any" })),
};

const cutLast = (query) => {
  const words = query.split(" ");
  const last = words.pop();
  return [...words, last.slice(0, Math.max(3, Math.ceil(last.length / 2)))].join(" ");
};

const ours = { isOurs: true, count: "exact", package: "tandem-search", version };

/** By the name that --only takes. */
export const TANDEM = {
  words: {
    ...ours,
    label: "tandem words",
    group: "text",
    note: "the English analyser (stems, stop words), no embedder",
    main: "any",
    rows: WORD_ROWS,
    open: () => open({ embedder: false, searchableAttributes: SEARCHED }),
  },
  plain: {
    ...ours,
    label: "tandem plain",
    group: "text",
    note: "analyzer plain: no stems and no stop words, as the peers are set; BM25 alone, titles only count double",
    main: "any",
    rows: { any: WORD_ROWS.any },
    open: () => open(PLAIN),
  },
  hybrid: {
    ...ours,
    label: "tandem as it comes",
    group: "hybrid",
    note: "all defaults: words and static-en's meaning, auto, typos mended, prefixes",
    main: "hybrid",
    rows: { hybrid: row("as it comes", {}), ...filterRows({}), writes: written(row("as it comes", {})) },
    open: () => open({ searchableAttributes: SEARCHED }),
  },
  vectors: {
    ...ours,
    label: "tandem vectors",
    group: "vectors",
    note: `records bring ${DIMENSIONS} components, in 256 clusters; the query has a vector and no word`,
    main: "vector",
    mostRecords: 50_000,
    rows: vectorRows(),
    async open() {
      const index = await open({
        embedder: false,
        searchableAttributes: SEARCHED,
        vectorAttribute: "vector",
        dimensions: DIMENSIONS,
      });
      return { ...index, prepare: vectorsOnto(vectorSource(DIMENSIONS)) };
    },
  },
};

/** Gives each record a vector before the clock runs. */
const vectorsOnto = (draw) => (records) => records.map((record) => ({ ...record, vector: draw() }));

function vectorRows() {
  const draw = lazily(() => {
    const next = vectorSource(DIMENSIONS, 7);
    const random = seededRandom(13);
    const drawn = Array.from({ length: 200 }, next);
    return () => drawn[Math.floor(random() * drawn.length)];
  });
  const rows = { vector: {}, ...FILTERS };
  return Object.fromEntries(
    Object.entries(rows).map(([share, filterAt]) => {
      const isFilter = typeof filterAt === "function";
      const paramsAt = (_, i) => ({
        query: "",
        vector: draw()(),
        hitsPerPage: PAGE,
        ...(isFilter && { filters: filterAt(i) }),
      });
      return isFilter
        ? [`filter ${share}`, { label: `vector, filter passing ${share}`, paramsAt }]
        : [share, { label: "vector", paramsAt }];
    }),
  );
}

function lazily(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
