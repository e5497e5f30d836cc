// Each server of docs/examples: what examples.test.ts asks of some, and 200 parallel clients: nothing is lost, nothing fails, and the
// memory stays what it was.

import { expect, it } from "vitest";
import { PATIENCE } from "../support/patience.js";
import { foundBy } from "./example.js";

const COUNT = 4000;
/** A request that leaves 1 kB behind would leave several megabytes behind. */
const MOST_GROWTH = 3_000_000;

interface Load {
  readonly rounds: readonly { readonly grownBytes: number }[];
  readonly told: unknown;
}

it("with 200 parallel clients, no example loses anything or keeps anything", {
  timeout: PATIENCE * 600_000,
}, async () => {
  const names = ["node-http", "express", "fastify", "hono", "koa"];
  for (const [i, { rounds, told }] of ((await foundBy(names, COUNT)) as readonly Load[]).entries()) {
    const [name, quarter] = [names[i], (rounds.length * COUNT) / 4];
    const right = { errors: 0, timeouts: 0, mismatches: 0, failed: 0, right: COUNT / 2, refused: COUNT / 2 };
    for (const { grownBytes, ...round } of rounds) expect(round, name).toEqual(right);
    expect(told, name).toEqual({ "200 none": 2 * quarter, "400 invalid_json": quarter, "400 invalid_page": quarter });
    // What is loaded or compiled late grows once; what requests leave behind grows in each round.
    expect(Math.min(...rounds.map(({ grownBytes }) => grownBytes)), name).toBeLessThan(MOST_GROWTH);
  }
});
