// A query that the cluster answers. It finds records by the sum of the weights of the query's terms times their impacts, which are whole
// numbers; this process adds meaning, titles and boosts to the best of them, and puts these in order. In at most four rounds:
//
//   1  the words of the index that rewriting the query asks for (remote-words), twice where some are mended
//   2  the best records by words, and the nearest by meaning, with what they are ranked by
//   3  how many records match, the facets, and the records of the page: one query of the cluster says which records these are

import { isBlank } from "../analysis/normalize-text.js";
import { keysOf, type ReadQuery, readQuery, readTokens } from "../analysis/parse-query.js";
import { QUANTITY_MARK } from "../analysis/term-marks.js";
import { PLAIN_WORDS } from "../analysis/word-forms.js";
import type { KnownAttributes } from "../docvalues/attribute-catalog.js";
import type { ValueRank } from "../docvalues/facet-counts.js";
import { filterKey } from "../docvalues/filter.js";
import { PLACES } from "../docvalues/place.js";
import { BoundedSnapshot, type BoundedVersion, unboundedVersion } from "../index/bounded-snapshot.js";
import { buildSegment } from "../index/build-segment.js";
import { ColumnReferences, ensureColumns } from "../index/column-store.js";
import type { IndexVersion } from "../index/index-data.js";
import { IndexSnapshot } from "../index/index-snapshot.js";
import { type FieldRules, fieldRules, namesCategories } from "../index/read-fields.js";
import { textCorpusOf } from "../index/search-corpus.js";
import { boostsOfSettings, type ReadBoost } from "../input/boosts.js";
import { inEffect } from "../input/input-table.js";
import { type CheckedParams, filterOf, placesAsked, refinementsOf } from "../input/read-params.js";
import { idf, MAX_IMPACT, termMaximum } from "../inverted/bm25.js";
import { BELONGING, TitleEvidence } from "../inverted/title/title-evidence.js";
import { termWeights, type WeightedQuery, weighQuery } from "../inverted/weighted-query.js";
import { attributesOfBoost, prepareBoosts } from "../search/boosts.js";
import type { CountedFacets } from "../search/count-facets.js";
import { queryVector, readWordTable } from "../search/embed-query.js";
import {
  boostAlone,
  fuse,
  needsOf,
  roundScore,
  ScoredDocs,
  semanticWeightOf,
  withSemanticWeight,
} from "../search/fuse.js";
import { type OrderAttribute, orderOf, orderWithFirst, sortKeysOf } from "../search/order-hits.js";
import type { PreparedQuery } from "../search/prepare-query.js";
import type { RankedQuery } from "../search/rank-query.js";
import type { RecallSource, SearchAnswer } from "../search/response.js";
import { type RewrittenQuery, rewriteQuery } from "../search/rewrite-query.js";
import { checkedVersion, prepareContext, type QueryContext, shapeAnswer } from "../search/search.js";
import { applyRulesAndIntent, type UnderstoodQuery } from "../search/understood-query.js";
import { parseRanking } from "../settings/settings.js";
import type { Doc, DocArray } from "../util/doc.js";
import { DocSet } from "../util/doc-set.js";
import { hashText } from "../util/hash.js";
import { at, has, type JsonRecord, type JsonValue } from "../util/json.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { byCodeUnit } from "../util/sorted.js";
import { runTask, type Task } from "../util/tasks.js";
import { isNear } from "../vectors/search-vectors.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import type { RecordDocument } from "./cluster-documents.js";
import type { RemoteSource } from "./cluster-store.js";
import {
  cannot,
  columnOf,
  factPrefix,
  MOST_IMPACT,
  MOST_LISTED,
  numbersOf,
  type ValueKind,
  valueOfFact,
} from "./remote-documents.js";
import { type FacetPlan, FacetSearches, type Refinement } from "./remote-facets.js";
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
import { COUNTED, RemoteVocabulary, type SearchBody, totalIn } from "./remote-words.js";

/** The best records by words that are ranked here, those by meaning included, where these are fewer. */
const MOST_CANDIDATES = 100;
const LEAST_BY_WORDS = 60;
/** Words are asked for so many times; what is not known then is as if no record held it. */
const WORD_ROUNDS = 2;
/** Queries of more terms are seldom held whole, so that says nothing of them. */
const MOST_TERMS_OF_SHORT = 4;
const DAY_MS = 86_400_000;

/** What is known of all records, as of a version of the index. */
export interface Catalog {
  readonly docCount: number;
  readonly attributes: KnownAttributes;
  readonly kindsOf: (attribute: string) => ReadonlySet<ValueKind>;
  /** The fields in which words are searched. */
  readonly fields: readonly string[];
  /** Some of the records, from which settings learn. */
  readonly sample: IndexVersion;
  readonly words: Map<string, RemoteVocabulary>;
}

/** A record that the cluster found, with what it is ranked by. */
interface Found {
  readonly id: string;
  /** The sum of weights times impacts. */
  readonly score: number;
  readonly cosine: number;
  readonly card: JsonRecord;
  /** Which parts of the query it passes. */
  readonly passes: ReadonlySet<string>;
  readonly content: RecordDocument | undefined;
}

/** The words of a query, and their weights. */
interface Words extends Pick<RewrittenQuery, "terms" | "typed" | "unheld"> {
  readonly weights: Int32Array;
  readonly idfs: Float64Array;
  readonly docFreqs: readonly number[];
  readonly strengths: Float64Array | undefined;
  /** The greatest score of a record. */
  readonly most: number;
  readonly coveredShare: number;
}

/** Records that are ranked in this process. */
interface Ranked {
  readonly found: readonly Found[];
  readonly scored: ScoredDocs;
  readonly prepared: PreparedQuery;
  /** Their places, in order. */
  readonly order: readonly number[];
}

/** Which records match, and which of them are on the page. */
interface Plan {
  readonly matches: ClusterQuery;
  readonly scored: readonly ClusterQuery[];
  readonly recallSource: RecallSource[];
  readonly fusion: ReturnType<typeof withSemanticWeight>;
  readonly semanticIds: ReadonlySet<string> | null;
  readonly ranked: Ranked | undefined;
  /** The ids before those that the cluster lists, in order. */
  readonly first: readonly string[];
  readonly pins: readonly { readonly id: string; readonly position: number }[];
  /** The cluster lists more behind these. */
  readonly isOpen: boolean;
}

/** One query. */
export class RemoteQuery {
  private readonly source: RemoteSource;
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
  private words: Words | null = null;
  /** Records that exist for the query, and conditions that narrow its matches, with the facet that each is of. */
  private base: ClusterQuery = ALL;
  private refinements: readonly Refinement[] = [];
  private rankBy: readonly OrderAttribute[] = [];
  private boosts: readonly ReadBoost[] = [];

  constructor(
    source: RemoteSource,
    catalog: Catalog,
    given: CheckedParams,
    context: QueryContext,
    rankings?: (mends: boolean) => readonly ValueRank[],
  ) {
    this.source = source;
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
    const { snapshot, ranked, prepared } = await this.page(found);
    const { facets } = found;
    const { ruled, understood } = this.understood;
    const version = { ...this.version, snapshot };
    return shapeAnswer(
      given.query,
      { ruled, understood, version, prepared, ranked, facets, began, waited: 0 },
      context,
    );
  }

  /** The values of the facets of the query. */
  async facets(): Promise<CountedFacets> {
    await this.prepare();
    return (await this.find()).facets!;
  }

  private search(searches: readonly SearchBody[]): Promise<readonly unknown[]> {
    const { indexes, physical } = this.source;
    // Equal queries ask the same copies, whose graphs may differ from those of others.
    const preference = `q${hashText(this.given.query, 0)}`;
    return indexes.searchAll(physical, searches, preference, this.context.signal);
  }

  /** Reads the query, and asks what the index has of its words. */
  private async prepare(): Promise<void> {
    const { given, catalog, context } = this;
    this.version = await checkedVersion(given, { ...catalog.sample, attributes: catalog.attributes }, context);
    this.understood = await applyRulesAndIntent(given, this.version, context);
    const { ruled, intent } = this.understood;
    const { language, settings } = this.version;
    const { params } = ruled;
    this.params = params;
    refuse(params, this.settings);
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
    this.rankBy = this.settings.customRanking.map((text) => parseRanking(text)!);
    const all = [
      ...(params.boosts ?? boostsOfSettings(this.settings.boosts, context.limits)),
      ...params.optionalFilters,
    ];
    this.boosts = await this.learnedBoosts(all);
    if (!this.blank && settings.dictionary !== undefined)
      await context.whileThere((stop) => readWordTable(settings.dictionary, stop));
    const embedded = await queryVector(params, { read, blank: this.blank, settings, language }, context);
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
  private async askWords(embedded: Awaited<ReturnType<typeof queryVector>>): Promise<Words> {
    const { params, version, context, read } = this;
    const { language } = version;
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
    const vocabulary =
      this.catalog.words.get(key) ?? new RemoteVocabulary({ docCount, words, fields: this.fields, within });
    this.catalog.words.set(key, vocabulary);
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
      ...{ isInDictionary: preparing.isInDictionary, correctsKnown: false, maxTerms: preparing.maxTerms },
    };
    const guesses = [likely, ...(preparing.isWord === null ? [[]] : [])];
    for (let round = 0; ; round++) {
      let weighed: Words | undefined;
      vocabulary.begin();
      for (const guess of round === 0 ? guesses : [likely]) {
        vocabulary.likely = new Set(guess.flatMap(({ term }) => term.alternatives.flatMap(({ terms }) => terms)));
        weighed = this.weighed(await runTask(rewriteQuery(tokens, rules), context.signal), vocabulary);
      }
      if (!vocabulary.isGuessing) return weighed!;
      if (round === WORD_ROUNDS) vocabulary.giveUp();
      else await vocabulary.learn((searches) => this.search(searches));
    }
  }

  /** The terms of a query with their weights: the share of each in their idfs, as a whole number. */
  private weighed({ terms, typed, unheld }: RewrittenQuery, vocabulary: RemoteVocabulary): Words {
    const { docCount } = this.catalog;
    const { k1 } = this.settings.bm25;
    const docFreqs = terms.map(({ alternatives }) =>
      Math.min(
        docCount,
        alternatives.reduce((sum, { terms: all }) => sum + vocabulary.countOf(all), 0),
      ),
    );
    const idfs = Float64Array.from(docFreqs, (docFreq) => (docFreq === 0 ? 0 : idf(docCount, docFreq)));
    const { belonging } = typed;
    const strengths =
      belonging.size === 0 ? undefined : Float64Array.from(terms, (_, i) => (belonging.has(i) ? BELONGING : 1));
    const weights = termWeights(strengths === undefined ? idfs : idfs.map((one, i) => one * strengths[i]!));
    let [covered, all] = [0, 0];
    for (const [i, docFreq] of docFreqs.entries()) {
      const most = termMaximum(idf(docCount, docFreq), k1);
      if (docFreq > 0) covered += most;
      if (docFreq > 0 || terms[i]!.knownToEmbedder === true) all += most;
    }
    const most = MOST_IMPACT * weights.reduce((sum, weight) => sum + weight, 0);
    return {
      terms,
      typed,
      unheld,
      weights,
      idfs,
      docFreqs,
      strengths,
      most,
      coveredShare: all === 0 ? 1 : covered / all,
    };
  }

  /** Boosts with what they learn from the records: from a sample of them. */
  private async learnedBoosts(boosts: readonly ReadBoost[]): Promise<readonly ReadBoost[]> {
    if (!boosts.some(({ signal }) => signal.kind === "number" || signal.kind === "date")) return boosts;
    const { snapshot } = unboundedVersion(this.catalog.sample);
    const attributes = boosts.flatMap(attributesOfBoost);
    const learn = function* (): Task<readonly ReadBoost[]> {
      yield* ensureColumns(snapshot, attributes, new ColumnReferences());
      const learned: ReadBoost[] = [];
      for (const boost of boosts) {
        const { signal } = boost;
        if (signal.kind === "number" && signal.pivot === undefined) {
          const [explained] =
            snapshot.liveCount === 0 ? [] : yield* (yield* prepareBoosts([boost], snapshot))!.explain(0 as Doc);
          learned.push({ ...boost, signal: { ...signal, pivot: explained?.pivot ?? 1 } });
        } else if (signal.kind === "date" && signal.origin === undefined)
          learned.push({ ...boost, signal: { ...signal, origin: "now" } });
        else learned.push(boost);
      }
      return learned;
    };
    return runTask(learn(), this.context.signal);
  }

  /** Finds what matches, and what of it is on the page, in order. */
  private async find(): Promise<FoundPage> {
    const plan = await this.plan();
    const { params, catalog } = this;
    const { matches, first, pins, isOpen } = plan;
    const { from, to } = placesAsked(params);
    const total = isOpen ? Number.POSITIVE_INFINITY : first.length + pins.length;
    const slots = slotsAround(pins, { from, to: Math.min(to, total), total });
    const indexes = slots.filter((slot) => typeof slot === "number");
    const tailFrom = Math.max(first.length, indexes[0] ?? 0);
    const tailSize = isOpen ? Math.max(0, (indexes.at(-1) ?? -1) + 1 - tailFrom) : 0;
    const skipped = tailFrom - first.length;
    const isTooFar = skipped + tailSize > MOST_LISTED;
    const ids = slots.flatMap((slot) => (typeof slot === "string" ? slot : (first[slot] ?? [])));
    const refined = allOf([matches, ...this.refinements.map(({ query }) => query)]);
    const plans: FacetPlan = {
      facets: params.facets,
      most: params.maxValuesPerFacet,
      rankings: this.rankings?.(inEffect("typoTolerance", params, this.settings)),
      kindsOf: catalog.kindsOf,
      keyOfText: sortKeysOf(this.settings),
    };
    const counts = new FacetSearches(plans, matches, this.refinements);
    const listing = tailSize === 0 || isTooFar ? [] : [this.listing(plan, refined, skipped, tailSize)];
    const reading =
      ids.length === 0 ? [] : [{ query: withIds(ids), size: ids.length, track_total_hits: false, ...READ }];
    const counted = { ...COUNTED, query: refined };
    const bodies = await this.search([counted, ...listing, ...reading, ...counts.searches()]);
    const nbHits = totalIn(bodies[0]);
    if (isTooFar && nbHits > tailFrom)
      throw cannot(`hits behind the ${MOST_LISTED}th; ask for an earlier page, or filter more narrowly`, "page");
    const listed = listing.length === 0 ? [] : this.foundIn(bodies[1]);
    const known = new Map(
      this.foundIn(reading.length === 0 ? undefined : bodies[1 + listing.length]).map((one) => [one.id, one]),
    );
    let facets: CountedFacets | undefined;
    if (params.facets.length > 0) {
      const facetBodies = bodies.slice(1 + listing.length + reading.length);
      const bars = counts.barSearches(facetBodies);
      facets = counts.facetsIn(facetBodies, bars.length === 0 ? [] : await this.search(bars));
    }
    const hits = slots.flatMap((slot): Found[] => {
      const id = typeof slot === "string" ? slot : first[slot];
      const found = id === undefined ? listed[(slot as number) - tailFrom] : known.get(id);
      return found === undefined ? [] : [found];
    });
    return { plan, nbHits, hits, facets };
  }

  /** The part of the list that the cluster puts in order. */
  private listing({ scored, first, pins }: Plan, refined: ClusterQuery, from: number, size: number): SearchBody {
    const { params, blank } = this;
    const placed = withIds([...first, ...pins.map(({ id }) => id)]);
    const should = blank ? this.boosts.map((boost) => this.boosted(boost)) : scored;
    const filter = [refined, ...(first.length + pins.length === 0 ? [] : [noneOf([placed])])];
    const sorts = params.sort.flatMap((sort) => sortKeys(sort));
    const isScored = should.length > 0;
    return {
      ...{ from, size, track_total_hits: false, track_scores: isScored, query: { bool: { filter, should } } },
      sort: [...sorts, ...(isScored ? [{ _score: "desc" }] : []), ...this.lastSorts],
      ...this.readFields(true),
      ...READ,
      stored_fields: undefined,
    };
  }

  private get lastSorts(): readonly object[] {
    return [...this.rankBy.flatMap((ranking) => sortKeys(ranking)), { id: "asc" }];
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
    const attributes = [...this.rankBy, ...this.understood.intent.sort].map(({ attribute }) => attribute);
    return new Set([...attributes, ...this.boosts.flatMap(attributesOfBoost)]);
  }

  /** What is read of a record to rank it. */
  private readFields(isRanked: boolean): SearchBody {
    const { usedAttributes: used } = this;
    const place = used.has(PLACES) ? ["place"] : [];
    const { vector } = this;
    const cosine = { source: COSINE, params: { query: vector === null ? [] : numbersOf(vector) } };
    return {
      ...{ _source: false, stored_fields: "_none_" },
      docvalue_fields: ["id", ...(isRanked ? ["card", ...new Set(Array.from(used, columnOf)), ...place] : [])],
      ...(vector !== null && { script_fields: { cosine: { script: cosine } } }),
    };
  }

  private foundIn(body: unknown): Found[] {
    const hits = at(body, "hits", "hits");
    const used = this.usedAttributes;
    return (Array.isArray(hits) ? hits : []).map((hit: unknown): Found => {
      const of = (name: string): readonly unknown[] =>
        (at(hit, "fields", name) as readonly unknown[] | undefined) ?? [];
      const json = at(hit, "_source", "content", "json");
      const id = String(json === undefined ? of("id")[0] : at(hit, "_source", "content", "id"));
      const card = of("card")[0];
      const record: Record<string, JsonValue> =
        card === undefined ? {} : JSON.parse(Buffer.from(String(card), "base64").toString("utf8"));
      for (const path of used) {
        const values = of(columnOf(path)).map((text) => valueOfFact(String(text), path));
        if (values.length > 0) record[path] = values.filter((value) => value !== undefined);
      }
      const place = of("place")[0];
      if (place !== undefined) {
        const [lat, lng] = String(place).split(",").map(Number);
        record[PLACES] = { lat: lat!, lng: lng! };
      }
      const score = at(hit, "_score");
      return {
        ...{
          id,
          score: typeof score === "number" ? score : 0,
          cosine: Math.max(0, Number(of("cosine")[0] ?? 0)),
          card: record,
        },
        passes: new Set((at(hit, "matched_queries") as readonly string[] | undefined) ?? []),
        content: json === undefined ? undefined : { id, json: String(json) },
      };
    });
  }

  /** Finds what is to be ranked here, and which records match. */
  private async plan(): Promise<Plan> {
    const { params, words, base, vector, settings, fields } = this;
    const terms = words?.terms ?? [];
    const scored = terms.flatMap((term, i) =>
      words!.weights[i]! > 0 ? [scoredTerm(term, words!.weights[i]!, fields)] : [],
    );
    const required = terms.filter(({ optional }) => optional !== true);
    const holdsAll = allOf(required.map((term) => holdsTerm(term, fields)));
    const identifiers = this.blank ? [] : this.read.identifiers.map((term) => holdsOne(term, fields));
    const isSorted = params.sort.length > 0;
    const matching = inEffect("matching", params, settings);
    const isAnyEnough = matching === "any" || terms.length === 1 || required.length === 0;
    const isAuto = matching === "auto" && !isAnyEnough;
    const refined = this.refinements.map(({ query }) => query);
    const strictness = this.blank ? 0 : inEffect("relevancyStrictness", params, settings);
    const depth = vector === null ? 0 : inEffect("semanticDepth", params, settings);
    const isByWords = scored.length > 0;
    const size = Math.max(LEAST_BY_WORDS, MOST_CANDIDATES - depth);
    const { promote, hide } = this.understood.ruled.effects;
    const pinned = new Map<string, number>();
    for (const { id, position } of promote.flat()) if (!pinned.has(id)) pinned.set(id, position);
    for (const id of hide.flat()) pinned.delete(id);
    const lexical = { bool: { should: [...scored, ...named(identifiers, "identifier")], minimum_should_match: 1 } };
    const whole = isByWords && required.length > 0 ? named([holdsAll], "all") : [];
    const byScore = { track_total_hits: false, sort: [{ _score: "desc" }, ...this.lastSorts], track_scores: true };
    const needsBest = isByWords && (isAuto || strictness > 0);
    const isShort =
      terms.reduce((sum, { key }) => sum + (key.startsWith(QUANTITY_MARK) ? 2 : 1), 0) <= MOST_TERMS_OF_SHORT;
    const asked: Readonly<Record<string, SearchBody | false>> = {
      candidates: isByWords &&
        !isSorted && {
          ...{ ...byScore, ...this.readFields(true), size },
          query: {
            bool: {
              must: [lexical],
              filter: [base, ...refined, ...(isAnyEnough || isAuto ? [] : [holdsAll])],
              should: whole,
            },
          },
        },
      best: needsBest &&
        (isSorted || refined.length > 0 || !isAuto) && {
          ...{ size: 1, track_total_hits: false, _source: false },
          query: { bool: { must: [{ bool: { should: scored } }], filter: [base] } },
        },
      together: isByWords &&
        isShort &&
        vector !== null && { ...COUNTED, terminate_after: 1, query: allOf([holdsAll, filterQuery(this.given.within)]) },
      near: vector !== null && {
        ...{
          ...this.readFields(true),
          size: 10 * depth > MOST_LISTED ? MOST_LISTED : 10 * depth,
          track_total_hits: false,
        },
        query: {
          bool: {
            filter: [{ knn: { near: { vector: numbersOf(vector), k: depth, ...(base !== ALL && { filter: base }) } } }],
            should: [...scored, ...whole, ...named([allOf(refined)], "refined"), ...named(identifiers, "identifier")],
          },
        },
      },
      pins: pinned.size > 0 && {
        ...this.readFields(true),
        size: pinned.size,
        track_total_hits: false,
        query: { bool: { filter: [withIds([...pinned.keys()]), base, ...refined], should: scored } },
      },
    };
    const searches = Object.entries(asked).flatMap(([name, search]) =>
      search === false ? [] : [[name, search] as const],
    );
    const bodies = searches.length === 0 ? [] : await this.search(searches.map(([, search]) => search));
    const answers = new Map(searches.map(([name], i) => [name, bodies[i]]));
    const candidates = this.foundIn(answers.get("candidates"));
    const best = this.foundIn(answers.get("best"))[0]?.score ?? candidates[0]?.score ?? 0;
    const isHeld = !answers.has("together") || totalIn(answers.get("together")) > 0;
    const byMeaning =
      vector === null
        ? null
        : await this.semanticMatches(this.foundIn(answers.get("near")), { depth, isHeld, strictness });
    const places = [...pinned.keys()];
    const pins = this.foundIn(answers.get("pins")).sort((a, b) => places.indexOf(a.id) - places.indexOf(b.id));
    const least = Math.ceil(Math.max((strictness * best) / 100, params.minScore * (words?.most ?? 0)));
    const cutoff = isAuto ? Math.max(least, Math.ceil(settings.matchingRatio * best)) : least;
    const atLeast = (score: number): ClusterQuery =>
      score <= 0
        ? anyOf(terms.map((term) => holdsTerm(term, fields)))
        : { function_score: { query: { bool: { should: scored } }, min_score: score } };
    const wholly = allOf([holdsAll, ...(least > 0 ? [atLeast(least)] : [])]);
    const byWords = isAuto
      ? [atLeast(cutoff), ...(required.length > 0 ? [wholly] : [])]
      : isAnyEnough
        ? [atLeast(cutoff)]
        : [wholly];
    const others = [byMeaning ?? [], pins].flatMap((some) => some.map(({ id }) => id));
    const isAll = this.blank && vector === null;
    const matches = isAll
      ? base
      : allOf([
          base,
          anyOf([...(isByWords ? byWords : []), ...identifiers, ...(others.length > 0 ? [withIds(others)] : [])]),
        ]);
    const recallSource: RecallSource[] = [
      ...(words !== null || isAll ? (["fullTextSearch"] as const) : []),
      ...(vector === null ? [] : (["semanticSearch"] as const)),
    ];
    const isMatch = ({ score, passes }: Found): boolean =>
      score >= cutoff || passes.has("identifier") || (passes.has("all") && score >= least);
    const found = new Map(candidates.filter(isMatch).map((one) => [one.id, one]));
    for (const one of byMeaning ?? []) if (refined.length === 0 || one.passes.has("refined")) found.set(one.id, one);
    for (const one of pins) if (!found.has(one.id)) found.set(one.id, one);
    const usual = this.givenWeight;
    const { unheldWeight } = this.version.settings;
    const isUnheld =
      unheldWeight !== undefined && isShort && isByWords && (!isHeld || terms.some(({ byPart }) => byPart === true));
    const weight =
      byMeaning !== null && !this.blank && params.semanticWeight === undefined && isUnheld ? unheldWeight : usual;
    const fusion = withSemanticWeight(settings.fusion, weight + (1 - weight) * (1 - (words?.coveredShare ?? 1)));
    const kept = {
      matches,
      scored,
      recallSource,
      fusion,
      semanticIds: byMeaning && new Set(byMeaning.map(({ id }) => id)),
    };
    if (isSorted || isAll) {
      const own = isAll && !isSorted ? pins.map(({ id }) => ({ id, position: pinned.get(id)! })) : [];
      return { ...kept, ranked: undefined, first: [], pins: own, isOpen: true };
    }
    const ranked = await this.rank([...found.values()], kept);
    const ids = ranked.order.map((place) => ranked.found[place]!.id);
    const isPinned = new Set(pins.map(({ id }) => id));
    return {
      ...kept,
      ranked,
      first: ids.filter((id) => !isPinned.has(id)),
      pins: pins.map(({ id }) => ({ id, position: pinned.get(id)! })),
      isOpen: candidates.length === size,
    };
  }

  /** The nearest records whose cosines reach the floor. */
  private async semanticMatches(
    found: readonly Found[],
    { depth, isHeld, strictness }: { readonly depth: number; readonly isHeld: boolean; readonly strictness: number },
  ): Promise<Found[]> {
    const { params, context, version, settings } = this;
    const learned = (stop: AbortSignal): Promise<number> => version.floor({ ...context, signal: stop });
    const usual = params.semanticFloor ?? (await context.whileThere(learned));
    const unheld = isHeld || params.semanticFloor !== undefined || inEffect("matching", params, settings) !== "auto";
    const floor = unheld ? usual : Math.max(usual, version.settings.leastUnheldFloor ?? usual);
    const sorted = [...found].sort((a, b) => b.cosine - a.cosine || byCodeUnit(a.id, b.id)).slice(0, depth);
    const least = Math.max(params.minScore, (strictness * (sorted[0]?.cosine ?? 0)) / 100);
    return sorted.filter(({ cosine }) => isNear(cosine, floor) && cosine >= least);
  }

  /** Ranks records by their words, their meaning, their titles and boosts. */
  private async rank(
    given: readonly Found[],
    { fusion, semanticIds }: Pick<Plan, "fusion" | "semanticIds">,
  ): Promise<Ranked> {
    const { words, settings, context, rankBy } = this;
    const found = [...given].sort((a, b) => byCodeUnit(a.id, b.id));
    const snapshot = await this.snapshotOf(
      found.map(({ id, card }) => ({ id, json: JSON.stringify(card) })),
      (rules) => ({ ...rules, searchable: null }),
    );
    const docs = Uint32Array.from(found.keys()) as DocArray<Doc>;
    const { boosts } = this;
    const { sort } = this.understood.intent;
    const prepare = function* (): Task<Pick<Ranked, "scored" | "prepared" | "order">> {
      const attributes = [...rankBy, ...sort].map(({ attribute }) => attribute);
      yield* ensureColumns(snapshot, [...attributes, ...boosts.flatMap(attributesOfBoost)], new ColumnReferences());
      const corpus = textCorpusOf(snapshot, settings);
      const weighed = yield* weighQuery(corpus, words?.terms ?? [], words?.strengths);
      const most = MAX_IMPACT * (words?.weights.reduce((sum, one) => sum + one, 0) ?? 0);
      const { weights, idfs, docFreqs, coveredShare } = words ?? weighed;
      const query: WeightedQuery = { ...weighed, weights, idfs, docFreqs, coveredShare, maxScore: most };
      const takesTitles =
        words !== null && words.terms.length > 0 && settings.titleEvidence && needsOf(settings.fusion).titles;
      const hasCategories = snapshot.segments.some(({ segment }) =>
        namesCategories(segment.attributes, { ...settings, searchableAttributes: null }),
      );
      const titles = takesTitles ? new TitleEvidence(query, words.typed, hasCategories) : null;
      yield* titles?.countCategories() ?? [];
      const shares = Float64Array.from(found, ({ score }) =>
        words === null || words.most === 0 ? 0 : score / words.most,
      );
      const cosines = Float64Array.from(found, ({ cosine }) => cosine);
      const prepared: PreparedQuery = {
        ...{
          corpus,
          terms: query.terms,
          unheld: words?.unheld ?? [],
          query,
          titles,
          boosts: yield* prepareBoosts(boosts, snapshot),
        },
        ...{
          allowed: null,
          refinementSets: [],
          promoted: [],
          items: null,
          order: [],
          customRanking: rankBy,
          distinct: false,
        },
      };
      const isUnranked = words === null && semanticIds === null;
      const scored = yield* isUnranked
        ? boostAlone(docs, prepared.boosts)
        : fuse({
            ...{
              fusion,
              titles,
              boosts: prepared.boosts,
              window: null,
              top: null,
              promoted: new Uint32Array(0) as DocArray<Doc>,
            },
            lexical: words === null ? null : { docs, shares, shareOf: (doc) => shares[doc]! },
            semantic:
              semanticIds === null
                ? null
                : { docs, cosinesOf: (some) => Float64Array.from(some, (doc) => cosines[doc]!) },
            exactIdentifierDocs: [...docs].filter((doc) => found[doc]!.passes.has("identifier")) as Doc[],
          });
      const rules = { customRanking: rankBy, keyOfText: sortKeysOf(settings) };
      const whole = [...docs].filter((doc) => found[doc]!.passes.has("all"));
      const first = new DocSet(docs.length).addAll(whole.length > 0 ? whole : [...docs]);
      const before = yield* sort.length === 0
        ? orderOf(scored, [], rules, snapshot)
        : orderWithFirst(scored, { sort, first }, rules, snapshot, null);
      return { scored, prepared, order: [...docs].sort((a, b) => (before(a, b) ? -1 : 1)) };
    };
    return { found, ...(await runTask(prepare(), context.signal)) };
  }

  /** A snapshot of some records, sorted by their ids, of which only the fields that `rules` leave are analysed. */
  private async snapshotOf(
    documents: readonly RecordDocument[],
    rulesOf: (rules: FieldRules) => FieldRules,
  ): Promise<BoundedSnapshot> {
    const { settings, language } = this.version;
    const { signal } = this.context;
    const own = {
      ...settings,
      embedder: undefined,
      effective: { ...settings.effective, dimensions: 0, attributesForFaceting: [] },
    };
    const entries = documents.map(({ id, json }) => ({ id, json: json!, vector: undefined, position: undefined }));
    const context = {
      settings: own,
      rules: rulesOf(fieldRules(settings.effective)),
      language,
      limits: GREATEST_LIMITS,
      signal,
      vectorsFrom: undefined,
    };
    const segment = await buildSegment(entries, { ...context, warn: () => {}, onProgress: () => {} });
    return BoundedSnapshot.all(await runTask(IndexSnapshot.empty().after({ added: [segment] }), signal));
  }

  /** The records of the page, and their scores, for what shows them. */
  private async page({ plan, nbHits, hits }: FoundPage): Promise<{
    readonly snapshot: BoundedSnapshot;
    readonly prepared: PreparedQuery;
    readonly ranked: RankedQuery;
  }> {
    const { ranked, fusion } = plan;
    const inOrder = [...hits].sort((a, b) => byCodeUnit(a.id, b.id));
    const snapshot = await this.snapshotOf(
      inOrder.map(({ content }) => content!),
      (rules) => ({ ...rules, searchable: [], titles: false }),
    );
    const known = new Map(ranked?.found.map(({ id }, place) => [id, ranked.scored.scores[place]!]));
    const unknown = hits.filter(({ id }) => !known.has(id));
    // Behind those that are ranked here, words alone count.
    const share = fusion.method === "convex" ? 1 - (plan.semanticIds === null ? 0 : fusion.semanticWeight) : 1;
    const rest = ranked === undefined ? await this.rank(unknown, plan) : undefined;
    const divisor =
      ranked === undefined ? 1 : (ranked.prepared.titles?.divisor ?? 1) * (ranked.prepared.boosts?.divisor ?? 1);
    for (const { id, score } of unknown) known.set(id, roundScore((share * score) / (this.words?.most || 1) / divisor));
    for (const [place, { id }] of rest?.found.entries() ?? []) known.set(id, rest!.scored.scores[place]!);
    const docs = Uint32Array.from(inOrder.keys()) as DocArray<Doc>;
    const scores = Float64Array.from(inOrder, ({ id }) => known.get(id)!);
    const noParts = { lexical: 0, semantic: 0, title: 0, lacking: 0, isBeyondWindow: false };
    const matches = new ScoredDocs(docs, { scores }, () => noParts);
    const places = new Map(inOrder.map(({ id }, place) => [id, place]));
    const { prepared } = ranked ?? rest!;
    return {
      ...{ snapshot, prepared },
      ranked: {
        ...{
          matches,
          nbHits,
          shown: docs,
          recallSource: plan.recallSource,
          page: hits.map(({ id }) => places.get(id)!),
        },
        ...{
          groupOf: undefined,
          all: null,
          irrelevant: null,
          weak: null,
          exactIdentifierDocs: [],
          lexical: null,
          semantic: null,
        },
      },
    };
  }
}

/** What a query found of a page. */
interface FoundPage {
  readonly plan: Plan;
  readonly nbHits: number;
  readonly hits: readonly Found[];
  readonly facets: CountedFacets | undefined;
}

const READ = { _source: ["content.id", "content.json"] } as const;

/** Adds nothing to a score, and names the records that pass. */
function named(queries: readonly ClusterQuery[], name: string): ClusterQuery[] {
  return queries.length === 0 ? [] : [{ constant_score: { filter: anyOf(queries), boost: 0, _name: name } }];
}

/** What is at some places of the whole list: the id of a pin, or the place among the others. */
function slotsAround(
  pins: readonly { readonly id: string; readonly position: number }[],
  { from, to, total }: { readonly from: number; readonly to: number; readonly total: number },
): (string | number)[] {
  const taken = new Map<number, string>();
  for (const { id, position } of pins) {
    let place = position;
    while (taken.has(place)) place++;
    taken.set(place, id);
  }
  const fixed = [...taken]
    .sort(([a], [b]) => a - b)
    .map(([place, id], i) => ({ id, place: Math.min(place, total - pins.length + i) }));
  const slots: (string | number)[] = [];
  for (let place = from; place < to; place++) {
    const before = fixed.filter((one) => one.place < place).length;
    slots.push(fixed.find((one) => one.place === place)?.id ?? place - before);
  }
  return slots;
}

/** What the cluster sorts by: numbers come before texts. */
function sortKeys(order: OrderAttribute): object[] {
  const { direction, attribute } = order;
  if (Object.hasOwn(order, "isScore")) return [{ _score: direction }];
  if (Object.hasOwn(order, "center")) {
    if (direction === "desc") throw cannot("the farthest records; sort by the distance ascending", "sort");
    const place = { lat: order.center!.lat, lon: order.center!.lng };
    return [{ _geo_distance: { place, order: direction, mode: "min", ignore_unmapped: true } }];
  }
  const params = { field: columnOf(attribute), prefix: factPrefix(attribute, "o"), isLast: direction === "desc" };
  return [{ _script: { type: "string", order: direction, script: { source: SORT, params } } }];
}

/** Throws 501 for what a query cannot ask of the cluster. */
function refuse(params: CheckedParams, settings: BoundedVersion["settings"]["effective"]): void {
  if (inEffect("distinct", params, settings)) throw cannot("how many groups there are; leave out distinct", "distinct");
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
