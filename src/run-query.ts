// The life of a query: the embedding first, the only thing that is waited for; then one synchronous pass over one state.

import { SearchError } from "./base/errors.js";
import type { JsonRecord } from "./base/json.js";
import type { Limits } from "./base/limits.js";
import type { SearchWarning } from "./base/seams.js";
import { topK } from "./base/top-k.js";
import { wordsOf } from "./build-segment.js";
import type { IndexState } from "./index-state.js";
import { isBlank } from "./language/normalize-text.js";
import { type FusedRanking, fuse, type Leg } from "./query/fuse.js";
import { buildAnswer, type RecallSource, type SearchAnswer } from "./query/response.js";
import type { CheckedParams } from "./query/search-params.js";
import { type RewrittenQuery, rewriteQuery } from "./rewriting/rewrite-query.js";
import { textCorpusOf, vectorCorpusOf } from "./search-corpus.js";
import type { ResolvedSettings } from "./settings/settings.js";
import { findIdentifier } from "./text/find-identifier.js";
import { searchText } from "./text/search-text.js";
import { embedTexts } from "./vector/embed-texts.js";
import { searchVectors } from "./vector/search-vectors.js";
import type { UnitVector } from "./vector/unit-vector.js";
import type { VectorGraph } from "./vector/vector-graph.js";

/** What a query runs on; state and graph are asked for after the last wait. */
export interface QueryContext {
  readonly name: string;
  readonly settings: ResolvedSettings;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: SearchWarning) => void;
  readonly state: () => IndexState;
  readonly graph: (state: IndexState) => VectorGraph | undefined;
  /** `performance.now()` when the call came in. */
  readonly started: number;
}

interface Ranked {
  readonly ranking: FusedRanking;
  readonly recallSource: RecallSource[];
}

/** Answers a query whose parameters are checked. */
export async function runQuery(params: CheckedParams, context: QueryContext): Promise<SearchAnswer<JsonRecord>> {
  const rewritten = rewriteQuery(params.query, wordsOf(context.settings.analyzer), context.limits.queryTerms);
  const blank = isBlank(params.query);
  const vector = await queryVector(params, rewritten, blank, context);
  const began = performance.now();
  const state = context.state();
  const { ranking, recallSource } =
    blank && vector === null ? everything(state) : rank(params, rewritten, blank, vector, state, context);
  const hits = pageOf(ranking, params, state);
  const ended = performance.now();
  return buildAnswer({
    query: params.query,
    indexUse: context.name,
    recallSource,
    nbHits: ranking.members.length,
    page: params.page,
    hitsPerPage: params.hitsPerPage,
    serverTimeMS: Math.floor(ended - context.started),
    processingTimeMS: Math.floor(ended - began),
    hits,
  });
}

/** The vector of the query: the caller's, or the embedding of its text; null: the query has no meaning leg. */
async function queryVector(
  { query, vector, semanticWeight }: CheckedParams,
  rewritten: RewrittenQuery,
  blank: boolean,
  { settings, signal, warn }: QueryContext,
): Promise<UnitVector | null> {
  const { embedder, effective } = settings;
  if (vector !== undefined) return vector;
  if (embedder === undefined || blank || (semanticWeight ?? weightOf(effective)) === 0) return null;
  const text = embedder.wordsOnly === true ? rewritten.wordsText : rewritten.hasWords ? query : "";
  if (text === "") return null;
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

function weightOf({ fusion }: ResolvedSettings["effective"]): number {
  // Reciprocal ranks have no weight: both legs run.
  return fusion.method === "convex" ? fusion.semanticWeight : 0.5;
}

/** A blank query: every living record, score 0. */
function everything(state: IndexState): Ranked {
  const members = state.liveDocs();
  return { ranking: { members, scores: new Float64Array(members.length) }, recallSource: ["fullTextSearch"] };
}

function rank(
  params: CheckedParams,
  { terms, identifier }: RewrittenQuery,
  blank: boolean,
  vector: UnitVector | null,
  state: IndexState,
  { settings, graph }: QueryContext,
): Ranked {
  const { effective } = settings;
  const weight = blank ? 1 : (params.semanticWeight ?? weightOf(effective));
  const corpus = textCorpusOf(state, effective);
  const bySemantics = vector !== null && weight > 0;
  const byWords = !bySemantics || weight < 1;
  const exact = identifier === undefined ? [] : findIdentifier(corpus.segments, identifier);
  let lexical: Leg | null = null;
  if (byWords) {
    const rule = { matching: params.matching ?? effective.matching, ratio: effective.matchingRatio };
    const { members, scores, attainable } = searchText(corpus, terms, rule);
    lexical = { members, scoreOf: (doc) => (attainable === 0 ? 0 : scores[doc]! / attainable) };
  }
  let semantic: Leg | null = null;
  if (bySemantics) {
    const rule = {
      floor: params.semanticFloor ?? effective.semanticFloor,
      depth: params.semanticDepth ?? effective.semanticDepth,
    };
    const found = searchVectors(vectorCorpusOf(state), vector, rule, graph(state));
    semantic = { members: found.members, scoreOf: found.similarityOf };
  }
  const method =
    effective.fusion.method === "convex" ? { method: "convex" as const, semanticWeight: weight } : effective.fusion;
  const recallSource: RecallSource[] = [];
  if (byWords || exact.length > 0) recallSource.push("fullTextSearch");
  if (bySemantics) recallSource.push("semanticSearch");
  return { ranking: fuse({ lexical, semantic, method, exact }), recallSource };
}

/** The hits of the page asked for: one slice of the whole order (score descending, then id), however deep. */
function pageOf(
  { members, scores }: FusedRanking,
  { page, hitsPerPage }: CheckedParams,
  state: IndexState,
): SearchAnswer["data"]["hits"] {
  const from = (page - 1) * hitsPerPage;
  if (hitsPerPage === 0 || from >= members.length) return [];
  const places = Uint32Array.from(members.keys());
  const best = topK(places, Math.min(from + hitsPerPage, members.length), (a, b) => {
    const ahead = scores[a]! - scores[b]!;
    return ahead !== 0 ? ahead > 0 : state.idBefore(members[a]!, members[b]!);
  });
  return best.slice(from).map((place) => {
    const doc = members[place]!;
    return { id: state.idOf(doc), score: scores[place]!, source: state.recordOf(doc) };
  });
}
