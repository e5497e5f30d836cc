// A data folder with a copy of indexes that a cluster keeps, so that the next opening reads only what changed since. Beside it a file says
// which physical index each of them is a copy of, and how far it has come at least.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SearchError } from "../util/errors.js";
import { storageWarning, type Warn } from "../util/extension-points.js";
import { at, objectIn } from "../util/json.js";
import { absolutePath, openStore } from "./disk.js";
import type { StoredIndex } from "./store.js";
import type { WrittenFolder } from "./written-folder.js";

const FILE = "cluster.json";
/** The file is written so long after a change: what came since is read again at the opening. */
const SAVE_MS = 2000;
const NOT_KEPT =
  "The copy of the cluster's indexes in dataDir could not be written, so the next opening loads them anew; nothing of the cluster is lost.";

/** How far a copy has come. */
export interface CopiedIndex {
  readonly physical: string;
  /** Tells it from another one of its name. */
  readonly uuid?: unknown;
  readonly position: number;
}

/** An open copy. */
export class LocalCopy {
  readonly store: WrittenFolder;
  private readonly path: string;
  private readonly cluster: string;
  private readonly warn: Warn;
  /** What the file says. */
  private noted: ReadonlyMap<string, CopiedIndex>;
  /** What the opening found, by physical index. */
  readonly found: ReadonlyMap<string, StoredIndex & CopiedIndex>;
  private timer: NodeJS.Timeout | undefined;
  private isBroken = false;

  private constructor(
    store: WrittenFolder,
    { path, cluster, warn, noted }: { path: string; cluster: string; warn: Warn; noted: LocalCopy["noted"] },
  ) {
    this.store = store;
    this.path = path;
    this.cluster = cluster;
    this.warn = warn;
    this.noted = noted;
    const indexes = [...store.takeIndexes()].filter(({ settings }) => typeof settings === "string");
    const found = indexes.filter(({ name }) => noted.has(name)).map((each) => ({ ...each, ...noted.get(each.name)! }));
    this.found = new Map(found.map((each) => [each.physical, each]));
  }

  /** Opens a copy, or makes it. Throws 409 for a folder of something else, and as an engine does that opens a data folder. */
  static async open(dataDir: string, cluster: string, warn: Warn): Promise<LocalCopy> {
    const folder = absolutePath(dataDir);
    const path = join(folder, FILE);
    const text = await readFile(path, "utf8").catch(() => undefined);
    const noted = text === undefined ? undefined : notedIn(text, cluster);
    const opened = await openStore({ folder, readOnly: false, durability: "interval", warn });
    const store = opened as WrittenFolder;
    if (text === undefined ? store.indexNames.length === 0 : noted !== undefined) {
      const copy = new LocalCopy(store, { path, cluster, warn, noted: noted ?? new Map() });
      if (text === undefined) await copy.commit(() => copy.write(new Map()));
      return copy;
    }
    await store.close();
    const msg = "dataDir is the folder of another cluster or of an engine without one; pass a folder of its own.";
    throw new SearchError(409, "storage_locked", msg, { param: "dataDir" });
  }

  /** Makes a change, unless an earlier one failed: then nothing of the copy is trusted by the next opening. */
  async commit(work: () => Promise<unknown>): Promise<void> {
    if (this.isBroken) return;
    try {
      await work();
    } catch (cause) {
      this.isBroken = true;
      clearTimeout(this.timer);
      await this.write(new Map()).catch(() => {});
      this.warn(storageWarning(NOT_KEPT, cause));
    }
  }

  /** Takes a name out of the file, until the next save, if the file has it for another physical index than this one. */
  async distrust(name: string, physical: string | undefined): Promise<void> {
    if (!this.noted.has(name) || this.noted.get(name)!.physical === physical) return;
    await this.commit(() => this.write(new Map([...this.noted].filter(([each]) => each !== name))));
  }

  /** Notes soon how far the indexes have come. */
  saveSoon(indexes: () => ReadonlyMap<string, CopiedIndex>): void {
    if (this.timer !== undefined || this.isBroken) return;
    this.timer = setTimeout(() => void this.save(indexes), SAVE_MS).unref();
  }

  /** Notes how far the indexes have come, once all of that is on the disk. */
  async save(indexes: () => ReadonlyMap<string, CopiedIndex>): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const noteOf = ({ physical, uuid, position }: CopiedIndex): CopiedIndex => ({ physical, uuid, position });
    const safe = new Map([...indexes()].map(([name, each]) => [name, noteOf(each)]));
    await this.commit(async () => {
      await this.store.flush();
      // A name may have gone to another one meanwhile.
      const now = indexes();
      await this.write(new Map([...safe].filter(([name, { physical }]) => now.get(name)?.physical === physical)));
    });
  }

  /** As {@link save}, and ends the copy: what still runs changes it no more. */
  async close(indexes: () => ReadonlyMap<string, CopiedIndex>): Promise<void> {
    await this.save(indexes);
    this.isBroken = true;
    await this.store.close().catch((cause: unknown) => this.warn(storageWarning(NOT_KEPT, cause)));
  }

  /** Removes the indexes that the cluster does not have any more. */
  async keepOnly(isThere: (name: string) => boolean): Promise<void> {
    const gone = this.store.indexNames.filter((name) => !isThere(name));
    if (gone.length > 0) await this.commit(() => this.store.commit(gone.map((name) => ({ name, isGone: true }))));
  }

  private async write(noted: LocalCopy["noted"]): Promise<void> {
    const text = JSON.stringify({ cluster: this.cluster, indexes: Object.fromEntries(noted) });
    await writeFile(`${this.path}.new`, text);
    await rename(`${this.path}.new`, this.path);
    this.noted = noted;
  }
}

/** What the file says; undefined: it is of another cluster. */
function notedIn(text: string, cluster: string): ReadonlyMap<string, CopiedIndex> | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    // Cut short: all is read anew.
    return new Map();
  }
  if (at(said, "cluster") !== cluster) return undefined;
  const indexes = Object.entries(objectIn(at(said, "indexes")) ?? {}) as [string, CopiedIndex][];
  return new Map(indexes.filter(([, { position }]) => Number.isSafeInteger(position)));
}
