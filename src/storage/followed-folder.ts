// A data folder that another engine writes to, as a reader follows it. Each look gives a whole state of the folder that the writer had
// in its log, in their order: the frames since the last look are applied to what is known, and segments that are known are not read
// again. After a checkpoint, and whenever the log does not go on from where it was read, the folder is read anew.

import { setTimeout as pause } from "node:timers/promises";
import { SearchError } from "../util/errors.js";
import type { StorageFile } from "./file-system.js";
import { type FolderContent, logName, MANIFEST, readBesideWriter, withFrames } from "./folder-content.js";
import type { HeldFolder } from "./held-folder.js";
import { OpenFiles } from "./open-files.js";
import { type LogContent, WriteLog } from "./write-log.js";

/** A writer may be in the middle of a frame, which looks like damage for a moment. */
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
  readonly folder: HeldFolder;
  readonly files: OpenFiles;
  private content: FolderContent;
  private heads: OpenHeads;
  /** A look failed in the middle. */
  private isBroken = false;

  private constructor(folder: HeldFolder, files: OpenFiles, content: FolderContent, heads: OpenHeads) {
    this.folder = folder;
    this.files = files;
    this.content = content;
    this.heads = heads;
  }

  /** Reads a folder that has a store. All its files are open then. */
  static async open(folder: HeldFolder): Promise<FollowedFolder> {
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
   * What the folder holds now; undefined: what it held at the last look. Throws 500 `storage_failed` when another folder is in its
   * place, and `storage_corrupt` for damage; then the next look reads the folder anew.
   */
  async look(): Promise<FolderContent | undefined> {
    this.folder.check();
    try {
      const content = await this.lookOn();
      if (content === undefined) return undefined;
      this.isBroken = false;
      this.content = content;
      return content;
    } catch (error) {
      this.isBroken = true;
      throw error;
    }
  }

  private async lookOn(): Promise<FolderContent | undefined> {
    const { folder, files, heads, content } = this;
    const isReplaced = heads.log === undefined || !heads.manifest.isAt(folder.pathOf(MANIFEST));
    const log = heads.log && (await this.readLog(heads.log));
    if (log === undefined || this.isBroken) return this.readAnew(false);
    if (isReplaced) return this.readAnew(true);
    if (log.frames.length === 0) return undefined;
    try {
      return await withFrames(content, log, { folder, files });
    } catch (error) {
      if (!(error instanceof SearchError) || error.error !== "storage_corrupt") throw error;
      // The writer may have removed a file since it wrote of it; damage shows again.
      return this.readAnew(false);
    }
  }

  /** The frames since the last look; undefined: the log does not go on from there. */
  private async readLog(file: StorageFile): Promise<LogContent | undefined> {
    const { log, manifest } = this.content;
    for (let look = 1; ; look++)
      try {
        return await WriteLog.readOn(file, log, logName(manifest.log));
      } catch (error) {
        const mayPass = error instanceof SearchError && error.error === "storage_corrupt" && look < LOOKS_AT_DAMAGE;
        if (!mayPass) throw error;
        await pause(PAUSE_MS);
      }
  }

  /** Reads the folder as at opening. `goesOn`: what stood in the log still holds. */
  private async readAnew(goesOn: boolean): Promise<FolderContent> {
    const { folder, files, content: before } = this;
    const locations = goesOn
      ? before.locations
      : new Map([...before.locations].filter(([, { metadata }]) => metadata !== undefined));
    const manifest = await folder.openToRead(MANIFEST);
    try {
      const { content } = await readBesideWriter(folder, () => files, { ...before, locations });
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

  /** Closes all files; not the folder. */
  async close(): Promise<void> {
    await this.files.close();
    await this.closeHeads();
  }
}

/** The log of a folder as it was read; undefined: it is gone by now. */
async function openLog(folder: HeldFolder, { manifest }: FolderContent): Promise<StorageFile | undefined> {
  return folder.open(logName(manifest.log), "read");
}

/** Closes a file that was only read: nothing is lost if that fails. */
async function shut(file: StorageFile | undefined): Promise<void> {
  await file?.close().catch(() => {});
}
