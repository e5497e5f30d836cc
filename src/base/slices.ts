// Long work in short pieces. Whatever may take long is written as a generator that yields wherever it may pause; it is
// driven here so that no piece blocks the event loop for longer than a few milliseconds.

import { setImmediate as nextTurn } from "node:timers/promises";
import { throwIfAborted } from "./abort.js";

/** Work that may pause at each `yield`. */
export type Steps<T> = Generator<void, T, void>;

/** A slice ends at the first pause after this many milliseconds; with pauses every 1-2 ms no block passes 10 ms. */
const SLICE_MS = 5;

/** When the present turn of the event loop began to be used; undefined: not yet. All work of a turn shares its slice. */
let turnBegan: number | undefined;

/** Milliseconds that work in slices has used of the present turn. */
function usedOfTurn(): number {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    setImmediate(() => {
      turnBegan = undefined;
    });
  }
  return now - turnBegan;
}

/** Waits for the next turn of the event loop when the present one has been used up. */
export async function pauseIfLong(): Promise<void> {
  if (usedOfTurn() >= SLICE_MS) await nextTurn();
}

/** Runs the steps to their end, giving the event loop a turn after each slice. Rejects with 499 when the signal aborts. */
export async function runInSlices<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    throwIfAborted(signal);
    const step = steps.next();
    if (step.done) return step.value;
    if (usedOfTurn() >= SLICE_MS) await nextTurn();
  }
}

/** Runs the steps without a pause: for small work, and for tests. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
