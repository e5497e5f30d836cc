// Filters and query terms as queries of the cluster, which find exactly what they stand for; what cannot be said exactly is 501. Texts of
// callers are values of queries alone, never part of a script or of a query string; in regular expressions they are escaped.

import type { QueryTerm, TermAlternative } from "../analysis/query-term.js";
import type { AttributeValue } from "../docvalues/doc-values.js";
import { valuesPrintedAs } from "../docvalues/evaluate-filter.js";
import type { Filter } from "../docvalues/filter.js";
import { type Area, PLACES } from "../docvalues/place.js";
import { has } from "../util/json.js";
import { cannot, columnOf, fact, factPrefix, featureOf, fieldTerm, orderedFact } from "./remote-documents.js";

/** A query of the cluster. */
export type ClusterQuery = Readonly<Record<string, unknown>>;

/** All records; the document of the settings has no id. */
export const ALL: ClusterQuery = { exists: { field: "id" } };
const NOTHING: ClusterQuery = { match_none: {} };

/** A text within a regular expression of the cluster. */
export function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "\\$&");
}

/** What passes all of some queries. */
export function allOf(queries: readonly ClusterQuery[]): ClusterQuery {
  const telling = queries.filter((query) => query !== ALL);
  return telling.length === 1 ? telling[0]! : telling.length === 0 ? ALL : { bool: { filter: telling } };
}

/** What passes any of some queries. */
export function anyOf(queries: readonly ClusterQuery[]): ClusterQuery {
  if (queries.length === 1) return queries[0]!;
  return queries.length === 0 ? NOTHING : { bool: { should: queries, minimum_should_match: 1 } };
}

/** What does not pass any of some queries. */
export function noneOf(queries: readonly ClusterQuery[]): ClusterQuery {
  return queries.length === 0 ? ALL : { bool: { filter: [ALL], must_not: queries } };
}

/** Records with one of these ids. */
export function withIds(ids: readonly string[]): ClusterQuery {
  return ids.length === 0 ? NOTHING : { terms: { id: ids } };
}

/** The records that pass a filter. Throws 501. */
export function filterQuery(filter: Filter): ClusterQuery {
  switch (filter.kind) {
    case "everything":
      return ALL;
    case "and":
      return allOf(filter.filters.map(filterQuery));
    case "or":
      return anyOf(filter.filters.map(filterQuery));
    case "not":
      return noneOf([filterQuery(filter.filter)]);
    case "place":
      return areaQuery(filter.area);
    case "some":
      throw cannot("conditions that one item of a list must pass together; filter by the attribute itself", "filters");
    case "exists":
      return { terms: { attributes: ["n", "s", "t"].map((kind) => kind + filter.attribute) } };
    case "equals": {
      const { attribute, printed, value } = filter;
      return valuesQuery(attribute, printed ? valuesPrintedAs(String(value)) : [value]);
    }
    case "in":
      return valuesQuery(filter.attribute, filter.values);
    case "compare":
      return rangeQuery(filter.attribute, filter.isInstant ? "d" : "r", { [filter.operator]: filter.value });
    case "between": {
      const { attribute, low, high, excludesLow, excludesHigh, isInstant } = filter;
      const bounds = { [excludesLow ? "gt" : "gte"]: low, [excludesHigh ? "lt" : "lte"]: high };
      return low > high ? NOTHING : rangeQuery(attribute, isInstant ? "d" : "r", bounds);
    }
  }
}

/** Places are compared as they were written, since the cluster rounds its own to centimetres; these leave out what is far away. */
function areaQuery(area: Area): ClusterQuery {
  const isCircle = has(area, "center");
  const boxes = isCircle ? [] : area.boxes.map(({ south, north, west, east }) => [south, north, west, east]);
  const circle = isCircle ? [area.center.lat, area.center.lng, area.radius] : [];
  const params = { field: columnOf(PLACES), prefix: factPrefix(PLACES, "p"), boxes, circle };
  const place = isCircle ? { lat: area.center.lat, lon: area.center.lng } : undefined;
  const near = isCircle
    ? { geo_distance: { distance: `${area.radius + MARGIN_METRES}m`, place } }
    : { exists: { field: "place" } };
  return allOf([near, { script: { script: { source: IN_AREA, params } } }]);
}

const MARGIN_METRES = 10;
/** As `testOf` of docvalues/place. */
const IN_AREA = `for (String text : doc[params.field]) {
  if (!text.startsWith(params.prefix)) { continue; }
  int comma = text.indexOf(',', params.prefix.length());
  double lat = Double.parseDouble(text.substring(params.prefix.length(), comma));
  double lng = Double.parseDouble(text.substring(comma + 1));
  for (def box : params.boxes) {
    if (lat < box[0] || lat > box[1]) { continue; }
    if (box[2] <= box[3] ? lng >= box[2] && lng <= box[3] : lng >= box[2] || lng <= box[3]) { return true; }
  }
  if (params.circle.length > 0) {
    double rad = Math.PI / 180;
    double h = Math.sin((params.circle[0] - lat) * rad / 2);
    double w = Math.sin((params.circle[1] - lng) * rad / 2);
    double part = h * h + Math.cos(lat * rad) * Math.cos(params.circle[0] * rad) * (w * w);
    if (2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(part))) <= params.circle[2]) { return true; }
  }
}
return false;`;

function rangeQuery(attribute: string, kind: "r" | "d", bounds: Readonly<Record<string, number>>): ClusterQuery {
  if (Object.values(bounds).some(Number.isNaN)) return NOTHING;
  const facts = Object.entries(bounds).map(([name, bound]) => [name, orderedFact(kind, attribute, bound)] as const);
  const has = (letter: string): boolean => facts.some(([name]) => name.startsWith(letter));
  // Digits are hexadecimal.
  const open = {
    ...(!has("g") && { gte: factPrefix(attribute, kind) }),
    ...(!has("l") && { lt: `${factPrefix(attribute, kind)}g` }),
  };
  return { range: { [columnOf(attribute)]: { ...open, ...Object.fromEntries(facts) } } };
}

/** Records with one of some values of an attribute, each of its own kind. */
export function valuesQuery(attribute: string, values: readonly AttributeValue[]): ClusterQuery {
  return { terms: { [columnOf(attribute)]: values.map((value) => fact(attribute, value)) } };
}

/** The fields in which words are searched: some, or all that an index searches. */
export interface SearchedFields {
  /** undefined: all. */
  readonly restricted: readonly string[] | undefined;
  readonly all: readonly string[];
}

/** Records with an index term, in the searched fields but some. */
export function holdsOne(term: string, { restricted, all }: SearchedFields, notIn?: ReadonlySet<string>): ClusterQuery {
  if (restricted === undefined && (notIn === undefined || notIn.size === 0)) return { term: { terms: term } };
  const fields = (restricted ?? all).filter((field) => notIn?.has(field) !== true);
  return { terms: { fieldTerms: fields.map((field) => fieldTerm(field, term)) } };
}

/** Records with all index terms of one of the alternatives of a query term. */
export function holdsTerm({ alternatives }: QueryTerm, fields: SearchedFields): ClusterQuery {
  return anyOf(alternatives.map(({ terms, notIn }) => allOf(terms.map((term) => holdsOne(term, fields, notIn)))));
}

/** A query term with its score, a whole number: its weight times the impact in a record. The best alternative counts. */
export function scoredTerm({ alternatives }: QueryTerm, weight: number, fields: SearchedFields): ClusterQuery {
  const scored = alternatives.map((alternative) => scoredAlternative(alternative, weight, fields));
  return scored.length === 1 ? scored[0]! : { dis_max: { queries: scored } };
}

/** Where all of several index terms must be held, each counts for its part. */
function scoredAlternative({ terms, weight: own, notIn }: TermAlternative, weight: number, fields: SearchedFields) {
  const boost = Math.max(1, Math.round((weight * own) / terms.length));
  const one = (term: string): ClusterQuery => {
    const feature = { rank_feature: { field: featureOf(term), linear: {}, boost } };
    const isPlain = fields.restricted === undefined && (notIn === undefined || notIn.size === 0);
    return isPlain ? feature : { bool: { must: [feature], filter: [holdsOne(term, fields, notIn)] } };
  };
  return terms.length === 1 ? one(terms[0]!) : { bool: { must: terms.map(one) } };
}
