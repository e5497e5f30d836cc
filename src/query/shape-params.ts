// The parameters that say what a hit shows.

import type { Checker } from "../base/checks.js";
import type { Limits } from "../base/limits.js";

/** What hits show. */
export interface ShapeParams {
  /** undefined: everything. */
  readonly attributesToRetrieve: readonly string[] | undefined;
  readonly attributesToHighlight: readonly string[];
  /** Each perhaps with a number of words, `"title:5"`. */
  readonly attributesToSnippet: readonly string[];
  readonly preTag: string;
  readonly postTag: string;
  readonly ellipsis: string;
  readonly explain: boolean;
}

const LONGEST_TAG = 64;

/** Reads the parameters that say what a hit shows. */
export function readShape(named: ReadonlyMap<string, unknown>, check: Checker, limits: Limits): ShapeParams {
  const names = (name: string): readonly string[] | undefined =>
    check.names(name, named.get(name), limits.attributeName, limits.attributesToRetrieve);
  const tag = (name: string, fallback: string): string => {
    const value = named.has(name) ? named.get(name) : fallback;
    if (typeof value === "string" && value.length <= LONGEST_TAG) return value;
    check.refuse(name, value, `a text of at most ${LONGEST_TAG} characters`);
    return fallback;
  };
  return {
    attributesToRetrieve: names("attributesToRetrieve"),
    attributesToHighlight: names("attributesToHighlight") ?? [],
    attributesToSnippet: names("attributesToSnippet") ?? [],
    preTag: tag("highlightPreTag", "<em>"),
    postTag: tag("highlightPostTag", "</em>"),
    ellipsis: tag("snippetEllipsisText", "…"),
    explain: check.boolean("explain", named.get("explain"), false),
  };
}
