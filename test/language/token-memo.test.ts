import { describe, expect, it } from "vitest";
import { ScannedText } from "../../src/language/tokens/scanned-text.js";
import { hashOf } from "../../src/language/tokens/token-hash.js";
import { TokenMemo } from "../../src/language/tokens/token-memo.js";
import { createTokenMemory, type TokenMemory } from "../../src/language/tokens/token-memory.js";
import { property } from "../support/random.js";

/** Reads a token as its letters one by one, and counts how often it was asked. */
function spellingMemo(memory: TokenMemory | null) {
  const asked: string[] = [];
  const spell = (kind: string, token: string) => {
    asked.push(token);
    return { terms: [...token].map((letter) => `${kind}:${letter}`), length: token.length };
  };
  const memo = new TokenMemo(spell, undefined, memory);
  const read = (token: string, kind: "word" | "number" = "word") => {
    const found = memo.find(kind, `<${token}>`, 1, 1 + token.length);
    return [memo.termsOf(found), memo.cells.lengthOf(found)];
  };
  const spelled = (token: string, kind = "word") => [[...token].map((letter) => `${kind}:${letter}`), token.length];
  return { memo, asked, read, spelled };
}

/** FNV-1a, its high bits folded into its low ones (Fowler, Noll, Vo). */
function placeOf(token: string): number {
  let hash = 0x811c9dc5;
  for (const letter of token) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash ^ (hash >>> 15)) & 4095;
}

describe.each([
  ["in arrays of its own", null],
  ["in the compiled kernel's memory", createTokenMemory()],
])("a memo %s", (_, memory) => {
  it("reads a token once, by its characters and its kind", () => {
    const { asked, read, spelled } = spellingMemo(memory);
    for (const token of ["drill", "12", "drills", "drill", "12"]) expect(read(token)).toEqual(spelled(token));
    expect(read("12", "number")).toEqual(spelled("12", "number"));
    expect(asked).toEqual(["drill", "12", "drills", "12"]);
  });

  property("says of every token what was read for it, however many there are", 5, (random) => {
    const { read, spelled } = spellingMemo(memory);
    const tokens = random.list(5000, 9000, () => random.between(0, 20_000).toString(36));
    for (const token of [...tokens, ...tokens]) if (read(token)[1] !== token.length) expect.fail(token);
    for (const token of tokens.slice(0, 200)) expect(read(token)).toEqual(spelled(token));
  });

  it("begins anew when it is full", () => {
    const { memo, asked, read, spelled } = spellingMemo(memory);
    const { age } = memo;
    read("w0");
    read("w0");
    expect(asked).toHaveLength(1);
    for (let i = 1; i < 110_000; i++) read(`w${i}`);
    expect(asked).toHaveLength(110_000);
    expect(memo.age).toBeGreaterThan(age);
    expect(read("w0")).toEqual(spelled("w0"));
    expect(asked).toHaveLength(110_001);
  });

  it("begins anew when its tokens are so long that there is no more room", () => {
    const { memo, read, spelled } = spellingMemo(memory);
    const { age } = memo;
    const long = (i: number): string => `${i}`.padEnd(64, "0");
    for (let i = 0; i < 50_000; i++) read(long(i), "number");
    expect(memo.age).toBeGreaterThan(age);
    for (const i of [10, 25_000, 49_999]) {
      expect(read(long(i), "number")).toEqual(spelled(long(i), "number"));
      const text = new ScannedText(memory);
      text.scan(long(i));
      memo.seekAll(text);
      expect(text.cellOf[0]).toBe(memo.findIn(text, 0));
    }
  });

  it("reads again what was made to find no place", () => {
    const { memo, asked, read, spelled } = spellingMemo(memory);
    const crowd: string[] = [];
    for (let i = 0; crowd.length < 14; i++) if (placeOf(`t${i}`) === 7) crowd.push(`t${i}`);
    for (const token of crowd) expect(read(token)).toEqual(spelled(token));
    asked.length = 0;
    for (const token of [...crowd, ...crowd]) expect(read(token)).toEqual(spelled(token));
    // Twelve have places; each of the other two takes the room of the one before.
    expect(asked).toEqual([...crowd.slice(12), ...crowd.slice(12)]);
    const { cells } = memo;
    const token = memo.find("word", crowd[12]!, 0, crowd[12]!.length);
    cells.setOwner(token, 5);
    const other = memo.find("word", crowd[13]!, 0, crowd[13]!.length);
    expect([other === token, cells.ownerOf(other)]).toEqual([true, 0]);
  });

  it("tells tokens of one spelling apart by their kinds", () => {
    const { memo, read } = spellingMemo(memory);
    read("12");
    const text = new ScannedText(memory);
    text.scan("12");
    memo.seekAll(text);
    expect([text.kindAt(0), text.cellOf[0]]).toEqual(["number", 0]);
  });

  it("tells tokens apart whose hashes lead to one cell", () => {
    // What is compared of hashes before characters are: the place, one of 4,096, and the first 12 bits.
    const seen = new Map<number, string>();
    const pairs: [string, string][] = [];
    for (let i = 0; i < 30_000; i++) {
      const letters = i.toString(16).replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);
      const token = letters.padStart(4 + (i % 9), "z");
      const hash = hashOf(
        Uint16Array.from(token, (letter) => letter.charCodeAt(0)),
        0,
        token.length,
      );
      const key = (hash & 4095) * 2 ** 12 + (hash >>> 20);
      const other = seen.get(key);
      if (other?.length === token.length) pairs.push([other, token]);
      seen.set(key, token);
    }
    expect(pairs.length).toBeGreaterThan(3);
    for (const [known, unknown] of pairs) {
      const { memo, read } = spellingMemo(memory);
      read(known);
      const text = new ScannedText(memory);
      text.scan(`${known} ${unknown}`);
      memo.seekAll(text);
      expect([text.cellOf[0]! > 0, text.cellOf[1]]).toEqual([true, 0]);
      const [one, two] = [memo.findIn(text, 0), memo.findIn(text, 1)];
      memo.seekAll(text);
      expect([text.cellOf[0], text.cellOf[1]]).toEqual([one, two]);
      expect(memo.termsOf(two).join("")).toBe([...unknown].map((letter) => `word:${letter}`).join(""));
    }
  });

  it("keeps what the last owner noted of a token's terms, and nothing of another token's", () => {
    const { memo, read, spelled } = spellingMemo(memory);
    const { cells } = memo;
    const words = ["a", "lamp", "lamps", "x".repeat(63)];
    const note = (owner: number) => {
      for (const [i, word] of words.entries()) {
        const token = memo.find("word", word, 0, word.length);
        for (let term = 0; term < cells.termCount(token); term++)
          cells.numbers[cells.numbersAt(token) + term] = 100_000 * owner + 100 * i + term;
        cells.setOwner(token, owner);
      }
    };
    for (const word of words) read(word);
    for (const owner of [1, 2]) note(owner);
    for (const [i, word] of words.entries()) {
      const token = memo.find("word", word, 0, word.length);
      const from = cells.numbersAt(token);
      expect([...cells.numbers.subarray(from, from + word.length)]).toEqual(
        [...word].map((_, term) => 200_000 + 100 * i + term),
      );
      expect([cells.ownerOf(token), read(word)]).toEqual([2, spelled(word)]);
    }
  });
});
