// The files of a store that are open to be read, at most so many at a time. A file is opened at its first read. It is closed
// when other files need its place, when nothing in memory refers to it any more, or when the store is closed. That happens
// between two reads of the file, because the system may give the number of a closed file to another one.

import { engineClosed } from "../util/errors.js";
import type { OpenFolder, StorageFile } from "./file-system.js";
import { isOutOfFiles } from "./storage-error.js";

/** The open file of a name, and its users. */
class SharedFile {
  readonly name: string;
  file: StorageFile | undefined;
  opening: Promise<StorageFile> | undefined;
  closing: Promise<void> | undefined;
  /** Reads that run, or wait for the file to be opened. */
  readers = 0;
  /** It stays open: its name is gone, or may be gone. */
  isKept = false;
  /** It is closed after the reads that run. */
  isOver = false;

  constructor(name: string) {
    this.name = name;
  }
}

/** A file that is written once and then only read. */
export class StoredFile {
  readonly name: string;
  private readonly files: OpenFiles;
  private readonly shared: SharedFile;

  /** @internal {@link OpenFiles.file} makes them. */
  constructor(files: OpenFiles, shared: SharedFile) {
    this.name = shared.name;
    this.files = files;
    this.shared = shared;
  }

  /** As {@link StorageFile.read}. Throws 503 `closed` when the store is closed. */
  read(into: Uint8Array, offset: number): Promise<number> {
    return this.files.use(this.shared, (file) => file.read(into, offset));
  }

  size(): Promise<number> {
    return this.files.use(this.shared, (file) => file.size());
  }

  /** Closes the file; it is not read again. */
  close(): Promise<void> {
    return this.files.end(this.shared);
  }
}

/** The share of the files that may stay open although their names are gone. */
const KEPT_SHARE = 1 / 2;

/** The open files of a store. */
export class OpenFiles {
  private readonly folder: Pick<OpenFolder, "openToRead">;
  private readonly most: number;
  /** By name. */
  private readonly byName = new Map<string, SharedFile>();
  /** Those that are open, or being opened; the one that was read last comes last. */
  private readonly open = new Set<SharedFile>();
  private kept = 0;
  /** Calls that wait until a file can be closed. */
  private waiting: (() => void)[] = [];
  private isClosed = false;
  /** Files whose {@link StoredFile} is gone are closed. */
  private readonly unneeded = new FinalizationRegistry<SharedFile>((shared) => void this.end(shared));

  /** `most`: how many files may be open at a time; by default, all. */
  constructor(folder: Pick<OpenFolder, "openToRead">, most: number = Number.POSITIVE_INFINITY) {
    this.folder = folder;
    this.most = most;
  }

  /** A file of the folder, which is not opened yet. */
  file(name: string): StoredFile {
    const shared = new SharedFile(name);
    this.byName.set(name, shared);
    const file = new StoredFile(this, shared);
    this.unneeded.register(file, shared);
    return file;
  }

  /** Lets something be read from a file, which is opened for it. */
  async use<T>(shared: SharedFile, work: (file: StorageFile) => Promise<T>): Promise<T> {
    if (this.isClosed || shared.isOver) throw engineClosed();
    shared.readers++;
    try {
      return await work(shared.file ?? (await this.opened(shared)));
    } finally {
      shared.readers--;
      this.touch(shared);
      if (shared.readers === 0) await this.release(shared);
    }
  }

  /** Opens a file if it is needed after its name is gone. False: too many stay open already, so the name must stay, too. */
  async keep(name: string): Promise<boolean> {
    const shared = this.byName.get(name);
    if (shared === undefined || shared.isKept || shared.isOver || this.isClosed) return true;
    if (this.kept >= KEPT_SHARE * this.most) return false;
    shared.isKept = true;
    this.kept++;
    try {
      await this.use(shared, async () => {});
      return true;
    } catch (error) {
      shared.isKept = false;
      this.kept--;
      if (this.isClosed) return true;
      throw error;
    }
  }

  /** Closes a file after the reads that run. */
  async end(shared: SharedFile): Promise<void> {
    shared.isOver = true;
    if (this.byName.get(shared.name) === shared) this.byName.delete(shared.name);
    if (shared.readers === 0) await this.shut(shared);
  }

  /** Closes all files; a file that is being read, when its last read ends. Later reads are 503 `closed`. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const go of this.waiting.splice(0)) go();
    while (this.open.size > 0) {
      await Promise.all(Array.from(this.open, (shared) => (shared.readers === 0 ? this.shut(shared) : undefined)));
      if (this.open.size > 0) await new Promise<void>((go) => this.waiting.push(go));
    }
  }

  private opened(shared: SharedFile): Promise<StorageFile> {
    shared.opening ??= this.openShared(shared).finally(() => {
      shared.opening = undefined;
    });
    return shared.opening;
  }

  private async openShared(shared: SharedFile): Promise<StorageFile> {
    await shared.closing;
    while (this.open.size >= this.most) await this.makeRoom();
    if (this.isClosed) throw engineClosed();
    this.open.add(shared);
    try {
      shared.file = await this.openEvenIfFull(shared.name);
      return shared.file;
    } catch (error) {
      this.open.delete(shared);
      throw error;
    }
  }

  /** Opens a file; where the process has no number left for it, closes others. */
  private async openEvenIfFull(name: string): Promise<StorageFile> {
    for (;;)
      try {
        return await this.folder.openToRead(name);
      } catch (error) {
        const mayClose = this.most !== Number.POSITIVE_INFINITY && isOutOfFiles(error);
        const idle = mayClose ? this.leastRecent() : undefined;
        if (idle === undefined) throw error;
        await this.shut(idle);
      }
  }

  /** Closes the file that was not read for longest, or waits until one is not read any more. */
  private async makeRoom(): Promise<void> {
    const idle = this.leastRecent();
    if (idle !== undefined) await this.shut(idle);
    else await new Promise<void>((go) => this.waiting.push(go));
    if (this.isClosed) throw engineClosed();
  }

  private leastRecent(): SharedFile | undefined {
    for (const shared of this.open)
      if (shared.readers === 0 && !shared.isKept && shared.file !== undefined) return shared;
    return undefined;
  }

  private touch(shared: SharedFile): void {
    if (this.open.delete(shared)) this.open.add(shared);
  }

  /** After the last read of a file that runs. */
  private async release(shared: SharedFile): Promise<void> {
    if (shared.isOver || this.isClosed) await this.shut(shared);
    for (const go of this.waiting.splice(0)) go();
  }

  private shut(shared: SharedFile): Promise<void> {
    const { file } = shared;
    if (shared.isKept) this.kept--;
    shared.isKept = false;
    shared.file = undefined;
    if (file === undefined) return shared.closing ?? Promise.resolve();
    // It counts until it is closed.
    shared.closing = file
      .close()
      .catch(() => {})
      .finally(() => {
        shared.closing = undefined;
        this.open.delete(shared);
      });
    return shared.closing;
  }
}
