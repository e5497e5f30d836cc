import { FIELD_MASK } from "./postings.js";
import type { SearchableSegment } from "./searchable-segment.js";

/** The living records of a segment that hold an index term in a field that is searched, ascending; each may come repeatedly. */
export function* holdersOf(
  { postings, dead, fields }: SearchableSegment,
  text: string,
  notIn?: ReadonlySet<string>,
): Generator<number> {
  const term = postings.terms.get(text);
  if (term === undefined) return;
  for (let at = postings.starts[term]!; at < postings.starts[term + 1]!; at++) {
    const slot = postings.slots[at]!;
    const field = postings.slotField[slot]! & FIELD_MASK;
    // Weight 0: a field that this query does not search.
    if (fields.weights[field] === 0 || notIn?.has(postings.fields[field]!)) continue;
    const doc = postings.slotDoc[slot]!;
    if (!dead?.has(doc)) yield doc;
  }
}

/** The living records of a segment that hold all of the terms. */
export function holdersOfAll(segment: SearchableSegment, terms: readonly string[]): Set<number> {
  let docs: Set<number> | undefined;
  for (const text of terms) {
    const next = new Set<number>();
    for (const doc of holdersOf(segment, text)) if (docs === undefined || docs.has(doc)) next.add(doc);
    docs = next;
    if (docs.size === 0) break;
  }
  return docs ?? new Set();
}
