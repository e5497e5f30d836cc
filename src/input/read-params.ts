// Reads the parameters of a query, which come as an object or as one URL-encoded string. All errors are reported together.

import { allOf, type Filter } from "../docvalues/filter.js";
import { type Complaint, nearestName, SearchError, show, throwValidationErrors, unknownName } from "../util/errors.js";
import type { SearchWarning } from "../util/extension-points.js";
import { utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { readFilters } from "./filter-object.js";
import { Checker, fitted, readEntries, type Table } from "./kinds.js";
import { decodeParameter, kindOf, PARAMETERS, type ParameterValues } from "./parameter-table.js";
import { copyItems, copyingOf, copyObject, copyProperties, type FullCopying, type PlainObject } from "./plain-data.js";
import type { FacetRefinement } from "./refinements.js";

/** Checked parameters; undefined: the index's setting applies. */
export interface CheckedParams extends ParameterValues {
  /** What was passed, before it was checked: for people. */
  readonly given: PlainObject;
  /** The parameters that were given, by their names. */
  readonly named: PlainObject;
  /** The filter of the bounds, which records have to pass, too. */
  readonly within: Filter;
  readonly bounds: QueryBounds | undefined;
}

/** What no parameter of a query can widen. A mistake in the bounds throws {@link BoundsError}, not what a caller's would. */
export interface QueryBounds {
  /** Text or object, as the parameter. Records have to pass it and the caller's filter. */
  readonly filters?: unknown;
  /** Greater pages are clamped, and longer lists of facet values. */
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
  /** undefined: there are none. */
  readonly bounds?: QueryBounds | undefined;
}

/** Checks the parameters of either form; throws 400 with all complaints together. The bounds are read after that. */
export function readParams(given: unknown, context: ParamsContext): CheckedParams {
  return checkParams(copyParams(given, context.limits), context);
}

/** A copy of an object of parameters, large enough for all that the limits allow. */
export function copyParams(given: unknown, limits: Limits): PlainObject {
  if (last?.limits !== limits) last = { limits, copying: copyingFor(limits) };
  return copyObject(given, last.copying);
}

/** Kept from call to call: to make it anew takes a hundredth of the time of a query. */
let last: { readonly limits: Limits; readonly copying: FullCopying } | undefined;

const MOST_ITEMS = 1000;
const MOST_CHARACTERS = 100_000_000;

function copyingFor({ filterConditions, filterValues, filterDepth, attributesToRetrieve }: Limits): FullCopying {
  return copyingOf({
    ...{
      what: "params",
      error: "invalid_request",
      vectors: ["vector"],
      dated: [...FILTERING, "boosts"],
      characters: MOST_CHARACTERS,
    },
    items: Math.max(MOST_ITEMS, filterConditions, filterValues, attributesToRetrieve),
    values: 4 * (filterConditions + filterValues + attributesToRetrieve) + 10_000,
    // A level of a filter is an object in a list.
    depth: 2 * filterDepth + 8,
    tooManyNames: (path, msg) => {
      const [param = ""] = path.split(/[.[]/, 1);
      const error = param === "filters" ? "invalid_filter" : "invalid_facet_filters";
      const code = FILTERING.includes(param) ? error : "invalid_request";
      return new SearchError(400, code, `${path} ${msg}`, { param });
    },
    tooLarge: (param) => {
      const error = FILTERING.includes(param) ? "filter_too_complex" : "invalid_request";
      return new SearchError(400, error, `${param} holds too many values or too long texts; pass less.`, { param });
    },
  });
}

const MOST_QUERIES = 50;

/** The items of a list of queries, for {@link copyQuery}. `name`: what messages call the list. Throws 400. */
export function copyQueries(given: unknown, name = "queries"): readonly unknown[] {
  const refuse = (msg: string): never => {
    throw new SearchError(400, "invalid_parameter", msg, { param: name });
  };
  const tooMany = (length: number): never =>
    refuse(`${name} holds ${length} queries; one call takes ${MOST_QUERIES}, so make several calls.`);
  const queries = copyItems(given, MOST_QUERIES, tooMany);
  return queries ?? refuse(`${name} is ${show(given)}; pass an array of { indexName, query, … }.`);
}

/** The index that a query of a list asks, and its parameters, which are not copied yet. Throws 400. */
export function copyQuery(
  given: unknown,
  position: number,
  name = "queries",
): { readonly indexName: unknown; readonly params: object } {
  const what = `${name}[${position}]`;
  const { indexName, ...params } = copyProperties(given, { what, error: "invalid_parameter" });
  return { indexName, params };
}

/** The parameters of a method of its own, and all that were given, for a query; its complaints are those of the own ones. */
export function readOwn<V>(
  table: Table<V>,
  given: unknown,
  context: ParamsContext,
): { readonly values: V; readonly named: PlainObject; readonly complaints: Complaint[] } {
  const { limits } = context;
  const named = readForm(copyParams(given, limits), context);
  const check = new Checker("invalid_parameter", "");
  const values = readEntries(table, named, { check, limits, dimensions: 0 });
  return { values, named, complaints: check.complaints };
}

/** As {@link readParams}, of plain data. `all`: the complaints with those of what was read besides. */
export function checkParams(
  given: PlainObject,
  context: ParamsContext,
  all = (complaints: readonly Complaint[]): readonly Complaint[] => complaints,
): CheckedParams {
  const { limits, dimensions, bounds } = context;
  const named = readForm(given, context);
  const check = new Checker("invalid_parameter", "");
  if (named.query === undefined) {
    const msg = 'query is missing; pass a text ("" finds all records).';
    check.add({ error: "missing_query", param: "query", msg });
  }
  const values = readEntries<ParameterValues>(PARAMETERS, named, { check, limits, dimensions });
  if (named.aroundRadius !== undefined && named.aroundLatLng === undefined) {
    const msg = "aroundRadius is given without aroundLatLng; pass the place that it is measured from.";
    check.add({ error: "invalid_parameter", param: "aroundRadius", msg });
  }
  checkSlice(values, named, check);
  checkParameterNames(Object.keys(named), check.complaints, context);
  throwValidationErrors(all(check.complaints));
  // Not a new object: to copy so many properties takes longer than to check them.
  const checked: CheckedParams = Object.assign(values, { given, named, within: EVERYTHING, bounds });
  if (values.offset !== undefined || values.length !== undefined)
    Object.assign(checked, sliceOf(values.offset, values.length, limits.hitsPerPage));
  return Object.freeze(bounds === undefined ? checked : within(checked, bounds, limits));
}

/** Hits are asked for by page, by place, or by cursor. */
function checkSlice({ offset, length }: ParameterValues, named: PlainObject, { complaints }: Checker): void {
  if (named.cursor !== undefined) {
    const other = named.hitsPerPage === 0 ? "hitsPerPage 0" : PLACING.find((name) => named[name] !== undefined);
    if (other === undefined) return;
    const msg = `cursor is given beside ${other}; pass cursor with hitsPerPage from 1, or leave it out.`;
    complaints.push({ error: "invalid_parameter", param: "cursor", msg });
    return;
  }
  if (offset === undefined && length === undefined) return;
  const other = ["page", "hitsPerPage"].find((name) => named[name] !== undefined);
  if (other === undefined) return;
  const param = offset !== undefined ? "offset" : "length";
  const msg = `${param} is given beside ${other}; pass offset and length, or page and hitsPerPage.`;
  complaints.push({ error: "invalid_parameter", param, msg });
}

type Slice = Pick<CheckedParams, "page" | "hitsPerPage" | "offset" | "length">;

/** Some hits from a place on, and the page where that is. */
function sliceOf(
  offset = 0,
  length: number = PARAMETERS.hitsPerPage.fallback!,
  most = Number.POSITIVE_INFINITY,
): Slice {
  const size = Math.min(length, most);
  return { offset, length: size, hitsPerPage: size, page: size === 0 ? 1 : Math.floor(offset / size) + 1 };
}

/** The places of the hits that are asked for; `to` is behind the last. */
export function placesAsked({ page, hitsPerPage, offset = (page - 1) * hitsPerPage }: Slice): {
  readonly from: number;
  readonly to: number;
} {
  return { from: offset, to: offset + hitsPerPage };
}

/**
 * Parameters that show groups, so many records of each as `distinct` says, or the setting: an answer has no more records than a page could
 * have hits, or than the bounds allow. Throws 400.
 */
export function inGroups(params: CheckedParams, setting: boolean | number, limits: Limits): CheckedParams {
  const { maxHitsPerPage = limits.hitsPerPage } = params.bounds ?? {};
  const asked = Number(params.distinct ?? setting);
  if (asked < 2) return params;
  const distinct = Math.min(asked, limits.hitsPerPage, Math.max(1, maxHitsPerPage));
  const { offset, length } = params;
  const most = Math.max(1, Math.floor(limits.hitsPerPage / asked));
  if (length !== undefined && Number(params.named.length ?? 0) > most) {
    const msg = `length is ${show(params.named.length)}; with distinct ${asked} an answer shows at most ${most} groups.`;
    throw new SearchError(400, "invalid_parameter", msg, { param: "length" });
  }
  const size = Math.min(
    params.hitsPerPage,
    Math.floor(limits.hitsPerPage / distinct),
    Math.floor(maxHitsPerPage / distinct),
  );
  return { ...params, distinct, ...(offset === undefined ? { hitsPerPage: size } : sliceOf(offset, size)) };
}

const EVERYTHING: Filter = Object.freeze({ kind: "everything" });

/** Parameters within bounds. Throws {@link BoundsError}. */
function within(params: CheckedParams, bounds: QueryBounds, limits: Limits): CheckedParams {
  const inBounds = { ...params, ...clamped(params, bounds) };
  if (bounds.filters === undefined) return inBounds;
  try {
    return { ...inBounds, within: readFilters(copyParams({ filters: bounds.filters }, limits).filters, limits) };
  } catch (cause) {
    throw new BoundsError(cause);
  }
}

/** What bounds leave of some parameters. */
function clamped(
  { offset, length, hitsPerPage, explain }: CheckedParams,
  { maxHitsPerPage = Number.POSITIVE_INFINITY, mayExplain = true }: QueryBounds,
): Partial<CheckedParams> {
  const slice =
    offset === undefined
      ? { hitsPerPage: Math.min(hitsPerPage, maxHitsPerPage) }
      : sliceOf(offset, length, maxHitsPerPage);
  return { ...slice, explain: explain && mayExplain };
}

/** What rules make of the parameters of a query. */
export interface ChangedParams {
  readonly query: string;
  /** Which records must pass, too. */
  readonly filters: readonly Filter[];
  /** All in force. */
  readonly boosts: CheckedParams["boosts"];
  readonly optionalFilters: CheckedParams["optionalFilters"];
  /** All that must be passed. */
  readonly facetFilters: CheckedParams["facetFilters"];
  readonly numericFilters: CheckedParams["numericFilters"];
  /** Of each rule in its order: other parameters, which count where none was given before. */
  readonly others: readonly PlainObject[];
}

/** These say from where on hits are shown. */
const PLACING: readonly string[] = ["page", "offset", "length"];
/** These ask for one thing. */
const PAGING: readonly string[] = [...PLACING, "hitsPerPage"];

/** Parameters that rules change, within the same bounds. */
export function withChanges(
  params: CheckedParams,
  { filters, others, ...lists }: ChangedParams,
  limits: Limits,
): CheckedParams {
  const given = new Set(Object.keys(params.named));
  const added: Record<string, unknown> = {};
  // Beside a cursor, nothing else says where hits begin, and a page has hits.
  const isRefused = (name: string, value: unknown): boolean =>
    given.has("cursor") && (PLACING.includes(name) || (name === "hitsPerPage" && value === 0));
  for (const other of others) {
    const names = Object.keys(other).filter((name) => !isRefused(name, other[name]));
    const isPaged = PAGING.some((name) => given.has(name));
    for (const name of names)
      if (PAGING.includes(name) ? !isPaged : !given.has(name)) added[name] = fitted(kindOf(name), other[name], limits);
    for (const name of names) given.add(name);
  }
  const all = allOf([params.filters, ...filters].filter(({ kind }) => kind !== "everything"));
  const changed: CheckedParams = { ...params, ...added, ...lists, filters: all };
  const { offset, length } = changed;
  const isSlice = offset !== undefined || length !== undefined;
  const sliced = isSlice ? { ...changed, ...sliceOf(offset, length, limits.hitsPerPage) } : changed;
  return Object.freeze(params.bounds === undefined ? sliced : { ...sliced, ...clamped(sliced, params.bounds) });
}

/** The filter that records have to pass: the caller's, that of the bounds, and the areas where a place must be. */
export function filterOf({
  filters,
  within,
  aroundLatLng: center,
  aroundRadius: radius,
  insideBoundingBox: boxes,
}: Pick<CheckedParams, "filters" | "within" | "aroundLatLng" | "aroundRadius" | "insideBoundingBox">): Filter {
  const parts = [within, filters].filter((filter) => filter.kind !== "everything");
  if (center !== undefined && radius !== undefined) parts.push({ kind: "place", area: { center, radius } });
  if (boxes !== undefined) parts.push({ kind: "place", area: { boxes } });
  return allOf(parts);
}

/** What was chosen, which narrows the matches. */
export function refinementsOf({
  facetFilters,
  numericFilters,
}: Pick<CheckedParams, "facetFilters" | "numericFilters">): readonly FacetRefinement[] {
  return [...facetFilters, ...numericFilters];
}

/** The parameters of either form by their names. */
export function readForm(given: PlainObject, { limits }: ParamsContext): PlainObject {
  const refuse = (error: string, msg: string): never => {
    throw new SearchError(400, error, msg, { param: "params" });
  };
  const count = Object.keys(given).length;
  if (count > limits.paramsPairs)
    refuse("invalid_request", `params has ${count} parameters; pass at most ${limits.paramsPairs}.`);
  if (given.params === undefined) return given;
  if (count > 1)
    refuse("params_not_alone", "params stands beside other keys; put every parameter into it, or leave it out.");
  const { params } = given;
  if (typeof params === "string") return paramsFromString(params, limits);
  return refuse("invalid_params", `params is ${show(params)}; pass a URL-encoded string such as "query=drill&page=2".`);
}

/** Throws 400 when the settings that the query meets ask for vectors of another length than those that checked it. */
export function requireSameDimensions(vector: UnitVector | undefined, dimensions: number): void {
  if (vector === undefined || vector.components.length === dimensions) return;
  const msg = `vector has ${vector.components.length} components, but the settings that the query meets say ${dimensions}; leave it out, or pass one of that length.`;
  throw new SearchError(400, dimensions === 0 ? "vectors_disabled" : "invalid_vector", msg, { param: "vector" });
}

/** How unknown parameter names are treated. */
export interface NamesContext {
  readonly strict: boolean;
  readonly warn: (warning: SearchWarning) => void;
  /** Further names that the calling method knows. */
  readonly alsoKnown?: readonly string[];
  /** The names that the calling method knows, where these are not the parameters of a query. */
  readonly known?: readonly string[];
}

/** A misspelling of one of these is an error: ignoring it would show records that were meant to be hidden. */
const FILTERING: readonly string[] = ["filters", "facetFilters"];
/** All that hide records. */
const NARROWING: readonly string[] = [...FILTERING, "numericFilters", "aroundRadius", "insideBoundingBox"];
/** Names by which other engines know filters. */
const FILTERS_ELSEWHERE: readonly string[] = ["fq", "where"];
/** The maximum number of unknown names in one warning. */
const MAX_NAMED = 4;

/** Reports unknown names: one warning for all of them, or errors when strict. Misspelt filters are always errors. */
export function checkParameterNames(
  names: Iterable<string>,
  complaints: Complaint[],
  { strict, warn, alsoKnown = [], known: own }: NamesContext,
): void {
  const known: readonly string[] = own ?? [...Object.keys(PARAMETERS), ...alsoKnown];
  const ignored: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    const lower = name.toLowerCase();
    const isLikeFilter = lower.includes("filter") || FILTERS_ELSEWHERE.includes(lower);
    if ((near !== undefined && NARROWING.includes(near)) || NARROWING.includes(name) || isLikeFilter) {
      const meant = near !== undefined && NARROWING.includes(near) ? near : "filters";
      const msg = `parameter ${show(name)} is unknown; did you mean ${show(meant)}? It is an error, because ignoring it would show records that it should hide.`;
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

/** Decodes the URL-encoded form; the last of repeated names wins. Throws 400 `params_too_long`. */
export function paramsFromString(params: string, limits: Limits): PlainObject {
  if (params.length > limits.paramsBytes || utf8Length(params) > limits.paramsBytes)
    throw tooLong(`params has more than ${limits.paramsBytes} bytes; shorten it or pass an object.`);
  const named = Object.create(null) as Record<string, unknown>;
  let pairs = 0;
  for (const [name, text] of new URLSearchParams(params)) {
    if (++pairs > limits.paramsPairs)
      throw tooLong(`params has more than ${limits.paramsPairs} parameters; pass fewer.`);
    named[name] = decodeParameter(name, text);
  }
  // Lists and objects in it are JSON.
  return copyParams(named, limits);
}

function tooLong(msg: string): SearchError {
  return new SearchError(400, "params_too_long", msg, { param: "params" });
}
