// A canonical text for settings. It shows whether an index that is opened again has the requested settings, and which work a
// change of settings requires.

import stringify from "fast-json-stable-stringify";
import type { CheckedSettings, IndexSettings, ResolvedSettings } from "./settings.js";

/** The effective settings as text with sorted keys; equal exactly for equal settings. */
export function settingsFingerprint(settings: CheckedSettings): string {
  return stableText(settings);
}

/** The names of the settings that differ. */
export function differingSettings(a: CheckedSettings, b: CheckedSettings): string[] {
  const names = Object.keys(a) as (keyof CheckedSettings)[];
  return names.filter((name) => stableText(a[name]) !== stableText(b[name]));
}

/** The types of the package omit its options. Without options of ours, it would read them from Object.prototype. */
const write = stringify as (value: object, options: object) => string;
const OPTIONS = Object.freeze(Object.assign(Object.create(null) as object, { cycles: false }));

const PROTOTYPES: readonly object[] = [Object, Array, String, Number, Boolean].map(({ prototype }) => prototype);

/** JSON with sorted keys, whatever stands on Object.prototype. */
export function stableText(value: unknown): string {
  // Settings are plain data, so that a `toJSON` that is called can be inherited only.
  const isShielded = PROTOTYPES.some((prototype) => "toJSON" in prototype);
  return write(isShielded ? shielded(value) : (value as object), OPTIONS);
}

/** Gives the value its own `toJSON` at every level, because the package would call one of Object.prototype. */
function shielded(value: unknown): object {
  const inner = Array.isArray(value)
    ? value.map(shielded)
    : typeof value === "object" && value !== null
      ? Object.assign(Object.create(null), Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shielded(v)])))
      : value;
  return Object.assign(Object.create(null) as object, { toJSON: () => inner });
}

/** Whether settings are given in the same words; functions must be the same objects. */
export function givenAlike(a: IndexSettings, b: IndexSettings): boolean {
  const names = Object.keys(a) as (keyof IndexSettings)[];
  const isSame = (name: keyof IndexSettings): boolean =>
    a[name] === b[name] ||
    (name !== "analyzer" &&
      name !== "embedder" &&
      Object.hasOwn(b, name) &&
      stableText(a[name]) === stableText(b[name]));
  return names.length === Object.keys(b).length && names.every(isSame);
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
  return a.embedder === b.embedder && textOf(a.effective) === textOf(b.effective);
}

/** True when every record is indexed the same under both settings, so that the segments can be kept. */
export function indexesAlike(a: ResolvedSettings, b: ResolvedSettings): boolean {
  // Stored titles may remain unused, but titles that were not stored have to be indexed.
  const hasTitles = a.effective.titleEvidence || !b.effective.titleEvidence;
  return hasTitles && embedsAlike(a, b) && a.analyzer === b.analyzer;
}

function textOf(settings: CheckedSettings): string {
  return stableText(EMBEDDING.map((name) => settings[name]));
}
