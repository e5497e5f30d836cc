// Facets: which counts of the engine a request needs, and what is told of them.

import { isInteger } from "../input/kinds.js";
import type { FacetEntry } from "../input/search-params.js";
import type { FacetStats, FacetValues } from "../query/response.js";
import { show } from "../util/errors.js";
import { instantIn } from "./document.js";
import { checkNames, type FacetKind, type IndexDefinition, type Leaf, leafAt, objectOf } from "./index-definition.js";
import { medusaError } from "./medusa-error.js";

/** A facet that is asked for; Medusa's `SearchFacetRequest`. */
export type MedusaFacetRequest =
  | {
      readonly field: string;
      readonly type?: "value";
      readonly limit?: number;
      readonly sort?: "count" | "alpha";
      readonly query?: string;
    }
  | {
      readonly field: string;
      readonly type: "range";
      readonly ranges: readonly {
        readonly key?: string;
        readonly from?: number | string;
        readonly to?: number | string;
      }[];
    }
  | { readonly field: string; readonly type: "stats" };

/** What is told of a facet; Medusa's `SearchFacetResult`. */
export type MedusaFacetResult =
  | { type: "value"; values: { value: string; count: number }[]; other_count: number }
  | { type: "range"; ranges: { key: string; from?: number | string; to?: number | string; count: number }[] }
  | { type: "stats"; min: number; max: number; avg?: number; sum?: number; count: number };

/** A facet that was read. */
export type Facet = { readonly leaf: Leaf } & (
  | {
      readonly kind: "value";
      readonly limit: number;
      readonly isAlphabetical: boolean;
      readonly query: string | undefined;
    }
  | { readonly kind: "range"; readonly ranges: readonly FacetRange[] }
  | { readonly kind: "stats" }
);

interface FacetRange {
  /** As it is told; `from` and `to` are missing where they were not given. */
  readonly shown: { readonly key: string; readonly from?: number | string; readonly to?: number | string };
  readonly low: number | null;
  readonly high: number | null;
}

const USUAL_LIMIT = 100;
const MOST_VALUES = 1000;
/** Ranges of one facet of the engine, and facets of one of its queries. */
const MOST_RANGES = 100;
const MOST_FACETS = 20;
/** All numbers. */
const ALL: readonly [null, null] = [null, null];

const wrong = (message: string): Error => medusaError("invalid_data", message);

/** Reads `facets`. Throws `invalid_data` for what is wrong, `not_allowed` for what cannot be counted. */
export function readFacets(given: unknown, definition: IndexDefinition): readonly Facet[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw wrong(`facets is ${show(given)}; pass a list.`);
  const read = given.map((each: unknown) => readFacet(typeof each === "string" ? { field: each } : each, definition));
  const paths = read.map(({ leaf }) => leaf.path);
  const twice = paths.find((path, i) => paths.indexOf(path) < i);
  if (twice !== undefined) throw wrong(`facets names ${show(twice)} twice; ask once.`);
  return read;
}

function readFacet(given: unknown, definition: IndexDefinition): Facet {
  const { field, type = "value", limit, sort, query, ranges, ...others } = objectOf(given, "A facet");
  const leaf = leafAt(field, definition, "facets");
  const at = `The facet ${show(leaf.path)}`;
  if (leaf.type === "geo" || leaf.type === "vector")
    throw medusaError("not_allowed", `${at} is a ${leaf.type} field, which is not counted.`);
  if (type !== "value" && type !== "range" && type !== "stats")
    throw medusaError("not_allowed", `${at} has the type ${show(type)}; possible are value, range and stats.`);
  if (!leaf.facets.includes(type satisfies FacetKind)) throw wrong(`${at} has no facets of the type ${type}.`);
  checkNames(
    { ...others, ...(type !== "value" && { limit, sort, query }), ...(type !== "range" && { ranges }) },
    [],
    at,
  );
  if (type === "stats") return { leaf, kind: type };
  if (type === "range") return { leaf, kind: type, ranges: readRanges(ranges, leaf, at) };
  if (limit !== undefined && !isInteger(limit, 1, MOST_VALUES))
    throw wrong(`${at} has the limit ${show(limit)}; pass an integer from 1 to ${MOST_VALUES}.`);
  if (sort !== undefined && sort !== "count" && sort !== "alpha")
    throw wrong(`${at} has the sort ${show(sort)}; pass "count" or "alpha".`);
  if (query !== undefined && typeof query !== "string") throw wrong(`${at} has the query ${show(query)}; pass a text.`);
  const typed = query?.trim() === "" ? undefined : query;
  return { leaf, kind: type, limit: limit ?? USUAL_LIMIT, isAlphabetical: sort === "alpha", query: typed };
}

function readRanges(given: unknown, leaf: Leaf, at: string): readonly FacetRange[] {
  if (!Array.isArray(given) || given.length === 0)
    throw wrong(`${at} has no list of ranges; pass one such as [{ to: 50 }].`);
  return given.map((range: unknown) => {
    const { key, from, to, ...others } = objectOf(range, `${at}: a range`);
    checkNames(others, [], `${at}: a range`);
    if (key !== undefined && typeof key !== "string") throw wrong(`${at} has the key ${show(key)}; pass a text.`);
    const bounds = Object.fromEntries(Object.entries({ from, to }).filter(([, bound]) => bound !== undefined));
    const shown = { key: key ?? `${from ?? "*"}-${to ?? "*"}`, ...(bounds as Omit<FacetRange["shown"], "key">) };
    return { shown, low: boundOf(from, leaf, at), high: boundOf(to, leaf, at) };
  });
}

function boundOf(given: unknown, { type }: Leaf, at: string): number | null {
  if (given === undefined) return null;
  const bound = type === "date" ? instantIn(given) : given;
  if (typeof bound === "number" && Number.isFinite(bound)) return bound;
  throw wrong(`${at} has the bound ${show(given)}; pass ${type === "date" ? "a date" : "a number"}.`);
}

/** Whether a number may be in a range. */
function isPossible({ low, high }: FacetRange): boolean {
  return low === null || high === null || low < high;
}

/**
 * What the engine counts for facets, as the `facets` of one or more queries: more than {@link MOST_FACETS} attributes, or an attribute with
 * more ranges than it takes at once, need several. `mostValues`: how many values the engine lists.
 */
export function entriesOf(facets: readonly Facet[], mostValues: number): readonly (readonly FacetEntry[])[] {
  const queries: FacetEntry[][] = [];
  const put = (entry: FacetEntry & { readonly attribute: string }): void => {
    const isFree = (one: readonly FacetEntry[]): boolean =>
      one.length < MOST_FACETS &&
      !one.some((each) => (each as { readonly attribute: string }).attribute === entry.attribute);
    const query = queries.find(isFree);
    if (query === undefined) queries.push([entry]);
    else query.push(entry);
  };
  for (const facet of facets) {
    const { attribute, numbers } = facet.leaf;
    if (facet.kind === "stats") put({ attribute: numbers, ranges: [ALL] });
    else if (facet.kind === "range") {
      const ranges = facet.ranges
        .filter(isPossible)
        .map(({ low, high }): [number | null, number | null] => [low, high]);
      for (let i = 0; i < ranges.length; i += MOST_RANGES)
        put({ attribute: numbers, ranges: ranges.slice(i, i + MOST_RANGES) });
    } else if (facet.query === undefined) put({ attribute, limit: facet.isAlphabetical ? mostValues : facet.limit });
  }
  return queries;
}

/** The counts of the queries that {@link entriesOf} asks for. */
export interface Counted {
  readonly facets?: FacetValues | undefined;
  readonly facetStats?: FacetStats | undefined;
}

/** What is told of ranges and statistics. */
export function toldOf(
  facet: Exclude<Facet, { readonly kind: "value" }>,
  counted: readonly Counted[],
): MedusaFacetResult {
  const { numbers } = facet.leaf;
  const counts = counted.flatMap(({ facets }) => (ownOf(facets, numbers) ?? []).map(({ count }) => count));
  if (facet.kind === "range") {
    let next = 0;
    const ranges = facet.ranges.map((range) => ({ ...range.shown, count: isPossible(range) ? counts[next++]! : 0 }));
    return { type: "range", ranges };
  }
  const stats = counted.map(({ facetStats }) => ownOf(facetStats, numbers)).find((one) => one !== undefined);
  if (stats === undefined) return { type: "stats", min: 0, max: 0, count: 0 };
  const { min, max, avg, sum } = stats;
  return { type: "stats", min, max, avg, sum, count: counts[0]! };
}

/** What an object has of its own under a name: a field may be called `constructor`. */
export function ownOf<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Values and counts of the engine. */
export type ValueCounts = readonly { readonly value: string | number | boolean; readonly count: number }[];

/** The values that are listed of a facet. */
export function listedOf(
  { isAlphabetical, limit }: Facet & { readonly kind: "value" },
  counts: ValueCounts,
): ValueCounts {
  const texts = counts.map((one) => ({ ...one, text: String(one.value) }));
  texts.sort((a, b) => (isAlphabetical ? 0 : b.count - a.count) || (a.text < b.text ? -1 : 1));
  return texts.slice(0, limit).map(({ value, count }) => ({ value, count }));
}
