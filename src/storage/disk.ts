// What an engine gets from the disk of its machine. In a browser there is none (disk.browser.ts), and nothing of a data folder's code
// is loaded.

import { resolve } from "node:path";
import { SearchError } from "../util/errors.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import { FollowedFolder } from "./followed-folder.js";
import { type Disk, nodeDisk, type StoreOptions } from "./store.js";
import { type OpenStore, WrittenFolder } from "./written-folder.js";

/** Where snapshots are read and written. */
export const snapshotFiles: FileSystem = nodeFileSystem;

/** A path from the root on. A relative one needs a working directory, which may have been removed. */
export function absolutePath(path: string): string {
  try {
    return resolve(path);
  } catch (cause) {
    const msg = "A relative path was given, and the working directory of the process is gone; pass an absolute path.";
    throw new SearchError(500, "storage_failed", msg, { cause });
  }
}

/** Opens the folder at a path, which may be relative, to write to it, or to read it. `disk`: by default that of this machine. */
export async function openStore(
  { folder, ...options }: Omit<StoreOptions, keyof Disk>,
  disk: Disk = nodeDisk,
): Promise<OpenStore> {
  const all = { ...options, ...disk, folder: absolutePath(folder) };
  return options.readOnly ? FollowedFolder.open(all) : WrittenFolder.open(all);
}
