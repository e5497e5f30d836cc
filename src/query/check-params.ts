// The checks of a query's parameters: own properties, read once, all complaints together.

import { type ClickGroup, readFacetFilters } from "../attributes/facet-filters.js";
import type { Filter } from "../attributes/filter.js";
import { readFilters } from "../attributes/filter-object.js";
import { Checker, has, ownEntries } from "../base/checks.js";
import { type Complaint, refuse, SearchError } from "../base/errors.js";
import { utf8Length } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import { show } from "../base/show.js";
import type { Matching, QueryType } from "../settings/settings.js";
import { readVector, type UnitVector } from "../vector/unit-vector.js";
import { checkNames, type NamesContext } from "./parameter-names.js";
import { paramsFromString } from "./params-from-string.js";
import { readShape, type ShapeParams } from "./shape-params.js";
import { readSort, type SortAttribute } from "./sort-params.js";

/** Checked parameters; undefined: as the index's settings say. */
export interface CheckedParams {
  readonly query: string;
  readonly page: number;
  readonly hitsPerPage: number;
  readonly semanticWeight: number | undefined;
  readonly semanticFloor: number | undefined;
  readonly semanticDepth: number | undefined;
  readonly matching: Matching | undefined;
  readonly vector: UnitVector | undefined;
  readonly filter: Filter;
  readonly clicks: readonly ClickGroup[];
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

/** What the checks depend on. */
export interface ParamsContext extends NamesContext {
  readonly limits: Limits;
  /** Components of the index's vectors; 0: it has none. */
  readonly dimensions: number;
}

const MOST = Number.MAX_SAFE_INTEGER;
const DEFAULT_HITS_PER_PAGE = 12;
const DEFAULT_FACET_VALUES = 100;
const MOST_WORDS = 1000;

/** Checks the parameters of either form; throws 400 with all complaints together. */
export function checkParams(given: unknown, context: ParamsContext): CheckedParams {
  const { limits } = context;
  const named = readForm(given, context);
  const check = new Checker("invalid_parameter", "");
  checkQuery(named.get("query"), check, limits, named.has("query"));
  checkNames(named.keys(), check.complaints, context);
  const get = (name: string): unknown => named.get(name);
  const hitsPerPage = check.integer(
    "hitsPerPage",
    get("hitsPerPage"),
    0,
    MOST,
    DEFAULT_HITS_PER_PAGE,
    "invalid_hits_per_page",
  );
  const facetValues = check.integer("maxValuesPerFacet", get("maxValuesPerFacet"), 0, MOST, DEFAULT_FACET_VALUES);
  const checked: CheckedParams = {
    query: get("query") as string,
    page: check.integer("page", get("page"), 1, limits.page, 1, "invalid_page"),
    hitsPerPage: Math.min(hitsPerPage, limits.hitsPerPage),
    semanticWeight: optional(named, "semanticWeight", (name, value) => check.number(name, value, 0, 1, 0)),
    semanticFloor: optional(named, "semanticFloor", (name, value) => check.number(name, value, -1, 1, 0)),
    semanticDepth: optional(named, "semanticDepth", (name, value) =>
      check.integer(name, value, 1, limits.semanticDepth, 1),
    ),
    matching: optional(named, "matching", (name, value) => check.oneOf(name, value, ["auto", "all", "any"], "auto")),
    vector: optional(named, "vector", (_, value) => checkVector(value, check.complaints, context.dimensions)),
    filter: readFilter(named, check, limits),
    clicks: readClicks(named, check, limits),
    facets: readFacets(get("facets"), check, limits),
    maxValuesPerFacet: Math.min(facetValues, limits.facetValues),
    sort: readSort(get("sort"), check, limits),
    distinct: optional(named, "distinct", (name, value) => check.boolean(name, value, false)),
    restrictSearchableAttributes: check.names(
      "restrictSearchableAttributes",
      get("restrictSearchableAttributes"),
      limits.attributeName,
      MOST_WORDS,
    ),
    typoTolerance: optional(named, "typoTolerance", (name, value) => check.boolean(name, value, true)),
    queryType: optional(named, "queryType", (name, value) =>
      check.oneOf(name, value, ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"], "prefixAuto"),
    ),
    optionalWords: check.texts("optionalWords", asList(get("optionalWords")), limits.queryBytes, MOST_WORDS) ?? [],
    advancedSyntax: check.boolean("advancedSyntax", get("advancedSyntax"), false),
    shape: readShape(named, check, limits),
  };
  refuse(check.complaints, 400, check.cause);
  return Object.freeze(checked);
}

function readForm(given: unknown, { limits }: ParamsContext): Map<string, unknown> {
  const entries = ownEntries(given, "params", "invalid_request");
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
  } else if (typeof query !== "string") check.refuse("query", query, "a text", "invalid_query");
  else if (query.length > limits.queryBytes || utf8Length(query) > limits.queryBytes) {
    const msg = `query has more than ${limits.queryBytes} bytes; shorten it.`;
    check.complaints.push({ error: "query_too_long", param: "query", msg });
  }
}

function readFacets(value: unknown, check: Checker, limits: Limits): readonly string[] {
  const names = [...new Set(check.names("facets", value, limits.attributeName, MOST_WORDS) ?? [])];
  if (names.length > limits.facets) check.refuse("facets", names.length, `at most ${limits.facets} attributes`);
  return names;
}

function readFilter(named: ReadonlyMap<string, unknown>, check: Checker, limits: Limits): Filter {
  if (!named.has("filters")) return { kind: "everything" };
  return collect<Filter>(check, { kind: "everything" }, () => readFilters(named.get("filters"), limits));
}

function readClicks(named: ReadonlyMap<string, unknown>, check: Checker, limits: Limits): readonly ClickGroup[] {
  if (!named.has("facetFilters")) return [];
  return collect<readonly ClickGroup[]>(check, [], () => readFacetFilters(named.get("facetFilters"), limits));
}

/** A filter's own error joins the complaints of the call; a lone one keeps its details. */
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

/** A vector that was checked for another number of dimensions, which settings have changed since: 400. */
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
