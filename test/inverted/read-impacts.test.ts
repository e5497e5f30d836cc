import { expect } from "vitest";
import { normFactorsOf, readImpacts } from "../../src/inverted/impact-list.js";
import { FIELD_MASK, fieldAt, type ListBits, lengthAt, type Postings, TITLE_BIT } from "../../src/inverted/postings.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { property, type Random } from "../support/random.js";
import { type PlainRecord, placesOf, postingsOf, scoringOf } from "../support/word-index.js";

const K1 = 1.2;
const B = 0.6;

/** Records in which "a" is in most fields, often several times, "b" now and then, and "c" in the first ones and the last. */
function randomRecords(random: Random, docCount: number, longest: number): PlainRecord[] {
  const names = random.pick([["body"], ["!title", "body", "brand", "size"]]);
  const records = Array.from({ length: docCount }, () => {
    const fields = random.some(names, 0.8).map((name) => {
      const words: string[] = random.list(0, random.between(0, longest), () => (random.chance(0.3) ? "a" : "x"));
      if (random.chance(0.05)) words.push("b");
      return [name, words.join(" ")] as const;
    });
    return Object.fromEntries(fields) as Record<string, string>;
  });
  for (const record of [...records.slice(0, 20), records.at(-1)!]) record.body = "c";
  return records;
}

/** The impacts of a term, computed posting by posting. */
function impactsOf(postings: Postings, records: readonly PlainRecord[], term: number, weight: number, notIn: string) {
  const { weights, titleWeights, averages } = scoringOf(postings, records, B);
  const frequencies = new Map<number, number>();
  for (const { doc, docField, frequency } of placesOf(postings, term)) {
    const field = fieldAt(postings, docField);
    const at = field & FIELD_MASK;
    if (postings.fields[at] === notIn) continue;
    const own = (field & TITLE_BIT) === 0 ? weights[at]! : titleWeights[at]!;
    const norm = own / (1 - B + (B * lengthAt(postings, docField)) / averages[at]!);
    frequencies.set(doc, (frequencies.get(doc) ?? 0) + frequency * norm);
  }
  return [...frequencies].map(([doc, sum]) => {
    const weighted = sum * weight;
    return [doc, Math.max(1, Math.floor((65_535 * weighted) / (K1 + weighted) + 0.5))];
  });
}

/** The bits of a list as they come from a file: without the lists before it. */
function bitsInFile({ lists, starts }: Postings, term: number): ListBits {
  const { words } = lists as ListBits;
  const from = Math.floor(starts[term]! / 32);
  return { words: words.slice(from, Math.floor(starts[term + 1]! / 32) + 2), first: 32 * from };
}

property("impacts are those that are computed posting by posting", 30, (random) => {
  // Few and many lengths of fields, so that norms take one byte and two.
  const longest = random.pick([3, 40, 300]);
  const sizes = random.pick([
    [1, 2],
    [33, 2049],
    [random.between(1, 400), random.between(1, 400)],
  ]);
  const segments = sizes.map((size) => {
    const records = randomRecords(random, size, longest);
    return { records, postings: postingsOf(records) };
  });
  // Lists of several segments in turn, as queries read them.
  for (const text of ["a", "b", "c", "x", "a"])
    for (const { records, postings } of segments) {
      const term = postings.dictionary.ordinalOf(text);
      if (term === undefined) continue;
      const weight = random.pick([1, 1, 0.5]);
      const notIn = random.pick(["", "", "body"]);
      const expected = impactsOf(postings, records, term, weight, notIn);
      const norms = normFactorsOf(postings, scoringOf(postings, records, B), new Set([notIn]));
      for (const bits of [postings.lists as ListBits, bitsInFile(postings, term)]) {
        const list = readImpacts(postings, { term, bits }, norms, weight);
        expect(list === null ? [] : Array.from(list.docs, (doc, i) => [doc, list.impacts[i]])).toEqual(expected);
        if (list === null) continue;
        const impacts = expected.map(([, impact]) => impact!);
        const [greatest, least] = [Math.max(...impacts), Math.min(...impacts)];
        expect([list.maxImpact, list.minImpact, list.impactAt(list.bestDoc)]).toEqual([greatest, least, greatest]);
        const byDoc = new Map(expected.map(([doc, impact]) => [doc!, impact]));
        for (let doc = 0; doc < records.length; doc++) expect(list.impactAt(doc as LocalDoc)).toBe(byDoc.get(doc) ?? 0);
      }
    }
});
