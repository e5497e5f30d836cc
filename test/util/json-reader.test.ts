import { describe, expect, it } from "vitest";
import { type JsonLimits, parseJson } from "../../src/util/json-reader.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";

const NO_LIMITS: JsonLimits = { depth: 1e9, values: 1e9, containers: 1e9, names: 1e9, characters: 1e9 };

/** The value of a text, or why it was refused. */
function parsed(text: string, limits: Partial<JsonLimits> = {}): unknown {
  class Refusal extends Error {}
  try {
    const bytes = new TextEncoder().encode(text);
    return runTaskAtOnce(parseJson(bytes, { ...NO_LIMITS, ...limits }, (why) => new Refusal(why)));
  } catch (error) {
    if (error instanceof Refusal) return `refused: ${error.message}`;
    throw error;
  }
}

function anyValue(random: Random, depth = 0): unknown {
  const texts = ["", "a", 'q"\\', "\n\t\u0001", "東京", "💥", "\ud83d", "__proto__", "constructor", "x".repeat(70)];
  const plain = [random.between(-9, 9), random.normal(), 1e300, 5e-324, -0.5, true, false, null];
  if (depth > 4 || random.chance(0.5)) return random.chance(0.5) ? random.pick(texts) : random.pick(plain);
  if (random.chance(0.5)) return random.list(0, 4, () => anyValue(random, depth + 1));
  return Object.fromEntries(random.list(0, 4, () => [random.pick(texts), anyValue(random, depth + 1)]));
}

describe("JSON that is counted before it is parsed", () => {
  property("has the value that JSON.parse gives", 300, (random) => {
    const text = JSON.stringify(anyValue(random), null, random.pick([0, 1, "\r\n\t"]));
    expect(parsed(text)).toEqual(JSON.parse(text));
  });

  property("is refused where JSON.parse refuses it", 600, (random) => {
    const text = JSON.stringify(anyValue(random));
    const at = random.between(0, text.length);
    const piece = random.pick(["", "", ",", ":", '"', "[", "]", "{", "}", "0", "-", ".", "e", "\\", "u", "\n", "null"]);
    const changed = text.slice(0, at) + piece + text.slice(at + random.pick([0, 1]));
    if (!changed.isWellFormed()) return;
    let expected: unknown = "refused: invalid";
    try {
      expected = JSON.parse(changed);
    } catch {}
    expect(parsed(changed), changed).toEqual(expected);
  });

  it("has long texts with escapes and characters of several bytes, wherever they are cut", () => {
    for (let lead = 0; lead < 8; lead++) {
      const text = `${"x".repeat(lead)}${'é💥\\"\u0001\ud83d'.repeat(60_000)}`;
      const json = JSON.stringify({ [text]: [text] });
      expect(parsed(json)).toEqual(JSON.parse(json));
    }
    expect(parsed(`"${"x".repeat(600_000)}`)).toBe("refused: invalid");
    expect(parsed(`"${"x".repeat(600_000)}\u0001"`)).toBe("refused: invalid");
  });

  it("keeps names of prototypes as names", () => {
    const value = parsed('{"__proto__":{"a":1},"constructor":2,"a":1,"a":2}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", 2],
      ["a", 2],
    ]);
  });

  it.each<[Partial<JsonLimits>, string, string]>([
    [{ depth: 2 }, "[[1]]", "[[[]]]"],
    [{ values: 3 }, "[1,2]", "[1,2,3]"],
    [{ values: 2 }, '{"a":{}}', '{"a":[[]]}'],
    [{ values: 3 }, "[-1e3 , null]", '[true,[""]]'],
    [{ containers: 2 }, "[{},1]", "[{},[]]"],
    [{ names: 1 }, '{"a":1}', '{"a":1,"b":2}'],
    [{ characters: 2 }, '{"a":"é"}', '["abc"]'],
    [{ depth: 16 }, "[]", "[".repeat(1e6)],
  ])("is refused beyond a limit, and not before: %j", (limits, most, more) => {
    expect(parsed(most, limits)).toEqual(JSON.parse(most));
    expect(parsed(more, limits)).toBe("refused: large");
  });
});
