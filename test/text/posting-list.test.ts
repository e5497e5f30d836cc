import { expect } from "vitest";
import { runAtOnce } from "../../src/base/slices.js";
import { decodeList, PostingCursor } from "../../src/text/posting-list.js";
import type { Postings } from "../../src/text/postings.js";
import { PostingsWriter } from "../../src/text/postings-writer.js";
import { property, type Random } from "../support/random.js";

interface Place {
  readonly slot: number;
  readonly frequency: number;
}

/** Postings of some terms, and where each really stands: common and rare, once and often, near and far. */
function randomLists(random: Random): { readonly postings: Postings; readonly lists: Map<string, Place[]> } {
  const writer = new PostingsWriter();
  const lists = new Map<string, Place[]>();
  const rarities = [1, 0.6, 0.3, 0.05, 0.004, 0.0004];
  const slots = random.between(0, 4000);
  for (let slot = 0; slot < slots; slot++) {
    writer.beginRecord();
    writer.beginField(random.pick(["a", "b"]), random.chance(0.5));
    for (const [i, rarity] of rarities.entries()) {
      if (!random.chance(rarity)) continue;
      const frequency = random.chance(0.8) ? 1 : random.pick([2, 3, 129, 130, 16_385, 16_386, 65_535]);
      const term = `t${i}`;
      writer.add(term, frequency);
      const known = lists.get(term) ?? [];
      known.push({ slot, frequency });
      lists.set(term, known);
    }
    writer.endField(random.between(0, 70_000) % 65_536);
  }
  return { postings: runAtOnce(writer.finish()), lists };
}

property("lists are read as they were written, whole and one by one", 20, (random) => {
  const { postings, lists } = randomLists(random);
  expect(postings.size).toBe([...lists.values()].flat().length);
  for (const [name, expected] of lists) {
    const term = postings.names.numberOf(name)!;
    const { slots, freqs, size } = decodeList(postings, term);
    const decoded = Array.from({ length: size }, (_, at) => ({ slot: slots[at], frequency: freqs[at] }));
    expect(decoded).toEqual(expected);
    const walked: Place[] = [];
    for (const cursor = new PostingCursor(postings, term); cursor.next(); )
      walked.push({ slot: cursor.slot, frequency: cursor.frequency });
    expect(walked).toEqual(expected);
  }
});

property("seeking stops at the first posting at a slot or behind it", 20, (random) => {
  const { postings, lists } = randomLists(random);
  const slots = postings.slotDoc.length;
  for (const [name, expected] of lists)
    for (let i = 0; i < 10; i++) {
      const cursor = new PostingCursor(postings, postings.names.numberOf(name)!);
      const asked = random.list(1, 6, () => random.between(0, slots)).sort((a, b) => a - b);
      for (const slot of asked) {
        const right = expected.find((place) => place.slot >= slot);
        expect(cursor.seek(slot)).toBe(right !== undefined);
        if (right !== undefined) expect([cursor.slot, cursor.frequency]).toEqual([right.slot, right.frequency]);
      }
    }
});
