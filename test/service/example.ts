// One server of docs/examples on loopback, in a process of its own, with the built package.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";

const CHILD = fileURLToPath(new URL("./example-child.mjs", import.meta.url));

/**
 * The contract kit passes, slow clients are answered or given up, and those that hang up leave nothing behind. With a count, what so
 * many requests of parallel clients came to.
 */
export async function foundBy(name: string, count?: number): Promise<unknown> {
  const args = count === undefined ? [CHILD, name] : ["--expose-gc", CHILD, name, String(count)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe("");
  const { failedChecks, slow, stalled, aborted, after, ordered, events, load } = JSON.parse(stdout);
  expect(failedChecks).toEqual([]);
  expect(slow).toEqual(Array.from({ length: 10 }, () => 200));
  expect(stalled).toEqual(Array.from({ length: 10 }, () => 503));
  expect([aborted, after]).toEqual([20, 200]);
  // Fastify's own parser reads the bodies of other routes.
  if (name === "fastify") expect(ordered).toBe('{"ordered":{"id":[1,"ä"]}}');
  expect(Object.keys(events).filter((event) => event.startsWith("500"))).toEqual([]);
  return load;
}
