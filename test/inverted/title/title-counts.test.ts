import { expect } from "vitest";
import { countBytes, livingCounts } from "../../../src/inverted/title/title-counts.js";
import { TitleWriter } from "../../../src/inverted/title/title-table.js";
import { DocSet } from "../../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { property } from "../../support/random.js";
import { postingsOf } from "../../support/word-index.js";

/** The least numbers are those of the terms that come most often, so each is looked up. */
const TERMS = [0, 1, 2, 3];

property("titles are counted as a plain count does, whoever of the records is dead", 30, (random) => {
  const given = random.list(1, 60, () =>
    random.list(0, 6, () => ({ term: random.between(0, 3), isFirst: random.chance(0.8) })),
  );
  const writer = new TitleWriter();
  for (const title of given) {
    writer.beginRecord();
    for (const { term, isFirst } of title) writer.add(term, isFirst);
  }
  const titles = runTaskAtOnce(writer.finish(4));
  const postings = { ...postingsOf([{ body: "a b c d" }]), docCount: given.length, titles };
  const byTerm = (counts: ArrayLike<number>) => TERMS.map((term) => counts[titles.terms.indexOf(term)] ?? 0);
  const counted = (deletedDocs: DocSet | null) =>
    TERMS.map(
      (term) =>
        given.filter(
          (title, doc) => deletedDocs?.has(doc) !== true && title.some((entry) => entry.isFirst && entry.term === term),
        ).length,
    );
  expect(countBytes(postings)).toBe(0);
  let deletedDocs = new DocSet(given.length);
  const older: { deletedDocs: DocSet; counts: ArrayLike<number>; expected: number[] }[] = [];
  for (let turn = 0; turn < 5; turn++) {
    deletedDocs = deletedDocs.copy().addAll(random.list(0, 5, () => random.between(0, given.length - 1)));
    const counts = runTaskAtOnce(livingCounts({ postings, deletedDocs }));
    older.push({ deletedDocs, counts, expected: counted(deletedDocs) });
    // A query of an older state, and those that keep what they got.
    const again = random.pick(older);
    expect(byTerm(runTaskAtOnce(livingCounts({ postings, deletedDocs: again.deletedDocs })))).toEqual(again.expected);
    for (const { counts, expected } of older) expect(byTerm(counts)).toEqual(expected);
  }
  expect(byTerm(runTaskAtOnce(livingCounts({ postings, deletedDocs: null })))).toEqual(counted(null));
  expect(countBytes(postings)).toBe(4 * titles.terms.length);
});
