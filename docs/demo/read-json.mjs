// Reads records from one JSON text: an array of objects, or an object that contains one. The text must fit in memory. A file of JSON
// Lines with the ending .json is read line by line.

import { DemoError } from "./demo-error.mjs";
import { decodeText, readBytes, readLines } from "./file-lines.mjs";
import { asRecord, isRecord, parseJson } from "./json-text.mjs";
import { readJsonLines } from "./read-json-lines.mjs";

/** Node's strings cannot be much longer. */
const MAX_BYTES = 500 << 20;

/**
 * @param {string} path
 * @param {(bytes: number) => void} [onBytes]
 * @returns {AsyncGenerator<import("./read-records.mjs").FoundRecord>}
 */
export async function* readJson(path, onBytes) {
  if (await isJsonLines(path)) {
    yield* readJsonLines(path, onBytes);
    return;
  }
  const text = await readWhole(path, onBytes);
  if (text.trim() === "") return;
  for (const [i, value] of findRecords(parseJson(text, path), path).entries()) {
    const place = `item ${i + 1} of the array`;
    yield { record: asRecord(value, `${path}, ${place}`), place };
  }
}

/**
 * Whether the first two lines of a file are objects.
 * @param {string} path
 */
async function isJsonLines(path) {
  let objects = 0;
  try {
    for await (const { text } of readLines(path)) {
      if (text.trim() === "") continue;
      if (!isRecord(JSON.parse(text))) return false;
      if (++objects === 2) return true;
    }
  } catch (error) {
    // Not JSON Lines, or unreadable, which is reported later.
    if (!(error instanceof SyntaxError || error instanceof DemoError)) throw error;
  }
  return false;
}

/**
 * @param {string} path
 * @param {(bytes: number) => void} [onBytes]
 */
async function readWhole(path, onBytes) {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of readBytes(path, onBytes)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new DemoError(`${path}: a JSON text of more than ${MAX_BYTES >> 20} MiB; write it as JSON Lines (.jsonl).`);
  }
  return decodeText(Buffer.concat(chunks), path);
}

/**
 * @param {unknown} json
 * @param {string} path
 * @returns {unknown[]}
 */
function findRecords(json, path) {
  if (Array.isArray(json)) return json;
  const lists = isRecord(json) ? Object.entries(json).filter(([, value]) => Array.isArray(value)) : [];
  if (lists.length === 1) return /** @type {unknown[]} */ (lists[0][1]);
  const found = lists.length === 0 ? "none" : `${lists.length} (${lists.map(([name]) => name).join(", ")})`;
  throw new DemoError(
    `${path}: expected an array of objects, or an object that holds exactly one array; found ${found}.`,
  );
}
