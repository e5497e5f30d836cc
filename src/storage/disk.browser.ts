// A browser has neither folders nor files: an engine there is in memory, and reads a snapshot from bytes.

import { refusal, SearchError } from "../util/errors.js";
import type { FileSystem } from "./file-system.js";
import type { Disk, StoreOptions } from "./store.js";
import type { OpenStore } from "./written-folder.js";

async function refuse(): Promise<never> {
  const msg = "A browser has no files; pass the bytes of a snapshot to readSnapshot, and write snapshots in Node.";
  throw new SearchError(500, "storage_failed", msg);
}

/** Each operation rejects with 500 `storage_failed`. */
export const snapshotFiles: FileSystem = {
  makeFolder: refuse,
  holdFolder: refuse,
  list: refuse,
  open: refuse,
  rename: refuse,
  remove: refuse,
  syncFolder: refuse,
  watchFolder: () => () => {},
};

/** The path: what opens it refuses it. */
export function absolutePath(path: string): string {
  return path;
}

/** Rejects with 400 `invalid_option`. */
export async function openStore(_options: Omit<StoreOptions, keyof Disk>, _disk?: Disk): Promise<OpenStore> {
  const msg =
    "dataDir is given in a browser, which has no folders; make an engine in memory by new SearchEngine(), and fill it by importIndex, or by readSnapshot with bytes.";
  throw refusal("invalid_option", "dataDir", msg);
}
