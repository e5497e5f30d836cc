// The folder in which an engine of a cluster keeps a copy of its indexes, so that the next opening reads only what changed since. It is a
// data folder whose indexes have the names of the physical ones, beside a file that says how far each of them has come at least.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { absolutePath, openStore } from "../storage/disk.js";
import type { Store, StoredIndex } from "../storage/store.js";
import { SearchError } from "../util/errors.js";
import { storageWarning, type Warn } from "../util/extension-points.js";
import { at, objectIn } from "./cluster.js";

const FILE = "cluster.json";
/** The file is written so long after a change: what came since is read again at the opening. */
const SAVE_MS = 2000;
const NOT_KEPT =
  "The copy of the cluster's indexes in dataDir could not be written, so the next opening loads them anew; nothing of the cluster is lost.";

/** An open copy. */
export class LocalCopy {
  readonly store: Store;
  private readonly path: string;
  private readonly cluster: string;
  private readonly warn: Warn;
  /** What the opening found, by physical index. */
  private readonly found: ReadonlyMap<string, { readonly stored: StoredIndex; readonly position: number }>;
  private timer: NodeJS.Timeout | undefined;
  private isBroken = false;

  private constructor(store: Store, path: string, cluster: string, warn: Warn, positions: ReadonlyMap<string, number>) {
    this.store = store;
    this.path = path;
    this.cluster = cluster;
    this.warn = warn;
    const found = new Map<string, { stored: StoredIndex; position: number }>();
    for (const stored of store.takeIndexes()) {
      const position = positions.get(stored.name);
      if (position !== undefined && typeof stored.settings === "string") found.set(stored.name, { stored, position });
    }
    this.found = found;
  }

  /** Opens a copy, or makes it. Throws 409 for a folder of something else, and as an engine does that opens a data folder. */
  static async open(dataDir: string, cluster: string, warn: Warn): Promise<LocalCopy> {
    const folder = absolutePath(dataDir);
    const path = join(folder, FILE);
    const text = await readFile(path, "utf8").catch(() => undefined);
    const positions = text === undefined ? undefined : positionsIn(text, cluster);
    const store = await openStore({ folder, readOnly: false, durability: "interval", warn });
    if (text === undefined ? store.indexNames.length === 0 : positions !== undefined)
      return new LocalCopy(store, path, cluster, warn, positions ?? new Map());
    await store.close();
    const msg = "dataDir is the folder of another cluster or of an engine without one; pass a folder of its own.";
    throw new SearchError(409, "storage_locked", msg, { param: "dataDir" });
  }

  /** What the opening found of a physical index, once. */
  take(physical: string): { readonly stored: StoredIndex; readonly position: number } | undefined {
    return this.found.get(physical);
  }

  /** Removes the indexes that the cluster does not have any more. */
  async keepOnly(physicals: ReadonlySet<string>): Promise<void> {
    const gone = this.store.indexNames.filter((name) => !physicals.has(name));
    if (gone.length > 0) await this.commit(() => this.store.commit(gone.map((name) => ({ name, isGone: true }))));
  }

  /** Makes a change, unless an earlier one failed: then the copy is not to be trusted, and the next opening reads all anew. */
  async commit(work: () => Promise<unknown>): Promise<void> {
    if (this.isBroken) return;
    try {
      await work();
    } catch (cause) {
      this.isBroken = true;
      clearTimeout(this.timer);
      await writeFile(this.path, JSON.stringify({ cluster: this.cluster, indexes: {} })).catch(() => {});
      this.warn(storageWarning(NOT_KEPT, cause));
    }
  }

  /** Notes soon how far the indexes have come. */
  saveSoon(positions: () => ReadonlyMap<string, number>): void {
    if (this.timer !== undefined || this.isBroken) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.save(positions());
    }, SAVE_MS).unref();
  }

  /** Notes how far the indexes have come, once all of that is on the disk. */
  async save(positions: ReadonlyMap<string, number>): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.commit(async () => {
      await this.store.flush();
      await writeFile(
        `${this.path}.new`,
        JSON.stringify({ cluster: this.cluster, indexes: Object.fromEntries(positions) }),
      );
      await rename(`${this.path}.new`, this.path);
    });
  }
}

/** The positions that a file notes; undefined: they are of another cluster. */
function positionsIn(text: string, cluster: string): ReadonlyMap<string, number> | undefined {
  let noted: unknown;
  try {
    noted = JSON.parse(text);
  } catch {
    // Cut short: all is read anew.
    return new Map();
  }
  if (at(noted, "cluster") !== cluster) return undefined;
  const entries = Object.entries(objectIn(at(noted, "indexes")) ?? {});
  return new Map(entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])));
}
