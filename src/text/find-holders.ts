import { PostingCursor } from "./posting-list.js";
import { FIELD_MASK, fieldAt } from "./postings.js";
import type { SearchableSegment } from "./searchable-segment.js";

/** The living records of a segment that hold an index term in a field that is searched, ascending; each may come repeatedly. */
export function* holdersOf(
  { postings, dead, fields }: SearchableSegment,
  text: string,
  notIn?: ReadonlySet<string>,
): Generator<number> {
  const term = postings.names.numberOf(text);
  if (term === undefined) return;
  for (const cursor = new PostingCursor(postings, term); cursor.next(); ) {
    const field = fieldAt(postings, cursor.slot) & FIELD_MASK;
    // Weight 0: a field that this query does not search.
    if (fields.weights[field] === 0 || notIn?.has(postings.fields[field]!)) continue;
    const doc = postings.slotDoc[cursor.slot]!;
    if (!dead?.has(doc)) yield doc;
  }
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

/** True when one living record of a segment holds all of the terms. */
export function holdsTogether(segment: SearchableSegment, texts: readonly string[]): boolean {
  const { postings } = segment;
  const lists: { readonly text: string; readonly term: number; readonly size: number }[] = [];
  for (const text of texts) {
    const term = postings.names.numberOf(text);
    if (term === undefined) return false;
    lists.push({ text, term, size: postings.starts[term + 1]! - postings.starts[term]! });
  }
  const [rarest, ...others] = lists.sort((a, b) => a.size - b.size);
  if (rarest === undefined) return false;
  const cursors = others.map(({ term }) => new PostingCursor(postings, term));
  for (const doc of holdersOf(segment, rarest.text))
    if (cursors.every((cursor) => standsIn(segment, doc, cursor))) return true;
  return false;
}

/** True when a record holds the term of a cursor in a field that is searched; records are asked for in their order. */
function standsIn({ postings, fields }: SearchableSegment, doc: number, cursor: PostingCursor): boolean {
  const end = postings.docSlots[doc + 1]!;
  for (let more = cursor.seek(postings.docSlots[doc]!); more && cursor.slot < end; more = cursor.next())
    if (fields.weights[fieldAt(postings, cursor.slot) & FIELD_MASK] !== 0) return true;
  return false;
}
