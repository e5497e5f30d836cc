import { expect, it } from "vitest";
import { hintAt, show, showKind, showNames } from "../../src/util/errors.js";

it.each([
  ...[
    "limit hitsPerPage",
    "Size hitsPerPage",
    "q query",
    "where filters",
    "skip offset",
    "fields attributesToRetrieve",
  ],
  ...["searchableFields searchableAttributes", "fields searchableAttributes", "limit"],
])("what other engines call a parameter or a setting is proposed by its name here, if that is known: %s", (row) => {
  const [name = "", own] = row.split(" ");
  const parameters = ["query", "hitsPerPage", "offset", "filters", "attributesToRetrieve"];
  const settings = ["searchableAttributes", "idAttribute", "hitsPerPages"];
  const hint = hintAt(name, parameters.includes(own ?? "") ? parameters : settings);
  if (own === undefined) expect(hint).toMatch(/^; known are/);
  else expect(hint).toBe(`; did you mean "${own}"?`);
});

it.each([
  ["drill", '"drill"'],
  ['say "hi"', '"say \\"hi\\""'],
  [1.5, "1.5"],
  [-0, "-0"],
  [Number.NaN, "NaN"],
  [true, "true"],
  [null, "null"],
  [undefined, "undefined"],
  // Of everything else the kind, without looking into it.
  [7n, "a BigInt"],
  [Symbol("x"), "a symbol"],
  [() => 1, "a function"],
  [[1], "an array"],
  [{ secret: "x" }, "an object"],
  // Every character that could steer a terminal or leave ASCII is escaped.
  ["a\u001b[31m\né\u202e", '"a\\u001b[31m\\u000a\\u00e9\\u202e"'],
  [" !~", '" !~"'],
  ["\u001f\u007f\u0080\uffff", '"\\u001f\\u007f\\u0080\\uffff"'],
  // At most 80 characters of a text, quotes included, and never half an escape.
  ["é".repeat(1000), `"${"\\u00e9".repeat(12)}…"`],
  ["x".repeat(77), `"${"x".repeat(77)}"`],
  ["x".repeat(78), `"${"x".repeat(77)}…"`],
  [`${"x".repeat(71)}é`, `"${"x".repeat(71)}\\u00e9"`],
  [`${"x".repeat(72)}é`, `"${"x".repeat(72)}…"`],
])("show: %o is %s", (value, shown) => expect(show(value)).toBe(shown));

it.each([
  [[..."abcdefghij"], "a, b, c, d, e, f, g, h and 2 more"],
  [[..."abcdefghi"], "a, b, c, d, e, f, g, h, i"],
  [["a", "b"], "a, b"],
  [[], ""],
  [["n".repeat(60)], `${"n".repeat(39)}…`],
  [["n".repeat(39)], "n".repeat(39)],
])("showNames lists the first names, cut at 40 characters, and counts the rest unless it is one: %j", (names, shown) => {
  expect(showNames(names)).toBe(shown);
});

it("a kind is shown without its content", () => {
  expect(["secret", 5, null, [1], {}].map(showKind)).toEqual(["a text", "5", "null", "an array", "an object"]);
});

it.each([
  ["brend", ["price", "brand"], '; did you mean "brand"?'],
  ["zzzzzz", ["price", "brand", "id"], "; known are brand, id, price."],
  ["zzzzzz", [..."jihgfedcba"], "; known are a, b, c, d, e, f, g, h and 2 more."],
  ["zzzzzz", [], "; no name is known."],
])("hintAt %s among %j suggests the nearest name, else lists them in order", (name, known, hint) => {
  expect(hintAt(name, known)).toBe(hint);
});
