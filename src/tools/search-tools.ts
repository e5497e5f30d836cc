// The three tools by which an assistant searches a shop: what they take, what they answer, and what they refuse.

import type { Engine } from "../api/engine.js";
import { Checker } from "../input/kinds.js";
import { copyingOf, copyObject, copyProperties, isPlainObject, type PlainObject } from "../input/plain-data.js";
import type { Hit } from "../query/response.js";
import {
  type CheckedCredential,
  type Credential,
  checkWholeCredential,
  covers,
  isExpired,
} from "../service/credentials.js";
import { isFacetPattern } from "../util/attribute-path.js";
import { SearchError, show, throwValidationErrors } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { checkSignal, pauseIfLong, throwIfAborted } from "../util/tasks.js";
import { type CatalogError, mistake, mistakesIn, unknown } from "./arguments.js";
import { Catalog, type GivenFilters } from "./catalog.js";
import { type CatalogMapping, type ReadMapping, readMapping } from "./catalog-mapping.js";
import {
  facetSchema,
  inputSchema,
  MOST_ITEMS,
  priceSchema,
  type ToolName,
  type ToolSchema,
  USUAL_LIMIT,
} from "./input-schema.js";
import { lookupText, mistakesText, pageText, productText } from "./product-text.js";
import {
  type CatalogProduct,
  type CatalogVariant,
  featuredOf,
  type PriceFilter,
  passes,
  productOf,
  type SelectedOption,
  withSelection,
} from "./products.js";

/** Options of {@link searchTools}. */
export interface SearchToolsOptions<R extends object = JsonRecord> {
  readonly indexName: string;
  /** Where a record has what a product shows. */
  readonly mapping: CatalogMapping<R>;
  /** The attributes, at most 20, by which products can be filtered, besides `categories` and `price`. Default: none. */
  readonly facets?: readonly string[] | undefined;
  /**
   * Which records exist for the tools, and how long they work, as a key of a server says it: `permissions`, `indexes`, `filters`,
   * `maxHitsPerPage` and `validUntil` hold. Default: all records.
   */
  readonly credential?: Credential | undefined;
  /** The greatest length of `text`: 500 to 100,000. Default 4,000. */
  readonly maxCharacters?: number | undefined;
}

/** The answer of a tool: `data` for programs, `text` for a model. With `isError`, `data` says what to do otherwise. */
export type ToolResult<D> =
  | { readonly data: D; readonly text: string; readonly isError: false }
  | { readonly data: { readonly messages: readonly CatalogError[] }; readonly text: string; readonly isError: true };

/** A function that a model can call, in the words that protocols and libraries have for it. */
export interface SearchTool<N extends ToolName = ToolName, D = ToolData[N]> {
  readonly name: N;
  /** For the model. */
  readonly description: string;
  /** The JSON Schema of the arguments; what its filters list is what there was when the tools were made. */
  readonly inputSchema: ToolSchema & { type: "object" };
  /**
   * Answers a call. What a model did wrong is an answer, too.
   *
   * @throws SearchError 401 `key_expired`, 404 `index_not_found`, 499 `aborted`, and whatever is no mistake of the arguments
   */
  readonly execute: (args: unknown, options?: { readonly signal?: AbortSignal | undefined }) => Promise<ToolResult<D>>;
}

/** The data of each tool's answer. */
export interface ToolData {
  readonly search_catalog: {
    readonly products: readonly CatalogProduct[];
    readonly pagination: { readonly cursor?: string; readonly has_next_page: boolean; readonly total_count: number };
  };
  readonly lookup_catalog: {
    readonly products: readonly CatalogProduct[];
    /** The ids that were not found. */
    readonly messages?: readonly { readonly type: "info"; readonly code: "not_found"; readonly content: string }[];
  };
  readonly get_product: { readonly product: CatalogProduct };
}

const MOST_FACETS = 20;
const MOST_PRODUCTS = 100;
const MOST_IDS = 50;
const MOST_VARIANTS = 10;
/** The filters that are no facets. */
const OWN_FILTERS: readonly string[] = ["categories", "price"];
/** Whatever a platform sends besides, which no model does. */
const IGNORED: readonly string[] = ["signals", "attribution"];

const DESCRIPTIONS: { readonly [N in ToolName]: string } = {
  search_catalog:
    "Searches the products of the shop by words, by filters, or both. Returns a page of products, how many there are in all, and the cursor of the next page. To see what a product comes in, call get_product.",
  lookup_catalog:
    "Finds products whose ids are known: ids of products or variants, or SKUs. Returns each product with the variants that were asked for, and which ids were not found.",
  get_product:
    "Shows one product: description, prices, the options that it comes in, and which variant has the options that are selected. Pass the id of a product, or of a variant.",
};

/**
 * The tools by which an assistant searches an index as a shop: `search_catalog`, `lookup_catalog` and `get_product`, in this order, in the
 * shapes of the Universal Commerce Protocol. Their schemas are made from the records, so a model knows which brands and prices there are.
 *
 * @param engine - a `SearchEngine` or an `OpenSearchEngine`
 * @throws SearchError 400 `invalid_option` (param `mapping`, `facets`, `maxCharacters` or `credential`), `unknown_field` for a facet that
 *   no record has, `not_filterable`, 401 `key_expired`, 403 `forbidden`, 404 `index_not_found`
 * @example
 * const [search] = await searchTools(engine, { indexName: "products", mapping: { currency: "EUR" }, facets: ["brand"] });
 * const { text } = await search.execute({ query: "drill", filters: { brand: ["Forge"], price: { max: 10_000 } } });
 */
export async function searchTools<R extends object = JsonRecord>(
  engine: Engine,
  options: SearchToolsOptions<R>,
): Promise<readonly [SearchTool<"search_catalog">, SearchTool<"lookup_catalog">, SearchTool<"get_product">]> {
  const read = readToolsOptions(options);
  const { indexName, credential, facets, mapping, maxCharacters: most } = read;
  checkAccess(credential, indexName);
  const idAttribute = (await engine.getSettings(indexName)).effective.idAttribute;
  // Names of attributes are no secret of the records that the key does not see.
  await engine.query(indexName, { query: "", hitsPerPage: 0, facets });
  const bounds = { filters: credential?.filters };
  const catalog = new Catalog({ engine, indexName, mapping, idAttribute, bounds });
  await catalog.prepare(facets);
  const limits = {
    products: Math.min(credential?.maxHitsPerPage ?? MOST_PRODUCTS, MOST_PRODUCTS),
    ids: Math.min(credential?.maxHitsPerPage ?? MOST_IDS, MOST_IDS),
  };
  const filters = new Filters(catalog, facets);
  const known = await filters.schemas();
  const context = { catalog, most, limits };
  const tool = <N extends ToolName>(name: N, run: Run<N>): SearchTool<N> => ({
    name,
    description: DESCRIPTIONS[name],
    inputSchema: structuredClone(inputSchema(name, known, limits.ids)) as SearchTool["inputSchema"],
    execute: async (args, { signal: given } = {}) => {
      const signal = checkSignal(given);
      throwIfAborted(signal);
      checkAccess(credential, indexName);
      return answer(args, run, { ...context, name, filters, names: Object.keys(known), signal });
    },
  });
  return [tool("search_catalog", search), tool("lookup_catalog", lookup), tool("get_product", getProduct)];
}

const COPYING = copyingOf({ what: "options", error: "invalid_option", asTheyAre: ["credential"] });

interface ReadOptions {
  readonly indexName: string;
  readonly credential: CheckedCredential | undefined;
  readonly mapping: ReadMapping;
  readonly facets: readonly string[];
  readonly maxCharacters: number;
}

function readToolsOptions(options: unknown): ReadOptions {
  const { indexName, credential, mapping, facets, maxCharacters, ...others } = copyObject(options, COPYING);
  const check = new Checker("invalid_option", "options");
  const names = ["indexName", "credential", "mapping", "facets", "maxCharacters"];
  check.refuseOthers(Object.keys(others), names, "option of searchTools");
  const isItem = (name: unknown): name is string =>
    typeof name === "string" && name !== "" && !isFacetPattern(name) && !OWN_FILTERS.includes(name);
  const expected = `names of attributes, none of them "price", "categories" or with a star`;
  const read = {
    indexName: indexName as string,
    mapping: readMapping(mapping, check),
    facets: [...new Set(check.list("facets", facets ?? [], { most: MOST_FACETS, isItem, expected }))],
    maxCharacters: check.integer("maxCharacters", maxCharacters, 500, 100_000, 4000),
    credential: check.collect(() => (credential === undefined ? undefined : checkWholeCredential(credential)), {
      error: "invalid_option",
      param: "credential",
    }),
  };
  throwValidationErrors(check.complaints);
  return read;
}

function checkAccess(credential: CheckedCredential | undefined, indexName: string): void {
  if (credential === undefined) return;
  if (isExpired(credential))
    throw new SearchError(401, "key_expired", "The credential is not valid any more; make tools with another one.");
  if (!credential.permissions.includes("search") || !covers(credential, indexName))
    throw new SearchError(403, "forbidden", `The credential does not allow searching the index ${show(indexName)}.`);
}

/** The filters of the tools, with what the index has now. */
class Filters {
  private readonly catalog: Catalog;
  private readonly paths: ReadonlyMap<string, string>;

  constructor(catalog: Catalog, facets: readonly string[]) {
    this.catalog = catalog;
    const own = facets.map((name) => [name, name] as const);
    this.paths = new Map([["categories", catalog.mapping.category], ["price", ""], ...own]);
  }

  /**
   * The schemas of the filters that something passes: of all, or of those that are given, with all texts that there are. Of `others` there
   * is the name.
   */
  async schemas(
    given?: PlainObject,
    others: readonly string[] = [],
    signal?: AbortSignal,
  ): Promise<Record<string, ToolSchema>> {
    const asked = [...this.paths.keys()].filter((name) => given === undefined || Object.hasOwn(given, name));
    const found = await Promise.all(
      asked.map(async (name) => [name, await this.schema(name, given?.[name], signal)] as const),
    );
    const named = others.filter((name) => !asked.includes(name)).map((name) => [name, {}] as const);
    const there = found.filter(([, schema]) => schema !== undefined);
    return Object.fromEntries([...named, ...there]) as Record<string, ToolSchema>;
  }

  private async schema(name: string, given: unknown, signal: AbortSignal | undefined): Promise<ToolSchema | undefined> {
    if (name === "price") return priceSchema(await this.catalog.amounts(signal), this.catalog.mapping.money);
    const texts = (Array.isArray(given) ? given : []).filter((value): value is string => typeof value === "string");
    const path = this.paths.get(name)!;
    const asked = texts.slice(0, MOST_ITEMS);
    const facet = await this.catalog.facet(path, { asked, asTexts: name === "categories" }, signal);
    return facet && facetSchema(facet, given !== undefined);
  }
}

/** What a call of a tool works with. */
interface Call {
  readonly catalog: Catalog;
  readonly most: number;
  readonly limits: { readonly products: number; readonly ids: number };
  readonly signal: AbortSignal | undefined;
}

/** Arguments that the schema of their tool allows. */
interface GivenArguments {
  readonly query?: string;
  readonly filters?: GivenFilters & { readonly price?: PriceFilter };
  readonly pagination?: { readonly cursor?: string; readonly limit?: number };
  readonly context?: { readonly currency?: string };
  readonly ids?: readonly string[];
  readonly id?: string;
  readonly selected?: readonly SelectedOption[];
  readonly preferences?: readonly string[];
}

/** Answers checked arguments, or says what is wrong with them. */
type Run<N extends ToolName> = (
  args: GivenArguments,
  call: Call,
) => Promise<readonly CatalogError[] | { readonly data: ToolData[N]; readonly text: string }>;

const COPYING_ARGUMENTS = copyingOf({
  ...{ what: "The arguments", error: "request_too_large" },
  ...{ values: 20_000, characters: 200_000 },
});

async function answer<N extends ToolName>(
  sent: unknown,
  run: Run<N>,
  call: Call & { readonly name: N; readonly filters: Filters; readonly names: readonly string[] },
): Promise<ToolResult<ToolData[N]>> {
  const { name, filters, names, limits, catalog, most, signal } = call;
  const refused = (messages: readonly CatalogError[]): ToolResult<ToolData[N]> => ({
    data: { messages },
    text: mistakesText(messages, most),
    isError: true,
  });
  if (typeof sent !== "object" || sent === null || Array.isArray(sent))
    return refused([mistake("invalid_type", "$", `The arguments are ${show(sent)}; expected an object.`)]);
  try {
    const read = Object.entries(copyProperties(sent, COPYING_ARGUMENTS)).filter(([name]) => !IGNORED.includes(name));
    const args = copyObject(Object.fromEntries(read), COPYING_ARGUMENTS);
    const given = isPlainObject(args.filters) ? args.filters : {};
    const schema = inputSchema(name, await filters.schemas(given, names, signal), limits.ids);
    const mistakes: CatalogError[] = [];
    for (const each of mistakesIn(schema, args)) {
      mistakes.push(each);
      await pauseIfLong();
    }
    mistakes.push(...otherMistakes(name, args, catalog.mapping.money.currency));
    if (mistakes.length > 0) return refused(mistakes);
    const found = await run(args, call);
    return "data" in found ? { ...found, isError: false } : refused(found);
  } catch (error) {
    const path = error instanceof SearchError ? argumentOf(error) : undefined;
    if (path === undefined) throw error;
    const { error: code, msg } = error as SearchError;
    return refused([mistake(code, path, msg)]);
  }
}

/** The argument that an error of the engine is about; undefined: none. */
function argumentOf({ code, error, param }: SearchError): string | undefined {
  if (error === "request_too_large") return "$";
  if (code !== 400) return undefined;
  if (param === "query") return "$.query";
  if (param === "cursor") return "$.pagination.cursor";
  return error === "filter_too_complex" ? "$.filters" : undefined;
}

/** The mistakes that no schema finds. */
function* otherMistakes(
  name: ToolName,
  args: Readonly<Record<string, unknown>>,
  currency: string,
): Generator<CatalogError, void> {
  if (name === "search_catalog" && args.query === undefined && args.filters === undefined)
    yield mistake("missing_argument", "$", "query and filters are missing; pass one of them, or both.");
  const within = (value: unknown, key: string): unknown => (isPlainObject(value) ? value[key] : undefined);
  const price = within(args.filters, "price");
  const other = within(args.context, "currency");
  const isFiltered = within(price, "min") !== undefined || within(price, "max") !== undefined;
  if (isFiltered && typeof other === "string" && other.toUpperCase() !== currency) {
    const msg = `Prices are in ${currency}, so a price filter cannot be in ${show(other)}; convert it, and pass "${currency}".`;
    yield mistake("unsupported_currency", "$.context.currency", msg, currency);
  }
  const selected = Array.isArray(args.selected) ? args.selected.map((option) => within(option, "name")) : [];
  for (const [i, option] of selected.entries())
    if (typeof option === "string" && selected.indexOf(option) < i)
      yield mistake(
        "invalid_type",
        `$.selected[${i}].name`,
        `$.selected names ${show(option)} twice; name each option once.`,
      );
}

const search: Run<"search_catalog"> = async ({ query = "", filters = {}, pagination = {} }, call) => {
  const { catalog, limits, most, signal } = call;
  const { mapping } = catalog;
  const { cursor = "start", limit = USUAL_LIMIT } = pagination;
  const page = { query, cursor, limit: Math.min(limit, limits.products) };
  const { hits, nbHits, nextCursor } = await catalog.search(page, filters, signal);
  const found = await productsOf(hits, filters, call);
  const products = found.map(({ product, variants }) => ({ ...product, variants: variants.slice(0, MOST_VARIANTS) }));
  const next = nextCursor ?? undefined;
  const pages = { ...(next !== undefined && { cursor: next }), has_next_page: next !== undefined, total_count: nbHits };
  const text = pageText(products, nbHits, next, { money: mapping.money, most });
  return { data: { products, pagination: pages }, text };
};

interface Resolved {
  readonly product: CatalogProduct;
  readonly variant: CatalogVariant;
  readonly match: "featured" | "exact";
}

/** Variants, and the ids by which they were asked for. */
type Inputs = Map<CatalogVariant, NonNullable<CatalogVariant["inputs"]>>;

const lookup: Run<"lookup_catalog"> = async ({ ids: given = [], filters = {} }, call) => {
  const { catalog, limits, most } = call;
  const ids = [...new Set(given)];
  const found = await findProducts(ids, filters, call);
  /** The variants that are asked for, with the ids by which, in the order asked. */
  const asked = new Map<CatalogProduct, Inputs>();
  const absent: string[] = [];
  for (const id of ids) {
    const resolved = found.flatMap(({ product, variants }): Resolved[] => {
      if (product.id === id) return [{ product, variant: featuredOf(variants)!, match: "featured" }];
      const named = variants.filter((each) => each.id === id);
      const exact = named.length > 0 ? named : variants.filter((each) => each.sku === id);
      return exact.map((variant) => ({ product, variant, match: "exact" }));
    });
    const products = resolved.filter(({ match }) => match === "featured");
    if (resolved.length === 0) absent.push(id);
    for (const { product, variant, match } of products.length > 0 ? products : resolved) {
      const variants: Inputs = asked.get(product) ?? new Map();
      asked.set(product, variants.set(variant, [...(variants.get(variant) ?? []), { id, match }]));
    }
  }
  const products = [...asked].slice(0, limits.products).map(([product, variants]) => ({
    ...product,
    variants: Array.from(variants, ([variant, inputs]) => ({ ...variant, inputs })),
  }));
  const messages = absent.map((content) => ({ type: "info" as const, code: "not_found" as const, content }));
  const text = lookupText(products, absent, { money: catalog.mapping.money, most });
  return { data: { products, ...(messages.length > 0 && { messages }) }, text };
};

const getProduct: Run<"get_product"> = async ({ id = "", selected, preferences = [], filters = {} }, call) => {
  const { catalog, most, limits } = call;
  const found = limits.products === 0 ? [] : await findProducts([id], filters, call, ["product", "variant"]);
  const isNamed = ({ variants }: FoundProduct): boolean => variants.some((each) => each.id === id);
  const of = found.find(({ product }) => product.id === id) ?? found.find(isNamed);
  if (of === undefined) {
    const content = `No product and no variant has the id ${show(id)}, or it does not pass the filters.`;
    return [{ type: "error", code: "not_found", content, severity: "unrecoverable" }];
  }
  const { product, variants } = of;
  const variant = product.id === id ? undefined : variants.find((each) => each.id === id);
  const names = (product.options ?? []).map(({ name }) => name);
  const mistakes = (variant === undefined ? (selected ?? []) : []).flatMap(({ name }, i) => {
    const path = `$.selected[${i}].name`;
    return names.includes(name)
      ? []
      : [unknown("unknown_value", path, `The product has no option ${show(name)}`, name, names)];
  });
  if (mistakes.length > 0) return mistakes;
  const shown = withSelection(product, variants, { variant, selected, preferences });
  return { data: { product: shown }, text: productText(shown, { money: catalog.mapping.money, most }) };
};

interface FoundProduct {
  readonly product: CatalogProduct;
  /** Those that pass the filters: at least one. */
  readonly variants: readonly CatalogVariant[];
}

/** The products of which one of these ids is the id, or that of a variant, or the SKU of one. */
async function findProducts(
  ids: readonly string[],
  filters: NonNullable<GivenArguments["filters"]>,
  call: Call,
  by: readonly ("product" | "variant" | "sku")[] = ["product", "variant", "sku"],
): Promise<FoundProduct[]> {
  const lists = await Promise.all(by.map((each) => call.catalog.find(each, ids, filters, call.signal)));
  return productsOf(new Map(lists.flat().map((hit) => [hit.id, hit])).values(), filters, call);
}

async function productsOf(
  hits: Iterable<Hit>,
  { price = {} }: NonNullable<GivenArguments["filters"]>,
  { catalog, signal }: Call,
): Promise<FoundProduct[]> {
  const found: FoundProduct[] = [];
  for (const hit of hits) {
    const product = productOf(hit, catalog.mapping);
    const variants = product?.variants.filter((each) => passes(each, price)) ?? [];
    if (product !== undefined && variants.length > 0) found.push({ product, variants });
    await pauseIfLong();
    throwIfAborted(signal);
  }
  return found;
}
