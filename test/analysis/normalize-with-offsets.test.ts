import { describe, expect, it } from "vitest";
import { normalizeText, normalizeWithOffsets as normalizeWithOffsetsTask } from "../../src/analysis/normalize-text.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";

const normalizeWithOffsets = (...args: Parameters<typeof normalizeWithOffsetsTask>) =>
  runTaskAtOnce(normalizeWithOffsetsTask(...args));

/** Characters that normalisation drops, folds, takes apart or puts in order, and sequences of them. */
const PARTS = [
  ..."aZé ™İßΣ东ﬁｶﾞ한👍®©ＷıẞОǳ﻿タ・ㄱㅏﾡￂสวั្မ½㎏℃Å\u00ad\u200b\u202e’´‐–\ud800\udc00\t\r\0ςРеעהनम",
  ...["e\u0301", "\u0301\u0323", "\u200d", "\u1112\u1161\u11ab", "👩‍👩‍👧", "❤️", "🇩🇪", "👍🏽", "1️⃣", "1½", "क्षि"],
];
const randomText = (random: Random) =>
  random
    .list(0, 40, () => (random.chance(0.6) ? random.pick(PARTS) : String.fromCodePoint(random.between(0, 0x1ffff))))
    .join("");

describe("normalizeWithOffsets", () => {
  it("says where each unit came from", () => {
    const { normal, starts, ends } = normalizeWithOffsets("Cafe\u0301 ﬁx ß");
    expect(normal).toBe("cafe fix ss");
    expect([...starts]).toEqual([0, 1, 2, 3, 5, 6, 6, 7, 8, 9, 9]);
    expect([...ends]).toEqual([1, 2, 3, 5, 6, 7, 7, 8, 9, 10, 10]);
  });

  property("ranges ascend, are in bounds, cut no surrogate pair or mark, and hold their unit", 500, (random) => {
    const text = random.pick([randomText(random), randomText(random), "Cordless drill 18 V"]);
    const { normal, starts, ends } = normalizeWithOffsets(text);
    expect(normal).toBe(normalizeText(text));
    expect([starts.length, ends.length]).toEqual([normal.length, normal.length]);
    for (let i = 0; i < normal.length; i++) {
      const [start, end] = [starts[i]!, ends[i]!];
      expect(start < end && end <= text.length).toBe(true);
      if (i > 0) expect(start >= ends[i - 1]! || (start === starts[i - 1] && end === ends[i - 1])).toBe(true);
      if (text.isWellFormed()) expect(text.slice(start, end).isWellFormed()).toBe(true);
      expect(/^\p{M}/u.test(text.slice(end))).toBe(false);
      expect(normalizeText(text.slice(start, end))).toContain(normal[i]!);
    }
  });
});
