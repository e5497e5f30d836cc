// An index that is kept in a data folder together with what it was made of, so that it is made again only if that has changed.
//
// The folder has two indexes: the records, and one record that describes the file that they come from. New records are filled into a
// third, which takes the place of the first when it is complete. The description is deleted before and written after that, so an
// interrupted run leaves the old records or the new ones, and the next run indexes the file again.

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { SearchEngine, SearchError } from "tandem-search";
import { DemoError } from "./demo-error.mjs";
import { fileSize, readBytes } from "./file-lines.mjs";
import { fillIndex } from "./fill-index.mjs";

const RECORDS = "records";
const UNFINISHED = "records-unfinished";
const SOURCE = "source";
const SOURCE_ID = "file";

/**
 * What the records come from. The hash decides; it is only computed when one of the others has changed.
 * @typedef {object} Source
 * @property {string} path
 * @property {number} size in bytes
 * @property {number} modified milliseconds since 1970
 * @property {number} changed milliseconds since 1970; it differs too when only the time of modification was set back
 * @property {string | null} idAttribute
 * @property {string} hash of the bytes
 */

/**
 * Opens a data folder, and makes it if it is not there.
 * @param {string} folder
 * @param {import("tandem-search").WarningHandler} onWarning
 */
export async function openFolder(folder, onWarning) {
  // A power cut may take the last second of a run, and always its end: then the next run indexes the file again.
  return SearchEngine.open({ dataDir: folder, durability: "interval", onWarning });
}

/**
 * The index of a file in a data folder: as it is there, or filled anew if the file or its id attribute has changed.
 * @param {SearchEngine} engine
 * @param {string} path
 * @param {string} [idAttribute]
 * @returns {Promise<{ index: import("tandem-search").SearchIndex, filled: import("./fill-index.mjs").FillReport | undefined, isChange: boolean }>}
 *   `filled` if it was filled; `isChange` if it had records before
 */
export async function keepIndex(engine, path, idAttribute) {
  const source = await engine.createIndex(SOURCE, { embedder: false }, { ifExists: "open" });
  const before = /** @type {Source | null} */ ((await source.getRecords([SOURCE_ID]))[0]);
  const { isSame, isUntouched, ...now } = await describe(path, idAttribute ?? null, before);
  if (!isSame) await source.deleteRecords([SOURCE_ID]);
  const filled = isSame ? undefined : await fillAnew(engine, path, idAttribute);
  if (!isUntouched) await source.addRecords([{ id: SOURCE_ID, ...now }]);
  return { index: engine.index(RECORDS), filled, isChange: before !== null };
}

/**
 * @param {SearchEngine} engine
 * @param {string} path
 * @param {string} [idAttribute]
 */
async function fillAnew(engine, path, idAttribute) {
  const names = (await engine.listIndexes()).map(({ name }) => name);
  if (names.includes(UNFINISHED)) await engine.deleteIndex(UNFINISHED);
  const index = await engine.createIndex(UNFINISHED, idAttribute === undefined ? {} : { idAttribute });
  const filled = await fillIndex(index, [path], { idAttribute });
  await engine.moveIndex(UNFINISHED, RECORDS);
  return filled;
}

/**
 * Describes a file. `isSame`: its records are those that were described before; `isUntouched`: all else is, too.
 * @param {string} path
 * @param {string | null} idAttribute
 * @param {Source | null} before
 * @returns {Promise<Source & { isSame: boolean, isUntouched: boolean }>}
 */
async function describe(path, idAttribute, before) {
  await fileSize(path);
  const { size, mtimeMs: modified, ctimeMs: changed } = await stat(path);
  const now = { path: resolve(path), size, modified, changed, idAttribute };
  const isUntouched = before !== null && Object.entries(now).every(([name, value]) => before[name] === value);
  const hash = isUntouched ? before.hash : await hashFile(path);
  const isSame = before !== null && before.hash === hash && before.idAttribute === idAttribute;
  return { ...now, hash, isSame, isUntouched };
}

/** @param {string} path */
async function hashFile(path) {
  const hash = createHash("sha256");
  for await (const chunk of readBytes(path)) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * The error for somebody who named the folder: a DemoError that says what to do where the folder is to blame, else the error itself.
 * @param {unknown} error
 * @param {string} folder
 */
export function explainStorage(error, folder) {
  if (!(error instanceof SearchError) || !error.error.startsWith("storage_")) return error;
  const anew = "delete it, and the next run makes it anew from your file";
  const says = {
    storage_locked: "another process has this data folder open; end it, or name another folder.",
    storage_corrupt: `the data folder is damaged (${error.details?.file}); ${anew}.`,
    storage_version: `another version of tandem-search wrote this data folder; ${anew}.`,
  };
  return new DemoError(`${folder}: ${says[error.error] ?? error.msg}`);
}
