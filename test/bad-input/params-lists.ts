// Rows P15 and P21: lists, objects, true and false in an encoded string.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const refusal = (param: string, error = "invalid_parameter"): Refusal => ({ code: 400, error, param });
const LIST_NAMES = ["facets", "sort", "attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"];
const BOOLEANS = ["distinct", "typoTolerance", "advancedSyntax", "explain"];

/** A query with one more parameter, written as it is into the encoded string. */
const withRaw =
  (name: string) =>
  (world: World, text: unknown): unknown =>
    world.ask({ params: `query=kettle&${name}=${text}` });

/** The answer is that of the object form. */
function sameAs(name: string, texts: readonly string[], value: unknown): Row[] {
  return texts.map((text) => ({
    row: "P15",
    what: `${name}=${text}`,
    run: async (world) => [await withRaw(name)(world, text), await world.ask({ query: "kettle", [name]: value })],
    expect: (result) => {
      const [encoded, object] = result as unknown[];
      expect(encoded).toEqual(object);
    },
  }));
}

/** Rows P15 and P21 of lists and booleans. */
export const LISTS: readonly Row[] = [
  ...sameAs("facets", ['["brand"]', "brand", "%5B%22brand%22%5D", "brand,brand", '["brand","brand"]'], ["brand"]),
  ...sameAs(
    "facets",
    ["brand,price", '["brand","price"]', "brand%2Cprice", '[ "brand",\n"price" ]'],
    ["brand", "price"],
  ),
  ...sameAs("facets", ["", "[]"], []),
  ...sameAs("facets", ["*"], ["*"]),
  ...sameAs("sort", ["price:asc,brand:desc", '["price:asc","brand:desc"]'], ["price:asc", "brand:desc"]),
  ...sameAs("attributesToRetrieve", ["title,-note", '["title","-note"]'], ["title", "-note"]),
  ...sameAs("attributesToRetrieve", ["", "[]"], []),
  ...sameAs("optionalWords", ["red,blue", '["red","blue"]'], ["red", "blue"]),
  ...sameAs("facetFilters", ['["brand:Forge"]', "brand:Forge"], ["brand:Forge"]),
  ...sameAs("facetFilters", ['[["brand:Forge","brand:Volt"],"price:10"]'], [["brand:Forge", "brand:Volt"], "price:10"]),
  ...sameAs("facetFilters", ['{"brand":["Forge"],"price":{"lt":20}}'], { brand: ["Forge"], price: { lt: 20 } }),
  ...sameAs("facetFilters", ["", "[]", "{}"], []),
  ...sameAs("filters", ["brand:Forge", "brand%3AForge", '{"brand":"Forge"}', "brand+%3D+Forge"], "brand:Forge"),
  ...sameAs("highlightPreTag", ["%3Cb%3E", "<b>"], "<b>"),
  ...LIST_NAMES.flatMap((name) =>
    refusedEach(
      "P15",
      name,
      shown(
        "[",
        "[5",
        '["brand"',
        '["brand",]',
        "{}",
        '{"0":"brand"}',
        "[5]",
        "[null]",
        "[[]]",
        "['brand']",
        "%5B",
        ",",
        "brand,",
      ),
      withRaw(name),
      refusal(name),
    ),
  ),
  ...refusedEach(
    "P15",
    "unknown facets",
    shown('["x"]', "x,y", "brand, price", '"brand"', "null"),
    withRaw("facets"),
    refusal("facets", "unknown_field"),
  ),
  ...refusedEach(
    "P15",
    "facetFilters",
    shown("[", '["brand:Forge"', "brand", "[5]", "{", "{'a':1}", '{"brand":{}}', "null", "[[[]]]"),
    withRaw("facetFilters"),
    refusal("facetFilters", "invalid_facet_filters"),
  ),
  ...refusedEach(
    "P15",
    "filters",
    shown("{", "{'brand':'x'}", '{"brand":{}}', "[]", '["brand:Forge"]', "null", '{"brand":"Forge"'),
    withRaw("filters"),
    refusal("filters", "invalid_filter"),
  ),
  {
    row: "P15",
    what: "deeply nested JSON is refused",
    run: async (world) => {
      const errors: unknown[] = [];
      for (const name of ["filters", "facetFilters", "facets", "vector", "sort"])
        for (const text of [
          "[".repeat(16_000),
          `${"[".repeat(8000)}${"]".repeat(8000)}`,
          `${'{"NOT":'.repeat(1500)}{}${"}".repeat(1500)}`,
        ])
          errors.push(await Promise.resolve(withRaw(name)(world, text)).catch((error: unknown) => error));
      return errors;
    },
    expect: (result) => expect(result).toEqual(new Array(15).fill(expect.objectContaining({ code: 400 }))),
  },
  ...BOOLEANS.flatMap((name) => [
    ...refusedEach(
      "P21",
      name,
      shown("1", "0", "yes", "no", "", "True", "TRUE", "on", "%20true", "true%20", "null", "[true]"),
      withRaw(name),
      refusal(name),
    ),
    ...passedEach("P21", name, shown("false"), withRaw(name), (result) => expect(result).toMatchObject({ nbHits: 1 })),
  ]),
  ...passedEach(
    "P21",
    "true for",
    BOOLEANS.slice(1).map((name) => [name, name] as const),
    (world, name) => withRaw(String(name))(world, "true"),
    (result) => expect(result).toMatchObject({ nbHits: 1 }),
  ),
  {
    row: "P21",
    what: "distinct=true without an attributeForDistinct",
    run: (world) => withRaw("distinct")(world, "true"),
    expect: refusal("distinct"),
  },
  ...refusedEach(
    "P21",
    "maxValuesPerFacet",
    shown("", "-1", "1.5", "1e2", "05", "+5", "x"),
    withRaw("maxValuesPerFacet"),
    refusal("maxValuesPerFacet"),
  ),
];
