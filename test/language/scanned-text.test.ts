import { expect, it } from "vitest";
import { normalizeText } from "../../src/language/normalize-text.js";
import { scanTokens } from "../../src/language/scan-tokens.js";
import { ScannedText } from "../../src/language/tokens/scanned-text.js";
import { hashOf } from "../../src/language/tokens/token-hash.js";
import { property } from "../support/random.js";

const PIECES =
  "a Z 7 42 mm M8 usb x - _ ' & . , / : é ß ™ ½ 東京 สวัสดี 𝒳 🎉 \u00ad \u0301 \ud800 \u0000 \t ( \" ” $".split(" ");

/** What a scanned text says of its tokens. */
function tokensOf(text: ScannedText): string[] {
  return Array.from({ length: text.size }, (_, i) => `${text.kinds[i]} ${text.slice(text.starts[i]!, text.ends[i]!)}`);
}

property("gives the normal form and the tokens that normalising and scanning give, text after text", 20, (random) => {
  const scanned = new ScannedText();
  for (let texts = 0; texts < 100; texts++) {
    const isPlain = random.chance(0.5);
    const pieces = isPlain ? PIECES.filter((piece) => /^[\t -~]+$/.test(piece)) : PIECES;
    const text = random.list(0, 60, () => random.pick(pieces) + (random.chance(0.3) ? " " : "")).join("");
    const normal = normalizeText(text);
    const expected: string[] = [];
    scanTokens(normal, (kind, start, end) => expected.push(`${kind} ${normal.slice(start, end)}`));
    scanned.scan(text);
    expect(scanned.normal).toBe(normal);
    expect(String.fromCharCode(...scanned.units.subarray(0, scanned.length))).toBe(normal);
    expect(tokensOf(scanned)).toEqual(expected);
    for (let i = 0; i < scanned.size; i++)
      if (scanned.kinds[i] !== "unspaced")
        expect(scanned.hashes[i]).toBe(hashOf(scanned.units, scanned.starts[i]!, scanned.ends[i]!));
  }
});

it("takes texts of any length, and a short one after a long one", () => {
  const scanned = new ScannedText();
  scanned.scan("Ab ".repeat(20_000));
  expect([scanned.size, scanned.length]).toEqual([20_000, 60_000]);
  expect(scanned.units.length).toBeGreaterThan(60_000);
  scanned.scan("Lamp");
  expect(scanned.units.length).toBeLessThan(10_000);
  expect([tokensOf(scanned), scanned.normal]).toEqual([["word lamp"], "lamp"]);
});

it("takes a normalised text as it is", () => {
  const scanned = new ScannedText();
  scanned.scanNormal("é lamp");
  expect(tokensOf(scanned)).toEqual(["word é", "word lamp"]);
});
