import { ownEntries } from "../base/checks.js";
import { type IndexSettings, SETTING_NAMES } from "./settings.js";

/** Things that do work are kept as they are; everything else is data, and copied. */
const WORKERS: readonly string[] = ["analyzer", "embedder"];

/** A copy of settings, each read once; nothing of the caller's but analyzer and embedder is kept. Unknown names stay, for the
 * checks to speak of. */
export function copySettings(given: unknown): IndexSettings {
  const entries = given === undefined ? new Map<string, unknown>() : ownEntries(given, "settings", "invalid_settings");
  return Object.fromEntries([...entries].map(([name, value]) => [name, WORKERS.includes(name) ? value : copy(value)]));
}

/** The settings among these that have a name we know. */
export function knownSettings(settings: IndexSettings): IndexSettings {
  return Object.fromEntries(
    SETTING_NAMES.filter((name) => Object.hasOwn(settings, name)).map((name) => [name, settings[name]]),
  );
}

function copy(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value; // no data (a function, a proxy): the checks read it themselves, and refuse it where it is wrong
  }
}
