import { describe, expect, it } from "vitest";
import { normalizeText, normalizeWithOffsets as normalizeWithOffsetsTask } from "../../src/analysis/normalize-text.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";

const normalizeWithOffsets = (...args: Parameters<typeof normalizeWithOffsetsTask>) =>
  runTaskAtOnce(normalizeWithOffsetsTask(...args));

const REAL = [
  "",
  "Cordless drill 18 V",
  "Café crème",
  "Cafe\u0301 cre\u0300me",
  "ﬁlter oﬃce ﬂoor",
  "Core™ i7, Post-it® ©2024",
  "ＷＨ－１０００ＸＭ４",
  "İstanbul ışık DİYARBAKIR",
  "Straße GROẞE",
  "ΟΔΟΣ Οδός",
  "東京タワー カメラ・レンズ ｶﾞｷﾞ",
  "한국어 \u1112\u1161\u11ab\u1100\u116e\u11a8 ㄱㅏ ﾡￂ",
  "สวัสดี ក្រុម မြန်မာ",
  "👩‍👩‍👧 ❤️ 🇩🇪 👍🏽 1️⃣",
  "½ inch 1½ ㎏ ℃ Å Ω",
  "soft\u00adhyphen zero\u200bwidth \u202eright\u202c",
  "l’Oréal d´or ‐‑–—",
  "\u0301lone mark",
  "lone \ud800 surrogate \udc00",
  "a\tb\nc\r\n\u0000d",
  "Ελληνικά Русский עברית العربية हिन्दी",
];

const PARTS = [..."aZé™İßΣ东ﬁｶﾞ한👍", "e\u0301", "\u0301\u0323", "\u200d"];
const randomText = (random: Random) =>
  random
    .list(0, 40, () => (random.chance(0.6) ? random.pick(PARTS) : String.fromCodePoint(random.between(0, 0x1ffff))))
    .join("");

describe("normalizeWithOffsets", () => {
  it.each(REAL.map((text) => [text]))("agrees with normalizeText on %j", (text) => {
    expect(normalizeWithOffsets(text).normal).toBe(normalizeText(text));
  });

  it("says where each unit came from", () => {
    const { normal, starts, ends } = normalizeWithOffsets("Cafe\u0301 ﬁx ß");
    expect(normal).toBe("cafe fix ss");
    expect([...starts]).toEqual([0, 1, 2, 3, 5, 6, 6, 7, 8, 9, 9]);
    expect([...ends]).toEqual([1, 2, 3, 5, 6, 7, 7, 8, 9, 10, 10]);
  });

  property("ranges ascend, are in bounds, cut no surrogate pair or mark, and hold their unit", 500, (random) => {
    const text = randomText(random);
    const { normal, starts, ends } = normalizeWithOffsets(text);
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
