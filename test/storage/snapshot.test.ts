// Snapshots: an index in one file, part by part.

import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, type SnapshotProgress } from "../../src/index.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snapshot-"));
});
afterAll(() => rm(folder, { recursive: true }));

const product = (id: number): JsonRecord => ({ id, title: `lamp ${id % 7}`, price: id });
const numbered = (from: number, to: number): JsonRecord[] => seq(to - from, (i) => product(from + i));

/** An index of several segments with 1,290 records, after 10 of 1,300 were deleted. */
async function shop(): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: false });
  await engine.createIndex("shop");
  await engine.addRecords("shop", numbered(0, 1000));
  await engine.addRecords("shop", numbered(1000, 1200));
  await engine.addRecords("shop", numbered(1200, 1300));
  await engine.deleteRecords("shop", [...seq(5, (i) => `${i}`), ...seq(5, (i) => `${1100 + i}`)]);
  return engine;
}

async function snapshotOf(engine: SearchEngine, name: string): Promise<Uint8Array> {
  const file = join(folder, name);
  await engine.writeSnapshot("shop", file);
  return readFile(file);
}

describe("onProgress of a snapshot", () => {
  it("rises to the number of all records, written, read from a file and from bytes, and exported", async () => {
    const engine = await shop();
    const file = join(folder, "progress");
    const steps: SnapshotProgress[] = [];
    const onProgress = (progress: SnapshotProgress) => {
      steps.push(progress);
      throw new Error("is ignored");
    };
    const there = new SearchEngine({ embedder: false });
    for (const call of [
      () => engine.writeSnapshot("shop", file, { onProgress }),
      () => there.readSnapshot("a", file, { onProgress }),
      async () => there.readSnapshot("b", await readFile(file), { onProgress }),
      async () => {
        for await (const _ of engine.exportIndex("shop", { onProgress }));
      },
    ]) {
      steps.length = 0;
      await call();
      const done = steps.map((step) => step.done);
      expect(done).toEqual([...new Set(done)].sort((a, b) => a - b));
      expect(steps.at(-1)).toEqual({ done: 1290, total: 1290 });
      expect(new Set(steps.map((step) => step.total))).toEqual(new Set([1290]));
    }
    for (const name of ["a", "b"]) expect(await there.digest(name)).toBe(await engine.digest("shop"));
  });

  it("comes once for an index without records", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shop");
    const steps: SnapshotProgress[] = [];
    const onProgress = (progress: SnapshotProgress) => void steps.push(progress);
    await engine.writeSnapshot("shop", join(folder, "empty"), { onProgress });
    await engine.readSnapshot("copy", join(folder, "empty"), { onProgress });
    for await (const _ of engine.exportIndex("shop", { onProgress }));
    expect(steps).toEqual(seq(3, () => ({ done: 0, total: 0 })));
  });

  it("is a function", async () => {
    const engine = await shop();
    const wrong = { onProgress: 5 } as unknown as { onProgress: () => void };
    expect((await rejectionOf(engine.writeSnapshot("shop", join(folder, "x"), wrong))).error).toBe("invalid_options");
    expect((await rejectionOf(engine.readSnapshot("new", join(folder, "x"), wrong))).error).toBe("invalid_options");
    expect((await rejectionOf(engine.exportIndex("shop", wrong).next())).error).toBe("invalid_options");
  });
});

describe("a snapshot is accepted", () => {
  it("with more words in titles than two bytes can number, many fields, long lists and deleted records", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("shop");
    const words = (id: number) => seq(2000, (i) => `w${id}x${i}`).join(" ");
    const fields = Object.fromEntries(seq(90, (i) => [`field${i}`, "the same word here"]));
    const records = seq(3000, (id) => ({
      id,
      title: id < 17 ? words(id) : `lamp ${id % 7}`,
      ...(id % 9 ? {} : fields),
    }));
    await index.addRecords(records);
    await index.addRecords([{ id: "none" }]);
    await index.deleteRecords(seq(300, (i) => `${3 * i}`));
    await engine.writeSnapshot("shop", join(folder, "wide"));
    const there = await SearchEngine.open({ dataDir: join(folder, "wide-data"), embedder: false });
    await there.readSnapshot("shop", join(folder, "wide"));
    expect(await there.digest("shop")).toBe(await engine.digest("shop"));
    await there.close();
  });
});

describe("a snapshot is refused", () => {
  it("when its bytes are given away while they are read", async () => {
    const engine = await shop();
    const bytes = new Uint8Array(await snapshotOf(engine, "given"));
    const reading = rejectionOf(engine.readSnapshot("copy", bytes));
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect((await reading).error).toBe("storage_corrupt");
  });

  it("when parts are missing, repeated, exchanged with another snapshot's, or something follows", async () => {
    const engine = await shop();
    const [one, other] = [await snapshotOf(engine, "one"), await snapshotOf(engine, "other")];
    const parts = (bytes: Uint8Array): Uint8Array[] => {
      const found: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += found.at(-1)!.length)
        found.push(bytes.subarray(at, at + Buffer.from(bytes).readDoubleLE(at + 40)));
      return found;
    };
    const [head, ...segments] = parts(one);
    expect(segments.length).toBeGreaterThan(1);
    const whole = [head!, ...segments];
    const wrong: [string, Uint8Array[], number][] = [
      ["without its last part", whole.slice(0, -1), one.length - segments.at(-1)!.length],
      [
        "with a part of another one",
        [...whole.slice(0, -1), parts(other).at(-1)!],
        one.length - segments.at(-1)!.length,
      ],
      ["with a part too many", [...whole, segments[0]!], one.length],
      ["with a byte too many", [...whole, new Uint8Array(1)], one.length],
      ["without a head", segments, 0],
    ];
    for (const [what, pieces, offset] of wrong) {
      const bytes = Buffer.concat(pieces);
      const file = join(folder, "wrong");
      await writeFile(file, bytes);
      const there = new SearchEngine({ embedder: false });
      for (const source of [bytes, file]) {
        const { error, details } = await rejectionOf(there.readSnapshot("shop", source));
        expect([what, error]).toEqual([what, "storage_corrupt"]);
        const at = (details as { readonly offset: number }).offset;
        expect(at - offset, what).toBeGreaterThanOrEqual(0);
        expect(at - offset, what).toBeLessThan(64);
      }
      expect(await there.listIndexes()).toEqual([]);
    }
  });

  it("with what is wrong with the snapshot, not with a data folder", async () => {
    const engine = await shop();
    const wrong = join(folder, "no-snapshot");
    await writeFile(wrong, "a text of many more than forty-eight bytes, which is no snapshot");
    const none = "The snapshot is damaged, or is none (at byte 0); pass what writeSnapshot wrote, or write it anew.";
    const [gone, noFolder] = [join(folder, "gone"), join(folder, "gone", "x")];
    const unread = "The snapshot could not be read: there is no such file (ENOENT); check the path.";
    const unwritten = "The snapshot could not be written: its folder is not there (ENOENT); make it first.";
    for (const [call, error, msg, details] of [
      [() => engine.readSnapshot("new", new Uint8Array(3)), "storage_corrupt", none, { file: "snapshot" }],
      [() => engine.readSnapshot("new", wrong), "storage_corrupt", none, { file: "no-snapshot" }],
      [() => engine.readSnapshot("new", gone), "storage_failed", unread, undefined],
      [() => engine.writeSnapshot("shop", noFolder), "storage_failed", unwritten, undefined],
    ] as const)
      expect(await rejectionOf(call())).toMatchObject({ code: 500, error, msg, ...(details && { details }) });
  });
});

describe("a snapshot is written", () => {
  const POSIX = process.platform !== "win32";

  it.runIf(POSIX)("where nothing stands but a file: a link, a folder, a pipe, a socket and a device stay", async () => {
    const engine = await shop();
    const place = await mkdtemp(join(folder, "places-"));
    const at = (name: string) => join(place, name);
    await writeFile(at("target"), "mine");
    await symlink(at("target"), at("link"));
    await symlink(at("nowhere"), at("dangling"));
    await mkdir(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    const server = createServer();
    await new Promise<void>((done) => void server.listen(at("socket"), done));
    const names = ["link", "dangling", "folder", "pipe", "socket"];
    const before = await readdir(place);
    for (const path of [...names.map(at), "/dev/null", "/dev/stdout"])
      expect(await rejectionOf(engine.writeSnapshot("shop", path))).toMatchObject({
        ...{ code: 500, error: "storage_failed", param: "file" },
        msg: expect.stringMatching(/^[ -~]+; pass the path of a file/),
      });
    expect(await readdir(place)).toEqual(before);
    expect([await readlink(at("link")), await readFile(at("target"), "utf8")]).toEqual([at("target"), "mine"]);
    expect((await lstat("/dev/null")).isCharacterDevice()).toBe(true);
    await new Promise((done) => server.close(done));
  });

  it("over a file, also one that may not be read, and under a name of 255 bytes", async () => {
    const engine = await shop();
    const place = await mkdtemp(join(folder, "names-"));
    const long = join(place, "x".repeat(255));
    await writeFile(long, "before");
    await chmod(long, 0o200);
    const { bytes } = await engine.writeSnapshot("shop", long);
    expect((await readFile(long)).length).toBe(bytes);
    expect(await readdir(place)).toEqual(["x".repeat(255)]);
    expect((await rejectionOf(engine.writeSnapshot("shop", join(place, "x".repeat(256))))).error).toBe(
      "storage_failed",
    );
    expect(await readdir(place)).toHaveLength(1);
  });

  it("leaving alone what another writer has half written", async () => {
    const engine = await shop();
    const place = await mkdtemp(join(folder, "two-"));
    await writeFile(join(place, "snapshot-0123456789abcdef.tmp"), "of another");
    await Promise.all([1, 2, 3].map(() => engine.writeSnapshot("shop", join(place, "same"))));
    expect(await readdir(place)).toEqual(["same", "snapshot-0123456789abcdef.tmp"]);
    await engine.readSnapshot("copy", join(place, "same"));
  });

  it.runIf(POSIX)("and read by an absolute path where the working directory is gone", async () => {
    const place = await mkdtemp(join(folder, "gone-"));
    const code = `
      import { rmdirSync } from "node:fs";
      import { SearchEngine, SearchError } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
      const engine = new SearchEngine({ embedder: false });
      await engine.createIndex("shop");
      process.chdir(process.argv[1]);
      rmdirSync(process.argv[1]);
      const calls = [
        () => engine.writeSnapshot("shop", "x"),
        () => engine.readSnapshot("other", "x"),
        () => SearchEngine.open({ dataDir: "x" }),
        () => SearchEngine.open({ dataDir: "x", readOnly: true }),
      ];
      for (const call of calls)
        await call().catch((error) => console.log(error instanceof SearchError && [error.error, error.msg].join(" ")));
      await engine.writeSnapshot("shop", process.argv[1] + "-snapshot");
      console.log(await engine.readSnapshot("copy", process.argv[1] + "-snapshot"));`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", code, place], { encoding: "utf8" });
    const msg =
      "storage_failed A relative path was given, and the working directory of the process is gone; pass an absolute path.";
    expect(out.trim().split("\n")).toEqual([msg, msg, msg, msg, "{ records: 0 }"]);
  });
});
