import { expect, it } from "vitest";
import { normalizeText } from "../../src/language/normalize-text.js";
import { scanTokens } from "../../src/language/scan-tokens.js";
import { ScannedText } from "../../src/language/tokens/scanned-text.js";
import { hashOf } from "../../src/language/tokens/token-hash.js";
import { TokenMemo } from "../../src/language/tokens/token-memo.js";
import { createTokenMemory } from "../../src/language/tokens/token-memory.js";
import { wasmAvailable } from "../../src/text/score-kernel.js";
import { property } from "../support/random.js";

const PIECES =
  "a Z 7 42 mm M8 usb x - _ ' & . , / : é É ß ™ ½ – ‑ μ С 東京 สวัสดี 𝒳 𠮷 𐐷 🎉 \u00ad \u0301 \ud800 \u0000 \t ( \" “ ” $".split(
    " ",
  );

/** What a scanned text says of its tokens. */
function tokensOf(text: ScannedText): string[] {
  return Array.from({ length: text.size }, (_, i) => `${text.kindAt(i)} ${text.slice(text.startOf(i), text.endOf(i))}`);
}

/** By either kernel; without WebAssembly both are the plain one. */
const MEMORIES = [null, createTokenMemory()];

it("has a memory for the compiled kernel wherever there is WebAssembly", () => {
  expect(MEMORIES[1] !== null).toBe(wasmAvailable());
});

property("gives the normal form and the tokens that normalising and scanning give, text after text", 20, (random) => {
  const scanned = MEMORIES.map((memory) => new ScannedText(memory));
  for (let texts = 0; texts < 100; texts++) {
    const isPlain = random.chance(0.5);
    const pieces = isPlain ? PIECES.filter((piece) => /^[\t -~]+$/.test(piece)) : PIECES;
    const text = random.list(0, 60, () => random.pick(pieces) + (random.chance(0.3) ? " " : "")).join("");
    for (const one of scanned) expectScanned(one, text);
    expect(quotesAndMeasures(scanned[1]!)).toEqual(quotesAndMeasures(scanned[0]!));
  }
});

function expectScanned(scanned: ScannedText, text: string): void {
  const normal = normalizeText(text);
  const expected: string[] = [];
  scanTokens(normal, (kind, start, end) => expected.push(`${kind} ${normal.slice(start, end)}`));
  scanned.scan(text);
  expect(String.fromCharCode(...scanned.units.subarray(0, scanned.length))).toBe(normal);
  expect(tokensOf(scanned)).toEqual(expected);
  expect(scanned.normal).toBe(normal);
  for (let i = 0; i < scanned.size; i++)
    if (scanned.kindAt(i) !== "unspaced")
      expect(scanned.hashAt(i)).toBe(hashOf(scanned.units, scanned.startOf(i), scanned.endOf(i)));
}

function quotesAndMeasures(text: ScannedText): unknown {
  return [text.mayQuote, [...text.measured.subarray(0, text.measures)]];
}

it("reads every character that has a form of its own as normalising reads it", () => {
  for (const memory of MEMORIES) {
    const scanned = new ScannedText(memory);
    for (let unit = 0; unit < 0x2200; unit++) expectScanned(scanned, `a${String.fromCharCode(unit)}B`);
  }
});

it("cuts long runs where scanning does", () => {
  for (const memory of MEMORIES) {
    const scanned = new ScannedText(memory);
    for (const run of ["a", "ab-", "1,000", "x1", "don't", "東"])
      for (const before of [0, 62, 63, 64])
        expectScanned(scanned, `${"z".repeat(before)}${before % 2 === 0 ? "-" : " "}${run.repeat(70)} end`);
  }
});

it("reads decimal commas, and lists, as scanning does", () => {
  const scanned = MEMORIES.map((memory) => new ScannedText(memory));
  for (const text of ["1,000", "3,5", "1,2,3", "12,34,56", "1,2345", "9,", ",9", "1,000,000.5", "٣,٥", "1,٢٣٤"])
    for (const one of scanned) expectScanned(one, text);
});

property("looks the tokens of a text up as they are looked up one by one", 10, (random) => {
  for (const memory of MEMORIES) {
    const memo = new TokenMemo((kind, token) => ({ terms: [`${kind} ${token}`], length: 1 }), 200, memory);
    const text = new ScannedText(memory);
    for (let texts = 0; texts < 100; texts++) {
      text.scan(random.list(0, 40, () => random.pick(PIECES) + random.pick(["", "", " ", "longer-words "])).join(""));
      memo.seekAll(text);
      for (let i = 0; i < text.size; i++) {
        if (text.kindAt(i) === "unspaced") continue;
        const hash = text.hashAt(i);
        const found = memo.seek(hash, text.kindAt(i), text.units, text.startOf(i), text.endOf(i));
        expect(text.cellOf[i]).toBe(found);
        if (found > 0)
          expect(memo.termsOf(found)).toEqual([`${text.kindAt(i)} ${text.slice(text.startOf(i), text.endOf(i))}`]);
      }
      for (let i = 0; i < text.size; i++) if (text.kindAt(i) !== "unspaced" && random.chance(0.3)) memo.findIn(text, i);
    }
  }
});

it("takes texts of any length, and a short one after a long one", () => {
  for (const memory of MEMORIES) {
    const scanned = new ScannedText(memory);
    for (const length of [4095, 4096, 4097]) {
      scanned.scan(`${"Ab ".repeat(length / 3)}${"x".repeat(length % 3)}`.slice(0, length));
      expect(scanned.length).toBe(length);
      expect(scanned.size).toBe(Math.ceil(length / 3));
    }
    scanned.scan("Ab ".repeat(20_000));
    expect([scanned.size, scanned.length]).toEqual([20_000, 60_000]);
    expect(scanned.units.length).toBeGreaterThan(60_000);
    // Its normal form is longer than the text.
    scanned.scan("½".repeat(4000));
    expect([scanned.length, scanned.units.length > 12_000]).toEqual([12_000, true]);
    scanned.scan("Lamp");
    expect(scanned.units.length).toBeLessThan(10_000);
    expect([tokensOf(scanned), scanned.normal]).toEqual([["word lamp"], "lamp"]);
  }
});

it("takes a normalised text as it is", () => {
  for (const memory of MEMORIES) {
    const scanned = new ScannedText(memory);
    scanned.scanNormal("é lamp");
    expect(tokensOf(scanned)).toEqual(["word é", "word lamp"]);
  }
});
