// A writer and readers that follow it, each in a process of its own, and all of them are killed now and then. Every state that a reader
// shows is one that the writer's calls made, in their order, and none is half of one. STORAGE_SEED=n draws another life.

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { comparePositions, SearchEngine } from "../../src/index.js";
import { type Call, take } from "../lives/calls.js";
import { StorageCalls } from "../lives/storage-calls.js";
import { asText, contentOf } from "../support/data-folder.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { SCALE } from "../support/size.js";
import { ROOT } from "../support/source-tree.js";
import { storageBundle } from "../support/storage-bundle.js";

const SEED = Number(process.env.STORAGE_SEED ?? 1);
const CALLS = SCALE > 1 ? 2500 * SCALE : 2000;
const READERS = 4;
/** A writer is killed, or closes, after so many calls. */
const LIFE = { least: 5, most: 120 };
const BUNDLE = storageBundle("following");
const programOf = (name: string): string => join(ROOT, "test/support", name);

/** A process that says lines. */
class Child {
  readonly lines: string[] = [];
  /** When each of the lines came. */
  readonly times: number[] = [];
  private readonly child: ChildProcess;
  private rest = "";
  private hear = (): void => {};
  isOver = false;

  constructor(program: string, folder: string) {
    this.child = fork(programOf(program), [BUNDLE, folder], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      execArgv: [],
    });
    this.child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.rest + text).split("\n");
      this.rest = lines.pop()!;
      this.lines.push(...lines);
      for (const _line of lines) this.times.push(performance.now());
      this.hear();
    });
    this.child.once("close", () => {
      this.isOver = true;
      this.hear();
    });
  }

  /** Waits until a line is there, and returns it; undefined: the process has ended. */
  async hears(isIt: (line: string) => boolean): Promise<string | undefined> {
    for (let from = 0; ; ) {
      const line = this.lines.slice(from).find(isIt);
      from = this.lines.length;
      if (line !== undefined || this.isOver) return line;
      await new Promise<void>((resolve) => {
        this.hear = resolve;
      });
    }
  }

  send(message: object): void {
    if (this.child.connected) this.child.send(message, () => {});
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    while (!this.isOver)
      await new Promise<void>((resolve) => {
        this.hear = resolve;
      });
  }
}

/** A state that a reader showed. */
interface Shown {
  readonly position: string;
  readonly content: string;
}

it(`shows only whole states of ${CALLS} calls, in order`, { timeout: PATIENCE * CALLS * 1000 }, async ({
  annotate,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "storage-following-"));
  const random = new Random(SEED);
  const calls = new StorageCalls(random);
  const twin = new SearchEngine({ embedder: false });
  /** The contents after each call; of a kill in the middle of a call, with and without it. */
  const states = [asText(await contentOf(twin))];
  /** When each of them was acknowledged. */
  const acknowledged = [performance.now()];
  const lags: number[] = [];
  let writer = new Child("storage-child.mjs", folder);
  await writer.hears((line) => line === "open");
  const readers: Child[] = [];
  /** By reader: the last state that it showed, as a place in `states`, and the position. */
  const last: { place: number; position: string | undefined }[] = [];
  const begin = async (i: number): Promise<void> => {
    const reader = new Child("following-child.mjs", folder);
    readers[i] = reader;
    last[i] = { place: 0, position: undefined };
    expect(await reader.hears((line) => line === '"open"')).toBeDefined();
  };
  let shown = 0;
  /** Checks what a reader showed since the last check. */
  const check = (i: number): void => {
    const times = readers[i]!.times.splice(0);
    for (const [at, line] of readers[i]!.lines.splice(0).entries()) {
      const { position, content } = JSON.parse(line) as Shown;
      if (content === undefined) continue;
      const before = last[i]!;
      if (before.position !== undefined) expect(comparePositions(before.position, position)).toBeLessThanOrEqual(0);
      const place = states.indexOf(content, before.place);
      expect(
        place,
        `STORAGE_SEED=${SEED}, reader ${i}, after ${states.length} states, ${position}`,
      ).toBeGreaterThanOrEqual(0);
      if (before.position !== undefined)
        for (let each = before.place + 1; each <= place; each++)
          lags.push(Math.max(0, times[at]! - acknowledged[each]!));
      last[i] = { place, position };
      shown++;
    }
  };
  for (let i = 0; i < READERS; i++) await begin(i);
  let number = 0;
  let kills = 0;
  try {
    while (number < CALLS) {
      const ends = number + random.between(LIFE.least, LIFE.most);
      let call: Call | undefined;
      for (; number < Math.min(ends, CALLS); number++) {
        call = calls.next();
        writer.send({ number, ...call });
        const isLast = number + 1 === Math.min(ends, CALLS);
        // The last call of a process is not waited for.
        if (!isLast) await writer.hears((line) => line.startsWith(`done ${number}`));
        acknowledged[states.length] = performance.now();
        await take(twin, call).catch(() => {});
        states.push(asText(await contentOf(twin)));
        writer.lines.splice(0);
      }
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 5)));
      await writer.kill();
      kills++;
      // What the folder has decides whether the last call was taken.
      const found = await SearchEngine.open({ dataDir: folder, embedder: false, readOnly: true });
      const content = asText(await contentOf(found));
      await found.close();
      if (content !== states.at(-1)) {
        expect(content, `STORAGE_SEED=${SEED}, call ${number}`).toBe(states.at(-2));
        number--;
        states.pop();
        await untake(twin, folder);
      }
      for (const [i, reader] of readers.entries()) {
        reader.send({});
        const done = JSON.parse((await reader.hears((line) => line.startsWith('{"done"')))!) as { warnings: string[] };
        expect(done.warnings).toEqual([]);
        check(i);
        expect(states[last[i]!.place]).toBe(content);
        if (random.chance(0.2)) {
          await reader.kill();
          await begin(i);
        }
      }
      writer = new Child("storage-child.mjs", folder);
      await writer.hears((line) => line === "open");
    }
    lags.sort((a, b) => a - b);
    const lag = (share: number): string => lags[Math.floor(share * (lags.length - 1))]!.toFixed(0);
    await annotate(
      `${READERS} readers showed ${shown} states of ${states.length}, ${lag(0.5)} ms (p50) and ${lag(0.99)} ms (p99) behind; ${kills} kills of the writer.`,
    );
  } finally {
    await Promise.all([writer, ...readers].map((child) => child.kill()));
    await twin.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Gives the twin what the folder has: the last call was lost with its process. */
async function untake(twin: SearchEngine, folder: string): Promise<void> {
  const found = await SearchEngine.open({ dataDir: folder, embedder: false, readOnly: true });
  for (const { name } of await twin.listIndexes()) await twin.deleteIndex(name);
  for (const { name } of await found.listIndexes()) {
    const lines: string[] = [];
    for await (const line of found.exportIndex(name)) lines.push(line);
    await twin.importIndex(name, lines);
  }
  await found.close();
}
