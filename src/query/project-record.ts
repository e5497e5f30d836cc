// What of a record a hit shows: paths, `*`, `-path`. Own properties only; arrays of objects are walked item by item.

import type { JsonRecord, JsonValue } from "../base/json.js";

/** The parts of a record that `attributesToRetrieve` names; undefined: all. Takes a fresh copy, which it may return. */
export function projectRecord(record: JsonRecord, paths: readonly string[] | undefined): JsonRecord {
  if (paths === undefined) return record;
  const hidden = paths.filter((path) => path.startsWith("-") && path.length > 1).map((path) => path.slice(1));
  const shown = paths.filter((path) => !path.startsWith("-"));
  // Only exclusions: everything else is shown.
  const whole = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
  let projected: JsonValue | undefined = whole ? record : pick(record, shown.map(split(record)));
  for (const path of hidden.map(split(record))) projected = omit(projected ?? {}, path);
  return (projected ?? {}) as JsonRecord;
}

/** A path as its names; an attribute whose own name is the whole path wins. */
function split(record: JsonRecord): (path: string) => readonly string[] {
  return (path) => (Object.hasOwn(record, path) ? [path] : path.split("."));
}

function pick(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue | undefined {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => pick(item, paths)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of Object.entries(value as JsonRecord)) {
    const deeper = paths.filter((path) => path[0] === name).map((path) => path.slice(1));
    const picked = deeper.length === 0 ? undefined : pick(inner, deeper);
    if (picked !== undefined) entries.push([name, picked]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function omit(value: JsonValue, path: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => omit(item, path));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonRecord)
    .filter(([name]) => !(path.length === 1 && name === path[0]))
    .map(([name, inner]): [string, JsonValue] => [name, name === path[0] ? omit(inner, path.slice(1)) : inner]);
  return Object.fromEntries(entries);
}
