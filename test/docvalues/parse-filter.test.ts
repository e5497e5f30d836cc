// The text form of a filter: which tree a text stands for.

import { describe, expect, it } from "vitest";
import type { AttributeValue } from "../../src/docvalues/doc-values.js";
import type { Filter } from "../../src/docvalues/filter.js";
import { conditionsOf, quoteFilterValue } from "../../src/docvalues/filter.js";
import { FilterTokens, parseFilter } from "../../src/docvalues/parse-filter.js";
import { SearchError } from "../../src/util/errors.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { property } from "../support/random.js";

const parse = (text: string): Filter => parseFilter(text, DEFAULT_LIMITS);

const EQUALS = { kind: "equals" };
const COMPARE = { kind: "compare" };

/** A filter without its spans. */
function bare(filter: Filter): unknown {
  return JSON.parse(JSON.stringify(filter, (name, value) => (name === "span" ? undefined : value)));
}

const is = (attribute: string, value: AttributeValue, printed = true) => ({ ...EQUALS, attribute, value, printed });
const not = (filter: unknown) => ({ kind: "not", filter });
const and = (...filters: unknown[]) => ({ kind: "and", filters });
const or = (...filters: unknown[]) => ({ kind: "or", filters });
const some = (path: string, filter: unknown) => ({ kind: "some", path, filter });
const exists = (attribute: string) => ({ kind: "exists", attribute });
const compare = (attribute: string, operator: string, value: number) => ({ ...COMPARE, attribute, operator, value });
const between = (low: number, high: number) => ({ kind: "between", attribute: "price", low, high });
const FORGE = is("brand", "Forge");
const VOLT = is("brand", "Volt");

describe("parseFilter reads", () => {
  for (const [text, tree] of [
    ["", { kind: "everything" }],
    [" \t\n\u00a0\u3000", { kind: "everything" }],
    ["brand:Forge", FORGE],
    ["brand = Forge", FORGE],
    ["brand=Forge", FORGE],
    ['brand:"Black & Decker"', is("brand", "Black & Decker", false)],
    ["brand:'Black & Decker'", is("brand", "Black & Decker", false)],
    ['brand:"AND"', is("brand", "AND", false)],
    ['"AND":x', is("AND", "x")],
    ["parts{brand:Forge}", some("parts", FORGE)],
    [" parts { brand:Forge } ", some("parts", FORGE)],
    ['"a {b}"{"{":"}"}', some("a {b}", is("{", "}", false))],
    ["a{b{brand:Forge} OR NOT brand:Volt}", some("a", or(some("b", FORGE), not(VOLT)))],
    [
      "NOT a.b{brand:Forge AND (brand:Volt)} OR a{brand != Forge}",
      or(not(some("a.b", and(FORGE, VOLT))), some("a", not(FORGE))),
    ],
    ["price{59 TO 99.5}", between(59, 99.5)],
    ["price{ >3 AND<= 5 AND 4 TO 9}", { ...between(4, 5), excludesLow: false, excludesHigh: false }],
    ["price{< 5 AND > 3 AND >= 3 AND <= 5}", { ...between(3, 5), excludesLow: true, excludesHigh: true }],
    [
      'a{price{> "1970-01-01T00:00:00.001Z" AND <"1970-01-01T00:00:00.003Z"}}',
      some("a", { ...between(1, 3), isInstant: true, excludesLow: true, excludesHigh: true }),
    ],
    ["NOT a.b{3 TO 3} OR price{3:x}", or(not({ ...between(3, 3), attribute: "a.b" }), some("price", is("3", "x")))],
    ['"two words" = ""', is("two words", "", false)],
    ["price < 59", compare("price", "lt", 59)],
    ["price <= 59", compare("price", "lte", 59)],
    ["price>59", compare("price", "gt", 59)],
    ["price >= 99.5 AND price < 199", and({ ...compare("price", "gte", 99.5) }, { ...compare("price", "lt", 199) })],
    ["price:59 TO 99.5", between(59, 99.5)],
    ["price:20 TO 10", between(20, 10)],
    ["price:-1e1 TO -0", between(-10, 0)],
    ["price = 89", is("price", 89)],
    ['price = "89"', is("price", "89", false)],
    ["price != 89 AND brand:Forge", and(not(is("price", 89)), FORGE)],
    ["NOT brand:Forge AND NOT brand:Volt", and(not(FORGE), not(VOLT))],
    ["NOT NOT brand:Forge", not(not(FORGE))],
    ["brand:Forge OR brand:Volt AND price < 150", or(FORGE, and(VOLT, compare("price", "lt", 150)))],
    ["(brand:Forge OR brand:Volt) AND price < 150", and(or(FORGE, VOLT), compare("price", "lt", 150))],
    [
      "(brand:Forge OR (brand:Volt AND NOT (price > 150 OR stock = 0))) AND stock > 0",
      and(or(FORGE, and(VOLT, not(or(compare("price", "gt", 150), is("stock", 0))))), compare("stock", "gt", 0)),
    ],
    ["a:1 OR b:2 OR c:3", or(is("a", 1), is("b", 2), is("c", 3))],
    ["category.main:kitchen", is("category.main", "kitchen")],
    ["discontinued:true", is("discontinued", true)],
    ["discontinued:false", is("discontinued", false)],
    ["discontinued:'true'", is("discontinued", "true", false)],
    ["discontinued EXISTS", exists("discontinued")],
    ["NOT colors EXISTS", not(exists("colors"))],
    ["a EXISTS AND b EXISTS", and(exists("a"), exists("b"))],
    ["brand:-Hem", is("brand", "-Hem")],
    ["brand:and", is("brand", "and")],
    ["not:Not", is("not", "Not")],
    ["__proto__:constructor", is("__proto__", "constructor")],
    ["größe:東京", is("größe", "東京")],
    ["brand:e\u0301", is("brand", "e\u0301")],
    ["brand:\u00e9", is("brand", "\u00e9")],
  ] as const)
    it(JSON.stringify(text), () => expect(bare(parse(text))).toEqual(tree));

  it("names of Object's prototype as attributes", () => {
    const filter = parse("__proto__:x AND constructor.name = Object");
    expect(conditionsOf(filter).map(({ condition }) => condition.attribute)).toEqual(["__proto__", "constructor.name"]);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  for (const [written, value] of [
    [String.raw`"\\ \" \' \n \t \r \b \f \/"`, "\\ \" ' \n \t \r \b \f /"],
    [String.raw`'\u0041\ud83d\uDE00\ud800\u0000'`, "A😀\ud800\u0000"],
    [`"it's"`, "it's"],
    [`'6" x'`, '6" x'],
    ['"line\nbreak ()=<>!:"', "line\nbreak ()=<>!:"],
  ] as const)
    it(`the quoted ${JSON.stringify(written)}`, () =>
      expect(bare(parse(`a:${written}`))).toEqual(is("a", value, false)));

  it.each(
    `0:0 -0:0 -12.50:-12.5 1e3:1000 1E+3:1000 25e-1:2.5 0e999999999999:0 0.1:0.1 1e-1:0.1 0.50e1:5 120e-1:12 0.0012e3:1.2 1500:1500
      15e2:1500 1500.00:1500 0.1000000000000000055511151231257827021181583404541015625:0.1 9007199254740992:9007199254740992
      36028797018963968:36028797018963970 36028797018963970:36028797018963970 1.7976931348623157e308:1.7976931348623157e308
      5e-324:5e-324`.split(/\s+/),
  )("a number, and what is the same in the usual spelling: %s", (row) => {
    const [written, usual] = row.split(":");
    expect(bare(parse(`a:${written}`))).toEqual(is("a", Number(usual)));
  });

  for (const text of ["007", "+5", ".5", "5.", "0x10", "1_000", "1e", "--5", "NaN", "Infinity", "True", "١"])
    it(`the word ${text} as a text`, () => expect(bare(parse(`a:${text}`))).toEqual(is("a", text)));

  it("-0 as 0", () => expect(parse("a > -0.0")).toHaveProperty("value", 0));

  it("where each condition stands", () => {
    const text = `😀:x OR NOT ( "a b" >= 1.5 AND n:1 TO 22 ) OR z EXISTS`;
    const spans = conditionsOf(parse(text)).map(({ condition: { span } }) => text.slice(span?.start, span?.end));
    expect(spans).toEqual(["😀:x", '"a b" >= 1.5', "n:1 TO 22", "z EXISTS"]);
  });
});

describe("FilterTokens", () => {
  property("reads each code unit once, and every one that is not blank", 200, (random) => {
    const pieces = [..."(){}:=<>", "!=", "<=", "a", "1.5", "'q \\' \"'", '"\\u0041"', "NOT", " ", "\n", "é"];
    const text = random.list(0, 60, () => random.pick(pieces)).join("");
    const tokens = new FilterTokens(text, "filters");
    let end = 0;
    let count = 0;
    for (let token = tokens.next(); token.kind !== "end"; token = tokens.next(), count++) {
      expect(text.slice(end, token.span.start).trim()).toBe("");
      expect(token.span.end).toBeGreaterThan(token.span.start);
      end = token.span.end;
    }
    expect(text.slice(end).trim()).toBe("");
    expect(count).toBeLessThanOrEqual(text.length);
  });
});

/** Asserts that the value comes back from the filter texts it is put into, and nothing beside it. */
function expectRoundTrip(value: AttributeValue): void {
  const quoted = quoteFilterValue(value);
  for (const text of [`a:${quoted}`, `a = ${quoted} AND b:c`, `(a:${quoted})`]) {
    const tree = parseFilter(text, { ...DEFAULT_LIMITS, filterBytes: 1e6 });
    const [first, second, third] = conditionsOf(tree).map(({ condition }) => condition);
    expect(first).toMatchObject({ kind: "equals", attribute: "a", value, printed: typeof value !== "string" });
    if (second !== undefined) expect(second).toMatchObject({ attribute: "b", value: "c" });
    expect(third).toBeUndefined();
  }
}

describe("a quoted value", () => {
  it.each(["", "AND", "89", "line\nbreak\r\t\b\f", "x\udc00\ud800", true, 1e-7, 2 ** 53 + 2, Number.MIN_VALUE])(
    "comes back: %j",
    expectRoundTrip,
  );

  property("comes back, whatever text it is", 500, (random) => {
    const units = random.list(0, 40, () =>
      random.chance(0.5) ? random.between(0, 0xffff) : random.pick([...`\\"'()=<>!: \nANDu0041`]).charCodeAt(0),
    );
    expectRoundTrip(String.fromCharCode(...units));
  });

  property("comes back, whatever finite number it is", 500, (random) => {
    const bits = Uint32Array.of(random.next() * 2 ** 32, random.next() * 2 ** 32);
    const number = new Float64Array(bits.buffer)[0]!;
    if (Number.isFinite(number)) expectRoundTrip(number === 0 ? 0 : number);
  });
});

describe("any text", () => {
  /** The text is read, or refused with a place within it. */
  function expectJudged(text: string): void {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      expect(error.msg).toMatch(/^[\x20-\x7e…]{1,400}$/);
      const { start, end } = error.details as { readonly start: number; readonly end: number };
      expect(start >= 0 && start <= end && end <= text.length, `${start} to ${end} of ${text.length}`).toBe(true);
    }
  }

  property("is a filter or refused with a place: random bytes", 300, (random) => {
    const bytes = Uint8Array.from(random.list(0, 80, () => random.between(0, 255)));
    expectJudged(new TextDecoder("latin1").decode(bytes));
    expectJudged(String.fromCharCode(...bytes.map((byte) => byte & 0x7f)));
  });

  property("is a filter or refused with a place: random tokens", 1000, (random) => {
    const words = [..."AND OR NOT TO EXISTS a 1 1e400".split(" "), '"q"', ..."'\\(){}:=!<>"];
    expectJudged(random.list(0, 12, () => random.pick(words)).join(random.pick(["", " "])));
  });
});
