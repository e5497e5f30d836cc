// Facets that stand for several attributes: `"*"` and `"specs.*"`. They mean the attributes that the matches have, before any
// refinement, so that a choice does not change what there is to choose from: those of the most records first, then by name.

import { ATTRIBUTES } from "../docvalues/build-doc-values.js";
import { countHolders, FacetCounter } from "../docvalues/facet-counts.js";
import type { AttributeContext } from "../index/check-attributes.js";
import { type ColumnReferences, columnOf, ensureColumns } from "../index/column-store.js";
import type { IndexSnapshot } from "../index/index-snapshot.js";
import { facetingOf } from "../settings/settings.js";
import { facetPrefix, isFacetPattern } from "../util/attribute-path.js";
import type { Doc } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";

/** What choosing the attributes depends on. */
export interface PatternContext extends AttributeContext {
  readonly snapshot: IndexSnapshot;
  /** Keeps the columns in memory while the query runs. */
  readonly columnReferences: ColumnReferences;
  readonly maxFacets: number;
}

/** The attributes to count, whose columns were built, and whether there are others. */
export interface ChosenFacets {
  readonly names: readonly string[];
  readonly isAll: boolean;
}

/** The attributes that `facets` names, and those it stands for among the matches, behind them; `maxFacets` in all. */
export function* chooseFacets(
  facets: readonly string[],
  matches: DocSet<Doc>,
  context: PatternContext,
): Task<ChosenFacets> {
  const named = facets.filter((name) => !isFacetPattern(name));
  if (named.length === facets.length) return { names: named, isAll: true };
  const { settings, attributes, maxFacets, snapshot, columnReferences } = context;
  const prefixes = facets.filter(isFacetPattern).map(facetPrefix);
  const isMeant = (name: string): boolean =>
    name !== ATTRIBUTES && !named.includes(name) && prefixes.some((prefix) => name.startsWith(prefix));
  const declared = settings.attributesForFaceting;
  const most = maxFacets - named.length;
  const held =
    declared === null
      ? yield* heldByMatches(matches, most + 1, (name) => isMeant(name) && attributes.holdsValues(name), context)
      : yield* heldOfThese(countedOf(declared).filter(isMeant), matches, context);
  const names = [...named, ...held.slice(0, most)];
  yield* ensureColumns(snapshot, names, columnReferences);
  return { names, isAll: held.length <= most };
}

/** The declared attributes but those that are only for filters. */
function countedOf(declared: readonly string[]): string[] {
  return [...facetingOf(declared)].filter(([, isCounted]) => isCounted).map(([name]) => name);
}

/** The first attributes of the matches that are wanted. */
function* heldByMatches(
  matches: DocSet<Doc>,
  most: number,
  isWanted: (name: string) => boolean,
  { snapshot, columnReferences }: PatternContext,
): Task<readonly string[]> {
  yield* ensureColumns(snapshot, [ATTRIBUTES], columnReferences);
  const counter = new FacetCounter();
  for (const { segment, base } of snapshot.segments) {
    const column = columnOf(segment, ATTRIBUTES);
    const docs = matches.within(base, base + segment.size);
    if (column !== undefined) yield* counter.add(column, docs, docs.count());
    yield;
  }
  const counts = yield* counter.counts(most, [(name) => (isWanted(String(name)) ? 0 : -1)]);
  return counts.map(({ value }) => String(value));
}

/** Those of some attributes that the matches have. Declared columns are stored, so no record has to be read. */
function* heldOfThese(
  names: readonly string[],
  matches: DocSet<Doc>,
  { snapshot, columnReferences }: PatternContext,
): Task<readonly string[]> {
  yield* ensureColumns(snapshot, names, columnReferences);
  const counts = new Map<string, number>();
  for (const { segment, base } of snapshot.segments) {
    const docs = matches.within(base, base + segment.size);
    for (const name of names) {
      const column = columnOf(segment, name);
      const count = column === undefined ? 0 : countHolders(column, docs);
      if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
      yield;
    }
  }
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
}
