// A search as the cluster takes it, and what it answers.

import type { DocumentFields } from "./record-documents.js";

/** A search, as the cluster takes it. */
export type SearchRequest = Readonly<Record<string, unknown>>;

/** What the cluster answers to one. */
export interface SearchBody {
  readonly timed_out: boolean;
  readonly pit_id?: string;
  readonly _shards: { readonly failed: number };
  readonly hits: {
    readonly total?: { readonly value: number };
    readonly hits: readonly {
      readonly fields: DocumentFields;
      readonly _score?: number | null;
      readonly _seq_no?: number;
      readonly _primary_term?: number;
      readonly sort?: readonly unknown[];
    }[];
  };
  readonly aggregations?: Readonly<Record<string, Aggregation>>;
  readonly suggest?: Readonly<Record<string, readonly { readonly options: readonly { readonly text: string }[] }[]>>;
}

interface Aggregation {
  readonly value?: number;
  readonly buckets?: readonly Bucket[];
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
}
