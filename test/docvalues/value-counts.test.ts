import { expect, it } from "vitest";
import { buildDocValues } from "../../src/docvalues/build-doc-values.js";
import { FacetCounter } from "../../src/docvalues/value-counts.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { itemsOf } from "../support/stored-records.js";

it("values are ordered by count, then by what is printed, then number, string, boolean", () => {
  const records: JsonRecord[] = [{ a: ["true", true, 10, "10", "9", 9] }, { a: ["z", "z"] }, { a: "z" }];
  const column = runTaskAtOnce(buildDocValues(records.length, itemsOf(records), ["a"])).get("a")!;
  const counter = new FacetCounter();
  counter.addGrouped(column, [0, 1, 2], (doc) => doc);
  const counts = runTaskAtOnce(counter.counts(100));
  expect(counts.map(({ value }) => value)).toEqual(["z", 10, "10", 9, "9", "true", true]);
  expect(counts.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1, 1, 1]);
});
