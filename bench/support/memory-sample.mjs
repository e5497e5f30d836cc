// What a process holds after full collections, taken while a long work goes on, and whether it grows.

import { setTimeout as pause } from "node:timers/promises";

/** Samples of one work, so that one half can be held against the other. */
const SAMPLES = 20;
const PARTS = ["rss", "heapUsed", "external", "arrayBuffers"];

/** Bytes in use after a full collection; `held` is V8's heap with what lies outside it. Needs --expose-gc. */
export async function takeSample() {
  // What a collection frees may let finalisers run, whose garbage the next one takes.
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await pause(10);
  }
  const usage = process.memoryUsage();
  return { ...Object.fromEntries(PARTS.map((part) => [part, usage[part]])), held: usage.heapUsed + usage.external };
}

/**
 * Does `step(i)` for i from 0 to below `count`, a tenth more before it as a warm-up, and takes samples on the way;
 * `settle` runs before each, `extra` adds to it.
 */
export async function sampleWhile({ count, step, settle = async () => {}, extra = () => ({}) }) {
  const started = performance.now();
  const warmup = Math.ceil(count / 10);
  let done = 0;
  const until = async (end) => {
    while (done < end) await step(done++);
    await settle();
    return { ...(await takeSample()), ...extra() };
  };
  const samples = [await until(warmup)];
  for (let i = 1; i <= SAMPLES; i++) samples.push(await until(warmup + Math.ceil((i * count) / SAMPLES)));
  return { count, samples, seconds: (performance.now() - started) / 1000 };
}

/** Growth from the first sample to the last and to the greatest, and of the second half's mean over the first's. */
export function growthOf(samples, part) {
  const values = samples.map((sample) => sample[part]);
  const [first] = values;
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const rest = values.slice(1);
  const middle = rest.length / 2;
  return {
    first,
    last: values.at(-1),
    growth: values.at(-1) - first,
    most: Math.max(...values) - first,
    halves: mean(rest.slice(middle)) / mean(rest.slice(0, middle)) - 1,
  };
}
