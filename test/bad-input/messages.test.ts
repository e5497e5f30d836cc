// What is said of a wrong argument, to the letter: what was found, what was expected and what to do. A line of a table is the
// argument as a cell (see row.ts), the name of the error and the message.

import { describe, expect, it } from "vitest";
import { type Embedder, type IndexSettings, quoteFilterValue, SearchEngine } from "../../src/index.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";
import { expectMessageRules } from "./message-rules.js";
import { cells } from "./refused-values.js";
import { anything, throwing } from "./world.js";

const engine = new SearchEngine({
  embedder: false,
  limits: {
    ...{ attributeName: 8, dimensions: 9, semanticDepth: 50, queryBytes: 90, page: 9, paramsPairs: 3, paramsBytes: 99 },
    ...{ facets: 1, attributesToRetrieve: 2, filterBytes: 60, filterDepth: 2, filterConditions: 2, filterValues: 2 },
    ...{
      idBytes: 4,
      batchRecords: 3,
      recordBytes: 99,
      recordDepth: 4,
      recordAttributes: 3,
      arrayItems: 2,
      indexName: 8,
    },
  },
});
/** Never holds a record, so that it knows every attribute. */
const shop = engine.createIndex("shop", { vectorAttribute: "v", dimensions: 2 });
const words = engine.createIndex("words");
const OWN: Embedder = { id: "own", dimensions: 3, embed: async () => [] };
const create = (settings: unknown) => engine.createIndex("new", anything<IndexSettings>(settings));
const ask = async (params: unknown) => (await shop).query(anything(params));
const askWith = (given: object) => ask({ query: "", ...given });
const filter = (filters: unknown) => askWith({ filters });
const click = (facetFilters: unknown) => askWith({ facetFilters });
const add = async (records: unknown) => (await shop).addRecords(anything(records));
const get = async (ids: unknown) => (await shop).getRecords(anything(ids));
const deleteBy = async (params: unknown) => (await shop).deleteBy(anything(params));
const addWith = async (options: unknown) => (await shop).addRecords([], anything(options));

type Call = (given: never) => Promise<unknown>;

async function expectSaid(promise: Promise<unknown>, error: string, msg: string): Promise<void> {
  const thrown = await rejectionOf(promise);
  expect({ error: thrown.error, msg: thrown.msg }).toEqual({ error, msg });
  expectMessageRules(thrown);
}

/** Lines of the form: argument -> error: message. */
function said(what: string, call: Call, table: string): void {
  describe(what, () => {
    for (const line of table.trim().split("\n")) {
      const [, given, error = "", msg = ""] = /^\s*(.+?) -> (\w+): (.+)$/.exec(line) ?? expect.fail(line);
      it(`${given}: ${msg}`, () => expectSaid(call(cells(given!)[0] as never), error, msg));
    }
  });
}

/** The same for arguments that no cell can say. */
function saidOf(
  what: string,
  call: Call,
  rows: readonly (readonly [given: unknown, error: string, msg: string])[],
): void {
  describe(what, () => {
    for (const [given, error, msg] of rows) it(msg, () => expectSaid(call(given as never), error, msg));
  });
}

said(
  "a setting",
  create,
  `
  5 -> invalid_settings: settings is 5; pass an object.
  {"idAttribute":"x x 9"} -> invalid_setting: settings.idAttribute is "xxxxxxxxx"; expected an attribute name of 1 to 8 characters.
  {"identifierAttributes":5} -> invalid_setting: settings.identifierAttributes is 5; expected a list of at most 1000 attribute names of 1 to 8 characters.
  {"searchableAttributes":5} -> invalid_setting: settings.searchableAttributes is 5; expected a list of at most 1000 names or { attribute, weight, language }.
  {"searchableAttributes":[5]} -> invalid_setting: settings.searchableAttributes[0] is 5; expected a name or { attribute, weight, language }.
  {"searchableAttributes":["a","a"]} -> invalid_setting: settings.searchableAttributes[1] is "a"; expected each attribute once.
  {"searchableAttributes":[{"attribute":"a","weight":0}]} -> invalid_setting: settings.searchableAttributes[0].weight is 0; expected a number above 0, at most 1000.
  {"analyzer":"german"} -> invalid_analyzer: settings.analyzer is "german"; expected "english", "plain" or { id, analyze(text) }.
  {"matching":"x"} -> invalid_setting: settings.matching is "x"; expected one of "auto", "all", "any".
  {"matchingRatio":2} -> invalid_setting: settings.matchingRatio is 2; expected a number from 0 to 1.
  {"embedder":"other"} -> invalid_embedder: settings.embedder is "other"; expected "static-en", "static-de", false or { id, dimensions, embed(texts, options) }.
  {"vectorAttribute":"v"} -> invalid_dimensions: settings.dimensions is undefined; expected an integer from 1 to 9, the length of the records' vectors.
  {"vectorAttribute":"v","dimensions":10} -> invalid_dimensions: settings.dimensions is 10; expected an integer from 1 to 9.
  {"vectorIndex":5} -> invalid_setting: settings.vectorIndex is 5; pass an object.
  {"vectorIndex":{"kind":"x"}} -> invalid_setting: settings.vectorIndex.kind is "x"; expected one of "auto", "exact", "hnsw", "hnswlib".
  {"vectorIndex":{"m":257}} -> invalid_setting: settings.vectorIndex.m is 257; expected an integer from 2 to 256.
  {"fusion":{"method":"rrf","rankConstant":0}} -> invalid_setting: settings.fusion.rankConstant is 0; expected a number from 1 to 10000.
  {"semanticFloor":2} -> invalid_setting: settings.semanticFloor is 2; expected a number from -1 to 1, or "auto".
  {"semanticDepth":51} -> invalid_setting: settings.semanticDepth is 51; expected an integer from 1 to 50.
  {"bm25":{"k1":1001}} -> invalid_setting: settings.bm25.k1 is 1001; expected a number from 0 to 1000.
  {"customRanking":["up(a)"]} -> invalid_setting: settings.customRanking holds "up(a)"; expected a list of at most 16 of "asc(attribute)" or "desc(attribute)".
  {"distinct":101} -> invalid_setting: settings.distinct is 101; expected true, false, or an integer from 0 to 100.
  {"distinct":true} -> invalid_setting: settings.distinct is true; expected an attributeForDistinct beside it.
  {"stopWords":true} -> invalid_setting: settings.stopWords is true; expected a list of at most 10000 texts of at most 256 characters.
  {"synonyms":5} -> invalid_setting: settings.synonyms is 5; expected a list of at most 10000 synonyms.
  {"synonyms":[{"type":"x","synonyms":[]}]} -> invalid_setting: settings.synonyms[0].type is "x"; expected one of "synonym", "oneWaySynonym".
  {"suggestions":[{"text":" "}]} -> invalid_setting: settings.suggestions[0].text is " "; expected a text of 1 to 90 bytes, not blank.
  {"suggestions":[{"text":"a","weight":0}]} -> invalid_setting: settings.suggestions[0].weight is 0; expected a number above 0.
  {"synonyms":[{"type":"synonym"}]} -> invalid_setting: settings.synonyms[0].synonyms is null; expected a list of at most 10000 texts of at most 256 characters.
  {"boosts":-1} -> invalid_setting: settings.boosts is -1; expected a list of at most 16 boosts, each { attribute, weight, pivot?, order? }, { attribute, weight, halfLifeDays, origin? }, { filters, weight } or { aroundLatLng, pivotMetres, weight }.
  {"boosts":[{"attribute":"a","weight":2}]} -> invalid_setting: settings.boosts[0].weight is 2; expected a number from -1 to 1, not 0.
  {"boosts":[{"filters":5,"weight":1}]} -> invalid_setting: settings.boosts[0].filters is 5; pass a text such as "brand:Forge AND price < 50", or a plain object.
  {"bm25":{"k2":1}} -> unknown_setting: setting "bm25.k2" is unknown; did you mean "bm25.k1"?
  {"vectorIndex":{"ef":1}} -> unknown_setting: setting "vectorIndex.ef" is unknown; did you mean "vectorIndex.m"?
  {"fusion":{"method":"rrf","semanticWeight":0.5}} -> unknown_setting: setting "fusion.semanticWeight" is unknown; known are fusion.method, fusion.rankConstant.`,
);

saidOf("an embedder, or too many synonyms, in the settings", create, [
  [
    { embedder: { ...OWN, id: "" } },
    "invalid_embedder",
    'settings.embedder is an object; expected "static-en", "static-de", false or { id, dimensions, embed(texts, options) }.',
  ],
  ...[10, undefined].map((dimensions): [object, string, string] => [
    { embedder: { ...OWN, dimensions } },
    "invalid_embedder",
    `settings.embedder.dimensions is ${dimensions ?? null}; expected an integer from 1 to 9.`,
  ]),
  [
    { embedder: { ...OWN, maxBatchSize: 0 } },
    "invalid_embedder",
    "settings.embedder.maxBatchSize is 0; expected an integer from 1 to 1000000.",
  ],
  [
    { embedder: OWN, dimensions: 4 },
    "invalid_dimensions",
    "settings.dimensions is 4; expected 3, which the embedder gives.",
  ],
  [
    { synonyms: [{ type: "oneWaySynonym", synonyms: Array.from({ length: 1001 }, (_, i) => `a${i}`), input: "x" }] },
    "invalid_setting",
    "settings.synonyms[0] is 1001; expected at most 1000 synonyms of one word.",
  ],
]);

said(
  "a parameter",
  askWith,
  `
  {"query":5} -> invalid_query: query is 5; expected a text.
  {"query":"x x 91"} -> query_too_long: query has more than 90 bytes; shorten it.
  {"page":0} -> invalid_page: page is 0; expected an integer from 1 to 9.
  {"hitsPerPage":-1} -> invalid_hits_per_page: hitsPerPage is -1; expected an integer from 0 to 1000 (limits.hitsPerPage).
  {"semanticWeight":2} -> invalid_parameter: semanticWeight is 2; expected a number from 0 to 1.
  {"matching":"some"} -> invalid_parameter: matching is "some"; expected one of "auto", "all", "any".
  {"vector":[1,0,0]} -> invalid_vector: vector is no vector of this index: found 3 components, expected 2.
  {"facets":"a"} -> invalid_parameter: facets is "a"; expected a list of at most 1 attribute names of 1 to 8 characters, patterns such as "specs.*" and objects { attribute, … }.
  {"facets":["a","b"]} -> invalid_parameter: facets is too long a list; expected a list of at most 1 attribute names of 1 to 8 characters, patterns such as "specs.*" and objects { attribute, … }.
  {"facets":["a",{"attribute":"b","limit":1}]} -> invalid_parameter: facets names 2 attributes; expected at most 1 (limits.facets).
  {"optionalFilters":[-1]} -> invalid_parameter: optionalFilters holds -1; expected a list such as ["brand:Forge", "brand:-Volt"].
  {"sort":["a"]} -> invalid_parameter: sort holds "a"; expected a list of at most 16 of "attribute:asc" or "attribute:desc".
  {"sort":["_geoPoint(1):asc"]} -> invalid_parameter: sort holds "_geoPoint(1):asc"; expected a list of at most 16 of "attribute:asc" or "_geoPoint(latitude,longitude):asc".
  {"aroundLatLng":"48"} -> invalid_parameter: aroundLatLng is "48"; expected a latitude from -90 to 90 and a longitude from -180 to 180 as in "48.14,11.58".
  {"aroundRadius":5} -> invalid_parameter: aroundRadius is given without aroundLatLng; pass the place that it is measured from.
  {"insideBoundingBox":[]} -> invalid_parameter: insideBoundingBox is an array; expected a list of 1 to 100 boxes [latitude, longitude, latitude, longitude] from -90 to 90 and from -180 to 180.
  {"distinct":"2"} -> invalid_parameter: distinct is "2"; expected true, false, or an integer from 0 to 100.
  {"cursor":"end."} -> invalid_cursor: cursor is "end."; expected "start", or the nextCursor of an answer.
  {"attributesToRetrieve":["a","a","a"]} -> invalid_parameter: attributesToRetrieve is too long a list; expected a list of at most 2 attribute names of 1 to 8 characters.
  {"highlightPreTag":5} -> invalid_parameter: highlightPreTag is 5; expected a text of at most 64 characters.
  {"filter":"a:b"} -> unknown_parameter: parameter "filter" is unknown; did you mean "filters"? It is an error, because ignoring it would show records that it should hide.`,
);

said(
  "a query",
  ask,
  `
  null -> invalid_request: params is null; pass an object.
  {} -> missing_query: query is missing; pass a text ("" finds all records).
  {"a":1,"b":2,"c":3,"d":4} -> invalid_request: params has 4 parameters; pass at most 3.
  {"params":"query=x","page":2} -> params_not_alone: params stands beside other keys; put every parameter into it, or leave it out.
  {"params":5} -> invalid_params: params is 5; pass a URL-encoded string such as "query=drill&page=2".
  {"params":"x x 100"} -> params_too_long: params has more than 99 bytes; shorten it or pass an object.
  {"params":"a&b&c&d"} -> params_too_long: params has more than 3 parameters; pass fewer.`,
);

it("a vector where the index has none", async () =>
  expectSaid(
    (await words).query({ query: "", vector: [1, 2] }),
    "vectors_disabled",
    "vector is given, but the index has no vectors; leave it out, or create the index with an embedder or a vectorAttribute.",
  ));

said(
  "a filter as text",
  filter,
  String.raw`
  "a:b c" -> invalid_filter: filters, position 4: found "c"; expected AND, OR or the end; put quotes around a value of several words.
  "a:b AND" -> invalid_filter: filters, position 7: found the end; expected an attribute, as in brand:Forge.
  "OR" -> invalid_filter: filters, position 0: found "OR"; expected an attribute, as in brand:Forge; put quotes around OR where it is a name or a value.
  "a" -> invalid_filter: filters, position 1: found the end; expected one of : = != < <= > >= { EXISTS; put quotes around a name with blanks.
  "a \"b\"" -> invalid_filter: filters, position 2: found the quoted "b"; expected one of : = != < <= > >= { EXISTS; put quotes around a name with blanks.
  "a b" -> invalid_filter: filters, position 2: found "b"; expected one of : = != < <= > >= { EXISTS; put quotes around a name with blanks.
  "a exists" -> invalid_filter: filters, position 2: found "exists"; expected one of : = != < <= > >= { EXISTS; write keywords in capitals.
  "a TO" -> invalid_filter: filters, position 2: found "TO"; expected one of : = != < <= > >= { EXISTS; put quotes around a name with blanks.
  "a (" -> invalid_filter: filters, position 2: found "("; expected one of : = != < <= > >= { EXISTS; put quotes around a name with blanks.
  "a:" -> invalid_filter: filters, position 2: found the end; expected a value.
  "a:TO" -> invalid_filter: filters, position 2: found "TO"; expected a value; put quotes around TO where it is a name or a value.
  "a:(" -> invalid_filter: filters, position 2: found "("; expected a value; put quotes around what holds any of ( ) { } = < > ! :.
  "a == b" -> invalid_filter: filters, position 3: found "="; expected a value; write one "=".
  "a:b)" -> invalid_filter: filters, position 3: found ")"; expected AND, OR or the end; put a "(" before it, or leave it out.
  "a:b:c" -> invalid_filter: filters, position 3: found ":"; expected AND, OR or the end; put quotes around a value with it.
  "a:b EXISTS" -> invalid_filter: filters, position 4: found "EXISTS"; expected AND, OR or the end; put quotes around EXISTS where it is a name or a value.
  "a:b Not c:d" -> invalid_filter: filters, position 4: found "Not"; expected AND, OR or the end; write keywords in capitals.
  "a:b notes" -> invalid_filter: filters, position 4: found "notes"; expected AND, OR or the end; put quotes around a value of several words.
  "a:b sand" -> invalid_filter: filters, position 4: found "sand"; expected AND, OR or the end; put quotes around a value of several words.
  "a:b \"and\"" -> invalid_filter: filters, position 4: found the quoted "and"; expected AND, OR or the end; put quotes around a value of several words.
  "a:b \"OR\" c:d" -> invalid_filter: filters, position 4: found the quoted "OR"; expected AND, OR or the end; put quotes around a value of several words.
  "a:5 \"TO\" 6" -> invalid_filter: filters, position 4: found the quoted "TO"; expected AND, OR or the end; put quotes around a value of several words.
  "a:b \u001b[31m\u202e" -> invalid_filter: filters, position 4: found "\u001b[31m\u202e"; expected AND, OR or the end; put quotes around a value of several words.
  "a{b:c" -> invalid_filter: filters, position 1: found a "{" that is never closed; put a "}" after it.
  "a{b:c d}" -> invalid_filter: filters, position 6: found "d"; expected AND, OR or "}"; put quotes around a value of several words.
  "a{}" -> invalid_filter: filters, position 2: found "}"; expected an attribute, as in brand:Forge; say what an item has, as in variants{size:M}.
  "a:{b}" -> invalid_filter: filters, position 2: found "{"; expected a value; put quotes around what holds any of ( ) { } = < > ! :.
  "a:b}" -> invalid_filter: filters, position 3: found "}"; expected AND, OR or the end; put a "{" before it, or leave it out.
  "{a:b}" -> invalid_filter: filters, position 0: found "{"; expected an attribute, as in brand:Forge; name a list before it, as in variants{size:M}.
  "(a:b" -> invalid_filter: filters, position 0: found a "(" that is never closed; put a ")" after it.
  "(a:b c)" -> invalid_filter: filters, position 5: found "c"; expected AND, OR or ")"; put quotes around a value of several words.
  "a > b" -> invalid_filter: filters, position 4: found "b"; expected a number such as 5, -2.5 or 1e3 without quotes, or a date such as "2024-01-31" in quotes.
  "a > '5'" -> invalid_filter: filters, position 4: found the quoted "5"; expected a number such as 5, -2.5 or 1e3 without quotes, or a date such as "2024-01-31" in quotes.
  "a:5 TO '2024-01-31'" -> invalid_filter: filters, position 7: found the quoted "2024-01-31" beside a number; expected two numbers, or two dates in quotes.
  "a:'2024-01-31' TO 5" -> invalid_filter: filters, position 18: found "5" beside a date; expected two numbers, or two dates in quotes.
  "a > 1e999" -> invalid_filter: filters, position 4: found "1e999", a number that cannot be represented exactly; pass fewer digits, or put quotes around a code.
  "a ! b" -> invalid_filter: filters, position 2: found a "!" alone; write != or NOT.
  "a:'b" -> invalid_filter: filters, position 2: found a quote ' that is never closed; close it, or put \ before it.
  "a:'\\x'" -> invalid_filter: filters, position 3: found the unknown escape "\x"; expected \\ \" \' \n \t or \u and four hexadecimal digits.
  "a:'\\u12'" -> invalid_filter: filters, position 3: found the unknown escape "\u"; expected \\ \" \' \n \t or \u and four hexadecimal digits.
  "x x 61" -> filter_too_complex: filters has more than 60 bytes; shorten it, or pass an object.
  "((a:b))" -> filter_too_complex: filters is nested deeper than 2 levels; write it flatter.
  "a:1 OR a:2 OR a:3" -> filter_too_complex: filters has more than 2 conditions; pass fewer, or a list.`,
);

said(
  "a filter as an object",
  filter,
  `
  -1 -> invalid_filter: filters is -1; pass a text such as "brand:Forge AND price < 50", or a plain object.
  null -> invalid_filter: filters is null; pass a text such as "brand:Forge AND price < 50", or a plain object.
  Map -> invalid_filter: filters is an object; pass a text such as "brand:Forge AND price < 50", or a plain object.
  {"NOT":5} -> invalid_filter: filters is 5; pass a plain object.
  {"a":{}} -> invalid_filter: filters: "a" is an empty object; pass a value or an operator such as lt.
  {"$a":1} -> invalid_filter: filters has the unknown key "$a"; pass attributes, AND, OR and NOT (a text can filter by it).
  {"AND":5} -> invalid_filter: filters: AND is 5; pass a list of objects.
  {"a":[[]]} -> invalid_filter: filters: "a": in is an array; expected a text, a finite number, a boolean or null.
  {"a":{"in":5}} -> invalid_filter: filters: "a": in is 5; expected a list of values.
  {"a":{"exists":1}} -> invalid_filter: filters: "a": exists is 1; expected true or false.
  {"a":{"between":5}} -> invalid_filter: filters: "a": between is 5; expected two numbers or two dates, as in [5, 100].
  {"a":{"between":[1]}} -> invalid_filter: filters: "a": between is an array; expected two numbers or two dates, as in [5, 100].
  {"a":{"between":[1,"2"]}} -> invalid_filter: filters: "a": between is "2"; expected a finite number, or a date as a Date or an ISO text.
  {"a":{"between":[1,"2024-01-31"]}} -> invalid_filter: filters: "a": between is a number and a date; expected two numbers, or two dates.
  {"a":{"gte":"5"}} -> invalid_filter: filters: "a": gte is "5"; expected a finite number, or a date as a Date or an ISO text.
  {"a":{"exist":true}} -> invalid_filter: filters: "a": operator "exist" is unknown; did you mean "exists"? A nested attribute is named by its path, as in "category.main".
  {"a":{"zzzzzz":5}} -> invalid_filter: filters: "a": operator "zzzzzz" is unknown; known are between, eq, exists, gt, gte, in, lt, lte and 2 more. A nested attribute is named by its path, as in "category.main".
  {"NOT":{"NOT":{"a":1}}} -> filter_too_complex: filters is nested deeper than 2 levels; write it flatter.
  {"a":1,"b":2,"c":3} -> filter_too_complex: filters has more than 2 conditions; pass fewer, or a list.
  {"a":[1,2,3]} -> filter_too_complex: filters has more than 2 values in its lists; pass fewer.`,
);

const circle: Record<string, unknown> = {};
circle.NOT = circle;
const unreadable = (name: string): object => Object.defineProperty({}, name, { get: throwing, enumerable: true });

saidOf(
  "a filter that JSON cannot say",
  filter,
  (
    [
      [{ NOT: undefined }, " is undefined; pass a plain object."],
      [{ a: new Map() }, ': "a" is an object; pass a plain object.'],
      [{ [Symbol("a")]: 1 }, " has a symbol as a key; pass names."],
      [{ a: { [Symbol("a")]: 1 } }, ': "a" has a symbol as a key; pass names.'],
      [circle, " holds itself; pass an object without circles."],
      [{ a: undefined }, ': "a": eq is undefined; expected a text, a finite number, a boolean or null.'],
      [{ a: { ne: undefined } }, ': "a": ne is undefined; expected a text, a finite number, a boolean or null.'],
    ] as const
  ).map(([given, says]) => [given, "invalid_filter", `filters${says}`]),
);

said(
  "clicks",
  click,
  `
  "brand:Forge" -> invalid_facet_filters: facetFilters is "brand:Forge"; pass a list such as [["brand:Forge", "brand:Volt"], "colors:black"], or an object.
  Map -> invalid_facet_filters: facetFilters is an object; pass a plain object.
  [5] -> invalid_facet_filters: facetFilters holds 5; pass a list such as [["brand:Forge", "brand:Volt"], "colors:black"], or an object.
  ["brand"] -> invalid_facet_filters: facetFilters holds "brand"; expected an attribute, a colon and a value: "brand:Forge".
  [":Forge"] -> invalid_facet_filters: facetFilters holds ":Forge"; expected an attribute, a colon and a value: "brand:Forge".
  [["a:1","b:3"]] -> invalid_facet_filters: facetFilters has "a" and "b" in one inner list; give each attribute its own.
  {"OR":[]} -> invalid_facet_filters: facetFilters has the key "OR"; pass attributes alone, or use filters.
  {"NOT":"x"} -> invalid_facet_filters: facetFilters has the key "NOT"; pass attributes alone, or use filters.
  {"$a":1} -> invalid_facet_filters: facetFilters has the key "$a"; pass attributes alone, or use filters.`,
);

said(
  "chosen ranges",
  (numericFilters: unknown) => askWith({ numericFilters }),
  `
  5 -> invalid_parameter: numericFilters is 5; pass a list such as ["price>=10", "price<50", ["rating:4 TO 5", "sales>100"]].
  [5] -> invalid_parameter: numericFilters holds 5; pass a list such as ["price>=10", "price<50", ["rating:4 TO 5", "sales>100"]].
  ["a"] -> invalid_parameter: numericFilters holds "a"; expected an attribute, one of <, <=, =, !=, >=, >, and a number, or a range "price:1 TO 3".
  ["a:1"] -> invalid_parameter: numericFilters holds "a:1"; expected a range "price:1 TO 3", or one of <, <=, =, !=, >=, >.
  ["a>b"] -> invalid_parameter: numericFilters holds "a>b"; expected a number such as 5, -2.5 or 1e3.
  ["a>1"] x 1001 -> invalid_parameter: numericFilters has more than 2 conditions; pass fewer.`,
);

said(
  "a list of records",
  add,
  `
  {"id":1} -> invalid_records: records is an object; pass an array of records; for one record write [record].
  null -> invalid_records: records is null; pass an array of records.
  "secret" -> invalid_records: records is a text; pass an array of records.
  function -> invalid_records: records is a function; pass an array of records.
  [{}] x 4 -> batch_too_large: records holds 4 records; one call takes 3 (limits.batchRecords).
  [null] -> invalid_record: records[0] is null, expected a plain object.
  ["secret"] -> invalid_record: records[0] is a text, expected a plain object.
  [[]] -> invalid_record: records[0] is an array, expected a plain object.
  [{"a":1}] -> missing_id: records[0] has no "id"; every record needs one.
  [{"id":""}] -> invalid_id: records[0] has an id that is empty, expected at least one character.
  [{"id":"12345"}] -> invalid_id: records[0] (id "12345") has an id that has more than 4 bytes (limits.idBytes); shorten it.
  [{"id":12345}] -> invalid_id: records[0] (id "12345") has an id that has more than 4 bytes (limits.idBytes); shorten it.
  [{"id":1,"a":[1,2,3]}] -> record_too_large: records[0] (id "1") attribute "a" has 3 items; at most 2 are taken (limits.arrayItems).
  [{"id":1,"a":1,"b":1,"c":1}] -> record_too_large: records[0] (id "1") has more than 3 attributes (limits.recordAttributes).
  [{"id":1,"long name":1}] -> invalid_record: records[0] (id "1") has an attribute name of more than 8 characters (limits.attributeName).
  [{"id":1,"a":"x x 99"}] -> record_too_large: records[0] (id "1") has more than 99 bytes as JSON; shorten it or raise limits.recordBytes.
  [{"id":1,"a":[[[[]]]]}] -> record_too_large: records[0] (id "1") is nested deeper than 4 levels (limits.recordDepth).
  [{"id":1,"v":[1]}] -> invalid_vector: records[0] (id "1") has a bad vector: found 1 components, expected 2.`,
);

const NOT_PLAIN = "an object that is not plain (of a class instance, pass { ...record })";
const loop: unknown[] = [];
loop.push([loop]);

saidOf(
  "a record that JSON cannot say",
  (record: unknown) => add([record]),
  (
    [
      [undefined, "invalid_record", " is undefined, expected a plain object"],
      [new Map(), "invalid_record", " is a Map (pass Object.fromEntries(record)), expected a plain object"],
      [new Set(), "invalid_record", " is a Set (pass [...record]), expected a plain object"],
      [new Uint8Array(), "invalid_record", " is a typed array (pass Array.from(record)), expected a plain object"],
      [
        { id: 1, a: new (class {})() },
        "invalid_field_value",
        ' (id "1") attribute "a" is an object that is not plain (of a class instance, pass { ...value }), expected a JSON value',
      ],
      [
        { objectID: 1 },
        "missing_id",
        ' has no "id"; every record needs one, or set idAttribute: "objectID" in the settings',
      ],
      [{ _id: "a" }, "missing_id", ' has no "id"; every record needs one, or set idAttribute: "_id" in the settings'],
      [new (class {})(), "invalid_record", ` is ${NOT_PLAIN}, expected a plain object`],
      [new Date(0), "invalid_record", " is a Date (pass its toISOString()), expected a plain object"],
      [() => 1, "invalid_record", " is a function, expected a plain object"],
      [Object.create({ a: 1 }), "invalid_record", ` is ${NOT_PLAIN}, expected a plain object`],
      [unreadable("a"), "invalid_record", " could not be read (see cause)"],
      [{ a: { b: 1n } }, "invalid_field_value", ' attribute "a.b" is a BigInt, expected a JSON value'],
      [
        { a: [[new Map()]] },
        "invalid_field_value",
        ` attribute "a" is a Map (pass Object.fromEntries(value)), expected a JSON value`,
      ],
      [{ a: { v: [1, 1n] } }, "invalid_field_value", ' attribute "a.v" is a BigInt, expected a JSON value'],
      [{ a: Number.NaN }, "invalid_field_value", ' attribute "a" is NaN, expected a finite number'],
      [{ id: Number.NaN }, "invalid_id", ' attribute "id" is NaN, expected a finite number'],
      [{ id: 5n }, "invalid_id", ' attribute "id" is a BigInt, expected a JSON value'],
      [{ a: { id: 5n } }, "invalid_field_value", ' attribute "a.id" is a BigInt, expected a JSON value'],
      [{ a: loop }, "record_cyclic", ' attribute "a" contains itself'],
      [{ v: [1, Number.NaN] }, "invalid_vector", ' attribute "v[1]" is NaN, expected a finite number'],
      [{ v: [1, 2n] }, "invalid_vector", ' attribute "v[1]" is a BigInt, expected a JSON value'],
      [{ v: [[1, 2n]] }, "invalid_vector", ' attribute "v[0]" is a BigInt, expected a JSON value'],
      [{ v: 1n }, "invalid_vector", ' attribute "v" is a BigInt, expected a JSON value'],
      [{ v: { x: Number.NaN } }, "invalid_vector", ' attribute "v.x" is NaN, expected a finite number'],
      ...(["Int8Array", "DataView"] as const).map((kind, i) => {
        const v = [new Int8Array(2), new DataView(new ArrayBuffer(2))][i];
        const expected = "expected numbers, a Float32Array or a Float64Array";
        return [{ v }, "invalid_vector", ` attribute "v" is ${kind}, ${expected}`] as const;
      }),
      [{ v: new Float32Array(3) }, "invalid_vector", ' attribute "v" has 3 components, expected 2'],
      [
        { v: new Float64Array([1, Number.NaN]) },
        "invalid_vector",
        ' attribute "v" has NaN at position 1, expected finite numbers',
      ],
    ] as const
  ).map(([record, error, says]) => [record, error, `records[0]${says}.`]),
);

said(
  "ids",
  get,
  `
  "ab" -> invalid_ids: ids is "ab"; pass an array of ids.
  {"length":1,"0":"a"} -> invalid_ids: ids is an object; pass an array of ids.
  null -> invalid_ids: ids is null; pass an array of ids.
  ["a"] x 4 -> batch_too_large: ids holds more ids than one call takes: 3 (limits.batchRecords).
  ["","12345"] -> invalid_id: ids[0] is empty, expected at least one character. ids[1] has more than 4 bytes (limits.idBytes); shorten it.`,
);

said(
  "what to delete",
  deleteBy,
  `
  5 -> invalid_request: params is 5; pass an object.
  {} -> invalid_filter: filters is undefined; pass a text such as "brand:Forge AND price < 50", or a plain object.
  {"filters":""} -> invalid_filter: filters is empty and would delete all records; use clearIndex for that.
  {"filters":"a:1","query":"x"} -> unknown_parameter: parameter "query" is unknown here; deleteBy takes filters alone, and ignoring it might delete too much.`,
);

said(
  "options of a call",
  addWith,
  `
  null -> invalid_options: options is null; pass an object.
  [] -> invalid_options: options is an array; pass an object.
  {"signal":"now"} -> invalid_signal: signal is "now"; pass an AbortSignal.
  {"onProgress":null} -> invalid_options: options.onProgress is null; pass a function.
  {"createIfNotExists":null} -> invalid_options: options.createIfNotExists is null; pass true or false.`,
);

saidOf("options that cannot be read, or are aborted", addWith, [
  [unreadable("signal"), "invalid_options", "options could not be read (see cause); pass a plain object."],
  [{ signal: AbortSignal.abort() }, "aborted", "The call was aborted by its signal; nothing was changed."],
]);

saidOf("the name of an index", (name: string) => engine.createIndex(name), [
  [
    "a b",
    "invalid_index_name",
    'The index name is "a b"; use 1 to 8 of A-Z a-z 0-9 . _ - that do not begin with a dot.',
  ],
  ["shop", "index_exists", 'The index "shop" exists; use another name, delete it, or pass { ifExists: "open" }.'],
]);

it("an index that is not there", () =>
  expectSaid(
    engine.query("a", { query: "" }),
    "index_not_found",
    'There is no index "a"; create it with createIndex.',
  ));

it("limits, and a value that cannot be quoted", () => {
  const limitsSaid = (limits: object) => thrownBy(() => new SearchEngine({ limits })).msg;
  expect(limitsSaid({ idBytes: 0 })).toBe("limits.idBytes is 0; pass a positive integer.");
  expect(limitsSaid({ bytes: 1 })).toBe('limits has the unknown name "bytes"; did you mean "idBytes"?');
  expect(limitsSaid({ zzzzzzzzzz: 1 })).toBe(
    'limits has the unknown name "zzzzzzzzzz"; known are arrayItems, attributeName, attributesToRetrieve, batchRecords, dimensions, facetValues, facets, fieldCharacters and 19 more.',
  );
  expect(thrownBy(() => quoteFilterValue(Number.NaN)).msg).toBe(
    "quoteFilterValue was given NaN; pass a text, a finite number or a boolean.",
  );
});

describe("unknown names", () => {
  it("are warned of in one warning, the first four of them named", async () => {
    const warnings: unknown[] = [];
    const lax = new SearchEngine({ embedder: false, onWarning: (warning) => warnings.push(warning) });
    const index = await lax.createIndex("a", anything<IndexSettings>({ matchin: "all" }));
    await index.query(anything({ query: "", pgae: 1 }));
    await index.query(anything({ query: "", pgae: 1, srot: 1, vectr: 1, explian: 1, mathcing: 1 }));
    const one = (name: string, near: string) => `parameter "${name}" is unknown; did you mean "${near}"?`;
    const four = [one("pgae", "page"), one("srot", "sort"), one("vectr", "vector"), one("explian", "explain")];
    const code = "unknown_parameter";
    expect(warnings).toEqual([
      {
        code: "unknown_setting",
        message: 'setting "matchin" is unknown; did you mean "matching"? It was ignored.',
        param: "matching",
        indexName: "a",
      },
      { code, message: `${one("pgae", "page")} It was ignored.`, param: "pgae", indexName: "a" },
      { code, message: `${four.join(" ")} They were ignored.`, param: "pgae", indexName: "a" },
    ]);
  });

  it("are refused by a strict engine", async () => {
    const strict = new SearchEngine({ embedder: false, strict: true });
    const index = await strict.createIndex("a");
    const setting = strict.createIndex("b", anything<IndexSettings>({ matchin: "all" }));
    await expectSaid(setting, "unknown_setting", 'setting "matchin" is unknown; did you mean "matching"?');
    const asked = index.query(anything({ query: "", pgae: 1 }));
    await expectSaid(asked, "unknown_parameter", 'parameter "pgae" is unknown; did you mean "page"?');
  });
});
