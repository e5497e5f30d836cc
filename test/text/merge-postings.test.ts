import { expect, it } from "vitest";
import { runAtOnce } from "../../src/base/slices.js";
import { mergePostings } from "../../src/text/merge-postings.js";
import type { Postings } from "../../src/text/postings.js";
import { Random } from "../support/random.js";
import { type PlainRecord, postingsOf } from "../support/word-index.js";

const WORDS = ["drill", "saw", "red", "blue", "cordless", "set", "wood", "18v"];
const FIELDS = ["!title", "body", "brand", "tags"];

function randomRecords(random: Random): PlainRecord[] {
  return random.list(0, 30, () =>
    Object.fromEntries(
      random.some(FIELDS, 0.5).map((name) => [name, random.list(1, 8, () => random.pick(WORDS)).join(" ")]),
    ),
  );
}

/** All that postings say, independent of how terms and fields are numbered. */
function contentOf(postings: Postings): unknown {
  const terms = [...postings.terms].map(([text, term]) => {
    const range = [postings.starts[term]!, postings.starts[term + 1]!] as const;
    return [text, [...postings.slots.subarray(...range)], [...postings.freqs.subarray(...range)]];
  });
  const slotField = [...postings.slotField].map((field) => [postings.fields[field & 0x7fff], field >>> 15]);
  const { docCount, docSlots, slotDoc, slotLength } = postings;
  return { terms: terms.sort(), docCount, slotField, docSlots, slotDoc, slotLength };
}

for (let seed = 1; seed <= 20; seed++)
  it(`merging some records of several segments equals writing them afresh (seed ${seed})`, () => {
    const random = new Random(seed);
    const segments = random.list(1, 5, () => randomRecords(random));
    const places = segments.flatMap((records, segment) => records.map((_, doc) => ({ segment, doc })));
    const order = random.shuffle(random.some(places, 0.7));
    const source = {
      segments: Uint16Array.from(order, ({ segment }) => segment),
      docs: Uint32Array.from(order, ({ doc }) => doc),
    };
    const merged = runAtOnce(mergePostings(segments.map(postingsOf), source));
    const afresh = postingsOf(order.map(({ segment, doc }) => segments[segment]![doc]!));
    expect(contentOf(merged)).toEqual(contentOf(afresh));
  });
