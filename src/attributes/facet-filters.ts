// What a shopper clicked, as groups: each can be left out or added by itself, which is what the counts beside the other
// values of its attribute need. A group without a choice is no group.

import type { Limits } from "../base/limits.js";
import { show } from "../base/show.js";
import type { Condition, Filter } from "./filter.js";
import { anyOf, FilterReader, negated } from "./filter-object.js";

/** The clicks on one attribute that are taken together. */
export interface FacetRefinement {
  readonly attribute: string;
  /** Whether a further click of the group widens the result (any of them has to hold); else it stands for itself. */
  readonly disjunctive: boolean;
  readonly filter: Filter;
}

const PARAM = "facetFilters";
const FORMS = 'a list such as [["brand:Forge", "brand:Volt"], "colors:black"], or an object';

/**
 * The groups of `facetFilters`. A list: each text `attribute:value` a group, each inner list a disjunctive one of one
 * attribute; values compare by how they print; `:-` negates, and a value that begins with a hyphen, or with backslashes
 * before one, takes a backslash more (`:\-`). An object: each attribute a disjunctive group, types exact.
 */
export function readFacetFilters(given: unknown, limits: Limits): readonly FacetRefinement[] {
  const reader = new FilterReader(limits, PARAM, "invalid_facet_filters");
  return reader.guard(() => (Array.isArray(given) ? readList(given, reader) : readObject(given, reader)));
}

function readObject(given: unknown, reader: FilterReader): FacetRefinement[] {
  if (typeof given !== "object" || given === null) throw reader.refusal(`${PARAM} is ${show(given)}; pass ${FORMS}.`);
  const groups: FacetRefinement[] = [];
  for (const [attribute, value] of reader.entries(given, PARAM)) {
    if (attribute === "AND" || attribute === "OR" || attribute === "NOT" || attribute.startsWith("$"))
      throw reader.refusal(`${PARAM} has the key ${show(attribute)}; pass attributes alone, or use filters.`);
    if (Array.isArray(value) && value.length === 0) continue;
    groups.push({ attribute, disjunctive: true, filter: reader.attribute(attribute, value) });
  }
  return groups;
}

function readList(given: readonly unknown[], reader: FilterReader): FacetRefinement[] {
  const items = reader.items(given, (length) => reader.budget.affords(length));
  return items.flatMap((item) => {
    if (Array.isArray(item)) return readInnerList(item, reader);
    const { attribute, filter } = readRefinement(item, reader);
    return [{ attribute, disjunctive: false, filter }];
  });
}

function readInnerList(given: readonly unknown[], reader: FilterReader): FacetRefinement[] {
  const refinements = reader
    .items(given, (length) => reader.budget.affords(length))
    .map((item) => readRefinement(item, reader));
  const first = refinements[0];
  if (first === undefined) return [];
  const other = refinements.find(({ attribute }) => attribute !== first.attribute);
  if (other !== undefined)
    throw reader.refusal(
      `${PARAM} has ${show(first.attribute)} and ${show(other.attribute)} in one inner list; give each attribute its own.`,
    );
  const { attribute } = first;
  return [{ attribute, disjunctive: true, filter: anyOf(refinements.map(({ filter }) => filter)) }];
}

function readRefinement(given: unknown, reader: FilterReader): { readonly attribute: string; readonly filter: Filter } {
  if (typeof given !== "string") throw reader.refusal(`${PARAM} holds ${show(given)}; pass ${FORMS}.`);
  const colon = given.indexOf(":");
  if (colon < 1)
    throw reader.refusal(`${PARAM} holds ${show(given)}; expected an attribute, a colon and a value: "brand:Forge".`);
  reader.budget.condition();
  const attribute = given.slice(0, colon);
  const written = given.slice(colon + 1);
  const isNegated = written.startsWith("-");
  const text = isNegated ? written.slice(1) : written;
  // One backslash is the escape, any others are the value's own: so every value can be written.
  const value = /^\\+-/.test(text) ? text.slice(1) : text;
  const equal: Condition = { kind: "equals", attribute, value, printed: true };
  return { attribute, filter: isNegated ? negated(equal) : equal };
}
