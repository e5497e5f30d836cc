// The schemas of the tools' arguments. They are in the keywords that draft 7 of JSON Schema and 2020-12 share, without references, because
// that is what models are given, and each filter says what there is.

import type { Facet, Range } from "./catalog.js";
import type { Money } from "./prices.js";
import { withValues } from "./products.js";

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

export type ToolName = "search_catalog" | "lookup_catalog" | "get_product";

/** The values of texts that a list of them names; of more, some are examples. */
const MOST_LISTED = 100;
const MOST_EXAMPLES = 20;
export const MOST_ITEMS = 100;
export const USUAL_LIMIT = 10;

export const TEXT: ToolSchema = { type: "string" };

export function objectSchema(properties: ToolSchema["properties"], required?: string[]): ToolSchema {
  return { type: "object", properties: properties!, ...(required && { required }), additionalProperties: false };
}

function listSchema(items: ToolSchema, description?: string): ToolSchema {
  return { type: "array", ...(description !== undefined && { description }), items, maxItems: MOST_ITEMS };
}

/** `least`: what no bound is below. */
function rangeSchema(type: "integer" | "number", range: Partial<Range>, least?: number): ToolSchema {
  return objectSchema({
    min: { type, ...withValues({ minimum: least, maximum: range.max }) },
    max: { type, ...withValues({ minimum: range.min ?? least }) },
  });
}

/** The schema of the price filter; undefined: there are no prices. */
export function priceSchema(amounts: Range | undefined, { currency, digits }: Money): ToolSchema {
  const unit = digits === 0 ? "whole units" : `minor units (${10 ** digits} are 1 ${currency})`;
  return { ...rangeSchema("integer", amounts ?? {}, 0), description: `In ${unit} of ${currency}.` };
}

/** The schema of a filter by an attribute. `all`: of many texts, too, all that are known are listed. */
export function facetSchema(facet: Facet, all = false): ToolSchema {
  if (facet.kind === "booleans") return { type: "boolean" };
  if (facet.kind === "numbers") return rangeSchema("number", facet);
  const { values } = facet;
  if (all || values.length <= MOST_LISTED) return listSchema({ ...TEXT, enum: [...values] }, "Any of these.");
  return listSchema({ ...TEXT, examples: values.slice(0, MOST_EXAMPLES) }, "Any of these; there are more values.");
}

const CONTEXT: ToolSchema = {
  type: "object",
  description: "What is known of the shopper.",
  properties: { currency: { ...TEXT, description: "ISO 4217; that of the price filter." } },
};

/** The schema of a tool's arguments. */
export function inputSchema(tool: ToolName, filters: ToolSchema["properties"], mostIds: number): ToolSchema {
  const common = { filters: { description: "All of them must hold.", ...objectSchema(filters) }, context: CONTEXT };
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...ARGUMENTS[tool](common, mostIds) };
}

const ARGUMENTS: {
  readonly [T in ToolName]: (common: { filters: ToolSchema; context: ToolSchema }, mostIds: number) => ToolSchema;
} = {
  search_catalog: ({ filters, context }) =>
    objectSchema({
      query: { ...TEXT, description: 'What is looked for, in a few words; "" for all.' },
      filters,
      pagination: objectSchema({
        cursor: { ...TEXT, description: "pagination.cursor of the page before." },
        limit: { type: "integer", minimum: 1, default: USUAL_LIMIT },
      }),
      context,
    }),
  lookup_catalog: (common, mostIds) => {
    const description = "Ids of products or variants, or SKUs.";
    return objectSchema(
      { ids: { type: "array", description, items: TEXT, minItems: 1, maxItems: mostIds }, ...common },
      ["ids"],
    );
  },
  get_product: (common) =>
    objectSchema(
      {
        id: { ...TEXT, description: "The id of a product or of a variant." },
        selected: listSchema(
          objectSchema({ name: TEXT, label: TEXT }, ["name", "label"]),
          "The options chosen so far; each name once.",
        ),
        preferences: listSchema(TEXT, "Names of options, the most important first: the others give way first."),
        ...common,
      },
      ["id"],
    ),
};
