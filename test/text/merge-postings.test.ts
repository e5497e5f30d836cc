import { expect, it } from "vitest";
import { runAtOnce } from "../../src/base/slices.js";
import { mergePostings } from "../../src/text/merge-postings.js";
import { FIELD_MASK, fieldAt, lengthAt, type Postings, TITLE_BIT } from "../../src/text/postings.js";
import { Random } from "../support/random.js";
import { type PlainRecord, placesOf, postingsOf } from "../support/word-index.js";

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
  const terms = Array.from({ length: postings.names.size }, (_, term) => [
    postings.names.nameOf(term),
    placesOf(postings, term),
  ]);
  const slots = Array.from(postings.slotShape, (_, slot) => {
    const field = fieldAt(postings, slot);
    return [postings.fields[field & FIELD_MASK], field & TITLE_BIT, lengthAt(postings, slot)];
  });
  const { docCount, docSlots, size } = postings;
  return { terms, docCount, docSlots, slots, size };
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
