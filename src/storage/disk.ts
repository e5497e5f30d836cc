// What an engine gets from the disk of its machine. In a browser there is none (disk.browser.ts), and nothing of a data folder's code
// is loaded.

import { resolve } from "node:path";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import { type Disk, nodeDisk, Store, type StoreOptions } from "./store.js";

/** Where snapshots are read and written. */
export const snapshotFiles: FileSystem = nodeFileSystem;

/** {@link Store.open} of a path, which may be relative. `disk`: by default that of this machine. */
export function openStore(
  { folder, ...options }: Omit<StoreOptions, keyof Disk>,
  disk: Disk = nodeDisk,
): Promise<Store> {
  return Store.open({ ...options, ...disk, folder: resolve(folder) });
}
