// Runs a search that was read, and tells what it found.

import { createStaticEnEmbedder } from "../embedding/word-table-embedder.js";
import { rankingsFor } from "../query/facets/value-matcher.js";
import type { Hit, SearchData } from "../query/response.js";
import { objectIn } from "../util/json.js";
import { ownOf, shownOf } from "./document.js";
import {
  countsOf,
  type Facet,
  listedOf,
  type MedusaFacetResult,
  toldOf,
  type ValueCounts,
  valuesAsked,
} from "./facets.js";
import { NOTHING } from "./filter.js";
import { DOCUMENT } from "./index-definition.js";
import type { Options } from "./options.js";
import type { MedusaSearchResult, SearchRequest } from "./search-request.js";

/** The index that is searched. */
export interface SearchedIndex {
  /** Hits are groups. */
  readonly isGrouped: boolean;
  readonly query: (parameters: Options) => Promise<SearchData>;
  readonly searchForFacetValues: (parameters: Options) => Promise<{ readonly facetHits: ValueCounts }>;
  /** How many values of a facet the engine lists at most. */
  readonly mostValues: number;
  /** Runs queries that must see one state of the index. */
  readonly ofOneState: <T>(run: () => Promise<T>) => Promise<T>;
}

const PAGE = 1000;
/** Counts documents, and shows none. */
const COUNTS: Options = { hitsPerPage: 0, distinct: false };

/** Answers a search. */
export async function answerSearch(request: SearchRequest, index: SearchedIndex): Promise<MedusaSearchResult> {
  const began = performance.now();
  const found = await foundBy(request);
  const counts = countsOf(request.facets, index.mostValues);
  // Facets count documents, so groups and facets take two queries.
  const isOneQuery = counts.length === 0 || (counts.length === 1 && !index.isGrouped);
  /** undefined: more queries are needed, which must see one state. */
  const answer = async (isOneState: boolean): Promise<MedusaSearchResult | undefined> => {
    const shown = { ...found, ...request.shown, ...(isOneQuery && counts.length > 0 && { facets: counts[0] }) };
    const others = isOneQuery ? [] : counts.map((facets) => ({ ...found, ...COUNTS, facets }));
    const answers = await Promise.all([shown, ...others].map((parameters) => index.query(parameters)));
    const facets: [string, MedusaFacetResult][] = [];
    for (const facet of request.facets) {
      const told =
        facet.kind === "value" ? await valuesOf(facet, found, answers, isOneState, index) : toldOf(facet, answers);
      if (told === undefined) return undefined;
      facets.push([facet.leaf.path, told]);
    }
    const { hits, nbHits, nextCursor } = answers[0]!;
    return {
      hits: hits.map((hit) => hitOf(hit, request)),
      ...(facets.length > 0 && { facets: Object.fromEntries(facets) }),
      metadata: {
        ...request.metadata,
        count: request.isCounted ? nbHits : null,
        ...(typeof nextCursor === "string" && { next_cursor: nextCursor }),
        processing_time_ms: Math.round(performance.now() - began),
      },
    };
  };
  const answered = isOneQuery ? await answer(false) : undefined;
  return answered ?? index.ofOneState(async () => (await answer(true))!);
}

/** What is found, with the vector of the text that is embedded. */
async function foundBy({ found, embedded }: SearchRequest): Promise<Options> {
  if (embedded === undefined) return found;
  const signal = new AbortController().signal;
  const [vector] = await createStaticEnEmbedder().embed([embedded], { purpose: "query", signal });
  if (vector) return { ...found, vector };
  // No word of the text has a meaning that is known.
  const hasWords = String(found.query).trim() !== "";
  return { ...found, semanticWeight: 0, ...(!hasWords && { filters: NOTHING }) };
}

/** What is told of the values of a facet; undefined: that takes more queries. */
async function valuesOf(
  facet: Facet,
  found: Options,
  answers: readonly SearchData[],
  isOneState: boolean,
  index: SearchedIndex,
): Promise<MedusaFacetResult | undefined> {
  const { leaf, isAlphabetical, limit, query } = facet;
  const { attribute } = leaf;
  if (query !== undefined && !isOneState) return undefined;
  let counts =
    query === undefined
      ? answers.map(({ facets }) => ownOf(facets, attribute)).find((one) => one !== undefined)!
      : await beginningWith(query, attribute, found, index);
  let areAll = query === undefined && counts.length < valuesAsked(facet, index.mostValues);
  if ((isAlphabetical || query !== undefined) && counts.length >= index.mostValues) {
    if (!isOneState) return undefined;
    counts = matching(query, await valuesOfAll(attribute, found, index));
    areAll = query === undefined;
  }
  const listed = listedOf(facet, counts);
  const values = listed.map(({ value, count }) => ({ value: String(value), count }));
  // A document without a list has one value at most.
  if (areAll && (!leaf.isList || counts.length <= limit))
    return { type: "value", values, other_count: sumOf(counts) - sumOf(listed) };
  if (!isOneState) return undefined;
  const countOf = async (chosen: Options): Promise<number> =>
    (await index.query({ ...found, ...COUNTS, facetFilters: { [attribute]: chosen } })).nbHits;
  const [having, held] = await Promise.all([
    countOf({ exists: true }),
    listed.length === 0 ? 0 : countOf({ in: listed.map(({ value }) => value) }),
  ]);
  return { type: "value", values, other_count: having - held };
}

function sumOf(counts: ValueCounts): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The values in which a word begins with a text. */
async function beginningWith(
  facetQuery: string,
  facetName: string,
  found: Options,
  { searchForFacetValues, mostValues }: SearchedIndex,
): Promise<ValueCounts> {
  const search = { ...found, facetName, facetQuery, maxFacetHits: mostValues, distinct: false };
  const { facetHits } = await searchForFacetValues(search);
  // Where nothing begins with the text, the engine forgives a typing error.
  return matching(facetQuery, facetHits);
}

/** Those of some values in which a word begins with a text. */
function matching(facetQuery: string | undefined, counts: ValueCounts): ValueCounts {
  const [rankOf] = facetQuery === undefined ? [] : rankingsFor(facetQuery, false);
  return rankOf === undefined ? counts : counts.filter(({ value }) => rankOf(value) >= 0);
}

/** More values than the engine lists: those of each document that is found. */
async function valuesOfAll(attribute: string, found: Options, { query }: SearchedIndex): Promise<ValueCounts> {
  const counts = new Map<ValueCounts[number]["value"], number>();
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const page = { offset, length: PAGE, distinct: false, attributesToRetrieve: [attribute] };
    const { hits, nbHits } = await query({ ...found, ...page });
    total = nbHits;
    for (const { source } of hits) {
      const values = [ownOf(source as Options, attribute) ?? []].flat() as ValueCounts[number]["value"][];
      for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

function hitOf(hit: Hit, { projection, highlights, hasScores }: SearchRequest): MedusaSearchResult["hits"][number] {
  const document = shownOf(JSON.parse(String(hit.source[DOCUMENT])), projection);
  const marked = highlights?.leaves.flatMap(({ path, attribute }): [string, string[]][] => {
    const results = [ownOf(hit[highlights.of] as Options | undefined, attribute)].flat();
    const texts = results.flatMap((result) => {
      const { value, matchLevel } = objectIn(result) ?? {};
      return typeof value === "string" && matchLevel !== "none" ? [value] : [];
    });
    return texts.length === 0 ? [] : [[path, texts]];
  });
  return {
    id: hit.id,
    ...(hasScores && { score: hit.score }),
    document,
    ...(marked !== undefined && { highlights: Object.fromEntries(marked) }),
  };
}
