// Facet refinements: the values that a user has chosen, in groups. A group can be left out on its own, to count the other values of its
// attribute. A group without a value is dropped.

import type { Condition, Filter } from "../docvalues/filter.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import { anyOf, FilterReader, negated } from "./filter-object.js";

/** What was chosen, and forms one condition. */
export interface FacetRefinement {
  /** The attribute whose facet is counted as if this were not chosen; null: none. */
  readonly ownFacet: string | null;
  readonly filter: Filter;
}

const PARAM = "facetFilters";
const FORMS = 'a list such as [["brand:Forge", "brand:Volt"], "colors:black"], or an object';

/**
 * Reads `facetFilters`; throws 400 `invalid_facet_filters` or `filter_too_complex`.
 *
 * In a list, each text `attribute:value` is a group, and each inner list is a group of alternatives of one attribute. Values
 * compare as printed. `:-` negates; a value that begins with a hyphen, or with backslashes and a hyphen, takes one more
 * backslash (`:\-`). In an object, each attribute is a group of alternatives, and types are exact.
 */
export function readFacetFilters(given: unknown, limits: Limits): readonly FacetRefinement[] {
  const reader = new FilterReader(limits, PARAM, "invalid_facet_filters");
  return Array.isArray(given) ? readList(given, reader) : readObject(given, reader);
}

function readObject(given: unknown, reader: FilterReader): FacetRefinement[] {
  if (typeof given !== "object" || given === null) throw reader.refusal(`${PARAM} is ${show(given)}; pass ${FORMS}.`);
  const groups: FacetRefinement[] = [];
  for (const [attribute, value] of reader.entries(given, PARAM)) {
    if (attribute === "AND" || attribute === "OR" || attribute === "NOT" || attribute.startsWith("$"))
      throw reader.refusal(`${PARAM} has the key ${show(attribute)}; pass attributes alone, or use filters.`);
    if (Array.isArray(value) && value.length === 0) continue;
    groups.push({ ownFacet: attribute, filter: reader.attribute(attribute, value) });
  }
  return groups;
}

function readList(given: readonly unknown[], reader: FilterReader): FacetRefinement[] {
  reader.budget.affords(given.length);
  return given.flatMap((item) => {
    if (Array.isArray(item)) return readInnerList(item, reader);
    return [{ ownFacet: null, filter: readRefinement(item, reader).filter }];
  });
}

function readInnerList(given: readonly unknown[], reader: FilterReader): FacetRefinement[] {
  reader.budget.affords(given.length);
  const refinements = given.map((item) => readRefinement(item, reader));
  const first = refinements[0];
  if (first === undefined) return [];
  const other = refinements.find(({ attribute }) => attribute !== first.attribute);
  if (other !== undefined)
    throw reader.refusal(
      `${PARAM} has ${show(first.attribute)} and ${show(other.attribute)} in one inner list; give each attribute its own.`,
    );
  return [{ ownFacet: first.attribute, filter: anyOf(refinements.map(({ filter }) => filter)) }];
}

/** Reads a text `attribute:value`. */
export function readRefinement(
  given: unknown,
  reader: FilterReader,
): { readonly attribute: string; readonly filter: Filter } {
  if (typeof given !== "string") throw reader.refusal(`${reader.param} holds ${show(given)}; pass ${FORMS}.`);
  const colon = given.indexOf(":");
  if (colon < 1)
    throw reader.refusal(
      `${reader.param} holds ${show(given)}; expected an attribute, a colon and a value: "brand:Forge".`,
    );
  reader.budget.condition();
  const attribute = given.slice(0, colon);
  const written = given.slice(colon + 1);
  const isNegated = written.startsWith("-");
  const text = isNegated ? written.slice(1) : written;
  // Only the first backslash is the escape, so every value can be written.
  const value = /^\\+-/.test(text) ? text.slice(1) : text;
  const equal: Condition = { kind: "equals", attribute, value, printed: true };
  return { attribute, filter: isNegated ? negated(equal) : equal };
}
