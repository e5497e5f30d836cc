// One engine in a process of its own, so that no engine's memory, garbage or compiled code is another's. Gets its task as
// a message from run.mjs and answers with one.

import { performance } from "node:perf_hooks";
import { readRecords } from "./support/corpus.mjs";
import { ENGINES } from "./support/engines.mjs";
import { askLanguage } from "./support/language-child.mjs";
import { memory, sink, summarize, timeQueries, watch } from "./support/measure.mjs";

const KINDS = { start, index: fillAndAsk, language: askLanguage };

process.once("message", async (task) => {
  const result = await KINDS[task.kind](task);
  process.send({ ...result, sink: sink.found }, () => process.disconnect());
});

/** From nothing to the first answer: import, open, one record, one query. */
async function start({ engine, fields, record, query }) {
  const started = performance.now();
  const index = await (await ENGINES[engine].load()).open(fields, Object.keys(record));
  await index.fill([record]);
  sink.found += await index.ask(query);
  const ended = performance.now();
  return { ms: ended - started, withNodeMs: ended };
}

/**
 * Fills an index `runs` times; memory is taken around the first, queries are asked of the first. One record comes before
 * all, so that what an engine loads once is told apart from what each record costs.
 */
async function fillAndAsk({ engine, fields, stored, path, size, queries, runs }) {
  const module = await ENGINES[engine].load();
  const bare = await memory();
  const opening = await fillOne(module, { fields, stored, path, size: 1 });
  sink.found += await opening.index.ask(queries[0]);
  await opening.index.drop();
  const before = await memory();
  const first = await fillOne(module, { fields, stored, path, size });
  const after = await memory();
  const asked = await timeQueries(first.index.ask, queries, runs);
  const builds = [first.build];
  await first.index.drop();
  first.index = undefined;
  while (builds.length < runs) {
    const { index, build } = await fillOne(module, { fields, stored, path, size });
    await index.drop();
    builds.push(build);
  }
  const polite = builds.map((build) => build.polite ?? build);
  return {
    recordsPerSecond: summarize(builds.map(({ ms }) => (size * 1000) / ms)),
    recordsPerCpuSecond: (size * 1000) / Math.min(...builds.map(({ cpuMs }) => cpuMs)),
    loopBlockMs: Math.max(...polite.map((build) => build.loopBlockMs)),
    timerDriftMs: Math.max(...polite.map((build) => build.timerDriftMs)),
    gcShare: summarize(builds.map((build) => build.gcShare)).mean,
    gcLongestMs: Math.max(...builds.map((build) => build.gcLongestMs)),
    settleMs: summarize(builds.map((build) => build.settleMs)).min,
    firstBlockMs: opening.build.loopBlockMs,
    loadedBytes: before.held - bare.held,
    rssPerRecord: (after.rss - before.rss) / size,
    heldPerRecord: (after.held - before.held) / size,
    query: asked,
    builds,
  };
}

async function fillOne(module, { fields, stored, path, size }) {
  const records = await readRecords(path, size);
  const index = await module.open(fields, stored);
  globalThis.gc();
  const build = await watch(() => index.fill(records));
  build.settleMs = (await watch(() => index.settle())).ms;
  if (index.fillPolitely !== undefined) {
    const polite = await module.open(fields, stored);
    build.polite = await watch(() => polite.fillPolitely(records));
  }
  return { index, build };
}
