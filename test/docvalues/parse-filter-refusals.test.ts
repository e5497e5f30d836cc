// Texts that are no filter: where they are wrong, what the message says, and the limits.

import { describe, expect, it } from "vitest";
import type { Condition, Filter } from "../../src/docvalues/filter.js";
import { conditionsOf } from "../../src/docvalues/filter.js";
import { parseFilter } from "../../src/docvalues/parse-filter.js";
import { SearchError } from "../../src/util/errors.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/util/limits.js";
import { property } from "../support/random.js";
import { thrownBy } from "../support/refusal.js";

const parse = (text: string, limits: Partial<Limits> = {}): Filter =>
  parseFilter(text, { ...DEFAULT_LIMITS, ...limits });
const refused = (text: string, limits: Partial<Limits> = {}): SearchError => thrownBy(() => parse(text, limits));

describe("parseFilter refuses", () => {
  for (const [text, start, end] of [
    ["brand:", 6, 6],
    [":Forge", 0, 1],
    ["AND", 0, 3],
    ["TO:5", 0, 2],
    ["brand", 5, 5],
    ["brand Forge", 6, 11],
    ["brand == Forge", 7, 8],
    ["brand = = red", 8, 9],
    ["brand ! = red", 6, 7],
    ["brand:Forge x", 12, 13],
    ["brand:Forge:x", 11, 12],
    ["brand:Forge and price > 3", 12, 15],
    ["colors exists", 7, 13],
    ["(brand:Forge", 0, 1],
    ["a:b AND ((c:d)", 8, 9],
    ["brand:Forge)", 11, 12],
    ["()", 1, 2],
    ['brand:"Forge', 6, 12],
    ["brand:'Forge\"", 6, 13],
    [String.raw`brand:"a\"`, 6, 10],
    [String.raw`a:"\x41"`, 3, 5],
    [String.raw`a:"\u12g4"`, 3, 5],
    [String.raw`a:"\x0041"`, 3, 5],
    ['a:"\\', 3, 4],
    ["price < cheap", 8, 13],
    ["price > NaN", 8, 11],
    ["price > Infinity", 8, 16],
    ["price > 0x10", 8, 12],
    ["price > 1_000", 8, 13],
    ["price > .5", 8, 10],
    ["price > 5.", 8, 10],
    ["price > ''", 8, 10],
    ["price > '5'", 8, 11],
    ["price > ١", 8, 9],
    ["price > true", 8, 12],
    ["price > 1e999", 8, 13],
    ["price = 1e999", 8, 13],
    ["price = 1e-999", 8, 14],
    ["price = 9007199254740993", 8, 24],
    ["price > 0.30000000000000001", 8, 27],
    ["price:a TO 5", 6, 7],
    ["price:5 TO b", 11, 12],
    ["price:'5' TO 6", 6, 9],
    ["price:5 TO", 10, 10],
    ["price = 5 TO 6", 10, 12],
    ["brand:Forge AND", 15, 15],
    ["brand:Forge OR OR price < 3", 15, 17],
    ["brand:AND", 6, 9],
    ["brand:TO", 6, 8],
    ["NOT", 3, 3],
    ["NOT EXISTS", 4, 10],
  ] as const)
    it(text, () => {
      const error = refused(text);
      expect(error).toMatchObject({ code: 400, error: "invalid_filter", param: "filters", details: { start, end } });
      expect(error.msg).toMatch(/^filters, position \d+: found [\x20-\x7e…]+; [\x20-\x7e…]+\.$/);
      expect(error.msg).toContain(`position ${start}:`);
    });

  it("and says what to do", () => {
    expect(refused("brand:Black & Decker").msg).toBe(
      'filters, position 12: found "&"; expected AND, OR or the end; put quotes around a value of several words.',
    );
    expect(refused("a:b and c:d").msg).toContain("write keywords in capitals");
    expect(refused("a exists").msg).toContain("write keywords in capitals");
    expect(refused("a:OR").msg).toContain("put quotes around OR");
    expect(refused("a == b").msg).toContain('write one "="');
    expect(refused("ean = 12345678901234567890").msg).toContain("put quotes around a code");
  });

  it("and names the parameter it was given", () => {
    const error = thrownBy(() => parseFilter("AND", DEFAULT_LIMITS, "deleteBy.filters"));
    expect(error.param).toBe("deleteBy.filters");
    expect(error.msg).toMatch(/^deleteBy\.filters, /);
  });

  it("without letting control characters of the text into the message", () => {
    expect(refused("a:b \u001b[31m\u202e").msg).toContain("\\u001b[31m\\u202e");
  });
});

describe("parseFilter keeps the limits", () => {
  const brackets = (count: number) => "(".repeat(count) + "a:b" + ")".repeat(count);
  const complex = { code: 400, error: "filter_too_complex", param: "filters" };

  it("of depth: brackets, NOT and the condition count one each", () => {
    expect(conditionsOf(parse(brackets(31)))).toHaveLength(1);
    expect(refused(brackets(32))).toMatchObject({ ...complex, details: { start: 32, end: 33 } });
    expect(conditionsOf(parse("NOT ".repeat(31) + "a:b"))).toHaveLength(1);
    expect(refused("NOT ".repeat(32) + "a:b")).toMatchObject(complex);
    expect(refused("NOT ".repeat(1000) + "a:b")).toMatchObject({ ...complex, details: { start: 128, end: 131 } });
    expect(refused("NOT (".repeat(16) + "a:b" + ")".repeat(16))).toMatchObject(complex);
    expect(conditionsOf(parse(`${brackets(31)} AND ${brackets(31)}`))).toHaveLength(2);
  });

  it("of conditions", () => {
    const many = (count: number) => Array(count).fill("a=1").join(" OR ");
    expect(conditionsOf(parse(many(512)))).toHaveLength(512);
    expect(refused(many(513))).toMatchObject({ ...complex, details: { start: 512 * 7, end: 512 * 7 + 1 } });
    expect(conditionsOf(parse("a=1 AND b=2", { filterConditions: 2 }))).toHaveLength(2);
    expect(refused("a=1 AND b=2", { filterConditions: 1 })).toMatchObject(complex);
  });

  it("of bytes", () => {
    const long = (bytes: number) => `a:${"é".repeat((bytes - 2) / 2)}`;
    expect(conditionsOf(parse(long(8192)))).toHaveLength(1);
    expect(refused(`${long(8192)}x`)).toMatchObject(complex);
    expect(conditionsOf(parse(`a:${"x".repeat(8190)}`))).toHaveLength(1);
    expect(refused(" ".repeat(8193))).toMatchObject(complex);
  });

  it("of bytes before anything is read", () => {
    expect(refused("(".repeat(1_000_000)).msg).toContain("8192 bytes");
    expect(refused('"'.repeat(1_000_000)).msg).toContain("8192 bytes");
  });
});

describe("parseFilter, given anything,", () => {
  const attempt = (text: string): readonly Condition[] | SearchError => {
    try {
      return conditionsOf(parse(text));
    } catch (error) {
      if (error instanceof SearchError) return error;
      throw error;
    }
  };
  const expectJudged = (text: string): void => {
    const result = attempt(text);
    if (!(result instanceof SearchError)) return;
    expect(result.msg).toMatch(/^[\x20-\x7e…]{1,400}$/);
    const { start, end } = result.details as { readonly start: number; readonly end: number };
    expect(start >= 0 && start <= end && end <= text.length, `${start} to ${end} of ${text.length}`).toBe(true);
  };

  property("throws nothing but a SearchError that says where: random bytes", 300, (random) => {
    const bytes = Uint8Array.from(random.list(0, 80, () => random.between(0, 255)));
    expectJudged(new TextDecoder("latin1").decode(bytes));
    expectJudged(String.fromCharCode(...bytes.map((byte) => byte & 0x7f)));
  });

  property("throws nothing but a SearchError that says where: random tokens", 1000, (random) => {
    const words = [
      "AND",
      "OR",
      "NOT",
      "TO",
      "EXISTS",
      "a",
      "1",
      "1e400",
      '"q"',
      "'",
      "\\",
      "(",
      ")",
      ":",
      "=",
      "!",
      "<",
      ">",
    ];
    expectJudged(random.list(0, 12, () => random.pick(words)).join(random.pick(["", " "])));
  });
});
