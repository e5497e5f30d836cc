// A search as Medusa asks for it, as parameters of the engine. Each option is answered exactly, or refused.

import { boolean, integer, LONGEST_TAG, MAX_INTEGER, number, oneOf, that } from "../input/kinds.js";
import { show } from "../util/errors.js";
import { type Projection, projectionOf, vectorIn } from "./document.js";
import { type Facet, type MedusaFacetRequest, type MedusaFacetResult, readFacets } from "./facets.js";
import { EVERYTHING, filterOf, NOTHING } from "./filter.js";
import {
  DEFINITION_RULE,
  DOCUMENT,
  type IndexDefinition,
  type Leaf,
  leafAt,
  type MedusaIndex,
} from "./index-definition.js";
import { impossible, wrong } from "./medusa-error.js";
import { anything, entriesOf, list, type Options, optionsIn, ownOptions, switchedOn, text, texts } from "./options.js";

/** A search; Medusa's `ProviderSearchQuery`. */
export interface MedusaSearch {
  readonly index: MedusaIndex;
  readonly attributes_to_retrieve: readonly string[];
  readonly q?: string;
  readonly filters?: Options;
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
    readonly provider_options?: Readonly<Record<string, Options>>;
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

/** A search that was read. */
export interface SearchRequest {
  /** The engine's parameters that say what is found: the same for hits, counts and facets. */
  readonly found: Options;
  /** Those that say which of these are shown, and how. */
  readonly shown: Options;
  /** The text that is embedded into `found.vector`; undefined: none. */
  readonly embedded: string | undefined;
  readonly facets: readonly Facet[];
  readonly projection: Projection;
  /** The leaves whose marked texts are told, and where the engine's answer has these; undefined: none are. */
  readonly highlights: Highlights | undefined;
  readonly hasScores: boolean;
  /** What is told of the request. */
  readonly metadata: { readonly skip: number; readonly take: number; readonly query?: string };
  readonly isCounted: boolean;
}

type SearchOptions = NonNullable<MedusaSearch["search_options"]>;

interface Highlights {
  readonly leaves: readonly Leaf[];
  readonly of: "_highlightResult" | "_snippetResult";
}

const USUAL_TAKE = 20;
const MOST_TAKE = 1000;
const USUAL_WORDS = 10;
/** How many documents meaning alone finds. */
const SEMANTIC_DEPTH = 1000;
const SCORE = "_score";

const WHOLE = integer(0, MAX_INTEGER);
const SEARCH = {
  ...{ index: anything, attributes_to_retrieve: texts, q: text, filters: anything },
  ...{ pagination: anything, search_options: anything, context: anything },
};
const SEARCH_OPTIONS = {
  ...{ attributes_to_search_on: texts, match_strategy: oneOf("all", "any", "last"), typo_tolerance: boolean },
  ...{ facets: list, disjunctive_facets: boolean, highlight: anything, distinct: text, locales: texts },
  ...{ min_score: that(isNumber, "a number"), include_score: boolean, count: oneOf("exact", "estimated", "none") },
  ...{ vector: anything, provider_options: anything },
};
const OWN_PARAMETERS = {
  ...{ aroundLatLng: anything, aroundRadius: anything, insideBoundingBox: anything, boosts: anything },
  ...{ ruleContexts: list, semanticFloor: anything, semanticDepth: anything },
};
const VECTOR = { field: anything, value: anything, query: text, semantic_ratio: number(0, 1) };
const PAGINATION = { skip: WHOLE, take: WHOLE, order: anything, cursor: text };
const HIGHLIGHT = { fields: texts, pre_tag: text, post_tag: text, snippet: anything };
const SNIPPET = { length: integer(1, MAX_INTEGER) };

function isNumber(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(value);
}

/** Reads a search. Throws `invalid_data` for what is wrong, `not_allowed` for what cannot be answered. */
export function readSearch(given: unknown, definition: IndexDefinition): SearchRequest {
  const { attributes_to_retrieve, q, filters, pagination, search_options } = optionsIn(given, "A search", SEARCH);
  if (attributes_to_retrieve === undefined) throw wrong("attributes_to_retrieve is missing; pass a list of paths.");
  const options = optionsIn(search_options ?? {}, "search_options", SEARCH_OPTIONS);
  const { provider_options, min_score = 0 } = options;
  refuseOthers(options, definition);
  const hasWords = q !== undefined && q.trim() !== "";
  const searched = searchedOf(options.attributes_to_search_on, definition);
  if (hasWords && searched.length === 0) throw wrong("q is given, and no field of the index is searchable.");
  const { ruleContexts = [], ...own } = ownOptions(provider_options, "search_options", OWN_PARAMETERS);
  const meaning = meaningOf(options.vector, hasWords, definition);
  if (options.min_score !== undefined && !hasWords && meaning === undefined)
    throw impossible("min_score is given without q and vector: there are no scores.");
  const passing = filters === undefined ? EVERYTHING : filterOf(filters, definition);
  const page = pageOf(pagination ?? {}, own.aroundLatLng, definition);
  const highlights = highlightsOf(options.highlight, searched, definition);
  const isShown = hasWords && highlights !== undefined;
  return {
    found: {
      query: q ?? "",
      filters: min_score > 1 ? NOTHING : passing,
      ...(min_score > 0 && min_score <= 1 && { minScore: min_score }),
      matching: options.match_strategy === "any" ? "any" : "all",
      queryType: options.match_strategy === "last" ? "prefixLast" : "prefixNone",
      typoTolerance: options.typo_tolerance === true && definition.hasTypoTolerance,
      ...(options.attributes_to_search_on && {
        restrictSearchableAttributes: searched.map(({ attribute }) => attribute),
      }),
      semanticWeight: 0,
      ...meaning?.parameters,
      ...own,
      ruleContexts: [DEFINITION_RULE, ...ruleContexts],
    },
    shown: { ...page.parameters, ...(isShown && highlights.parameters), attributesToRetrieve: [DOCUMENT] },
    embedded: meaning?.embedded,
    facets: readFacets(options.facets ?? [], definition),
    projection: projectionOf(attributes_to_retrieve.map((path) => stepsOf(path, definition))),
    highlights: isShown ? highlights : undefined,
    hasScores: options.include_score === true,
    isCounted: options.count !== "none",
    metadata: { skip: page.skip, take: page.take, ...(q !== undefined && { query: q }) },
  };
}

function stepsOf(path: string, { leaves }: IndexDefinition): readonly string[] {
  return leaves.get(path)?.steps.map(({ name }) => name) ?? path.split(".");
}

/** The options that say nothing more than whether the search can be answered. */
function refuseOthers(
  { disjunctive_facets, locales = [], distinct }: Pick<SearchOptions, "disjunctive_facets" | "locales" | "distinct">,
  definition: IndexDefinition,
): void {
  if (disjunctive_facets === true)
    throw impossible("disjunctive_facets is what the Search Module makes several searches of; pass these.");
  if (locales.length > 0) throw impossible("locales is given, and the language of an index is fixed; leave it out.");
  if (distinct !== undefined && leafAt(distinct, definition.leaves, "distinct") !== definition.distinct)
    throw impossible(`distinct is ${show(distinct)}; this index groups by its distinct_attribute alone.`);
}

/** The leaves in which words are searched. */
function searchedOf(paths: readonly string[] | undefined, definition: IndexDefinition): readonly Leaf[] {
  if (paths === undefined) return [...definition.leaves.values()].filter(({ weight }) => weight !== undefined);
  if (paths.length === 0) throw wrong("attributes_to_search_on is empty; name searchable fields, or leave it out.");
  return paths.map((path) => searchable(path, definition, "attributes_to_search_on"));
}

function searchable(path: string, { leaves }: IndexDefinition, at: string): Leaf {
  const leaf = leafAt(path, leaves, at);
  if (leaf.weight === undefined) throw wrong(`${at} names ${show(path)}, which is not searchable.`);
  return leaf;
}

/** How meaning is searched; undefined: it is not. */
function meaningOf(
  given: unknown,
  hasWords: boolean,
  { leaves }: IndexDefinition,
): { readonly parameters: Options; readonly embedded: string | undefined } | undefined {
  if (given === undefined) return undefined;
  const { field, value, query, semantic_ratio = hasWords ? 0.5 : 1 } = optionsIn(given, "vector", VECTOR);
  const leaf = [...leaves.values()].find(({ type }) => type === "vector");
  if (leaf === undefined) throw wrong("vector is given, and the index has no vector field.");
  if (field !== undefined && leafAt(field, leaves, "vector.field") !== leaf)
    throw wrong(`vector.field names ${show(field)}, which is no vector field.`);
  if ((value === undefined) === (query === undefined)) throw wrong("vector has value and query, or neither; pass one.");
  if (query !== undefined && (!leaf.embed || query.trim() === ""))
    throw wrong(`vector.query is ${show(query)}; pass a text, or, for vectors of your own, a value instead.`);
  const vector = vectorIn(value, leaf.dimensions!);
  if (value !== undefined && vector === undefined)
    throw wrong(`vector.value is no vector; pass a list of ${leaf.dimensions} numbers that are not all 0.`);
  if (semantic_ratio === 0) return undefined;
  const parameters = { semanticWeight: semantic_ratio, semanticFloor: 0, semanticDepth: SEMANTIC_DEPTH };
  return { parameters: { ...parameters, ...(vector && { vector }) }, embedded: query };
}

function pageOf(
  given: unknown,
  aroundLatLng: unknown,
  definition: IndexDefinition,
): { readonly parameters: Options; readonly skip: number; readonly take: number } {
  const { skip = 0, take = USUAL_TAKE, order = {}, cursor } = optionsIn(given, "pagination", PAGINATION);
  if (take > MOST_TAKE) throw impossible(`pagination.take is ${take}; a page has at most ${MOST_TAKE} hits.`);
  if (cursor !== undefined && (skip > 0 || take === 0))
    throw wrong("pagination.cursor stands beside skip or take 0; pass it alone.");
  const orders = entriesOf(order, "pagination.order");
  const sort = orders.map(([path, way]) => sortBy(path, way, aroundLatLng, definition));
  const place = skip > 0 ? { offset: skip, length: take } : { cursor: cursor ?? "start", hitsPerPage: take };
  // An empty list of sort would say that no rule may sort.
  const parameters = take === 0 ? { hitsPerPage: 0 } : { ...place, ...(sort.length > 0 && { sort }) };
  return { parameters, skip, take };
}

function sortBy(path: string, way: unknown, aroundLatLng: unknown, { leaves }: IndexDefinition): string {
  if (way !== "ASC" && way !== "DESC")
    throw wrong(`pagination.order: ${show(path)} is ${show(way)}; pass "ASC" or "DESC".`);
  const direction = way.toLowerCase();
  if (path === SCORE) return `${SCORE}:${direction}`;
  const { attribute, sortable, isList, type } = leafAt(path, leaves, "pagination.order");
  if (!sortable) throw wrong(`pagination.order names ${show(path)}, which is not sortable.`);
  if (isList) throw impossible(`pagination.order names ${show(path)}, of which a document may have several values.`);
  if (type !== "geo") return `${attribute}:${direction}`;
  if (aroundLatLng === undefined)
    throw impossible(`pagination.order names the place ${show(path)}; pass aroundLatLng in provider_options too.`);
  return `_geoPoint(${String(aroundLatLng)}):${direction}`;
}

/** What the engine marks, and where. */
function highlightsOf(
  given: unknown,
  searched: readonly Leaf[],
  definition: IndexDefinition,
): (Highlights & { readonly parameters: Options }) | undefined {
  const options = switchedOn(given, "highlight", HIGHLIGHT);
  if (options === undefined) return undefined;
  const { fields, pre_tag = "<mark>", post_tag = "</mark>", snippet } = options;
  if (given !== true && fields === undefined) throw wrong("highlight has no fields; pass a list of paths, or true.");
  const named = fields?.map((path) => searchable(path, definition, "highlight.fields"));
  const hidden = named?.find(({ retrievable }) => !retrievable);
  if (hidden) throw impossible(`highlight.fields names ${show(hidden.path)}, which is not retrievable.`);
  if (Math.max(pre_tag.length, post_tag.length) > LONGEST_TAG)
    throw impossible(`A tag of highlight has more than ${LONGEST_TAG} characters.`);
  const leaves = searched.filter((leaf) => (named === undefined ? leaf.retrievable : named.includes(leaf)));
  const { length = USUAL_WORDS } = switchedOn(snippet, "highlight.snippet", SNIPPET) ?? {};
  const tags = { highlightPreTag: pre_tag, highlightPostTag: post_tag };
  if (!snippet) {
    const attributesToHighlight = leaves.map(({ attribute }) => attribute);
    return { leaves, of: "_highlightResult", parameters: { ...tags, attributesToHighlight } };
  }
  const attributesToSnippet = leaves.map(({ attribute }) => `${attribute}:${length}`);
  return { leaves, of: "_snippetResult", parameters: { ...tags, attributesToSnippet } };
}
