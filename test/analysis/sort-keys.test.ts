import { describe, expect, it } from "vitest";
import { sortKeyOfText } from "../../src/analysis/sort-keys.js";

describe("what a text sorts by", () => {
  it.each([
    ...["1200=1200", " 19.50 =19.5", ".5=0.5", "-5=-5", "\u22125=-5", "+5=5", "9,99=9.99", "0,125=0.125", "1,200=1200"],
    ...["1,200,000.50=1200000.5", "1.299,00=1299", "1.299.000=1299000", "1.299=1.299", "007=7", "\uff11\uff12=12"],
  ])("is its number, in any usual spelling: %s", (row) => {
    const [text, number] = row.split("=");
    expect(sortKeyOfText(text!)).toBe(Number(number));
  });

  it("is its normal form where it is no number, as no code or date is", () => {
    for (const text of ["1e3", "0x10", "1.2.3", "1,2,3", "12,34,567", "5 kg", "1-2", "-", ".", "1.", "infinity", "nan"])
      expect(sortKeyOfText(text)).toBe(text);
    expect(sortKeyOfText("9".repeat(400))).toBe("9".repeat(400));
    expect(sortKeyOfText("\u00c9MILE Stra\u00dfe\u2122")).toBe("emile strasse");
  });

  it("is nothing where nothing is to be seen", () => {
    for (const text of ["", "  ", "\u200b", "\u00a0\n", "\u2122"]) expect(sortKeyOfText(text)).toBeUndefined();
  });
});
