// A text as HTML with what the query found between tags, under Algolia's names. The text is escaped, the tags are not.

import { type MatchLevel, markText, matchLevel, paintText, type Tags, type TermMatcher } from "./mark-text.js";

/** One highlighted text. */
export interface HighlightResult {
  /** The whole text, `& < > " '` escaped, found words between the tags. */
  readonly value: string;
  /** How many of the query's terms the text holds: none, some, all. */
  readonly matchLevel: MatchLevel;
  /** True when every word of the text was found. */
  readonly fullyHighlighted: boolean;
  /** The terms of the query that were found, in the order of the text. */
  readonly matchedWords: readonly string[];
}

/** Highlights what the matcher finds in a text. */
export function highlightText(text: string, matcher: TermMatcher, tags: Tags): HighlightResult {
  const marking = markText(text, matcher);
  return {
    value: paintText(text, 0, text.length, marking.marks, tags),
    matchLevel: matchLevel(marking, matcher),
    fullyHighlighted: marking.isWhole,
    matchedWords: marking.keys,
  };
}
