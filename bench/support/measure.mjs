// The common parts of all benches: clocks, percentiles, memory, timed queries, fresh processes, and tables.

import { fork } from "node:child_process";
import { openSync, readSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** CPU time so far in milliseconds, of this thread if the system reports it; `CLOCK` says of what. */
export const { clock: threadCpuMs, name: CLOCK } = chooseClock();

/** The number of matches found goes here, so that no engine's work can be optimised away. */
export const sink = { found: 0 };

/** Median, 99th percentile, greatest and mean of some values. */
export function summarize(values) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { p50: at(0.5), p99: at(0.99), worst: sorted.at(-1), mean };
}

/**
 * Runs each request once, until `mostMs` have passed, but at least one. Returns the milliseconds (`times`), the CPU milliseconds of this
 * thread (`cpu`) and the number of matches (`found`) of each.
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

/** Runs all requests `passes` times. Returns the best `times` and `cpu` of each; stops after `mostMs`. */
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

/** Runs `task`. Returns its milliseconds, and the CPU milliseconds of all threads of the process. */
export async function clocked(task) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await task();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
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
 * Runs one task in a fresh process of `program`, which calls `answerTask`. `heapMB` is the maximum size of V8's heap. Throws if the
 * process ends without an answer.
 */
export function inChild(task, { program, heapMB }) {
  const heap = heapMB === undefined ? [] : [`--max-old-space-size=${heapMB}`];
  const child = fork(fileURLToPath(program), { execArgv: ["--expose-gc", ...heap] });
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
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
    const bytes = Buffer.alloc(64);
    const clock = () => {
      process.cpuUsage(); // makes the kernel update the thread's sum, which it otherwise does only at timer ticks
      const text = bytes.toString("latin1", 0, readSync(file, bytes, 0, 64, 0));
      return Number(text.slice(0, text.indexOf(" "))) / 1e6;
    };
    if (Number.isFinite(clock())) return { name: "this thread's", clock };
  } catch {
    // Not Linux, or not allowed.
  }
  return { name: "all threads of the process", clock: ofProcess };
}
