import { expect, it } from "vitest";
import { indexText, type TextTaker, takeText } from "../../src/language/index-terms.js";
import { normalizeText } from "../../src/language/normalize-text.js";
import { quantitiesIn, quantitiesOf } from "../../src/language/quantities.js";
import { tokenReader } from "../../src/language/token-terms.js";
import { ScannedText } from "../../src/language/tokens/scanned-text.js";
import { createTokenMemory } from "../../src/language/tokens/token-memory.js";
import { PLAIN_WORDS, type WordForms } from "../../src/language/word-forms.js";
import { property, type Random } from "../support/random.js";

const NUMBERS = "1 2 10 12 19 1.5 .5 1,5 1,500 1/2 1-1/2 ½ 5 1234567890123 12345678901234567 2x4 3x 7x7".split(" ");
const UNITS =
  "cm mm x in in. ft feet ' \" ” ′ % °c ° m2 m3 v kg fl fl. oz cubic meter watt hours gb gb/s g/m2 l a".split(" ");
const OTHERS = "red lamp m8 M8x1.25 WH-1000XM4 wi-fi 802.11 東京 ; ) ( $ - . é y2 x4 men's 64mp/10mp".split(" ");

function textOf(random: Random): string {
  const piece = () => random.pick(random.pick([NUMBERS, UNITS, OTHERS]));
  return random.list(0, 14, () => piece() + random.pick(["", " ", " ", "-", ", ", '"'])).join("");
}

/** Numbers terms in the order in which they come, and writes down which it takes. */
class Numbering implements TextTaker {
  readonly owner: number;
  readonly terms: TextTaker["terms"] = (memo, token, from) => {
    for (const term of memo.termsOf(token).slice(from)) this.one(term);
  };
  readonly taken: string[] = [];
  /** How many came by their numbers. */
  numbers = 0;
  private readonly names: string[] = [];

  constructor(owner: number) {
    this.owner = owner;
  }

  note: TextTaker["note"] = ({ cells, terms }, token) => {
    const first = cells.firstTerm(token);
    for (let term = 0; term < cells.termCount(token); term++)
      cells.numbers[cells.numbersAt(token) + term] = this.names.push(terms[first + term]!) - 1;
    cells.setOwner(token, this.owner);
  };

  one = (term: string): void => void this.taken.push(term);

  numbered: TextTaker["numbered"] = (numbers, count) => {
    this.numbers += count;
    for (let at = 0; at < count; at++) this.one(this.names[numbers[at]!]!);
  };
}

property("terms that are taken by their numbers are those that come one by one", 10, (random) => {
  const words: WordForms = { ...PLAIN_WORDS };
  const takers = [1, 2, 3].map((owner) => new Numbering(owner));
  for (let texts = 0; texts < 150; texts++) {
    const text = textOf(random);
    const most = random.pick([0, 1, 2, 5, 100, Number.POSITIVE_INFINITY]);
    const expected: string[] = [];
    const tokens = indexText(text, PLAIN_WORDS, most, (term) => expected.push(term));
    const taker = random.pick(takers);
    taker.taken.length = 0;
    expect(takeText(text, words, most, taker)).toBe(tokens);
    expect(taker.taken).toEqual(expected);
  }
  expect(takers.some(({ numbers }) => numbers > 0)).toBe(createTokenMemory() !== null);
});

property("quantities of a text that is read as tokens are those of its normal form, known or not", 20, (random) => {
  const reader = tokenReader(PLAIN_WORDS);
  for (let texts = 0; texts < 150; texts++) {
    const text = textOf(random);
    const expected = quantitiesIn(normalizeText(text)).map(({ start, end, term }) => ({ start, end, term }));
    for (const before of ["", "other", ""]) {
      reader.read(before);
      const found = quantitiesOf(reader.read(text), reader.measures);
      expect(found.map(({ start, end, term }) => ({ start, end, term }))).toEqual(expected);
    }
  }
});

property("both kernels find the same places where measures may begin", 20, (random) => {
  const [plain, compiled] = [null, createTokenMemory()].map((memory) => new ScannedText(memory));
  for (let texts = 0; texts < 200; texts++) {
    const text = textOf(random);
    for (const scanned of [plain!, compiled!]) scanned.scan(text);
    const placesIn = ({ measured, measures }: ScannedText) => [...measured.subarray(0, measures)];
    expect(placesIn(compiled!)).toEqual(placesIn(plain!));
  }
});

it("takes as many tokens as are wanted, and notes no others", () => {
  const words: WordForms = { ...PLAIN_WORDS };
  for (const text of ["red lamp wi-fi 12 v", "another"]) indexText(text, words, 100, () => {});
  const noted: string[] = [];
  const taker = new Numbering(7);
  const { note } = taker;
  taker.note = (memo, token) => {
    noted.push(...memo.termsOf(token));
    note(memo, token);
  };
  expect(takeText("red lamp wi-fi 12 v", words, 3, taker)).toBe(6);
  expect(taker.taken).toEqual(["red", "lamp", "wifi", "wi", "fi"]);
  expect(noted).toEqual(createTokenMemory() === null ? [] : taker.taken);
});

it("knows every term while tokens are forgotten in the midst of texts", () => {
  const words: WordForms = { ...PLAIN_WORDS };
  const taker = new Numbering(9);
  for (let i = 0; i < 40_000; i++) {
    const letters = i.toString(16).replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);
    const expected = ["known", `za${letters}`, `zb${letters}`, "known", `zc${letters}`, "other", "known"];
    taker.taken.length = 0;
    takeText(expected.join(" "), words, 100, taker);
    if (taker.taken.join() !== expected.join()) expect.fail(`text ${i}: ${taker.taken.join()}`);
  }
});

it("knows every measure while measures are forgotten in the midst of texts", () => {
  const reader = tokenReader({ ...PLAIN_WORDS });
  const { age } = reader.measures;
  for (let i = 0; i < 10_000; i++) {
    const text = `10 cm, ${i}.1 v, ${i}.2 v, 12", ${i}.3 v, 10 cm`;
    const terms = quantitiesOf(reader.read(text), reader.measures).map(({ term }) => term);
    const expected = `#length:0.1 #voltage:${i}.1 #voltage:${i}.2 #length:0.3048 #voltage:${i}.3 #length:0.1`;
    if (terms.join(" ") !== expected) expect.fail(`text ${i}: ${terms.join(" ")}`);
  }
  expect(reader.measures.age).toBeGreaterThan(age);
});

it.each([
  [["12 fl, red", "12 fl oz"], "#volume:0.354882355"],
  [["5 cubic, red", "5 cubic meter"], "#volume:5000"],
  [["6 ft, red", "6 ft 5 in"], "#length:1.9558"],
  [["7 cm, red", "7 cm x 8 cm"], "#size:0.07x0.08m"],
  [["8 cm, red", `${"long ".repeat(2000)}8 cm`], "#length:0.08"],
  [["9 cm, red", "2,9 cm"], "#length:0.029"],
])("reads a measure by what stands around it, though its beginning is known: %j", ([first, second], term) => {
  const reader = tokenReader(PLAIN_WORDS);
  const termsOf = (text: string) => quantitiesOf(reader.read(text), reader.measures).map((quantity) => quantity.term);
  termsOf(first!);
  expect(termsOf(second!)).toEqual([term]);
});
