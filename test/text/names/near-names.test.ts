import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { nearNames } from "../../../src/text/names/near-names.js";
import { bothWays, placeOf } from "../../../src/text/names/sorted-names.js";
import { property, type Random } from "../../support/random.js";

/** Optimal string alignment as its definition says it: the whole matrix, no leaps. */
function alignment(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return rows[a.length]![b.length]!;
}

/** Words of few letters, so that many are near to each other; some stand twice, as in a lexicon. */
function names(random: Random, most: number): string[] {
  const letters = random.pick(["ab", "abc", "aé東", "abcdefgh"]);
  const word = () => random.list(0, 12, () => random.pick([...letters])).join("");
  const made = random.list(0, most, word);
  return [...made, ...random.some(made, 0.1)].sort();
}

const near = (given: readonly string[], word: string, most: number) =>
  runTaskAtOnce(nearNames(runTaskAtOnce(bothWays(given)), word, most)).map(({ at, distance }) => [given[at], distance]);

describe("the names near to a word", () => {
  it("are those with a letter more, less or other, or two neighbours swapped", () => {
    const given = ["drill", "drills", "dril", "drull", "rdill", "drlil", "saw"].sort();
    expect(near(given, "drill", 0)).toEqual([["drill", 0]]);
    expect(near(given, "drill", 1)).toHaveLength(6);
    expect(near(given, "drlil", 1)).toEqual([
      ["dril", 1],
      ["drill", 1],
      ["drlil", 0],
    ]);
  });

  it("count no letter of a swap twice", () => {
    expect(near(["abc"], "ca", 2)).toEqual([]);
    expect(near(["abc"], "ca", 3)).toEqual([["abc", 3]]);
  });

  it("are found for the empty word, among the empty name, and among none", () => {
    expect(near(["", "a", "ab", "abc"], "", 2).map(([name]) => name)).toEqual(["", "a", "ab"]);
    expect(near([], "drill", 2)).toEqual([]);
  });

  it("are found among names of 64 letters", () => {
    const long = "x".repeat(64);
    expect(near([long, `${long}yyy`], `${long}y`, 1)).toEqual([[long, 1]]);
    expect(near([long, `${long}yyy`], `${long}y`, 2)).toHaveLength(2);
  });

  property("are those that comparing with each name finds", 300, (random) => {
    const given = names(random, 60);
    for (const word of [...random.some(given, 0.2), ...names(random, 4)])
      for (const most of [0, 1, 2, 3]) {
        const expected = given.map((name) => [name, alignment(name, word)]).filter(([, far]) => Number(far) <= most);
        expect(near(given, word, most), word).toEqual(expected);
      }
  });

  property("are those among thousands of words, too", 3, (random) => {
    const given = random.list(4000, 5000, () => random.list(3, 9, () => random.pick([..."aeinrst"])).join("")).sort();
    for (const word of [...random.some(given, 0.003), "transient", "q"]) {
      const expected = given.map((name) => [name, alignment(name, word)]).filter(([, far]) => Number(far) <= 2);
      expect(near(given, word, 2), word).toEqual(expected);
    }
  });
});

property("the place of a name is the one that counting finds", 200, (random) => {
  const given = names(random, 40);
  const [name] = names(random, 1);
  expect(placeOf(given, name ?? "")).toBe(given.filter((each) => each < (name ?? "")).length);
});
