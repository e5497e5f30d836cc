// The engine that is evaluated: any with the verbs that are needed, by default the process's own.

import {
  browseRecords,
  copyIndex,
  createIndex,
  deleteIndex,
  getRecords,
  getSettings,
  listIndexes,
  query,
  updateSettings,
} from "../default-engine.js";
import { SearchEngine } from "../search-engine.js";

/** The verbs of an engine that an evaluation uses. */
export type EvaluatedEngine = Pick<
  SearchEngine,
  | "query"
  | "getSettings"
  | "updateSettings"
  | "createIndex"
  | "copyIndex"
  | "deleteIndex"
  | "listIndexes"
  | "getRecords"
  | "browseRecords"
>;

/** The process's own engine. */
export const DEFAULT_ENGINE: EvaluatedEngine = {
  query,
  getSettings,
  updateSettings,
  createIndex,
  copyIndex,
  deleteIndex,
  listIndexes,
  getRecords,
  browseRecords,
};

/** True for what has the verbs. */
export function isEngine(value: unknown): value is SearchEngine {
  return value instanceof SearchEngine;
}
