// What is said of a filter that is refused: what was found, what was expected and what to do. The message is the remedy.

import { describe, expect, it } from "vitest";
import { readFacetFilters } from "../../src/docvalues/facet-filters.js";
import { quoteFilterValue } from "../../src/docvalues/filter.js";
import { readFilterObject } from "../../src/docvalues/filter-object.js";
import { parseFilter } from "../../src/docvalues/parse-filter.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const SMALL: Limits = { ...DEFAULT_LIMITS, filterBytes: 60, filterDepth: 2, filterConditions: 2, filterValues: 2 };
const saidOf = (call: () => unknown): string => thrownBy(call).msg;

const circle: Record<string, unknown> = {};
circle.NOT = circle;
const throwing = Object.defineProperty({}, "a", {
  enumerable: true,
  get: () => {
    throw new Error("theirs");
  },
});

describe("a filter as text, refused, says", () => {
  for (const [text, says] of [
    ["a:b c", 'position 4: found "c"; expected AND, OR or the end; put quotes around a value of several words.'],
    ["a:b AND", "position 7: found the end; expected an attribute, as in brand:Forge."],
    [
      "OR",
      'position 0: found "OR"; expected an attribute, as in brand:Forge; put quotes around OR where it is a name or a value.',
    ],
    ["a", "position 1: found the end; expected one of : = != < <= > >= EXISTS; put quotes around a name with blanks."],
    [
      'a "b"',
      'position 2: found the quoted "b"; expected one of : = != < <= > >= EXISTS; put quotes around a name with blanks.',
    ],
    ["a b", 'position 2: found "b"; expected one of : = != < <= > >= EXISTS; put quotes around a name with blanks.'],
    ["a exists", 'position 2: found "exists"; expected one of : = != < <= > >= EXISTS; write keywords in capitals.'],
    ["a TO", 'position 2: found "TO"; expected one of : = != < <= > >= EXISTS; put quotes around a name with blanks.'],
    ["a (", 'position 2: found "("; expected one of : = != < <= > >= EXISTS; put quotes around a name with blanks.'],
    ["a )", 'position 2: found ")"; expected one of : = != < <= > >= EXISTS; put quotes around a name with blanks.'],
    ["a:", "position 2: found the end; expected a value."],
    ["a:TO", 'position 2: found "TO"; expected a value; put quotes around TO where it is a name or a value.'],
    ["a:(", 'position 2: found "("; expected a value; put quotes around what holds any of ( ) = < > ! :.'],
    ["a == b", 'position 3: found "="; expected a value; write one "=".'],
    ["a:b)", 'position 3: found ")"; expected AND, OR or the end; put a "(" before it, or leave it out.'],
    ["a:b:c", 'position 3: found ":"; expected AND, OR or the end; put quotes around a value with it.'],
    [
      "a:b EXISTS",
      'position 4: found "EXISTS"; expected AND, OR or the end; put quotes around EXISTS where it is a name or a value.',
    ],
    ["a:b Not c:d", 'position 4: found "Not"; expected AND, OR or the end; write keywords in capitals.'],
    [
      "a:b notes",
      'position 4: found "notes"; expected AND, OR or the end; put quotes around a value of several words.',
    ],
    ["a:b hand", 'position 4: found "hand"; expected AND, OR or the end; put quotes around a value of several words.'],
    [
      'a:b "and"',
      'position 4: found the quoted "and"; expected AND, OR or the end; put quotes around a value of several words.',
    ],
    [
      'a:b "OR" c:d',
      'position 4: found the quoted "OR"; expected AND, OR or the end; put quotes around a value of several words.',
    ],
    [
      'a:5 "TO" 6',
      'position 4: found the quoted "TO"; expected AND, OR or the end; put quotes around a value of several words.',
    ],
    [
      'a:b ""',
      'position 4: found the quoted ""; expected AND, OR or the end; put quotes around a value of several words.',
    ],
    ["(a:b", 'position 0: found a "(" that is never closed; put a ")" after it.'],
    ["(a:b c)", 'position 5: found "c"; expected AND, OR or ")"; put quotes around a value of several words.'],
    ["a > b", 'position 4: found "b"; expected a number such as 5, -2.5 or 1e3, without quotes.'],
    ["a > '5'", 'position 4: found the quoted "5"; expected a number such as 5, -2.5 or 1e3, without quotes.'],
    [
      "a > 1e999",
      'position 4: found "1e999", a number that cannot be represented exactly; pass fewer digits, or put quotes around a code.',
    ],
    ["a ! b", 'position 2: found a "!" alone; write != or NOT.'],
    ["a:'b", "position 2: found a quote ' that is never closed; close it, or put \\ before it."],
    [
      "a:'\\x'",
      `position 3: found the unknown escape "\\x"; expected \\\\ \\" \\' \\n \\t or \\u and four hexadecimal digits.`,
    ],
    [
      "a:'\\u12'",
      `position 3: found the unknown escape "\\u"; expected \\\\ \\" \\' \\n \\t or \\u and four hexadecimal digits.`,
    ],
  ] as const)
    it(says, () => expect(saidOf(() => parseFilter(text, DEFAULT_LIMITS))).toBe(`filters, ${says}`));

  it("which limit it passes", () => {
    const said = (text: string) => saidOf(() => parseFilter(text, SMALL));
    expect(said("x".repeat(61))).toBe("filters has more than 60 bytes; shorten it, or pass an object.");
    expect(said("((a:b))")).toBe("filters is nested deeper than 2 levels; write it flatter.");
    expect(said("a:1 OR a:2 OR a:3")).toBe("filters has more than 2 conditions; pass fewer, or a list.");
  });
});

describe("a filter as an object, refused, says", () => {
  const PLAIN = "pass a plain object.";
  const KINDS = "expected a text, a finite number, a boolean or null.";
  for (const [given, says] of [
    [null, ` is null; ${PLAIN}`],
    [new Map(), ` is an object; ${PLAIN}`],
    [{ NOT: 5 }, ` is 5; ${PLAIN}`],
    [{ NOT: undefined }, ` is undefined; ${PLAIN}`],
    [
      Object.create(Object.create(Object.prototype, { hasOwnProperty: { value: () => true } })),
      ` is an object; ${PLAIN}`,
    ],
    [{ a: new Map() }, `: "a" is an object; ${PLAIN}`],
    [{ a: {} }, ': "a" is an empty object; pass a value or an operator such as lt.'],
    [{ [Symbol("a")]: 1 }, " has a symbol as a key; pass names."],
    [{ a: { [Symbol("a")]: 1 } }, ': "a" has a symbol as a key; pass names.'],
    [circle, " holds itself; pass an object without circles."],
    [throwing, " could not be read (a getter or proxy threw); pass plain objects."],
    [{ $a: 1 }, ' has the unknown key "$a"; pass attributes, AND, OR and NOT (a text can filter by it).'],
    [{ AND: 5 }, ": AND is 5; pass a list of objects."],
    [{ OR: {} }, ": OR is an object; pass a list of objects."],
    [{ a: undefined }, `: "a": eq is undefined; ${KINDS}`],
    [{ a: { ne: undefined } }, `: "a": ne is undefined; ${KINDS}`],
    [{ a: [[]] }, `: "a": in is an array; ${KINDS}`],
    [{ a: { in: 5 } }, ': "a": in is 5; expected a list of values.'],
    [{ a: { exists: 1 } }, ': "a": exists is 1; expected true or false.'],
    [{ a: { between: 5 } }, ': "a": between is 5; expected two numbers, as in [5, 100].'],
    [{ a: { between: [1] } }, ': "a": between is an array; expected two numbers, as in [5, 100].'],
    [{ a: { between: [1, "2"] } }, ': "a": between is "2"; expected a finite number.'],
    [{ a: { gte: "5" } }, ': "a": gte is "5"; expected a finite number.'],
    [
      { a: { exist: true } },
      ': "a": operator "exist" is unknown; did you mean exists? A nested attribute is named by its path, as in "category.main".',
    ],
    [
      { a: { zzzzzz: 5 } },
      ': "a": operator "zzzzzz" is unknown; known are eq, ne, lt, lte, gt, gte, between, in, exists. A nested attribute is named by its path, as in "category.main".',
    ],
  ] as const)
    it(says, () => expect(saidOf(() => readFilterObject(given, DEFAULT_LIMITS))).toBe(`filters${says}`));

  it("which limit it passes", () => {
    const said = (given: unknown) => saidOf(() => readFilterObject(given, SMALL));
    expect(said({ NOT: { NOT: { a: 1 } } })).toBe("filters is nested deeper than 2 levels; write it flatter.");
    expect(said({ a: 1, b: 2, c: 3 })).toBe("filters has more than 2 conditions; pass fewer, or a list.");
    expect(said({ a: [1, 2, 3] })).toBe("filters has more than 2 values in its lists; pass fewer.");
  });

  it("that there is a cause only where something was thrown", () => {
    expect("cause" in thrownBy(() => readFilterObject(null, DEFAULT_LIMITS))).toBe(false);
    expect("cause" in thrownBy(() => readFilterObject(throwing, DEFAULT_LIMITS))).toBe(true);
  });
});

describe("clicks, refused, say", () => {
  const FORMS = 'pass a list such as [["brand:Forge", "brand:Volt"], "colors:black"], or an object.';
  const COLON = 'expected an attribute, a colon and a value: "brand:Forge".';
  for (const [given, says] of [
    ["brand:Forge", ` is "brand:Forge"; ${FORMS}`],
    [null, ` is null; ${FORMS}`],
    [new Map(), " is an object; pass a plain object."],
    [[5], ` holds 5; ${FORMS}`],
    [[[5]], ` holds 5; ${FORMS}`],
    [["brand"], ` holds "brand"; ${COLON}`],
    [[":Forge"], ` holds ":Forge"; ${COLON}`],
    [[["a:1", "a:2", "b:3"]], ' has "a" and "b" in one inner list; give each attribute its own.'],
    [{ OR: [] }, ' has the key "OR"; pass attributes alone, or use filters.'],
    [{ AND: "x" }, ' has the key "AND"; pass attributes alone, or use filters.'],
    [{ NOT: "x" }, ' has the key "NOT"; pass attributes alone, or use filters.'],
    [{ $a: 1 }, ' has the key "$a"; pass attributes alone, or use filters.'],
  ] as const)
    it(says, () => expect(saidOf(() => readFacetFilters(given, DEFAULT_LIMITS))).toBe(`facetFilters${says}`));
});

it("a value that cannot be quoted is told with what can", () => {
  expect(saidOf(() => quoteFilterValue(Number.NaN))).toBe(
    "quoteFilterValue was given NaN; pass a text, a finite number or a boolean.",
  );
});
