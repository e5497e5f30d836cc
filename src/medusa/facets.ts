// Facets: which counts of the engine a request needs, and what is told of them.

import { integer, oneOf } from "../input/kinds.js";
import type { FacetEntry } from "../input/search-params.js";
import { rankingsFor } from "../query/facets/value-matcher.js";
import type { SearchData } from "../query/response.js";
import { show } from "../util/errors.js";
import { type Definition, FACET_KINDS, type FacetKind, type Leaf, scalarAt } from "./definition.js";
import { EXPECTED, instantIn, ownOf } from "./document.js";
import { impossible, wrong } from "./medusa-error.js";
import { anything, type Kinds, list, type Options, optionsIn, plainObject, text } from "./options.js";

/** What is told of a facet; Medusa's `SearchFacetResult`. */
export type MedusaFacetResult =
  | { type: "value"; values: { value: string; count: number }[]; other_count: number }
  | { type: "range"; ranges: { key: string; from?: number | string; to?: number | string; count: number }[] }
  | { type: "stats"; min: number; max: number; avg?: number; sum?: number; count: number };

type Told = MedusaFacetResult | undefined;

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
  readonly shown: { readonly key: string; readonly from?: number | string; readonly to?: number | string };
  readonly bounds: readonly [from: number | null, to: number | null];
}

/** Values and counts of the engine. */
type ValueCounts = readonly { readonly value: string | number | boolean; readonly count: number }[];

/** Asks the engine about what is found. */
export type Ask = (parameters: Options) => Promise<SearchData>;

const MOST_VALUES = 1000;
/** Ranges of one facet of the engine, and facets of one of its queries. */
const MOST_RANGES = 100;
const MOST_FACETS = 20;
const PAGE = 1000;
/** Counts documents, and shows none. */
export const COUNTS: Options = { hitsPerPage: 0, distinct: false };

type FacetOptions = { limit: number; sort: "count" | "alpha"; query: string; ranges: readonly unknown[] };

const OPTIONS: { readonly [K in FacetKind]: Partial<Kinds<FacetOptions>> } = {
  value: { limit: integer(1, MOST_VALUES), sort: oneOf("count", "alpha"), query: text },
  range: { ranges: list },
  stats: {},
};
const RANGE = { key: text, from: anything, to: anything };

/** Reads `facets`. Throws `invalid_data` for what is wrong, `not_allowed` for what cannot be counted. */
export function readFacets(given: readonly unknown[], definition: Definition): readonly Facet[] {
  const facets = given.map((each) => readFacet(each, definition));
  const paths = facets.map(({ leaf }) => leaf.path);
  const twice = paths.find((path, i) => paths.indexOf(path) < i);
  if (twice !== undefined) throw wrong(`facets names ${show(twice)} twice; ask once.`);
  return facets;
}

function readFacet(given: unknown, { leaves }: Definition): Facet {
  const { field, type = "value", ...others } = plainObject(given) ?? { field: given };
  const leaf = scalarAt(field, leaves, "facets");
  const at = `The facet ${show(leaf.path)}`;
  const kind = leaf.facets.find((each) => each === type);
  if (kind === undefined) {
    const isKnown = FACET_KINDS.some((each) => each === type);
    throw (isKnown ? wrong : impossible)(
      `${at} is not counted by ${show(type)}; it has ${leaf.facets.join(", ") || "no facets"}.`,
    );
  }
  const { limit = 100, sort, query, ranges = [] } = optionsIn(others, at, OPTIONS[kind] as Kinds<FacetOptions>);
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
  const [from, to] = [ends.from, ends.to].map((end) => {
    const bound = type === "date" ? instantIn(end) : end;
    if (end === undefined) return null;
    if (typeof bound === "number" && Number.isFinite(bound)) return bound;
    throw wrong(`${at} has the bound ${show(end)}; pass ${EXPECTED[type]}.`);
  });
  const shown = { key: key ?? `${ends.from ?? "*"}-${ends.to ?? "*"}`, ...(ends as Omit<ReadRange["shown"], "key">) };
  return { bounds: [from!, to!], shown };
}

/** Whether a number may be in a range. */
function isPossible({ bounds: [from, to] }: ReadRange): boolean {
  return from === null || to === null || from < to;
}

/** Whether the listed values are chosen among all; else they are the most frequent. */
function isOfAll({ isAlphabetical, query }: Facet): boolean {
  return isAlphabetical || query !== undefined;
}

/** What the engine counts for facets, as the `facets` of one or more queries. `mostValues`: how many values it lists. */
export function countsOf(facets: readonly Facet[], mostValues: number): readonly (readonly FacetEntry[])[] {
  const entries = facets.flatMap((facet): FacetEntry[] => {
    const { attribute, numbers } = facet.leaf;
    if (facet.kind === "value") return [{ attribute, limit: isOfAll(facet) ? mostValues : MOST_VALUES }];
    if (facet.kind === "stats") return [{ attribute: numbers, ranges: [[null, null]] }];
    const ranges = facet.ranges.filter(isPossible).map(({ bounds }) => bounds);
    return ranges.length === 0 ? [] : [{ attribute: numbers, ranges }];
  });
  const queries = Math.ceil(entries.length / MOST_FACETS);
  return Array.from({ length: queries }, (_, i) => entries.slice(i * MOST_FACETS, (i + 1) * MOST_FACETS));
}

/** What is told of a facet, by the answers to {@link countsOf}; undefined: that takes more queries, and there is no `ask`. */
export async function toldOf(facet: Facet, answers: readonly SearchData[], most: number, ask?: Ask): Promise<Told> {
  const attribute = facet.kind === "value" ? facet.leaf.attribute : facet.leaf.numbers;
  const { facets, facetStats } = answers.find((data) => ownOf(data.facets, attribute) !== undefined) ?? {};
  const counted = ownOf(facets, attribute) ?? [];
  if (facet.kind === "value") return valuesOf(facet, counted, most, ask);
  const counts = counted.map(({ count }) => count);
  if (facet.kind === "range") {
    const ranges = facet.ranges.map((range) => ({ ...range.shown, count: isPossible(range) ? counts.shift()! : 0 }));
    return { type: "range", ranges };
  }
  const stats = ownOf(facetStats, attribute);
  if (stats === undefined) return { type: "stats", min: 0, max: 0, count: 0 };
  const { min, max, avg, sum } = stats;
  return { type: "stats", min, max, avg, sum, count: counts[0]! };
}

async function valuesOf(facet: Facet, counted: ValueCounts, most: number, ask: Ask | undefined): Promise<Told> {
  const { attribute, isList } = facet.leaf;
  const isCut = counted.length >= (isOfAll(facet) ? most : MOST_VALUES);
  const needsAll = isCut && isOfAll(facet);
  if (needsAll && ask === undefined) return undefined;
  const counts = needsAll ? await valuesOfAll(attribute, ask!) : counted;
  const listed = listedOf(facet, counts);
  const values = listed.map(({ value, count }) => ({ value: String(value), count }));
  // Without lists a document has one value.
  if ((!isCut || needsAll) && (!isList || listed.length === counts.length))
    return { type: "value", values, other_count: sumOf(counts) - sumOf(listed) };
  if (ask === undefined) return undefined;
  const countOf = async (chosen: Options): Promise<number> =>
    (await ask({ ...COUNTS, facetFilters: { [attribute]: chosen } })).nbHits;
  const having = await countOf({ exists: true });
  const held = listed.length === 0 ? 0 : await countOf({ in: listed.map(({ value }) => value) });
  return { type: "value", values, other_count: having - held };
}

/** More values than the engine lists: those of each document that is found. */
async function valuesOfAll(attribute: string, ask: Ask): Promise<ValueCounts> {
  const counts = new Map<ValueCounts[number]["value"], number>();
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const page = { offset, length: PAGE, distinct: false, attributesToRetrieve: [attribute] };
    const { hits, nbHits } = await ask(page);
    total = nbHits;
    for (const { source } of hits) {
      const values = [ownOf(source, attribute) ?? []].flat() as ValueCounts[number]["value"][];
      for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

function listedOf({ isAlphabetical, limit, query }: Facet, counts: ValueCounts): ValueCounts {
  const [rankOf] = query === undefined ? [] : rankingsFor(query, false);
  const fitting = rankOf === undefined ? counts : counts.filter(({ value }) => rankOf(value) >= 0);
  const texts = fitting.map((one) => ({ ...one, text: String(one.value) }));
  texts.sort((a, b) => (isAlphabetical ? 0 : b.count - a.count) || (a.text < b.text ? -1 : 1));
  return texts.slice(0, limit);
}

function sumOf(counts: ValueCounts): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
