import { expect } from "vitest";
import { WrittenNames } from "../../src/text/written-names.js";
import { property } from "../support/random.js";

property("numbers terms as they come, and every one once", 5, (random) => {
  const names = new WrittenNames();
  const expected = new Map<string, number>();
  const owned: string[] = [];
  const own = (text: string) => {
    owned.push(text);
    return text;
  };
  for (let i = 0; i < 20_000; i++) {
    const term = random.pick(["", "#", "東"]) + random.between(0, 9000).toString(random.pick([2, 36]));
    if (!expected.has(term)) expected.set(term, expected.size);
    if (names.numberOf(term, own) !== expected.get(term)) expect.fail(term);
  }
  expect(names.names).toEqual([...expected.keys()]);
  expect(owned).toEqual(names.names);
});
