// Two of the servers of docs/examples, one without a framework and one with; examples.slow.test.ts looks at all.

import { it } from "vitest";
import { foundBy } from "./example.js";

it("the examples of node:http and Fastify are right", async () => {
  await foundBy(["node-http", "fastify"]);
});
