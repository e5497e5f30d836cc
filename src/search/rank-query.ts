// Ranks a prepared query over one snapshot: both searches, their fusion, grouping, order, the page.

import type { TextMatches } from "../inverted/text-matches.js";
import { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { atRanks } from "../util/top-k.js";
import type { VectorRanking } from "../vectors/search-vectors.js";
import type { CheckedParams } from "./check-params.js";
import { fuse, needsOf, Ranking, type TextScores } from "./fuse.js";
import { bestOfGroups, groupsOf, orderOf } from "./order-hits.js";
import type { RecallSource } from "./response.js";
import { needsAllScores, needsSet, type Retrieved, type RetrieveInput, retrieve } from "./retrieve.js";

/** The answer as places in a ranking. */
export interface RankedQuery {
  /** Matches that pass the facet refinements: all, or those that can be on the page. */
  readonly ranking: Ranking;
  /** The group of each record, where hits are grouped. */
  readonly groupOf: ((doc: number) => number) | undefined;
  /** All matches before any refinement; null where they are not needed. */
  readonly all: DocSet | null;
  /** Records of the ranking that are hits: its records, or the best of each group. */
  readonly shown: Uint32Array;
  readonly recallSource: RecallSource[];
  readonly nbHits: number;
  /** Places in the ranking: the page asked for, in order. */
  readonly page: readonly number[];
  /** null: words were not searched. */
  readonly text: TextMatches | null;
  /** null: vectors were not searched. */
  readonly vectors: VectorRanking | null;
}

/** Ranks a prepared query and picks the page. */
export function* rankQuery(params: CheckedParams, input: RetrieveInput): Task<RankedQuery> {
  const { prepared, snapshot, settings } = input;
  const found = input.blank && input.vector === null ? everything(params, input) : yield* rankMatches(params, input);
  const { ranking } = found;
  const before = orderOf(ranking, params.sort, prepared.ranking, snapshot);
  const groupOf = prepared.distinct ? groupsOf(snapshot, settings.attributeForDistinct!) : undefined;
  const places = groupOf === undefined ? placesOf(ranking.docs) : bestOfGroups(ranking, groupOf, before);
  const shown = groupOf === undefined ? ranking.docs : places.map((place) => ranking.docs[place]!);
  const nbHits = groupOf === undefined ? found.nbHits : places.length;
  const from = (params.page - 1) * params.hitsPerPage;
  const page = from < places.length ? atRanks(places, from, from + params.hitsPerPage, before) : [];
  return { ...found, ranking, groupOf, shown, nbHits, page };
}

/** What is ordered and paged. */
type Ranked = Pick<RankedQuery, "ranking" | "all" | "nbHits" | "recallSource" | "text" | "vectors">;

/** A blank query: every record that exists for it, score 0. */
function everything(params: CheckedParams, input: RetrieveInput): Ranked {
  const { snapshot, prepared } = input;
  const { allowed, refinementSets } = prepared;
  const live = snapshot.liveDocs();
  const matches = allowed === null ? live : live.filter((doc) => allowed.has(doc));
  const docs = matches.filter((doc) => refinementSets.every((set) => set.has(doc)));
  const noParts = { lexical: 0, semantic: 0, title: 0, isBeyondWindow: false };
  const ranking = new Ranking(docs, new Float64Array(docs.length), () => noParts);
  const all = needsSet(params, input) ? new DocSet(snapshot.docSpan).addAll(matches) : null;
  return { ranking, all, nbHits: docs.length, recallSource: ["fullTextSearch"], text: null, vectors: null };
}

function* rankMatches(params: CheckedParams, input: RetrieveInput): Task<Ranked> {
  const found = retrieve(params, input);
  const { fusion, text, vectors, semantic, identified, window, nbHits, all, recallSource } = found;
  yield;
  const ranking = yield* fuse({
    fusion,
    text: textScores(found),
    semantic: vectors === null ? null : { docs: semantic, cosinesOf: vectors.similaritiesOf },
    identified,
    titles: text === null ? null : input.prepared.titles,
    window,
    top: needsAllScores(params, input) ? null : params.page * params.hitsPerPage,
  });
  const { refinementSets } = input.prepared;
  if (!needsOf(fusion).ranks || refinementSets.length === 0)
    return { ranking, all, nbHits, recallSource, text, vectors };
  const refined = ranking.pick((doc) => refinementSets.every((set) => set.has(doc)));
  return { ranking: refined, all, nbHits: refined.docs.length, recallSource, text, vectors };
}

function textScores({ text, listed }: Retrieved): TextScores | null {
  if (text === null || listed === null) return null;
  const { docs, scores } = listed.inOrder();
  const { maxScore } = text.query;
  const shares = Float64Array.from(scores, (score) => score / maxScore);
  return { docs, shares, shareOf: (doc) => text.shareOf(doc) };
}

function placesOf(docs: Uint32Array): Uint32Array {
  const places = new Uint32Array(docs.length);
  for (let place = 0; place < places.length; place++) places[place] = place;
  return places;
}
