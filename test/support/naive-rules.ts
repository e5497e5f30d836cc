// Rules by their definition: every condition of every rule is compared with the query, one after the other.

import { isBlank, normalizeText } from "../../src/analysis/normalize-text.js";
import type { Rule, RuleCondition, RuleParams, SearchParams } from "../../src/index.js";
import { treeOf } from "./naive-filters.js";
import { placesOf, readPhrases, runOf } from "./naive-phrases.js";
import type { NaiveSettings } from "./naive-record.js";
import { wordsOf } from "./naive-rewriting.js";

export interface NaiveRuled {
  /** The parameters in force, with the filters of rules apart. */
  readonly params: SearchParams;
  readonly filters: readonly NonNullable<SearchParams["filters"]>[];
  readonly choices: readonly Pick<RuleParams, "facetFilters" | "numericFilters">[];
  readonly appliedRules: readonly string[];
  readonly userData: readonly unknown[];
  /** In the order in which places are taken; an id may occur several times. */
  readonly pins: readonly { readonly id: string; readonly position: number }[];
  readonly hidden: ReadonlySet<string>;
}

export function applyRules(params: SearchParams, settings: NaiveSettings): NaiveRuled {
  const applied: Rule[] = [];
  for (const rule of params.enableRules === false ? [] : (settings.rules ?? [])) {
    const { conditions = [], enabled = true, validity } = rule;
    const isNow = validity?.some(({ from, until }) => +new Date(from) <= Date.now() && Date.now() <= +new Date(until));
    if (!enabled || isNow === false) continue;
    if (conditions.length > 0 && !conditions.some((condition) => holds(condition, params, settings))) continue;
    applied.push(rule);
    if (rule.stop === true) break;
  }
  const does = applied.map(({ consequence }) => consequence);
  const changes = does.map((one): RuleParams => one.params ?? {});
  const inForce = { ...params };
  const apart = ["filters", "facetFilters", "numericFilters"];
  for (const { query: change, boosts, optionalFilters, ...others } of changes) {
    if (change !== undefined) Object.assign(inForce, { query: changed(inForce.query, change, settings) });
    if (boosts !== undefined)
      Object.assign(inForce, { boosts: [...(inForce.boosts ?? settings.boosts ?? []), ...boosts] });
    if (optionalFilters !== undefined)
      Object.assign(inForce, { optionalFilters: [...(inForce.optionalFilters ?? []), ...optionalFilters] });
    for (const [name, value] of Object.entries(others))
      if (!apart.includes(name) && inForce[name as keyof SearchParams] === undefined)
        Object.assign(inForce, { [name]: value });
  }
  return {
    params: inForce,
    filters: changes.map(({ filters }) => filters).filter((one) => one !== undefined),
    choices: changes.map(({ facetFilters, numericFilters }) => ({ facetFilters, numericFilters })),
    appliedRules: applied.map(({ id }) => id),
    userData: does.flatMap(({ userData }) => (userData === undefined ? [] : [userData])),
    pins: does
      .flatMap(({ promote = [] }) => promote)
      .flatMap((one) => ("ids" in one ? one.ids : [one.id]).map((id) => ({ ...one, id: String(id) }))),
    hidden: new Set(does.flatMap(({ hide = [] }) => hide.map(String))),
  };
}

/** A list with some of its members at places: each at the first that is free, the others in those left. */
export function withPins<T extends { readonly id: string }>(list: readonly T[], pins: NaiveRuled["pins"]): T[] {
  const taken = new Map<number, T>();
  for (const { id, position } of pins) {
    let at = position;
    while (taken.has(at)) at++;
    taken.set(at, list.find((one) => one.id === id)!);
  }
  const all = list.filter((one) => ![...taken.values()].includes(one));
  for (const [at, one] of [...taken].sort(([a], [b]) => a - b)) all.splice(at, 0, one);
  return all;
}

function holds(condition: RuleCondition, params: SearchParams, settings: NaiveSettings): boolean {
  const { pattern, anchoring = "is", context, filters } = condition;
  if (context !== undefined && !(params.ruleContexts ?? []).includes(context)) return false;
  if (filters !== undefined) {
    const demanded = demandedBy(params).map(String);
    const asked = typeof filters === "string" ? demandedIn(treeOf(filters)) : Object.entries(filters);
    if (!asked.every((pair) => demanded.includes(String(pair)))) return false;
  }
  if (pattern === undefined) return true;
  const words = wordsOf(settings);
  const { text } = readPhrases(params.query, params.advancedSyntax ?? false, words, () => true);
  if (isBlank(pattern) || isBlank(text)) return isBlank(pattern) && isBlank(text);
  const [wanted, typed] = [runOf(pattern, words), runOf(text, words)];
  if (anchoring === "words") return wanted.every((word) => typed.includes(word));
  const places = placesOf(wanted, typed);
  const last = typed.length - wanted.length;
  const where = { contains: places, startsWith: [0], endsWith: [last], is: last === 0 ? [0] : [] }[anchoring];
  return places.some((at) => where.includes(at));
}

type Pair = readonly [name: string, value: unknown];

/** The values that a query demands, in filters and in clicks. */
function demandedBy({ filters, facetFilters = [] }: SearchParams): Pair[] {
  const clicked = Array.isArray(facetFilters)
    ? (facetFilters as readonly (string | readonly string[])[]).flatMap((item): Pair[] => {
        const [text, ...more] = typeof item === "string" ? [item] : item;
        const [, name = "", value = ""] = /^([^:]+):(.*)$/s.exec(text ?? "") ?? [];
        if (text === undefined || more.length > 0 || value.startsWith("-")) return [];
        return [[name, /^\\+-/.test(value) ? value.slice(1) : value]];
      })
    : Object.entries(facetFilters).flatMap(([name, value]) => demandedIn(treeOf({ [name]: value })));
  return [...demandedIn(treeOf(filters)), ...clicked];
}

function demandedIn(filter: ReturnType<typeof treeOf>): Pair[] {
  if (filter.kind === "and") return filter.filters.flatMap(demandedIn);
  if (filter.kind === "equals") return [[filter.attribute, filter.value]];
  return filter.kind === "in" && filter.values.length === 1 ? [[filter.attribute, filter.values[0]]] : [];
}

/** A text whose words are changed one by one: each by the first edit that is about it. Only edits of single words are known. */
function changed(text: string, change: NonNullable<RuleParams["query"]>, settings: NaiveSettings): string {
  if (typeof change === "string") return change;
  const edits = "edits" in change ? change.edits : change.remove.map((word) => ({ delete: word, insert: "" }));
  const formOf = (word: string): string => runOf(normalizeText(word), wordsOf(settings)).join(" ");
  return text.replace(/[\p{L}\p{M}\p{N}']+/gu, (word) => {
    const edit = edits.find((one) => formOf(one.delete) === formOf(word));
    return edit === undefined ? word : (edit.insert ?? "");
  });
}
