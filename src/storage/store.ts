// An open data folder, as an engine has it: the indexes that it found, and how far it has come. `written-folder` makes changes durable,
// `followed-folder` reads what another engine writes. What the files of a folder say is in `folder-content`.

import type { AttributeHistory } from "../docvalues/attribute-catalog.js";
import type { ChangeScope, SharedIndex } from "../state/durability.js";
import type { RestoredIndex } from "../state/index-data.js";
import type { LearnedFloor } from "../state/index-snapshot.js";
import type { StoredGraph } from "../state/keep-graph.js";
import type { LiveSegment, Segment } from "../state/segment.js";
import type { SearchError } from "../util/errors.js";
import type { SearchWarning } from "../util/extension-points.js";
import { hasReached, type Progress, positionOf } from "../util/position.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import {
  type DamagedIndex,
  type FolderContent,
  type KeptIndex,
  packKept,
  type SegmentLocation,
  unpackWritten,
} from "./folder-content.js";
import { acquireLock, type FolderLock } from "./folder-lock.js";
import type { GraphFile } from "./graph-file.js";

/** A change of one index: its content afterwards, and which parts of that are new. */
export interface IndexChange {
  readonly name: string;
  /** The settings as text, if they are new. */
  readonly settings: string | undefined;
  readonly segments: readonly Pick<LiveSegment, "segment" | "deletedDocs">[];
  /** True: what was remembered before, written attributes and deleted ids, is forgotten. */
  readonly isFresh: boolean;
  readonly written: AttributeHistory;
  readonly deletedIds: readonly string[];
  readonly floor: LearnedFloor | null;
  /** The undeclared attributes that queries used. */
  readonly used: readonly string[];
  readonly scope: ChangeScope;
  /** The attribute of the records' own vectors; null: their texts were embedded, or there are no vectors. */
  readonly vectorAttribute: string | null;
}

/** Where several engines keep the same indexes. */
export interface SharedStore {
  /** Makes changes where all engines see them, all together, and then in the data folder of this one, by `keep`. */
  commit(changes: readonly (IndexChange | IndexRemoval)[], keep: () => Promise<void>): Promise<void>;
  /** What the writer of an index needs to know of others. */
  sharedIndex(name: string): SharedIndex;
  /** After a write of this engine: shows what other engines wrote before it. */
  settle(name: string): Promise<void>;
  /** How far this engine has come. */
  readonly position: string;
}

/** An index that is deleted, or that has another name from now on. */
export interface IndexRemoval {
  readonly name: string;
  readonly isGone: true;
}

/** An index as the folder has it. */
export interface StoredIndex {
  readonly name: string;
  /** Their text, or why it cannot be read. */
  readonly settings: string | SearchError;
  /** Nothing that is known of an index of this name holds any more. */
  readonly isFresh: boolean;
  /** The number of live records. */
  readonly recordCount: number;
  /** The undeclared attributes that queries used. */
  readonly used?: readonly string[];
  /** Reads its segments. Rejects with 500 `storage_corrupt`. */
  readonly load: () => Promise<RestoredIndex>;
}

/** What opening found. */
export interface Recovery {
  /** The folder was not closed properly, or its end was dropped. */
  readonly recovered: boolean;
  /** Bytes of changes that were never acknowledged, and were dropped. */
  readonly droppedBytes: number;
  /**
   * The indexes of which a file is missing or damaged, as far as opening looks, and that file; absent: none. What needs it is 500
   * `storage_corrupt`.
   */
  readonly damagedIndexes?: readonly { readonly indexName: string; readonly file: string }[];
}

/** When a store writes what; tests use smaller ones. */
export interface StoreSizes {
  /** Segments of more bytes get a file at once; smaller ones stand in the log until the next checkpoint. */
  readonly inlineBytes: number;
  /** The log may grow to this many bytes before a checkpoint. */
  readonly logBytes: number;
  /** So many nodes of a graph may be missing in its file. */
  readonly graphNodes: number;
}

/** What a store stands on. */
export interface Disk {
  readonly files: FileSystem;
  readonly sizes: StoreSizes;
  /** Throws 409 `storage_locked`. */
  readonly lock: (folder: string) => Promise<FolderLock>;
}

/** The disk of this machine. */
export const nodeDisk: Disk = {
  files: nodeFileSystem,
  lock: acquireLock,
  sizes: { inlineBytes: 2 ** 22, logBytes: 2 ** 26, graphNodes: 1000 },
};

/** How to open a data folder. */
export interface StoreOptions extends Disk {
  /** An absolute path. */
  readonly folder: string;
  readonly readOnly: boolean;
  readonly durability: "sync" | "interval";
  readonly warn: (warning: SearchWarning) => void;
}

/** What `checkStorage` found. */
export interface StorageReport {
  readonly ok: boolean;
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** Looks at a file, and notes what is wrong with it. */
export type Look = (file: string, work: () => Promise<unknown>) => Promise<void>;

/** Closes or releases each of these, whatever fails: nothing depends on it any more. */
export async function releaseAll(
  held: readonly ({ close(): Promise<void> } | { release(): Promise<void> } | undefined)[],
): Promise<void> {
  for (const each of held) {
    if (each === undefined) continue;
    await ("close" in each ? each.close() : each.release()).catch(() => {});
  }
}

/** An open data folder. */
export abstract class Store {
  abstract readonly isReadOnly: boolean;
  /** The last change of what this store shows. */
  protected progress: Progress;
  protected readonly locations: WeakMap<Segment, SegmentLocation> = new WeakMap();
  /** What the opening found, until its indexes are taken. */
  private found: FolderContent | undefined;
  private readonly foundAtOpening: Recovery;
  private readonly damaged: DamagedIndex[];

  constructor(found: FolderContent, isNew = false) {
    this.found = found;
    this.progress = found.progress;
    const { isClosed, droppedBytes } = found.log;
    this.foundAtOpening = { recovered: !isClosed && !isNew, droppedBytes };
    this.damaged = [...found.damaged];
  }

  /** Ends the use of the folder. */
  abstract close(): Promise<void>;

  /** Looks at all files again. */
  protected abstract lookAtFiles(look: Look): Promise<void>;

  /** What opening found: a copy. */
  get recovery(): Recovery {
    const damagedIndexes = this.damaged.map((each) => ({ ...each }));
    return { ...this.foundAtOpening, ...(damagedIndexes.length > 0 && { damagedIndexes }) };
  }

  /** Remembers an index that could not be read at the opening. */
  noteDamage(index: DamagedIndex): void {
    if (!this.damaged.some(({ indexName }) => indexName === index.indexName)) this.damaged.push(index);
  }

  /** The indexes that the opening found, before any change. The second call gives none. */
  *takeIndexes(): Generator<StoredIndex> {
    const found = this.found;
    this.found = undefined;
    for (const [name, kept] of found?.indexes ?? []) yield this.storedIndex(name, kept, found!);
  }

  /** The last change of what this store shows, as a text: see `comparePositions`. */
  get position(): string {
    return positionOf(this.progress);
  }

  /** Whether this store shows a position. Throws 400 if it never will. */
  hasReached(position: string): boolean {
    return hasReached(this.progress, position);
  }

  /** An index of a folder as it was read. */
  protected storedIndex(
    name: string,
    { segments, written, deletedIds, graph, floor, used }: KeptIndex,
    { locations, graphs, settings }: FolderContent,
    isFresh = true,
  ): StoredIndex {
    // Copies, because changes of the index are applied to what is kept.
    const kept = segments.map(({ number, deleted }) => ({
      location: locations.get(number)!,
      deletedDocs: deleted?.copy() ?? null,
    }));
    const recordCount = segments.reduce((total, { size, deleted }) => total + size - (deleted?.count() ?? 0), 0);
    const file = graph === null ? undefined : graphs.get(graph.number)!;
    const rest = { packed: packKept(written), deletedIds: [...deletedIds], floor, used };
    return { name, settings: settings.get(name)!, isFresh, recordCount, used, load: this.loaderOf(kept, file, rest) };
  }

  /** Reads an index. A method of its own, so that what it returns keeps nothing of other indexes in memory. */
  private loaderOf(
    segments: readonly { readonly location: SegmentLocation; readonly deletedDocs: LiveSegment["deletedDocs"] }[],
    graph: GraphFile | undefined,
    {
      packed,
      ...rest
    }: Pick<RestoredIndex, "deletedIds" | "floor" | "used"> & { readonly packed: ReturnType<typeof packKept> },
  ): StoredIndex["load"] {
    return async () => ({
      ...{ written: unpackWritten(packed), ...rest },
      graph: graph && this.storedGraph(graph),
      segments: await Promise.all(
        segments.map(async ({ location, deletedDocs }) => ({ segment: await this.loaded(location), deletedDocs })),
      ),
    });
  }

  private storedGraph(file: GraphFile): StoredGraph {
    return {
      bytes: file.bytes,
      open: async (options, signal) => {
        const opened = await file.open(options, signal);
        return (
          opened && { ...opened, nodesOf: (segment) => opened.nodes.get(this.locations.get(segment)?.number ?? 0) }
        );
      },
    };
  }

  protected async loaded(location: SegmentLocation): Promise<Segment> {
    const segment = await location.load();
    this.locations.set(segment, location);
    return segment;
  }

  /** Reads all files again and tells what is wrong with them. */
  async checkFiles(): Promise<StorageReport> {
    const problems: StorageReport["problems"][number][] = [];
    await this.lookAtFiles(async (file, work) => {
      try {
        await work();
      } catch (error) {
        problems.push({ file, message: error instanceof Error ? error.message : String(error) });
      }
    });
    return { ok: problems.length === 0, problems };
  }
}
