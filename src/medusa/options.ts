// Options of calls and definitions, read by tables of their names and kinds.

import { Checker, type Kind, that } from "../input/kinds.js";
import { classOf } from "../util/brand.js";
import { hintAt, show } from "../util/errors.js";
import { objectIn } from "../util/json.js";
import { DEFAULT_LIMITS } from "../util/limits.js";
import { impossible, type MedusaError, wrong } from "./medusa-error.js";

/** Names and values. */
export type Options = Readonly<Record<string, unknown>>;

/** The kind of each option. */
export type Kinds<T> = { readonly [N in keyof T]: Kind<T[N]> };

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

export const text: Kind<string> = that((value) => typeof value === "string", "a text");
export const texts: Kind<readonly string[]> = that(isTexts, "a list of texts");
export const list: Kind<readonly unknown[]> = that((value): value is unknown[] => Array.isArray(value), "a list");
/** Read by a reader of its own. */
export const anything: Kind<unknown> = { read: (value) => value };

/** The name by which the options of calls and definitions mean this provider. */
export const IDENTIFIER = "tandem-search";

/** An object that is no list and no date; undefined: another value. */
export function plainObject(value: unknown): Options | undefined {
  return classOf(value) === "Date" ? undefined : objectIn(value);
}

/** The JSON of a value. Throws `invalid_data` where it has none; `at` says what it is. */
export function jsonOf(value: object, at: string, replace?: (name: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replace);
  } catch (cause) {
    throw wrong(`${at} has no form in JSON: it has a BigInt, a circle, or is too deep.`, cause);
  }
}

const MOST_LEVELS = 100;

/** A copy of lists and plain objects, so that nothing counts that a caller changes after the call. Throws `not_allowed` for deep ones. */
export function copied<T>(given: T, level = 0): T {
  const isObject = classOf(given) === "Object" && typeof (given as { readonly toJSON?: unknown }).toJSON !== "function";
  if (!isObject && !Array.isArray(given)) return given;
  if (level === MOST_LEVELS) throw impossible(`What is passed is nested deeper than ${MOST_LEVELS} levels.`);
  const inner = (value: unknown): unknown => copied(value, level + 1);
  if (Array.isArray(given)) return given.map(inner) as T;
  return Object.fromEntries(Object.entries(given as object).map(([name, value]) => [name, inner(value)])) as T;
}

/** The names and values of an object that have a value. Throws `invalid_data` for anything but an object. */
export function entriesOf(given: unknown, at: string): readonly [name: string, value: unknown][] {
  const object = plainObject(given);
  if (object === undefined) throw wrong(`${at} is ${show(given)}; pass an object.`);
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

/**
 * The options of an object. Throws `invalid_data` for one of another kind; for a name that the table lacks what `refuse` makes, which is
 * `not_allowed`.
 */
export function optionsIn<T>(
  given: unknown,
  at: string,
  table: Kinds<T>,
  refuse: (message: string) => MedusaError = impossible,
): Partial<T> {
  const check = new Checker("invalid_data", at);
  const read = entriesOf(given, at).map(([name, value]) => {
    if (!Object.hasOwn(table, name))
      throw refuse(`${at} has ${show(name)}, which is unknown${hintAt(name, Object.keys(table))}`);
    return [name, table[name as keyof T].read(value, name, { check, limits: DEFAULT_LIMITS, dimensions: 0 })];
  });
  if (check.complaints.length > 0) throw wrong(check.complaints.map(({ msg }) => msg).join(" "));
  return Object.fromEntries(read) as Partial<T>;
}

/** As {@link optionsIn} where true stands for an object without options; undefined for false and for nothing. */
export function switchedOn<T>(given: unknown, at: string, table: Kinds<T>): Partial<T> | undefined {
  return given === undefined || given === false ? undefined : optionsIn(given === true ? {} : given, at, table);
}

/** The options of this provider among `provider_options`; those of others are not read. Throws `invalid_data` for unknown ones. */
export function ownOptions<T>(given: unknown, at: string, table: Kinds<T>): Partial<T> {
  const own = new Map(entriesOf(given ?? {}, `${at}: provider_options`)).get(IDENTIFIER);
  return optionsIn(own ?? {}, `${at}: provider_options["${IDENTIFIER}"]`, table, wrong);
}
