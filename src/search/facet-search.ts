import { normalizeText } from "../analysis/normalize-text.js";
import type { ValueCount } from "../docvalues/facet-counts.js";
import type { AttributeValue } from "../docvalues/filter.js";
import type { ParameterPath } from "../util/attribute-path.js";
import { Checker, isName, ownEntries } from "../util/checks.js";
import { type Complaint, SearchError, throwValidationErrors } from "../util/errors.js";
import { utf8Length } from "../util/json.js";
import { type CheckedParams, checkParams, type ParamsContext } from "./check-params.js";
import { answerQuery, type QueryContext } from "./search.js";
import type { SearchParams } from "./search-params.js";

/** Which values of a facet are searched; the other parameters are those of a query, whose hits are counted. */
export interface FacetSearchParams<R extends object>
  extends Partial<Omit<SearchParams<R>, "facets" | "page" | "hitsPerPage" | "maxValuesPerFacet">> {
  readonly facetName: ParameterPath<R>;
  /** A prefix of one of the value's words; case and accents aside. Default: all values. */
  readonly facetQuery?: string | undefined;
  /** 0 … 1,000. Default 10. */
  readonly maxFacetHits?: number | undefined;
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
  const { name, prefix, checked } = checkFacetSearch(given, params);
  const wanted = normalizeText(prefix).trim();
  const begins = prefixOfWord(wanted);
  const accept = (value: AttributeValue): boolean => begins(normalizeText(String(value)));
  const { facets } = await answerQuery(checked, context, wanted === "" ? {} : { accept }).catch((error: unknown) => {
    throw namingFacet(error);
  });
  return { facetHits: facets?.facets[name] ?? [] };
}

const OWN_NAMES = ["facetName", "facetQuery", "maxFacetHits"];

interface FacetSearch {
  readonly name: string;
  readonly prefix: string;
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
  const prefix = entries.has("facetQuery") ? entries.get("facetQuery") : "";
  if (typeof prefix !== "string") check.complain("facetQuery", prefix, "a text");
  else if (prefix.length > limits.queryBytes || utf8Length(prefix) > limits.queryBytes)
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
    prefix: prefix as string,
    checked: { ...checked!, facets, maxValuesPerFacet: Math.min(most, limits.facetValues) },
  };
}

/** An error about `facets` as one about `facetName`. */
function namingFacet(error: unknown): unknown {
  if (!(error instanceof SearchError) || error.param !== "facets") return error;
  const msg = error.msg.replace("facets names", "facetName names");
  return new SearchError(error.code, error.error, msg, { param: "facetName" });
}

/**
 * A test for texts in which a word begins with a prefix, or which begin with it. Linear in the text, however repetitive it is:
 * Knuth, Morris, Pratt, "Fast pattern matching in strings", 1977.
 */
export function prefixOfWord(prefix: string): (text: string) => boolean {
  // For each length of a matched part, the longest shorter part that ends it and begins the prefix.
  const borders = new Int32Array(prefix.length + 1);
  for (let i = 1, length = 0; i < prefix.length; i++) {
    while (length > 0 && prefix[i] !== prefix[length]) length = borders[length]!;
    if (prefix[i] === prefix[length]) length++;
    borders[i + 1] = length;
  }
  return (text) => {
    for (let i = 0, length = 0; i < text.length; i++) {
      while (length > 0 && text[i] !== prefix[length]) length = borders[length]!;
      if (text[i] === prefix[length]) length++;
      if (length < prefix.length) continue;
      const start = i + 1 - length;
      if (start === 0 || NO_LETTER_OR_DIGIT.test(text[start - 1]!)) return true;
      length = borders[length]!;
    }
    return false;
  };
}

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]/u;
