// Facets: which counts of the engine a request needs, and what is told of them.

import { integer, oneOf } from "../input/kinds.js";
import type { FacetEntry } from "../input/search-params.js";
import type { SearchData } from "../query/response.js";
import { show } from "../util/errors.js";
import { instantIn, ownOf } from "./document.js";
import { FACET_KINDS, type FacetKind, type IndexDefinition, type Leaf, scalarAt } from "./index-definition.js";
import { impossible, wrong } from "./medusa-error.js";
import { anything, type Kinds, list, optionsIn, plainObject, text } from "./options.js";

/** A facet that is asked for; Medusa's `SearchFacetRequest`. */
export interface MedusaFacetRequest {
  readonly field: string;
  /** Default: value. */
  readonly type?: FacetKind;
  /** These three of values. */
  readonly limit?: number;
  readonly sort?: "count" | "alpha";
  readonly query?: string;
  readonly ranges?: readonly MedusaFacetRange[];
}

/** A range of a facet: from `from` on, below `to`. */
export interface MedusaFacetRange {
  readonly key?: string;
  readonly from?: number | string;
  readonly to?: number | string;
}

/** What is told of a facet; Medusa's `SearchFacetResult`. */
export type MedusaFacetResult =
  | { type: "value"; values: { value: string; count: number }[]; other_count: number }
  | { type: "range"; ranges: { key: string; from?: number | string; to?: number | string; count: number }[] }
  | { type: "stats"; min: number; max: number; avg?: number; sum?: number; count: number };

/** A facet that was read. */
export interface Facet {
  readonly leaf: Leaf;
  readonly kind: FacetKind;
  readonly limit: number;
  readonly isAlphabetical: boolean;
  readonly query: string | undefined;
  readonly ranges: readonly ReadRange[];
}

interface ReadRange {
  /** As it is told. */
  readonly shown: MedusaFacetRange & { readonly key: string };
  readonly bounds: readonly [from: number | null, to: number | null];
}

/** Values and counts of the engine. */
export type ValueCounts = readonly { readonly value: string | number | boolean; readonly count: number }[];

const USUAL_LIMIT = 100;
const MOST_VALUES = 1000;
/** Ranges of one facet of the engine, and facets of one of its queries. */
const MOST_RANGES = 100;
const MOST_FACETS = 20;

interface FacetOptions {
  readonly limit: number;
  readonly sort: "count" | "alpha";
  readonly query: string;
  readonly ranges: readonly unknown[];
}

const OPTIONS: { readonly [K in FacetKind]: Partial<Kinds<FacetOptions>> } = {
  value: { limit: integer(1, MOST_VALUES), sort: oneOf("count", "alpha"), query: text },
  range: { ranges: list },
  stats: {},
};
const RANGE = { key: text, from: anything, to: anything };

/** Reads `facets`. Throws `invalid_data` for what is wrong, `not_allowed` for what cannot be counted. */
export function readFacets(given: readonly unknown[], definition: IndexDefinition): readonly Facet[] {
  const facets = given.map((each) => readFacet(each, definition));
  const paths = facets.map(({ leaf }) => leaf.path);
  const twice = paths.find((path, i) => paths.indexOf(path) < i);
  if (twice !== undefined) throw wrong(`facets names ${show(twice)} twice; ask once.`);
  return facets;
}

function readFacet(given: unknown, { leaves }: IndexDefinition): Facet {
  const { field, type = "value", ...others } = plainObject(given) ?? { field: given };
  const leaf = scalarAt(field, leaves, "facets");
  const at = `The facet ${show(leaf.path)}`;
  const kind = leaf.facets.find((each) => each === type);
  if (kind === undefined) {
    const isKnown = typeof type === "string" && FACET_KINDS.includes(type);
    throw (isKnown ? wrong : impossible)(
      `${at} is not counted by ${show(type)}; it has ${leaf.facets.join(", ") || "no facets"}.`,
    );
  }
  const { limit = USUAL_LIMIT, sort, query, ranges = [] } = optionsIn(others, at, OPTIONS[kind] as Kinds<FacetOptions>);
  if (kind === "range" && ranges.length === 0) throw wrong(`${at} has no ranges; pass some, such as [{ to: 50 }].`);
  if (ranges.length > MOST_RANGES) throw impossible(`${at} has more than ${MOST_RANGES} ranges.`);
  return {
    ...{ leaf, kind, limit, isAlphabetical: sort === "alpha", query: query?.trim() === "" ? undefined : query },
    ranges: ranges.map((range) => readRange(range, leaf, at)),
  };
}

function readRange(given: unknown, { type }: Leaf, facet: string): ReadRange {
  const at = `${facet}: a range`;
  const { key, ...ends } = optionsIn(given, at, RANGE);
  const { from, to } = ends as MedusaFacetRange;
  const boundOf = (end: unknown): number | null => {
    const bound = type === "date" ? instantIn(end) : end;
    if (end === undefined) return null;
    if (typeof bound === "number" && Number.isFinite(bound)) return bound;
    throw wrong(`${at} has the bound ${show(end)}; pass ${type === "date" ? "a date" : "a number"}.`);
  };
  return {
    bounds: [boundOf(from), boundOf(to)],
    shown: { key: key ?? `${from ?? "*"}-${to ?? "*"}`, ...(ends as MedusaFacetRange) },
  };
}

/** Whether a number may be in a range. */
function isPossible({ bounds: [from, to] }: ReadRange): boolean {
  return from === null || to === null || from < to;
}

/** How many values of a facet the engine is asked for, which lists so many at most. */
export function valuesAsked({ isAlphabetical }: Facet, mostValues: number): number {
  return isAlphabetical ? mostValues : MOST_VALUES;
}

/** What the engine counts for facets, as the `facets` of one or more queries. `mostValues`: how many values it lists. */
export function countsOf(facets: readonly Facet[], mostValues: number): readonly (readonly FacetEntry[])[] {
  const entries = facets.flatMap((facet): FacetEntry[] => {
    const { leaf, kind, query } = facet;
    if (kind === "stats") return [{ attribute: leaf.numbers, ranges: [[null, null]] }];
    const ranges = facet.ranges.filter(isPossible).map(({ bounds }) => bounds);
    if (kind === "range") return ranges.length === 0 ? [] : [{ attribute: leaf.numbers, ranges }];
    if (query !== undefined) return [];
    return [{ attribute: leaf.attribute, limit: valuesAsked(facet, mostValues) }];
  });
  const queries = Math.ceil(entries.length / MOST_FACETS);
  return Array.from({ length: queries }, (_, i) => entries.slice(i * MOST_FACETS, (i + 1) * MOST_FACETS));
}

/** What is told of ranges and statistics. */
export function toldOf(facet: Facet, counted: readonly SearchData[]): MedusaFacetResult {
  const { numbers } = facet.leaf;
  const data = counted.find(({ facets }) => ownOf(facets, numbers) !== undefined);
  const counts = (ownOf(data?.facets, numbers) ?? []).map(({ count }) => count);
  if (facet.kind === "range") {
    const ranges = facet.ranges.map((range) => ({ ...range.shown, count: isPossible(range) ? counts.shift()! : 0 }));
    return { type: "range", ranges };
  }
  const stats = ownOf(data?.facetStats, numbers);
  if (stats === undefined) return { type: "stats", min: 0, max: 0, count: 0 };
  const { min, max, avg, sum } = stats;
  return { type: "stats", min, max, avg, sum, count: counts[0]! };
}

/** The values that are listed of a facet. */
export function listedOf({ isAlphabetical, limit }: Facet, counts: ValueCounts): ValueCounts {
  const texts = counts.map((one) => ({ ...one, text: String(one.value) }));
  texts.sort((a, b) => (isAlphabetical ? 0 : b.count - a.count) || (a.text < b.text ? -1 : 1));
  return texts.slice(0, limit).map(({ value, count }) => ({ value, count }));
}
