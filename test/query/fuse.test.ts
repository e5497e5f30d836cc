import { describe, expect, it } from "vitest";
import { type FusionInput, type FusionMethod, fuse, roundScore } from "../../src/query/rank/fuse.js";
import type { Doc, DocArray } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

/** A search whose scores are known for every record; matches are those named. */
interface Search {
  readonly scores: Readonly<Record<number, number>>;
  readonly docs: DocArray<Doc>;
}

const leg = (scores: Search["scores"], matches = Object.keys(scores).map(Number)): Search => ({
  scores,
  docs: Uint32Array.from(matches) as DocArray<Doc>,
});

const convex = (semanticWeight: number) => ({ method: "convex" as const, semanticWeight });
const rrf = { method: "rrf" as const, rankConstant: 60 };

function rank(lexical: Search | null, semantic: Search | null, fusion: FusionMethod, more: Partial<FusionInput> = {}) {
  const shareOf = (doc: number): number => lexical?.scores[doc] ?? 0;
  return runTaskAtOnce(
    fuse({
      fusion,
      lexical: lexical && { docs: lexical.docs, shares: Float64Array.from(lexical.docs, shareOf), shareOf },
      semantic: semantic && {
        docs: semantic.docs,
        cosinesOf: (docs) => Float64Array.from(docs, (doc) => semantic.scores[doc] ?? 0),
      },
      exactIdentifierDocs: [],
      titles: null,
      boosts: null,
      window: null,
      top: null,
      promoted: new Uint32Array(0) as DocArray<Doc>,
      ...more,
    }),
  );
}

function fused(lexical: Search | null, semantic: Search | null, fusion: FusionMethod, identifierDocs: number[] = []) {
  const { docs, scores } = rank(lexical, semantic, fusion, { exactIdentifierDocs: identifierDocs as Doc[] });
  return Object.fromEntries([...docs].map((doc, i) => [doc, scores[i]]));
}

describe("the convex combination", () => {
  const words = leg({ 0: 0.8, 2: 0.5, 5: 0.25 }, [0, 2]);
  const meaning = leg({ 0: 0.1, 2: 0.9, 5: 0.7 }, [2, 5]);

  it("adds both parts for every member of either leg, by hand", () => {
    // 0: .9 * .8 + .1 * .1; 2: .9 * .5 + .1 * .9; 5: .9 * .25 + .1 * .7
    expect(fused(words, meaning, convex(0.1))).toEqual({ 0: 0.73, 2: 0.54, 5: 0.295 });
    expect(fused(words, meaning, convex(0.5))).toEqual({ 0: 0.45, 2: 0.7, 5: 0.475 });
  });

  it("lets a leg that ran alone count fully", () => {
    expect(fused(words, null, convex(0.1))).toEqual({ 0: 0.8, 2: 0.5 });
    expect(fused(null, meaning, convex(0.1))).toEqual({ 2: 0.9, 5: 0.7 });
    expect(fused(null, null, convex(0.1))).toEqual({});
  });

  it("rounds to six decimals", () => {
    expect(fused(leg({ 1: 1 / 3, 2: 2 / 3 }), null, convex(0))).toEqual({ 1: 0.333333, 2: 0.666667 });
    expect([roundScore(0.1 + 0.2), roundScore(1e-7), roundScore(5e-7)]).toEqual([0.3, 0, 0.000001]);
  });

  it("gives members in the order of the records, each once", () => {
    const { docs } = rank(leg({ 1: 1, 4: 1, 9: 1 }), leg({ 0: 1, 4: 1 }), convex(0.1));
    expect([...docs]).toEqual([0, 1, 4, 9]);
  });
});

describe("the rank window", () => {
  const lexical = leg({ 0: 0.8, 1: 0.6, 2: 0.4, 3: 0.2 });
  const semantic = leg({ 0: 0.5, 1: 0.5, 2: 0.5, 3: 0.5 }, [3]);
  const titles = {
    most: 0.25,
    mostLift: 0,
    mostOf: () => 0.25,
    divisor: 1.25,
    sumOf: (doc: number) => (doc === 1 ? 0.25 : 0.05),
  };
  const window = Uint32Array.of(0, 1) as DocArray<Doc>;

  it("gives its records and the semantic matches cosine and title, the others the score of their words, by hand", () => {
    const { scores, partsOf } = rank(lexical, semantic, convex(0.5), { window, titles });
    // (.4 + .25 + .05) / 1.25, (.3 + .25 + .25) / 1.25, .2 / 1.25, (.1 + .25 + .05) / 1.25
    expect([...scores]).toEqual([0.56, 0.64, 0.16, 0.32]);
    expect(partsOf(2 as Doc)).toMatchObject({ lexical: 0.16, semantic: 0, title: 0, isBeyondWindow: true });
    expect(partsOf(3 as Doc)).toMatchObject({ lexical: 0.08, semantic: 0.2, title: 0.04, isBeyondWindow: false });
  });

  it("adds the share of what a record lacks that its title gives", () => {
    const lifting = { ...titles, mostLift: 0.5, sumOf: (_: number, lacking: number) => 0.5 * lacking };
    const { scores } = rank(lexical, null, convex(0), { window: null, titles: lifting });
    expect([scores[0], scores[1]]).toEqual([roundScore(0.9 / 1.25), roundScore(0.8 / 1.25)]);
  });

  it("leaves every record its cosine where meaning weighs more than words", () => {
    const { scores } = rank(lexical, semantic, convex(0.75), { window, titles });
    expect(scores[2]).toBe(roundScore((0.1 + 0.375) / 1.25));
  });

  it("asks only the titles that can bring a record among the first that are needed", () => {
    const asked: number[] = [];
    const asking = { ...titles, sumOf: (doc: number) => asked.push(doc) && titles.sumOf(doc) };
    const { scores } = rank(lexical, null, convex(0), { window: null, titles: asking, top: 1 });
    // .8 + .05 is reached by 1 with .6 + .25, by 2 and 3 with no title.
    expect(asked).toEqual([0, 1]);
    expect([scores[0], scores[1]]).toEqual([0.68, 0.68]);
  });

  it("asks no title that can add too little, whatever others can add", () => {
    const asked: number[] = [];
    const sumOf = (doc: number) => asked.push(doc) && titles.sumOf(doc);
    const asking = { ...titles, sumOf, mostOf: (doc: number) => (doc === 1 ? 0.04 : 0.25) };
    rank(lexical, null, convex(0), { window: null, titles: asking, top: 1 });
    expect(asked).toEqual([0]);
  });
});

describe("reciprocal rank fusion", () => {
  it("is the mean of (k + 1) / (k + rank) over the legs that ran, by hand", () => {
    // ranks by words 7: 1, 3: 2; by meaning 3: 1, 8: 2
    const both = fused(leg({ 3: 0.2, 7: 0.9 }), leg({ 3: 0.9, 8: 0.1 }), rrf);
    expect(both).toEqual({ 3: roundScore((61 / 62 + 1) / 2), 7: 0.5, 8: roundScore(61 / 62 / 2) });
    expect(both[3]).toBe(0.991935);
  });

  it("gives equal scores the same rank, and the next the rank after all of them", () => {
    const shared = fused(leg({ 0: 0.5, 1: 0.9, 2: 0.5, 3: 0.5, 4: 0.1 }), null, rrf);
    expect(shared).toEqual({ 0: 0.983871, 1: 1, 2: 0.983871, 3: 0.983871, 4: roundScore(61 / 65) });
  });

  it("calls scores equal that agree to six decimals", () => {
    expect(fused(leg({ 0: 0.5, 1: 0.5 + 1e-9 }), null, rrf)).toEqual({ 0: 1, 1: 1 });
  });

  it("counts a rank for the members of its leg alone", () => {
    const words = leg({ 0: 0.9, 1: 0.8 }, [0]);
    expect(fused(words, leg({ 1: 0.9 }), rrf)).toEqual({ 0: 0.5, 1: 0.5 });
    expect(fused(null, null, rrf, [4])).toEqual({ 4: 1 });
  });

  it("takes another constant", () => {
    expect(fused(leg({ 0: 0.9, 1: 0.8 }), null, { method: "rrf", rankConstant: 1 })).toEqual({ 0: 1, 1: 0.666667 });
  });
});

describe("the exact code", () => {
  it("scores 1 and is a member though no leg found it", () => {
    expect(fused(leg({ 0: 0.5 }), null, convex(0.1), [3])).toEqual({ 0: 0.5, 3: 1 });
    expect(fused(leg({ 0: 0.5 }), leg({ 3: 0.2 }), rrf, [3])).toEqual({ 0: 0.5, 3: 1 });
  });

  it("stands alone at 1", () => {
    expect(fused(leg({ 0: 1, 1: 1, 2: 0.9999999 }), null, convex(0.1), [1])).toEqual({
      0: 0.999999,
      1: 1,
      2: 0.999999,
    });
    expect(fused(leg({ 0: 1 }), null, convex(0.1))).toEqual({ 0: 1 });
  });
});
