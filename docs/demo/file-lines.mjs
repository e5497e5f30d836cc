// Reads the lines of a UTF-8 file of any length, compressed by gzip or not, numbered from 1. Node's readline also ends lines at U+2028,
// which JSON may contain, and does not report invalid bytes.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { DemoError } from "./demo-error.mjs";

const NEWLINE = 10;
const MAX_LINE_BYTES = 16 << 20;

/** @typedef {{ number: number, text: string }} Line */

/**
 * The size of a file in bytes; throws a DemoError if there is none to read.
 * @param {string} path
 */
export async function fileSize(path) {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new DemoError(`${path}: a folder, not a file.`);
    return found.size;
  } catch (error) {
    throw explain(error, path);
  }
}

/**
 * The decompressed bytes of a file.
 * @param {string} path
 * @param {(bytes: number) => void} [onBytes] gets the number of (compressed) bytes read
 * @returns {AsyncGenerator<Buffer>}
 */
export async function* readBytes(path, onBytes) {
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  file.on("data", () => onBytes?.(file.bytesRead)).pause();
  // Errors reach the loop below, because a pipeline destroys its last stream with them.
  const bytes = path.toLowerCase().endsWith(".gz") ? pipeline(file, createGunzip(), () => {}) : file;
  try {
    yield* bytes;
  } catch (error) {
    throw explain(error, path);
  }
}

/**
 * The lines of a file, without their ends; a byte order mark is skipped.
 * @param {string} path
 * @param {(bytes: number) => void} [onBytes]
 * @returns {AsyncGenerator<Line>}
 */
export async function* readLines(path, onBytes) {
  let number = 1;
  /** @type {Buffer[]} */
  let pieces = [];
  for await (const chunk of readBytes(path, onBytes)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      yield { number, text: decodeLine(pieces, number, path) };
      start = end + 1;
      number++;
      pieces = [];
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
    if (lengthOf(pieces) > MAX_LINE_BYTES)
      throw new DemoError(`${path}, line ${number}: longer than ${MAX_LINE_BYTES >> 20} MiB, which is no record.`);
  }
  if (pieces.length > 0) yield { number, text: decodeLine(pieces, number, path) };
}

const lengthOf = (/** @type {Buffer[]} */ pieces) => pieces.reduce((sum, piece) => sum + piece.length, 0);

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * @param {Buffer} bytes
 * @param {string} place
 */
export function decodeText(bytes, place) {
  try {
    return decoder.decode(bytes);
  } catch {
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    throw new DemoError(`${place}: not UTF-8 text${wide ? " but UTF-16" : ""}; save the file as UTF-8.`);
  }
}

/**
 * @param {Buffer[]} pieces
 * @param {number} number
 * @param {string} path
 */
function decodeLine(pieces, number, path) {
  const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
  const text = decodeText(bytes, `${path}, line ${number}`);
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/**
 * @param {unknown} error
 * @param {string} path
 */
function explain(error, path) {
  const { code = "", message = "" } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === "ENOENT" || code === "ENOTDIR") return new DemoError(`${path}: there is no such file.`);
  if (code === "EACCES" || code === "EPERM") return new DemoError(`${path}: not allowed to read this file.`);
  if (code.startsWith("Z_")) return new DemoError(`${path}: damaged, or not packed by gzip (${message}).`);
  return error;
}
