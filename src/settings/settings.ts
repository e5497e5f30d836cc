// The settings of an index: what callers may pass, and the effective settings with all defaults.

import type { FilterObject } from "../docvalues/filter.js";
import type { IsUntyped, SettingPath } from "../util/attribute-path.js";
import type { Analyzer, Embedder } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";

/**
 * Which records match a query by words: `all`: every term; `any`: at least one; `auto`: every term, or at least
 * `matchingRatio` of the best score.
 */
export type Matching = "auto" | "all" | "any";

/** An attribute to search, its weight and the language of its texts. */
export interface WeightedAttribute<R extends object = JsonRecord> {
  readonly attribute: SettingPath<R>;
  /** Greater than 0, at most 1,000. Default 1; beside a language, that of a name alone: 2 for the title, else 1. */
  readonly weight?: number | undefined;
  /** A BCP 47 tag such as `"de"`. Default: the language of the index. */
  readonly language?: string | undefined;
}

/** How the ranking by words and the ranking by meaning are fused. */
type FusionSettings =
  | {
      readonly method: "convex" /** Share of the meaning, 0 … 1. Default 0.1, with embedders other than static-en 0.3; more for short queries that no record contains whole: 0.25 and 0.7. */;
      readonly semanticWeight?: number | undefined;
    }
  | {
      readonly method: "rrf";
      /** k of reciprocal rank fusion, 1 … 10,000. Default 60. */ readonly rankConstant?: number | undefined;
    };

/** How the vectors nearest to a query are found. */
export interface VectorIndexSettings {
  readonly kind?: "auto" | "exact" | "hnsw" | "hnswlib" | undefined;
  /** Links of a node of a graph, 2 … 256. Default 16. */
  readonly m?: number | undefined;
  /** Candidates while building, 4 … 10,000. Default 200. */
  readonly efConstruction?: number | undefined;
  /** Candidates while searching, 1 … 10,000. Default 250. */
  readonly efSearch?: number | undefined;
}

/** {@link VectorIndexSettings} with all defaults. */
type ResolvedVectorIndex = {
  readonly [K in keyof VectorIndexSettings]-?: Exclude<VectorIndexSettings[K], undefined>;
};

/** Words that mean the same; Algolia's forms. */
export type Synonym =
  | { readonly type: "synonym"; readonly objectID?: string | undefined; readonly synonyms: readonly string[] }
  | {
      readonly type: "oneWaySynonym";
      readonly objectID?: string | undefined;
      readonly input: string;
      readonly synonyms: readonly string[];
    };

/** A text that `suggest` shows before its own completions, to those who type its beginning. */
export interface Suggestion {
  /** Shown as it is written; not blank. */
  readonly text: string;
  /** Above 0: the greater, the earlier. Default 1. */
  readonly weight?: number | undefined;
}

/** `"asc(price)"` or `"desc(popularity)"`. */
type RankingRule<R extends object = JsonRecord> =
  IsUntyped<R> extends true ? string : `${"asc" | "desc"}(${SettingPath<R>})`;

/**
 * An attribute to filter, count and sort by. Of Algolia's modifiers, `searchable` and `afterDistinct` change nothing, and `filterOnly`
 * means that its values are not counted.
 */
type FacetingAttribute<R extends object = JsonRecord> =
  IsUntyped<R> extends true
    ? string
    :
        | SettingPath<R>
        | `${FacetingModifier}(${SettingPath<R>})`
        | `afterDistinct(${FacetingModifier}(${SettingPath<R>}))`;

/** A modifier of Algolia's. */
type FacetingModifier = "searchable" | "afterDistinct" | "filterOnly";

/**
 * What raises or lowers the score of a record besides the query: its weight times a signal from 0 to 1 is added to the score, and the sum is
 * divided by 1 plus all positive weights. The signal of a number x is x / (x + pivot) (with `order: "asc"` pivot / (x + pivot)), of
 * several the greatest; `pivot` is the x whose signal is one half. The signal of a date is 1 at the origin and halves with each half-life before
 * it, that of a place is pivotMetres / (metres + pivotMetres), and that of a filter 1 for the records that pass.
 */
export type Boost<R extends object = JsonRecord> = BoostBy<SettingPath<R>, string | FilterObject<R>>;

/** {@link Boost} by attributes and filters of certain types. */
export type BoostBy<Attribute extends string, Filters> =
  | {
      readonly attribute: Attribute;
      /** -1 … 1, not 0. */
      readonly weight: number;
      /** Above 0. Default: the median of the positive numbers of all records. */
      readonly pivot?: number | undefined;
      /** Default `"desc"`: the greater, the better. */
      readonly order?: "asc" | "desc" | undefined;
    }
  | {
      readonly attribute: Attribute;
      readonly weight: number;
      /** After so many days the signal of a date is one half. Above 0. */
      readonly halfLifeDays: number;
      /** From when: an ISO text, or `"now"`, the time of the query. Default: the date that 99 % of all records do not exceed. */
      readonly origin?: string | undefined;
    }
  | {
      readonly filters: Filters;
      readonly weight: number;
    }
  | {
      /** `"48.14,11.58"`. */
      readonly aroundLatLng: string;
      /** At this distance the signal of a place is one half. Above 0. */
      readonly pivotMetres: number;
      readonly weight: number;
    };

/**
 * What a shop says of some queries: which records stand where, which are not shown, and which parameters count. All rules that hold apply, in
 * the order of the list.
 *
 * @example
 * const rule: Rule = {
 *   id: "sale",
 *   conditions: [{ pattern: "sale", anchoring: "contains" }, { context: "sale-page" }],
 *   consequence: { promote: [{ id: 17, position: 0 }], params: { filters: "discount > 0" }, userData: { banner: "sale.png" } },
 *   validity: [{ from: "2026-01-02", until: "2026-01-31T23:59:59Z" }],
 * };
 */
export interface Rule<R extends object = JsonRecord> {
  /** 1 … 512 characters; each id once. */
  readonly id: string;
  /** One of them must hold. Default: none, so that the rule holds always. */
  readonly conditions?: readonly RuleCondition<R>[] | undefined;
  readonly consequence: RuleConsequence<R>;
  /** The rule holds within one of these periods. Default: at any time. */
  readonly validity?: readonly RulePeriod[] | undefined;
  /** False: as if the rule were not there. Default true. */
  readonly enabled?: boolean | undefined;
  /** True: where this rule holds, those after it are not looked at. Default false. */
  readonly stop?: boolean | undefined;
}

/** When a rule holds: all of what is given must. */
export interface RuleCondition<R extends object = JsonRecord> {
  /** Words that are compared with those of the query, in any case and form; with `"is"`, a blank pattern is the blank query. */
  readonly pattern?: string | undefined;
  /** Where the words stand in the query; `"words"`: anywhere, in any order. Default `"is"`: they are all of it. */
  readonly anchoring?: "is" | "startsWith" | "endsWith" | "contains" | "words" | undefined;
  /** One of the query's `ruleContexts`. */
  readonly context?: string | undefined;
  /** Values that the query's `filters` and `facetFilters` demand: `{ category: "Drills" }`, or `"category:Drills AND inStock:true"`. */
  readonly filters?: string | { readonly [A in SettingPath<R>]?: string | number | boolean } | undefined;
}

/** What a rule does: at least one of these. */
export interface RuleConsequence<R extends object = JsonRecord> {
  /** Records that stand at places of the whole list, counted from 0, whether the query finds them or not. */
  readonly promote?: readonly RulePromotion[] | undefined;
  /** The ids of records that are neither shown nor counted. */
  readonly hide?: readonly (string | number)[] | undefined;
  readonly params?: RuleParams<R> | undefined;
  /** Any JSON value; the answer has it in `userData`. */
  readonly userData?: unknown;
}

/** A record and its place; several ids take places one after the other. */
type RulePromotion =
  | { readonly id: string | number; readonly position: number }
  | { readonly ids: readonly (string | number)[]; readonly position: number };

/** From and until when; both are ISO texts, or milliseconds since 1970. */
export type RulePeriod = {
  readonly from: string | number | Date;
  readonly until: string | number | Date;
};

/** The parameters of a rule. Those that are not named here count where the query has none; of several rules the first. */
export interface RuleParams<R extends object = JsonRecord> {
  /** What is searched instead: a text, or the query without some words, or with others in their place. */
  readonly query?:
    | string
    | { readonly remove: readonly string[] }
    | { readonly edits: readonly RuleEdit[] }
    | undefined;
  /** Records must pass them, too. */
  readonly filters?: string | FilterObject<R> | undefined;
  /** They come besides those in force; at most 16. */
  readonly boosts?: readonly Boost<R>[] | undefined;
  /** They come besides those of the query; at most 16. */
  readonly optionalFilters?: readonly (string | readonly string[])[] | undefined;
  /** Any other parameter of a query, except `vector`, `ruleContexts`, `enableRules` and `understand`. */
  readonly [parameter: string]: unknown;
}

/** Words of the query that are taken out, and what stands in their place. */
export type RuleEdit = {
  readonly delete: string;
  /** Default: nothing. */
  readonly insert?: string | undefined;
  /** Changes nothing; Algolia's form. */
  readonly type?: "remove" | "replace" | undefined;
};

/** Which words are completed: `prefixAuto` completes the last word when no record contains it. */
export type QueryType = "prefixAuto" | "prefixLast" | "prefixAll" | "prefixNone";

/**
 * Everything `createIndex(name, settings)` takes; all of it optional.
 *
 * @typeParam R - the record type; names of attributes follow it.
 */
export interface IndexSettings<R extends object = JsonRecord> {
  /** The attribute that is a record's id. Default `"id"`. */
  readonly idAttribute?: SettingPath<R> | undefined;
  /**
   * What is searched: names (dotted paths allowed, each its own field) or `{ attribute, weight, language }`. Default: every text
   * attribute, where nested texts belong to the field of their top-level name; without URLs, data URIs, UUIDs and dates. A
   * title without a weight counts twice. `[]`: none, so that no words are found.
   */
  readonly searchableAttributes?: readonly (SettingPath<R> | WeightedAttribute<R>)[] | undefined;
  /**
   * Names of attributes that hold codes, at any depth, in any case, with or without blanks, signs and a `g:` before them. Default sku, ean, gtin, upc,
   * isbn, mpn, asin, barcode, gtin8, gtin12, gtin13, gtin14, ean8, ean13, isbn10, isbn13, articleNumber, partNumber,
   * modelNumber, productCode, articleNo, itemNumber, itemNo, itemCode, partNo, modelNo, productNumber, productNo,
   * manufacturerPartNumber, oemNumber, oeNumber, styleNumber, styleCode, stockCode, orderNumber, catalogNumber,
   * eanCode, upcCode, pzn, issn, variantSku, variantBarcode, gtinUpcEanOrIsbn; in another language also its usual names, such as
   * artikelnummer; none beside `searchableAttributes: []`. `[]`: there are no codes, and ids are not searched.
   */
  readonly identifierAttributes?: readonly string[] | undefined;
  /**
   * `"english"`, `"plain"` (no stems, no stop words), your own, or the id of one of the engine's `analyzers`. Default: that of the
   * `language`.
   */
  readonly analyzer?: string | Analyzer | undefined;
  /** Which records match by words. Default `"auto"`. */
  readonly matching?: Matching | undefined;
  /** For `matching: "auto"`: the share of the best score that a match needs, 0 … 1. Default 0.4. */
  readonly matchingRatio?: number | undefined;
  /**
   * `"static-en"`, `"static-de"`, `false` (words only), your own, or the id of one of the engine's `embedders`. Default: the engine's, or
   * that of the language: `"static-en"` in English, `"static-de"` in German, none in others.
   */
  readonly embedder?: string | false | Embedder | undefined;
  /** Paths whose text is embedded. Default: the searchable text without identifiers, with the title twice. */
  readonly embeddedAttributes?: readonly SettingPath<R>[] | undefined;
  /** The attribute that holds a record's own vector. Then only queries are embedded, and only if an embedder is set explicitly. */
  readonly vectorAttribute?: SettingPath<R> | undefined;
  /** Components of the records' own vectors; required with `vectorAttribute`. */
  readonly dimensions?: number | undefined;
  /**
   * How the vectors nearest to a query are found. `exact` scans all of them. `hnsw` uses a graph in WebAssembly. `hnswlib` uses that of the
   * optional package hnswlib-node, and is invalid where it cannot be loaded. `auto`, the default, scans up to 50,000 vectors and uses `hnsw`
   * above, or `hnswlib` where there is no WebAssembly or its 4 GB of memory do not suffice; where no graph can be used, it scans.
   */
  readonly vectorIndex?: VectorIndexSettings | undefined;
  /** How the ranking by words and the ranking by meaning are fused. Default `convex`. */
  readonly fusion?: FusionSettings | undefined;
  /** Short for `fusion: { method: "convex", semanticWeight }`; pass one of the two. */
  readonly semanticWeight?: number | undefined;
  /** Adds evidence from titles to the score of `convex` fusion (docs/scoring.md). Default true. */
  readonly titleEvidence?: boolean | undefined;
  /**
   * The minimum cosine of a match by meaning, -1 … 1. Default `"auto"`: learned from the records as the similarity of
   * unrelated texts under the embedder. With fewer than 32 vectors: 0.35 for static-en, else 0. For static-de always 0.3. Without an
   * embedder: 0.
   */
  readonly semanticFloor?: number | "auto" | undefined;
  /** The maximum number of matches by meaning, 1 … 10,000. Default 100. */
  readonly semanticDepth?: number | undefined;
  /**
   * How many of the best matches by words get their cosine and title evidence, 1 … 10,000; semantic matches always do. Matches
   * below them keep their score by words. Default 1,000.
   */
  readonly rankWindow?: number | undefined;
  /**
   * Leaves out hits whose score is below this share of the best score, in percent: an integer, 0 … 100. Worth it where hits are
   * sorted by something else than their score. Default 0: all matches are hits.
   */
  readonly relevancyStrictness?: number | undefined;
  /** BM25's saturation (k1 >= 0, default 1.2) and length normalisation (b 0 … 1, default 0.6). */
  readonly bm25?: { readonly k1?: number | undefined; readonly b?: number | undefined } | undefined;
  /** Attributes that filters, facets and sorting may use. Default: all that hold numbers, booleans or short strings. */
  readonly attributesForFaceting?: readonly FacetingAttribute<R>[] | undefined;
  /** Breaks ties between equal scores: `["desc(popularity)", "asc(price)"]`. Missing values come last. */
  readonly customRanking?: readonly RankingRule<R>[] | undefined;
  /** What raises or lowers scores besides the query; at most 16. Default none. */
  readonly boosts?: readonly Boost<R>[] | undefined;
  /** What the shop says of some queries; at most 10,000. Default none. */
  readonly rules?: readonly Rule<R>[] | undefined;
  /** Records with equal values of this attribute form a group; a record without it is a group of its own. */
  readonly attributeForDistinct?: SettingPath<R> | undefined;
  /** Shows one hit per group, or so many records of it (0 … 100), unless a query says otherwise. Default false. */
  readonly distinct?: boolean | number | undefined;
  /** Words with the same meaning; at most 10,000 synonyms, and 1,000 for one word. Default none. */
  readonly synonyms?: readonly Synonym[] | undefined;
  /** Whether the analyzer `english` adds its own synonyms to yours, such as colour and color, tv and television. Default true. */
  readonly builtInSynonyms?: boolean | undefined;
  /** Words that count only in queries without other words. Default: the English ones; `false`: none. */
  readonly stopWords?: readonly string[] | false | undefined;
  /** Words of a query that a match need not contain. */
  readonly optionalWords?: readonly string[] | undefined;
  /** Corrects query words that no record contains: one error from 4 letters, two from 8. Default true. */
  readonly typoTolerance?: boolean | undefined;
  /** Words that are never corrected. */
  readonly disableTypoToleranceOnWords?: readonly string[] | undefined;
  /** Attributes in which corrected words do not count. */
  readonly disableTypoToleranceOnAttributes?: readonly SettingPath<R>[] | undefined;
  /** Which words are completed. Default `"prefixAuto"`. */
  readonly queryType?: QueryType | undefined;
  /** Texts that `suggest` shows first, such as what people searched most; at most 100,000. Default none. */
  readonly suggestions?: readonly Suggestion[] | undefined;
  /**
   * The language of the texts, as a BCP 47 tag such as `"en"` or `"de-AT"` (docs/languages.md): stems, stop words, titles, compounds, units.
   * Queries are understood in English only. Default `"en"`; with an analyzer of yours, none.
   */
  readonly language?: string | undefined;
  /** Which attributes understood queries speak of. Default: those of usual names, such as price, rating and released. */
  readonly understanding?: UnderstandingSettings<R> | undefined;
}

/** The attributes that understood queries speak of: "under $50", "4 stars and up", "newest". */
export interface UnderstandingSettings<R extends object = JsonRecord> {
  /** The attribute of prices. */
  readonly price?: SettingPath<R> | undefined;
  /** The attribute of ratings. */
  readonly rating?: SettingPath<R> | undefined;
  /** The attribute that is greatest for what is newest: dates or years. */
  readonly newest?: SettingPath<R> | undefined;
}

/** The effective settings, with all defaults, as `getSettings` shows them; analyzer and embedder appear by id. */
export interface EffectiveSettings {
  readonly idAttribute: string;
  /** null: every text attribute. */
  readonly searchableAttributes: readonly (string | WeightedAttribute)[] | null;
  readonly identifierAttributes: readonly string[];
  /** Id of the analyzer. */
  readonly analyzer: string;
  readonly matching: Matching;
  readonly matchingRatio: number;
  /** Id of the embedder; false: none. */
  readonly embedder: string | false;
  /** null: the searchable text without identifiers. */
  readonly embeddedAttributes: readonly string[] | null;
  readonly vectorAttribute: string | null;
  /** Components of the index's vectors; 0: it has none. */
  readonly dimensions: number;
  readonly vectorIndex: ResolvedVectorIndex;
  readonly fusion:
    | { readonly method: "convex"; readonly semanticWeight: number }
    | { readonly method: "rrf"; readonly rankConstant: number };
  readonly titleEvidence: boolean;
  /** The given floor, or the one learned from the current records. */
  readonly semanticFloor: number;
  readonly semanticDepth: number;
  readonly rankWindow: number;
  readonly relevancyStrictness: number;
  readonly bm25: { readonly k1: number; readonly b: number };
  /** null: every attribute of numbers, booleans or short strings. `filterOnly(brand)`: one whose values are not counted. */
  readonly attributesForFaceting: readonly string[] | null;
  readonly customRanking: readonly string[];
  readonly boosts: readonly Boost[];
  readonly rules: readonly Rule[];
  readonly attributeForDistinct: string | null;
  readonly distinct: boolean | number;
  readonly synonyms: readonly Synonym[];
  readonly builtInSynonyms: boolean;
  /** null: the analyzer's own. */
  readonly stopWords: readonly string[] | false | null;
  readonly optionalWords: readonly string[];
  readonly typoTolerance: boolean;
  readonly disableTypoToleranceOnWords: readonly string[];
  readonly disableTypoToleranceOnAttributes: readonly string[];
  readonly queryType: QueryType;
  readonly suggestions: readonly Suggestion[];
  /** null: not known. */
  readonly language: string | null;
  /** null: the attribute of a usual name. */
  readonly understanding: {
    readonly price: string | null;
    readonly rating: string | null;
    readonly newest: string | null;
  };
}

/** The effective settings before anything is learned from the records. */
export interface ShownSettings extends Omit<EffectiveSettings, "semanticFloor"> {
  readonly semanticFloor: number | "auto";
}

/** An attribute to order by, and the direction. */
export interface RankingAttribute {
  readonly attribute: string;
  readonly direction: "asc" | "desc";
}

const RANKING = /^(asc|desc)\((.+)\)$/s;

/** Parses `desc(popularity)`; undefined when the text has another form. */
export function parseRanking(text: string): RankingAttribute | undefined {
  const parts = RANKING.exec(text);
  return parts === null ? undefined : { direction: parts[1] as "asc" | "desc", attribute: parts[2]! };
}

const FACETING = /^(?:searchable|afterDistinct|(filterOnly))\((.+)\)$/s;

/** An attribute of `attributesForFaceting`, in the shortest words that mean the same: `brand` or `filterOnly(brand)`. */
export function plainFaceting(text: string): string {
  let attribute = text;
  let isCounted = true;
  for (let parts = FACETING.exec(attribute); parts !== null; parts = FACETING.exec(attribute)) {
    isCounted &&= parts[1] === undefined;
    attribute = parts[2]!;
  }
  return isCounted ? attribute : `filterOnly(${attribute})`;
}

/** The attribute that an entry of `searchableAttributes` names. */
export function searchedName(entry: string | WeightedAttribute): string {
  return typeof entry === "string" ? entry : entry.attribute;
}

/** The attributes of the effective `attributesForFaceting`, and whether their values are counted. */
export function facetingOf(declared: readonly string[]): ReadonlyMap<string, boolean> {
  const faceting = new Map<string, boolean>();
  for (const text of declared) {
    const only = FACETING.exec(text)?.[2];
    if (only === undefined) faceting.set(text, true);
    else if (!faceting.has(only)) faceting.set(only, false);
  }
  return faceting;
}
