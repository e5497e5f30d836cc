// Reads the ids of records that a caller passes, alone or in lists.

import { type Complaint, SearchError, show, throwValidationErrors } from "../util/errors.js";
import { has, utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import type { Task } from "../util/tasks.js";
import { copyItems } from "./plain-data.js";

/** Of the complaints, these many are kept; the others are counted. */
const MOST_COMPLAINTS = 16;
/** Ids checked between two pauses. */
const CHECKED_AT_ONCE = 1024;

/**
 * The ids of a call as strings, in the order given. They are copied before the first pause. Throws 400 with all complaints, or
 * 413 if there are too many.
 */
export function* readIds(given: unknown, limits: Limits): Task<string[]> {
  const list = copyItems(given, limits.batchRecords, () => {
    const msg = `ids holds more ids than one call takes: ${limits.batchRecords} (limits.batchRecords).`;
    throw new SearchError(413, "batch_too_large", msg, { param: "ids" });
  });
  if (list === undefined)
    throw new SearchError(400, "invalid_ids", `ids is ${show(given)}; pass an array of ids.`, { param: "ids" });
  const complaints: Complaint[] = [];
  const ids: string[] = [];
  let total = 0;
  for (const [i, item] of list.entries()) {
    if (i % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) yield;
    const read = readRecordId(item, limits);
    if (has(read, "id")) ids.push(read.id);
    else if (total++ < MOST_COMPLAINTS)
      complaints.push({ error: "invalid_id", param: `ids[${i}]`, msg: `ids[${i}] ${read.complaint}.` });
  }
  throwValidationErrors(complaints, 400, undefined, total);
  return ids;
}

/** One id as a string. Throws 400 `invalid_id`. */
export function readId(given: unknown, limits: Limits): string {
  const read = readRecordId(given, limits);
  if (has(read, "id")) return read.id;
  throw new SearchError(400, "invalid_id", `id ${read.complaint}.`, { param: "id" });
}

/** An id, or what is wrong with it. */
export type ReadId = { readonly id: string } | { readonly complaint: string };

/** Reads an id: a string of 1 to `limits.idBytes` UTF-8 bytes, or an integer, which is the same id as its decimal digits. */
export function readRecordId(given: unknown, limits: Limits): ReadId {
  if (typeof given === "number") {
    if (!Number.isSafeInteger(given))
      return { complaint: `is ${show(given)}, expected an integer up to 2^53 - 1 or a string` };
    const digits = String(given === 0 ? 0 : given);
    return digits.length > limits.idBytes ? tooLong(limits) : { id: digits };
  }
  if (typeof given !== "string") return { complaint: `is ${show(given)}, expected a string or an integer` };
  if (given === "") return { complaint: "is empty, expected at least one character" };
  if (given.length > limits.idBytes || utf8Length(given) > limits.idBytes) return tooLong(limits);
  if (!given.isWellFormed()) return { complaint: "holds half of a surrogate pair, which does not survive UTF-8" };
  return { id: given };
}

function tooLong({ idBytes }: Limits): ReadId {
  return { complaint: `has more than ${idBytes} bytes (limits.idBytes); shorten it` };
}
