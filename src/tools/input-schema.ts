// The schemas of the tools' arguments. They are in the keywords that draft 7 of JSON Schema and 2020-12 share, without references, because
// that is what models are given, and each filter says what there is.

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
