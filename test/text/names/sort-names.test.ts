import { expect } from "vitest";
import { runAtOnce } from "../../../src/base/slices.js";
import { sortNames } from "../../../src/text/names/sort-names.js";
import { property } from "../../support/random.js";

property("sorts distinct names as sort does", 80, (random) => {
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
  const names = [...new Set(random.list(0, most, () => random.list(0, 10, () => random.pick(bits)).join("")))];
  const order = runAtOnce(sortNames(names));
  expect([...order].map((place) => names[place])).toEqual([...names].sort());
});
