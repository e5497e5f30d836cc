import { describe, expect, it } from "vitest";
import { Checker, copyList, ownEntries, unknownName } from "../../src/util/checks.js";
import { thrownBy } from "../support/refusal.js";

const check = () => new Checker("invalid_setting", "settings");

/** What is said about the one value that was refused. */
function complaintOf(use: (checker: Checker) => unknown) {
  const checker = check();
  const value = use(checker);
  expect(checker.complaints).toHaveLength(1);
  return { value, ...checker.complaints[0]! };
}

describe("ownEntries", () => {
  it("takes own, enumerable properties that are not undefined", () => {
    const given = Object.create({ inherited: 1 }, { hidden: { value: 2, enumerable: false } });
    Object.assign(given, { a: 3, b: undefined, c: null });
    expect([...ownEntries(given, "x", "bad")]).toEqual([
      ["a", 3],
      ["c", null],
    ]);
  });

  it("reads each property once", () => {
    let reads = 0;
    const given = Object.defineProperty({}, "a", { get: () => ++reads, enumerable: true });
    expect(ownEntries(given, "x", "bad").get("a")).toBe(1);
    expect(reads).toBe(1);
  });

  it("takes a name that means something to JavaScript as any other", () => {
    const given: unknown = JSON.parse('{ "__proto__": 1, "constructor": 2 }');
    expect([...ownEntries(given, "x", "bad").keys()]).toEqual(["__proto__", "constructor"]);
  });

  for (const wrong of [null, undefined, 5, "text", [1], () => 1])
    it(`refuses ${typeof wrong} ${JSON.stringify(wrong)}`, () => {
      expect(thrownBy(() => ownEntries(wrong, "options", "bad"))).toMatchObject({ error: "bad", param: "options" });
    });

  it("refuses what throws when it is read, with the cause", () => {
    const cause = new Error("from the getter");
    const given = Object.defineProperty({}, "a", {
      enumerable: true,
      get: () => {
        throw cause;
      },
    });
    expect(thrownBy(() => ownEntries(given, "options", "bad"))).toMatchObject({ code: 400, error: "bad", cause });
  });
});

describe("Checker", () => {
  it("gives defaults for what was left out, without a complaint", () => {
    const checker = check();
    expect(checker.number("n", undefined, 0, 1, 0.5)).toBe(0.5);
    expect(checker.integer("n", undefined, 0, 1, 1)).toBe(1);
    expect(checker.oneOf("n", undefined, ["a", "b"], "b")).toBe("b");
    expect([checker.name("n", undefined, 9, "id"), checker.names("n", undefined, 9, 9)]).toEqual(["id", undefined]);
    expect(checker.complaints).toEqual([]);
  });

  it("takes numbers up to both ends of their range, and -0 as 0", () => {
    const checker = check();
    expect([0, 1, 0.25, -0].map((value) => checker.number("n", value, 0, 1, 9))).toEqual([0, 1, 0.25, 0]);
    expect([2, 4, -0].map((value) => checker.integer("n", value, -2, 4, 9))).toEqual([2, 4, 0]);
    expect(checker.complaints).toEqual([]);
  });

  for (const value of ["1", null, Number.NaN, -0.01, 1.01, Number.POSITIVE_INFINITY, 1n, true, [1]])
    it(`refuses ${typeof value} ${String(value)} as a number from 0 to 1`, () => {
      const refused = complaintOf((checker) => checker.number("ratio", value, 0, 1, 0.4));
      expect(refused).toMatchObject({ value: 0.4, error: "invalid_setting", param: "ratio" });
      expect(refused.msg).toMatch(/^settings\.ratio is .*; expected a number from 0 to 1\.$/);
    });

  for (const value of [1.5, 0, 11, "2", Number.NaN])
    it(`refuses ${typeof value} ${value} as an integer from 1 to 10`, () => {
      expect(complaintOf((checker) => checker.integer("m", value, 1, 10, 5, "bad_m"))).toMatchObject({
        value: 5,
        error: "bad_m",
      });
    });

  it("refuses other words than the allowed ones, and lists these", () => {
    const refused = complaintOf((checker) => checker.oneOf("kind", "toString", ["auto", "exact"], "auto"));
    expect(refused.value).toBe("auto");
    expect(refused.msg).toBe('settings.kind is "toString"; expected one of "auto", "exact".');
  });

  for (const value of ["", "x".repeat(10), "a\nb", "a\u007f", 5, null])
    it(`refuses ${JSON.stringify(value)} as a name of 1 to 9 characters`, () => {
      expect(complaintOf((checker) => checker.name("n", value, 9, "id")).value).toBe("id");
      expect(complaintOf((checker) => checker.names("n", [value], 9, 5)).value).toBeUndefined();
    });

  it("takes a list of names as a frozen copy", () => {
    const given = ["a", "b.c"];
    const names = check().names("n", given, 9, 2);
    expect([names, Object.isFrozen(names), Object.isFrozen(given)]).toEqual([["a", "b.c"], true, false]);
    expect(complaintOf((checker) => checker.names("n", ["a", "b", "c"], 9, 2)).msg).toContain("at most 2");
    expect(complaintOf((checker) => checker.names("n", "a", 9, 2)).value).toBeUndefined();
  });

  it("leaves out the group in messages where there is none", () => {
    const checker = new Checker("invalid_parameter", "");
    checker.complain("page", 0, "an integer");
    expect(checker.complaints[0]?.msg).toBe("page is 0; expected an integer.");
  });
});

describe("copyList", () => {
  it("copies an array, holes as undefined, and nothing else", () => {
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    expect(copyList([1, , 3], 3)).toEqual([1, undefined, 3]);
    expect([{ length: 1 }, "ab", new Uint8Array(2), null].map((value) => copyList(value, 9))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("gives undefined for an array that is too long, without looking at its items", () => {
    expect(copyList(Object.assign([], { length: 2 ** 32 - 1 }), 1000)).toBeUndefined();
    expect(copyList([1, 2], 1)).toBeUndefined();
  });

  it("gives undefined for an array that cannot be read", () => {
    const { proxy, revoke } = Proxy.revocable([1], {});
    revoke();
    expect(copyList(proxy, 9)).toBeUndefined();
  });
});

it("speaks of the nearest known name, or of the known ones", () => {
  expect(unknownName("setting", "bm52", ["bm25", "fusion"])).toBe('setting "bm52" is unknown; did you mean bm25?');
  expect(unknownName("setting", "zzzzzz", ["bm25", "fusion"])).toBe(
    'setting "zzzzzz" is unknown; known are bm25, fusion.',
  );
});
