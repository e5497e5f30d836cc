// Filters and clicks on plain records: every value of the record at the path, compared with every condition.

import type { AttributeValue } from "../../src/docvalues/doc-values.js";
import type { Filter } from "../../src/docvalues/filter.js";
import { parseFilter } from "../../src/docvalues/parse-filter.js";
import type { Area } from "../../src/docvalues/place.js";
import type { JsonRecord, JsonValue, SearchParams } from "../../src/index.js";
import { readFilters } from "../../src/input/filter-object.js";
import { copyParams } from "../../src/input/read-params.js";
import { readFacetFilters } from "../../src/input/refinements.js";
import { has } from "../../src/util/json.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { instantIn } from "./naive-dates.js";
import { isObject, placedAt, type Seen, seenBy } from "./naive-items.js";
import { isInBox, metresTo, placesIn } from "./naive-places.js";

export interface Clicks {
  /** The attribute whose values are counted as if nothing of this were clicked; null: none. */
  readonly ownFacet: string | null;
  readonly passes: (record: JsonRecord) => boolean;
}

/** Whether a record exists for a query with these filters. */
export function readFilter(filters: SearchParams["filters"]): (record: JsonRecord) => boolean {
  const filter = treeOf(filters);
  return (record) => passes(record, filter);
}

/** What a query sees of records, of which all these filters must hold. */
export function readSeen(all: readonly SearchParams["filters"][]): Seen {
  const filter: Filter = { kind: "and", filters: all.map(treeOf) };
  return seenBy(filter, (item, filter) => passes(item, filter, valuesInItem));
}

export function treeOf(filters: SearchParams["filters"] = ""): Filter {
  if (typeof filters === "string") return parseFilter(filters, DEFAULT_LIMITS);
  return readFilters(copyParams({ filters }, DEFAULT_LIMITS).filters, DEFAULT_LIMITS);
}

export function readRefinements(facetFilters: SearchParams["facetFilters"]): Clicks[] {
  if (facetFilters === undefined) return [];
  const given = copyParams({ facetFilters }, DEFAULT_LIMITS).facetFilters;
  return readFacetFilters(given, DEFAULT_LIMITS).map(({ ownFacet, filter }) => ({
    ownFacet,
    passes: (record) => passes(record, filter),
  }));
}

const COMPARED = /^([^<>=!:]+)(<=|>=|!=|<|>|=|:)(.+)$/s;

/** The groups of ranges of numbers: the texts about one attribute, which one number must meet, and each inner list. */
export function readNumericRefinements(given: SearchParams["numericFilters"] = []): Clicks[] {
  const texts = given.flatMap((item) => (typeof item === "string" ? [item] : []));
  const groups = [...new Set(texts.map(comparedName))].map((name): Clicks => {
    return { ownFacet: name, passes: meetsAll(texts.filter((text) => comparedName(text) === name)) };
  });
  const lists = given.flatMap((item): Clicks[] => {
    if (typeof item === "string" || item.length === 0) return [];
    const tests = item.map((text) => meetsAll([text]));
    const isOne = new Set(item.map(comparedName)).size === 1;
    return [
      { ownFacet: isOne ? comparedName(item[0]!) : null, passes: (record) => tests.some((test) => test(record)) },
    ];
  });
  return [...groups, ...lists];
}

function comparedName(text: string): string {
  return COMPARED.exec(text)![1]!.trim();
}

/** Whether no number of the record is one of those that "!=" forbids, and one of them meets all else, if there is anything else. */
function meetsAll(texts: readonly string[]): (record: JsonRecord) => boolean {
  const name = comparedName(texts[0]!);
  const read = texts.map((text) => COMPARED.exec(text)!.slice(2) as [operator: string, operand: string]);
  const forbidden = read.filter(([operator]) => operator === "!=").map(([, operand]) => Number(operand));
  const asked = read.filter(([operator]) => operator !== "!=");
  return (record) => {
    const numbers = valuesAt(record, name).filter((value) => typeof value === "number");
    const isMet = (number: number): boolean => asked.every((one) => compares(number, ...one));
    return !numbers.some((number) => forbidden.includes(number)) && (asked.length === 0 || numbers.some(isMet));
  };
}

function compares(number: number, operator: string, operand: string): boolean {
  const [low, high] = operand.split("TO").map(Number) as [number, number];
  if (operator === ":") return low <= number && number <= high;
  if (operator === "<") return number < low;
  if (operator === "<=") return number <= low;
  if (operator === "=") return number === low;
  return operator === ">" ? number > low : number >= low;
}

/** Whether a record passes a filter. */
export function passes(record: JsonRecord, filter: Filter, valuesOf: typeof valuesAt = valuesAt): boolean {
  if (filter.kind === "everything") return true;
  if (filter.kind === "and") return filter.filters.every((part) => passes(record, part, valuesOf));
  if (filter.kind === "or") return filter.filters.some((part) => passes(record, part, valuesOf));
  if (filter.kind === "not") return !passes(record, filter.filter, valuesOf);
  if (filter.kind === "place") return isIn(record, filter.area);
  if (filter.kind === "some")
    return placedAt(record, filter.path.split("."))
      .filter(isObject)
      .some((item) => passes(item, filter.filter, valuesInItem));
  return valuesOf(record, filter.attribute).some((value) => {
    if (filter.kind === "exists") return true;
    if (filter.kind === "in") return filter.values.includes(value);
    if (filter.kind === "equals")
      return filter.printed ? String(filter.value) === String(value) : filter.value === value;
    const at = filter.isInstant === true ? instantIn(value) : value;
    if (typeof at !== "number") return false;
    if (filter.kind === "between") {
      const isExcluded =
        (filter.excludesLow === true && at === filter.low) || (filter.excludesHigh === true && at === filter.high);
      return filter.low <= at && at <= filter.high && !isExcluded;
    }
    if (filter.operator === "lt") return at < filter.value;
    if (filter.operator === "lte") return at <= filter.value;
    return filter.operator === "gt" ? at > filter.value : at >= filter.value;
  });
}

function isIn(record: JsonRecord, area: Area): boolean {
  if (has(area, "center")) return (metresTo(record, area.center) ?? Number.NaN) <= area.radius;
  const corners = area.boxes.map(({ south, north, west, east }) => [south, west, north, east] as const);
  return corners.some((box) => placesIn(record).some((place) => isInBox(place, box)));
}

/** The values at a path, each once. An attribute of that very name is all there is; else names are steps, lists their items. */
export function valuesAt(record: JsonRecord, path: string): AttributeValue[] {
  return [...new Set(everyValueAt(record, path))];
}

/** The values at a path that is seen from an item of a list, whose names with dots are steps. */
export function valuesInItem(item: JsonRecord, path: string): AttributeValue[] {
  return leaves(item, path.split("."));
}

/** As often as they occur. */
export function everyValueAt(record: JsonRecord, path: string): AttributeValue[] {
  return path.includes(".") && Object.hasOwn(record, path)
    ? leaves(record[path]!, [])
    : leaves(record, path.split("."));
}

/** The values that are reached by these steps; a name with dots is several. */
function leaves(value: JsonValue, steps: readonly string[]): AttributeValue[] {
  return placedAt(value, steps).filter((one) => one !== null && typeof one !== "object");
}
