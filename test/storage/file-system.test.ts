// What storage may rely on, of Node's file system and of the fake one of the tests; and what the fake one leaves after a power cut.

import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FileSystem, nodeFileSystem, type StorageFile } from "../../src/storage/file-system.js";
import { storageError } from "../../src/storage/storage-error.js";
import { SearchError } from "../../src/util/errors.js";
import { FakeDisk } from "../support/fake-disk.js";
import { property, Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";

const POSIX = process.platform !== "win32";
const base = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "tandem-disk-"));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));
let made = 0;

const text = (value: string) => new TextEncoder().encode(value);

/** A file that must be there. */
async function opened(disk: FileSystem, path: string, mode: "read" | "change" | "create"): Promise<StorageFile> {
  const file = await disk.open(path, mode);
  if (file === undefined) throw new Error(`${path} is not there.`);
  return file;
}

async function store(disk: FileSystem, path: string, value: string): Promise<void> {
  const file = await opened(disk, path, "create");
  await file.write(text(value), 0);
  await file.close();
}

async function contentOf(disk: FileSystem, path: string): Promise<string | undefined> {
  const file = await disk.open(path, "read");
  if (file === undefined) return undefined;
  const bytes = new Uint8Array((await file.size()) + 10);
  const count = await file.read(bytes, 0);
  await file.close();
  return new TextDecoder().decode(bytes.subarray(0, count));
}

/** A disk and an empty folder of it. */
type Place = () => Promise<{ disk: FileSystem; folder: string }>;

const PLACES: Readonly<Record<string, Place>> = {
  "Node's": async () => {
    const folder = join(base, String(++made));
    await nodeFileSystem.makeFolder(folder);
    return { disk: nodeFileSystem, folder };
  },
  "the fake": async () => {
    const disk = new FakeDisk();
    await disk.makeFolder("/store");
    return { disk, folder: "/store" };
  },
};

for (const [whose, place] of Object.entries(PLACES))
  describe(`${whose} file system`, () => {
    it("reads what was written, and less at the end", async () => {
      const { disk, folder } = await place();
      const file = await opened(disk, join(folder, "a"), "create");
      await file.write(text("hello world"), 0);
      await file.write(text("WORLD!"), 6);
      expect(await file.size()).toBe(12);
      const bytes = new Uint8Array(5);
      expect(await file.read(bytes, 6)).toBe(5);
      expect(new TextDecoder().decode(bytes)).toBe("WORLD");
      expect(await file.read(bytes, 10)).toBe(2);
      expect(new TextDecoder().decode(bytes)).toBe("D!RLD");
      expect(await file.read(bytes, 12)).toBe(0);
      expect(await file.read(bytes, 99)).toBe(0);
      await file.write(new Uint8Array(0), 3);
      await file.sync();
      await file.close();
      expect(await contentOf(disk, join(folder, "a"))).toBe("hello WORLD!");
    });

    it("creates no file where one is, and opens only what is there", async () => {
      const { disk, folder } = await place();
      const path = join(folder, "a");
      expect(await disk.open(path, "read")).toBeUndefined();
      expect(await disk.open(path, "change")).toBeUndefined();
      await store(disk, path, "first");
      expect(await rejectionOf(disk.open(path, "create"))).toMatchObject({ code: 500, error: "storage_failed" });
      const file = await opened(disk, path, "change");
      await file.write(text("F"), 0);
      await file.close();
      expect(await contentOf(disk, path)).toBe("First");
      expect(await rejectionOf(disk.open(join(folder, "missing", "a"), "create"))).toMatchObject({ code: 500 });
    });

    it("lists files and folders with their kinds", async () => {
      const { disk, folder } = await place();
      expect(await disk.list(folder)).toEqual([]);
      expect(await disk.list(join(folder, "none"))).toBeUndefined();
      await disk.makeFolder(join(folder, "b", "inner"));
      await store(disk, join(folder, "a"), "");
      await store(disk, join(folder, "b", "c"), "");
      expect((await disk.list(folder))?.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: "a", kind: "file" },
        { name: "b", kind: "folder" },
      ]);
      await disk.makeFolder(`${join(folder, "b", "inner")}/`);
      await disk.makeFolder(`${join(folder, "b", "later")}/`);
      expect((await disk.list(join(folder, "b")))?.map(({ name }) => name).sort()).toEqual(["c", "inner", "later"]);
    });

    it("refuses with errors that keep the cause and hold no path", async () => {
      const { disk, folder } = await place();
      await store(disk, join(folder, "secret-name"), "");
      const file = await opened(disk, join(folder, "secret-name"), "read");
      await file.close();
      for (const refused of [
        rejectionOf(disk.open(join(folder, "secret-name"), "create")),
        rejectionOf(disk.rename(join(folder, "secret-none"), join(folder, "b"))),
        rejectionOf(disk.list(join(folder, "secret-name"))),
        rejectionOf(file.size()),
        rejectionOf(file.close()),
      ]) {
        const error = await refused;
        expect(error).toMatchObject({ code: 500, error: "storage_failed" });
        expect(error.msg).not.toMatch(/secret|store|tandem/);
        expect(error.cause).toMatchObject({ code: expect.stringMatching(/^E[A-Z]+$/) });
      }
    });
  });

describe("the errors of a disk", () => {
  it.each(["ENOSPC", "EDQUOT", "EFBIG"])("%s says that there is no room", (code) => {
    const cause = Object.assign(new Error("in /secret"), { code });
    expect(storageError(cause)).toMatchObject({ code: 507, error: "storage_full", cause });
    expect(storageError(cause).msg).toContain(code);
  });

  it("are 500 for all else, and a SearchError stays what it is", () => {
    const cause = Object.assign(new Error("in /secret"), { code: "EIO" });
    expect(storageError(cause)).toMatchObject({ code: 500, error: "storage_failed", cause });
    expect(storageError(cause).msg).not.toContain("secret");
    expect(storageError(new Error("no code"))).toMatchObject({ code: 500, error: "storage_failed" });
    const own = new SearchError(400, "own", "Own.");
    expect(storageError(own)).toBe(own);
  });
});

describe.runIf(POSIX)("Node's file system on POSIX", () => {
  it("makes files and folders for their owner alone, whatever the umask", async () => {
    const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);
    for (const umask of [0, 0o022, 0o777]) {
      const folder = join(base, String(++made));
      // Process-wide: these files run in processes of their own.
      const before = process.umask(umask & ~0o700);
      try {
        await nodeFileSystem.makeFolder(join(folder, "inner"));
        process.umask(umask);
        await store(nodeFileSystem, join(folder, "inner", "file"), "");
      } finally {
        process.umask(before);
      }
      expect([folder, join(folder, "inner"), join(folder, "inner", "file")].map(modeOf)).toEqual(["700", "700", "600"]);
    }
  });

  it("leaves the mode of a folder that is there", async () => {
    const folder = join(base, String(++made));
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o750);
    await nodeFileSystem.makeFolder(folder);
    expect((fs.statSync(folder).mode & 0o777).toString(8)).toBe("750");
  });

  it("opens no link, and neither writes nor removes what one leads to", async () => {
    const folder = join(base, String(++made));
    await nodeFileSystem.makeFolder(folder);
    await store(nodeFileSystem, join(folder, "target"), "untouched");
    for (const [name, target] of [
      ["link", join(folder, "target")],
      ["dangling", join(folder, "none")],
    ] as const) {
      const path = join(folder, name);
      fs.symlinkSync(target, path);
      for (const mode of ["read", "change", "create"] as const)
        expect(await rejectionOf(nodeFileSystem.open(path, mode))).toMatchObject({ error: "storage_failed" });
    }
    expect(await nodeFileSystem.list(folder)).toContainEqual({ name: "link", kind: "other" });
    expect(fs.existsSync(join(folder, "none"))).toBe(false);
    await store(nodeFileSystem, join(folder, "other"), "other");
    await nodeFileSystem.rename(join(folder, "other"), join(folder, "link"));
    await nodeFileSystem.remove(join(folder, "link"));
    expect(await contentOf(nodeFileSystem, join(folder, "target"))).toBe("untouched");
  });

  it("holds the folder that a link led to, and takes no other one for it", async () => {
    const [folder, link, away] = ["folder", "link", "away"].map((name) => join(base, `${++made}-${name}`)) as [
      string,
      string,
      string,
    ];
    fs.mkdirSync(folder);
    fs.symlinkSync(folder, link);
    const hold = (await nodeFileSystem.holdFolder(link))!;
    expect(hold.path).toBe(folder);
    fs.rmSync(link);
    expect(hold.isThere()).toBe(true);
    fs.renameSync(folder, away);
    expect(hold.isThere()).toBe(false);
    fs.mkdirSync(folder);
    expect(hold.isThere()).toBe(false);
    fs.rmdirSync(folder);
    fs.symlinkSync(away, folder);
    expect(hold.isThere()).toBe(false);
    fs.rmSync(folder);
    fs.renameSync(away, folder);
    expect(hold.isThere()).toBe(true);
    await hold.release();
    fs.writeFileSync(away, "");
    expect(await rejectionOf(nodeFileSystem.holdFolder(away))).toMatchObject({ error: "storage_failed" });
  });

  it("refuses a pipe without waiting for its other end", async () => {
    const folder = join(base, String(++made));
    await nodeFileSystem.makeFolder(folder);
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const mode of ["read", "change"] as const)
      expect(await rejectionOf(nodeFileSystem.open(join(folder, "pipe"), mode))).toMatchObject({ code: 500 });
    expect(await nodeFileSystem.list(folder)).toEqual([{ name: "pipe", kind: "other" }]);
  });
});

describe("the fake disk after a power cut", () => {
  const leftBy = (disk: FakeDisk, count = 2, seed = 1) => disk.images(new Random(seed), count);
  const textsOf = (disk: FakeDisk) =>
    [...disk.files("/store")].map(
      ([path, bytes]) => `${path.slice("/store/".length)} ${new TextDecoder().decode(bytes)}`,
    );

  async function diskWith(name: string, value: string): Promise<FakeDisk> {
    const disk = new FakeDisk();
    await disk.makeFolder("/store");
    disk.put(`/store/${name}`, text(value));
    return disk;
  }

  it("has bytes of the writes that were not synced cut anywhere, torn by sectors, zero or garbage, and of no other place", async () => {
    const length = 4096;
    const disk = await diskWith("a", "a".repeat(length));
    const file = await opened(disk, "/store/a", "change");
    await file.write(text("b".repeat(1024)), 2000);
    await file.write(text("c".repeat(2000)), length);
    const seen = new Set<string>();
    for (const image of leftBy(disk, 400)) {
      const content = new TextDecoder("latin1").decode(image.files().get("/store/a"));
      expect(content.slice(0, 2000)).toBe("a".repeat(2000));
      expect(content.slice(3024, length)).toBe("a".repeat(length - 3024));
      const parts = [content.slice(2000, 3024), content.slice(length)];
      for (const part of parts)
        seen.add([...new Set([...part].map((each) => (/[abc\0]/.test(each) ? each : "?")))].sort().join(""));
      seen.add(`length ${content.length}`);
      expect(image.images(new Random(7), 5).every((again) => textsOf(again).join() === textsOf(image).join())).toBe(
        true,
      );
    }
    for (const kind of ["a", "b", "ab", "\0", "c", "\0c", "length 4096", "length 6096"]) expect(seen).toContain(kind);
    expect([...seen].some((kind) => kind.includes("?"))).toBe(true);
    expect(seen.size).toBeGreaterThan(50);
  });

  it("has lost for good what a failed sync was to save, whatever is synced later", async () => {
    const disk = await diskWith("a", "....");
    const file = await opened(disk, "/store/a", "change");
    await file.write(text("ab"), 0);
    disk.fail({ kind: "sync", code: "EIO" });
    expect(await rejectionOf(file.sync())).toMatchObject({ code: 500, error: "storage_failed" });
    await file.write(text("cd"), 2);
    await file.sync();
    expect(await contentOf(disk, "/store/a")).toBe("abcd");
    expect(leftBy(disk).map(textsOf)).toEqual([["a ..cd"], ["a ..cd"]]);
  });

  /** How a file may be replaced: which steps are synced. */
  const RECIPES = [
    { name: "file and folder synced", file: true, folder: true, isSafe: true },
    { name: "no file synced", file: false, folder: true, isSafe: false },
    { name: "no folder synced", file: true, folder: false, isSafe: false },
  ];

  it.each(RECIPES)("keeps what was replaced by a rename if all is synced: $name", async ({ file, folder, isSafe }) => {
    const disk = await diskWith("a", "version 0");
    const random = new Random(5);
    let acknowledged = 0;
    let version = 0;
    let losses = 0;
    let cuts = 0;
    disk.onOperation = () => {
      for (const image of disk.images(random, 12)) {
        const found = new TextDecoder().decode(image.files().get("/store/a"));
        cuts++;
        if (found !== `version ${acknowledged}` && found !== `version ${version}`) losses++;
      }
    };
    for (version = 1; version <= 20; version++) {
      const made = await opened(disk, "/store/a.tmp", "create");
      await made.write(text(`version ${version}`), 0);
      if (file) await made.sync();
      await made.close();
      await disk.rename("/store/a.tmp", "/store/a");
      if (folder) await disk.syncFolder("/store");
      acknowledged = version;
    }
    expect(cuts).toBeGreaterThan(900);
    if (isSafe) expect(losses).toBe(0);
    else expect(losses).toBeGreaterThan(cuts / 20);
  });

  property("leaves files that the same writes on Node's disk have, where all was synced", 40, async (random) => {
    const places = await Promise.all(Object.values(PLACES).map((place) => place()));
    const name = () => random.pick(["a", "b", "c"]);
    for (let step = 0; step < 25; step++) {
      const [one, other] = [name(), name()];
      const kind = random.pick(["write", "write", "write", "truncate", "rename", "remove"]);
      const [at, length] = [random.between(0, 2000), random.between(0, 1500)];
      const bytes = Uint8Array.from({ length }, () => random.between(0, 255));
      const results = [];
      for (const { disk, folder } of places) {
        if (kind === "remove") await disk.remove(join(folder, one));
        else if (kind === "rename")
          results.push(
            await disk.rename(join(folder, one), join(folder, other)).then(
              () => "done",
              () => "refused",
            ),
          );
        else {
          const file =
            (await disk.open(join(folder, one), "change")) ?? (await opened(disk, join(folder, one), "create"));
          if (kind === "write") await file.write(bytes, at);
          else await file.truncate(at);
          await file.sync();
          results.push(await file.size());
          await file.close();
        }
        await disk.syncFolder(folder);
      }
      expect(results[0]).toEqual(results[1]);
    }
    const [real, fake] = places;
    const found = leftBy(fake!.disk as FakeDisk, 3).map((image) => image.files("/store"));
    for (const files of found) {
      expect([...files.keys()]).toEqual(
        fs
          .readdirSync(real!.folder)
          .sort()
          .map((each) => `/store/${each}`),
      );
      for (const [path, bytes] of files)
        expect(Buffer.from(bytes).equals(fs.readFileSync(join(real!.folder, path.slice("/store/".length))))).toBe(true);
    }
  });
});
