// Runs both searches of a query over one snapshot: which records match by words, which by their vectors, how many they are,
// and which of them are in the rank window.

import type { IndexSnapshot } from "../index/index-snapshot.js";
import { vectorCorpusOf } from "../index/search-corpus.js";
import type { Candidates, RankBound } from "../inverted/candidates.js";
import { findIdentifiers } from "../inverted/find-identifier.js";
import { findMatches, isAnyEnough, type TextMatches } from "../inverted/text-matches.js";
import type { CheckedSettings } from "../settings/settings.js";
import { DocSet, inAll } from "../util/doc-set.js";
import { searchVectors, type VectorRanking } from "../vectors/search-vectors.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import type { VectorGraph } from "../vectors/vector-graph.js";
import type { CheckedParams } from "./check-params.js";
import { type FusionMethod, needsOf } from "./fuse.js";
import { bestByWords } from "./order-hits.js";
import type { PreparedQuery } from "./prepare-query.js";
import type { RecallSource } from "./response.js";

/** What is searched besides the parameters. */
export interface RetrieveInput {
  readonly prepared: PreparedQuery;
  readonly snapshot: IndexSnapshot;
  readonly settings: CheckedSettings;
  /** The query has no text: it asks for all records. */
  readonly blank: boolean;
  /** The query as identifiers. */
  readonly identifiers: readonly string[];
  readonly vector: UnitVector | null;
  /** The least cosine of a semantic match. */
  readonly floor: number;
  /** Asked for right before it is searched: graphs are replaced while queries wait for their turn. */
  readonly graph: () => VectorGraph | undefined;
  /** Every match is listed, not only what a page needs. */
  readonly listsAll?: boolean;
}

/** What both searches found. */
export interface Retrieved {
  readonly fusion: FusionMethod;
  /** null: words were not searched. */
  readonly text: TextMatches | null;
  /** The text matches that pass the facet refinements (by ranks: also those that do not): all, or those that a page may need. */
  readonly listed: Candidates | null;
  /** null: vectors were not searched. */
  readonly vectors: VectorRanking | null;
  /** The semantic matches that pass the facet refinements (by ranks: all), ascending. */
  readonly semantic: Uint32Array;
  /** The records that pass the facet refinements whose identifier is the whole query. */
  readonly identified: readonly number[];
  /** The best text matches before any refinement, ascending: cosine and title count for them; null: for all records. */
  readonly window: Uint32Array | null;
  /** How many records match and pass the refinements. */
  readonly nbHits: number;
  /** All matches before any refinement; null: not asked for. */
  readonly all: DocSet | null;
  readonly recallSource: RecallSource[];
}

/** Scores that round to the same six decimals differ by less. */
const ROUNDING = 2e-6;

/** Searches words and vectors. */
export function retrieve(params: CheckedParams, input: RetrieveInput): Retrieved {
  const { prepared, snapshot, settings, blank, vector } = input;
  const { corpus, query, allowed, refinementSets } = prepared;
  const asked = blank ? 1 : (params.semanticWeight ?? semanticWeightOf(settings));
  const searchesVectors = vector !== null && asked > 0;
  const neighbours = { floor: input.floor, depth: params.semanticDepth ?? settings.semanticDepth };
  const vectors = searchesVectors
    ? searchVectors(vectorCorpusOf(snapshot), vector, neighbours, input.graph(), allowed)
    : null;
  // What no record holds as a word, only meaning can find: its weight grows by that share of the query.
  const semanticWeight = asked + (1 - asked) * (1 - query.heldShare);
  const fusion: FusionMethod =
    settings.fusion.method === "convex" ? { method: "convex", semanticWeight } : settings.fusion;
  const identified = findIdentifiers(corpus.segments, input.identifiers).filter((doc) => allowed?.has(doc) ?? true);

  // Ranks count among all matches, so refinements come after the ranking.
  const passing = refinementSets.length === 0 || needsOf(fusion).ranks ? null : inAll(refinementSets);
  const passes = (doc: number): boolean => passing === null || passing.has(doc);
  const words = !searchesVectors || asked < 1 ? searchWords(params, input, { fusion, vectors, passing }) : null;
  const semantic = vectors === null ? new Uint32Array(0) : vectors.members.filter(passes);
  const passingIdentified = identified.filter(passes);

  const isTextMatch = (doc: number): boolean => words?.text.isMatch(doc) === true;
  let nbHits = words?.count ?? 0;
  for (const doc of semantic) if (!isTextMatch(doc)) nbHits++;
  for (const doc of passingIdentified) if (!semantic.includes(doc) && !isTextMatch(doc)) nbHits++;

  const recallSource: RecallSource[] = [];
  if (words !== null || identified.length > 0) recallSource.push("fullTextSearch");
  if (vectors !== null) recallSource.push("semanticSearch");
  const textSet = words === null ? new DocSet(snapshot.docSpan) : words.all;
  return {
    fusion,
    text: words?.text ?? null,
    listed: words?.listed ?? null,
    vectors,
    semantic,
    identified: passingIdentified,
    window: words?.window ?? null,
    nbHits,
    all: needsSet(params, input) ? textSet!.addAll(vectors?.members ?? []).addAll(identified) : null,
    recallSource,
  };
}

/** Whether the matches are needed as a set. */
export function needsSet(params: CheckedParams, { listsAll }: RetrieveInput): boolean {
  return params.facets.length > 0 || listsAll === true;
}

/** Whether every match must be scored: otherwise a page needs the best only. */
export function needsAllScores(params: CheckedParams, { prepared, settings, listsAll }: RetrieveInput): boolean {
  return params.sort.length > 0 || prepared.distinct || listsAll === true || settings.fusion.method === "rrf";
}

/** The text matches of a query. */
interface FoundWords {
  readonly text: TextMatches;
  /** Those that pass the refinements: all, or those that a page may need. */
  readonly listed: Candidates;
  /** How many pass them. */
  readonly count: number;
  readonly window: Uint32Array | null;
  /** All of them, if they are needed. */
  readonly all: DocSet | null;
}

/** What words are searched beside. */
interface WordsInput {
  readonly fusion: FusionMethod;
  readonly vectors: VectorRanking | null;
  /** Records that pass the refinements; null: all do. */
  readonly passing: DocSet | null;
}

function searchWords(
  params: CheckedParams,
  input: RetrieveInput,
  { fusion, vectors, passing }: WordsInput,
): FoundWords {
  const { prepared, snapshot, settings } = input;
  const { query, allowed, titles } = prepared;
  const needs = needsOf(fusion);
  const rule = { matching: params.matching ?? settings.matching, ratio: settings.matchingRatio };
  const isSetNeeded = needsSet(params, input);
  const isPageEnough = !needsAllScores(params, input) && !needs.allCosines;
  const bounds = pageBounds(params, input, { fusion, vectors });
  const isListNeeded = !isPageEnough || (isSetNeeded && !isAnyEnough(query, rule.matching));
  const hasMoreThanWords = vectors !== null || (needs.titles && titles !== null);
  const hasWindow = needs.window && hasMoreThanWords;
  // The window is made of all that exist for the query, the page of those that pass the refinements.
  const windowBounds = passing === null || !hasWindow ? bounds : [{ count: settings.rankWindow, slack: 0 }];
  const text = findMatches(query, rule, allowed, isListNeeded ? "all" : windowBounds);
  const all = isSetNeeded ? text.toSet() : null;
  const window = hasWindow ? bestByWords(text.candidates, settings.rankWindow, prepared.ranking, snapshot) : null;
  let listed = text.candidates;
  let { count } = text;
  if (passing !== null && isListNeeded) {
    listed.keepAmong(passing);
    count = listed.size;
  } else if (passing !== null) {
    const refined = allowed === null ? passing : inAll([passing, allowed]);
    const found = findMatches(query, rule, refined, bounds, text.bestScore);
    listed = found.candidates;
    count = found.count;
  }
  if (isPageEnough) listed.keepFrom(listed.thresholdFor(bounds));
  return { text, listed, count, window, all };
}

/** Which text matches a page may show. */
function pageBounds(
  params: CheckedParams,
  { prepared: { query, titles }, settings }: RetrieveInput,
  { fusion, vectors }: Pick<WordsInput, "fusion" | "vectors">,
): RankBound[] {
  const pageEnd = params.page * params.hitsPerPage;
  const cosineWeight = fusion.method === "convex" && vectors !== null ? fusion.semanticWeight : 0;
  const divisor = titles?.divisor ?? 1;
  // A part of the fused score as a part of the score by words, before fusion.
  const byWords = (part: number): number =>
    Math.ceil(((part + ROUNDING * divisor) * query.maxScore) / (1 - cosineWeight));
  return [
    // Behind the window words alone count.
    { count: Math.max(settings.rankWindow, pageEnd), slack: byWords(0) },
    // Cosine and title add no more than this.
    { count: pageEnd, slack: byWords(cosineWeight + (titles?.most ?? 0)) },
  ];
}

/** The weight of meaning by the settings; ranks have none, so both searches run. */
export function semanticWeightOf({ fusion }: CheckedSettings): number {
  return fusion.method === "convex" ? fusion.semanticWeight : 0.5;
}
