// From a prepared query to the page: finds the matches, scores them, keeps the best of each group, and orders the page.

import { inEffect } from "../../input/parameter-table.js";
import { type CheckedParams, placesAsked } from "../../input/read-params.js";
import { holdsAllTerms, type TextMatches } from "../../inverted/text-matches.js";
import { type Doc, type DocArray, DocSet, inAll, type LocalDoc } from "../../util/doc-set.js";
import { indexOfSorted } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";
import { atRanks } from "../../util/top-k.js";
import type { SemanticMatches } from "../../vectors/search-vectors.js";
import type { PreparedQuery, PromotedRecord } from "../prepare/prepare-query.js";
import type { RecallSource } from "../response.js";
import { boostAlone, fuse, type LexicalScores, needsOf, type ScoredDocs } from "./fuse.js";
import {
  bestOfGroups,
  firstOfGroups,
  groupNumbers,
  groupsAround,
  groupsOf,
  groupValueOf,
  type LetterSizes,
  orderOf,
  orderWithFirst,
  type Pinned,
  pageAround,
  pageOfWalk,
  placesAmong,
  type ShownGroup,
  type WalkState,
} from "./order-hits.js";
import { type LexicalMatches, type RetrievedMatches, type RetrieveInput, retrieve } from "./retrieve.js";

/** What is ranked. */
export interface RankInput extends Omit<RetrieveInput, "needsSet" | "needsAllScores" | "refinesAfterwards"> {
  /** Every match is listed, not only those that a page may show. */
  readonly listsAll: boolean;
  /** Where a walk through the hits stands; undefined: the page is one by number. */
  readonly walk?: WalkFrom | undefined;
}

/** Where a walk stands, and whether each attribute that orders hits was ordered as sizes in letters when it began. */
export interface WalkFrom extends WalkState {
  readonly sizes: readonly boolean[];
}

/** A query whose matches are found, scored, grouped and ordered. */
export interface RankedQuery {
  /** Matches that pass the facet refinements: all, or those that may be on the page. */
  readonly matches: ScoredDocs;
  /** The group of each record, where hits are grouped. */
  readonly groupOf: ((doc: Doc) => number) | undefined;
  /** All matches before any refinement; null where they are not needed. */
  readonly all: DocSet<Doc> | null;
  /** The matches that are hits: all of them, or the best of each group. */
  readonly shown: DocArray<Doc>;
  readonly recallSource: RecallSource[];
  readonly nbHits: number;
  /**
   * The matches that were left out because their scores are below a share of the best score, that of records whose identifier is the query
   * aside; null: none can be.
   */
  readonly irrelevant: (LeftOut & { readonly bestScore: number }) | null;
  /** The matches that were left out because their final scores are below `minScore`; null: none can be. */
  readonly weak: LeftOut | null;
  /** How many records the groups of all hits have. */
  readonly nbRecords: number;
  /** Places in `matches`: the page, in order. */
  readonly page: readonly number[];
  /** The group of each hit of the page; undefined: none is shown. */
  readonly groups: readonly ShownGroup[] | undefined;
  /** Of a walk: where it stands behind the page; null: at its end, or there is none. */
  readonly next: WalkFrom | null;
  /** The matches that have the whole query as an identifier. */
  readonly exactIdentifierDocs: readonly Doc[];
  /** null: words were not searched. */
  readonly lexical: TextMatches | null;
  /** null: vectors were not searched. */
  readonly semantic: SemanticMatches | null;
}

/** Matches that are no hits, because their scores are too low. */
export interface LeftOut {
  readonly docs: DocSet<Doc>;
  readonly scoreOf: (doc: Doc) => number;
}

/** Ranks a query. */
export function* rankQuery(params: CheckedParams, given: RankInput): Task<RankedQuery> {
  const { prepared, snapshot, settings, listsAll } = given;
  const needsSet = params.facets.length > 0 || listsAll;
  const strictness = given.blank ? 0 : inEffect("relevancyStrictness", params, settings);
  const refinesAfterwards = needsOf(settings.fusion).ranks || strictness > 0 || params.minScore > 0;
  const isLowered = prepared.query.unlike !== null;
  const { order, items } = prepared;
  const isSorted = params.sort.length > 0 || order.length > 0;
  const isGrouped = prepared.distinct > 0;
  const { walk } = given;
  const isContinued = walk !== undefined && walk.shown > 0;
  const needsAllScores = isSorted || isGrouped || isContinued || listsAll || isLowered || refinesAfterwards;
  const input: RetrieveInput = { ...given, needsSet, needsAllScores, refinesAfterwards };
  const scored =
    given.blank && given.vector === null
      ? yield* everyRecord(params, input)
      : yield* scoreMatches(params, input, strictness);
  const { matches } = scored;
  const ordering = [...(order.length > 0 ? order : params.sort), ...settings.customRanking];
  const sizes: LetterSizes = new Map(
    walk?.sizes.flatMap((are, i) => (i < ordering.length ? [[ordering[i]!.attribute, are]] : [])),
  );
  const context = { snapshot, items, sizes };
  const hitOrder = yield* order.length > 0
    ? orderWithFirst(matches, { sort: order, first: yield* askedFor(matches, prepared) }, settings, context)
    : orderOf(matches, params.sort, settings, context);
  const { before } = hitOrder;
  const groupOf = isGrouped ? groupsOf(snapshot, settings.attributeForDistinct!) : undefined;
  const pinned = yield* firstOfGroups(yield* pinnedIn(matches, prepared.promoted), matches.docs, groupOf);
  const numbers = groupOf === undefined ? undefined : yield* groupNumbers(matches.docs, groupOf);
  const places = numbers === undefined ? placesOf(matches.docs) : yield* bestOfGroups(numbers, before, pinned);
  const shown = groupOf === undefined ? matches.docs : (places.map((place) => matches.docs[place]!) as DocArray<Doc>);
  const nbHits = groupOf === undefined ? scored.nbHits : places.length;
  const isMoved = !isSorted && pinned.length > 0;
  const { from, to } = placesAsked(params);
  const walked =
    walk === undefined
      ? undefined
      : yield* pageOfWalk(walk, { pinned: isMoved ? pinned : [], hits: places, nbHits }, params.hitsPerPage, hitOrder);
  const page =
    walked?.page ??
    (isMoved
      ? yield* pageAround(pinned, places, { from, to: Math.min(to, nbHits), nbHits, before })
      : yield* atRanks(places, from, to, before));
  const isBySize = ordering.map(({ attribute }) => sizes.get(attribute) === true);
  const next = walked === undefined || walked.next === null ? null : { ...walked.next, sizes: isBySize };
  let groups: readonly ShownGroup[] | undefined;
  if (numbers !== undefined && prepared.distinct > 1) {
    const valueAt = (place: number) => groupValueOf(snapshot, settings.attributeForDistinct!, matches.docs[place]!);
    groups = yield* groupsAround(page, numbers, valueAt, prepared.distinct - 1, before);
  }
  return { ...scored, groupOf, shown, nbHits, nbRecords: scored.nbHits, page, groups, next };
}

/** The matches before they are grouped and ordered. */
type ScoredQuery = Omit<RankedQuery, "groupOf" | "shown" | "nbRecords" | "page" | "groups" | "next">;

/** Promoted records sought among the matches, or titles read, between two pauses. */
const SOUGHT_AT_ONCE = 1 << 12;

/** The share of the best score from which on a hit may be what was asked for, where no title says so. */
const NEAR_BEST = 0.9;

/**
 * The places of the matches that are what a query asks for: of those that hold all its words, or of all where none does, those whose
 * title or category says so, or where none says so, the best ones.
 */
function* askedFor({ docs, relevance }: ScoredDocs, { query, titles }: PreparedQuery): Task<DocSet> {
  const holdsAll = holdsAllTerms(query);
  const all = placesOf(docs);
  const whole = yield* placesAmong(all, (place) => holdsAll(docs[place]!));
  const candidates = whole.length === 0 ? all : whole;
  const named = yield* placesAmong(candidates, (place) => titles?.names(docs[place]!) === true);
  if (named.length > 0) return new DocSet(docs.length).addAll(named);
  let best = 0;
  for (let i = 0; i < candidates.length; i++) {
    if ((i + 1) % COMPARED_AT_ONCE === 0) yield;
    best = Math.max(best, relevance[candidates[i]!]!);
  }
  const near = yield* placesAmong(candidates, (place) => relevance[place]! >= NEAR_BEST * best);
  return new DocSet(docs.length).addAll(near);
}

/** The promoted records among the matches. */
function* pinnedIn({ docs }: ScoredDocs, promoted: readonly PromotedRecord[]): Task<Pinned[]> {
  const pinned: Pinned[] = [];
  for (const [i, { doc, ...pin }] of promoted.entries()) {
    if ((i + 1) % SOUGHT_AT_ONCE === 0) yield;
    const place = indexOfSorted(docs, doc);
    if (place >= 0) pinned.push({ ...pin, place });
  }
  return pinned;
}

/** A blank query: every record that passes the filters, with score 0, or what boosts give to it. */
function* everyRecord({ minScore }: CheckedParams, { snapshot, prepared, needsSet }: RetrieveInput): Task<ScoredQuery> {
  const { allowed, refinementSets } = prepared;
  const all = new DocSet<Doc>(snapshot.docSpan);
  for (const { segment, deletedDocs, base } of snapshot.segments) {
    const live = new DocSet<LocalDoc>(segment.size).fill();
    all.orFrom(deletedDocs === null ? live : live.andNot(deletedDocs), base);
    yield;
  }
  if (allowed !== null) all.and(allowed);
  yield;
  const boosts = prepared.boosts?.areInForce === true ? prepared.boosts : null;
  const promoted = prepared.promoted.map(({ doc }) => doc);
  let weak: LeftOut | null = null;
  if (boosts !== null && minScore > 0) {
    weak = yield* weakIn(
      yield* boostAlone(all.toArray() as DocArray<Doc>, boosts),
      minScore,
      promoted,
      snapshot.docSpan,
    );
    all.andNot(weak.docs);
  }
  all.addAll(promoted);
  const refined = refinementSets.length === 0 ? all : inAll([all, ...refinementSets]);
  yield;
  const docs = refined.toArray() as DocArray<Doc>;
  return {
    matches: yield* boostAlone(docs, prepared.boosts),
    all: needsSet ? all : null,
    nbHits: docs.length,
    irrelevant: null,
    weak,
    recallSource: ["fullTextSearch"],
    exactIdentifierDocs: [],
    lexical: null,
    semantic: null,
  };
}

function* scoreMatches(params: CheckedParams, input: RetrieveInput, strictness: number): Task<ScoredQuery> {
  const retrieved = yield* retrieve(params, input);
  const { fusion, words, semantic, semanticDocs, exactIdentifierDocs, promoted } = retrieved;
  const { nbHits, all, recallSource } = retrieved;
  const lexical = words?.matches ?? null;
  yield;
  const scored = yield* fuse({
    fusion,
    lexical: words === null ? null : lexicalScores(words),
    semantic: semantic === null ? null : { docs: semanticDocs, cosinesOf: semantic.similaritiesOf },
    exactIdentifierDocs,
    titles: lexical === null ? null : input.prepared.titles,
    boosts: input.prepared.boosts,
    window: words?.window ?? null,
    top: input.needsAllScores ? null : placesAsked(params).to + promoted.length,
    promoted,
  });
  const { refinementSets } = input.prepared;
  const { docSpan } = input.snapshot;
  const irrelevant = strictness === 0 ? null : yield* irrelevantIn(scored, strictness, retrieved, docSpan);
  const weak = params.minScore === 0 ? null : yield* weakIn(scored, params.minScore, promoted, docSpan);
  const found = { recallSource, exactIdentifierDocs, lexical, semantic, irrelevant, weak };
  const leftOut = [irrelevant, weak].flatMap((some) => some?.docs ?? []);
  if (!input.refinesAfterwards || (leftOut.length === 0 && refinementSets.length === 0))
    return { ...found, matches: scored, nbHits, all };
  const isHit = (doc: Doc): boolean =>
    !leftOut.some((set) => set.has(doc)) && refinementSets.every((set) => set.has(doc));
  const matches = yield* scored.pick(isHit);
  for (const set of leftOut) all?.andNot(set);
  return { ...found, matches, nbHits: matches.docs.length, all };
}

/** Scores are multiples of this. */
const SCORE_STEP = 1e-6;
/** Scores compared between two pauses. */
const COMPARED_AT_ONCE = 1 << 16;

/** The matches whose scores are below a share of the best one, in percent. */
function* irrelevantIn(
  { docs, relevance: scores }: ScoredDocs,
  strictness: number,
  { exactIdentifierDocs, promoted, added }: Pick<RetrievedMatches, "exactIdentifierDocs" | "promoted" | "added">,
  docSpan: number,
): Task<NonNullable<RankedQuery["irrelevant"]>> {
  const exact = new Set(exactIdentifierDocs);
  const kept = new DocSet<Doc>(docSpan).addAll(exactIdentifierDocs).addAll(promoted);
  let bestScore = 0;
  for (let place = 0; place < docs.length; place++) {
    if ((place + 1) % COMPARED_AT_ONCE === 0) yield;
    const doc = docs[place]!;
    if (scores[place]! > bestScore && !exact.has(doc) && !added.has(doc)) bestScore = scores[place]!;
  }
  // In whole steps, so that the comparison is exact.
  const stepsOf = (score: number): number => Math.round(score / SCORE_STEP);
  const least = strictness * stepsOf(bestScore);
  const irrelevant = new DocSet<Doc>(docSpan);
  for (let place = 0; place < docs.length; place++) {
    if ((place + 1) % COMPARED_AT_ONCE === 0) yield;
    const doc = docs[place]!;
    if (100 * stepsOf(scores[place]!) < least && !kept.has(doc)) irrelevant.add(doc);
  }
  return { docs: irrelevant, bestScore, scoreOf: (doc) => scores[indexOfSorted(docs, doc)]! };
}

/** The matches whose final scores are lower, but for promoted ones. */
function* weakIn(
  { docs, scores }: ScoredDocs,
  minScore: number,
  promoted: ArrayLike<Doc>,
  docSpan: number,
): Task<LeftOut> {
  const weak = new DocSet<Doc>(docSpan);
  for (let place = 0; place < docs.length; place++) {
    if ((place + 1) % COMPARED_AT_ONCE === 0) yield;
    if (scores[place]! < minScore) weak.add(docs[place]!);
  }
  weak.removeAll(promoted);
  return { docs: weak, scoreOf: (doc) => scores[indexOfSorted(docs, doc)]! };
}

function lexicalScores({ matches, listed }: LexicalMatches): LexicalScores {
  const { docs, scores } = listed.inOrder();
  const { maxScore } = matches.query;
  const shares = new Float64Array(scores.length);
  for (let i = 0; i < shares.length; i++) shares[i] = scores[i]! / maxScore;
  return { docs, shares, shareOf: (doc) => matches.shareOf(doc) };
}

function placesOf(docs: Uint32Array): Uint32Array {
  const places = new Uint32Array(docs.length);
  for (let place = 0; place < places.length; place++) places[place] = place;
  return places;
}
