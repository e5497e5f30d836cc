// Checks whether the attributes that a query names can be used: they must be declared in the settings, or some record must
// have had them since the index was created or cleared. An index that never had a record accepts every name.

import type { AttributeCatalog } from "../docvalues/attribute-values.js";
import type { Filter } from "../docvalues/filter.js";
import { conditionsOf } from "../docvalues/filter.js";
import type { CheckedSettings } from "../settings/settings.js";
import { type Complaint, throwValidationErrors } from "../util/errors.js";
import { nearestName, show, showNames } from "../util/show.js";

/** What the check depends on. */
export interface AttributeContext {
  readonly settings: CheckedSettings;
  readonly catalog: AttributeCatalog;
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
export function checkAttributes(params: UsedAttributes, context: AttributeContext): void {
  const complaints = filterComplaints(params.filter, "filters", context);
  for (const { filter } of params.refinements) complaints.push(...filterComplaints(filter, "facetFilters", context));
  for (const name of params.facets)
    if (name !== "*") add(complaints, complain(name, "facets", "unknown_field", context));
  for (const { attribute } of params.sort) add(complaints, complain(attribute, "sort", "unknown_field", context));
  if (params.distinct === true && context.settings.attributeForDistinct === null) {
    const msg = "distinct is true, but the index has no attributeForDistinct; name one in its settings.";
    complaints.push({ error: "invalid_parameter", param: "distinct", msg });
  }
  throwValidationErrors(complaints);
}

/** The complaints about the attributes of a filter. */
export function filterComplaints(filter: Filter, param: string, context: AttributeContext): Complaint[] {
  const complaints: Complaint[] = [];
  for (const { attribute, span } of conditionsOf(filter)) {
    const complaint = complain(attribute, param, "unknown_filter_field", context);
    if (complaint !== undefined)
      complaints.push(span === undefined ? complaint : { ...complaint, details: { ...span } });
  }
  return complaints;
}

/** The attributes that `facets: ["*"]` means. */
export function allFacets({ settings, catalog }: AttributeContext): readonly string[] {
  return settings.attributesForFaceting ?? catalog.valueAttributes();
}

function add(complaints: Complaint[], complaint: Complaint | undefined): void {
  if (complaint !== undefined) complaints.push(complaint);
}

function complain(
  name: string,
  param: string,
  error: string,
  { settings, catalog }: AttributeContext,
): Complaint | undefined {
  const declared = settings.attributesForFaceting;
  const usable = declared === null ? catalog.isEmpty || catalog.holdsValues(name) : declared.includes(name);
  if (usable) return undefined;
  const known = declared ?? catalog.valueAttributes();
  const near = nearestName(name, known);
  const hint = near === undefined ? `known are ${showNames(known, 12)}.` : `did you mean ${show(near)}?`;
  if (catalog.has(name)) {
    const why = declared === null ? "holds long texts" : "is not declared";
    const msg = `${param} names ${show(name)}, which ${why}; declare it in attributesForFaceting to use it.`;
    return { error: param === "sort" ? "not_sortable" : "not_filterable", param, msg };
  }
  return { error, param, msg: `${param} names the unknown attribute ${show(name)}; ${hint}` };
}
