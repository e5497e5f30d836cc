// How long the event loop stood still: a setImmediate loop that turns as often as it can takes the time from each turn to
// the next, in wall time and in the time this thread had the processor, so that other programs' work is told from ours.

import { openSync, readSync } from "node:fs";
import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** Shorter turns are not kept: no goal is that short. */
const SHORTEST_MS = 1;

/** What the CPU column means here. */
export const { clock: threadCpuMs, name: CLOCK } = chooseClock();

/**
 * A turn of the event loop: milliseconds since the process began, and what of it this thread was at work.
 * @typedef {{ from: number, to: number, wall: number, cpu: number, gc: number }} Turn
 */

/** Runs `task`; gives its turns of at least 1 ms, what the timer's monitor saw, and what the task answered. */
export async function watchTurns(task) {
  const collections = [];
  const collect = (list) => collections.push(...list.getEntries());
  const observer = new PerformanceObserver(collect);
  observer.observe({ entryTypes: ["gc"] });
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  await pause(3); // the monitor needs a first beat
  monitor.reset();
  const loop = new TurnLoop();
  await loop.start();
  const began = performance.now();
  const answer = await task();
  const ms = performance.now() - began;
  await loop.stop();
  await pause(2); // a last beat
  monitor.disable();
  await nextTurn();
  collect({ getEntries: () => observer.takeRecords() });
  observer.disconnect();
  const turns = loop.turns.map((turn) => ({ ...turn, gc: overlap(turn, collections) }));
  return { answer, ms, turns, monitorMs: monitor.max / 1e6 };
}

/** The longest of some turns by wall or by CPU time; undefined: there is none. */
export function longest(turns, by) {
  let found;
  for (const turn of turns) if (found === undefined || turn[by] > found[by]) found = turn;
  return found;
}

class TurnLoop {
  turns = [];
  running = false;

  async start() {
    await nextTurn();
    this.running = true;
    this.wall = performance.now();
    this.cpu = threadCpuMs();
    setImmediate(() => this.turn());
  }

  turn() {
    const wall = performance.now();
    const cpu = threadCpuMs();
    if (wall - this.wall >= SHORTEST_MS)
      this.turns.push({ from: this.wall, to: wall, wall: wall - this.wall, cpu: cpu - this.cpu });
    this.wall = wall;
    this.cpu = cpu;
    if (this.running) setImmediate(() => this.turn());
  }

  async stop() {
    await nextTurn();
    await nextTurn();
    this.running = false;
    await nextTurn();
  }
}

/** Milliseconds of collections within a turn. */
function overlap({ from, to }, collections) {
  let ms = 0;
  for (const { startTime, duration } of collections)
    ms += Math.max(0, Math.min(to, startTime + duration) - Math.max(from, startTime));
  return ms;
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
