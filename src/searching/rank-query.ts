// The synchronous pass of a query over one state: both legs, fusion, clicks, grouping, order.

import type { Before } from "../base/top-k.js";
import { topK } from "../base/top-k.js";
import type { CheckedParams } from "../query/check-params.js";
import { type FusedRanking, fuse, type Leg } from "../query/fuse.js";
import type { RecallSource } from "../query/response.js";
import type { EffectiveSettings } from "../settings/settings.js";
import type { IndexState } from "../state/index-state.js";
import { vectorCorpusOf } from "../state/search-corpus.js";
import { findIdentifiers } from "../text/find-identifier.js";
import { searchText, type TextRanking } from "../text/search-text.js";
import { searchVectors, type VectorRanking } from "../vector/search-vectors.js";
import type { UnitVector } from "../vector/unit-vector.js";
import type { VectorGraph } from "../vector/vector-graph.js";
import { passClicks } from "./count-facets.js";
import { bestOfGroups, groupsOf, orderOf } from "./order-hits.js";
import type { PreparedQuery } from "./prepare-query.js";

/** What ranking needs besides the parameters. */
export interface RankInput {
  readonly prepared: PreparedQuery;
  readonly state: IndexState;
  readonly settings: EffectiveSettings;
  /** The query shows nothing: it asks for all records. */
  readonly blank: boolean;
  readonly identifiers: readonly string[];
  readonly vector: UnitVector | null;
  readonly graph: VectorGraph | undefined;
}

/** The answer as places in a ranking. */
export interface RankedQuery {
  /** Members before any click. */
  readonly all: FusedRanking;
  readonly ranking: FusedRanking;
  /** The group of each record, where hits are grouped. */
  readonly groupOf: ((doc: number) => number) | undefined;
  /** Records that are hits: the members, or the best of each group. */
  readonly shown: Uint32Array;
  readonly recallSource: RecallSource[];
  readonly nbHits: number;
  /** Places in the ranking: the page asked for, in order. */
  readonly page: readonly number[];
  /** The legs, for explanations. */
  readonly text: TextRanking | null;
  readonly vectors: VectorRanking | null;
}

interface Fused {
  readonly ranking: FusedRanking;
  readonly recallSource: RecallSource[];
  readonly text: TextRanking | null;
  readonly vectors: VectorRanking | null;
}

/** Ranks a prepared query and picks the page. */
export function rankQuery(params: CheckedParams, input: RankInput): RankedQuery {
  const { prepared, state, settings } = input;
  const fused = input.blank && input.vector === null ? everything(input) : fuseLegs(params, input);
  const all = fused.ranking;
  const ranking = clickedOnly(all, prepared);
  const before = orderOf(ranking, params.sort, prepared.ranking, state);
  const groupOf = prepared.distinct ? groupsOf(state, settings.attributeForDistinct!) : undefined;
  const places = groupOf === undefined ? placesOf(ranking.members) : bestOfGroups(ranking, groupOf, before);
  const page = pageOf(places, params, before);
  const shown = groupOf === undefined ? ranking.members : places.map((place) => ranking.members[place]!);
  return { ...fused, all, ranking, groupOf, shown, nbHits: places.length, page };
}

/** A blank query: every living record that is allowed, score 0. */
function everything({ state, prepared: { allowed } }: RankInput): Fused {
  const live = state.liveDocs();
  const members = allowed === null ? live : live.filter((doc) => allowed.has(doc));
  const partsOf = (): { lexical: number; semantic: number } => ({ lexical: 0, semantic: 0 });
  const ranking = { members, scores: new Float64Array(members.length), partsOf };
  return { ranking, recallSource: ["fullTextSearch"], text: null, vectors: null };
}

function fuseLegs(
  params: CheckedParams,
  { prepared, state, settings, blank, identifiers, vector, graph }: RankInput,
): Fused {
  const { corpus, terms, allowed } = prepared;
  const weight = blank ? 1 : (params.semanticWeight ?? weightOf(settings));
  const bySemantics = vector !== null && weight > 0;
  const byWords = !bySemantics || weight < 1;
  const exact = findIdentifiers(corpus.segments, identifiers).filter((doc) => allowed?.has(doc) ?? true);
  const text = byWords
    ? searchText(
        corpus,
        terms,
        { matching: params.matching ?? settings.matching, ratio: settings.matchingRatio },
        allowed,
      )
    : null;
  const rule = {
    floor: params.semanticFloor ?? settings.semanticFloor,
    depth: params.semanticDepth ?? settings.semanticDepth,
  };
  const vectors = bySemantics ? searchVectors(vectorCorpusOf(state), vector, rule, graph, allowed) : null;
  const method =
    settings.fusion.method === "convex" ? { method: "convex" as const, semanticWeight: weight } : settings.fusion;
  const ranking = fuse({ lexical: lexicalLeg(text), semantic: semanticLeg(vectors), method, exact });
  const recallSource: RecallSource[] = [];
  if (byWords || exact.length > 0) recallSource.push("fullTextSearch");
  if (bySemantics) recallSource.push("semanticSearch");
  return { ranking, recallSource, text, vectors };
}

function lexicalLeg(text: TextRanking | null): Leg | null {
  if (text === null) return null;
  const { members, scores, attainable } = text;
  return { members, scoreOf: (doc) => (attainable === 0 ? 0 : scores[doc]! / attainable) };
}

function semanticLeg(vectors: VectorRanking | null): Leg | null {
  return vectors === null ? null : { members: vectors.members, scoreOf: vectors.similarityOf };
}

/** The share of the meaning by the settings; reciprocal ranks have none, so both legs run. */
export function weightOf({ fusion }: EffectiveSettings): number {
  return fusion.method === "convex" ? fusion.semanticWeight : 0.5;
}

function placesOf(members: Uint32Array): Uint32Array {
  const places = new Uint32Array(members.length);
  for (let place = 0; place < places.length; place++) places[place] = place;
  return places;
}

function clickedOnly(all: FusedRanking, { clicked }: PreparedQuery): FusedRanking {
  const members = passClicks(all.members, clicked);
  if (members === all.members) return all;
  const scores = new Float64Array(members.length);
  for (let place = 0, from = 0; place < members.length; from++)
    if (all.members[from] === members[place]) scores[place++] = all.scores[from]!;
  return { members, scores, partsOf: all.partsOf };
}

/** One slice of the whole order, however deep; nothing is allocated by the page's number. */
function pageOf(places: Uint32Array, { page, hitsPerPage }: CheckedParams, before: Before): number[] {
  const from = (page - 1) * hitsPerPage;
  if (hitsPerPage === 0 || from >= places.length) return [];
  return topK(places, Math.min(from + hitsPerPage, places.length), before).slice(from);
}
