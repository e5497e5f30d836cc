// The entries of `facets` as they are read.

import { expect, it } from "vitest";
import { readFacets, valuesOf } from "../../src/input/facets.js";
import { Checker } from "../../src/input/kinds.js";
import { copyParams } from "../../src/input/read-params.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";

function read(facets: unknown) {
  const check = new Checker("invalid_parameter", "");
  return {
    facets: readFacets(copyParams({ facets }, DEFAULT_LIMITS).facets, "facets", check, DEFAULT_LIMITS),
    complaints: check.complaints.length,
  };
}

it("a property that is undefined counts as not there", () => {
  expect(read([{ attribute: "price", histogram: 5, ranges: undefined, sort: undefined, limit: undefined }])).toEqual({
    facets: [{ kind: "histogram", attribute: "price", bars: 5 }],
    complaints: 0,
  });
  expect(read([{ attribute: "brand", sort: undefined }])).toEqual({ facets: [valuesOf("brand")], complaints: 0 });
  expect(read([{ attribute: "price", histogram: 5, limit: 3 }]).complaints).toBe(1);
});

it("keep the order in which they were asked for, each name once", () => {
  const names = ["b", { attribute: "a", sort: "alpha" }, "c", "b"];
  expect(read(names).facets.map(({ attribute }) => attribute)).toEqual(["b", "a", "c"]);
  expect(read(["a", { attribute: "a", histogram: 2 }]).complaints).toBe(1);
});
