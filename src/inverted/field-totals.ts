// The sums behind the mean length of each field, over the live records that have it. The sums are kept and the means derived
// from them, so adding and subtracting records in any order gives the same means.

import type { LocalDoc } from "../util/doc-set.js";
import { offsetAt } from "../util/offset-table.js";
import { FIELD_MASK, fieldAt, lengthAt, type Postings } from "./postings.js";

/** The number of tokens of a field, and the number of records that have it. */
export interface FieldTotal {
  readonly length: number;
  readonly docs: number;
}

/** By field name. */
export type FieldTotals = ReadonlyMap<string, FieldTotal>;

/** Adds the fields of one record to the totals (`sign` 1) or subtracts them (-1), in place. */
export function addRecordFields(
  totals: Map<string, FieldTotal>,
  postings: Postings,
  doc: LocalDoc,
  sign: 1 | -1,
): void {
  for (let docField = offsetAt(postings.docFields, doc); docField < offsetAt(postings.docFields, doc + 1); docField++) {
    const name = postings.fields[fieldAt(postings, docField) & FIELD_MASK]!;
    const before = totals.get(name) ?? { length: 0, docs: 0 };
    const after = { length: before.length + sign * lengthAt(postings, docField), docs: before.docs + sign };
    if (after.docs === 0) totals.delete(name);
    else totals.set(name, after);
  }
}

/** Steps from a power of two to the next one: neighbours on the grid differ by 0.1 to 0.2 %. */
const GRID_STEPS = 512;

/**
 * The mean length of a field, rounded to a grid of 512 steps from a power of two to the next one (1/512 below 1); 1 if the
 * field has no tokens. A single write hardly ever changes it, so impacts that were computed before the write stay valid.
 */
export function meanLength(total: FieldTotal | undefined): number {
  if (total === undefined || total.length === 0) return 1;
  const mean = total.length / total.docs;
  const powerOfTwo = mean < 1 ? 1 : 2 ** (31 - Math.clz32(mean));
  return Math.max(1, Math.round((mean / powerOfTwo) * GRID_STEPS)) * (powerOfTwo / GRID_STEPS);
}

/** The totals of all records of a segment. */
export function totalsOf({ fields, fieldLengths, fieldDocs }: Postings): FieldTotals {
  return new Map(fields.map((name, field) => [name, { length: fieldLengths[field]!, docs: fieldDocs[field]! }]));
}

/** The sum of two totals. */
export function addTotals(a: FieldTotals, b: FieldTotals): Map<string, FieldTotal> {
  const sum = new Map(a);
  for (const [name, total] of b) {
    const before = sum.get(name) ?? { length: 0, docs: 0 };
    sum.set(name, { length: before.length + total.length, docs: before.docs + total.docs });
  }
  return sum;
}
