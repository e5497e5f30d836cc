// Thousands of indexes in one data folder: opening and closing it are many short pieces of work.

import { expect, it } from "vitest";
import { PATIENCE } from "../support/patience.js";
import { seq } from "../support/seq.js";
import { FAST } from "../support/size.js";
import { openAt, tempPaths } from "../support/temp-folder.js";

const INDEXES = FAST ? 3_000 : 10_000;
const AT_ONCE = 500;
const ROUNDS = 3;
const pathOf = tempPaths();

/** Runs work; gives its result, and the greatest share of the processor time that one piece of it between two turns of the event loop took. */
async function inPieces<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly greatestShare: number }> {
  let last = process.cpuUsage();
  let [longest, total] = [0, 0];
  let isOver = false;
  const turn = (): void => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    longest = Math.max(longest, user + system);
    total += user + system;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isOver = true;
  return { result, greatestShare: longest / total };
}

it(`opens and closes ${INDEXES} indexes in short pieces`, { timeout: PATIENCE * 600_000 }, async () => {
  const path = pathOf();
  const engine = await openAt(path, { durability: "interval" });
  for (let from = 0; from < INDEXES; from += AT_ONCE)
    await Promise.all(
      seq(AT_ONCE, async (i) => (await engine.createIndex(`i${from + i}`)).addRecords([{ id: i, title: "lamp" }])),
    );
  const closed = [await inPieces(() => engine.close())];
  const opened = [];
  // A collection of garbage falls into one piece, so the best of several rounds is judged.
  for (let round = 0; round < ROUNDS; round++) {
    opened.push(await inPieces(() => openAt(path)));
    const again = opened.at(-1)!.result;
    expect((await again.listIndexes()).length).toBe(INDEXES);
    expect((await again.query("i7", { query: "lamp" })).data.nbHits).toBe(1);
    closed.push(await inPieces(() => again.close()));
  }
  for (const rounds of [opened, closed])
    expect(Math.min(...rounds.map(({ greatestShare }) => greatestShare))).toBeLessThan(1 / 4);
});
