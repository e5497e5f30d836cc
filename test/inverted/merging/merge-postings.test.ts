import { describe, expect, it } from "vitest";
import { HEAD } from "../../../src/analysis/title-roles.js";
import { mergePostings } from "../../../src/inverted/merge-postings.js";
import type { Postings } from "../../../src/inverted/postings.js";
import { PostingsWriter } from "../../../src/inverted/postings-writer.js";
import type { DocArray, LocalDoc } from "../../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { property, type Random } from "../../support/random.js";

/** A record as fields of words, and the entries of its title; words of titles may stand in no field. */
interface WrittenRecord {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly title: readonly { readonly word: string; readonly isFirst: boolean }[];
}

const FIELDS = ["body", "brand", "tags", "title"];
/** Narrow and wide, some alike in their first characters, greater ones among them. */
const WORDS = ["drill", "drills", "drill\u0000", "a\u00ff", "a\u00ffb", "a\u0100b", "東", "\uffff", "", "~sofa~sofas"];

function postingsOf(records: readonly WrittenRecord[]): Postings {
  const writer = new PostingsWriter();
  for (const { fields, title } of records) {
    writer.beginRecord();
    for (const name of Object.keys(fields).sort()) {
      writer.beginField(name, name === "title");
      for (const word of fields[name]!) writer.add(word);
      writer.endField(fields[name]!.length);
    }
    for (const { word, isFirst } of title) writer.titles.add(writer.numberOf(word), isFirst ? HEAD : 0);
  }
  return runTaskAtOnce(writer.finish());
}

function someRecords(random: Random, most: number): WrittenRecord[] {
  const word = () => (random.chance(0.7) ? random.pick(WORDS) : `w${random.between(0, 300)}`);
  const names = random.some(FIELDS, 0.8);
  return random.list(0, most, () => ({
    fields: Object.fromEntries(random.some(names, 0.6).map((name) => [name, random.list(0, 8, word)])),
    title: random.chance(0.5) ? [] : random.list(0, 5, () => ({ word: word(), isFirst: random.chance(0.8) })),
  }));
}

/** Records that are left, in an order that keeps that of each segment. */
function someOrder(random: Random, sizes: readonly number[], share: number): { segment: number; doc: number }[] {
  const next = sizes.map(() => 0);
  const turns = random.shuffle(sizes.flatMap((size, segment) => Array.from({ length: size }, () => segment)));
  // Else one segment's records come behind another's.
  if (random.chance(0.3)) turns.sort((a, b) => a - b);
  return random.some(
    turns.map((segment) => ({ segment, doc: next[segment]!++ })),
    share,
  );
}

type Order = readonly { readonly segment: number; readonly doc: number }[];

function mergedOf(segments: readonly Postings[], order: Order): Postings {
  const source = {
    segments: Uint16Array.from(order, ({ segment }) => segment),
    docs: Uint32Array.from(order, ({ doc }) => doc) as DocArray<LocalDoc>,
  };
  return runTaskAtOnce(mergePostings(segments, source));
}

function expectAsAfresh(segments: readonly (readonly WrittenRecord[])[], order: Order): void {
  const afresh = postingsOf(order.map(({ segment, doc }) => segments[segment]![doc]!));
  expect(mergedOf(segments.map(postingsOf), order)).toEqual(afresh);
}

describe("merged postings are, bit by bit, those that the records that are left give when they are written", () => {
  property("of few records in many segments", 150, (random) => {
    const segments = random.list(1, 12, () => someRecords(random, 30));
    const sizes = segments.map((records) => records.length);
    expectAsAfresh(segments, someOrder(random, sizes, random.pick([0.1, 0.7, 1])));
  });

  property("of many records, and many words", 3, (random) => {
    const segments = [2000, 1, 700, 2500].map((most) => someRecords(random, most));
    const sizes = segments.map((records) => records.length);
    expectAsAfresh(segments, someOrder(random, sizes, 0.9));
  });

  it("of records in many patterns", () => {
    const record = (times: number, other: number): WrittenRecord => ({
      fields: { body: Array<string>(times).fill("drill"), tags: Array<string>(other).fill("drill") },
      title: [],
    });
    const many = (from: number) => Array.from({ length: 300 }, (_, i) => record(1 + ((from + i) % 40), (7 * i) % 5));
    const segments = [many(0), many(13), many(29)];
    const order = segments[0]!.flatMap((_, doc) => [0, 1, 2].map((segment) => ({ segment, doc })));
    expectAsAfresh(segments, order);
  });

  it("of segments without a word, and of no record", () => {
    const empty: WrittenRecord = { fields: {}, title: [] };
    const word: WrittenRecord = { fields: { body: ["drill"] }, title: [] };
    const all = [0, 1].map((segment) => ({ segment, doc: 0 }));
    expectAsAfresh([[empty], [empty]], all);
    expectAsAfresh([[], [word]], all.slice(1));
    expectAsAfresh([[word], [word]], []);
  });
});

property("what is merged of merged segments is what is merged at once", 30, (random) => {
  const records = someRecords(random, 200);
  const sizes = [0.3, 0.3, 0.4].map((share) => Math.floor(share * records.length));
  const starts = [0, sizes[0]!, sizes[0]! + sizes[1]!];
  const parts = sizes.map((size, i) => postingsOf(records.slice(starts[i]!, starts[i]! + size)));
  const joined = (segments: readonly Postings[]): Postings => {
    const places = segments.flatMap(({ maxDoc }, segment) =>
      Array.from({ length: maxDoc }, (_, doc) => ({ segment, doc })),
    );
    return mergedOf(segments, places);
  };
  expect(joined([joined(parts.slice(0, 2)), parts[2]!])).toEqual(joined(parts));
});
