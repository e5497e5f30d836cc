// The life of a query, from top to bottom: parse, embed, rewrite, retrieve, fuse, order, facet, shape. Waiting for an embedder
// comes first; everything after it reads one version of the index, in slices.

import { isBlank } from "../analysis/normalize-text.js";
import { type ReadQuery, readQuery } from "../analysis/parse-query.js";
import type { AttributeValue } from "../docvalues/filter.js";
import { checkAttributes } from "../index/check-attributes.js";
import { ColumnLease } from "../index/column-store.js";
import type { IndexVersion } from "../index/index-data.js";
import type { MemoryBudget } from "../index/memory-budget.js";
import { semanticFloor } from "../index/semantic-floor.js";
import type { SearchWarning } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { pauseIfLong, runTask, type Task } from "../util/tasks.js";
import { type CheckedParams, requireSameDimensions } from "./check-params.js";
import { type CountedFacets, countFacets } from "./count-facets.js";
import { addSimilarWords, type EmbeddedQuery, queryVector } from "./embed-query.js";
import { type PreparedQuery, prepareQuery } from "./prepare-query.js";
import { type RankedQuery, type RankInput, rankQuery } from "./rank-query.js";
import { buildAnswer, type SearchAnswer } from "./response.js";
import { shapeHits } from "./shape-hits.js";

/** What a query runs on. */
export interface QueryContext {
  readonly name: string;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
  readonly memory: MemoryBudget;
  /** The version in force; asked for again after the wait for an embedding. */
  readonly version: () => IndexVersion;
  /** `performance.now()` when the call came in. */
  readonly started: number;
}

/** A query that was ranked, with what it was ranked on. */
export interface AnsweredQuery {
  readonly version: IndexVersion;
  /** The least cosine of a semantic match. */
  readonly floor: number;
  readonly prepared: PreparedQuery;
  readonly ranked: RankedQuery;
  /** undefined: none were asked for. */
  readonly facets: CountedFacets | undefined;
  /** `performance.now()` when the wait for an embedding was over. */
  readonly began: number;
}

/** Answers a query whose parameters are checked. */
export async function runQuery(params: CheckedParams, context: QueryContext): Promise<SearchAnswer<JsonRecord>> {
  const { version, prepared, ranked, facets, began } = await answerQuery(params, context);
  const { snapshot, language } = version;
  const hits = await runTask(
    shapeHits(params, { ranked, prepared, snapshot, language, characters: context.limits.fieldCharacters }),
    context.signal,
  );
  const ended = performance.now();
  return buildAnswer({
    query: params.query,
    indexUse: context.name,
    recallSource: ranked.recallSource,
    nbHits: ranked.nbHits,
    page: params.page,
    hitsPerPage: params.hitsPerPage,
    serverTimeMS: Math.floor(ended - context.started),
    processingTimeMS: Math.floor(ended - began),
    hits,
    ...facets,
  });
}

/** What is asked of a query besides its parameters. */
export interface AnswerExtras {
  /** Which values of facets count; undefined: all. */
  readonly accept?: ((value: AttributeValue) => boolean) | undefined;
  /** Every match is listed, not only what the page needs. */
  readonly listsAll?: boolean;
}

/** Embeds, prepares and ranks a query, and counts its facets. */
export async function answerQuery(
  params: CheckedParams,
  context: QueryContext,
  { accept, listsAll = false }: AnswerExtras = {},
): Promise<AnsweredQuery> {
  const { signal } = context;
  const { read, blank, embedded, version } = await readAndEmbed(params, context);
  const { snapshot } = version;
  const settings = version.settings.effective;
  // The floor that was learned is that of the records that are then searched.
  const floor =
    params.semanticFloor ?? (embedded.vector === null ? 0 : await semanticFloor(snapshot, version.settings, context));
  const began = performance.now();
  const lease = new ColumnLease();
  try {
    const prepared = await runTask(
      prepareQuery(params, read, prepareContext(version, embedded, context, lease)),
      signal,
    );
    const vector = await addSimilarWords(params, { embedded, prepared, version }, context);
    const searched = { identifiers: read.identifiers, vector, floor, graph: () => version.graphFor(snapshot) };
    const input = { prepared, snapshot, settings, blank, listsAll, ...searched };
    const ranked = await runTask(rankQuery(params, input), signal);
    const facets =
      params.facets.length === 0 ? undefined : await runTask(facetsOf(params, input, ranked, accept), signal);
    return { version, floor, prepared, ranked, facets, began };
  } finally {
    lease.release(context.memory.columnsToKeep());
  }
}

/** A query's tokens and vector, and the version of the index by whose settings both were made. */
interface EmbeddedText {
  readonly read: ReadQuery;
  /** With exclusions alone, everything else is asked for. */
  readonly blank: boolean;
  readonly embedded: EmbeddedQuery;
  readonly version: IndexVersion;
}

async function readAndEmbed(params: CheckedParams, context: QueryContext): Promise<EmbeddedText> {
  for (let version = context.version(); ; ) {
    const { settings, catalog, language } = version;
    await pauseIfLong();
    checkAttributes(params, { settings: settings.effective, catalog });
    const read = readQuery(params.query, language.words, params.advancedSyntax);
    const blank = isBlank(read.plainText);
    await pauseIfLong();
    const embedded = await queryVector(params, { read, blank, settings, language }, context);
    version = context.version();
    if (version.settings === settings) return { read, blank, embedded, version };
    // The settings changed while the embedder was busy: the query is read and embedded anew.
    requireSameDimensions(params.vector, version.settings.effective.dimensions);
  }
}

function prepareContext(
  { snapshot, rules, language, catalog, settings: { effective: settings, embedder } }: IndexVersion,
  { vector, parts }: EmbeddedQuery,
  { limits }: QueryContext,
  lease: ColumnLease,
): Parameters<typeof prepareQuery>[2] {
  // Words are known to the embedder only where meaning counts.
  const byMeaning = vector !== null && parts !== undefined;
  return {
    snapshot,
    settings,
    catalog,
    language,
    mostTerms: limits.queryTerms,
    phrases: { rules, words: language.words },
    isKnownToEmbedder: (word) => byMeaning && embedder?.knows?.(word) === true,
    wordEmbeddings: byMeaning && embedder?.meaningOf !== undefined ? embedder : null,
    lease,
  };
}

function facetsOf(
  { refinements, maxValuesPerFacet }: CheckedParams,
  { prepared, snapshot }: RankInput,
  { all, groupOf }: RankedQuery,
  accept: AnswerExtras["accept"],
): Task<CountedFacets> {
  return countFacets({
    facets: prepared.facets,
    // Where facets are asked for, the matches are listed.
    matches: all!,
    refinements,
    refinementSets: prepared.refinementSets,
    groupOf,
    mostValues: maxValuesPerFacet,
    accept,
    snapshot,
  });
}
