// The order of records by their attributes. A record without the attribute comes last in both directions. Of several values
// of a record, the one that ranks it highest counts.

import { compareValues } from "./attribute-values.js";
import { type DocValues, rowOf } from "./doc-values.js";
import type { AttributeValue } from "./filter.js";

/** Ascending or descending. */
export type SortDirection = "asc" | "desc";

/** One criterion to sort by. */
export interface SortKey {
  readonly direction: SortDirection;
  /** The value that a document is sorted by; undefined: it comes after all documents that have one. */
  keyOf(doc: number): AttributeValue | undefined;
}

/** The value that a record of a segment is sorted by: its least for ascending, its greatest for descending order. */
export function sortValue(
  column: DocValues | undefined,
  doc: number,
  direction: SortDirection,
): AttributeValue | undefined {
  const row = column === undefined ? -1 : rowOf(column, doc);
  if (column === undefined || row < 0) return undefined;
  const { starts, ordinals, values } = column;
  const [from, to] = [starts[row]!, starts[row + 1]!];
  return from === to ? undefined : values[ordinals[direction === "asc" ? from : to - 1]!];
}

/** Compares documents by the first key on which they differ; 0 when there is none. */
export function compareByKeys(keys: readonly SortKey[]): (a: number, b: number) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compareKeys(key.keyOf(a), key.keyOf(b), key.direction);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareKeys(a: AttributeValue | undefined, b: AttributeValue | undefined, direction: SortDirection): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return direction === "asc" ? compareValues(a, b) : compareValues(b, a);
}
