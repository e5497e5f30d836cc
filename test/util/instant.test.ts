import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { instantOf, textOfDate } from "../../src/util/instant.js";
import { property } from "../support/random.js";

describe("instantOf", () => {
  it.each([
    ["1970-01-01", 0],
    ["2024-01-31", Date.UTC(2024, 0, 31)],
    ["2024-02-29T10:00Z", Date.UTC(2024, 1, 29, 10)],
    ["2024-01-31T12:00:00.250+02:00", Date.UTC(2024, 0, 31, 10, 0, 0, 250)],
    ["2024-01-31T12:00:00.2+00:00", Date.UTC(2024, 0, 31, 12, 0, 0, 200)],
    ["2024-01-31T12:00:00.123456789Z", Date.UTC(2024, 0, 31, 12, 0, 0, 123)],
    ["2024-06-30T20:00-11:30", Date.UTC(2024, 6, 1, 7, 30)],
    ["2000-02-29", Date.UTC(2000, 1, 29)],
    ["0000-01-01", -62_167_219_200_000],
    ["+275760-09-13T00:00:00.000Z", 8.64e15],
    ["-271821-04-20T00:00:00.000Z", -8.64e15],
  ])("reads %s", (text, instant) => {
    expect(instantOf(text)).toBe(instant);
  });

  it.each([
    ...`2024-02-30 2023-02-29 1900-02-29 2024-13-01 2024-00-10 2024-01-00 2024-04-31 -000000-01-01 soon 5 2024 2024-01 20240131
      31.01.2024 2024-1-31 2024-01-31T25:00Z 2024-01-31T24:00Z 2024-01-31T10:60Z 2024-01-31T10:00:60Z 2024-01-31T10Z 2024-01-31T10:00
      2024-01-31t10:00z 2024-01-31T10:00+0200 2024-01-31T10:00+24:00 2024-01-31T10:00:00.Z +275760-09-13T00:00:00.001Z`.split(
      /\s+/,
    ),
    ...[
      "",
      " 2024-01-31",
      "2024-01-31 ",
      "2024-01-31 10:00Z",
      "\u0662024-01-31",
      `2024-01-31T10:00:00.${"1".repeat(99)}Z`,
    ],
  ])("takes %j for no date", (text) => {
    expect(instantOf(text)).toBeUndefined();
  });
});

property("reads what Date writes, as Date reads it", 20, (random) => {
  for (const at of random.list(50, 50, () =>
    Math.trunc(random.pick([8.64e15, 1e14, 4e12]) * (2 * random.next() - 1)),
  )) {
    const text = new Date(at).toISOString();
    expect(instantOf(text), text).toBe(at);
    const day = text.replace(/T.*/, "");
    expect(instantOf(day), day).toBe(Date.parse(day));
  }
});

describe("textOfDate", () => {
  it("writes a Date of any realm", () => {
    for (const date of [new Date(5), runInNewContext("new Date(5)")])
      expect(textOfDate(date)).toBe("1970-01-01T00:00:00.005Z");
  });

  it("knows no other value, and no invalid Date", () => {
    for (const value of [new Date(Number.NaN), "2024-01-31", 5, null, Object.create(Date.prototype)])
      expect(textOfDate(value)).toBeUndefined();
  });
});
