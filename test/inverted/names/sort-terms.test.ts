import { expect, it } from "vitest";
import { sortTerms } from "../../../src/inverted/sort-terms.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { property } from "../../support/random.js";

property("sorts names as sort does", 80, (random) => {
  const bits = [
    "a",
    "b",
    "~",
    "0",
    "\0",
    "\u00fe",
    "\u00ff",
    "\u0100",
    "\u4e00",
    "\u4e01",
    "\ud83d",
    "\ude00",
    "abcdef",
  ];
  const most = random.pick([3, 40, 12_000]);
  const names = random.list(0, most, () => random.list(0, 10, () => random.pick(bits)).join(""));
  const places = [...names.keys()];
  expect([...runTaskAtOnce(sortTerms(names))]).toEqual(places.sort((a, b) => compare(names[a]!, names[b]!) || a - b));
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

it("sorts names that begin alike, many of them, too", () => {
  const names = Array.from({ length: 40_000 }, (_, i) => `wireless${((i * 7919) % 40_000).toString(36)}`);
  const order = runTaskAtOnce(sortTerms(names));
  expect([...order].map((place) => names[place])).toEqual([...names].sort());
});
