// The common parts of all benches: clocks, percentiles, memory, timed queries, fresh processes, and tables.

import { fork } from "node:child_process";
import { openSync, readSync } from "node:fs";
import { PerformanceObserver, performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** CPU time so far in milliseconds, of this thread if the system reports it; `CLOCK` says of what. */
export const { clock: threadCpuMs, name: CLOCK } = chooseClock();

/** Milliseconds so far for which this thread was ready to run and waited for a core; always 0 where the system does not tell. */
export const { clock: waitedMs, isKnown: WAITS_ARE_KNOWN } = chooseWaits();

/** The number of matches found goes here, so that no engine's work can be optimised away. */
export const sink = { found: 0 };

/** Median, 99th and 99.9th percentile, greatest and mean of some values. */
export function summarize(values) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), worst: sorted.at(-1), mean };
}

/**
 * Runs each request once, until `mostMs` have passed, but at least one. Returns the milliseconds without those that the thread waited
 * for a core (`times`), the CPU milliseconds of this thread (`cpu`) and the number of matches (`found`) of each, and the share of the
 * requests in which V8 collected garbage (`collected`).
 */
export async function askOnce(ask, requests, mostMs = Number.POSITIVE_INFINITY) {
  const [times, cpu, found, starts, ends] = [[], [], [], [], []];
  const collections = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const until = performance.now() + mostMs;
  for (const request of requests) {
    const before = threadCpuMs();
    const waitedBefore = waitedMs();
    const started = performance.now();
    if (times.length > 0 && started > until) break;
    const matches = await ask(request);
    const ended = performance.now();
    times.push(Math.max(0, ended - started - (waitedMs() - waitedBefore)));
    cpu.push(threadCpuMs() - before);
    found.push(matches);
    starts.push(started);
    ends.push(ended);
    sink.found += matches;
  }
  await pause(0); // the observer is told of collections after a turn of the event loop
  observer.disconnect();
  return { times, cpu, found, collected: shareWith(collections, starts, ends) };
}

/** The share of the spans from `starts` to `ends`, in order, in which one of the entries begins. */
function shareWith(entries, starts, ends) {
  const met = new Set();
  for (const { startTime } of entries) {
    const i = starts.findLastIndex((start) => start <= startTime);
    if (i >= 0 && startTime < ends[i]) met.add(i);
  }
  return met.size / starts.length;
}

/**
 * Runs all requests `passes` times by `askAll`, which is `askOnce` of an engine. Returns the best `times` and `cpu` of each, and the share of all requests that met a collection
 * (`collected`); stops after `mostMs`.
 */
export async function askAgain(askAll, requests, passes, mostMs = Number.POSITIVE_INFINITY) {
  const best = { times: [], cpu: [] };
  const shares = [];
  const until = performance.now() + mostMs;
  for (let pass = 0; pass < passes && performance.now() < until; pass++) {
    const asked = await askAll(requests, until - performance.now());
    shares.push(asked.collected);
    for (const clock of ["times", "cpu"])
      for (const [i, ms] of asked[clock].entries())
        best[clock][i] = Math.min(best[clock][i] ?? Number.POSITIVE_INFINITY, ms);
  }
  const collected = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { ...best, ...(Number.isFinite(collected) && { collected }) };
}

/**
 * Runs `task`. Returns its milliseconds, and the CPU milliseconds of all threads of the process. A task that works in another process
 * returns those that it measured there.
 */
export async function clocked(task) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const measured = await task();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return measured?.cpuMs === undefined ? { ms, cpuMs: (user + system) / 1000 } : measured;
}

/** Bytes in use after full collections; `held` is V8's heap and external memory. Needs --expose-gc. */
export async function memory() {
  // A collection may trigger finalisers, whose garbage the next one frees.
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await pause(10);
  }
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { rss, heapUsed, external, arrayBuffers, held: heapUsed + external }; // external contains the array buffers
}

/**
 * Runs one task in a fresh process of `program`, which calls `answerTask`. `heapMB` is the maximum size of V8's heap, `env` is added to
 * the environment. Throws if the
 * process ends without an answer.
 */
export function inChild(task, { program, heapMB, env = {} }) {
  const heap = heapMB === undefined ? [] : [`--max-old-space-size=${heapMB}`];
  const child = fork(fileURLToPath(program), { execArgv: ["--expose-gc", ...heap], env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    let result;
    child.once("message", (message) => {
      result = message;
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (result !== undefined) return resolve(result);
      reject(new Error(`The process ended with ${signal ?? code}, without a result.`));
    });
    child.send(task);
  });
}

/** Answers the one task of a process that `inChild` started. */
export function answerTask(work) {
  process.once("message", async (task) => {
    const result = await work(task);
    process.send({ ...result, sink: sink.found }, () => process.disconnect());
  });
}

/** Prints rows of cells in columns: the first aligned left, the others right. The first row is the head. */
export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const pad = (cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]));
  console.log(rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n"));
}

/** 50k, 1M or plain digits as a number; NaN for any other text. */
export function readSize(text) {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  return Number(digits) * { "": 1, k: 1e3, M: 1e6 }[unit ?? ""];
}

/** The CPU time of this thread if the system reports it, else that of all threads of the process, which is never less. */
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
  const ofThread = schedulerClock(0);
  if (ofThread === undefined) return { name: "all threads of the process", clock: ofProcess };
  return {
    name: "this thread's",
    clock: () => {
      process.cpuUsage(); // makes the kernel update the thread's sum, which it otherwise does only at timer ticks
      return ofThread();
    },
  };
}

function chooseWaits() {
  const clock = schedulerClock(1);
  return { clock: clock ?? (() => 0), isKnown: clock !== undefined };
}

/** One of the sums that Linux keeps for the main thread: the time on a core, or ready and waiting for one; undefined elsewhere. */
function schedulerClock(column) {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
    const bytes = Buffer.alloc(64);
    const clock = () => Number(bytes.toString("latin1", 0, readSync(file, bytes, 0, 64, 0)).split(" ")[column]) / 1e6;
    if (Number.isFinite(clock())) return clock;
  } catch {
    // Not Linux, or not allowed.
  }
  return undefined;
}
