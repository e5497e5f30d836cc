// A filter as rows: the living, allowed records of one segment that have a vector, written in blocks for a kernel.

import type { DocSet } from "../base/doc-set.js";
import type { VectorSegment } from "./vector-rows.js";

/** Records listed at a time: a step is over before the next, so that one room serves all. */
const STRETCH = 4096;
const stretch = new Uint32Array(STRETCH);

/**
 * Writes the rows, ascending, to the start of `list`, and calls `visit` with their number whenever a block is full and at
 * the end; `visit` answers how long the next block may be.
 */
export function listRows(
  { rows, deletedDocs, base }: VectorSegment,
  allowed: DocSet,
  list: Uint32Array,
  visit: (listed: number) => number,
): void {
  const size = rows.docRow.length;
  // Where every record has a row, the two have one number.
  const docRow = rows.count === size ? null : rows.docRow;
  let limit = visit(0);
  let listed = 0;
  for (let first = 0; first < size; first += STRETCH) {
    const found = allowed.listWithin(base + first, base + Math.min(size, first + STRETCH), stretch);
    for (let i = 0; i < found; i++) {
      const doc = first + stretch[i]!;
      const row = docRow === null ? doc : docRow[doc]!;
      if (row < 0 || deletedDocs?.has(doc) === true) continue;
      list[listed++] = row;
      if (listed < limit) continue;
      limit = visit(listed);
      listed = 0;
    }
  }
  if (listed > 0) visit(listed);
}
