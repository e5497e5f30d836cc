import { ownEntries } from "../base/checks.js";
import { type IndexSettings, SETTING_NAMES } from "./settings.js";

/** Things that do work are kept as they are; everything else is data, and copied. */
const WORKERS: readonly string[] = ["analyzer", "embedder"];

/** A copy of the settings that have a name we know; nothing of the caller's but analyzer and embedder is kept. */
export function copySettings(given: unknown): IndexSettings {
  const entries = given === undefined ? new Map<string, unknown>() : ownEntries(given, "settings", "invalid_settings");
  const known = SETTING_NAMES.filter((name) => entries.has(name));
  return Object.fromEntries(
    known.map((name) => [name, WORKERS.includes(name) ? entries.get(name) : structuredClone(entries.get(name))]),
  );
}
