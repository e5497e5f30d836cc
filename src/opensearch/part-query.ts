// A query of an index that has more records than a query reads. It runs on a snapshot of the records that matter for it, which the cluster
// finds, with what is known of all records: the same code prepares, scores, ranks and shows.
//
//   1  The query is rewritten with guessed answers about the words of the index, and what was asked is asked of the cluster (asked-words).
//   2  What is to be ranked is known then: the cluster finds the best records by words, and the nearest by meaning. Their data are read.
//   3  Where more records match than were read, the cluster counts the rest, and the values of facets.
//
// For a text that is being typed, records in which it goes on are read, and the queries that count suggestions are run apart, all at once.

import { isBlank } from "../analysis/normalize-text.js";
import { readQuery } from "../analysis/parse-query.js";
import { alternativesKey } from "../analysis/query-term.js";
import { PLAIN_WORDS, type WordForms } from "../analysis/word-forms.js";
import { AttributeHistory, KnownAttributes } from "../docvalues/attribute-catalog.js";
import { valuesAt } from "../docvalues/attribute-values.js";
import { FacetCounter, type NumberStats, type RangeCount, type ValueRank } from "../docvalues/facet-counts.js";
import type { AttributeValue } from "../docvalues/filter.js";
import { type IndexVersion, RecentIds } from "../index/index-data.js";
import { IndexSnapshot, type LearnedFloor, type WholeIndex } from "../index/index-snapshot.js";
import { EXACT_SCAN_LIMIT } from "../index/keep-graph.js";
import { fieldRules } from "../index/read-fields.js";
import type { SearchLanguage } from "../index/search-language.js";
import type { Segment } from "../index/segment.js";
import { SAMPLE_SIZE, semanticFloor } from "../index/semantic-floor.js";
import { type FacetRequest, valuesOf } from "../input/facets.js";
import { inEffect } from "../input/input-table.js";
import { type CheckedParams, filterOf, placesAsked, refinementsOf } from "../input/read-params.js";
import { idf, MAX_IMPACT } from "../inverted/bm25.js";
import type { FieldTotals } from "../inverted/field-totals.js";
import { holdsAllTerms, type TextMatches } from "../inverted/text-matches.js";
import type { WantedRecords } from "../search/completions.js";
import { type CountedFacets, rangesOf } from "../search/count-facets.js";
import { inOrderOfCounts, meantBy, truncatedFacets } from "../search/facet-patterns.js";
import { semanticWeightOf } from "../search/fuse.js";
import { sortKeysOf } from "../search/order-hits.js";
import type { PreparedQuery } from "../search/prepare-query.js";
import type { RankedQuery, RankInput } from "../search/rank-query.js";
import type { FacetCount, FacetStats, FacetValues } from "../search/response.js";
import type { PartialIndex, PartialRanking, QueryContext } from "../search/search.js";
import type { ResolvedSettings } from "../settings/settings.js";
import { isFacetPattern } from "../util/attribute-path.js";
import type { Doc } from "../util/doc.js";
import { SearchError } from "../util/errors.js";
import type { SearchWarning } from "../util/extension-points.js";
import { hashText } from "../util/hash.js";
import { has } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { runTask, type Task } from "../util/tasks.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { AskedWords, PERHAPS, termKey, togetherKey, type WordAnswer, type WordQuestion } from "./asked-words.js";
import { unavailable } from "./cluster.js";
import { type ClusterIndexes, type PhysicalIndex, STATE_REQUEST, stateIn } from "./cluster-indexes.js";
import { goesOn } from "./completed-words.js";
import {
  ALL,
  allOf,
  anyOf,
  type ClusterQuery,
  escaped,
  filterQuery,
  holdsAll,
  holdsTerm,
  scoredTerm,
} from "./match-query.js";
import { documentIn, READ_FIELDS, type RecordDocument, restored } from "./record-documents.js";
import { attributesSeen, factPrefix, reversedWord, totalsOfLengths, valueOfFact } from "./record-terms.js";
import type { SearchBody, SearchRequest } from "./search-body.js";

/** What is known of all records of an index. */
export interface IndexCatalog {
  readonly state: string;
  readonly docCount: number;
  readonly totals: FieldTotals;
  readonly written: AttributeHistory;
}

/** What was learned from a sample of the records of a state. */
export interface CatalogSample {
  readonly state: string;
  readonly floor: LearnedFloor | null;
  readonly version: IndexVersion;
}

/** The index that is asked. */
export interface PartSource {
  readonly indexes: ClusterIndexes;
  readonly physical: PhysicalIndex;
  readonly settings: ResolvedSettings;
  readonly language: SearchLanguage;
  readonly limits: Limits;
  /** The last one that was read. */
  catalog: IndexCatalog;
  sample: CatalogSample | undefined;
}

/** Lengths of fields and names of attributes that are counted. */
const MOST_LENGTHS = 60_000;
const MOST_SEEN = 30_000;
const MOST_PATHS = 10_000;
/** Words that begin alike, or are near to one, that the cluster names. */
const MOST_WORDS = 10_000;
const MOST_NEAR = 300;
/** A word that more of the records have is no typing error: it is not compared with others. */
const RARE_SHARE = 1000;
/** Neighbours by meaning that are read beyond those that count: the cluster computes cosines less exactly. */
const MORE_NEAR = 10;
/** The cluster's graph finds no more. */
const MOST_NEAREST = 10_000;
/** By this share, scores of the cluster may be lower than those that count: its lengths of records are rough, and it adds up fields. */
const UNSURE = 0.4;
/** Records whose identifier is the query. */
const MOST_EXACT = 100;
/** Of one round; of a query of many long words, the others are asked in the next one, or never. */
const MOST_QUESTIONS = 1000;
/** Rounds of questions about words, at most. */
const MOST_ROUNDS = 2;
/** A query that ranks once is run fewer times, and so is a text that goes on in three ways. */
const MOST_PASSES = 24;
/** Values of a facet that are counted. */
const MOST_VALUES = 20_000;
/** A window of more records is cut. */
const MOST_WINDOW = 10_000;
/** Records whose scores by the cluster are compared with those that count. */
const COMPARED = 200;
/** Words that are shown in place of misspelt ones, if a record has them. */
const MOST_SHOWN = 20;
/** Steps between the scores that are counted. */
const SCORE_STEPS = 2000;

/** The errors of names that no record has. */
const UNKNOWN: ReadonlySet<string> = new Set(["unknown_field", "unknown_filter_field"]);

/** Ends a pass over a query whose questions are not answered yet. */
class NotKnownYet extends Error {}

/** Reads the catalog of an index, as part of another request. */
export const CATALOG_REQUEST: SearchRequest = {
  ...STATE_REQUEST,
  aggs: {
    ...STATE_REQUEST.aggs,
    lengths: { terms: { field: "lengths", size: MOST_LENGTHS } },
    seen: { terms: { field: "seen", size: MOST_SEEN } },
  },
};

/** The catalog that was read. */
export function catalogOf(body: SearchBody): IndexCatalog {
  const { hits, aggregations: aggs = {} } = body;
  const docCount = hits.total!.value;
  const countsOf = (name: string): [string, number][] =>
    (aggs[name]?.buckets ?? []).map(({ key, doc_count: count }) => [key, count]);
  const written = AttributeHistory.of(attributesSeen(countsOf("seen")));
  return {
    state: stateIn(body),
    docCount,
    totals: totalsOfLengths(countsOf("lengths")),
    written,
  };
}

/** A hash is of the id alone, so the first records are a fair sample of those that a query finds. */
const SAMPLE_ORDER = [{ hash: "asc" }, { id: "asc" }] as const;

/** Reads the records with the smallest hashes: see `semanticFloor`. */
export function sampleRequest({ effective }: ResolvedSettings): SearchRequest {
  return {
    ...(effective.dimensions > 0 && { query: { exists: { field: "near" } } }),
    ...{ ...READ_FIELDS, size: SAMPLE_SIZE, track_total_hits: false, sort: SAMPLE_ORDER },
  };
}

/** Learns from a sample of the records of an index, in the state of its last catalog. */
export async function learnSample(
  source: PartSource,
  { hits }: SearchBody,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { settings, language, limits, catalog } = source;
  const rules = fieldRules(settings.effective);
  const documents = hits.hits.map(({ fields }) => documentIn(fields));
  const { segments } = await restored(documents, { settings, rules, language, limits, signal });
  const snapshot = IndexSnapshot.empty().with({ added: segments.map(({ segment }) => segment) });
  await semanticFloor(snapshot, settings, { signal, warn: () => {} });
  const attributes = new KnownAttributes(catalog.written, []);
  const version = {
    attributes,
    snapshot,
    settings,
    rules,
    language,
    graphFor: () => undefined,
    deleted: new RecentIds(),
  };
  source.sample = { state: catalog.state, floor: snapshot.caches.floor, version };
}

/** What was found for a query that is to be ranked. */
interface Found {
  readonly params: CheckedParams;
  readonly input: RankInput;
  /** The records that match by words before facet refinements, as the cluster sees it. */
  readonly lexical: ClusterQuery;
  /** How many of these pass the refinements. */
  readonly total: number;
  /** More match than were read. */
  readonly isWide: boolean;
  /** By the scores of the cluster: those of the records that were read, and how many have at least one; undefined: all of the total match. */
  readonly scores: ClusterScores | undefined;
  /** Those of these records that were read, whether they pass the refinements or not. */
  readonly window: readonly string[];
  /** What lists these records in order. */
  readonly listedQuery: { readonly query: ClusterQuery } & SearchRequest;
  /** The records on a page behind those that were read at first; undefined: the page is of these. */
  readonly tail: readonly string[] | undefined;
  /** The attributes that these records may have, with how many have each; none where nobody asks. */
  readonly held: ReadonlyMap<string, number>;
}

/** What is to be ranked. */
type AskedRanking = Pick<Found, "params" | "input">;

/** How it is asked of the cluster what matters for a ranking. */
interface FindPlan {
  readonly requests: Readonly<Record<string, SearchRequest>>;
  /** Reads the answers by their names. */
  readonly take: (answers: ReadonlyMap<string, SearchBody>) => Found;
}

/** Places of the whole list. */
interface PageSlice {
  readonly from: number;
  readonly to: number;
}

/** One query of a large index. */
export class PartQuery {
  private readonly source: PartSource;
  private readonly signal: AbortSignal | undefined;
  private readonly isApart: boolean;
  private catalog: IndexCatalog;
  private words: AskedWords;
  private rounds = 0;
  /** The state of the records, if it was asked for. */
  private state: string | undefined;
  private readonly documents = new Map<string, RecordDocument>();
  private version: IndexVersion | undefined;
  /** Ids that the snapshot was asked for and does not have. */
  private readonly missing = new Set<string>();
  private readonly absent = new Set<string>();
  /** Copies differ in their graphs, and in how they count deleted records: all pages of a query are of the same ones. */
  private preference: string | undefined;
  /** The segments of the documents that were read. */
  private segments: readonly Segment[] | undefined;
  /** What is to be ranked, and was not found yet. */
  private readonly wanted = new Map<string, AskedRanking>();
  private readonly found = new Map<string, Found>();
  /** Queries of records that were read for a text that goes on. */
  private readonly brought = new Set<string>();
  /** Runs queries that count. */
  private counting: PartQuery | undefined;

  /** `isApart`: it counts for another one. */
  constructor(source: PartSource, signal: AbortSignal | undefined, isApart = false) {
    this.source = source;
    this.isApart = isApart;
    this.catalog = source.catalog;
    this.signal = signal;
    this.words = this.newWords();
  }

  private newWords(): AskedWords {
    const { words } = this.source.language;
    return new AskedWords(this.catalog.docCount, has(words, "analyze") ? PLAIN_WORDS : words);
  }

  /** Runs a query as often as it takes to know what it asks for. */
  async run<T>(
    context: Omit<QueryContext, "version" | "partial">,
    work: (context: QueryContext) => Promise<T>,
  ): Promise<T> {
    let isFresh = false;
    this.rounds = 0;
    this.words.guess = "nothing";
    for (let passes = 0; ; passes++) {
      if (passes > MOST_PASSES) throw unavailable("the records of a query changed again and again");
      this.wanted.clear();
      const warnings: SearchWarning[] = [];
      const version = await this.currentVersion();
      const own: QueryContext = {
        ...context,
        version: () => version,
        warn: (warning) => void warnings.push(warning),
        partial: this.ranking(),
      };
      try {
        const result = await work(own);
        if (!(await this.learnMore())) {
          for (const warning of warnings) context.warn(warning);
          return result;
        }
      } catch (error) {
        if (!isFresh && error instanceof SearchError && UNKNOWN.has(error.error)) {
          // Another process may have written records with this attribute.
          isFresh = true;
          await this.refresh();
          continue;
        }
        if (!(await this.learnMore()) && !(error instanceof NotKnownYet)) throw error;
      }
    }
  }

  private async refresh(): Promise<void> {
    const [body] = await this.search([CATALOG_REQUEST]);
    this.take(catalogOf(body!));
  }

  private take(catalog: IndexCatalog): void {
    this.catalog = catalog;
    this.source.catalog = catalog;
    this.words.docCount = catalog.docCount;
    this.version = undefined;
  }

  private ranking(): PartialIndex {
    return {
      begins: async (params, input) => {
        this.preference ??= preferenceOf(params.query, input.vector);
        this.requireKnown();
        const key = this.keyOf(params, input);
        const found = this.found.get(key);
        if (found === undefined) {
          this.wanted.set(key, { params, input });
          throw new NotKnownYet();
        }
        return this.rankingOf(key, { ...found, params, input });
      },
      brings: (params, prepared, wanted) => this.bringMatches(params, prepared, wanted),
      apart: (context, work) => {
        this.counting ??= new PartQuery(this.source, this.signal, true);
        this.counting.forgetIfMany();
        return this.counting.run(context, work);
      },
    };
  }

  /** Ends a pass that asked something. */
  private requireKnown(): void {
    if (this.words.questions.size > 0 || this.missing.size > 0) throw new NotKnownYet();
  }

  private rankingOf(key: string, found: Found): PartialRanking {
    return {
      // With records of a page behind the window, all that were read are put in order.
      page: found.tail === undefined ? {} : { page: 1, hitsPerPage: this.documents.size, offset: undefined },
      completes: (ranked) => this.complete(key, found, ranked),
      facets: (ranked, rankings, warn) => this.countFacets(found, ranked, rankings, warn),
    };
  }

  /** What many queries read is read again. */
  private forgetIfMany(): void {
    const { rankWindow, semanticDepth } = this.source.settings.effective;
    if (this.documents.size <= 2 * (rankWindow + semanticDepth)) return;
    this.documents.clear();
    this.found.clear();
    this.hasOthers();
  }

  /** Other documents were read. */
  private hasOthers(): void {
    this.segments = undefined;
    this.version = undefined;
  }

  /** The snapshot of the records that were read. */
  private async currentVersion(): Promise<IndexVersion> {
    if (this.version !== undefined) return this.version;
    const { settings, language, limits, sample } = this.source;
    const { catalog, signal } = this;
    const rules = fieldRules(settings.effective);
    if (this.segments === undefined) {
      const context = { settings, rules, language, limits, signal };
      const { segments } = await restored([...this.documents.values()], context);
      this.segments = segments.map(({ segment }) => segment);
    }
    const whole: WholeIndex = {
      docCount: catalog.docCount,
      totals: catalog.totals,
      corpus: (restricted) => this.words.corpus(restricted),
      misses: (id) => {
        if (!this.absent.has(id)) this.missing.add(id);
      },
    };
    const snapshot = IndexSnapshot.partOf(whole, this.segments);
    snapshot.caches.floor = sample?.floor ?? null;
    const attributes = new KnownAttributes(catalog.written, []);
    this.version = {
      ...{ attributes, snapshot, settings, rules, language },
      graphFor: () => undefined,
      deleted: new RecentIds(),
      sample: sample?.version,
    };
    return this.version;
  }

  /** Asks the cluster what the last pass asked; false: it asked nothing. */
  private async learnMore(): Promise<boolean> {
    if (this.missing.size > 0) {
      const ids = [...this.missing];
      this.missing.clear();
      await this.bring(ids);
      return true;
    }
    if (this.words.questions.size === 0) return this.findWanted();
    // A second pass with other guesses finds what depends on the first answers.
    if (this.words.guess === "nothing" && this.rounds === 0) {
      this.words.guess = "everything";
      this.version = undefined;
      return true;
    }
    if (this.rounds >= MOST_ROUNDS) this.words.giveUp();
    else await this.askWords();
    this.version = undefined;
    return true;
  }

  private async bring(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { indexes, physical } = this.source;
    for (const document of await indexes.documentsOf(physical, ids, this.signal))
      this.documents.set(document.id, document);
    this.hasOthers();
    for (const id of ids) if (!this.documents.has(id)) this.absent.add(id);
  }

  private search(requests: readonly SearchRequest[]): Promise<readonly SearchBody[]> {
    const { indexes, physical } = this.source;
    return indexes.searchAll(physical, requests, this.signal, this.preference);
  }

  private read({ hits }: SearchBody): void {
    for (const { fields } of hits.hits) {
      const document = documentIn(fields);
      this.documents.set(document.id, document);
    }
    if (hits.hits.length > 0) this.hasOthers();
  }

  private async askWords(): Promise<void> {
    this.rounds++;
    const open = [...this.words.questions].slice(0, MOST_QUESTIONS);
    const counts = open.filter(([, { question }]) => question.kind === "count");
    const others = open.filter(([, { question }]) => question.kind !== "count");
    const rare = Math.max(2, Math.ceil(this.catalog.docCount / RARE_SHARE) + 1);
    const answers = await this.search([
      STATE_REQUEST,
      // Each a search of its own: filters of one aggregation would be looked at for every record.
      ...counts.map(([, { question, fields }]) => countOf(holdsAll((question as CountQuestion).terms, fields))),
      ...others.map(([, { question }]) => requestFor(question, rare)),
    ]);
    this.state = stateIn(answers[0]!);
    for (const [i, [key]] of counts.entries()) this.words.answer(key, answers[1 + i]!.hits.total!.value);
    for (const [i, [key, { question }]] of others.entries())
      this.words.answer(key, textsIn(answers[1 + counts.length + i]!, question, this.words.words));
    this.words.guess = "nothing";
  }

  /** Finds the records that matter for what the last pass was to rank, at once; false: it asked for none. */
  private async findWanted(): Promise<boolean> {
    if (this.wanted.size === 0) return false;
    const asked = [...this.wanted];
    const plans = asked.map(([, { params, input }]) =>
      this.isOnlyCounted(params, input) ? this.planCount(params, input) : this.planFind(params, input),
    );
    const shared: Record<string, SearchRequest> = {};
    if (this.state !== this.catalog.state) shared.catalog = CATALOG_REQUEST;
    if (this.source.sample?.state !== (this.state ?? this.catalog.state))
      shared.sample = sampleRequest(this.source.settings);
    const requests = [...plans.map((plan) => plan.requests), shared].map((some) => Object.entries(some));
    const bodies = await this.search(requests.flatMap((some) => some.map(([, request]) => request)));
    let next = 0;
    const answers = requests.map((some) => new Map(some.map(([name]) => [name, bodies[next++]!])));
    for (const [i, plan] of plans.entries()) this.found.set(asked[i]![0], plan.take(answers[i]!));
    this.version = undefined;
    const { catalog, sample } = Object.fromEntries(answers.at(-1)!);
    if (catalog !== undefined) this.take(catalogOf(catalog));
    if (sample !== undefined) await learnSample(this.source, sample, this.signal);
    return true;
  }

  /** Finds the records that matter for what is to be ranked. */
  private planFind(params: CheckedParams, input: RankInput): FindPlan {
    const { effective } = this.source.settings;
    const { prepared, vector, identifiers, blank } = input;
    const {
      terms,
      query: { weights },
    } = prepared;
    const fields = params.restrictSearchableAttributes;
    const filters = filterQuery(filterOf(params)).query;
    const refined = refinementsOf(params).map(({ filter }) => filterQuery(filter).query);
    const isAuto = !blank && terms.length > 1 && inEffect("matching", params, effective) === "auto";
    const required = terms.filter(({ optional }) => optional !== true);
    const lexical = this.lexicalQuery(params, input);
    // The nearest that are read beyond those that count leave room for themselves.
    const size = Math.max(1, Math.min(effective.rankWindow, MOST_WINDOW) - (vector === null ? 0 : MORE_NEAR));
    const pages = { sort: this.orderOf(params, input), track_scores: true };
    const requests: Record<string, SearchRequest> = {
      lexical: {
        ...{ ...READ_FIELDS, query: lexical, size, track_total_hits: true, ...pages },
      },
    };
    for (const [i, term] of terms.entries()) requests[`held ${i}`] = countOf(holdsTerm(term, fields));
    if (terms.length > 1) requests.together = countOf(allOf(required.map((term) => holdsTerm(term, fields))));
    if (refined.length > 0) requests.refined = { query: refinedBy(lexical, refined), size: 0, track_total_hits: true };
    if (isAuto) {
      const interval = Math.max(1e-3, weights.reduce((sum, weight) => sum + weight, 0) / SCORE_STEPS);
      const histogram = { script: { source: "_score" }, interval, min_doc_count: 1 };
      requests.all = countOf(allOf([filters, ...required.map((term) => holdsTerm(term, fields))]));
      requests.scores = {
        query: lexical,
        size: 0,
        track_total_hits: false,
        track_scores: true,
        aggs: { scores: { histogram } },
      };
    }
    if (vector !== null) requests.near = this.nearRequest(params, vector, filters);
    if (identifiers.length > 0)
      requests.exact = {
        ...READ_FIELDS,
        query: allOf([{ terms: { terms: identifiers } }, filters]),
        size: MOST_EXACT,
        track_total_hits: false,
      };
    if (params.facets.some(({ attribute }) => isFacetPattern(attribute))) requests.held = heldBy(lexical);
    const take = (answers: ReadonlyMap<string, SearchBody>): Found => {
      for (const name of ["lexical", "near", "exact"]) if (answers.has(name)) this.read(answers.get(name)!);
      const countIn = (name: string): number => answers.get(name)!.hits.total!.value;
      this.words.learn(terms.map((term, i) => [termKey(term, fields), countIn(`held ${i}`)] as const));
      if (terms.length > 0)
        this.words.learn([[togetherKey(required, fields), countIn(terms.length > 1 ? "together" : "held 0")]]);
      const first = answers.get("lexical")!;
      const unrefined = first.hits.total!.value;
      const total = (answers.get("refined") ?? first).hits.total!.value;
      const best = first.hits.hits[0]?._score ?? 0;
      const last = first.hits.hits.at(-1)?._score ?? 0;
      const isSorted = params.sort.length > 0 || prepared.order.length > 0;
      const areAllRead =
        unrefined <= size || (isAuto && !isSorted && last < (1 - UNSURE) * effective.matchingRatio * best);
      const scores =
        isAuto && refined.length === 0 ? scoresOf(answers.get("scores")!, first, countIn("all")) : undefined;
      const window = first.hits.hits.map(({ fields: own }) => own.id[0]);
      const listedQuery = { query: refinedBy(lexical, refined), ...pages };
      const held = answers.has("held") ? heldIn(answers.get("held")!) : new Map<string, number>();
      return { params, input, lexical, total, isWide: !areAllRead, scores, window, listedQuery, tail: undefined, held };
    };
    return { requests, take };
  }

  private nearRequest(params: CheckedParams, vector: UnitVector, filters: ClusterQuery): SearchRequest {
    const depth = inEffect("semanticDepth", params, this.source.settings.effective) + MORE_NEAR;
    return { ...READ_FIELDS, size: depth, track_total_hits: false, query: this.nearest(vector, depth, filters) };
  }

  /** The records nearest to a vector: all are compared, unless they are so many that the graph is asked. */
  private nearest(vector: UnitVector, depth: number, filter: ClusterQuery): ClusterQuery {
    const { kind, efSearch } = this.source.settings.effective.vectorIndex;
    const numbers = Array.from(vector.components);
    if (kind === "exact" || (kind === "auto" && this.catalog.docCount <= EXACT_SCAN_LIMIT))
      return comparedWithAll(numbers, filter);
    const k = Math.min(MOST_NEAREST, Math.max(efSearch, depth));
    return { knn: { near: { vector: numbers, k, ...(filter !== ALL && { filter }) } } };
  }

  /** The same for rankings of which the same is to be found. */
  private keyOf(params: CheckedParams, input: RankInput): string {
    const { prepared, vector } = input;
    return JSON.stringify([
      this.isOnlyCounted(params, input),
      prepared.terms.map((term) => alternativesKey(term.alternatives)).join(),
      vector?.components.join(),
      filterOf(params),
    ]);
  }

  /** Whether the cluster knows how many records a ranking has, and nothing else is asked. */
  private isOnlyCounted(params: CheckedParams, { prepared, vector, blank, listsAll }: RankInput): boolean {
    if (placesAsked(params).to > 0) return false;
    const { effective } = this.source.settings;
    const { terms, allowed, promoted, refinementSets, distinct, query } = prepared;
    const filters = [filterOf(params), ...refinementsOf(params).map(({ filter }) => filter)];
    const read = readQuery(params.query, this.source.language.words, params.advancedSyntax);
    const semanticWeight = params.semanticWeight ?? semanticWeightOf(effective.fusion);
    return (
      (blank || (terms.length > 0 && inEffect("matching", params, effective) === "all")) &&
      (vector === null || (!blank && semanticWeight < 1)) &&
      !(listsAll || distinct || promoted.length > 0 || query.unlike !== null) &&
      params.minScore === 0 &&
      inEffect("relevancyStrictness", params, effective) === 0 &&
      (params.facets.length === 0 ||
        (this.isApart && !params.facets.some(({ attribute }) => isFacetPattern(attribute)))) &&
      // Others are of rules, and of what a sentence asks for.
      refinementSets.length === filters.length - 1 &&
      (allowed === null || filters[0]!.kind !== "everything") &&
      filters.every((filter) => filterQuery(filter).isExact) &&
      read.phrases.length === 0 &&
      read.excluded.length === 0 &&
      terms.every(({ alternatives }) => alternatives.every(({ notIn }) => (notIn?.size ?? 0) === 0))
    );
  }

  /** Counts the matches; of records, only those near by meaning are read. */
  private planCount(params: CheckedParams, input: RankInput): FindPlan {
    const { vector, identifiers } = input;
    const filters = filterQuery(filterOf(params)).query;
    const refined = refinementsOf(params).map(({ filter }) => filterQuery(filter).query);
    const words = this.lexicalQuery(params, input);
    const lexical =
      identifiers.length === 0 ? words : anyOf([words, allOf([{ terms: { terms: identifiers } }, filters])]);
    const requests: Record<string, SearchRequest> = { total: countOf(refinedBy(lexical, refined)) };
    if (vector !== null) requests.near = this.nearRequest(params, vector, filters);
    const take = (answers: ReadonlyMap<string, SearchBody>): Found => {
      if (answers.has("near")) this.read(answers.get("near")!);
      const total = answers.get("total")!.hits.total!.value;
      const none = { scores: undefined, window: [], listedQuery: { query: lexical }, tail: undefined, held: new Map() };
      return { params, input, lexical, total, isWide: true, ...none };
    };
    return { requests, take };
  }

  /** Reads records in which a text goes on, or a sample of them. */
  private async bringMatches(
    params: CheckedParams,
    prepared: PreparedQuery,
    wantedRecords: (mends: boolean) => Promise<WantedRecords | undefined>,
  ): Promise<void> {
    let wanted = await wantedRecords(false);
    this.requireKnown();
    // No word begins so.
    if (wanted?.beginnings.length !== 0 && wanted?.terms.length === 0) wanted = await wantedRecords(true);
    this.requireKnown();
    if (wanted === undefined) return;
    const blank = isBlank(params.query);
    if (!blank && prepared.terms.length === 0) return;
    const before = this.lexicalQuery(params, { prepared, blank });
    const query = allOf([before, goesOn(wanted)]);
    const key = JSON.stringify(query);
    if (this.brought.has(key)) return;
    this.brought.add(key);
    // What is asked from here on depends on these records.
    this.rounds = 0;
    const { rankWindow } = this.source.settings.effective;
    const some = { ...READ_FIELDS, track_total_hits: false, sort: SAMPLE_ORDER };
    const bodies = await this.search([
      { ...some, query: { bool: { filter: [query] } }, size: Math.max(1, Math.min(rankWindow, MOST_WINDOW)) },
      ...wanted.shown
        .slice(0, MOST_SHOWN)
        .map((term) => ({ ...some, query: { bool: { filter: [before, holdsAll([term], undefined)] } }, size: 1 })),
    ]);
    for (const body of bodies) this.read(body);
    throw new NotKnownYet();
  }

  /** Reads what is on a page behind the records that were read: there the order is the cluster's. */
  private async readTail(
    { listedQuery: { query, ...order } }: Found,
    first: number,
    { from, to }: PageSlice,
  ): Promise<readonly string[]> {
    const start = Math.max(0, from - first);
    const ids = [...this.documents.keys()];
    const [page] = await this.search([
      {
        ...READ_FIELDS,
        query: { bool: { must: [query], must_not: [{ terms: { id: ids } }] } },
        ...{ from: start, size: Math.max(0, to - first - start), track_total_hits: false, ...order },
      },
    ]);
    this.read(page!);
    return page!.hits.hits.map(({ fields }) => fields.id[0]);
  }

  /** What matches by words, before facet refinements; of a blank query, what passes the filters. */
  private lexicalQuery(
    params: CheckedParams,
    { prepared, blank }: Pick<RankInput, "prepared" | "blank">,
  ): ClusterQuery {
    const { effective } = this.source.settings;
    const filters = filterQuery(filterOf(params)).query;
    if (blank) return filters;
    const fields = params.restrictSearchableAttributes;
    const { terms, query } = prepared;
    const { docCount } = this.catalog;
    const idfOf = (term: string): number => idf(docCount, Math.max(1, this.words.countOf(term, fields)));
    const scored = terms.map((term, i) => scoredTerm(term, Math.max(1, query.weights[i]!), idfOf, fields));
    const required = terms.filter(({ optional }) => optional !== true);
    const needed = inEffect("matching", params, effective) === "all" ? required : [];
    return {
      bool: {
        must: [{ bool: { should: scored, minimum_should_match: 1 } }],
        filter: [filters, ...needed.map((term) => holdsTerm(term, fields))],
      },
    };
  }

  /** The order in which the cluster lists records. */
  private orderOf(params: CheckedParams, { blank, prepared }: RankInput): readonly object[] {
    const sorts = params.sort.length > 0 ? params.sort : prepared.order;
    const keys = [
      ...sorts.map((sort) => sortKey(sort)),
      ...(blank ? [] : [{ _score: "desc" }]),
      ...prepared.customRanking.map((ranking) => sortKey(ranking)),
    ];
    return [...keys, { id: "asc" }];
  }

  /** What only all records tell of a ranked query: how many match, and what is on a page behind the window. */
  private async complete(key: string, found: Found, ranked: RankedQuery): Promise<RankedQuery> {
    if (!found.isWide) return ranked;
    // What is left out by its score is left out of the records that were read.
    const isCut = ranked.irrelevant !== null || ranked.weak !== null;
    const nbHits = isCut ? ranked.nbHits : this.countWords(found, ranked) + this.othersIn(found, ranked).length;
    const slice = placesAsked(found.params);
    if (found.tail === undefined) {
      if (slice.to <= ranked.nbHits || ranked.nbHits >= nbHits) return { ...ranked, nbHits };
      this.found.set(key, { ...found, tail: await this.readTail(found, ranked.nbHits, slice) });
      throw new NotKnownYet();
    }
    const { snapshot } = this.version!;
    const idAt = (place: number): string => snapshot.idOf(ranked.matches.docs[place]! as Doc);
    const tail = new Map(found.tail.map((id, i) => [id, i]));
    const own = ranked.page.filter((place) => !tail.has(idAt(place))).slice(slice.from, slice.to);
    const others = ranked.page.filter((place) => tail.has(idAt(place)));
    return { ...ranked, nbHits, page: [...own, ...others.sort((a, b) => tail.get(idAt(a))! - tail.get(idAt(b))!)] };
  }

  /** How many records match by words, and pass the refinements. */
  private countWords({ total, scores, window, input }: Found, { lexical }: RankedQuery): number {
    if (scores === undefined || lexical === null) {
      // What the cluster took for a match, and what was read says is none.
      const { allowed } = input.prepared;
      const isLeftOut = (id: string): boolean => allowed?.has(this.version!.snapshot.find(id)) === false;
      return total - window.filter(isLeftOut).length;
    }
    const more = scores.countFrom(this.cutoffIn(scores, lexical)) - scores.read.size;
    // A record with all terms matches, whatever its score.
    const { snapshot } = this.version!;
    const holdsAll = holdsAllTerms(lexical.query);
    const docs = Array.from(scores.read.keys(), (id) => snapshot.find(id)).filter((doc) => doc >= 0);
    const moreWithAll = scores.withAll - docs.filter(holdsAll).length;
    return Math.min(total, lexical.count + Math.max(0, more, moreWithAll));
  }

  /** The score from which on a record matches, as a score of the cluster: by what both say of the last records that were read. */
  private cutoffIn({ read }: ClusterScores, lexical: TextMatches): number {
    const { snapshot } = this.version!;
    const ratios: number[] = [];
    for (const [id, score] of [...read].slice(-COMPARED)) {
      const doc = snapshot.find(id);
      const own = doc < 0 ? 0 : lexical.shareOf(doc) * lexical.query.maxScore;
      if (own > 0) ratios.push(score / own);
    }
    ratios.sort((a, b) => a - b);
    return lexical.cutoff * (ratios[ratios.length >>> 1] ?? 1 / MAX_IMPACT);
  }

  /** The records that match, but not by words. */
  private othersIn({ input: { prepared } }: Found, { lexical, semantic }: RankedQuery): readonly Doc[] {
    const docs = Array.from(semantic?.docs ?? []) as Doc[];
    const isRefined = (doc: Doc): boolean => prepared.refinementSets.every((set) => set.has(doc));
    return docs.filter((doc) => isRefined(doc) && lexical?.isMatch(doc) !== true);
  }

  /** The attributes that facets name, and those that patterns stand for. */
  private chosenFacets({ params, held }: Found, warn: QueryContext["warn"]): readonly string[] {
    const asked = params.facets.map(({ attribute }) => attribute);
    const named = asked.filter((name) => !isFacetPattern(name));
    if (named.length === asked.length) return named;
    const { settings, attributes } = this.version!;
    const isMeant = meantBy(asked, { settings: settings.effective, attributes });
    const meant = inOrderOfCounts(new Map([...held].filter(([name]) => isMeant(name))));
    const names = [...named, ...meant.slice(0, this.source.limits.facets - named.length)];
    if (names.length < named.length + meant.length) warn(truncatedFacets(asked, names.length));
    return names;
  }

  /** Counts the values of facets in the cluster, where more records match than were read. */
  private async countFacets(
    found: Found,
    ranked: RankedQuery,
    rankings: readonly ValueRank[] | undefined,
    warn: QueryContext["warn"],
  ): Promise<CountedFacets | undefined> {
    if (!found.isWide) return undefined;
    const { params, lexical, input } = found;
    const refinements = refinementsOf(params);
    const { scores } = found;
    const least = ranked.lexical === null || scores === undefined ? 0 : this.cutoffIn(scores, ranked.lexical);
    const names = this.chosenFacets(found, warn);
    const others = names.map((name) =>
      refinements.filter(({ ownFacet }) => ownFacet !== name).map(({ filter }) => filterQuery(filter).query),
    );
    const bodies = await this.search(
      names.map((name, i) => ({
        query: refinedBy(lexical, others[i]!),
        ...{ size: 0, track_total_hits: false, ...(least > 0 && { min_score: least, track_scores: true }) },
        aggs: {
          values: { terms: { field: "facts", include: `${escaped(factPrefix(name))}[nst].*`, size: MOST_VALUES } },
        },
      })),
    );
    const keyOfText = sortKeysOf(this.source.settings.effective);
    const facets: FacetValues = {};
    const facetStats: FacetStats = {};
    const near = this.othersIn(found, ranked).map((doc) => input.snapshot.idOf(doc));
    for (const [i, name] of names.entries()) {
      const request = params.facets.find(({ attribute }) => attribute === name) ?? valuesOf(name);
      const counter = new FacetCounter();
      for (const { key, doc_count: count } of bodies[i]!.aggregations?.values?.buckets ?? [])
        counter.addCount(valueOfFact(key)!.value, count);
      for (const id of near)
        for (const value of valuesAt(JSON.parse(this.documents.get(id)!.json), name)) counter.addCount(value, 1);
      const stats = counter.stats();
      facets[name] = [
        ...(await runTask(countsOf(request, counter, { stats, rankings, most: params.maxValuesPerFacet, keyOfText }))),
      ];
      // An attribute that a pattern stands for is one that the matches have.
      if (facets[name]!.length === 0 && !params.facets.some(({ attribute }) => attribute === name)) delete facets[name];
      if (stats !== undefined) facetStats[name] = stats;
    }
    return { facets, facetStats };
  }
}

/** Counts the attributes of what a query finds. */
function heldBy(query: ClusterQuery): SearchRequest {
  return { query, size: 0, track_total_hits: false, aggs: { paths: { terms: { field: "paths", size: MOST_PATHS } } } };
}

function heldIn({ aggregations }: SearchBody): ReadonlyMap<string, number> {
  return new Map((aggregations?.paths?.buckets ?? []).map(({ key, doc_count: count }) => [key, count]));
}

/** What is shown of a facet. */
interface FacetShown {
  readonly stats: NumberStats | undefined;
  readonly rankings: readonly ValueRank[] | undefined;
  readonly most: number;
  /** What texts sort by. */
  readonly keyOfText: ReturnType<typeof sortKeysOf>;
}

/** The values, or the ranges, of a facet. A record with several numbers in one range counts several times. */
function* countsOf(
  request: FacetRequest,
  counter: FacetCounter,
  { stats, rankings, most, keyOfText }: FacetShown,
): Task<FacetCount[]> {
  if (request.kind === "values") {
    const keyOf = (value: AttributeValue): AttributeValue | undefined =>
      typeof value === "string" ? keyOfText(value) : value;
    return yield* counter.counts(request.limit ?? most, rankings, request.order === "alpha" ? keyOf : undefined);
  }
  const numbers = (yield* counter.counts(MOST_VALUES)).filter(({ value }) => typeof value === "number");
  return rangesOf(request, stats).map(({ from, to, includesTo }) => {
    const isIn = (value: number): boolean =>
      value >= (from ?? -Infinity) && (value < (to ?? Infinity) || (includesTo && value === to));
    const count = numbers.reduce((sum, one) => sum + (isIn(one.value as number) ? one.count : 0), 0);
    return { from, to, count } satisfies RangeCount as FacetCount;
  });
}

/** What passes refinements, too. */
function refinedBy(lexical: ClusterQuery, refinements: readonly ClusterQuery[]): ClusterQuery {
  return refinements.length === 0 ? lexical : { bool: { must: [lexical], filter: refinements } };
}

/** What tells a query from others: a word that chooses copies. */
function preferenceOf(query: string, vector: UnitVector | null): string {
  return `q${hashText(JSON.stringify([query, vector === null ? [] : Array.from(vector.components)]), 0)}`;
}

function comparedWithAll(numbers: readonly number[], filter: ClusterQuery): ClusterQuery {
  return {
    script_score: {
      query: { bool: { filter: [filter, { exists: { field: "near" } }] } },
      script: {
        source: "knn_score",
        lang: "knn",
        params: { field: "near", query_value: numbers, space_type: "cosinesimil" },
      },
    },
  };
}

function sortKey(order: {
  readonly attribute?: string;
  readonly direction: "asc" | "desc";
  readonly center?: { readonly lat: number; readonly lng: number };
  readonly isScore?: true;
}): object {
  const { direction, center, attribute = "" } = order;
  if (Object.hasOwn(order, "isScore")) return { _score: direction };
  if (center !== undefined)
    return {
      _geo_distance: {
        place: { lat: center.lat, lon: center.lng },
        order: direction,
        mode: "min",
      },
    };
  const params = { prefix: factPrefix(attribute), none: direction === "asc" ? "\uffff" : "" };
  const source = direction === "asc" ? FIRST_VALUE : LAST_VALUE;
  return { _script: { type: "string", order: direction, script: { lang: "painless", source, params } } };
}

const FIRST_VALUE =
  "for (String v : doc['sorts']) { if (v.startsWith(params.prefix)) { return v.substring(params.prefix.length()); } } return params.none;";
const LAST_VALUE =
  "String found = params.none; for (String v : doc['sorts']) { if (v.startsWith(params.prefix)) { found = v.substring(params.prefix.length()); } } return found;";

/** The question of a count. */
type CountQuestion = Extract<WordQuestion, { readonly kind: "count" }>;

/** Counts what a query finds. */
function countOf(query: ClusterQuery): SearchRequest {
  return { query: { bool: { filter: [query] } }, size: 0, track_total_hits: true };
}

/** The request for an answer. */
function requestFor(question: WordQuestion, rare: number): SearchRequest {
  const base = { size: 0, track_total_hits: false } as const;
  switch (question.kind) {
    case "words":
    case "codes": {
      const { kind: field, prefix } = question;
      const include = `${escaped(prefix)}.*`;
      return {
        ...base,
        query: { prefix: { [field]: { value: prefix } } },
        aggs: { texts: { terms: { field, include, size: MOST_WORDS } } },
      };
    }
    case "near": {
      // With two edits the first letter must be right, so words are also looked for from behind.
      const asked = question.forms.map((text, i) => ({
        text,
        more: { max_edits: question.edits, ...(i === 0 && { max_term_freq: rare }) },
      }));
      const suggest = asked.flatMap(({ text, more }) =>
        NEAR_FIELDS.map((field) => ({
          text: field === "reversed" ? reversedWord(text) : text,
          term: { ...NEAR_WORDS, ...more, field },
        })),
      );
      return { ...base, suggest: Object.fromEntries(suggest.map((one, i) => [`s${i}`, one])) };
    }
    default:
      return base;
  }
}

/** Where they are looked for. */
const NEAR_FIELDS = ["words", "numbers", "reversed"] as const;

/** How words that are near to one are asked for. */
const NEAR_WORDS = {
  ...{ suggest_mode: "always", prefix_length: 0, min_word_length: 1 },
  ...{ size: MOST_NEAR, shard_size: MOST_NEAR, max_inspections: MOST_NEAR },
} as const;

function textsIn(body: SearchBody, question: WordQuestion, { otherNumbers }: WordForms): WordAnswer {
  if (question.kind !== "near") return (body.aggregations?.texts?.buckets ?? []).map(({ key }) => key);
  const found = Object.entries(body.suggest ?? {}).flatMap(([name, parts]) => {
    const field = NEAR_FIELDS[Number(name.slice(1)) % NEAR_FIELDS.length];
    const texts = parts.flatMap(({ options }) => options.map(({ text }) => text));
    if (field === "numbers") return texts.flatMap((text) => otherNumbers(text)).map((text) => PERHAPS + text);
    return field === "reversed" ? texts.map(reversedWord) : texts;
  });
  return [...new Set(found)];
}

/** Scores of the cluster. */
interface ClusterScores {
  /** By id, of the records that were read by words, the best first. */
  readonly read: ReadonlyMap<string, number>;
  /** How many records have at least this score, but for a step. */
  readonly countFrom: (score: number) => number;
  /** How many records have all terms. */
  readonly withAll: number;
}

function scoresOf(scores: SearchBody, { hits }: SearchBody, withAll: number): ClusterScores {
  const buckets = scores.aggregations?.scores?.buckets ?? [];
  return {
    withAll,
    read: new Map(hits.hits.map(({ fields, _score }) => [fields.id[0], _score ?? 0])),
    countFrom: (score) =>
      buckets.reduce((sum, { key, doc_count: count }) => sum + (Number(key) >= score ? count : 0), 0),
  };
}
