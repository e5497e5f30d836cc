// How long the event loop stood still: a setImmediate loop that turns as often as it can takes the time from each turn to
// the next, in wall time and in the time this thread had the processor, so that other programs' work is told from ours.

import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { threadCpuMs } from "./measure.mjs";

/** Shorter turns are not kept: no goal is that short. */
const SHORTEST_MS = 1;

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
