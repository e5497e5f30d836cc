// Random rules of a shop, whose conditions often hold.

import type { FilterObject, Rule, RuleCondition, RuleConsequence, RuleParams, SearchParams } from "../../src/index.js";
import type { Random } from "../support/random.js";
import { randomClicks, randomNumericFilters, VALUES } from "./random-attributes.js";
import { randomBoosts, randomOptionalFilters } from "./random-boosts.js";
import { randomFilter } from "./random-filters.js";

const WORDS = "drill|Drills|vacuum|cleaner|kettle|cordless|for|café|18 V|WH-1000XM4|electric".split("|");
const CONTEXTS = ["mobile", "tv"];

export function ruleParams(random: Random): Pick<SearchParams, "ruleContexts" | "enableRules"> {
  return {
    ...(random.chance(0.5) ? { ruleContexts: random.some(CONTEXTS, 0.5) } : {}),
    ...(random.chance(0.2) ? { enableRules: random.chance(0.5) } : {}),
  };
}

export function randomRules(random: Random, ids: readonly (string | number)[], held: readonly string[]): Rule[] {
  return random.list(0, 6, (i) => ({
    id: `r${i}`,
    ...(random.chance(0.8) ? { conditions: random.list(0, 3, () => randomCondition(random, held)) } : {}),
    consequence: randomConsequence(random, ids, held),
    ...(random.chance(0.1) ? { stop: random.chance(0.7) } : {}),
    ...(random.chance(0.1) ? { enabled: random.chance(0.5) } : {}),
    ...(random.chance(0.2) ? { validity: [{ from: "2020-01-01", until: random.pick(["2020-02-01", 32e11]) }] } : {}),
  }));
}

function randomCondition(random: Random, held: readonly string[]): RuleCondition {
  const pattern = random.list(1, 2, () => random.pick(WORDS)).join(" ");
  const anchoring = random.pick(["startsWith", "endsWith", "contains", "contains", "words", "words"] as const);
  const name = held.length === 0 ? undefined : random.pick(held);
  const value = name === undefined ? undefined : random.pick(VALUES[name]!);
  const filters =
    typeof value === "string" && random.chance(0.5) ? `${name}:${JSON.stringify(value)}` : { [name ?? ""]: value };
  return {
    ...random.pick([{}, { pattern, anchoring }, { pattern, anchoring }, { pattern }, { pattern: "" }]),
    ...(random.chance(0.3) ? { context: random.pick([...CONTEXTS, "natural_language"]) } : {}),
    ...(value !== undefined && random.chance(0.3) ? { filters: filters as NonNullable<RuleCondition["filters"]> } : {}),
  };
}

type Id = string | number;

function randomConsequence(random: Random, ids: readonly Id[], held: readonly string[]): RuleConsequence {
  const some = (): Id[] => random.list(1, 3, () => random.pick([...ids, "nobody"]));
  const position = (): number => random.pick([0, 0, 1, 2, 5, 1000]);
  const pin = () =>
    random.chance(0.7) ? { id: some()[0]!, position: position() } : { ids: some(), position: position() };
  return {
    ...(random.chance(0.5) ? { promote: random.list(1, 3, pin) } : {}),
    ...(random.chance(0.4) ? { hide: some() } : {}),
    ...(random.chance(0.5) ? { params: randomParams(random, held) } : {}),
    userData: random.pick([null, 0, { banner: [1] }]),
  };
}

function randomParams(random: Random, held: readonly string[]): RuleParams {
  const filter = held.length === 0 ? undefined : randomFilter(random, held, 1);
  return {
    ...(filter !== undefined && random.chance(0.4)
      ? { filters: random.pick([filter.text, filter.object as FilterObject]) }
      : {}),
    ...(random.chance(0.3) ? { boosts: randomBoosts(random, held) } : {}),
    ...(random.chance(0.3) ? { optionalFilters: randomOptionalFilters(random, held) } : {}),
    ...(random.chance(0.2) ? { query: random.pick(["", "kettle", "cordless drill", "cheapest drill under $20"]) } : {}),
    ...(held.length > 0 && random.chance(0.2) ? { sort: [`${random.pick(held)}:asc`] } : {}),
    ...(held.length > 0 && random.chance(0.2) ? { facets: [random.pick(held)] } : {}),
    ...(random.chance(0.1) ? { matching: random.pick(["all", "any"]), minScore: random.pick([0, 0.3]) } : {}),
    ...(random.chance(0.1) ? { distinct: random.chance(0.5) } : {}),
    ...(held.length > 0 && random.chance(0.2) ? { facetFilters: randomClicks(random, held) } : {}),
    ...(held.length > 0 && random.chance(0.2) ? { numericFilters: randomNumericFilters(random, held) } : {}),
  };
}
