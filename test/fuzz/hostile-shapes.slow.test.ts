// Random calls of dear shapes: 4,000 of them, in the long size twenty times as many with the longest time between two turns of
// the event loop told; and a soak: the same calls for a while, after which the process holds no more memory than before.
// SHAPES_SEED=n lives one life.

import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Random } from "../support/random.js";
import { SCALE, scaled } from "../support/size.js";
import { type Gap, liveShapes, tell } from "./hostile-shapes.js";

const CALLS = scaled(4000);
/** Five minutes in the long size. */
const SOAK_MS = scaled(15_000);
const { SHAPES_SEED } = process.env;
const HOUR_MS = 3_600_000;

async function live(seed: number): Promise<Awaited<ReturnType<typeof liveShapes>>> {
  try {
    return await liveShapes(new Random(seed));
  } catch (error) {
    if (error instanceof Error) error.message = `SHAPES_SEED=${seed} fails: ${error.message}`;
    throw error;
  }
}

it("answers or refuses calls of dear shapes, and tells the truth after them", { timeout: HOUR_MS }, async () => {
  if (SHAPES_SEED !== undefined) return tell(JSON.stringify(await live(Number(SHAPES_SEED))));
  let calls = 0;
  let refused = 0;
  let longest: Gap & { readonly seed?: number } = { cpuMs: 0, call: "" };
  for (let seed = 1; calls < CALLS; seed++) {
    const report = await live(seed);
    calls += report.calls;
    refused += report.refused;
    if (report.longest.cpuMs > longest.cpuMs) longest = { ...report.longest, seed };
  }
  expect(refused).toBeGreaterThan(calls / 100);
  expect(refused).toBeLessThan(calls);
  if (SCALE > 1) tell(`${calls} calls, ${refused} refused, longest gap ${JSON.stringify(longest)}`);
});

it("holds no more memory after many calls", { timeout: HOUR_MS }, async () => {
  const held: number[] = [];
  const until = performance.now() + SOAK_MS;
  let seed = 1_000_000;
  for (let part = 0; part < 5; part++) {
    const end = until - (SOAK_MS * (4 - part)) / 5;
    while (performance.now() < end) await live(seed++);
    await pause(10);
    held.push(await heldBytes());
  }
  if (SCALE > 1) tell(`soak: ${held.map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`).join(", ")}`);
  // The first part warms caches of fixed size; from then on nothing grows but noise.
  expect(held.at(-1)! - held[1]!).toBeLessThan(64 * 2 ** 20);
});

/** Heap and array buffers, after the garbage was collected. */
async function heldBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let i = 0; i < 4; i++) {
    collect();
    await pause(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
