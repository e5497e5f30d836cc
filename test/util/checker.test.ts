// The checks of single values, to the letter: both ends of what is taken, and what is said of the rest.

import { describe, expect, it } from "vitest";
import { Checker, copyItems, copyList, isName, ownEntries, unknownName } from "../../src/util/checks.js";
import { SearchError } from "../../src/util/errors.js";
import { thrownBy } from "../support/refusal.js";

type Use = (checker: Checker) => unknown;

/** What is read, and what is said. */
function read(use: Use): readonly [value: unknown, ...said: readonly string[]] {
  const checker = new Checker("invalid_setting", "settings");
  const value = use(checker);
  return [value, ...checker.complaints.map(({ error, param, msg }) => `${error} ${param}: ${msg}`)];
}

const throwing = (cause: unknown) =>
  Object.defineProperty({}, "a", {
    enumerable: true,
    get: () => {
      throw cause;
    },
  });

describe("a value is refused", () => {
  const refused: readonly (readonly [Use, unknown, string])[] = [
    [(c) => c.number("n", 2, 0, 1, 0.5), 0.5, "invalid_setting n: settings.n is 2; expected a number from 0 to 1."],
    [(c) => c.number("n", 2, 0, 1, 0.5, "bad"), 0.5, "bad n: settings.n is 2; expected a number from 0 to 1."],
    [(c) => c.integer("n", 0.5, 0, 1, 1), 1, "invalid_setting n: settings.n is 0.5; expected an integer from 0 to 1."],
    [(c) => c.integer("n", 2, 0, 1, 1, "bad"), 1, "bad n: settings.n is 2; expected an integer from 0 to 1."],
    [(c) => c.oneOf("n", "x", ["a", "b"], "b", "bad"), "b", 'bad n: settings.n is "x"; expected one of "a", "b".'],
    [(c) => c.boolean("n", 1, true), true, "invalid_setting n: settings.n is 1; expected true or false."],
    [
      (c) => c.name("n", "", 9, "id"),
      "id",
      'invalid_setting n: settings.n is ""; expected an attribute name of 1 to 9 characters.',
    ],
    [
      (c) => c.names("n", ["a", ""], 9, 5),
      undefined,
      "invalid_setting n: settings.n is an array; expected a list of at most 5 attribute names of 1 to 9 characters.",
    ],
    [
      (c) => c.texts("n", ["abc"], 2, 5),
      undefined,
      "invalid_setting n: settings.n is an array; expected a list of at most 5 texts of at most 2 characters.",
    ],
    [(c) => c.texts("n", ["a", 5], 2, 5), undefined, expect.stringContaining("settings.n is an array")],
    [(c) => c.texts("n", [["a"]], 2, 5), undefined, expect.stringContaining("settings.n is an array")],
    [(c) => c.texts("n", ["a", "b"], 2, 1), undefined, expect.stringContaining("at most 1 texts")],
    [(c) => c.texts("n", "a", 2, 1), undefined, expect.stringContaining('settings.n is "a"')],
  ];
  it.each(refused)("%s", (use, value, said) => expect(read(use)).toEqual([value, said]));
});

describe("a value is taken", () => {
  const taken: readonly (readonly [Use, unknown])[] = [
    [(c) => c.number("n", 0, 0, 1, 0.5), 0],
    [(c) => c.number("n", -0, 0, 1, 0.5), 0],
    [(c) => c.number("n", 1, 0, 1, 0.5), 1],
    [(c) => c.integer("n", -0, 0, 2, 1), 0],
    [(c) => c.integer("n", 2, 0, 2, 1), 2],
    [(c) => c.oneOf("n", "a", ["a", "b"], "b"), "a"],
    [(c) => c.oneOf("n", "b", ["a", "b"], "a"), "b"],
    [(c) => c.boolean("n", false, true), false],
    [(c) => c.boolean("n", true, false), true],
    [(c) => c.boolean("n", undefined, true), true],
    [(c) => c.name("n", "abc", 3, "id"), "abc"],
    [(c) => c.names("n", [], 3, 0), []],
    [(c) => c.texts("n", undefined, 3, 3), undefined],
    [(c) => c.texts("n", ["abc", ""], 3, 2), ["abc", ""]],
  ];
  it.each(taken)("%s", (use, value) => expect(read(use)).toEqual([value]));

  it("as a frozen copy, where it is a list of texts", () => {
    const given = ["a"];
    const [list] = read((c) => c.texts("n", given, 3, 3));
    expect([Object.isFrozen(list), Object.isFrozen(given)]).toEqual([true, false]);
  });
});

describe("a name", () => {
  it("holds no control, at its ends neither", () => {
    const named = (text: string) => isName(text, 9);
    expect([" ", "a b", "~", "\u0080", "é"].map(named)).toEqual([true, true, true, true, true]);
    expect(["\u0000", "\u001f", "a\u001fb", "\u007f", "a\n"].map(named)).toEqual([false, false, false, false, false]);
  });

  it("that is unknown is told with up to twelve that are known", () => {
    const known = Array.from({ length: 13 }, (_, i) => `name${i}`);
    const said = `kind "zzzzzzzz" is unknown; known are ${known.slice(0, 12).join(", ")}, … (1 more).`;
    expect(unknownName("kind", "zzzzzzzz", known)).toBe(said);
  });
});

describe("a list", () => {
  it("is copied up to the length that is allowed", () => {
    expect([copyList([1, 2], 2), copyList([], 0), copyList([1], 0)]).toEqual([[1, 2], [], undefined]);
    expect(copyItems({ length: 2, 0: "a", 1: "b", 2: "c" })).toEqual(["a", "b"]);
  });
});

describe("the entries of an object", () => {
  it("that cannot be read are told with a remedy", () => {
    const cause = new Error("theirs");
    expect(thrownBy(() => ownEntries(throwing(cause), "options", "bad"))).toMatchObject({
      code: 400,
      error: "bad",
      param: "options",
      msg: "options could not be read (a getter or proxy threw); pass a plain object.",
      cause,
    });
    expect(thrownBy(() => ownEntries([], "options", "bad"))).toMatchObject({
      code: 400,
      msg: "options is an array; pass an object.",
    });
    expect(thrownBy(() => ownEntries(null, "options", "bad")).msg).toBe("options is null; pass an object.");
  });

  it("let a refusal of ours through", () => {
    const ours = new SearchError(499, "aborted", "Ours.");
    expect(thrownBy(() => ownEntries(throwing(ours), "options", "bad"))).toBe(ours);
  });
});
