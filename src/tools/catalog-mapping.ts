// Where a record has what a product of the catalogue shows: paths, and functions of the record.

import type { Checker } from "../input/kinds.js";
import { isPlainObject } from "../input/plain-data.js";
import { show, unknownName } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { type Money, moneyOf } from "./prices.js";

/** A dotted path of the record, or a function that finds the value in it. */
export type FromRecord<R extends object = JsonRecord> = string | ((record: R) => unknown);

/** Where a record's variants are, and what they have: paths within a variant. */
export interface VariantMapping {
  /** The list of variants in the record. */
  readonly path: string;
  /** Default `"id"`. */
  readonly id?: string | undefined;
  /** A number, as that of {@link CatalogMapping}. Default `"price"`. */
  readonly price?: string | undefined;
  /** Default `"sku"`. */
  readonly sku?: string | undefined;
  /** Default: the labels of its options, joined by " / ", or else the product's title. */
  readonly title?: string | undefined;
  /** `true`, or a number above 0. Default: what the record says. */
  readonly available?: string | undefined;
  /** The attributes by which variants differ, such as `["size", "color"]`. Default: none. */
  readonly options?: readonly string[] | undefined;
}

/** Where a record has what a product shows. All but `currency` is optional; what is not found is left out. */
export interface CatalogMapping<R extends object = JsonRecord> {
  /** The currency of all prices, by its code of ISO 4217. */
  readonly currency: string;
  /** Prices are in minor units, 1999 for 19.99. Default false. */
  readonly minorUnits?: boolean | undefined;
  /** Default: the first of `title`, `product_title`, `product_name`, `name`, `headline` and `label`; else the id. */
  readonly title?: FromRecord<R> | undefined;
  /** Default `"description"`; where there is none, the title. */
  readonly description?: FromRecord<R> | undefined;
  /** A number from 0; records without one are no products. Not read with `variants`. Default `"price"`. */
  readonly price?: string | undefined;
  /** A text, or a list of them. Default `"category"`. */
  readonly category?: string | undefined;
  readonly url?: FromRecord<R> | undefined;
  /** The address of a picture, or a list of them. */
  readonly image?: FromRecord<R> | undefined;
  /** The name in an address, such as `"trail-runner"`. */
  readonly handle?: FromRecord<R> | undefined;
  readonly tags?: string | undefined;
  /** A number. */
  readonly rating?: FromRecord<R> | undefined;
  /** The best rating there can be. Default 5. */
  readonly ratingMax?: number | undefined;
  /** `true`, or a number above 0. */
  readonly available?: string | undefined;
  /** Not read with `variants`. Default `"sku"`. */
  readonly sku?: string | undefined;
  /** Paths whose values are shown as they are. */
  readonly metadata?: readonly string[] | undefined;
  /** Default: the record is its one variant. */
  readonly variants?: VariantMapping | undefined;
}

type PathOrFunction = FromRecord | undefined;

/** A mapping with its defaults. */
export interface ReadMapping {
  readonly money: Money;
  readonly title: PathOrFunction;
  readonly description: FromRecord;
  readonly price: string;
  readonly category: string;
  readonly url: PathOrFunction;
  readonly image: PathOrFunction;
  readonly handle: PathOrFunction;
  readonly tags: string | undefined;
  readonly rating: PathOrFunction;
  readonly ratingMax: number;
  readonly available: string | undefined;
  readonly sku: string;
  readonly metadata: readonly string[];
  readonly variants: ReadVariants | undefined;
}

interface ReadVariants {
  readonly path: string;
  readonly id: string;
  readonly price: string;
  readonly sku: string;
  readonly title: string | undefined;
  readonly available: string | undefined;
  readonly options: readonly string[];
}

const LONGEST_PATH = 1024;
const MOST_PATHS = 100;
const PATH = `a path of 1 to ${LONGEST_PATH} characters`;
const FUNCTION = `${PATH}, or a function of the record`;
const CURRENCY = 'a code of ISO 4217, such as "EUR"';
const isPath = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= LONGEST_PATH;
const isPathOrFunction = (value: unknown): value is FromRecord => isPath(value) || typeof value === "function";
const isPaths = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= MOST_PATHS && value.every(isPath);
const isCurrency = (value: unknown): value is string => typeof value === "string" && /^[A-Z]{3}$/.test(value);

/** Reads a mapping that is plain data but for its functions; the complaints name the option `mapping`. */
export function readMapping(given: unknown, check: Checker): ReadMapping {
  const fields = new Fields(given, "mapping", check);
  const path = <F>(name: string, fallback: F): string | F => fields.read(name, isPath, PATH, fallback);
  const either = <F>(name: string, fallback: F): FromRecord | F =>
    fields.read(name, isPathOrFunction, FUNCTION, fallback);
  const currency = fields.required("currency", isCurrency, CURRENCY, "");
  const isRating = (value: unknown): value is number =>
    typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY;
  const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
  const mapping = {
    money: moneyOf(currency, fields.read("minorUnits", isBoolean, "true or false", false)),
    title: either("title", undefined),
    description: either("description", "description"),
    price: path("price", "price"),
    category: path("category", "category"),
    url: either("url", undefined),
    image: either("image", undefined),
    handle: either("handle", undefined),
    tags: path("tags", undefined),
    rating: either("rating", undefined),
    ratingMax: fields.read("ratingMax", isRating, "a number above 0", 5),
    available: path("available", undefined),
    sku: path("sku", "sku"),
    metadata: fields.read("metadata", isPaths, `a list of at most ${MOST_PATHS} paths`, []),
    variants: fields.has("variants") ? readVariants(fields.value("variants"), check) : undefined,
  };
  fields.refuseOthers();
  return mapping;
}

function readVariants(given: unknown, check: Checker): ReadVariants | undefined {
  if (given === undefined) return undefined;
  const fields = new Fields(given, "mapping.variants", check);
  const path = <F>(name: string, fallback: F): string | F => fields.read(name, isPath, PATH, fallback);
  const variants = {
    path: fields.required("path", isPath, PATH, ""),
    id: path("id", "id"),
    price: path("price", "price"),
    sku: path("sku", "sku"),
    title: path("title", undefined),
    available: path("available", undefined),
    options: fields.read("options", isPaths, `a list of at most ${MOST_PATHS} names`, []),
  };
  fields.refuseOthers();
  return variants;
}

/** Reads the values of an object one by one, and complains about those that nobody asked for. */
class Fields {
  private readonly values: ReadonlyMap<string, unknown>;
  private readonly known: string[] = [];
  private readonly what: string;
  private readonly check: Checker;

  constructor(given: unknown, what: string, check: Checker) {
    this.what = what;
    this.check = check;
    const isObject = isPlainObject(given);
    if (!isObject) this.complain(`${what} is ${show(given)}; expected an object.`);
    this.values = new Map(isObject ? Object.entries(given) : []);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  value(name: string): unknown {
    this.known.push(name);
    return this.values.get(name);
  }

  read<T, F>(name: string, isOne: (value: unknown) => value is T & {}, expected: string, fallback: F): T | F {
    const value = this.value(name);
    if (value === undefined || isOne(value)) return value ?? fallback;
    this.complain(`${this.what}.${name} is ${show(value)}; expected ${expected}.`);
    return fallback;
  }

  required<T extends {}>(name: string, isOne: (value: unknown) => value is T, expected: string, stead: T): T {
    if (!this.has(name)) this.complain(`${this.what}.${name} is missing; pass ${expected}.`);
    return this.read(name, isOne, expected, stead);
  }

  refuseOthers(): void {
    for (const name of this.values.keys())
      if (!this.known.includes(name)) this.complain(unknownName(`${this.what}:`, name, this.known));
  }

  private complain(msg: string): void {
    this.check.add({ error: "invalid_option", param: "mapping", msg });
  }
}

/**
 * The value at a dotted path as filters find it: an attribute whose whole name is the path wins, and of a list it is what its items have
 * there, in one list. Undefined: there is none.
 */
export function valueAt(node: unknown, path: string): unknown {
  if (Array.isArray(node)) {
    const found = node.flatMap((each) => valueAt(each, path)).filter((value) => value !== undefined);
    return found.length === 0 ? undefined : found;
  }
  if (typeof node !== "object" || node === null) return undefined;
  if (Object.hasOwn(node, path)) return (node as JsonRecord)[path] ?? undefined;
  for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(node, head) ? valueAt((node as JsonRecord)[head], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a mapping finds in a record. */
export function valueIn(record: JsonRecord, from: FromRecord | undefined): unknown {
  if (typeof from === "function") return from(record) ?? undefined;
  return from === undefined ? undefined : valueAt(record, from);
}
