// What queries search by words: the segments of a snapshot, and the statistics of all of them.

import type { SearchableSegment } from "./searchable-segment.js";
import { Vocabulary } from "./vocabulary.js";

/** The text of an index, with the statistics that scores depend on. */
export interface TextCorpus {
  readonly segments: readonly SearchableSegment[];
  /** The number of records with deleted ones: all record numbers are below it. */
  readonly maxDoc: number;
  /** The number of live records. */
  readonly docCount: number;
  /** k1 of BM25. */
  readonly k1: number;
  readonly caches: CorpusCaches;
}

/** What queries derive from a corpus and keep with it. No answer depends on it. */
export class CorpusCaches {
  /** The same corpus restricted to some fields, by their names; a limited number of them. */
  readonly restricted: Map<string, TextCorpus> = new Map();
  vocabulary: Vocabulary | undefined = undefined;
}

/** The words that live records of a corpus hold. */
export function vocabularyOf({ segments, caches }: TextCorpus): Vocabulary {
  caches.vocabulary ??= new Vocabulary(segments);
  return caches.vocabulary;
}
