// The seam between storage and the disk: everything that storage reads, writes, syncs or removes goes through a `FileSystem`. Here is
// that of Node; the tests have one that loses what was not synced. A data folder is held on it by `OpenFolder`.

import fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { engineClosed, SearchError } from "../util/errors.js";
import { codeOf, failure, missingFile, noStore, storageError } from "./storage-error.js";

/** A file that is open. Offsets and lengths are in bytes. */
export interface StorageFile {
  /** Fills `into` from `offset` on; the number of bytes read, less than asked only at the end of the file. */
  read(into: Uint8Array, offset: number): Promise<number>;
  /** Writes all bytes, however many calls that takes. After a failure an unknown part of them is written. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /** Resolves when content and length would survive a power cut. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  size(): Promise<number>;
  /** Whether a path leads to this very file, and not to another one or to none. At once, so that little can happen after the answer. */
  isAt(path: string): boolean;
  close(): Promise<void>;
}

/** A folder that is held: as long as it is, no other folder can be taken for it. */
export interface FolderHold {
  /** The absolute path of the folder, without links. */
  readonly path: string;
  /** Whether the path still leads to this very folder. At once, as {@link StorageFile.isAt}. */
  isThere(): boolean;
  release(): Promise<void>;
}

/** What stands in a folder under one name. Links are not followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}

/** How to open a file: to read, to read and write what is there, or to make a new one. */
export type OpenMode = "read" | "change" | "create";

/** The operations of a disk that storage needs. All paths are absolute. Failures are SearchErrors: see {@link storageError}. */
export interface FileSystem {
  /** Makes a folder, and those above it, for their owner alone, and syncs their names. A folder that is there keeps its mode. */
  makeFolder(path: string): Promise<void>;
  /** Holds a folder; undefined if it is not there. Links in its path are resolved now, and never again. */
  holdFolder(path: string): Promise<FolderHold | undefined>;
  /** Entries by name; undefined if there is no such folder. */
  list(path: string): Promise<FolderEntry[] | undefined>;
  /**
   * Opens a file, and refuses links and whatever else is no file; undefined if it is not there. "create" never opens what is there, and
   * refuses a folder that is missing.
   */
  open(path: string, mode: OpenMode): Promise<StorageFile | undefined>;
  /** Gives a file another name in the same folder, replacing what has that name. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. No effect if it is not there. */
  remove(path: string): Promise<void>;
  /** Resolves when the names in a folder would survive a power cut. */
  syncFolder(path: string): Promise<void>;
  /** Calls back when a file of a folder changes, where the system tells of it, until the function that it returns is called. */
  watchFolder(path: string, changed: () => void): () => void;
}

/** No single call reads or writes more: Node refuses 2 GiB and more. */
const MOST_AT_ONCE = 2 ** 30;
/**
 * Fewer bytes are written without a thread: the system only copies them, and waking a thread takes longer. No more than half of what
 * `writeFile` joins, so that a large file never takes two such writes in a row.
 */
const FEW_BYTES = 2 ** 15;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** A virus scanner may hold a file for a moment on Windows. */
const RENAME_ATTEMPTS = 10;
const RENAME_PAUSE_MS = 20;

const NOT_ALLOWED: readonly string[] = ["EACCES", "EPERM", "EROFS"];

/** What may not be read or written: a file of the data folder, or the folder itself, and its path. */
export interface Place {
  readonly file?: string | undefined;
  readonly path: string;
}

/**
 * The error for a failure of the system: 500 `storage_failed`, or undefined where it was no lack of rights. Its message names the file
 * within the data folder; `details` have the whole path, and the number of the user where the system has one. Without a place, it is
 * about the path that the system names: of the data folder, or of a snapshot.
 */
export function permissionError(error: unknown, place?: Place): SearchError | undefined {
  const code = codeOf(error);
  if (!NOT_ALLOWED.includes(code)) return undefined;
  const cause = error instanceof SearchError ? error.cause : error;
  const { syscall, path = undefined } = { ...(cause as NodeJS.ErrnoException), ...place };
  const user = process.geteuid?.();
  const who = user === undefined ? "the user of this process" : `user ${user}`;
  const isMade = syscall === "mkdir";
  const what = `${subjectOf(place, path)} cannot be ${isMade ? "made" : "read or written"} by ${who} (${code})`;
  const details = { ...place, ...(path !== undefined && { path }), ...(user !== undefined && { user }) };
  return new SearchError(500, "storage_failed", `${what}; ${remedyFor(code, isMade, user)}.`, { details, cause });
}

function subjectOf(place: Place | undefined, path: string | undefined): string {
  if (place?.file !== undefined) return `The file "${place.file}" of the data folder`;
  return place === undefined && path !== undefined ? `"${basename(path)}"` : "The data folder";
}

function remedyFor(code: string, isMade: boolean, user: number | undefined): string {
  if (code === "EROFS")
    return "its disk is read only: open the data folder with readOnly: true, or choose a place on another disk";
  if (isMade) return "make it for that user, or let that user write to the folder above it";
  const how = user === undefined ? "" : ` (chown -R ${user} FOLDER)`;
  return `let that user own the folder with all its files${how}, or run the process as their owner`;
}

/** The result of an operation of Node; its failure becomes a SearchError. */
function call<T>(start: (done: (error: NodeJS.ErrnoException | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(permissionError(error) ?? storageError(error));
    try {
      start((error, value) => (error === null || error === undefined ? resolve(value) : fail(error)));
    } catch (error) {
      fail(error);
    }
  });
}

/** The result of an operation; undefined where it fails with this code. */
export async function exceptFor<T>(code: string, operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}

/** As {@link call}, but undefined where there is no such file or folder. */
function callIfThere<T>(start: Parameters<typeof call<T>>[0]): Promise<T | undefined> {
  return exceptFor("ENOENT", call(start));
}

/** Whether a path, whose links are not followed, leads to what is open. */
function isSame(fd: number, path: string): boolean {
  try {
    const own = fs.fstatSync(fd, { bigint: true });
    const found = fs.lstatSync(path, { bigint: true });
    return own.dev === found.dev && own.ino === found.ino;
  } catch {
    return false;
  }
}

class NodeFile implements StorageFile {
  private readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    let done = 0;
    while (done < into.byteLength) {
      const length = Math.min(into.byteLength - done, MOST_AT_ONCE);
      const from = done;
      const count = await call<number>((end) => fs.read(this.fd, into, from, length, offset + from, end));
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    let done = 0;
    while (done < bytes.byteLength) {
      const length = Math.min(bytes.byteLength - done, MOST_AT_ONCE);
      const from = done;
      // Near the end of a full disk, a call writes a part without an error; the next one fails.
      done += await call<number>((end) =>
        bytes.byteLength > FEW_BYTES
          ? fs.write(this.fd, bytes, from, length, offset + from, end)
          : end(null, fs.writeSync(this.fd, bytes, from, length, offset + from)),
      );
    }
  }

  async sync(): Promise<void> {
    await call<void>((end) => fs.fdatasync(this.fd, end as fs.NoParamCallback));
  }

  async truncate(length: number): Promise<void> {
    await call<void>((end) => fs.ftruncate(this.fd, length, end as fs.NoParamCallback));
  }

  async size(): Promise<number> {
    return (await call<fs.Stats>((end) => fs.fstat(this.fd, end))).size;
  }

  isAt(path: string): boolean {
    return isSame(this.fd, path);
  }

  async close(): Promise<void> {
    await call<void>((end) => fs.close(this.fd, end as fs.NoParamCallback));
  }
}

/** What stands at a path, links followed; undefined: nothing. */
function statsOf(path: string): Promise<fs.Stats | undefined> {
  return callIfThere((end) => fs.stat(path, end));
}

/** The disk, through `node:fs`. Files are for their owner alone, whatever the umask. */
export const nodeFileSystem: FileSystem = {
  async makeFolder(path) {
    const own = resolve(path);
    // One by one: Node's recursive call never ends where a folder refuses new ones by ENOENT, as /proc does.
    const missing: string[] = [];
    for (let at = own; (await statsOf(at)) === undefined && at !== dirname(at); at = dirname(at)) missing.unshift(at);
    for (const at of missing) {
      // Another process may be faster.
      const made = call<true>((end) => fs.mkdir(at, FOLDER_MODE, (error) => end(error, true)));
      // The mode that was asked for is narrowed by the umask.
      if (await exceptFor("EEXIST", made))
        await call<void>((end) => fs.chmod(at, FOLDER_MODE, end as fs.NoParamCallback));
    }
    if ((await statsOf(own))?.isDirectory() !== true) throw failure("ENOTDIR", "It is not a folder.");
    // A new folder is safe when the folder above it was synced. A folder that is there may be of a process that was killed
    // before that sync.
    // Others may own the folder above it, which may not be read then.
    for (const at of missing.length === 0 ? [own] : missing.reverse())
      await exceptFor("EACCES", nodeFileSystem.syncFolder(dirname(at)));
  },

  async holdFolder(path) {
    const own = await callIfThere<string>((end) => fs.realpath.native(path, end));
    if (own === undefined) return undefined;
    // Windows opens no folders by this call, and no folder in which files are open can be moved there.
    if (process.platform === "win32") return { path: own, isThere: () => fs.existsSync(own), release: async () => {} };
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
    // As long as the folder is open, the system gives its number to no other one.
    const fd = await callIfThere<number>((end) => fs.open(own, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, end));
    if (fd === undefined) return undefined;
    let isHeld = true;
    return {
      path: own,
      isThere: () => isHeld && isSame(fd, own),
      async release() {
        if (!isHeld) return;
        isHeld = false;
        await call<void>((end) => fs.close(fd, end as fs.NoParamCallback));
      },
    };
  },

  async list(path) {
    const entries = await callIfThere<fs.Dirent[]>((end) => fs.readdir(path, { withFileTypes: true }, end));
    return entries?.map((entry) => ({
      name: entry.name,
      kind: entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other",
    }));
  },

  async open(path, mode) {
    // Without O_NONBLOCK, opening a pipe would wait for its other end. Windows has neither flag.
    const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
    const flags =
      O_NOFOLLOW | O_NONBLOCK | (mode === "read" ? O_RDONLY : mode === "change" ? O_RDWR : O_RDWR | O_CREAT | O_EXCL);
    const attempt = mode === "create" ? call : callIfThere;
    const fd = await attempt<number>((end) => fs.open(path, flags, FILE_MODE, end));
    if (fd === undefined) return undefined;
    const file = new NodeFile(fd);
    try {
      const stats = await call<fs.Stats>((end) => fs.fstat(fd, end));
      if (!stats.isFile()) throw failure("ENOTFILE", "It is not a file.");
      if (mode === "create") await call<void>((end) => fs.fchmod(fd, FILE_MODE, end as fs.NoParamCallback));
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  },

  async rename(from, to) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call<void>((end) => fs.rename(from, to, end as fs.NoParamCallback));
      } catch (error) {
        const code = codeOf(error);
        const isHeld = process.platform === "win32" && (code === "EPERM" || code === "EBUSY" || code === "EACCES");
        if (!isHeld || attempt === RENAME_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, attempt * RENAME_PAUSE_MS));
      }
    }
  },

  async remove(path) {
    await callIfThere<void>((end) => fs.unlink(path, end as fs.NoParamCallback));
  },

  watchFolder(path, changed) {
    try {
      const watcher = fs.watch(path, { persistent: false }, changed);
      // Whoever watches also looks by itself from time to time.
      watcher.on("error", () => watcher.close());
      return () => watcher.close();
    } catch {
      return () => {};
    }
  },

  async syncFolder(path) {
    // Windows cannot sync folders.
    if (process.platform === "win32") return;
    const fd = await call<number>((end) => fs.open(path, "r", end));
    try {
      await call<void>((end) => fs.fsync(fd, end as fs.NoParamCallback));
    } finally {
      await call<void>((end) => fs.close(fd, end as fs.NoParamCallback));
    }
  },
};

// A data folder that is held by what it is, not by its name. Its path may lead to another folder at any time: somebody moves it
// away, removes it, or restores a backup in its place. Nothing is ever made, renamed or removed in another folder: before each
// change, the folder at the path is compared with the held one. The first difference fails the folder for good.

/** A folder whose files are called by their names in it. */
export class OpenFolder {
  /** Absolute, without links. */
  readonly path: string;
  private readonly files: FileSystem;
  private readonly hold: FolderHold;
  /** A file that has to keep its name: the log. */
  private watched: { readonly name: string; readonly file: Pick<StorageFile, "isAt"> } | undefined;
  private failure: SearchError | undefined;
  private isReleased = false;

  private constructor(files: FileSystem, hold: FolderHold) {
    this.files = files;
    this.hold = hold;
    this.path = hold.path;
  }

  /** Holds a folder that is there. Throws 404 `storage_not_found` if it is not. */
  static async of(files: FileSystem, path: string): Promise<OpenFolder> {
    const hold = await files.holdFolder(path);
    if (hold === undefined) throw noStore();
    return new OpenFolder(files, hold);
  }

  /** From now on, this file must keep its name, too. */
  watch(name: string, file: Pick<StorageFile, "isAt">): void {
    this.watched = { name, file };
  }

  /** Throws 500 `storage_failed` when the path leads to another folder, or the watched file has lost its name; 503 after `release`. */
  check(): void {
    if (this.isReleased) throw engineClosed();
    if (!this.hold.isThere()) throw this.failed();
    this.checkWatched();
  }

  private failed(): SearchError {
    this.failure ??= folderIsGone();
    return this.failure;
  }

  /** As {@link check}, of the watched file alone. It is in no other folder, so this is enough where nothing but that file is changed. */
  checkWatched(): void {
    if (this.isReleased) throw engineClosed();
    const watched = this.watched;
    if (watched !== undefined && !watched.file.isAt(this.pathOf(watched.name)))
      this.failure ??= this.hold.isThere() ? fileIsGone(watched.name) : folderIsGone();
    if (this.failure !== undefined) throw this.failure;
  }

  /** The path of a file of the folder. */
  pathOf(name: string): string {
    return join(this.path, name);
  }

  async list(): Promise<readonly FolderEntry[]> {
    this.check();
    return (await this.files.list(this.path)) ?? [];
  }

  /** See {@link FileSystem.open}. */
  async open(name: string, mode: OpenMode): Promise<StorageFile | undefined> {
    this.check();
    const path = this.pathOf(name);
    const file = await this.naming(name, this.files.open(path, mode));
    if (mode !== "create" || file === undefined || this.hold.isThere()) return file;
    // The folder was replaced in that moment, so the new file is in another one.
    if (file.isAt(path)) await this.files.remove(path).catch(() => {});
    await file.close().catch(() => {});
    throw this.failed();
  }

  /** As {@link open}, of a file that must be there. Throws 500 `storage_corrupt` if it is not. */
  async openToRead(name: string): Promise<StorageFile> {
    const file = await this.open(name, "read");
    if (file === undefined) throw missingFile(name);
    return file;
  }

  /** What work makes of a file, as {@link openToRead} opens it; it is closed then. */
  async reading<T>(name: string, work: (file: StorageFile) => Promise<T>): Promise<T> {
    const file = await this.openToRead(name);
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  }

  async rename(from: string, to: string): Promise<void> {
    this.check();
    await this.naming(to, this.files.rename(this.pathOf(from), this.pathOf(to)));
  }

  async remove(name: string): Promise<void> {
    this.check();
    await this.naming(name, this.files.remove(this.pathOf(name)));
  }

  /** The result of a call about a file; if the user may not do that, the error names the file. */
  private async naming<T>(file: string, call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw permissionError(error, { file, path: this.pathOf(file) }) ?? error;
    }
  }

  /** Resolves when the names in the folder would survive a power cut. */
  async sync(): Promise<void> {
    this.check();
    await this.files.syncFolder(this.path);
  }

  /** Calls back when a file of the folder changes, where the file system tells of it; returns what ends that. */
  watchNames(changed: () => void): () => void {
    return this.files.watchFolder(this.path, changed);
  }

  async release(): Promise<void> {
    this.isReleased = true;
    await this.hold.release();
  }
}

function folderIsGone(): SearchError {
  return gone("The data folder was moved or removed, or another one is in its place");
}

function fileIsGone(name: string): SearchError {
  return gone(`The file "${name}" of the data folder was moved or removed`, { file: name });
}

function gone(what: string, details?: { readonly file: string }): SearchError {
  const msg = `${what}, so it is not used any more; close this engine and open the data folder again.`;
  return new SearchError(500, "storage_failed", msg, details === undefined ? {} : { details });
}
