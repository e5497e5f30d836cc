// Items of lists by their definition: the objects that stand in the lists at a path, lists within lists joined. A condition with braces
// in `filters` that stands under no NOT says which items match; a record is then seen with these alone.

import type { Filter } from "../../src/docvalues/filter.js";
import type { JsonRecord, JsonValue } from "../../src/index.js";

type ItemTest = (item: JsonRecord, filter: Filter) => boolean;

/** What stands at a path, in order. Names with dots are several steps. */
export function placedAt(value: JsonValue, steps: readonly string[]): readonly JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => placedAt(item, steps));
  if (steps.length === 0) return [value];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = name.split(".");
    return own.length <= steps.length && own.every((step, i) => step === steps[i])
      ? placedAt(inner, steps.slice(own.length))
      : [];
  });
}

export function isObject(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The conditions on lists whose matching items a filter tells. */
function boundLists(filter: Filter): Extract<Filter, { kind: "some" }>[] {
  if (filter.kind === "and" || filter.kind === "or") return filter.filters.flatMap(boundLists);
  return filter.kind === "some" ? [filter] : [];
}

export interface Seen {
  /** The places of the matching items; undefined: no list is bound. */
  readonly matchedItems: (record: JsonRecord) => Readonly<Record<string, readonly number[]>> | undefined;
  /** The record with the matching items of its bound lists alone. */
  readonly record: (record: JsonRecord) => JsonRecord;
}

export function seenBy(filter: Filter, passes: ItemTest): Seen {
  const bound = boundLists(filter);
  if (bound.length === 0) return { matchedItems: () => undefined, record: (record) => record };
  const ways = [...new Set(bound.map(({ path }) => path))].map((path): Way & { readonly path: string } => {
    const conditions = bound.filter((one) => one.path === path);
    const isMatch = (item: JsonValue): boolean => isObject(item) && conditions.some((one) => passes(item, one.filter));
    return { path, steps: path.split("."), isMatch };
  });
  const matchesOf = (record: JsonRecord, { steps, isMatch }: Way): number[] =>
    placedAt(record, steps).flatMap((item, place) => (isMatch(item) ? [place] : []));
  return {
    matchedItems: (record) => Object.fromEntries(ways.map((way) => [way.path, matchesOf(record, way)])),
    record: (record) => pruned(record, ways) as JsonRecord,
  };
}

/** The steps that are left to a list. */
type Way = { readonly steps: readonly string[]; readonly isMatch: (item: JsonValue) => boolean };

/** A value without the items that do not match, and without what names with dots put beside these; undefined: nothing is left. */
function pruned(value: JsonValue, ways: readonly Way[]): JsonValue | undefined {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => pruned(item, ways) ?? []);
  if (ways.some(({ steps, isMatch }) => steps.length === 0 && !isMatch(value))) return undefined;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
    const own = name.split(".");
    const leads = ({ steps }: Way): boolean => own.every((step, i) => i >= steps.length || step === steps[i]);
    const led = ways.filter((way) => way.steps.length > 0 && leads(way));
    if (led.some(({ steps }) => own.length > steps.length)) return [];
    const inside = led.map((way) => ({ ...way, steps: way.steps.slice(own.length) }));
    const left = pruned(inner, inside);
    return left === undefined ? [] : [[name, left]];
  });
  return Object.fromEntries(entries);
}
