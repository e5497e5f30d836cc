// Checks the parameters of a query. Only own properties count, each is read once, and all errors are reported together.
//
// The parameters come as an object or as one URL-encoded string, which is decoded into the same object first.

import { type FacetRefinement, readFacetFilters } from "../docvalues/facet-filters.js";
import type { Filter } from "../docvalues/filter.js";
import { allOf, readFilters } from "../docvalues/filter-object.js";
import type { Matching, QueryType } from "../settings/settings.js";
import { Checker, copyList, has, ownEntries, unknownName } from "../util/checks.js";
import { type Complaint, SearchError, throwValidationErrors } from "../util/errors.js";
import type { SearchWarning } from "../util/extension-points.js";
import { utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { nearestName, show } from "../util/show.js";
import { readVector, type UnitVector } from "../vectors/unit-vector.js";
import type { SearchParams } from "./search-params.js";

/** Checked parameters; undefined: the index's setting applies. */
export interface CheckedParams {
  /** What was passed, before it was checked: for people. */
  readonly given: ReadonlyMap<string, unknown>;
  readonly query: string;
  readonly page: number;
  readonly hitsPerPage: number;
  readonly semanticWeight: number | undefined;
  readonly semanticFloor: number | undefined;
  readonly semanticDepth: number | undefined;
  readonly relevancyStrictness: number | undefined;
  readonly matching: Matching | undefined;
  readonly vector: UnitVector | undefined;
  /** The caller's filter. */
  readonly filter: Filter;
  /** The filter of the bounds, which records have to pass, too. */
  readonly within: Filter;
  readonly refinements: readonly FacetRefinement[];
  readonly facets: readonly string[];
  readonly maxValuesPerFacet: number;
  readonly sort: readonly SortAttribute[];
  readonly distinct: boolean | undefined;
  readonly restrictSearchableAttributes: readonly string[] | undefined;
  readonly typoTolerance: boolean | undefined;
  readonly queryType: QueryType | undefined;
  readonly optionalWords: readonly string[];
  readonly advancedSyntax: boolean;
  readonly shape: ShapeParams;
}

/** What no parameter of a query can widen. A mistake in the bounds throws {@link BoundsError}, not what a caller's would. */
export interface QueryBounds {
  /** Text or object, as the parameter. Records have to pass it and the caller's filter. */
  readonly filters?: unknown;
  /** Greater pages are clamped. */
  readonly maxHitsPerPage?: number | undefined;
  /** False: no hit is explained, also where the parameter says so. Default true. */
  readonly mayExplain?: boolean | undefined;
}

/** The bounds of a query are wrong. It is no `SearchError`, because the caller must not see it; the cause is one. */
export class BoundsError extends Error {
  constructor(cause: unknown) {
    super("The bounds of the query are wrong.", { cause });
  }
}

/** What the checks depend on besides the parameters. */
export interface ParamsContext extends NamesContext {
  readonly limits: Limits;
  /** The length of the index's vectors; 0: it has none. */
  readonly dimensions: number;
}

const MAX_INTEGER = Number.MAX_SAFE_INTEGER;
const DEFAULT_HITS_PER_PAGE = 12;
const DEFAULT_FACET_VALUES = 100;
const MAX_WORDS = 1000;
const MAX_WORDS_CHARACTERS = 65_536;

/** Checks the parameters of either form; throws 400 with all complaints together. The bounds are read after that. */
export function checkParams(given: unknown, context: ParamsContext, bounds?: QueryBounds): CheckedParams {
  const { limits } = context;
  const entries = ownEntries(given, "params", "invalid_request");
  const named = readForm(entries, context);
  const check = new Checker("invalid_parameter", "");
  checkQuery(named.get("query"), check, limits, named.has("query"));
  checkNames(named.keys(), check.complaints, context);
  const get = (name: string): unknown => named.get(name);
  const hitsPerPage = check.integer(
    "hitsPerPage",
    get("hitsPerPage"),
    0,
    MAX_INTEGER,
    DEFAULT_HITS_PER_PAGE,
    "invalid_hits_per_page",
  );
  const facetValues = check.integer(
    "maxValuesPerFacet",
    get("maxValuesPerFacet"),
    0,
    MAX_INTEGER,
    DEFAULT_FACET_VALUES,
  );
  const checked: CheckedParams = {
    given: entries,
    query: get("query") as string,
    page: check.integer("page", get("page"), 1, limits.page, 1, "invalid_page"),
    hitsPerPage: Math.min(hitsPerPage, limits.hitsPerPage),
    semanticWeight: optional(named, "semanticWeight", (name, value) => check.number(name, value, 0, 1, 0)),
    semanticFloor: optional(named, "semanticFloor", (name, value) => check.number(name, value, -1, 1, 0)),
    semanticDepth: optional(named, "semanticDepth", (name, value) =>
      check.integer(name, value, 1, limits.semanticDepth, 1),
    ),
    relevancyStrictness: optional(named, "relevancyStrictness", (name, value) => check.integer(name, value, 0, 100, 0)),
    matching: optional(named, "matching", (name, value) => check.oneOf(name, value, ["auto", "all", "any"], "auto")),
    vector: optional(named, "vector", (_, value) => checkVector(value, check.complaints, context.dimensions)),
    filter: readFilter(named, check, limits),
    within: { kind: "everything" },
    refinements: readRefinements(named, check, limits),
    facets: readFacets(get("facets"), check, limits),
    maxValuesPerFacet: Math.min(facetValues, limits.facetValues),
    sort: readSort(get("sort"), check, limits),
    distinct: optional(named, "distinct", (name, value) => check.boolean(name, value, false)),
    restrictSearchableAttributes: check.names(
      "restrictSearchableAttributes",
      get("restrictSearchableAttributes"),
      limits.attributeName,
      MAX_WORDS,
    ),
    typoTolerance: optional(named, "typoTolerance", (name, value) => check.boolean(name, value, true)),
    queryType: optional(named, "queryType", (name, value) =>
      check.oneOf(name, value, ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"], "prefixAuto"),
    ),
    optionalWords: readOptionalWords(get("optionalWords"), check, limits),
    advancedSyntax: check.boolean("advancedSyntax", get("advancedSyntax"), false),
    shape: readShape(named, check, limits),
  };
  throwValidationErrors(check.complaints, 400, check.cause);
  return Object.freeze(bounds === undefined ? checked : within(checked, bounds, limits));
}

/** Parameters within bounds. Throws {@link BoundsError}. */
function within(
  params: CheckedParams,
  { filters, maxHitsPerPage = MAX_INTEGER, mayExplain = true }: QueryBounds,
  limits: Limits,
): CheckedParams {
  const hitsPerPage = Math.min(params.hitsPerPage, maxHitsPerPage);
  const shape = { ...params.shape, explain: params.shape.explain && mayExplain };
  return { ...params, hitsPerPage, shape, within: filters === undefined ? params.within : readBound(filters, limits) };
}

function readBound(filters: unknown, limits: Limits): Filter {
  try {
    return readFilters(filters, limits);
  } catch (cause) {
    throw new BoundsError(cause);
  }
}

/** The filter that records have to pass: the caller's and that of the bounds. */
export function filterOf({ filter, within }: Pick<CheckedParams, "filter" | "within">): Filter {
  if (within.kind === "everything") return filter;
  return filter.kind === "everything" ? within : allOf([within, filter]);
}

function readForm(entries: Map<string, unknown>, { limits }: ParamsContext): Map<string, unknown> {
  if (entries.size > limits.paramsPairs)
    throw new SearchError(
      400,
      "invalid_request",
      `params has ${entries.size} parameters; pass at most ${limits.paramsPairs}.`,
      { param: "params" },
    );
  if (!entries.has("params")) return entries;
  if (entries.size > 1)
    throw new SearchError(
      400,
      "params_not_alone",
      "params stands beside other keys; put every parameter into it, or leave it out.",
      { param: "params" },
    );
  const params = entries.get("params");
  if (typeof params !== "string")
    throw new SearchError(
      400,
      "invalid_params",
      `params is ${show(params)}; pass a URL-encoded string such as "query=drill&page=2".`,
      { param: "params" },
    );
  return paramsFromString(params, limits);
}

function checkQuery(query: unknown, check: Checker, limits: Limits, present: boolean): void {
  if (!present) {
    const msg = 'query is missing; pass a text ("" finds all records).';
    check.complaints.push({ error: "missing_query", param: "query", msg });
  } else if (typeof query !== "string") check.complain("query", query, "a text", "invalid_query");
  else if (query.length > limits.queryBytes || utf8Length(query) > limits.queryBytes) {
    const msg = `query has more than ${limits.queryBytes} bytes; shorten it.`;
    check.complaints.push({ error: "query_too_long", param: "query", msg });
  }
}

function readFacets(value: unknown, check: Checker, limits: Limits): readonly string[] {
  const names = [...new Set(check.names("facets", value, limits.attributeName, MAX_WORDS) ?? [])];
  if (names.length > limits.facets) check.complain("facets", names.length, `at most ${limits.facets} attributes`);
  return names;
}

function readFilter(named: ReadonlyMap<string, unknown>, check: Checker, limits: Limits): Filter {
  if (!named.has("filters")) return { kind: "everything" };
  return collect<Filter>(check, { kind: "everything" }, () => readFilters(named.get("filters"), limits));
}

function readRefinements(
  named: ReadonlyMap<string, unknown>,
  check: Checker,
  limits: Limits,
): readonly FacetRefinement[] {
  if (!named.has("facetFilters")) return [];
  return collect<readonly FacetRefinement[]>(check, [], () => readFacetFilters(named.get("facetFilters"), limits));
}

/** Runs `read` and adds the error that it throws to the complaints, with its details. */
function collect<T>(check: Checker, fallback: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    check.cause ??= error.cause;
    check.complaints.push({ error: error.error, param: error.param ?? "", msg: error.msg, details: error.details });
    return fallback;
  }
}

/** Throws 400 when the settings changed after the check of the parameters, and with them the length of vectors. */
export function requireSameDimensions(vector: UnitVector | undefined, dimensions: number): void {
  if (vector === undefined || vector.components.length === dimensions) return;
  const msg = `vector has ${vector.components.length} components, but the settings changed meanwhile to ${dimensions}; call again.`;
  throw new SearchError(400, dimensions === 0 ? "vectors_disabled" : "invalid_vector", msg, { param: "vector" });
}

function checkVector(value: unknown, complaints: Complaint[], dimensions: number): UnitVector | undefined {
  const complain = (error: string, msg: string): undefined => void complaints.push({ error, param: "vector", msg });
  if (dimensions === 0)
    return complain(
      "vectors_disabled",
      "vector is given, but the index has no vectors; leave it out, or create the index with an embedder or a vectorAttribute.",
    );
  const read = readVector(value, dimensions);
  return has(read, "vector")
    ? read.vector
    : complain("invalid_vector", `vector is no vector of this index: ${read.complaint}.`);
}

function readOptionalWords(value: unknown, check: Checker, limits: Limits): readonly string[] {
  const words = check.texts("optionalWords", asList(value), limits.queryBytes, MAX_WORDS) ?? [];
  const characters = words.reduce((sum, word) => sum + word.length, 0);
  if (characters <= MAX_WORDS_CHARACTERS) return words;
  check.complain("optionalWords", `${characters} characters`, `at most ${MAX_WORDS_CHARACTERS} characters in all`);
  return [];
}

function asList(value: unknown): unknown {
  return typeof value === "string" ? value.split(/\s+/).filter((word) => word !== "") : value;
}

function optional<T>(
  named: ReadonlyMap<string, unknown>,
  name: string,
  read: (name: string, value: unknown) => T,
): T | undefined {
  return named.has(name) ? read(name, named.get(name)) : undefined;
}

/** How unknown parameter names are treated. */
export interface NamesContext {
  readonly strict: boolean;
  readonly warn: (warning: SearchWarning) => void;
  /** Further names that the calling method knows. */
  readonly alsoKnown?: readonly string[];
}

/** A misspelling of one of these is an error: ignoring it would show records that were meant to be hidden. */
const FILTERING: readonly string[] = ["filters", "facetFilters"];
/** Names by which other engines know filters. */
const FILTERS_ELSEWHERE: readonly string[] = ["fq", "where"];
/** The maximum number of unknown names in one warning. */
const MAX_NAMED = 4;

/** Reports unknown names: one warning for all of them, or errors when strict. Misspelt filters are always errors. */
export function checkNames(
  names: Iterable<string>,
  complaints: Complaint[],
  { strict, warn, alsoKnown = [] }: NamesContext,
): void {
  const known: readonly string[] = [...Object.keys(PARAMETERS), ...alsoKnown];
  const ignored: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    if ((near !== undefined && FILTERING.includes(near)) || looksLikeFilter(name)) {
      const meant = near !== undefined && FILTERING.includes(near) ? near : "filters";
      const msg = `parameter ${show(name)} is unknown; did you mean ${show(meant)}? It cannot be ignored: it was meant to hide records.`;
      complaints.push({ error: "unknown_parameter", param: name, msg });
    } else if (strict)
      complaints.push({ error: "unknown_parameter", param: name, msg: unknownName("parameter", name, known) });
    else ignored.push(name);
  }
  if (ignored.length === 0) return;
  const named = ignored.slice(0, MAX_NAMED).map((name) => unknownName("parameter", name, known));
  const message = `${named.join(" ")} ${ignored.length === 1 ? "It was" : "They were"} ignored.`;
  warn({ code: "unknown_parameter", message, param: ignored[0]! });
}

function looksLikeFilter(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.includes("filter") || FILTERS_ELSEWHERE.includes(lower);
}

const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,20})?$/;

/**
 * All parameters, and how the text of each in the URL-encoded form becomes its value; leaving one out does not compile. Numbers
 * are plain decimals: "2" is a page, but "+2", "02" and "2e0" stay texts, which the checks then reject.
 */
const PARAMETERS: Readonly<Record<keyof SearchParams, (text: string) => unknown>> = {
  query: readText,
  page: readInteger,
  hitsPerPage: readInteger,
  filters: readFilterText,
  facetFilters: readList,
  facets: readList,
  maxValuesPerFacet: readInteger,
  sort: readList,
  distinct: readBoolean,
  attributesToRetrieve: readList,
  attributesToHighlight: readList,
  attributesToSnippet: readList,
  highlightPreTag: readText,
  highlightPostTag: readText,
  snippetEllipsisText: readText,
  escapeHTML: readBoolean,
  matchedPositions: readBoolean,
  restrictSearchableAttributes: readList,
  typoTolerance: readBoolean,
  queryType: readText,
  optionalWords: readList,
  advancedSyntax: readBoolean,
  explain: readBoolean,
  semanticWeight: readDecimal,
  semanticFloor: readDecimal,
  semanticDepth: readInteger,
  relevancyStrictness: readInteger,
  matching: readText,
  vector: readVectorText,
};

/** Decodes the URL-encoded form; the last of repeated names wins. Throws 400 `params_too_long`. */
export function paramsFromString(params: string, limits: Limits): Map<string, unknown> {
  if (params.length > limits.paramsBytes || utf8Length(params) > limits.paramsBytes)
    throw tooLong(`params has more than ${limits.paramsBytes} bytes; shorten it or pass an object.`);
  const named = new Map<string, unknown>();
  let pairs = 0;
  for (const [name, text] of new URLSearchParams(params)) {
    if (++pairs > limits.paramsPairs)
      throw tooLong(`params has more than ${limits.paramsPairs} parameters; pass fewer.`);
    named.set(name, isParameter(name) ? PARAMETERS[name](text) : text);
  }
  return named;
}

function isParameter(name: string): name is keyof SearchParams {
  return Object.hasOwn(PARAMETERS, name);
}

function readText(text: string): unknown {
  return text;
}

function readInteger(text: string): unknown {
  return INTEGER.test(text) ? Number(text) : text;
}

function readDecimal(text: string): unknown {
  return DECIMAL.test(text) ? Number(text) : text;
}

function readBoolean(text: string): unknown {
  return text === "true" ? true : text === "false" ? false : text;
}

/** JSON if the text begins with a bracket or brace, else comma-separated texts; the empty text is the empty list. */
function readList(text: string): unknown {
  if (/^[[{]/.test(text)) return readJson(text);
  return text === "" ? [] : text.split(",");
}

/** A filter text, or the object form as JSON. */
function readFilterText(text: string): unknown {
  return text.startsWith("{") ? readJson(text) : text;
}

/** A JSON array, or comma-separated numbers; the empty text is the empty list. */
function readVectorText(text: string): unknown {
  if (/^[[{]/.test(text)) return readJson(text);
  return text === "" ? [] : text.split(",").map(readDecimal);
}

/** The parsed value, or the text itself if it is no JSON: no parameter that takes JSON accepts a text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function tooLong(msg: string): SearchError {
  return new SearchError(400, "params_too_long", msg, { param: "params" });
}

/** The parameters that say what a hit shows. */
export interface ShapeParams {
  /** undefined: all attributes. */
  readonly attributesToRetrieve: readonly string[] | undefined;
  readonly attributesToHighlight: readonly string[];
  /** Paths, each optionally with a number of words: `"title:5"`. */
  readonly attributesToSnippet: readonly string[];
  readonly preTag: string;
  readonly postTag: string;
  readonly ellipsis: string;
  readonly escapeHTML: boolean;
  readonly matchedPositions: boolean;
  readonly explain: boolean;
}

const LONGEST_TAG = 64;

/** Reads the parameters that say what a hit shows. */
export function readShape(named: ReadonlyMap<string, unknown>, check: Checker, limits: Limits): ShapeParams {
  const names = (name: string): readonly string[] | undefined =>
    check.names(name, named.get(name), limits.attributeName, limits.attributesToRetrieve);
  const tag = (name: string, fallback: string): string => {
    const value = named.has(name) ? named.get(name) : fallback;
    if (typeof value === "string" && value.length <= LONGEST_TAG) return value;
    check.complain(name, value, `a text of at most ${LONGEST_TAG} characters`);
    return fallback;
  };
  return {
    attributesToRetrieve: names("attributesToRetrieve"),
    attributesToHighlight: names("attributesToHighlight") ?? [],
    attributesToSnippet: names("attributesToSnippet") ?? [],
    preTag: tag("highlightPreTag", "<em>"),
    postTag: tag("highlightPostTag", "</em>"),
    ellipsis: tag("snippetEllipsisText", "…"),
    escapeHTML: check.boolean("escapeHTML", named.get("escapeHTML"), true),
    matchedPositions: check.boolean("matchedPositions", named.get("matchedPositions"), false),
    explain: check.boolean("explain", named.get("explain"), false),
  };
}

/** One attribute to sort by. */
export interface SortAttribute {
  readonly attribute: string;
  readonly direction: "asc" | "desc";
}

const MAX_SORTS = 16;

/** Reads `["price:asc", "brand:desc"]`; the last colon separates name and direction. */
export function readSort(value: unknown, check: Checker, limits: Limits): readonly SortAttribute[] {
  if (value === undefined) return [];
  const list = copyList(value, MAX_SORTS);
  const sorts = list?.map((item) => readOne(item, limits.attributeName));
  if (sorts?.every((sort) => sort !== undefined)) return sorts;
  const at = sorts?.indexOf(undefined);
  const copied = at === undefined ? undefined : { wrong: list![at] };
  check.complainOfList("sort", value, copied, `${MAX_SORTS} of "attribute:asc" or "attribute:desc"`);
  return [];
}

function readOne(item: unknown, longest: number): SortAttribute | undefined {
  if (typeof item !== "string") return undefined;
  const colon = item.lastIndexOf(":");
  const direction = item.slice(colon + 1);
  const attribute = item.slice(0, Math.max(0, colon));
  if (attribute === "" || attribute.length > longest || (direction !== "asc" && direction !== "desc")) return undefined;
  return { attribute, direction };
}
