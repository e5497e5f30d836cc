import { expect, it } from "vitest";
import type { IndexSettings } from "../../src/settings/settings.js";
import { BoundedSnapshot, textSearcherOf } from "../../src/state/bounded-snapshot.js";
import { IndexSnapshot } from "../../src/state/index-snapshot.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { segmentFrom, settingsFrom } from "../support/states.js";

const settingsOf = (settings: IndexSettings) => settingsFrom(settings).effective;

const scoringsOf = (snapshot: IndexSnapshot, settings: ReturnType<typeof settingsOf>) =>
  textSearcherOf(BoundedSnapshot.all(snapshot), settings).segments.map(({ scoring }) => scoring);

it("the norms of a segment stay what they are as long as no mean length changes", async () => {
  const settings = settingsOf({});
  const first = await segmentFrom([
    { id: "1", body: "red drill" },
    { id: "2", body: "blue saw" },
  ]);
  const before = IndexSnapshot.empty().with({ added: [first] });
  const same = await segmentFrom([{ id: "1", body: "old drill" }]);
  const replaced = before.with({ added: [same], deletions: new Map([[first.segmentId, [0 as LocalDoc]]]) });
  const longer = replaced.with({ added: [await segmentFrom([{ id: "3", body: "a much longer text" }])] });
  const [norms] = scoringsOf(before, settings);
  expect(scoringsOf(replaced, settings)[0]).toBe(norms);
  expect(scoringsOf(longer, settings)[0]).not.toBe(norms);
  expect([...norms!.averages, ...scoringsOf(longer, settings)[0]!.averages]).toEqual([2, 2.66796875]);
});

it("norms are those of the settings, whatever was asked for before", async () => {
  const snapshot = IndexSnapshot.empty().with({
    added: [await segmentFrom([{ id: "1", title: "drill", body: "red drill" }])],
  });
  const weighed = (weight: number, b: number, title = 3) =>
    settingsOf({
      searchableAttributes: [
        { attribute: "body", weight },
        { attribute: "title", weight: title },
      ],
      bm25: { b },
    });
  const told = [
    weighed(1, 0.6),
    weighed(4, 0.6),
    weighed(4, 0.2),
    weighed(1, 0.6),
    weighed(2, 0.6, 2),
    settingsOf({ bm25: { b: 0.6 } }),
  ];
  expect(
    told.map((settings) => {
      const [{ weights, titleWeights, b }] = scoringsOf(snapshot, settings) as [ReturnType<typeof scoringsOf>[number]];
      return [...weights, ...titleWeights, b];
    }),
  ).toEqual([
    [1, 3, 1, 3, 0.6],
    [4, 3, 4, 3, 0.6],
    [4, 3, 4, 3, 0.2],
    [1, 3, 1, 3, 0.6],
    [2, 2, 2, 2, 0.6],
    [1, 1, 2, 2, 0.6],
  ]);
});
