import { PostingCursor } from "./posting-cursor.js";
import { FIELD_MASK, fieldAt } from "./postings.js";
import type { SearchableSegment } from "./searchable-segment.js";

/** The living records of a segment that hold an index term in a field that is searched, ascending. */
export function* holdersOf(segment: SearchableSegment, text: string, notIn?: ReadonlySet<string>): Generator<number> {
  const { postings, deletedDocs } = segment;
  const term = postings.dictionary.ordinalOf(text);
  if (term === undefined) return;
  for (const cursor = new PostingCursor(postings, term); cursor.next(); )
    if (!deletedDocs?.has(cursor.doc) && isSearched(segment, cursor, notIn)) yield cursor.doc;
}

/** True when all records that hold a term do so alive, and in a field that this query searches. */
export function areAllSearched({ deletedDocs, scoring }: SearchableSegment, notIn?: ReadonlySet<string>): boolean {
  return deletedDocs === null && (notIn === undefined || notIn.size === 0) && !scoring.weights.includes(0);
}

/** True when the cursor's record holds the term in a field that this query searches. */
function isSearched(
  { postings, scoring }: SearchableSegment,
  cursor: PostingCursor,
  notIn?: ReadonlySet<string>,
): boolean {
  for (let place = 0; place < cursor.fieldCount; place++) {
    const field = fieldAt(postings, cursor.slotAt(place)) & FIELD_MASK;
    // Weight 0: a field that is not searched.
    if (scoring.weights[field] !== 0 && !notIn?.has(postings.fields[field]!)) return true;
  }
  return false;
}

/** The living records of a segment that hold all of the terms, ascending; with `within`, those among them. */
export function holdersOfAll(
  segment: SearchableSegment,
  terms: readonly string[],
  within?: ReadonlySet<number>,
): ReadonlySet<number> {
  let docs = within;
  for (const text of terms) {
    const next = new Set<number>();
    for (const doc of holdersOf(segment, text)) if (docs === undefined || docs.has(doc)) next.add(doc);
    docs = next;
    if (next.size === 0) break;
  }
  return docs ?? new Set();
}

/** True when one living record of a segment has all of the terms. */
export function cooccurIn(segment: SearchableSegment, texts: readonly string[]): boolean {
  const { postings } = segment;
  const lists: { readonly text: string; readonly term: number; readonly size: number }[] = [];
  for (const text of texts) {
    const term = postings.dictionary.ordinalOf(text);
    if (term === undefined) return false;
    lists.push({ text, term, size: postings.starts[term + 1]! - postings.starts[term]! });
  }
  const [rarest, ...others] = lists.sort((a, b) => a.size - b.size);
  if (rarest === undefined) return false;
  const cursors = others.map(({ term }) => new PostingCursor(postings, term));
  for (const doc of holdersOf(segment, rarest.text))
    if (cursors.every((cursor) => cursor.seek(doc) && cursor.doc === doc && isSearched(segment, cursor))) return true;
  return false;
}
