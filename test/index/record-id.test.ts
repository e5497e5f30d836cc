import { describe, expect, it } from "vitest";
import { readRecordId } from "../../src/index/read-batch.js";
import { resolveLimits } from "../../src/util/limits.js";

const limits = resolveLimits({ idBytes: 8 });
const read = (given: unknown) => readRecordId(given, limits);

describe("an id", () => {
  it("is a text as it stands, or an integer as its digits", () => {
    expect(["sku-1", " 1 ", "a.b", "007", 7, -7, 0, -0].map(read)).toEqual(
      ["sku-1", " 1 ", "a.b", "007", "7", "-7", "0", "0"].map((id) => ({ id })),
    );
  });

  it("is as long as the limit, counted in UTF-8", () => {
    expect(["12345678", "éééé", "😀😀"].map(read)).toEqual([{ id: "12345678" }, { id: "éééé" }, { id: "😀😀" }]);
    for (const long of ["123456789", "éééé1", "東東東"])
      expect(read(long)).toEqual({ complaint: "has more than 8 bytes; shorten it" });
  });

  it("is an integer within the safe range", () => {
    const { id } = { id: "", ...readRecordId(Number.MAX_SAFE_INTEGER, resolveLimits(undefined)) };
    expect(id).toBe("9007199254740991");
    for (const wrong of [2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(read(wrong)).toEqual({ complaint: expect.stringContaining("expected an integer up to 2^53 - 1") });
  });

  it("is nothing else", () => {
    for (const wrong of [null, undefined, true, 5n, {}, ["1"], Symbol("1"), new String("1")])
      expect(read(wrong)).toEqual({ complaint: expect.stringContaining("expected a string or an integer") });
    expect(read("")).toEqual({ complaint: "is empty, expected at least one character" });
  });

  it("survives UTF-8", () => {
    expect(read("a\ud83d")).toEqual({ complaint: expect.stringContaining("half of a surrogate pair") });
  });
});
