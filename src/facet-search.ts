import type { ValueCount } from "./attributes/facet-counts.js";
import { ownEntries } from "./base/checks.js";
import { SearchError } from "./base/errors.js";
import { show } from "./base/show.js";
import { normalizeText } from "./language/normalize-text.js";
import { checkParams, type ParamsContext } from "./query/check-params.js";
import type { AttributePath } from "./query/filter-types.js";
import type { SearchParams } from "./query/search-params.js";
import { answerQuery, type QueryContext } from "./run-query.js";

/** What to look for among the values of a facet; the other parameters say among which hits. */
export interface FacetSearchParams<R extends object>
  extends Partial<Omit<SearchParams<R>, "facets" | "page" | "hitsPerPage" | "maxValuesPerFacet">> {
  readonly facetName: AttributePath<R>;
  /** A prefix of one of the value's words; case and accents aside. Default: all values. */
  readonly facetQuery?: string;
  /** 0 … 1,000. Default 10. */
  readonly maxFacetHits?: number;
}

/** Values with their counts, the most frequent first. */
export interface FacetHits {
  readonly facetHits: readonly ValueCount[];
}

const DEFAULT_FACET_HITS = 10;

/** Searches the values of one facet. */
export async function searchForFacetValues(
  given: unknown,
  params: ParamsContext,
  context: QueryContext,
): Promise<FacetHits> {
  const {
    facetName,
    facetQuery = "",
    maxFacetHits = DEFAULT_FACET_HITS,
    ...rest
  } = Object.fromEntries(ownEntries(given, "params", "invalid_request"));
  if (typeof facetName !== "string" || facetName === "" || facetName === "*")
    throw invalid("facetName", facetName, "the name of one attribute");
  if (typeof facetQuery !== "string") throw invalid("facetQuery", facetQuery, "a text");
  if (!Number.isInteger(maxFacetHits) || (maxFacetHits as number) < 0)
    throw invalid("maxFacetHits", maxFacetHits, "an integer from 0");
  const checked = checkParams({ query: "", ...rest, facets: [facetName], hitsPerPage: 0 }, params);
  const { ranked } = await answerQuery({ ...checked, maxValuesPerFacet: Number.POSITIVE_INFINITY }, context);
  const wanted = normalizeText(facetQuery).trim();
  const matches = (ranked.facets?.[facetName] ?? []).filter(({ value }) =>
    beginsWith(normalizeText(String(value)), wanted),
  );
  return { facetHits: matches.slice(0, Math.min(maxFacetHits as number, params.limits.facetValues)) };
}

/** True when the text, from its beginning or from the beginning of one of its words, begins with the prefix. */
function beginsWith(text: string, prefix: string): boolean {
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1))
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  return false;
}

function invalid(param: string, found: unknown, expected: string): SearchError {
  return new SearchError(400, "invalid_parameter", `${param} is ${show(found)}; pass ${expected}.`, { param });
}
