// One holder of a folder at a time, whoever asks and however the one before ended.

import { type ChildProcess, execFile, type ForkOptions, fork, spawn, spawnSync } from "node:child_process";
import cluster from "node:cluster";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { rolldown } from "rolldown";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { acquireLock } from "../../src/storage/folder-lock.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { scaled } from "../support/size.js";
import { ROOT } from "../support/source-tree.js";

const LINUX = process.platform === "linux";
const POSIX = process.platform !== "win32";
const LOCKED = "409 storage_locked";
const PROGRAM = join(ROOT, "test/support/lock-child.mjs");
const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tandem-lock-")));
const bundle = join(base, "folder-lock.mjs");
let folders = 0;

beforeAll(async () => {
  const joined = await rolldown({ input: join(ROOT, "src/storage/folder-lock.ts"), platform: "node" });
  await joined.write({ file: bundle });
  await joined.close();
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

function newFolder(): string {
  const folder = join(base, String(++folders));
  fs.mkdirSync(folder);
  return folder;
}

/** Whoever runs the program: what it is told, it answers. */
class Rival {
  private readonly target: ChildProcess | Worker;
  private readonly answers: string[] = [];
  private hear: (() => void) | undefined;
  readonly ended: Promise<void>;

  constructor(target: ChildProcess | Worker) {
    this.target = target;
    target.on("message", (value: unknown) => {
      this.answers.push(String(value));
      this.hear?.();
    });
    this.ended = new Promise((resolve) => {
      target.once("exit", () => {
        started.delete(this);
        this.answers.push("ended");
        this.hear?.();
        resolve();
      });
    });
  }

  static async start(target: ChildProcess | Worker): Promise<Rival> {
    const rival = new Rival(target);
    started.add(rival);
    expect(await rival.answer()).toBe("ready");
    return rival;
  }

  /** The next answer; "ended" behind the last one. */
  async answer(): Promise<string> {
    while (this.answers.length === 0)
      await new Promise<void>((resolve) => {
        this.hear = resolve;
      });
    return this.answers[0] === "ended" ? "ended" : this.answers.shift()!;
  }

  tell(act: string, folder?: string, times?: number): void {
    const message = { act, folder, times };
    if (this.target instanceof Worker) this.target.postMessage(message);
    else if (this.target.connected) this.target.send(message, () => {});
  }

  async ask(act: string, folder?: string, times?: number): Promise<string> {
    this.tell(act, folder, times);
    return this.answer();
  }

  signal(name: NodeJS.Signals): void {
    if (!(this.target instanceof Worker)) this.target.kill(name);
  }

  /** Ends it without a word to it; where it runs behind another program, that ends with it. */
  async kill(): Promise<void> {
    if (!started.has(this)) return;
    if (this.target instanceof Worker) await this.target.terminate();
    else {
      const { pid } = this.target;
      const behind = LINUX ? fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim() : "";
      process.kill(Number(behind || pid), "SIGKILL");
    }
    await this.ended;
  }
}

const started = new Set<Rival>();
afterEach(() => Promise.all([...started].map((rival) => rival.kill())));

const OPTIONS: ForkOptions = { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] };
const inProcess = () => Rival.start(fork(PROGRAM, [bundle], OPTIONS));
const inThread = () => Rival.start(new Worker(PROGRAM, { argv: [bundle], execArgv: [] }));
/** The program behind another, which runs what it is given. */
const behind = (command: string, args: readonly string[]) =>
  Rival.start(
    spawn(command, [...args, process.execPath, PROGRAM, bundle], { stdio: ["ignore", "inherit", "ignore", "ipc"] }),
  );

const inCluster = () => {
  cluster.setupPrimary({ exec: PROGRAM, args: [bundle], execArgv: [] });
  return Rival.start(cluster.fork().process);
};

const UNSHARE = ["-rnpf", "--kill-child"] as const;
const canUnshare = LINUX && spawnSync("unshare", [...UNSHARE, "true"]).status === 0;
/** In a container as far as the lock can tell: process numbers, and a network, of its own. */
const inContainer = () => (canUnshare ? behind("unshare", UNSHARE) : inProcess());

/** Takes the lock and frees it again. */
async function expectFree(folder: string): Promise<void> {
  const lock = await acquireLock(folder);
  await lock.release();
}

async function expectLocked(folder: string): Promise<void> {
  expect(await rejectionOf(acquireLock(folder))).toMatchObject({ code: 409, error: "storage_locked" });
}

describe("a lock in one process", () => {
  it("is refused while it is held, and had again after its release", async () => {
    const folder = newFolder();
    for (let round = 0; round < 3; round++) {
      const lock = await acquireLock(folder);
      const error = await rejectionOf(acquireLock(folder));
      expect(error).toMatchObject({ code: 409, error: "storage_locked" });
      expect(error.msg).toContain("readOnly: true");
      if (LINUX) expect(error.msg).toMatch(/^Another engine of this process has/);
      await lock.release();
      await lock.release();
    }
  });

  it("is one however the path of the folder is written", async () => {
    const folder = newFolder();
    const link = join(base, "link");
    if (POSIX) fs.symlinkSync(folder, link);
    const lock = await acquireLock(folder);
    for (const other of [`${folder}/`, relative(process.cwd(), folder), join(folder, ".."), link].slice(
      0,
      POSIX ? 4 : 2,
    ))
      if (other !== base) await expectLocked(other);
    await expectFree(newFolder());
    await lock.release();
    if (POSIX) await expectFree(link);
  });

  it("goes to exactly one of several that ask at the same time", async () => {
    const folder = newFolder();
    for (let round = 0; round < 20; round++) {
      const results = await Promise.allSettled(seq(5, () => acquireLock(folder)));
      const won = results.filter((result) => result.status === "fulfilled");
      expect(won).toHaveLength(1);
      for (const result of results)
        if (result.status === "rejected") expect(result.reason).toMatchObject({ error: "storage_locked" });
      await won[0]!.value.release();
    }
  });

  it("frees its own name alone when the folder was moved away", async () => {
    const folder = newFolder();
    const old = await acquireLock(folder);
    fs.renameSync(folder, `${folder}-moved`);
    fs.mkdirSync(folder);
    const lock = await acquireLock(folder);
    await old.release();
    await expectLocked(folder);
    await lock.release();
  });
});

describe("the files of a lock", () => {
  it.runIf(LINUX)("say so in their names, are for their owner alone, and are gone after its release", async () => {
    const folder = newFolder();
    const before = process.umask(0);
    try {
      const lock = await acquireLock(folder);
      const names = fs.readdirSync(folder);
      expect(names).toHaveLength(1);
      expect(names[0]).toMatch(/lock/);
      expect((fs.statSync(join(folder, names[0]!)).mode & 0o777).toString(8)).toBe("600");
      await expectLocked(folder);
      expect(fs.readdirSync(folder)).toEqual(names);
      await lock.release();
      expect(fs.readdirSync(folder)).toEqual([]);
    } finally {
      process.umask(before);
    }
  });

  it.runIf(LINUX)("are made beside what others put in their place, which is neither followed nor touched", async () => {
    const folder = newFolder();
    const outside = newFolder();
    fs.writeFileSync(join(outside, "target"), "untouched");
    fs.symlinkSync(join(outside, "target"), join(folder, "lock-1"));
    fs.symlinkSync(join(outside, "none"), join(folder, "lock-2"));
    fs.symlinkSync(outside, join(folder, "lock-3"));
    fs.writeFileSync(join(folder, "lock-4"), "a file");
    fs.mkdirSync(join(folder, "lock-5"));
    fs.writeFileSync(join(folder, "lock-new-0123456789ab"), "a file");
    const names = fs.readdirSync(folder);
    const lock = await acquireLock(folder);
    await expectLocked(folder);
    await lock.release();
    expect(fs.readdirSync(folder)).toEqual(names);
    expect(fs.readlinkSync(join(folder, "lock-1"))).toBe(join(outside, "target"));
    expect(fs.readFileSync(join(outside, "target"), "utf8")).toBe("untouched");
    expect(fs.readdirSync(outside)).toEqual(["target"]);
    expect(fs.readFileSync(join(folder, "lock-4"), "utf8")).toBe("a file");
  });

  it.runIf(LINUX)("may have long paths", async () => {
    for (const length of [60, 100, 250]) {
      const folder = join(newFolder(), "f".repeat(length));
      fs.mkdirSync(folder);
      const open = fs.readdirSync("/proc/self/fd").length;
      const lock = await acquireLock(folder);
      await expectLocked(folder);
      const rival = await inProcess();
      expect(await rival.ask("acquire", folder)).toBe(LOCKED);
      await lock.release();
      expect(fs.readdirSync(folder)).toEqual([]);
      expect(await rival.ask("acquire", folder)).toBe("held");
      await expectLocked(folder);
      await rival.kill();
      await expectFree(folder);
      expect(fs.readdirSync("/proc/self/fd")).toHaveLength(open);
    }
  });

  it("are refused where none can be made", async () => {
    const file = join(newFolder(), "secret");
    fs.writeFileSync(file, "");
    for (const place of [join(base, "secret-none"), file]) {
      const error = await rejectionOf(acquireLock(place));
      expect(error).toMatchObject({ code: 500, error: "storage_failed", cause: { code: expect.any(String) } });
      expect(error.msg).not.toContain("secret");
    }
  });
});

const WHERE = { process: inProcess, thread: inThread, cluster: inCluster, container: inContainer };

it.each(
  Object.entries(WHERE),
)("a rival in a %s is refused while we hold the lock, and we while it does, busy or not, until it frees it or is killed", async (_, start) => {
  const folder = newFolder();
  // In containers of their own, both have the same number: 1.
  const [rival, other] = await Promise.all([start(), start()]);
  const lock = await acquireLock(folder);
  expect(await rival.ask("acquire", folder)).toBe(LOCKED);
  await lock.release();
  expect(await rival.ask("acquire", folder)).toBe("held");
  await expectLocked(folder);
  expect(await other.ask("acquire", folder)).toBe(LOCKED);
  expect(await rival.ask("release")).toBe("released");
  expect(await other.ask("acquire", folder)).toBe("held");
  await other.kill();
  expect(await rival.ask("acquire", folder)).toBe("held");
  expect(await rival.ask("block")).toBe("blocked");
  for (let n = 0; n < 5; n++) await expectLocked(folder);
  await rival.kill();
  await expectFree(folder);
  expect(fs.readdirSync(folder)).toEqual(LINUX ? [] : expect.anything());
});

describe.runIf(LINUX)("a rival who stopped for a moment while it tried", () => {
  /** A folder that someone held who was killed, and a rival who has found that name dead and is about to take the next. */
  async function lateRival(): Promise<{ folder: string; late: Rival }> {
    const folder = newFolder();
    const dead = await inProcess();
    expect(await dead.ask("acquire", folder)).toBe("held");
    await dead.kill();
    const late = await inProcess();
    expect(await late.ask("stopAt", "link", 1)).toBe("will stop");
    expect(await late.ask("acquire", folder)).toBe("stopped");
    // Removes the name of the dead, so that the next to come takes that one.
    await expectFree(folder);
    expect(fs.readdirSync(folder).map((name) => name.slice(0, 8))).toEqual(["lock-new"]);
    return { folder, late };
  }

  it("notices the holder that came meanwhile", async () => {
    const { folder, late } = await lateRival();
    const lock = await acquireLock(folder);
    expect(await late.ask("goOn")).toBe(LOCKED);
    await expectLocked(folder);
    await lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
    expect(await late.ask("acquire", folder)).toBe("held");
  });

  it("or one that is not sure yet: exactly one of them wins", async () => {
    const { folder, late } = await lateRival();
    const other = await inProcess();
    expect(await other.ask("stopAt", "readdir", 2)).toBe("will stop");
    expect(await other.ask("acquire", folder)).toBe("stopped");
    expect(await late.ask("goOn")).toBe(LOCKED);
    expect(await other.ask("goOn")).toBe("held");
    await expectLocked(folder);
  });

  it("wins if nobody came, and others who come before it goes on are refused", async () => {
    const folder = newFolder();
    const late = await inProcess();
    expect(await late.ask("stopAt", "readdir", 2)).toBe("will stop");
    expect(await late.ask("acquire", folder)).toBe("stopped");
    await expectLocked(folder);
    expect(await late.ask("goOn")).toBe("held");
    await expectLocked(folder);
  });
});

describe("a process", () => {
  it.runIf(POSIX)("holds the lock although it was stopped, however many ask", async () => {
    const folder = newFolder();
    const rival = await inProcess();
    expect(await rival.ask("acquire", folder)).toBe("held");
    rival.signal("SIGSTOP");
    // More than a queue of connections takes.
    for (let n = 0; n < 6; n++) await Promise.all(seq(100, () => expectLocked(folder)));
    rival.signal("SIGCONT");
    await expectLocked(folder);
    expect(await rival.ask("release")).toBe("released");
    await expectFree(folder);
  });

  it.runIf(LINUX)("holds the lock although no file number is free", async () => {
    const folder = newFolder();
    const rival = await behind("sh", ["-c", 'ulimit -n 64; exec "$@"', "sh"]);
    expect(await rival.ask("acquire", folder)).toBe("held");
    expect(await rival.ask("exhaust")).toBe("EMFILE");
    for (let n = 0; n < 5; n++) await expectLocked(folder);
    expect(await rival.ask("acquire", newFolder())).toBe("500 storage_failed");
    expect(await rival.ask("release")).toBe("released");
    await expectFree(folder);
  });

  const run = promisify(execFile);
  const programArgs = (text: string) => [
    "--input-type=module",
    "-e",
    `import { acquireLock } from ${JSON.stringify(bundle)};\n${text}`,
  ];
  const program = (text: string) => run(process.execPath, programArgs(text), { timeout: 60_000 });

  it("ends although it has forgotten a lock", async () => {
    const folder = newFolder();
    const text = `await acquireLock(${JSON.stringify(folder)}); process.stdout.write("held");`;
    expect((await program(text)).stdout).toBe("held");
    expect((await program(text)).stdout).toBe("held");
    await expectFree(folder);
  });

  it("of a cluster frees its lock when it is killed, whatever the primary is about", async () => {
    const folder = newFolder();
    const rival = await inCluster();
    expect(await rival.ask("acquire", folder)).toBe("held");
    rival.signal("SIGKILL");
    // Our own thread, the primary, waits for the program and hears of nothing.
    const text = `for (;;) try { await acquireLock(${JSON.stringify(folder)}); break; } catch {}`;
    expect(spawnSync(process.execPath, programArgs(text), { timeout: 20_000 }).status).toBe(0);
  });

  it("lives until its lock is released", async () => {
    const text = `const lock = await acquireLock(${JSON.stringify(newFolder())}); await lock.release(); process.stdout.write("free");`;
    expect((await program(text)).stdout).toBe("free");
  });
});

describe("exactly one wins", () => {
  const rounds = scaled(120);
  const options = { timeout: 900_000 * PATIENCE };
  const STARTS = [...seq(6, () => inProcess), inThread, inThread];
  const slowly = async (start: () => Promise<Rival>) => {
    const rival = await start();
    expect(await rival.ask("dawdle")).toBe("slow");
    return rival;
  };
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it("of eight processes and threads, dead holders and closed ones before them", options, async () => {
    const folder = newFolder();
    const random = new Random(1);
    const rivals = await Promise.all(STARTS.map((start) => start()));
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(rivals.map((rival) => rival.ask("acquire", folder)));
      expect([...answers].sort(), `round ${round}`).toEqual([...Array(7).fill(LOCKED), "held"]);
      const winner = answers.indexOf("held");
      if (random.chance(0.5)) {
        await rivals[winner]!.kill();
        rivals[winner] = await STARTS[winner]!();
      } else expect(await rivals[winner]!.ask("release")).toBe("released");
    }
  });

  it("at most, where some are killed while they try", options, async () => {
    const folder = newFolder();
    const random = new Random(2);
    const rivals = await Promise.all(STARTS.map((start) => start()));
    for (let round = 0; round < rounds / 3; round++) {
      const at = random.between(0, 7);
      const victim = rivals[at]!;
      const asked = rivals.map((rival) => rival.ask("acquire", folder));
      await wait(random.next() * 4);
      await victim.kill();
      const answers = await Promise.all(asked);
      const held = rivals.filter((rival, i) => rival !== victim && answers[i] === "held");
      expect(held.length, `round ${round}: ${answers}`).toBeLessThanOrEqual(1);
      for (const answer of answers) expect(["held", LOCKED, "ended"]).toContain(answer);
      if (held.length === 1) await expectLocked(folder);
      else await expectFree(folder);
      await held[0]?.ask("release");
      rivals[at] = await STARTS[at]!();
    }
    await expectFree(folder);
    if (LINUX) expect(fs.readdirSync(folder)).toEqual([]);
  });

  it(
    "at any time, where all take and free the lock as often as they can, some slowly, and some are killed",
    options,
    async () => {
      const folder = newFolder();
      const random = new Random(3);
      const starts = [inProcess, inThread, () => slowly(inProcess), () => slowly(inProcess), () => slowly(inThread)];
      const rivals = await Promise.all(starts.map((start) => start()));
      let left = rivals.length;
      const answers = rivals.map(async (rival) => {
        const answer = await rival.ask("hammer", folder, rounds * 3);
        left--;
        return answer;
      });
      for (let n = 0; left > 0; n++) {
        const victim = await (n % 2 === 0 ? inThread : inProcess)();
        victim.tell("hammer", folder, rounds * 100);
        await wait(random.next() * 20);
        await victim.kill();
      }
      // How often each held it: no number if two did, or if anything failed.
      const held = await Promise.all(answers);
      for (const answer of held) expect(answer).toMatch(/^[0-9]+$/);
      // One that is slow may come late each time, but not all of them.
      expect(held.reduce((sum, answer) => sum + Number(answer), 0)).toBeGreaterThanOrEqual(rounds);
    },
  );
});
