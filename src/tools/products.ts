// Products and variants of the catalogue, in the shapes of the Universal Commerce Protocol, as a mapping makes them of records; and which
// variants of a product an assistant is shown.

import type { Hit } from "../query/response.js";
import type { JsonRecord } from "../util/json.js";
import { type FromRecord, type ReadMapping, valueIn } from "./catalog-mapping.js";
import { amountOf } from "./prices.js";

/** An amount in minor units: 1999 is 19.99 of a currency with two digits. */
export interface CatalogPrice {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** One value of an option that is chosen. */
export interface SelectedOption {
  readonly name: string;
  readonly label: string;
}

/** What can be bought of a product. */
export interface CatalogVariant {
  readonly id: string;
  readonly sku?: string;
  readonly title: string;
  readonly description: { readonly plain: string };
  readonly price: CatalogPrice;
  readonly availability?: { readonly available: boolean; readonly status: "in_stock" | "out_of_stock" };
  readonly options?: readonly SelectedOption[];
  /** Only of lookup_catalog: which ids named it. `"featured"`: the id was that of the product. */
  readonly inputs?: readonly { readonly id: string; readonly match: "featured" | "exact" }[];
}

/** What products differ by, and the labels that there are. */
export interface ProductOption {
  readonly name: string;
  /** Of get_product, besides: whether a variant has this label and the other selected ones, and whether one of these is available. */
  readonly values: readonly { readonly label: string; readonly available?: boolean; readonly exists?: boolean }[];
}

/** A product as the tools show it. */
export interface CatalogProduct {
  readonly id: string;
  readonly handle?: string;
  readonly title: string;
  readonly description: { readonly plain: string };
  readonly url?: string;
  readonly categories?: readonly { readonly value: string }[];
  /** Of all variants. */
  readonly price_range: { readonly min: CatalogPrice; readonly max: CatalogPrice };
  readonly media?: readonly { readonly type: "image"; readonly url: string }[];
  readonly options?: readonly ProductOption[];
  readonly variants: readonly CatalogVariant[];
  readonly rating?: { readonly value: number; readonly scale_max: number };
  readonly tags?: readonly string[];
  readonly metadata?: { readonly [path: string]: unknown };
  /** Only of get_product, where there are options: the selection that `variants` have. */
  readonly selected?: readonly SelectedOption[];
}

/** From the least to the greatest. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const TITLES = ["title", "product_title", "product_name", "name", "headline", "label"];

/** A product that is found. */
export interface FoundProduct {
  readonly product: CatalogProduct;
  /** Those that pass the filters: at least one. */
  readonly variants: readonly CatalogVariant[];
}

/** The product of a hit, with all its variants, and those with a price in a range; undefined: there is none. */
export function productOf({ id, source }: Hit, mapping: ReadMapping, { min, max }: Range): FoundProduct | undefined {
  const at = (from: FromRecord | undefined): string[] => textsOf(valueIn(source, from));
  const [title = TITLES.flatMap((name) => textsOf(source[name]))[0] ?? id] = at(mapping.title);
  const description = { plain: at(mapping.description)[0] ?? title };
  const priced = variantsOf(source, { id, title, description }, mapping);
  const passing = priced.filter(({ amounts }) => amounts.some((amount) => amount >= min && amount <= max));
  if (passing.length === 0) return undefined;
  const variants = priced.map(({ variant }) => variant);
  const prices = variants.map(({ price }) => price).sort((a, b) => a.amount - b.amount);
  const rating = valueIn(source, mapping.rating);
  const metadata = withValues(Object.fromEntries(mapping.metadata.map((path) => [path, valueIn(source, path)])));
  const product = withValues({
    id,
    handle: at(mapping.handle)[0],
    title,
    description,
    url: at(mapping.url)[0],
    categories: filled(at(mapping.category).map((value) => ({ value }))),
    price_range: { min: prices[0]!, max: prices.at(-1)! },
    media: filled(at(mapping.image).map((url) => ({ type: "image" as const, url }))),
    options: filled(mapping.variants.options.flatMap((name) => optionOf(name, variants))),
    variants,
    rating: Number.isFinite(rating) ? { value: rating as number, scale_max: mapping.ratingMax } : undefined,
    tags: filled(at(mapping.tags)),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  });
  return { product, variants: passing.map(({ variant }) => variant) };
}

/** Those of a product's record that have a price, in stored order. Of several prices the least is shown. */
function variantsOf(
  record: JsonRecord,
  product: Pick<CatalogProduct, "id" | "title" | "description">,
  { currency, factor, available, variants }: ReadMapping,
): { readonly variant: CatalogVariant; readonly amounts: readonly number[] }[] {
  const isOwn = variants.path === undefined;
  const items = isOwn ? [record] : [valueIn(record, variants.path)].flat(Number.POSITIVE_INFINITY);
  return items.flatMap((item) => {
    const at = (path: string | undefined): string | undefined => textsOf(valueIn(item, path))[0];
    const amounts = [valueIn(item, variants.price)].flat().flatMap((price) => amountOf(price, factor) ?? []);
    if (amounts.length === 0) return [];
    const options = variants.options.flatMap((name) => {
      const label = at(name);
      return label === undefined ? [] : [{ name, label }];
    });
    const title = at(variants.title) ?? (options.map(({ label }) => label).join(" / ") || product.title);
    const sku = at(variants.sku);
    const stock = variants.available === undefined ? valueIn(record, available) : valueIn(item, variants.available);
    const variant = withValues({
      id: isOwn ? product.id : (at(variants.id) ?? sku ?? product.id),
      sku,
      title,
      description: isOwn ? product.description : { plain: title },
      price: { amount: Math.min(...amounts), currency },
      availability: availabilityOf(stock),
      options: filled(options),
    });
    return [{ variant, amounts }];
  });
}

function availabilityOf(stock: unknown): CatalogVariant["availability"] {
  if (stock === undefined) return undefined;
  const available = [stock].flat().some((each) => each === true || (typeof each === "number" && each > 0));
  return { available, status: available ? "in_stock" : "out_of_stock" };
}

function optionOf(name: string, variants: readonly CatalogVariant[]): ProductOption[] {
  const labels = new Set(variants.map((variant) => labelOf(variant, name)).filter((label) => label !== undefined));
  return labels.size === 0 ? [] : [{ name, values: [...labels].map((label) => ({ label })) }];
}

/** Texts, numbers and booleans as texts; of a list, those of its items. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** An object without its undefined values. */
export function withValues<T extends object>(given: T): { [N in keyof T]: Exclude<T[N], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

function labelOf({ options }: CatalogVariant, name: string): string | undefined {
  return options?.find((option) => option.name === name)?.label;
}

/** Whether a variant can be bought, as far as the record says. */
function isAvailable({ availability }: CatalogVariant): boolean {
  return availability?.available !== false;
}

/** The variant that stands for some, which are not none: the first that is available, or else the first. */
export function featuredOf(variants: readonly CatalogVariant[]): CatalogVariant {
  return variants.find(isAvailable) ?? variants[0]!;
}

function hasAll(variant: CatalogVariant, selected: readonly SelectedOption[]): boolean {
  return selected.every(({ name, label }) => labelOf(variant, name) === label);
}

/** What is selected of a product. */
export interface Selection {
  /** It alone decides. */
  readonly variant: CatalogVariant | undefined;
  /** Default: as the featured variant is. */
  readonly selected?: readonly SelectedOption[] | undefined;
  /** The names of options, the dearest first. */
  readonly preferences?: readonly string[] | undefined;
}

/**
 * A product with the variants of some, which are not none, that have the selection, the featured one first, and with what other labels
 * would lead to. Where no variant has all that is selected, options are dropped: those that are not preferred, the last first, then from
 * the end of the preferences.
 */
export function withSelection(
  { options, ...product }: CatalogProduct,
  some: readonly CatalogVariant[],
  { variant, selected: given, preferences = [] }: Selection,
): CatalogProduct {
  let selected = (variant === undefined && given) || ((variant ?? featuredOf(some)).options ?? []);
  const dropped = selected.filter(({ name }) => !preferences.includes(name));
  dropped.unshift(...[...new Set(preferences)].flatMap((name) => selected.filter((option) => option.name === name)));
  while (!some.some((each) => hasAll(each, selected))) {
    const last = dropped.pop();
    selected = selected.filter((option) => option !== last);
  }
  const matching = some.filter((each) => hasAll(each, selected));
  const featured = variant ?? featuredOf(matching);
  const shown = { ...product, variants: [featured, ...matching.filter((each) => each !== featured)] };
  if (options === undefined) return shown;
  /** What each label of an option would lead to beside the others that are selected. */
  const signalled = options.map(({ name, values }) => {
    const others = selected.filter((option) => option.name !== name);
    const there = product.variants.filter((each) => hasAll(each, others));
    const exists = new Set(there.map((each) => labelOf(each, name)));
    const available = new Set(there.filter(isAvailable).map((each) => labelOf(each, name)));
    const signals = (label: string) => ({ label, available: available.has(label), exists: exists.has(label) });
    return { name, values: values.map(({ label }) => signals(label)) };
  });
  return { ...shown, options: signalled, selected: selected.map((option) => ({ ...option })) };
}
