// The documented answer, its keys in the documented order.

import type { JsonRecord } from "../base/json.js";

/** The legs that ran. */
export type RecallSource = "fullTextSearch" | "semanticSearch";

/** One found record. */
export interface Hit<R = JsonRecord> {
  /** The record's id as a string. */
  readonly id: string;
  /** 0 … 1, six decimals; comparable within one answer. */
  readonly score: number;
  /** The record as it came; a fresh copy each time. */
  readonly source: R;
}

/** The `data` of an answer. */
export interface SearchData<R = JsonRecord> {
  readonly query: string;
  readonly indexUse: string;
  readonly recallSource: RecallSource[];
  /** The exact size of the whole result, the same on every page. */
  readonly nbHits: number;
  readonly page: number;
  readonly hitsPerPage: number;
  /** Milliseconds from the call to the answer, at least `processingTimeMS`. */
  readonly serverTimeMS: number;
  /** Milliseconds of searching, without waiting for an embedding. */
  readonly processingTimeMS: number;
  readonly hits: Hit<R>[];
}

/** A successful answer. */
export interface SearchAnswer<R = JsonRecord> {
  readonly msg: string;
  readonly code: 200;
  readonly data: SearchData<R>;
}

/** The envelope of a success. */
export function buildAnswer<R>(data: SearchData<R>): SearchAnswer<R> {
  const { query, indexUse, recallSource, nbHits, page, hitsPerPage, serverTimeMS, processingTimeMS, hits } = data;
  return {
    msg: "success",
    code: 200,
    data: { query, indexUse, recallSource, nbHits, page, hitsPerPage, serverTimeMS, processingTimeMS, hits },
  };
}
