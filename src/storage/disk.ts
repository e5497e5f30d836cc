// What an engine gets from the disk of its machine. In a browser there is none (disk.browser.ts), and nothing of a data folder's code
// is loaded.

import { resolve } from "node:path";
import { SearchError } from "../util/errors.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import { type Disk, nodeDisk, Store, type StoreOptions } from "./store.js";

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

/** {@link Store.open} of a path, which may be relative. `disk`: by default that of this machine. */
export async function openStore(
  { folder, ...options }: Omit<StoreOptions, keyof Disk>,
  disk: Disk = nodeDisk,
): Promise<Store> {
  return Store.open({ ...options, ...disk, folder: absolutePath(folder) });
}
