// What the bench of storage measures, each in a process of its own: filling a folder, opening it, cold and warm, and writing to it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { productBatches, readSources } from "../speed/corpus.mjs";
import { answerTask, askOnce, clocked, memory, sink, summarize, waitedMs } from "./measure.mjs";
import { ENGINES } from "./storage-engines.mjs";

const FIRST = 100;

/** Loads what a process loads once, with one record in a folder of its own. No figure includes it. */
async function warmUp(engine, [record]) {
  const folder = mkdtempSync(join(tmpdir(), "storage-warm-"));
  try {
    const index = await engine.open({ folder });
    await index.fill([record]);
    await index.finish();
    sink.found += await index.ask("nothing");
    await index.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Records a second, until all would survive a power cut (not in memory). Only the engine is timed, not making the records. */
async function fill({ engine, folder, durability, records, size }) {
  const sources = await readSources(records);
  const index = await engine.open({ folder, durability });
  let ms = 0;
  for (const batch of productBatches(sources, size)) ms += (await clocked(() => index.fill(batch))).ms;
  ms += (await clocked(() => index.finish())).ms;
  const estimate = await index.estimate?.();
  await index.close();
  return { recordsPerSecond: (size * 1000) / ms, ...(estimate && { estimate }) };
}

/** From `open` to the first answer, the hundred queries after it, and the memory after all queries. */
async function open({ engine, folder, queries, mostMs }) {
  const before = await memory();
  const { index, ms } = await openAndAsk(engine, folder, queries[0]);
  const { times } = await askOnce(index.ask, queries.slice(1), mostMs);
  const after = await memory();
  await index.close();
  return {
    openMs: ms,
    first: summarize(times.slice(0, FIRST)),
    asked: times.length,
    rss: after.rss,
    grown: after.rss - before.rss,
  };
}

/** In a process that has loaded nothing of the engine: from its import to the first answer. */
async function cold({ engine, folder, queries }) {
  const { index, ms } = await openAndAsk(engine, folder, queries[0]);
  await index.close();
  return { ms };
}

/** The index, and the milliseconds from opening it to its first answer without those for which the main thread waited for a core. */
async function openAndAsk(engine, folder, query) {
  const waited = waitedMs();
  let index;
  const { ms } = await clocked(async () => {
    index = await engine.open({ folder });
    sink.found += await index.ask(query);
  });
  return { index, ms: ms - (waitedMs() - waited) };
}

/** Commits a second, one after the other: of one record, and of a thousand. */
async function write({ engine, folder, ones, thousands, mostMs }) {
  const index = await engine.open({ folder });
  const rates = [];
  const writeBatch = async (batch) => {
    await index.write(batch);
    return batch.length;
  };
  for (const batches of [ones.map((record) => [record]), thousands]) {
    const { times } = await askOnce(writeBatch, batches, mostMs);
    rates.push((times.length * 1000) / times.reduce((sum, ms) => sum + ms, 0));
  }
  await index.close();
  return { ones: rates[0], thousands: rates[1] };
}

const WORKS = { fill, open, cold, write };

answerTask(async ({ work, engine: name, sample, ...task }) => {
  const engine = ENGINES[name];
  if (work !== "cold") await warmUp(engine, sample);
  return WORKS[work]({ engine, ...task });
});
