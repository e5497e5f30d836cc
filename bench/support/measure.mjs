// Clocks and scales: durations, percentiles, memory held, and how long the event loop was kept from turning.

import { openSync, readSync } from "node:fs";
import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** Milliseconds of CPU time so far, and of what: of this thread where the system tells it. */
export const { clock: threadCpuMs, name: CLOCK } = chooseClock();

/** What was found goes here, so that no engine's work can be optimised away. */
export const sink = { found: 0 };

/** The value below which the share `q` of the sorted values lies. */
export const percentile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];

/** Least, mean, median, 99th percentile and greatest. */
export function summarize(values) {
  const sorted = Float64Array.from(values).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const [min, max] = [sorted[0], sorted.at(-1)];
  return { min, mean, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max, worst: max };
}

/**
 * Asks each request one time. Gives, of those asked before `mostMs` was over and at least one, the milliseconds (`times`),
 * those for which this thread had a core (`cpu`), and the matches (`found`).
 */
export async function askOnce(ask, requests, mostMs = Number.POSITIVE_INFINITY) {
  const [times, cpu, found] = [[], [], []];
  const until = performance.now() + mostMs;
  for (const request of requests) {
    const before = threadCpuMs();
    const started = performance.now();
    if (times.length > 0 && started > until) break;
    const matches = await ask(request);
    times.push(performance.now() - started);
    cpu.push(threadCpuMs() - before);
    found.push(matches);
    sink.found += matches;
  }
  return { times, cpu, found };
}

/** Asks all requests `passes` times over. Gives the best `times` and `cpu` of each; ends early when `mostMs` is over. */
export async function askAgain(ask, requests, passes, mostMs = Number.POSITIVE_INFINITY) {
  const best = { times: [], cpu: [] };
  const until = performance.now() + mostMs;
  for (let pass = 0; pass < passes && performance.now() < until; pass++) {
    const asked = await askOnce(ask, requests, until - performance.now());
    for (const clock of ["times", "cpu"])
      for (const [i, ms] of asked[clock].entries())
        best[clock][i] = Math.min(best[clock][i] ?? Number.POSITIVE_INFINITY, ms);
  }
  return best;
}

/** Runs `task`. Gives its milliseconds, and those of CPU time of all threads of the process. */
export async function clocked(task) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await task();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

/** Each query's best time of `runs` passes, in milliseconds, after a warm-up that is not counted. */
export async function timeQueries(ask, queries, runs) {
  for (const query of queries.slice(0, 200)) sink.found += await ask(query);
  const best = new Float64Array(queries.length).fill(Number.POSITIVE_INFINITY);
  let found = 0;
  for (let run = 0; run < runs; run++)
    for (const [i, query] of queries.entries()) {
      const started = performance.now();
      found += await ask(query);
      best[i] = Math.min(best[i], performance.now() - started);
    }
  sink.found += found;
  return { ...summarize(best), meanFound: found / (runs * queries.length) };
}

/** Runs `task`; tells its time, the longest stops of the event loop, and the time spent collecting garbage. */
export async function watch(task) {
  const pauses = [];
  const collect = (list) => pauses.push(...list.getEntries().map((entry) => entry.duration));
  const observer = new PerformanceObserver(collect);
  observer.observe({ entryTypes: ["gc"] });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const drift = startDrift();
  await pause(20); // the monitor needs a first beat; reset() would take it away again
  drift.reset();
  const started = performance.now();
  const cpu = process.cpuUsage();
  await task();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1000;
  await pause(2); // a last beat, so that a stop at the end is seen too
  const timerDriftMs = drift.stop();
  delay.disable();
  await nextTurn();
  collect({ getEntries: () => observer.takeRecords() });
  observer.disconnect();
  const gcMs = pauses.reduce((sum, pause) => sum + pause, 0);
  return {
    ms,
    cpuMs,
    loopBlockMs: delay.max / 1e6,
    timerDriftMs,
    gcMs,
    gcShare: gcMs / ms,
    gcLongestMs: Math.max(0, ...pauses),
  };
}

/** A timer that should ring every millisecond, and the most by which it was late. */
function startDrift() {
  let last = performance.now();
  let most = 0;
  const beat = () => {
    const now = performance.now();
    most = Math.max(most, now - last - 1);
    last = now;
  };
  const timer = setInterval(beat, 1);
  return {
    reset: () => {
      beat();
      most = 0;
    },
    stop: () => {
      clearInterval(timer);
      beat();
      return most;
    },
  };
}

/** Bytes in use after a full collection: of the process, and of V8's heap with what lies outside it. Needs --expose-gc. */
export async function memory() {
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await pause(20);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, held: heapUsed + external }; // external contains the array buffers
}

/** The thread's own time where the system tells it, else that of all threads of the process, which is never less. */
function chooseClock() {
  if (typeof process.threadCpuUsage === "function")
    return {
      name: "this thread's",
      clock: () => {
        const { user, system } = process.threadCpuUsage();
        return (user + system) / 1000;
      },
    };
  const ofProcess = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
    const bytes = Buffer.alloc(64);
    const clock = () => {
      process.cpuUsage(); // makes the kernel bring the thread's sum up to date, which it else does at its own ticks
      const text = bytes.toString("latin1", 0, readSync(file, bytes, 0, 64, 0));
      return Number(text.slice(0, text.indexOf(" "))) / 1e6;
    };
    if (Number.isFinite(clock())) return { name: "this thread's", clock };
  } catch {
    // Not Linux, or not allowed.
  }
  return { name: "all threads of the process", clock: ofProcess };
}
