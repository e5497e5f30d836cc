import { expect, it } from "vitest";
import { Greatest } from "../../src/vector/greatest.js";
import { property } from "../support/random.js";

property("gives the k-th greatest after every number", 60, (random) => {
  const k = random.between(1, 12);
  const greatest = new Greatest(k);
  const offered: number[] = [];
  for (let i = 0; i < random.between(1, 60); i++) {
    offered.push(random.between(-9, 9));
    greatest.offer(offered.at(-1)!);
    offered.sort((a, b) => b - a);
    expect(greatest.last).toBe(offered[k - 1] ?? Number.NEGATIVE_INFINITY);
  }
});

it("of no numbers is beyond all", () => {
  const none = new Greatest(0);
  expect(none.last).toBe(Number.POSITIVE_INFINITY);
});
