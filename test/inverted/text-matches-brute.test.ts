import { describe, expect, it } from "vitest";
import type { QueryTerm } from "../../src/analysis/query-term.js";
import type { FieldScoring } from "../../src/inverted/bm25.js";
import type { Postings } from "../../src/inverted/postings.js";
import { findMatches, type MatchRule } from "../../src/inverted/text-matches.js";
import type { TextSearcher } from "../../src/inverted/text-searcher.js";
import { type SearchableSegment, TextCaches } from "../../src/inverted/text-searcher.js";
import { scoreOf, weighQuery } from "../../src/inverted/weigh-terms.js";
import { type Doc, DocSet, type LocalDoc, toDoc, toLocal } from "../../src/util/doc-set.js";
import { Kept } from "../../src/util/kept.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { bruteSearch } from "../support/brute-text-search.js";
import { property, Random } from "../support/random.js";
import { type PlainRecord, postingsOf, scoringOf, termOf } from "../support/word-index.js";

const WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"];

function randomText(random: Random): string {
  // The first words are common, the last rare.
  const word = (): string => WORDS[Math.min(random.between(0, WORDS.length - 1), random.between(0, WORDS.length))]!;
  return Array.from({ length: random.between(1, random.pick([2, 4, 12])) }, word).join(" ");
}

function randomRecords(random: Random, most: number): PlainRecord[] {
  return random.list(1, most, () => ({
    ...(random.chance(0.9) ? { "!title": randomText(random) } : {}),
    ...(random.chance(0.6) ? { body: randomText(random) } : {}),
    ...(random.chance(0.2) ? { brand: random.pick(WORDS) } : {}),
  }));
}

/** Segments of which some have deleted records. */
function searcherOf(
  random: Random,
  parts: readonly (readonly PlainRecord[])[],
  k1 = 1.2,
  scoringIn = (postings: Postings): FieldScoring => scoringOf(postings, parts.flat()),
): TextSearcher {
  let base = 0;
  let docCount = 0;
  const segments = parts.map((records): SearchableSegment => {
    const postings = postingsOf(records);
    const deletedDocs = random.chance(0.5) ? new DocSet(records.length) : null;
    if (deletedDocs !== null)
      for (let doc = 0; doc < records.length; doc++) if (random.chance(0.15)) deletedDocs.add(doc);
    const segment = { postings, deletedDocs, base, scoring: scoringIn(postings), caches: new TextCaches(postings) };
    base += records.length;
    docCount += records.length - (deletedDocs?.count() ?? 0);
    return segment;
  });
  return { segments, maxDoc: base, docCount, k1, kept: new Kept() };
}

/** Some fields weigh more or nothing, and mean lengths are as some other records have them. */
function randomCorpus(random: Random, most: number): TextSearcher {
  const parts = random.list(1, 4, () => randomRecords(random, most));
  const others = [...parts.flat(), ...randomRecords(random, 20)];
  const weights = new Map(["title", "body", "brand"].map((name) => [name, random.pick([0, 1, 1, 1, 3.5])]));
  const k1 = random.pick([0, 1.2, 3]);
  return searcherOf(random, parts, k1, (postings) => {
    const norms = scoringOf(postings, others);
    return {
      ...{ ...norms, k1 },
      averages: norms.averages.map((average) => (average > 0 ? average : 1)),
      weights: Float64Array.from(postings.fields, (name) => weights.get(name)!),
      titleWeights: Float64Array.from(postings.fields, (name) => 2 * weights.get(name)!),
    };
  });
}

function randomTerms(random: Random): QueryTerm[] {
  const alternative = () => ({
    terms: random.list(1, random.pick([1, 1, 3]), () => random.pick([...WORDS, "nobody"])),
    weight: random.pick([1, 1, 0.5]),
    ...(random.chance(0.2) ? { notIn: new Set(["body"]) } : {}),
  });
  return random.list(1, 5, (i) => ({
    key: `${i}`,
    alternatives: random.list(1, random.pick([1, 1, 3]), alternative),
    ...(random.chance(0.2) ? { optional: true } : {}),
  }));
}

function randomAllowed(random: Random, { segments, maxDoc }: TextSearcher): DocSet<Doc> | null {
  if (random.chance(0.5)) return null;
  const allowed = new DocSet<Doc>(maxDoc);
  const share = random.pick([0.02, 0.5, 0.9]);
  for (const { base, postings, deletedDocs } of segments)
    for (let doc = 0 as LocalDoc; doc < postings.maxDoc; doc++)
      if (random.chance(share) && !deletedDocs?.has(doc)) allowed.add(toDoc(base, doc));
  return allowed;
}

/** The search agrees with its twin on matches, scores and counts, and lists all that some ranks need. */
function expectSame(
  searcher: TextSearcher,
  terms: readonly QueryTerm[],
  rule: MatchRule,
  allowed: DocSet<Doc> | null,
): void {
  const expected = bruteSearch(searcher, terms, rule, allowed);
  const query = runTaskAtOnce(weighQuery(searcher, terms));
  const found = runTaskAtOnce(findMatches(query, rule, allowed));
  const { docs, scores } = found.candidates.inOrder();
  expect([...docs]).toEqual([...expected.members]);
  expect([...scores]).toEqual([...docs].map((doc) => expected.scores[doc]));
  expect(found.count).toBe(expected.members.length);
  expect([...found.toSet().toArray()]).toEqual([...docs]);
  expect(query.docFreqs).toEqual(expected.docFreqs);
  const isMatch = new Set<number>(expected.members);
  for (const { base, postings, deletedDocs } of searcher.segments)
    for (let doc = base as Doc; doc < base + postings.maxDoc; doc++)
      if (!deletedDocs?.has(toLocal(base, doc)) && (allowed?.has(doc) ?? true)) {
        expect(found.isMatch(doc)).toBe(isMatch.has(doc));
        expect(scoreOf(query, doc)).toBe(expected.scores[doc]);
      }
  const byScore = [...expected.members].sort((a, b) => expected.scores[b]! - expected.scores[a]!);
  for (const count of [0, 1, 3, 10, 100])
    for (const slack of [0, 1e6, 1e8]) {
      const top = runTaskAtOnce(
        findMatches(query, rule, allowed, [
          { count, slack },
          { count: 2 * count, slack: 0 },
        ]),
      );
      const listed = new Map(
        [...top.candidates.inOrder().docs].map((doc, i) => [doc, top.candidates.inOrder().scores[i]]),
      );
      const least = Math.max(
        (expected.scores[byScore[Math.max(1, count) - 1] ?? -1] ?? 0) - slack,
        expected.scores[byScore[Math.max(1, 2 * count) - 1] ?? -1] ?? 0,
      );
      expect(top.count).toBe(expected.members.length);
      for (const doc of byScore)
        if (expected.scores[doc]! >= least) expect(listed.get(doc as Doc), `${doc}`).toBe(expected.scores[doc]);
      for (const doc of listed.keys()) expect(isMatch.has(doc)).toBe(true);
    }
}

function randomRule(random: Random): MatchRule {
  return { matching: random.pick(["auto", "auto", "all", "any"]), ratio: random.pick([0, 0.4, 0.8, 1]) };
}

describe("the search of words agrees with its slow twin", () => {
  property("on small segments, deletedDocs records, weights, means and filters of all kinds", 150, (random) => {
    const searcher = randomCorpus(random, random.pick([3, 30, 80]));
    for (let query = 0; query < 6; query++)
      expectSame(searcher, randomTerms(random), randomRule(random), randomAllowed(random, searcher));
  });

  property("on segments whose lists are long", 4, (random) => {
    const searcher = randomCorpus(random, 4000);
    for (let query = 0; query < 6; query++)
      expectSame(searcher, randomTerms(random), randomRule(random), randomAllowed(random, searcher));
  });

  property("where lists are long and many records hold several terms", 3, (random) => {
    const size = 40_000;
    const shares = Array.from({ length: random.between(4, 6) }, () => random.pick([0.1, 0.15, 0.2]));
    const text = (): string =>
      shares.flatMap((share, i) => (random.chance(share) ? Array(random.between(1, 4)).fill(WORDS[i]!) : [])).join(" ");
    const records = Array.from({ length: size }, (): PlainRecord => ({ body: `${text()} x` }));
    const searcher = searcherOf(random, [records]);
    const terms = shares.map((_, i) => termOf(WORDS[i]!));
    for (const matching of ["auto", "any"] as const)
      expectSame(
        searcher,
        terms,
        { matching, ratio: 0.8 },
        random.chance(0.3) ? randomAllowed(random, searcher) : null,
      );
  });

  property("where matches are counted instead of listed, because there are many", 6, (random) => {
    // Alike, so that many have the same score, some just the one that decides.
    const text = (): string =>
      Array.from({ length: random.between(1, 3) }, () => random.pick(WORDS.slice(0, 3))).join(" ");
    const parts = random.list(2, 4, () => random.list(1500, 3000, (): PlainRecord => ({ body: text() })));
    const searcher = searcherOf(random, parts);
    const terms = WORDS.slice(0, 3).map((word, i) => ({
      ...termOf(word),
      ...(random.chance(0.2 * i) ? { optional: true } : {}),
    }));
    for (const matching of ["auto", "all", "any"] as const)
      for (const ratio of [0.4, 0.9]) expectSame(searcher, terms, { matching, ratio }, randomAllowed(random, searcher));
  });

  property("when mean lengths change between two queries", 30, (random) => {
    const searcher = randomCorpus(random, 40);
    const terms = randomTerms(random);
    for (let write = 0; write < 3; write++) {
      const segments = searcher.segments.map((segment) => {
        const averages = segment.scoring.averages.map((average) => average * random.pick([0.5, 1, 1.01, 4]));
        return { ...segment, scoring: { ...segment.scoring, averages } };
      });
      expectSame({ ...searcher, segments }, terms, randomRule(random), null);
    }
  });

  it("for queries of more than 255 terms", () => {
    const words = Array.from({ length: 300 }, (_, i) => `w${i}`);
    const searcher = searcherOf(new Random(1), [[{ body: words.join(" ") }, { body: "w1" }]]);
    for (const count of [255, 256, 257, 300])
      for (const matching of ["all", "any", "auto"] as const) {
        const terms = words.slice(0, count).map((word) => termOf(word));
        expectSame(searcher, terms, { matching, ratio: 0.4 }, null);
      }
  });
});
