// The rules of index names: which are valid, and when an existing index may be opened by its name.

import { settingsFingerprint } from "../settings/fingerprint.js";
import type { ResolvedSettings } from "../settings/settings.js";
import { SearchError } from "../util/errors.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";

const INDEX_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Throws 400 `invalid_index_name`. */
export function checkIndexName(name: unknown, limits: Limits): void {
  if (typeof name === "string" && name.length <= limits.indexName && INDEX_NAME.test(name)) return;
  const expected = `1 to ${limits.indexName} of A-Z a-z 0-9 . _ - that do not begin with a dot`;
  const msg = `The index name is ${show(name)}; use ${expected}.`;
  throw new SearchError(400, "invalid_index_name", msg, { param: "indexName" });
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

interface NamedSettings {
  readonly name: string;
  readonly settings: ResolvedSettings;
}

/** Throws 409 `settings_differ` when an existing index is opened with settings that are not its own. */
export function checkSameSettings({ name, settings }: NamedSettings, asked: unknown, resolved: ResolvedSettings): void {
  if (asked === undefined || Object.keys(asked as object).length === 0) return;
  if (settingsFingerprint(settings.effective) === settingsFingerprint(resolved.effective)) return;
  const msg = `The index ${show(name)} exists with other settings; open it without settings, or delete it first.`;
  throw new SearchError(409, "settings_differ", msg, { param: "settings" });
}
