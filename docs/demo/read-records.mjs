// Reads the records of a file one by one, with the place of each. The ending of the file's name decides the format. All formats except
// whole JSON texts are read with one record in memory.

import { DemoError } from "./demo-error.mjs";
import { readCsv } from "./read-csv.mjs";
import { readJson } from "./read-json.mjs";
import { readJsonLines } from "./read-json-lines.mjs";

const READERS = { json: readJson, jsonl: readJsonLines, ndjson: readJsonLines, csv: readCsv, tsv: readCsv };

/**
 * A record and its place, such as `line 7`.
 * @typedef {{ record: Record<string, unknown>, place: string }} FoundRecord
 */

/**
 * Reads `.json` (an array of objects, or an object with one such array), `.jsonl`, `.ndjson`, `.csv` and `.tsv`, each also
 * compressed as `.gz`. Throws a DemoError that names the place and the problem.
 * @param {string} path
 * @param {{ idAttribute?: string, onBytes?: (bytes: number) => void }} [options] onBytes gets the number of bytes read
 * @returns {AsyncGenerator<FoundRecord>}
 */
export async function* readRecords(path, { idAttribute = "id", onBytes } = {}) {
  const format = /\.([a-z]+)(?:\.gz)?$/i.exec(path)?.[1].toLowerCase() ?? "";
  if (!Object.hasOwn(READERS, format)) throw unknownFormat(path);
  let empty = true;
  for await (const found of READERS[format](path, onBytes, idAttribute)) {
    checkId(found, idAttribute, path);
    empty = false;
    yield found;
  }
  if (empty) throw new DemoError(`${path}: the file holds no records.`);
}

/** @param {string} path */
function unknownFormat(path) {
  const known = Object.keys(READERS).join(", .");
  return new DemoError(`${path}: unreadable format; its name should end in .${known}, or in one of these and .gz.`);
}

/**
 * @param {FoundRecord} found
 * @param {string} idAttribute
 * @param {string} path
 */
function checkId({ record, place }, idAttribute, path) {
  const id = Object.hasOwn(record, idAttribute) ? record[idAttribute] : undefined;
  if (id !== undefined && id !== null && id !== "") return;
  const names = Object.keys(record);
  const shown = names.slice(0, 20).join(", ") + (names.length > 20 ? ", ..." : "");
  throw new DemoError(
    `${path}, ${place}: the record has no "${idAttribute}". Name its id with --id ATTRIBUTE; it has: ${shown || "nothing"}.`,
  );
}
