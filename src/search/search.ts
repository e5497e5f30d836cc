// The life of a query: the embedding first (its own, and once an embedder that of the probes), the only thing that others are
// waited for; then one state, read from end to end: prepared and ranked in slices.

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
import { runTask, type Task } from "../util/tasks.js";
import { type CheckedParams, requireSameDimensions } from "./check-params.js";
import { type CountedFacets, countFacets, type FacetInput } from "./count-facets.js";
import { type EmbeddedQuery, leaningVector, queryVector } from "./embed-query.js";
import { type PreparedQuery, prepareQuery } from "./prepare-query.js";
import { type RankedQuery, rankQuery } from "./rank-query.js";
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
  /** The least cosine of a member by meaning. */
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
  const hits = await runTask(shapeHits(params, { ranked, prepared, snapshot, language }), context.signal);
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
  /** Every member is listed, not only what the page needs. */
  readonly listsAll?: boolean;
}

/** Embeds, prepares and ranks a query, and counts its facets. */
export async function answerQuery(
  params: CheckedParams,
  context: QueryContext,
  { accept, listsAll = false }: AnswerExtras = {},
): Promise<AnsweredQuery> {
  let version = context.version();
  let read: ReadQuery;
  let embedded: EmbeddedQuery;
  let blank: boolean;
  for (;;) {
    const { settings, catalog, language } = version;
    checkAttributes(params, { settings: settings.effective, catalog });
    read = readQuery(params.query, language.words, params.advancedSyntax);
    // With exclusions alone, everything else is asked for.
    blank = isBlank(read.plainText);
    embedded = await queryVector(params, { read, blank, settings, language }, context);
    version = context.version();
    // New settings while the embedder was busy: what was read and embedded by the old ones does not count.
    if (version.settings === settings) break;
    requireSameDimensions(params.vector, version.settings.effective.dimensions);
  }
  // Without a meaning leg there is no floor. The one learned is of the state that is then searched.
  const floor =
    params.semanticFloor ??
    (embedded.vector === null ? 0 : await semanticFloor(version.snapshot, version.settings, context));
  const began = performance.now();
  const { snapshot, rules, language, catalog } = version;
  const settings = version.settings.effective;
  const phrases = { rules, words: language.words };
  // Known to the embedder, where its meaning counts.
  const { embedder } = version.settings;
  const byMeaning = embedded.vector !== null && embedded.parts !== undefined;
  const isKnown = (word: string): boolean => byMeaning && embedder?.knows?.(word) === true;
  const wordEmbeddings = byMeaning && embedder?.meaningOf !== undefined ? embedder : null;
  const lease = new ColumnLease();
  try {
    const mostTerms = context.limits.queryTerms;
    const prepareContext = {
      snapshot,
      settings,
      catalog,
      language,
      mostTerms,
      phrases,
      isKnown,
      wordEmbeddings,
      lease,
    };
    const prepared = await runTask(prepareQuery(params, read, prepareContext), context.signal);
    const vector = await leaningVector(params, { embedded, prepared, version }, context);
    const found = { identifiers: read.identifiers, vector, floor, graph: version.graphFor(snapshot) };
    const input = { prepared, snapshot, settings, blank, listsAll, ...found };
    const ranked = await runTask(rankQuery(params, input), context.signal);
    const counting = params.facets.length === 0 ? undefined : facetsOf(params, { snapshot, prepared, ranked, accept });
    const facets = counting && (await runTask(counting, context.signal));
    return { version, floor, prepared, ranked, facets, began };
  } finally {
    lease.release(context.memory.columnsToKeep());
  }
}

function facetsOf(
  { refinements, maxValuesPerFacet }: CheckedParams,
  {
    snapshot,
    prepared,
    ranked,
    accept,
  }: Pick<FacetInput, "snapshot" | "accept"> & Pick<AnsweredQuery, "prepared" | "ranked">,
): Task<CountedFacets> {
  const { facets, refinementSets } = prepared;
  const { groupOf } = ranked;
  // Where facets are asked for, the members are listed.
  const members = ranked.all!;
  return countFacets({
    facets,
    members,
    refinements,
    clicked: refinementSets,
    groupOf,
    mostValues: maxValuesPerFacet,
    accept,
    snapshot,
  });
}
