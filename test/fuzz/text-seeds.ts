// Tests with many seeds. FUZZ_RUNS=n takes n seeds in place of the default; FUZZ_SEED=n runs that one alone.

import { it } from "vitest";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";

const MILLISECONDS_A_RUN = 200;

/** A test that runs `body` for so many seeds and names the seed that fails. */
export function fuzz(name: string, runs: number, body: (random: Random, seed: number) => Promise<void> | void): void {
  const times = Number(process.env.FUZZ_RUNS ?? runs);
  const only = process.env.FUZZ_SEED;
  const seeds = only === undefined ? Array.from({ length: times }, (_, i) => i + 1) : [Number(only)];
  it(name, { timeout: PATIENCE * 60_000 + times * MILLISECONDS_A_RUN }, async () => {
    for (const seed of seeds) {
      try {
        await body(new Random(seed), seed);
      } catch (error) {
        if (error instanceof Error) error.message = `FUZZ_SEED=${seed} fails: ${error.message}`;
        throw error;
      }
    }
  });
}
