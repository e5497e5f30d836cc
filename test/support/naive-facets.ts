// Facet counts by their definition: how many hits there would be with this value as the only choice of its group and all
// other clicks as they are; or with it added.

import type { FacetStats, FacetValues, JsonRecord } from "../../src/index.js";
import { type Clicks, valuesAt } from "./naive-filters.js";
import { groupOf, inSequence } from "./naive-order.js";

/** What is counted: members before any click, and as what. */
export interface Counting {
  readonly members: readonly JsonRecord[];
  readonly refinements: readonly Clicks[];
  /** Counts groups by this attribute. */
  readonly distinct: string | undefined;
  readonly most: number;
}

/** A power of two that makes a whole number of any number that tests use. */
const SCALE = 2 ** 200;

/** Counts and statistics of each facet. */
export function countFacets(
  facets: readonly string[],
  counting: Counting,
): { readonly facets: FacetValues; readonly facetStats: FacetStats } {
  const counted = facets.map((attribute) => [attribute, countValues(attribute, counting)] as const);
  const stats = counted.map(([attribute, counts]) => [attribute, statsOf(counts)] as const);
  return {
    facets: Object.fromEntries(counted.map(([attribute, counts]) => [attribute, counts.slice(0, counting.most)])),
    facetStats: Object.fromEntries(stats.flatMap(([attribute, found]) => (found ? [[attribute, found]] : []))),
  };
}

function countValues(attribute: string, { members, refinements, distinct }: Counting): FacetValues[string] {
  const others = refinements.filter((group) => !group.disjunctive || group.attribute !== attribute);
  const left = members.filter((record) => others.every((group) => group.passes(record)));
  const values = inSequence([...new Set(left.flatMap((record) => valuesAt(record, attribute)))]);
  const counts = values.map((value) => {
    const holders = left.filter((record) => valuesAt(record, attribute).includes(value));
    return { value, count: distinct === undefined ? holders.length : countGroups(holders, distinct) };
  });
  return counts.sort(
    (a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : String(a.value) > String(b.value) ? 1 : 0),
  );
}

/** Records without a group are one each. */
function countGroups(records: readonly JsonRecord[], attribute: string): number {
  const groups = records.map((record) => groupOf(record, attribute));
  return new Set(groups.filter((group) => group !== undefined)).size + groups.filter((g) => g === undefined).length;
}

/** Sums in whole numbers, rounded once. */
function statsOf(counts: FacetValues[string]): FacetStats[string] | undefined {
  const numbers = counts.flatMap(({ value, count }) => (typeof value === "number" ? [{ value, count }] : []));
  if (numbers.length === 0) return undefined;
  const values = numbers.map(({ value }) => value);
  const total = numbers.reduce((sum, { value, count }) => sum + BigInt(value * SCALE) * BigInt(count), 0n);
  const count = numbers.reduce((all, number) => all + number.count, 0);
  const sum = Number(total) / SCALE;
  return { min: Math.min(...values), max: Math.max(...values), sum, avg: sum / count };
}
