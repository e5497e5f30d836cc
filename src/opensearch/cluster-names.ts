// What the indexes of an engine are called in the cluster. An index is an alias of a physical one, so that another can take its place at
// once. Each physical index has a field of its own, its fence: every document that is written names it, so that what is meant for one
// physical index is refused by another one that has its alias by now.

import { createHash, randomBytes } from "node:crypto";
import { SearchError, show } from "../util/errors.js";
import { utf8Length } from "../util/json.js";

const PLAIN = /[a-z0-9.-]/;

/** Stands between the prefix and a name; no name of an index is written so, so that no prefix begins another one's names. */
export const BEHIND_PREFIX = "_-";
/** The cluster takes names of 255 bytes, and physical ones are longer than aliases. */
const LONGEST_ALIAS = 200;
/** The cluster takes ids of so many bytes. */
const LONGEST_ID = 512;
const PHYSICAL = /~([0-9a-z]+)-[0-9a-f]+$/;

/** The alias of an index, behind the start of all. The cluster takes lower case alone: `_a` is `A`, and `__` is `_`. Throws 400 for a name that is too long. */
export function aliasOf(start: string, name: string): string {
  const alias = start + Array.from(name, (c) => (PLAIN.test(c) ? c : `_${c.toLowerCase()}`)).join("");
  if (alias.length <= LONGEST_ALIAS) return alias;
  const msg = `The index name ${show(name)} is too long in a cluster, where each capital and each _ counts twice; shorten it.`;
  throw new SearchError(400, "invalid_index_name", msg, { param: "indexName" });
}

/** The name of an index with this alias; undefined: it is not one of this engine's. */
export function nameOf(start: string, alias: string): string | undefined {
  if (!alias.startsWith(start) || alias.includes("~")) return undefined;
  return alias.slice(start.length).replace(/_(.)/g, (_, c: string) => c.toUpperCase());
}

/** A name for a physical index: no other has it. It tells when it was made. */
export function newPhysical(alias: string): string {
  return `${alias}~${Date.now().toString(36)}-${randomBytes(6).toString("hex")}`;
}

/** The field that only the documents of a physical index have. */
export function fenceOf(physical: string): string {
  return `is${physical.slice(physical.lastIndexOf("-") + 1)}`;
}

/** When a physical index was made, in milliseconds; undefined: it is none of this form. */
export function madeAt(physical: string): number | undefined {
  const [, time] = PHYSICAL.exec(physical) ?? [];
  return time === undefined ? undefined : Number.parseInt(time, 36);
}

/** The alias that an engine has to get before it replaces a physical index; one engine has it at a time. */
export function lockOf(physical: string): string {
  return `${physical}~lock`;
}

/** A text that nobody else has. */
export function newTag(): string {
  return randomBytes(9).toString("base64url");
}

/** The document of the settings, and of what else concerns all records. */
export const SETTINGS_ID = "~settings";

/** The id of a record's document: its own, if no other document has that and the cluster takes it. */
export function documentIdOf(id: string): string {
  if (!id.startsWith("~") && utf8Length(id) <= LONGEST_ID) return id;
  return `~${createHash("sha256").update(id, "utf16le").digest("hex")}`;
}

/** A short text that stands for a name that leads to a physical index. */
export function tokenOf(name: string, physical: string): string {
  return createHash("sha256").update(`${name}\0${physical}`).digest("hex").slice(0, 16);
}
