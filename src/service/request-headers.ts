// The three headers of a request. A header that is repeated counts as wrong: nobody can say which of its values is meant.

/** Headers as a framework has them. Names in any case; a list of one value counts as that value, an empty one as no header. */
export type RequestHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The class `Headers` of the Fetch standard. */
export interface FetchHeaders {
  get(name: string): string | null;
  [Symbol.iterator](): Iterator<[string, string]>;
}

/** A header: its value, nothing, or `null` when it is repeated or no text. */
type Header = string | undefined | null;

/** What the headers of a request say. */
export interface ReadHeaders {
  readonly applicationId: string | undefined;
  readonly apiKey: string | undefined;
  /** Whether the body is declared as JSON. */
  readonly isJson: boolean;
}

/** Reads the three headers, each once. */
export function readHeaders(headers: unknown): ReadHeaders {
  const read = Array.from(entriesOf(headers), ([name, value]) => [name.toLowerCase(), headerOf(value)] as const);
  const named = (name: string): Header => {
    const found = read.filter(([own, header]) => own === name && header !== undefined);
    return found.length > 1 ? null : found[0]?.[1];
  };
  return {
    applicationId: singleValue(named("x-search-application-id")),
    apiKey: singleValue(named("x-search-api-key")),
    isJson: isJson(named("content-type") ?? ""),
  };
}

function entriesOf(headers: unknown): Iterable<[string, unknown]> {
  if (typeof headers !== "object" || headers === null) return [];
  // Also the class of another realm, or of a package.
  const isFetch = Object.prototype.toString.call(headers) === "[object Headers]";
  return isFetch ? (headers as Iterable<[string, unknown]>) : Object.entries(headers);
}

function headerOf(value: unknown): Header {
  if (value === undefined || typeof value === "string") return value;
  if (!Array.isArray(value) || value.length > 1) return null;
  const [only] = value as readonly unknown[];
  return value.length === 0 || typeof only === "string" ? (only as string | undefined) : null;
}

/** The value of a header that names something; `undefined` when it is missing, empty or repeated, also in one text with a comma. */
function singleValue(header: Header): string | undefined {
  return typeof header === "string" && header !== "" && !header.includes(",") ? header : undefined;
}

const MEDIA_TYPE = /^\s*application\/json\s*(?=;|$)/i;
const PARAMETER = /;\s*([^\s=;,"]+)=("(?:[^"\\]|\\.)*"|[^\s;,"]*)\s*/y;

/** Whether a body is declared as JSON: `application/json`, with any parameters, of which a charset must be utf-8. */
function isJson(text: string): boolean {
  const [start] = MEDIA_TYPE.exec(text) ?? [];
  if (start === undefined) return false;
  PARAMETER.lastIndex = start.length;
  for (let end = start.length; end < text.length; end = PARAMETER.lastIndex) {
    const [, name, value] = PARAMETER.exec(text) ?? [];
    if (name === undefined) return /^;?\s*$/.test(text.slice(end));
    if (name.toLowerCase() === "charset" && !/^"?utf-8"?$/i.test(value!)) return false;
  }
  return true;
}
