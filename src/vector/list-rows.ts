// A filter as rows: the living, allowed records of one segment that have a vector, written in blocks for a kernel.

import type { DocSet } from "../base/doc-set.js";
import type { VectorSegment } from "./vector-rows.js";

/**
 * Writes the rows, ascending, to the start of `list`, and calls `visit` with their number whenever a block is full and at
 * the end; `visit` answers how long the next block may be.
 */
export function listRows(
  { rows, dead, base }: VectorSegment,
  allowed: DocSet,
  list: Uint32Array,
  visit: (listed: number) => number,
): void {
  const { docRow } = rows;
  const size = docRow.length;
  let limit = visit(0);
  let listed = 0;
  for (let first = 0, word = 0; first < size; first += 32, word++) {
    let bits = bitsFrom(allowed, base + first);
    if (dead !== null) bits &= ~dead.words[word]!;
    // The bits past the segment's end are of the next one.
    if (size - first < 32) bits &= 2 ** (size - first) - 1;
    for (; bits !== 0; bits &= bits - 1) {
      const row = docRow[first + 31 - Math.clz32(bits & -bits)]!;
      if (row < 0) continue;
      list[listed++] = row;
      if (listed < limit) continue;
      limit = visit(listed);
      listed = 0;
    }
  }
  if (listed > 0) visit(listed);
}

/** 32 bits of a set from any document on. */
function bitsFrom({ words }: DocSet, doc: number): number {
  const shift = doc & 31;
  const word = words[doc >>> 5]! >>> shift;
  return shift === 0 ? word : word | ((words[(doc >>> 5) + 1] ?? 0) << (32 - shift));
}
