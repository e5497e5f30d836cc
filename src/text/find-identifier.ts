import type { SearchableSegment } from "./match-term.js";

/** The living records that hold exactly this index term, ascending: those whose identifier equals the whole query. */
export function findIdentifier(segments: readonly SearchableSegment[], identifier: string): number[] {
  const docs: number[] = [];
  for (const { postings, dead, base } of segments) {
    const term = postings.terms.get(identifier);
    if (term === undefined) continue;
    let last = -1;
    for (let at = postings.starts[term]!; at < postings.starts[term + 1]!; at++) {
      const doc = postings.slotDoc[postings.slots[at]!]!;
      if (doc !== last && !dead?.has(doc)) docs.push(base + doc);
      last = doc;
    }
  }
  return docs;
}
