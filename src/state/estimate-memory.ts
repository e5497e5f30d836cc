// How much memory the parts of an index take: typed arrays to the byte, what lies on V8's heap by the usual size of its
// strings and maps.

import { tableBytes } from "../records/record-table.js";
import { postingsBytes } from "../text/postings.js";
import { titleWordBytes } from "../text/title/title-words.js";
import { rowsBytes } from "../vector/vector-rows.js";
import { columnBytes } from "./column-store.js";
import type { Segment } from "./segment.js";

/** About how many bytes the parts of an index take in memory. */
export interface MemoryEstimate {
  /** Stored records with their ids. */
  readonly records: number;
  /** Terms, posting lists and the words for correcting typos and completing; the words of titles once they were needed. */
  readonly text: number;
  readonly vectors: number;
  /** Columns of attributes, as far as they were needed. */
  readonly columns: number;
  /** The neighbour graph. */
  readonly graph: number;
  /** The sum of the parts. */
  readonly total: number;
}

type FixedParts = Pick<MemoryEstimate, "records" | "text" | "vectors">;

const known = new WeakMap<Segment, FixedParts>();

/** What a segment takes for ever; the rest comes and goes with the queries. */
export function segmentBytes(segment: Segment): number {
  const { records, text, vectors } = fixedParts(segment);
  return records + text + vectors;
}

/** What is counted. */
export interface Held {
  readonly segments: Iterable<Segment>;
  readonly graphBytes: number;
}

/** The parts of what is held. */
export function estimateMemory({ segments, graphBytes }: Held): MemoryEstimate {
  let [records, text, vectors, columns] = [0, 0, 0, 0];
  for (const segment of segments) {
    const parts = fixedParts(segment);
    records += parts.records;
    text += parts.text + titleWordBytes(segment.postings);
    vectors += parts.vectors;
    columns += columnBytes(segment);
  }
  const total = records + text + vectors + columns + graphBytes;
  return { records, text, vectors, columns, graph: graphBytes, total };
}

function fixedParts(segment: Segment): FixedParts {
  let parts = known.get(segment);
  if (parts === undefined) {
    const { records, postings, vectors } = segment;
    parts = {
      records: tableBytes(records),
      text: postingsBytes(postings),
      vectors: vectors === null ? 0 : rowsBytes(vectors),
    };
    known.set(segment, parts);
  }
  return parts;
}
