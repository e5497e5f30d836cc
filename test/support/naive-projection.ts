// What a hit shows of its record: every leaf is kept or not by the names on the way to it.

import type { JsonRecord, JsonValue } from "../../src/index.js";

/** The parts of a record that are asked for: paths, `*` for all, `-path` for all but; an attribute's whole name wins. */
export function project(record: JsonRecord, wanted: readonly string[] | undefined): JsonRecord {
  if (wanted === undefined) return record;
  const stepsOf = (path: string): string[] => (Object.hasOwn(record, path) ? [path] : path.split("."));
  const hidden = wanted.filter((path) => path.length > 1 && path.startsWith("-")).map((path) => stepsOf(path.slice(1)));
  const shown = wanted.filter((path) => !path.startsWith("-"));
  const all = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
  const kept = all ? record : ((keep(record, shown.map(stepsOf), []) ?? {}) as JsonRecord);
  return drop(kept, hidden, []) as JsonRecord;
}

/** Undefined: nothing of it is asked for. */
function keep(value: JsonValue, paths: readonly string[][], at: readonly string[]): JsonValue | undefined {
  if (paths.some((path) => isSame(path, at))) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => keep(item, paths, at)).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
    const found = keep(inner, paths, [...at, name]);
    return found === undefined ? [] : [[name, found]];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function drop(value: JsonValue, paths: readonly string[][], at: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => drop(item, paths, at));
  if (typeof value !== "object" || value === null) return value;
  const left = Object.entries(value).filter(([name]) => !paths.some((path) => isSame(path, [...at, name])));
  return Object.fromEntries(left.map(([name, inner]) => [name, drop(inner, paths, [...at, name])]));
}

function isSame(path: readonly string[], at: readonly string[]): boolean {
  return path.length === at.length && path.every((step, i) => step === at[i]);
}
