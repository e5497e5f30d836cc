// The life of a query: parse, embed, prepare, rank, count facets, shape. The query waits for an embedder when its text is
// embedded, when the semantic floor is learned, and when similar words are added. After the first wait it takes one version of the
// index and keeps it to the end. The other steps run in slices.

import { isBlank } from "../analysis/normalize-text.js";
import { type ReadQuery, readQuery } from "../analysis/parse-query.js";
import type { Filter } from "../docvalues/filter.js";
import type { ValueRank } from "../docvalues/value-counts.js";
import { inEffect } from "../input/parameter-table.js";
import {
  BoundsError,
  type CheckedParams,
  inGroups,
  type QueryBounds,
  requireSameDimensions,
} from "../input/read-params.js";
import { areHeldTogether } from "../inverted/weigh-terms.js";
import { type BoundedVersion, boundedVersion, proposable, unboundedVersion } from "../state/bounded-snapshot.js";
import { type AttributeContext, checkAttributes, checkFilter, warnUnknownShown } from "../state/check-attributes.js";
import { ColumnReferences } from "../state/column-store.js";
import type { PhaseClock } from "../state/engine-activity.js";
import type { IndexVersion } from "../state/index-data.js";
import type { MemoryBudget } from "../state/memory-budget.js";
import type { SearchWarning } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { pauseIfLong, runTask, type Task } from "../util/tasks.js";
import { searchVectors } from "../vectors/search-vectors.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { type Walk, walkOf } from "./cursor.js";
import { type CountedFacets, countFacets } from "./facets/count-facets.js";
import { correctKnownWords, type PrepareContext, type PreparedQuery, prepareQuery } from "./prepare/prepare-query.js";
import { semanticWeightOf } from "./rank/fuse.js";
import { type RankedQuery, type RankInput, rankQuery } from "./rank/rank-matches.js";
import { isShort } from "./rank/retrieve.js";
import { applyRulesAndIntent, NO_INTENT, type UnderstoodQuery } from "./read/apply-intent.js";
import { NO_EFFECTS } from "./read/apply-rules.js";
import { addSimilarWords, type EmbeddedQuery, queryVector, readWordTable } from "./read/embed-query.js";
import type { SearchAnswer, SearchData } from "./response.js";
import { explainWords, matchInfoOf } from "./shape/explain-words.js";
import { shapeHits } from "./shape/shape-hits.js";

/** What a query runs on. */
export interface QueryContext {
  readonly name: string;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly bounds?: QueryBounds | undefined;
  /** Aborts when the index ends. */
  readonly ended: AbortSignal;
  readonly warn: (warning: SearchWarning) => void;
  readonly memory: MemoryBudget;
  /** The current version; read again after the wait for an embedding. */
  readonly version: () => IndexVersion;
  /** Waits for an embedder with a signal that also aborts when the index ends; the wait then rejects with the reason. */
  readonly whileThere: <T>(wait: (stop: AbortSignal) => Promise<T>) => Promise<T>;
  /** Measures from the call on. */
  readonly clock: PhaseClock;
}

/** A query's tokens and vector, and the version of the index by whose settings both were made. */
interface EmbeddedText extends UnderstoodQuery {
  readonly read: ReadQuery;
  /** The query has no words besides exclusions: it asks for all other records. */
  readonly blank: boolean;
  readonly embedded: EmbeddedQuery;
  readonly version: BoundedVersion;
}

/** A query that was ranked, with what it was ranked on. */
export interface AnsweredQuery extends Omit<EmbeddedText, "embedded"> {
  /** The minimum cosine of a semantic match. */
  readonly floor: number;
  readonly prepared: PreparedQuery;
  readonly ranked: RankedQuery;
  /** undefined: the query has no cursor. */
  readonly walk: Walk | undefined;
  /** undefined: the query has none. */
  readonly facets: CountedFacets | undefined;
  /** `performance.now()` when the text was embedded and the floor known. */
  readonly began: number;
  /** Milliseconds of waiting for an embedding since then. */
  readonly waited: number;
}

/** Answers a query whose parameters are checked. */
export async function runQuery(given: CheckedParams, context: QueryContext): Promise<SearchAnswer<JsonRecord>> {
  const answered = await answerQuery(given, context);
  const { ruled, version, read, blank, prepared, ranked } = answered;
  const parsing = { prepared, language: version.settings.language, shown: ranked.shown };
  const { getParsedQuery, getMatchInfo } = ruled.params;
  const { signal } = context;
  return shapeAnswer(given.query, answered, context, {
    ...(getParsedQuery && { parsedQuery: await runTask(explainWords(read.plainText, parsing), signal) }),
    ...(getMatchInfo && { matchInfo: await runTask(matchInfoOf(ranked, prepared, blank), signal) }),
  });
}

/** The answer of a query that was ranked. `query` is the caller's text; `more`: what the answer has besides. */
export async function shapeAnswer(
  query: string,
  {
    ruled: { params, effects },
    understood,
    version,
    prepared,
    ranked,
    walk,
    facets,
    began,
    waited,
  }: Omit<AnsweredQuery, "read" | "blank" | "floor" | "intent">,
  context: QueryContext,
  more: Pick<SearchData, "parsedQuery" | "matchInfo"> = {},
): Promise<SearchAnswer<JsonRecord>> {
  const { snapshot, attributes, settings } = version;
  await runTask(warnUnknownShown(params, { settings: settings.effective, attributes }, context.warn));
  const hits = await runTask(
    shapeHits(params, {
      ranked,
      prepared,
      snapshot,
      language: settings.language,
      characters: context.limits.fieldCharacters,
    }),
    context.signal,
  );
  const ended = context.clock.end("shape");
  // In the documented order.
  const data: SearchData = {
    query,
    indexUse: context.name,
    recallSource: ranked.recallSource,
    nbHits: ranked.nbHits,
    ...(ranked.groups !== undefined && { nbRecords: ranked.nbRecords }),
    page: walk?.page ?? params.page,
    hitsPerPage: params.hitsPerPage,
    ...(walk !== undefined && { nextCursor: ranked.next === null ? null : walk.cursorOf(ranked.next) }),
    ...(params.offset !== undefined && { offset: params.offset, length: params.hitsPerPage }),
    serverTimeMS: Math.floor(ended - context.clock.started),
    processingTimeMS: Math.floor(ended - began - waited),
    hits,
    ...facets,
    ...more,
    ...(understood !== null && { understood }),
    ...(effects.appliedRules.length > 0 && { appliedRules: effects.appliedRules }),
    ...(effects.userData.length > 0 && { userData: effects.userData }),
  };
  return { msg: "success", code: 200, data };
}

/** Options of `answerQuery` besides the parameters. */
export interface AnswerExtras {
  /** Which values of facets are shown, and in which order, where typing errors are mended or not; undefined: all, by their counts. */
  readonly rankings?: (mends: boolean) => readonly ValueRank[];
  /** Every match is listed, not only those that the page may show. Default false. */
  readonly listsAll?: boolean;
}

/** Answers several queries at once. Where one fails, the others end before it is told. */
export async function answerQueries(all: readonly CheckedParams[], context: QueryContext): Promise<AnsweredQuery[]> {
  const running = all.map((params) => answerQuery(params, context));
  await Promise.allSettled(running);
  return Promise.all(running);
}

/** Embeds, prepares and ranks a query, and counts its facets. */
export async function answerQuery(
  given: CheckedParams,
  context: QueryContext,
  { rankings, listsAll = false }: AnswerExtras = {},
): Promise<AnsweredQuery> {
  const { signal, clock } = context;
  const { intent, understood, read, blank, embedded, version, ...found } = await readAndEmbed(given, context);
  const params = inGroups(found.ruled.params, version.settings.effective.distinct, context.limits);
  const ruled = { ...found.ruled, params };
  const walk = await walkOf(given, { name: context.name, settings: version.settings, signal });
  // Learned from the snapshot that is then searched.
  const learned = (stop: AbortSignal): Promise<number> => version.floor({ ...context, signal: stop });
  const usualFloor = params.semanticFloor ?? (embedded.vector === null ? 0 : await context.whileThere(learned));
  const { snapshot } = version;
  const settings = version.settings.effective;
  const began = clock.end("embed");
  const columnReferences = new ColumnReferences();
  try {
    const preparing = prepareContext(version, embedded, context, { columnReferences, effects: ruled.effects, intent });
    const asTyped = await runTask(prepareQuery(params, read, preparing), signal);
    const floorOutOfVocabulary = (prepared: PreparedQuery): Promise<number | undefined> =>
      floorOfOutOfVocabulary(params, { embedded, prepared, version }, context);
    const atLeastUsual = (floor: number | undefined): number => Math.max(usualFloor, floor ?? usualFloor);
    const prepareEnded = clock.end("prepare");
    const leaning = await addSimilarWords(params, { embedded, prepared: asTyped, version }, context);
    const waited = clock.end("embed") - prepareEnded;
    // Nothing is near, neither by words nor by meaning: then a word may be a typing error even if the embedder knows it.
    const isOutOfVocabulary = asTyped.query.maxScore === 0;
    // Of a floor that was not learned, nobody knows what it means that no record reaches it.
    const isLearned = params.semanticFloor === undefined && settings.semanticFloor === "auto";
    const tellsNear = isLearned && version.settings.embedder?.meaningOf !== undefined;
    const isNone =
      isOutOfVocabulary &&
      tellsNear &&
      isNoneNear(leaning.vector, atLeastUsual(await floorOutOfVocabulary(asTyped)), version);
    const findsNothing = isOutOfVocabulary && (leaning.isFar || isNone);
    const prepared = findsNothing
      ? await runTask(correctKnownWords(asTyped, params, read, preparing), signal)
      : asTyped;
    if (findsNothing) clock.end("prepare");
    const vector = prepared === asTyped ? leaning.vector : embedded.vector;
    const { outOfVocabularyWeight } = version.settings;
    const outOfVocabularyFloor = await floorOutOfVocabulary(prepared);
    const floor = atLeastUsual(outOfVocabularyFloor);
    const searched = {
      outOfVocabularyWeight,
      identifiers: read.identifiers,
      vector,
      floor,
      unjudged: outOfVocabularyFloor === undefined ? null : termsBeyondMeaning(prepared.query, version.settings),
      graph: version.graph,
    };
    const readsAll = listsAll || params.getParsedQuery || params.getMatchInfo;
    const input = { prepared, snapshot, settings, blank, listsAll: readsAll, walk: walk?.from, ...searched };
    const { ranked, facets } = await rankAndCount(params, input, preparing, context, rankings);
    return { ruled, intent, understood, version, read, blank, floor, prepared, ranked, walk, facets, began, waited };
  } finally {
    columnReferences.release(context.memory.columnsToKeep());
  }
}

/** Whether no record at all is near in meaning, whatever the filters. */
function isNoneNear(vector: UnitVector | null, floor: number, { snapshot, graph }: BoundedVersion): boolean {
  if (vector === null) return false;
  return searchVectors(snapshot.statistics.vectors, vector, { floor, depth: 1 }, graph()).docs.length === 0;
}

/** The semantic floor of a short query whose terms no record holds together; undefined: that of all queries is in force. */
async function floorOfOutOfVocabulary(
  params: CheckedParams,
  { embedded, prepared, version }: Pick<EmbeddedText, "embedded" | "version"> & Pick<AnsweredQuery, "prepared">,
  context: QueryContext,
): Promise<number | undefined> {
  const settings = version.settings.effective;
  const weight = params.semanticWeight ?? semanticWeightOf(settings.fusion);
  const areBothSearched = embedded.vector !== null && embedded.parts !== undefined && weight > 0 && weight < 1;
  if (!areBothSearched || params.semanticFloor !== undefined || inEffect("matching", params, settings) !== "auto")
    return undefined;
  if (version.settings.leastOutOfVocabularyFloor === undefined) return undefined;
  if (!isShort(prepared.query) || (await runTask(areHeldTogether(prepared.query), context.signal))) return undefined;
  return context.whileThere((stop) => version.outOfVocabularyFloor({ ...context, signal: stop }));
}

/** Shorter codes stand for what many things have in common: "A4", "mp3". */
const CODE = /^(?=.*[0-9])(?=.*[a-z])[a-z0-9].{3,}$|^[0-9]{5,}$/;

/** The codes of a query, and the words that the embedder does not know, by their indexes. */
function termsBeyondMeaning(
  { terms }: PreparedQuery["query"],
  { embedder }: BoundedVersion["settings"],
): readonly number[] {
  return [...terms.keys()].filter((term) => {
    const { key, word } = terms[term]!;
    return CODE.test(key) || (word !== undefined && embedder?.knows?.(word) === false);
  });
}

/** Ranks a prepared query, and counts its facets. */
export async function rankAndCount(
  params: CheckedParams,
  input: RankInput,
  preparing: PrepareContext,
  { signal, clock }: Pick<QueryContext, "signal" | "clock">,
  rankings?: AnswerExtras["rankings"],
): Promise<Pick<AnsweredQuery, "ranked" | "facets">> {
  const ranked = await runTask(rankQuery(params, input), signal);
  clock.end("rank");
  if (params.facets.length === 0) return { ranked, facets: undefined };
  const shown = rankings?.(inEffect("typoTolerance", params, input.settings));
  const facets = await runTask(countFacets(params, input.prepared, ranked, shown, preparing), signal);
  clock.end("facets");
  return { ranked, facets };
}

/** Throws {@link BoundsError} if the filter of the bounds names unknown attributes. */
function* checkBound(within: Filter, known: AttributeContext): Task<void> {
  try {
    yield* checkFilter(within, "filters", known);
  } catch (cause) {
    throw new BoundsError(cause);
  }
}

/**
 * A version as a query within the bounds of some parameters reads it. Rejects with 400 for attributes that the parameters name and that are
 * not there, with {@link BoundsError} for those of the bounds.
 */
export async function checkedVersion(
  params: CheckedParams,
  version: IndexVersion,
  context: Pick<QueryContext, "signal" | "memory">,
): Promise<BoundedVersion> {
  const known = { settings: version.settings.effective, attributes: proposable(version, params.within) };
  await runTask(checkAttributes(params, known), context.signal);
  if (params.within.kind !== "everything") await runTask(checkBound(params.within, known), context.signal);
  return withinBounds(params, version, context);
}

/** A version as a query within the bounds of some parameters reads it. */
async function withinBounds(
  { within }: Pick<CheckedParams, "within">,
  version: IndexVersion,
  { signal, memory }: Pick<QueryContext, "signal" | "memory">,
): Promise<BoundedVersion> {
  if (within.kind === "everything") return unboundedVersion(version);
  const columns = new ColumnReferences();
  try {
    return await runTask(boundedVersion(version, within, columns), signal);
  } finally {
    columns.release(memory.columnsToKeep());
  }
}

/** Prepares a query by words and passes it to `work`; what it needs is kept in memory until that is done. */
export async function preparingWords<T>(
  params: CheckedParams,
  version: BoundedVersion,
  context: QueryContext,
  work: (prepared: PreparedQuery) => Promise<T>,
): Promise<T> {
  const { settings } = version;
  const read = readQuery(params.query, settings.language.words, params.advancedSyntax);
  if (!isBlank(read.plainText))
    await context.whileThere(async (stop) => {
      await readWordTable(settings.wordModel, stop);
      await readWordTable(settings.dictionary, stop);
    });
  const columnReferences = new ColumnReferences();
  try {
    const own = { columnReferences, effects: NO_EFFECTS, intent: NO_INTENT };
    const preparing = prepareContext(version, { vector: null, parts: undefined }, context, own);
    const knows = settings.wordModel?.knows?.bind(settings.wordModel);
    const isKnownToEmbedder = (word: string): boolean => knows?.(word) === true;
    const prepared = await runTask(prepareQuery(params, read, { ...preparing, isKnownToEmbedder }), context.signal);
    return await work(prepared);
  } finally {
    columnReferences.release(context.memory.columnsToKeep());
  }
}

async function readAndEmbed(given: CheckedParams, context: QueryContext): Promise<EmbeddedText> {
  for (let current = context.version(); ; ) {
    const version = await checkedVersion(given, current, context);
    const { settings } = version;
    const { ruled, intent, understood } = await applyRulesAndIntent(given, version, context);
    const { params } = ruled;
    context.clock.end("parse");
    const read = readQuery(params.query, settings.language.words, params.advancedSyntax);
    const blank = isBlank(read.plainText);
    await pauseIfLong();
    if (!blank && settings.dictionary !== undefined)
      await context.whileThere((stop) => readWordTable(settings.dictionary, stop));
    const embedded = await queryVector(params, { read, blank, settings }, context);
    const { snapshot } = current;
    current = context.version();
    if (current.settings === settings) {
      const last = current.snapshot === snapshot ? version : await withinBounds(given, current, context);
      return { ruled, intent, understood, read, blank, embedded, version: last };
    }
    // The settings changed while the embedder was busy: the query is read and embedded anew.
    requireSameDimensions(given.vector, current.settings.effective.dimensions);
  }
}

/** What a query is prepared with. */
export function prepareContext(
  {
    snapshot,
    attributes,
    settings: { effective: settings, language, fields: rules, wordModel, dictionary },
  }: BoundedVersion,
  { vector, parts }: EmbeddedQuery,
  { limits, warn }: QueryContext,
  { columnReferences, effects, intent }: Pick<PrepareContext, "columnReferences" | "effects" | "intent">,
): PrepareContext {
  // If vectors are not searched, it does not matter which words the embedder knows.
  const byMeaning = vector !== null && parts !== undefined;
  const knows = wordModel?.knows?.bind(wordModel);
  return {
    snapshot,
    settings,
    attributes,
    language,
    limits,
    warn,
    phrases: { rules, words: language.words },
    isKnownToEmbedder: (word) => byMeaning && knows?.(word) === true,
    isInDictionary: (word) => dictionary?.knows?.(word) === true,
    isWord: parts === undefined || knows === undefined ? null : (word) => knows(word),
    columnReferences,
    effects,
    intent,
  };
}
