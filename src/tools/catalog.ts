// What a key may see of an index as a catalogue: products found, and the schemas of the filters that find some. All is asked by the public
// verbs of an engine, within bounds that no argument widens. An attribute that no record within the bounds has, or that may not be filtered
// by, has no values.

import type { Engine } from "../api/engine.js";
import { type CallOptions, fromOutside } from "../input/call-options.js";
import { BoundsError } from "../input/read-params.js";
import type { SearchParams } from "../input/search-params.js";
import type { Hit, SearchData } from "../query/response.js";
import { refusal, SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { pauseIfLong, throwIfAborted } from "../util/tasks.js";
import {
  MOST_ITEMS,
  MOST_LISTED,
  priceSchema,
  rangeSchema,
  type ToolSchema,
  type ToolSchemas,
  textsSchema,
} from "./arguments.js";
import type { ReadMapping } from "./catalog-mapping.js";
import { amountOf, GREATEST_AMOUNT, pricesBetween } from "./prices.js";
import { type FoundProduct, productOf, type Range, withValues } from "./products.js";

/** A filter of the engine, as an object. */
type Condition = Readonly<Record<string, unknown>>;

/** The values of a call's `filters`, checked. */
export type GivenFilters = Readonly<Record<string, unknown>> & { readonly price?: Partial<Range> };

interface FoundPage {
  readonly found: readonly FoundProduct[];
  readonly total: number;
  readonly next: string | undefined;
}

/** The ids of products and variants, and SKUs. */
type Identifier = "product" | "variant" | "sku";

/** The engine counts no more values of an attribute in one query. */
const MOST_VALUES = 1000;
/** Of so many wrong texts, and no longer ones, what is like them is searched beyond the values that are counted. */
const MOST_SEARCHED = 10;
const LONGEST_SEARCHED = 128;
const UNKNOWN: readonly string[] = ["unknown_filter_field", "unknown_field", "not_filterable"];
/** All records that pass, none of them as a group or by a rule. */
const EXACTLY = { query: "", enableRules: false, distinct: false, minScore: 0, understand: false } as const;
const COUNTED = { ...EXACTLY, hitsPerPage: 0 } as const;

/** What the tools know of the index. */
export interface CatalogContext {
  readonly engine: Engine;
  readonly indexName: string;
  readonly mapping: ReadMapping;
  /** The attribute of the ids. */
  readonly idAttribute: string;
  /** Of the key. */
  readonly bounds: { readonly filters: unknown };
  /** The names of facets. */
  readonly facets: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export class Catalog {
  private readonly context: CatalogContext;
  /** The paths of what identifies products, and of their prices. */
  private readonly paths: Readonly<Record<Identifier | "price", string>>;

  constructor(context: CatalogContext) {
    const { path, id, sku, price } = context.mapping.variants;
    const product = context.idAttribute;
    const within = (name: string): string => `${path}.${name}`;
    this.context = context;
    this.paths =
      path === undefined
        ? { product, variant: product, sku, price }
        : { product, variant: within(id), sku: within(sku), price: within(price) };
  }

  /**
   * The schemas of all filters. Throws what the engine has against filtering by facets, ids and prices; of a price that no record has it
   * warns.
   */
  async prepare(): Promise<ToolSchemas> {
    const { engine, indexName, facets } = this.context;
    const { product, variant, price } = this.paths;
    // Names of attributes are no secret of the records that the key does not see.
    await engine.query(indexName, { query: "", hitsPerPage: 0, facets, attributesToRetrieve: [price] });
    for (const path of [product, variant, price])
      await this.query({ ...COUNTED, filters: { [path]: { exists: true } } }, ["unknown_filter_field"]);
    return this.schemas();
  }

  /** A page of products, how many there are in all, and the cursor of the next page. With a limit of 0 there is neither. */
  async search(query: string, given: GivenFilters, cursor: string, limit: number): Promise<FoundPage> {
    const page = { hitsPerPage: limit, ...(limit > 0 && { cursor }) };
    const params = { query, filters: this.filtersOf(given), attributesToRetrieve: ["*"], ...page };
    const { hits, nbHits, nextCursor } = (await this.query(params)) ?? { hits: [], nbHits: 0 };
    return { found: await this.productsOf(hits, given), total: nbHits, next: nextCursor ?? undefined };
  }

  /** The products that one of these texts identifies, or what reads so. */
  async find(ids: readonly string[], given: GivenFilters, by: readonly Identifier[]): Promise<FoundProduct[]> {
    const hits = await this.hitsOf(ids, given, by);
    return this.productsOf(new Map(hits.map((hit) => [hit.id, hit])).values(), given);
  }

  private async hitsOf(ids: readonly string[], given: GivenFilters, by: readonly Identifier[]): Promise<Hit[]> {
    const asked = by.map((each) => {
      const filters = this.filtersOf(given, { [this.paths[each]]: ids.flatMap(formsOf) });
      return this.query({ ...EXACTLY, filters, hitsPerPage: MOST_VALUES });
    });
    const found = await Promise.all(asked);
    // One SKU that very many products have hides no other.
    if (ids.length > 1 && found.some((data) => data !== undefined && data.nbHits > data.hits.length))
      return (await Promise.all(ids.map((id) => this.hitsOf([id], given, by)))).flat();
    return found.flatMap((data) => data?.hits ?? []);
  }

  private async productsOf(hits: Iterable<Hit>, { price = {} }: GivenFilters): Promise<FoundProduct[]> {
    const { min = 0, max = Number.POSITIVE_INFINITY } = price;
    const found: FoundProduct[] = [];
    for (const hit of hits) {
      const product = productOf(hit, this.context.mapping, { min, max });
      if (product !== undefined) found.push(product);
      await pauseIfLong();
      throwIfAborted(this.context.signal);
    }
    return found;
  }

  /**
   * The schemas of the filters that find something. Of a call that is `given` only those are made that it names, with all texts that there
   * are, and the others are as they are `known`.
   */
  async schemas(known: ToolSchemas = {}, given?: Condition): Promise<ToolSchemas> {
    const all = ["categories", "price", ...this.context.facets];
    const names = given === undefined ? all : all.filter((name) => Object.hasOwn(given, name));
    const made = await Promise.all(names.map(async (name) => [name, await this.schema(name, given?.[name])] as const));
    return withValues({ ...known, ...Object.fromEntries(made) });
  }

  private async schema(name: string, given: unknown): Promise<ToolSchema | undefined> {
    const { currency, factor } = this.context.mapping;
    const path = this.pathOf(name);
    const maxValuesPerFacet = name === "price" ? 0 : MOST_VALUES;
    const found = await this.query({ ...COUNTED, filters: this.filtersOf({}), facets: [path], maxValuesPerFacet });
    const stats = found?.facetStats?.[path];
    if (name === "price") {
      if (stats === undefined) return priceSchema({}, currency);
      const [min, max] = [Math.max(0, stats.min), stats.max].map((price) => amountOf(price, factor));
      return priceSchema({ min: min ?? 0, max: max ?? GREATEST_AMOUNT }, currency);
    }
    const counts = found?.facets?.[path] ?? [];
    const counted = counts.map(({ value }) => value);
    const are = (type: string): boolean => name !== "categories" && counted.every((value) => typeof value === type);
    if (counted.length === 0) return undefined;
    if (are("boolean")) return { type: "boolean" };
    if (stats !== undefined && are("number")) return rangeSchema("number", stats);
    const byText = new Map<string, number>();
    for (const { value, count } of counts) byText.set(String(value), (byText.get(String(value)) ?? 0) + count);
    const sorted = [...byText].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const values = new Set(sorted.map(([text]) => text));
    if (given === undefined) return textsSchema([...values], await this.isWhole(path, counted.length));
    const asked: readonly unknown[] = Array.isArray(given) ? given.slice(0, MOST_ITEMS) : [];
    const others = asked.filter((each) => typeof each === "string" && !values.has(each)) as string[];
    return textsSchema([...new Set([...values, ...(await this.beyond(path, new Set(others)))])], true);
  }

  /** Whether so many values are few, and all: the engine refuses to list one more where its `limits.facetValues` does not let it. */
  private async isWhole(attribute: string, count: number): Promise<boolean> {
    const params = { ...COUNTED, facets: [{ attribute, limit: count + 1 }] };
    return count <= MOST_LISTED && (await this.query(params, ["invalid_parameter"])) !== undefined;
  }

  /** Those of these texts that products have, though they are not counted, and what is like the others. */
  private async beyond(path: string, texts: Iterable<string>): Promise<Set<string>> {
    const { engine, indexName } = this.context;
    const values = new Set<string>();
    let searched = 0;
    for (const text of texts) {
      const found = await this.query({ ...COUNTED, filters: this.filtersOf({}, { [path]: formsOf(text) }) });
      if (found !== undefined && found.nbHits > 0) values.add(text);
      else if (text.length <= LONGEST_SEARCHED && ++searched <= MOST_SEARCHED) {
        const of = { facetName: path, facetQuery: text, maxFacetHits: MOST_VALUES };
        const params = { ...EXACTLY, ...of, filters: this.filtersOf({}) };
        const like = await this.ask((options) => engine.searchForFacetValues(indexName, params, options));
        for (const { value } of like?.facetHits ?? []) values.add(String(value));
      }
    }
    return values;
  }

  private pathOf(filter: string): string {
    if (filter === "price") return this.paths.price;
    return filter === "categories" ? this.context.mapping.category : filter;
  }

  /** A filter that products pass: those with a price, and all that is given. What names nothing filters nothing. */
  private filtersOf(given: GivenFilters, ...others: readonly Condition[]): SearchParams["filters"] {
    const { variants, factor } = this.context.mapping;
    const priced = (min: number, max: number): Condition => {
      const within = { [variants.price]: { between: pricesBetween(min, max, factor) } };
      return variants.path === undefined ? within : { [variants.path]: { some: within } };
    };
    // So that the least and the greatest price are those of variants that have one, too.
    const parts: Condition[] = [priced(0, GREATEST_AMOUNT)];
    for (const [name, value] of Object.entries(given)) {
      const path = this.pathOf(name);
      const { min, max } = value as Partial<Range>;
      if (typeof value === "boolean") parts.push({ [path]: value });
      else if (Array.isArray(value) && value.length > 0) parts.push({ [path]: [...new Set(value.flatMap(formsOf))] });
      else if (name === "price" && (min ?? max) !== undefined) parts.push(priced(min ?? 0, max ?? GREATEST_AMOUNT));
      else if ((min ?? max) !== undefined)
        parts.push({ [path]: { between: [min ?? -Number.MAX_VALUE, max ?? Number.MAX_VALUE] } });
    }
    return { AND: [...parts, ...others] } as SearchParams["filters"];
  }

  /** Undefined: an attribute is unknown, so nothing passes. */
  private query(params: SearchParams, unknown?: readonly string[]): Promise<SearchData | undefined> {
    const { engine, indexName } = this.context;
    return this.ask(async (options) => (await engine.query<JsonRecord>(indexName, params, options)).data, unknown);
  }

  private async ask<T>(verb: (options: CallOptions) => Promise<T>, unknown = UNKNOWN): Promise<T | undefined> {
    try {
      const { signal, bounds } = this.context;
      return await verb(fromOutside({ signal }, bounds));
    } catch (error) {
      if (error instanceof SearchError && unknown.includes(error.error)) return undefined;
      if (!(error instanceof BoundsError)) throw error;
      const why = error.cause instanceof SearchError ? ` ${error.cause.msg}` : "";
      throw refusal("invalid_option", "credential", `The filters of the credential are wrong.${why}`);
    }
  }
}

/** What prints as a text: itself, and the number or boolean that is written so. */
function formsOf(text: string): (string | number | boolean)[] {
  if (text === "true" || text === "false") return [text, text === "true"];
  const number = Number(text);
  return String(number) === text && Number.isFinite(number) ? [text, number] : [text];
}
