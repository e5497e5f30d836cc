// Parses the object form of a filter, as plain data. Types are exact: the number 89 is not the text "89", and null means "no value".
// What was no plain object is refused, because a Map, read as an empty object, would pass every record. The door made a text of a Date.

import type { AttributeValue } from "../docvalues/doc-values.js";
import { allOf, anyOf, type Condition, conditionsOf, type Filter, negated, rangeOfAll } from "../docvalues/filter.js";
import { FilterBudget, parseFilter } from "../docvalues/parse-filter.js";
import { SearchError, show, unknownName } from "../util/errors.js";
import { instantOf } from "../util/instant.js";
import type { Limits } from "../util/limits.js";
import { isCircle, isPlainObject } from "./plain-data.js";

const OPERATORS = ["eq", "ne", "lt", "lte", "gt", "gte", "between", "in", "exists", "some"];
const BOUNDS = ["lt", "lte", "gt", "gte", "between"] as const;
type BoundName = (typeof BOUNDS)[number];
const VALUE = "a text, a finite number, a boolean or null";
const BOUND = "a finite number, or a date as a Date or an ISO text";

/** Parses a filter from its text or object form, of which `{}` passes everything. Throws 400 `invalid_filter` or `filter_too_complex`. */
export function readFilters(given: unknown, limits: Limits, param = "filters"): Filter {
  if (typeof given === "string") return parseFilter(given, limits, param);
  const reader = new FilterReader(limits, param, "invalid_filter");
  if (!isPlainObject(given)) {
    const forms = 'a text such as "brand:Forge AND price < 50", or a plain object';
    throw reader.refusal(`${param} is ${show(given)}; pass ${forms}.`);
  }
  return reader.group(given, 1);
}

/** Whether a value is nothing but bounds; an object in the place of one says that it is the name of an attribute. */
function isBounds(given: unknown): given is { readonly [name in BoundName]?: unknown } {
  if (!isPlainObject(given) || Object.getOwnPropertySymbols(given).length > 0) return false;
  const entries = Object.entries(given);
  return (
    entries.length > 0 &&
    entries.every(([name, value]) => BOUNDS.some((bound) => bound === name) && !isPlainObject(value))
  );
}

/** Reads the parts of one object form under one budget. Errors have the code `error` and name `param`. */
export class FilterReader {
  readonly budget: FilterBudget;
  readonly param: string;
  private readonly error: string;

  constructor(limits: Limits, param: string, error: string) {
    this.budget = new FilterBudget(limits, param);
    this.param = param;
    this.error = error;
  }

  /** Reads an object of attributes and AND, OR, NOT, all of which must pass. */
  group(given: unknown, level: number): Filter {
    this.budget.level(level);
    if (isCircle(given)) throw this.refusal(`${this.param} holds itself; pass an object without circles.`);
    const filters = this.entries(given, this.param).map(([name, value]) => this.entry(name, value, level));
    // An empty object counts as a condition, so that a list of them is bounded too.
    if (filters.length === 0) this.budget.condition();
    return allOf(filters);
  }

  /** Reads the condition on one attribute: a value, null, a list or an object of operators; `level`: with conditions on items. */
  attribute(attribute: string, given: unknown, level?: number): Filter {
    if (Array.isArray(given)) return this.oneOf(attribute, given);
    if (typeof given !== "object" || given === null) return this.equals(attribute, "eq", given);
    const operators = this.entries(given, `${this.param}: ${show(attribute)}`);
    if (operators.length === 0)
      throw this.refusal(
        `${this.param}: ${show(attribute)} is an empty object; pass a value or an operator such as lt.`,
      );
    return allOf(
      operators.map(([operator, value]) =>
        operator === "some" ? this.some(attribute, value, level) : this.operation(attribute, operator, value),
      ),
    );
  }

  /** The names and values of a plain object. */
  entries(given: unknown, what: string): [name: string, value: unknown][] {
    if (!isPlainObject(given)) throw this.refusal(`${what} is ${show(given)}; pass a plain object.`);
    const entries = Object.entries(given);
    if (Object.getOwnPropertySymbols(given).length > 0)
      throw this.refusal(`${what} has a symbol as a key; pass names.`);
    return entries;
  }

  refusal(msg: string): SearchError {
    return new SearchError(400, this.error, msg, { param: this.param });
  }

  private entry(name: string, value: unknown, level: number): Filter {
    if (name === "NOT") return { kind: "not", filter: this.group(value, level + 1) };
    if (name === "AND") return allOf(this.groups(name, value, level));
    if (name === "OR") return anyOf(this.groups(name, value, level));
    if (name.startsWith("$"))
      throw this.refusal(
        `${this.param} has the unknown key ${show(name)}; pass attributes, AND, OR and NOT (a text can filter by it).`,
      );
    return this.attribute(name, value, level);
  }

  private some(path: string, given: unknown, level?: number): Filter {
    if (level !== undefined) this.budget.level(level + 1);
    if (isBounds(given)) return this.oneValue(path, given);
    if (level === undefined)
      throw this.refusal(
        `${this.param}: ${show(path)}: some holds bounds alone, as in { gt: 3, lt: 5 }, outside of filters; name an attribute of the items, as in "variants.size".`,
      );
    const expected = 'a filter of its items, as in { size: "M", color: "blue" }';
    if (!isPlainObject(given)) throw this.mistake(path, "some", given, expected);
    this.budget.condition();
    const filter = this.group(given, level + 1);
    if (conditionsOf(filter).length === 0) throw this.mistake(path, "some", given, expected, "without a condition");
    return { kind: "some", path, filter };
  }

  /** One and the same value meets all bounds. */
  private oneValue(attribute: string, given: { readonly [name in BoundName]?: unknown }): Filter {
    const names = BOUNDS.filter((name) => Object.hasOwn(given, name));
    const range = rangeOfAll(names.map((name) => this.bounded(attribute, name, given[name])));
    if (range !== undefined) return range;
    throw this.mistake(attribute, "some", given, "bounds that are all numbers, or all dates", "numbers and dates");
  }

  private groups(name: string, given: unknown, level: number): Filter[] {
    if (!Array.isArray(given)) throw this.refusal(`${this.param}: ${name} is ${show(given)}; pass a list of objects.`);
    const groups: readonly unknown[] = given;
    this.budget.affords(groups.length);
    if (groups.length === 0) this.budget.condition();
    return groups.map((group) => this.group(group, level + 1));
  }

  private operation(attribute: string, operator: string, value: unknown): Filter {
    switch (operator) {
      case "eq":
        return this.equals(attribute, operator, value);
      case "ne":
        return negated(this.equals(attribute, operator, value));
      case "lt":
      case "lte":
      case "gt":
      case "gte":
      case "between":
        return this.bounded(attribute, operator, value);
      case "in":
        return this.oneOf(attribute, value);
      case "exists":
        if (typeof value !== "boolean") throw this.mistake(attribute, operator, value, "true or false");
        return value ? this.exists(attribute) : negated(this.exists(attribute));
      default:
        throw this.refusal(
          `${this.param}: ${show(attribute)}: ${unknownName("operator", operator, OPERATORS)} A nested attribute is named by its path, as in "category.main".`,
        );
    }
  }

  private bounded(attribute: string, operator: BoundName, value: unknown): Condition {
    if (operator === "between") return this.between(attribute, value);
    this.budget.condition();
    return { kind: "compare", attribute, operator, ...this.bound(attribute, operator, value) };
  }

  private equals(attribute: string, operator: string, given: unknown): Filter {
    if (given === null) return negated(this.exists(attribute));
    this.budget.condition();
    return { kind: "equals", attribute, value: this.value(attribute, operator, given), printed: false };
  }

  private exists(attribute: string): Filter {
    this.budget.condition();
    return { kind: "exists", attribute };
  }

  private between(attribute: string, given: unknown): Condition {
    const ends: readonly unknown[] = Array.isArray(given) ? given : [];
    if (ends.length !== 2) throw this.mistake(attribute, "between", given, "two numbers or two dates, as in [5, 100]");
    this.budget.condition();
    const low = this.bound(attribute, "between", ends[0]);
    const { value: high, ...kind } = this.bound(attribute, "between", ends[1]);
    if (kind.isInstant !== low.isInstant)
      throw this.mistake(attribute, "between", given, "two numbers, or two dates", "a number and a date");
    return { kind: "between", attribute, low: low.value, high, ...kind };
  }

  private oneOf(attribute: string, given: unknown): Filter {
    if (!Array.isArray(given)) throw this.mistake(attribute, "in", given, "a list of values");
    const items: readonly unknown[] = given;
    this.budget.list(items.length);
    this.budget.condition();
    const values = items.filter((item) => item !== null).map((item) => this.value(attribute, "in", item));
    const listed: Filter = { kind: "in", attribute, values };
    return values.length === items.length ? listed : anyOf([listed, negated(this.exists(attribute))]);
  }

  private value(attribute: string, operator: string, given: unknown): AttributeValue {
    if (typeof given === "string" || typeof given === "boolean") return given;
    if (typeof given === "number" && Number.isFinite(given)) return given === 0 ? 0 : given;
    throw this.mistake(attribute, operator, given, VALUE);
  }

  /** What a value is compared with: a number, or the instant that a text names. */
  private bound(attribute: string, operator: string, given: unknown): { value: number; isInstant?: true } {
    if (typeof given === "number" && Number.isFinite(given)) return { value: given === 0 ? 0 : given };
    const value = typeof given === "string" ? instantOf(given) : undefined;
    if (value !== undefined) return { value, isInstant: true };
    throw this.mistake(attribute, operator, given, BOUND);
  }

  private mistake(
    attribute: string,
    operator: string,
    given: unknown,
    expected: string,
    found: string = show(given),
  ): SearchError {
    return this.refusal(`${this.param}: ${show(attribute)}: ${operator} is ${found}; expected ${expected}.`);
  }
}
