// Facet counts that tell the truth: the number beside a value is `nbHits` after choosing it. So each facet is counted over
// the members that pass all clicks but those of its own disjunctive groups.

import { FacetCounter, type NumberStats, type ValueCount } from "../docvalues/facet-counts.js";
import type { FacetRefinement } from "../docvalues/facet-filters.js";
import type { AttributeValue } from "../docvalues/filter.js";
import { columnOf } from "../index/column-store.js";
import type { IndexSnapshot } from "../index/index-snapshot.js";
import type { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { ClickedMembers, type Clicks } from "./clicked-members.js";
import type { FacetStats, FacetValues } from "./response.js";

/** What is counted. */
export interface FacetInput {
  readonly facets: readonly string[];
  /** Members before any click. */
  readonly members: DocSet;
  readonly refinements: readonly FacetRefinement[];
  /** Records that each click passes. */
  readonly clicked: readonly DocSet[];
  /** Counts groups instead of records. */
  readonly groupOf: ((doc: number) => number) | undefined;
  readonly mostValues: number;
  /** Which values are shown; undefined: all. */
  readonly accept?: ((value: AttributeValue) => boolean) | undefined;
  readonly snapshot: IndexSnapshot;
}

/** Counts and statistics of each facet. */
export interface CountedFacets {
  readonly facets: FacetValues;
  readonly facetStats: FacetStats;
}

/** Of more values in all, a facet is counted by itself: what counts them takes room. */
const MANY_VALUES = 1 << 14;

/** What is told of one facet. */
interface Told {
  readonly counts: readonly ValueCount[];
  readonly stats: NumberStats | undefined;
}

/** Counts the facets. */
export function* countFacets(input: FacetInput): Task<CountedFacets> {
  const facets: FacetValues = Object.create(null) as FacetValues;
  const stats: FacetStats = Object.create(null) as FacetStats;
  const told = new Map<string, Told>();
  for (const round of roundsOf(input)) {
    for (const [attribute, counter] of yield* countSegments(round, input)) {
      const counts = counter.counts(input.mostValues, input.accept);
      yield;
      told.set(attribute, { counts, stats: counter.stats() });
    }
  }
  for (const attribute of input.facets) {
    const { counts, stats: numbers } = told.get(attribute)!;
    facets[attribute] = counts;
    if (numbers !== undefined) stats[attribute] = numbers;
  }
  return { facets: { ...facets }, facetStats: { ...stats } };
}

/** The facets, those together that are counted together. */
function roundsOf({ facets, snapshot }: FacetInput): readonly (readonly string[])[] {
  const valuesOf = (attribute: string): number =>
    snapshot.segments.reduce((sum, { segment }) => sum + (columnOf(segment, attribute)?.values.length ?? 0), 0);
  const few = facets.filter((attribute) => valuesOf(attribute) <= MANY_VALUES);
  const alone = facets.filter((attribute) => !few.includes(attribute)).map((attribute) => [attribute]);
  return few.length === 0 ? alone : [few, ...alone];
}

/** Gives each facet's members to its counter. */
function* countSegments(facets: readonly string[], input: FacetInput): Task<[string, FacetCounter][]> {
  const { members, clicked, groupOf, snapshot } = input;
  const counters = facets.map((attribute): [string, FacetCounter] => [attribute, new FacetCounter()]);
  const asked = facets.map((attribute) => clicksFor(attribute, input));
  const most = snapshot.segments.reduce((largest, { segment }) => Math.max(largest, segment.size), 0);
  const choices = new ClickedMembers(members, clicked, asked, most);
  for (const { segment, base } of snapshot.segments) {
    choices.begin(base, base + segment.size);
    for (const [facet, [attribute, counter]] of counters.entries()) {
      const column = columnOf(segment, attribute);
      if (column === undefined) continue;
      const { docs, size } = choices.of(facet);
      if (size === 0) continue;
      if (groupOf === undefined) yield* counter.add(column, docs, size);
      else counter.addGrouped(column, docs.toArray(), (doc) => groupOf(base + doc));
      yield;
    }
    yield;
  }
  return counters;
}

/** The clicks that the members of a facet pass: not those of its own disjunctive groups. */
function clicksFor(attribute: string, { refinements }: FacetInput): Clicks {
  return [...refinements.keys()].filter((click) => {
    const group = refinements[click]!;
    return !(group.disjunctive && group.attribute === attribute);
  });
}
