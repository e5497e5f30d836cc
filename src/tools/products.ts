// Products and variants of the catalogue, in the shapes of the Universal Commerce Protocol, as a mapping makes them of records; and which
// variants of a product an assistant is shown.

import type { Hit } from "../query/response.js";
import type { JsonRecord } from "../util/json.js";
import { type ReadMapping, valueAt, valueIn } from "./catalog-mapping.js";
import { amountOf, type Money } from "./prices.js";

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

/** The amounts that a filter lets pass. */
export interface PriceFilter {
  readonly min?: number;
  readonly max?: number;
}

const TITLES = ["title", "product_title", "product_name", "name", "headline", "label"];

/** The product of a hit, with all its variants; undefined: none has a price. */
export function productOf(
  { id, source }: Pick<Hit, "id" | "source">,
  mapping: ReadMapping,
): CatalogProduct | undefined {
  const from = (name: "url" | "handle"): string | undefined => textOf(valueIn(source, mapping[name]));
  const title =
    textOf(valueIn(source, mapping.title)) ?? TITLES.map((name) => textOf(source[name])).find((text) => text) ?? id;
  const description = { plain: textOf(valueIn(source, mapping.description)) ?? title };
  const variants = variantsOf(source, { id, title, description }, mapping);
  if (variants.length === 0) return undefined;
  const amounts = variants.map(({ price }) => price.amount);
  const rating = valueIn(source, mapping.rating);
  const price = (amount: number): CatalogPrice => ({ amount, currency: mapping.money.currency });
  return withValues({
    id,
    handle: from("handle"),
    title,
    description,
    url: from("url"),
    categories: filled(textsOf(valueAt(source, mapping.category)).map((value) => ({ value }))),
    price_range: { min: price(Math.min(...amounts)), max: price(Math.max(...amounts)) },
    media: filled(textsOf(valueIn(source, mapping.image)).map((url) => ({ type: "image" as const, url }))),
    options: filled((mapping.variants?.options ?? []).flatMap((name) => optionOf(name, variants))),
    variants,
    rating:
      typeof rating === "number" && Number.isFinite(rating)
        ? { value: rating, scale_max: mapping.ratingMax }
        : undefined,
    tags: filled(mapping.tags === undefined ? [] : textsOf(valueAt(source, mapping.tags))),
    metadata: metadataOf(source, mapping.metadata),
  });
}

/** Those of a product's record that have a price, in stored order. */
function variantsOf(
  record: JsonRecord,
  product: Pick<CatalogProduct, "id" | "title" | "description">,
  { money, variants, ...mapping }: ReadMapping,
): CatalogVariant[] {
  const availability = mapping.available === undefined ? undefined : valueAt(record, mapping.available);
  if (variants === undefined) {
    const price = priceOf(valueAt(record, mapping.price), money);
    if (price === undefined) return [];
    const sku = textOf(valueAt(record, mapping.sku));
    return [withValues({ ...product, sku, price, availability: availabilityOf(availability) })];
  }
  const items = [valueAt(record, variants.path)].flat(Number.POSITIVE_INFINITY) as unknown[];
  return items.flatMap((item) => {
    const at = (path: string | undefined): unknown => (path === undefined ? undefined : valueAt(item, path));
    const price = priceOf(at(variants.price), money);
    if (price === undefined) return [];
    const options = variants.options.flatMap((name) => {
      const label = textOf(at(name));
      return label === undefined ? [] : [{ name, label }];
    });
    const labels = options.map(({ label }) => label).join(" / ");
    const title = textOf(at(variants.title)) ?? (labels === "" ? product.title : labels);
    const sku = textOf(at(variants.sku));
    return withValues({
      ...{ id: textOf(at(variants.id)) ?? sku ?? product.id, sku, title, description: { plain: title }, price },
      availability: availabilityOf(variants.available === undefined ? availability : at(variants.available)),
      options: filled(options),
    });
  });
}

function priceOf(value: unknown, money: Money): CatalogPrice | undefined {
  const amount = amountOf(Array.isArray(value) ? value[0] : value, money);
  return amount === undefined ? undefined : { amount, currency: money.currency };
}

function availabilityOf(value: unknown): CatalogVariant["availability"] {
  if (value === undefined) return undefined;
  const available = [value].flat().some((each) => each === true || (typeof each === "number" && each > 0));
  return { available, status: available ? "in_stock" : "out_of_stock" };
}

function optionOf(name: string, variants: readonly CatalogVariant[]): ProductOption[] {
  const labels = new Set(variants.map((variant) => labelOf(variant, name)).filter((label) => label !== undefined));
  return labels.size === 0 ? [] : [{ name, values: [...labels].map((label) => ({ label })) }];
}

function metadataOf(record: JsonRecord, paths: readonly string[]): CatalogProduct["metadata"] {
  const found = paths.map((path) => [path, valueAt(record, path)] as const).filter(([, value]) => value !== undefined);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Texts, numbers and booleans as texts; of a list, those of its items. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

function textOf(value: unknown): string | undefined {
  return textsOf(value)[0];
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

/** Whether a variant's price passes. */
export function passes({ price: { amount } }: CatalogVariant, { min = 0, max = amount }: PriceFilter): boolean {
  return amount >= min && amount <= max;
}

/** Whether a variant can be bought, as far as the record says. */
function isAvailable({ availability }: CatalogVariant): boolean {
  return availability?.available !== false;
}

/** The variant that stands for some: the first that is available, or else the first. */
export function featuredOf(variants: readonly CatalogVariant[]): CatalogVariant | undefined {
  return variants.find(isAvailable) ?? variants[0];
}

function hasAll(variant: CatalogVariant, selected: readonly SelectedOption[]): boolean {
  return selected.every(({ name, label }) => labelOf(variant, name) === label);
}

/** What is selected of a product. */
export interface Selection {
  /** The id of a variant alone decides. */
  readonly variant: CatalogVariant | undefined;
  /** Undefined: as the featured variant is. */
  readonly selected: readonly SelectedOption[] | undefined;
  /** The names of options, the dearest first. */
  readonly preferences: readonly string[];
}

/**
 * A product with the variants of some, which are not none, that have the selection, the featured one first, and with what other labels
 * would lead to. Where no variant has all that is selected, options are dropped: those that are not preferred, the last first, then from
 * the end of the preferences.
 */
export function withSelection(
  product: CatalogProduct,
  some: readonly CatalogVariant[],
  { variant, selected: asked, preferences }: Selection,
): CatalogProduct {
  const given = asked?.map(({ name, label }) => ({ name, label }));
  let selected = variant === undefined && given !== undefined ? given : ((variant ?? featuredOf(some))?.options ?? []);
  const rank = ({ name }: SelectedOption, i: number): number => {
    const at = preferences.indexOf(name);
    return at < 0 ? preferences.length + i : at;
  };
  const dearest = selected.map((option, i) => ({ option, rank: rank(option, i) })).sort((a, b) => a.rank - b.rank);
  while (!some.some((each) => hasAll(each, selected))) {
    const dropped = dearest.pop()?.option;
    selected = selected.filter((option) => option !== dropped);
  }
  const matching = some.filter((each) => hasAll(each, selected));
  const featured = variant ?? featuredOf(matching)!;
  const { options, ...rest } = product;
  const shown = { ...rest, variants: [featured, ...matching.filter((each) => each !== featured)] };
  if (options === undefined) return shown;
  return { ...shown, options: options.map((option) => signalled(option, product.variants, selected)), selected };
}

/** An option with what each of its labels would lead to beside the others that are selected. */
function signalled(
  { name, values }: ProductOption,
  variants: readonly CatalogVariant[],
  selected: readonly SelectedOption[],
): ProductOption {
  const others = selected.filter((option) => option.name !== name);
  const there = variants.filter((variant) => hasAll(variant, others));
  const labels = (some: readonly CatalogVariant[]): Set<unknown> => new Set(some.map((each) => labelOf(each, name)));
  const [available, existing] = [labels(there.filter(isAvailable)), labels(there)];
  return {
    name,
    values: values.map(({ label }) => ({ label, available: available.has(label), exists: existing.has(label) })),
  };
}
