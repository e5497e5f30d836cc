// The kinds of values that callers pass, as the tables of parameters, settings and options use them. A kind says how a value is checked
// and how the URL-encoded form spells it. Complaints are collected (`Checker`) and reported together.

import { canonicalLanguage, KNOWN_LANGUAGES } from "../analysis/languages.js";
import type { Matching, QueryType } from "../settings/settings.js";
import { type Complaint, SearchError, show, unknownName } from "../util/errors.js";
import type { Limits } from "../util/limits.js";
import type { PlainObject } from "./plain-data.js";

/** Reads values one by one and collects complaints. A value of the wrong kind reads as its default. */
export class Checker {
  readonly complaints: Complaint[] = [];
  /** The code of complaints that name no other. */
  readonly error: string;
  private readonly what: string;

  /** `what` precedes each name in messages ("settings", or "" for query parameters). */
  constructor(error: string, what: string) {
    this.error = error;
    this.what = what;
  }

  /** Adds a complaint about `name`: what was found and what was expected. */
  complain(name: string, found: unknown, expected: string, error: string = this.error): undefined {
    return this.add({ error, param: name, msg: `${this.label(name)} is ${show(found)}; expected ${expected}.` });
  }

  /** Adds a complaint in words of its own. */
  add(complaint: Complaint): undefined {
    this.complaints.push(complaint);
    return undefined;
  }

  /** What is read; what that throws is a complaint instead, with its details, where `as` is given under another code and name. */
  collect<T>(read: () => T, as: Partial<Pick<Complaint, "error" | "param">> = {}): T | undefined {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof SearchError)) throw thrown;
      const { error, param = "", msg, details } = thrown;
      return this.add({ error, param, msg, details, ...as });
    }
  }

  /** Complains about each name that is not among the known ones; `kind`: what they name. `under` precedes names of parameters. */
  refuseOthers(
    names: Iterable<string>,
    known: readonly string[],
    kind: string,
    error: string = this.error,
    under = "",
  ): void {
    for (const name of names)
      if (!known.includes(name)) this.add({ error, param: `${under}${name}`, msg: unknownName(kind, name, known) });
  }

  number(name: string, value: unknown, low: number, high: number, fallback: number, error?: string): number {
    if (value === undefined) return fallback;
    if (typeof value === "number" && value >= low && value <= high) return value === 0 ? 0 : value;
    this.complain(name, value, `a number from ${low} to ${high}`, error);
    return fallback;
  }

  integer(name: string, value: unknown, low: number, high: number, fallback: number, error?: string): number {
    if (value === undefined) return fallback;
    if (isInteger(value, low, high)) return value + 0;
    this.complain(name, value, `an integer from ${low} to ${high}`, error);
    return fallback;
  }

  oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[], fallback: T): T {
    if (value === undefined) return fallback;
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    this.complain(name, value, `one of ${allowed.map((each) => `"${each}"`).join(", ")}`);
    return fallback;
  }

  boolean(name: string, value: unknown): boolean {
    if (typeof value === "boolean") return value;
    this.complain(name, value, "true or false");
    return false;
  }

  name(name: string, value: unknown, longest: number): string {
    if (isName(value, longest)) return value;
    this.complain(name, value, `an attribute name of 1 to ${longest} characters`);
    return "";
  }

  names(name: string, value: unknown, longest: number, most: number): readonly string[] | undefined {
    const isItem = (item: unknown): item is string => isName(item, longest);
    return this.list(name, value, { most, isItem, expected: `attribute names of 1 to ${longest} characters` });
  }

  /** A list of texts of at most `longest` characters each. */
  texts(name: string, value: unknown, longest: number, most: number): readonly string[] | undefined {
    const isItem = (item: unknown): item is string => typeof item === "string" && item.length <= longest;
    return this.list(name, value, { most, isItem, expected: `texts of at most ${longest} characters` });
  }

  /** A list of at most `most` items of one kind. */
  list<T>(name: string, value: unknown, { most, isItem, expected }: ListRule<T>): readonly T[] | undefined {
    const list: readonly unknown[] | undefined = Array.isArray(value) && value.length <= most ? value : undefined;
    if (list?.every(isItem)) return list;
    const found =
      list !== undefined
        ? `holds ${show(list.find((item) => !isItem(item)))}`
        : Array.isArray(value)
          ? "is too long a list"
          : `is ${show(value)}`;
    const msg = `${this.label(name)} ${found}; expected a list of at most ${most} ${expected}.`;
    return this.add({ error: this.error, param: name, msg });
  }

  /** The names and values of an object of plain data, without undefined values; of anything else none. */
  entries(name: string, value: unknown): ReadonlyMap<string, unknown> {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return new Map(Object.entries(value).filter(([, each]) => each !== undefined));
    this.add({ error: this.error, param: name, msg: `${this.label(name)} is ${show(value)}; pass an object.` });
    return new Map();
  }

  /** A name as messages write it. */
  label(name: string): string {
    return this.what === "" ? name : `${this.what}.${name}`;
  }
}

/** What a list may hold. */
export interface ListRule<T> {
  readonly most: number;
  readonly isItem: (item: unknown) => item is T;
  /** The items, for messages. */
  readonly expected: string;
}

/** Whether the value is a string of 1 to `longest` characters without control characters. */
export function isName(value: unknown, longest: number): value is string {
  return (
    typeof value === "string" && value.length > 0 && value.length <= longest && !/[\u0000-\u001f\u007f]/.test(value)
  );
}

/** Whether the value is an integer from `low` to `high`. */
export function isInteger(value: unknown, low: number, high: number): value is number {
  return Number.isInteger(value) && (value as number) >= low && (value as number) <= high;
}

/** What reading a value may depend on. */
export interface Reading {
  readonly check: Checker;
  readonly limits: Limits;
  /** Of the vectors of the index; 0: it has none. */
  readonly dimensions: number;
}

/** How values of one kind are read. */
export interface Kind<T> {
  /** Reads plain data. A value of another kind is a complaint; what is returned then is not used. */
  readonly read: (value: unknown, name: string, reading: Reading) => T | undefined;
  /** A value within the limits of the engine, which may be below the fallback. */
  fit?(value: T, limits: Limits): T;
}

/** A kind of parameters, which the URL-encoded form can spell. */
export interface EncodedKind<T> extends Kind<T> {
  /** The value that a text stands for. What it cannot be stays a text, for the check to refuse. */
  readonly decode: (text: string) => unknown;
}

/** One parameter, setting or option. */
export interface Entry<T, K extends Kind<T> = Kind<T>> {
  readonly kind: K;
  /** What counts where none is given. Undefined: docs/parameters.md says it; of a parameter that is a setting, too, the setting. */
  readonly fallback?: T;
  /** True: nothing is a complaint. Default false. */
  readonly isRequired?: boolean;
}

/** Options when nothing is missing any more. */
export type FilledIn<T> = { readonly [N in keyof T]-?: Exclude<T[N], undefined> };

/** An entry for each value. */
export type Table<V> = { readonly [N in keyof V]-?: Entry<Exclude<V[N], undefined>> };

/** An entry for each parameter. */
export type EncodedTable<V> = {
  readonly [N in keyof V]-?: Entry<Exclude<V[N], undefined>, EncodedKind<Exclude<V[N], undefined>>>;
};

/** Reads the values that are given, and fills in the others. Unknown names are left out. */
export function readEntries<V>(table: Table<V>, given: PlainObject, reading: Reading): V {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    const entry: Entry<unknown> = table[name as keyof V];
    values[name] = readEntry(entry, given[name], name, reading);
  }
  return values as V;
}

/** Reads one value, or fills it in. */
export function readEntry(entry: Entry<unknown>, value: unknown, name: string, reading: Reading): unknown {
  const { kind, fallback, isRequired } = entry;
  if (value !== undefined || isRequired === true) return kind.read(value, name, reading);
  return fallback === undefined ? undefined : fitted(kind, fallback, reading.limits);
}

/** A value as it counts within these limits. */
export function fitted<T>(kind: Kind<T>, value: T, limits: Limits): T {
  return kind.fit === undefined ? value : kind.fit(value, limits);
}

const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,20})?$/;

// Numbers are plain decimals: "2" is a page, but "+2", "02" and "2e0" stay texts.
export const decodeText = (text: string): unknown => text;
const decodeInteger = (text: string): unknown => (INTEGER.test(text) ? Number(text) : text);
export const decodeDecimal = (text: string): unknown => (DECIMAL.test(text) ? Number(text) : text);
export const decodeBoolean = (text: string): unknown => (text === "true" ? true : text === "false" ? false : text);

/** JSON if the text begins with a bracket or brace, else comma-separated texts; the empty text is the empty list. */
export const decodeList = (text: string): unknown => {
  if (/^[[{]/.test(text)) return decodeJson(text);
  return text === "" ? [] : text.split(",");
};

/** The parsed value, or the text itself if it is no JSON: no parameter that takes JSON accepts a text. */
export const decodeJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

export const MAX_INTEGER: number = Number.MAX_SAFE_INTEGER;
export const MOST_NAMES = 1000;
export const LONGEST_TAG = 64;
export const LONGEST_CONTEXT = 256;

const of = (limits: Limits, bound: number | keyof Limits): number =>
  typeof bound === "number" ? bound : limits[bound];

/** Values that pass a test. */
export const that = <T>(isOne: (value: unknown) => value is T, expected: string): Kind<T> => ({
  read: (value, name, { check }) => (isOne(value) ? value : check.complain(name, value, expected)),
});

/** Read by its own reader, because it depends on other values or on the engine. */
export const dependent: Kind<never> = { read: () => undefined };

export const integer = (low: number, high: number | keyof Limits, error?: string): EncodedKind<number> => ({
  read: (value, name, { check, limits }) => check.integer(name, value, low, of(limits, high), low, error),
  fit: (value, limits) => Math.min(value, of(limits, high)),
  decode: decodeInteger,
});

/** An integer from 0. What is more than the limit counts as the limit. */
export const clampedInteger = (limit: keyof Limits, error?: string): EncodedKind<number> => ({
  read: (value, name, { check, limits }) =>
    isInteger(value, 0, MAX_INTEGER)
      ? Math.min(value + 0, limits[limit])
      : check.complain(name, value, `an integer from 0 to ${limits[limit]} (limits.${limit})`, error),
  fit: (value, limits) => Math.min(value, limits[limit]),
  decode: decodeInteger,
});

export const number = (low: number, high: number): EncodedKind<number> => ({
  read: (value, name, { check }) => check.number(name, value, low, high, low),
  decode: decodeDecimal,
});

export const boolean: EncodedKind<boolean> = {
  read: (value, name, { check }) => check.boolean(name, value),
  decode: decodeBoolean,
};

/** The most records of a group that an answer shows. */
const MOST_OF_GROUP = 100;

/** How many records of a group are shown; true: one, false: hits are not grouped. */
export const distinct: EncodedKind<boolean | number> = {
  read: (value, name, { check }) => {
    if (typeof value === "boolean") return value;
    if (isInteger(value, 0, MOST_OF_GROUP)) return value + 0;
    return check.complain(name, value, `true, false, or an integer from 0 to ${MOST_OF_GROUP}`);
  },
  decode: (text) => (text === "true" || text === "false" ? text === "true" : decodeInteger(text)),
};

export const oneOf = <T extends string>(...allowed: readonly [T, ...T[]]): EncodedKind<T> => ({
  read: (value, name, { check }) => check.oneOf(name, value, allowed, allowed[0]),
  decode: decodeText,
});

export const MATCHING: EncodedKind<Matching> = oneOf("auto", "all", "any");
export const QUERY_TYPE: EncodedKind<QueryType> = oneOf("prefixAuto", "prefixLast", "prefixAll", "prefixNone");

export const attributeNames = (most: number | keyof Limits): EncodedKind<readonly string[]> => ({
  read: (value, name, { check, limits }) => check.names(name, value, limits.attributeName, of(limits, most)),
  decode: decodeList,
});

/** A language tag, in its canonical form. */
export const language: Kind<string> = {
  read: (value, name, { check }) => {
    try {
      const tag =
        typeof value === "string" && value.length <= LONGEST_TAG ? Intl.getCanonicalLocales(value)[0] : undefined;
      if (tag !== undefined && canonicalLanguage(tag) !== undefined) return tag;
    } catch {
      // No tag.
    }
    return check.complain(name, value, `a tag such as "de-AT" of a known language: ${KNOWN_LANGUAGES.join(" ")}`);
  },
};
