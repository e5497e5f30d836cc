// A text index written from plain fields, without analysis: what the tests of the leg of words work on.

import { runAtOnce } from "../../src/base/slices.js";
import type { Postings } from "../../src/text/postings.js";
import { PostingsWriter } from "../../src/text/postings-writer.js";
import type { QueryTerm } from "../../src/text/query-term.js";
import type { FieldNorms, SearchableSegment } from "../../src/text/searchable-segment.js";

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
      for (const term of terms) writer.add(term);
      writer.endField(terms.length);
    }
  }
  return runAtOnce(writer.finish());
}

/** Where a term stands, byte by byte as the format says. */
export function placesOf({ starts, bytes }: Postings, term: number): { slot: number; frequency: number }[] {
  const found: { slot: number; frequency: number }[] = [];
  let at = starts[term]!;
  const number = (): number => {
    const byte = bytes[at++]!;
    return byte < 128 ? byte : byte - 128 + 128 * number();
  };
  for (let slot = -1; at < starts[term + 1]!; ) {
    const code = number();
    slot += Math.floor(code / 2) + 1;
    found.push({ slot, frequency: code % 2 === 0 ? 1 : number() + 2 });
  }
  return found;
}

/** Norms as an index derives them: weight 1, titles 2, means over the records that have the field. */
export function normsOf(postings: Postings, all: readonly PlainRecord[], b = 0.6): FieldNorms {
  const averages = postings.fields.map((name) => {
    const lengths = all
      .map((record) => record[name] ?? record[`!${name}`])
      .filter((text) => text !== undefined)
      .map((text) => text.split(" ").length);
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  });
  const weights = Float64Array.from(postings.fields, () => 1);
  return { weights, titleWeights: weights.map(() => 2), averages: Float64Array.from(averages), b };
}

/** One segment with all records alive. */
export function segmentOf(records: readonly PlainRecord[], b = 0.6): SearchableSegment {
  const postings = postingsOf(records);
  return { postings, dead: null, base: 0, fields: normsOf(postings, records, b) };
}

/** A query term of one index term, or of alternatives "a" or "a+b" with weights. */
export function termOf(...alternatives: readonly (string | readonly [string, number])[]): QueryTerm {
  const read = alternatives.map((alternative) => {
    const [text, weight] = typeof alternative === "string" ? [alternative, 1] : alternative;
    return { terms: text.split("+"), weight };
  });
  return { key: read.map(({ terms }) => terms.join("+")).join("|"), alternatives: read };
}
