// Every limit at n and at n + 1, on engines with small limits of their own. Limits that clamp or cut are in
// soft-limits.test.ts.

import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/index.js";
import { LANGUAGE_EDGES } from "./filter-edges.js";
import { EDGES } from "./limit-edges.js";
import { expectRefusal } from "./message-rules.js";
import { World } from "./world.js";

/** Tested in soft-limits.test.ts; maxMemory, whose unit is what the records themselves take, in state/memory-budget.test.ts. */
const SOFT = ["queryTerms", "hitsPerPage", "fieldCharacters", "fieldTokens", "facetValues", "maxMemory"];
const ALL_EDGES = { ...EDGES, ...LANGUAGE_EDGES };

it("each limit is tested", () => {
  const tested = [...Object.keys(ALL_EDGES), ...SOFT];
  expect(tested.sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

for (const [name, edges] of Object.entries(ALL_EDGES))
  describe(name, () => {
    for (const { limit, at, over, run, refusal: refused } of edges) {
      it.each(at.map((input) => [input]))(`%j passes at ${limit}`, async (input) => {
        const world = await World.bare({ limits: { [name]: limit } });
        await run(world, input);
      });
      it.each(over.map((input) => [input]))(`%j is refused at ${limit}, and passes at ${limit + 1}`, async (input) => {
        const world = await World.bare({ limits: { [name]: limit } });
        const before = await world.picture();
        expectRefusal(await run(world, input).catch((error: unknown) => error), refused);
        expect(await world.picture()).toEqual(before);
        await run(await World.bare({ limits: { [name]: limit + 1 } }), input);
      });
    }
  });
