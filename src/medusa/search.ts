// A search as Medusa asks for it: read as parameters of the engine, run, and told. Each option is answered exactly, or refused.

import { createStaticEnEmbedder } from "../embedding/word-table-embedder.js";
import { boolean, integer, LONGEST_TAG, MAX_INTEGER, number, oneOf, that } from "../input/kinds.js";
import type { Hit } from "../query/response.js";
import type { HighlightResult, SnippetResult } from "../query/shape/highlight.js";
import { show } from "../util/errors.js";
import { DEFINITION_RULE, type Definition, DOCUMENT, type Leaf, leafAt, type MedusaIndex } from "./definition.js";
import { ownOf, projectionOf, shownOf, vectorIn } from "./document.js";
import { type Ask, COUNTS, countsOf, type Facet, type MedusaFacetResult, readFacets, toldOf } from "./facets.js";
import { EVERYTHING, filterOf, NOTHING } from "./filter.js";
import { impossible, wrong } from "./medusa-error.js";
import { anything, entriesOf, list, type Options, optionsIn, ownOptions, switchedOn, text, texts } from "./options.js";

/** A search; Medusa's `ProviderSearchQuery`. docs/medusa-provider.md says what filters, pagination and options may have. */
export interface MedusaSearch {
  readonly index: MedusaIndex;
  readonly attributes_to_retrieve: readonly string[];
  readonly q?: string;
  readonly filters?: object;
  readonly pagination?: object;
  readonly search_options?: object;
}

/** What a search answers; Medusa's `SearchResult`. */
export interface MedusaSearchResult {
  hits: { id: string; score?: number; document: Record<string, unknown>; highlights?: Record<string, string[]> }[];
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
interface Request {
  /** The engine's parameters that say what is found: the same for hits, counts and facets. */
  readonly found: Options;
  /** Those that say which of these are shown, and how. */
  readonly shown: Options;
  readonly facets: readonly Facet[];
  readonly isCounted: boolean;
  readonly metadata: { readonly skip: number; readonly take: number; readonly query?: string };
  readonly tell: (hit: Hit) => MedusaSearchResult["hits"][number];
}

/** The index that is searched. */
export interface SearchedIndex {
  readonly definition: Definition;
  readonly ask: Ask;
  /** How many values of a facet the engine lists at most. */
  readonly mostValues: number;
  /** Runs queries that must see one state of the index. */
  readonly ofOneState: <T>(run: () => Promise<T>) => Promise<T>;
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

/** Answers a search. Throws `invalid_data` for what is wrong, `not_allowed` for what cannot be answered. */
export async function answerSearch(given: unknown, index: SearchedIndex): Promise<MedusaSearchResult> {
  const began = performance.now();
  const { definition, mostValues, ofOneState } = index;
  const { found, shown, facets, isCounted, metadata, tell } = await readSearch(given, definition);
  const ask: Ask = (parameters) => index.ask({ ...found, ...parameters });
  const counts = countsOf(facets, mostValues);
  // Facets count documents, so groups and facets take two queries.
  const isOneQuery = counts.length === 0 || (counts.length === 1 && definition.distinct === undefined);
  /** undefined: more queries are needed, which must see one state. */
  const answer = async (askMore?: Ask): Promise<MedusaSearchResult | undefined> => {
    const first = { ...shown, ...(isOneQuery && counts.length > 0 && { facets: counts[0] }) };
    const others = isOneQuery ? [] : counts.map((each) => ({ ...COUNTS, facets: each }));
    const answers = await Promise.all([first, ...others].map(ask));
    const told: [string, MedusaFacetResult][] = [];
    for (const facet of facets) {
      const result = await toldOf(facet, answers, mostValues, askMore);
      if (result === undefined) return undefined;
      told.push([facet.leaf.path, result]);
    }
    const { hits, nbHits, nextCursor } = answers[0]!;
    return {
      hits: hits.map(tell),
      ...(told.length > 0 && { facets: Object.fromEntries(told) }),
      metadata: {
        ...metadata,
        count: isCounted ? nbHits : null,
        ...(typeof nextCursor === "string" && { next_cursor: nextCursor }),
        processing_time_ms: Math.round(performance.now() - began),
      },
    };
  };
  const answered = isOneQuery ? await answer() : undefined;
  return answered ?? ofOneState(async () => (await answer(ask))!);
}

async function readSearch(given: unknown, definition: Definition): Promise<Request> {
  const { attributes_to_retrieve, q, filters, pagination, search_options } = optionsIn(given, "A search", SEARCH);
  if (attributes_to_retrieve === undefined) throw wrong("attributes_to_retrieve is missing; pass a list of paths.");
  const options = optionsIn(search_options ?? {}, "search_options", SEARCH_OPTIONS);
  const { min_score = 0, locales = [], distinct } = options;
  if (options.disjunctive_facets === true)
    throw impossible("disjunctive_facets is what the Search Module makes several searches of; pass these.");
  if (locales.length > 0) throw impossible("locales is given, and the language of an index is fixed; leave it out.");
  if (distinct !== undefined && leafAt(distinct, definition.leaves, "distinct") !== definition.distinct)
    throw impossible(`distinct is ${show(distinct)}; this index groups by its distinct_attribute alone.`);
  const hasWords = q !== undefined && q.trim() !== "";
  const searched = searchedOf(options.attributes_to_search_on, definition);
  if (hasWords && searched.length === 0) throw wrong("q is given, and no field of the index is searchable.");
  const { ruleContexts = [], ...own } = ownOptions(options.provider_options, "search_options", OWN_PARAMETERS);
  const meaning = await meaningOf(options.vector, hasWords, definition);
  if (options.min_score !== undefined && !hasWords && meaning === undefined)
    throw impossible("min_score is given without q and vector: there are no scores.");
  const passing = filters === undefined ? EVERYTHING : filterOf(filters, definition);
  const { parameters, ...page } = pageOf(pagination ?? {}, own.aroundLatLng, definition);
  const highlights = highlightsOf(options.highlight, searched, definition);
  const projection = projectionOf(attributes_to_retrieve, definition);
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
      ...meaning,
      ...own,
      ruleContexts: [DEFINITION_RULE, ...ruleContexts],
    },
    shown: { ...parameters, ...(hasWords && highlights?.parameters), attributesToRetrieve: [DOCUMENT] },
    facets: readFacets(options.facets ?? [], definition),
    isCounted: options.count !== "none",
    metadata: { ...page, ...(q !== undefined && { query: q }) },
    tell: (hit) => ({
      id: hit.id,
      ...(options.include_score === true && { score: hit.score }),
      document: shownOf(JSON.parse(String(hit.source[DOCUMENT])), projection),
      ...(hasWords && highlights && { highlights: highlights.marksOf(hit) }),
    }),
  };
}

/** The leaves in which words are searched. */
function searchedOf(paths: readonly string[] | undefined, definition: Definition): readonly Leaf[] {
  if (paths === undefined) return [...definition.leaves.values()].filter(({ weight }) => weight !== undefined);
  if (paths.length === 0) throw wrong("attributes_to_search_on is empty; name searchable fields, or leave it out.");
  return paths.map((path) => searchable(path, definition, "attributes_to_search_on"));
}

function searchable(path: string, { leaves }: Definition, at: string): Leaf {
  const leaf = leafAt(path, leaves, at);
  if (leaf.weight === undefined) throw wrong(`${at} names ${show(path)}, which is not searchable.`);
  return leaf;
}

/** The parameters by which meaning is searched; undefined: it is not. */
async function meaningOf(given: unknown, hasWords: boolean, { leaves }: Definition): Promise<Options | undefined> {
  if (given === undefined) return undefined;
  const { field, value, query, semantic_ratio = hasWords ? 0.5 : 1 } = optionsIn(given, "vector", VECTOR);
  const leaf = [...leaves.values()].find(({ type }) => type === "vector");
  if (leaf === undefined) throw wrong("vector is given, and the index has no vector field.");
  if (field !== undefined && leafAt(field, leaves, "vector.field") !== leaf)
    throw wrong(`vector.field names ${show(field)}, which is no vector field.`);
  if ((value === undefined) === (query === undefined)) throw wrong("vector has value and query, or neither; pass one.");
  if (query !== undefined && (!leaf.embed || query.trim() === ""))
    throw wrong(`vector.query is ${show(query)}; pass a text, or, for vectors of your own, a value instead.`);
  const own = vectorIn(value, leaf.dimensions!);
  if (value !== undefined && own === undefined)
    throw wrong(`vector.value is no vector; pass a list of ${leaf.dimensions} numbers that are not all 0.`);
  if (semantic_ratio === 0) return undefined;
  const vector = query === undefined ? own : await embedded(query);
  if (vector) return { vector, semanticWeight: semantic_ratio, semanticFloor: 0, semanticDepth: SEMANTIC_DEPTH };
  // No word of the text has a meaning that is known.
  return hasWords && semantic_ratio < 1 ? {} : { filters: NOTHING };
}

async function embedded(query: string): Promise<unknown> {
  const signal = new AbortController().signal;
  return (await createStaticEnEmbedder().embed([query], { purpose: "query", signal }))[0];
}

type Page = { readonly parameters: Options; readonly skip: number; readonly take: number };

function pageOf(given: unknown, aroundLatLng: unknown, definition: Definition): Page {
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

function sortBy(path: string, way: unknown, aroundLatLng: unknown, { leaves }: Definition): string {
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

type Marked = HighlightResult | SnippetResult | readonly (HighlightResult | SnippetResult)[];

interface Highlights {
  readonly parameters: Options;
  /** The marked texts of a hit, by paths. */
  readonly marksOf: (hit: Hit) => Record<string, string[]>;
}

function highlightsOf(given: unknown, searched: readonly Leaf[], definition: Definition): Highlights | undefined {
  const options = switchedOn(given, "highlight", HIGHLIGHT);
  if (options === undefined) return undefined;
  const { fields, pre_tag = "<mark>", post_tag = "</mark>" } = options;
  if (given !== true && fields === undefined) throw wrong("highlight has no fields; pass a list of paths, or true.");
  const named = fields?.map((path) => searchable(path, definition, "highlight.fields"));
  const hidden = named?.find(({ retrievable }) => !retrievable);
  if (hidden) throw impossible(`highlight.fields names ${show(hidden.path)}, which is not retrievable.`);
  if (Math.max(pre_tag.length, post_tag.length) > LONGEST_TAG)
    throw impossible(`A tag of highlight has more than ${LONGEST_TAG} characters.`);
  const leaves = searched.filter((leaf) => named?.includes(leaf) ?? leaf.retrievable);
  const snippet = switchedOn(options.snippet, "highlight.snippet", SNIPPET);
  const attributes = leaves.map(({ attribute }) => attribute);
  const marked = snippet
    ? { attributesToSnippet: attributes.map((attribute) => `${attribute}:${snippet.length ?? USUAL_WORDS}`) }
    : { attributesToHighlight: attributes };
  const marksOf = (hit: Hit): Record<string, string[]> => {
    const results = (snippet ? hit._snippetResult : hit._highlightResult) as
      | Readonly<Record<string, Marked>>
      | undefined;
    const marks = leaves.map(({ path, attribute }): [string, string[]] => {
      const matches = [ownOf(results, attribute) ?? []].flat().filter(({ matchLevel }) => matchLevel !== "none");
      return [path, matches.map(({ value }) => value)];
    });
    return Object.fromEntries(marks.filter(([, texts]) => texts.length > 0));
  };
  return { parameters: { ...marked, highlightPreTag: pre_tag, highlightPostTag: post_tag }, marksOf };
}
