// The steps of a query before its matches are found, in slices over one immutable snapshot: columns, filters, phrases,
// rewriting, impact lists.

import {
  keysOf,
  phraseTerms,
  type QueryToken,
  type ReadQuery,
  readAdvancedSyntax,
  readQuery,
  readTokens,
} from "../../analysis/parse-query.js";
import type { QueryTerm } from "../../analysis/query-term.js";
import { bindingIn } from "../../docvalues/filter.js";
import { inEffect, type SortAttribute } from "../../input/parameter-table.js";
import { type CheckedParams, filterOf, refinementsOf } from "../../input/read-params.js";
import type { TextSearcher } from "../../inverted/text-searcher.js";
import { BELONGING, TitleEvidence, TitlesByLanguage, type TypedQuery } from "../../inverted/title/title-evidence.js";
import { loadTitles } from "../../inverted/title/title-table.js";
import { vocabularyOf } from "../../inverted/vocabulary.js";
import { type WeightedQuery, weighQuery } from "../../inverted/weigh-terms.js";
import type { LanguageReading, SearchLanguage } from "../../settings/search-language.js";
import { type BoundedSnapshot, searcherOutside, textSearcherOf } from "../../state/bounded-snapshot.js";
import { type AttributeContext, warnOfComparisons } from "../../state/check-attributes.js";
import { attributesOf, type ColumnReferences, ensureColumns, passFilter } from "../../state/column-store.js";
import { namesCategories } from "../../state/read-fields.js";
import { isFacetPattern } from "../../util/attribute-path.js";
import { type Doc, DocSet } from "../../util/doc-set.js";
import type { SearchWarning } from "../../util/extension-points.js";
import { has } from "../../util/json.js";
import type { Limits } from "../../util/limits.js";
import type { Task } from "../../util/tasks.js";
import { needsOf } from "../rank/fuse.js";
import type { IntentEffects } from "../read/apply-intent.js";
import { docsOf, type RuleEffects } from "../read/apply-rules.js";
import { attributesOfBoost, type BoostScores, prepareBoosts } from "./active-boosts.js";
import type { ExtraWords } from "./expand-word.js";
import { mergeReadings, type RewrittenReading } from "./language-readings.js";
import { BoundLists, MatchingItems } from "./matching-items.js";
import { applyPhrases, holdersOutsideNegations, type PhraseContext } from "./phrases.js";
import { type OutOfVocabularyToken, type RewrittenQuery, rewriteQuery } from "./rewrite-terms.js";

/** What preparing a query depends on. */
export interface PrepareContext extends AttributeContext, ExtraWords {
  readonly snapshot: BoundedSnapshot;
  readonly language: SearchLanguage;
  readonly limits: Limits;
  readonly warn: (warning: SearchWarning) => void;
  readonly phrases: Omit<PhraseContext, "fields">;
  /** What rules do besides the parameters. */
  readonly effects: RuleEffects;
  /** What the text was understood to ask for besides the parameters. */
  readonly intent: IntentEffects;
  /** Keeps the query's columns in memory while it runs. */
  readonly columnReferences: ColumnReferences;
  /** Whether words that the embedder knows are corrected too. */
  readonly correctsKnown?: boolean;
}

/** A query with everything that finding its matches needs. */
export interface PreparedQuery {
  readonly searcher: TextSearcher;
  readonly terms: readonly QueryTerm[];
  /** The tokens that no live record holds, and what stands for them. */
  readonly outOfVocabulary: readonly OutOfVocabularyToken[];
  /** The terms with their weights and impact lists. */
  readonly query: WeightedQuery;
  /** The evidence from titles; null: titles add nothing. */
  readonly titles: TitleEvidence | TitlesByLanguage | null;
  /** null: none. */
  readonly boosts: BoostScores | null;
  /** Records that pass the filters, phrases and exclusions; null: all live records. */
  readonly allowed: DocSet<Doc> | null;
  /**
   * The records that pass each facet refinement; behind these the records that pass what was understood, and last, if rules hide records,
   * those that are not hidden.
   */
  readonly refinementSets: readonly DocSet<Doc>[];
  /** The records that rules promote and that pass the filters, in the order in which they take their places. */
  readonly promoted: readonly PromotedRecord[];
  /** The items of lists that match; null: the filters bind no list. */
  readonly items: MatchingItems | null;
  /** What the hits that are what is asked for are sorted by, before the others; empty: nothing. */
  readonly order: readonly SortAttribute[];
  /** How many records of a group are shown; 0: hits are not grouped. */
  readonly distinct: number;
}

/** A record at a place of the whole list. */
export interface PromotedRecord {
  readonly doc: Doc;
  readonly position: number;
  /** Its number among all that the rules promote, whether they are there or not. */
  readonly nth: number;
}

/** What is searched by words. */
export type SearchedWords = Pick<PreparedQuery, "terms" | "outOfVocabulary" | "query" | "titles">;

/** Which records a query may find. */
export type AllowedRecords = Pick<PreparedQuery, "allowed" | "promoted">;

/** How a query finds what it searches, and which records it may find. */
export interface QueryParts {
  readonly words: (searcher: TextSearcher) => Task<SearchedWords>;
  readonly allowed: (source: Pick<PreparedQuery, "searcher" | "items">) => Task<AllowedRecords>;
}

/** Prepares a query. */
export function prepareQuery(params: CheckedParams, read: ReadQuery, context: PrepareContext): Task<PreparedQuery> {
  return prepareParts(params, context, {
    words: (searcher) => typedWords(params, read, searcher, context),
    allowed: (source) => recordsOf(params, read, source, context),
  });
}

/** Prepares what a query and its like have in common, and its own parts. */
export function* prepareParts(
  params: CheckedParams,
  context: PrepareContext,
  { words, allowed }: QueryParts,
): Task<PreparedQuery> {
  const { snapshot, settings } = context;
  // What stands for several attributes is known when the matches are.
  const facets = params.facets.map(({ attribute }) => attribute).filter((name) => !isFacetPattern(name));
  const distinct = Number(inEffect("distinct", params, settings));
  // The parameter's, or else the setting's, and the optional filters.
  const boosts = [...(params.boosts ?? settings.boosts), ...params.optionalFilters];
  const group = distinct > 0 ? settings.attributeForDistinct : null;
  // Those of rules add up, so each walk through all conditions has a step of its own.
  const binding = bindingIn(params.filters);
  const bound = binding.length === 0 ? null : new BoundLists(binding);
  yield;
  const { intent } = context;
  const order = params.sort.length > 0 ? [] : intent.sort;
  const sorted = [...order, ...params.sort.filter((sort) => !Object.hasOwn(sort, "isScore"))];
  const read = [...facets, ...sorted.map(({ attribute }) => attribute)];
  const understood = intent.condition === null ? [] : [intent.condition];
  const refinements = [...refinementsOf(params).map(({ filter }) => filter), ...understood];
  const used = [
    ...attributesOf(filterOf(params)),
    // Whether an attribute has sizes in letters is read in all of its values.
    ...(bound === null ? read : read.flatMap((attribute) => [...bound.keysOf(attribute), attribute])),
    ...refinements.flatMap((filter) => bound?.keysOfFilter(filter) ?? attributesOf(filter)),
    ...settings.customRanking.map(({ attribute }) => attribute),
    ...(group === null ? [] : [group]),
    ...boosts.flatMap(attributesOfBoost),
  ];
  yield* ensureColumns(snapshot, used, context.columnReferences);
  const items = bound === null ? null : yield* MatchingItems.find(bound, snapshot);
  yield;
  yield* warnOfComparisons(filterOf(params), "filters", snapshot, context.warn);
  const searcher = textSearcherOf(snapshot, settings, params.restrictSearchableAttributes);
  const refinementSets: DocSet<Doc>[] = [];
  for (const param of ["facetFilters", "numericFilters"] as const)
    for (const { filter } of params[param]) {
      yield* warnOfComparisons(filter, param, snapshot, context.warn);
    }
  for (const filter of refinements)
    refinementSets.push(yield* items === null ? passFilter(filter, snapshot) : items.pass(filter));
  if (intent.excluded.length > 0) {
    const holders = yield* holdersOutsideNegations(intent.excluded, snapshot, context);
    refinementSets.push((yield* passFilter({ kind: "everything" }, snapshot)).removeAll(holders));
  }
  const { hide } = context.effects;
  if (hide.length > 0) {
    const shown = yield* passFilter({ kind: "everything" }, snapshot);
    for (const ids of hide) shown.removeAll((yield* docsOf(ids, snapshot)).docs);
    refinementSets.push(shown);
  }
  const { terms, outOfVocabulary, query, titles } = yield* words(searcher);
  const found = yield* allowed({ searcher, items });
  return {
    searcher,
    terms,
    outOfVocabulary,
    query,
    titles,
    boosts: boosts.length === 0 ? null : yield* prepareBoosts(boosts, snapshot),
    allowed: found.allowed,
    promoted: found.promoted,
    refinementSets,
    items,
    order,
    distinct,
  };
}

function* typedWords(
  params: CheckedParams,
  read: ReadQuery,
  searcher: TextSearcher,
  context: PrepareContext,
): Task<SearchedWords> {
  const { language } = context;
  const readings = language.readings(params.restrictSearchableAttributes, params.queryLanguages);
  if (readings.length > 1) return yield* typedInLanguages(params, readings, searcher, context);
  const own = readings[0].language;
  const tokens = own === language ? read.tokens : tokensIn(own, params);
  const { terms, typed, outOfVocabulary } = yield* rewritten(params, tokens, searcher, { ...context, language: own });
  const query = yield* weighQuery(searcher, terms, strengthsOf(terms, typed));
  const isRestricted = params.restrictSearchableAttributes !== undefined;
  return { terms, outOfVocabulary, query, titles: yield* titleEvidence(query, typed, isRestricted, context) };
}

/** The tokens of the query in a language, each with its place. */
function tokensIn({ words }: SearchLanguage, { query, advancedSyntax }: CheckedParams): readonly QueryToken[] {
  return readQuery(query, words, advancedSyntax, true).tokens;
}

/** The words of a query that searches fields of several languages. */
function* typedInLanguages(
  params: CheckedParams,
  readings: readonly LanguageReading[],
  searcher: TextSearcher,
  context: PrepareContext,
): Task<SearchedWords> {
  const { settings } = context;
  // What was understood to be unwanted is no part of the text, so that the readings have no place for it.
  const intent = { ...context.intent, excluded: [] };
  const queryType = inEffect("queryType", params, settings);
  const completesHeld = queryType === "prefixAll" || queryType === "prefixLast";
  const read: RewrittenReading[] = [];
  for (const reading of readings) {
    const { language, isRead, elsewhere } = reading;
    const asked = isRead ? params : { ...params, typoTolerance: false };
    const searched = searcherOutside(searcher, elsewhere);
    // The word table is one of the language of the index.
    const isInDictionary = tagOf(language) === tagOf(context.language) ? context.isInDictionary : () => false;
    const own = { ...context, language, intent, isInDictionary };
    const found = yield* rewritten(asked, tokensIn(language, params), searched, own);
    read.push({ reading, rewritten: found, completesHeld });
  }
  const { terms, outOfVocabulary, typed, weak } = mergeReadings(read, context.limits.queryTerms);
  const query = yield* weighQuery(searcher, terms, strengthsOf(terms, { belonging: weak }));
  const isRestricted = params.restrictSearchableAttributes !== undefined;
  const all: TitleEvidence[] = [];
  const byField = new Map<string, TitleEvidence>();
  for (const [i, { fields }] of readings.entries()) {
    const evidence = yield* titleEvidence(query, typed[i]!, isRestricted, context);
    if (evidence === null) continue;
    all.push(evidence);
    for (const field of fields) byField.set(field, evidence);
  }
  const [first, ...others] = all;
  const titles = first === undefined ? null : new TitlesByLanguage(query, [first, ...others], byField);
  return { terms, outOfVocabulary, query, titles };
}

function tagOf({ words }: SearchLanguage): string | undefined {
  return has(words, "analyze") ? undefined : words.language;
}

const NOTHING: ReadonlySet<number> = new Set();

function strengthsOf(
  terms: readonly QueryTerm[],
  { belonging }: Pick<TypedQuery, "belonging">,
): Float64Array | undefined {
  if (belonging.size === 0) return undefined;
  return Float64Array.from(terms, (_, term) => (belonging.has(term) ? BELONGING : 1));
}

/** The same query with its known words corrected too; the query as it is, if no record holds what they are corrected to. */
export function* correctKnownWords(
  prepared: PreparedQuery,
  params: CheckedParams,
  read: ReadQuery,
  context: PrepareContext,
): Task<PreparedQuery> {
  const words = yield* typedWords(params, read, prepared.searcher, { ...context, correctsKnown: true });
  return words.query.maxScore === 0 ? prepared : { ...prepared, ...words };
}

function* rewritten(
  params: CheckedParams,
  tokens: readonly QueryToken[],
  searcher: TextSearcher,
  {
    settings,
    language,
    limits,
    intent,
    isKnownToEmbedder,
    isWord,
    isInDictionary,
    correctsKnown = false,
  }: PrepareContext,
): Task<RewrittenQuery> {
  const { synonyms, exactKeys, optionalKeys } = yield* language.forQueries();
  const { words } = language;
  const negated =
    has(words, "analyze") || !words.hasNegations
      ? []
      : intent.excluded.flatMap((text) => readTokens(`without ${text}`, words));
  const more = keysOf(params.optionalWords, language.words);
  const found = yield* rewriteQuery(negated.length > 0 ? [...tokens, ...negated] : tokens, {
    words: language.words,
    synonyms,
    optionalWords: more.size === 0 ? optionalKeys : new Set([...optionalKeys, ...more]),
    exactWords: exactKeys,
    exactFields: language.exactFields,
    queryType: inEffect("queryType", params, settings),
    typoTolerance: inEffect("typoTolerance", params, settings),
    vocabulary: vocabularyOf(searcher),
    isKnownToEmbedder,
    isWord,
    isInDictionary,
    correctsKnown,
    maxTerms: limits.queryTerms,
  });
  // Where phrases have heads by the rules of the language.
  if (!has(words, "analyze") && words.hasHeads) return found;
  return { ...found, typed: { ...found.typed, head: -1, belonging: NOTHING } };
}

/** The evidence from titles; null if the fusion takes none or the query has no terms. */
function* titleEvidence(
  query: WeightedQuery,
  typed: TypedQuery,
  isRestricted: boolean,
  { settings, snapshot, phrases }: PrepareContext,
): Task<TitleEvidence | null> {
  if (!settings.titleEvidence || !needsOf(settings.fusion).titles || query.terms.length === 0) return null;
  const hasCategories =
    !isRestricted && snapshot.segments.some(({ segment }) => namesCategories(segment, phrases.rules));
  yield* loadTitles(query.segments.map(({ segment }) => segment.postings.titles));
  const evidence = new TitleEvidence(query, typed, hasCategories);
  yield* evidence.countCategories();
  return evidence;
}

/** The records that pass the filters, phrases and exclusions, and those that are promoted, which need not have the phrases. */
function* recordsOf(
  params: CheckedParams,
  read: ReadQuery,
  { searcher, items }: Pick<PreparedQuery, "searcher" | "items">,
  context: PrepareContext,
): Task<AllowedRecords> {
  const { snapshot, effects } = context;
  const filter = filterOf(params);
  const restricted = filter.kind !== "everything" || read.phrases.length > 0 || read.excluded.length > 0;
  if (!restricted) return { allowed: null, promoted: yield* promotedIn(null, effects, snapshot) };
  const allowed = yield* passFilter(filter, snapshot, items?.passing);
  const promoted = yield* promotedIn(allowed, effects, snapshot);
  const fields = params.restrictSearchableAttributes;
  const phrases = { ...context.phrases, fields: fields === undefined ? undefined : new Set(fields) };
  const readings = context.language.readings(fields, params.queryLanguages);
  if (readings.length > 1) {
    if (params.advancedSyntax)
      yield* applyPhrasesInLanguages(params.query, readings, { searcher, allowed }, phrases, snapshot);
  } else {
    const { words } = readings[0].language;
    const own = words === phrases.words ? read : readQuery(params.query, words, params.advancedSyntax);
    const sequences = { required: own.phrases, excluded: own.excluded };
    for (const [i, live] of snapshot.segments.entries())
      yield* applyPhrases(sequences, live, searcher.segments[i]!, allowed, { ...phrases, words });
  }
  return { allowed, promoted };
}

/** Leaves the records that have each phrase in a field of some language, as that reads it, and nothing that is excluded in any. */
function* applyPhrasesInLanguages(
  query: string,
  readings: readonly LanguageReading[],
  { searcher, allowed }: { readonly searcher: TextSearcher; readonly allowed: DocSet<Doc> },
  context: PhraseContext,
  snapshot: BoundedSnapshot,
): Task<void> {
  const { phrases, excluded } = readAdvancedSyntax(query);
  const none: readonly string[][] = [];
  function* apply(text: string, isWanted: boolean, reading: LanguageReading, left: DocSet<Doc>): Task<void> {
    const { language, elsewhere } = reading;
    const terms = phraseTerms(text, language.words);
    if (terms.length === 0) return;
    const sequences = isWanted ? { required: [terms], excluded: none } : { required: none, excluded: [terms] };
    const { segments } = searcherOutside(searcher, elsewhere);
    const isSearched = (name: string): boolean => !elsewhere.has(name) && context.fields?.has(name) !== false;
    const own = { ...context, words: language.words, fields: { has: isSearched } };
    for (const [i, live] of snapshot.segments.entries()) yield* applyPhrases(sequences, live, segments[i]!, left, own);
  }
  for (const text of phrases) {
    const found = new DocSet<Doc>(snapshot.docSpan);
    for (const reading of readings) {
      const left = allowed.copy();
      yield* apply(text, true, reading, left);
      found.or(left);
    }
    allowed.and(found);
  }
  for (const text of excluded) for (const reading of readings) yield* apply(text, false, reading, allowed);
}

/** Promoted records looked at between two pauses. */
const PAUSE_EVERY = 1 << 13;

function* promotedIn(
  passed: DocSet<Doc> | null,
  { promote, hide }: RuleEffects,
  snapshot: BoundedSnapshot,
): Task<readonly PromotedRecord[]> {
  if (promote.length === 0) return [];
  const promoted: PromotedRecord[] = [];
  const settled = new DocSet<Doc>(snapshot.docSpan);
  for (const ids of hide) settled.addAll((yield* docsOf(ids, snapshot)).docs);
  let before = 0;
  for (const pins of promote) {
    const { docs, places } = yield* docsOf(pins, snapshot);
    for (let i = 0; i < docs.length; i++) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      const doc = docs[i]!;
      if (settled.has(doc)) continue;
      settled.add(doc);
      if (passed?.has(doc) ?? true)
        promoted.push({ doc, position: pins[places[i]!]!.position, nth: before + places[i]! });
    }
    before += pins.length;
    yield;
  }
  return promoted;
}
