// Instants: points in time as ISO 8601 writes them. Read by hand, because `Date.parse` takes the 30th of February, other notations,
// and times without a zone, which mean something else on each machine.

import { classOf } from "./brand.js";

/** A year of four digits or, as `toISOString` writes distant ones, of six with a sign; a date alone, or with a time and a zone. */
const ISO =
  /^([0-9]{4}|[+-][0-9]{6})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(?:Z|([+-])([0-9]{2}):([0-9]{2})))?$/;
/** The longest text that {@link ISO} takes. */
const LONGEST = 38;
/** `Date` goes as far. */
const LAST = 8.64e15;
const MINUTE = 60_000;
/** Days and dates repeat after 400 years. */
const CYCLE_YEARS = 400;
const CYCLE = 146_097 * 24 * 60 * MINUTE;

/**
 * The instant that a text names, in milliseconds since 1970; undefined: it is no ISO date. A date alone is its first instant in UTC.
 * Digits behind the milliseconds are cut off.
 */
export function instantOf(text: string): number | undefined {
  if (text.length > LONGEST) return undefined;
  const parts = ISO.exec(text);
  if (parts === null || parts[1] === "-000000") return undefined;
  const at = (part: number): number => Number(parts[part] ?? 0);
  const [year, month, day, hour, minute, second] = [at(1), at(2), at(3), at(4), at(5), at(6)];
  // A year for which `Date.UTC` has no other meaning, and whose first instants are within its reach.
  const cycles = Math.floor((year - 2000) / CYCLE_YEARS);
  const midnight = Date.UTC(year - CYCLE_YEARS * cycles, month - 1, day);
  // The 30th of February would be a day of March.
  if (month < 1 || month > 12 || new Date(midnight).getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || at(9) > 23 || at(10) > 59) return undefined;
  const offset = (parts[8] === "-" ? -1 : 1) * (60 * at(9) + at(10));
  const milliseconds = Number((parts[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const instant = CYCLE * cycles + midnight + MINUTE * (60 * hour + minute - offset) + 1000 * second + milliseconds;
  return Math.abs(instant) <= LAST ? instant : undefined;
}

/** The ISO text of a `Date`; undefined: the value is none, or an invalid one. */
export function textOfDate(value: unknown): string | undefined {
  if (classOf(value) !== "Date") return undefined;
  const date = value as Date;
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
