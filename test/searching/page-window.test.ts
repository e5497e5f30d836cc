import { expect } from "vitest";
import { runTaskAtOnce } from "../../src/base/tasks.js";
import { MostElsewhere } from "../../src/searching/most-elsewhere.js";
import { keepWindow } from "../../src/searching/page-window.js";
import { planText, type TextCorpus } from "../../src/text/impacts/text-plan.js";
import { searchText } from "../../src/text/search-text.js";
import { bruteSearch } from "../support/brute-text-search.js";
import { property } from "../support/random.js";
import { normsOf, type PlainRecord, postingsOf, termOf } from "../support/word-index.js";

property("what is on a page stays, also by lists made when mean lengths were otherwise", 40, (random) => {
  const filled = (most: number): string => `${random.pick(["a", "b", "a b"])}${" x".repeat(random.between(0, most))}`;
  const records = random.list(500, 900, (): PlainRecord => ({ body: filled(60), more: filled(30) }));
  const postings = postingsOf(records);
  const fields = normsOf(postings, records, 1);
  const corpusOf = (body: number, more: number): TextCorpus => {
    const averages = Float64Array.of(fields.averages[0]! * body, fields.averages[1]! * more);
    const segment = { postings, deletedDocs: null, base: 0, fields: { ...fields, averages } };
    return { segments: [segment], docSpan: records.length, docCount: records.length, k1: 3 };
  };
  const terms = [termOf("a"), termOf("b")];
  runTaskAtOnce(planText(corpusOf(1, 1), terms));
  const drift = random.pick([0, 9e-4]);
  const corpus = corpusOf(1 + drift, 1 - drift);
  const { scores, attainable } = bruteSearch(corpus, terms, { matching: "any", ratio: 0 });
  const shareOf = (doc: number): number => Math.round((scores[doc]! / attainable) * 1e6);
  const ranked = [...records.keys()].sort((a, b) => shareOf(b) - shareOf(a) || a - b);
  const plan = runTaskAtOnce(planText(corpus, terms));
  expect(plan.drift).toBeCloseTo(drift, 12);
  for (let from = random.between(0, 50); from < records.length; from += random.between(1, 60)) {
    const to = Math.min(records.length, from + random.between(1, 5));
    const text = searchText(plan, { matching: "any", ratio: 0 });
    const before = keepWindow(
      {
        text,
        passing: null,
        isPageEnough: true,
        vectors: null,
        exact: [],
        method: { method: "convex", semanticWeight: 0 },
        titles: null,
        wordsWeight: 1,
        meaningWeight: 0,
        elsewhere: new MostElsewhere({ worth: 1 / attainable, meaning: 0, titles: null }),
      },
      { from, to },
    );
    const { docs, size } = text.candidates;
    const left = new Set(docs.subarray(0, size));
    const kept = ranked.filter((doc) => left.has(doc));
    expect(kept.slice(from - before, to - before)).toEqual(ranked.slice(from, to));
  }
});
