import type { ValueCount, ValueRank } from "../docvalues/facet-counts.js";
import type { ParameterPath } from "../util/attribute-path.js";
import { Checker, isName, ownEntries } from "../util/checks.js";
import { type Complaint, SearchError, throwValidationErrors } from "../util/errors.js";
import { utf8Length } from "../util/json.js";
import { type CheckedParams, checkParams, type ParamsContext } from "./check-params.js";
import { answerQuery, type QueryContext } from "./search.js";
import type { SearchParams } from "./search-params.js";
import { rankingsFor } from "./value-matcher.js";

/** Which values of a facet are searched; the other parameters are those of a query, whose hits are counted. */
export interface FacetSearchParams<R extends object>
  extends Partial<Omit<SearchParams<R>, "facets" | "page" | "hitsPerPage" | "maxValuesPerFacet">> {
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

const DEFAULT_FACET_HITS = 10;

/** Searches the values of one facet. */
export async function searchForFacetValues(
  given: unknown,
  params: ParamsContext,
  context: QueryContext,
): Promise<FacetHits> {
  const { name, typed, checked } = checkFacetSearch(given, params);
  const rankings = (mends: boolean): readonly ValueRank[] => rankingsFor(typed, mends);
  const { facets } = await answerQuery(checked, context, { rankings }).catch((error: unknown) => {
    throw namingFacet(error);
  });
  return { facetHits: facets?.facets[name] ?? [] };
}

const OWN_NAMES = ["facetName", "facetQuery", "maxFacetHits"];

interface FacetSearch {
  readonly name: string;
  readonly typed: string;
  readonly checked: CheckedParams;
}

/** Checks all parameters; complaints about the three own ones come first. */
function checkFacetSearch(given: unknown, params: ParamsContext): FacetSearch {
  const entries = ownEntries(given, "params", "invalid_request");
  const { limits } = params;
  const check = new Checker("invalid_parameter", "");
  const name = entries.get("facetName");
  if (!isName(name, limits.attributeName) || name === "*")
    check.complain("facetName", name, "the name of one attribute");
  const typed = entries.has("facetQuery") ? entries.get("facetQuery") : "";
  if (typeof typed !== "string") check.complain("facetQuery", typed, "a text");
  else if (typed.length > limits.queryBytes || utf8Length(typed) > limits.queryBytes)
    check.complain("facetQuery", "a longer text", `at most ${limits.queryBytes} bytes`, "query_too_long");
  const most = check.integer(
    "maxFacetHits",
    entries.get("maxFacetHits"),
    0,
    Number.MAX_SAFE_INTEGER,
    DEFAULT_FACET_HITS,
  );
  const rest = Object.fromEntries([...entries].filter(([key]) => !OWN_NAMES.includes(key)));
  let checked: CheckedParams | undefined;
  try {
    checked = checkParams({ query: "", ...rest, hitsPerPage: 0 }, { ...params, alsoKnown: OWN_NAMES });
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    check.complaints.push(...((error.details?.complaints as Complaint[] | undefined) ?? []));
    if (check.complaints.length === 0) throw error;
    check.cause = error.cause;
  }
  throwValidationErrors(check.complaints, 400, check.cause);
  const facets = [name as string];
  return {
    name: name as string,
    typed: typed as string,
    checked: { ...checked!, facets, maxValuesPerFacet: Math.min(most, limits.facetValues) },
  };
}

/** An error about `facets` as one about `facetName`. */
function namingFacet(error: unknown): unknown {
  if (!(error instanceof SearchError) || error.param !== "facets") return error;
  const msg = error.msg.replace("facets names", "facetName names");
  return new SearchError(error.code, error.error, msg, { param: "facetName" });
}
