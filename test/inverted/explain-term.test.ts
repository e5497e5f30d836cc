import { expect, it } from "vitest";
import type { QueryTerm } from "../../src/analysis/query-term.js";
import { explainInRecord as explanation } from "../../src/inverted/explain-term.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { Kept } from "../../src/util/kept.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property } from "../support/random.js";
import { searchWords } from "../support/search-words.js";
import { segmentOf, termOf } from "../support/word-index.js";

const explainInRecord = (...given: Parameters<typeof explanation>) => runTaskAtOnce(explanation(...given));

const COUNTS = { docFreq: 1, docCount: 2, weight: 1, maxScore: 65_535 };

it("a term that a record lacks is not explained", () => {
  const segment = segmentOf([{ body: "wi fi" }, { body: "wi" }]);
  expect(explainInRecord(segment, 1 as LocalDoc, termOf("wi+fi"), COUNTS)).toBeUndefined();
  expect(explainInRecord(segment, 0 as LocalDoc, termOf("sofa"), COUNTS)).toBeUndefined();
});

it("a term is explained by the form that counts most", () => {
  const segment = segmentOf([{ body: "wi fi wifi wifi" }]);
  expect(explainInRecord(segment, 0 as LocalDoc, termOf("wi+fi", "wifi"), COUNTS)!.heldAs).toEqual(["wifi"]);
  expect(explainInRecord(segment, 0 as LocalDoc, termOf("wi+fi", ["wifi", 0.25]), COUNTS)!.heldAs).toEqual([
    "wi",
    "fi",
  ]);
});

it("a form that does not count in a field is not explained by it", () => {
  const segment = segmentOf([{ body: "wifi", brand: "wifi" }]);
  const term: QueryTerm = { key: "x", alternatives: [{ terms: ["wifi"], weight: 1, notIn: new Set(["brand"]) }] };
  const explained = explainInRecord(segment, 0 as LocalDoc, term, COUNTS)!;
  expect(explained.fields.map(({ field }) => field)).toEqual(["body"]);
});

property("what is explained of a record's terms sums to its score", 60, (random) => {
  const words = () => random.list(1, 6, () => random.pick(["a", "b", "c", "d"])).join(" ");
  const records = random.list(1, 12, () => ({ "!title": words(), body: words() }));
  const segment = segmentOf(records);
  const terms = [termOf("a"), termOf("b+c", ["d", 0.5]), termOf("zz")];
  const corpus = {
    segments: [segment],
    maxDoc: records.length,
    docCount: records.length,
    k1: 1.2,
    kept: new Kept(),
  };
  const { scores, docFreqs, weights, maxScore } = searchWords(corpus, terms, { matching: "any", ratio: 0 }, null);
  for (const [doc, score] of [...scores].entries()) {
    const explained = terms.map((term, i) =>
      explainInRecord(segment, doc as LocalDoc, term, {
        docFreq: docFreqs[i]!,
        docCount: records.length,
        weight: weights[i]!,
        maxScore,
      }),
    );
    const sum = explained.reduce((total, term) => total + (term?.score ?? 0), 0);
    expect(sum).toBeCloseTo(maxScore === 0 ? 0 : score / maxScore, 9);
  }
});
