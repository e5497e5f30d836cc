// One text for equal settings: whether an index that is opened again has the settings asked for, and what a change of
// settings asks for.

import stringify from "fast-json-stable-stringify";
import type { EffectiveSettings, ResolvedSettings } from "./settings.js";

/** The settings in force as text, keys in order; equal exactly for equal settings. */
export function settingsFingerprint(settings: EffectiveSettings): string {
  return stringify(settings);
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
  return embedsAlike(a, b) && a.analyzer === b.analyzer;
}

function textOf(settings: EffectiveSettings): string {
  return stringify(EMBEDDING.map((name) => settings[name]));
}
