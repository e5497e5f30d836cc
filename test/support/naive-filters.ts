// Filters and clicks on plain records: every value of the record at the path, compared with every condition.

import type { AttributeValue, Filter } from "../../src/docvalues/filter.js";
import { parseFilter } from "../../src/docvalues/parse-filter.js";
import type { JsonRecord, JsonValue, SearchParams } from "../../src/index.js";
import { readFacetFilters } from "../../src/input/facet-filters.js";
import { readFilterObject } from "../../src/input/filter-object.js";
import { takeParams } from "../../src/input/read-params.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { instantIn } from "./naive-dates.js";

/** Clicks that are taken together. */
export interface Clicks {
  /** The attribute whose values are counted as if nothing of this were clicked; null: none. */
  readonly ownFacet: string | null;
  readonly passes: (record: JsonRecord) => boolean;
}

/** Whether a record exists for a query with these filters. */
export function readFilter(filters: SearchParams["filters"]): (record: JsonRecord) => boolean {
  if (filters === undefined) return () => true;
  const filter =
    typeof filters === "string"
      ? parseFilter(filters, DEFAULT_LIMITS)
      : readFilterObject(takeParams({ filters }, DEFAULT_LIMITS).filters, DEFAULT_LIMITS);
  return (record) => passes(record, filter);
}

/** The groups of clicks. */
export function readRefinements(facetFilters: SearchParams["facetFilters"]): Clicks[] {
  if (facetFilters === undefined) return [];
  const given = takeParams({ facetFilters }, DEFAULT_LIMITS).facetFilters;
  return readFacetFilters(given, DEFAULT_LIMITS).map(({ ownFacet, filter }) => ({
    ownFacet,
    passes: (record) => passes(record, filter),
  }));
}

function passes(record: JsonRecord, filter: Filter): boolean {
  if (filter.kind === "everything") return true;
  if (filter.kind === "and") return filter.filters.every((part) => passes(record, part));
  if (filter.kind === "or") return filter.filters.some((part) => passes(record, part));
  if (filter.kind === "not") return !passes(record, filter.filter);
  if (filter.kind === "place") throw new Error("no text and no object asks for places");
  return valuesAt(record, filter.attribute).some((value) => {
    if (filter.kind === "exists") return true;
    if (filter.kind === "in") return filter.values.includes(value);
    if (filter.kind === "equals")
      return filter.printed ? String(filter.value) === String(value) : filter.value === value;
    const at = filter.isInstant === true ? instantIn(value) : value;
    if (typeof at !== "number") return false;
    if (filter.kind === "between") return filter.low <= at && at <= filter.high;
    if (filter.operator === "lt") return at < filter.value;
    if (filter.operator === "lte") return at <= filter.value;
    return filter.operator === "gt" ? at > filter.value : at >= filter.value;
  });
}

/** The values at a path, each once. An attribute of that very name is all there is; else names are steps, lists their items. */
export function valuesAt(record: JsonRecord, path: string): AttributeValue[] {
  return [...new Set(everyValueAt(record, path))];
}

/** As often as they occur. */
export function everyValueAt(record: JsonRecord, path: string): AttributeValue[] {
  return path.includes(".") && Object.hasOwn(record, path)
    ? leaves(record[path]!, [])
    : leaves(record, path.split("."));
}

/** The values that are reached by these steps; a name with dots is several. */
function leaves(value: JsonValue, steps: readonly string[]): AttributeValue[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leaves(item, steps));
  if (value === null) return [];
  if (typeof value !== "object") return steps.length > 0 ? [] : [value];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = name.split(".");
    return own.length <= steps.length && own.every((step, i) => step === steps[i])
      ? leaves(inner, steps.slice(own.length))
      : [];
  });
}
