// Validates what a caller passed. Only own properties are read, each once. Complaints are collected and reported together.

import { type Complaint, SearchError } from "./errors.js";
import { hintAt, isArray, show } from "./show.js";

/** No documented object has more keys. */
const MOST_KEYS = 1000;

/**
 * The own enumerable properties of an object that are not undefined, each read once. Throws 400 when it cannot be read, or has
 * more than 1,000 keys.
 */
export function ownEntries(given: unknown, what: string, error: string): Map<string, unknown> {
  try {
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new SearchError(400, error, `${what} is ${show(given)}; pass an object.`, { param: what });
    const entries = new Map<string, unknown>();
    const names = Object.keys(given);
    if (names.length > MOST_KEYS)
      throw new SearchError(400, error, `${what} has ${names.length} keys; pass at most ${MOST_KEYS}.`, {
        param: what,
      });
    for (const name of names) {
      const value: unknown = (given as Record<string, unknown>)[name];
      if (value !== undefined) entries.set(name, value);
    }
    return entries;
  } catch (cause) {
    if (cause instanceof SearchError) throw cause;
    throw new SearchError(400, error, `${what} could not be read (a getter or proxy threw); pass a plain object.`, {
      param: what,
      cause,
    });
  }
}

/** Like the operator `in`, but for own properties only, so a polluted prototype has no effect. */
export function has<T extends object, K extends PropertyKey>(
  value: T,
  name: K,
): value is Extract<T, { readonly [name in K]: unknown }> {
  return Object.hasOwn(value, name);
}

/** Reads values one by one and collects complaints. A value of the wrong kind reads as its default. */
export class Checker {
  readonly complaints: Complaint[] = [];
  /** The error that a getter or proxy of the caller threw. */
  cause: unknown;
  private readonly error: string;
  private readonly what: string;

  /** `what` precedes each name in messages ("settings", or "" for query parameters). */
  constructor(error: string, what: string) {
    this.error = error;
    this.what = what;
  }

  /** Adds a complaint about `name`: what was found and what was expected. */
  complain(name: string, found: unknown, expected: string, error: string = this.error): void {
    this.complaints.push({ error, param: name, msg: `${this.label(name)} is ${show(found)}; expected ${expected}.` });
  }

  number(name: string, value: unknown, low: number, high: number, fallback: number, error?: string): number {
    if (value === undefined) return fallback;
    if (typeof value === "number" && value >= low && value <= high) return value === 0 ? 0 : value;
    this.complain(name, value, `a number from ${low} to ${high}`, error);
    return fallback;
  }

  integer(name: string, value: unknown, low: number, high: number, fallback: number, error?: string): number {
    if (value === undefined) return fallback;
    if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return (value as number) + 0;
    this.complain(name, value, `an integer from ${low} to ${high}`, error);
    return fallback;
  }

  oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[], fallback: T, error?: string): T {
    if (value === undefined) return fallback;
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    this.complain(name, value, `one of ${allowed.map((each) => `"${each}"`).join(", ")}`, error);
    return fallback;
  }

  boolean(name: string, value: unknown, fallback: boolean): boolean {
    if (value === undefined) return fallback;
    if (typeof value === "boolean") return value;
    this.complain(name, value, "true or false");
    return fallback;
  }

  name(name: string, value: unknown, longest: number, fallback: string): string {
    if (value === undefined) return fallback;
    if (isName(value, longest)) return value;
    this.complain(name, value, `an attribute name of 1 to ${longest} characters`);
    return fallback;
  }

  names(name: string, value: unknown, longest: number, most: number): readonly string[] | undefined {
    if (value === undefined) return undefined;
    const list = copyList(value, most);
    if (list?.every((item) => isName(item, longest))) return Object.freeze(list as string[]);
    const wrong = list?.find((item) => !isName(item, longest));
    this.complainOfList(name, value, list && { wrong }, `${most} attribute names of 1 to ${longest} characters`);
    return undefined;
  }

  /** A list of texts of at most `longest` characters each. */
  texts(name: string, value: unknown, longest: number, most: number): readonly string[] | undefined {
    if (value === undefined) return undefined;
    const list = copyList(value, most);
    if (list?.every((item) => typeof item === "string" && item.length <= longest))
      return Object.freeze(list as string[]);
    const wrong = list?.find((item) => typeof item !== "string" || item.length > longest);
    this.complainOfList(name, value, list && { wrong }, `${most} texts of at most ${longest} characters`);
    return undefined;
  }

  /** Adds a complaint about a list. `copied`: its first wrong item; undefined: it is no list, or too long a one. */
  complainOfList(
    name: string,
    value: unknown,
    copied: { readonly wrong: unknown } | undefined,
    expected: string,
    error: string = this.error,
  ): void {
    const found =
      copied !== undefined
        ? `holds ${show(copied.wrong)}`
        : isArray(value)
          ? "is too long a list"
          : `is ${show(value)}`;
    const msg = `${this.label(name)} ${found}; expected a list of at most ${expected}.`;
    this.complaints.push({ error, param: name, msg });
  }

  private label(name: string): string {
    return this.what === "" ? name : `${this.what}.${name}`;
  }
}

/** A copy of an array of at most `most` items, read once; undefined for anything else. `tooLong` throws about a longer one. */
export function copyList(value: unknown, most: number, tooLong?: (length: number) => never): unknown[] | undefined {
  try {
    if (!Array.isArray(value)) return undefined;
    // The length is checked first, because a sparse array of four billion items is small until it is copied.
    const length = lengthOf(value);
    if (length <= most) return copyItems(value, length);
    tooLong?.(length);
  } catch (error) {
    if (error instanceof SearchError) throw error;
  }
  return undefined;
}

/**
 * The length of a caller's array. Read it once, check it and pass it on: that of a proxy may be anything, and another one each
 * time. Throws for what is no length.
 */
export function lengthOf(list: readonly unknown[]): number {
  const length: unknown = list.length;
  if (Number.isInteger(length) && (length as number) >= 0) return length as number;
  throw new TypeError("The length of the array is no length.");
}

/** The message about an unknown name: it suggests the nearest known name, or lists the known ones. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  return `${kind} ${show(name)} is unknown${hintAt(name, known)}`;
}

/** Copies the first `length` items by index: the iterator of an array may be the caller's code and may never end. */
export function copyItems(list: readonly unknown[], length: number): unknown[] {
  const items: unknown[] = [];
  for (let i = 0; i < length; i++) items.push(list[i]);
  return items;
}

/** Whether the value is a string of 1 to `longest` characters without control characters. */
export function isName(value: unknown, longest: number): value is string {
  return (
    typeof value === "string" && value.length > 0 && value.length <= longest && !/[\u0000-\u001f\u007f]/.test(value)
  );
}
