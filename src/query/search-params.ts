// The parameters of a query: what a caller may say, and the checked shape everything below works with.

import { Checker, ownEntries, unknownName } from "../base/checks.js";
import { type Complaint, refuse, SearchError } from "../base/errors.js";
import { utf8Length } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import { nearestName } from "../base/nearest-name.js";
import type { SearchWarning } from "../base/seams.js";
import { show } from "../base/show.js";
import type { Matching } from "../settings/settings.js";
import { readVector, type UnitVector } from "../vector/unit-vector.js";
import { paramsFromString } from "./params-from-string.js";

/** Form A: the parameters as an object. Numbers are numbers, never text. */
export interface SearchParams {
  /** What to look for, at most 4,096 UTF-8 bytes; blank: all records. */
  readonly query: string;
  /** 1-based. Default 1. Past the end: no hits, the same `nbHits`. */
  readonly page?: number | undefined;
  /** 0 … 1,000, more is clamped; 0 counts only. Default 12. */
  readonly hitsPerPage?: number | undefined;
  /** Share of the meaning in the score, 0 … 1; 0 and 1 switch a leg off. Default: the index's setting. */
  readonly semanticWeight?: number | undefined;
  /** The least cosine of a member by meaning. Default: the index's setting. */
  readonly semanticFloor?: number | undefined;
  /** How many records at most are members by meaning. Default: the index's setting. */
  readonly semanticDepth?: number | undefined;
  /** Who is a member by words. Default: the index's setting. */
  readonly matching?: Matching | undefined;
  /** The query's own vector, in place of an embedding. */
  readonly vector?: readonly number[] | Float32Array | Float64Array | undefined;
}

/** Form B: the parameters as one URL-encoded string, and nothing beside it. */
export interface EncodedParams {
  readonly params: string;
}

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
}

/** What the checks depend on. */
export interface ParamsContext {
  readonly limits: Limits;
  /** Components of the index's vectors; 0: it has none. */
  readonly dimensions: number;
  readonly strict: boolean;
  readonly warn: (warning: SearchWarning) => void;
}

const DEFAULT_HITS_PER_PAGE = 12;
const KNOWN: readonly (keyof SearchParams)[] = [
  "query",
  "page",
  "hitsPerPage",
  "semanticWeight",
  "semanticFloor",
  "semanticDepth",
  "matching",
  "vector",
];
/** Unknown names that one warning speaks of. */
const MOST_TOLD = 4;
/** Ignoring one of these, or a misspelling, would show records that were meant to be hidden. */
const FILTERING = ["filters", "facetFilters"];

/** Checks the parameters of either form; throws 400 with all complaints together. */
export function checkParams(given: unknown, context: ParamsContext): CheckedParams {
  const entries = ownEntries(given, "params", "invalid_request");
  if (entries.size > context.limits.paramsPairs)
    throw new SearchError(
      400,
      "invalid_request",
      `params has ${entries.size} parameters; pass at most ${context.limits.paramsPairs}.`,
      { param: "params" },
    );
  const named = entries.has("params") ? readEncoded(entries, context) : entries;
  const check = new Checker("invalid_parameter", "");
  const { limits } = context;
  checkQuery(named.get("query"), check, limits, named.has("query"));
  checkNames(named, check.complaints, context);
  const hitsPerPage = check.integer(
    "hitsPerPage",
    named.get("hitsPerPage"),
    0,
    Number.MAX_SAFE_INTEGER,
    DEFAULT_HITS_PER_PAGE,
    "invalid_hits_per_page",
  );
  const checked: CheckedParams = {
    query: named.get("query") as string,
    page: check.integer("page", named.get("page"), 1, limits.page, 1, "invalid_page"),
    hitsPerPage: Math.min(hitsPerPage, limits.hitsPerPage),
    semanticWeight: optional(named, "semanticWeight", (value) => check.number("semanticWeight", value, 0, 1, 0)),
    semanticFloor: optional(named, "semanticFloor", (value) => check.number("semanticFloor", value, -1, 1, 0)),
    semanticDepth: optional(named, "semanticDepth", (value) =>
      check.integer("semanticDepth", value, 1, limits.semanticDepth, 1),
    ),
    matching: optional(named, "matching", (value) => check.oneOf("matching", value, ["auto", "all", "any"], "auto")),
    vector: optional(named, "vector", (value) => checkVector(value, check.complaints, context.dimensions)),
  };
  refuse(check.complaints);
  return Object.freeze(checked);
}

function readEncoded(entries: Map<string, unknown>, context: ParamsContext): Map<string, unknown> {
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
  return paramsFromString(params, context.limits);
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

/** Unknown names: one warning for all of them, errors under `strict`; those that were meant to filter are always errors. */
function checkNames(named: Map<string, unknown>, complaints: Complaint[], { strict, warn }: ParamsContext): void {
  const known = KNOWN as readonly string[];
  const ignored: string[] = [];
  for (const name of named.keys()) {
    if (known.includes(name)) continue;
    const near = nearestName(name, [...known, ...FILTERING]);
    if (near !== undefined && FILTERING.includes(near)) {
      const msg = `parameter ${show(name)} looks like ${near}, which is not supported; it cannot be ignored, because it was meant to hide records.`;
      complaints.push({ error: "unknown_parameter", param: name, msg });
    } else if (strict)
      complaints.push({ error: "unknown_parameter", param: name, msg: unknownName("parameter", name, known) });
    else ignored.push(name);
  }
  if (ignored.length === 0) return;
  const told = ignored.slice(0, MOST_TOLD).map((name) => unknownName("parameter", name, known));
  warn({
    code: "unknown_parameter",
    message: `${told.join(" ")} ${ignored.length === 1 ? "It was" : "They were"} ignored.`,
    param: ignored[0]!,
  });
}

function checkVector(value: unknown, complaints: Complaint[], dimensions: number): UnitVector | undefined {
  const complain = (error: string, msg: string): undefined => void complaints.push({ error, param: "vector", msg });
  if (dimensions === 0)
    return complain(
      "vectors_disabled",
      "vector is given, but the index has no vectors; leave it out, or create the index with an embedder or a vectorAttribute.",
    );
  const read = readVector(value, dimensions);
  return "vector" in read
    ? read.vector
    : complain("invalid_vector", `vector is no vector of this index: ${read.complaint}.`);
}

function optional<T>(named: Map<string, unknown>, name: string, read: (value: unknown) => T): T | undefined {
  return named.has(name) ? read(named.get(name)) : undefined;
}
