import { holdersOf } from "./find-holders.js";
import type { SearchableSegment } from "./match-term.js";

/** The living records that hold exactly this index term, ascending: those whose identifier equals the whole query. */
export function findIdentifier(segments: readonly SearchableSegment[], identifier: string): number[] {
  const docs: number[] = [];
  for (const segment of segments)
    for (const doc of holdersOf(segment, identifier))
      if (docs.at(-1) !== segment.base + doc) docs.push(segment.base + doc);
  return docs;
}
