// A data folder that another engine writes to, as a reader follows it. Each look gives a whole state of the folder that the writer had
// in its log, in their order: the frames since the last look are applied to what is known, and segments that are known are not read
// again. After a checkpoint, and whenever the log does not go on from where it was read, the folder is read anew. If it does not go on
// from what was read before, nothing is known of it.

import { setTimeout as pause } from "node:timers/promises";
import { engineClosed, SearchError } from "../util/errors.js";
import type { StorageFile } from "./file-system.js";
import { type FolderContent, goesOn, logName, MANIFEST, readBesideWriter, withFrames } from "./folder-content.js";
import { OpenFiles } from "./open-files.js";
import type { OpenFolder } from "./open-folder.js";
import { readSum } from "./sections.js";
import { damagedFile } from "./storage-error.js";
import { WriteLog } from "./write-log.js";

/** A writer may be in the middle of a frame, or somebody of copying a backup, which looks like damage for a moment. */
const LOOKS_AT_DAMAGE = 10;
const PAUSE_MS = 20;

/** The manifest and the log, open: each tells whether its name leads to another file by now. */
interface OpenHeads {
  readonly manifest: StorageFile;
  /** undefined: a checkpoint replaced it while the folder was read. */
  readonly log: StorageFile | undefined;
}

/** A data folder to follow. */
export class FollowedFolder {
  readonly folder: OpenFolder;
  readonly files: OpenFiles;
  private content: FolderContent;
  private heads: OpenHeads;
  /** A look failed in the middle. */
  private isBroken = false;
  private looking: Promise<unknown> | undefined;
  private isClosed = false;

  private constructor(folder: OpenFolder, files: OpenFiles, content: FolderContent, heads: OpenHeads) {
    this.folder = folder;
    this.files = files;
    this.content = content;
    this.heads = heads;
  }

  /** Reads a folder that has a store. All its files are open then. */
  static async open(folder: OpenFolder): Promise<FollowedFolder> {
    const filesOf = (): OpenFiles => new OpenFiles((name) => folder.openToRead(name), Number.POSITIVE_INFINITY);
    // Opened first: what replaces it while the folder is read is noticed by the first look.
    const manifest = await folder.openToRead(MANIFEST);
    try {
      const { content, files } = await readBesideWriter(folder, filesOf);
      try {
        return new FollowedFolder(folder, files, content, { manifest, log: await openLog(folder, content) });
      } catch (error) {
        await files.close();
        throw error;
      }
    } catch (error) {
      await shut(manifest);
      throw error;
    }
  }

  /** What was read last. */
  get found(): FolderContent {
    return this.content;
  }

  /**
   * Looks at the folder, and has shown what changed since the last look, if anything; `isRestored`: it does not go on from there, because
   * its files were replaced. Resolves to that. Throws 503 `closed`, 500 `storage_failed` when another folder is in its place, and
   * `storage_corrupt` for damage; then nothing was shown, and the next look reads the folder anew.
   */
  look(show: (content: FolderContent, isRestored: boolean) => Promise<void>): Promise<boolean> {
    const looking = this.lookSome(show);
    this.looking = looking.catch(() => {});
    return looking;
  }

  private async lookSome(show: (content: FolderContent, isRestored: boolean) => Promise<void>): Promise<boolean> {
    // What was damaged before is not waited for again.
    const most = this.isBroken ? 1 : LOOKS_AT_DAMAGE;
    for (let look = 1; ; look++) {
      if (this.isClosed) throw engineClosed();
      this.folder.check();
      const { content: before } = this;
      let content: FolderContent | undefined;
      try {
        content = await this.lookOn();
        // Somebody may be putting files in place, one after the other: they are not shown before all are there.
        const damaged = content?.damaged.find(({ file }) => before.damaged.every((known) => known.file !== file));
        if (damaged !== undefined) throw damagedFile(damaged.file);
        const isRestored = content !== undefined && !goesOn(content, before);
        if (content !== undefined) await show(content, isRestored);
        this.content = content ?? before;
        this.isBroken = false;
        return isRestored;
      } catch (error) {
        this.isBroken = true;
        if (content !== undefined) await closeNew(content, before);
        const mayPass = error instanceof SearchError && error.error === "storage_corrupt" && look < most;
        if (!mayPass) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  private async lookOn(): Promise<FolderContent | undefined> {
    const { folder, files, content } = this;
    const { manifest, log: file } = this.heads;
    const name = logName(content.manifest.log);
    const isAtNames = manifest.isAt(folder.pathOf(MANIFEST)) && file?.isAt(folder.pathOf(name));
    if (this.isBroken || file === undefined || !isAtNames) return this.readAnew();
    // Somebody may have written over it.
    if ((await readSum(manifest)) !== content.metadata.sum) return this.readAnew();
    const log = await WriteLog.readOn(file, content.log, name);
    if (log === undefined) return this.readAnew();
    return log.frames.length === 0 ? undefined : withFrames(content, log, { folder, files });
  }

  /** Reads the folder as at opening. */
  private async readAnew(): Promise<FolderContent> {
    const { folder, files, content: before } = this;
    const manifest = await folder.openToRead(MANIFEST);
    try {
      const { content } = await readBesideWriter(folder, () => files, before);
      const log = await openLog(folder, content);
      await this.closeHeads();
      this.heads = { manifest, log };
      return { ...content, log: { ...content.log, frames: [] } };
    } catch (error) {
      await shut(manifest);
      throw error;
    }
  }

  private async closeHeads(): Promise<void> {
    const { manifest, log } = this.heads;
    await shut(manifest);
    await shut(log);
  }

  /** Closes all files when no look reads them any more; not the folder. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.files.close();
    await this.looking;
    await this.closeHeads();
  }
}

/** Closes the files of what is not shown, but for those of what was shown before. */
async function closeNew({ locations, graphs }: FolderContent, before: FolderContent): Promise<void> {
  for (const [number, { file }] of locations) if (before.locations.get(number)?.file !== file) await file?.close();
  for (const [number, { file }] of graphs) if (before.graphs.get(number)?.file !== file) await file.close();
}

/** The log of a folder as it was read; undefined: it is gone by now. */
async function openLog(folder: OpenFolder, { manifest }: FolderContent): Promise<StorageFile | undefined> {
  return folder.open(logName(manifest.log), "read");
}

/** Closes a file that was only read: nothing is lost if that fails. */
async function shut(file: StorageFile | undefined): Promise<void> {
  await file?.close().catch(() => {});
}
