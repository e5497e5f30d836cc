// The mistakes in what a model sends: all of them at once, each with the path of the argument and, where one is near, the name or value
// that was probably meant. What is refused is what the schema refuses.

import { normalizeText } from "../analysis/normalize-text.js";
import { isPlainObject } from "../input/plain-data.js";
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

const EXPECTED: { readonly [T in ToolSchema["type"]]: string } = {
  ...{ object: "an object", array: "a list", string: "a text", number: "a number" },
  ...{ integer: "an integer", boolean: "true or false" },
};
const IS: { readonly [T in ToolSchema["type"]]: (value: unknown) => boolean } = {
  object: isPlainObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => Number.isFinite(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
};

/** What a schema refuses of plain data, in the order in which it stands there. */
export function* mistakesIn(schema: ToolSchema, value: unknown, path = "$"): Generator<CatalogError, void> {
  const at = shown(path);
  if (!IS[schema.type](value)) {
    yield mistake("invalid_type", path, `${at} is ${show(value)}; expected ${EXPECTED[schema.type]}.`);
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
    if (value < minimum) yield outOfRange(path, value, "at least", minimum);
    else if (value > maximum) yield outOfRange(path, value, "at most", maximum);
  } else if (schema.enum?.includes(value as string) === false) {
    yield unknown("unknown_value", path, `${at}: there is no ${show(value)}`, value as string, schema.enum);
  }
}

function* mistakesInObject(
  schema: ToolSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Generator<CatalogError, void> {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of required)
    if (!Object.hasOwn(value, name))
      yield mistake(
        "missing_argument",
        `${path}.${name}`,
        `${shown(path)}.${name} is missing; pass ${EXPECTED[properties[name]!.type]}.`,
      );
  let isRight = true;
  for (const [name, inner] of Object.entries(value)) {
    const own = pathWithin(path, name);
    const found = Object.hasOwn(properties, name)
      ? mistakesIn(properties[name]!, inner, own)
      : additionalProperties === false
        ? [unknown("unknown_argument", own, `${shown(path)} takes no ${show(name)}`, name, Object.keys(properties))]
        : [];
    for (const each of found) {
      isRight = false;
      yield each;
    }
  }
  const { min, max } = value;
  if (isRight && Object.hasOwn(properties, "min") && typeof min === "number" && typeof max === "number" && min > max)
    yield mistake("out_of_range", path, `${shown(path)}.min is ${min}, above max, which is ${max}; exchange them.`);
}

function outOfRange(path: string, value: number, which: string, bound: number): CatalogError {
  return mistake("out_of_range", path, `${shown(path)} is ${value}; it can be ${which} ${bound} here.`, bound);
}

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

const MOST_LETTERS = 200;

/** A JSONPath (RFC 9535) of what is within. */
function pathWithin(path: string, name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `${path}.${name}`;
  return `${path}['${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`;
}

const LONGEST_SHOWN = 100;

function shown(path: string): string {
  return clipped(path, LONGEST_SHOWN);
}

/** A text of at most so many characters, on one line. */
export function clipped(text: string, most: number): string {
  const line = text
    .slice(0, 2 * most)
    .replace(/\s+/g, " ")
    .trim();
  return text.length <= 2 * most && line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
