// A search as Medusa asks for it, as parameters of the engine. Each option is answered exactly, or refused.

import { isInteger } from "../input/kinds.js";
import { show } from "../util/errors.js";
import { type Projection, projectionOf, vectorIn } from "./document.js";
import { type Facet, type MedusaFacetRequest, type MedusaFacetResult, readFacets } from "./facets.js";
import { filterOf, NOTHING } from "./filter.js";
import {
  checkNames,
  DEFINITION_RULE,
  DOCUMENT,
  flag,
  type IndexDefinition,
  type Leaf,
  leafAt,
  type MedusaIndex,
  objectOf,
  ownOptions,
} from "./index-definition.js";
import { medusaError } from "./medusa-error.js";

/** A search; Medusa's `ProviderSearchQuery`. */
export interface MedusaSearch {
  readonly index: MedusaIndex;
  readonly attributes_to_retrieve: readonly string[];
  readonly q?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly pagination?: {
    readonly skip?: number;
    readonly take?: number;
    readonly order?: Readonly<Record<string, "ASC" | "DESC">>;
    readonly cursor?: string;
  };
  readonly search_options?: {
    readonly attributes_to_search_on?: readonly string[];
    readonly match_strategy?: "all" | "any" | "last";
    readonly typo_tolerance?: boolean;
    readonly facets?: readonly (string | MedusaFacetRequest)[];
    readonly disjunctive_facets?: boolean;
    readonly highlight?:
      | boolean
      | {
          readonly fields: readonly string[];
          readonly pre_tag?: string;
          readonly post_tag?: string;
          readonly snippet?: boolean | { readonly length: number };
        };
    readonly distinct?: string;
    readonly min_score?: number;
    readonly include_score?: boolean;
    readonly locales?: readonly string[];
    readonly vector?: {
      readonly field?: string;
      readonly value?: readonly number[];
      readonly query?: string;
      readonly semantic_ratio?: number;
    };
    readonly count?: "estimated" | "exact" | "none";
    readonly provider_options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** What a search answers; Medusa's `SearchResult`. */
export interface MedusaSearchResult {
  hits: {
    id: string;
    score?: number;
    document: Record<string, unknown>;
    highlights?: Record<string, string[]>;
  }[];
  facets?: Record<string, MedusaFacetResult>;
  metadata: {
    skip: number;
    take: number;
    count: number | null;
    next_cursor?: string;
    query?: string;
    processing_time_ms: number;
  };
}

/** Parameters of the engine. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A search that was read. */
export interface SearchRequest {
  /** Says what is found: the same for hits, counts and facets. */
  readonly found: Parameters;
  /** Says which of these are shown, and how. */
  readonly shown: Parameters;
  /** The text that is embedded into `found.vector`; undefined: none. */
  readonly embedded: string | undefined;
  readonly facets: readonly Facet[];
  /** Hits are groups. */
  readonly isGrouped: boolean;
  readonly projection: Projection;
  /** The leaves whose marked texts are told, and where the engine's answer has these; undefined: none are. */
  readonly highlights:
    | { readonly leaves: readonly Leaf[]; readonly of: "_highlightResult" | "_snippetResult" }
    | undefined;
  readonly hasScores: boolean;
  readonly isCounted: boolean;
  readonly skip: number;
  readonly take: number;
  readonly query: string | undefined;
}

const USUAL_TAKE = 20;
const MOST_TAKE = 1000;
const MOST_ORDERS = 16;
const LONGEST_TAG = 64;
const USUAL_WORDS = 10;
const SEMANTIC_DEPTH = 1000;
const SCORE = "_score";
const OWN_PARAMETERS = [
  ...["aroundLatLng", "aroundRadius", "insideBoundingBox", "boosts", "ruleContexts", "semanticFloor", "semanticDepth"],
];

const wrong = (message: string): Error => medusaError("invalid_data", message);
const impossible = (message: string): Error => medusaError("not_allowed", message);

/** Reads a search. Throws `invalid_data` for what is wrong, `not_allowed` for what this provider cannot do. */
export function readSearch(given: unknown, definition: IndexDefinition): SearchRequest {
  const { index, attributes_to_retrieve, q, filters, pagination, search_options, context, ...others } = objectOf(
    given,
    "A search",
  );
  checkNames(others, [], "A search");
  const query = q ?? undefined;
  if (query !== undefined && typeof query !== "string") throw wrong(`q is ${show(query)}; pass a text.`);
  const options = objectOf(search_options ?? {}, "search_options");
  checkNames(options, OPTIONS, "search_options");
  checkOthers(options, definition);
  const hasWords = query !== undefined && query.trim() !== "";
  const searched = searchedOf(options.attributes_to_search_on, definition);
  if (hasWords && searched.length === 0) throw wrong("q is given, and no field of the index is searchable.");
  const { ruleContexts = [], ...own } = ownOptions(options.provider_options, "search_options", OWN_PARAMETERS);
  if (!Array.isArray(ruleContexts)) throw wrong(`ruleContexts is ${show(ruleContexts)}; pass a list of texts.`);
  const meaning = meaningOf(options.vector, hasWords, definition);
  const score = scoreOf(options.min_score, hasWords || meaning.isSearched);
  const passing = filterOf(filters, definition);
  const { parameters, ...page } = pageOf(pagination, own, definition);
  const highlights = highlightsOf(options.highlight, searched, definition);
  return {
    found: {
      query: query ?? "",
      filters: score.isAbove ? NOTHING : passing,
      ...(score.least !== undefined && { minScore: score.least }),
      ...matchingOf(options),
      typoTolerance: flag(options.typo_tolerance, "typo_tolerance") && definition.hasTypoTolerance,
      ...(options.attributes_to_search_on !== undefined && {
        restrictSearchableAttributes: searched.map(({ attribute }) => attribute),
      }),
      ...meaning.parameters,
      ...own,
      ruleContexts: [DEFINITION_RULE, ...ruleContexts],
    },
    shown: { ...parameters, ...(hasWords && highlights?.parameters), attributesToRetrieve: [DOCUMENT] },
    embedded: meaning.embedded,
    facets: readFacets(options.facets, definition),
    isGrouped: definition.distinct !== undefined,
    projection: projectionOf(texts(attributes_to_retrieve, "attributes_to_retrieve"), definition),
    highlights: hasWords ? highlights : undefined,
    hasScores: flag(options.include_score, "include_score"),
    isCounted: options.count !== "none",
    ...page,
    query,
  };
}

const OPTIONS = [
  ...["attributes_to_search_on", "match_strategy", "typo_tolerance", "facets", "disjunctive_facets", "highlight"],
  ...["distinct", "min_score", "include_score", "locales", "vector", "count", "provider_options"],
];

/** The options that say nothing more than whether the search can be answered. */
function checkOthers({ disjunctive_facets, locales, distinct, count }: Parameters, definition: IndexDefinition): void {
  if (flag(disjunctive_facets, "disjunctive_facets"))
    throw impossible("disjunctive_facets is what the Search Module makes several searches of; pass these.");
  if (locales !== undefined && texts(locales, "locales").length > 0)
    throw impossible("locales is given, and the language of an index is fixed; leave it out.");
  if (count !== undefined && count !== "exact" && count !== "estimated" && count !== "none")
    throw wrong(`count is ${show(count)}; pass "exact", "estimated" or "none".`);
  if (distinct === undefined) return;
  const { path } = leafAt(distinct, definition, "distinct");
  if (path !== definition.distinct)
    throw impossible(`distinct is ${show(path)}; this index groups by its distinct_attribute alone.`);
}

function matchingOf({ match_strategy = "all" }: Parameters): Parameters {
  if (match_strategy === "any") return { matching: "any", queryType: "prefixNone" };
  if (match_strategy === "all") return { matching: "all", queryType: "prefixNone" };
  if (match_strategy === "last") return { matching: "all", queryType: "prefixLast" };
  throw wrong(`match_strategy is ${show(match_strategy)}; pass "all", "any" or "last".`);
}

/** The leaves in which words are searched. */
function searchedOf(given: unknown, definition: IndexDefinition): readonly Leaf[] {
  const all = [...definition.leaves.values()].filter(({ weight }) => weight !== undefined);
  if (given === undefined) return all;
  const paths = texts(given, "attributes_to_search_on");
  if (paths.length === 0) throw wrong("attributes_to_search_on is empty; name searchable fields, or leave it out.");
  return paths.map((path) => searchable(path, definition, "attributes_to_search_on"));
}

function searchable(path: string, definition: Pick<IndexDefinition, "leaves" | "objects">, at: string): Leaf {
  const leaf = leafAt(path, definition, at);
  if (leaf.weight === undefined) throw wrong(`${at} names ${show(path)}, which is not searchable.`);
  return leaf;
}

function scoreOf(given: unknown, hasScores: boolean): { readonly least?: number; readonly isAbove: boolean } {
  if (given === undefined) return { isAbove: false };
  if (typeof given !== "number" || Number.isNaN(given)) throw wrong(`min_score is ${show(given)}; pass a number.`);
  if (!hasScores) throw impossible("min_score is given without q and vector: there are no scores.");
  return given > 1 ? { isAbove: true } : { ...(given > 0 && { least: given }), isAbove: false };
}

interface Meaning {
  readonly parameters: Parameters;
  readonly embedded: string | undefined;
  readonly isSearched: boolean;
}

function meaningOf(given: unknown, hasWords: boolean, definition: IndexDefinition): Meaning {
  const none: Meaning = { parameters: { semanticWeight: 0 }, embedded: undefined, isSearched: false };
  if (given === undefined) return none;
  const { field, value, query, semantic_ratio = hasWords ? 0.5 : 1, ...others } = objectOf(given, "vector");
  checkNames(others, [], "vector");
  const leaf = [...definition.leaves.values()].find(({ type }) => type === "vector");
  if (field !== undefined && leafAt(field, definition, "vector.field") !== leaf)
    throw wrong(`vector.field names ${show(field)}, which is no vector field.`);
  if (leaf === undefined) throw wrong("vector is given, and the index has no vector field.");
  const { dimensions, isEmbedded } = leaf.vector!;
  if ((value === undefined) === (query === undefined)) throw wrong("vector has value and query, or neither; pass one.");
  if (query !== undefined && !isEmbedded)
    throw wrong(`vector.query is given, and ${show(leaf.path)} holds vectors of your own; pass a value.`);
  if (query !== undefined && (typeof query !== "string" || query.trim() === ""))
    throw wrong(`vector.query is ${show(query)}; pass a text.`);
  const vector = value === undefined ? undefined : vectorIn(value, dimensions);
  if (value !== undefined && vector === undefined)
    throw wrong(`vector.value is no vector; pass a list of ${dimensions} numbers that are not all 0.`);
  if (typeof semantic_ratio !== "number" || !(semantic_ratio >= 0 && semantic_ratio <= 1))
    throw wrong(`vector.semantic_ratio is ${show(semantic_ratio)}; pass a number from 0 to 1.`);
  if (semantic_ratio === 0) return none;
  const parameters = { semanticWeight: semantic_ratio, semanticFloor: 0, semanticDepth: SEMANTIC_DEPTH };
  return {
    parameters: vector === undefined ? parameters : { ...parameters, vector },
    embedded: query as string | undefined,
    isSearched: true,
  };
}

function pageOf(
  given: unknown,
  { aroundLatLng }: Parameters,
  definition: IndexDefinition,
): { readonly parameters: Parameters; readonly skip: number; readonly take: number } {
  const { skip, take, order, cursor, ...others } = objectOf(given ?? {}, "pagination");
  checkNames(others, [], "pagination");
  const [from, most] = [countOf(skip, 0, "skip"), countOf(take, USUAL_TAKE, "take")];
  if (most > MOST_TAKE) throw impossible(`pagination.take is ${most}; a page has at most ${MOST_TAKE} hits.`);
  if (cursor !== undefined && typeof cursor !== "string")
    throw wrong(`pagination.cursor is ${show(cursor)}; pass the next_cursor of an answer.`);
  if (cursor !== undefined && (from > 0 || most === 0))
    throw wrong("pagination.cursor stands beside skip or take 0; pass it alone.");
  const orders = order === undefined ? [] : sortOf(order, aroundLatLng, definition);
  // An empty list would say that no rule may sort.
  const sort = orders.length > 0 && { sort: orders };
  const parameters =
    most === 0
      ? { hitsPerPage: 0 }
      : from > 0
        ? { offset: from, length: most, ...sort }
        : { cursor: cursor ?? "start", hitsPerPage: most, ...sort };
  return { parameters, skip: from, take: most };
}

function countOf(given: unknown, usual: number, name: string): number {
  if (given === undefined) return usual;
  if (isInteger(given, 0, Number.MAX_SAFE_INTEGER)) return given;
  throw wrong(`pagination.${name} is ${show(given)}; pass an integer from 0.`);
}

function sortOf(order: unknown, aroundLatLng: unknown, definition: IndexDefinition): readonly string[] {
  const entries = Object.entries(objectOf(order, "pagination.order")).filter(([, way]) => way !== undefined);
  if (entries.length > MOST_ORDERS) throw impossible(`pagination.order has more than ${MOST_ORDERS} fields.`);
  return entries.map(([path, way]) => {
    if (way !== "ASC" && way !== "DESC")
      throw wrong(`pagination.order: ${show(path)} is ${show(way)}; pass "ASC" or "DESC".`);
    const direction = way === "ASC" ? "asc" : "desc";
    if (path === SCORE) return `${SCORE}:${direction}`;
    const { attribute, isSortable, isList, type } = leafAt(path, definition, "pagination.order");
    if (!isSortable) throw wrong(`pagination.order names ${show(path)}, which is not sortable.`);
    if (isList) throw impossible(`pagination.order names ${show(path)}, of which a document may have several values.`);
    if (type !== "geo") return `${attribute}:${direction}`;
    if (aroundLatLng === undefined)
      throw impossible(`pagination.order names the place ${show(path)}; pass aroundLatLng in provider_options too.`);
    return `_geoPoint(${String(aroundLatLng)}):${direction}`;
  });
}

/** What the engine marks, and where. */
function highlightsOf(
  given: unknown,
  searched: readonly Leaf[],
  definition: IndexDefinition,
): (SearchRequest["highlights"] & { readonly parameters: Parameters }) | undefined {
  if (given === undefined || given === false) return undefined;
  const asked = given === true ? {} : objectOf(given, "highlight");
  const { fields, pre_tag = "<mark>", post_tag = "</mark>", snippet, ...others } = asked;
  checkNames(others, [], "highlight");
  const marked = given === true ? searched.filter(({ isRetrievable }) => isRetrievable) : markedOf(fields, definition);
  const leaves = marked.filter((leaf) => searched.includes(leaf));
  const words = wordsOf(snippet);
  const attributes = leaves.map(({ attribute }) => (words === undefined ? attribute : `${attribute}:${words}`));
  const parameters = {
    [words === undefined ? "attributesToHighlight" : "attributesToSnippet"]: attributes,
    highlightPreTag: tagOf(pre_tag, "pre_tag"),
    highlightPostTag: tagOf(post_tag, "post_tag"),
  };
  return { leaves, of: words === undefined ? "_highlightResult" : "_snippetResult", parameters };
}

function markedOf(fields: unknown, definition: IndexDefinition): readonly Leaf[] {
  return [...new Set(texts(fields, "highlight.fields"))].map((path) => {
    const leaf = searchable(path, definition, "highlight.fields");
    if (!leaf.isRetrievable) throw impossible(`highlight.fields names ${show(path)}, which is not retrievable.`);
    return leaf;
  });
}

/** How many words a snippet has; undefined: the texts are whole. */
function wordsOf(snippet: unknown): number | undefined {
  if (snippet === undefined || typeof snippet === "boolean") return snippet ? USUAL_WORDS : undefined;
  const { length, ...others } = objectOf(snippet, "highlight.snippet");
  checkNames(others, [], "highlight.snippet");
  if (isInteger(length, 1, Number.MAX_SAFE_INTEGER)) return length;
  throw wrong(`highlight.snippet.length is ${show(length)}; pass a number of words from 1.`);
}

function tagOf(given: unknown, name: string): string {
  if (typeof given !== "string") throw wrong(`highlight.${name} is ${show(given)}; pass a text.`);
  if (given.length > LONGEST_TAG) throw impossible(`highlight.${name} has more than ${LONGEST_TAG} characters.`);
  return given;
}

function texts(given: unknown, at: string): readonly string[] {
  if (Array.isArray(given) && given.every((each) => typeof each === "string")) return given as string[];
  throw wrong(`${at} is ${Array.isArray(given) ? "a list of other values" : show(given)}; pass a list of texts.`);
}
