// The files of a store that are open to be read, at most so many at a time. A file is opened at its first read. It is closed
// when other files need its place, when nothing in memory refers to it any more, or when the store is closed. That happens
// between two reads of the file, because the system may give the number of a closed file to another one.

import { engineClosed, type SearchError } from "../util/errors.js";
import type { StorageFile } from "./file-system.js";
import { isOutOfFiles } from "./storage-error.js";

/** Opens a file of the folder to read it. Throws 500 `storage_corrupt` if it is missing. */
type OpenToRead = (name: string) => Promise<StorageFile>;

/** The open file of a name, and its users. */
class Slot {
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
  private readonly slot: Slot;

  /** @internal {@link OpenFiles.file} makes them. */
  constructor(files: OpenFiles, slot: Slot) {
    this.name = slot.name;
    this.files = files;
    this.slot = slot;
  }

  /** As {@link StorageFile.read}. Throws 503 `closed` when the store is closed. */
  read(into: Uint8Array, offset: number): Promise<number> {
    return this.files.use(this.slot, (file) => file.read(into, offset));
  }

  size(): Promise<number> {
    return this.files.use(this.slot, (file) => file.size());
  }

  /** Closes the file; it is not read again. */
  close(): Promise<void> {
    return this.files.end(this.slot);
  }
}

/** The share of the files that may stay open although their names are gone. */
const KEPT_SHARE = 1 / 2;

/** The open files of a store. */
export class OpenFiles {
  private readonly openToRead: OpenToRead;
  private readonly most: number;
  /** By name. */
  private readonly slots = new Map<string, Slot>();
  /** Those that are open, or being opened; the one that was read last comes last. */
  private readonly open = new Set<Slot>();
  private kept = 0;
  /** Calls that wait until a file can be closed. */
  private waiting: (() => void)[] = [];
  private isClosed = false;
  /** Slots whose {@link StoredFile} is gone are closed. */
  private readonly unneeded = new FinalizationRegistry<Slot>((slot) => void this.end(slot));

  /** `most`: how many files may be open at a time; `Infinity`: all. */
  constructor(openToRead: OpenToRead, most: number) {
    this.openToRead = openToRead;
    this.most = most;
  }

  /** A file of the folder, which is not opened yet. */
  file(name: string): StoredFile {
    const slot = new Slot(name);
    this.slots.set(name, slot);
    const file = new StoredFile(this, slot);
    this.unneeded.register(file, slot);
    return file;
  }

  /** Lets something be read from a file, which is opened for it. */
  async use<T>(slot: Slot, work: (file: StorageFile) => Promise<T>): Promise<T> {
    if (this.isClosed || slot.isOver) throw engineClosed();
    slot.readers++;
    try {
      return await work(slot.file ?? (await this.opened(slot)));
    } finally {
      slot.readers--;
      this.touch(slot);
      if (slot.readers === 0) await this.release(slot);
    }
  }

  /** Opens a file if it is needed after its name is gone. False: too many stay open already, so the name must stay, too. */
  async keep(name: string): Promise<boolean> {
    const slot = this.slots.get(name);
    if (slot === undefined || slot.isKept || slot.isOver || this.isClosed) return true;
    if (this.kept >= KEPT_SHARE * this.most) return false;
    slot.isKept = true;
    this.kept++;
    try {
      await this.use(slot, async () => {});
      return true;
    } catch (error) {
      slot.isKept = false;
      this.kept--;
      if (this.isClosed) return true;
      throw error;
    }
  }

  /** Closes a file after the reads that run. */
  async end(slot: Slot): Promise<void> {
    slot.isOver = true;
    if (this.slots.get(slot.name) === slot) this.slots.delete(slot.name);
    if (slot.readers === 0) await this.shut(slot);
  }

  /** Closes all files; a file that is being read, when its last read ends. Later reads are 503 `closed`. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const go of this.waiting.splice(0)) go();
    while (this.open.size > 0) {
      await Promise.all(Array.from(this.open, (slot) => (slot.readers === 0 ? this.shut(slot) : undefined)));
      if (this.open.size > 0) await new Promise<void>((go) => this.waiting.push(go));
    }
  }

  private opened(slot: Slot): Promise<StorageFile> {
    slot.opening ??= this.openSlot(slot).finally(() => {
      slot.opening = undefined;
    });
    return slot.opening;
  }

  private async openSlot(slot: Slot): Promise<StorageFile> {
    await slot.closing;
    while (this.open.size >= this.most) await this.makeRoom();
    if (this.isClosed) throw engineClosed();
    this.open.add(slot);
    try {
      slot.file = await this.openEvenIfFull(slot.name);
      return slot.file;
    } catch (error) {
      this.open.delete(slot);
      throw error;
    }
  }

  /** Opens a file; where the process has no number left for it, closes others. */
  private async openEvenIfFull(name: string): Promise<StorageFile> {
    for (;;)
      try {
        return await this.openToRead(name);
      } catch (error) {
        const mayClose = this.most !== Number.POSITIVE_INFINITY && isOutOfFiles(error as SearchError);
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

  private leastRecent(): Slot | undefined {
    for (const slot of this.open) if (slot.readers === 0 && !slot.isKept && slot.file !== undefined) return slot;
    return undefined;
  }

  private touch(slot: Slot): void {
    if (this.open.delete(slot)) this.open.add(slot);
  }

  /** After the last read of a file that runs. */
  private async release(slot: Slot): Promise<void> {
    if (slot.isOver || this.isClosed) await this.shut(slot);
    for (const go of this.waiting.splice(0)) go();
  }

  private shut(slot: Slot): Promise<void> {
    const { file } = slot;
    if (slot.isKept) this.kept--;
    slot.isKept = false;
    slot.file = undefined;
    if (file === undefined) return slot.closing ?? Promise.resolve();
    // It counts until it is closed.
    slot.closing = file
      .close()
      .catch(() => {})
      .finally(() => {
        slot.closing = undefined;
        this.open.delete(slot);
      });
    return slot.closing;
  }
}
