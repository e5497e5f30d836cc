// The playground in Chromium, by what is to be seen on it: scripts/walk.mjs walks, and prints how many steps each task took. One walk by
// a mouse in the slow size, all in the long one.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SCALE } from "../support/size.js";
import { ROOT } from "../support/source-tree.js";

interface Walked {
  readonly walk: string;
  readonly failed?: string;
  readonly tasks?: readonly object[];
}

const script = join(ROOT, "scripts/walk.mjs");
const names = execFileSync(process.execPath, [script, "--list"], { encoding: "utf8" }).trim().split("\n");

it.each(names.slice(0, SCALE > 1 ? names.length : 1).map((name) => [name]))("%s", (name) => {
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const line = execFileSync(process.execPath, [script, "--only", name], { encoding: "utf8", stdio: [...stdio] });
  const { failed, tasks = [] }: Walked = JSON.parse(line);
  for (const task of tasks) process.stdout.write(`${name}: ${JSON.stringify(task)}\n`);
  expect(failed).toBeUndefined();
}, 900_000);
