// Counts how often work looks at the clock, without measuring any time: under a clock that jumps, every look ends a slice.

import { vi } from "vitest";

export interface Slices {
  /** How often it looked at the clock. */
  readonly looks: number;
  /** How often the event loop turned until it ended. */
  readonly turns: number;
  /** Its result, or the error that it was rejected with. */
  readonly result: unknown;
}

const JUMP_MS = 10;

/** Runs a call; `onTurn` is called at each turn of the event loop. */
export async function slicesOf(call: () => Promise<unknown>, onTurn: () => void = () => {}): Promise<Slices> {
  const now = performance.now.bind(performance);
  let looks = 0;
  let turns = 0;
  let ended = false;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + JUMP_MS * looks++);
  const turn = (): void => {
    turns++;
    onTurn();
    if (!ended) setImmediate(turn);
  };
  try {
    setImmediate(turn);
    const result = await call().catch((error: unknown) => error);
    return { looks, turns, result };
  } finally {
    ended = true;
    clock.mockRestore();
    // What is remembered of this turn was read from a clock that was ahead.
    await new Promise((resume) => setImmediate(resume));
    await new Promise((resume) => setImmediate(resume));
  }
}
