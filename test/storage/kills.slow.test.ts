// Real kills: a process that writes to a data folder on the real disk is killed at a random moment. What it acknowledged is there, and
// at most the call that had begun besides; and the next process goes on from there, also after the folder was moved, and through a
// link. Some processes open the folder anew after each write. STORAGE_SEED=n draws another life.

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SearchEngine } from "../../src/index.js";
import { type Call, take, takeTogether } from "../lives/calls.js";
import { StorageCalls } from "../lives/storage-calls.js";
import { asText, contentOf } from "../support/data-folder.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { SCALE } from "../support/size.js";
import { ROOT } from "../support/source-tree.js";
import { storageBundle } from "../support/storage-bundle.js";

const SEED = Number(process.env.STORAGE_SEED ?? 1);
const KILLS = SCALE > 1 ? 100 * SCALE : 50;
const PROGRAM = join(ROOT, "test/support/storage-child.mjs");
const BUNDLE = storageBundle("kills");
/** The least share of the kills that hit a process while it wrote a merged segment, or segments for a new manifest. */
const LEAST_BESIDE = 0.1;
/** A process lives at most this long, in milliseconds after its first call. */
const LONGEST_LIFE = 1000;
/** The share of the kills that come soon after a file besides the log was begun, and within how many milliseconds. */
const AIMED = 0.55;
const AIMED_WITHIN = 3;
/** Calls that a process is sent beforehand. */
const AHEAD = 3;
/** Batches smaller than those that get a file of their own: only merges and new manifests make files of segments. */
const LARGE = { filler: 10_000, records: 4 };

/** The records of a replacement, and the least share of the kills before it is published, and after, with writes beside it. */
const REPLACED = 500;
const LEAST_REPLACED = 0.2;

/** The share of the processes that open the folder anew after each write. */
const REOPENING = 0.2;
/** The share of the kills after which the folder is moved, and of the processes that are given a link to it. */
const MOVED = 0.2;

/** A call, or one that closes the engine and opens the folder again, which changes nothing. */
type ChildCall = Call | { readonly verb: "reopen"; readonly args: readonly [] };

/** A process that makes calls until it is killed. */
class Writer {
  private readonly child: ChildProcess;
  private said = "";
  private hear = (): void => {};
  private hasEnded = false;

  constructor(folder: string) {
    this.child = fork(PROGRAM, [BUNDLE, folder], { stdio: ["ignore", "pipe", "inherit", "ipc"], execArgv: [] });
    this.child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.said += text;
      this.hear();
    });
    this.child.once("close", () => {
      this.hasEnded = true;
      this.hear();
    });
  }

  /** Waits until it has said something; false: it has ended. */
  async hears(what: string): Promise<boolean> {
    while (!this.hasSaid(what) && !this.hasEnded)
      await new Promise<void>((resolve) => {
        this.hear = resolve;
      });
    return this.hasSaid(what);
  }

  hasSaid(what: string): boolean {
    return this.said.split("\n").includes(what);
  }

  /** `isBeside`: no call waits for it, and it has no number. */
  send(number: number, call: ChildCall, isBeside = false): void {
    if (this.child.connected) this.child.send({ number, isBeside, ...call }, () => {});
  }

  /** The number that it said last with this word, until it said something; -1: none. */
  last(what: "begin" | "done" | "files", until = ""): number {
    const all = this.said.split("\n");
    const lines = all.slice(0, all.indexOf(until)).filter((line) => line.startsWith(`${what} `));
    return Number(lines.at(-1)?.split(" ")[1] ?? -1);
  }

  /** Waits until it says something more, or ends. */
  async turn(): Promise<void> {
    if (this.hasEnded) return;
    await new Promise<void>((resolve) => {
      this.hear = resolve;
    });
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  get isOver(): boolean {
    return this.hasEnded;
  }
}

it(`loses nothing by ${KILLS} kills`, { timeout: PATIENCE * KILLS * 30_000 }, async ({ annotate }) => {
  const base = mkdtempSync(join(tmpdir(), "storage-kills-"));
  let folder = join(base, "0");
  const random = new Random(SEED);
  const calls = new StorageCalls(random, LARGE);
  const twin = new SearchEngine({ embedder: false });
  const takeInTwin = async (call: ChildCall) => {
    if (call.verb !== "reopen") await take(twin, call).catch(() => {});
  };
  /** Calls that the twin has not taken; the first of them has number `taken`. */
  let ahead: ChildCall[] = [];
  let taken = 0;
  let beside = 0;
  try {
    for (let kill = 1; kill <= KILLS; kill++) {
      const link = join(base, `link-${kill}`);
      const isLinked = random.chance(MOVED);
      if (isLinked) symlinkSync(folder, link);
      const writer = new Writer(isLinked ? link : folder);
      const isReopening = random.chance(REOPENING);
      expect(await writer.hears("open")).toBe(true);
      const isAimed = random.chance(AIMED);
      let timer = setTimeout(() => writer.kill(), isAimed ? LONGEST_LIFE : random.between(0, LONGEST_LIFE));
      for (let sent = 0, isSet = !isAimed; !writer.isOver; await writer.turn()) {
        for (const goal = Math.max(0, writer.last("done") + 1 - taken) + AHEAD; sent < goal; sent++) {
          ahead[sent] ??= isReopening && sent % 2 === 1 ? { verb: "reopen", args: [] } : calls.next();
          writer.send(taken + sent, ahead[sent]!);
        }
        if (isSet || writer.last("files") <= 0) continue;
        isSet = true;
        clearTimeout(timer);
        timer = setTimeout(() => writer.kill(), random.between(0, AIMED_WITHIN));
      }
      clearTimeout(timer);
      if (writer.last("files") > 0) beside++;
      const done = Math.max(taken, writer.last("done") + 1);
      const begun = Math.max(done, writer.last("begin") + 1);
      const next = async () => {
        await takeInTwin(ahead[0]!);
        ahead = ahead.slice(1);
        taken++;
      };
      while (taken < done) await next();
      const reader = await SearchEngine.open({ dataDir: folder, embedder: false, readOnly: true });
      const content = asText(await contentOf(reader));
      expect(await reader.checkStorage()).toEqual({ ok: true, problems: [] });
      await reader.close();
      while (taken < begun && asText(await contentOf(twin)) !== content) await next();
      if (random.chance(MOVED)) {
        renameSync(folder, join(base, String(kill)));
        folder = join(base, String(kill));
      }
      const told = `STORAGE_SEED=${SEED}, kill ${kill}, after calls ${done} to ${begun}`;
      expect(content, told).toBe(asText(await contentOf(twin)));
    }
    await annotate(
      `${beside} of ${KILLS} kills hit a process that wrote a file besides the log; ${taken} calls were taken.`,
    );
    const engine = await SearchEngine.open({ dataDir: folder, embedder: false });
    expect(asText(await contentOf(engine))).toBe(asText(await contentOf(twin)));
    await engine.close();
    expect(beside / KILLS).toBeGreaterThanOrEqual(LEAST_BESIDE);
  } finally {
    await twin.close();
    rmSync(base, { recursive: true, force: true });
  }
});

it(`keeps what is written beside replacements by ${KILLS} kills`, { timeout: PATIENCE * KILLS * 30_000 }, async ({
  annotate,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "storage-kills-"));
  const random = new Random(SEED);
  const calls = new StorageCalls(random);
  const twin = new SearchEngine({ embedder: false });
  const found = { old: 0, new: 0 };
  // In the index "base" the twin has what the folder had before the process.
  const resultOf = async (call: Call) => JSON.stringify(await take(twin, call).catch(({ error }) => [error]));
  const stateOf = async (beside: readonly Call[], behind: readonly Call[] = []): Promise<string> => {
    await twin.copyIndex("base", "shop");
    await takeTogether(twin, beside, resultOf, async () => {});
    for (const call of behind) await resultOf(call);
    return (await contentOf(twin)).get("shop")!;
  };
  /** Milliseconds from the first write beside a replacement to the last kill: so many that as many kills come before as after it. */
  let longest = 50;
  try {
    const maker = await SearchEngine.open({ dataDir: folder, embedder: false });
    const settings = { searchableAttributes: ["title", "brand"], attributesForFaceting: ["brand", "step"] };
    for (const [engine, name] of [
      [maker, "shop"],
      [twin, "base"],
    ] as const)
      await engine.createIndex(name, settings);
    await maker.close();
    for (let kill = 1; kill <= KILLS; kill++) {
      const writer = new Writer(folder);
      expect(await writer.hears("open")).toBe(true);
      const replacement = calls.replacement("shop", REPLACED);
      writer.send(-1, replacement, true);
      const writes: Call[] = [];
      for (let isSet = false; !writer.isOver; await writer.turn()) {
        while (writes.length < writer.last("done") + 1 + AHEAD) {
          writes.push(calls.beside("shop"));
          writer.send(writes.length - 1, writes.at(-1)!);
        }
        if (isSet || writer.last("done") < 0) continue;
        isSet = true;
        setTimeout(() => writer.kill(), longest * random.next());
      }
      const done = writer.last("done") + 1;
      const begun = Math.max(done, writer.last("begin") + 1);
      const isReplaced = writer.hasSaid("beside done");
      const reader = await SearchEngine.open({ dataDir: folder, embedder: false, readOnly: true });
      const content = (await contentOf(reader)).get("shop")!;
      expect(await reader.checkStorage()).toEqual({ ok: true, problems: [] });
      await reader.close();
      const told = `STORAGE_SEED=${SEED}, kill ${kill}, after writes ${done} to ${begun}, replaced: ${isReplaced}`;
      let which: "old" | "new" | undefined;
      let beside = done;
      for (const count of isReplaced ? [] : new Set([done, begun]))
        if (which === undefined && (await stateOf(writes.slice(0, count))) === content) which = "old";
      // What was acknowledged before the replacement was done beside it.
      const counts = isReplaced ? [writer.last("done", "beside done") + 1] : new Set([done, begun]);
      for (const count of counts)
        for (const all of new Set([done, begun])) {
          if (which !== undefined || count > all) continue;
          const state = await stateOf([replacement, ...writes.slice(0, count)], writes.slice(count, all));
          if (state !== content) continue;
          which = "new";
          beside = count;
        }
      expect(which, told).toBeDefined();
      await twin.copyIndex("shop", "base");
      if (beside > 0) found[which!]++;
      longest *= which === "new" ? 0.8 : 1.25;
    }
    await annotate(
      `Of ${KILLS} kills with writes beside, ${found.old} found the old version and ${found.new} the new.`,
    );
    expect(Math.min(found.old, found.new) / KILLS).toBeGreaterThanOrEqual(LEAST_REPLACED);
  } finally {
    await twin.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
