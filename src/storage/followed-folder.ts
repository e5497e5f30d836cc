// A data folder that another engine writes to, as a reader follows it. Each look gives a whole state of the folder that the writer had
// in its log, in their order: the frames since the last look are applied to what is known, and segments that are known are not read
// again. After a checkpoint, and whenever the log does not go on from where it was read, the folder is read anew. If it does not go on
// from what was read before, nothing is known of it.

import { setTimeout as pause } from "node:timers/promises";
import { engineClosed, SearchError } from "../util/errors.js";
import { pauseIfLong } from "../util/tasks.js";
import { OpenFolder, type StorageFile } from "./file-system.js";
import {
  checkFile,
  type FolderContent,
  goesOn,
  MANIFEST,
  nameOf,
  OWN_NAME,
  readBesideWriter,
  withFrames,
} from "./folder-content.js";
import type { OpenFiles } from "./open-files.js";
import { readSum } from "./sections.js";
import { damagedFile, fileError, missingFile, noStore, storageError } from "./storage-error.js";
import { type IndexRemoval, type Look, releaseAll, Store, type StoredIndex, type StoreOptions } from "./store.js";
import { WriteLog } from "./write-log.js";

/** A writer may be in the middle of a frame, or somebody of copying a backup, which looks like damage for a moment. */
const LOOKS_AT_DAMAGE = 10;
const PAUSE_MS = 20;
const RESTORED =
  "The files of the data folder were replaced, by a backup or another store; the engine shows what is there now, and what it showed before may be lost.";

/** A folder as it was read. Its heads tell whether their names lead to other files by now. */
interface ReadFolder {
  readonly content: FolderContent;
  /** All of them are open. */
  readonly files: OpenFiles;
  readonly manifest: StorageFile;
  /** undefined: a checkpoint replaced it while the folder was read. */
  readonly log: StorageFile | undefined;
}

/** What is shown when a folder has changed: all of it at once. */
type Show = (changes: readonly (StoredIndex | IndexRemoval)[]) => Promise<void>;

/** A data folder to follow. */
export class FollowedFolder extends Store {
  readonly isReadOnly = true;
  private readonly folder: OpenFolder;
  private readonly warn: StoreOptions["warn"];
  private read: ReadFolder;
  /** What was shown last of each index. */
  private shown: ReadonlyMap<string, string>;
  /** A look failed in the middle. */
  private isBroken = false;
  private looking: Promise<unknown> | undefined;
  private isClosed = false;

  private constructor(folder: OpenFolder, warn: StoreOptions["warn"], read: ReadFolder) {
    super(read.content);
    this.folder = folder;
    this.warn = warn;
    this.read = read;
    this.shown = shownBy(read.content);
  }

  /** Reads a folder that has a store. Throws 404 `storage_not_found`, 500 `storage_…`. */
  static async open({ files, folder: path, warn }: StoreOptions): Promise<FollowedFolder> {
    const folder = await OpenFolder.of(files, path);
    try {
      if (!(await folder.list()).some(({ name }) => OWN_NAME.test(name))) throw noStore();
      return new FollowedFolder(folder, warn, await readAll(folder));
    } catch (error) {
      await releaseAll([folder]);
      throw fileError(error, MANIFEST);
    }
  }

  /** Calls back when something in the folder changes, where the file system tells; returns what ends that. */
  watch(changed: () => void): () => void {
    return this.folder.watchNames(changed);
  }

  /**
   * Reads what the writer changed since the last call, if anything. `show` is given the indexes that changed, as they are now; if it
   * fails, the next call tries again. Throws 503 `closed`, 500 `storage_failed` when another folder is in its place, and `storage_corrupt`
   * for damage; then nothing was shown, and the next call reads the folder anew.
   */
  refresh(show: Show): Promise<void> {
    const looking = this.look(show);
    this.looking = looking.catch(() => {});
    return looking;
  }

  private async look(show: Show): Promise<void> {
    // What was damaged before is not waited for again.
    const most = this.isBroken ? 1 : LOOKS_AT_DAMAGE;
    for (let look = 1; ; look++) {
      if (this.isClosed) throw engineClosed();
      this.folder.check();
      const before = this.read.content;
      let content: FolderContent | undefined;
      try {
        content = await this.lookOn();
        // Somebody may be putting files in place, one after the other: they are not shown before all are there.
        const damaged = content?.damaged.find(({ file }) => before.damaged.every((known) => known.file !== file));
        if (damaged !== undefined) throw damagedFile(damaged.file);
        if (content !== undefined) await this.show(content, before, show);
        this.isBroken = false;
        return;
      } catch (error) {
        this.isBroken = true;
        if (content !== undefined) await closeNew(content, before);
        const mayPass = error instanceof SearchError && error.error === "storage_corrupt" && look < most;
        if (!mayPass) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  private async show(content: FolderContent, before: FolderContent, show: Show): Promise<void> {
    const isRestored = !goesOn(content, before);
    const now = shownBy(content);
    const changes: (StoredIndex | IndexRemoval)[] = [];
    for (const name of this.shown.keys()) if (!now.has(name)) changes.push({ name, isGone: true });
    for (const [name, kept] of content.indexes) {
      if (!isRestored && now.get(name) === this.shown.get(name)) continue;
      changes.push(this.storedIndex(name, kept, content, isRestored));
      await pauseIfLong();
    }
    await show(changes);
    this.shown = now;
    this.progress = content.progress;
    this.read = { ...this.read, content };
    if (isRestored) this.warn({ code: "storage_restored", message: RESTORED });
  }

  /** What the folder holds now; undefined: the same. */
  private async lookOn(): Promise<FolderContent | undefined> {
    const { folder } = this;
    const { content, files, manifest, log: file } = this.read;
    const name = nameOf("log", content.manifest.log);
    const isAtNames = manifest.isAt(folder.pathOf(MANIFEST)) && file?.isAt(folder.pathOf(name));
    if (this.isBroken || file === undefined || !isAtNames) return this.readAnew();
    // Somebody may have written over it.
    if ((await readSum(manifest)) !== content.metadata.sum) return this.readAnew();
    const log = await WriteLog.readOn(file, content.log, name);
    if (log === undefined) return this.readAnew();
    return log.frames.length === 0 ? undefined : withFrames(content, log, folder, files);
  }

  /** Reads the folder as at opening. */
  private async readAnew(): Promise<FolderContent> {
    const { read: before } = this;
    const read = await readAll(this.folder, before);
    this.read = { ...read, content: before.content };
    await releaseAll([before.manifest, before.log]);
    return read.content;
  }

  /** Checks what a reader would find now. All files are open, so that a writer may remove their names. */
  protected async lookAtFiles(look: Look): Promise<void> {
    let files: OpenFiles | undefined;
    try {
      const found = await readBesideWriter(this.folder);
      files = found.files;
      const { locations, graphs, damaged, storeId } = found.content;
      for (const { file } of damaged.filter(({ file }) => file.startsWith("settings-")))
        await look(file, () => Promise.reject(missingFile(file)));
      for (const { number, metadata, file } of locations.values())
        if (metadata !== undefined)
          await look(nameOf("segment", number), () => checkFile(file!, "segment", { number, ...metadata }, storeId));
      for (const [number, graph] of graphs) await look(nameOf("graph", number), () => graph.check());
    } catch (error) {
      const known = storageError(error);
      await look(String(known.details?.file ?? MANIFEST), () => Promise.reject(known));
    } finally {
      await files?.close();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    try {
      await this.read.files.close();
      await this.looking;
    } finally {
      await releaseAll([this.read.manifest, this.read.log, this.folder]);
    }
  }
}

/** Reads all of a folder; `before`: as it was, whose files stay open. */
async function readAll(folder: OpenFolder, before?: ReadFolder): Promise<ReadFolder> {
  // Opened first: what replaces it while the folder is read is noticed by the next look.
  const manifest = await folder.openToRead(MANIFEST);
  let files: OpenFiles | undefined;
  try {
    const read = await readBesideWriter(folder, before);
    ({ files } = read);
    const { content } = read;
    const log = await folder.open(nameOf("log", content.manifest.log), "read");
    return { content: { ...content, log: { ...content.log, frames: [] } }, files, manifest, log };
  } catch (error) {
    await releaseAll([manifest, before === undefined ? files : undefined]);
    throw error;
  }
}

/** What tells states of each index apart: its settings, its segments, and how many records of each are deleted. */
function shownBy({ indexes, settings }: FolderContent): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const [name, { segments }] of indexes) {
    const each = segments.map(({ number, deleted }) => `${number}:${deleted?.count() ?? 0}`);
    shown.set(name, `${each.join(" ")} ${String(settings.get(name))}`);
  }
  return shown;
}

/** Closes the files of what is not shown, but for those of what was shown before. */
async function closeNew({ locations, graphs }: FolderContent, before: FolderContent): Promise<void> {
  for (const [number, { file }] of locations) if (before.locations.get(number)?.file !== file) await file?.close();
  for (const [number, { file }] of graphs) if (before.graphs.get(number)?.file !== file) await file.close();
}
