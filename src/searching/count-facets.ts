// Facet counts that tell the truth: the number beside a value is `nbHits` after choosing it. So each facet is counted over
// the members that pass all clicks but those of its own disjunctive groups.

import { seekSlot } from "../attributes/column.js";
import { FacetCounter } from "../attributes/facet-counts.js";
import type { ClickGroup } from "../attributes/facet-filters.js";
import type { AttributeValue } from "../attributes/filter.js";
import { type DocSet, inAll } from "../base/doc-set.js";
import type { Steps } from "../base/slices.js";
import type { FacetStats, FacetValues } from "../query/response.js";
import { columnOf } from "../state/column-store.js";
import type { IndexState } from "../state/index-state.js";

/** What is counted. */
export interface FacetInput {
  readonly facets: readonly string[];
  /** Members before any click, ascending. */
  readonly members: Uint32Array;
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

/** The members that pass the clicks, all or those that `keep` names. */
export function passClicks(
  members: Uint32Array,
  clicked: readonly DocSet[],
  keep: (click: number) => boolean = () => true,
): Uint32Array {
  const kept = clicked.filter((_, click) => keep(click));
  return kept.length === 0 ? members : inAll(kept).among(members);
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
    const base = passClicks(input.members, input.clicked, (click) => {
      const group = input.clicks[click]!;
      return !(group.disjunctive && group.attribute === attribute);
    });
    yield* countSegments(counter, attribute, base, input);
    facets[attribute] = counter.counts(input.mostValues, input.accept);
    yield;
    const numbers = counter.stats();
    if (numbers !== undefined) stats[attribute] = numbers;
  }
  return { facets: { ...facets }, facetStats: { ...stats } };
}

/** Gives each segment's share of the members, which ascend, to the counter. */
function* countSegments(
  counter: FacetCounter,
  attribute: string,
  members: Uint32Array,
  { state, groupOf }: FacetInput,
): Steps<void> {
  let to = 0;
  for (const { segment, base } of state.segments) {
    const from = to;
    to = seekSlot(members, base + segment.size, from);
    const column = columnOf(segment, attribute);
    if (column === undefined) continue;
    const docs = within(members, from, to, base);
    if (groupOf === undefined) counter.add(column, docs);
    else counter.addGrouped(column, docs, (doc) => groupOf(base + doc));
    yield;
  }
}

/** Some members by their numbers within their segment. */
function within(members: Uint32Array, from: number, to: number, base: number): Uint32Array {
  const docs = members.slice(from, to);
  for (let i = 0; i < docs.length; i++) docs[i]! -= base;
  return docs;
}
