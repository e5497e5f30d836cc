// The records and calls of the bench of blocking: real records with generated attributes of known selectivity, frequent and misspelt
// words, the worst case of each kind of query, and the verbs. The first rows of queries are cold on purpose.

import { SearchEngine } from "../../dist/index.js";
import { readRecords, seededRandom, textAttributes, vectorSource } from "./corpus.mjs";

/** The goal in milliseconds for one slice of a long task. */
export const SLICE_MS = 10;
/** The goal for a whole query. */
export const QUERY_MS = 50;
/** The goal for the analysis of a query's text. */
const ANALYSIS_MS = 20;
/** The goal for a synchronous verb. */
const ANSWER_MS = 50;
/** Limits of a query: bytes of its text, and terms. */
const MOST_BYTES = 4096;
const MOST_TERMS = 64;
/** The maximum number of ids of one call. */
const MANY = 10_000;
/** The greatest lists of settings. */
const MOST_ITEMS = 100_000;
/** The mean number of records in a group of `distinct`. */
const GROUP = 20;

/** The first `size` records of a file, repeated with new ids if it has fewer, each with generated attributes. */
export async function markedRecords(path, size) {
  const own = await readRecords(path, size);
  const ranks = shuffled(size, 5);
  return Array.from({ length: size }, (_, i) => {
    const record = own[i % own.length];
    const id = i < own.length ? record.id : `${record.id}-${Math.floor(i / own.length)}`;
    return { ...record, id, bench_rank: ranks[i], bench_group: `group ${i % Math.ceil(size / GROUP)}` };
  });
}

/** Titles with generated attributes and vectors of unit length, in clusters like embeddings. */
export async function vectorRecords(path, size, dimensions) {
  const marked = await markedRecords(path, size);
  const { title } = textAttributes(marked);
  const draw = vectorSource(dimensions);
  return marked.map(({ id, bench_rank, bench_group, [title]: text }) => ({
    id,
    title: String(text ?? ""),
    bench_rank,
    bench_group,
    bench_shelf: `shelf ${bench_rank % 500}`,
    vector: draw(),
  }));
}

/** Words of letters, the most frequent first, and misspelt words that no record contains. */
export function wordsOf(records) {
  const { attributes } = textAttributes(records);
  const counts = new Map();
  for (const record of records) {
    const text = attributes.map((name) => record[name] ?? "").join(" ");
    const words =
      String(text)
        .toLowerCase()
        .match(/[a-z]{3,30}/g) ?? [];
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
  return { frequent, misspelt: misspell(frequent, counts) };
}

/** Changes two letters of each longer word, so that it is corrected at the maximum distance. */
function misspell(frequent, counts) {
  const random = seededRandom(9);
  const found = [];
  for (const word of frequent) {
    if (found.length >= 1000) break;
    if (word.length < 8) continue;
    const letters = [...word];
    for (const at of [2, word.length - 2]) letters[at] = "qxzjkv"[Math.floor(random() * 6)];
    if (!counts.has(letters.join(""))) found.push(letters.join(""));
  }
  return found;
}

function shuffled(size, seed) {
  const random = seededRandom(seed);
  const ranks = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [ranks[i], ranks[j]] = [ranks[j], ranks[i]];
  }
  return ranks;
}

/** Rows of queries; `paramsAt(i)` are the parameters of call i. */
export function queryRows({ records, words, facets, calls, vectorAt }) {
  const { title, attributes } = textAttributes(records);
  const { frequent, misspelt } = words;
  const at = (list, i) => list[i % list.length];
  const run = (list, from, count) => Array.from({ length: count }, (_, i) => at(list, from + i));
  const query = (text, more = {}) => ({ query: fit(text), ...more });
  const top = run(frequent, 0, MOST_TERMS).join(" ");
  const row = (what, paramsAt, count = calls) => ({ what, goal: QUERY_MS, calls: count, paramsAt });
  const long = (what, paramsAt) => row(what, paramsAt, 1);
  const cold = (what, params) => row(`first use: ${what}`, () => params, 1);
  const below = (share) => `bench_rank < ${Math.floor(share * records.length)}`;
  const blank = (more) => ({ query: "", ...more });
  return [
    cold("a word", query(frequent[0])),
    cold("a misspelt word", query(misspelt[0])),
    cold("a filter by a number", query(frequent[0], { filters: below(0.5) })),
    cold("facets of 20 attributes", query(frequent[0], { facets: facets.slice(0, 20) })),
    cold('facets ["*"]', query(frequent[0], { facets: ["*"] })),
    row("one word", (i) => query(at(frequent, i))),
    row("a title", (i) => query(String(at(records, i * 37)[title] ?? "nothing"))),
    row("8 words", (i) => query(run(frequent, 8 * i, 8).join(" "))),
    row("64 terms of the most frequent words", () => query(top)),
    row("the same, every record a member", () => query(top, { matching: "any" })),
    row("the same, no meaning", () => query(top, { semanticWeight: 0 })),
    row("64 frequent words, each a prefix", () => query(top, { queryType: "prefixAll" })),
    row("26 letters, each a prefix", () =>
      query([..."abcdefghijklmnopqrstuvwxyz"].join(" "), { queryType: "prefixAll" }),
    ),
    row("prefix of one letter", (i) => query(at([..."scpade"], i), { queryType: "prefixLast" })),
    row("4,096 bytes of frequent words", (i) => query(run(frequent, i, 1000).join(" "))),
    row("4,096 bytes of misspelt words", (i) => query(run(misspelt, i, 1000).join(" "))),
    row("one misspelt word", (i) => query(at(misspelt, i))),
    row("8 misspelt words", (i) => query(run(misspelt, 8 * i, 8).join(" "))),
    row("words joined, to be split", (i) => query(run(frequent, 2 * i, 2).join(""))),
    long("a phrase of two frequent words", (i) => advanced(`"${run(frequent, 2 * i, 2).join(" ")}"`)),
    long("3 phrases", () =>
      advanced(
        run(frequent, 0, 3)
          .map((word, i) => `"${word} ${at(frequent, i + 1)}"`)
          .join(" "),
      ),
    ),
    row("60 excluded words", () =>
      advanced(
        run(frequent, 0, 60)
          .map((word) => `-${word}`)
          .join(" "),
      ),
    ),
    long("3 excluded phrases", () =>
      advanced(
        run(frequent, 0, 3)
          .map((word, i) => `-"${word} ${at(frequent, i + 1)}"`)
          .join(" "),
      ),
    ),
    ...[0.5, 0.05, 0.001, 0].map((share) =>
      row(`filter passing ${share * 100} %`, (i) => query(run(frequent, i, 3).join(" "), { filters: below(share) })),
    ),
    row("filter of 300 conditions", () => query(frequent[0], { filters: conditions(records.length) })),
    row("blank", () => blank({})),
    row("blank, page 1e9 of 1,000", () => blank({ page: 1e9, hitsPerPage: 1000 })),
    row("blank, the last page of 1,000", () => blank({ page: Math.ceil(records.length / 1000), hitsPerPage: 1000 })),
    row("blank, filter passing 50 %", () => blank({ filters: below(0.5) })),
    row("blank, sorted by a number", () => blank({ sort: ["bench_rank:asc"] })),
    row("blank, sorted by a number, middle page of 1,000", () =>
      blank({ sort: ["bench_rank:asc"], page: Math.ceil(records.length / 2000), hitsPerPage: 1000 }),
    ),
    row("blank, sorted by a text", () => blank({ sort: ["bench_group:desc"] })),
    row("blank, sorted by two", () => blank({ sort: ["bench_group:desc", "bench_rank:asc"] })),
    row("blank, distinct", () => blank({ distinct: true })),
    row("blank, facets of 20 attributes", () => blank({ facets: facets.slice(0, 20) })),
    row('blank, facets ["*"]', () => blank({ facets: ["*"] })),
    row("blank, facet of a nearly unique number", () => blank({ facets: ["bench_rank"], maxValuesPerFacet: 1000 })),
    row("blank, distinct, facets of 20 attributes", () => blank({ distinct: true, facets: facets.slice(0, 20) })),
    row("3 words, 20 facets, 2 clicked groups", (i) =>
      query(run(frequent, i, 3).join(" "), { facets: facets.slice(0, 20), facetFilters: clicks(i) }),
    ),
    row("blank, clicked groups", (i) => blank({ facetFilters: clicks(i) })),
    row("1,000 hits", (i) => query(at(frequent, i), { hitsPerPage: 1000 })),
    row("1,000 hits highlighted", (i) =>
      query(run(frequent, i, 8).join(" "), { hitsPerPage: 1000, attributesToHighlight: ["*"] }),
    ),
    row("1,000 hits, snippets", (i) =>
      query(run(frequent, i, 8).join(" "), { hitsPerPage: 1000, attributesToSnippet: attributes }),
    ),
    row("1,000 hits, 64 terms, highlighted, explained", () =>
      query(top, { hitsPerPage: 1000, attributesToHighlight: ["*"], explain: true }),
    ),
    row("1,000 hits explained", (i) => query(run(frequent, i, 8).join(" "), { hitsPerPage: 1000, explain: true })),
    ...(vectorAt === undefined ? [] : vectorRows({ row, query, blank, frequent, at, below, vectorAt })),
  ];
}

function vectorRows({ row, query, blank, frequent, at, below, vectorAt }) {
  const vector = (i, more = {}) => blank({ vector: vectorAt(i), ...more });
  return [
    row("a vector", (i) => vector(i)),
    row("a vector and a word", (i) => query(at(frequent, i), { vector: vectorAt(i) })),
    row("a vector, depth 10,000", (i) => vector(i, { semanticDepth: 10_000, semanticFloor: -1 })),
    row("a vector and a word, depth 10,000", (i) =>
      query(at(frequent, i), { vector: vectorAt(i), semanticDepth: 10_000, semanticFloor: -1 }),
    ),
    ...[0.5, 0.2, 0.11, 0.05, 0.001, 0].map((share) =>
      row(`a vector, filter passing ${share * 100} %`, (i) => vector(i, { filters: below(share) })),
    ),
    row("a vector, depth 10,000, filter passing 50 %", (i) =>
      vector(i, { filters: below(0.5), semanticDepth: 10_000, semanticFloor: -1 }),
    ),
    row("a vector, 1,000 hits", (i) => vector(i, { hitsPerPage: 1000, semanticDepth: 1000 })),
  ];
}

/** Texts whose analysis must be fast; queries of an index with one record. */
export function analysisRows({ words: { frequent, misspelt }, calls }) {
  const many = (part) => fit(part.repeat(MOST_BYTES));
  const texts = {
    "frequent words": frequent.slice(0, 1000).join(" "),
    "misspelt words": misspelt.join(" "),
    "one-letter words": many("a b c d e f g h "),
    "one run of a letter": many("a"),
    "one run of digits": many("7"),
    "one code": many("a1-"),
    codes: many("wh-1000xm4 ip68 "),
    quantities: many("3.5 mm 2 x 4 kg "),
    fractions: many("1/2 3/4 "),
    CJK: many("\u6771\u4eac"),
    Thai: many("\u0e20\u0e32\u0e29\u0e32"),
    "letters that grow eighteenfold": many("\ufdfa"),
    accents: many("e\u0301\u0323"),
    emoji: many("\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"),
    hyphens: many("wi-fi-"),
    apostrophes: many("o'clock's "),
    quotes: many('"a b" '),
    "minus signs": many("-a "),
    punctuation: many("!?#/&%"),
  };
  return Object.entries(texts).map(([name, text]) => ({
    what: `analysis of 4,096 bytes: ${name}`,
    goal: ANALYSIS_MS,
    calls,
    paramsAt: (i) => ({ query: fit(text), advancedSyntax: i % 2 === 1 }),
  }));
}

const advanced = (text) => ({ query: fit(text), advancedSyntax: true });

const clicks = (i) => [
  Array.from({ length: 50 }, (_, k) => `bench_group:group ${i * 50 + k}`),
  Array.from({ length: 50 }, (_, k) => `bench_rank:-${k}`),
];

/** About 8,000 bytes of equalities. */
function conditions(size) {
  return Array.from({ length: 300 }, (_, i) => `bench_rank:${Math.floor((i * size) / 300)}`).join(" OR ");
}

/** The text, cut to the maximum number of bytes of a query. */
function fit(text) {
  let end = Math.min(text.length, MOST_BYTES);
  while (Buffer.byteLength(text.slice(0, end)) > MOST_BYTES) end -= 8;
  return text.slice(0, end);
}

/**
 * Rows in the order in which they must run; the last ones delete. Each works on the index "bench" or on a copy of it. `reindexes`
 * false leaves out rows that would rebuild a large graph.
 */
export function verbRows(engine, { records, absentQuery, calls, reindexes = true }) {
  const index = engine.index("bench");
  const some = records.slice(0, Math.min(MANY, Math.ceil(records.length / 3)));
  const ids = some.map((record) => record.id);
  const row = (what, run, goal = SLICE_MS, count = 1) => ({ what, goal, calls: count, run });
  const answers = (what, run) => row(what, run, ANSWER_MS, calls);
  const copy = () => engine.index("copy");
  const settled = async (which, task) => {
    await task();
    await which().whenIdle();
  };
  const bench = () => index;
  const rows = [
    answers(`getRecords of ${ids.length} ids`, () => index.getRecords(ids)),
    answers("searchForFacetValues, all groups", () =>
      index.searchForFacetValues({ facetName: "bench_group", facetQuery: "g" }),
    ),
    answers("searchForFacetValues, a nearly unique number", () =>
      index.searchForFacetValues({ facetName: "bench_rank", facetQuery: "1" }),
    ),
    answers("whyNot", (i) => index.whyNot({ query: absentQuery }, ids[i % ids.length])),
    row("browseRecords, all", async () => {
      let count = 0;
      for await (const _ of index.browseRecords()) count++;
      return count;
    }),
    row("100 records, one a call", () =>
      settled(bench, async () => {
        for (const record of records.slice(0, 100)) await index.addRecords([record]);
      }),
    ),
    row(`addRecords of ${some.length} that are there`, () => settled(bench, () => index.addRecords(some))),
    row(`updateRecords of ${some.length}`, () =>
      settled(bench, () => index.updateRecords(some.map(({ id, bench_rank }) => ({ id, bench_rank: bench_rank + 1 })))),
    ),
    row("copyIndex", () => engine.copyIndex("bench", "copy")),
    row("updateSettings that index nothing again", () => copy().updateSettings({ bm25: { k1: 1.1, b: 0.5 } })),
    row("updateSettings, 5,000 synonyms", () => copy().updateSettings({ synonyms: synonyms(5000) })),
  ];
  const reindexing = [
    row("updateSettings that index all again", () =>
      settled(copy, () => copy().updateSettings({ identifierAttributes: ["bench_group"] })),
    ),
    row("replaceAllRecords by a half", () =>
      settled(copy, () => copy().replaceAllRecords(records.slice(0, Math.ceil(records.length / 2)))),
    ),
  ];
  const destroying = [
    row("deleteBy, 5 %", () =>
      settled(bench, () => index.deleteBy({ filters: `bench_rank < ${Math.ceil(records.length / 20)}` })),
    ),
    row(`deleteRecords of ${ids.length}`, () => settled(bench, () => index.deleteRecords(ids))),
    row("deleteBy, 50 %, and the merge", () =>
      settled(bench, () => index.deleteBy({ filters: `bench_rank < ${Math.ceil(records.length / 2)}` })),
    ),
    row("deleteIndex", () => engine.deleteIndex("copy")),
    row("clearIndex", () => index.clearIndex()),
    row("close", () => engine.close()),
  ];
  return [...rows, ...(reindexes ? reindexing : []), ...destroying];
}

function synonyms(count) {
  return Array.from({ length: count }, (_, i) => ({
    type: "synonym",
    synonyms: [`benchword${i}`, `benchterm${i}`, `bench phrase ${i}`],
  }));
}

/** The largest settings, records with the most places, and wrong records, each in an index of its own. */
export function largestRows({ size, calls }) {
  const engine = new SearchEngine({ embedder: false, onWarning() {} });
  const row = (what, run, goal = QUERY_MS, count = calls) => ({ what, goal, calls: count, run });
  const seq = (count, make) => Array.from({ length: count }, (_, i) => make(i));
  const filled = new Map();
  const fill = async (name, records) => {
    const index = await engine.createIndex(name);
    for (let at = 0; at < records.length; at += 1000) await index.addRecords(records.slice(at, at + 1000));
    await index.whenIdle();
    return index;
  };
  const indexOf = (name, records) => {
    if (!filled.has(name)) filled.set(name, fill(name, records));
    return filled.get(name);
  };
  const titled = seq(size, (i) => ({ id: i, title: "hammer", brand: `b${i % 50}` }));
  const draw = seededRandom(7);
  const place = () => ({ lat: Math.round(draw() * 180 - 90), lng: Math.round(draw() * 360 - 180) });
  const placed = seq(Math.ceil(size / 15), (i) => ({ id: i, title: "shop", _geoloc: seq(480, place) }));
  // The first call fills the index.
  const queries = (name, records, settings, params = {}) => {
    let isSet = false;
    return async () => {
      const index = await indexOf(name, records);
      if (!isSet) await index.updateSettings(settings);
      isSet = true;
      await index.query({ query: records[0].title, ...params });
    };
  };
  const rules = (count, consequenceAt) => ({
    rules: seq(count, (k) => ({ id: `r${k}`, consequence: consequenceAt(k) })),
  });
  const boosts = seq(16, (i) => ({ aroundLatLng: `${i},10`, pivotMetres: 1000, weight: 1 }));
  const ids = (k) => seq(MOST_ITEMS, (i) => i + k * MOST_ITEMS);
  const largest = {
    "10,000 rules": rules(10_000, (k) => ({
      promote: [{ id: k, position: 0 }],
      params: { filters: "brand:b1 OR price > 5" },
    })),
    "400,000 hidden ids": rules(4, (k) => ({ hide: ids(k) })),
    "10,000 synonyms of 40": {
      synonyms: seq(10_000, (k) => ({ type: "synonym", synonyms: seq(40, (i) => `w${k}x${i}`) })),
    },
    "100,000 suggestions": { suggestions: seq(MOST_ITEMS, (i) => ({ text: `hammer ${i}`, weight: 1 + (i % 9) })) },
  };
  const long = "word ".repeat(18_000);
  const wrong = {
    "without an id": () => ({ title: long }),
    "with too long texts": (i) => ({ id: i, title: long.repeat(20) }),
  };
  return [
    row("16 boosts by place, records of 480 places", queries("places", placed, {}, { boosts })),
    row("sort by distance, records of 480 places", queries("places", placed, {}, { sort: ["_geoPoint(1,1):asc"] })),
    row(
      "10,000 rules with an optional filter each",
      queries(
        "boosted",
        titled,
        rules(10_000, (k) => ({ params: { optionalFilters: [`brand:b${k % 50}`] } })),
      ),
    ),
    row(
      "rules that take out 400,000 words",
      queries(
        "edited",
        titled,
        rules(4, (k) => ({ params: { query: { remove: ids(k).map((i) => `word${i}`) } } })),
      ),
    ),
    row(
      "rules that hide 400,000 ids",
      queries(
        "hidden",
        titled,
        rules(4, (k) => ({ hide: ids(k) })),
      ),
    ),
    row(
      "rules that promote 400,000 ids",
      queries(
        "pinned",
        titled,
        rules(4, (k) => ({ promote: [{ ids: ids(k), position: 0 }] })),
      ),
    ),
    ...Object.entries(largest).map(([what, settings]) =>
      row(`updateSettings, ${what}`, async () => (await indexOf("settings", [])).updateSettings(settings)),
    ),
    ...Object.entries(largest).map(([what, settings]) =>
      row(`createIndex, ${what}`, async () => {
        await engine.createIndex("made", settings);
        await engine.deleteIndex("made");
      }),
    ),
    ...Object.entries(wrong).map(([what, recordAt]) =>
      row(`addRecords of 500 ${what}`, async () =>
        (await indexOf("wrong", [])).addRecords(seq(500, recordAt)).catch(() => {}),
      ),
    ),
  ];
}
