// The last pass of a query over one state: both legs and fusion at once, then what titles add, in slices; clicks, grouping,
// order.

import { DocSet, inAll } from "../base/doc-set.js";
import type { Task } from "../base/tasks.js";
import type { Before } from "../base/top-k.js";
import { atRanks } from "../base/top-k.js";
import type { CheckedParams } from "../query/check-params.js";
import { FusedRanking } from "../query/fusion/fused-ranking.js";
import type { RecallSource } from "../query/response.js";
import type { TextRanking } from "../text/search-text.js";
import type { VectorRanking } from "../vector/search-vectors.js";
import { bestOfGroups, groupsOf, orderOf } from "./order-hits.js";
import { fuseAll, pickFinalists } from "./pick-finalists.js";
import { type LegInput, type LegsNeed, membersOf, type PageRanks, ranksOf, searchLegs } from "./search-legs.js";

/** What ranking needs besides the parameters. */
export interface RankInput extends LegInput {
  /** Every member is listed, not only what a page needs. */
  readonly listsAll?: boolean;
}

/** The answer as places in a ranking. */
export interface RankedQuery {
  /** Members that pass the clicks: all, or those that can be on the page. */
  readonly ranking: FusedRanking;
  /** The group of each record, where hits are grouped. */
  readonly groupOf: ((doc: number) => number) | undefined;
  /** Members before any click; null where nobody needed them. */
  readonly all: DocSet | null;
  /** Records of the ranking that are hits: its members, or the best of each group. */
  readonly shown: Uint32Array;
  readonly recallSource: RecallSource[];
  readonly nbHits: number;
  /** Places in the ranking: the page asked for, in order. */
  readonly page: readonly number[];
  /** The legs, for explanations. */
  readonly text: TextRanking | null;
  readonly vectors: VectorRanking | null;
}

/** What is ranked. */
interface Ranked {
  readonly ranking: FusedRanking;
  readonly all: DocSet | null;
  /** Where not all members are in the ranking; how many of those that are not come before the page. */
  readonly nbHits?: number;
  readonly before?: number;
  readonly recallSource: RecallSource[];
  readonly text: TextRanking | null;
  readonly vectors: VectorRanking | null;
}

/** Ranks a prepared query and picks the page. */
export function* rankQuery(params: CheckedParams, input: RankInput): Task<RankedQuery> {
  const { prepared, snapshot, settings } = input;
  const ranked = input.blank && input.vector === null ? everything(params, input) : yield* rankLegs(params, input);
  const ranking = ranked.nbHits === undefined ? clickedOnly(ranked.ranking, input) : ranked.ranking;
  // Of each group the best is shown, so all are compared.
  if (prepared.distinct) yield* ranking.settle();
  const before = orderOf(ranking, params.sort, prepared.ranking, snapshot);
  const groupOf = prepared.distinct ? groupsOf(snapshot, settings.attributeForDistinct!) : undefined;
  const places = groupOf === undefined ? placesOf(ranking.members) : bestOfGroups(ranking, groupOf, before);
  const page = pageOf(places, ranksOf(params), { passed: ranked.before ?? 0, before });
  const shown = groupOf === undefined ? ranking.members : places.map((place) => ranking.members[place]!);
  return { ...ranked, ranking, groupOf, shown, nbHits: ranked.nbHits ?? places.length, page };
}

/** A blank query: every living record that is allowed, score 0. */
function everything(params: CheckedParams, input: RankInput): Ranked {
  const { snapshot, prepared } = input;
  const { allowed } = prepared;
  const live = snapshot.liveDocs();
  const members = allowed === null ? live : live.filter((doc) => allowed.has(doc));
  const zeros = new Float64Array(members.length);
  const source = { base: zeros, exactBase: () => 0, titles: null, codes: new Set<number>() };
  const ranking = new FusedRanking(members, source, () => ({ lexical: 0, semantic: 0, title: 0 }), zeros);
  const all = needsAll(params, input) ? new DocSet(snapshot.docSpan).addAll(members) : null;
  return { ranking, all, recallSource: ["fullTextSearch"], text: null, vectors: null };
}

function* rankLegs(params: CheckedParams, input: RankInput): Task<Ranked> {
  const need = needOf(params, input);
  const legs = searchLegs(params, input, need);
  const { text, vectors } = legs;
  const recallSource: RecallSource[] = [];
  if (text !== null || legs.exact.length > 0) recallSource.push("fullTextSearch");
  if (vectors !== null) recallSource.push("semanticSearch");
  const found = { text, vectors, recallSource };
  if (need === "all" || text === null) {
    const ranking = fuseAll(legs);
    const all = needsAll(params, input) ? new DocSet(input.snapshot.docSpan).addAll(ranking.members) : null;
    return { ...found, ranking, all };
  }
  const all = needsAll(params, input) ? membersOf({ ...legs, text }, input.prepared) : null;
  const ranks = ranksOf(params);
  const { ranking, nbHits, before } = pickFinalists({ ...legs, text }, ranks);
  return { ...found, all, nbHits, before, ranking: yield* ranking.best(ranks.to - before) };
}

/** Whether anybody asks who the members are. */
function needsAll(params: CheckedParams, { listsAll }: RankInput): boolean {
  return params.facets.length > 0 || listsAll === true;
}

/** What of the members is needed: those of the page; who is a member as well; or all with their scores. */
function needOf(params: CheckedParams, { prepared, settings, listsAll }: RankInput): LegsNeed {
  if (params.sort.length > 0 || prepared.distinct || settings.fusion.method === "rrf" || listsAll === true)
    return "all";
  return params.facets.length > 0 || prepared.clicked.length > 0 ? "members" : "page";
}

function clickedOnly(all: FusedRanking, { prepared: { clicked } }: RankInput): FusedRanking {
  if (clicked.length === 0) return all;
  const members = inAll(clicked).among(all.members);
  const places = new Uint32Array(members.length);
  for (let place = 0, from = 0; place < members.length; from++)
    if (all.members[from] === members[place]) places[place++] = from;
  return all.pick(places);
}

function placesOf(members: Uint32Array): Uint32Array {
  const places = new Uint32Array(members.length);
  for (let place = 0; place < places.length; place++) places[place] = place;
  return places;
}

/** One slice of the whole order, of which the first `passed` are no places; nothing is allocated by the page's number. */
function pageOf(
  places: Uint32Array,
  { from, to }: PageRanks,
  { passed, before }: { readonly passed: number; readonly before: Before },
): number[] {
  if (from === to || from - passed >= places.length) return [];
  return atRanks(places, from - passed, to - passed, before);
}
