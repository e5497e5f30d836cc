// Facet counts that tell the truth: the number beside a value is `nbHits` after choosing it. So each facet is counted over
// the members that pass all clicks but those of its own disjunctive groups.

import { FacetCounter } from "../attributes/facet-counts.js";
import type { ClickGroup } from "../attributes/facet-filters.js";
import type { AttributeValue } from "../attributes/filter.js";
import type { DocSet } from "../base/doc-set.js";
import type { Steps } from "../base/slices.js";
import type { FacetStats, FacetValues } from "../query/response.js";
import { columnOf } from "../state/column-store.js";
import type { IndexState } from "../state/index-state.js";
import { ClickedMembers, type Clicks } from "./clicked-members.js";

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
  const counters = input.facets.map(() => new FacetCounter());
  yield* countSegments(counters, input);
  for (const [facet, attribute] of input.facets.entries()) {
    const counter = counters[facet]!;
    facets[attribute] = counter.counts(input.mostValues, input.accept);
    yield;
    const numbers = counter.stats();
    if (numbers !== undefined) stats[attribute] = numbers;
  }
  return { facets: { ...facets }, facetStats: { ...stats } };
}

/** Gives each facet's members to its counter. */
function* countSegments(counters: readonly FacetCounter[], input: FacetInput): Steps<void> {
  const { facets, members, clicked, groupOf, state } = input;
  const most = state.segments.reduce((largest, { segment }) => Math.max(largest, segment.size), 0);
  const choices = new ClickedMembers(
    members,
    clicked,
    facets.map((attribute) => clicksFor(attribute, input)),
    most,
  );
  for (const { segment, base } of state.segments) {
    choices.begin(base, base + segment.size);
    for (const [facet, attribute] of facets.entries()) {
      const column = columnOf(segment, attribute);
      if (column === undefined) continue;
      const { docs, size } = choices.of(facet);
      if (size === 0) continue;
      if (groupOf === undefined) yield* counters[facet]!.add(column, docs, size);
      else counters[facet]!.addGrouped(column, docs.toArray(), (doc) => groupOf(base + doc));
      yield;
    }
    yield;
  }
}

/** The clicks that the members of a facet pass: not those of its own disjunctive groups. */
function clicksFor(attribute: string, { clicks }: FacetInput): Clicks {
  return [...clicks.keys()].filter((click) => {
    const group = clicks[click]!;
    return !(group.disjunctive && group.attribute === attribute);
  });
}
