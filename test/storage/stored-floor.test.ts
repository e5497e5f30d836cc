// The learned floor in a data folder: it is that of the records there, whatever was written, and is not learned again without need.

import { expect, it } from "vitest";
import { createStaticEnEmbedder, SearchEngine } from "../../src/index.js";
import { openFolder, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { learnedFloor } from "../support/naive-floor.js";
import { readEntry } from "../support/naive-record.js";
import { wordsOf } from "../support/naive-rewriting.js";
import { rejectionOf } from "../support/refusal.js";
import { plainRecords, WordEmbedder } from "../support/word-embedder.js";

const floorOf = async (engine: SearchEngine): Promise<number> =>
  (await engine.getSettings("shop")).effective.semanticFloor;

/** The floor of these records by the naive engine. */
function naiveFloor(records: readonly { readonly id: string }[]): number {
  const embedder = new WordEmbedder();
  const settings = { embedder: (text: string) => embedder.vectorOf(text) };
  const words = wordsOf(settings);
  return learnedFloor(
    records.map((record) => readEntry({ ...record }, record.id, settings, words)),
    settings,
  );
}

/** Opens the folder with a new embedder, and tells the floor and how often the embedder was asked for the probes. */
async function reopened(disk: FakeDisk, options: { readonly readOnly?: boolean } = {}) {
  const embedder = new WordEmbedder();
  const engine = await openFolder(disk, { sizes: TINY_SIZES, embedder, ...options });
  return { engine, floor: await floorOf(engine), probings: embedder.probings };
}

it("is kept with the records that it was learned from, for writers and readers", async () => {
  const disk = new FakeDisk();
  const records = plainRecords(300);
  let engine = await openFolder(disk, { sizes: TINY_SIZES, embedder: new WordEmbedder() });
  await engine.createIndex("shop");
  for (let from = 0; from < 300; from += 50) await engine.addRecords("shop", records.slice(from, from + 50));
  // Nobody asked for it, and closing asks no embedder of the caller's.
  await engine.close();
  const learned = await reopened(disk);
  expect([learned.floor, learned.probings]).toEqual([naiveFloor(records), 1]);
  await learned.engine.close();
  for (const readOnly of [true, false, true]) {
    const kept = await reopened(disk, { readOnly });
    expect([kept.floor, kept.probings]).toEqual([learned.floor, 0]);
    await kept.engine.close();
  }
  // A checkpoint, which begins a new log, keeps it.
  ({ engine } = await reopened(disk));
  await engine.createIndex("other", { embedder: false });
  for (let i = 0; i < 10; i++) await engine.addRecords("other", [{ id: i, text: "x".repeat(4000) }]);
  await engine.close();
  expect((await reopened(disk, { readOnly: true })).probings).toBe(0);
});

it("is learned anew after each change, also where the process was killed", async () => {
  const disk = new FakeDisk();
  const records = plainRecords(200);
  let engine = await openFolder(disk, { sizes: TINY_SIZES, embedder: new WordEmbedder() });
  await engine.createIndex("shop");
  await engine.addRecords("shop", records.slice(0, 100));
  await floorOf(engine);
  await engine.close();
  const dead = records.slice(0, 60).map(({ id }) => id);
  const changes = [
    { left: records, write: () => engine.addRecords("shop", records.slice(100)) },
    { left: records.slice(60), write: () => engine.deleteRecords("shop", dead) },
    { left: records.slice(60), write: () => engine.updateRecords("shop", [{ id: "r70", note: "of no matter" }]) },
    { left: records.slice(20, 90), write: () => engine.replaceAllRecords("shop", records.slice(20, 90)) },
  ];
  for (const { left, write } of changes) {
    ({ engine } = await reopened(disk));
    await write();
    const killed = await reopened(disk.copy());
    expect(killed.floor).toBe(naiveFloor(left));
    await killed.engine.close();
    expect(await floorOf(engine)).toBe(naiveFloor(left));
    await engine.close();
    expect(await reopened(disk.copy(), { readOnly: true })).toMatchObject({ floor: naiveFloor(left), probings: 0 });
  }
});

it("is learned when the folder is closed, where that asks nobody", async () => {
  const embedder = createStaticEnEmbedder();
  const memory = new SearchEngine({ embedder });
  const disk = new FakeDisk();
  const engine = await openFolder(disk, { embedder });
  for (const each of [memory, engine]) {
    await each.createIndex("shop");
    await each.addRecords("shop", plainRecords(100));
  }
  await engine.close();
  const [[path, log]] = [...disk.files()].filter(([path]) => path.includes("/log-")) as [[string, Uint8Array]];
  const at = Buffer.from(log).lastIndexOf('"floor":{');
  expect(at).toBeGreaterThan(0);
  // Damage of what is stored is told.
  for (let bit = 0; bit < 8 * 60; bit += 7) {
    const copy = disk.copy();
    copy.flipBit(path, at + (bit >> 3), bit % 8);
    expect(await rejectionOf(openFolder(copy, { embedder }))).toMatchObject({ error: "storage_corrupt" });
  }
  expect(await floorOf(await openFolder(disk, { embedder }))).toBe(await floorOf(memory));
});
