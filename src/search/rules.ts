// What the rules of an index do to a query: which of them hold, the parameters that they change, which records they promote and hide.

import { editWords } from "../analysis/edit-words.js";
import { isBlank } from "../analysis/normalize-text.js";
import { phraseTerms, readAdvancedSyntax } from "../analysis/parse-query.js";
import type { Filter } from "../docvalues/filter.js";
import type { BoundedSnapshot, BoundedVersion } from "../index/bounded-snapshot.js";
import { boostsOfSettings, type ReadBoost } from "../input/boosts.js";
import type { FacetRefinement } from "../input/facet-filters.js";
import { RULE_PARAMETERS } from "../input/input-table.js";
import { type CheckedParams, withChanges } from "../input/read-params.js";
import { consequenceOf, demandedValues, type Pin, type QueryChange, type ReadConsequence } from "../input/rules.js";
import type { Rule } from "../settings/settings.js";
import type { Doc } from "../util/doc.js";
import { has } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import type { Task } from "../util/tasks.js";
import { ruleIndexOf } from "./rule-index.js";

/** What rules do to a query besides its parameters. */
export interface RuleEffects {
  /** The ids of the rules that hold, in their order. */
  readonly appliedRules: readonly string[];
  readonly userData: readonly unknown[];
  /** Each record once, in the order in which they take their places; none of them is hidden. */
  readonly promote: readonly Pin[];
  readonly hide: ReadonlySet<string>;
}

/** A query by the rules of its index. */
export interface RuledQuery {
  readonly params: CheckedParams;
  readonly effects: RuleEffects;
}

/** Nothing is changed. */
export const NO_EFFECTS: RuleEffects = { appliedRules: [], userData: [], promote: [], hide: new Set() };

/** Where the rules of a query come from. */
type RuleSource = Pick<BoundedVersion, "settings" | "language">;

/** Applies the rules that hold for a query. */
export function* applyRules(params: CheckedParams, source: RuleSource, limits: Limits): Task<RuledQuery> {
  const rules = yield* holdingRules(params, source, limits);
  if (rules.length === 0) return { params, effects: NO_EFFECTS };
  const consequences: ReadConsequence[] = [];
  for (const rule of rules) {
    consequences.push(consequenceOf(rule, limits, RULE_PARAMETERS));
    yield;
  }
  return {
    params: yield* changedBy(consequences, params, source, limits),
    effects: effectsOf(rules, consequences),
  };
}

/** The ids that rules hide from who asks for no words, as `similar` does. */
export function* hiddenByRules(params: CheckedParams, source: RuleSource, limits: Limits): Task<ReadonlySet<string>> {
  const rules = yield* holdingRules({ ...params, query: "" }, source, limits);
  const hidden = new Set<string>();
  for (const rule of rules) {
    for (const id of consequenceOf(rule, limits, RULE_PARAMETERS).hide) hidden.add(id);
    yield;
  }
  return hidden;
}

/** Ids looked up between two pauses. */
const PAUSE_EVERY = 256;

/** The records that have these ids. */
export function* docsOf(ids: Iterable<string>, snapshot: BoundedSnapshot): Task<Doc[]> {
  const docs: Doc[] = [];
  let seen = 0;
  for (const id of ids) {
    if (++seen % PAUSE_EVERY === 0) yield;
    const doc = snapshot.find(id);
    if (doc >= 0) docs.push(doc);
  }
  return docs;
}

function* holdingRules(
  params: CheckedParams,
  { settings, language }: RuleSource,
  limits: Limits,
): Task<readonly Rule[]> {
  const { rules } = settings.effective;
  if (rules.length === 0 || !params.enableRules) return [];
  const index = yield* ruleIndexOf(language, rules, limits);
  const text = params.advancedSyntax ? readAdvancedSyntax(params.query).text : params.query;
  const situation = {
    words: phraseTerms(text, language.words),
    isBlank: isBlank(text),
    contexts: new Set(params.ruleContexts),
    demands: [params.filters, ...params.facetFilters.map(({ filter }) => filter)].flatMap(demandedValues),
  };
  return yield* index.holding(situation, Date.now());
}

function effectsOf(rules: readonly Rule[], consequences: readonly ReadConsequence[]): RuleEffects {
  const hide = new Set(consequences.flatMap((one) => one.hide));
  const promote = new Map<string, Pin>();
  for (const pin of consequences.flatMap((one) => one.promote))
    if (!hide.has(pin.id) && !promote.has(pin.id)) promote.set(pin.id, pin);
  return {
    appliedRules: rules.map(({ id }) => id),
    // Copies, because what the settings hold inherits nothing and is frozen.
    userData: consequences.filter((one) => one.hasUserData).map((one) => structuredClone(one.userData)),
    promote: [...promote.values()],
    hide,
  };
}

function* changedBy(
  consequences: readonly ReadConsequence[],
  params: CheckedParams,
  { settings: { effective }, language }: RuleSource,
  limits: Limits,
): Task<CheckedParams> {
  let { query } = params;
  const filters: Filter[] = [];
  const boosts: ReadBoost[] = [];
  const optionalFilters: ReadBoost[] = [];
  const facetFilters: FacetRefinement[] = [];
  const numericFilters: FacetRefinement[] = [];
  const others: ReadConsequence["params"][] = [];
  for (const { query: change, params: own } of consequences) {
    if (change !== undefined) query = yield* changedText(query, change, language.words, limits);
    const { filters: narrower, boosts: more, optionalFilters: optional, distinct, ...choosing } = own;
    const { facetFilters: chosen, numericFilters: ranges, ...rest } = choosing;
    facetFilters.push(...stayingChoices(chosen));
    numericFilters.push(...stayingChoices(ranges));
    if (narrower !== undefined) filters.push(narrower as Filter);
    boosts.push(...((more as readonly ReadBoost[] | undefined) ?? []));
    optionalFilters.push(...((optional as readonly ReadBoost[] | undefined) ?? []));
    const canGroup = distinct !== undefined && effective.attributeForDistinct !== null;
    others.push(canGroup ? { ...rest, distinct } : rest);
  }
  const lists = [filters, boosts, optionalFilters, facetFilters, numericFilters];
  const isChanged = query !== params.query || lists.some(({ length }) => length > 0);
  if (!isChanged && others.every((other) => Object.keys(other).length === 0)) return params;
  const inForce = params.boosts ?? boostsOfSettings(effective.boosts, limits);
  const changes = {
    query,
    filters,
    boosts: boosts.length === 0 ? params.boosts : [...inForce, ...boosts],
    optionalFilters: [...params.optionalFilters, ...optionalFilters],
    facetFilters: [...params.facetFilters, ...facetFilters],
    numericFilters: [...params.numericFilters, ...numericFilters],
    others,
  };
  return withChanges(params, changes, limits);
}

/** The choices of a rule. They stay when a shopper chooses another value, so they narrow the facet of their own attribute, too. */
function stayingChoices(choices: unknown): FacetRefinement[] {
  return ((choices as readonly FacetRefinement[] | undefined) ?? []).map(({ filter }) => ({ filter, ownFacet: null }));
}

function* changedText(
  text: string,
  change: QueryChange,
  words: RuleSource["language"]["words"],
  { queryBytes }: Limits,
): Task<string> {
  return has(change, "text") ? change.text : yield* editWords(text, change.edits, words, queryBytes);
}
