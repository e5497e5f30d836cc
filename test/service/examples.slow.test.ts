// Each server of docs/examples: what examples.test.ts asks of some, and 200 parallel clients: nothing is lost, nothing fails, and the
// memory stays what it was.

import { describe, expect, it } from "vitest";
import { foundBy } from "./example.js";

const COUNT = 4000;
/** A request that leaves 1 kB behind would leave several megabytes behind. */
const MOST_GROWTH = 3_000_000;

interface Load {
  readonly rounds: readonly { readonly grownBytes: number }[];
  readonly told: unknown;
}

describe("with 200 parallel clients, the example of", () => {
  // Each in a process of its own, whose memory is measured.
  it.each(["node-http", "express", "fastify", "hono", "koa"])("%s loses nothing, and keeps nothing", async (name) => {
    const [{ rounds, told }] = (await foundBy([name], COUNT)) as [Load];
    for (const { grownBytes, ...round } of rounds)
      expect(round).toEqual({ errors: 0, timeouts: 0, mismatches: 0, failed: 0, right: COUNT / 2, refused: COUNT / 2 });
    const quarter = (rounds.length * COUNT) / 4;
    expect(told).toEqual({ "200 none": 2 * quarter, "400 invalid_json": quarter, "400 invalid_page": quarter });
    // What is loaded or compiled late grows once; what requests leave behind grows in each round.
    expect(Math.min(...rounds.map(({ grownBytes }) => grownBytes))).toBeLessThan(MOST_GROWTH);
  });
});
