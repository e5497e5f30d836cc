// What of a record a hit shows: paths, `*`, `-path`. Own properties only; arrays of objects are walked item by item.

import type { JsonRecord, JsonValue } from "../base/json.js";

/** The parts of a record that `attributesToRetrieve` names; undefined: all. Takes a fresh copy, which it may return. */
export function projectRecord(record: JsonRecord, paths: readonly string[] | undefined): JsonRecord {
  if (paths === undefined) return record;
  const hidden = paths.filter((path) => path.startsWith("-") && path.length > 1).map((path) => path.slice(1));
  const shown = paths.filter((path) => !path.startsWith("-"));
  // Only exclusions: everything else is shown.
  const whole = shown.includes("*") || (shown.length === 0 && hidden.length > 0);
  let projected: JsonValue = whole ? record : (pick(record, shown) ?? {});
  for (const path of hidden) projected = omit(projected, path, record);
  return projected as JsonRecord;
}

/** What is left of a path behind a name; undefined: it leads elsewhere. A name with dots is the steps it spells. */
function behind(path: string, name: string, names: JsonRecord): string | undefined {
  if (path === name) return "";
  // An attribute whose own name is the whole path wins.
  if (!path.startsWith(`${name}.`) || Object.hasOwn(names, path)) return undefined;
  return path.slice(name.length + 1);
}

function pick(value: JsonValue, paths: readonly string[]): JsonValue | undefined {
  if (paths.includes("")) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => pick(item, paths)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const names = value as JsonRecord;
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of Object.entries(names)) {
    const deeper = paths.map((path) => behind(path, name, names)).filter((path) => path !== undefined);
    const picked = deeper.length === 0 ? undefined : pick(inner, deeper);
    if (picked !== undefined) entries.push([name, picked]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** `whole`: what `value` was before anything was left out; its own names decide where a path leads. */
function omit(value: JsonValue, path: string, whole: JsonValue = value): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => omit(item, path));
  if (typeof value !== "object" || value === null) return value;
  const names = whole as JsonRecord;
  const entries: [string, JsonValue][] = [];
  for (const [name, inner] of Object.entries(value as JsonRecord)) {
    const deeper = behind(path, name, names);
    if (deeper !== "") entries.push([name, deeper === undefined ? inner : omit(inner, deeper)]);
  }
  return Object.fromEntries(entries);
}
