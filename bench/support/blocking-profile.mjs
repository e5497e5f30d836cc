// Which functions a long turn of the event loop was spent in: the sampling profiler of V8 runs along, and the samples that
// fall into the turn are added up by function of the library.

import { Session as Inspector } from "node:inspector";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";

const INTERVAL_US = 250;
const SHOWN = 6;

/** Runs `task` under the profiler; gives its answer, and a function from a turn to lines of text. */
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

/** The innermost function of the library, who called it, and what of Node or V8 it called. */
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
