// Checks plain data. Complaints are collected and reported together.

import type { Complaint } from "../util/errors.js";
import { show, unknownName } from "../util/show.js";

/** Reads values one by one and collects complaints. A value of the wrong kind reads as its default. */
export class Checker {
  readonly complaints: Complaint[] = [];
  private readonly error: string;
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
    if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return (value as number) + 0;
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

  private label(name: string): string {
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
