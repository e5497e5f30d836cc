// Reads `facets`: what is counted of which attributes, and in which order.

import { isFacetPattern } from "../util/attribute-path.js";
import type { Limits } from "../util/limits.js";
import { type Checker, isInteger, isName, MOST_NAMES } from "./kinds.js";
import { isPlainObject, type PlainObject } from "./plain-data.js";

/** From `from` on, below `to`; null: no bound. */
export type FacetRange = readonly [from: number | null, to: number | null];

/** What is counted of one attribute, or of those that a pattern stands for. */
export type FacetRequest = { readonly attribute: string } & (
  | {
      readonly kind: "values";
      readonly order: "count" | "alpha";
      /** How many values are listed; undefined: as many as of the other facets. */
      readonly limit: number | undefined;
    }
  | { readonly kind: "ranges"; readonly ranges: readonly FacetRange[] }
  /** Ranges of equal width between the least and the greatest number. */
  | { readonly kind: "histogram"; readonly bars: number }
);

const MOST_RANGES = 100;
const FORMS = "{ attribute, ranges: [[from, to], …] }, { attribute, histogram } or { attribute, sort?, limit? }";

/** The values of an attribute, the most frequent first. */
export function valuesOf(attribute: string): FacetRequest {
  return { kind: "values", attribute, order: "count", limit: undefined };
}

/** Reads `facets`. What is wrong is a complaint. */
export function readFacets(given: unknown, name: string, check: Checker, limits: Limits): readonly FacetRequest[] {
  const items: readonly unknown[] = Array.isArray(given) && given.length <= MOST_NAMES ? given : [];
  const objects = items.filter(isPlainObject);
  const names = items === given ? [...new Set(items.filter((item) => !isPlainObject(item)))] : given;
  const isItem = (item: unknown): item is string => isName(item, limits.attributeName);
  const expected = `attribute names of 1 to ${limits.attributeName} characters, patterns such as "specs.*" and objects { attribute, … }`;
  const named = check.list(name, names, { most: limits.facets, isItem, expected }) ?? [];
  const requests = new Map(named.map((attribute) => [attribute, valuesOf(attribute)]));
  for (const object of objects) {
    const request = readRequest(object, name, check, limits);
    if (request === undefined) continue;
    const { attribute } = request;
    if (requests.has(attribute)) check.complain(name, attribute, "each attribute once beside an object");
    requests.set(attribute, request);
  }
  if (requests.size > limits.facets) {
    const msg = `${check.label(name)} names ${requests.size} attributes; expected at most ${limits.facets} (limits.facets).`;
    check.add({ error: check.error, param: name, msg });
  }
  // In the order in which they were asked for.
  const order = new Set(items.map((item) => (isPlainObject(item) ? item.attribute : item)));
  return [...order].flatMap((attribute) => requests.get(attribute as string) ?? []);
}

function readRequest(
  given: PlainObject,
  param: string,
  check: Checker,
  { attributeName, facetValues }: Limits,
): FacetRequest | undefined {
  const wrong = (found: unknown, expected: string): undefined => check.complain(param, found, expected) as undefined;
  const { attribute, ranges, histogram, sort = "count", limit } = given;
  const [kind, properties] =
    ranges !== undefined
      ? (["ranges", ["attribute", "ranges"]] as const)
      : histogram !== undefined
        ? (["histogram", ["attribute", "histogram"]] as const)
        : (["values", ["attribute", "sort", "limit"]] as const);
  const isOther = (property: string): boolean =>
    given[property] !== undefined && !(properties as readonly string[]).includes(property);
  if (Object.keys(given).some(isOther)) return wrong(given, FORMS);
  if (!isName(attribute, attributeName) || isFacetPattern(attribute))
    return wrong(attribute, `one attribute in ${FORMS}`);
  if (kind === "ranges") {
    const read = readRanges(ranges);
    const expected = `1 to ${MOST_RANGES} ranges [from, to] of numbers or null, from < to`;
    return read === undefined ? wrong(ranges, expected) : { kind, attribute, ranges: read };
  }
  if (kind === "histogram") {
    const isCount = isInteger(histogram, 2, MOST_RANGES);
    return isCount ? { kind, attribute, bars: histogram } : wrong(histogram, `2 to ${MOST_RANGES} bars`);
  }
  if (sort !== "count" && sort !== "alpha") return wrong(sort, '"count" or "alpha" as sort');
  if (limit !== undefined && !isInteger(limit, 1, facetValues)) return wrong(limit, `a limit from 1 to ${facetValues}`);
  return { kind, attribute, order: sort, limit };
}

function readRanges(given: unknown): readonly FacetRange[] | undefined {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_RANGES) return undefined;
  const isBound = (bound: unknown): bound is number | null => bound === null || Number.isFinite(bound);
  const withoutMinus = (bound: number | null): number | null => (bound === 0 ? 0 : bound);
  const read = given.flatMap((item: unknown): FacetRange[] => {
    const [from, to]: readonly unknown[] = Array.isArray(item) && item.length === 2 ? item : [];
    if (!isBound(from) || !isBound(to) || (from !== null && to !== null && from >= to)) return [];
    return [[withoutMinus(from), withoutMinus(to)]];
  });
  return read.length === given.length ? read : undefined;
}
