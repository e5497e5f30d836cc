// How near words are by the table, against cosines of unpacked rows in floating point.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { resolveEnglishWord } from "../../src/embedding/resolve-english-word.js";
import { meaningOf } from "../../src/embedding/word-similarity.js";
import { parseWordTable } from "../../src/embedding/word-table.js";
import { STATIC_EN } from "../../src/embedding/word-table-embedder.js";

const file = readFileSync(new URL("../../src/embedding/static-en-2-65k-192-int4.bin", import.meta.url));
const read = () => parseWordTable(file, STATIC_EN);
const table = read();

/** What a word adds to a text's vector. */
function unpacked(word: string): number[] {
  const { rows, factors } = resolveEnglishWord(table, word);
  return Array.from({ length: 192 }, (_, i) =>
    rows.reduce((sum, row, part) => {
      const pair = table.codes[96 * row + (i >> 1)]!;
      return sum + factors[part]! * table.scales[row]! * ((i % 2 === 0 ? pair >> 4 : pair & 15) - 8);
    }, 0),
  );
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, one, i) => sum + one * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

it("is the cosine of the rows, of words of one row and of two", () => {
  const words = ["sofa", "couch", "sofabed", "bedsofa", "drills", "of", "battery", "invoice"];
  for (const one of words)
    for (const other of words)
      expect(meaningOf(table, one)!.nearnessTo(meaningOf(table, other)!)).toBeCloseTo(
        cosine(unpacked(one), unpacked(other)),
        10,
      );
});

it("tells a couch from an invoice", () => {
  const sofa = meaningOf(table, "sofa")!;
  expect(sofa.nearnessTo(meaningOf(table, "couch")!)).toBeGreaterThan(0.5);
  expect(sofa.nearnessTo(meaningOf(table, "invoice")!)).toBeLessThan(0.3);
});

it("knows nothing of codes, of other scripts and of no word at all", () => {
  for (const word of ["", "18v", "дрель", "xqzt", "wi-fi", "__proto__"]) expect(meaningOf(table, word)).toBeNull();
});

it("does not compare with words of another table, or of another embedder", () => {
  const sofa = meaningOf(table, "sofa")!;
  expect(sofa.nearnessTo(meaningOf(read(), "sofa")!)).toBe(0);
  expect(sofa.nearnessTo({ nearnessTo: () => 1 })).toBe(0);
});

it("finds each word of the file in its row, and nothing else, by the first look-ups and by later ones", () => {
  const [, vocabBytes] = /"vocabBytes": (\d+)/.exec(file.toString("latin1", 0, 200))!;
  const words = file.toString("latin1", file.length - Number(vocabBytes)).split("\n");
  expect(words.filter((word, row) => table.words.rowOf(word) !== row || table.words.at(row) !== word)).toEqual([]);
  const known = new Set(words);
  const others = words
    .flatMap((word) => [`${word}q`, word.slice(1), `\u0100${word}`])
    .filter((word) => !known.has(word));
  expect(others.filter((word) => table.words.rowOf(word) !== undefined)).toEqual([]);
  const asked = [...words.slice(0, 2), "sofa", words.at(-1)!, "", "xqzt", "so", "the\nof", "\n", "\u0100"];
  const expected = asked.map((word) => (known.has(word) ? words.indexOf(word) : undefined));
  expect(asked.map((word) => read().words.rowOf(word))).toEqual(expected);
  expect(asked.map((word) => table.words.rowOf(word))).toEqual(expected);
  expect(read().words.rowOf(words.slice(0, 2).join("\n"))).toBeUndefined();
});
