// The only error class of the library. A message says what was found, what was expected and what to do. It is printable, has at most
// 400 characters, and never contains a record or a path. Values in it are quoted on one line, with all characters outside printable ASCII
// escaped, so no terminal control, line break or bidirectional mark of a caller's text reaches a log.

import { addBrand } from "./brand.js";

const MAX_SHOWN = 80;
const MOST_NAMES = 8;

/** A printable form of any value for a message, at most 80 characters; never calls into the value. */
export function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `"${printable(value, MAX_SHOWN - 2)}"`;
    case "number":
    case "boolean":
    case "undefined":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return "a BigInt";
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    default:
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
  }
}

/** The kind of a value without its content, for values that may be part of a record. */
export function showKind(value: unknown): string {
  return typeof value === "string" ? "a text" : show(value);
}

const MAX_CAUSE = 200;

/**
 * What somebody else's code threw: the message of an error and that of its cause, or a text, at most 200 characters, quoted. Anything
 * else by its kind.
 */
export function showCause(thrown: unknown): string {
  const messages = [propertyOf(thrown, "message"), propertyOf(propertyOf(thrown, "cause"), "message")];
  const texts =
    typeof thrown === "string" ? [thrown] : messages.filter((each) => typeof each === "string" && each !== "");
  return texts.length === 0 ? show(thrown) : `"${printable(texts.join(": "), MAX_CAUSE - 2)}"`;
}

/** A property of somebody else's value; undefined if there is none. */
export function propertyOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** A list of names for a message, in their order: up to nine, or eight and the count of the others. */
export function showNames(names: readonly string[]): string {
  const shown = names.slice(0, names.length === MOST_NAMES + 1 ? names.length : MOST_NAMES);
  const left = names.length - shown.length;
  return shown.map((name) => printable(name, 40)).join(", ") + (left > 0 ? ` and ${left} more` : "");
}

/** What other engines and databases call parameters and settings, in lower case, by the names here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  hitsPerPage: "limit size top count perpage per_page pagesize page_size maxresults numhits k first",
  offset: "skip from start",
  query: "q text search term searchterm querytext querystring",
  filters: "filter where filter_by filterby fq",
  facetFilters: "refinements",
  facets: "facet facet_by facetby aggregations aggs",
  sort: "sortby sort_by orderby order_by order",
  attributesToRetrieve: "fields select include include_fields attributes",
  attributesToHighlight: "highlight highlight_fields",
  typoTolerance: "fuzzy fuzziness tolerance num_typos typo",
  queryType: "prefix prefixsearch",
  boosts: "boost",
  restrictSearchableAttributes: "searchfields queryfields in",
  searchableAttributes: "searchablefields fields searchfields indexfields searchable_attributes query_by",
  attributesForFaceting: "filterableattributes filterable facetfields facets filterable_attributes",
  attributeForDistinct: "group_by groupby distinctattribute",
  customRanking: "rankingrules ranking",
  idAttribute: "primarykey primary_key idfield id ref key objectid",
  semanticWeight: "hybrid alpha semanticratio vectorweight",
};

/** What to write instead of an unknown name, as the end of a sentence: what it is called here, the nearest known name, or the known ones, sorted. */
export function hintAt(name: string, known: readonly string[]): string {
  const isMeant = ([own, others]: readonly [string, string]): boolean =>
    known.includes(own) && others.split(" ").includes(name.toLowerCase());
  const near = Object.entries(OTHER_NAMES).find(isMeant)?.[0] ?? nearestName(name, known);
  if (near !== undefined) return `; did you mean ${show(near)}?`;
  return known.length === 0 ? "; no name is known." : `; known are ${showNames([...known].sort())}.`;
}

/** The message about an unknown name: it suggests the nearest known name, or lists the known ones. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  return `${kind} ${show(name)} is unknown${hintAt(name, known)}`;
}

function printable(text: string, most: number): string {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const piece =
      code >= 0x20 && code < 0x7f ? (code === 0x22 ? '\\"' : text[i]!) : `\\u${code.toString(16).padStart(4, "0")}`;
    if (out.length + piece.length > most - 1) return `${out}…`;
    out += piece;
  }
  return out;
}

const MAX_COMPARED = 64;
const MAX_CANDIDATES = 1000;

/**
 * The known name nearest to `name`, for "did you mean …?"; undefined when none is within a third of its length (at least 2).
 * The distance is optimal string alignment without regard to case (Damerau 1964: insertions, deletions, substitutions and
 * swaps of neighbours count one each). Ties go to the first. Only the first 1,000 known names are compared.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_COMPARED) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  let compared = 0;
  for (const candidate of known) {
    if (++compared > MAX_CANDIDATES) break;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Rows of the table of distances: the one before the previous, the previous, the current. */
const ROWS = [0, 1, 2].map(() => new Uint16Array(4 * MAX_COMPARED));

/** The distance of two texts, or `most` if it is at least that. The second has at most 255 characters. */
export function editDistance(a: string, b: string, most: number): number {
  let [beforePrevious, previous, row] = ROWS as [Uint16Array, Uint16Array, Uint16Array];
  if (b.length >= row.length) return most;
  for (let j = 0; j <= b.length; j++) previous[j] = j;
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforePrevious[j - 2]! + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    // A swap continues from the row before, so both rows must be too far.
    if (least >= most && leastBefore + 1 >= most) return most;
    leastBefore = least;
    [beforePrevious, previous, row] = [previous, row, beforePrevious];
  }
  return Math.min(previous[b.length]!, most);
}

/** The envelope that a server sends instead of an answer. */
export interface ErrorEnvelope {
  readonly msg: string;
  readonly code: number;
  readonly data: null;
  readonly error: string;
}

/** One thing that is wrong with a call. All complaints of a call are reported together. */
export interface Complaint {
  /** Stable string to switch on, such as `"invalid_page"`. */
  readonly error: string;
  /** The parameter, setting or position it is about, such as `"page"` or `"records[3]"`. */
  readonly param: string;
  readonly msg: string;
  /** Further data, such as positions in a filter. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The optional parts of a {@link SearchError}. */
type SearchErrorOptions = {
  readonly param?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
};

const MAX_MESSAGE = 400;
const MAX_COMPLAINTS_SHOWN = 10;

/**
 * The error of every call that fails.
 *
 * `code` is HTTP-like (400 invalid, 404 unknown index, 409 exists, 413 too large, 499 aborted, 502 embedder failed,
 * 503 closed, 507 full); `error` is a stable string such as `"index_not_found"`; `msg` is for people and may change. `instanceof`
 * knows the errors of all copies of the library in the process, such as one loaded by `require` and one by `import`.
 *
 * @example
 * try {
 *   await query("products", { query: "drill", page: 0 });
 * } catch (error) {
 *   if (error instanceof SearchError && error.error === "invalid_page") console.log(error.toEnvelope());
 * }
 */
export class SearchError extends Error {
  override readonly name: string = "SearchError";
  readonly code: number;
  readonly error: string;
  /** The parameter or setting that the error is about, if there is one. */
  readonly param: string | undefined;
  /** Further data as JSON values: positions, all complaints, limits. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, error: string, msg: string, options: SearchErrorOptions = {}) {
    super(clip(msg), Object.hasOwn(options, "cause") ? { cause: options.cause } : undefined);
    this.code = code;
    this.error = error;
    this.param = options.param;
    this.details = options.details;
  }

  static {
    addBrand(SearchError, "SearchError");
  }

  /** The same text as `message`, under the envelope's name. */
  get msg(): string {
    return this.message;
  }

  /** The documented envelope of a failure: `{ msg, code, data: null, error }`. */
  toEnvelope(): ErrorEnvelope {
    return { msg: this.msg, code: this.code, data: null, error: this.error };
  }
}

/**
 * Throws one error for all complaints of a call, if there are any. The first complaint gives `error` and `param`. `total`:
 * how many there were, if only the first are kept.
 */
export function throwValidationErrors(
  complaints: readonly Complaint[],
  code = 400,
  cause?: unknown,
  total: number = complaints.length,
): void {
  if (complaints.length === 0) return;
  const first = complaints[0]!;
  const shown = complaints.slice(0, MAX_COMPLAINTS_SHOWN);
  const more = total > shown.length ? ` (${total} complaints in all)` : "";
  const details = { ...first.details, complaints: shown, total };
  const options = { param: first.param, details };
  throw new SearchError(
    code,
    first.error,
    shown.map((complaint) => complaint.msg).join(" ") + more,
    cause === undefined ? options : { ...options, cause },
  );
}

/** An error for a single complaint. */
export function refusal(error: string, param: string, msg: string, code = 400): SearchError {
  return new SearchError(code, error, msg, { param });
}

function clip(msg: string): string {
  const printable = msg.replace(/[^\x20-\x7e…]/g, "?");
  return printable.length <= MAX_MESSAGE ? printable : `${printable.slice(0, MAX_MESSAGE - 1)}…`;
}

/** The error of what comes after the engine was closed: 503 `closed`. */
export function engineClosed(): SearchError {
  return new SearchError(503, "closed", "The engine is closed; create a new one.");
}
