// Two of the servers of docs/examples, one without a framework and one with; examples.slow.test.ts looks at all.

import { expect, it } from "vitest";
import { foundBy } from "./example.js";

it.each(["node-http", "fastify"])("the example of %s is right", async (name) => {
  expect(await foundBy(name)).toBeUndefined();
});
