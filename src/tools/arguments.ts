// The mistakes in what a model sends: all of them at once, each with the path of the argument and, where one is near, the name or value
// that was probably meant. What is refused is what the schema refuses.

import { normalizeText } from "../analysis/normalize-text.js";
import { isPlainObject, type PlainObject } from "../input/plain-data.js";
import { editDistance, show } from "../util/errors.js";
import type { ToolSchema } from "./input-schema.js";

/** What is wrong with a call, as the Universal Commerce Protocol reports it. */
export type CatalogError = {
  readonly type: "error";
  /** Stable, to switch on: `"unknown_value"`. */
  readonly code: string;
  /** The argument, as a JSONPath: `"$.filters.brand[0]"`. */
  readonly path?: string;
  /** For the model. */
  readonly content: string;
  /** `"unrecoverable"`: the same call will not succeed with other arguments. */
  readonly severity: "recoverable" | "unrecoverable";
  /** The name or value that was probably meant, or the nearest bound. */
  readonly suggestion?: string | number;
};

export function mistake(
  code: string,
  path: string,
  content: string,
  suggestion?: string | number | undefined,
): CatalogError {
  const severity = "recoverable";
  return { type: "error", code, path, content, severity, ...(suggestion !== undefined && { suggestion }) };
}

/** So many characters of a path stand in the content of a mistake. */
const LONGEST_SHOWN = 100;

const TYPES: {
  readonly [T in ToolSchema["type"]]: readonly [expected: string, isOne: (value: unknown) => boolean];
} = {
  object: ["an object", isPlainObject],
  array: ["a list", Array.isArray],
  string: ["a text", (value) => typeof value === "string"],
  number: ["a number", Number.isFinite],
  integer: ["an integer", Number.isInteger],
  boolean: ["true or false", (value) => typeof value === "boolean"],
};

/** What a schema refuses of plain data, in the order in which it stands there. */
export function* mistakesIn(schema: ToolSchema, value: unknown, path = "$"): Generator<CatalogError, void> {
  const at = clipped(path, LONGEST_SHOWN);
  const [expected, isOne] = TYPES[schema.type];
  if (!isOne(value)) {
    yield mistake("invalid_type", path, `${at} is ${show(value)}; expected ${expected}.`);
  } else if (isPlainObject(value)) {
    yield* mistakesInObject(schema, value, path);
  } else if (Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (value.length < minItems) yield mistake("missing_argument", path, `${at} is empty; name at least ${minItems}.`);
    else if (value.length > maxItems)
      yield mistake("request_too_large", path, `${at} has ${value.length} items; send at most ${maxItems} at once.`);
    else for (const [i, item] of value.entries()) yield* mistakesIn(items!, item, `${path}[${i}]`);
  } else if (typeof value === "number") {
    const { minimum = value, maximum = value } = schema;
    const bound = value < minimum ? minimum : Math.min(value, maximum);
    const can = value < bound ? "at least" : "at most";
    if (value !== bound)
      yield mistake("out_of_range", path, `${at} is ${value}; it can be ${can} ${bound} here.`, bound);
  } else if (schema.enum?.includes(value as string) === false) {
    yield unknown("unknown_value", path, `${at}: there is no ${show(value)}`, value as string, schema.enum);
  }
}

function* mistakesInObject(
  { properties = {}, required = [], additionalProperties }: ToolSchema,
  value: PlainObject,
  path: string,
): Generator<CatalogError, void> {
  const at = clipped(path, LONGEST_SHOWN);
  for (const name of required)
    if (!Object.hasOwn(value, name)) {
      const [expected] = TYPES[properties[name]!.type];
      yield mistake("missing_argument", `${path}.${name}`, `${at}.${name} is missing; pass ${expected}.`);
    }
  for (const [name, inner] of Object.entries(value)) {
    const own = pathWithin(path, name);
    if (Object.hasOwn(properties, name)) yield* mistakesIn(properties[name]!, inner, own);
    else if (additionalProperties === false)
      yield unknown("unknown_argument", own, `${at} takes no ${show(name)}`, name, Object.keys(properties));
  }
  const { min, max } = value;
  if (Object.hasOwn(properties, "min") && typeof min === "number" && typeof max === "number" && min > max)
    yield mistake("out_of_range", path, `${at}.min is ${min}, above max, which is ${max}; exchange them.`);
}

/** So many names that there are stand in a mistake, and so many characters of each. */
const MOST_NAMED = 8;
const LONGEST_NAMED = 40;

/** The mistake of a name or value that is none of those there are. */
export function unknown(
  code: string,
  path: string,
  found: string,
  name: string,
  there: readonly string[],
): CatalogError {
  const near = nearest(name, there);
  if (near !== undefined) return mistake(code, path, `${found}; did you mean "${near}"?`, near);
  const named = there.slice(0, MOST_NAMED).map((each) => `"${clipped(each, LONGEST_NAMED)}"`);
  const more = there.length > MOST_NAMED ? ", …" : "";
  return mistake(code, path, named.length === 0 ? `${found}.` : `${found}; there are ${named.join(", ")}${more}.`);
}

/** What is longer is near nothing. */
const MOST_LETTERS = 200;

/** The nearest of some names by letters, case and accents aside, the first of several; undefined: of each, more than half differ. */
function nearest(name: string, there: readonly string[]): string | undefined {
  if (name.length > MOST_LETTERS) return undefined;
  const wanted = normalizeText(name);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of there) {
    if (each.length > MOST_LETTERS) continue;
    const letters = normalizeText(each);
    const most = Math.min(least, Math.floor(letters.length / 2) + 1);
    if (Math.abs(letters.length - wanted.length) >= most) continue;
    const distance = editDistance(wanted, letters, most);
    if (distance < most) [best, least] = [each, distance];
  }
  return best;
}

/** A JSONPath (RFC 9535) of what is within. */
function pathWithin(path: string, name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `${path}.${name}`;
  return `${path}['${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`;
}

/** A text of at most so many characters, on one line. */
export function clipped(text: string, most: number): string {
  const line = text
    .slice(0, 2 * most)
    .replace(/\s+/g, " ")
    .trim();
  return text.length <= 2 * most && line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
