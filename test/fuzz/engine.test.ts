// Random lives of engines, good calls and bad ones, against a model. FUZZ_SEED=n lives one life, and shrinks it if it fails;
// FUZZ_CALLS=n makes so many calls, from the seed FUZZ_FIRST on, and tells how far it is.

import { writeSync } from "node:fs";
import { expect, it } from "vitest";
import { live, seedOf } from "../lives/live.js";
import { FAST, scaled } from "../support/size.js";
import { ENGINE_LIVES } from "./engine-life.js";

const CALLS = scaled(10_000);
const ONLY = seedOf("FUZZ");
const { FUZZ_CALLS, FUZZ_FIRST } = process.env;
const REPORT_MS = 5000;

/** What was done so far, by hand. */
class Tally {
  calls = 0;
  lives = 0;
  readonly refusals = new Map<string, number>();
  private readonly started = performance.now();
  private told = this.started;

  async add(seed: number): Promise<void> {
    const { calls, world } = await live("FUZZ", seed, ENGINE_LIVES);
    this.calls += calls;
    this.lives++;
    for (const [kind, count] of world.refusals) this.refusals.set(kind, (this.refusals.get(kind) ?? 0) + count);
    if (FUZZ_CALLS !== undefined && performance.now() - this.told > REPORT_MS) this.tell(seed);
  }

  tell(seed: number): void {
    this.told = performance.now();
    const refused = [...this.refusals.values()].reduce((sum, count) => sum + count, 0);
    const rate = Math.round((this.calls * 1000) / (this.told - this.started));
    const rss = Math.round(process.memoryUsage().rss / 2 ** 20);
    writeSync(1, `seed ${seed}: ${this.calls} calls, ${refused} refused, ${rate} calls/s, ${rss} MB\n`);
  }

  tellRefusals(): void {
    const kinds = [...this.refusals].sort(([a], [b]) => (a < b ? -1 : 1));
    writeSync(1, kinds.map(([kind, count]) => `${kind}: ${count}\n`).join(""));
  }
}

const most = Number(FUZZ_CALLS ?? CALLS);

it("keeps the model through random lives", { timeout: FUZZ_CALLS === undefined ? 300_000 : 0 }, async () => {
  const tally = new Tally();
  if (ONLY !== undefined) return void (await tally.add(ONLY));
  let seed = Number(FUZZ_FIRST ?? 1);
  for (; tally.calls < most; seed++) await tally.add(seed);
  if (FUZZ_CALLS === undefined) expect(tally.refusals.size).toBeGreaterThan(FAST ? 30 : 40);
  else {
    tally.tell(seed);
    tally.tellRefusals();
  }
});
