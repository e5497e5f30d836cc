// A segment as the text search sees it: its postings, its deleted records, and the weights and mean lengths of its fields.

import type { DocSet } from "../util/doc-set.js";
import type { FieldScoring } from "./bm25.js";
import { ImpactCache } from "./impact-cache.js";
import type { Postings } from "./postings.js";
import { TitleCache } from "./title/title-words.js";

/** A segment within a snapshot. */
export interface SearchableSegment {
  readonly postings: Postings;
  /** Deleted or replaced records; null: none. */
  readonly deletedDocs: DocSet | null;
  /** Number of this segment's first record in the whole index. */
  readonly base: number;
  /** Weight and mean length of each of its fields, by the field's number. */
  readonly scoring: FieldScoring;
  readonly caches: TextCaches;
}

/** Everything that queries compute from the postings of a segment and keep with it. It changes no answer. */
export class TextCaches {
  /** Impact lists of terms, in a fixed room for each posting of the segment. */
  readonly impacts: ImpactCache;
  /** Counts and ordinals of the words of titles, one array of each, and a limited number of terms. */
  readonly titles: TitleCache;
  /** The last norms: a write that changes no mean leaves them, and all that was computed from them. */
  scoring: FieldScoring | undefined = undefined;

  constructor(postings: Postings) {
    this.impacts = new ImpactCache(postings);
    this.titles = new TitleCache(postings);
  }
}
