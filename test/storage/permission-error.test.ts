// A folder that one user made and another one opens: the error says which file, which user, and what to do. Real files, and a user who is
// not root: as root, a process takes another user for a while.

import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { permissionError } from "../../src/storage/file-system.js";
import { SearchError } from "../../src/util/errors.js";
import { rejectionOf } from "../support/refusal.js";
import { openAt, tempPaths } from "../support/temp-folder.js";

const pathOf = tempPaths();
const NOBODY = 65534;
const made: string[] = [];
// Who is not root could not remove them otherwise.
afterAll(() => {
  for (const path of made) chmodSync(path, 0o700);
});

/** Does something as a user who owns nothing. Who is not root owns what is made here, and has the rights that its mode gives. */
async function asAnother<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

/** A folder with a record in it, whose files and itself have these modes. */
async function folder(modes: { readonly files: number; readonly folder: number }): Promise<string> {
  const path = pathOf();
  chmodSync(dirname(path), 0o755);
  const engine = await openAt(path);
  await (await engine.createIndex("a")).addRecords([{ id: 1 }]);
  await engine.close();
  for (const name of readdirSync(path)) chmodSync(join(path, name), modes.files);
  chmodSync(path, modes.folder);
  made.push(path);
  return path;
}

const user = process.geteuid?.() === 0 ? NOBODY : process.geteuid?.();
const REMEDY = `let that user own the folder with all its files (chown -R ${user} FOLDER), or run the process as their owner.`;

describe.runIf(process.platform !== "win32")("a data folder of another user", () => {
  it("says which file may not be read or written, by whom, and what to do", async () => {
    const path = await folder({ files: 0o000, folder: 0o777 });
    for (const readOnly of [false, true]) {
      const error = await asAnother(() => rejectionOf(openAt(path, { readOnly })));
      expect(error).toMatchObject({ code: 500, error: "storage_failed", cause: { code: "EACCES" } });
      expect(error.msg).toBe(
        `The file "manifest" of the data folder cannot be read or written by user ${user} (EACCES); ${REMEDY}`,
      );
      expect(error.details).toEqual({ file: "manifest", path: join(path, "manifest"), user });
    }
  });

  it("says so of the folder itself, whether it may not be opened or not be written", async () => {
    const closed = await folder({ files: 0o600, folder: 0o000 });
    const error = await asAnother(() => rejectionOf(openAt(closed)));
    expect(error.msg).toMatch(/^"\d+-data" cannot be read or written by user \d+ \(EACCES\); let that user own/);
    expect(error.details).toEqual({ path: closed, user });
    chmodSync(closed, 0o700);
    const readable = await folder({ files: 0o644, folder: 0o555 });
    const unlocked = await asAnother(() => rejectionOf(openAt(readable)));
    expect(unlocked.msg).toBe(`The data folder cannot be read or written by user ${user} (EACCES); ${REMEDY}`);
    expect(unlocked.details).toEqual({ path: readable, user });
  });

  it("can be read where its mode says so", async () => {
    const path = await folder({ files: 0o444, folder: 0o555 });
    await asAnother(async () => {
      const engine = await openAt(path, { readOnly: true });
      expect((await engine.listIndexes())[0]?.records).toBe(1);
      await engine.close();
    });
  });

  it("is not made where none may be made", async () => {
    const place = pathOf();
    mkdirSync(place);
    chmodSync(place, 0o555);
    made.push(place);
    const error = await asAnother(() => rejectionOf(openAt(join(place, "new"))));
    expect(error.msg).toMatch(/^"new" cannot be made by user \d+ \(EACCES\); make it for that user, /);
    expect(error.details).toEqual({ path: join(place, "new"), user });
  });
});

describe("a disk that nobody may write to", () => {
  it("is opened with readOnly", () => {
    const cause = Object.assign(new Error("in /secret"), { code: "EROFS", path: "/secret/log-1" });
    const error = permissionError(cause, { file: "log-1", path: "/secret/log-1" });
    expect(error?.msg).toMatch(
      /^The file "log-1" of the data folder cannot be read or written by .* \(EROFS\); its disk is read only: open the data folder with readOnly: true, or choose a place on another disk\.$/,
    );
    expect(error).toMatchObject({ cause, details: { file: "log-1", path: "/secret/log-1" } });
  });

  it("is named by its last name alone, and other failures are not about rights", () => {
    const denied = Object.assign(new Error("in /secret"), { code: "EPERM", path: "/secret/shop.snapshot" });
    expect(permissionError(denied)?.msg).toMatch(
      /^"shop\.snapshot" cannot be read or written by .* \(EPERM\); let that/,
    );
    expect(permissionError(Object.assign(new Error(), { code: "EIO" }))).toBeUndefined();
    expect(permissionError(new SearchError(400, "own", "Own."))).toBeUndefined();
  });
});
