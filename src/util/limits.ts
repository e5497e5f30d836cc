// The limits of an engine, with their defaults.

/**
 * The limits of an engine. Each can be lowered or raised by `new SearchEngine({ limits: { … } })`; docs/errors.md says how far.
 */
export interface Limits {
  /** UTF-8 bytes of a query text; more: 400 `query_too_long`. Default 4,096. */
  readonly queryBytes: number;
  /** Distinct terms of a query that are searched; the rest is ignored. Default 64. */
  readonly queryTerms: number;
  /** UTF-8 bytes of a `params` string; more: 400 `params_too_long`. Default 16,384. */
  readonly paramsBytes: number;
  /** Name-value pairs of a `params` string; more: 400 `params_too_long`. Default 64. */
  readonly paramsPairs: number;
  /** Hits of one page; more are clamped. Default 1,000. */
  readonly hitsPerPage: number;
  /** The greatest page number; more: 400 `invalid_page`. Default 1,000,000,000. */
  readonly page: number;
  /** The greatest `semanticDepth`; more: 400. Default 10,000. */
  readonly semanticDepth: number;
  /** UTF-8 bytes of a filter as text; more: 400 `filter_too_complex`. Default 8,192. */
  readonly filterBytes: number;
  /** Nesting levels of a filter; brackets, NOT and the condition itself count one each. More: 400 `filter_too_complex`. Default 32. */
  readonly filterDepth: number;
  /** Conditions of a filter; more: 400 `filter_too_complex`. Default 512. */
  readonly filterConditions: number;
  /** Values in all lists of a filter together; more: 400 `filter_too_complex`. Default 1,000. */
  readonly filterValues: number;
  /** Attributes in `facets`; more: 400, or for `"*"` and `"path.*"` a warning. Default 20. */
  readonly facets: number;
  /** Values shown per facet; more are clamped. Default 1,000. */
  readonly facetValues: number;
  /** Names in `attributesToRetrieve`; more: 400. Default 1,000. */
  readonly attributesToRetrieve: number;
  /** UTF-8 bytes of a record as JSON; more: 413 `record_too_large`. Default 100,000. */
  readonly recordBytes: number;
  /** Nesting levels of a record, of which the record itself is the first; more: 413. Default 32. */
  readonly recordDepth: number;
  /** Attributes of a record at all depths; more: 413. Default 1,000. */
  readonly recordAttributes: number;
  /** Items of one array in a record; more: 413. Default 10,000. */
  readonly arrayItems: number;
  /** UTF-8 bytes of an id; more: 400 `invalid_id`. Default 512. */
  readonly idBytes: number;
  /** Characters of an attribute's name; more: 400 `invalid_record`. Default 256. */
  readonly attributeName: number;
  /** Characters of one field that are searched; the rest is stored only, with a warning. Default 65,536. */
  readonly fieldCharacters: number;
  /** Tokens of one field that are searched; the rest is stored only, with a warning. Default 10,000. */
  readonly fieldTokens: number;
  /** Records of one call of addRecords, and ids of one call of deleteRecords; more: 413 `batch_too_large`. Default 1,000,000. */
  readonly batchRecords: number;
  /** Records of an index; more: 507 `index_full`. Default 10,000,000. */
  readonly indexRecords: number;
  /** Bytes that all indexes of an engine hold together, as `estimate` counts them; more: 507 `memory_limit`. Default: no limit (2^53 - 1). */
  readonly maxMemory: number;
  /** Characters of an index's name. Default 128. */
  readonly indexName: number;
  /** Components of a vector. Default 4,096. */
  readonly dimensions: number;
}

/**
 * The default of each limit, and its greatest value if it has one: above it a call could exhaust the stack, an array or a string of the
 * engine that runs JavaScript, whatever memory there is.
 */
const BOUNDS: { readonly [N in keyof Limits]: readonly [usual: number, greatest?: number] } = {
  queryBytes: [4096, 1_000_000],
  queryTerms: [64, 100_000],
  paramsBytes: [16_384, 100_000_000],
  paramsPairs: [64, 1_000_000],
  hitsPerPage: [1000],
  page: [1_000_000_000],
  semanticDepth: [10_000, 10_000_000],
  filterBytes: [8192, 10_000_000],
  filterDepth: [32, 256],
  filterConditions: [512, 100_000],
  filterValues: [1000, 10_000_000],
  facets: [20],
  facetValues: [1000],
  attributesToRetrieve: [1000, 100_000],
  recordBytes: [100_000, 100_000_000],
  recordDepth: [32, 256],
  recordAttributes: [1000, 1_000_000],
  arrayItems: [10_000, 10_000_000],
  idBytes: [512, 100_000],
  attributeName: [256, 100_000],
  fieldCharacters: [65_536, 10_000_000],
  fieldTokens: [10_000, 10_000_000],
  batchRecords: [1_000_000, 100_000_000],
  indexRecords: [10_000_000, 1_000_000_000],
  maxMemory: [Number.MAX_SAFE_INTEGER],
  indexName: [128],
  dimensions: [4096, 65_536],
};

/** The default limits, frozen. */
export const DEFAULT_LIMITS: Limits = limitsOf(([usual]) => usual);

/** The greatest value of a limit; undefined: it has none. */
export function greatestOf(name: keyof Limits): number | undefined {
  return BOUNDS[name][1];
}

/** Limits that refuse nothing that some limits allowed: for what is stored already. */
export const GREATEST_LIMITS: Limits = limitsOf(([usual, greatest = usual]) => greatest);

function limitsOf(limitOf: (bounds: readonly [number, number?]) => number): Limits {
  const limits = Object.entries(BOUNDS).map(([name, bounds]) => [name, limitOf(bounds)]);
  return Object.freeze(Object.fromEntries(limits) as Limits);
}
