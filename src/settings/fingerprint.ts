// A canonical text for settings. It shows whether an index that is opened again has the requested settings, and which work a
// change of settings requires.

import stringify from "fast-json-stable-stringify";
import type { Task } from "../util/tasks.js";
import type { ResolvedSettings } from "./resolved-settings.js";
import type { IndexSettings, ShownSettings } from "./settings.js";

/** The names of the settings that differ. */
export function* differingSettings(a: ShownSettings, b: ShownSettings): Task<string[]> {
  const differing: string[] = [];
  for (const name of Object.keys(a) as (keyof ShownSettings)[])
    if (!(yield* isAlike(a[name], b[name]))) differing.push(name);
  return differing;
}

/** Values compared, or written, between two pauses. */
const PAUSE_EVERY = 1024;

/** Whether plain data says the same, whatever the order of names. */
function* isAlike(a: unknown, b: unknown, seen = { values: 0 }): Task<boolean> {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = namesIn(a);
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== namesIn(b).length) return false;
  for (const name of names) {
    if (++seen.values % PAUSE_EVERY === 0) yield;
    const [mine, other] = [Reflect.get(a, name) as unknown, Reflect.get(b, name) as unknown];
    if (!Object.hasOwn(b, name) || (mine !== other && !(yield* isAlike(mine, other, seen)))) return false;
  }
  return true;
}

/** The names of what is not undefined. */
function namesIn(value: object): readonly string[] {
  return Object.keys(value).filter((name) => Reflect.get(value, name) !== undefined);
}

/** As {@link stableText}, with pauses. `isSorted: false`: the keys stand in their own order. */
export function* textInSteps(value: unknown, isSorted = true, seen = { values: 0 }): Task<string> {
  if (typeof value !== "object" || value === null) return stableText(value);
  const texts: string[] = [];
  if (Array.isArray(value)) {
    for (const each of value) {
      if (++seen.values % PAUSE_EVERY === 0) yield;
      texts.push(each === undefined ? "null" : yield* textInSteps(each, isSorted, seen));
    }
    return `[${texts.join(",")}]`;
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (isSorted) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, each] of entries) {
    if (++seen.values % PAUSE_EVERY === 0) yield;
    texts.push(`${stableText(name)}:${yield* textInSteps(each, isSorted, seen)}`);
  }
  return `{${texts.join(",")}}`;
}

/** JSON with sorted keys. */
export function stableText(value: unknown): string {
  return stringify(value);
}

/** Whether settings are given in the same words; functions must be the same objects. */
export function* givenAlike(a: IndexSettings, b: IndexSettings): Task<boolean> {
  const names = Object.keys(a) as (keyof IndexSettings)[];
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    const isPlain = name !== "analyzer" && name !== "embedder" && Object.hasOwn(b, name);
    if (a[name] !== b[name] && !(isPlain && (yield* isAlike(a[name], b[name])))) return false;
  }
  return true;
}

/** The settings that determine the embedded text. */
const EMBEDDING = [
  "embeddedAttributes",
  "searchableAttributes",
  "identifierAttributes",
  "idAttribute",
  "vectorAttribute",
  "dimensions",
] as const;

/** True when every record has the same vector under both settings. */
export function embedsAlike(a: ResolvedSettings, b: ResolvedSettings): boolean {
  return a.embedder === b.embedder && textOf(a.shown) === textOf(b.shown);
}

/** True when every record is indexed the same under both settings, so that the segments can be kept. */
export function indexesAlike(a: ResolvedSettings, b: ResolvedSettings): boolean {
  // Stored titles may remain unused, but titles that were not stored have to be indexed.
  const hasTitles = a.shown.titleEvidence || !b.shown.titleEvidence;
  return hasTitles && embedsAlike(a, b) && a.analyzer === b.analyzer && a.analyzerIds === b.analyzerIds;
}

function textOf(settings: ShownSettings): string {
  return stableText(EMBEDDING.map((name) => settings[name]));
}
