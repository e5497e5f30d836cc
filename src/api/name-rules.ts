// The rules of index names: which are valid, and when an existing index may be opened by its name.

import type { SettingsPair } from "../input/extension-ids.js";
import { differingSettings } from "../settings/fingerprint.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { SearchError, show } from "../util/errors.js";
import type { Limits } from "../util/limits.js";
import type { Task } from "../util/tasks.js";

/** A message names at most so many settings. */
const MOST_NAMED = 5;

const INDEX_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Throws 400 `invalid_index_name`. */
export function checkIndexName(name: unknown, limits: Limits): void {
  if (isIndexName(name, limits)) return;
  const expected = `1 to ${limits.indexName} of A-Z a-z 0-9 . _ - that do not begin with a dot`;
  const msg = `The index name is ${show(name)}; use ${expected}.`;
  throw new SearchError(400, "invalid_index_name", msg, { param: "indexName" });
}

/** Whether an index may have a name. */
export function isIndexName(name: unknown, { indexName }: Limits): boolean {
  return typeof name === "string" && name.length <= indexName && INDEX_NAME.test(name);
}

/** 404: no index has this name, or no longer. */
export function notFound(name: unknown): SearchError {
  const msg = `There is no index ${show(name)}; create it with createIndex.`;
  return new SearchError(404, "index_not_found", msg, { param: "indexName" });
}

/** 409: the name is taken. `other`: what a caller may pass as `ifExists`. */
export function indexExists(name: string, other: "open" | "replace" = "open"): SearchError {
  const msg = `The index ${show(name)} exists; use another name, delete it, or pass { ifExists: "${other}" }.`;
  return new SearchError(409, "index_exists", msg, { param: "indexName" });
}

/** Throws 409 `settings_differ` when an existing index is opened with settings that are not its own. */
export function* checkSameSettings(
  { name, data }: { readonly name: string; readonly data: SettingsPair },
  asked: object,
  resolved: ResolvedSettings,
): Task<void> {
  if (Object.keys(asked).length === 0) return;
  const differing = yield* differingSettings(data.settings.shown, resolved.shown);
  if (differing.length === 0) return;
  // Of the others the reader knows nothing: their defaults depend on these.
  const named = new Set([...Object.keys(data.given), ...Object.keys(asked)]);
  const known = [...named].filter((each) => differing.includes(each === "semanticWeight" ? "fusion" : each)).sort();
  const settings = known.length > 0 ? known : differing;
  const more = settings.length > MOST_NAMED ? ` and ${settings.length - MOST_NAMED} more` : "";
  const names = settings.slice(0, MOST_NAMED).join(", ") + more;
  const msg = `The index ${show(name)} exists with other settings: ${names}. Pass { ifExists: "update" } or call updateSettings to change them, or open it without settings.`;
  throw new SearchError(409, "settings_differ", msg, { param: "settings", details: { settings } });
}
