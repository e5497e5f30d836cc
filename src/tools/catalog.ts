// What a key may see of an index as a catalogue: products found, and the values by which they can be filtered. All is asked by the public
// verbs of an engine, within bounds that no argument widens. An attribute that no record within the bounds has, or that may not be filtered
// by, has no values.

import type { Engine } from "../api/engine.js";
import { type CallOptions, fromOutside } from "../input/call-options.js";
import { BoundsError, type QueryBounds } from "../input/read-params.js";
import type { SearchParams } from "../input/search-params.js";
import type { FacetHits } from "../query/facets/facet-search.js";
import type { Hit, SearchData } from "../query/response.js";
import { refusal, SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import type { ReadMapping } from "./catalog-mapping.js";
import { amountOf, GREATEST_AMOUNT, pricesBetween } from "./prices.js";

/** A filter of the engine, as an object. */
type Condition = Readonly<Record<string, unknown>>;

/** From the least to the greatest. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** What an attribute of the products has: texts, the most frequent first, numbers, or true and false. */
export type Facet =
  | { readonly kind: "texts"; readonly values: readonly string[] }
  | { readonly kind: "booleans" }
  | ({ readonly kind: "numbers" } & Range);

/** The values of a call's `filters`, checked. */
export type GivenFilters = Readonly<Record<string, unknown>>;

/** The engine counts no more values of an attribute in one query. */
const MOST_VALUES = 1000;
/** Of so many wrong texts, and no longer ones, what is like them is searched beyond these values. */
const MOST_SEARCHED = 10;
const LONGEST_SEARCHED = 128;
const UNKNOWN: readonly string[] = ["unknown_filter_field", "unknown_field", "not_filterable"];

/** What the tools know of the index. */
export interface CatalogContext {
  readonly engine: Engine;
  readonly indexName: string;
  readonly mapping: ReadMapping;
  /** The attribute of the ids. */
  readonly idAttribute: string;
  /** The filter of the key. */
  readonly bounds: QueryBounds;
}

export class Catalog {
  readonly mapping: ReadMapping;
  private readonly context: CatalogContext;
  private readonly pricePath: string;

  constructor(context: CatalogContext) {
    this.context = context;
    this.mapping = context.mapping;
    const { variants, price } = context.mapping;
    this.pricePath = variants === undefined ? price : `${variants.path}.${variants.price}`;
  }

  /** Asks for a page of products. Without a limit none is shown. */
  async search(
    { query, cursor, limit }: { readonly query: string; readonly cursor: string; readonly limit: number },
    given: GivenFilters,
    signal: AbortSignal | undefined,
  ): Promise<Pick<SearchData, "hits" | "nbHits" | "nextCursor">> {
    const filters = this.filtersOf(given);
    const params = { query, filters, hitsPerPage: limit, ...(limit > 0 && { cursor }) };
    return (await this.ask(params, signal)) ?? { hits: [], nbHits: 0 };
  }

  /** The products of which one of these attributes is one of these texts, or reads so. */
  async find(
    by: "product" | "variant" | "sku",
    ids: readonly string[],
    given: GivenFilters,
    signal: AbortSignal | undefined,
  ): Promise<readonly Hit[]> {
    const path = this.pathOf(by);
    if (path === undefined) return [];
    const filters = this.filtersOf(given, { [path]: ids.flatMap(formsOf) });
    return (await this.ask({ ...EXACTLY, filters, hitsPerPage: MOST_VALUES }, signal))?.hits ?? [];
  }

  /**
   * Throws what the engine has against filtering by ids and prices. Where all attributes are there, it reads them together, which takes
   * the engine a fraction of the time of one after the other.
   */
  async prepare(facets: readonly string[]): Promise<void> {
    const { variants } = this.mapping;
    const needed = [this.pathOf("product"), this.pathOf("variant"), this.pricePath].filter(
      (path) => path !== undefined,
    );
    const exists = (path: string): Condition => ({ [path]: { exists: true } });
    const items = variants === undefined ? [] : [{ [variants.path]: { some: exists(variants.price) } }];
    const together = [...needed, this.pathOf("sku")!, this.mapping.category, ...facets].map(exists);
    const ask = (OR: Condition[], unknown?: readonly string[]): Promise<unknown> =>
      this.ask({ ...EXACTLY, filters: { OR } as SearchParams["filters"] }, undefined, unknown);
    await ask([...items, ...together]);
    for (const path of needed) await ask([exists(path)], ["unknown_filter_field"]);
  }

  /** The least and the greatest amount; undefined: there is no product. */
  async amounts(signal: AbortSignal | undefined): Promise<Range | undefined> {
    const { money } = this.mapping;
    const found = await this.count(this.pricePath, 0, signal);
    const { min, max } = found?.facetStats?.[this.pricePath] ?? {};
    if (min === undefined || max === undefined) return undefined;
    return { min: amountOf(Math.max(0, min), money) ?? 0, max: amountOf(max, money) ?? GREATEST_AMOUNT };
  }

  /**
   * What products have at a path; undefined: nothing. Of very many texts not all are there, but those of `asked` that products have.
   * `asTexts`: numbers and booleans count as texts.
   */
  async facet(
    path: string,
    { asked, asTexts }: { readonly asked: readonly string[]; readonly asTexts: boolean },
    signal: AbortSignal | undefined,
  ): Promise<Facet | undefined> {
    const found = await this.count(path, MOST_VALUES, signal);
    const counts = (found?.facets?.[path] ?? []).map(({ value }) => value);
    const are = (type: string): boolean => !asTexts && counts.every((value) => typeof value === type);
    const stats = found?.facetStats?.[path];
    if (counts.length === 0) return undefined;
    if (are("boolean")) return { kind: "booleans" };
    if (stats !== undefined && are("number")) return { kind: "numbers", min: stats.min, max: stats.max };
    const values = new Set(counts.map(String));
    const beyond = counts.length === MOST_VALUES ? asked.filter((text) => !values.has(text)) : [];
    let searched = 0;
    for (const text of beyond) {
      const there = await this.ask({ ...EXACTLY, filters: this.filtersOf({}, { [path]: formsOf(text) }) }, signal);
      if (there !== undefined && there.nbHits > 0) values.add(text);
      else if (text.length <= LONGEST_SEARCHED && ++searched <= MOST_SEARCHED)
        for (const like of await this.like(path, text, signal)) values.add(like);
    }
    return { kind: "texts", values: [...values] };
  }

  /** Some values that products have, and that are like a text. */
  private async like(path: string, text: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
    const { engine, indexName } = this.context;
    const { hitsPerPage: _, ...exactly } = EXACTLY;
    const of = { facetName: path, facetQuery: text, maxFacetHits: MOST_VALUES };
    const asked = { ...exactly, ...of, filters: this.filtersOf({}) };
    const ask = (options: CallOptions): Promise<FacetHits> => engine.searchForFacetValues(indexName, asked, options);
    const { facetHits } = await this.within(ask, signal);
    return facetHits.map(({ value }) => String(value));
  }

  private count(
    path: string,
    maxValuesPerFacet: number,
    signal: AbortSignal | undefined,
  ): Promise<SearchData | undefined> {
    return this.ask({ ...EXACTLY, filters: this.filtersOf({}), facets: [path], maxValuesPerFacet }, signal);
  }

  private pathOf(by: "product" | "variant" | "sku"): string | undefined {
    const { variants, sku } = this.mapping;
    if (by === "product") return this.context.idAttribute;
    if (variants !== undefined) return `${variants.path}.${by === "sku" ? variants.sku : variants.id}`;
    return by === "sku" ? sku : undefined;
  }

  /** A filter that products pass: those with a price, and all that is given. What names nothing filters nothing. */
  private filtersOf(given: GivenFilters, ...others: readonly Condition[]): SearchParams["filters"] {
    const { variants, money, category } = this.mapping;
    const [low, high] = pricesBetween(0, GREATEST_AMOUNT, money);
    const parts: Condition[] = [{ [this.pricePath]: { between: [low, high] } }];
    for (const [name, value] of Object.entries(given)) {
      const path = name === "categories" ? category : name;
      if (typeof value === "boolean") parts.push({ [path]: value });
      else if (Array.isArray(value)) {
        if (value.length > 0) parts.push({ [path]: [...new Set((value as readonly string[]).flatMap(formsOf))] });
      } else {
        const { min, max } = value as Partial<Range>;
        if (min === undefined && max === undefined) continue;
        const isPrice = name === "price";
        const between = isPrice
          ? pricesBetween(min ?? 0, max ?? GREATEST_AMOUNT, money)
          : [min ?? -Number.MAX_VALUE, max ?? Number.MAX_VALUE];
        if (isPrice && variants !== undefined)
          parts.push({ [variants.path]: { some: { [variants.price]: { between } } } });
        else parts.push({ [isPrice ? this.pricePath : path]: { between } });
      }
    }
    return { AND: [...parts, ...others] } as SearchParams["filters"];
  }

  /** Undefined: an attribute is unknown, so nothing passes. */
  private async ask(
    params: SearchParams,
    signal: AbortSignal | undefined,
    unknown: readonly string[] = UNKNOWN,
  ): Promise<SearchData | undefined> {
    try {
      const { engine, indexName } = this.context;
      return (await this.within((options) => engine.query<JsonRecord>(indexName, params, options), signal)).data;
    } catch (error) {
      if (error instanceof SearchError && unknown.includes(error.error)) return undefined;
      throw error;
    }
  }

  private async within<T>(ask: (options: CallOptions) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await ask(fromOutside({ signal }, this.context.bounds));
    } catch (error) {
      if (!(error instanceof BoundsError)) throw error;
      const why = error.cause instanceof SearchError ? ` ${error.cause.msg}` : "";
      throw refusal("invalid_option", "credential", `The filters of the credential are wrong.${why}`);
    }
  }
}

/** All records that pass, none of them as a group or by a rule. */
const EXACTLY = {
  query: "",
  hitsPerPage: 0,
  enableRules: false,
  distinct: false,
  minScore: 0,
  understand: false,
} as const;

/** What prints as a text: itself, and the number or boolean that is written so. */
function formsOf(text: string): (string | number | boolean)[] {
  if (text === "true" || text === "false") return [text, text === "true"];
  const number = Number(text);
  return String(number) === text && Number.isFinite(number) ? [text, number] : [text];
}
