// A query that the cluster answers. It finds records by the sum of the weights of the query's terms times their impacts, which are whole
// numbers; this process adds meaning, titles and boosts to the best of them, and puts these in order. In three steps, of one request each if nothing else is said:
//
//   1  the words of the index that rewriting the query asks for (remote-words); two requests where some are mended
//   2  the best records by words, and the nearest by meaning, with what they are ranked by
//   3  how many records match, the facets, and the records of the page: one query of the cluster says which records these are; two
//      requests for bars

import { isBlank } from "../analysis/normalize-text.js";
import { keysOf, type ReadQuery, readQuery, readTokens } from "../analysis/parse-query.js";
import { PLAIN_WORDS } from "../analysis/word-forms.js";
import { filterKey } from "../docvalues/filter.js";
import { PLACES } from "../docvalues/place.js";
import type { ValueRank } from "../docvalues/value-counts.js";
import { inEffect, type SortAttribute } from "../input/parameter-table.js";
import { type CheckedParams, filterOf, placesAsked, refinementsOf } from "../input/read-params.js";
import { idf, MAX_IMPACT } from "../inverted/bm25.js";
import { BELONGING, TitleEvidence } from "../inverted/title/title-evidence.js";
import { coveredShareOf, termWeights, weighQuery } from "../inverted/weigh-terms.js";
import type { CountedFacets } from "../query/facets/count-facets.js";
import { attributesOfBoost, prepareBoosts } from "../query/prepare/active-boosts.js";
import type { PreparedQuery } from "../query/prepare/prepare-query.js";
import { type RewrittenQuery, rewriteQuery } from "../query/prepare/rewrite-terms.js";
import {
  boostAlone,
  type FusionMethod,
  fuse,
  needsOf,
  roundScore,
  ScoredDocs,
  semanticWeightOf,
  withSemanticWeight,
} from "../query/rank/fuse.js";
import { endingAt, orderWithFirst, placed as placedPins } from "../query/rank/order-hits.js";
import type { RankedQuery } from "../query/rank/rank-matches.js";
import { isShort } from "../query/rank/retrieve.js";
import { applyRulesAndIntent, type UnderstoodQuery } from "../query/read/apply-intent.js";
import { queryVector, readWordTable } from "../query/read/embed-query.js";
import type { RecallSource, SearchAnswer } from "../query/response.js";
import { checkedVersion, prepareContext, type QueryContext, shapeAnswer } from "../query/run-query.js";
import { FieldRules } from "../settings/field-rules.js";
import type { ReadBoost } from "../settings/resolved-settings.js";
import type { Pin } from "../settings/rule-index.js";
import { BoundedSnapshot, type BoundedVersion, textSearcherOf, unboundedVersion } from "../state/bounded-snapshot.js";
import { ColumnReferences, ensureColumns } from "../state/column-store.js";
import { namesCategories } from "../state/read-fields.js";
import { type Doc, type DocArray, DocSet } from "../util/doc-set.js";
import { at, has, type JsonRecord, type JsonValue } from "../util/json.js";
import { byCodeUnit } from "../util/sorted.js";
import { runTask, type Task } from "../util/tasks.js";
import { hashText } from "../util/text-table.js";
import { isNear } from "../vectors/search-vectors.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import {
  cannot,
  columnOf,
  factPrefix,
  MOST_IMPACT,
  MOST_LISTED,
  numbersOf,
  placeOfFact,
  valueOfFact,
} from "./remote-documents.js";
import { FacetSearches, type Refinement } from "./remote-facets.js";
import {
  ALL,
  allOf,
  anyOf,
  type ClusterQuery,
  filterQuery,
  holdsOne,
  holdsTerm,
  noneOf,
  type SearchedFields,
  scoredTerm,
  withIds,
} from "./remote-filter.js";
import { type Catalog, type RemoteSearch, snapshotOf } from "./remote-search.js";
import { type Answer, COUNTED, RemoteVocabulary, type SearchBody, totalIn } from "./remote-words.js";

/** The best records by words that are ranked here, those by meaning included, where these are fewer. */
const MOST_CANDIDATES = 100;
const LEAST_BY_WORDS = 40;
/** Of the words within so many bounds what the cluster answered is kept. */
const MOST_SCOPES = 64;
/** Words are asked for so many times; what is not known then is as if no record held it. */
const WORD_ROUNDS = 2;
const DAY_MS = 86_400_000;

/** A record that the cluster found, with what it is ranked by. */
interface Found {
  readonly id: string;
  /** The sum of weights times impacts. */
  readonly score: number;
  readonly cosine: number;
  /** Title, categories, and what else the order depends on. */
  readonly card: JsonRecord;
  /** Which parts of the query it passes. */
  readonly passes: ReadonlySet<string>;
  /** The whole record, as JSON. */
  readonly json: string | undefined;
}

/** Which records match, and in which order. */
interface Plan {
  readonly matches: ClusterQuery;
  readonly scored: readonly ClusterQuery[];
  readonly fusion: FusionMethod;
  /** The matches by meaning; null: meaning is not searched. */
  readonly semanticIds: ReadonlySet<string> | null;
  /** The first hits; undefined: the cluster puts all in order. */
  readonly ranked: Awaited<ReturnType<RemoteQuery["rank"]>> | undefined;
  /** Their ids in order, without those at places of their own. */
  readonly first: readonly string[];
  readonly pins: readonly Pin[];
  /** The cluster lists more behind these. */
  readonly isOpen: boolean;
}

/** One query. */
export class RemoteQuery {
  private readonly index: RemoteSearch;
  private readonly catalog: Catalog;
  private readonly context: QueryContext;
  private readonly given: CheckedParams;
  private readonly rankings: ((mends: boolean) => readonly ValueRank[]) | undefined;
  private version!: BoundedVersion;
  private understood!: UnderstoodQuery;
  private params!: CheckedParams;
  private read!: ReadQuery;
  private blank = false;
  private vector: UnitVector | null = null;
  private words: ReturnType<RemoteQuery["weighed"]> | null = null;
  /** Records that exist for the query, and conditions that narrow its matches, with the facet that each is of. */
  private base: ClusterQuery = ALL;
  private refinements: readonly Refinement[] = [];
  private boosts: readonly ReadBoost[] = [];

  constructor(
    index: RemoteSearch,
    catalog: Catalog,
    given: CheckedParams,
    context: QueryContext,
    rankings?: (mends: boolean) => readonly ValueRank[],
  ) {
    this.index = index;
    this.catalog = catalog;
    this.given = given;
    this.context = context;
    this.rankings = rankings;
  }

  private get settings(): BoundedVersion["settings"]["effective"] {
    return this.version.settings.effective;
  }

  /** Answers the query. */
  async answer(): Promise<SearchAnswer<JsonRecord>> {
    const { context, given } = this;
    await this.prepare();
    const began = context.clock.end("embed");
    const found = await this.find();
    context.clock.end("rank");
    const { snapshot, ...shaped } = await this.page(found);
    const { ruled, understood } = this.understood;
    const version = { ...this.version, snapshot };
    const whole = { ruled, understood, version, ...shaped, facets: found.facets, walk: undefined, began, waited: 0 };
    return shapeAnswer(given.query, whole, context);
  }

  /** The values of the facets of the query. */
  async facets(): Promise<CountedFacets> {
    await this.prepare();
    return (await this.find()).facets!;
  }

  private async search(searches: readonly SearchBody[]): Promise<readonly unknown[]> {
    if (searches.length === 0) return [];
    // Equal queries ask the same copies, whose graphs may differ from those of others.
    const preference = `q${hashText(this.given.query, 0)}`;
    return this.index.search(searches, preference, this.context.signal);
  }

  /** Asks searches by their names, but for those that are not needed. */
  private async searchNamed(
    asked: Readonly<Record<string, SearchBody | false>>,
  ): Promise<ReadonlyMap<string, unknown>> {
    const needed = Object.entries(asked).filter((entry): entry is [string, SearchBody] => entry[1] !== false);
    const bodies = await this.search(needed.map(([, search]) => search));
    return new Map(needed.map(([name], i) => [name, bodies[i]]));
  }

  /** Reads the query, and asks what the index has of its words. */
  private async prepare(): Promise<void> {
    const { given, catalog, context } = this;
    this.version = await checkedVersion(given, catalog.sample, context);
    this.understood = await applyRulesAndIntent(given, this.version, context);
    const { ruled, intent } = this.understood;
    const { settings } = this.version;
    const { language } = settings;
    const { params } = ruled;
    this.params = params;
    refuse(params, this.settings);
    if (language.own.size > 0)
      throw cannot("attributes with languages of their own; keep an index for each language", "searchableAttributes");
    context.clock.end("parse");
    const read = readQuery(params.query, language.words, params.advancedSyntax);
    this.read = read;
    this.blank = isBlank(read.plainText);
    if (read.phrases.length > 0 || read.excluded.some(({ length }) => length > 1))
      throw cannot("which words stand side by side; leave out the quotation marks", "query");
    const excluded = read.excluded.map(([term]) => holdsOne(term!, this.fields));
    this.base = allOf([filterQuery(filterOf(params)), noneOf(excluded)]);
    const unwanted = intent.excluded.flatMap((text) => readTokens(text, language.words));
    const hidden = ruled.effects.hide.flat();
    this.refinements = [
      ...refinementsOf(params).map(({ ownFacet, filter }) => ({ ownFacet, query: filterQuery(filter) })),
      ...(intent.condition === null ? [] : [{ ownFacet: null, query: filterQuery(intent.condition) }]),
      ...unwanted.map(({ term }) => ({ ownFacet: null, query: noneOf([holdsTerm(term, this.fields)]) })),
      ...(hidden.length === 0 ? [] : [{ ownFacet: null, query: noneOf([withIds(hidden)]) }]),
    ];
    const usual = params.boosts ?? this.settings.boosts;
    this.boosts = await runTask(this.learnedBoosts([...usual, ...params.optionalFilters]), context.signal);
    if (!this.blank && settings.dictionary !== undefined)
      await context.whileThere((stop) => readWordTable(settings.dictionary, stop));
    const embedded = await queryVector(params, { read, blank: this.blank, settings }, context);
    this.vector = embedded.vector;
    if (!this.blank && this.givenWeight < 1) this.words = await this.askWords(embedded);
    context.clock.end("prepare");
  }

  private get givenWeight(): number {
    if (this.vector === null) return 0;
    return this.blank ? 1 : (this.params.semanticWeight ?? semanticWeightOf(this.settings.fusion));
  }

  private get fields(): SearchedFields {
    return { restricted: this.params.restrictSearchableAttributes, all: this.catalog.fields };
  }

  /** Rewrites the query by what the cluster knows of its words, and weighs its terms. */
  private async askWords(embedded: Awaited<ReturnType<typeof queryVector>>) {
    const { params, version, context, read } = this;
    const { language } = version.settings;
    const own = {
      columnReferences: new ColumnReferences(),
      effects: this.understood.ruled.effects,
      intent: this.understood.intent,
    };
    const preparing = prepareContext(version, embedded, context, own);
    const { synonyms, exactKeys, optionalKeys } = await runTask(language.forQueries());
    const words = has(language.words, "analyze") ? PLAIN_WORDS : language.words;
    const within = filterQuery(this.given.within);
    const key = JSON.stringify([params.restrictSearchableAttributes, filterKey(this.given.within)]);
    const { docCount } = this.catalog;
    if (this.catalog.words.size > MOST_SCOPES) this.catalog.words.clear();
    const answers = this.catalog.words.get(key) ?? new Map<string, Answer>();
    this.catalog.words.set(key, answers);
    const vocabulary = new RemoteVocabulary({ docCount, words, fields: this.fields, within }, answers);
    const negated = words.hasNegations
      ? own.intent.excluded.flatMap((text) => readTokens(`without ${text}`, language.words))
      : [];
    const tokens = [...read.tokens, ...negated];
    const isWord = preparing.isWord ?? (() => true);
    // A word that nobody knows is more likely a typing error than held.
    const likely = tokens.filter(({ kind, text, stop }) => kind !== "word" || stop || isWord(text));
    const rules = {
      ...{ words: language.words, synonyms, vocabulary, exactWords: exactKeys, exactFields: language.exactFields },
      optionalWords: new Set([...optionalKeys, ...keysOf(params.optionalWords, language.words)]),
      queryType: inEffect("queryType", params, this.settings),
      typoTolerance: inEffect("typoTolerance", params, this.settings),
      ...{ isKnownToEmbedder: preparing.isKnownToEmbedder, isWord: preparing.isWord },
      ...{ isInDictionary: preparing.isInDictionary, correctsKnown: false, maxTerms: preparing.limits.queryTerms },
    };
    const rewrite = async (guess: RemoteVocabulary["likely"]) => {
      vocabulary.likely = guess;
      return this.weighed(await runTask(rewriteQuery(tokens, rules), context.signal), vocabulary);
    };
    const asTyped = new Set(likely.flatMap(({ term }) => term.alternatives.flatMap(({ terms }) => terms)));
    for (let round = 0; ; round++) {
      const weighed = await rewrite(asTyped);
      if (!vocabulary.isGuessing) return weighed;
      if (round === WORD_ROUNDS) {
        vocabulary.giveUp();
        continue;
      }
      // Other guesses ask what may be needed next, so that fewer rounds are.
      if (round > 0) await rewrite("all");
      else if (preparing.isWord === null) await rewrite(new Set());
      await vocabulary.learn((searches) => this.search(searches));
    }
  }

  /** The terms of a query with their weights: the share of each in their idfs, as a whole number. */
  private weighed({ terms, typed, outOfVocabulary }: RewrittenQuery, vocabulary: RemoteVocabulary) {
    const { docCount } = this.catalog;
    const docFreqs = terms.map(({ alternatives }) => {
      const holders = alternatives.reduce((sum, { terms: all }) => sum + vocabulary.countOf(all), 0);
      return Math.min(docCount, holders);
    });
    const idfs = Float64Array.from(docFreqs, (docFreq) => (docFreq === 0 ? 0 : idf(docCount, docFreq)));
    const { belonging } = typed;
    const strengthOf = (_: unknown, i: number): number => (belonging.has(i) ? BELONGING : 1);
    const strengths = belonging.size === 0 ? undefined : Float64Array.from(terms, strengthOf);
    const weights = termWeights(idfs.map((one, i) => one * (strengths?.[i] ?? 1)));
    const maxScore = MOST_IMPACT * weights.reduce((sum, weight) => sum + weight, 0);
    const coveredShare = coveredShareOf(terms, docFreqs, { docCount, k1: this.settings.bm25.k1 });
    return { terms, typed, outOfVocabulary, strengths, weights, idfs, docFreqs, maxScore, coveredShare };
  }

  /** Boosts with what they learn from the records: from a sample of them. */
  private *learnedBoosts(boosts: readonly ReadBoost[]): Task<readonly ReadBoost[]> {
    const { snapshot } = unboundedVersion(this.catalog.sample);
    const learned: ReadBoost[] = [];
    for (const boost of boosts) {
      const { signal } = boost;
      if (signal.kind === "number" && signal.pivot === undefined && snapshot.liveCount > 0) {
        yield* ensureColumns(snapshot, [signal.attribute], new ColumnReferences());
        const [explained] = yield* (yield* prepareBoosts([boost], snapshot))!.explain(0 as Doc);
        learned.push({ ...boost, signal: { ...signal, pivot: explained?.pivot } });
      } else if (signal.kind === "date")
        learned.push({ ...boost, signal: { ...signal, origin: signal.origin ?? "now" } });
      else learned.push(boost);
    }
    return learned;
  }

  /** Finds what matches, and what of it is on the page, in order. */
  private async find() {
    const plan = await this.plan();
    const { params, catalog, settings } = this;
    const { matches, first, pins, isOpen } = plan;
    const { from, to } = placesAsked(params);
    const total = isOpen ? Number.POSITIVE_INFINITY : first.length + pins.length;
    const placed = pins.map(({ position }, place) => ({ place, position }));
    const fixed = endingAt(total - pins.length, await runTask(placedPins(placed), this.context.signal));
    /** What is at the places of the page: the id of a pin, or the place among the others. */
    const slots = Array.from({ length: Math.max(0, Math.min(to, total) - from) }, (_, i) => {
      const pin = fixed.find((one) => one.at === from + i);
      return pin === undefined ? from + i - fixed.filter((one) => one.at < from + i).length : pins[pin.place]!.id;
    });
    const behind = slots.filter((slot): slot is number => typeof slot === "number" && slot >= first.length);
    const skipped = (behind[0] ?? first.length) - first.length;
    const isTooFar = skipped + behind.length > MOST_LISTED;
    const ids = slots.flatMap((slot) => (typeof slot === "string" ? slot : (first[slot] ?? [])));
    const refined = allOf([matches, ...this.refinements.map(({ query }) => query)]);
    const counts = new FacetSearches({
      ...{ matches, refinements: this.refinements, kindsOf: catalog.kindsOf },
      ...{ facets: params.facets, most: params.maxValuesPerFacet, keyOfText: settings.keyOfText },
      rankings: this.rankings?.(inEffect("typoTolerance", params, settings)),
    });
    const answers = await this.searchNamed({
      count: { ...COUNTED, query: refined },
      list: behind.length > 0 && !isTooFar && this.listing(plan, refined, skipped, behind.length),
      read: ids.length > 0 && { ...UNCOUNTED, ...READ, query: withIds(ids), size: ids.length },
      ...counts.searches(),
    });
    const nbHits = totalIn(answers.get("count"));
    if (isTooFar && nbHits > first.length + skipped)
      throw cannot(`hits behind the ${MOST_LISTED}th; ask for an earlier page, or filter more narrowly`, "page");
    const bars = counts.barSearches(answers);
    const barAnswers = bars === undefined ? answers : await this.searchNamed(bars);
    const facets = await runTask(counts.facetsIn(answers, barAnswers), this.context.signal);
    const listed = this.foundIn(answers.get("list"));
    const known = new Map(this.foundIn(answers.get("read")).map((one) => [one.id, one]));
    const hits = slots.flatMap((slot) => {
      const id = typeof slot === "string" ? slot : first[slot];
      return (id === undefined ? listed[(slot as number) - first.length - skipped] : known.get(id)) ?? [];
    });
    return { plan, nbHits, hits, facets: params.facets.length === 0 ? undefined : facets };
  }

  /** The part of the list that the cluster puts in order. */
  private listing({ scored, first, pins }: Plan, refined: ClusterQuery, from: number, size: number): SearchBody {
    const { params, blank } = this;
    const placed = [...first, ...pins.map(({ id }) => id)];
    const should = blank ? this.boosts.map((boost) => this.boosted(boost)) : scored;
    const filter = [refined, ...(placed.length === 0 ? [] : [noneOf([withIds(placed)])])];
    const byScore = should.length > 0 ? [{ _score: "desc" }] : [];
    const sort = [...params.sort.flatMap((one) => sortKeys(one)), ...byScore, ...this.lastSorts];
    const ranked = { ...this.ranking, ...READ, stored_fields: undefined };
    return { ...ranked, from, size, track_scores: should.length > 0, query: { bool: { filter, should } }, sort };
  }

  private get lastSorts(): readonly object[] {
    return [...this.settings.customRanking.flatMap((ranking) => sortKeys(ranking)), { id: "asc" }];
  }

  /** What a boost adds to the score of a record that the cluster lists; of one that lowers, what it leaves. */
  private boosted({ weight, signal }: ReadBoost): ClusterQuery {
    const boost = Math.abs(weight);
    if (signal.kind === "filter") {
      const passing = filterQuery(signal.filter);
      return { constant_score: { filter: weight > 0 ? passing : noneOf([passing]), boost } };
    }
    if (signal.kind === "place")
      throw cannot("how to list all records by a boost of places; pass a query, or sort", "boosts");
    const isDate = signal.kind === "date";
    const prefix = factPrefix(signal.attribute, isDate ? "d" : "r");
    const scale = isDate ? signal.halfLifeDays * DAY_MS : (signal.pivot ?? 1);
    const origin = isDate && typeof signal.origin === "number" ? signal.origin : Date.now();
    const order = isDate ? "date" : signal.order;
    const params = { field: columnOf(signal.attribute), prefix, scale, origin, order, weight };
    return { script_score: { query: ALL, script: { source: BOOST, params } } };
  }

  /** The attributes that records are ranked by here. */
  private get usedAttributes(): ReadonlySet<string> {
    const attributes = [...this.settings.customRanking, ...this.understood.intent.sort].map(
      ({ attribute }) => attribute,
    );
    return new Set([...attributes, ...this.boosts.flatMap(attributesOfBoost)]);
  }

  /** What is read of a record to rank it. */
  private get ranking(): SearchBody {
    const { usedAttributes: used, vector } = this;
    const script = { source: COSINE, params: { query: vector === null ? [] : numbersOf(vector) } };
    return {
      ...UNCOUNTED,
      ...{ _source: false, stored_fields: "_none_" },
      docvalue_fields: ["id", "card", ...new Set(Array.from(used, columnOf))],
      ...(vector !== null && { script_fields: { cosine: { script } } }),
    };
  }

  private foundIn(body: unknown): Found[] {
    const hits = at(body, "hits", "hits");
    const used = this.usedAttributes;
    return (Array.isArray(hits) ? hits : []).map((hit: unknown): Found => {
      const of = (name: string): readonly unknown[] =>
        (at(hit, "fields", name) as readonly unknown[] | undefined) ?? [];
      const [given] = of("card");
      const card: Record<string, JsonValue> =
        given === undefined ? {} : JSON.parse(Buffer.from(String(given), "base64").toString("utf8"));
      for (const path of used) card[path] = of(columnOf(path)).flatMap((text) => valueOfFact(String(text), path) ?? []);
      const own = of(columnOf(PLACES)).flatMap((text) => placeOfFact(String(text)) ?? []);
      if (used.has(PLACES)) card[PLACES] = own.map(({ lat, lng }) => ({ lat, lng }));
      return {
        id: String(of("id")[0] ?? at(hit, "_source", "content", "id")),
        score: Number(at(hit, "_score") ?? 0),
        cosine: Math.max(0, Number(of("cosine")[0] ?? 0)),
        card,
        passes: new Set((at(hit, "matched_queries") as readonly string[] | undefined) ?? []),
        json: at(hit, "_source", "content", "json") as string | undefined,
      };
    });
  }

  /** Finds what is to be ranked here, and which records match. */
  private async plan(): Promise<Plan> {
    const { params, words, vector, settings, fields, blank } = this;
    const base = this.base;
    const terms = words?.terms ?? [];
    const weightOf = (i: number): number => words?.weights[i] ?? 0;
    const scored = terms.flatMap((term, i) => (weightOf(i) > 0 ? [scoredTerm(term, weightOf(i), fields)] : []));
    const required = terms.filter(({ optional }) => optional !== true).map((term) => holdsTerm(term, fields));
    const identifiers = blank ? [] : this.read.identifiers.map((term) => holdsOne(term, fields));
    const matching = inEffect("matching", params, settings);
    const isAnyEnough = matching === "any" || terms.length === 1 || required.length === 0;
    const isAuto = matching === "auto" && !isAnyEnough;
    const isByWords = scored.length > 0;
    const isSorted = params.sort.length > 0;
    const isAll = blank && vector === null;
    const strictness = blank ? 0 : inEffect("relevancyStrictness", params, settings);
    const depth = vector === null ? 0 : inEffect("semanticDepth", params, settings);
    const size = Math.max(LEAST_BY_WORDS, MOST_CANDIDATES - depth);
    const refined = this.refinements.map(({ query }) => query);
    const pinned = this.pinned();
    const byScore = { bool: { should: scored } };
    const whole = isByWords && required.length > 0 ? named([allOf(required)], "all") : [];
    const exact = named(identifiers, "identifier");
    const lexical = { bool: { should: [...scored, ...exact], minimum_should_match: 1 } };
    const needed = isAnyEnough || isAuto ? [] : required;
    const nearest = { near: { vector: vector && numbersOf(vector), k: depth, ...(base !== ALL && { filter: base }) } };
    const parts = [...scored, ...whole, ...exact, ...named([allOf(refined)], "refined")];
    const isShortQuery = isByWords && isShort({ terms });
    const answers = await this.searchNamed({
      candidates: isByWords &&
        !isSorted && {
          ...{ ...this.ranking, size, track_scores: true, sort: [{ _score: "desc" }, ...this.lastSorts] },
          query: { bool: { must: [lexical], filter: [base, ...refined, ...needed], should: whole } },
        },
      // Where nothing narrows the candidates, the first of them is the best.
      best: isByWords &&
        (isAuto || strictness > 0) &&
        (isSorted || refined.length + needed.length > 0) && {
          ...{ ...UNCOUNTED, size: 1, _source: false },
          query: { bool: { must: [byScore], filter: [base] } },
        },
      together: isShortQuery &&
        vector !== null && {
          ...{ ...COUNTED, terminate_after: 1 },
          query: allOf([...required, filterQuery(this.given.within)]),
        },
      // Each shard finds as many as are asked for.
      near: vector !== null && {
        ...{ ...this.ranking, size: Math.min(10 * depth, MOST_LISTED) },
        query: { bool: { filter: [{ knn: nearest }], should: parts } },
      },
      pins: pinned.size > 0 && {
        ...{ ...this.ranking, size: pinned.size },
        query: { bool: { filter: [withIds([...pinned.keys()]), base, ...refined], should: scored } },
      },
    });
    const best = this.foundIn(answers.get("best") ?? answers.get("candidates"))[0]?.score ?? 0;
    const isHeld = !answers.has("together") || totalIn(answers.get("together")) > 0;
    const near = this.foundIn(answers.get("near"));
    const byMeaning = vector === null ? [] : await this.semanticMatches(near, { depth, isHeld, strictness });
    const pins = this.foundIn(answers.get("pins"));
    // What is left out by its score is so by the cluster's own, of which a share is asked for.
    const least = Math.ceil(Math.max((strictness * best) / 100, params.minScore * (words?.maxScore ?? 0)));
    const cutoff = isAuto ? Math.max(least, Math.ceil(settings.matchingRatio * best)) : least;
    const anyTerm = anyOf(terms.map((term) => holdsTerm(term, fields)));
    const from = (score: number): ClusterQuery =>
      score > 0 ? { function_score: { query: byScore, min_score: score } } : anyTerm;
    const wholly = allOf([...required, ...(least > 0 ? [from(least)] : [])]);
    const byWords = [
      ...(isAnyEnough || isAuto ? [from(cutoff)] : []),
      ...(isAnyEnough || required.length === 0 ? [] : [wholly]),
    ];
    const others = [...byMeaning, ...pins].map(({ id }) => id);
    const matches = anyOf([
      ...(isByWords ? byWords : []),
      ...identifiers,
      ...(others.length > 0 ? [withIds(others)] : []),
    ]);
    const semanticIds = vector === null ? null : new Set(byMeaning.map(({ id }) => id));
    const fusion = this.fusionFor(isShortQuery && (!isHeld || terms.some(({ byPart }) => byPart === true)));
    const kept = { matches: isAll ? base : allOf([base, matches]), scored, fusion, semanticIds };
    const places = [...pinned].flatMap(([id, position]) =>
      pins.some((pin) => pin.id === id) ? [{ id, position }] : [],
    );
    if (isSorted || isAll) return { ...kept, ranked: undefined, first: [], pins: isSorted ? [] : places, isOpen: true };
    const candidates = this.foundIn(answers.get("candidates"));
    const isMatch = ({ score, passes }: Found): boolean =>
      score >= cutoff || passes.has("identifier") || (passes.has("all") && score >= least);
    const isRefined = ({ passes }: Found): boolean => refined.length === 0 || passes.has("refined");
    const found = [...pins, ...candidates.filter(isMatch), ...byMeaning.filter(isRefined)];
    const ranked = await this.rank([...new Map(found.map((one) => [one.id, one])).values()], kept);
    const first = ranked.order.flatMap((place) => (pinned.has(ranked.found[place]!.id) ? [] : ranked.found[place]!.id));
    return { ...kept, ranked, first, pins: places, isOpen: candidates.length === size };
  }

  /** The places of records that rules promote, by their ids. */
  private pinned(): ReadonlyMap<string, number> {
    const { promote, hide } = this.understood.ruled.effects;
    const pinned = new Map<string, number>();
    for (const { id, position } of promote.flat()) if (!pinned.has(id)) pinned.set(id, position);
    for (const id of hide.flat()) pinned.delete(id);
    return pinned;
  }

  /** How words and meaning are fused: meaning says more of what no record holds by words. */
  private fusionFor(isOutOfVocabulary: boolean): FusionMethod {
    const { settings, givenWeight, words } = this;
    const { outOfVocabularyWeight = givenWeight } = this.version.settings;
    const usual =
      isOutOfVocabulary && this.vector !== null && this.params.semanticWeight === undefined
        ? outOfVocabularyWeight
        : givenWeight;
    return withSemanticWeight(settings.fusion, usual + (1 - usual) * (1 - (words?.coveredShare ?? 1)));
  }

  /** The nearest records whose cosines reach the floor. */
  private async semanticMatches(
    found: readonly Found[],
    { depth, isHeld, strictness }: { readonly depth: number; readonly isHeld: boolean; readonly strictness: number },
  ): Promise<Found[]> {
    const { params, context, version, settings } = this;
    const learned = (stop: AbortSignal): Promise<number> => version.floor({ ...context, signal: stop });
    const usual = params.semanticFloor ?? (await context.whileThere(learned));
    const outOfVocabulary =
      isHeld || params.semanticFloor !== undefined || inEffect("matching", params, settings) !== "auto";
    const floor = outOfVocabulary ? usual : Math.max(usual, version.settings.leastOutOfVocabularyFloor ?? usual);
    const sorted = [...found].sort((a, b) => b.cosine - a.cosine || byCodeUnit(a.id, b.id)).slice(0, depth);
    const least = Math.max(params.minScore, (strictness * (sorted[0]?.cosine ?? 0)) / 100);
    return sorted.filter(({ cosine }) => isNear(cosine, floor) && cosine >= least);
  }

  /** Ranks records by their words, their meaning, their titles and boosts. */
  private async rank(given: readonly Found[], { fusion, semanticIds }: Pick<Plan, "fusion" | "semanticIds">) {
    const { words, settings, context } = this;
    const found = [...given].sort((a, b) => byCodeUnit(a.id, b.id));
    const docs = Uint32Array.from(found.keys()) as DocArray<Doc>;
    const cards = found.map(({ id, card }) => ({ id, json: JSON.stringify(card) }));
    const fields = new FieldRules({ ...this.version.settings.shown, searchableAttributes: null });
    const snapshot = await this.snapshotOf(cards, fields);
    const { usedAttributes, boosts: asked } = this;
    const { sort } = this.understood.intent;
    const prepare = function* () {
      yield* ensureColumns(snapshot, usedAttributes, new ColumnReferences());
      const boosts = yield* prepareBoosts(asked, snapshot);
      const searcher = textSearcherOf(snapshot, settings);
      const terms = words?.terms ?? [];
      const weighed = yield* weighQuery(searcher, terms, words?.strengths);
      const query = { ...weighed, ...words, maxScore: ((words?.maxScore ?? 0) * MAX_IMPACT) / MOST_IMPACT, searcher };
      const hasCategories = snapshot.segments.some(({ segment }) => namesCategories(segment, fields));
      const takesTitles = terms.length > 0 && settings.titleEvidence && needsOf(settings.fusion).titles;
      const titles = takesTitles ? new TitleEvidence(query, words!.typed, hasCategories) : null;
      yield* titles?.countCategories() ?? [];
      const shares = Float64Array.from(found, ({ score }) => score / (words?.maxScore || 1));
      const cosinesOf = (some: ArrayLike<Doc>): Float64Array => Float64Array.from(some, (doc) => found[doc]!.cosine);
      const thosePassing = (part: string): number[] => [...docs].filter((doc) => found[doc]!.passes.has(part));
      const input = {
        ...{ fusion, titles, boosts, window: null, top: null, promoted: new Uint32Array(0) as DocArray<Doc> },
        lexical: words === null ? null : { docs, shares, shareOf: (doc: Doc) => shares[doc]! },
        semantic: semanticIds === null ? null : { docs, cosinesOf },
        exactIdentifierDocs: thosePassing("identifier") as Doc[],
      };
      const isUnranked = input.lexical === null && input.semantic === null;
      const scored = yield* isUnranked ? boostAlone(docs, boosts) : fuse(input);
      const whole = sort.length === 0 ? [] : thosePassing("all");
      const first = new DocSet(docs.length).addAll(whole.length > 0 ? whole : [...docs]);
      const { before } = yield* orderWithFirst(scored, { sort, first }, settings, { snapshot });
      const prepared: PreparedQuery = {
        ...{ searcher, terms, outOfVocabulary: words?.outOfVocabulary ?? [], query, titles, boosts, allowed: null },
        ...{ refinementSets: [], promoted: [], items: null, order: [], distinct: 0 },
      };
      // The places of the records, in order.
      return { scored, prepared, order: [...docs].sort((a, b) => (before(a, b) ? -1 : 1)) };
    };
    return { found, ...(await runTask(prepare(), context.signal)) };
  }

  /** A snapshot of some records, sorted by their ids, without vectors. `fields`: which of their texts are analysed. */
  private async snapshotOf(
    documents: readonly Pick<Found, "id" | "json">[],
    fields: FieldRules,
  ): Promise<BoundedSnapshot> {
    const { settings } = this.version;
    const effective = { ...settings.effective, dimensions: 0, attributesForFaceting: new Map<string, boolean>() };
    const version = { settings: { ...settings, embedder: undefined, effective, fields } };
    const entries = documents.map(({ id, json }) => ({ id, json: json!, vector: undefined, position: undefined }));
    return BoundedSnapshot.all(await snapshotOf(entries, version, { signal: this.context.signal }));
  }

  /** The records of the page with their scores, for what shows them. */
  private async page({ plan, nbHits, hits }: Awaited<ReturnType<RemoteQuery["find"]>>) {
    const { fusion, semanticIds } = plan;
    const sorted = [...hits].sort((a, b) => byCodeUnit(a.id, b.id));
    const { shown } = this.version.settings;
    const fields = new FieldRules({ ...shown, searchableAttributes: [], titleEvidence: false });
    const snapshot = await this.snapshotOf(sorted, fields);
    const { found, scored, prepared } = plan.ranked ?? (await this.rank(hits, plan));
    const known = new Map(found.map(({ id }, place) => [id, scored.scores[place]!]));
    // Behind those that are ranked here, words alone count.
    const share = semanticIds !== null && fusion.method === "convex" ? 1 - fusion.semanticWeight : 1;
    const divisor = (prepared.titles?.divisor ?? 1) * (prepared.boosts?.divisor ?? 1) * (this.words?.maxScore || 1);
    const scores = Float64Array.from(sorted, ({ id, score }) => known.get(id) ?? roundScore((share * score) / divisor));
    const docs = Uint32Array.from(sorted.keys()) as DocArray<Doc>;
    const matches = new ScoredDocs(docs, { scores }, scored.partsOf);
    const byWords: RecallSource[] = this.words !== null || semanticIds === null ? ["fullTextSearch"] : [];
    const recallSource: RecallSource[] = semanticIds === null ? byWords : [...byWords, "semanticSearch"];
    const ranked: RankedQuery = {
      ...{ matches, nbHits, shown: docs, recallSource, page: hits.map((one) => sorted.indexOf(one)) },
      ...{ groupOf: undefined, all: null, irrelevant: null, weak: null, exactIdentifierDocs: [] },
      ...{ lexical: null, semantic: null, nbRecords: nbHits, groups: undefined, next: null },
    };
    return { snapshot, prepared, ranked };
  }
}

const UNCOUNTED = { track_total_hits: false } as const;
const READ = { _source: ["content.id", "content.json"] } as const;

/** Adds nothing to a score, and names the records that pass. */
function named(queries: readonly ClusterQuery[], name: string): ClusterQuery[] {
  return queries.length === 0 ? [] : [{ constant_score: { filter: anyOf(queries), boost: 0, _name: name } }];
}

/** What the cluster sorts by: numbers come before texts. */
function sortKeys(order: SortAttribute): object[] {
  const { direction, attribute } = order;
  if (order.isScore) return [{ _score: direction }];
  if (order.center !== undefined) {
    if (direction === "desc") throw cannot("the farthest records; sort by the distance ascending", "sort");
    const place = { lat: order.center.lat, lon: order.center.lng };
    return [{ _geo_distance: { place, order: direction, mode: "min", ignore_unmapped: true } }];
  }
  const params = { field: columnOf(attribute), prefix: factPrefix(attribute, "o"), isLast: direction === "desc" };
  return [{ _script: { type: "string", order: direction, script: { source: SORT, params } } }];
}

/** Throws 501 for what a query cannot ask of the cluster. */
function refuse(params: CheckedParams, settings: BoundedVersion["settings"]["effective"]): void {
  if (inEffect("distinct", params, settings)) throw cannot("how many groups there are; leave out distinct", "distinct");
  if (params.cursor !== undefined) throw cannot("where a walk through the hits stands; ask by page", "cursor");
  if (params.explain) throw cannot("the parts of a score; leave out explain", "explain");
  if (params.getParsedQuery)
    throw cannot("what was searched in place of each word; leave out getParsedQuery", "getParsedQuery");
  if (params.getMatchInfo) throw cannot("which hits hold all words; leave out getMatchInfo", "getMatchInfo");
}

/** The cosine of a record's vector; of one without a vector 0. */
const COSINE =
  "if (doc['near'].size() == 0) { return 0; } float[] v = doc['near'].value; double sum = 0; for (int i = 0; i < v.length; i++) { sum += v[i] * params.query[i]; } return sum;";

/** What a record sorts by; what it does not have comes last. */
const SORT = `String found = params.isLast ? '' : '\uffff';
for (String text : doc[params.field]) {
  if (text.startsWith(params.prefix)) {
    found = text.substring(params.prefix.length());
    if (!params.isLast) { return found; }
  }
}
return found;`;

/** What a boost of numbers or dates adds; of one that lowers, what it leaves. */
const BOOST = `double signal = 0;
for (String text : doc[params.field]) {
  if (text.startsWith(params.prefix)) {
    long bits = Long.parseUnsignedLong(text.substring(params.prefix.length()), 16);
    double x = Double.longBitsToDouble(bits < 0 ? bits & 0x7fffffffffffffffL : ~bits);
    if (params.order == 'date') { signal = Math.pow(2, -Math.max(0, params.origin - x) / params.scale); }
    else if (params.order == 'desc') { signal = x > 0 ? x / (x + params.scale) : 0; }
    else { signal = x >= 0 ? params.scale / (x + params.scale) : 0; }
  }
}
return params.weight > 0 ? params.weight * signal : -params.weight * (1 - signal);`;
