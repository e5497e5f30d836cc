// Values that a caller may pass and that are refused wherever they stand: as tables of cells, for the tests of each parameter and
// setting, and for calls made at random.

import { expect } from "vitest";

/** What JSON cannot say. */
const NO_JSON: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  "-Infinity": () => Number.NEGATIVE_INFINITY,
  "Symbol()": () => Symbol(),
  function: () => () => [],
  hole: () => new Array(1),
  Set: () => new Set(["brand:Forge"]),
  Map: () => new Map(),
  Date: () => new Date(0),
  RegExp: () => /a/,
};

/**
 * The values of a row of cells: JSON, in which "ab x 3" stands for "ababab" and [1] x 3 for [1,1,1], or a BigInt such as 5n, or
 * Object("a") for a String object, or one of the names above.
 */
export function cells(text: string): unknown[] {
  return text.split(/\s+\|\s+/).map((cell) => {
    const made = NO_JSON[cell];
    if (made !== undefined) return made();
    if (/^\d+n$/.test(cell)) return BigInt(cell.slice(0, -1));
    const [, wrapped] = /^Object\((.*)\)$/.exec(cell) ?? [];
    if (wrapped !== undefined) return Object(readJson(wrapped));
    const [, list, length] = /^\[(.*)\] x (\d+)$/.exec(cell) ?? [];
    return list === undefined ? readJson(cell) : new Array(Number(length)).fill(readJson(list));
  });
}

function readJson(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => {
    const [, part, times] = (typeof value === "string" && /^(.+) x (\d+)$/.exec(value)) || [];
    return part === undefined ? value : part.repeat(Number(times));
  });
}

/** A parameter or setting, and values that are refused for it. */
export interface RefusedValues {
  readonly param: string;
  readonly code: number;
  readonly error: string;
  readonly values: string;
}

/** The lines of a table: parameters between commas, their error (413:error where the code is not 400) and cells with values. */
export function refusedValues(table: string): RefusedValues[] {
  return table
    .trim()
    .replace(/\n\s*\|/g, " |")
    .split("\n")
    .flatMap((line) => {
      const [, params = "", code = "400", error = "", values = ""] =
        /^\s*(\S+)\s+(?:(\d+):)?(\w+)\s+(.+?)\s*$/.exec(line) ?? expect.fail(`no row of a table: ${line}`);
      return params.split(",").map((param) => ({ param, code: Number(code), error, values }));
    });
}

/** One setting, by its path; a[0].b stands for all that is passed as a. */
export function within(path: string, value: unknown): object {
  const [name = "", inner] = path.replace(/\[.*/, "").split(".");
  return { [name]: inner === undefined ? value : { [inner]: value } };
}

// What the kinds refuse: as values, and as texts within an encoded string where these are not the values written as JSON.

interface RefusedByKind {
  readonly values: string;
  readonly texts: string;
}

const integer = (low: number, high: number): RefusedByKind => ({
  values: `${low - 1} | ${high + 1} | 1.5 | NaN | Infinity | "${low}" | null | true | [${low}] | {} | ${low}n | Object(${low})`,
  texts: `"" | "${low - 1}" | "${high + 1}" | "9 x 400" | "1.5" | "2.0" | "2e0" | "0x2" | "05" | "+5" | "%2B2" | "%202" | "2 " | "1_0" | "1n" | "x" | "\\u0662"`,
});

const integerOrBoolean = (low: number, high: number): RefusedByKind => {
  const { values, texts } = integer(low, high);
  return {
    values: `${values.replace("| true ", "")} | [true] | "true"`,
    texts: `${texts} | "True" | "%20true" | "null" | "[true]"`,
  };
};

const number = (low: number, high: number): RefusedByKind => ({
  values: `${low - 0.1} | ${high + 0.1} | ${high + 1e-6} | NaN | Infinity | "${low}" | null | true | [${low}] | {} | 1n`,
  texts: `"" | "${low - 0.1}" | "${high + 0.1}" | "x" | "1e0" | "+1" | ".5" | "1." | "0x1" | "00.5" | "0,5" | "NaN" | "Infinity"`,
});

const oneOf = (...words: readonly [string, ...string[]]): RefusedByKind => {
  const near = [words[0].toUpperCase(), `${words[0]} `, ...words.map((word) => word.slice(0, -1))];
  const cells = [...near, "", "constructor"].map((word) => JSON.stringify(word)).join(" | ");
  return { values: `${cells} | null | true | 0 | {} | ["${words[0]}"]`, texts: cells };
};

const BOOLEAN: RefusedByKind = {
  values: 'null | 0 | 1 | "true" | "yes" | "min" | "" | [] | {} | [true] | Object(true) | Symbol() | 1n',
  texts: '"1" | "0" | "yes" | "no" | "" | "True" | "TRUE" | "on" | "%20true" | "true%20" | "null" | "[true]"',
};

const NO_LIST = String.raw`"[" | "[5" | "[\"brand\"" | "[\"brand\",]" | "{}" | "{\"0\":\"brand\"}" | "['brand']" | "%5B"`;

const NAMES: RefusedByKind = {
  values: String.raw`null | 5 | "brand" | {} | true | [5] | [null] | [["brand"]] | [{"attribute":null}] | [""] | ["a\n"] | ["n x 257"] | Set | hole
    | Object("title") | ["title"] x 1001`,
  texts: `${NO_LIST} | "," | "brand," | "a,,b"`,
};

/** Texts of at most so many characters, in lists of at most so many. */
const texts = (longest: number, most: number): RefusedByKind => ({
  values: `null | 5 | true | {} | [5] | [null] | [["a"]] | ["w x ${longest + 1}"] | ["a"] x ${most + 1} | Set | hole | Symbol()`,
  texts: '"[" | "{}" | "[5"',
});

const NAME: RefusedByKind = {
  values: String.raw`null | "" | 5 | true | [] | ["brand"] | {} | "n x 257" | "a\n"`,
  texts: "",
};

const TAG: RefusedByKind = {
  values: 'null | 5 | true | {} | ["<b>"] | "x x 65" | "x x 10000" | Symbol() | Object("<b>")',
  texts: '"x x 65"',
};

type ByKind = readonly (readonly [names: string, kind: RefusedByKind, error?: string])[];

/** The rows of a table that the kinds imply. */
function rowsOf(table: ByKind, given: keyof RefusedByKind, error: string): string {
  const rows = table.filter(([, kind]) => kind[given] !== "");
  return rows.map(([names, kind, own = error]) => `${names.replaceAll(" ", ",")} ${own} ${kind[given]}`).join("\n");
}

/** Limits and words are written again, and not taken from the product, so that a change of them there fails. */
const PARAMETERS_BY_KIND: ByKind = [
  ["page", integer(1, 1_000_000_000), "invalid_page"],
  ["hitsPerPage", integer(0, Number.MAX_SAFE_INTEGER), "invalid_hits_per_page"],
  ["offset maxValuesPerFacet", integer(0, Number.MAX_SAFE_INTEGER)],
  ["length", integer(1, 1000)],
  ["semanticDepth", integer(1, 10_000)],
  ["relevancyStrictness", integer(0, 100)],
  ["minScore semanticWeight", number(0, 1)],
  ["semanticFloor", number(-1, 1)],
  ["matching", oneOf("auto", "all", "any")],
  ["queryType", oneOf("prefixAuto", "prefixLast", "prefixAll", "prefixNone")],
  ["typoTolerance advancedSyntax explain getParsedQuery getMatchInfo enableRules", BOOLEAN],
  ["distinct", integerOrBoolean(0, 100)],
  ["escapeHTML matchedPositions", BOOLEAN],
  ["ruleContexts", texts(256, 1000)],
  ["queryLanguages", texts(64, 1000)],
  ["facets attributesToRetrieve attributesToHighlight attributesToSnippet restrictSearchableAttributes", NAMES],
  ["highlightPreTag highlightPostTag snippetEllipsisText", TAG],
];

const SETTINGS_BY_KIND: ByKind = [
  ["idAttribute vectorAttribute attributeForDistinct", NAME],
  ["understanding.price understanding.rating understanding.newest", NAME],
  ["identifierAttributes embeddedAttributes attributesForFaceting", NAMES],
  ["matching", oneOf("auto", "all", "any")],
  ["queryType", oneOf("prefixAuto", "prefixLast", "prefixAll", "prefixNone")],
  ["matchingRatio semanticWeight fusion.semanticWeight bm25.b", number(0, 1)],
  ["semanticFloor", number(-1, 1)],
  ["bm25.k1", number(0, 1000)],
  ["semanticDepth rankWindow", integer(1, 10_000)],
  ["relevancyStrictness", integer(0, 100)],
  ["vectorIndex.kind", oneOf("auto", "exact", "hnsw", "hnswlib")],
  ["vectorIndex.m", integer(2, 256)],
  ["vectorIndex.efConstruction", integer(4, 10_000)],
  ["vectorIndex.efSearch", integer(1, 10_000)],
  ["fusion.method", oneOf("convex", "rrf")],
  ["typoTolerance titleEvidence builtInSynonyms", BOOLEAN],
  ["distinct", integerOrBoolean(0, 100)],
  ["stopWords optionalWords disableTypoToleranceOnWords disableTypoToleranceOnAttributes", texts(256, 10_000)],
];

/** Of parameters, in the object form. */
export const PARAMETER_VALUES: string = `${rowsOf(PARAMETERS_BY_KIND, "values", "invalid_parameter")}
  query              invalid_query      null | 5 | true | {} | [] | ["drill"] | Symbol() | 1n | Object("a") | function
  page               invalid_page       -0 | 1e21
  length             invalid_parameter  9007199254740992
  cursor             invalid_cursor     null | 5 | true | {} | [] | ["start"] | Symbol() | 1n | Object("start") | "" | " start" | "START" | "a x 16385" | "%00"
  understand         invalid_parameter  null | 5 | "true" | [] | {} | {"except":null} | {"except":1} | {"except":[-1]} | {"except":[64]} | {"except":[0.5]} | {"except":["0"]} | {"except":[0],"only":[1]}
  optionalWords      invalid_parameter  null | 5 | {} | [5] | [null] | [["a"]] | ["w x 4097"] | ["a"] x 1001 | ["w x 4096"] x 17 | hole | Symbol()
  facets             invalid_parameter  [{}] | [{"attribute":"price","ranges":[]}] | [{"attribute":"price","ranges":[[1,1]]}] | [{"attribute":"price","ranges":[[2,1]]}]
    | [{"attribute":"price","ranges":[[1]]}] | [{"attribute":"price","ranges":[[1,2,3]]}] | [{"attribute":"price","ranges":[["1",2]]}]
    | [{"attribute":"price","ranges":[1,2]}] | [{"attribute":"price","ranges":null}] | [{"attribute":"price","ranges":{"0":[1,2]}}]
    | [{"attribute":"price","histogram":1}] | [{"attribute":"price","histogram":101}] | [{"attribute":"price","histogram":2.5}]
    | [{"attribute":"price","histogram":"5"}] | [{"attribute":"price","histogram":null}] | [{"attribute":"price","histogram":5,"ranges":[[1,2]]}]
    | [{"attribute":"price","histogram":5,"limit":5}] | [{"attribute":"price","sort":"value"}] | [{"attribute":"price","sort":null}]
    | [{"attribute":"price","limit":0}] | [{"attribute":"price","limit":1001}] | [{"attribute":"price","limit":"5"}] | [{"attribute":"price","order":"alpha"}]
    | [{"attribute":"*"}] | [{"attribute":"specs.*","limit":5}] | [{"attribute":5}] | [{"attribute":""}] | [{"histogram":5}] | ["price",{"attribute":"price"}]
    | [{"attribute":"price"},"brand",{"attribute":"price"}] | [[{"attribute":"price"}]] | {"attribute":"price"} | [{"attribute":"price"},null]
  facets             unknown_field      [{"attribute":"colour","histogram":5}] | [{"attribute":"__proto__"}] | ["colour"] | ["brand","x"] | ["__proto__"] | ["constructor"] | ["tags.length"] | ["specs"] | ["*","x"]
  sort               invalid_parameter  null | 5 | "price:asc" | {} | true | [5] | [null] | ["price"] | ["price:up"] | ["price:ASC"]
    | ["price:asc "] | [":asc"] | [""] | ["price:"] | [["price","asc"]] | [{"price":"asc"}] | ["price:asc"] x 17 | hole | ["price:asc",null]
    | ["_score"] | ["_score:up"] | ["_score:"]
  sort               unknown_field      ["colour:asc"] | ["price:asc","x:desc"] | ["__proto__:asc"] | ["constructor:desc"] | ["tags.length:asc"]
    | ["a:b:asc"]
  boosts             invalid_parameter  null | 5 | "price" | {} | [5] | [null] | [{}] | [[]] | [{"attribute":"price"}] | [{"weight":1}]
    | [{"attribute":"price","weight":0}] | [{"attribute":"price","weight":1.01}] | [{"attribute":"price","weight":"1"}] | [{"attribute":5,"weight":1}]
    | [{"attribute":"price","weight":1,"pivot":0}] | [{"attribute":"price","weight":1,"pivot":null}] | [{"attribute":"price","weight":1,"order":"up"}]
    | [{"attribute":"price","weight":1,"filters":""}] | [{"attribute":"price","weight":1,"wieght":1}] | [{"filters":"","weight":1,"pivot":1}]
    | [{"filters":"","weight":1}] x 17 | hole | [{"attribute":"price","weight":1,"halfLifeDays":0}] | [{"attribute":"price","weight":1,"halfLifeDays":"9"}]
    | [{"attribute":"price","weight":1,"halfLifeDays":9,"origin":"2024-02-30"}] | [{"attribute":"price","weight":1,"halfLifeDays":9,"pivot":1}]
    | [{"attribute":"price","weight":1,"origin":"2024-01-01"}] | [{"aroundLatLng":"48,11","weight":1}] | [{"aroundLatLng":"91,0","weight":1,"pivotMetres":1}]
    | [{"aroundLatLng":"48,11","weight":1,"pivotMetres":0}] | [{"aroundLatLng":"48,11","weight":1,"pivotMetres":1,"attribute":"price"}]
  boosts             unknown_field      [{"attribute":"colour","weight":1}] | [{"attribute":"__proto__","weight":1}]
  boosts             invalid_filter     [{"filters":"brand:","weight":1}] | [{"filters":5,"weight":1}] | [{"filters":{"brand":{}},"weight":1}]
  boosts             unknown_filter_field [{"filters":"colour:x","weight":1}]
  optionalFilters    invalid_parameter  null | 5 | "brand:Forge" | {} | [5] | [null] | ["brand"] | [":x"] | [[["brand:x"]]] | ["brand:x"] x 17 | hole
    | ["brand:x<score=0>"] | ["brand:x<score=1.5>"] | ["brand:x<score=>"] | [["brand:x","brand:-y"]]
  optionalFilters    unknown_filter_field ["colour:x"] | ["brand:x",["colour:-x"]]
  numericFilters     invalid_parameter  null | 5 | "price>1" | {} | true | [5] | [null] | [{}] | [""] | ["price"] | [">1"] | [" >1"] | ["price>"] | ["price>x"]
    | ["price>1e999"] | ["price>NaN"] | ["price>01"] | ["price>+1"] | ["price>.5"] | ["price>0x1"] | ["price>1,2"] | ["price>1 2"] | ["price==1"]
    | ["price=>1"] | ["price=<1"] | ["price<>1"] | ["price!1"] | ["price!:1"] | ["price:1"] | ["price:1 TO"] | ["price: TO 2"] | ["price:1 to 2"]
    | ["price:1 TO 2 TO 3"] | ["price:1TO2"] | ["price:a TO 2"] | ["price>=\\"2024-01-31\\""] | ["price>1 OR price<0"] | [[["price>1"]]] | [["price>1",5]]
    | ["price>1"] x 513 | [[]] | ["price>1", []] | ["price>1"] x 10000 | hole | Set
  numericFilters     unknown_filter_field ["colour>1"] | [["price>1","colour!=1"]] | ["colour>2","colour<1"] | ["__proto__>1"] | ["tags.length>1"]
  vector             vectors_disabled   [] | [1,2] | null
  restrictSearchableAttributes unknown_field ["nope"] | ["constructor"] | ["__proto__"] | ["brand","x"] | ["tags.length"]
  aroundLatLng       invalid_parameter  "" | "here" | "48" | "48," | ",11" | "48,11,5" | "91,0" | "-90.5,0" | "0,180.1" | "0,-181" | "NaN,0" | "1e999,0" | "+4,5"
    | "0x1,2" | [48,11] | {"lat":48,"lng":11} | 48 | null | true
  aroundRadius       invalid_parameter  -1 | "5" | NaN | Infinity | null | [] | true
  insideBoundingBox  invalid_parameter  5 | null | "48,11,49,12" | [] | {} | [1,2,3,4] | [[1,2,3]] | [[1,2,3,4,5]] | [["1",2,3,4]] | [[91,0,0,0]] | [[0,181,0,0]]
    | [[0,0,0,0],[0,0,-90.1,0]] | [[0,0,0,0],5] | [null] | [[0,0,1,1]] x 101 | hole
  sort               invalid_parameter  ["_geoPoint(91,0):asc"] | ["_geoPoint(1):asc"] | ["_geoPoint(1,2)"] | ["_geoPoint(1,2):up"] | ["_geoPoint():asc"]
    | ["_geoPoint(1,2:asc"] | ["_geoPoint(1,2))x:asc"] | ["_geoPoint((1,2)):asc"]`;

/** Of parameters, as texts within an encoded string. */
export const PARAMETER_TEXTS: string = String.raw`${rowsOf(PARAMETERS_BY_KIND, "texts", "invalid_parameter")}
  offset             invalid_parameter  "0&page=1" | "0&hitsPerPage=5"
  length             invalid_parameter  "5&page=1"
  distinct           invalid_parameter  "true" | "1" | "2"
  cursor             invalid_parameter  "start&page=1" | "start&offset=0" | "start&length=5" | "start&hitsPerPage=0"
  cursor             invalid_cursor     "" | "Start" | "start " | "a+b" | "a/b" | "a=" | "\u0663"
  understand         invalid_parameter  ${BOOLEAN.texts} | "[0]" | "{\"except\":[0]"
  facets             invalid_parameter  "{\"attribute\":\"brand\"}" | "[{\"attribute\":\"price\""
  facets             unknown_field      "x,y" | "brand, price" | "\"brand\"" | "null"
  sort               invalid_parameter  ${NO_LIST} | "," | "price" | "price:up"
  boosts             invalid_parameter  "[" | "5" | "{}" | "brand:Forge" | "" | "null"
  optionalFilters    invalid_parameter  "[" | "brand" | "," | "brand:x<score=0>"
  numericFilters     invalid_parameter  "[" | "price" | "," | "price>1," | "price>>1" | "[price>1]" | "[\"price>\"]"
  aroundLatLng       invalid_parameter  "48" | "[48,11]"
  insideBoundingBox  invalid_parameter  "1,2,3,4" | "["
  filters            invalid_filter     "{" | "{'brand':'x'}" | "{\"brand\":{}}" | "[]" | "[\"brand:Forge\"]" | "null" | "5" | "true" | "{\"brand\":\"Forge\""
  facetFilters       invalid_facet_filters "[" | "[\"brand:Forge\"" | "brand" | "{" | "{'a':1}" | "null"`;

/** Of settings, by their path: "bm25.k1" stands within "bm25". */
export const SETTING_VALUES: string = String.raw`${rowsOf(SETTINGS_BY_KIND, "values", "invalid_setting")}
  searchableAttributes    invalid_setting  "title" | {} | null | ["a"] x 1001
  searchableAttributes[0] invalid_setting  [5] | [null] | [""] | ["n x 257"]
  searchableAttributes[1] invalid_setting  ["title",""] | ["title","a\nb"] | ["title","a\u0000"] | ["title",null] | ["title",5]
    | ["title","title"] | ["title",{"attribute":"title"}]
  searchableAttributes[0].attribute invalid_setting  [{"weight":2}]
  searchableAttributes[0].weight invalid_setting  [{"attribute":"a","weight":0}] | [{"attribute":"a","weight":-1}]
    | [{"attribute":"a","weight":1001}] | [{"attribute":"a","weight":"2"}] | [{"attribute":"a","weight":null}]
  customRanking           invalid_setting  null | 5 | "desc(price)" | {} | true | [5] | [null] | [["desc(price)"]] | hole | Set
    | ["desc("] | ["desc()"] | ["desc"] | ["price"] | ["price:desc"] | ["Desc(price)"] | [" desc(price)"] | ["desc(price) "]
    | ["desc (price)"] | [""] | ["asc(price)","desc("] | ["desc(a\n)"] | ["desc(\u0000)"] | ["desc(price)"] x 17
  boosts                  invalid_setting  null | 5 | {} | [5] | [{}] | [{"attribute":"price"}] | [{"attribute":"price","weight":2}]
    | [{"filters":"brand:","weight":1}] | [{"filters":"","weight":1,"order":"asc"}] | [{"filters":"","weight":1}] x 17 | hole
  rules                   invalid_setting  null | 5 | {} | "a" | Set | Map | {"id":"a"}
  rules[0]                invalid_setting  [5] | [null] | ["a"] | [[]] | hole
  rules[0].id             invalid_setting  [{"consequence":{"hide":[1]}}] | [{"id":5,"consequence":{"hide":[1]}}] | [{"id":"","consequence":{"hide":[1]}}] | [{"id":"x x 513","consequence":{"hide":[1]}}]
  rules[1].id             invalid_setting  [{"id":"a","consequence":{"hide":[1]}},{"id":"a","consequence":{"hide":[1]}}]
  rules[0]                invalid_setting  [{"id":"a","iff":1,"consequence":{"hide":[1]}}]
  rules[0].enabled        invalid_setting  [{"id":"a","enabled":null,"consequence":{"hide":[1]}}] | [{"id":"a","enabled":"no","consequence":{"hide":[1]}}]
  rules[0].stop           invalid_setting  [{"id":"a","stop":1,"consequence":{"hide":[1]}}]
  rules[0].consequence    invalid_setting  [{"id":"a"}] | [{"id":"a","consequence":null}] | [{"id":"a","consequence":{}}] | [{"id":"a","consequence":[]}]
  rules[0].consequence    invalid_setting [{"id":"a","consequence":{"hide":[1],"promot":[]}}]
  rules[0].consequence.promote invalid_setting [{"id":"a","consequence":{"promote":null}}] | [{"id":"a","consequence":{"promote":{"id":1,"position":0}}}]
  rules[0].consequence.promote[0] invalid_setting [{"id":"a","consequence":{"promote":[5]}}] | [{"id":"a","consequence":{"promote":[{"position":1}]}}] | [{"id":"a","consequence":{"promote":[{"id":1,"ids":[1],"position":1}]}}]
  rules[0].consequence.promote[0].id invalid_setting [{"id":"a","consequence":{"promote":[{"id":"","position":1}]}}] | [{"id":"a","consequence":{"promote":[{"id":1.5,"position":1}]}}] | [{"id":"a","consequence":{"promote":[{"id":null,"position":1}]}}]
  rules[0].consequence.promote[0].ids invalid_setting [{"id":"a","consequence":{"promote":[{"ids":[],"position":1}]}}] | [{"id":"a","consequence":{"promote":[{"ids":"1","position":1}]}}]
  rules[0].consequence.promote[0].ids[1] invalid_setting [{"id":"a","consequence":{"promote":[{"ids":[1,{}],"position":1}]}}]
  rules[0].consequence.promote[0].position invalid_setting [{"id":"a","consequence":{"promote":[{"id":1}]}}] | [{"id":"a","consequence":{"promote":[{"id":1,"position":-1}]}}] | [{"id":"a","consequence":{"promote":[{"id":1,"position":"0"}]}}] | [{"id":"a","consequence":{"promote":[{"id":1,"position":9007199254740992}]}}]
  rules[0].consequence.hide invalid_setting [{"id":"a","consequence":{"hide":"1"}}] | [{"id":"a","consequence":{"hide":null}}]
  rules[0].consequence.hide[0] invalid_setting [{"id":"a","consequence":{"hide":[null]}}] | [{"id":"a","consequence":{"hide":["x x 513"]}}] | [{"id":"a","consequence":{"hide":[true]}}]
  rules[0].consequence.params invalid_setting [{"id":"a","consequence":{"params":5}}] | [{"id":"a","consequence":{"params":[]}}]
  rules[0].consequence.params invalid_setting [{"id":"a","consequence":{"params":{"vector":[1]}}}]
  rules[0].consequence.params.filters invalid_setting [{"id":"a","consequence":{"params":{"filters":"brand:"}}}] | [{"id":"a","consequence":{"params":{"filters":5}}}]
  rules[0].consequence.params.boosts invalid_setting [{"id":"a","consequence":{"params":{"boosts":[{}]}}}] | [{"id":"a","consequence":{"params":{"boosts":[{"filters":"brand:","weight":1}]}}}]
  rules[0].consequence.params.optionalFilters invalid_setting [{"id":"a","consequence":{"params":{"optionalFilters":["brand"]}}}]
  rules[0].consequence.params.hitsPerPage invalid_setting [{"id":"a","consequence":{"params":{"hitsPerPage":-1}}}]
  rules[0].consequence.params.sort invalid_setting [{"id":"a","consequence":{"params":{"sort":["price"]}}}]
  rules[0].consequence.params.query invalid_setting [{"id":"a","consequence":{"params":{"query":5}}}] | [{"id":"a","consequence":{"params":{"query":{}}}}] | [{"id":"a","consequence":{"params":{"query":{"remove":["a"],"edits":[]}}}}] | [{"id":"a","consequence":{"params":{"query":"x x 4097"}}}]
  rules[0].consequence.params.query.remove[0] invalid_setting [{"id":"a","consequence":{"params":{"query":{"remove":[" "]}}}}] | [{"id":"a","consequence":{"params":{"query":{"remove":[5]}}}}]
  rules[0].consequence.params.query.edits[0].delete invalid_setting [{"id":"a","consequence":{"params":{"query":{"edits":[{"insert":"a"}]}}}}]
  rules[0].consequence.params.query.edits[0].type invalid_setting [{"id":"a","consequence":{"params":{"query":{"edits":[{"delete":"a","type":"swap"}]}}}}]
  rules[0].conditions     invalid_setting  [{"id":"a","conditions":5,"consequence":{"hide":[1]}}]
  rules[0].conditions[0]  invalid_setting  [{"id":"a","conditions":[5],"consequence":{"hide":[1]}}]
  rules[0].conditions[0].pattern invalid_setting [{"id":"a","conditions":[{"pattern":5}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"anchoring":"is"}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"pattern":" ","anchoring":"words"}],"consequence":{"hide":[1]}}]
  rules[0].conditions[0].anchoring invalid_setting [{"id":"a","conditions":[{"pattern":"a","anchoring":"IS"}],"consequence":{"hide":[1]}}]
  rules[0].conditions[0].context invalid_setting [{"id":"a","conditions":[{"context":""}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"context":5}],"consequence":{"hide":[1]}}]
  rules[0].conditions[0].filters invalid_setting [{"id":"a","conditions":[{"filters":""}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"filters":{}}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"filters":"price > 5"}],"consequence":{"hide":[1]}}]
    | [{"id":"a","conditions":[{"filters":"brand:a OR brand:b"}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"filters":{"brand":["a"]}}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"filters":{"brand":null}}],"consequence":{"hide":[1]}}] | [{"id":"a","conditions":[{"filters":{"brand":{"eq":"a"}}}],"consequence":{"hide":[1]}}]
  rules[0].validity       invalid_setting  [{"id":"a","validity":5,"consequence":{"hide":[1]}}] | [{"id":"a","validity":[],"consequence":{"hide":[1]}}]
  rules[0].validity[0].from invalid_setting [{"id":"a","validity":[{}],"consequence":{"hide":[1]}}] | [{"id":"a","validity":[{"from":"soon","until":"2030-01-01"}],"consequence":{"hide":[1]}}] | [{"id":"a","validity":[{"from":1700000000,"until":"2030-01-01"}],"consequence":{"hide":[1]}}]
  rules[0].validity[0].until invalid_setting [{"id":"a","validity":[{"from":"2030-01-01","until":"2029-01-01"}],"consequence":{"hide":[1]}}]
  distinct                invalid_setting  true | 1 | 2 | 100
  stopWords               invalid_setting  true | "the"
  optionalWords,disableTypoToleranceOnWords,disableTypoToleranceOnAttributes invalid_setting false | "drill"
  language                invalid_setting  null | "" | "not English" | "e" | "en_US" | 5 | true | ["en"] | {} | "en-" | "a x 65"
  synonyms                invalid_setting  null | 5 | "a" | {} | true | Map | [{"type":"synonym","synonyms":["a","b"]}] x 10001
  suggestions             invalid_setting  null | 5 | "drill" | {} | Map | [{"text":"a"}] x 100001
  suggestions[0]          invalid_setting  ["drill"] | [null] | [5] | [[]] | [{"text":"a","wieght":2}] | hole
  suggestions[0].text     invalid_setting  [{}] | [{"text":""}] | [{"text":" "}] | [{"text":5}] | [{"text":"n x 4097"}]
  suggestions[0].weight   invalid_setting  [{"text":"a","weight":0}] | [{"text":"a","weight":-1}] | [{"text":"a","weight":"5"}] | [{"text":"a","weight":null}]
  suggestions[1].text     invalid_setting  [{"text":"a"},{"text":"a","weight":2}] | [{"text":"a"}] x 2`;

/** Filter texts, parted by |; the fault of each stands between › and ‹. */
export const FAULTY_FILTERS: string = String.raw`brand =›‹ | brand:›‹ | ›=‹ red | ›:‹Forge | ›AND‹ | NOT›‹ | brand›‹ | brand ›red‹ | brand =›=‹ red |
    brand = ›=‹ red | brand:Forge AND›‹ | brand:Forge OR ›OR‹ price < 3 | brand:Forge ›price‹ < 5 |
    brand:Forge,brand›:‹Volt | brand›!‹Forge | ›!‹ brand:Forge | brand =›>‹ Forge | brand <›>‹ Forge |
    brand EXISTS ›EXISTS‹ | brand ›NOT‹ EXISTS | brand ›IN‹ (a, b) | price:10 TO›‹ | price:10 TO 5 ›TO‹ 3 |
    price ›10‹ TO 5 | price != 5 ›TO‹ 10 | (›)‹ |
    ›(‹brand:Forge | brand:Forge AND ›(‹price < 5 OR (brand:a) | brand:Forge›)‹ | ›)‹ | brand:›"Forge‹ |
    brand:›'Forge"‹ | brand:x›'y‹ | ›"‹ | brand:"a›\‹ | brand:"a›\x‹" | brand:"a›\u‹12" |
    brand ›Forge‹ | brand ›!‹ = red | brand:Forge ›x‹ | brand:Forge›:‹x | a:b AND ›(‹(c:d) | brand:›"a\"‹ |
    a:"›\x‹41" | a:"›\u‹12g4" | a:"›\‹ | price = ›1e999‹ | price = ›1e-999‹ | price > ›0.30000000000000001‹ | price:›a‹ TO 5 |
    price:5 TO ›b‹ | price:›'5'‹ TO 6 | price = 5 ›TO‹ 6 | NOT ›EXISTS‹ | brand:Black ›&‹ Decker |
    tags›{‹brand:Forge | tags{›}‹ | tags{brand:Forge}›}‹ | tags{›AND‹} | ›{‹brand:Forge} | tags ›brand‹:Forge} | tags{brand:Forge AND›}‹ |
    tags{brand:Forge ›)‹} | (tags{brand:Forge›)‹} | tags›{‹specs{brand:Forge} | tags:›{‹brand} | tags{price < ›"x"‹} | tags{brand›}‹`;

/** Filters that are no filters, as cells. */
export const FILTER_OBJECTS: string = `{"brand":{"like":"x"}} | {"brand":{"$eq":"x"}} | {"brand":{"toString":"x"}} | {"brand":{}} |
    {"specs":{"volts":18}} | {"$where":"1"} | {"$or":[]} | {"AND":{}} | {"AND":"brand:Forge"} | {"OR":null} |
    {"OR":["brand:Forge"]} | {"OR":[null]} | {"AND":[[]]} | {"NOT":[]} | {"NOT":"brand:Forge"} | {"NOT":null} |
    {"brand":{"in":"Forge"}} | {"brand":{"in":{"0":"Forge","length":1}}} | {"brand":{"exists":1}} |
    {"brand":{"exists":null}} | {"price":{"between":[1]}} | {"price":{"between":[1,2,3]}} |
    {"price":{"between":["1","2"]}} | {"price":{"between":["2024-01-31",5]}} | {"price":{"between":[5,"2024-01-31"]}} |
    {"brand":{"lt":"soon"}} | {"brand":{"gt":"2024-02-30"}} | {"brand":{"lte":""}} | {"brand":{"gte":true}} | {"price":{"between":{"low":1,"high":2}}} | {"brand":[["Forge"]]} |
    {"brand":[{"eq":"Forge"}]} | {"tags":{"some":5}} | {"tags":{"some":null}} | {"tags":{"some":"brand:Forge"}} | {"tags":{"some":[]}} |
    {"tags":{"some":[{"brand":"Forge"}]}} | {"tags":{"some":{}}} | {"tags":{"some":{"AND":[{}]}}} | {"tags":{"some":{"NOT":{"OR":[]}}}} |
    {"tags":{"some":{"brand":{"like":"x"}}}} | {"tags":{"some":{"specs":{"some":{}}}}} | {"tags":{"every":{"brand":"Forge"}}}`;

/** No ids. */
export const BAD_IDS: readonly unknown[] = [
  "",
  null,
  {},
  [],
  true,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1n,
  Symbol(),
];
