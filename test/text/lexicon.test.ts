import { describe, expect, it } from "vitest";
import { DocSet } from "../../src/base/doc-set.js";
import { runTaskAtOnce } from "../../src/base/tasks.js";
import { isWritten, lexiconOf, stemOf } from "../../src/text/lexicon.js";
import type { SearchableSegment } from "../../src/text/searchable-segment.js";
import { segmentOf } from "../support/word-index.js";

/** As the index writes them: each stem, and behind it the word where it differs. */
const segment = segmentOf([
  { "!title": "drill ~drill~drills", sku: "=dr18v dr18v 18" },
  { body: "drill drill ~drill~drilling vacuum" },
  { body: "nois ~nois~noise cancel ~cancel~cancelling #volume:1.5" },
]);

function written(given: SearchableSegment, notIn?: ReadonlySet<string>): string[] {
  const lexicon = runTaskAtOnce(lexiconOf(given.postings));
  return lexicon.words.filter((_, at) => isWritten(given, lexicon, at, notIn));
}

function without(...docs: readonly number[]): SearchableSegment {
  return { ...segment, deletedDocs: new DocSet(3).addAll(docs) };
}

describe("the lexicon of a segment", () => {
  it("holds words in order: no codes, no numbers, no marked terms", () => {
    const { words } = runTaskAtOnce(lexiconOf(segment.postings));
    const expected = ["cancel", "cancelling", "drill", "drilling", "drills", "nois", "noise", "vacuum"];
    expect(words).toEqual(expected);
  });

  it("leads from each word to its stem", () => {
    const { words, terms } = runTaskAtOnce(lexiconOf(segment.postings));
    const stems = [...terms].map((term) => stemOf(segment.postings.names.nameOf(term)));
    const expected = ["cancel", "cancel", "drill", "drill", "drill", "nois", "nois", "vacuum"];
    expect([stems, words.length]).toEqual([expected, expected.length]);
  });

  it("is made once a segment", () => {
    expect(runTaskAtOnce(lexiconOf(segment.postings))).toBe(runTaskAtOnce(lexiconOf(segment.postings)));
  });

  it("names a word twice where it is a stem here and a word there", () => {
    const both = segmentOf([{ body: "rolls roll ~roll~rolls" }]);
    expect(runTaskAtOnce(lexiconOf(both.postings)).words).toEqual(["roll", "rolls", "rolls"]);
  });
});

describe("a word is written", () => {
  it("where it stands as it is, and not where its stem alone does", () => {
    expect(written(segment)).toEqual(["cancelling", "drill", "drilling", "drills", "noise", "vacuum"]);
  });

  it("where its stem stands more often than the words of that stem, field by field", () => {
    expect(written(segmentOf([{ body: "drill ~drill~drills drill ~drill~drilling" }]))).toEqual(["drilling", "drills"]);
    expect(written(segmentOf([{ body: "drill drill ~drill~drills" }]))).toEqual(["drill", "drills"]);
    const apart = segmentOf([{ body: "drill ~drill~drills", title: "drill" }]);
    expect(written(apart)).toEqual(["drill", "drills"]);
  });

  it("no longer when the records that held it are dead", () => {
    expect(written(without(1))).toEqual(["cancelling", "drills", "noise"]);
    expect(written(without(0, 2))).toEqual(["drill", "drilling", "vacuum"]);
    expect(written(without(0, 1, 2))).toEqual([]);
  });

  it("only in fields that are searched, and not in those left out", () => {
    const weights = segment.fields.weights.map((weight, at) => (segment.postings.fields[at] === "body" ? 0 : weight));
    expect(written({ ...segment, fields: { ...segment.fields, weights } })).toEqual(["drills"]);
    expect(written(segment, new Set(["title"]))).not.toContain("drills");
  });

  it("whoever asked before, and for whichever records and fields", () => {
    const lists = segmentOf([{ body: "drill ~drill~drills" }, { body: "drill drill ~drill~drilling" }]);
    const [all, left] = [["drill", "drilling", "drills"], ["drills"]];
    const deletedDocs = { ...lists, deletedDocs: new DocSet(2).addAll([1]) };
    expect([
      written(deletedDocs),
      written(lists),
      written(lists, new Set(["body"])),
      written(lists, new Set()),
      written(deletedDocs),
    ]).toEqual([left, all, [], all, left]);
  });
});
