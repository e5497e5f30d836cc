// One text for equal settings: how an index that is opened again is compared with what is asked for.

import stringify from "fast-json-stable-stringify";
import type { EffectiveSettings } from "./settings.js";

/** The settings in force as text, keys in order; equal exactly for equal settings. */
export function settingsFingerprint(settings: EffectiveSettings): string {
  return stringify(settings);
}
