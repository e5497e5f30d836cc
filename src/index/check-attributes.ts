// Checks whether the attributes that a query names can be used: they must be declared in the settings, or some record has
// them, or had them since the index was created or cleared and they are still remembered. An index that never had a record accepts
// every name.

import type { KnownAttributes } from "../docvalues/attribute-catalog.js";
import type { Filter } from "../docvalues/filter.js";
import { conditionsOf } from "../docvalues/filter.js";
import type { CheckedSettings } from "../settings/settings.js";
import { type Complaint, throwValidationErrors } from "../util/errors.js";
import { nearestName, show, showNames } from "../util/show.js";
import type { Task } from "../util/tasks.js";

/** What the check depends on. */
export interface AttributeContext {
  readonly settings: CheckedSettings;
  readonly attributes: KnownAttributes;
}

/** The attributes that a query names. */
export interface UsedAttributes {
  readonly filter: Filter;
  readonly refinements: readonly { readonly filter: Filter }[];
  readonly facets: readonly string[];
  readonly sort: readonly { readonly attribute: string }[];
  readonly distinct: boolean | undefined;
}

/** Throws 400 for all unknown attributes in filters, facet refinements, facets and sorting together. */
export function* checkAttributes(params: UsedAttributes, context: AttributeContext): Task<void> {
  const check = new AttributeCheck(context);
  yield* check.filter(params.filter, "filters");
  for (const { filter } of params.refinements) yield* check.filter(filter, "facetFilters");
  for (const name of params.facets) if (name !== "*") yield* check.name(name, "facets", "unknown_field");
  for (const { attribute } of params.sort) yield* check.name(attribute, "sort", "unknown_field");
  if (params.distinct === true && context.settings.attributeForDistinct === null) {
    const msg = "distinct is true, but the index has no attributeForDistinct; name one in its settings.";
    check.complaints.push({ error: "invalid_parameter", param: "distinct", msg });
  }
  throwValidationErrors(check.complaints);
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
/** Names among which the nearest is looked for. */
const MOST_CANDIDATES = 1000;

/** Collects the complaints of one call. */
class AttributeCheck {
  readonly complaints: Complaint[] = [];
  private readonly context: AttributeContext;
  private candidates: readonly string[] | undefined;
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

  private *hint(name: string): Task<string> {
    if (++this.suggestions > MOST_SUGGESTIONS) return ".";
    this.candidates ??= yield* this.known();
    yield;
    const near = nearestName(name, this.candidates);
    return near === undefined ? `; known are ${showNames(this.candidates, 12)}.` : `; did you mean ${show(near)}?`;
  }

  private *known(): Task<readonly string[]> {
    const { settings, attributes } = this.context;
    return settings.attributesForFaceting ?? (yield* attributes.someValueAttributes(MOST_CANDIDATES)).sort();
  }
}
