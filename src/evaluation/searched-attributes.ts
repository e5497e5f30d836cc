// The attributes of an index by name, where its settings leave them to the engine: what has to be named once one of them
// is given a weight.

import { refusal } from "../base/errors.js";
import type { JsonRecord } from "../base/json.js";
import { showNames } from "../base/show.js";
import { pauseIfLong } from "../base/slices.js";
import { type FieldRules, readFields } from "../records/read-fields.js";
import type { EffectiveSettings, WeightedAttribute } from "../settings/settings.js";
import type { EvaluatedEngine } from "./evaluated-engine.js";

/** How an index reads records as fields. */
export function rulesOf(settings: EffectiveSettings): FieldRules {
  return {
    idAttribute: settings.idAttribute,
    searchable:
      settings.searchableAttributes?.map((entry) => (typeof entry === "string" ? entry : entry.attribute)) ?? null,
    identifiers: new Set(settings.identifierAttributes.map((name) => name.toLowerCase())),
    vectorAttribute: settings.vectorAttribute ?? undefined,
    embedded: settings.embeddedAttributes,
    titles: settings.titleEvidence,
  };
}

/** Fields in which the records of an index have text or identifiers, by name. */
export async function searchedAttributes(
  engine: EvaluatedEngine,
  indexName: string,
  settings: EffectiveSettings,
): Promise<readonly (string | WeightedAttribute)[]> {
  if (settings.searchableAttributes !== null) return settings.searchableAttributes;
  const rules = rulesOf(settings);
  const names = new Set<string>();
  for await (const record of engine.browseRecords<JsonRecord>(indexName)) {
    for (const { name } of readFields(record, String(record[settings.idAttribute]), rules)) names.add(name);
    await pauseIfLong();
  }
  return [...names].sort();
}

/** The same attributes with other weights for some of them; throws 400 for one that is not searched. */
export function reweighted(
  attributes: readonly (string | WeightedAttribute)[],
  weights: Readonly<Record<string, number>>,
): (string | WeightedAttribute)[] {
  const names = attributes.map((entry) => (typeof entry === "string" ? entry : entry.attribute));
  const stranger = Object.keys(weights).find((name) => !names.includes(name));
  if (stranger !== undefined) {
    const msg = `attributeWeights names ${showNames([stranger])}, which is not searched; searched are ${showNames(names, 12)}.`;
    throw refusal("invalid_variation", "attributeWeights", msg);
  }
  return attributes.map((entry, i) =>
    Object.hasOwn(weights, names[i]!) ? { attribute: names[i]!, weight: weights[names[i]!]! } : entry,
  );
}
