// A disk without room, as the system has it: a process may write files up to a size. The write that finds no room fails in part, or as
// a whole; it is refused, and what was acknowledged before is there.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { ROOT } from "../support/source-tree.js";

/** Within the repository, so that the packages are found. */
const BUNDLE = join(ROOT, "node_modules/.cache", `full-disk-${process.pid}`);
// Windows has no such limit.
const POSIX = process.platform !== "win32";
const base = mkdtempSync(join(tmpdir(), "tandem-full-"));
/** Shells count a limit in blocks of 512 bytes. */
const MOST_BLOCKS = 700;

/** Writes records of so many characters, one by one, until one is refused. */
const PROGRAM = `
  const { SearchEngine } = await import(process.argv[1] + "/engine.js");
  const engine = await SearchEngine.open({ dataDir: process.argv[2], embedder: false, onWarning() {} });
  const index = await engine.createIndex("shop");
  let id = 0;
  for (; ; id++)
    try {
      await index.addRecords([{ id, title: "lamp " + "x".repeat(Number(process.argv[3])) }]);
    } catch (error) {
      console.log(JSON.stringify([id, error.code, error.error, error.cause.code]));
      break;
    }
  process.kill(process.pid, "SIGKILL");
`;

beforeAll(async () => {
  const joined = await rolldown({
    input: { engine: join(ROOT, "src/api/search-engine.ts") },
    platform: "node",
    external: /^[^./]/,
  });
  await joined.write({ dir: BUNDLE, format: "esm" });
  await joined.close();
});
afterAll(() => {
  for (const folder of [BUNDLE, base]) rmSync(folder, { recursive: true, force: true });
});

// Short records are written at once, long ones by a thread.
it.runIf(POSIX).each([8000, 50_000])(
  "refuses records of %i characters for which there is no room, and keeps those before",
  async (characters) => {
    const dataDir = join(base, String(characters));
    const limited = ["-c", `ulimit -f ${MOST_BLOCKS}; exec "$@"`, "sh", process.execPath];
    const args = [...limited, "--input-type=module", "-e", PROGRAM, BUNDLE, dataDir, String(characters)];
    const { stdout } = await promisify(execFile)("sh", args).catch((error: unknown) => error as { stdout: string });
    const [count, ...refusal] = JSON.parse(stdout) as [number, number, string, string];
    expect(refusal).toEqual([507, "storage_full", "EFBIG"]);
    expect(count).toBeGreaterThan(5);

    const engine = await SearchEngine.open({ dataDir });
    expect((await engine.query("shop", { query: "lamp" })).data.nbHits).toBe(count);
    expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
    await engine.addRecords("shop", [{ id: count, title: "lamp" }]);
    await engine.close();
  },
);
