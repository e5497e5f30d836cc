import { describe, expect, it } from "vitest";
import { Candidates } from "../../../src/text/impacts/candidates.js";
import { MemberCut } from "../../../src/text/membership/member-cut.js";
import { property } from "../../support/random.js";

/** Settled on the best of these scores; each record's exact score is `exact` more. */
function settled(ratio: number, scores: readonly number[], exact = 0): { cut: MemberCut; candidates: Candidates } {
  const cut = new MemberCut(10, ratio, 0);
  const candidates = new Candidates();
  candidates.add(Uint32Array.from(scores.keys()), Float64Array.from(scores));
  cut.settle(Math.max(...scores), candidates, (doc) => scores[doc]! + exact);
  return { cut, candidates };
}

describe("the cut", () => {
  it("is a ratio of the best, in millionths of what is attainable", () => {
    const { cut } = settled(0.4, [5, 1]);
    expect([2, 1.999999, 1.99999].map((score) => cut.isReached(score))).toEqual([true, true, false]);
  });

  it("looks again at a best that is nearly half a millionth", () => {
    // 500,000.5 millionths of 10, or a little less.
    const best = 5.000005;
    expect(settled(1, [best]).cut.isReached(5.00001)).toBe(true);
    expect(settled(1, [best], -1e-9).cut.isReached(5)).toBe(true);
    expect(settled(1, [best], 1e-9).cut.isReached(5)).toBe(false);
  });

  property("keeps the members, and bounds them from both sides", 200, (random) => {
    const scores = Array.from({ length: 50 }, () => Math.round(random.next() * 200) / 20);
    const ratio = random.pick([0, 0.4, 0.5, 1]);
    const { cut, candidates } = settled(ratio, scores);
    const best = Math.max(...scores);
    const members = scores.filter((score) => Math.round(score * 1e5) >= ratio * Math.round(best * 1e5));
    cut.keepMembers(candidates, (doc) => scores[doc]!);
    expect([...candidates.scores.subarray(0, candidates.size)]).toEqual(members);
    for (const score of scores) {
      if (score >= cut.surely || score >= cut.surelyBelow(best)) expect(members).toContain(score);
      if (score < cut.hardly || score < cut.leastBeside(best)) expect(members).not.toContain(score);
    }
  });

  property("keeps the members where sums are only near to scores", 300, (random) => {
    const drift = random.pick([1e-5, 1e-4, 1e-3]);
    const ratio = random.pick([0, 0.4, 0.5, 1]);
    const scores = Array.from({ length: 80 }, () => random.pick([2, 4, 5, 10]) * (1 - random.next() * 3e-3));
    // A sum is off by a share of what is attainable, 10, at most.
    const sums = scores.map((score) => score + 10 * drift * (2 * random.next() - 1));
    const cut = new MemberCut(10, ratio, drift);
    const exact = (doc: number): number => scores[doc]!;
    const [best, most] = [Math.max(...scores), Math.max(...sums)];
    const isMember = (score: number): boolean => Math.round(score * 1e5) >= ratio * Math.round(best * 1e5);
    for (const [doc, sum] of sums.entries()) {
      if (sum >= cut.surelyBelow(most)) expect(isMember(scores[doc]!)).toBe(true);
      if (sum < cut.leastBeside(random.pick([best, most]))) expect(isMember(scores[doc]!)).toBe(false);
    }
    const candidates = new Candidates();
    candidates.add(Uint32Array.from(sums.keys()), Float64Array.from(sums));
    cut.settle(random.pick([best, most]), candidates, exact);
    cut.keepMembers(candidates, exact);
    const members = [...scores.keys()].filter((doc) => isMember(scores[doc]!));
    expect([...candidates.docs.subarray(0, candidates.size)]).toEqual(members);
    for (const [doc, sum] of sums.entries()) {
      if (sum >= cut.surely) expect(members).toContain(doc);
      if (sum < cut.hardly) expect(members).not.toContain(doc);
    }
  });
});
