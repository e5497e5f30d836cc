// JSON values, and the size and memory of their texts.

/** A JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A record as it is stored: a JSON object. */
export type JsonRecord = { readonly [name: string]: JsonValue };

/** A value of a record as it is written: a JSON value, in which a `Date` may stand for its ISO text. */
export type WrittenValue =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly WrittenValue[]
  | { readonly [name: string]: WrittenValue };

const STRING_HEAD = 16;

/** The approximate bytes of a text on V8's heap: a header, and one byte per character if all are Latin-1, else two. */
export function heapBytes(text: string): number {
  let width = 1;
  for (let i = 0; i < text.length && width === 1; i++) if (text.charCodeAt(i) > 0xff) width = 2;
  return STRING_HEAD + 8 * Math.ceil((text.length * width) / 8);
}

/** An unambiguous text for a list of texts. */
export function joinKeys(texts: readonly string[]): string {
  return texts.map((text) => `${text.length}:${text}`).join("");
}

/** The UTF-8 bytes of a text, counted without encoding it; a lone surrogate counts as three. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** From this many characters on, V8 stores a substring as a view that keeps the whole text alive. */
const SHORTEST_VIEW = 13;
/** V8 stores a text whose characters are at most this in one byte each. */
const LAST_NARROW = 0xff;

/** A copy of a text in memory of its own, for substrings that outlive the text they were cut from. */
export function copyText(text: string): string {
  if (text.length < SHORTEST_VIEW) return text;
  // A text decoded from UTF-16 takes two bytes per character from then on.
  const coding = isNarrow(text) ? "latin1" : "utf16le";
  return Buffer.from(text, coding).toString(coding);
}

function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > LAST_NARROW) return false;
  return true;
}

/** Like the operator `in`, but for own properties only. */
export function has<T extends object, K extends PropertyKey>(
  value: T,
  name: K,
): value is Extract<T, { readonly [name in K]: unknown }> {
  return Object.hasOwn(value, name);
}

/** An object of JSON; undefined: another value. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** The value at a path of names; undefined: there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const name of path) {
    const object = objectIn(here);
    if (object === undefined || !Object.hasOwn(object, name)) return undefined;
    here = object[name];
  }
  return here;
}
