import { expect, it } from "vitest";
import { TokenReader } from "../../src/language/tokens/token-reader.js";

it("knows every token of a text that is read twice, while its memo forgets and begins anew", () => {
  const reader = new TokenReader((kind, token) => ({ terms: [`${kind} ${token}`], length: 1 }));
  for (let i = 0; i < 40_000; i++) {
    const letters = i.toString(16).replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);
    const words = ["known", `za${letters}`, `zb${letters}`, "known", `zc${letters}`, "known"];
    const expected = words.map((word) => `word ${word}`).join();
    for (const time of ["first", "second"]) {
      const text = reader.read(words.join(" "));
      const found = Array.from({ length: text.size }, (_, at) => reader.memo.termsOf(reader.tokenAt(at)).join());
      if (found.join() !== expected) expect.fail(`${time} time, text ${i}: ${found.join()}`);
    }
  }
  expect(reader.memo.age).toBeGreaterThan(1);
});
