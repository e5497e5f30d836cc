import { holdersOf } from "./find-holders.js";
import type { SearchableSegment } from "./searchable-segment.js";

/** The living records that hold one of these index terms, ascending: those whose identifier equals the whole query. */
export function findIdentifiers(segments: readonly SearchableSegment[], identifiers: readonly string[]): number[] {
  const docs = new Set<number>();
  for (const segment of segments)
    for (const identifier of identifiers)
      for (const doc of holdersOf(segment, identifier)) docs.add(segment.base + doc);
  return [...docs].sort((a, b) => a - b);
}
