// The script of docs/examples that moves an index of another engine: the report of each engine's files, and what the moved index answers.

import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../support/source-tree.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "tandem-move-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Moves what each list of arguments names, and asks the indexes that are there afterwards. */
const PROGRAM = `import { SearchEngine } from "tandem-search";
  import { move } from "./docs/examples/move.mjs";
  const told = [];
  for (const args of JSON.parse(process.argv[1])) {
    const lines = [];
    const code = await move(args, (text) => lines.push(...text.trimEnd().split("\\n")));
    told.push({ code, lines });
  }
  const engine = await SearchEngine.open({ dataDir: process.argv[2], embedder: false, onWarning() {} });
  const found = {};
  for (const [index, params] of JSON.parse(process.argv[3]))
    found[index + " " + params.query] = (await engine.query(index, params)).data.hits.map((hit) => hit.source);
  await engine.close();
  console.log(JSON.stringify({ told, found }));`;

const ALGOLIA = {
  settings: {
    version: 2,
    hitsPerPage: 24,
    minWordSizefor1Typo: 4,
    minWordSizefor2Typos: 9,
    searchableAttributes: ["unordered(title)", "brand,category"],
    attributesForFaceting: ["searchable(brand)", "filterOnly(category)"],
    customRanking: ["desc(sales)"],
    ranking: ["desc(price)", "typo", "custom"],
    replicas: ["products_price_desc"],
    distinct: 2,
    attributeForDistinct: "model",
    ignorePlurals: ["en"],
    queryLanguages: ["en", "de"],
    queryType: "prefixLast",
    typoTolerance: "min",
    optionalWords: null,
    tomorrow: { is: "another setting" },
  },
  rules: [
    {
      objectID: "pin",
      conditions: [{ pattern: "lamp", anchoring: "contains", alternatives: false }],
      consequence: {
        promote: [{ objectID: "3", position: 0 }],
        hide: [{ objectID: "2" }],
        userData: { banner: "a.png" },
      },
      validity: [{ from: 1577836800, until: 4102444800 }],
      enabled: true,
    },
    {
      objectID: "brands",
      conditions: [{ pattern: "{facet:brand}", anchoring: "contains" }],
      consequence: { params: { automaticFacetFilters: ["brand"] } },
    },
    {
      objectID: "cheap",
      condition: { pattern: "cheap", anchoring: "contains" },
      consequence: { params: { query: { remove: ["cheap"] }, numericFilters: "price < 25", clickAnalytics: true } },
    },
    { objectID: "broken", consequence: { params: { filters: "brand::x" } } },
  ],
  synonyms: [
    { objectID: "1", type: "synonym", synonyms: ["sofa", "couch"] },
    { objectID: "2", type: "onewaysynonym", input: "tv", synonyms: ["television"] },
    { objectID: "3", type: "altCorrection1", word: "lampe", corrections: ["lamp"] },
    { objectID: "4", type: "placeholder", placeholder: "<street>", replacements: ["street"] },
  ],
};
const ALGOLIA_RECORDS = [
  {
    objectID: "1",
    title: "Desk lamp",
    brand: "Hem",
    category: "Lamps",
    model: "d",
    price: 20,
    sales: 3,
    added_at: 1700000000,
  },
  {
    objectID: "2",
    title: "Floor lamp",
    brand: "Volt",
    category: "Lamps",
    model: "f",
    price: "30.50",
    _highlightResult: {},
  },
  { objectID: "3", title: "Garden hose", brand: "Volt", model: "g", _geoloc: { lat: "48.1", lng: 11.5 } },
];

const MEILISEARCH = {
  displayedAttributes: ["*"],
  searchableAttributes: ["title", "maker"],
  filterableAttributes: ["maker", { attributePatterns: ["spec*"] }, "_geo"],
  sortableAttributes: ["price", "_geo"],
  rankingRules: ["words", "typo", "proximity", "attribute", "sort", "exactness", "sales:desc"],
  stopWords: ["der"],
  separatorTokens: [],
  synonyms: { sofa: ["couch"], couch: ["sofa"], tv: ["fernseher"] },
  distinctAttribute: null,
  typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 4, twoTypos: 9 }, disableOnWords: ["volta"] },
  faceting: { maxValuesPerFacet: 100, sortFacetValuesBy: { "*": "alpha", maker: "alpha" } },
  pagination: { maxTotalHits: 1000 },
  embedders: { meaning: { source: "openAi", model: "small" } },
  localizedAttributes: [{ attributePatterns: ["*"], locales: ["deu"] }],
  prefixSearch: "indexingTime",
};
const MEILISEARCH_DOCUMENTS = [
  {
    sku: "a",
    shop_id: 7,
    title: "Stehlampe",
    maker: "Hem",
    spec: { watt: 5 },
    price: 20,
    sales: 1,
    _geo: { lat: 48.1, lng: 11.5 },
  },
  { sku: "b", shop_id: 7, title: "Sofa", maker: "Hem", price: 400, _geo: null, _vectors: { meaning: [0, 1] } },
];

const TYPESENSE = {
  name: "products",
  default_sorting_field: "sales",
  fields: [
    { name: "title", type: "string", infix: true, locale: "" },
    { name: "brand", type: "string", facet: true },
    { name: "note", type: "string", index: false, optional: true },
    { name: "price", type: "float" },
    { name: "sales", type: "int32" },
    { name: "place", type: "geopoint", sort: true },
    { name: "vector", type: "float[]", num_dim: 2 },
    { name: "shop", type: "string", reference: "shops.id", facet: true },
  ],
  symbols_to_index: ["+"],
  token_separators: [],
  num_documents: 2,
};
const TYPESENSE_SYNONYMS = {
  synonyms: [
    { id: "a", root: "", synonyms: ["sofa", "couch"] },
    { id: "b", root: "tv", synonyms: ["television"] },
  ],
};
const TYPESENSE_CURATIONS = [
  {
    name: "curations",
    items: [
      {
        id: "pin",
        rule: { query: "lamp", match: "exact" },
        includes: [{ id: "3", position: 1 }],
        effective_from_ts: 1577836800,
      },
      {
        id: "volt",
        rule: { query: "volt", match: "contains", tags: ["web"] },
        filter_by: "brand:=[`Volt & Co`,Hem] && (price:<100 || price:[200..300])",
        remove_matched_tokens: true,
      },
      { id: "near", rule: { query: "near", match: "exact" }, filter_by: "place:(48.9, 2.3, 5 km)" },
      { id: "brands", rule: { query: "{brand} phone", match: "contains" }, filter_by: "brand:={brand}" },
      {
        id: "all",
        rule: { query: "*", match: "exact" },
        sort_by: "_text_match:desc,sales:desc",
        stop_processing: false,
      },
    ],
  },
];
const TYPESENSE_DOCUMENTS = [
  {
    id: "1",
    title: "Desk lamp",
    brand: "Hem",
    price: 20,
    sales: 1,
    place: [48.1, 11.5],
    vector: [0, 1],
    shop: "a",
    note: "secret",
  },
  { id: "2", title: "Floor lamp volt", brand: "Volt & Co", price: 250, sales: 2, place: [52, 13], shop: "a" },
  { id: "3", title: "Garden hose", brand: "Hem", price: 150, sales: 9, place: [52, 13], shop: "a" },
];

const MINISEARCH = {
  documentCount: 2,
  nextId: 3,
  documentIds: { "0": "a", "2": 7 },
  fieldIds: { title: 0, text: 1 },
  fieldLength: { "0": [2, 1], "2": [1, 1] },
  averageFieldLength: [1.5, 1],
  storedFields: { "0": { title: "Desk lamp", price: 9 }, "2": { title: "Sofa", price: 300 } },
  dirtCount: 1,
  index: [["lamp", { "0": { "0": 1 } }]],
  serializationVersion: 2,
};

const ORAMA = {
  internalDocumentIDStore: { internalIdToId: ["1", "28431327-1"] },
  index: {
    searchablePropertiesWithTypes: {
      name: "string",
      tags: "string[]",
      brand: "enum",
      place: "geopoint",
      meaning: "vector[2]",
    },
  },
  docs: {
    docs: {
      "1": {
        id: "1",
        name: "Stehlampe",
        tags: ["neu"],
        brand: "Hem",
        place: { lat: 48.1, lon: 11.5 },
        meaning: [0, 1],
      },
      "2": { name: "Sofa", brand: "Volt" },
    },
    count: 2,
  },
  pinning: {
    rules: [
      [
        "couch",
        {
          id: "couch",
          conditions: [{ anchoring: "starts_with", pattern: "couch" }],
          consequence: { promote: [{ doc_id: "28431327-1", position: 0 }] },
        },
      ],
    ],
  },
  language: "german",
};

const FILES: Readonly<Record<string, unknown>> = {
  "algolia.json": ALGOLIA,
  "algolia.ndjson": [
    ...ALGOLIA_RECORDS.map((one) => JSON.stringify(one)),
    "{broken",
    '{"title":"Without an id"}',
    "",
  ].join("\n"),
  "meilisearch.json": MEILISEARCH,
  "documents.json": { results: MEILISEARCH_DOCUMENTS, offset: 0, limit: 2, total: 5 },
  "schema.json": TYPESENSE,
  "synonyms.json": TYPESENSE_SYNONYMS,
  "curations.json": TYPESENSE_CURATIONS,
  "typesense.jsonl": TYPESENSE_DOCUMENTS.map((one) => JSON.stringify(one)).join("\n"),
  "minisearch.json": MINISEARCH,
  "orama.json": ORAMA,
};

/** A gzipped tar, as a dump is. */
function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    const bytes = Buffer.from(text);
    header.write(name, 0);
    header.write(bytes.length.toString(8).padStart(11, "0"), 124);
    header.write("0", 156);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const at = (name: string): string => join(folder, name);
const DATA = ["--data", at("data")];
const MOVES = {
  algolia: [
    "--from",
    "algolia",
    "--settings",
    at("algolia.json"),
    "--records",
    at("algolia.ndjson"),
    "--numbers",
    "price",
    ...DATA,
  ],
  again: ["--from", "algolia", "--settings", at("algolia.json"), "--records", at("algolia.ndjson"), ...DATA],
  meilisearch: [
    "--from",
    "meilisearch",
    "--settings",
    at("meilisearch.json"),
    "--records",
    at("documents.json"),
    "--id",
    "sku",
  ],
  dump: ["--from", "meilisearch", "--export", at("shop.dump"), "--source", "shop", "--index", "dump", ...DATA],
  unnamed: ["--from", "meilisearch", "--export", at("shop.dump")],
  typesense: [
    ...[
      "--from",
      "typesense",
      "--settings",
      at("schema.json"),
      "--synonyms",
      at("synonyms.json"),
      "--rules",
      at("curations.json"),
    ],
    ...["--records", at("typesense.jsonl"), "--index", "typesense", ...DATA],
  ],
  minisearch: ["--from", "minisearch", "--export", at("minisearch.json"), "--id", "sku", "--index", "mini", ...DATA],
  orama: ["--from", "orama", "--export", at("orama.json"), "--index", "orama", ...DATA],
  wrong: ["--from", "orama", "--export", at("minisearch.json")],
  unknown: ["--from", "elsewhere"],
};
const QUERIES = [
  ["products", { query: "lamp" }],
  ["products", { query: "cheap lampe" }],
  ["dump", { query: "lampe", filters: "spec.watt > 1" }],
  ["typesense", { query: "lamp" }],
  ["typesense", { query: "volt", ruleContexts: ["web"] }],
  ["mini", { query: "lamps" }],
  ["orama", { query: "couch" }],
  ["orama", { query: "lampe", aroundLatLng: "48.1,11.5", aroundRadius: 10 }],
];

interface Told {
  readonly code: number;
  readonly lines: readonly string[];
}
let told: Readonly<Record<string, Told>>;
let found: Readonly<Record<string, readonly object[]>>;

beforeAll(() => {
  for (const [name, content] of Object.entries(FILES))
    writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  const indexFiles = (name: string) => ({
    [`./indexes/${name}/metadata.json`]: JSON.stringify({ uid: name, primaryKey: "sku" }),
    [`./indexes/${name}/documents.jsonl`]: MEILISEARCH_DOCUMENTS.map((one) => `${JSON.stringify(one)}\n`).join(""),
    [`./indexes/${name}/settings.json`]: JSON.stringify(MEILISEARCH),
  });
  writeFileSync(at("shop.dump"), tarOf({ "./metadata.json": "{}", ...indexFiles("shop"), ...indexFiles("other") }));
  const args = ["--input-type=module", "--eval", PROGRAM];
  const given = [JSON.stringify(Object.values(MOVES)), at("data"), JSON.stringify(QUERIES)];
  const out = JSON.parse(execFileSync(process.execPath, [...args, ...given], { cwd: ROOT, encoding: "utf8" }));
  told = Object.fromEntries(Object.keys(MOVES).map((name, n) => [name, out.told[n]]));
  found = out.found;
});

const linesOf = (name: keyof typeof MOVES) => told[name]!.lines.map((line) => line.replaceAll(folder, ""));

it("Algolia: settings, synonyms and rules of an exported configuration, records of JSON Lines", () => {
  expect(told.algolia!.code).toBe(0);
  expect(linesOf("algolia")).toEqual([
    "Settings here:",
    "  searchableAttributes (3)",
    "  customRanking (1)",
    "  distinct",
    "  attributeForDistinct",
    "  language",
    "  typoTolerance",
    "  synonyms (3)",
    "  rules (2)",
    "  idAttribute",
    "  attributesForFaceting (5)",
    "To pass with each query:",
    "  hitsPerPage: 24",
    "Good to know:",
    "  the order of searchableAttributes says nothing here: title weighs 2, the others 1",
    "  the language is en; for de see docs/languages.md",
    "  altCorrection1 of lampe became a oneWaySynonym",
    "  a promoted record must pass the filters of the query, as with filterPromotes: true",
    "  filters on numbers need a declaration here: filterOnly for price, added_at, sales",
    "  numbers of seconds or milliseconds? --dates added_at makes dates of them",
    "Without a counterpart:",
    "  minWordSizefor2Typos 9: one error from 4 letters, two from 8, is fixed; instead: disableTypoToleranceOnWords",
    '  ranking ["desc(price)"]: hits have one score, no list of criteria; instead: the parameter sort, or boosts',
    '  replicas ["products_price_desc"]: another order is no other index; instead: the parameter sort',
    "  distinct 2: a group shows one hit; instead: variants as a list in one record, docs/shops.md",
    '  typoTolerance "min": is true or false; instead: matching: "all"',
    '  tomorrow {"is":"another setting"}: this program does not know it; instead: look in docs/parameters.md',
    '  synonym 4 ["<street>","street"]: patterns and synonyms are words; instead: understand: true, which finds values in a query',
    '  rule brands "{facet:brand}": patterns and synonyms are words; instead: understand: true, which finds values in a query',
    '  rule broken: settings.rules[2].consequence.params.filters: filters, position 6: found ":"; expected a value; put quotes around what holds any of ( ) { } = < > ! :; instead: docs/parameters.md',
    "Refused records:",
    "  line 4: no JSON",
    '  line 5: has no "objectID"; every record needs one.',
    "Index products of /data: 3 of 5 records.",
  ]);
  const [first, second] = found["products lamp"]!;
  expect([first, second]).toEqual([
    { ...ALGOLIA_RECORDS[2], _geoloc: { lat: 48.1, lng: 11.5 } }, // pinned
    ALGOLIA_RECORDS[0],
  ]);
  expect(found["products lamp"]).toHaveLength(2); // one is hidden
  expect(found["products cheap lampe"]).toEqual([ALGOLIA_RECORDS[0]]);
});

it("Meilisearch: settings and documents, tried without being kept", () => {
  expect(told.meilisearch!.code).toBe(0);
  const at = linesOf("meilisearch").indexOf("{");
  expect(linesOf("meilisearch").slice(0, at)).toEqual([
    "Settings here:",
    "  searchableAttributes (2)",
    "  customRanking (1)",
    "  stopWords (1)",
    "  synonyms (2)",
    "  disableTypoToleranceOnWords (1)",
    "  language",
    "  idAttribute",
    "  attributesForFaceting (3)",
    "Good to know:",
    "  the order of searchableAttributes says nothing here: title weighs 2, the others 1",
    "  the file is one page: 2 of 5 documents",
    "  _vectors are left out; to keep them, see vectorAttribute and dimensions",
    "Without a counterpart:",
    '  minWordSizeForTypos {"oneTypo":4,"twoTypos":9}: one error from 4 letters, two from 8, is fixed; instead: disableTypoToleranceOnWords',
    '  sortFacetValuesBy {"maker":"alpha"}: is said with each facet; instead: facets: [{ attribute, sort: "alpha" }]',
    '  embedder meaning "openAi": the built-in model reads texts; instead: vectorAttribute or an embedder of yours, docs/embedders.md',
    "Tried, nothing kept: 2 of 2 records.",
    "",
  ]);
  expect(JSON.parse(linesOf("meilisearch").slice(at).join("\n"))).toEqual({
    searchableAttributes: [{ attribute: "title", weight: 2 }, "maker"],
    customRanking: ["desc(sales)"],
    stopWords: ["der"],
    synonyms: [
      { type: "synonym", synonyms: ["couch", "sofa"] },
      { type: "oneWaySynonym", input: "tv", synonyms: ["fernseher"] },
    ],
    disableTypoToleranceOnWords: ["volta"],
    language: "de",
    idAttribute: "sku",
    attributesForFaceting: ["maker", "spec.watt", "price"],
  });
});

it("Meilisearch: an index of a dump", () => {
  const ofFiles = linesOf("meilisearch");
  expect(linesOf("dump")).toEqual([
    ...ofFiles
      .slice(0, ofFiles.indexOf("Tried, nothing kept: 2 of 2 records."))
      .filter((line) => !/one page/.test(line)),
    "Index dump of /data: 2 of 2 records.",
  ]);
  const { _geo, ...lamp } = MEILISEARCH_DOCUMENTS[0]!;
  expect(found["dump lampe"]).toEqual([{ ...lamp, _geoloc: _geo }]);
});

it("Typesense: a schema, synonyms, curations and an export", () => {
  expect(linesOf("typesense")).toEqual([
    "Settings here:",
    "  customRanking (1)",
    "  searchableAttributes (3)",
    "  synonyms (2)",
    "  rules (3)",
    "  attributesForFaceting (4)",
    "Good to know:",
    "  filters take title only if attributesForFaceting names them",
    "  the places of place are in _geoloc",
    "Without a counterpart:",
    '  field title "infix": words are found from their beginning, codes by their parts; instead: identifierAttributes',
    '  field vector "2 numbers": the built-in model reads texts; instead: vectorAttribute or an embedder of yours, docs/embedders.md',
    '  field shop "shops.id": records know no other index; instead: what belongs to a record, in the record',
    '  symbols_to_index ["+"]: letters and signs are read in one way; instead: synonyms, identifierAttributes for codes',
    '  rule near "place:(48.9, 2.3, 5 km)": this filter is not translated; instead: write it by docs/filters.md',
    '  rule brands "{brand}": patterns and synonyms are words; instead: understand: true, which finds values in a query',
    "Index typesense of /data: 3 of 3 records.",
  ]);
  expect(found["typesense lamp"]!.map((record) => (record as { id: string }).id)).toEqual(["3", "1", "2"]); // 3 is pinned
  expect(found["typesense volt"]!.map((record) => (record as { id: string }).id)).toEqual(["2", "1"]); // by the filter alone
});

it("MiniSearch: what the index stores", () => {
  expect(linesOf("minisearch")).toEqual([
    "Settings here:",
    "  searchableAttributes (2)",
    "  idAttribute",
    "Good to know:",
    "  options are no part of the file: boost is a weight here, fuzzy typoTolerance, prefix queryType, boostDocument boosts",
    "Without a counterpart:",
    '  fields ["text"]: it is searched there, but not stored, so its texts are not in the file; instead: --records with the documents',
    "The engine warns:",
    '  searchableAttributes names "text", which no record has; known are price, sku, title.',
    "Index mini of /data: 2 of 2 records.",
  ]);
  expect(found["mini lamps"]).toEqual([{ sku: "a", title: "Desk lamp", price: 9 }]);
});

it("Orama: documents, language, places and pins", () => {
  expect(linesOf("orama")).toEqual([
    "Settings here:",
    "  searchableAttributes (2)",
    "  language",
    "  rules (1)",
    "Good to know:",
    "  the places of place are in _geoloc",
    "  a tokenizer, plugins and hooks are no part of the file; stems and stop words are those of the language",
    "Without a counterpart:",
    '  property meaning "vector[2]": the built-in model reads texts; instead: vectorAttribute or an embedder of yours, docs/embedders.md',
    "Index orama of /data: 2 of 2 records.",
  ]);
  expect(found["orama couch"]).toEqual([{ id: "28431327-1", name: "Sofa", brand: "Volt" }]);
  const place = { lat: 48.1, lng: 11.5 };
  expect(found["orama lampe"]).toEqual([{ id: "1", name: "Stehlampe", tags: ["neu"], brand: "Hem", _geoloc: place }]);
});

it("says what is wrong, and changes nothing", () => {
  expect(told.again).toEqual({ code: 1, lines: ["index products exists: --replace, or another --index"] });
  expect(told.unnamed).toEqual({ code: 1, lines: ["the dump has 2 indexes; name one by --source: shop, other"] });
  expect(told.wrong).toEqual({
    code: 1,
    lines: ['this is no JSON of save(db): persist(db, "json") writes it, other forms do not'],
  });
  expect([told.unknown!.code, told.unknown!.lines[0]]).toEqual([
    2,
    "node move.mjs --from SERVICE FILES [--data FOLDER --index NAME]",
  ]);
});
