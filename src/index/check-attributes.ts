// Checks whether the attributes that a query names can be used: the settings declare them, some record has them, or the index
// remembers that a record had them since it was created or cleared. An index that never had a record accepts every name. Where
// an unknown name does no harm, it is a warning.

import type { KnownAttributes } from "../docvalues/attribute-catalog.js";
import type { Filter } from "../docvalues/filter.js";
import { conditionsOf } from "../docvalues/filter.js";
import { type CheckedSettings, parseRanking, type WeightedAttribute } from "../settings/settings.js";
import { type Complaint, throwValidationErrors } from "../util/errors.js";
import type { Warn } from "../util/extension-points.js";
import { hintAt, show } from "../util/show.js";
import type { Task } from "../util/tasks.js";

/** What the check depends on. */
export interface AttributeContext {
  readonly settings: CheckedSettings;
  readonly attributes: KnownAttributes;
}

/** The attributes that a query names. */
export interface UsedAttributes {
  readonly filters: Filter;
  readonly facetFilters: readonly { readonly filter: Filter }[];
  readonly facets: readonly string[];
  readonly sort: readonly { readonly attribute: string }[];
  readonly distinct: boolean | undefined;
  readonly restrictSearchableAttributes: readonly string[] | undefined;
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
  for (const name of params.facets) if (name !== "*") yield* check.name(name, "facets", "unknown_field");
  for (const { attribute } of params.sort) yield* check.name(attribute, "sort", "unknown_field");
  yield* check.searched(params.restrictSearchableAttributes ?? []);
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
  yield* warnUnknown("attributesToRetrieve", attributesToRetrieve.map(withoutMinus), context, warn);
  yield* warnUnknown("attributesToHighlight", attributesToHighlight, context, warn);
  yield* warnUnknown("attributesToSnippet", attributesToSnippet.map(withoutWords), context, warn);
}

function withoutMinus(path: string): string {
  return path.startsWith("-") ? path.slice(1) : path;
}

function withoutWords(path: string): string {
  return path.replace(/:[0-9]+$/, "");
}

/** Warns if `searchableAttributes` names what no record has or had; returns whether it did. */
export function* warnUnfulfilled(context: AttributeContext, warn: Warn): Task<boolean> {
  const { searchableAttributes } = context.settings;
  const names = (searchableAttributes ?? []).map(nameOf);
  return yield* warnUnknown("searchableAttributes", names, { ...context, isDeclaring: true }, warn);
}

function nameOf(attribute: string | WeightedAttribute): string {
  return typeof attribute === "string" ? attribute : attribute.attribute;
}

/** One warning about the unknown names of a parameter or setting; false: all are known. */
function* warnUnknown(
  param: string,
  names: readonly string[],
  context: AttributeContext & { readonly isDeclaring?: boolean },
  warn: Warn,
): Task<boolean> {
  if (names.length === 0 || context.attributes.isEmpty) return false;
  const check = new AttributeCheck(context);
  const unknown: string[] = [];
  for (const name of names) {
    if (unknown.length === MOST_NAMED) break;
    if (!(yield* check.isKnown(name, context.isDeclaring !== true))) unknown.push(name);
  }
  if (unknown.length === 0) return false;
  const messages: string[] = [];
  for (const name of unknown)
    messages.push(`${param} names ${show(name)}, which no record has${yield* check.hintAmongAll(name)}`);
  warn({ code: "unknown_attribute", message: messages.join(" "), param });
  return true;
}

/** Throws 400 for all unknown attributes of a filter. */
export function* checkFilter(filter: Filter, param: string, context: AttributeContext): Task<void> {
  const check = new AttributeCheck(context);
  yield* check.filter(filter, param);
  throwValidationErrors(check.complaints);
}

/** The attributes that `facets: ["*"]` means, and whether there are others: at most `most`, the first by name. */
export function* allFacets(
  { settings, attributes }: AttributeContext,
  most: number,
): Task<{ readonly names: readonly string[]; readonly isAll: boolean }> {
  const declared = settings.attributesForFaceting;
  if (declared === null) return yield* attributes.firstValueAttributes(most);
  if (declared.length <= most) return { names: declared, isAll: true };
  return { names: [...declared].sort().slice(0, most), isAll: false };
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
    ...(searchableAttributes ?? []).map(nameOf),
    ...identifierAttributes,
    ...(embeddedAttributes ?? []),
    ...(attributesForFaceting ?? []),
    ...customRanking.map((text) => parseRanking(text)!.attribute),
    ...[attributeForDistinct, idAttribute, vectorAttribute].filter((name) => name !== null),
  ];
}

/** Collects the complaints of one call. */
class AttributeCheck {
  readonly complaints: Complaint[] = [];
  private readonly context: AttributeContext;
  private candidates: readonly string[] | undefined;
  private all: readonly string[] | undefined;
  private suggestions = 0;

  constructor(context: AttributeContext) {
    this.context = context;
  }

  *filter(filter: Filter, param: string): Task<void> {
    for (const { attribute, span } of conditionsOf(filter))
      yield* this.name(attribute, param, "unknown_filter_field", span);
  }

  *name(name: string, param: string, error: string, span?: object): Task<void> {
    const { settings, attributes } = this.context;
    const declared = settings.attributesForFaceting;
    const usable = declared === null ? attributes.isEmpty || attributes.holdsValues(name) : declared.includes(name);
    if (usable) return;
    const details = span === undefined ? {} : { details: { ...span } };
    if (attributes.has(name)) {
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

  /** Checks the fields in which words count. */
  *searched(names: readonly string[]): Task<void> {
    if (this.context.attributes.isEmpty) return;
    const param = "restrictSearchableAttributes";
    for (const name of names) {
      if (yield* this.isKnown(name, true)) continue;
      const msg = `${param} names the unknown attribute ${show(name)}${yield* this.hintAmongAll(name)}`;
      if (this.complaints.push({ error: "unknown_field", param, msg }) >= MOST_SUGGESTIONS) break;
    }
  }

  /** Whether a record has or had an attribute of this path, or one within it; or, if that counts, the settings declare it. */
  *isKnown(path: string, byDeclaration: boolean): Task<boolean> {
    // What stands before a "*".
    const name = /^(?:\*|(.*?)\.\*)(?:\.|$)/s.exec(path);
    const known = name === null ? path : (name[1] ?? "");
    if (known === "" || (byDeclaration && declaredNames(this.context.settings).includes(known))) return true;
    return yield* this.context.attributes.holds(known);
  }

  /** What to write instead of an unknown attribute, of values or of texts. */
  *hintAmongAll(name: string): Task<string> {
    this.all ??= (yield* this.context.attributes.someAttributes(MOST_CANDIDATES)).sort();
    return yield* this.hintAmong(name, this.all);
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
    return settings.attributesForFaceting ?? (yield* attributes.someValueAttributes(MOST_CANDIDATES)).sort();
  }
}
