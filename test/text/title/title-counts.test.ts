import { expect } from "vitest";
import { DocSet } from "../../../src/base/doc-set.js";
import { runAtOnce } from "../../../src/base/slices.js";
import { countBytes, livingCounts } from "../../../src/text/title/title-counts.js";
import { TitleWriter } from "../../../src/text/title/title-table.js";
import { property } from "../../support/random.js";
import { postingsOf } from "../../support/word-index.js";

const TERMS = ["a", "b", "c", "d"];

property("titles are counted as a plain count does, whoever of the records is dead", 30, (random) => {
  const given = random.list(1, 60, () =>
    random.list(0, 6, () => ({ term: random.between(0, 3), isFirst: random.chance(0.8) })),
  );
  const writer = new TitleWriter();
  for (const title of given) {
    writer.beginRecord();
    for (const { term, isFirst } of title) writer.add(term, isFirst);
  }
  const titles = runAtOnce(writer.finish(4));
  const postings = { ...postingsOf([{ body: TERMS.join(" ") }]), docCount: given.length, titles };
  const counted = (dead: DocSet | null) =>
    TERMS.map(
      (_, term) =>
        given.filter(
          (title, doc) => dead?.has(doc) !== true && title.some((entry) => entry.isFirst && entry.term === term),
        ).length,
    );
  expect(countBytes(postings)).toBe(0);
  let dead = new DocSet(given.length);
  const older: { dead: DocSet; counts: Uint32Array; expected: number[] }[] = [];
  for (let turn = 0; turn < 5; turn++) {
    dead = dead.copy().addAll(random.list(0, 5, () => random.between(0, given.length - 1)));
    const counts = runAtOnce(livingCounts({ postings, dead }));
    older.push({ dead, counts, expected: counted(dead) });
    // A query of an older state, and those that keep what they got.
    const again = random.pick(older);
    expect([...runAtOnce(livingCounts({ postings, dead: again.dead }))]).toEqual(again.expected);
    for (const { counts, expected } of older) expect([...counts]).toEqual(expected);
  }
  expect([...runAtOnce(livingCounts({ postings, dead: null }))]).toEqual(counted(null));
  expect(countBytes(postings)).toBe(2 * 4 * TERMS.length);
});
