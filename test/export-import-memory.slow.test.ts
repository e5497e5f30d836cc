// The memory that an import, an export and a snapshot of many records take, in a process of its own.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { PATIENCE } from "./support/patience.js";
import { FAST } from "./support/size.js";
import { ROOT } from "./support/source-tree.js";

const RECORDS = FAST ? 50_000 : 100_000;

it("of an import, an export and a snapshot is bounded, whatever the size", {
  timeout: PATIENCE * 120_000,
}, async () => {
  const program = join(ROOT, "test/support/measure-transfer.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program, String(RECORDS)]);
  const { imported, exported, written, bytes } = JSON.parse(stdout) as Record<string, number>;
  // All of them would take 1,000 bytes a record as text alone.
  expect(imported).toBeLessThan(40);
  expect(exported).toBeLessThan(10);
  expect(bytes).toBeGreaterThan(1_000 * RECORDS);
  expect(written).toBeLessThan(50);
});
