// Searches the values of one facet, counted as a query with the same parameters counts them.

import type { ValueCount, ValueRank } from "../../docvalues/facet-counts.js";
import { Checker } from "../../input/checker.js";
import { valuesOf } from "../../input/facets.js";
import { readEntries } from "../../input/kinds.js";
import { FACET_PARAMETERS, type FacetSearchValues } from "../../input/parameter-table.js";
import { type CheckedParams, checkParams, type ParamsContext, readForm, takeParams } from "../../input/read-params.js";
import type { SearchParams } from "../../input/search-params.js";
import type { ParameterPath } from "../../util/attribute-path.js";
import { type Complaint, SearchError, throwValidationErrors } from "../../util/errors.js";
import { answerQuery, type QueryContext } from "../run-query.js";
import { rankingsFor } from "./value-matcher.js";

/** Which values of a facet are searched; the other parameters are those of a query, whose hits are counted. */
export interface FacetSearchParams<R extends object>
  extends Partial<
    Omit<SearchParams<R>, "facets" | "page" | "hitsPerPage" | "offset" | "length" | "maxValuesPerFacet">
  > {
  readonly facetName: ParameterPath<R>;
  /** What one of the value's words begins with; case, accents and signs aside. Default: all values. */
  readonly facetQuery?: string | undefined;
  /** 0 … 1,000. Default 10. */
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
  const { facets } = await answerQuery(checked, context, { rankings, listsAll: false }).catch((error: unknown) => {
    throw namingFacet(error, "facetName");
  });
  return { facetHits: facets?.facets[name] ?? [] };
}

const OWN_NAMES: readonly string[] = Object.keys(FACET_PARAMETERS);
/** Which hits are shown does not matter. */
const LEFT_OUT: readonly string[] = [...OWN_NAMES, "offset", "length"];

export interface FacetSearch {
  readonly name: string;
  readonly typed: string;
  readonly checked: CheckedParams;
}

/** Checks all parameters of either form; complaints about the three own ones come first. */
export function checkFacetSearch(given: unknown, params: ParamsContext): FacetSearch {
  const { limits, bounds } = params;
  const named = readForm(takeParams(given, limits), params);
  const check = new Checker("invalid_parameter", "");
  const { facetName, facetQuery, maxFacetHits } = readEntries<FacetSearchValues>(FACET_PARAMETERS, named, {
    check,
    limits,
    dimensions: 0,
  });
  const rest = Object.fromEntries(Object.entries(named).filter(([key]) => !LEFT_OUT.includes(key)));
  let checked: CheckedParams | undefined;
  try {
    // What is given here, no rule changes.
    const own = { query: "", facets: [], maxValuesPerFacet: 0 };
    checked = checkParams({ ...own, ...rest, hitsPerPage: 0 }, { ...params, alsoKnown: OWN_NAMES });
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    check.complaints.push(...((error.details?.complaints as Complaint[] | undefined) ?? []));
    if (check.complaints.length === 0) throw error;
  }
  throwValidationErrors(check.complaints);
  return {
    name: facetName,
    typed: facetQuery,
    checked: {
      ...checked!,
      facets: [valuesOf(facetName)],
      maxValuesPerFacet: Math.min(maxFacetHits, bounds?.maxHitsPerPage ?? maxFacetHits),
    },
  };
}

/** An error about `facets` as one about the parameter that names one facet. */
export function namingFacet(error: unknown, param: string): unknown {
  if (!(error instanceof SearchError) || error.param !== "facets") return error;
  const msg = error.msg.replace("facets names", `${param} names`);
  return new SearchError(error.code, error.error, msg, { param });
}
