import { expect, it } from "vitest";
import { Candidates } from "../../../src/text/impacts/candidates.js";
import { PageBound } from "../../../src/text/membership/page-bound.js";

function listed(candidates: Candidates, ...scores: number[]): void {
  candidates.add(Uint32Array.from(scores.keys()), Float64Array.from(scores));
}

it("is the score of the last of a page, as candidates come, less the slack", () => {
  const candidates = new Candidates();
  const bound = new PageBound(candidates, { count: 2, sure: Number.NEGATIVE_INFINITY, slack: 0.5, most: () => 9 });
  listed(candidates, 3);
  expect(bound.least).toBe(Number.NEGATIVE_INFINITY);
  listed(candidates, 1);
  expect(bound.least).toBe(0.5);
  listed(candidates, 2, 9);
  expect(bound.least).toBe(2.5);
});

it("is what was known before, as long as the candidates have less", () => {
  const candidates = new Candidates();
  const bound = new PageBound(candidates, { count: 1, sure: 4, slack: 1, most: () => 9 });
  expect(bound.least).toBe(3);
  listed(candidates, 2);
  expect(bound.least).toBe(3);
  listed(candidates, 7);
  expect(bound.least).toBe(6);
});
