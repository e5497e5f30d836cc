// Filters and query terms as queries of the cluster. Each finds at least what it stands for; `isExact` says whether it finds nothing else.
// Texts of callers are values of term and range queries alone, never part of a script or of a query string.

import type { QueryTerm } from "../analysis/query-term.js";
import { type AttributeValue, type Condition, type Filter, pathWithin } from "../docvalues/filter.js";
import type { Area } from "../docvalues/place.js";
import { factOf, factPrefix, fieldTerm, isCut, numberFact } from "./record-terms.js";

/** A text within a regular expression of the cluster. */
export function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "\\$&");
}

/** A query of the cluster. */
export type ClusterQuery = Readonly<Record<string, unknown>>;

/** A query, and whether it finds nothing but what it stands for. */
export interface Translated {
  readonly query: ClusterQuery;
  readonly isExact: boolean;
}

export const ALL: ClusterQuery = { match_all: {} };
const NOTHING: ClusterQuery = { match_none: {} };
const EXACT_ALL: Translated = { query: ALL, isExact: true };

const exact = (query: ClusterQuery): Translated => ({ query, isExact: true });

/** All of some queries. */
export function allOf(queries: readonly ClusterQuery[]): ClusterQuery {
  return queries.length === 1 ? queries[0]! : queries.length === 0 ? ALL : { bool: { filter: queries } };
}

/** Any of some queries. */
export function anyOf(queries: readonly ClusterQuery[]): ClusterQuery {
  if (queries.length === 1) return queries[0]!;
  return queries.length === 0 ? NOTHING : { bool: { should: queries, minimum_should_match: 1 } };
}

/** A filter, of names that are seen from the items of a list; "": from the record. */
export function filterQuery(filter: Filter, list = ""): Translated {
  switch (filter.kind) {
    case "everything":
      return EXACT_ALL;
    case "and":
    case "or": {
      const parts = filter.filters.map((part) => filterQuery(part, list));
      const join = filter.kind === "and" ? allOf : anyOf;
      return { query: join(parts.map(({ query }) => query)), isExact: parts.every(({ isExact }) => isExact) };
    }
    case "not": {
      const { query, isExact } = filterQuery(filter.filter, list);
      // What may find too much would leave out too much.
      return isExact ? exact({ bool: { must_not: [query] } }) : { query: ALL, isExact: false };
    }
    case "some": {
      // That one item has all of it is not known to the cluster.
      const { query } = filterQuery(filter.filter, pathWithin(list, filter.path));
      return { query: isOfItems(filter.filter) ? query : ALL, isExact: false };
    }
    case "place":
      return exact(areaQuery(filter.area));
    default:
      return conditionQuery(filter, pathWithin(list, filter.attribute));
  }
}

/** The edge of a circle is where the cluster computes it. */
function areaQuery(area: Area): ClusterQuery {
  if ("center" in area) {
    const { center, radius } = area;
    return { geo_distance: { distance: `${radius}m`, place: { lat: center.lat, lon: center.lng } } };
  }
  return anyOf(
    area.boxes.map(({ south, north, west, east }) => ({
      geo_bounding_box: { place: { top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } } },
    })),
  );
}

/** Whether a filter of an item can be asked of a record: a record that has such an item passes it. */
function isOfItems(filter: Filter): boolean {
  if (filter.kind === "and" || filter.kind === "or") return filter.filters.every(isOfItems);
  return filter.kind !== "not" && filter.kind !== "everything" && filter.kind !== "place";
}

function conditionQuery(condition: Condition, path: string): Translated {
  switch (condition.kind) {
    case "exists":
      return exact(term("paths", path));
    case "equals":
      return valuesQuery(path, condition.printed ? printedLike(condition.value) : [condition.value]);
    case "in":
      return valuesQuery(path, condition.values);
    case "compare": {
      const { operator, value, isInstant } = condition;
      const bound = numberFact(path, isInstant ? "d" : "n", value);
      return exact(range(path, isInstant ? "d" : "n", { [operator]: bound }));
    }
    case "between": {
      const { low, high, excludesLow, excludesHigh, isInstant } = condition;
      const kind = isInstant ? "d" : "n";
      return exact(
        low > high
          ? NOTHING
          : range(path, kind, {
              [excludesLow ? "gt" : "gte"]: numberFact(path, kind, low),
              [excludesHigh ? "lt" : "lte"]: numberFact(path, kind, high),
            }),
      );
    }
  }
}

function term(field: string, value: string): ClusterQuery {
  return { term: { [field]: { value } } };
}

function terms(field: string, values: readonly string[]): ClusterQuery {
  return values.length === 1 ? term(field, values[0]!) : values.length === 0 ? NOTHING : { terms: { [field]: values } };
}

function valuesQuery(path: string, values: readonly AttributeValue[]): Translated {
  const facts = [...new Set(values.map((value) => factOf(path, value)))];
  return { query: terms("facts", facts), isExact: !values.some(isCut) };
}

/** The values that print like one. */
function printedLike(value: AttributeValue): AttributeValue[] {
  const text = String(value);
  const number = Number(text);
  const alike: AttributeValue[] = [text];
  if (text.trim() !== "" && String(number) === text) alike.push(number);
  if (text === "true" || text === "false") alike.push(text === "true");
  return alike;
}

/** All facts of a path and a kind are between these two. */
function range(path: string, kind: string, bounds: Readonly<Record<string, string>>): ClusterQuery {
  const all = { gte: factPrefix(path, kind), lt: factPrefix(path, String.fromCharCode(kind.charCodeAt(0) + 1)) };
  const has = (...names: readonly string[]): boolean => names.some((name) => bounds[name] !== undefined);
  const open = {
    ...(has("gt", "gte") ? {} : { gte: all.gte }),
    ...(has("lt", "lte") ? {} : { lt: all.lt }),
  };
  return { range: { facts: { ...open, ...bounds } } };
}

/** A record with all of these terms, in some fields; undefined: in all that are searched. */
export function holdsAll(index: readonly string[], fields: readonly string[] | undefined): ClusterQuery {
  const one = (text: string): ClusterQuery =>
    fields === undefined
      ? term("terms", text)
      : terms(
          "fieldTerms",
          fields.map((field) => fieldTerm(field, text)),
        );
  return allOf(index.map(one));
}

/** A record with a query term. Fields in which an alternative does not count are left to whoever has the record. */
export function holdsTerm({ alternatives }: QueryTerm, fields: readonly string[] | undefined): ClusterQuery {
  return anyOf(alternatives.map((alternative) => holdsAll(alternative.terms, fields)));
}

/**
 * A query term with a score: at most about `weight`. `idfOf`: what the cluster multiplies the score of an index term by. Of several
 * alternatives the best counts.
 */
export function scoredTerm(
  { alternatives }: QueryTerm,
  weight: number,
  idfOf: (term: string) => number,
  fields: readonly string[] | undefined,
): ClusterQuery {
  const one = (text: string, boost: number): ClusterQuery =>
    fields === undefined
      ? { term: { terms: { value: text, boost: boost / idfOf(text) } } }
      : { constant_score: { filter: holdsAll([text], fields), boost: boost / 2 } };
  const scored = alternatives.map((alternative) => {
    const { terms: all } = alternative;
    const boost = (weight * alternative.weight) / all.length;
    return all.length === 1 ? one(all[0]!, boost) : { bool: { must: all.map((text) => one(text, boost)) } };
  });
  return scored.length === 1 ? scored[0]! : { dis_max: { queries: scored } };
}
