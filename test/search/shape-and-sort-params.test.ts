import { describe, expect, it } from "vitest";
import { readShape, readSort } from "../../src/search/check-params.js";
import { Checker } from "../../src/util/checks.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";

function shape(given: Readonly<Record<string, unknown>>) {
  const check = new Checker("invalid_parameter", "");
  const read = readShape(new Map(Object.entries(given)), check, DEFAULT_LIMITS);
  return { read, refused: check.complaints.map(({ param }) => param) };
}

function sort(value: unknown) {
  const check = new Checker("invalid_parameter", "");
  const read = readSort(value, check, DEFAULT_LIMITS);
  return check.complaints.length > 0 ? "refused" : read.map(({ attribute, direction }) => `${attribute} ${direction}`);
}

describe("what hits show", () => {
  it("is read as it is given", () => {
    const given = {
      attributesToRetrieve: ["*", "-a"],
      attributesToSnippet: ["title:5"],
      highlightPreTag: "",
      explain: true,
    };
    const { read, refused } = shape({ ...given, attributesToHighlight: ["title"], snippetEllipsisText: "--" });
    expect(refused).toEqual([]);
    expect(read).toMatchObject({ attributesToRetrieve: ["*", "-a"], preTag: "", ellipsis: "--", explain: true });
  });

  it("is refused where it is of the wrong type, null included", () => {
    for (const name of ["attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"])
      for (const value of ["title", [5], [""], null, {}])
        expect(shape({ [name]: value }).refused, name).toEqual([name]);
    for (const name of ["highlightPreTag", "highlightPostTag", "snippetEllipsisText"])
      for (const value of [5, ["<b>"], "x".repeat(65), null])
        expect(shape({ [name]: value }).refused, name).toEqual([name]);
    expect(shape({ explain: "true" }).refused).toEqual(["explain"]);
  });

  it("takes tags of 64 characters and a thousand names", () => {
    expect(shape({ highlightPreTag: "x".repeat(64) }).refused).toEqual([]);
    const names = Array.from({ length: 1001 }, (_, i) => `a${i}`);
    expect(shape({ attributesToRetrieve: names.slice(1) }).refused).toEqual([]);
    expect(shape({ attributesToRetrieve: names }).refused).toEqual(["attributesToRetrieve"]);
  });
});

describe("what to sort by", () => {
  it("is parted at the last colon", () => {
    expect(sort(["price:asc", "a.b:desc", "x:y:asc"])).toEqual(["price asc", "a.b desc", "x:y asc"]);
    expect([sort([]), sort(undefined)]).toEqual([[], []]);
  });

  it("is refused where it is of another form", () => {
    for (const value of ["price:asc", null, ["price"], [":asc"], ["price:ASC"], ["price:"], [5], [["price:asc"]], {}])
      expect(sort(value), JSON.stringify(value)).toBe("refused");
  });

  it("is at most sixteen attributes of 256 characters", () => {
    const many = Array.from({ length: 17 }, (_, i) => `a${i}:asc`);
    expect([sort(many.slice(1)).length, sort(many)]).toEqual([16, "refused"]);
    expect(sort([`${"x".repeat(256)}:asc`])).toHaveLength(1);
    expect(sort([`${"x".repeat(257)}:asc`])).toBe("refused");
  });
});
