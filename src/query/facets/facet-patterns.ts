// Facets that stand for several attributes: `"*"` and `"specs.*"`. They mean the attributes that the matches have, before any
// refinement, so that a choice does not change what there is to choose from: those of the most records first, then by name.

import { ATTRIBUTES } from "../../docvalues/build-doc-values.js";
import { countHolders, FacetCounter, type ValueCount } from "../../docvalues/facet-counts.js";
import { pathWithin } from "../../docvalues/filter.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import type { AttributeContext } from "../../state/check-attributes.js";
import { type ColumnReferences, ensureColumns, itemsKeyOf } from "../../state/column-store.js";
import { facetPrefix, isFacetPattern } from "../../util/attribute-path.js";
import type { Doc } from "../../util/doc.js";
import type { DocSet } from "../../util/doc-set.js";
import type { SearchWarning } from "../../util/extension-points.js";
import { show } from "../../util/show.js";
import type { Task } from "../../util/tasks.js";
import { type MatchingItems, readColumn } from "../prepare/matching-items.js";

/** What choosing the attributes depends on. */
export interface PatternContext extends AttributeContext {
  readonly snapshot: BoundedSnapshot;
  /** Keeps the columns in memory while the query runs. */
  readonly columnReferences: ColumnReferences;
  readonly maxFacets: number;
  /** The items of lists that match; null: the filters bind no list. */
  readonly items: MatchingItems | null;
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
  const isMeant = meantBy(facets, context);
  const declared = context.settings.attributesForFaceting;
  const most = context.maxFacets - named.length;
  const held =
    declared === null
      ? yield* heldByMatches(matches, most + 1, isMeant, context)
      : yield* heldOfThese(countedOf(declared).filter(isMeant), matches, context);
  const names = [...named, ...held.slice(0, most)];
  yield* ensureAll(names, context);
  return { names, isAll: held.length <= most };
}

/** Whether the patterns of some facets stand for an attribute. */
function meantBy(facets: readonly string[], { settings, attributes }: AttributeContext): (name: string) => boolean {
  const declared = settings.attributesForFaceting;
  const counted = declared === null ? undefined : new Set(countedOf(declared));
  const named = facets.filter((name) => !isFacetPattern(name));
  const prefixes = facets.filter(isFacetPattern).map(facetPrefix);
  return (name) =>
    name !== ATTRIBUTES &&
    itemsKeyOf(name) === undefined &&
    !named.includes(name) &&
    prefixes.some((prefix) => name.startsWith(prefix)) &&
    (counted?.has(name) ?? attributes.holdsValues(name));
}

/** Says that the patterns of some facets stand for more attributes than are counted. */
export function truncatedFacets(facets: readonly string[], counted: number): SearchWarning {
  const patterns = facets.filter(isFacetPattern).map((name) => show(name));
  const message = `facets with ${patterns.join(", ")} counted ${counted} attributes, those of the most records; name others to count them.`;
  return { code: "facets_truncated", message, param: "facets" };
}

/** Builds the columns that counting these attributes reads. */
function* ensureAll(names: readonly string[], { snapshot, columnReferences, items }: PatternContext): Task<void> {
  const keys = items === null ? names : names.flatMap((name) => items.bound.keysOf(name));
  yield* ensureColumns(snapshot, keys, columnReferences);
}

/** The declared attributes but those that are only for filters. */
function countedOf(declared: ReadonlyMap<string, boolean>): string[] {
  return [...declared].filter(([, isCounted]) => isCounted).map(([name]) => name);
}

/** The first attributes of the matches that are wanted. */
function* heldByMatches(
  matches: DocSet<Doc>,
  most: number,
  isWanted: (name: string) => boolean,
  context: PatternContext,
): Task<readonly string[]> {
  const { snapshot, items } = context;
  // The names of what is in bound lists are those of the matching items.
  const lists = ["", ...(items?.bound.conditions.keys() ?? [])];
  const held: ValueCount[] = [];
  for (const list of lists) {
    const names = pathWithin(list, ATTRIBUTES);
    yield* ensureAll([names], context);
    const counter = new FacetCounter();
    for (const [at, { segment, base }] of snapshot.segments.entries()) {
      const docs = matches.within(base, base + segment.size);
      const column = yield* readColumn(context, at, names, () => docs);
      if (column !== undefined) counter.add(column, docs, docs.count());
      yield;
    }
    const isOfList = (name: string): boolean => isWanted(name) && (items?.bound.around(name).at(-1) ?? "") === list;
    const counts = yield* counter.counts(most, [(name) => (isOfList(pathWithin(list, String(name))) ? 0 : -1)]);
    held.push(...counts.map(({ value, count }) => ({ value: pathWithin(list, String(value)), count })));
  }
  return inOrderOfCounts(new Map(held.map(({ value, count }) => [String(value), count]))).slice(0, most);
}

/** Those of some attributes that the matches have. Declared columns are stored, so no record has to be read. */
function* heldOfThese(
  names: readonly string[],
  matches: DocSet<Doc>,
  context: PatternContext,
): Task<readonly string[]> {
  yield* ensureAll(names, context);
  const counts = new Map<string, number>();
  for (const [at, { segment, base }] of context.snapshot.segments.entries()) {
    const docs = matches.within(base, base + segment.size);
    for (const name of names) {
      const column = yield* readColumn(context, at, name, () => docs);
      const count = column === undefined ? 0 : countHolders(column, docs);
      if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
      yield;
    }
  }
  return inOrderOfCounts(counts);
}

/** Those of the most records first, then by name. */
function inOrderOfCounts(counts: ReadonlyMap<string, number>): string[] {
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
}
