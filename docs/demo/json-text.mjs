// Parses JSON with errors that name the place, and checks that records are objects.

import { DemoError } from "./demo-error.mjs";

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * @param {string} text
 * @param {string} place the file, and the line if there is one
 * @param {string} [hint]
 * @returns {unknown}
 */
export function parseJson(text, place, hint = "") {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new DemoError(`${place}${lineIn(text, message)}: not JSON (${message}).${hint}`);
  }
}

/**
 * @param {unknown} value
 * @param {string} place
 * @param {string} [hint]
 */
export function asRecord(value, place, hint = "") {
  if (isRecord(value)) return value;
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  throw new DemoError(`${place}: expected a JSON object, found ${kind}.${hint}`);
}

/** The line that an error message of the parser names, if any. */
function lineIn(/** @type {string} */ text, /** @type {string} */ message) {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined || !text.includes("\n")) return "";
  return `, line ${text.slice(0, Number(position)).split("\n").length}`;
}
