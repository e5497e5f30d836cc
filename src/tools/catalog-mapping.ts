// Where a record has what a product of the catalogue shows: paths, and functions of the record.

import {
  attributeNames,
  boolean,
  Checker,
  type FilledIn,
  isName,
  readEntries,
  type Table,
  that,
} from "../input/kinds.js";
import type { PlainObject } from "../input/plain-data.js";
import type { JsonRecord } from "../util/json.js";
import { DEFAULT_LIMITS } from "../util/limits.js";
import { digitsOf } from "./prices.js";

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

/** A mapping with its defaults. Without a list of variants, their paths are those of the record. */
export type ReadMapping = Omit<CatalogMapping, "variants"> &
  FilledIn<Pick<CatalogMapping, "description" | "category" | "ratingMax" | "metadata">> & {
    /** What a price of a record is multiplied by. */
    readonly factor: number;
    readonly variants: Partial<VariantMapping> & FilledIn<Pick<VariantMapping, "id" | "price" | "sku" | "options">>;
  };

const isPath = (value: unknown): value is string => isName(value, DEFAULT_LIMITS.attributeName);
const path = that(isPath, `a path of 1 to ${DEFAULT_LIMITS.attributeName} characters`);
const fromRecord = that(
  (value): value is FromRecord => isPath(value) || typeof value === "function",
  `a path of 1 to ${DEFAULT_LIMITS.attributeName} characters, or a function of the record`,
);
const paths = attributeNames(100);
const currency = that(
  (value): value is string => typeof value === "string" && /^[A-Z]{3}$/.test(value),
  'a code of ISO 4217, such as "EUR"',
);
const aboveZero = that(
  (value): value is number => typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY,
  "a number above 0",
);

const VARIANTS: Table<VariantMapping> = {
  path: { kind: path, isRequired: true },
  id: { kind: path, fallback: "id" },
  price: { kind: path, fallback: "price" },
  sku: { kind: path, fallback: "sku" },
  title: { kind: path },
  available: { kind: path },
  options: { kind: paths, fallback: [] },
};

const MAPPING: Table<CatalogMapping> = {
  currency: { kind: currency, isRequired: true },
  minorUnits: { kind: boolean, fallback: false },
  title: { kind: fromRecord },
  description: { kind: fromRecord, fallback: "description" },
  price: { kind: path, fallback: "price" },
  category: { kind: path, fallback: "category" },
  url: { kind: fromRecord },
  image: { kind: fromRecord },
  handle: { kind: fromRecord },
  tags: { kind: path },
  rating: { kind: fromRecord },
  ratingMax: { kind: aboveZero, fallback: 5 },
  available: { kind: path },
  sku: { kind: path, fallback: "sku" },
  metadata: { kind: paths, fallback: [] },
  variants: { kind: { read: (given, _, { check }) => readTable(VARIANTS, given, "variants", check) } },
};

/** Reads a mapping of plain data and functions. */
export function readMapping(given: unknown, check: Checker): ReadMapping {
  const mapping = readTable(MAPPING, given, "mapping", check) as FilledIn<CatalogMapping>;
  const { currency, minorUnits, price, sku, variants = { id: "id", price, sku, options: [] } } = mapping;
  return { ...mapping, factor: minorUnits ? 1 : 10 ** digitsOf(currency), variants } as ReadMapping;
}

/** Reads an object with these values and no others; complaints name the option. */
function readTable<V>(table: Table<V>, given: unknown, name: string, all: Checker): V {
  const check = new Checker("invalid_option", name);
  const values: PlainObject = Object.fromEntries(all.entries(name, given));
  check.refuseOthers(Object.keys(values), Object.keys(table), `name in ${name}`);
  const read = readEntries(table, values, { check, limits: DEFAULT_LIMITS, dimensions: 0 });
  for (const complaint of check.complaints) all.add({ ...complaint, param: "mapping" });
  return read;
}

/**
 * The value at a dotted path as filters find it: an attribute whose whole name is the path wins, and of a list it is what its items have
 * there, in one list. Undefined: there is none.
 */
function valueAt(node: unknown, path: string): unknown {
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

/** What a mapping finds in a record, or in a variant. */
export function valueIn(record: unknown, from: FromRecord | undefined): unknown {
  if (typeof from === "function") return from(record as JsonRecord) ?? undefined;
  return from === undefined ? undefined : valueAt(record, from);
}
