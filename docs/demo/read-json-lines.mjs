// Reads JSON Lines: one object per line; blank lines are skipped.

import { readLines } from "./file-lines.mjs";
import { asRecord, parseJson } from "./json-text.mjs";

/**
 * @param {string} path
 * @param {(bytes: number) => void} [onBytes]
 * @returns {AsyncGenerator<import("./read-records.mjs").FoundRecord>}
 */
export async function* readJsonLines(path, onBytes) {
  for await (const { number, text } of readLines(path, onBytes)) {
    if (text.trim() === "") continue;
    const place = `line ${number}`;
    const hint = text.startsWith("[") ? " A JSON array belongs in a file named .json." : "";
    yield { record: asRecord(parseJson(text, `${path}, ${place}`, hint), `${path}, ${place}`, hint), place };
  }
}
