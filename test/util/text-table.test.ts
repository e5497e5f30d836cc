import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { TextTable, TextTableWriter, textTableOf } from "../../src/util/text-table.js";
import { property, type Random } from "../support/random.js";
import { textsOf } from "../support/stored-records.js";

const tableOf = (texts: readonly string[]): TextTable => runTaskAtOnce(textTableOf(texts));
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Distinct texts in ascending order, some of them with characters above 255. */
function sortedTexts(random: Random): string[] {
  const texts = random.list(0, 200, () => random.list(0, 6, () => random.pick([..."abÿĀ東", "😀"])).join(""));
  return [...new Set(texts)].sort(byCodeUnit);
}

describe("a table of texts", () => {
  property("finds and compares as strings do", 30, (random) => {
    const texts = sortedTexts(random);
    const others = sortedTexts(random);
    const [table, other] = [tableOf(texts), tableOf(others)];
    expect(textsOf(table)).toEqual(texts);
    for (const text of [...texts, ...others]) {
      expect(table.indexOf(text)).toBe(texts.indexOf(text));
      expect(table.firstFrom(text)).toBe(texts.filter((each) => each < text).length);
    }
    for (const [i, text] of texts.entries())
      for (const [j, otherText] of others.entries())
        expect(Math.sign(table.compareWith(i, other, j))).toBe(byCodeUnit(text, otherText));
  });

  it("takes texts of other tables", () => {
    const [a, b] = [tableOf(["a", "東"]), tableOf(["", "ÿ"])];
    const writer = new TextTableWriter(3, 8);
    writer.addFrom(b.parts, 1);
    writer.addFrom(a.parts, 1);
    writer.addFrom(b.parts, 0);
    expect(textsOf(new TextTable(runTaskAtOnce(writer.finish())))).toEqual(["ÿ", "東", ""]);
  });
});
