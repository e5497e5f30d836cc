import { expect, it } from "vitest";
import { Candidates } from "../../../src/text/impacts/candidates.js";
import { PageBound } from "../../../src/text/membership/page-bound.js";

function listed(candidates: Candidates, ...scores: number[]): void {
  candidates.add(Uint32Array.from(scores.keys()), Float64Array.from(scores));
}

const half = (score: number): number => score / 2;
const same = (score: number): number => score;

it("is the least beside the last of a page, as candidates come, less the slack", () => {
  const candidates = new Candidates();
  const sure = Number.NEGATIVE_INFINITY;
  const bound = new PageBound(candidates, { count: 2, leastBeside: half, sure, slack: 0.25, most: () => 9 });
  listed(candidates, 3);
  expect(bound.least).toBe(Number.NEGATIVE_INFINITY);
  listed(candidates, 1);
  expect(bound.least).toBe(0.25);
  listed(candidates, 2, 9);
  expect(bound.least).toBe(1.25);
});

it("is what was known before, as long as the candidates have less", () => {
  const candidates = new Candidates();
  const bound = new PageBound(candidates, { count: 1, leastBeside: same, sure: 4, slack: 1, most: () => 9 });
  expect(bound.least).toBe(3);
  listed(candidates, 2);
  expect(bound.least).toBe(3);
  listed(candidates, 7);
  expect(bound.least).toBe(6);
});
