// The servers of docs/examples, on loopback: the contract kit passes, slow clients are answered or given up, and those that hang up
// leave nothing behind. Each runs in a process of its own, with the built package.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const CHILD = fileURLToPath(new URL("./example-child.mjs", import.meta.url));

describe("the example of", () => {
  it.each(["node-http", "express", "fastify", "hono", "koa"])("%s is right", async (name) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [CHILD, name]);
    expect(stderr).toBe("");
    const { failedChecks, slow, stalled, aborted, after, events } = JSON.parse(stdout);
    expect(failedChecks).toEqual([]);
    expect(slow).toEqual(Array.from({ length: 10 }, () => 200));
    expect(stalled).toEqual(Array.from({ length: 10 }, () => 503));
    expect([aborted, after]).toEqual([20, 200]);
    expect(Object.keys(events).filter((event) => event.startsWith("500"))).toEqual([]);
  });
});
