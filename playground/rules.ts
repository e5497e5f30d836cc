// Rules as sentences: when one holds, what it does, and what it did to a hit or to a record that is missing.

import type { Explanation, Rule } from "../src/index.js";

const ANCHORED = { is: "is", startsWith: "begins with", endsWith: "ends with", contains: "contains", words: "has" };
const list = (values: readonly (string | number)[]) => values.join(", ");
const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** When a rule holds: "the query is “drill”". */
export function conditionOf({ conditions = [] }: Rule): string {
  const each = conditions.map(({ pattern, anchoring = "is", context, filters }) =>
    [
      pattern !== undefined && `the query ${ANCHORED[anchoring]} “${pattern}”`,
      context !== undefined && `the context is “${context}”`,
      filters !== undefined && `${written(filters)} is chosen`,
    ]
      .filter(Boolean)
      .join(" and "),
  );
  return each.length === 0 ? "always" : each.join(", or ");
}

/** What a rule does, as a part of a sentence each. */
export function consequencesOf({ consequence: { promote = [], hide = [], params = {} } }: Rule): string[] {
  return [
    ...promote.map((one) =>
      "id" in one ? `${one.id} at place ${one.position + 1}` : `${list(one.ids)} from place ${one.position + 1}`,
    ),
    ...(hide.length > 0 ? [`hides ${list(hide)}`] : []),
    ...Object.entries(params).map(([name, value]) => `${name}: ${written(value)}`),
  ];
}

const NARROWS = ["filters", "facetFilters", "numericFilters"];

/** What a rule that held did to a hit; nothing: it has to do with others. */
export function effectsOn(id: string, { consequence }: Rule, { boosts = [] }: Partial<Explanation> = {}): string[] {
  const { promote = [], params = {} } = consequence;
  const effects: string[] = [];
  for (const one of promote) {
    const at = ("id" in one ? [one.id] : one.ids).map(String).indexOf(id);
    if (at >= 0) effects.push(`pins it to place ${one.position + at + 1}`);
  }
  const raised = (given: unknown) => {
    const { contribution = 0 } = boosts.find((one) => isFrom(given, one)) ?? {};
    if (contribution === 0) return;
    effects.push(
      `${contribution > 0 ? "raises" : "lowers"} it by ${Math.abs(contribution).toFixed(3)} (${written(given)})`,
    );
  };
  for (const boost of params.boosts ?? []) raised(boost);
  for (const filter of params.optionalFilters ?? []) raised(filter);
  for (const name of NARROWS)
    if (params[name] !== undefined) effects.push(`lets it pass, since it has ${written(params[name])}`);
  if (params.query !== undefined) effects.push(`searches for other words: ${written(params.query)}`);
  return effects;
}

/** Whether a part of a score comes from a boost, or from an optional filter. */
function isFrom(given: unknown, explained: NonNullable<Explanation["boosts"]>[number]): boolean {
  const boost = typeof given === "object" && given !== null && !Array.isArray(given) ? given : { filters: given };
  const { attribute, filters, weight = explained.weight } = boost as Partial<typeof explained>;
  return (
    attribute === explained.attribute &&
    JSON.stringify(filters) === JSON.stringify(explained.filters) &&
    weight === explained.weight
  );
}

/** Which of the rules that held keep a record from the hits, for all that is known. */
export function hiddenBy(id: string, reason: string | undefined, rules: readonly Rule[]): string[] {
  if (reason !== "filters" && reason !== "rules") return [];
  const hiding = rules.filter(({ consequence: { hide = [] } }) => hide.map(String).includes(id));
  const narrowing = rules.filter(({ consequence: { params = {} } }) =>
    NARROWS.some((name) => params[name] !== undefined),
  );
  return (hiding.length > 0 ? hiding : narrowing).map(
    (rule) => `“${rule.id}” (${conditionOf(rule)}): ${consequencesOf(rule).join("; ")}`,
  );
}
