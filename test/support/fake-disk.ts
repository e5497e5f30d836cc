// A disk in memory that knows what a power cut may take. A file has its content as it is read now, its content at its last sync, and
// what was written in between; a folder has the same of its names. `images` gives disks as a cut at this moment could leave them.

import { basename, dirname, join, resolve } from "node:path";
import type { FileSystem, FolderEntry, FolderHold, OpenMode, StorageFile } from "../../src/storage/file-system.js";
import { storageError } from "../../src/storage/storage-error.js";
import type { Random } from "./random.js";

/** What is counted, hooked and made to fail. "create" is an open of that mode. */
export type DiskOperation =
  | ("makeFolder" | "list" | "open" | "create" | "rename" | "remove" | "syncFolder")
  | ("read" | "write" | "sync" | "truncate" | "size" | "close");

export interface DiskFault {
  /** The operations that are counted; by default all. */
  readonly kind?: DiskOperation;
  /** How many of them still succeed, from now on; by default none. */
  readonly after?: number;
  /** The system's code, such as "EIO", "ENOSPC" or "EMFILE". */
  readonly code: string;
  /** Whether all later ones fail too; by default one. */
  readonly forEver?: boolean;
  /** Whether a write that fails has written its first half. */
  readonly short?: boolean;
}

/** A change of a file's bytes: those at an offset, or a length. */
type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly length: number };

/** A change of a folder's names, done in one step: what each stands for now. */
type NameChange = ReadonlyMap<string, FakeInode | undefined>;

const SECTOR = 512;

function failure(code: string) {
  return storageError(Object.assign(new Error(`${code}, as the test asked`), { code }));
}

function changed(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  let length = bytes.length;
  let most = length;
  for (const change of changes) {
    length = "length" in change ? change.length : Math.max(length, change.offset + change.bytes.length);
    most = Math.max(most, length);
  }
  const next = new Uint8Array(most);
  next.set(bytes);
  for (const change of changes)
    if ("length" in change) next.fill(0, change.length);
    else next.set(change.bytes, change.offset);
  return next.subarray(0, length);
}

/** How many bytes of a buffer are in use by some content. */
const used = new WeakMap<ArrayBufferLike, number>();

/**
 * The bytes with those that a change adds at their end, in the same buffer if nobody else uses the room behind them: a long file
 * is not copied for each write. undefined: the change is another one.
 */
function appended(bytes: Uint8Array, change: Change): Uint8Array | undefined {
  if (!("bytes" in change) || change.offset !== bytes.length) return undefined;
  const length = bytes.length + change.bytes.length;
  const isLast = used.get(bytes.buffer) === bytes.length;
  let room = bytes;
  if (!isLast || length > bytes.buffer.byteLength) {
    room = new Uint8Array(Math.max(SECTOR, 2 * length));
    room.set(bytes);
  }
  const next = new Uint8Array(room.buffer, 0, length);
  next.set(change.bytes, change.offset);
  used.set(next.buffer, length);
  return next;
}

/** A file whatever its name is, as long as a name or an open file leads to it. */
class FakeInode {
  content: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  synced: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  pending: Change[] = [];

  private hasLost = false;

  change(change: Change): void {
    this.content = appended(this.content, change) ?? changed(this.content, [change]);
    this.pending.push(change);
  }

  sync(): void {
    this.synced = this.hasLost ? changed(this.synced, this.pending) : this.content;
    this.pending = [];
  }

  /** After a sync that failed, the system takes for written what is not: a later sync does not write it. */
  loseSync(): void {
    this.hasLost ||= this.pending.length > 0;
    this.pending = [];
  }

  afterCut(random: Random): Uint8Array {
    if (this.pending.length === 0 || random.chance(0.2)) return this.synced;
    const written = changed(this.synced, this.pending);
    if (random.chance(0.2)) return written;
    if (random.chance(0.3)) return this.cutAnywhere(random);
    return this.torn(random, written);
  }

  /** The first changes, and a part of the next one. */
  private cutAnywhere(random: Random): Uint8Array {
    const count = random.between(0, this.pending.length - 1);
    const before = changed(this.synced, this.pending.slice(0, count));
    const next = this.pending[count]!;
    if ("length" in next) return before;
    const bytes = next.bytes.subarray(0, random.between(0, next.bytes.length));
    return bytes.length === 0 ? before : changed(before, [{ offset: next.offset, bytes }]);
  }

  /** Some sectors as they were, some as they are, some of garbage or zero; garbage only where something was written. */
  private torn(random: Random, written: Uint8Array): Uint8Array {
    const left = new Uint8Array(random.pick([written.length, written.length, this.synced.length]));
    const isWritten = new Uint8Array(written.length);
    for (const change of this.pending)
      if ("bytes" in change) isWritten.fill(1, change.offset, change.offset + change.bytes.length);
    const kinds = random.pick(["old", "old new", "new garbage", "old new garbage zero"]).split(" ");
    for (let start = 0; start < left.length; start += SECTOR) {
      const kind = random.pick(kinds);
      for (let at = start; at < Math.min(start + SECTOR, left.length); at++) {
        if (isWritten[at] !== 1 || kind === "old") left[at] = this.synced[at] ?? 0;
        else if (kind === "new") left[at] = written[at] ?? 0;
        else left[at] = kind === "zero" ? 0 : random.between(0, 255);
      }
    }
    return left;
  }
}

class FakeFolder {
  names = new Map<string, FakeInode>();
  synced = new Map<string, FakeInode>();
  pending: NameChange[] = [];

  change(change: NameChange): void {
    applyNames(this.names, change);
    this.pending.push(change);
  }

  sync(): void {
    this.synced = new Map(this.names);
    this.pending = [];
  }

  /** The names that a power cut may leave: the changes since the last sync are lost from any point on, or each by itself. */
  afterCut(random: Random): Map<string, FakeInode> {
    const names = new Map(this.synced);
    const { pending } = this;
    const kept = random.chance(0.5) ? pending.slice(0, random.between(0, pending.length)) : random.some(pending, 0.5);
    for (const change of kept) applyNames(names, change);
    return names;
  }
}

function applyNames(names: Map<string, FakeInode>, change: NameChange): void {
  for (const [name, inode] of change)
    if (inode === undefined) names.delete(name);
    else names.set(name, inode);
}

/** A file system in memory. Its root and the folders that `makeFolder` makes survive a cut; files and names only when they were synced. */
export class FakeDisk implements FileSystem {
  /** How many files are open: 0 when everything that was opened was closed. */
  openFiles = 0;
  readonly counts: Map<DiskOperation, number> = new Map();
  /** Called before each operation takes effect; the operation waits for it. */
  onOperation: ((kind: DiskOperation, path: string) => void | Promise<void>) | undefined;
  private readonly folders = new Map<string, FakeFolder>([["/", new FakeFolder()]]);
  private readonly faults: { fault: DiskFault; left: number }[] = [];

  count(kind?: DiskOperation): number {
    if (kind !== undefined) return this.counts.get(kind) ?? 0;
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Makes operations fail. Faults add up; the first that fits counts. */
  fail(fault: DiskFault): void {
    this.faults.push({ fault, left: fault.after ?? 0 });
  }

  heal(): void {
    this.faults.length = 0;
  }

  /**
   * Disks as a power cut at this moment could leave them, where nothing is pending any more and nothing fails: first that which lost
   * everything that was not synced, then that which kept it all, then random ones; `count` in all.
   */
  images(random: Random, count: number): FakeDisk[] {
    const bytesOf = (inode: FakeInode, i: number): Uint8Array =>
      i === 0 ? inode.synced : i === 1 ? changed(inode.synced, inode.pending) : inode.afterCut(random);
    const namesOf = (folder: FakeFolder, i: number): ReadonlyMap<string, FakeInode> =>
      i === 0 ? folder.synced : i === 1 ? folder.names : folder.afterCut(random);
    return Array.from({ length: count }, (_, i) =>
      this.image(
        (inode) => bytesOf(inode, i),
        (folder) => namesOf(folder, i),
      ),
    );
  }

  /** The disk as it is now, all of it synced: what a kill of the process leaves. */
  copy(): FakeDisk {
    return this.image(
      (inode) => inode.content,
      (folder) => folder.names,
    );
  }

  /** The files beneath a folder: their contents by path, in the order of paths. */
  files(under = "/"): Map<string, Uint8Array> {
    const found: [string, Uint8Array][] = [];
    for (const [path, folder] of this.folders)
      for (const [name, inode] of folder.names) found.push([resolve(path, name), inode.content.slice()]);
    const inside = found.filter(([path]) => path.startsWith(under.endsWith("/") ? under : `${under}/`));
    return new Map(inside.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Flips one bit of a byte of a file, 0 to 7, on the disk and in memory. */
  flipBit(path: string, at: number, bit: number): void {
    this.damage(path, (bytes) => bytes.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte)));
  }

  cut(path: string, length: number): void {
    this.damage(path, (bytes) => bytes.subarray(0, length));
  }

  /** Puts a file in place, synced, replacing what is there. The folder must be there. */
  put(path: string, bytes: Uint8Array): void {
    const folder = this.folderOf(path);
    const inode = new FakeInode();
    inode.content = Uint8Array.from(bytes);
    inode.synced = inode.content;
    folder.names.set(basename(path), inode);
    folder.synced.set(basename(path), inode);
  }

  /** Writes over a file, which stays the same file: whoever has it open reads the new bytes. */
  overwrite(path: string, bytes: Uint8Array): void {
    this.damage(path, () => Uint8Array.from(bytes));
  }

  /** Takes a file away, as if it had never been synced. */
  lose(path: string): void {
    const folder = this.folderOf(path);
    folder.names.delete(basename(path));
    folder.synced.delete(basename(path));
  }

  async makeFolder(path: string): Promise<void> {
    await this.startOrFail("makeFolder", path);
    for (let at = resolve(path); at !== "/"; at = dirname(at)) {
      const isFile = this.folders.get(dirname(at))?.names.has(basename(at));
      if (isFile) throw failure(at === resolve(path) ? "EEXIST" : "ENOTDIR");
    }
    for (let at = resolve(path); at !== "/"; at = dirname(at))
      if (!this.folders.has(at)) this.folders.set(at, new FakeFolder());
  }

  async holdFolder(path: string): Promise<FolderHold | undefined> {
    await this.startOrFail("open", path);
    const own = resolve(path);
    const folder = this.folders.get(own);
    if (folder === undefined) return undefined;
    this.openFiles++;
    let isHeld = true;
    return {
      path: own,
      isThere: () => isHeld && this.folders.get(own) === folder,
      release: async () => {
        if (isHeld) this.openFiles--;
        isHeld = false;
      },
    };
  }

  /** Moves a folder with its files to a path where nothing is; it is not held by its name. */
  move(from: string, to: string): void {
    for (const [path, folder] of [...this.folders]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.folders.delete(path);
      this.folders.set(to + path.slice(from.length), folder);
    }
  }

  /** Takes a folder away with its files, as if it had never been there. */
  dropFolder(path: string): void {
    this.folders.delete(path);
  }

  async list(path: string): Promise<FolderEntry[] | undefined> {
    await this.startOrFail("list", path);
    const own = resolve(path);
    const folder = this.folders.get(own);
    if (folder === undefined && this.inodeAt(own) !== undefined) throw failure("ENOTDIR");
    if (folder === undefined) return undefined;
    const folders = [...this.folders.keys()].filter((each) => each !== "/" && dirname(each) === own);
    return [
      ...folders.map((each) => ({ name: basename(each), kind: "folder" as const })),
      ...[...folder.names.keys()].map((name) => ({ name, kind: "file" as const })),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async open(path: string, mode: OpenMode): Promise<StorageFile | undefined> {
    await this.startOrFail(mode === "create" ? "create" : "open", path);
    const own = resolve(path);
    let inode = this.inodeAt(own);
    if (mode === "create") {
      if (inode !== undefined || this.folders.has(own)) throw failure("EEXIST");
      inode = new FakeInode();
      this.folderOf(own).change(new Map([[basename(own), inode]]));
    }
    if (this.folders.has(own)) throw failure("EISDIR");
    return inode === undefined ? undefined : this.opened(own, inode, mode);
  }

  private opened(path: string, inode: FakeInode, mode: OpenMode): StorageFile {
    let isOpen = true;
    this.openFiles++;
    const start = async (kind: DiskOperation, isChange = false): Promise<DiskFault | undefined> => {
      const fault = await this.start(kind, path);
      if (!isOpen || (isChange && mode === "read")) throw failure("EBADF");
      return fault;
    };
    const startOrFail = async (kind: DiskOperation, isChange = false): Promise<void> => {
      const fault = await start(kind, isChange);
      if (fault) throw failure(fault.code);
    };
    return {
      read: async (into, offset) => {
        await startOrFail("read");
        const bytes = inode.content.subarray(offset, offset + into.byteLength);
        into.set(bytes);
        return bytes.byteLength;
      },
      // As on a real disk, the bytes are taken when the write takes effect: who changes them before it resolves has written the change.
      write: async (bytes, offset) => {
        const fault = await start("write", true);
        const count = fault === undefined ? bytes.length : fault.short ? bytes.length >> 1 : 0;
        if (count > 0) inode.change({ offset, bytes: Uint8Array.from(bytes.subarray(0, count)) });
        if (fault) throw failure(fault.code);
      },
      sync: async () => {
        const fault = await start("sync");
        if (fault === undefined) return inode.sync();
        inode.loseSync();
        throw failure(fault.code);
      },
      truncate: async (length) => {
        await startOrFail("truncate", true);
        inode.change({ length });
      },
      size: async () => {
        await startOrFail("size");
        return inode.content.length;
      },
      isAt: (at) => this.folders.get(dirname(resolve(at)))?.names.get(basename(at)) === inode,
      close: async () => {
        const fault = await start("close");
        isOpen = false;
        this.openFiles--;
        if (fault) throw failure(fault.code);
      },
    };
  }

  async rename(from: string, to: string): Promise<void> {
    await this.startOrFail("rename", from);
    if (dirname(resolve(from)) !== dirname(resolve(to))) throw failure("EXDEV");
    const inode = this.inodeAt(from);
    if (inode === undefined) throw failure("ENOENT");
    if (this.folders.has(resolve(to))) throw failure("EISDIR");
    if (resolve(from) === resolve(to)) return;
    const folder = this.folderOf(from);
    folder.change(new Map<string, FakeInode | undefined>([[basename(from), undefined]]).set(basename(to), inode));
  }

  async remove(path: string): Promise<void> {
    await this.startOrFail("remove", path);
    if (this.folders.has(resolve(path))) throw failure("EISDIR");
    if (this.inodeAt(path) !== undefined) this.folderOf(path).change(new Map([[basename(path), undefined]]));
  }

  /** Tells of nothing: who follows a folder on this disk looks by itself. */
  watchFolder = (): (() => void) => () => {};

  async syncFolder(path: string): Promise<void> {
    await this.startOrFail("syncFolder", path);
    this.folderOf(join(path, "any")).sync();
  }

  /** Counts an operation, tells the hook of it, and finds the fault that it meets. For files of this disk. */
  async start(kind: DiskOperation, path: string): Promise<DiskFault | undefined> {
    this.counts.set(kind, this.count(kind) + 1);
    // A fault that the hook asks for is of this operation: no other one begins in between.
    const held = this.onOperation?.(kind, path);
    if (held !== undefined) await held;
    for (const each of this.faults) {
      if (each.fault.kind !== undefined && each.fault.kind !== kind) continue;
      if (each.left-- > 0) continue;
      if (each.fault.forEver !== true) this.faults.splice(this.faults.indexOf(each), 1);
      return each.fault;
    }
    return undefined;
  }

  private async startOrFail(kind: DiskOperation, path: string): Promise<void> {
    const fault = await this.start(kind, path);
    if (fault) throw failure(fault.code);
  }

  private inodeAt(path: string): FakeInode | undefined {
    const above = dirname(resolve(path));
    const folder = this.folders.get(above);
    // No path goes through a file.
    if (folder === undefined && above !== "/" && this.inodeAt(above) !== undefined) throw failure("ENOTDIR");
    return folder?.names.get(basename(path));
  }

  private folderOf(path: string): FakeFolder {
    this.inodeAt(path);
    const folder = this.folders.get(dirname(resolve(path)));
    if (folder === undefined) throw failure("ENOENT");
    return folder;
  }

  private damage(path: string, change: (bytes: Uint8Array) => Uint8Array): void {
    const inode = this.inodeAt(path);
    if (inode === undefined) throw failure("ENOENT");
    inode.content = change(inode.content.slice());
    inode.synced = inode.content;
    inode.pending = [];
  }

  private image(
    contentOf: (inode: FakeInode) => Uint8Array,
    namesOf: (folder: FakeFolder) => ReadonlyMap<string, FakeInode>,
  ): FakeDisk {
    const image = new FakeDisk();
    const copies = new Map<FakeInode, FakeInode>();
    const copyOf = (inode: FakeInode) => {
      const copy = copies.get(inode) ?? new FakeInode();
      if (!copies.has(inode)) copy.content = copy.synced = contentOf(inode);
      copies.set(inode, copy);
      return copy;
    };
    for (const [path, folder] of this.folders) {
      const copy = new FakeFolder();
      copy.names = new Map([...namesOf(folder)].map(([name, inode]) => [name, copyOf(inode)]));
      copy.synced = new Map(copy.names);
      image.folders.set(path, copy);
    }
    return image;
  }
}
