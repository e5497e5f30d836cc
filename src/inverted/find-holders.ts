// Finds the live records of a segment that hold index terms. For callers that need no score, so the posting lists are enough.

import { type Doc, type LocalDoc, toDoc } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { PostingCursor } from "./list-codec.js";
import { FIELD_MASK, fieldAt, listOf } from "./postings.js";
import type { SearchableSegment } from "./text-searcher.js";

/** The live records of a segment that hold an index term in a searched field outside `notIn`, ascending; to be read once. */
export function* holdersOf(
  segment: SearchableSegment,
  text: string,
  notIn?: ReadonlySet<string>,
): Task<Iterable<LocalDoc>> {
  const { postings } = segment;
  const term = postings.dictionary.ordinalOf(text);
  if (term === undefined) return [];
  return liveHolders(segment, new PostingCursor(postings, term, yield* listOf(postings, term)), notIn);
}

function* liveHolders(
  segment: SearchableSegment,
  cursor: PostingCursor,
  notIn: ReadonlySet<string> | undefined,
): Generator<LocalDoc> {
  const { deletedDocs } = segment;
  while (cursor.next()) if (!deletedDocs?.has(cursor.doc) && isSearched(segment, cursor, notIn)) yield cursor.doc;
}

/** Whether every posting counts: no record is deleted, and every field is searched. */
export function areAllSearched({ deletedDocs, scoring }: SearchableSegment, notIn?: ReadonlySet<string>): boolean {
  return deletedDocs === null && (notIn === undefined || notIn.size === 0) && !scoring.weights.includes(0);
}

/** Whether the field of a doc field is searched and not in `notIn`. */
export function isSearchedField(
  { postings, scoring }: SearchableSegment,
  docField: number,
  notIn?: ReadonlySet<string>,
): boolean {
  const field = fieldAt(postings, docField) & FIELD_MASK;
  // A field of weight 0 is not searched.
  return scoring.weights[field] !== 0 && !notIn?.has(postings.fields[field]!);
}

/** Whether the current record of a cursor holds the term in a searched field outside `notIn`. */
function isSearched(segment: SearchableSegment, cursor: PostingCursor, notIn?: ReadonlySet<string>): boolean {
  for (let i = 0; i < cursor.fieldCount; i++) if (isSearchedField(segment, cursor.docFieldAt(i), notIn)) return true;
  return false;
}

/** The live records of a segment that hold all of the terms in searched fields outside `notIn`, ascending; to be read once. */
export function* commonHolders(
  segment: SearchableSegment,
  texts: readonly string[],
  notIn?: ReadonlySet<string>,
): Task<Iterable<LocalDoc>> {
  const { postings } = segment;
  const lists: { readonly text: string; readonly term: number; readonly size: number }[] = [];
  for (const text of texts) {
    const term = postings.dictionary.ordinalOf(text);
    if (term === undefined) return [];
    lists.push({ text, term, size: postings.starts[term + 1]! - postings.starts[term]! });
  }
  const [rarest, ...others] = lists.sort((a, b) => a.size - b.size);
  if (rarest === undefined) return [];
  const cursors: PostingCursor[] = [];
  for (const { term } of others) cursors.push(new PostingCursor(postings, term, yield* listOf(postings, term)));
  return holdingToo(segment, yield* holdersOf(segment, rarest.text, notIn), cursors, notIn);
}

function* holdingToo(
  segment: SearchableSegment,
  docs: Iterable<LocalDoc>,
  cursors: readonly PostingCursor[],
  notIn: ReadonlySet<string> | undefined,
): Generator<LocalDoc> {
  for (const doc of docs)
    if (cursors.every((cursor) => cursor.seek(doc) && cursor.doc === doc && isSearched(segment, cursor, notIn)))
      yield doc;
}

/** The live records whose identifier is one of these index terms, ascending by their number in the index. */
export function* findIdentifiers(segments: readonly SearchableSegment[], identifiers: readonly string[]): Task<Doc[]> {
  const docs = new Set<Doc>();
  for (const segment of segments)
    for (const identifier of identifiers)
      for (const doc of yield* holdersOf(segment, identifier)) docs.add(toDoc(segment.base, doc));
  return [...docs].sort((a, b) => a - b);
}
