import { describe, expect, it } from "vitest";
import { hintAt, show, showKind, showNames } from "../../src/util/errors.js";

it("what other engines call a parameter or a setting is proposed by its name here, if that is known", () => {
  const parameters = ["query", "hitsPerPage", "offset", "filters", "attributesToRetrieve"];
  const settings = ["searchableAttributes", "idAttribute", "hitsPerPages"];
  for (const [name, own] of [
    ...[
      ["limit", "hitsPerPage"],
      ["Size", "hitsPerPage"],
      ["q", "query"],
      ["where", "filters"],
      ["skip", "offset"],
    ],
    ["fields", "attributesToRetrieve"],
  ] as const)
    expect(hintAt(name, parameters)).toBe(`; did you mean "${own}"?`);
  expect(hintAt("searchableFields", settings)).toBe('; did you mean "searchableAttributes"?');
  expect(hintAt("fields", settings)).toBe('; did you mean "searchableAttributes"?');
  expect(hintAt("limit", settings)).toMatch(/^; known are/);
});

describe("show", () => {
  it("quotes texts and prints plain values as a programmer writes them", () => {
    expect(["drill", 'say "hi"', 1.5, -0, Number.NaN, true, null, undefined].map(show)).toEqual([
      '"drill"',
      '"say \\"hi\\""',
      "1.5",
      "-0",
      "NaN",
      "true",
      "null",
      "undefined",
    ]);
  });

  it("names the kind of everything else without looking into it", () => {
    const values = [7n, Symbol("x"), () => 1, [1], { secret: "x" }];
    expect(values.map(show)).toEqual(["a BigInt", "a symbol", "a function", "an array", "an object"]);
  });

  it("escapes every character that could steer a terminal or leave ASCII", () => {
    expect(show("a\u001b[31m\né\u202e")).toBe('"a\\u001b[31m\\u000a\\u00e9\\u202e"');
  });

  it("shows at most 80 characters of a text, and never half an escape", () => {
    const shown = show("é".repeat(1000));
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(shown).toMatch(/^"(?:\\u00e9)+…"$/);
  });

  it("prints ASCII from the blank to the tilde, and escapes its neighbours", () => {
    expect(show(" !~")).toBe('" !~"');
    expect(show("\u001f\u007f\u0080\uffff")).toBe('"\\u001f\\u007f\\u0080\\uffff"');
    expect(show("x".repeat(78))).toBe(`"${"x".repeat(77)}…"`);
    expect(show(`${"x".repeat(71)}é`)).toBe(`"${"x".repeat(71)}\\u00e9"`);
    expect(show(`${"x".repeat(72)}é`)).toBe(`"${"x".repeat(72)}…"`);
  });

  it("leaves a text alone that just fits, quotes included", () => {
    expect(show("x".repeat(77))).toBe(`"${"x".repeat(77)}"`);
    expect(show("x".repeat(90))).toHaveLength(80);
  });
});

describe("showNames", () => {
  it("lists the first names and counts the rest", () => {
    expect(showNames([..."abcdefghij"])).toBe("a, b, c, d, e, f, g, h and 2 more");
    expect(showNames(["a", "b"])).toBe("a, b");
    expect(showNames([])).toBe("");
  });

  it("cuts long names at 40 characters", () => {
    expect(showNames(["n".repeat(60)])).toBe(`${"n".repeat(39)}…`);
  });
});

it("a kind is shown without its content", () => {
  expect(["secret", 5, null, [1], {}].map(showKind)).toEqual(["a text", "5", "null", "an array", "an object"]);
});

it("no single name is left to a count", () => {
  expect(showNames([..."abcdefghi"])).toBe("a, b, c, d, e, f, g, h, i");
  expect(showNames(["n".repeat(39)])).toBe("n".repeat(39));
});

describe("hintAt", () => {
  it("suggests the nearest name, as it is written", () => {
    expect(hintAt("brend", ["price", "brand"])).toBe('; did you mean "brand"?');
  });

  it("lists the known names in order where none is near", () => {
    expect(hintAt("zzzzzz", ["price", "brand", "id"])).toBe("; known are brand, id, price.");
    expect(hintAt("zzzzzz", [..."jihgfedcba"])).toBe("; known are a, b, c, d, e, f, g, h and 2 more.");
    expect(hintAt("zzzzzz", [])).toBe("; no name is known.");
  });
});
