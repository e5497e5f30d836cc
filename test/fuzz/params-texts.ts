// Encoded strings of parameters, made at random, and a plain reading of them.

import { cells, PARAMETER_TEXTS, refusedValues } from "../bad-input/refused-values.js";
import type { Random } from "../support/random.js";

// A plain reading.

// What an encoded string of parameters says, read again by the documented rules alone: URL decoding, the last of repeated
// names counts, plain decimals, true and false, lists as JSON or between commas, objects as JSON. What cannot be read so
// stays text. Written without a look at how src does it.

const MOST_BYTES = 16_384;
const MOST_PAIRS = 64;
const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const DECIMALS = names("semanticWeight semanticFloor aroundRadius minScore");
const INTEGERS = names("page hitsPerPage offset length maxValuesPerFacet semanticDepth relevancyStrictness");
const BOOLEANS = names("typoTolerance advancedSyntax explain getParsedQuery getMatchInfo enableRules");
const LISTS = names(
  "facets sort attributesToRetrieve attributesToHighlight attributesToSnippet restrictSearchableAttributes optionalWords ruleContexts " +
    "queryLanguages facetFilters numericFilters optionalFilters",
);

/** The object that means the same; "too long" where the limits of the string are passed. */
export function readEncoded(params: string): Record<string, unknown> | "too long" {
  const pairs = [...new URLSearchParams(params).entries()];
  if (Buffer.byteLength(params) > MOST_BYTES || pairs.length > MOST_PAIRS) return "too long";
  // Within the string, "params" is one more unknown name; in an object it would be the string itself.
  const entries = pairs
    .filter(([name]) => name !== "params")
    .map(([name, text]) => [name, valueFrom(name, text)] as const);
  return Object.fromEntries(entries);
}

function valueFrom(name: string, text: string): unknown {
  if (INTEGERS.has(name)) return /^[0-9]+$/.test(text) ? numberOf(text) : text;
  if (DECIMALS.has(name)) return numberOf(text);
  if (name === "distinct" && /^[0-9]+$/.test(text)) return numberOf(text);
  if (BOOLEANS.has(name) || name === "distinct") return text === "true" || text === "false" ? text === "true" : text;
  if (name === "understand" && /^(?:true|false)$/.test(text)) return text === "true";
  if (name === "sort" && /^[^[{]/.test(text)) return keysOf(text);
  if (LISTS.has(name)) return listOf(text);
  if (name === "insideBoundingBox") return jsonOf(text);
  if (name === "filters" || name === "understand") return text.startsWith("{") ? jsonOf(text) : text;
  if (name !== "vector") return text;
  return /^[[{]/.test(text) || text === "" ? listOf(text) : text.split(",").map(numberOf);
}

/** "2", "-0.5": no sign +, no leading zeros, no exponent, digits on both sides of a point. */
function numberOf(text: string): unknown {
  const [, whole] = /^-?([0-9]+)(\.[0-9]+)?$/.exec(text) ?? [];
  return whole === undefined || (whole.length > 1 && whole.startsWith("0")) ? text : Number(text);
}

function listOf(text: string): unknown {
  if (text === "") return [];
  return text.startsWith("[") || text.startsWith("{") ? jsonOf(text) : text.split(",");
}

/** The two numbers of a place stay together. */
function keysOf(text: string): string[] {
  const keys: string[] = [];
  let before = "";
  for (const part of text.split(",")) {
    if (before.startsWith("_geoPoint(") && !before.includes(")")) keys.push(`${keys.pop()},${part}`);
    else keys.push(part);
    before = part;
  }
  return keys;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// Random strings.

/** Good texts by name, between bars; the bad ones stand in the tables of refused values. */
const GOOD = `
  query  | drill | red drill | 0 | __proto__ | drlil | "red drill" -blue | 東京 | \0
  page  1 | 2 | 3
  hitsPerPage  0 | 1 | 3 | 1000 | 1001
  offset  0 | 1 | 30
  length  1 | 2 | 1000
  filters  brand:Forge | price < 20 AND NOT brand:Volt | {"brand":"Forge"} | {"price":{"lt":20}} | {"OR":[{"brand":"Volt"},{"price":5}]} | {} |
  facetFilters  brand:Forge | [["brand:Forge","brand:Volt"],"colors:red"] | {"brand":["Forge"]} | [[]] |
  numericFilters  price>=10,price<30 | ["price>=10"] | price:10 TO 30 |
  optionalFilters  brand:Forge | ["brand:Forge<score=2>"] | [["brand:Volt","brand:Hem"]] |
  facets  * | brand,colors | ["brand"] | ["brand","brand"] | [{"attribute":"price","histogram":3}] |
  maxValuesPerFacet  0 | 1 | 100 | 5000
  sort  price:asc | brand:desc,price:asc | _geoPoint(48.1,11.5):asc | ["price:asc"] |
  aroundLatLng  48.1,11.5 |  -90 , 1.8e2 | 0,0
  aroundRadius  5000 | 0.5 | 0
  insideBoundingBox  [[-90,-180,90,180]] | [[50,10,40,20],[0,170,1,-170]] | [[1,2,3,4]]
  distinct  true | false | 0 | 1 | 2 | 101 | 02
  cursor  start | Start | e30 |
  attributesToRetrieve  * | title | -brand,* | [] | ["title","nope"] | ["__proto__"] |
  attributesToHighlight  * | title | ["title"] |
  attributesToSnippet  title:2 | *:1 | ["title:0"] | title:x
  highlightPreTag  <b> | [ | {
  highlightPostTag  </b> | &
  snippetEllipsisText  ... |
  restrictSearchableAttributes  title | brand,title | ["title"] |
  queryLanguages  en | de,en | ["de-AT"]
  typoTolerance  true | false
  queryType  prefixAuto | prefixAll | prefixLast | prefixNone
  optionalWords  drill | red,drill | ["red drill"] | red drill |
  advancedSyntax  true | false
  explain  true | false
  getParsedQuery  true | false
  getMatchInfo  true | false
  understand  true | false | {"except":[0,2]} | {"except":[]}
  ruleContexts  mobile | mobile,tv | ["a b"] |
  enableRules  true | false
  semanticWeight  0 | 1 | 0.5 | -0 | 0.1234567890123456
  semanticFloor  -1 | 1 | 0.25 | -0.5
  semanticDepth  1 | 100
  relevancyStrictness  0 | 50 | 100
  minScore  0 | 1 | 0.35
  matching  auto | all | any
  vector  1,0 | [1,0] | [0.5,-0.5] | 1,-0`;

const MORE_BAD = `
  query  ${"a".repeat(5000)}
  filters  {"brand": | ["brand:Forge"] | {"__proto__":{"brand":"Forge"}} | nope:1 | ((( | {"price":{"lt":1e400}}
  sort  title:asc | price
  vector  0,0 | 1 | 1,0,0 | [1 | 1,x | ["1","0"] | [1e999,0] | {"0":1} | -.5,1 |`;

/** The texts of a table by name. */
function byName(table: string): ReadonlyMap<string, readonly string[]> {
  const rows = table
    .trim()
    .split("\n")
    .map((line) => /^\s*(\w+) {2}(.*)$/.exec(line) ?? []);
  return new Map(rows.map(([, name = "", texts = ""]) => [name, texts.split(/ ?\| ?/)] as const));
}

const VALUES = byName(GOOD);
const BAD = byName(MORE_BAD);
const REFUSED = refusedValues(PARAMETER_TEXTS);

/** Bad texts of a parameter. */
function badTexts(name: string): readonly string[] {
  const refused = REFUSED.filter(({ param }) => param === name).flatMap(({ values }) => cells(values).map(String));
  return [...refused, ...(BAD.get(name) ?? []), "", "a b"];
}

const NAMES = [...VALUES.keys()];

const OTHER_NAMES = [
  ..."__proto__ constructor prototype toString hasOwnProperty then params toJSON valueOf length QUERY amp;page facets[]".split(
    " ",
  ),
  ...["facets[0]", "filter", "facetFilter", "hitPerPage", "", " ", "page ", "\0", "\ud800", "日本"],
];

const PIECES = [
  ..."% %% %2 %zz %00 %E0%A4%A %ED%A0%80 %ED%B0%80 %F0%9F%98%80 %C0%80 %26 %3D + %2B".split(" "),
  ...'& = ; ? # [ ] { } " , : \\ é - 0 1e9'.split(" "),
  ...["\n", "\0", "\ud83d"],
];

const SIZES = [16_383, 16_384, 16_385, 20_000];

/** One string that may come as `params`. */
export function paramsText(random: Random): string {
  const kind = random.next();
  if (kind < 0.06) return noise(random, 0xff);
  if (kind < 0.1) return noise(random, 0xffff);
  if (kind < 0.16) return `query=${random.list(0, 40, () => random.pick(PIECES)).join("")}`;
  if (kind < 0.2) return tooMuch(random);
  if (kind < 0.6) return request(random, random.chance(0.7) ? 3 : 8);
  return changed(random, request(random, 5));
}

function noise(random: Random, greatest: number): string {
  return random.list(0, 200, () => String.fromCharCode(random.between(0, greatest))).join("");
}

/** Around the most pairs and the most bytes. */
function tooMuch(random: Random): string {
  if (random.chance(0.5))
    return random.list(62, 67, (i) => `${random.pick(["a", "page", `n${i}`])}=1`).join("&") + "&query=red";
  const size = random.pick(SIZES);
  const filler = random.pick(["x", "é", "東", "\ud83d\ude00", "\ud800"]);
  const start = "query=red&x=";
  return start + filler.repeat(Math.ceil((size - start.length) / Buffer.byteLength(filler)));
}

/** A query and so many other parameters at most, mostly good ones. */
function request(random: Random, most: number): string {
  const query = random.chance(0.95) ? [pair(random, "query")] : [];
  const others = random.list(0, most, () =>
    pair(random, random.chance(0.92) ? random.pick(NAMES) : random.pick(OTHER_NAMES)),
  );
  const lead = random.chance(0.05) ? "?" : "";
  return lead + random.shuffle([...query, ...others]).join("&");
}

function pair(random: Random, name: string): string {
  const good = VALUES.get(name) ?? ["1", "", "a b", "[]"];
  const value = random.pick(random.chance(0.85) ? good : badTexts(name));
  const encode = random.pick([
    encodeAll,
    encodeAll,
    encodeAll,
    (text: string) => text,
    (text: string) => encodeAll(text).replaceAll("%20", "+"),
  ]);
  return random.chance(0.03) ? encode(name) : `${encode(name)}=${encode(value)}`;
}

function encodeAll(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function changed(random: Random, text: string): string {
  for (let left = random.between(1, 4); left > 0; left--) {
    const at = random.between(0, text.length);
    const end = Math.min(text.length, at + random.between(0, 6));
    const piece = random.chance(0.3) ? text.slice(at, end).repeat(2) : random.chance(0.6) ? random.pick(PIECES) : "";
    text = text.slice(0, at) + piece + text.slice(random.chance(0.5) ? end : at);
  }
  return text;
}
