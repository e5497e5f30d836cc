// The parameters of a query, of a search for facet values and of suggestions: how each is checked, how the URL-encoded form spells it, and
// what counts where none is given. To add one, add its entry here, its type in search-params.ts and its line in docs/parameters.md.

import { KNOWN_LANGUAGES } from "../analysis/languages.js";
import type { Filter } from "../docvalues/filter.js";
import { type Box, isLatitude, isLongitude, PLACES, type Place, placeIn } from "../docvalues/place.js";
import type { CheckedSettings, ReadBoost } from "../settings/resolved-settings.js";
import { isFacetPattern } from "../util/attribute-path.js";
import { has, utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { readVector, type UnitVector } from "../vectors/unit-vector.js";
import { readBoosts, readOptionalFilters } from "./boosts.js";
import { type FacetRequest, readFacets } from "./facets.js";
import { readFilters } from "./filter-object.js";
import {
  attributeNames,
  boolean,
  clampedInteger,
  decodeBoolean,
  decodeDecimal,
  decodeJson,
  decodeList,
  decodeText,
  distinct,
  type EncodedKind,
  type EncodedTable,
  type Entry,
  integer,
  isInteger,
  isName,
  type Kind,
  LONGEST_CONTEXT,
  LONGEST_TAG,
  language,
  MATCHING,
  MAX_INTEGER,
  MOST_NAMES,
  number,
  QUERY_TYPE,
  that,
} from "./kinds.js";
import type { PlainObject } from "./plain-data.js";
import { type FacetRefinement, readFacetFilters, readNumericFilters } from "./refinements.js";
import type { SearchParams, UnderstandParam } from "./search-params.js";

const MOST_WORDS_CHARACTERS = 65_536;
const MOST_SORTS = 16;
const MOST_BOXES = 100;

const isTag = (value: unknown): value is string => typeof value === "string" && value.length <= LONGEST_TAG;

/** UTF-16 units; those of cursors are ASCII. */
const LONGEST_CURSOR = 16_384;

/** "start", or what an answer gave; what is in it is read when the settings are known. */
const cursor: EncodedKind<string> = {
  read: (value, name, { check }) => {
    if (typeof value === "string" && value.length <= LONGEST_CURSOR && /^[A-Za-z0-9_-]+$/.test(value)) return value;
    return check.complain(name, value, '"start", or the nextCursor of an answer', "invalid_cursor");
  },
  decode: decodeText,
};

const tag: EncodedKind<string> = {
  ...that(isTag, `a text of at most ${LONGEST_TAG} characters`),
  decode: decodeText,
};

const queryText: EncodedKind<string> = {
  read: (value, name, { check, limits }) => {
    if (typeof value !== "string") return check.complain(name, value, "a text", "invalid_query");
    if (value.length <= limits.queryBytes && utf8Length(value) <= limits.queryBytes) return value;
    const msg = `${name} has more than ${limits.queryBytes} bytes; shorten it.`;
    return check.add({ error: "query_too_long", param: name, msg });
  },
  decode: decodeText,
};

const facets: EncodedKind<readonly FacetRequest[]> = {
  read: (value, name, { check, limits }) => readFacets(value, name, check, limits),
  decode: decodeList,
};

/** Reads a value by a function that throws, and adds its error to the complaints, with its details. */
const collecting =
  <T>(read: (value: unknown, limits: Limits) => T): Kind<T>["read"] =>
  (value, _name, { check, limits }) =>
    check.collect(() => read(value, limits));

/** A filter text, or the object form as JSON. */
const filter: EncodedKind<Filter> = {
  read: collecting(readFilters),
  decode: (text) => (text.startsWith("{") ? decodeJson(text) : text),
};

const boosts: EncodedKind<readonly ReadBoost[]> = {
  read: (value, name, reading) => readBoosts(value, name, reading, "invalid_filter"),
  decode: decodeJson,
};

/** A list of texts. */
const texts: EncodedKind<readonly string[]> = {
  read: (value, name, { check }) => check.texts(name, value, LONGEST_CONTEXT, MOST_NAMES),
  decode: decodeList,
};

/** One attribute to sort by. */
export interface SortAttribute {
  readonly attribute: string;
  readonly direction: "asc" | "desc";
  /** The attribute is that of places, which are sorted by their distance from here. */
  readonly center?: Place;
  /** No attribute: the final score. */
  readonly isScore?: true;
}

/** `["price:asc", "_geoPoint(48.14,11.58):asc"]`; the last colon separates name and direction. */
const sort: EncodedKind<readonly SortAttribute[]> = {
  read: (value, name, { check, limits }) => {
    const isItem = (item: unknown): item is string => parseSort(item, limits.attributeName) !== undefined;
    const wrong: unknown = Array.isArray(value) ? value.find((item) => !isItem(item)) : value;
    const isPoint = typeof wrong === "string" && wrong.startsWith(POINT);
    const expected = `of "attribute:asc" or ${isPoint ? '"_geoPoint(latitude,longitude):asc"' : '"attribute:desc"'}`;
    const list = check.list(name, value, { most: MOST_SORTS, isItem, expected });
    return list?.map((item) => parseSort(item, limits.attributeName)!);
  },
  // The comma between latitude and longitude separates no items.
  decode: (text) =>
    /^[[{]/.test(text) || text === "" ? decodeList(text) : text.split(/(?<!(?:^|,)_geoPoint\([^,)]*),/),
};

const POINT = "_geoPoint(";
const SCORE = "_score";

function parseSort(item: unknown, longest: number): SortAttribute | undefined {
  if (typeof item !== "string") return undefined;
  const colon = item.lastIndexOf(":");
  const direction = item.slice(colon + 1);
  const attribute = item.slice(0, Math.max(0, colon));
  if (attribute === "" || attribute.length > longest || (direction !== "asc" && direction !== "desc")) return undefined;
  if (attribute === SCORE) return { attribute, direction, isScore: true };
  if (!attribute.startsWith(POINT)) return { attribute, direction };
  const center = attribute.endsWith(")") ? placeIn(attribute.slice(POINT.length, -1)) : undefined;
  return center === undefined ? undefined : { attribute: PLACES, direction, center };
}

/** `"48.14,11.58"` */
const place: EncodedKind<Place> = {
  read: (value, name, { check }) =>
    (typeof value === "string" ? placeIn(value) : undefined) ??
    check.complain(name, value, 'a latitude from -90 to 90 and a longitude from -180 to 180 as in "48.14,11.58"'),
  decode: decodeText,
};

const isDistance = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

const metres: EncodedKind<number> = {
  ...that(isDistance, "a number of metres from 0"),
  decode: decodeDecimal,
};

/** Lists of two opposite corners each. */
const boxes: EncodedKind<readonly Box[]> = {
  read: (value, name, { check }) => {
    const list: readonly unknown[] = Array.isArray(value) && value.length <= MOST_BOXES ? value : [];
    const read = list.flatMap((item) => readBox(item) ?? []);
    if (read.length > 0 && read.length === list.length) return read;
    const wrong = list.find((item) => readBox(item) === undefined) ?? value;
    const corners = "[latitude, longitude, latitude, longitude] from -90 to 90 and from -180 to 180";
    return check.complain(name, wrong, `a list of 1 to ${MOST_BOXES} boxes ${corners}`);
  },
  decode: decodeJson,
};

function readBox(item: unknown): Box | undefined {
  const corners: readonly unknown[] = Array.isArray(item) && item.length === 4 ? item : [];
  const [lat1, west, lat2, east] = corners;
  if (!isLatitude(lat1) || !isLatitude(lat2) || !isLongitude(west) || !isLongitude(east)) return undefined;
  return { south: Math.min(lat1, lat2), north: Math.max(lat1, lat2), west, east };
}

/** A list, or words separated by blanks. */
const words: EncodedKind<readonly string[]> = {
  read: (value, name, { check, limits }) => {
    const list = typeof value === "string" ? value.split(/\s+/).filter((word) => word !== "") : value;
    const read = check.texts(name, list, limits.queryBytes, MOST_NAMES) ?? [];
    const characters = read.reduce((sum, word) => sum + word.length, 0);
    if (characters <= MOST_WORDS_CHARACTERS) return read;
    return check.complain(name, `${characters} characters`, `at most ${MOST_WORDS_CHARACTERS} characters in all`);
  },
  decode: decodeList,
};

const vector: EncodedKind<UnitVector> = {
  read: (value, name, { check, dimensions }) => {
    const complain = (error: string, msg: string): undefined => check.add({ error, param: name, msg });
    if (dimensions === 0)
      return complain(
        "vectors_disabled",
        "vector is given, but the index has no vectors; leave it out, or create the index with an embedder or a vectorAttribute.",
      );
    const read = readVector(value, dimensions);
    return has(read, "vector")
      ? read.vector
      : complain("invalid_vector", `vector is no vector of this index: ${read.complaint}.`);
  },
  // A JSON array, or comma-separated numbers; the empty text is the empty list.
  decode: (text) => {
    if (/^[[{]/.test(text)) return decodeJson(text);
    return text === "" ? [] : text.split(",").map(decodeDecimal);
  },
};

const MOST_PARTS = 64;
const isPlaceOfPart = (item: unknown): item is number => isInteger(item, 0, MOST_PARTS - 1);

/** true, false, or { except }. */
const understand: EncodedKind<UnderstandParam | false> = {
  read: (value, name, { check }) => {
    if (typeof value === "boolean") return value && { except: [] };
    // A list has no such property, and plain data inherits none.
    if (typeof value === "object" && value !== null) {
      const { except, ...others } = value as PlainObject;
      const isList = Array.isArray(except) && except.length <= MOST_PARTS && except.every(isPlaceOfPart);
      if (isList && Object.keys(others).length === 0) return { except };
    }
    const expected = `true, false, or { except } with a list of integers from 0 to ${MOST_PARTS - 1}`;
    return check.complain(name, value, expected);
  },
  decode: (text) => (text.startsWith("{") ? decodeJson(text) : decodeBoolean(text)),
};

/** What the parameters are when they were checked, where that is not what callers pass. */
interface ReadAs {
  readonly filters: Filter;
  readonly facetFilters: readonly FacetRefinement[];
  readonly numericFilters: readonly FacetRefinement[];
  readonly facets: readonly FacetRequest[];
  readonly sort: readonly SortAttribute[];
  readonly vector: UnitVector;
  readonly optionalWords: readonly string[];
  readonly boosts: readonly ReadBoost[];
  readonly optionalFilters: readonly ReadBoost[];
  readonly aroundLatLng: Place;
  readonly insideBoundingBox: readonly Box[];
  readonly understand: UnderstandParam | false;
}

type Given<N extends keyof SearchParams> = N extends keyof ReadAs ? ReadAs[N] : Exclude<SearchParams[N], undefined>;

/** Parameters that are settings, too: without the parameter, the setting counts. */
type SharedName =
  | "distinct"
  | "typoTolerance"
  | "queryType"
  | "semanticWeight"
  | "semanticFloor"
  | "semanticDepth"
  | "relevancyStrictness"
  | "matching";

/** Parameters that may be missing after the check. */
type OptionalName =
  | SharedName
  | "offset"
  | "length"
  | "cursor"
  | "boosts"
  | "vector"
  | "attributesToRetrieve"
  | "restrictSearchableAttributes"
  | "queryLanguages"
  | "aroundLatLng"
  | "aroundRadius"
  | "insideBoundingBox";

/** The checked value of each parameter. */
export type ParameterValues = {
  readonly [N in keyof SearchParams]-?: Given<N> | (N extends OptionalName ? undefined : never);
};

/** The languages of a query. */
const languages: EncodedKind<readonly string[]> = {
  read: (value, name, reading) => {
    const { check } = reading;
    const tags = check.texts(name, value, LONGEST_TAG, KNOWN_LANGUAGES.length) ?? [];
    return tags.length > 0 ? tags.flatMap((tag, i) => language.read(tag, `${name}[${i}]`, reading) ?? []) : undefined;
  },
  decode: decodeList,
};

/** The parameters of a query. */
export const PARAMETERS: EncodedTable<ParameterValues> = {
  query: { kind: queryText },
  page: { kind: integer(1, "page", "invalid_page"), fallback: 1 },
  hitsPerPage: { kind: clampedInteger("hitsPerPage", "invalid_hits_per_page"), fallback: 12 },
  offset: { kind: integer(0, MAX_INTEGER) },
  length: { kind: integer(1, "hitsPerPage") },
  cursor: { kind: cursor },
  filters: { kind: filter, fallback: { kind: "everything" } },
  facetFilters: { kind: { read: collecting(readFacetFilters), decode: decodeList }, fallback: [] },
  numericFilters: { kind: { read: collecting(readNumericFilters), decode: decodeList }, fallback: [] },
  facets: { kind: facets, fallback: [] },
  maxValuesPerFacet: { kind: clampedInteger("facetValues"), fallback: 100 },
  aroundLatLng: { kind: place },
  aroundRadius: { kind: metres },
  insideBoundingBox: { kind: boxes },
  sort: { kind: sort, fallback: [] },
  distinct: { kind: distinct },
  attributesToRetrieve: { kind: attributeNames("attributesToRetrieve") },
  attributesToHighlight: { kind: attributeNames("attributesToRetrieve"), fallback: [] },
  attributesToSnippet: { kind: attributeNames("attributesToRetrieve"), fallback: [] },
  highlightPreTag: { kind: tag, fallback: "<em>" },
  highlightPostTag: { kind: tag, fallback: "</em>" },
  snippetEllipsisText: { kind: tag, fallback: "…" },
  escapeHTML: { kind: boolean, fallback: true },
  matchedPositions: { kind: boolean, fallback: false },
  restrictSearchableAttributes: { kind: attributeNames(MOST_NAMES) },
  queryLanguages: { kind: languages },
  typoTolerance: { kind: boolean },
  queryType: { kind: QUERY_TYPE },
  optionalWords: { kind: words, fallback: [] },
  advancedSyntax: { kind: boolean, fallback: false },
  explain: { kind: boolean, fallback: false },
  getParsedQuery: { kind: boolean, fallback: false },
  getMatchInfo: { kind: boolean, fallback: false },
  understand: { kind: understand, fallback: false },
  semanticWeight: { kind: number(0, 1) },
  semanticFloor: { kind: number(-1, 1) },
  semanticDepth: { kind: integer(1, "semanticDepth") },
  relevancyStrictness: { kind: integer(0, 100) },
  minScore: { kind: number(0, 1), fallback: 0 },
  boosts: { kind: boosts },
  optionalFilters: { kind: { read: collecting(readOptionalFilters), decode: decodeList }, fallback: [] },
  ruleContexts: { kind: texts, fallback: [] },
  enableRules: { kind: boolean, fallback: true },
  matching: { kind: MATCHING },
  vector: { kind: vector },
};

/** The kind of a parameter. */
export function kindOf(name: string): Kind<unknown> {
  return (PARAMETERS[name as keyof ParameterValues] satisfies Entry<unknown>).kind;
}

/** The value that a text in the URL-encoded form stands for; of an unknown name, the text. */
export function decodeParameter(name: string, text: string): unknown {
  const decodable: readonly object[] = [PARAMETERS, FACET_PARAMETERS, SUGGEST_PARAMETERS];
  const table = decodable.find((one) => Object.hasOwn(one, name));
  if (table === undefined) return text;
  return (table as { readonly [name: string]: Entry<unknown, EncodedKind<unknown>> })[name]!.kind.decode(text);
}

/** What a rule cannot change: its own conditions, and what is read in another way. */
const NOT_IN_RULES: readonly string[] = ["query", "cursor", "vector", "ruleContexts", "enableRules", "understand"];

/** The parameters of a rule, but for `query`, of which it may have another form. */
export const RULE_PARAMETERS: readonly string[] = Object.keys(PARAMETERS).filter(
  (name) => !NOT_IN_RULES.includes(name),
);

/** The value of a parameter that is a setting, too. */
export function inEffect<N extends Exclude<SharedName, "semanticWeight" | "semanticFloor">>(
  name: N,
  params: Pick<ParameterValues, N>,
  settings: Pick<CheckedSettings, N>,
): CheckedSettings[N] {
  return (params[name] ?? settings[name]) as CheckedSettings[N];
}

const attribute: EncodedKind<string> = {
  decode: decodeText,
  read: (value, name, { check, limits }) => {
    if (isName(value, limits.attributeName) && !isFacetPattern(value)) return value;
    return check.complain(name, value, "the name of one attribute");
  },
};

/** What `searchForFacetValues` takes besides the parameters of a query. */
export interface FacetSearchValues {
  readonly facetName: string;
  readonly facetQuery: string;
  readonly maxFacetHits: number;
}

/** The own parameters of `searchForFacetValues`. */
export const FACET_PARAMETERS: EncodedTable<FacetSearchValues> = {
  facetName: { kind: attribute, isRequired: true },
  facetQuery: {
    kind: {
      decode: decodeText,
      read: (value, name, { check, limits }) => {
        if (typeof value !== "string") return check.complain(name, value, "a text");
        if (value.length <= limits.queryBytes && utf8Length(value) <= limits.queryBytes) return value;
        return check.complain(name, "a longer text", `at most ${limits.queryBytes} bytes`, "query_too_long");
      },
    },
    fallback: "",
  },
  maxFacetHits: { kind: clampedInteger("facetValues"), fallback: 10 },
};

/** What `suggest` takes. */
export interface SuggestValues {
  readonly query: string;
  readonly hitsPerPage: number;
  readonly filters: Filter;
  readonly facet: string | undefined;
}

/** The parameters of `suggest`. */
export const SUGGEST_PARAMETERS: EncodedTable<SuggestValues> = {
  query: PARAMETERS.query,
  hitsPerPage: { ...PARAMETERS.hitsPerPage, fallback: 5 },
  filters: PARAMETERS.filters,
  facet: { kind: attribute },
};
