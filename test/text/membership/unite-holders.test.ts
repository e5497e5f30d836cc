import { expect } from "vitest";
import { DocSet } from "../../../src/base/doc-set.js";
import { runTaskAtOnce } from "../../../src/base/tasks.js";
import { planText } from "../../../src/text/impacts/text-plan.js";
import { uniteHolders } from "../../../src/text/membership/unite-holders.js";
import { property } from "../../support/random.js";
import { normsOf, type PlainRecord, postingsOf, termOf } from "../../support/word-index.js";

const WORDS = ["a", "b", "c", "d"];

property("finds the living and allowed records that hold any term, segments long and short", 12, (random) => {
  const parts = random.list(1, 4, () => {
    const share = random.pick([0.02, 0.6]);
    const size = random.pick([1, 31, 33, 90, 2500]);
    return Array.from({ length: size }, (): PlainRecord => ({ body: random.some(WORDS, share).join(" ") }));
  });
  const all = parts.flat();
  const deletedDocs = parts.map((records) => random.some([...records.keys()], random.pick([0, 0.3])));
  let base = 0;
  const segments = parts.map((records, i) => {
    const postings = postingsOf(records);
    base += records.length;
    const gone = deletedDocs[i]!.length === 0 ? null : new DocSet(records.length).addAll(deletedDocs[i]!);
    return { postings, deletedDocs: gone, base: base - records.length, fields: normsOf(postings, all) };
  });
  const allowed = random.chance(0.5) ? null : random.some([...all.keys()], 0.5);
  const asked = random.some(["zebra", ...WORDS], 0.6);
  const corpus = { segments, docSpan: all.length, docCount: all.length, k1: 1.2 };
  const plan = runTaskAtOnce(
    planText(
      corpus,
      asked.map((word) => termOf(word)),
    ),
  );
  const isDead = new Set(deletedDocs.flatMap((docs, i) => docs.map((doc) => segments[i]!.base + doc)));
  const expected = all.flatMap(({ body }, doc) =>
    asked.some((word) => body!.split(" ").includes(word)) && !isDead.has(doc) && (allowed?.includes(doc) ?? true)
      ? [doc]
      : [],
  );
  // A search before leaves nothing behind.
  for (let turn = 0; turn < 2; turn++) {
    const found = uniteHolders(plan, allowed === null ? null : new DocSet(all.length).addAll(allowed));
    expect([...found.toArray()]).toEqual(expected);
    expect(found.count()).toBe(expected.length);
  }
});
