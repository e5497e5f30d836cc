// A data folder that is held by what it is, not by its name. Its path may lead to another folder at any time: somebody moves it
// away, removes it, or restores a backup in its place. Nothing is ever made, renamed or removed in another folder: before each
// change, the folder at the path is compared with the held one. The first difference fails the folder for good.

import { join } from "node:path";
import { engineClosed, SearchError } from "../util/errors.js";
import {
  type FileSystem,
  type FolderEntry,
  type FolderHold,
  type OpenMode,
  permissionError,
  type StorageFile,
} from "./file-system.js";
import { missingFile, noStore } from "./storage-error.js";

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
