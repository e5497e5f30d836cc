// What keeps an index beyond the process: it makes each change durable before anyone sees it. Where other engines write to the same index,
// a change may be refused, because one of them was faster; then it is made again, on what that one wrote.

import { AttributeHistory } from "../docvalues/attribute-catalog.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import { SearchError, show } from "../util/errors.js";
import { pauseFor } from "../util/tasks.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import type { EngineContext } from "./engine-activity.js";
import type { IndexData } from "./index-data.js";
import type { IndexSnapshot, SnapshotChange } from "./index-snapshot.js";
import type { GraphStorage } from "./keep-graph.js";
import type { WrittenEntry } from "./record-table.js";
import type { Segment } from "./segment.js";

/** The options of the engine, the initial settings of the index, and what keeps it. */
export interface IndexWriterContext extends EngineContext {
  /** For messages. */
  readonly name?: string;
  readonly settings: ResolvedSettings;
  /** The settings as the caller passed them. */
  readonly given: IndexSettings;
  /** undefined: the index is in memory only. */
  readonly durability?: Durability | undefined;
  /** What each write waits for: the loading of an index from its data folder. undefined: it is there. */
  readonly whenLoaded?: () => Promise<void> | undefined;
  /** Called when all of the index is replaced: what was still to be loaded is not needed any more. */
  readonly wasReplaced?: () => void;
  /** Aborted, with the error to throw, when writes stop waiting for embedders; undefined: never. */
  readonly patience?: AbortSignal | undefined;
}

/** Makes the changes of an index durable before anyone sees them. */
export interface Durability {
  /** Rejects if that fails; then the change is not published. */
  commit(change: PreparedChange): Promise<void>;
  /** As {@link commit}, for a change that was not promised to anybody: a power cut may take it. */
  note(change: PreparedChange): Promise<void>;
  /** Whether a segment is so large that it gets a file of its own. */
  isLarge(segment: Segment): boolean;
  /** Writes a large segment to its file, so that the commit that names it need not wait for it. */
  prepare(segment: Segment): Promise<void>;
  /** Removes the file of a segment that no commit names. */
  discard(segment: Segment): Promise<void>;
  /** undefined: graphs are not stored. */
  readonly graphs?: GraphStorage | undefined;
  /** undefined: no other engine writes. */
  readonly shared?: SharedIndex | undefined;
}

/** A change that is about to be published. */
export interface PreparedChange {
  /** The settings afterwards. */
  readonly data: IndexData;
  /** The records afterwards. */
  readonly snapshot: IndexSnapshot;
  /** Whether `data` is new: then what the index remembered before is forgotten. */
  readonly isFresh: boolean;
  /** The attributes and deleted ids to remember. */
  readonly written: AttributeHistory;
  readonly deletedIds: readonly string[];
  readonly scope: ChangeScope;
}

/** Which part of an index a change concerns. */
export type ChangeScope =
  /** Some records; `isConditional`: those that were read, which must still be as they were, or else it is a {@link WriteConflict}. */
  | {
      readonly kind: "records";
      readonly before: IndexSnapshot;
      readonly change: SnapshotChange;
      readonly isConditional: boolean;
    }
  /** The settings, under which the records and their vectors stay; they must still be as they were read. */
  | { readonly kind: "settings" }
  /**
   * All of it. Where other engines write too, what they wrote `since` then stands; or, with `build`, what they wrote that this engine has
   * not seen: it makes segments of it under the new settings.
   */
  | {
      readonly kind: "all";
      readonly since?: unknown;
      readonly build?: (json: readonly string[]) => Promise<readonly Segment[]>;
    }
  /** Nothing that another engine would see, or what it wrote itself. */
  | { readonly kind: "own" };

/** The change to data that holds everything already. */
export function freshChange(data: IndexData, scope: ChangeScope = { kind: "all" }): PreparedChange {
  const { snapshot, written } = data;
  return { data, snapshot, isFresh: true, written, deletedIds: data.deletedIds(), scope };
}

/** Nothing new but the segments that were merged. */
export function noChange(data: IndexData): PreparedChange {
  return { ...freshChange(data, { kind: "own" }), isFresh: false, written: new AttributeHistory(), deletedIds: [] };
}

/** Other engines write to the same index. */
export interface SharedIndex {
  /** Applies what they wrote by now. To be called in a turn. `ids`: of those elsewhere, takes these; `isWhole`: with what they say. */
  catchUp(ids?: readonly string[], isWhole?: boolean): Promise<void>;
  /** How many records there are where this process has none but those that it is about to write; undefined: it has all. */
  countElsewhere(): number | undefined;
  /** How far that has come, for a replacement. */
  mark(): unknown;
  /** For so many milliseconds a call tries again what other engines change at the same time. */
  readonly patienceMs: number;
}

/** What another engine wrote to the records of an index. */
export interface ForeignRecords {
  /** Sorted by id, and distinct. */
  readonly entries: readonly WrittenEntry[];
  /** The vectors of their texts, by id; undefined: the records bring their own, or there are none. */
  readonly vectors: ReadonlyMap<string, UnitVector> | undefined;
  /** Sorted. */
  readonly deletedIds: readonly string[];
}

/** Some records were not written, because another engine wrote them since they were read. Those that were written come by `catchUp`. */
export class WriteConflict extends Error {
  readonly ids: ReadonlySet<string>;

  /** `ids`: of these records; none: of the settings. */
  constructor(ids: ReadonlySet<string>) {
    super("Another engine wrote meanwhile.");
    this.ids = ids;
  }
}

/** The longest pause before another attempt to change what other engines change at the same time. */
const LONGEST_PAUSE_MS = 50;

/**
 * Does a write, and does it again for as long as another engine writes the same at the same time. Throws 409 `version_conflict` when the time for that, which begins with the first conflict, is over.
 */
export async function retryOnConflict<T>(shared: SharedIndex | undefined, write: () => Promise<T>): Promise<T> {
  for (let ends: number | undefined; ; ) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      ends ??= performance.now() + shared!.patienceMs;
      if (performance.now() > ends) throw versionConflict([...error.ids]);
      await pauseFor(Math.random() * LONGEST_PAUSE_MS, []);
    }
  }
}

/** Other engines changed the same records, or the settings, again and again. */
function versionConflict(ids: readonly string[]): SearchError {
  const what = ids.length === 0 ? "the settings" : `the record ${show(ids[0])}`;
  const rest = ids.length === 0 ? "" : " with the records of details.recordIds, since all others were written";
  const msg = `Other processes changed ${what} again and again during the call; call again${rest}.`;
  return new SearchError(409, "version_conflict", msg, { param: "records", details: { recordIds: ids } });
}
