// A text index written from plain fields, without analysis: what the tests of the leg of words work on.

import type { QueryTerm } from "../../src/analysis/query-term.js";
import { HEAD } from "../../src/analysis/title-roles.js";
import type { FieldScoring } from "../../src/inverted/bm25.js";
import { allLists, type Postings } from "../../src/inverted/postings.js";
import { PostingsWriter } from "../../src/inverted/postings-writer.js";
import { type SearchableSegment, TextCaches } from "../../src/inverted/text-searcher.js";
import { offsetAt } from "../../src/util/offset-table.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

/** A record as fields of terms between blanks; a name that begins with "!" is the title. Fields come in any order. */
export type PlainRecord = Readonly<Record<string, string>>;

/** Postings of the records, in the order given. */
export function postingsOf(records: readonly PlainRecord[]): Postings {
  const writer = new PostingsWriter();
  for (const record of records) {
    writer.beginRecord();
    const fields = Object.entries(record).map(([key, text]) => ({ name: key.replace("!", ""), key, text }));
    for (const { name, key, text } of fields.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      writer.beginField(name, key !== name);
      const terms = text.split(" ").filter((term) => term !== "");
      for (const term of terms) {
        writer.add(term);
        if (key !== name) writer.titles.add(writer.numberOf(term), HEAD);
      }
      writer.endField(terms.length);
    }
  }
  return runTaskAtOnce(writer.finish());
}

/** Where a term stands, bit by bit as the format says. */
export function placesOf(postings: Postings, term: number): { doc: number; docField: number; frequency: number }[] {
  const { starts, maxDoc, docFields } = postings;
  const { words } = runTaskAtOnce(allLists(postings));
  let at = starts[term]!;
  if (at === starts[term + 1]) return [];
  const bit = (): number => Math.floor(words[Math.floor(at / 32)]! / 2 ** (31 - (at++ % 32))) % 2;
  const number = (bits: number): number => (bits === 0 ? 0 : bit() * 2 ** (bits - 1) + number(bits - 1));
  const gamma = (bits = 0): number => (bit() === 1 ? 2 ** bits + number(bits) : gamma(bits + 1));
  const size = gamma();
  const patterns = Array.from({ length: gamma() }, () => {
    let offset = -1;
    return Array.from({ length: gamma() }, () => {
      offset += gamma();
      return { offset, frequency: gamma() };
    });
  });
  const width = Math.floor(Math.log2(maxDoc / size));
  const gap = (zeros = 0): number =>
    zeros === 12 ? number(16) : bit() === 1 ? zeros * 2 ** width + number(width) : gap(zeros + 1);
  const found: { doc: number; docField: number; frequency: number }[] = [];
  for (let i = 0, doc = -1; i < size; i++) {
    doc += 1 + gap();
    for (const { offset, frequency } of patterns[patterns.length > 1 ? gamma() - 1 : 0]!)
      found.push({ doc, docField: offsetAt(docFields, doc) + offset, frequency });
  }
  if (at !== starts[term + 1]) throw new Error("the list does not end where the next begins");
  return found;
}

/** Norms as an index derives them: weight 1, titles 2, means over the records that have the field. */
export function scoringOf(postings: Postings, all: readonly PlainRecord[], b = 0.6): FieldScoring {
  const averages = postings.fields.map((name) => {
    const lengths = all
      .map((record) => record[name] ?? record[`!${name}`])
      .filter((text) => text !== undefined)
      .map((text) => text.split(" ").length);
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  });
  const weights = Float64Array.from(postings.fields, () => 1);
  return { weights, titleWeights: weights.map(() => 2), averages: Float64Array.from(averages), k1: 1.2, b };
}

/** One segment with all records alive. */
export function segmentOf(records: readonly PlainRecord[], b = 0.6): SearchableSegment {
  const postings = postingsOf(records);
  return {
    postings,
    deletedDocs: null,
    base: 0,
    scoring: scoringOf(postings, records, b),
    caches: new TextCaches(postings),
  };
}

/** A query term of one index term, or of alternatives "a" or "a+b" with weights. */
export function termOf(...alternatives: readonly (string | readonly [string, number])[]): QueryTerm {
  const read = alternatives.map((alternative) => {
    const [text, weight] = typeof alternative === "string" ? [alternative, 1] : alternative;
    return { terms: text.split("+"), weight };
  });
  return { key: read.map(({ terms }) => terms.join("+")).join("|"), alternatives: read };
}
