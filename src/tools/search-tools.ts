// The three tools by which an assistant searches a shop: what they take, what they answer, and what they refuse.

import type { Engine } from "../api/engine.js";
import { Checker } from "../input/kinds.js";
import { copyingOf, copyObject, copyProperties, isPlainObject, type PlainObject } from "../input/plain-data.js";
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
import {
  type CatalogError,
  hintAt,
  inputSchema,
  mistake,
  mistakesIn,
  type ToolName,
  type ToolSchema,
  USUAL_LIMIT,
} from "./arguments.js";
import { Catalog, type GivenFilters } from "./catalog.js";
import { type CatalogMapping, readMapping } from "./catalog-mapping.js";
import { type AnswerText, fitted, lookupText, mistakesText, pageText, productText } from "./product-text.js";
import {
  type CatalogProduct,
  type CatalogVariant,
  type FoundProduct,
  featuredOf,
  type Selection,
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
  const { indexName, credential, facets, mapping, maxCharacters } = readToolsOptions(options);
  checkAccess(credential, indexName);
  const { idAttribute } = (await engine.getSettings(indexName)).effective;
  const bounds = { filters: credential?.filters };
  const context = { engine, indexName, mapping, idAttribute, bounds, facets };
  const known = await new Catalog(context).prepare();
  const most = credential?.maxHitsPerPage ?? MOST_PRODUCTS;
  const mostIds = Math.min(most, MOST_IDS);
  const tool = <N extends ToolName>(name: N, run: Run<N>): SearchTool<N> => ({
    name,
    description: DESCRIPTIONS[name],
    inputSchema: structuredClone(inputSchema(name, known, mostIds)) as SearchTool["inputSchema"],
    execute: async (sent, given) => {
      const signal = checkSignal(given?.signal);
      throwIfAborted(signal);
      checkAccess(credential, indexName);
      const catalog = new Catalog({ ...context, signal });
      const answer = async (): Promise<Answer<N>> => {
        // Platforms send these two besides, and no model does.
        const { signals, attribution, ...own } = copyProperties(sent, { what: "$", error: "invalid_type" });
        const args = copyObject(own, COPYING_ARGUMENTS);
        const filters = await catalog.schemas(known, isPlainObject(args.filters) ? args.filters : {});
        const mistakes = [];
        for (const each of mistakesIn(inputSchema(name, filters, mostIds), args)) {
          mistakes.push(each);
          await pauseIfLong();
        }
        mistakes.push(...otherMistakes(name, args, mapping.currency));
        return mistakes.length > 0 ? mistakes : run(args, catalog, Math.min(most, MOST_PRODUCTS));
      };
      const found = await answer().catch((error: unknown) => [mistakeOf(error)]);
      return "data" in found
        ? { data: found.data, text: fitted(found.text, maxCharacters), isError: false }
        : { data: { messages: found }, text: fitted(mistakesText(found), maxCharacters), isError: true };
    },
  });
  return [tool("search_catalog", search), tool("lookup_catalog", lookup), tool("get_product", getProduct)];
}

const COPYING = copyingOf({ what: "options", error: "invalid_option", asTheyAre: ["credential"] });

function readToolsOptions(options: unknown) {
  const { indexName, mapping, facets = [], credential, maxCharacters, ...others } = copyObject(options, COPYING);
  const check = new Checker("invalid_option", "options");
  const names = ["indexName", "mapping", "facets", "credential", "maxCharacters"];
  check.refuseOthers(Object.keys(others), names, "option of searchTools");
  const isItem = (name: unknown): name is string =>
    typeof name === "string" && !/^(?:|price|categories|AND|OR|NOT|\$.*)$/.test(name) && !isFacetPattern(name);
  const expected = `names of attributes, none of them "price", "categories", "AND", "OR", "NOT", with a star, or "$" first`;
  const as = { error: "invalid_option", param: "credential" };
  const read = {
    indexName: indexName as string,
    mapping: readMapping(mapping, check),
    facets: [...new Set(check.list("facets", facets, { most: MOST_FACETS, isItem, expected }))],
    credential: credential === undefined ? undefined : check.collect(() => checkWholeCredential(credential), as),
    maxCharacters: check.integer("maxCharacters", maxCharacters, 500, 100_000, 4000),
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

/** Arguments that the schema of their tool allows. */
interface GivenArguments extends Pick<Selection, "selected" | "preferences"> {
  readonly query?: string;
  readonly filters?: GivenFilters;
  readonly pagination?: { readonly cursor?: string; readonly limit?: number };
  readonly ids?: readonly string[];
  readonly id?: string;
}

/** What answers a call, or what is wrong with it. */
type Answer<N extends ToolName> = readonly CatalogError[] | { readonly data: ToolData[N]; readonly text: AnswerText };

/** Answers checked arguments, with a number of products that the key allows. */
type Run<N extends ToolName> = (args: GivenArguments, catalog: Catalog, most: number) => Promise<Answer<N>>;

const COPYING_ARGUMENTS = copyingOf({ what: "$", error: "request_too_large", values: 20_000, characters: 200_000 });

/** The arguments that errors are about, by their codes and parameters. */
const ARGUMENTS: ReadonlyMap<string | undefined, string> = new Map([
  ["invalid_type", "$"],
  ["request_too_large", "$"],
  ["filter_too_complex", "$.filters"],
  ["query", "$.query"],
  ["cursor", "$.pagination.cursor"],
]);

/** The mistake that is meant by an error; throws one that is about no argument. */
function mistakeOf(thrown: unknown): CatalogError {
  if (!(thrown instanceof SearchError)) throw thrown;
  const { code, error, param, msg } = thrown;
  const path = ARGUMENTS.get(error) ?? (code === 400 ? ARGUMENTS.get(param) : undefined);
  if (path === undefined) throw thrown;
  const isCursor = error === "invalid_cursor";
  return mistake(
    error,
    path,
    isCursor ? "The cursor is damaged, or of another search; leave it out to begin anew." : msg,
  );
}

/** The mistakes that no schema finds. */
function* otherMistakes(tool: ToolName, args: PlainObject, currency: string): Generator<CatalogError, void> {
  if (tool === "search_catalog" && args.query === undefined && args.filters === undefined)
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
  for (const [i, name] of selected.entries()) {
    const path = `$.selected[${i}].name`;
    if (typeof name === "string" && selected.indexOf(name) < i)
      yield mistake("invalid_type", path, `$.selected names ${show(name)} twice; name each option once.`);
  }
}

const search: Run<"search_catalog"> = async ({ query = "", filters = {}, pagination = {} }, catalog, most) => {
  const { cursor = "start", limit = USUAL_LIMIT } = pagination;
  const { found, total, next } = await catalog.search(query, filters, cursor, Math.min(limit, most));
  const products = found.map(({ product, variants }) => ({ ...product, variants: variants.slice(0, MOST_VARIANTS) }));
  const pages = { ...(next !== undefined && { cursor: next }), has_next_page: next !== undefined, total_count: total };
  return { data: { products, pagination: pages }, text: pageText(products, total, next) };
};

/** What an id names: products, each of which a variant stands for, or else variants. */
function namedBy(id: string, found: readonly FoundProduct[]) {
  const whole = found.filter(({ product }) => product.id === id);
  const featured = whole.map((each) => ({ ...each, variant: featuredOf(each.variants), match: "featured" as const }));
  if (featured.length > 0) return featured;
  return found.flatMap((each) => {
    const variants = each.variants.filter((variant) => variant.id === id);
    const exact = variants.length > 0 ? variants : each.variants.filter((variant) => variant.sku === id);
    return exact.map((variant) => ({ ...each, variant, match: "exact" as const }));
  });
}

type Inputs = NonNullable<CatalogVariant["inputs"]>;

const lookup: Run<"lookup_catalog"> = async ({ ids = [], filters = {} }, catalog, most) => {
  const found = await catalog.find(ids, filters, ["product", "variant", "sku"]);
  /** The variants that are asked for, with the ids by which, in the order asked. */
  const asked = new Map<CatalogProduct, Map<CatalogVariant, Inputs>>();
  const absent: string[] = [];
  for (const id of new Set(ids)) {
    const named = namedBy(id, found);
    if (named.length === 0) absent.push(id);
    for (const { product, variant, match } of named) {
      const variants = asked.get(product) ?? new Map<CatalogVariant, Inputs>();
      asked.set(product, variants.set(variant, [...(variants.get(variant) ?? []), { id, match }]));
    }
  }
  const products = [...asked].slice(0, most).map(([product, variants]) => ({
    ...product,
    variants: Array.from(variants, ([variant, inputs]) => ({ ...variant, inputs })),
  }));
  const messages = absent.map((content) => ({ type: "info" as const, code: "not_found" as const, content }));
  return { data: { products, ...(messages.length > 0 && { messages }) }, text: lookupText(products, absent) };
};

const getProduct: Run<"get_product"> = async ({ id = "", filters = {}, selected, preferences }, catalog, most) => {
  const [named] = most === 0 ? [] : namedBy(id, await catalog.find([id], filters, ["product", "variant"]));
  if (named === undefined) {
    const content = `No product and no variant has the id ${show(id)}, or it does not pass the filters.`;
    return [{ type: "error", code: "not_found", content, severity: "unrecoverable" }];
  }
  const { product, variants, match } = named;
  const variant = match === "exact" ? named.variant : undefined;
  const names = (product.options ?? []).map(({ name }) => name);
  const mistakes = (variant === undefined ? (selected ?? []) : []).flatMap(({ name }, i) => {
    const hint = hintAt(`The product has no option ${show(name)}`, name, names);
    return names.includes(name) ? [] : [mistake("unknown_value", `$.selected[${i}].name`, ...hint)];
  });
  if (mistakes.length > 0) return mistakes;
  const shown = withSelection(product, variants, { variant, selected, preferences });
  return { data: { product: shown }, text: productText(shown) };
};
