import { copyList, has } from "../util/checks.js";
import { type Complaint, SearchError, throwValidationErrors } from "../util/errors.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import { readRecordId } from "./record-id.js";

/** The ids of a call, as strings, in the order given; throws 400 with all complaints, 413 for too many. */
export function readIds(given: unknown, limits: Limits): string[] {
  if (lengthOf(given) > limits.batchRecords)
    throw new SearchError(413, "batch_too_large", `ids holds more ids than one call takes: ${limits.batchRecords}.`, {
      param: "ids",
    });
  const list = copyList(given, limits.batchRecords);
  if (list === undefined)
    throw new SearchError(400, "invalid_ids", `ids is ${show(given)}; pass an array of ids.`, { param: "ids" });
  const complaints: Complaint[] = [];
  const ids = list.map((item, i) => {
    const read = readRecordId(item, limits);
    if (has(read, "id")) return read.id;
    complaints.push({ error: "invalid_id", param: `ids[${i}]`, msg: `ids[${i}] ${read.complaint}.` });
    return "";
  });
  throwValidationErrors(complaints);
  return ids;
}

/** One id, as a string; throws 400 `invalid_id`. */
export function readId(given: unknown, limits: Limits): string {
  const read = readRecordId(given, limits);
  if (has(read, "id")) return read.id;
  throw new SearchError(400, "invalid_id", `id ${read.complaint}.`, { param: "id" });
}

function lengthOf(given: unknown): number {
  try {
    const length: unknown = Array.isArray(given) ? given.length : 0;
    return typeof length === "number" ? length : 0;
  } catch {
    return 0;
  }
}
