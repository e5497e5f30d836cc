// What titles add at most by scores: no record's title may add more than its score lets it.

import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { planText, scoreIn, type TextCorpus } from "../../../src/text/impacts/text-plan.js";
import type { QueryTerm } from "../../../src/text/query-term.js";
import { MostByScore } from "../../../src/text/title/most-by-score.js";
import { TitleEvidence } from "../../../src/text/title/title-evidence.js";
import { titleWordsOf } from "../../../src/text/title/title-words.js";
import { property, type Random } from "../../support/random.js";
import { corpusOf, type PlainRecord, segmentOf, termOf } from "../../support/word-index.js";

const WORDS = "ant bee cat dog eel fox gnu hen".split(" ");
const word = (text: string): QueryTerm => ({ ...termOf(text), word: text });

describe("by records that hold one term, or two that are unlike", () => {
  // Neither mean lengths nor frequencies differ: each holder earns (k1 + 1) / (1 + k1) times the idf, which is 1 of it.
  const records = ["ant", "bee", "bee", "cat bee"].map((body): PlainRecord => ({ body, pad: "x y z" }));
  const plan = planOf({ segments: [segmentOf(records, 0)], docSpan: 4, docCount: 4, k1: 1.2 }, ["ant", "bee", "owl"]);
  const [ant, bee] = [Math.log(1 + 3.5 / 1.5), Math.log(1 + 1.5 / 3.5)];
  const worth = 2;
  const mosts = new MostByScore(plan, { always: 0.1, terms: [0.2, 0.4, 9], pairs: [0.03, 9, 0] });

  it("is what those terms let a title add that so much can be earned by", () => {
    expect(plan.idfs).toEqual(Float64Array.of(ant, bee, 0));
    const impact = scoreIn(plan, plan.segments[0]!, 0) / ant;
    const [byBee, byAnt, byBoth] = [bee * impact, ant * impact, (ant + bee) * impact];
    const steps = [0, byBee, byAnt, byBoth].map((score) => [mosts.at(score * 0.999), mosts.at(score * 1.001)]);
    // To hold the first term alone takes more than the second, and says less.
    const expected = [
      [0.1, 0.1],
      [0.1, 0.5],
      [0.5, 0.5],
      [0.5, 0.73],
    ];
    for (const [i, step] of steps.entries())
      for (const [j, most] of step.entries()) expect(most).toBeCloseTo(expected[i]![j]!, 9);
    // The least score that reaches a sum: by the terms, and beyond what they ask for by more of them.
    expect(mosts.leastScore(0.05, worth)).toBe(0);
    expect(mosts.leastScore(0.5 + worth * byBee, worth)).toBeCloseTo(byBee, 6);
    expect(mosts.leastScore(0.4 + worth * byBee, worth)).toBeCloseTo(byBee, 6);
    expect(mosts.leastScore(0.5 + worth * byAnt, worth)).toBeCloseTo(byAnt, 6);
    expect(mosts.leastScore(0.73 + worth * byBoth + 1, worth)).toBeCloseTo(byBoth + 0.5, 6);
    expect(mosts.leastScore(Number.NEGATIVE_INFINITY, worth)).toBe(0);
  });
});

property("no title adds more than the score of its record lets it, whatever words mean", 60, (random) => {
  const known = WORDS.filter(() => random.chance(0.4));
  const near = new Map(known.map((one) => [one, new Map(known.map((other) => [other, one === other ? 1 : 0.9]))]));
  const meaningOf = (text: string) =>
    near.has(text)
      ? { text, nearnessTo: (other: object) => near.get(text)!.get((other as { readonly text: string }).text)! }
      : null;
  const parts = random.list(1, 3, () =>
    random.list(1, 30, (): PlainRecord => ({ "!title": textOf(random, 6), body: textOf(random, 20) })),
  );
  const asked = random.shuffle([...WORDS, "owl"]).slice(0, random.pick([1, 2, 3, 4, 6, 7]));
  // Lists of before, when mean lengths were others, give scores and their bounds alike.
  const before = random.chance(0.5) ? 1 + 4e-4 : 1;
  const corpus = corpusOf(parts);
  const longer = (factor: number): TextCorpus => ({
    ...corpus,
    segments: corpus.segments.map((segment) => {
      const averages = segment.fields.averages.map((average) => average * factor);
      return { ...segment, fields: { ...segment.fields, averages } };
    }),
  });
  planOf(longer(before), asked);
  const plan = planOf(longer(1), asked);
  expect(plan.drift === 0).toBe(
    before === 1 || plan.segments.every(({ lists }) => lists.every((list) => list === null)),
  );
  const speaker = random.chance(0.5) ? { meaningOf } : null;
  const titles = new TitleEvidence(plan, runTaskAtOnce(titleWordsOf(plan.corpus, speaker)));
  const mosts = titles.mostByScore();
  const worth = random.pick([0.02, 0.3, 1]);
  for (const part of plan.segments)
    for (let doc = 0; doc < part.segment.postings.docCount; doc++) {
      const near = part.lists.reduce((sum, list, i) => sum + plan.idfs[i]! * (list?.impactOf(doc) ?? 0), 0);
      const exact = scoreIn(plan, part, doc);
      const sum = titles.sumOf(part.segment.base + doc);
      for (const score of [near, exact]) {
        expect(sum).toBeLessThanOrEqual(mosts.at(score));
        expect(mosts.at(score)).toBeLessThanOrEqual(titles.most + 1e-9);
        expect(mosts.leastScore(worth * score + sum, worth)).toBeLessThanOrEqual(score + 1e-9);
      }
    }
});

function planOf(corpus: TextCorpus, words: readonly string[]) {
  return runTaskAtOnce(planText(corpus, words.map(word)));
}

function textOf(random: Random, most: number): string {
  return random.list(0, most, () => random.pick(WORDS)).join(" ");
}
