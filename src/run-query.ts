// The life of a query: the embedding first, the only thing that others are waited for; then one state, read from end to end:
// prepared in slices, ranked in one synchronous pass.

import { SearchError } from "./base/errors.js";
import type { JsonRecord } from "./base/json.js";
import type { Limits } from "./base/limits.js";
import type { SearchWarning } from "./base/seams.js";
import { runInSlices } from "./base/slices.js";
import { isBlank } from "./language/normalize-text.js";
import type { CheckedParams } from "./query/check-params.js";
import { buildAnswer, type SearchAnswer } from "./query/response.js";
import { type ReadQuery, readQuery } from "./rewriting/rewrite-query.js";
import { type PreparedQuery, prepareQuery } from "./searching/prepare-query.js";
import { type RankedQuery, rankQuery } from "./searching/rank-query.js";
import { weightOf } from "./searching/search-legs.js";
import { shapeHits } from "./searching/shape-hits.js";
import type { ResolvedSettings } from "./settings/settings.js";
import { checkAttributes } from "./state/check-attributes.js";
import type { IndexVersion } from "./state/index-content.js";
import { embedTexts } from "./vector/embed-texts.js";
import type { UnitVector } from "./vector/unit-vector.js";

/** What a query runs on. */
export interface QueryContext {
  readonly name: string;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
  /** The version in force; asked for again after the wait for an embedding. */
  readonly version: () => IndexVersion;
  /** `performance.now()` when the call came in. */
  readonly started: number;
}

/** A query that was ranked, with what it was ranked on. */
export interface AnsweredQuery {
  readonly version: IndexVersion;
  readonly prepared: PreparedQuery;
  readonly ranked: RankedQuery;
  /** `performance.now()` when the wait for an embedding was over. */
  readonly began: number;
}

/** Answers a query whose parameters are checked. */
export async function runQuery(params: CheckedParams, context: QueryContext): Promise<SearchAnswer<JsonRecord>> {
  const { version, prepared, ranked, began } = await answerQuery(params, context);
  const hits = shapeHits(params, { ranked, prepared, state: version.state, language: version.language });
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
    ...(ranked.facets === undefined ? {} : { facets: ranked.facets, facetStats: ranked.facetStats ?? {} }),
  });
}

/** Embeds, prepares and ranks a query; `listsAll`: every member is listed, not only what the page needs. */
export async function answerQuery(
  params: CheckedParams,
  context: QueryContext,
  listsAll = false,
): Promise<AnsweredQuery> {
  let version = context.version();
  let read: ReadQuery;
  let vector: UnitVector | null;
  let blank: boolean;
  for (;;) {
    const { settings, catalog, language } = version;
    checkAttributes(params, { settings: settings.effective, catalog });
    read = readQuery(params.query, language.words, params.advancedSyntax);
    // With exclusions alone, everything else is asked for.
    blank = isBlank(read.plainText);
    vector = await queryVector(params, read, blank, settings, context);
    version = context.version();
    // New settings while the embedder was busy: what was read and embedded by the old ones does not count.
    if (version.settings === settings) break;
  }
  const began = performance.now();
  const { state, rules, language, catalog } = version;
  const settings = version.settings.effective;
  const phrases = { rules, words: language.words };
  // Known to the embedder, where its meaning counts.
  const { embedder } = version.settings;
  const byMeaning = vector !== null && params.vector === undefined && (params.semanticWeight ?? weightOf(settings)) > 0;
  const isKnown = (word: string): boolean => byMeaning && embedder?.knows?.(word) === true;
  const mostTerms = context.limits.queryTerms;
  const prepareContext = { state, settings, catalog, language, mostTerms, phrases, isKnown };
  const prepared = await runInSlices(prepareQuery(params, read, prepareContext), context.signal);
  const { identifiers } = read;
  const ranked = rankQuery(params, {
    prepared,
    state,
    settings,
    blank,
    identifiers,
    vector,
    graph: version.graphFor(state),
    listsAll,
  });
  return { version, prepared, ranked, began };
}

/** The vector of the query: the caller's, or the embedding of its text; null: the query has no meaning leg. */
async function queryVector(
  { vector, semanticWeight }: CheckedParams,
  read: ReadQuery,
  blank: boolean,
  { embedder, effective }: ResolvedSettings,
  { signal, warn }: QueryContext,
): Promise<UnitVector | null> {
  if (vector !== undefined) return vector;
  if (embedder === undefined || blank || (semanticWeight ?? weightOf(effective)) === 0) return null;
  const text = embedder.wordsOnly === true ? read.wordsText : read.hasWords ? read.plainText : "";
  if (text.trim() === "") return null;
  try {
    const [embedded] = await embedTexts(embedder, { texts: [text], purpose: "query", signal });
    return embedded ?? null;
  } catch (cause) {
    if (cause instanceof SearchError && cause.code === 499) throw cause;
    const message = "The embedder failed, so the query was answered in words alone.";
    warn({ code: "embedder_failed", message, param: "embedder", cause });
    return null;
  }
}
