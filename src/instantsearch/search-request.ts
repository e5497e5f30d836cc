// Reads requests as Algolia's libraries write them: which index they ask, and their parameters in the terms of this library.

import {
  copyItems,
  copyingOf,
  copyObject,
  copyProperties,
  isPlainObject,
  type PlainObject,
} from "../input/plain-data.js";
import type { SearchParams } from "../input/search-params.js";
import { refusal, show, unknownName } from "../util/errors.js";
import { textOfDate } from "../util/instant.js";

/** Another name of an index, with parameters that count where a request has none: mostly an order. */
export interface Replica extends Partial<Omit<SearchParams, "page">> {
  /** The index that is asked. */
  readonly indexName: string;
}

/** Options of `createInstantSearchClient`. */
export interface InstantSearchOptions {
  /** Names that user interfaces may ask besides those of indexes, as those of Algolia's replicas. */
  readonly replicas?: { readonly [name: string]: Replica } | undefined;
  /** The attribute of ids, which requests call `objectID`, as Algolia does. Default `"id"`. */
  readonly idAttribute?: string | undefined;
}

/** The options, checked. */
export interface ReadOptions {
  readonly replicas: ReadonlyMap<string, Replica>;
  readonly idAttribute: string;
}

/** A request that was read. */
export interface ReadRequest {
  /** The name that was asked, which may be that of a replica. */
  readonly name: string;
  readonly indexName: string;
  /** As they were given, without those of the replica. */
  readonly given: PlainObject;
  /** In the terms of this library. A page counts from 0, as it was given. */
  readonly params: PlainObject;
}

const ERROR = "invalid_parameter";
const MOST_REQUESTS = 50;
/** Longer lists of a parameter are passed on as they are. */
const MOST_NAMED = 10_000;
/** Of Algolia's `explain`, which says nothing here. */
const MOST_EXPLAINED = 1000;
const OPTIONS = copyingOf({ what: "options", error: "invalid_options", depth: 32, vectors: ["vector"] });

/** Reads the options; throws 400 `invalid_options`. */
export function readOptions(options: unknown): ReadOptions {
  const { replicas, idAttribute = "id", ...others } = copyObject(options, OPTIONS);
  const refuse = (param: string, msg: string): never => {
    throw refusal("invalid_options", param, msg);
  };
  for (const name of Object.keys(others)) refuse(name, unknownName("option", name, ["idAttribute", "replicas"]));
  if (typeof idAttribute !== "string" || idAttribute === "")
    return refuse("idAttribute", `idAttribute is ${show(idAttribute)}; pass the name of the attribute of ids.`);
  if (replicas === undefined) return { replicas: new Map(), idAttribute };
  if (!isPlainObject(replicas))
    return refuse("replicas", `replicas is ${show(replicas)}; pass an object of { indexName, sort } by name.`);
  for (const [name, replica] of Object.entries(replicas))
    if (!isPlainObject(replica) || typeof replica.indexName !== "string")
      refuse("replicas", `The replica ${show(name)} has no indexName; pass the name of the index that is asked.`);
  return { replicas: new Map(Object.entries(replicas as Readonly<Record<string, Replica>>)), idAttribute };
}

const REQUESTS = "requests";

/** The properties of a part of a request. Throws 400. */
export function copyPart(given: unknown, what = "request"): PlainObject {
  return copyProperties(given, { what, error: ERROR });
}

/** The requests of a list; undefined: it is none. Throws 400 for too many. */
export function copyList(given: unknown): readonly unknown[] | undefined {
  return copyItems(given, MOST_REQUESTS, (length) => {
    throw refusal(ERROR, REQUESTS, `${REQUESTS} holds ${length} requests; pass at most ${MOST_REQUESTS}.`);
  });
}

/** The requests of a call: a list, or an object that has it. Throws 400. */
export function copyRequests(given: unknown): readonly unknown[] {
  const own = copyList(given);
  if (own !== undefined) return own;
  const list = copyPart(given, REQUESTS).requests;
  const items = copyList(list);
  if (items === undefined)
    throw refusal(ERROR, REQUESTS, `${REQUESTS} is ${show(list)}; pass a list of { indexName, params }.`);
  return items;
}

/** Reads one request, whose parameters stand under `params`, or beside the name. Throws 400. */
export function readRequest(given: unknown, options: ReadOptions): ReadRequest {
  const { indexName, params = {}, ...beside } = copyPart(given);
  return requestOf(indexName, { ...beside, ...copyPart(params, "params") }, options);
}

/** The names of the parameters of a request, without those that have no meaning here. Throws 400. */
export function namesAsked(given: unknown): readonly string[] {
  const { indexName: _, params = {}, queryParameters = {}, ...beside } = copyPart(given);
  const all = [beside, copyPart(params), copyPart(queryParameters)];
  return all.flatMap((some) => Object.keys(some)).filter((name) => !IGNORED.has(name));
}

/** A request for an index or a replica, with the parameters that were given. Throws 400. */
export function requestOf(name: unknown, given: PlainObject, { replicas, idAttribute }: ReadOptions): ReadRequest {
  // What is no text, the engine refuses.
  const { indexName, ...fallbacks } = replicas.get(name as string) ?? { indexName: name as string };
  const params = { ...fallbacks, ...translated(given, idAttribute) };
  return { name: name as string, indexName, given, params };
}

/** Algolia's parameters that have no meaning here. None of them hides a record. */
const IGNORED: ReadonlySet<string> = new Set([
  ...["advancedSyntaxFeatures", "allowTyposOnNumericTokens", "alternativesAsExact", "analytics", "analyticsTags"],
  ...["aroundLatLngViaIP", "aroundPrecision", "attributeCriteriaComputedBy", "attributeCriteriaComputedByMinProximity"],
  ...["clickAnalytics", "customNormalization", "decompoundQuery", "disableExactOnAttributes"],
  ...["disableTypoToleranceOnAttributes", "enableABTest", "enablePersonalization", "enableReRanking", "eventSources"],
  ...["exactOnSingleWordQuery", "extensions", "facetingAfterDistinct", "getRankingInfo", "ignorePlurals"],
  ...["keepDiacriticsOnCharacters", "minProximity", "minWordSizefor1Typo", "minWordSizefor2Typos"],
  ...["minimumAroundRadius", "mode", "naturalLanguages", "percentileComputation", "personalizationImpact"],
  ...["ranking", "reRankingApplyFilter", "removeStopWords", "removeWordsIfNoResults"],
  ...["renderingContent", "replaceSynonymsInHighlight", "responseFields", "restrictHighlightAndSnippetArrays"],
  ...["semanticSearch", "similarQuery", "sortFacetValuesBy", "sumOrFiltersScores", "synonyms", "type", "userToken"],
]);

/** Reads a value as Algolia takes it; undefined: it says nothing. */
type Translation = (value: unknown, name: string) => unknown;

const refusedUnlessEmpty: Translation = (value, name) => {
  if (value === "" || value === null || copyItems(value, 0) !== undefined) return undefined;
  throw refusal(
    ERROR,
    name,
    `${name} is given, which has no meaning here; it was meant to hide records, so use filters.`,
  );
};

/** Parameters that Algolia takes in other forms, too. */
const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  // That of Algolia's helper, where it asks for one.
  facets: (value) => (typeof value === "string" ? [value] : value),
  tagFilters: refusedUnlessEmpty,
  insidePolygon: refusedUnlessEmpty,
  distinct: (value) => (typeof value === "number" ? value > 0 : value),
  typoTolerance: (value) => (value === "min" || value === "strict" ? true : value),
  optionalWords: (value) => value ?? undefined,
  queryLanguages: (value) => value ?? undefined,
  aroundRadius: (value) => (value === "all" ? undefined : value),
  insideBoundingBox: (value) => (typeof value === "string" ? boxesIn(value) : (value ?? undefined)),
  // Algolia's is a list of what to explain.
  explain: (value) => (copyItems(value, MOST_EXPLAINED) === undefined ? value : undefined),
};

function translated(given: PlainObject, idAttribute: string): PlainObject {
  const read = Object.entries(given)
    .filter(([name]) => !IGNORED.has(name))
    .map(
      ([name, value]) => [name, Object.hasOwn(TRANSLATIONS, name) ? TRANSLATIONS[name]!(value, name) : value] as const,
    )
    .map(([name, value]) => [name, NAMING_IDS.has(name) ? withIdAttribute(value, idAttribute) : value]);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Parameters that may name the attribute of ids. */
const NAMING_IDS: ReadonlySet<string> = new Set([
  ...["filters", "facetFilters", "numericFilters", "optionalFilters", "attributesToRetrieve"],
]);
const OBJECT_ID = "objectID";
/** A text in quotes, or the name with what makes it that of an attribute behind it; or nothing but the name. */
const QUOTED_OR_ID =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\p{L}\p{N}_.:])objectID(?=\s*(?:[:<>=!]|EXISTS\b))|(?<=^-?)objectID$/gu;
const DEEPEST = 64;
const BARE = /^[\p{L}\p{N}_.]+$/u;

/** A value of such a parameter with the attribute of ids in the place of `objectID`. Texts within objects are values, no conditions. */
function withIdAttribute(given: unknown, idAttribute: string): unknown {
  const name = BARE.test(idAttribute) ? idAttribute : JSON.stringify(idAttribute);
  // What has more values, or goes deeper, is refused by the engine.
  let left = MOST_NAMED;
  const rename = (value: unknown, isWithin: boolean, depth: number): unknown => {
    if (--left < 0 || depth > DEEPEST) return value;
    if (typeof value === "string")
      return isWithin ? value : value.replace(QUOTED_OR_ID, (found) => (found === OBJECT_ID ? name : found));
    if (typeof value !== "object" || value === null || textOfDate(value) !== undefined) return value;
    const items = copyItems(value, MOST_NAMED);
    if (items !== undefined) return items.map((item) => rename(item, isWithin, depth + 1));
    if (Array.isArray(value)) return value;
    const entries = Object.entries(copyPart(value, "params"));
    return Object.fromEntries(
      entries.map(([own, inner]) => [own === OBJECT_ID ? idAttribute : own, rename(inner, true, depth + 1)]),
    );
  };
  return idAttribute === OBJECT_ID ? given : rename(given, false, 0);
}

/**
 * The boxes of a text, four numbers each. Here a box begins in the west, but the corners of a text are any two: those that maps send are
 * north-east and south-west. So a box is the narrow way over the antimeridian only where these two say so.
 */
function boxesIn(text: string): readonly (readonly number[])[] | undefined {
  if (text.trim() === "") return undefined;
  const numbers = text.split(",").map((number) => (number.trim() === "" ? Number.NaN : Number(number)));
  const boxes: number[][] = [];
  for (let at = 0; at < numbers.length; at += 4) {
    const [lat1 = 0, lng1 = 0, lat2 = 0, lng2 = 0, ...rest] = numbers.slice(at, at + 4);
    const [north, south] = lat1 >= lat2 ? [lng1, lng2] : [lng2, lng1];
    const crosses = south - north > 180;
    const [west, east] = crosses ? [south, north] : [Math.min(lng1, lng2), Math.max(lng1, lng2)];
    boxes.push([lat1, west, lat2, east, ...rest]);
  }
  return numbers.length % 4 === 0 ? boxes : [numbers];
}

/** Parameters as a URL-encoded text: lists and objects as JSON. What no text can say is left out. */
export function encodeParams(params: PlainObject): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    const text = textOf(value);
    if (text !== undefined) encoded.set(name, text);
  }
  return encoded.toString();
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
