// Seeded randomness for tests: the same seed gives the same run on every machine. Mulberry32 (Tommy Ettinger, public domain).

import { it } from "vitest";
import { PATIENCE } from "./patience.js";
import { SCALE, scaled } from "./size.js";

export class Random {
  private state = 0;
  private most = Number.POSITIVE_INFINITY;

  constructor(seed: number, most?: number) {
    this.restart(seed, most);
  }

  /** Begins the stream of a seed. `most`: no list has more items, unless it must have them. */
  restart(seed: number, most: number = Number.POSITIVE_INFINITY): void {
    this.state = seed >>> 0;
    this.most = most;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)]!;
  }

  /** Each item with that probability, in order. */
  some<T>(items: readonly T[], share: number): T[] {
    return items.filter(() => this.chance(share)).slice(0, this.most);
  }

  list<T>(low: number, high: number, make: (index: number) => T): T[] {
    const length = Math.max(low, Math.min(this.between(low, high), this.most));
    return Array.from({ length }, (_, i) => make(i));
  }

  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.between(0, i);
      [copy[i], copy[j]] = [copy[j]!, copy[i]!];
    }
    return copy;
  }

  /** About normally distributed, mean 0, deviation 1; to four decimals, so that it reads the same in any notation. */
  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.next();
    return toFourDecimals(sum);
  }
}

/** Without a negative zero, which JSON does not know. */
export function toFourDecimals(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}

const MILLISECONDS = 60_000;

/**
 * A test that runs `body` for `runs` seeds in the slow size and names the seed that fails; PROPERTY_SEED=n runs that one
 * alone.
 */
export function property(name: string, runs: number, body: (random: Random) => Promise<void> | void): void {
  const only = process.env.PROPERTY_SEED;
  const seeds = only === undefined ? Array.from({ length: scaled(runs) }, (_, i) => i + 1) : [Number(only)];
  it(name, { timeout: PATIENCE * MILLISECONDS * Math.max(1, SCALE) }, async () => {
    for (const seed of seeds) {
      try {
        await body(new Random(seed));
      } catch (error) {
        if (error instanceof Error) error.message = `PROPERTY_SEED=${seed} fails: ${error.message}`;
        throw error;
      }
    }
  });
}
