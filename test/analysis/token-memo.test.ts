import { expect, it } from "vitest";
import { TokenMemo } from "../../src/analysis/token-memo.js";

/** Reads a token as its letters one by one, and writes down what it was asked. */
function spellingMemo(most?: number) {
  const asked: string[] = [];
  const spell = (kind: string, token: string) => {
    asked.push(token);
    return { terms: [...token].map((letter) => `${kind}:${letter}`), length: token.length };
  };
  const memo = new TokenMemo(spell, most);
  const read = (token: string, kind: "word" | "number" = "word") => {
    memo.tidy();
    const found = memo.find(kind, `<${token}>`, 1, 1 + token.length);
    return [memo.kindOf(found), memo.termsOf(found), memo.lengthOf(found)];
  };
  const spelled = (token: string, kind = "word") => [
    kind,
    [...token].map((letter) => `${kind}:${letter}`),
    token.length,
  ];
  return { memo, asked, read, spelled };
}

it("reads a token once, by its characters and its kind", () => {
  const { asked, read, spelled } = spellingMemo();
  for (const token of ["drill", "12", "drills", "drill", "12", "東京"]) expect(read(token)).toEqual(spelled(token));
  expect(read("12", "number")).toEqual(spelled("12", "number"));
  expect(asked).toEqual(["drill", "12", "drills", "東京", "12"]);
});

it("begins anew when it is full, and reads again what it forgot", () => {
  const { memo, asked, read, spelled } = spellingMemo(1000);
  read("w0");
  read("w0");
  expect(asked).toHaveLength(1);
  for (let i = 1; i < 1100; i++) read(`w${i}`);
  expect([asked.length, memo.age]).toEqual([1100, 1]);
  expect(memo.terms.length).toBeLessThan(1000);
  expect(read("w0")).toEqual(spelled("w0"));
  expect(asked).toHaveLength(1101);
});

it("reads a pair of tokens once, by both", () => {
  const { memo, asked } = spellingMemo();
  const numbers = ["ps", "5", "box"].map((token) => memo.find("word", token, 0, token.length));
  const pairs = numbers.flatMap((before) => numbers.map((after) => [before, after] as const));
  const read = ([before, after]: readonly [number, number]) =>
    memo.termsOf(
      memo.findPair(before, after, () => {
        asked.push(`${before} ${after}`);
        return `${before}+${after}`;
      }),
    );
  const wanted = pairs.map(([before, after]) => [`${before}+${after}`]);
  expect([pairs.map(read), pairs.map(read)]).toEqual([wanted, wanted]);
  expect(asked).toHaveLength(numbers.length + pairs.length);
  expect(memo.find("word", "box", 0, 3)).toBe(numbers[2]);
});

it("may look up other tokens while it reads one", () => {
  const memo: TokenMemo = new TokenMemo((_kind, token) => {
    const rest = token.length > 1 ? memo.termsOf(memo.find("word", token, 1, token.length)) : [];
    return { terms: [token, ...rest], length: 1 };
  });
  expect(memo.termsOf(memo.find("word", "lamp", 0, 4))).toEqual(["lamp", "amp", "mp", "p"]);
  expect(memo.termsOf(memo.find("word", "amp", 0, 3))).toEqual(["amp", "mp", "p"]);
});

it("is cleared when its tokens have many characters", () => {
  const memo = new TokenMemo((_kind, token) => ({ terms: [token], length: 1 }));
  for (let i = 0; i < 300; i++) {
    memo.tidy();
    const token = `${i}`.padEnd(10_000, "x");
    memo.find("word", token, 0, token.length);
  }
  expect(memo.age).toBe(1);
  expect(memo.terms.length).toBeLessThan(210);
});
