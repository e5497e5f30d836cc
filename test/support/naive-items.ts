// Items of lists by their definition: the objects that stand in the lists at a path, lists within lists joined. A condition with braces
// in `filters` that stands under no NOT says which items match; a record is then seen with these alone.

import type { Filter } from "../../src/docvalues/filter.js";
import type { JsonRecord, JsonValue } from "../../src/index.js";

/** Whether an item passes what stands in the braces. */
export type ItemTest = (item: JsonRecord, filter: Filter) => boolean;

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

/** The lists whose matching items a filter tells, with the conditions on each. */
export function boundLists(filter: Filter): Map<string, readonly Filter[]> {
  const lists = new Map<string, Filter[]>();
  const collect = (part: Filter): void => {
    if (part.kind === "and" || part.kind === "or") part.filters.forEach(collect);
    if (part.kind === "some") lists.set(part.path, [...(lists.get(part.path) ?? []), part.filter]);
  };
  collect(filter);
  return lists;
}

/** What a query sees of records. */
export interface Seen {
  /** The places of the matching items; undefined: no list is bound. */
  readonly matchedItems: (record: JsonRecord) => Readonly<Record<string, readonly number[]>> | undefined;
  /** The record with the matching items of its bound lists alone. */
  readonly record: (record: JsonRecord) => JsonRecord;
}

export function seenBy(filter: Filter, passes: ItemTest): Seen {
  const lists = [...boundLists(filter)].map(([path, conditions]) => ({ path, steps: path.split("."), conditions }));
  if (lists.length === 0) return { matchedItems: () => undefined, record: (record) => record };
  const isMatch = (item: JsonValue, conditions: readonly Filter[]): boolean =>
    isObject(item) && conditions.some((condition) => passes(item, condition));
  return {
    matchedItems: (record) =>
      Object.fromEntries(
        lists.map(({ path, steps, conditions }) => {
          const placed = placedAt(record, steps);
          return [path, [...placed.keys()].filter((place) => isMatch(placed[place]!, conditions))];
        }),
      ),
    record: (record) =>
      pruned(
        record,
        lists.map(({ steps, conditions }) => ({ steps, isMatch: (item) => isMatch(item, conditions) })),
      ) as JsonRecord,
  };
}

interface Way {
  /** The steps that are left to the list. */
  readonly steps: readonly string[];
  readonly isMatch: (item: JsonValue) => boolean;
}

/** A value without the items that do not match, and without what names with dots put beside these; undefined: nothing is left. */
function pruned(value: JsonValue, ways: readonly Way[]): JsonValue | undefined {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => pruned(item, ways) ?? []);
  if (ways.some(({ steps, isMatch }) => steps.length === 0 && !isMatch(value))) return undefined;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
    const own = name.split(".");
    const led = ways.filter(
      ({ steps }) => steps.length > 0 && own.every((step, i) => i >= steps.length || step === steps[i]),
    );
    if (led.some(({ steps }) => own.length > steps.length)) return [];
    const left = pruned(
      inner,
      led.map((way) => ({ ...way, steps: way.steps.slice(own.length) })),
    );
    return left === undefined ? [] : [[name, left]];
  });
  return Object.fromEntries(entries);
}
