// The only error class of the library. A message says what was found, what was expected and what to do. It is printable, has at most
// 400 characters, and never contains a record or a path.

import { addBrand } from "./brand.js";

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
