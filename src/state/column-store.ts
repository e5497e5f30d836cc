// The columns of segments: built when an attribute is first used, in slices, and kept as long as their segment. Declared
// attributes are built with the segment. A column is a pure function of its segment, so when it is built changes nothing.

import { buildColumns, mergeColumns, newNumbers } from "../attributes/build-columns.js";
import type { Column } from "../attributes/column.js";
import type { Steps } from "../base/slices.js";
import { readRecord } from "../records/record-table.js";
import type { IndexState } from "./index-state.js";
import type { MergedSegment } from "./merge-segments.js";
import type { Segment } from "./segment.js";

/** By attribute; undefined: it was looked for, and no record has it. */
type Columns = Map<string, Column | undefined>;

const store = new WeakMap<Segment, Columns>();

/** The column of an attribute in a segment, which must have been built; undefined: no record there has it. */
export function columnOf(segment: Segment, attribute: string): Column | undefined {
  return store.get(segment)?.get(attribute);
}

/** Builds what is missing of these attributes in all segments of a state. */
export function* ensureColumns(state: IndexState, attributes: Iterable<string>): Steps<void> {
  const wanted = [...new Set(attributes)];
  for (const { segment } of state.segments) yield* ensureSegmentColumns(segment, wanted);
}

/** Builds what is missing of these attributes in one segment. */
export function* ensureSegmentColumns(segment: Segment, attributes: readonly string[]): Steps<void> {
  const known = columnsOf(segment);
  const missing = attributes.filter((attribute) => !known.has(attribute));
  if (missing.length === 0) return;
  const built = yield* buildColumns(segment.size, (doc) => readRecord(segment.records, doc), missing);
  for (const attribute of missing) known.set(attribute, built.get(attribute));
}

/** Merges the columns that all sources of a merged segment have, so that no query has to build them again. */
export function* inheritColumns({ segment, sources, origin, docs }: MergedSegment): Steps<void> {
  const first = sources[0];
  if (first === undefined) return;
  const known = columnsOf(segment);
  const sizes = sources.map((live) => live.segment.size);
  const numbers = newNumbers(sizes, origin, docs);
  for (const attribute of columnsOf(first.segment).keys()) {
    if (!sources.every((live) => store.get(live.segment)?.has(attribute) === true)) continue;
    const columns = sources.map((live) => columnOf(live.segment, attribute));
    const merged = columns.every((column) => column === undefined)
      ? undefined
      : yield* mergeColumns(columns, origin, docs, numbers);
    known.set(attribute, merged === undefined || merged.values.length === 0 ? undefined : merged);
  }
}

function columnsOf(segment: Segment): Columns {
  let columns = store.get(segment);
  if (columns === undefined) {
    columns = new Map();
    store.set(segment, columns);
  }
  return columns;
}
