// Queries and judgements: as callers pass them, and checked and grouped by query.

import { Checker } from "../input/kinds.js";
import { copyItems, copyProperties, type PlainObject } from "../input/plain-data.js";
import type { SearchParams } from "../input/search-params.js";
import { throwValidationErrors } from "../util/errors.js";

/** A judged query. */
export interface JudgedQuery {
  readonly id: string | number;
  readonly query: string;
  /** Further parameters of this query, such as filters. The evaluation sets page and page size. */
  readonly params?: Omit<SearchParams, "query" | "page" | "hitsPerPage" | "offset" | "length"> | undefined;
}

/** How relevant a record is to a query. Records without a judgement count as irrelevant and as unjudged. */
export interface Judgement {
  readonly queryId: string | number;
  readonly recordId: string | number;
  /** Any finite number; 0 or less means irrelevant, more is better. */
  readonly relevance: number;
}

/** Queries and judgements. */
export interface JudgedSet {
  readonly queries: readonly JudgedQuery[];
  /** Judgements in any order. Those of queries that are not in the list are ignored. */
  readonly qrels: readonly Judgement[];
}

/** A query with its judgements. */
export interface CheckedQuery {
  readonly id: string;
  readonly params: SearchParams;
  readonly relevance: ReadonlyMap<string, number>;
}

/** A judged set, checked. */
export interface CheckedSet {
  /** The queries with a relevant record, in the given order. */
  readonly queries: readonly CheckedQuery[];
  /** Ids of the queries without one; nothing can be measured by them. */
  readonly leftOut: readonly string[];
}

const MOST_QUERIES = 1_000_000;
const MOST_QRELS = 50_000_000;
const OWN_PARAMS = ["query", "page", "hitsPerPage", "offset", "length"];

/** Checks queries and judgements; throws 400 with all complaints, also when no query has a relevant record. */
export function readJudgedSet(given: unknown, relevantFrom: number): CheckedSet {
  const entries = take(given, "judgements");
  const check = new Checker("invalid_judgements", "");
  const queries = readQueries(entries.queries, check);
  readQrels(entries.qrels, queries, check);
  throwValidationErrors(check.complaints);
  const all = [...queries.values()];
  const counts = ({ relevance }: CheckedQuery): boolean =>
    [...relevance.values()].some((value) => value > 0 && value >= relevantFrom);
  const counted = all.filter(counts);
  if (counted.length === 0) check.complain("qrels", entries.qrels, "a relevant record for at least one query");
  throwValidationErrors(check.complaints);
  return { queries: counted, leftOut: all.filter((query) => !counts(query)).map(({ id }) => id) };
}

/** What is within is read, or passed on to the engine, by itself. */
function take(given: unknown, what: string): PlainObject {
  return copyProperties(given, { what, error: "invalid_judgements" });
}

type OpenQuery = CheckedQuery & { readonly relevance: Map<string, number> };

function readQueries(value: unknown, check: Checker): Map<string, OpenQuery> {
  const queries = new Map<string, OpenQuery>();
  const list = copyItems(value, MOST_QUERIES);
  if (list === undefined) check.complain("queries", value, "a list of { id, query }");
  for (const [i, item] of (list ?? []).entries()) {
    const name = `queries[${i}]`;
    const entries = take(item, name);
    const id = idOf(entries.id);
    const query = entries.query;
    const params = take(entries.params ?? {}, `${name}.params`);
    if (id === undefined) check.complain(`${name}.id`, entries.id, "a text or a number");
    else if (queries.has(id)) check.complain(`${name}.id`, entries.id, "an id that no other query has");
    if (typeof query !== "string") check.complain(`${name}.query`, query, "a text");
    for (const own of OWN_PARAMS)
      if (params[own] !== undefined)
        check.complain(`${name}.params.${own}`, params[own], "nothing: the evaluation sets it");
    if (id !== undefined && typeof query === "string")
      queries.set(id, { id, params: { ...params, query }, relevance: new Map() });
  }
  return queries;
}

function readQrels(value: unknown, queries: ReadonlyMap<string, OpenQuery>, check: Checker): void {
  const list = copyItems(value, MOST_QRELS);
  if (list === undefined) check.complain("qrels", value, "a list of { queryId, recordId, relevance }");
  for (const [i, item] of (list ?? []).entries()) {
    const name = `qrels[${i}]`;
    const entries = take(item, name);
    const [queryId, recordId] = [idOf(entries.queryId), idOf(entries.recordId)];
    const relevance = entries.relevance;
    if (queryId === undefined) check.complain(`${name}.queryId`, entries.queryId, "a text or a number");
    if (recordId === undefined) check.complain(`${name}.recordId`, entries.recordId, "a text or a number");
    if (typeof relevance !== "number" || !Number.isFinite(relevance))
      check.complain(`${name}.relevance`, relevance, "a number");
    else if (queryId !== undefined && recordId !== undefined) {
      const judged = queries.get(queryId)?.relevance;
      if (judged !== undefined && (judged.get(recordId) ?? relevance) !== relevance)
        check.complain(
          `${name}.relevance`,
          relevance,
          `${judged.get(recordId)}, the earlier relevance of the same record`,
        );
      judged?.set(recordId, relevance);
    }
  }
}

function idOf(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;
}
