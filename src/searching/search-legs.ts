// The legs of a query: which of them run, and what each finds.

import { type DocSet, inAll } from "../base/doc-set.js";
import type { CheckedParams } from "../query/check-params.js";
import type { CheckedSettings } from "../settings/settings.js";
import type { IndexSnapshot } from "../state/index-snapshot.js";
import { vectorCorpusOf } from "../state/search-corpus.js";
import { findIdentifiers } from "../text/find-identifier.js";
import { isAnyEnough } from "../text/membership/membership-rule.js";
import { uniteHolders } from "../text/membership/unite-holders.js";
import { searchText, type TextRanking } from "../text/search-text.js";
import type { TitleEvidence } from "../text/title/title-evidence.js";
import type { NeighbourRule } from "../vector/exact-scan.js";
import { searchVectors, type VectorRanking } from "../vector/search-vectors.js";
import type { UnitVector } from "../vector/unit-vector.js";
import type { VectorGraph } from "../vector/vector-graph.js";
import { MostElsewhere } from "./most-elsewhere.js";
import type { PreparedQuery } from "./prepare-query.js";

/** What the legs need besides the parameters. */
export interface LegInput {
  readonly prepared: PreparedQuery;
  readonly snapshot: IndexSnapshot;
  readonly settings: CheckedSettings;
  /** The query shows nothing: it asks for all records. */
  readonly blank: boolean;
  readonly identifiers: readonly string[];
  readonly vector: UnitVector | null;
  /** The least cosine of a member by meaning. */
  readonly floor: number;
  readonly graph: VectorGraph | undefined;
}

/** What is needed of the members: those that can be on the page; all, unscored; all, scored. */
export type LegsNeed = "page" | "members" | "all";

/** What the legs found; null: it did not run. */
export interface Legs {
  readonly text: TextRanking | null;
  /** Records that pass the clicks; null: all do. */
  readonly passing: DocSet | null;
  /** The leg of words has listed those members alone that pass the clicks and can be on the page. */
  readonly isPageEnough: boolean;
  readonly vectors: VectorRanking | null;
  /** Records whose identifier is the whole query. */
  readonly exact: readonly number[];
  readonly method:
    | { readonly method: "convex"; readonly semanticWeight: number }
    | { readonly method: "rrf"; readonly rankConstant: number };
  /** What titles add where words count; null: nothing. */
  readonly titles: TitleEvidence | null;
  /** What one share by words counts in the score, before titles, and what a cosine of 1. */
  readonly wordsWeight: number;
  readonly meaningWeight: number;
  /** What else can add to the sum of a record that is no member by meaning. */
  readonly elsewhere: MostElsewhere;
}

/** A cosine just below the floor may be this much above it: both are compared at six decimals. */
const ROUNDING = 1e-6;

/** Runs the legs. */
export function searchLegs(params: CheckedParams, input: LegInput, need: LegsNeed): Legs {
  const { prepared, snapshot, settings, blank, identifiers, vector, graph } = input;
  const { corpus, plan, allowed, clicked } = prepared;
  const weight = blank ? 1 : (params.semanticWeight ?? weightOf(settings));
  const bySemantics = vector !== null && weight > 0;
  const byWords = !bySemantics || weight < 1;
  const exact = findIdentifiers(corpus.segments, identifiers).filter((doc) => allowed?.has(doc) ?? true);
  const neighbours = {
    floor: input.floor,
    depth: params.semanticDepth ?? settings.semanticDepth,
  };
  const vectors = bySemantics ? searchVectors(vectorCorpusOf(snapshot), vector, neighbours, graph, allowed) : null;
  // Only an exact scan knows that all others are farther.
  const similar = vectors === null ? 0 : graph === undefined ? farthest(vectors, neighbours) : 1;
  // What words cannot say, meaning says: its weight grows by the share of the words that nobody holds.
  const semanticWeight = weight + (1 - weight) * (1 - plan.heldShare);
  const titles = byWords ? prepared.titles : null;
  const [wordsWeight, meaningWeight] = vectors === null ? [1, 0] : [1 - semanticWeight, semanticWeight];
  const elsewhere = new MostElsewhere({
    worth: wordsWeight / plan.attainable,
    meaning: meaningWeight * similar,
    titles: titles?.mostByScore() ?? null,
  });
  const rule = { matching: params.matching ?? settings.matching, ratio: settings.matchingRatio };
  const passing = clicked.length === 0 ? null : inAll(clicked);
  // Who is a member depends on no others, so the others need not be listed.
  const isPageEnough = need !== "all" && isAnyEnough(plan, rule.matching);
  const listed = passing === null || !isPageEnough ? allowed : inAll(allowed === null ? [passing] : [passing, allowed]);
  const leastBeside = (score: number): number => elsewhere.leastBeside(score);
  const top = need === "page" || isPageEnough ? { count: ranksOf(params).to, leastBeside } : null;
  const text = byWords ? searchText(plan, rule, listed, top) : null;
  const method = settings.fusion.method === "convex" ? { method: "convex" as const, semanticWeight } : settings.fusion;
  return { text, passing, isPageEnough, vectors, exact, method, titles, wordsWeight, meaningWeight, elsewhere };
}

/** Members of any leg, before any click; the leg of words has listed all of its own, or whoever holds a term is one. */
export function membersOf(
  { text, isPageEnough, vectors, exact }: Legs & { readonly text: TextRanking },
  { plan, allowed }: PreparedQuery,
): DocSet {
  const members = isPageEnough ? uniteHolders(plan, allowed) : text.memberSet();
  return members.addAll(vectors?.members ?? []).addAll(exact);
}

/** The share of the meaning by the settings; reciprocal ranks have none, so both legs run. */
export function weightOf({ fusion }: CheckedSettings): number {
  return fusion.method === "convex" ? fusion.semanticWeight : 0.5;
}

/** The ranks of a page: `from` … `to` - 1. */
export interface PageRanks {
  readonly from: number;
  readonly to: number;
}

/** The ranks of the page asked for. */
export function ranksOf({ page, hitsPerPage }: CheckedParams): PageRanks {
  return { from: (page - 1) * hitsPerPage, to: page * hitsPerPage };
}

/** What a record outside of the nearest can be like at most. */
function farthest({ members, least }: VectorRanking, { floor, depth }: NeighbourRule): number {
  return members.length < depth ? Math.max(0, floor) + ROUNDING : least;
}
