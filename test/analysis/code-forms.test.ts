import { describe, expect, it } from "vitest";
import { codeForms, stripSeparators } from "../../src/analysis/token-forms.js";

/** code -> whole | pieces | parts */
const EXAMPLES: readonly (readonly [code: string, whole: string, pieces: string, parts: string])[] = [
  ["wh-1000xm4", "wh1000xm4", "wh 1000xm4", "wh 1000 xm 4"],
  ["7-in-1", "7in1", "7 in 1", "7 in 1"],
  ["18v", "18v", "18v", "18 v"],
  ["3.5mm", "3.5mm", "3.5mm", "3.5 mm"],
  ["16:9", "16:9", "16 9", "16 9"],
  ["1/2", "1/2", "1 2", "1 2"],
  ["12-34", "12-34", "12 34", "12 34"],
  ["1_2", "1_2", "1 2", "1 2"],
  ["192.168.1.1", "192.168.1.1", "192.168.1.1", "192.168.1.1"],
  ["1,000", "1000", "1000", "1000"],
  ["1,000,000.5", "1000000.5", "1000000.5", "1000000.5"],
  ["3,5", "3.5", "3.5", "3.5"],
  ["12,50", "12.50", "12.50", "12.50"],
  ["1234-567", "1234-567", "1234 567", "1234 567"],
  ["1234-5678", "12345678", "1234 5678", "1234 5678"],
  ["978-3-16-148410-0", "9783161484100", "978 3 16 148410 0", "978 3 16 148410 0"],
  ["2024/05/06", "2024/05/06", "2024 05 06", "2024 05 06"],
  ["at&t5", "att5", "at t5", "at t 5"],
  ["x1-2", "x12", "x1 2", "x 1 2"],
  ["dv7-1211ea", "dv71211ea", "dv7 1211ea", "dv 7 1211 ea"],
];

describe("codeForms", () => {
  it.each(EXAMPLES)("takes %s apart", (code, whole, pieces, parts) => {
    expect(codeForms(code)).toMatchObject({ whole, pieces: pieces.split(" "), parts: parts.split(" ") });
  });

  it.each([
    ...["502.654.31 50265431", "81-50-310 8150310", "81_503 81503", "2024/05/06 20240506", "1.000.000 1000000"],
    ...["1.2.3", "12-34", "1234.5678", "1920:1080", "1,000,000.5", "978-3-16-148410-0", "06a-905-116"],
  ])("knows the digits of a code, or that these are none: %s", (row) => {
    const [code, digits] = row.split(" ");
    expect(codeForms(code!).digits).toBe(digits);
  });

  it("gives two spellings of a number one whole", () => {
    expect(codeForms("10,000").whole).toBe(codeForms("10000").whole);
    expect(codeForms("3,5kg").whole).toBe(codeForms("3.5kg").whole);
  });
});

describe("stripSeparators", () => {
  it("leaves letters and digits of any script", () => {
    expect(stripSeparators("wh-1000 xm4")).toBe("wh1000xm4");
    expect(stripSeparators("(東京) #1/2é")).toBe("東京12é");
    expect(stripSeparators(" -_&'.,/: ")).toBe("");
  });
});
