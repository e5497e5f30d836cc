import { expect, it } from "vitest";
import { HEAD, type TitleRole } from "../../../src/analysis/title-roles.js";
import {
  loadTitles,
  readTitle,
  roleAt,
  type TitleFile,
  type TitleTable,
  TitleWriter,
  titleNumber,
  titleReader,
} from "../../../src/inverted/title/title-table.js";
import type { LocalDoc } from "../../../src/util/doc-set.js";
import { runTask, runTaskAtOnce } from "../../../src/util/tasks.js";
import { property } from "../../support/random.js";

interface Entry {
  readonly term: number;
  readonly role: TitleRole | 0;
}

property("titles are read as they were written, each term by its new number", 20, (random) => {
  // Enough terms that entries take one half and two.
  const terms = random.pick([1, 300, 200_000]);
  const numbers = Uint32Array.from(random.shuffle([...Array(terms).keys()]));
  const given = random.list(0, 8000, () =>
    random.list(
      0,
      12,
      (): Entry => ({ term: random.between(0, terms - 1), role: random.pick([0, 1, 2, 3, 4, 5] as const) }),
    ),
  );
  const writer = new TitleWriter();
  for (const title of given) {
    writer.beginRecord();
    for (const { term, role } of title) writer.add(term, role);
  }
  const table = runTaskAtOnce(writer.finish(terms, numbers));
  const reader = titleReader(table);
  const entries = [1, 2, 3];
  const read = given.map((_, doc): Entry[] => {
    readTitle(reader, doc as LocalDoc, entries);
    return entries.map((entry) => ({ term: table.terms[titleNumber(entry)]!, role: roleAt(entry) }));
  });
  expect(read).toEqual(given.map((title) => title.map(({ term, role }) => ({ term: numbers[term], role }))));
});

it("gives the least numbers to the terms that come most often", () => {
  const writer = new TitleWriter();
  writer.beginRecord();
  for (const term of [2, 0, 3, 2, 0, 2]) writer.add(term, HEAD);
  expect([...runTaskAtOnce(writer.finish(4, Uint32Array.of(1, 0, 2, 3))).terms]).toEqual([2, 1, 3]);
});

it("titles in a file are read once for all who need them at the same time, and again after a failure", async () => {
  const writer = new TitleWriter();
  writer.beginRecord();
  writer.add(0, HEAD);
  const written = runTaskAtOnce(writer.finish(1));
  let reads = 0;
  const readAll = async (): Promise<Uint16Array> => {
    reads++;
    if (reads === 1) throw new Error("once");
    return written.halves as Uint16Array;
  };
  const file: TitleFile = { readAll };
  const table: TitleTable = { ...written, halves: file };
  const load = () => Promise.allSettled([runTask(loadTitles([table])), runTask(loadTitles([table]))]);
  expect((await load()).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await load()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect([reads, table.halves]).toEqual([2, written.halves]);
});
