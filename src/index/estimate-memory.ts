// Estimates the memory of the parts of an index: typed arrays to the byte, strings and maps on V8's heap by their usual size.

import { listBytes, postingsBytes } from "../inverted/postings.js";
import { endsBytes } from "../inverted/spelling-dictionary.js";
import { rowsBytes } from "../vectors/vector-rows.js";
import { columnBytes } from "./column-store.js";
import { sourceBytes, tableBytes } from "./record-table.js";
import type { LastingBytes, Segment } from "./segment.js";

/** The approximate bytes that the parts of an index take in memory. */
export interface MemoryEstimate {
  /** Stored records with their ids. */
  readonly records: number;
  /**
   * Terms, posting lists, titles and the words for corrections, completions and compounds; also what queries computed and is kept: counts
   * and numbers of the words of titles, and impact lists of terms, in a segment at most 16 bytes per posting or 64 kB, whichever
   * is more, and in all indexes at most `cacheBytes`. What is only in a file of the data folder does not count.
   */
  readonly text: number;
  readonly vectors: number;
  /** Doc-values columns of attributes that were used or declared, and the names of all known attributes. */
  readonly columns: number;
  /** The neighbour graph. */
  readonly graph: number;
  /** The sum of the parts. */
  readonly total: number;
}

/** The segments and graph to count. */
export interface Held {
  readonly segments: Iterable<Segment>;
  /** Of the remembered names of attributes, in addition to those of the segments. */
  readonly nameBytes: number;
  readonly graphBytes: number;
}

/** Estimates the memory of segments and a graph, by part. */
export function estimateMemory({ segments, nameBytes, graphBytes }: Held): MemoryEstimate {
  let [records, text, vectors, columns] = [0, 0, 0, nameBytes];
  for (const segment of segments) {
    const { text: caches } = segment.caches;
    const lasting = lastingBytes(segment);
    records += lasting.records + sourceBytes(segment.records);
    text += lasting.text + listBytes(segment.postings) + endsBytes(segment.postings) + caches.impacts.bytes;
    vectors += lasting.vectors;
    columns += lasting.columns + columnBytes(segment);
  }
  const total = records + text + vectors + columns + graphBytes;
  return { records, text, vectors, columns, graph: graphBytes, total };
}

/** The bytes of a segment in memory. */
export function segmentBytes(segment: Segment): number {
  return estimateMemory({ segments: [segment], nameBytes: 0, graphBytes: 0 }).total;
}

function lastingBytes(segment: Segment): LastingBytes {
  const { caches, records, postings, vectors, attributes } = segment;
  caches.lastingBytes ??= {
    records: tableBytes(records) - sourceBytes(records),
    text: postingsBytes(postings) - listBytes(postings),
    vectors: vectors === null ? 0 : rowsBytes(vectors),
    columns: attributes.bytes,
  };
  return caches.lastingBytes;
}
