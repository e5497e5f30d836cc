import { describe, expect, it } from "vitest";
import { DocSet } from "../../../src/base/doc-set.js";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { countHolders } from "../../../src/text/impacts/count-holders.js";
import { sureScore } from "../../../src/text/impacts/sure-score.js";
import { planText, type TextCorpus, type TextPlan } from "../../../src/text/impacts/text-plan.js";
import { bruteSearch } from "../../support/brute-text-search.js";
import { property, type Random } from "../../support/random.js";
import { type PlainRecord, segmentOf, termOf } from "../../support/word-index.js";

const WORDS = ["a", "b", "c", "d"];
const TERMS = [...WORDS, "nobody"].map((word) => termOf(word));

/** Records of common words, one in four dead. */
function corpusOf(random: Random, size: number): TextCorpus {
  const text = (): string => Array.from({ length: random.between(1, 9) }, () => random.pick(WORDS)).join(" ");
  const records = Array.from({ length: size }, (): PlainRecord => ({ body: text() }));
  const deletedDocs = new DocSet(size);
  for (let doc = 0; doc < size; doc++) if (random.chance(0.25)) deletedDocs.add(doc);
  const segments = [{ ...segmentOf(records), deletedDocs: random.chance(0.5) ? deletedDocs : null }];
  return { segments, docSpan: size, docCount: size, k1: 1.2 };
}

/** The scores of all living records that hold a term, descending. */
function scoresOf(corpus: TextCorpus, allowed: DocSet | null): number[] {
  const { members, scores } = bruteSearch(corpus, TERMS, { matching: "any", ratio: 0 }, allowed);
  return [...members].map((doc) => scores[doc]!).sort((a, b) => b - a);
}

const planOf = (corpus: TextCorpus): TextPlan => runTaskAtOnce(planText(corpus, TERMS));

describe("a score that records surely reach", () => {
  property("is reached by as many as were asked for, dead ones and filtered ones aside", 40, (random) => {
    const corpus = corpusOf(random, random.pick([1, 5, 300, 1500]));
    const allowed = random.chance(0.3) ? new DocSet(corpus.docSpan) : null;
    for (let doc = 0; allowed !== null && doc < corpus.docSpan; doc++)
      if (random.chance(0.2) && !corpus.segments[0]!.deletedDocs?.has(doc)) allowed.add(doc);
    const scores = scoresOf(corpus, allowed);
    for (const count of [1, 3, 12, 100, scores.length].filter((count) => count <= scores.length))
      expect(sureScore(planOf(corpus), allowed, count)).toBeLessThanOrEqual(scores[count - 1] ?? 0);
  });

  property("is reached where lists were made under other mean lengths", 30, (random) => {
    const records = Array.from(
      { length: 200 },
      (): PlainRecord => ({ body: `a${" x".repeat(random.between(0, 40))}` }),
    );
    const segment = segmentOf(records);
    const before = { segments: [segment], docSpan: 200, docCount: 200, k1: 1.2 };
    runTaskAtOnce(planText(before, [termOf("a")]));
    const averages = segment.fields.averages.map((average) => average * (1 + 9e-4 * (2 * random.next() - 1)));
    const corpus = { ...before, segments: [{ ...segment, fields: { ...segment.fields, averages } }] };
    const { members, scores } = bruteSearch(corpus, [termOf("a")], { matching: "any", ratio: 0 }, null);
    const earned = [...members].map((doc) => scores[doc]!).sort((a, b) => b - a);
    for (const count of [1, 3, 12, 60])
      expect(sureScore(runTaskAtOnce(planText(corpus, [termOf("a")])), null, count)).toBeLessThanOrEqual(
        earned[count - 1]!,
      );
  });

  it("is near to the best, so that it is of use", () => {
    const records = Array.from({ length: 500 }, (_, i): PlainRecord => ({ body: i % 5 === 0 ? "a b" : "a c c c" }));
    const corpus = { segments: [segmentOf(records)], docSpan: 500, docCount: 500, k1: 1.2 };
    expect(sureScore(runTaskAtOnce(planText(corpus, [termOf("a"), termOf("b")])), null, 12)).toBe(
      scoresOf(corpus, null)[99],
    );
  });

  it("is nothing where nobody holds a term, or nothing is asked for", () => {
    const corpus = { segments: [segmentOf([{ body: "x" }])], docSpan: 1, docCount: 1, k1: 1.2 };
    expect(sureScore(planOf(corpus), null, 1)).toBe(0);
    expect(sureScore(runTaskAtOnce(planText(corpus, [termOf("x")])), null, 0)).toBe(0);
  });
});

describe("the holders of any term", () => {
  property("are counted once each, the living and allowed ones", 40, (random) => {
    const corpus = corpusOf(random, random.pick([1, 33, 200, 5000]));
    const part = planOf(corpus).segments[0]!;
    const allowed = new DocSet(corpus.docSpan);
    for (let doc = 0; doc < corpus.docSpan; doc++)
      if (random.chance(0.5) && !part.segment.deletedDocs?.has(doc)) allowed.add(doc);
    expect(countHolders(part, null)).toBe(scoresOf(corpus, null).length);
    expect(countHolders(part, allowed)).toBe(scoresOf(corpus, allowed).length);
  });
});
