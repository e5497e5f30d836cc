// The one table of what a caller may pass: the parameters of a query, the settings of an index, the options of each verb. An entry says
// how a value is checked, how the URL-encoded form spells it, and what counts where none is given. To add one, add its entry here, its
// type beside the others (search-params.ts, settings.ts) and its line in docs/parameters.md, and use it.

import { canonicalLanguage, KNOWN_LANGUAGES } from "../analysis/languages.js";
import type { Filter } from "../docvalues/filter.js";
import { type Box, isLatitude, isLongitude, PLACES, type Place, placeIn } from "../docvalues/place.js";
import {
  type Boost,
  type CheckedSettings,
  type IndexSettings,
  parseRanking,
  plainFaceting,
  type Rule,
  type Suggestion,
  type Synonym,
  searchedName,
  type WeightedAttribute,
} from "../settings/settings.js";
import { LONGEST_TIMEOUT_MS } from "../util/abort.js";
import { isFacetPattern } from "../util/attribute-path.js";
import { callQuietly } from "../util/contain.js";
import { SearchError } from "../util/errors.js";
import { has, utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { isPosition } from "../util/position.js";
import { show, unknownName } from "../util/show.js";
import { runTaskAtOnce, type Task } from "../util/tasks.js";
import { readVector, type UnitVector } from "../vectors/unit-vector.js";
import { BoostReader, type ReadBoost, readOptionalFilters } from "./boosts.js";
import { type Checker, isName } from "./checker.js";
import { type FacetRefinement, readFacetFilters } from "./facet-filters.js";
import { type FacetRequest, readFacets } from "./facets.js";
import { readFilters } from "./filter-object.js";
import { readNumericFilters } from "./numeric-filters.js";
import type { PlainObject } from "./plain-data.js";
import { checkRules, LONGEST_CONTEXT, type RuleParameters } from "./rules.js";
import type { SearchParams, UnderstandParam } from "./search-params.js";
import { readSuggestions } from "./suggestions.js";

/** What reading a value may depend on. */
export interface Reading {
  readonly check: Checker;
  readonly limits: Limits;
  /** Of the vectors of the index; 0: it has none. */
  readonly dimensions: number;
}

/** How values of one kind are read. */
export interface Kind<T> {
  /** Reads plain data. A value of another kind is a complaint; what is returned then is not used. */
  readonly read: (value: unknown, name: string, reading: Reading) => T | undefined;
  /** The same with pauses, for settings that may be so large that they need some. */
  readonly readInSteps?: (value: unknown, name: string, reading: Reading) => Task<T | undefined>;
  /** A value within the limits of the engine, which may be below the fallback. */
  fit?(value: T, limits: Limits): T;
}

/** A kind of parameters, which the URL-encoded form can spell. */
export interface EncodedKind<T> extends Kind<T> {
  /** The value that a text stands for. What it cannot be stays a text, for the check to refuse. */
  readonly decode: (text: string) => unknown;
}

/** One parameter, setting or option. */
export interface Entry<T, K extends Kind<T> = Kind<T>> {
  readonly kind: K;
  /** What counts where none is given. Undefined: docs/parameters.md says it; of a parameter that is a setting, too, the setting. */
  readonly fallback?: T;
  /** True: nothing is a complaint. Default false. */
  readonly isRequired?: boolean;
}

/** An entry for each value. */
type Table<V> = { readonly [N in keyof V]: Entry<Exclude<V[N], undefined>> };

const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,20})?$/;

// Numbers are plain decimals: "2" is a page, but "+2", "02" and "2e0" stay texts.
const decodeText = (text: string): unknown => text;
const decodeInteger = (text: string): unknown => (INTEGER.test(text) ? Number(text) : text);
const decodeDecimal = (text: string): unknown => (DECIMAL.test(text) ? Number(text) : text);
const decodeBoolean = (text: string): unknown => (text === "true" ? true : text === "false" ? false : text);

/** JSON if the text begins with a bracket or brace, else comma-separated texts; the empty text is the empty list. */
const decodeList = (text: string): unknown => {
  if (/^[[{]/.test(text)) return decodeJson(text);
  return text === "" ? [] : text.split(",");
};

/** The parsed value, or the text itself if it is no JSON: no parameter that takes JSON accepts a text. */
const decodeJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const MAX_INTEGER = Number.MAX_SAFE_INTEGER;
const MOST_NAMES = 1000;
const MOST_WORDS_CHARACTERS = 65_536;
const LONGEST_TAG = 64;
const MOST_SORTS = 16;
const MOST_BOXES = 100;

const of = (limits: Limits, bound: number | keyof Limits): number =>
  typeof bound === "number" ? bound : limits[bound];

const integer = (low: number, high: number | keyof Limits, error?: string): EncodedKind<number> => ({
  read: (value, name, { check, limits }) => check.integer(name, value, low, of(limits, high), low, error),
  fit: (value, limits) => Math.min(value, of(limits, high)),
  decode: decodeInteger,
});

/** An integer from 0. What is more than the limit counts as the limit. */
const clampedInteger = (limit: keyof Limits, error?: string): EncodedKind<number> => ({
  read: (value, name, { check, limits }) =>
    Math.min(check.integer(name, value, 0, MAX_INTEGER, 0, error), limits[limit]),
  fit: (value, limits) => Math.min(value, limits[limit]),
  decode: decodeInteger,
});

const number = (low: number, high: number): EncodedKind<number> => ({
  read: (value, name, { check }) => check.number(name, value, low, high, low),
  decode: decodeDecimal,
});

const boolean: EncodedKind<boolean> = {
  read: (value, name, { check }) => check.boolean(name, value, false),
  decode: decodeBoolean,
};

const oneOf = <T extends string>(...allowed: readonly [T, ...T[]]): EncodedKind<T> => ({
  read: (value, name, { check }) => check.oneOf(name, value, allowed, allowed[0]),
  decode: decodeText,
});

const attributeNames = (most: number | keyof Limits): EncodedKind<readonly string[]> => ({
  read: (value, name, { check, limits }) => check.names(name, value, limits.attributeName, of(limits, most)),
  decode: decodeList,
});

const tag: EncodedKind<string> = {
  read: (value, name, { check }) => {
    if (typeof value === "string" && value.length <= LONGEST_TAG) return value;
    check.complain(name, value, `a text of at most ${LONGEST_TAG} characters`);
    return undefined;
  },
  decode: decodeText,
};

const queryText: EncodedKind<string> = {
  read: (value, name, { check, limits }) => {
    if (typeof value !== "string") check.complain(name, value, "a text", "invalid_query");
    else if (value.length > limits.queryBytes || utf8Length(value) > limits.queryBytes) {
      const msg = `${name} has more than ${limits.queryBytes} bytes; shorten it.`;
      check.complaints.push({ error: "query_too_long", param: name, msg });
    } else return value;
    return undefined;
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
  (value, _name, { check, limits }) => {
    try {
      return read(value, limits);
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      check.complaints.push({ error: error.error, param: error.param ?? "", msg: error.msg, details: error.details });
      return undefined;
    }
  };

/** A filter text, or the object form as JSON. */
const filter: EncodedKind<Filter> = {
  read: collecting(readFilters),
  decode: (text) => (text.startsWith("{") ? decodeJson(text) : text),
};

const facetFilters: EncodedKind<readonly FacetRefinement[]> = {
  read: collecting(readFacetFilters),
  decode: decodeList,
};

const numericFilters: EncodedKind<readonly FacetRefinement[]> = {
  read: collecting(readNumericFilters),
  decode: decodeList,
};

const PARAMETER_CODES = { error: "invalid_parameter", filterError: "invalid_filter" };
const SETTING_CODES = { error: "invalid_setting", filterError: "invalid_setting" };

const boosts: EncodedKind<readonly ReadBoost[]> = {
  read: (value, name, { check, limits }) =>
    new BoostReader(name, limits, PARAMETER_CODES, check.complaints).list(value),
  decode: decodeJson,
};

/** Stays as it was given, because it is shown and stored. */
const boostSettings: Kind<readonly Boost[]> = {
  read: (value, name, { check, limits }) => {
    new BoostReader(name, limits, SETTING_CODES, check.complaints).list(value);
    return value as readonly Boost[];
  },
};

/** A kind of settings that may be large, so they are read with pauses. */
const inSteps = <T>(readInSteps: NonNullable<Kind<T>["readInSteps"]>): Kind<T> => ({
  read: (value, name, reading) => runTaskAtOnce(readInSteps(value, name, reading)),
  readInSteps,
});

/** As they were given, for the same reason. */
const suggestions = inSteps<readonly Suggestion[]>((value, name, { check, limits }) =>
  readSuggestions(value, name, check, limits),
);

const optionalFilters: EncodedKind<readonly ReadBoost[]> = {
  read: collecting((value, limits) => readOptionalFilters(value, limits, "invalid_parameter")),
  decode: decodeList,
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
  read: (value, name, { check }) => {
    const read = typeof value === "string" ? placeIn(value) : undefined;
    if (read === undefined)
      check.complain(name, value, 'a latitude from -90 to 90 and a longitude from -180 to 180 as in "48.14,11.58"');
    return read;
  },
  decode: decodeText,
};

const metres: EncodedKind<number> = {
  read: (value, name, { check }) => {
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
    check.complain(name, value, "a number of metres from 0");
    return undefined;
  },
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
    check.complain(name, wrong, `a list of 1 to ${MOST_BOXES} boxes ${corners}`);
    return undefined;
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
    check.complain(name, `${characters} characters`, `at most ${MOST_WORDS_CHARACTERS} characters in all`);
    return undefined;
  },
  decode: decodeList,
};

const vector: EncodedKind<UnitVector> = {
  read: (value, name, { check, dimensions }) => {
    const complain = (error: string, msg: string): undefined => void check.complaints.push({ error, param: name, msg });
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
const isPlaceOfPart = (item: unknown): item is number =>
  Number.isInteger(item) && (item as number) >= 0 && (item as number) < MOST_PARTS;

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
    check.complain(name, value, `true, false, or { except } with a list of integers from 0 to ${MOST_PARTS - 1}`);
    return undefined;
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

/** A language tag, in its canonical form. */
const language: Kind<string> = {
  read: (value, name, { check }) => {
    try {
      const tag =
        typeof value === "string" && value.length <= LONGEST_TAG ? Intl.getCanonicalLocales(value)[0] : undefined;
      if (tag !== undefined && canonicalLanguage(tag) !== undefined) return tag;
    } catch {
      // No tag.
    }
    check.complain(name, value, `a tag such as "de-AT" of a known language: ${KNOWN_LANGUAGES.join(" ")}`);
    return undefined;
  },
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

const MATCHING = oneOf("auto", "all", "any");
const QUERY_TYPE = oneOf("prefixAuto", "prefixLast", "prefixAll", "prefixNone");

/** The parameters of a query. */
export const PARAMETERS: {
  readonly [N in keyof ParameterValues]: Entry<
    Exclude<ParameterValues[N], undefined>,
    EncodedKind<Exclude<ParameterValues[N], undefined>>
  >;
} = {
  query: { kind: queryText },
  page: { kind: integer(1, "page", "invalid_page"), fallback: 1 },
  hitsPerPage: { kind: clampedInteger("hitsPerPage", "invalid_hits_per_page"), fallback: 12 },
  offset: { kind: integer(0, MAX_INTEGER) },
  length: { kind: integer(1, "hitsPerPage") },
  filters: { kind: filter, fallback: { kind: "everything" } },
  facetFilters: { kind: facetFilters, fallback: [] },
  numericFilters: { kind: numericFilters, fallback: [] },
  facets: { kind: facets, fallback: [] },
  maxValuesPerFacet: { kind: clampedInteger("facetValues"), fallback: 100 },
  aroundLatLng: { kind: place },
  aroundRadius: { kind: metres },
  insideBoundingBox: { kind: boxes },
  sort: { kind: sort, fallback: [] },
  distinct: { kind: boolean },
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
  optionalFilters: { kind: optionalFilters, fallback: [] },
  ruleContexts: { kind: texts, fallback: [] },
  enableRules: { kind: boolean, fallback: true },
  matching: { kind: MATCHING },
  vector: { kind: vector },
};

/** What counts where none is given, whatever stands on Object.prototype. */
function fallbackOf<T>(entry: Entry<T>, limits: Limits): T | undefined {
  if (!Object.hasOwn(entry, "fallback")) return undefined;
  const { kind, fallback } = entry;
  return Object.hasOwn(kind, "fit") ? kind.fit!(fallback!, limits) : fallback;
}

/** The value that a text in the URL-encoded form stands for; of an unknown name, the text. */
export function decodeParameter(name: string, text: string): unknown {
  const decodable: readonly object[] = [PARAMETERS, FACET_PARAMETERS, SUGGEST_PARAMETERS];
  const table = decodable.find((one) => Object.hasOwn(one, name));
  if (table === undefined) return text;
  return (table as { readonly [name: string]: Entry<unknown, EncodedKind<unknown>> })[name]!.kind.decode(text);
}

/** Reads the parameters that are given, and fills in the others. Unknown names are left out. */
export function readParameters(named: PlainObject, reading: Reading): ParameterValues {
  return readEntries<ParameterValues>(PARAMETERS, named, reading);
}

/** What a rule cannot change: its own conditions, and what is read in another way. */
const NOT_IN_RULES: readonly string[] = ["query", "vector", "ruleContexts", "enableRules", "understand"];

/** The parameters of a rule, but for `query`, of which it may have another form. */
export const RULE_PARAMETERS: RuleParameters = {
  names: Object.keys(PARAMETERS).filter((name) => !NOT_IN_RULES.includes(name)),
  read: (name, value, path, check, limits) => {
    const { kind }: Entry<unknown> = PARAMETERS[name as keyof ParameterValues];
    return kind.read(value, path, { check, limits, dimensions: 0 });
  },
};

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
    check.complain(name, value, "the name of one attribute");
    return undefined;
  },
};

/** What `searchForFacetValues` takes besides the parameters of a query. */
export interface FacetSearchValues {
  readonly facetName: string;
  readonly facetQuery: string;
  readonly maxFacetHits: number;
}

/** The own parameters of `searchForFacetValues`. */
export const FACET_PARAMETERS: {
  readonly [N in keyof FacetSearchValues]: Entry<FacetSearchValues[N], EncodedKind<FacetSearchValues[N]>>;
} = {
  facetName: { kind: attribute, isRequired: true },
  facetQuery: {
    kind: {
      decode: decodeText,
      read: (value, name, { check, limits }) => {
        if (typeof value !== "string") check.complain(name, value, "a text");
        else if (value.length > limits.queryBytes || utf8Length(value) > limits.queryBytes)
          check.complain(name, "a longer text", `at most ${limits.queryBytes} bytes`, "query_too_long");
        else return value;
        return undefined;
      },
    },
    fallback: "",
  },
  maxFacetHits: { kind: clampedInteger("facetValues"), fallback: 10 },
};

/** Reads the own parameters of `searchForFacetValues`. */
export function readFacetParameters(given: PlainObject, reading: Reading): FacetSearchValues {
  return readEntries<FacetSearchValues>(FACET_PARAMETERS, given, reading);
}

/** What `suggest` takes. */
export interface SuggestValues {
  readonly query: string;
  readonly hitsPerPage: number;
  readonly filters: Filter;
  readonly facet: string | undefined;
}

/** The parameters of `suggest`. */
export const SUGGEST_PARAMETERS: {
  readonly [N in keyof SuggestValues]: Entry<
    Exclude<SuggestValues[N], undefined>,
    EncodedKind<Exclude<SuggestValues[N], undefined>>
  >;
} = {
  query: PARAMETERS.query,
  hitsPerPage: { ...PARAMETERS.hitsPerPage, fallback: 5 },
  filters: PARAMETERS.filters,
  facet: { kind: attribute },
};

/** Reads the parameters of `suggest`. */
export function readSuggestParameters(given: PlainObject, reading: Reading): SuggestValues {
  return readEntries<SuggestValues>(SUGGEST_PARAMETERS, given, reading);
}

const MOST_WORDS = 10_000;
const MOST_SYNONYMS = 10_000;
const MOST_OF_ONE = 1000;
/** Synonyms, and words of them, read between two pauses. */
const SYNONYMS_AT_ONCE = 256;
const LONGEST_WORD = 256;
const MOST_RANKINGS = 16;
const HIGHEST_WEIGHT = 1000;

const attributeName: Kind<string> = {
  read: (value, name, { check, limits }) => check.name(name, value, limits.attributeName, ""),
};

const wordList: Kind<readonly string[]> = {
  read: (value, name, { check }) => check.texts(name, value, LONGEST_WORD, MOST_WORDS) ?? [],
};

const stopWords: Kind<readonly string[] | false> = {
  read: (value, name, reading) => (value === false ? false : wordList.read(value, name, reading)),
};

const faceting: Kind<readonly string[]> = {
  read: (value, name, { check, limits }) =>
    check.names(name, value, limits.attributeName, MOST_NAMES)?.map(plainFaceting),
};

const rankings: Kind<readonly string[]> = {
  read: (value, name, { check, limits }) => {
    const isItem = (item: unknown): item is string =>
      typeof item === "string" && isName(parseRanking(item)?.attribute, limits.attributeName);
    const expected = 'of "asc(attribute)" or "desc(attribute)"';
    return check.list(name, value, { most: MOST_RANKINGS, isItem, expected }) ?? [];
  },
};

const searchable: Kind<readonly (string | WeightedAttribute)[]> = {
  read: (value, setting, reading) => {
    const { check, limits } = reading;
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_NAMES) {
      check.complain(setting, value, `a list of 1 to ${MOST_NAMES} names or { attribute, weight, language }`);
      return undefined;
    }
    const seen = new Set<string>();
    return value.flatMap((item: unknown, i) => {
      const label = `${setting}[${i}]`;
      if (typeof item !== "string" && (typeof item !== "object" || item === null || Array.isArray(item))) {
        check.complain(label, item, "a name or { attribute, weight, language }");
        return [];
      }
      const entry =
        typeof item === "string"
          ? check.name(label, item, limits.attributeName, "")
          : readWeighted(item, label, reading);
      const name = searchedName(entry);
      if (seen.has(name)) check.complain(label, name, "each attribute once");
      else seen.add(name);
      return [entry];
    });
  },
};

function readWeighted(item: object, label: string, reading: Reading): WeightedAttribute {
  const { check, limits } = reading;
  const entries = check.entries(label, item);
  const attribute = check.name(`${label}.attribute`, entries.get("attribute") ?? null, limits.attributeName, "");
  const given = entries.get("weight");
  const weight = check.number(`${label}.weight`, given, 0, HIGHEST_WEIGHT, 1);
  if (weight === 0) check.complain(`${label}.weight`, weight, `a number above 0, at most ${HIGHEST_WEIGHT}`);
  if (entries.get("language") === undefined) return { attribute, weight };
  const own = language.read(entries.get("language"), `${label}.language`, reading);
  return { attribute, ...(given === undefined ? {} : { weight }), ...(own === undefined ? {} : { language: own }) };
}

const synonyms = inSteps<readonly Synonym[]>(function* (value, setting, { check }) {
  if (!Array.isArray(value) || value.length > MOST_SYNONYMS) {
    check.complain(setting, value, `a list of at most ${MOST_SYNONYMS} synonyms`);
    return undefined;
  }
  const expansions = new Map<string, number>();
  const read: Synonym[] = [];
  let seen = 0;
  for (const [i, item] of value.entries()) {
    const label = `${setting}[${i}]`;
    const synonym = readSynonym(item, label, check);
    for (const word of synonym.type === "synonym" ? synonym.synonyms : [synonym.input]) {
      const input = word.trim().toLowerCase();
      const before = expansions.get(input) ?? 0;
      const count = before + synonym.synonyms.length;
      if (count > MOST_OF_ONE && before <= MOST_OF_ONE)
        check.complain(label, count, `at most ${MOST_OF_ONE} synonyms of one word`);
      expansions.set(input, count);
    }
    read.push(synonym);
    seen += 1 + synonym.synonyms.length;
    if (seen < SYNONYMS_AT_ONCE) continue;
    seen = 0;
    yield;
  }
  return read;
});

function readSynonym(item: unknown, label: string, check: Checker): Synonym {
  const before = check.complaints.length;
  const entries = check.entries(label, item ?? null);
  if (check.complaints.length > before) return { type: "synonym", synonyms: [] };
  const type = check.oneOf(`${label}.type`, entries.get("type") ?? null, ["synonym", "oneWaySynonym"], "synonym");
  const list = check.texts(`${label}.synonyms`, entries.get("synonyms") ?? null, LONGEST_WORD, MOST_WORDS) ?? [];
  if (type === "synonym") return { type, synonyms: list };
  const input = entries.get("input");
  if (typeof input !== "string" || input.length > LONGEST_WORD)
    check.complain(`${label}.input`, input, `a text of at most ${LONGEST_WORD} characters`);
  return { type, input: typeof input === "string" ? input : "", synonyms: list };
}

/** Stay as they were given, because they are shown and stored. */
const rules = inSteps<readonly Rule[]>((value, name, { check, limits }) =>
  checkRules(value, name, { check, limits, parameters: RULE_PARAMETERS }),
);

/** An object of settings of one subject; each has a kind, and what counts where it is not given. */
const group = <T extends object>(
  members: {
    readonly [name in keyof T]: readonly [kind: Kind<T[name]>, fallback: T[name]];
  },
): Kind<T> => ({
  read: (value, setting, reading) => {
    const given = reading.check.entries(setting, value);
    refuseOthers(given.keys(), setting, Object.keys(members), reading.check);
    const entries = Object.entries<readonly [Kind<unknown>, unknown]>(members);
    return Object.fromEntries(
      entries.map(([name, [kind, fallback]]) => [
        name,
        given.has(name) ? kind.read(given.get(name), `${setting}.${name}`, reading) : fallback,
      ]),
    ) as T;
  },
});

/** Complains about settings of a group that it does not have. */
export function refuseOthers(names: Iterable<string>, setting: string, known: readonly string[], check: Checker): void {
  const paths = known.map((each) => `${setting}.${each}`);
  for (const name of names)
    if (!known.includes(name)) {
      const param = `${setting}.${name}`;
      check.complaints.push({ error: "unknown_setting", param, msg: unknownName("setting", param, paths) });
    }
}

/** Read by `readSettings`, because it depends on other settings or on the engine. */
const dependent: Kind<never> = { read: () => undefined };

const IDENTIFIERS =
  "sku ean gtin upc isbn mpn asin barcode gtin8 gtin12 gtin13 gtin14 ean8 ean13 isbn10 isbn13 articleNumber partNumber modelNumber productCode articleNo itemNumber itemNo itemCode partNo modelNo productNumber productNo manufacturerPartNumber oemNumber oeNumber styleNumber styleCode stockCode orderNumber catalogNumber eanCode upcCode pzn issn variantSku variantBarcode gtinUpcEanOrIsbn";

/** The checked settings, and the short form of `fusion`, which `readSettings` takes up into it. */
interface SettingValues extends CheckedSettings {
  readonly semanticWeight: number | undefined;
}

/** The settings of an index. */
export const SETTINGS: { readonly [N in keyof IndexSettings]-?: Entry<Exclude<SettingValues[N], undefined>> } = {
  idAttribute: { kind: attributeName, fallback: "id" },
  searchableAttributes: { kind: searchable, fallback: null },
  identifierAttributes: { kind: attributeNames(MOST_NAMES), fallback: Object.freeze(IDENTIFIERS.split(" ")) },
  analyzer: { kind: dependent },
  matching: { kind: MATCHING, fallback: "auto" },
  matchingRatio: { kind: number(0, 1), fallback: 0.4 },
  embedder: { kind: dependent },
  embeddedAttributes: { kind: attributeNames(MOST_NAMES), fallback: null },
  vectorAttribute: { kind: attributeName, fallback: null },
  dimensions: { kind: dependent },
  vectorIndex: {
    kind: group<CheckedSettings["vectorIndex"]>({
      kind: [oneOf("auto", "exact", "hnsw", "hnswlib"), "auto"],
      m: [integer(2, 256), 16],
      efConstruction: [integer(4, 10_000), 200],
      efSearch: [integer(1, 10_000), 250],
    }),
    fallback: Object.freeze({ kind: "auto", m: 16, efConstruction: 200, efSearch: 250 }),
  },
  fusion: { kind: dependent },
  semanticWeight: { kind: number(0, 1) },
  titleEvidence: { kind: boolean, fallback: true },
  semanticFloor: { kind: dependent },
  semanticDepth: { kind: integer(1, "semanticDepth"), fallback: 100 },
  rankWindow: { kind: integer(1, 10_000), fallback: 1000 },
  relevancyStrictness: { kind: integer(0, 100), fallback: 0 },
  bm25: {
    kind: group<CheckedSettings["bm25"]>({ k1: [number(0, 1000), 1.2], b: [number(0, 1), 0.6] }),
    fallback: Object.freeze({ k1: 1.2, b: 0.6 }),
  },
  attributesForFaceting: { kind: faceting, fallback: null },
  customRanking: { kind: rankings, fallback: [] },
  boosts: { kind: boostSettings, fallback: [] },
  rules: { kind: rules, fallback: [] },
  attributeForDistinct: { kind: attributeName, fallback: null },
  distinct: { kind: boolean, fallback: false },
  synonyms: { kind: synonyms, fallback: [] },
  builtInSynonyms: { kind: boolean, fallback: true },
  stopWords: { kind: stopWords, fallback: null },
  optionalWords: { kind: wordList, fallback: [] },
  typoTolerance: { kind: boolean, fallback: true },
  disableTypoToleranceOnWords: { kind: wordList, fallback: [] },
  disableTypoToleranceOnAttributes: { kind: wordList, fallback: [] },
  queryType: { kind: QUERY_TYPE, fallback: "prefixAuto" },
  suggestions: { kind: suggestions, fallback: [] },
  language: { kind: language, fallback: null },
  understanding: {
    kind: group<CheckedSettings["understanding"]>({
      price: [attributeName, null],
      rating: [attributeName, null],
      newest: [attributeName, null],
    }),
    fallback: Object.freeze({ price: null, rating: null, newest: null }),
  },
};

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);

/** Reads the settings that are given, and fills in the others, but for those that depend on more than their own value. */
export function* readOwnSettings(given: PlainObject, reading: Reading): Task<SettingValues> {
  const values: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const entry: Entry<unknown> = SETTINGS[name as keyof SettingValues];
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const hasSteps = value !== undefined && Object.hasOwn(entry.kind, "readInSteps");
    values[name] = hasSteps
      ? yield* entry.kind.readInSteps!(value, name, reading)
      : readEntry(entry, value, name, reading);
  }
  return values as SettingValues & Record<string, unknown>;
}

/** Complains in the words of options. */
const wrongOption = ({ check }: Reading, name: string, value: unknown, expected: string): undefined =>
  void check.complaints.push({
    error: "invalid_options",
    param: name,
    msg: `options.${name} is ${show(value)}; pass ${expected}.`,
  });

/** A function of the caller's, which cannot throw any more. */
const handler: Kind<(argument: unknown) => void> = {
  read: (value, name, reading) =>
    typeof value === "function"
      ? (argument) => callQuietly(value as (argument: unknown) => unknown, argument)
      : wrongOption(reading, name, value, "a function"),
};

/** Of a call that tells its progress in any case. */
const onProgressOrNot: Entry<(argument: unknown) => void> = { kind: handler, fallback: () => {} };

/** Read by itself, after the others: a foreign signal has a listener from then on. */
const signal: Entry<AbortSignal> = { kind: dependent };

/** Milliseconds that a timer can wait, at least so many. */
const isTime = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= LONGEST_TIMEOUT_MS;
const timeFrom = (least: number): string => `an integer from ${least} to ${LONGEST_TIMEOUT_MS}`;
const LEAST_INTERVAL_MS = 10;

const replaceIfExists: Entry<"error" | "replace"> = { kind: oneOf("error", "replace"), fallback: "error" };

const onInvalid: Entry<"skip"> = {
  kind: {
    read: (value, name, reading) =>
      value === "skip" ? value : wrongOption(reading, name, value, '"skip", or leave it out'),
  },
};

/** The checked options of the verbs of {@link OPTIONS}. */
export interface OptionValues {
  readonly createIndex: { readonly ifExists: "error" | "open" | "update" };
  readonly call: {
    readonly onProgress: ((argument: unknown) => void) | undefined;
    readonly createIfNotExists: boolean;
    readonly onInvalid: "skip" | undefined;
  };
  readonly importIndex: OptionValues["readSnapshot"] & {
    readonly format: "records" | undefined;
    /** As they were given. */
    readonly settings: unknown;
    readonly onInvalid: "skip" | undefined;
  };
  readonly readSnapshot: {
    readonly ifExists: "error" | "replace";
    readonly onProgress: (argument: unknown) => void;
  };
  readonly snapshot: { readonly onProgress: (argument: unknown) => void };
  readonly refresh: { readonly atLeast: string | undefined; readonly timeoutMs: number | undefined };
}

/** The options of verbs. `call`: of the verbs that write records, and of queries; `snapshot`: of writeSnapshot and exportIndex. */
export const OPTIONS: {
  readonly [V in keyof OptionValues]: {
    readonly [N in keyof OptionValues[V]]: Entry<Exclude<OptionValues[V][N], undefined>>;
  } & {
    readonly signal?: Entry<AbortSignal>;
  };
} = {
  createIndex: {
    ifExists: { kind: oneOf("error", "open", "update"), fallback: "error" },
  },
  call: {
    onProgress: { kind: handler },
    createIfNotExists: {
      kind: {
        read: (value, name, reading) =>
          typeof value === "boolean" ? value : wrongOption(reading, name, value, "true or false"),
      },
      fallback: true,
    },
    onInvalid,
    signal,
  },
  importIndex: {
    ifExists: replaceIfExists,
    format: { kind: oneOf("records") },
    settings: { kind: { read: (value) => value } },
    onInvalid,
    onProgress: onProgressOrNot,
    signal,
  },
  readSnapshot: { ifExists: replaceIfExists, onProgress: onProgressOrNot },
  snapshot: { onProgress: onProgressOrNot },
  refresh: {
    atLeast: {
      kind: {
        read: (value, name, reading) =>
          isPosition(value) ? value : wrongOption(reading, name, value, "a text that position() gave"),
      },
    },
    timeoutMs: {
      kind: {
        read: (value, name, reading) => (isTime(value, 1) ? value : wrongOption(reading, name, value, timeFrom(1))),
      },
    },
    signal,
  },
};

/** Reads the options of a verb that are given, and fills in the others, but for `signal`. */
export function readOwnOptions<V extends keyof OptionValues>(
  verb: V,
  given: PlainObject,
  reading: Reading,
): OptionValues[V] {
  return readEntries<OptionValues[V]>(OPTIONS[verb], given, reading);
}

function readEntries<V>(table: Table<V>, given: PlainObject, reading: Reading): V {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    const entry: Entry<unknown> = table[name as keyof V];
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    values[name] = readEntry(entry, value, name, reading);
  }
  return values as V;
}

function readEntry(entry: Entry<unknown>, value: unknown, name: string, reading: Reading): unknown {
  const isRead = value !== undefined || (Object.hasOwn(entry, "isRequired") && entry.isRequired === true);
  return isRead ? entry.kind.read(value, name, reading) : fallbackOf(entry, reading.limits);
}

const aFunction: Kind<(argument: never) => unknown> = {
  read: (value, name, { check }) => {
    if (typeof value === "function") return value as (argument: never) => unknown;
    check.complain(name, value, "a function");
    return undefined;
  },
};

const path: Kind<string> = {
  read: (value, name, { check }) => {
    if (typeof value === "string" && value !== "" && !value.includes("\0")) return value;
    check.complain(name, value, "the path of a folder");
    return undefined;
  },
};

const byteCount: Kind<number> = {
  read: (value, name, { check }) => {
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    check.complain(name, value, "a number of bytes, 0 or more");
    return undefined;
  },
};

/** The options of an engine that are checked by their own value. */
export interface EngineOptionValues {
  readonly onWarning: ((warning: never) => unknown) | undefined;
  readonly strict: boolean;
  readonly cacheBytes: number;
  readonly warmUp: boolean;
}

/** Those of a data folder. */
export interface FolderOptionValues {
  readonly dataDir: string;
  readonly durability: "sync" | "interval";
  readonly readOnly: boolean;
  readonly follow: boolean;
  readonly followIntervalMs: number;
  readonly preload: boolean;
}

/** The options of `new SearchEngine`. */
export const ENGINE_OPTIONS: {
  readonly [N in keyof EngineOptionValues]: Entry<Exclude<EngineOptionValues[N], undefined>>;
} & Readonly<Record<"embedder" | "embedders" | "analyzers" | "limits", Entry<never>>> = {
  embedder: { kind: dependent },
  embedders: { kind: dependent },
  analyzers: { kind: dependent },
  onWarning: { kind: aFunction },
  strict: { kind: boolean, fallback: false },
  limits: { kind: dependent },
  cacheBytes: { kind: byteCount, fallback: 256_000_000 },
  warmUp: { kind: boolean, fallback: true },
};

/** The further options of `SearchEngine.open`. */
export const FOLDER_OPTIONS: Table<FolderOptionValues> = {
  dataDir: { kind: path, isRequired: true },
  durability: { kind: oneOf("sync", "interval"), fallback: "sync" },
  readOnly: { kind: boolean, fallback: false },
  follow: { kind: boolean, fallback: false },
  followIntervalMs: {
    kind: {
      read: (value, name, { check }) => {
        if (isTime(value, LEAST_INTERVAL_MS)) return value;
        check.complain(name, value, timeFrom(LEAST_INTERVAL_MS));
        return undefined;
      },
    },
    fallback: 200,
  },
  preload: { kind: boolean, fallback: false },
};

/** Reads the options of an engine that depend on their own value alone. */
export function readEngineOptionValues(given: PlainObject, reading: Reading): EngineOptionValues {
  return readEntries<EngineOptionValues>(ENGINE_OPTIONS, given, reading);
}

/** As {@link readEngineOptionValues}, of a data folder. */
export function readFolderOptionValues(given: PlainObject, reading: Reading): FolderOptionValues {
  return readEntries<FolderOptionValues>(FOLDER_OPTIONS, given, reading);
}
