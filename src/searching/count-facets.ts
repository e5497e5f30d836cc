// Facet counts that tell the truth: the number beside a value is `nbHits` after choosing it. So each facet is counted over
// the members that pass all clicks but those of its own disjunctive groups.

import { type Column, hasOneEach } from "../attributes/column.js";
import { FacetCounter } from "../attributes/facet-counts.js";
import type { ClickGroup } from "../attributes/facet-filters.js";
import type { AttributeValue } from "../attributes/filter.js";
import { type DocSet, inAll } from "../base/doc-set.js";
import type { Steps } from "../base/slices.js";
import type { FacetStats, FacetValues } from "../query/response.js";
import { columnOf } from "../state/column-store.js";
import type { IndexState } from "../state/index-state.js";

/** The members of one segment, by their numbers within it: used up before the next pause. */
const LISTED = new Uint32Array(65_536);

/** What is counted. */
export interface FacetInput {
  readonly facets: readonly string[];
  /** Members before any click. */
  readonly members: DocSet;
  readonly clicks: readonly ClickGroup[];
  /** Records that each click passes. */
  readonly clicked: readonly DocSet[];
  /** Counts groups instead of records. */
  readonly groupOf: ((doc: number) => number) | undefined;
  readonly mostValues: number;
  /** Which values are shown; undefined: all. */
  readonly accept?: ((value: AttributeValue) => boolean) | undefined;
  readonly state: IndexState;
}

/** Counts and statistics of each facet. */
export interface CountedFacets {
  readonly facets: FacetValues;
  readonly facetStats: FacetStats;
}

/** Counts the facets. */
export function* countFacets(input: FacetInput): Steps<CountedFacets> {
  const facets: FacetValues = Object.create(null) as FacetValues;
  const stats: FacetStats = Object.create(null) as FacetStats;
  for (const attribute of input.facets) {
    const counter = new FacetCounter();
    const others = input.clicked.filter((_, click) => {
      const group = input.clicks[click]!;
      return !(group.disjunctive && group.attribute === attribute);
    });
    yield* countSegments(counter, attribute, inAll([input.members, ...others]), input);
    facets[attribute] = counter.counts(input.mostValues, input.accept);
    yield;
    const numbers = counter.stats();
    if (numbers !== undefined) stats[attribute] = numbers;
  }
  return { facets: { ...facets }, facetStats: { ...stats } };
}

/** Gives each segment's share of the members to the counter. */
function* countSegments(
  counter: FacetCounter,
  attribute: string,
  members: DocSet,
  { state, groupOf }: FacetInput,
): Steps<void> {
  for (const { segment, base } of state.segments) {
    const column = columnOf(segment, attribute);
    if (column === undefined) continue;
    const end = base + segment.size;
    const set = groupOf === undefined && hasAllSets(column) ? members.within(base, end) : undefined;
    if (set !== undefined && isQuickerBySets(column, set)) counter.addSet(column, set);
    else {
      const docs = LISTED.subarray(0, members.listWithin(base, end, LISTED));
      if (groupOf === undefined) counter.add(column, docs);
      else counter.addGrouped(column, docs, (doc) => groupOf(base + doc));
    }
    yield;
  }
}

function hasAllSets({ codeSets, values }: Column): boolean {
  return codeSets.size === values.length;
}

/** Going through a record's values takes as long as so many words of sets; one that is known to be alone, so many. */
const VALUES_COST = 16;
const VALUE_COST = 4;

function isQuickerBySets(column: Column, set: DocSet): boolean {
  const cost = hasOneEach(column) ? VALUE_COST : VALUES_COST;
  return column.codeSets.size * set.words.length < cost * set.count();
}
