// Servers of docs/examples on loopback, in a process of their own, with the built package.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";

const CHILD = fileURLToPath(new URL("./example-child.mjs", import.meta.url));

/**
 * Of each server the contract kit passes, slow clients are answered or given up, and those that hang up leave nothing behind. With a
 * count, what so many requests of parallel clients came to, by server.
 */
export async function foundBy(names: readonly string[], count?: number): Promise<readonly unknown[]> {
  const args = count === undefined ? [CHILD, names.join()] : ["--expose-gc", CHILD, names.join(), String(count)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe("");
  const lines = stdout.trimEnd().split("\n");
  return names.map((name, i) => {
    const { failedChecks, slow, stalled, aborted, after, ordered, events, load } = JSON.parse(lines[i]!);
    expect(failedChecks, name).toEqual([]);
    expect(slow, name).toEqual(Array.from({ length: 10 }, () => 200));
    expect(stalled, name).toEqual(Array.from({ length: 10 }, () => 503));
    expect([aborted, after], name).toEqual([20, 200]);
    // Fastify's own parser reads the bodies of other routes.
    if (name === "fastify") expect(ordered).toBe('{"ordered":{"id":[1,"ä"]}}');
    expect(
      Object.keys(events).filter((event) => event.startsWith("500")),
      name,
    ).toEqual([]);
    return load;
  });
}
