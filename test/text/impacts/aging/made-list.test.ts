import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../../../../src/base/tasks.js";
import type { MadeList } from "../../../../src/text/impacts/aging/made-list.js";
import { type ImpactView, impactsOf } from "../../../../src/text/impacts/impact-view.js";
import { alternativesKey, type QueryTerm } from "../../../../src/text/query-term.js";
import { driftOf, type FieldNorms, type SearchableSegment } from "../../../../src/text/searchable-segment.js";
import { property, type Random } from "../../../support/random.js";
import { segmentOf, termOf } from "../../../support/word-index.js";

const TERM = termOf("a");

/** The segment with mean lengths so many times as great. */
function scaled(segment: SearchableSegment, factor: number): SearchableSegment {
  const { fields } = segment;
  return { ...segment, fields: { ...fields, averages: fields.averages.map((average) => average * factor) } };
}

const viewOf = (segment: SearchableSegment, k1 = 1.2): ImpactView => impactsOf(segment, k1);
const known = (view: ImpactView, term = TERM): MadeList | null | undefined =>
  view.knownList(term, alternativesKey(term));
const made = (view: ImpactView, term = TERM): MadeList => runTaskAtOnce(view.makeList(term, alternativesKey(term)))!;

function segmentOfLengths(random: Random, size: number): SearchableSegment {
  const text = (): string => `${random.pick(["a", "a b", "a a", "b"])}${" x".repeat(random.between(0, 30))}`;
  return segmentOf(Array.from({ length: size }, () => ({ "!title": text(), body: text() })));
}

describe("a list under norms that are not its own", () => {
  property("earns what a new one earns, and is as near as it says", 40, (random) => {
    const segment = segmentOfLengths(random, random.pick([3, 200]));
    const term: QueryTerm = random.pick([TERM, termOf("a", "a+b"), termOf(["b", 0.5], "a"), termOf("b+a")]);
    const old = made(viewOf(segment), term);
    if (old === null) return;
    const factor = 1 + random.pick([-9e-4, -1e-5, 1e-6, 8e-4]);
    const later = scaled(segment, factor);
    // Another segment of the same records has no list of before.
    const fresh = made(viewOf({ ...later, postings: { ...later.postings } }), term).list;
    const view = viewOf(later);
    expect(known(view, term)).toBe(old);
    const drift = view.driftOf(old);
    expect(drift).toBeCloseTo(Math.abs(factor - 1), 12);
    const exact = view.earningsOf(old, term);
    const docs = Uint32Array.from({ length: segment.postings.docCount }, (_, doc) => doc + 7);
    const [sums, expected] = [new Float64Array(docs.length), new Float64Array(docs.length)];
    exact.addImpacts({ docs, from: 1, to: docs.length, base: 7 }, 3, sums);
    fresh.addImpacts({ docs, from: 1, to: docs.length, base: 7 }, 3, expected);
    expect(sums).toEqual(expected);
    for (let doc = 0; doc < docs.length; doc++) {
      const earned = exact.impactOf(doc);
      expect(earned).toBe(fresh.impactOf(doc));
      expect(Math.abs(old.list.impactOf(doc) - earned)).toBeLessThanOrEqual((drift + 1e-12) * earned);
    }
  });

  it("is exact, and its own, under the same numbers", () => {
    const segment = segmentOf([{ body: "a" }, { body: "a x x" }]);
    const old = made(viewOf(segment));
    const again = viewOf({ ...segment, fields: { ...segment.fields } });
    expect(known(again)).toBe(old);
    expect(again.driftOf(old)).toBe(0);
    expect(again.earningsOf(old, TERM)).toBe(old.list);
  });

  it("is made anew where it is far off, weighs otherwise or saturates otherwise", () => {
    const segment = segmentOf([{ body: "a" }, { body: "a x x" }]);
    made(viewOf(segment));
    const { fields } = segment;
    expect(known(viewOf(scaled(segment, 1.0009)))).toBeDefined();
    expect(known(viewOf(scaled(segment, 1.0011)))).toBeUndefined();
    expect(known(viewOf(scaled(segment, 0.9989)))).toBeUndefined();
    const others: Partial<FieldNorms>[] = [
      { weights: Float64Array.of(2) },
      { titleWeights: Float64Array.of(3) },
      { b: 0.5 },
    ];
    for (const other of others) expect(known(viewOf({ ...segment, fields: { ...fields, ...other } }))).toBeUndefined();
    expect(known(viewOf({ ...segment, fields: { ...fields } }, 1.3))).toBeUndefined();
  });

  it("is made anew when more records were looked up than it has kinds, and some", () => {
    const segment = segmentOf(Array.from({ length: 300 }, (_, i) => ({ body: `a${" x".repeat(i % 100)}` })));
    const old = made(viewOf(segment));
    const view = viewOf(scaled(segment, 1.0001));
    const exact = view.earningsOf(old, TERM);
    const docs = Uint32Array.from({ length: 160 }, (_, doc) => doc);
    exact.addImpacts({ docs, from: 0, to: 160, base: 0 }, 1, new Float64Array(160));
    for (let i = 0; i < 4; i++) exact.impactOf(i);
    expect(known(view)).toBe(old);
    exact.impactOf(4);
    expect(known(view)).toBeUndefined();
    // Under its own norms it is as good as ever.
    expect(known(viewOf(segment))).toBe(old);
    const anew = made(view);
    expect(view.driftOf(anew)).toBe(0);
    expect(known(view)).toBe(anew);
  });

  it("is remembered to be nobody's, whatever the norms", () => {
    const segment = segmentOf([{ body: "a" }, { body: "b" }]);
    const both = termOf("a+b");
    expect(known(viewOf(segment), both)).toBeUndefined();
    expect(made(viewOf(segment), both)).toBeNull();
    expect(known(viewOf(scaled(segment, 2)), both)).toBeNull();
    expect(known(viewOf(segment), termOf("nobody"))).toBeNull();
  });
});

describe("norms", () => {
  it("drift by the mean length that changed most", () => {
    const norms = (...averages: number[]): FieldNorms => {
      const weights = Float64Array.from(averages, () => 1);
      return { weights, titleWeights: weights, averages: Float64Array.from(averages), b: 0.75 };
    };
    expect(driftOf(norms(4, 8), norms(4, 8))).toBe(0);
    expect(driftOf(norms(4, 8), norms(5, 8))).toBe(0.25);
    expect(driftOf(norms(4, 8), norms(5, 4))).toBe(0.5);
    // The last two numbers below 8: their quotient is 1 but for less than a double can tell.
    const last = 8 - 2 ** -50;
    expect(last / (last - 2 ** -50)).toBe(1 + Number.EPSILON);
    expect(driftOf(norms(last - 2 ** -50), norms(last))).toBe(Number.EPSILON);
    expect(driftOf(norms(last), norms(last - 2 ** -50))).toBe(Number.EPSILON);
    expect(driftOf(norms(4, 8), { ...norms(4, 8), b: 0.5 })).toBe(Number.POSITIVE_INFINITY);
    expect(driftOf(norms(4, 8), { ...norms(4, 8), weights: Float64Array.of(1, 2) })).toBe(Number.POSITIVE_INFINITY);
    expect(driftOf(norms(4, 8), { ...norms(4, 8), titleWeights: Float64Array.of(1, 2) })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
