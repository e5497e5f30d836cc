// The arguments of the tools: their schemas, in the keywords that draft 7 of JSON Schema and 2020-12 share, without references, because that
// is what models are given; and the mistakes in what a model sends, all of them at once, each with the path of the argument and, where one
// is near, the name or value that was probably meant. What is refused is what the schema refuses.

import { normalizeText } from "../analysis/normalize-text.js";
import { isPlainObject } from "../input/plain-data.js";
import { editDistance, show } from "../util/errors.js";
import { digitsOf } from "./prices.js";
import { type Range, withValues } from "./products.js";

/** A JSON Schema, as far as the tools use it. */
export type ToolSchema = {
  $schema?: string;
  type: "object" | "array" | "string" | "number" | "integer" | "boolean";
  description?: string;
  properties?: { [name: string]: ToolSchema };
  required?: string[];
  additionalProperties?: boolean;
  items?: ToolSchema;
  enum?: string[];
  examples?: string[];
  default?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

/** By the names of properties. */
export type ToolSchemas = NonNullable<ToolSchema["properties"]>;

export type ToolName = "search_catalog" | "lookup_catalog" | "get_product";

/** Of more texts than these, some are examples. */
export const MOST_LISTED = 100;
const MOST_EXAMPLES = 20;
export const MOST_ITEMS = 100;
export const USUAL_LIMIT = 10;

const TEXT: ToolSchema = { type: "string" };

function objectSchema(properties: ToolSchemas, required?: string[]): ToolSchema {
  return { type: "object", properties, ...(required && { required }), additionalProperties: false };
}

function listSchema(description: string, items: ToolSchema): ToolSchema {
  return { type: "array", description, items, maxItems: MOST_ITEMS };
}

/** `least`: what no bound is below. */
export function rangeSchema(type: "integer" | "number", range: Partial<Range>, least?: number): ToolSchema {
  return objectSchema({
    min: { type, ...withValues({ minimum: least, maximum: range.max }) },
    max: { type, ...withValues({ minimum: range.min ?? least }) },
  });
}

/** The schema of the price filter. `amounts`: empty where there are no prices. */
export function priceSchema(amounts: Partial<Range>, currency: string): ToolSchema {
  const factor = 10 ** digitsOf(currency);
  const unit = factor === 1 ? "whole units" : `minor units (${factor} are 1 ${currency})`;
  return { ...rangeSchema("integer", amounts, 0), description: `In ${unit} of ${currency}.` };
}

/** The schema of a filter by texts. `isWhole`: there are no others. */
export function textsSchema(values: readonly string[], isWhole: boolean): ToolSchema {
  if (isWhole) return listSchema("Any of these.", { ...TEXT, enum: [...values] });
  return listSchema("Any of these; there are more values.", { ...TEXT, examples: values.slice(0, MOST_EXAMPLES) });
}

/** The schema of a tool's arguments. */
export function inputSchema(tool: ToolName, properties: ToolSchemas, mostIds: number): ToolSchema {
  const currency = { ...TEXT, description: "ISO 4217; that of the price filter." };
  const filters: ToolSchema = { description: "All of them must hold.", ...objectSchema(properties) };
  const about = "What is known of the shopper.";
  const context: ToolSchema = { type: "object", description: about, properties: { currency } };
  const ids = { description: "Ids of products or variants, or SKUs.", items: TEXT, minItems: 1, maxItems: mostIds };
  const option = objectSchema({ name: TEXT, label: TEXT }, ["name", "label"]);
  const schemas: { readonly [T in ToolName]: ToolSchema } = {
    search_catalog: objectSchema({
      query: { ...TEXT, description: 'What is looked for, in a few words; "" for all.' },
      filters,
      pagination: objectSchema({
        cursor: { ...TEXT, description: "pagination.cursor of the page before." },
        limit: { type: "integer", minimum: 1, default: USUAL_LIMIT },
      }),
      context,
    }),
    lookup_catalog: objectSchema({ ids: { type: "array", ...ids }, filters, context }, ["ids"]),
    get_product: objectSchema(
      {
        id: { ...TEXT, description: "The id of a product or of a variant." },
        selected: listSchema("The options chosen so far; each name once.", option),
        preferences: listSchema("Names of options, the most important first: the others give way first.", TEXT),
        filters,
        context,
      },
      ["id"],
    ),
  };
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schemas[tool] };
}

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

export function mistake(code: string, path: string, content: string, suggestion?: string | number): CatalogError {
  return withValues({ type: "error", code, path, content, severity: "recoverable", suggestion } as const);
}

const TYPES: { readonly [T in ToolSchema["type"]]: readonly [name: string, isOne: (value: unknown) => boolean] } = {
  object: ["an object", isPlainObject],
  array: ["a list", Array.isArray],
  string: ["a text", (value) => typeof value === "string"],
  number: ["a number", Number.isFinite],
  integer: ["an integer", Number.isInteger],
  boolean: ["true or false", (value) => typeof value === "boolean"],
};

/** A mistake shows so many characters of a path, and so many names that there are, with so many characters. */
const LONGEST_SHOWN = 100;
const MOST_NAMED = 8;
const LONGEST_NAMED = 40;

/** What a schema refuses of plain data, in the order in which it stands there. */
export function* mistakesIn(schema: ToolSchema, value: unknown, path = "$"): Generator<CatalogError, void> {
  const { properties = {}, required = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const at = clipped(path, LONGEST_SHOWN);
  const [expected, isOne] = TYPES[schema.type];
  if (!isOne(value)) {
    yield mistake("invalid_type", path, `${at} is ${show(value)}; expected ${expected}.`);
  } else if (isPlainObject(value)) {
    for (const name of required.filter((each) => !Object.hasOwn(value, each))) {
      const [missing] = TYPES[properties[name]!.type];
      yield mistake("missing_argument", `${path}.${name}`, `${at}.${name} is missing; pass ${missing}.`);
    }
    for (const [name, inner] of Object.entries(value)) {
      const own = pathWithin(path, name);
      const hint = (): [string, string?] => hintAt(`${at} takes no ${show(name)}`, name, Object.keys(properties));
      if (inner === undefined) continue;
      if (Object.hasOwn(properties, name)) yield* mistakesIn(properties[name]!, inner, own);
      else if (schema.additionalProperties === false) yield mistake("unknown_argument", own, ...hint());
    }
    const { min, max } = value;
    if (Object.hasOwn(properties, "min") && typeof min === "number" && typeof max === "number" && min > max)
      yield mistake("out_of_range", path, `${at}.min is ${min}, above max, which is ${max}; exchange them.`);
  } else if (Array.isArray(value)) {
    if (value.length < minItems) yield mistake("missing_argument", path, `${at} is empty; name at least ${minItems}.`);
    else if (value.length > maxItems)
      yield mistake("request_too_large", path, `${at} has ${value.length} items; send at most ${maxItems} at once.`);
    else for (const [i, item] of value.entries()) yield* mistakesIn(schema.items!, item, `${path}[${i}]`);
  } else if (typeof value === "number") {
    const { minimum = value, maximum = value } = schema;
    const [bound, can] = value < minimum ? [minimum, "at least"] : [Math.min(value, maximum), "at most"];
    if (value !== bound)
      yield mistake("out_of_range", path, `${at} is ${value}; it can be ${can} ${bound} here.`, bound);
  } else if (typeof value === "string" && schema.enum?.includes(value) === false) {
    yield mistake("unknown_value", path, ...hintAt(`${at}: there is no ${show(value)}`, value, schema.enum));
  }
}

/** What to say of a name or value that is none of those there are, and the one that was probably meant. */
export function hintAt(found: string, name: string, there: readonly string[]): [content: string, meant?: string] {
  const near = nearest(name, there);
  if (near !== undefined) return [`${found}; did you mean "${near}"?`, near];
  const named = there.slice(0, MOST_NAMED).map((each) => `"${clipped(each, LONGEST_NAMED)}"`);
  const more = there.length > MOST_NAMED ? ", …" : "";
  return [named.length === 0 ? `${found}.` : `${found}; there are ${named.join(", ")}${more}.`];
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

/** The beginning of a text, whose last character is whole. */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** A text of at most so many characters, on one line. */
export function clipped(text: string, most: number): string {
  const line = cut(text, 2 * most)
    .replace(/\s+/g, " ")
    .trim();
  return text.length <= 2 * most && line.length <= most ? line : `${cut(line, most - 1)}…`;
}
