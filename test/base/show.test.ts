import { describe, expect, it } from "vitest";
import { show, showNames } from "../../src/base/show.js";

/** A proxy that throws whatever is asked of it. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

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
    const values = [7n, Symbol("x"), () => 1, [1], { secret: "x" }, revoked()];
    expect(values.map(show)).toEqual(["a BigInt", "a symbol", "a function", "an array", "an object", "an object"]);
  });

  it("escapes every character that could steer a terminal or leave ASCII", () => {
    expect(show("a\u001b[31m\né\u202e")).toBe('"a\\u001b[31m\\u000a\\u00e9\\u202e"');
  });

  it("shows at most 80 characters of a text, and never half an escape", () => {
    const shown = show("é".repeat(1000));
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(shown).toMatch(/^"(?:\\u00e9)+…"$/);
  });

  it("leaves a text alone that just fits, quotes included", () => {
    expect(show("x".repeat(77))).toBe(`"${"x".repeat(77)}"`);
    expect(show("x".repeat(90))).toHaveLength(80);
  });
});

describe("showNames", () => {
  it("lists the first names and counts the rest", () => {
    expect(showNames(["a", "b", "c"], 2)).toBe("a, b, … (1 more)");
    expect(showNames(["a", "b"])).toBe("a, b");
    expect(showNames([])).toBe("");
  });

  it("cuts long names at 40 characters", () => {
    expect(showNames(["n".repeat(60)])).toBe(`${"n".repeat(39)}…`);
  });
});
