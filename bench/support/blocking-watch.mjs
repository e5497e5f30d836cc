// How long the event loop was blocked: a setImmediate loop measures the time from each turn to the next, in wall time and in
// CPU time of this thread, which other programs do not change. With V8's sampling profiler it also finds the functions of
// the library in which that time was spent.

import { Session as Inspector } from "node:inspector";
import { monitorEventLoopDelay, PerformanceObserver, performance } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { threadCpuMs } from "./measure.mjs";

/** Shorter turns are not recorded, because every goal is longer. */
const SHORTEST_MS = 1;

/**
 * A turn of the event loop: its start and end in milliseconds since the process began, and its wall, CPU and GC time.
 * @typedef {{ from: number, to: number, wall: number, cpu: number, gc: number }} Turn
 */

/** Runs `task`. Returns its turns of at least 1 ms, the longest delay of the event loop monitor, and the task's result. */
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

/** The longest turn by wall or by CPU time; undefined if there are no turns. */
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

const INTERVAL_US = 250;
const SHOWN = 6;

/** Runs `task` under the profiler. Returns its result, and a function that describes a turn in lines of text. */
export async function profile(task) {
  const inspector = new Inspector();
  inspector.connect();
  const post = promisify(inspector.post.bind(inspector));
  await post("Profiler.enable");
  await post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
  // The profile counts microseconds of the system's monotonic clock, the turns milliseconds since the process began.
  const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  await post("Profiler.start");
  const answer = await task();
  const { profile: recorded } = await post("Profiler.stop");
  inspector.disconnect();
  return { answer, explain: (turn) => explainTurn(recorded, turn, offset) };
}

function explainTurn({ nodes, samples, timeDeltas, startTime }, { from, to }, offset) {
  const parentOf = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const totals = new Map();
  let time = startTime;
  let sum = 0;
  for (const [i, id] of samples.entries()) {
    time += timeDeltas[i];
    const at = time / 1000 - offset;
    if (at < from || at > to + INTERVAL_US / 1000) continue;
    const ms = Math.min(timeDeltas[i] / 1000, at - from);
    sum += ms;
    const place = placeOf(id, nodeOf, parentOf);
    totals.set(place, (totals.get(place) ?? 0) + ms);
  }
  return [...totals]
    .sort((a, b) => b[1] - a[1])
    .slice(0, SHOWN)
    .filter(([, ms]) => ms > sum / 50)
    .map(([place, ms]) => `${ms.toFixed(1).padStart(8)} ms  ${place}`);
}

/** The innermost function of the library, its callers, and the function of Node or V8 that it called. */
function placeOf(id, nodeOf, parentOf) {
  const inner = nodeOf.get(id).callFrame;
  const ours = [];
  for (let at = id; at !== undefined && ours.length < 3; at = parentOf.get(at)) {
    const { callFrame } = nodeOf.get(at);
    if (callFrame.url.includes("/dist/") && !callFrame.url.includes("/node_modules/")) ours.push(callFrame);
  }
  if (ours.length === 0) return inner.functionName || inner.url || "(nameless)";
  const named = ({ functionName, url, lineNumber }) =>
    `${functionName || "(nameless)"} ${url.slice(url.indexOf("/dist/") + 6)}:${lineNumber + 1}`;
  const called = ours[0] === inner ? "" : `${inner.functionName || "(nameless)"} in `;
  return called + ours.map(named).join(" < ");
}
