// One text for equal settings: whether an index that is opened again has the settings asked for, and what a change of
// settings asks for.

import stringify from "fast-json-stable-stringify";
import type { CheckedSettings, ResolvedSettings } from "./settings.js";

/** The settings in force as text, keys in order; equal exactly for equal settings. */
export function settingsFingerprint(settings: CheckedSettings): string {
  return stableText(settings);
}

/** The package's types leave its options out; without any it would read them from Object.prototype. */
const write = stringify as (value: object, options: object) => string;
const OPTIONS = Object.freeze(Object.assign(Object.create(null) as object, { cycles: false }));

function stableText(value: unknown): string {
  return write(shielded(value), OPTIONS);
}

/** The value with a `toJSON` of its own at every level: the writer would obey one that stands on Object.prototype. */
function shielded(value: unknown): object {
  const inner = Array.isArray(value)
    ? value.map(shielded)
    : typeof value === "object" && value !== null
      ? Object.assign(Object.create(null), Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shielded(v)])))
      : value;
  return Object.assign(Object.create(null) as object, { toJSON: () => inner });
}

/** What decides the text that is embedded, and by what. */
const EMBEDDING = [
  "embeddedAttributes",
  "searchableAttributes",
  "identifierAttributes",
  "idAttribute",
  "vectorAttribute",
  "dimensions",
] as const;

/** True when every record would be embedded as before. */
export function embedsAlike(a: ResolvedSettings, b: ResolvedSettings): boolean {
  return a.embedder === b.embedder && textOf(a.effective) === textOf(b.effective);
}

/** True when every record would be indexed as before, so that the segments can stay. */
export function indexesAlike(a: ResolvedSettings, b: ResolvedSettings): boolean {
  // Titles that are kept and not asked for are no harm; those that were not kept have to be read.
  const hasTitles = a.effective.titleEvidence || !b.effective.titleEvidence;
  return hasTitles && embedsAlike(a, b) && a.analyzer === b.analyzer;
}

function textOf(settings: CheckedSettings): string {
  return stableText(EMBEDDING.map((name) => settings[name]));
}
