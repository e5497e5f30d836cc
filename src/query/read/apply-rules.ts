// What the rules of an index do to a query: which of them hold, the parameters that they change, which records they promote and hide.

import { isBlank } from "../../analysis/normalize-text.js";
import { phraseTerms, readAdvancedSyntax } from "../../analysis/parse-query.js";
import type { Filter } from "../../docvalues/filter.js";
import { MOST_BOOSTS, MOST_IN_FORCE } from "../../input/boosts.js";
import { copyForCaller } from "../../input/plain-data.js";
import { type CheckedParams, withChanges } from "../../input/read-params.js";
import type { FacetRefinement } from "../../input/refinements.js";
import { demandedValues } from "../../input/rules.js";
import type { ReadBoost } from "../../settings/resolved-settings.js";
import type { Pin, ReadRule } from "../../settings/rule-index.js";
import type { BoundedSnapshot, BoundedVersion } from "../../state/bounded-snapshot.js";
import type { Doc, DocArray } from "../../util/doc-set.js";
import { show } from "../../util/errors.js";
import type { SearchWarning } from "../../util/extension-points.js";
import { has } from "../../util/json.js";
import type { Limits } from "../../util/limits.js";
import type { Task } from "../../util/tasks.js";

/** What rules do to a query besides its parameters. */
export interface RuleEffects {
  /** The ids of the rules that hold, in their order. */
  readonly appliedRules: readonly string[];
  readonly userData: readonly unknown[];
  /** Lists of rules, in the order in which records take their places. The first place of a record counts; one that is hidden has none. */
  readonly promote: readonly (readonly Pin[])[];
  /** Lists of rules. */
  readonly hide: readonly (readonly string[])[];
}

/** A query by the rules of its index. */
export interface RuledQuery {
  readonly params: CheckedParams;
  readonly effects: RuleEffects;
}

/** Nothing is changed. */
export const NO_EFFECTS: RuleEffects = { appliedRules: [], userData: [], promote: [], hide: [] };

/** Where the rules of a query come from. */
type RuleSource = Pick<BoundedVersion, "settings">;

/** What applying rules depends on besides the settings. */
export interface RuleContext {
  readonly limits: Limits;
  readonly warn: (warning: SearchWarning) => void;
}

/** Applies the rules that hold for a query. */
export function* applyRules(params: CheckedParams, source: RuleSource, context: RuleContext): Task<RuledQuery> {
  const rules = yield* holdingRules(params, source);
  if (rules.length === 0) return { params, effects: NO_EFFECTS };
  return { params: yield* changedBy(rules, params, source, context), effects: yield* effectsOf(rules) };
}

/** The ids that rules hide from who asks for no words, as `similar` does. */
export function* hiddenByRules(params: CheckedParams, source: RuleSource): Task<RuleEffects["hide"]> {
  const rules = yield* holdingRules({ ...params, query: "" }, source);
  return rules.map(({ consequence }) => consequence.hide);
}

/** Ids looked up between two pauses. */
const PAUSE_EVERY = 256;

/** The records that a list of a rule names, and the place of each in the list. A snapshot remembers them as long as the rule is there. */
export function* docsOf(
  list: readonly (string | Pin)[],
  snapshot: BoundedSnapshot,
): Task<{ readonly docs: DocArray<Doc>; readonly places: Uint32Array }> {
  const { namedDocs } = snapshot.caches;
  const known = namedDocs.get(list);
  if (known !== undefined) return known;
  const docs = new Uint32Array(list.length);
  const places = new Uint32Array(list.length);
  let size = 0;
  for (const [place, one] of list.entries()) {
    if ((place + 1) % PAUSE_EVERY === 0) yield;
    const doc = snapshot.find(typeof one === "string" ? one : one.id);
    if (doc < 0) continue;
    docs[size] = doc;
    places[size++] = place;
  }
  const named = { docs: docs.slice(0, size) as DocArray<Doc>, places: places.slice(0, size) };
  namedDocs.set(list, named);
  return named;
}

function* holdingRules(
  params: CheckedParams,
  { settings: { effective, language } }: RuleSource,
): Task<readonly ReadRule[]> {
  const { rules } = effective;
  if (rules.isEmpty || !params.enableRules) return [];
  const text = params.advancedSyntax ? readAdvancedSyntax(params.query).text : params.query;
  const situation = {
    words: phraseTerms(text, language.words),
    isBlank: isBlank(text),
    contexts: new Set(params.ruleContexts),
    demands: [params.filters, ...params.facetFilters.map(({ filter }) => filter)].flatMap(demandedValues),
  };
  return yield* rules.holding(situation, Date.now());
}

function* effectsOf(rules: readonly ReadRule[]): Task<RuleEffects> {
  const consequences = rules.map(({ consequence }) => consequence);
  const given = consequences.map(({ userData }) => userData).filter((one) => one !== undefined);
  return {
    appliedRules: rules.map(({ id }) => id),
    // A copy, because what the settings hold inherits nothing and is frozen.
    userData: (yield* copyForCaller(given)) as readonly unknown[],
    promote: consequences.map((one) => one.promote).filter(({ length }) => length > 0),
    hide: consequences.map((one) => one.hide).filter(({ length }) => length > 0),
  };
}

function* changedBy(
  rules: readonly ReadRule[],
  params: CheckedParams,
  { settings: { effective, language } }: RuleSource,
  { limits, warn }: RuleContext,
): Task<CheckedParams> {
  let { query } = params;
  const filters: Filter[] = [];
  const boosts: ReadBoost[] = [];
  const optionalFilters: ReadBoost[] = [];
  const facetFilters: FacetRefinement[] = [];
  const numericFilters: FacetRefinement[] = [];
  const others: ReadRule["consequence"]["params"][] = [];
  const inForce = params.boosts ?? effective.boosts;
  // A sentence may bring some, too.
  const ofSentence = params.understand === false ? 0 : MOST_BOOSTS;
  let room = MOST_IN_FORCE - inForce.length - params.optionalFilters.length - ofSentence;
  const taken = (some: unknown): readonly ReadBoost[] => {
    const fitting = ((some as readonly ReadBoost[] | undefined) ?? []).slice(0, room);
    room -= fitting.length;
    return fitting;
  };
  for (const { id, consequence } of rules) {
    const { query: change, params: own } = consequence;
    if (change !== undefined)
      query = has(change, "text") ? change.text : yield* change.edits.edit(query, language.words, limits.queryBytes);
    const { filters: narrower, boosts: more, optionalFilters: optional, distinct, ...choosing } = own;
    const { facetFilters: chosen, numericFilters: ranges, ...rest } = choosing;
    facetFilters.push(...stayingChoices(chosen));
    numericFilters.push(...stayingChoices(ranges));
    if (narrower !== undefined) filters.push(narrower as Filter);
    const before = boosts.length + optionalFilters.length;
    boosts.push(...taken(more));
    optionalFilters.push(...taken(optional));
    const isCut = boosts.length + optionalFilters.length - before < lengthOf(more) + lengthOf(optional);
    if (isCut && !effective.rules.toldOfBoosts) {
      effective.rules.toldOfBoosts = true;
      const message = `The rules that hold for a query bring more boosts and optional filters than the ${MOST_IN_FORCE} that can be in force together. Those beyond it were left out, the first of them of the rule ${show(id)}; give rules conditions, so that fewer hold at once.`;
      warn({ code: "boosts_left_out", message, param: "rules" });
    }
    const canGroup = distinct !== undefined && effective.attributeForDistinct !== null;
    others.push(canGroup ? { ...rest, distinct } : rest);
  }
  const lists = [filters, boosts, optionalFilters, facetFilters, numericFilters];
  const isChanged = query !== params.query || lists.some(({ length }) => length > 0);
  if (!isChanged && others.every((other) => Object.keys(other).length === 0)) return params;
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

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
