// Positions of engines that have the same data folder: how far each has come in the changes of it.
//
// Changes are numbered. The numbers go on through checkpoints and writers, so a folder that was restored from a backup comes to the
// numbers of the changes that it lost. What tells them apart is the history: each engine that writes draws one of its own, because
// two engines that go on from copies of one folder are the beginning of two histories.

import { SearchError, show } from "./errors.js";

/** An id of 32 hexadecimal digits, 16 digits of a history (absent before the first change), and a number. */
const POSITION = /^([0-9a-f]{32})((?:[0-9a-f]{16})?)-(\d{1,15})$/;
/** The id of a cluster of so many digits, and what stands for its indexes, each with a number. */
const CLUSTER_DIGITS = 32;
const IN_CLUSTER = /^[0-9a-f]{32}:(?:[0-9a-f]{16}=-?\d{1,15}(?:,[0-9a-f]{16}=-?\d{1,15})*)?$/;
/** So many histories of a folder are remembered. */
const MOST_HISTORIES = 100;
const NO_SUCH_CHANGE =
  "a position of what the data folder has now: this one is of another folder, or of changes that were lost when the files of the folder were replaced, as by a backup";

/** The changes that one engine wrote: from the one with the number `first` on, to the first of the next history. */
export type History = { readonly id: string; readonly first: number };

/** How far a data folder has come. */
export interface Progress {
  /** The id of the folder: 16 bytes. */
  readonly storeId: Uint8Array;
  /** The last ones, in order. */
  readonly histories: readonly History[];
  /** The number of the last change. */
  readonly sequence: number;
}

/** The progress after the change of a number, by the engine of a history; absent in older folders. */
export function advanced({ histories, ...rest }: Progress, sequence: number, id = ""): Progress {
  if (id === lastOf(histories)) return { ...rest, histories, sequence };
  return { ...rest, histories: [...histories, { id, first: sequence }].slice(-MOST_HISTORIES), sequence };
}

function lastOf(histories: readonly History[]): string {
  return histories.at(-1)?.id ?? "";
}

/** The position after the last change. */
export function positionOf({ storeId, histories, sequence }: Progress): string {
  return `${Buffer.from(storeId).toString("hex")}${lastOf(histories)}-${sequence}`;
}

/**
 * Where a folder that has come so far has a position: behind it ("there"), not yet ("ahead"), or never, because the position is of another
 * folder or history. What is older than the histories that are remembered is "unknown".
 */
export function whereIs(
  position: string,
  { storeId, histories, sequence }: Progress,
): "there" | "ahead" | "never" | "unknown" {
  const asked = partsOf(position, "position");
  if (asked.store !== Buffer.from(storeId).toString("hex")) return "never";
  const found = histories.findLast(({ first }) => first <= asked.sequence)?.id;
  if (found === undefined && histories.length === MOST_HISTORIES) return "unknown";
  if ((found ?? "") !== asked.history) return "never";
  return asked.sequence > sequence ? "ahead" : "there";
}

/** Whether a folder that has come so far has a position. Throws 400 if it never will. */
export function hasReached(progress: Progress, position: string): boolean {
  const place = whereIs(position, progress);
  if (place === "never") throw invalidPosition("atLeast", position, NO_SUCH_CHANGE);
  return place !== "ahead";
}

/** Whether a value looks like a position. */
export function isPosition(value: unknown): value is string {
  return typeof value === "string" && (POSITION.test(value) || IN_CLUSTER.test(value));
}

/** How far an engine has come in a cluster. */
export interface ClusterProgress {
  /** 32 hexadecimal digits that tell the cluster from others. */
  readonly cluster: string;
  /** By 16 digits that stand for an index: the number of the last change. */
  readonly indexes: ReadonlyMap<string, number>;
}

/** The position of an engine in a cluster. */
export function clusterPosition({ cluster, indexes }: ClusterProgress): string {
  const parts = [...indexes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([index, change]) => `${index}=${change}`);
  return `${cluster}:${parts.join(",")}`;
}

/** What a position in a cluster says. Throws 400 for one of another cluster, or of a data folder. */
export function progressIn(position: string, cluster: string): ClusterProgress {
  if (!IN_CLUSTER.test(position) || !position.startsWith(cluster))
    throw invalidPosition("atLeast", position, "a position of an engine of this cluster");
  return { cluster, indexes: changesIn(position) };
}

function changesIn(position: string): ReadonlyMap<string, number> {
  const parts = position
    .slice(CLUSTER_DIGITS + 1)
    .split(",")
    .filter((part) => part !== "");
  return new Map(parts.map((part) => part.split("=") as [string, string]).map(([index, n]) => [index, Number(n)]));
}

/** As {@link comparePositions}, of the indexes that both positions have. */
function compareInCluster(a: string, b: string): number {
  if (!IN_CLUSTER.test(a) || !IN_CLUSTER.test(b) || a.slice(0, CLUSTER_DIGITS) !== b.slice(0, CLUSTER_DIGITS))
    throw invalidPosition("b", b, "one of the same cluster as the other");
  const [first, second] = [changesIn(a), changesIn(b)];
  const signs = new Set<number>();
  for (const [index, change] of first) {
    const other = second.get(index);
    if (other !== undefined && other !== change) signs.add(Math.sign(change - other));
  }
  if (signs.size > 1) throw invalidPosition("b", b, "one that comes before the other, or after it, in each index");
  return [...signs][0] ?? Math.sign(first.size - second.size);
}

/**
 * Compares two positions of engines that have the same data folder, also across checkpoints and engines that write to it one after the
 * other, or the same cluster: below 0 if `a` comes before `b`, 0 if they are equal, else above 0. If a backup took the place of the files
 * in between, equal numbers are refused, and others are compared as if nothing had been lost. In a cluster, one of the two has to be
 * before the other, or equal, in each index that both have; one that has more indexes comes later.
 *
 * @throws SearchError 400 `invalid_position`: one is no position, or they are of different folders, or of changes of which one was lost
 * @example
 * if (comparePositions(reader.position(), writer.position()) < 0) await reader.refresh();
 */
export function comparePositions(a: string, b: string): number {
  if (isPosition(a) && isPosition(b) && (IN_CLUSTER.test(a) || IN_CLUSTER.test(b))) return compareInCluster(a, b);
  const [first, second] = [partsOf(a, "a"), partsOf(b, "b")];
  if (first.store !== second.store) throw invalidPosition("b", b, "one of the same data folder as the other");
  if (first.sequence === second.sequence && first.history !== second.history)
    throw invalidPosition("b", b, "one of the same history as the other: one of the two changes was lost");
  return first.sequence - second.sequence;
}

function partsOf(position: unknown, param: string): { store: string; history: string; sequence: number } {
  if (!isPosition(position)) throw invalidPosition(param, position, "a text that position() gave");
  const [, store, history, sequence] = POSITION.exec(position)!;
  return { store: store!, history: history!, sequence: Number(sequence) };
}

function invalidPosition(param: string, position: unknown, expected: string): SearchError {
  return new SearchError(400, "invalid_position", `${param} is ${show(position)}; pass ${expected}.`, { param });
}
