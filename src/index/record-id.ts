// The id of a record: a string of 1 … 512 UTF-8 bytes, or an integer, which is the same id as its decimal digits.

import { utf8Length } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";

/** An id, or what is wrong with it. */
export type ReadId = { readonly id: string } | { readonly complaint: string };

/** Reads an id as the caller gave it. */
export function readRecordId(given: unknown, limits: Limits): ReadId {
  if (typeof given === "number") {
    if (!Number.isSafeInteger(given))
      return { complaint: `is ${show(given)}, expected an integer up to 2^53 - 1 or a string` };
    const digits = String(given === 0 ? 0 : given);
    return digits.length > limits.idBytes ? tooLong(limits) : { id: digits };
  }
  if (typeof given !== "string") return { complaint: `is ${show(given)}, expected a string or an integer` };
  if (given === "") return { complaint: "is empty, expected at least one character" };
  if (utf8Length(given) > limits.idBytes) return tooLong(limits);
  if (!given.isWellFormed()) return { complaint: "holds half of a surrogate pair, which does not survive UTF-8" };
  return { id: given };
}

function tooLong({ idBytes }: Limits): ReadId {
  return { complaint: `has more than ${idBytes} bytes; shorten it` };
}
