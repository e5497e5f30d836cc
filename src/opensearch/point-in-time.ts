// An index as it was at one moment, for reading all of its documents some at a time, whatever is written meanwhile.

import type { ExportPiece } from "../api/transfer.js";
import { inCodeUnitOrder } from "./id-order.js";
import { ALL, type ClusterQuery } from "./match-query.js";
import { documentIn, READ_FIELDS, type RecordDocument } from "./record-documents.js";
import type { SearchBody, SearchRequest } from "./search-body.js";

/** So long a reader may pause between two pages. */
export const KEEP_ALIVE = "10m";
/** Documents of a page, and the characters of their JSON that it should not have much more of. */
const FIRST_PAGE = 100;
const MOST_ON_PAGE = 1000;
const PAGE_CHARACTERS = 4_000_000;

/** What a point in time needs of the cluster. */
export interface PointRequests {
  readonly id: string;
  readonly search: (request: SearchRequest) => Promise<SearchBody>;
  readonly close: (id: string) => Promise<void>;
}

/** A page of documents. */
interface Page {
  readonly items: readonly RecordDocument[];
  readonly isLast: boolean;
  /** Where the next page begins. */
  readonly last: readonly unknown[] | undefined;
}

/** An index at one moment. */
export class PointInTime {
  private readonly requests: PointRequests;
  private id: string;
  private size = FIRST_PAGE;

  constructor(requests: PointRequests) {
    this.requests = requests;
    this.id = requests.id;
  }

  /** All documents that a query finds, in no order, with their vectors. */
  async *documents(query: ClusterQuery = ALL): AsyncGenerator<readonly RecordDocument[]> {
    for (let after: readonly unknown[] | undefined; ; ) {
      const page = await this.page({
        ...READ_FIELDS,
        query,
        sort: [{ _shard_doc: "asc" }],
        ...(after !== undefined && { search_after: after }),
      });
      if (page.items.length > 0) yield page.items;
      if (page.isLast) return;
      after = page.last;
    }
  }

  /** All documents in the order of their ids, without vectors. */
  documentsById(): AsyncGenerator<readonly RecordDocument[]> {
    return inCodeUnitOrder((after, span) =>
      this.page({
        ...READ_FIELDS,
        docvalue_fields: ["id", "json"],
        sort: [{ id: "asc" }],
        search_after: [after],
        ...(span !== undefined && { query: { range: { id: { gt: span.after, lte: span.upTo } } } }),
      }),
    );
  }

  /** For an export. */
  async *pieces(): AsyncGenerator<ExportPiece> {
    const total = await this.count();
    for await (const some of this.documentsById())
      yield { text: some.map(({ json }) => `${json}\n`).join(""), records: some.length, total };
  }

  async close(): Promise<void> {
    await this.requests.close(this.id);
  }

  private async count(): Promise<number> {
    const { hits } = await this.search({ size: 0, track_total_hits: true });
    return hits.total!.value;
  }

  private async page(request: SearchRequest): Promise<Page> {
    const size = this.size;
    const { hits } = (await this.search({ ...request, size, track_total_hits: false })).hits;
    const items = hits.map(({ fields }) => documentIn(fields));
    const characters = items.reduce((sum, { json }) => sum + json.length, 1);
    this.size = Math.max(1, Math.min(MOST_ON_PAGE, Math.floor((PAGE_CHARACTERS * items.length) / characters)));
    return { items, isLast: hits.length < size, last: hits.at(-1)?.sort };
  }

  private async search(request: SearchRequest): Promise<SearchBody> {
    const body = await this.requests.search({ ...request, pit: { id: this.id, keep_alive: KEEP_ALIVE } });
    this.id = body.pit_id ?? this.id;
    return body;
  }
}
