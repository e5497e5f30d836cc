// Checks whether the attributes that a query names can be used: the settings declare them, some record has them, or the index
// remembers that a record had them since it was created or cleared. An index that never had a record accepts every name. Where
// an unknown name does no harm, it is a warning.

import { canonicalLanguage } from "../analysis/languages.js";
import type { KnownAttributes } from "../docvalues/attribute-catalog.js";
import type { Filter } from "../docvalues/filter.js";
import { conditionsOf, pathWithin } from "../docvalues/filter.js";
import type { CheckedSettings, ReadBoost } from "../settings/resolved-settings.js";
import { searchedLanguages } from "../settings/search-language.js";
import { type IndexSettings, searchedName } from "../settings/settings.js";
import { facetPrefix, isFacetPattern, lastName, plainName } from "../util/attribute-path.js";
import { type Complaint, throwValidationErrors } from "../util/errors.js";
import type { Warn } from "../util/extension-points.js";
import { hintAt, show } from "../util/show.js";
import type { Task } from "../util/tasks.js";
import { itemsKeyOf } from "./column-store.js";

/** What the check depends on. */
export interface AttributeContext {
  readonly settings: CheckedSettings;
  readonly attributes: KnownAttributes;
}

/** The attributes that a query names. */
export interface UsedAttributes {
  readonly filters: Filter;
  readonly facetFilters: readonly { readonly filter: Filter }[];
  readonly numericFilters: readonly { readonly filter: Filter }[];
  readonly facets: readonly { readonly attribute: string }[];
  readonly boosts: readonly ReadBoost[] | undefined;
  readonly optionalFilters: readonly ReadBoost[];
  readonly sort: readonly { readonly attribute: string; readonly center?: object; readonly isScore?: true }[];
  readonly distinct: boolean | undefined;
  readonly restrictSearchableAttributes: readonly string[] | undefined;
  readonly queryLanguages: readonly string[] | undefined;
}

/** The attributes that a hit shows. */
export interface ShownAttributes {
  readonly attributesToRetrieve: readonly string[] | undefined;
  readonly attributesToHighlight: readonly string[];
  readonly attributesToSnippet: readonly string[];
}

/** Throws 400 for all unknown attributes in filters, facet refinements, facets and sorting together. */
export function* checkAttributes(params: UsedAttributes, context: AttributeContext): Task<void> {
  const check = new AttributeCheck(context);
  yield* check.filter(params.filters, "filters");
  for (const { filter } of params.facetFilters) yield* check.filter(filter, "facetFilters");
  for (const { filter } of params.numericFilters) yield* check.filter(filter, "numericFilters");
  for (const { attribute: name } of params.facets)
    if (isFacetPattern(name)) yield* check.pattern(name);
    else yield* check.name(name, "facets", "unknown_field");
  for (const sort of params.sort)
    if (!Object.hasOwn(sort, "center") && !Object.hasOwn(sort, "isScore"))
      yield* check.name(sort.attribute, "sort", "unknown_field");
  for (const boost of params.boosts ?? []) yield* check.boost(boost, "boosts");
  for (const boost of params.optionalFilters) yield* check.boost(boost, "optionalFilters");
  yield* check.searched(params.restrictSearchableAttributes ?? []);
  check.languages(params);
  if (params.distinct === true && context.settings.attributeForDistinct === null) {
    const msg = "distinct is true, but the index has no attributeForDistinct; name one in its settings.";
    check.complaints.push({ error: "invalid_parameter", param: "distinct", msg });
  }
  throwValidationErrors(check.complaints);
}

/** Warns about unknown attributes among those that a hit shows: one warning for each parameter. */
export function* warnUnknownShown(
  { attributesToRetrieve = [], attributesToHighlight, attributesToSnippet }: ShownAttributes,
  context: AttributeContext,
  warn: Warn,
): Task<void> {
  const named = attributesToRetrieve.length + attributesToHighlight.length + attributesToSnippet.length;
  if (named === 0 || context.attributes.isEmpty) return;
  const check = new AttributeCheck(context);
  const unknown = (name: string): Task<string | undefined> => check.unknown(name);
  yield* warnOf("attributesToRetrieve", attributesToRetrieve.map(withoutMinus), unknown, warn);
  yield* warnOf("attributesToHighlight", attributesToHighlight, unknown, warn);
  yield* warnOf("attributesToSnippet", attributesToSnippet.map(withoutWords), unknown, warn);
}

function withoutMinus(path: string): string {
  return path.startsWith("-") ? path.slice(1) : path;
}

function withoutWords(path: string): string {
  return path.replace(/:[0-9]+$/, "");
}

/** Settings, effective and as they were given, with the attributes that records have or had. */
export interface FulfilmentContext extends AttributeContext {
  readonly given: IndexSettings;
}

/** Warns about attributes that settings name and no record has or had: one warning for each setting. Returns whether it did. */
export function* warnUnfulfilled(context: FulfilmentContext, warn: Warn): Task<boolean> {
  const { settings, attributes, given } = context;
  if (attributes.isEmpty) return false;
  const check = new AttributeCheck(context);
  const absent = (name: string): Task<string | undefined> => check.absent(name);
  const withoutValues = (name: string): Task<string | undefined> => check.withoutValues(name);
  const { embeddedAttributes, attributesForFaceting, customRanking, attributeForDistinct } = settings;
  // Nobody has all names of the default.
  const identifiers = Object.hasOwn(given, "identifierAttributes") ? settings.identifierAttributes : [];
  const outcomes = [
    yield* warnOf("searchableAttributes", (settings.searchableAttributes ?? []).map(searchedName), absent, warn),
    yield* warnOf("identifierAttributes", identifiers, (name) => check.noIdentifier(name), warn),
    yield* warnOf("embeddedAttributes", embeddedAttributes ?? [], absent, warn),
    yield* warnOf("attributesForFaceting", attributesForFaceting?.keys() ?? [], withoutValues, warn),
    yield* warnOf(
      "customRanking",
      customRanking.map(({ attribute }) => attribute),
      withoutValues,
      warn,
    ),
    yield* warnOf(
      "attributeForDistinct",
      attributeForDistinct === null ? [] : [attributeForDistinct],
      withoutValues,
      warn,
    ),
  ];
  return outcomes.includes(true);
}

/** One warning about the names of a parameter or setting with which something is wrong; false: nothing is. */
function* warnOf(
  param: string,
  names: Iterable<string>,
  problemOf: (name: string) => Task<string | undefined>,
  warn: Warn,
): Task<boolean> {
  const messages: string[] = [];
  for (const name of names) {
    const problem = yield* problemOf(name);
    if (problem !== undefined) messages.push(`${param} names ${show(name)}, ${problem}`);
    if (messages.length === MOST_NAMED) break;
  }
  if (messages.length === 0) return false;
  warn({ code: "unknown_attribute", message: messages.join(" "), param });
  return true;
}

/** Throws 400 for all unknown attributes of a filter. */
export function* checkFilter(filter: Filter, param: string, context: AttributeContext): Task<void> {
  const check = new AttributeCheck(context);
  yield* check.filter(filter, param);
  throwValidationErrors(check.complaints);
}

/** Of one call, this many complaints suggest a name. */
const MOST_SUGGESTIONS = 16;
/** Of one parameter, a warning names at most so many attributes. */
const MOST_NAMED = 3;
/** Names among which the nearest is looked for. */
const MOST_CANDIDATES = 1000;

/** The attributes that settings name. */
function declaredNames(settings: CheckedSettings): readonly string[] {
  const { searchableAttributes, identifierAttributes, embeddedAttributes, attributesForFaceting } = settings;
  const { customRanking, attributeForDistinct, idAttribute, vectorAttribute } = settings;
  return [
    ...(searchableAttributes ?? []).map(searchedName),
    ...identifierAttributes,
    ...(embeddedAttributes ?? []),
    ...(attributesForFaceting?.keys() ?? []),
    ...customRanking.map(({ attribute }) => attribute),
    ...[attributeForDistinct, idAttribute, vectorAttribute].filter((name) => name !== null),
  ];
}

/** Collects the complaints of one call. */
class AttributeCheck {
  readonly complaints: Complaint[] = [];
  private readonly context: AttributeContext;
  private candidates: readonly string[] | undefined;
  private all: readonly string[] | undefined;
  /** The last names of all attributes, by their plain names. */
  private keys: ReadonlyMap<string, string> | undefined;
  private suggestions = 0;

  constructor(context: AttributeContext) {
    this.context = context;
  }

  *filter(filter: Filter, param: string): Task<void> {
    for (const { condition, list } of conditionsOf(filter))
      yield* this.name(pathWithin(list, condition.attribute), param, "unknown_filter_field", condition.span);
  }

  *name(name: string, param: string, error: string, span?: object): Task<void> {
    const { settings, attributes } = this.context;
    const declared = settings.attributesForFaceting;
    const isCounted = declared?.get(name);
    // Whoever writes records may name an attribute like a column of items.
    const isKey = itemsKeyOf(name) !== undefined;
    const holds = declared === null ? attributes.isEmpty || attributes.holdsValues(name) : isCounted !== undefined;
    const details = span === undefined ? {} : { details: { ...span } };
    if (param === "facets" && isCounted === false) {
      const shown = show(name);
      const msg = `facets names ${shown}, which is declared as filterOnly; declare it as ${shown} to count its values.`;
      this.complaints.push({ error: "not_filterable", param, msg });
      return;
    }
    if (holds && !isKey) return;
    if (attributes.has(name) && !isKey) {
      const why = declared === null ? "holds long texts" : "is not declared";
      const msg = `${param} names ${show(name)}, which ${why}; declare it in attributesForFaceting to use it.`;
      this.complaints.push({ error: param === "sort" ? "not_sortable" : "not_filterable", param, msg, ...details });
      return;
    }
    const hint = yield* this.hint(name);
    this.complaints.push({
      error,
      param,
      msg: `${param} names the unknown attribute ${show(name)}${hint}`,
      ...details,
    });
  }

  /** Checks that there may be attributes for which a pattern stands. */
  *pattern(pattern: string): Task<void> {
    const { settings, attributes } = this.context;
    const prefix = facetPrefix(pattern);
    if (prefix === "") return;
    const declared = settings.attributesForFaceting;
    const isUsable =
      declared === null
        ? attributes.isEmpty || (yield* attributes.holdsWithin(prefix.slice(0, -1)))
        : [...declared].some(([name, isCounted]) => isCounted && name.startsWith(prefix));
    if (isUsable) return;
    const known = (yield* this.known()).filter((name) => name.includes("."));
    const patterns = [...new Set(known.map((name) => `${name.slice(0, name.lastIndexOf("."))}.*`))];
    const hint = yield* this.hintAmong(pattern, patterns);
    const msg = `facets names ${show(pattern)}, within which there is no attribute${hint}`;
    this.complaints.push({ error: "unknown_field", param: "facets", msg });
  }

  *boost({ signal }: ReadBoost, param: string): Task<void> {
    if (signal.kind === "filter") yield* this.filter(signal.filter, param);
    else if (signal.kind !== "place") yield* this.name(signal.attribute, param, "unknown_field");
  }

  /** Checks the fields in which words count. */
  *searched(names: readonly string[]): Task<void> {
    if (this.context.attributes.isEmpty) return;
    const param = "restrictSearchableAttributes";
    for (const name of names) {
      if (yield* this.isKnown(name)) continue;
      const msg = `${param} names the unknown attribute ${show(name)}${yield* this.hintAmongAll(name)}`;
      if (this.complaints.push({ error: "unknown_field", param, msg }) >= MOST_SUGGESTIONS) break;
    }
  }

  /** Checks the languages of the query. */
  languages({ queryLanguages = [], restrictSearchableAttributes }: UsedAttributes): void {
    if (queryLanguages.length === 0) return;
    const there = searchedLanguages(this.context.settings, restrictSearchableAttributes);
    const unknown = queryLanguages.filter((tag) => !there.includes(canonicalLanguage(tag)!));
    if (unknown.length === 0) return;
    const names = there.length === 0 ? "no language, but your analyzer" : there.join(", ");
    const msg = `queryLanguages names ${show(unknown[0])}, which no searched field has; searched are ${names}.`;
    this.complaints.push({ error: "invalid_parameter", param: "queryLanguages", msg });
  }

  /** Whether a record has or had an attribute of this path, or one within it, or the settings declare it. */
  private *isKnown(path: string): Task<boolean> {
    // What stands before a "*".
    const name = /^(?:\*|(.*?)\.\*)(?:\.|$)/s.exec(path);
    const known = name === null ? path : (name[1] ?? "");
    if (known === "" || declaredNames(this.context.settings).includes(known)) return true;
    return yield* this.context.attributes.holds(known);
  }

  /** What is wrong with a path that may have a "*", or that the settings may declare. */
  *unknown(path: string): Task<string | undefined> {
    return (yield* this.isKnown(path)) ? undefined : yield* this.noRecordHas(path);
  }

  /** What is wrong with the path of an attribute, or of an object. */
  *absent(path: string): Task<string | undefined> {
    return (yield* this.context.attributes.holds(path)) ? undefined : yield* this.noRecordHas(path);
  }

  /** What is wrong with the path of an attribute whose values count. */
  *withoutValues(path: string): Task<string | undefined> {
    const { attributes } = this.context;
    if (attributes.has(path)) return undefined;
    if (!(yield* attributes.holds(path))) return yield* this.noRecordHas(path);
    const within = (yield* this.everyName()).find((name) => name.startsWith(`${path}.`));
    const example = within === undefined ? "" : `, such as ${show(within)}`;
    return `which holds no values of its own; name what is within${example}.`;
  }

  /** What is wrong with the name of an identifier. */
  *noIdentifier(name: string): Task<string | undefined> {
    this.keys ??= new Map((yield* this.context.attributes.lastNames()).map((key) => [plainName(key), key]));
    if (this.keys.has(plainName(name))) return undefined;
    const key = this.keys.get(plainName(lastName(name)));
    if (key === undefined) return `which no record has${yield* this.hintAmong(name, [...this.keys.values()].sort())}`;
    return `but identifiers are named without a path, at any depth; write ${show(key)}.`;
  }

  private *noRecordHas(path: string): Task<string> {
    return `which no record has${yield* this.hintAmongAll(path)}`;
  }

  /** What to write instead of an unknown attribute, of values or of texts. */
  private *hintAmongAll(name: string): Task<string> {
    return yield* this.hintAmong(name, yield* this.everyName());
  }

  /** The names of attributes, of values or of texts, sorted; of very many, some. */
  private *everyName(): Task<readonly string[]> {
    this.all ??= (yield* this.context.attributes.someAttributes(MOST_CANDIDATES)).sort();
    return this.all;
  }

  private *hint(name: string): Task<string> {
    this.candidates ??= yield* this.known();
    return yield* this.hintAmong(name, this.candidates);
  }

  private *hintAmong(name: string, candidates: readonly string[]): Task<string> {
    if (++this.suggestions > MOST_SUGGESTIONS) return ".";
    yield;
    return hintAt(name, candidates);
  }

  private *known(): Task<readonly string[]> {
    const { settings, attributes } = this.context;
    const declared = settings.attributesForFaceting;
    if (declared !== null) return [...declared.keys()];
    return (yield* attributes.someValueAttributes(MOST_CANDIDATES)).sort();
  }
}
