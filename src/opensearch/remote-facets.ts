// The facets of a query that the cluster answers: values, ranges and statistics, counted over the records that it lists and counts.

import type { KeyOfText } from "../analysis/sort-keys.js";
import type { AttributeValue } from "../docvalues/doc-values.js";
import { FacetCounter, type NumberStats, type ValueRank } from "../docvalues/value-counts.js";
import type { FacetRequest } from "../input/facets.js";
import { type CountedFacets, rangesOf } from "../query/facets/count-facets.js";
import type { FacetCount } from "../query/response.js";
import { isFacetPattern } from "../util/attribute-path.js";
import { at } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { cannot, columnOf, factPrefix, isCut, type ValueKind, valueOfFact } from "./remote-documents.js";
import { allOf, type ClusterQuery, escaped, filterQuery } from "./remote-filter.js";
import { bucketsIn, numberAt, type SearchBody } from "./remote-words.js";

/** Values of a facet that each shard counts: of more, none may be counted exactly. */
const MOST_VALUES = 10_000;
/** The numbers of a record at an attribute: see `fact`. */
const NUMBERS = `List found = new ArrayList();
for (String text : doc[params.field]) {
  if (text.startsWith(params.prefix)) {
    long bits = Long.parseUnsignedLong(text.substring(params.prefix.length()), 16);
    found.add(Double.longBitsToDouble(bits < 0 ? bits & 0x7fffffffffffffffL : ~bits));
  }
}
return found;`;

/** A condition that narrows the matches, and the facet that it is of. */
export interface Refinement {
  readonly ownFacet: string | null;
  readonly query: ClusterQuery;
}

/** The facets of a query, what they are counted over, and how they are shown. */
export interface FacetPlan {
  readonly matches: ClusterQuery;
  readonly refinements: readonly Refinement[];
  readonly facets: readonly FacetRequest[];
  readonly most: number;
  /** Which values are shown, by the first of these by which any is; undefined: all. */
  readonly rankings: readonly ValueRank[] | undefined;
  readonly kindsOf: (attribute: string) => ReadonlySet<ValueKind>;
  readonly keyOfText: KeyOfText;
}

/** What the cluster is asked of one facet. Throws 501. */
function aggregationsOf(facet: FacetRequest, plan: FacetPlan, stats?: NumberStats): Readonly<Record<string, object>> {
  const { attribute } = facet;
  if (isFacetPattern(attribute)) throw cannot("which attributes a pattern of facets stands for; name them", "facets");
  const kinds = plan.kindsOf(attribute);
  const field = columnOf(attribute);
  const script = { source: NUMBERS, params: { field, prefix: factPrefix(attribute, "r") } };
  const aggregations: Record<string, object> = kinds.has("n") ? { stats: { stats: { script } } } : {};
  if (facet.kind !== "values") {
    for (const [i, { within }] of rangesOf(facet, stats).entries())
      aggregations[`r${i}`] = { filter: filterQuery(within) };
    return aggregations;
  }
  const isWhole = plan.rankings !== undefined || facet.order === "alpha";
  const size = isWhole ? MOST_VALUES : Math.max(1, facet.limit ?? plan.most);
  const include = `${escaped(factPrefix(attribute))}.*`;
  const order = [{ _count: "desc" }, { _key: "asc" }];
  if (kinds.size > 0) aggregations.values = { terms: { field, include, size, shard_size: MOST_VALUES, order } };
  return aggregations;
}

/** The statistics of a facet's numbers; undefined: there are none. */
function statsIn(counted: unknown): NumberStats | undefined {
  if (at(counted, "stats", "count") === undefined || numberAt(counted, "stats", "count") === 0) return undefined;
  const [min, max, sum, avg] = ["min", "max", "sum", "avg"].map((name) => numberAt(counted, "stats", name));
  return { min: min!, max: max!, sum: sum!, avg: avg! };
}

/** The counts of a facet. Throws 501 where the cluster did not count all exactly. */
function* countsIn(counted: unknown, facet: FacetRequest, plan: FacetPlan, stats?: NumberStats): Task<FacetCount[]> {
  if (facet.kind !== "values")
    return rangesOf(facet, stats).map(({ from, to }, i) => {
      const count = at(counted, `r${i}`) === undefined ? 0 : numberAt(counted, `r${i}`, "doc_count");
      return { from, to, count } as FacetCount;
    });
  const { attribute } = facet;
  const whole = at(counted, "values");
  if (whole === undefined) return [];
  const isUnsure = numberAt(whole, "doc_count_error_upper_bound") > 0;
  const isLarge = plan.rankings !== undefined || facet.order === "alpha";
  if (isUnsure || (isLarge && numberAt(whole, "sum_other_doc_count") > 0))
    throw cannot(
      `the counts of ${attribute}, which has more than ${MOST_VALUES} values; filter more narrowly`,
      "facets",
    );
  const counter = new FacetCounter();
  for (const bucket of bucketsIn({ aggregations: counted }, "values")) {
    const value = valueOfFact(String(at(bucket, "key")), attribute)!;
    if (typeof value === "string" && isCut(value))
      throw cannot(
        `the whole values of ${attribute}, of which some are longer than it keeps; take another one`,
        "facets",
      );
    counter.raise(value, numberAt(bucket, "doc_count"));
  }
  const { rankings, most, keyOfText } = plan;
  const keyOf = (value: AttributeValue): AttributeValue | undefined =>
    typeof value === "string" ? keyOfText(value) : value;
  return yield* counter.counts(facet.limit ?? most, rankings, facet.order === "alpha" ? keyOf : undefined);
}

/** The searches that count the facets of a query: one for all that the same conditions narrow, by names. */
export class FacetSearches {
  private readonly plan: FacetPlan;
  /** The search of each facet. */
  private readonly names: readonly string[];

  constructor(plan: FacetPlan) {
    this.plan = plan;
    this.names = plan.facets.map(({ attribute }) => {
      const narrowing = plan.refinements.map(({ ownFacet }, i) => (ownFacet === attribute ? "" : i));
      return `facets ${narrowing.join()}`;
    });
  }

  searches(stats: readonly (NumberStats | undefined)[] = []): Readonly<Record<string, SearchBody>> {
    const { facets, matches, refinements } = this.plan;
    const aggregations = facets.map((facet, i) => ({
      ...{ filter: { match_all: {} }, aggs: aggregationsOf(facet, this.plan, stats[i]) },
    }));
    const searches = this.names.map((name, place) => {
      const others = refinements.filter(({ ownFacet }) => ownFacet !== facets[place]!.attribute);
      const query = allOf([matches, ...others.map((one) => one.query)]);
      const alike = Object.entries(aggregations).filter(([i]) => this.names[Number(i)] === name);
      return [name, { size: 0, track_total_hits: false, query, aggs: Object.fromEntries(alike) }] as const;
    });
    return Object.fromEntries(searches);
  }

  /** Of bars, the least and the greatest number are known first; undefined: there are none. */
  barSearches(answers: ReadonlyMap<string, unknown>): Readonly<Record<string, SearchBody>> | undefined {
    const hasBars = this.plan.facets.some(({ kind }) => kind === "histogram");
    return hasBars ? this.searches(this.counted(answers).map(statsIn)) : undefined;
  }

  /** What was counted of each facet. */
  private counted(answers: ReadonlyMap<string, unknown>): unknown[] {
    return this.names.map((name, i) => at(answers.get(name), "aggregations", String(i)));
  }

  /** The facets of the answer. */
  *facetsIn(answers: ReadonlyMap<string, unknown>, bars: ReadonlyMap<string, unknown>): Task<CountedFacets> {
    const stats = this.counted(answers).map(statsIn);
    const counts = this.counted(bars);
    const { facets: asked } = this.plan;
    const facets: [string, FacetCount[]][] = [];
    for (const [i, facet] of asked.entries())
      facets.push([facet.attribute, yield* countsIn(counts[i], facet, this.plan, stats[i])]);
    const told = asked.flatMap(({ attribute }, i) => (stats[i] === undefined ? [] : [[attribute, stats[i]] as const]));
    return { facets: Object.fromEntries(facets), facetStats: Object.fromEntries(told) };
  }
}
