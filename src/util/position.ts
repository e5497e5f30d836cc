// Positions of engines that have the same data folder: how far each has come in the changes of it.

import { SearchError } from "./errors.js";
import { show } from "./show.js";

const POSITION = /^([0-9a-f]{32})-(\d{1,15})$/;

/** The position after the change of a number, in the folder of an id of 16 bytes. */
export function positionOf(storeId: Uint8Array, sequence: number): string {
  return `${Array.from(storeId, (byte) => byte.toString(16).padStart(2, "0")).join("")}-${sequence}`;
}

/** Whether a value looks like a position. */
export function isPosition(value: unknown): value is string {
  return typeof value === "string" && POSITION.test(value);
}

/**
 * Compares two positions of engines that have the same data folder, also across checkpoints and engines that write to it one after the
 * other: below 0 if `a` comes before `b`, 0 if they are equal, else above 0.
 *
 * @throws SearchError 400 `invalid_position`: one is no position, or they are of different folders
 * @example
 * if (comparePositions(reader.position(), writer.position()) < 0) await reader.refresh();
 */
export function comparePositions(a: string, b: string): number {
  const [first, second] = [partsOf(a, "a"), partsOf(b, "b")];
  if (first.store !== second.store) throw invalidPosition("b", b, "one of the same data folder as the other");
  return first.sequence - second.sequence;
}

function partsOf(position: unknown, param: string): { readonly store: string; readonly sequence: number } {
  if (!isPosition(position)) throw invalidPosition(param, position, "a text that position() gave");
  const [, store, sequence] = POSITION.exec(position)!;
  return { store: store!, sequence: Number(sequence) };
}

function invalidPosition(param: string, position: unknown, expected: string): SearchError {
  return new SearchError(400, "invalid_position", `${param} is ${show(position)}; pass ${expected}.`, { param });
}
