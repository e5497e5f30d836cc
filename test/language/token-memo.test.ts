import { expect, it } from "vitest";
import { TermNumbers } from "../../src/language/tokens/term-numbers.js";
import { TokenMemo } from "../../src/language/tokens/token-memo.js";
import { property } from "../support/random.js";

/** Reads a token as its letters one by one, and counts how often it was asked. */
function spellingMemo() {
  const asked: string[] = [];
  const memo = new TokenMemo((kind, token) => {
    asked.push(token);
    return { terms: [...token].map((letter) => `${kind}:${letter}`), length: token.length };
  });
  const read = (token: string, kind: "word" | "number" = "word") => {
    const found = memo.find(kind, `<${token}>`, 1, 1 + token.length);
    return [memo.termsOf(found), memo.lengthOf(found)];
  };
  const spelled = (token: string, kind = "word") => [[...token].map((letter) => `${kind}:${letter}`), token.length];
  return { memo, asked, read, spelled };
}

it("reads a token once, by its characters and its kind", () => {
  const { asked, read, spelled } = spellingMemo();
  for (const token of ["drill", "12", "drills", "drill", "12"]) expect(read(token)).toEqual(spelled(token));
  expect(read("12", "number")).toEqual(spelled("12", "number"));
  expect(asked).toEqual(["drill", "12", "drills", "12"]);
});

property("says of every token what was read for it, however many there are", 5, (random) => {
  const { read, spelled } = spellingMemo();
  const tokens = random.list(5000, 9000, () => random.between(0, 20_000).toString(36));
  for (const token of [...tokens, ...tokens]) if (read(token)[1] !== token.length) expect.fail(token);
  for (const token of tokens.slice(0, 200)) expect(read(token)).toEqual(spelled(token));
});

it("begins anew when it is full", () => {
  const { asked, read, spelled } = spellingMemo();
  read("w0");
  read("w0");
  expect(asked).toHaveLength(1);
  for (let i = 1; i < 110_000; i++) read(`w${i}`);
  expect(asked).toHaveLength(110_000);
  expect(read("w0")).toEqual(spelled("w0"));
  expect(asked).toHaveLength(110_001);
});

/** FNV-1a, its high bits folded into its low ones (Fowler, Noll, Vo). */
function placeOf(token: string): number {
  let hash = 0x811c9dc5;
  for (const letter of token) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash ^ (hash >>> 15)) & 4095;
}

it("reads again what was made to find no place", () => {
  const { memo, asked, read, spelled } = spellingMemo();
  const crowd: string[] = [];
  for (let i = 0; crowd.length < 14; i++) if (placeOf(`t${i}`) === 7) crowd.push(`t${i}`);
  for (const token of crowd) expect(read(token)).toEqual(spelled(token));
  asked.length = 0;
  for (const token of [...crowd, ...crowd]) expect(read(token)).toEqual(spelled(token));
  // Twelve have places; each of the other two takes the room of the one before.
  expect(asked).toEqual([...crowd.slice(12), ...crowd.slice(12)]);
  memo.numbers.hand(1);
  const place = memo.firstTerm(memo.find("word", crowd[12]!, 0, crowd[12]!.length));
  memo.numbers.note(place, 5);
  expect(memo.numbers.at(place)).toBe(5);
  memo.find("word", crowd[13]!, 0, crowd[13]!.length);
  expect(memo.numbers.at(place)).toBeLessThan(0);
});

it("keeps the notes of one taker, and none of the others", () => {
  const numbers = new TermNumbers(4);
  numbers.hand(1);
  numbers.note(0, 0);
  numbers.note(3, 70_000);
  expect([0, 1, 3].map((place) => numbers.at(place))).toEqual([0, expect.any(Number), 70_000]);
  expect(numbers.at(1)).toBeLessThan(0);
  numbers.hand(2);
  expect([0, 1, 2, 3].every((place) => numbers.at(place) < 0)).toBe(true);
  numbers.note(2, 9);
  numbers.hand(1);
  expect([0, 1, 2, 3].every((place) => numbers.at(place) < 0)).toBe(true);
  numbers.grow();
  numbers.note(7, 1);
  expect(numbers.at(7)).toBe(1);
});

it("notes the numbers of many takers, whatever they sum up to", () => {
  const numbers = new TermNumbers(2);
  for (let taker = 1; taker < 600; taker++) {
    numbers.hand(taker);
    expect(numbers.at(0)).toBeLessThan(0);
    numbers.note(0, (1 << 24) - 1);
    expect(numbers.at(0)).toBe((1 << 24) - 1);
  }
});
