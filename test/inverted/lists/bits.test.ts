import { expect, it } from "vitest";
import { BitReader, BitWriter, gapWidth } from "../../../src/inverted/list-codec.js";
import { property } from "../../support/random.js";

property("numbers are read as they were written, wherever words end", 50, (random) => {
  const given = random.list(0, 400, () => {
    const width = random.between(0, 16);
    return random.chance(0.5)
      ? { width, gap: Math.min(65_535, random.between(0, 2 ** (width + random.between(0, 5)))) }
      : { gamma: random.between(1, 2 ** random.between(0, 31)) };
  });
  const writer = new BitWriter(random.pick([0, 100_000]));
  const ends = given.map((number) => {
    if (number.gamma === undefined) writer.gap(number.gap, number.width);
    else writer.gamma(number.gamma);
    return writer.length;
  });
  const reader = new BitReader(writer.toWords(), 0);
  for (const [i, number] of given.entries()) {
    if (number.gamma === undefined) expect(reader.gap(number.width)).toBe(number.gap);
    else expect(reader.gamma()).toBe(number.gamma);
    expect(reader.at).toBe(ends[i]);
  }
});

it("writes gamma's code and Rice's as they are published", () => {
  const writer = new BitWriter(64);
  for (const number of [1, 2, 9]) writer.gamma(number);
  for (const gap of [0, 9]) writer.gap(gap, 2);
  const written = writer.length;
  const bits = writer.toWords()[0]!.toString(2).padStart(32, "0").slice(0, written);
  expect(bits).toBe(["1", "010", "0001001", "100", "00101"].join(""));
});

it("tells the width of a gap by the mean distance, rounded down to a power of two", () => {
  const widths = [
    [65_536, 1],
    [1000, 1000],
    [1000, 501],
    [1000, 500],
    [1000, 3],
  ].map(([among, size]) => gapWidth(among!, size!));
  expect(widths).toEqual([16, 0, 0, 1, 8]);
});
