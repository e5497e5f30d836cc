// What an engine reads of a large data folder.

import { expect, it } from "vitest";
import { readsOfFirstQuery } from "../support/first-query.js";
import { PATIENCE } from "../support/patience.js";

it("the first query of 200,000 records reads at most 230 times", { timeout: PATIENCE * 300_000 }, async () => {
  expect(await readsOfFirstQuery(200_000)).toBeLessThanOrEqual(230);
});
