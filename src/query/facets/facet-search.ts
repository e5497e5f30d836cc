// Searches the values of one facet, counted as a query with the same parameters counts them.

import type { ValueCount, ValueRank } from "../../docvalues/value-counts.js";
import { valuesOf } from "../../input/facets.js";
import { FACET_PARAMETERS, type FacetSearchValues } from "../../input/parameter-table.js";
import { type CheckedParams, checkParams, type ParamsContext, readOwn } from "../../input/read-params.js";
import type { SearchParams } from "../../input/search-params.js";
import type { ParameterPath } from "../../util/attribute-path.js";
import { SearchError } from "../../util/errors.js";
import { answerQuery, type QueryContext } from "../run-query.js";
import { rankingsFor } from "./value-matcher.js";

/** Which values of a facet are searched; the other parameters are those of a query, whose hits are counted. */
export interface FacetSearchParams<R extends object>
  extends Partial<
    Omit<SearchParams<R>, "facets" | "page" | "hitsPerPage" | "offset" | "length" | "cursor" | "maxValuesPerFacet">
  > {
  readonly facetName: ParameterPath<R>;
  /** What one of the value's words begins with; case, accents and signs aside. Default: all values. */
  readonly facetQuery?: string | undefined;
  /** How many values are found at most: 0 … 1,000, more is clamped. Default 10. */
  readonly maxFacetHits?: number | undefined;
}

/** Values with their counts: what equals the text, what begins with it, what has it in a later word; the most frequent first. */
export interface FacetHits {
  readonly facetHits: readonly ValueCount[];
}

/** Searches the values of one facet. */
export async function searchForFacetValues(
  given: unknown,
  params: ParamsContext,
  context: QueryContext,
): Promise<FacetHits> {
  const { name, typed, checked } = checkFacetSearch(given, params);
  const rankings = (mends: boolean): readonly ValueRank[] => rankingsFor(typed, mends);
  const { facets } = await answerQuery(checked, context, { rankings }).catch((error: unknown) => {
    throw namingFacet(error, "facetName");
  });
  return { facetHits: facets?.facets[name] ?? [] };
}

const OWN_NAMES: readonly string[] = Object.keys(FACET_PARAMETERS);
/** Which hits are shown does not matter. */
const LEFT_OUT: readonly string[] = [...OWN_NAMES, "offset", "length", "cursor"];

/** Checks all parameters of either form; complaints about the three own ones come first. */
export function checkFacetSearch(
  given: unknown,
  params: ParamsContext,
): { readonly name: string; readonly typed: string; readonly checked: CheckedParams } {
  const { values, named, complaints } = readOwn<FacetSearchValues>(FACET_PARAMETERS, given, params);
  const { facetName, facetQuery, maxFacetHits } = values;
  const rest = Object.fromEntries(Object.entries(named).filter(([key]) => !LEFT_OUT.includes(key)));
  // What is given here, no rule changes.
  const own = { query: "", facets: [], maxValuesPerFacet: 0 };
  const asked = { ...own, ...rest, hitsPerPage: 0 };
  const checked = checkParams(asked, { ...params, alsoKnown: OWN_NAMES }, (others) => [...complaints, ...others]);
  const maxValuesPerFacet = Math.min(maxFacetHits, params.bounds?.maxHitsPerPage ?? maxFacetHits);
  return {
    name: facetName,
    typed: facetQuery,
    checked: { ...checked, facets: [valuesOf(facetName)], maxValuesPerFacet },
  };
}

/** An error about `facets` as one about the parameter that names one facet. */
export function namingFacet(error: unknown, param: string): unknown {
  if (!(error instanceof SearchError) || error.param !== "facets") return error;
  const msg = error.msg.replace("facets names", `${param} names`);
  return new SearchError(error.code, error.error, msg, { param });
}
