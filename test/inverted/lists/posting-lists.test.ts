import { expect, it } from "vitest";
import { decodeList, PostingCursor } from "../../../src/inverted/list-codec.js";
import { allLists, type ListBits, type Postings } from "../../../src/inverted/postings.js";
import { PostingsWriter } from "../../../src/inverted/postings-writer.js";
import type { LocalDoc } from "../../../src/util/doc-set.js";
import { offsetAt } from "../../../src/util/offset-table.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { property, type Random } from "../../support/random.js";
import { placesOf } from "../../support/word-index.js";

interface Place {
  readonly doc: number;
  readonly docField: number;
  readonly frequency: number;
}

interface Written {
  readonly postings: Postings;
  /** Where each term really stands. */
  readonly lists: ReadonlyMap<string, readonly Place[]>;
}

/** Terms that are common and rare, stand once and often, near and far, in one field and in several, and in none. */
function randomLists(random: Random): Written {
  const writer = new PostingsWriter();
  writer.numberOf("nowhere");
  const rarities = [1, 0.6, 0.3, 0.05, 0.004, 0.0004];
  const lists = new Map<string, Place[]>([["nowhere", []]]);
  const docs = random.between(0, 4000);
  const frequencies = random.pick([[2], [2, 3, 4, 5], [2, 3, 129, 130]]);
  const great = [16_385, 16_386, 65_535];
  let clustered = 0;
  for (let doc = 0, docField = 0; doc < docs; doc++) {
    writer.beginRecord();
    clustered = random.chance(0.01) ? 1 - clustered : clustered;
    for (const name of random.some(["a", "b", "c"], 0.6)) {
      writer.beginField(name, random.chance(0.5));
      for (const [i, rarity] of rarities.entries())
        if (random.chance(rarity) && (i % 2 === 0 || clustered === 1)) {
          const some = random.chance(0.8) ? 1 : random.pick(frequencies);
          const frequency = random.chance(0.001) ? random.pick(great) : some;
          for (let time = 0; time < frequency; time++) writer.add(`t${i}`);
          const known = lists.get(`t${i}`) ?? [];
          known.push({ doc, docField, frequency });
          lists.set(`t${i}`, known);
        }
      writer.endField(random.between(0, 70_000) % 65_536);
      docField++;
    }
  }
  return { postings: runTaskAtOnce(writer.finish()), lists };
}

const allOf = (postings: Postings): ListBits => runTaskAtOnce(allLists(postings));

/** The bits of a term's list and no others, as they are read from a file. */
function onlyOf(postings: Postings, term: number): ListBits {
  const { starts } = postings;
  const [from, to] = [Math.floor(starts[term]! / 32), Math.floor(starts[term + 1]! / 32) + 2];
  return { words: allOf(postings).words.slice(from, to), first: 32 * from };
}

/** The list of a term, taken whole. */
function decoded(postings: Postings, term: number, bits: ListBits): Place[] {
  const { docs, ranks, patterns, size } = decodeList(postings, term, bits);
  return [...docs.subarray(0, size)].flatMap((doc, at) => {
    const from = patterns.starts[ranks[at]!]!;
    return patterns.offsets.slice(from, patterns.starts[ranks[at]! + 1]).map((offset, place) => ({
      doc,
      docField: offsetAt(postings.docFields, doc) + offset,
      frequency: patterns.freqs[from + place]!,
    }));
  });
}

/** What a cursor's present record says. */
function presentOf(cursor: PostingCursor): Place[] {
  return Array.from({ length: cursor.fieldCount }, (_, place) => ({
    doc: cursor.doc,
    docField: cursor.docFieldAt(place),
    frequency: cursor.frequencyAt(place),
  }));
}

property("lists are read as they were written, whole, record by record, and bit by bit", 20, (random) => {
  const { postings, lists } = randomLists(random);
  expect(postings.size).toBe([...lists.values()].flat().length);
  for (const [name, expected] of lists) {
    const term = postings.dictionary.ordinalOf(name)!;
    for (const bits of [allOf(postings), onlyOf(postings, term)]) {
      expect(decoded(postings, term, bits)).toEqual(expected);
      const walked: Place[] = [];
      for (const cursor = new PostingCursor(postings, term, bits); cursor.next(); ) walked.push(...presentOf(cursor));
      expect(walked).toEqual(expected);
    }
    expect(placesOf(postings, term)).toEqual(expected);
  }
});

property("seeking stops at the first record from one on that holds the term", 20, (random) => {
  const { postings, lists } = randomLists(random);
  for (const [name, expected] of lists)
    for (let i = 0; i < 10; i++) {
      const term = postings.dictionary.ordinalOf(name)!;
      const bits = random.pick([allOf(postings), onlyOf(postings, term)]);
      const cursor = new PostingCursor(postings, term, bits);
      for (const asked of random.list(1, 6, () => random.between(0, postings.maxDoc)).sort((a, b) => a - b)) {
        const right = expected.find(({ doc }) => doc >= asked);
        expect(cursor.seek(asked as LocalDoc)).toBe(right !== undefined);
        if (right === undefined) break;
        const places = expected.filter(({ doc }) => doc === right.doc);
        expect(presentOf(cursor)).toEqual(places);
        expect(cursor.frequencyIn(right.docField)).toBe(right.frequency);
        expect(cursor.frequencyIn(offsetAt(postings.docFields, right.doc + 1))).toBe(0);
      }
    }
});

it("tells more than 65,536 patterns apart", () => {
  const writer = new PostingsWriter();
  const MOST = 41;
  const often = (doc: number): number[] =>
    [doc % MOST, Math.floor(doc / MOST) % MOST, Math.floor(doc / MOST ** 2)].map((times) => times + 1);
  const docs = 65_536;
  const term = writer.numberOf("a");
  for (let doc = 0; doc < docs; doc++) {
    writer.beginRecord();
    for (const [field, frequency] of often(doc).entries()) {
      writer.beginField(`f${field}`, false);
      for (let time = 0; time < frequency; time++) writer.addNumber(term);
      writer.endField(frequency);
    }
  }
  const postings = runTaskAtOnce(writer.finish());
  const expected = Array.from({ length: docs }, (_, doc) =>
    often(doc).map((frequency, field) => ({ doc, docField: 3 * doc + field, frequency })),
  );
  expect(decoded(postings, 0, allOf(postings))).toEqual(expected.flat());
});
