// Numbers that were passed as texts, as databases and CSV files give them: "19.99". No range finds them, and they sort as numbers only
// because texts do. An attribute of nothing else is probably a mistake.

import type { DocSet, LocalDoc } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { type DocValues, isLiveOrdinal } from "./doc-values.js";
import type { AttributeValue } from "./filter.js";

/** With a point, or of at most six digits without a leading zero. Longer texts of digits are codes. */
const NUMBER = /^\s*-?(?:(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}|0|[1-9][0-9]{0,5})\s*$/;
const LONGEST = 40;

function isNumberText(text: string): boolean {
  return text.length <= LONGEST && NUMBER.test(text);
}

function isBlank(text: string): boolean {
  return text.length <= LONGEST && text.trim() === "";
}

/** Of more attributes than this, the others are not looked at. */
const MOST_ATTRIBUTES = 10_000;
/** Values between two pauses. */
const VALUES_AT_ONCE = 4096;

/** Finds the attributes of a batch that hold nothing but numbers as texts. Blank texts do not count. */
export class NumberTexts {
  /** By path: the first such text; null: the attribute holds something else, too. */
  private readonly found = new Map<string, string | null>();
  private readonly idAttribute: string;

  constructor(idAttribute: string) {
    this.idAttribute = idAttribute;
  }

  /** Takes the next value of an attribute; false if the others need not be taken. */
  take(path: string, value: AttributeValue): boolean {
    const before = this.found.get(path);
    if (before === null || path === this.idAttribute) return false;
    if (typeof value === "string" && isBlank(value)) return true;
    const isNumber = typeof value === "string" && isNumberText(value);
    if (before === undefined && this.found.size >= MOST_ATTRIBUTES) return false;
    if (!isNumber) this.found.set(path, null);
    else if (before === undefined) this.found.set(path, value);
    return isNumber;
  }

  /** The attributes, sorted, each with such a text. */
  attributes(): (readonly [path: string, example: string])[] {
    const found: (readonly [string, string])[] = [];
    for (const [path, example] of this.found) if (example !== null) found.push([path, example]);
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Whether a value is a word: a text that is neither blank nor a number. */
export function isWord(value: AttributeValue): boolean {
  return typeof value === "string" && !isBlank(value) && !isNumberText(value);
}

/**
 * A text by which the records of a column that are not deleted hold nothing but numbers as texts; null: they hold something else;
 * undefined: they hold nothing.
 */
export function* numberTextOf(
  column: DocValues,
  deletedDocs: DocSet<LocalDoc> | null,
): Task<string | null | undefined> {
  const { values } = column;
  let example: string | undefined;
  // From the end, because words come behind digits, and numbers at the beginning.
  if (typeof values[0] === "number" && isLiveOrdinal(column, 0, deletedDocs)) return null;
  for (let i = values.length - 1; i >= 0; i--) {
    if (i % VALUES_AT_ONCE === 0) yield;
    const value = values[i]!;
    if (!isLiveOrdinal(column, i, deletedDocs)) continue;
    if (typeof value !== "string" || isWord(value)) return null;
    if (!isBlank(value)) example = value;
  }
  return example;
}
