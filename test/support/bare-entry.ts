import type { WrittenEntry } from "../../src/state/record-table.js";

/** An entry of which only the JSON is at hand. */
export function bareEntry(id: string, json: string): WrittenEntry {
  return { id, json, vector: undefined, position: undefined };
}
