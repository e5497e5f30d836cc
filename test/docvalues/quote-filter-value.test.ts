import { describe, expect, it } from "vitest";
import type { AttributeValue } from "../../src/docvalues/filter.js";
import { conditionsOf, quoteFilterValue } from "../../src/docvalues/filter.js";
import { parseFilter } from "../../src/docvalues/parse-filter.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { property } from "../support/random.js";
import { thrownBy } from "../support/refusal.js";

/** Asserts that the value comes back from the filter texts it is put into, and nothing beside it. */
function expectRoundTrip(value: AttributeValue): void {
  const quoted = quoteFilterValue(value);
  for (const text of [`a:${quoted}`, `a = ${quoted} AND b:c`, `(a:${quoted})`]) {
    const [first, second, third] = conditionsOf(parseFilter(text, { ...DEFAULT_LIMITS, filterBytes: 1e6 }));
    expect(first).toMatchObject({ kind: "equals", attribute: "a", value, printed: typeof value !== "string" });
    if (second !== undefined) expect(second).toMatchObject({ attribute: "b", value: "c" });
    expect(third).toBeUndefined();
  }
}

describe("quoteFilterValue", () => {
  for (const value of [
    "Forge",
    "",
    " ",
    "AND",
    "true",
    "89",
    `it's 6" \\ wide`,
    "\\",
    '\\"',
    "line\nbreak\r\t\b\f",
    "NUL \u0000 DEL \u007f ESC \u001b",
    "😀 \u2028 \u202e",
    "\ud800",
    "x\udc00\ud800",
    'x" OR "1"="1',
    "__proto__",
    "-Hem",
    true,
    false,
    0,
    89,
    -2.5,
    1e21,
    1e-7,
    2 ** 53 + 2,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ])
    it(`keeps ${JSON.stringify(value)}`, () => expectRoundTrip(value));

  property("keeps every text", 500, (random) => {
    const units = random.list(0, 40, () =>
      random.chance(0.5) ? random.between(0, 0xffff) : random.pick([...`\\"'()=<>!: \nANDu0041`]).charCodeAt(0),
    );
    expectRoundTrip(String.fromCharCode(...units));
  });

  property("keeps every finite number", 500, (random) => {
    const bits = Uint32Array.of(random.next() * 2 ** 32, random.next() * 2 ** 32);
    const number = new Float64Array(bits.buffer)[0]!;
    if (Number.isFinite(number)) expectRoundTrip(number === 0 ? 0 : number);
  });

  it("writes -0 as 0", () => expect(quoteFilterValue(-0)).toBe("0"));

  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, null, undefined, {}, [], 5n, Symbol("s")])
    it(`refuses ${String(value)} (${typeof value})`, () =>
      expect(thrownBy(() => Reflect.apply(quoteFilterValue, undefined, [value]))).toMatchObject({
        code: 400,
        error: "invalid_filter",
        param: "value",
      }));
});
