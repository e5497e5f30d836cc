// Which rules hold for a query, found without a walk through all of them. Each condition is kept under one of the things that it asks for, the
// one that the fewest conditions ask for: the words of its pattern, its context, a value that filters demand. A query looks up what it has,
// and compares the rest of the conditions that it finds.

import { phraseTerms } from "../analysis/parse-query.js";
import type { SearchLanguage } from "../index/search-language.js";
import { type Demand, demandsOf, ruleInstant } from "../input/rules.js";
import type { Rule, RuleCondition } from "../settings/settings.js";
import { joinKeys } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import type { Task } from "../util/tasks.js";

/** What the conditions of rules are compared with. */
export interface RuleSituation {
  /** The words of the caller's query, in order. */
  readonly words: readonly string[];
  readonly isBlank: boolean;
  readonly contexts: ReadonlySet<string>;
  /** What the caller's filters demand. */
  readonly demands: readonly Demand[];
}

type Anchoring = NonNullable<RuleCondition["anchoring"]>;

/** A condition, with the words of its pattern as the index has them. */
interface ReadCondition {
  readonly rule: number;
  /** undefined: none. No words: the blank query. */
  readonly pattern: { readonly anchoring: Anchoring; readonly words: readonly string[] } | undefined;
  readonly context: string | undefined;
  readonly demands: readonly string[];
}

/** Rules, conditions and periods read, or compared, between two pauses. */
const PAUSE_EVERY = 64;

/** The conditions of the rules of an index, by what they ask for. */
export class RuleIndex {
  private readonly rules: readonly Rule[];
  /** Rules that ask for nothing. */
  private readonly always: readonly number[];
  /** By rule; undefined: it holds at any time. */
  private readonly validities: readonly (Validity | undefined)[];
  /** Conditions that ask for a blank query. */
  private readonly blank: ReadCondition[] = [];
  private readonly is = new Map<string, ReadCondition[]>();
  private readonly starts = new WordTrie();
  /** The words of their patterns stand in reverse order. */
  private readonly ends = new WordTrie();
  private readonly contained = new WordTrie();
  private readonly anywhere = new Map<string, ReadCondition[]>();
  private readonly contexts = new Map<string, ReadCondition[]>();
  private readonly demanded = new Map<string, ReadCondition[]>();

  private constructor(
    rules: readonly Rule[],
    always: readonly number[],
    validities: readonly (Validity | undefined)[],
  ) {
    this.rules = rules;
    this.always = always;
    this.validities = validities;
  }

  static *of(rules: readonly Rule[], words: SearchLanguage["words"], limits: Limits): Task<RuleIndex> {
    const conditions: ReadCondition[] = [];
    const always: number[] = [];
    const validities: (Validity | undefined)[] = [];
    let seen = 0;
    for (const [i, rule] of rules.entries()) {
      if (++seen % PAUSE_EVERY === 0) yield;
      let validity: (readonly [from: number, until: number])[] | undefined;
      if (rule.validity !== undefined) {
        validity = [];
        for (const { from, until } of rule.validity) {
          if (++seen % PAUSE_EVERY === 0) yield;
          validity.push([ruleInstant(from)!, ruleInstant(until)!]);
        }
      }
      validities.push(validity);
      if (rule.enabled === false) continue;
      const own = rule.conditions ?? [];
      if (own.length === 0) always.push(i);
      for (const given of own) {
        if (++seen % PAUSE_EVERY === 0) yield;
        for (const condition of readCondition(given, i, words, limits))
          if (keysOf(condition).length === 0) always.push(i);
          else conditions.push(condition);
      }
    }
    const counts = new Map<string, number>();
    for (const [i, condition] of conditions.entries()) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      for (const key of keysOf(condition)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const index = new RuleIndex(rules, always, validities);
    for (const [i, condition] of conditions.entries()) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      const keys = keysOf(condition);
      const rarest = keys.reduce((a, b) => (counts.get(b)! < counts.get(a)! ? b : a));
      index.listFor(condition, rarest).push(condition);
    }
    return index;
  }

  /** The rules that hold, in their order, up to one that stops. */
  *holding(situation: RuleSituation, now: number): Task<readonly Rule[]> {
    const found = yield* this.candidates(situation);
    const demands = new Set(situation.demands.map(demandKey));
    const words = new Set(situation.words);
    const holding = new Set(this.always);
    for (const [i, condition] of found.entries()) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      if (!holding.has(condition.rule) && holds(condition, situation, words, demands)) holding.add(condition.rule);
    }
    const inForce = [...holding]
      .sort((a, b) => a - b)
      .filter((i) => isValid(this.validities[i], now))
      .map((i) => this.rules[i]!);
    const stop = inForce.findIndex((rule) => rule.stop === true);
    return stop < 0 ? inForce : inForce.slice(0, stop + 1);
  }

  private listFor({ pattern, context }: ReadCondition, key: string): ReadCondition[] {
    if (key === BLANK) return this.blank;
    if (key.startsWith(CONTEXT)) return listIn(this.contexts, context!);
    if (key.startsWith(DEMAND)) return listIn(this.demanded, key.slice(DEMAND.length));
    const { anchoring, words } = pattern!;
    switch (anchoring) {
      case "is":
        return listIn(this.is, joinKeys(words));
      case "startsWith":
        return this.starts.listOf(words);
      case "endsWith":
        return this.ends.listOf(words.toReversed());
      case "contains":
        return this.contained.listOf(words);
      case "words":
        return listIn(this.anywhere, key.slice(WORDS.length));
    }
  }

  /** Conditions that ask for something that is there. */
  private *candidates({ words, isBlank, contexts, demands }: RuleSituation): Task<readonly ReadCondition[]> {
    const lists = new Set<readonly ReadCondition[] | undefined>();
    for (const context of contexts) lists.add(this.contexts.get(context));
    for (const demand of demands) lists.add(this.demanded.get(demandKey(demand)));
    if (isBlank) lists.add(this.blank);
    else {
      lists.add(this.is.get(joinKeys(words)));
      this.starts.addAlong(words, 0, lists);
      this.ends.addAlong(words.toReversed(), 0, lists);
      for (const [at, word] of words.entries()) {
        if ((at + 1) % PAUSE_EVERY === 0) yield;
        lists.add(this.anywhere.get(word));
        this.contained.addAlong(words, at, lists);
      }
    }
    return [...lists].flatMap((list) => list ?? []);
  }
}

const indexes = new WeakMap<SearchLanguage, RuleIndex>();

/** The index of the rules of a state of settings, made by the first query. */
export function* ruleIndexOf(language: SearchLanguage, rules: readonly Rule[], limits: Limits): Task<RuleIndex> {
  let index = indexes.get(language);
  if (index === undefined) {
    index = yield* RuleIndex.of(rules, language.words, limits);
    indexes.set(language, index);
  }
  return index;
}

/** A condition; none: no query can meet it. */
function readCondition(
  { pattern, anchoring = "is", context, filters }: RuleCondition,
  rule: number,
  language: SearchLanguage["words"],
  limits: Limits,
): ReadCondition[] {
  const isWords = pattern !== undefined && pattern.trim() !== "";
  const words = isWords ? phraseTerms(pattern, language) : [];
  if (isWords && words.length === 0) return [];
  return [
    {
      rule,
      pattern:
        pattern === undefined ? undefined : { anchoring, words: anchoring === "words" ? distinct(words) : words },
      context,
      demands: filters === undefined ? [] : distinct(demandsOf(filters, limits).map(demandKey)),
    },
  ];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function demandKey(demand: Demand): string {
  return joinKeys(demand);
}

const BLANK = "b";
const CONTEXT = "c";
const DEMAND = "d";
const WORDS = "w";
const OTHERS: Readonly<Record<Exclude<Anchoring, "words">, string>> = {
  ...{ is: "i", startsWith: "s", endsWith: "e", contains: "n" },
};

/** What a condition can be found by; nothing: it asks for nothing. */
function keysOf({ pattern, context, demands }: ReadCondition): string[] {
  const keys = demands.map((demand) => DEMAND + demand);
  if (context !== undefined) keys.push(CONTEXT + context);
  if (pattern === undefined) return keys;
  const { anchoring, words } = pattern;
  if (words.length === 0) return [...keys, BLANK];
  if (anchoring === "words") return [...keys, ...words.map((word) => WORDS + word)];
  return [...keys, OTHERS[anchoring] + joinKeys(words)];
}

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const list = map.get(key) ?? [];
  if (list.length === 0) map.set(key, list);
  return list;
}

function holds(
  { pattern, context, demands }: ReadCondition,
  situation: RuleSituation,
  words: ReadonlySet<string>,
  demanded: ReadonlySet<string>,
): boolean {
  if (context !== undefined && !situation.contexts.has(context)) return false;
  if (!demands.every((demand) => demanded.has(demand))) return false;
  if (pattern === undefined) return true;
  if (pattern.words.length === 0) return situation.isBlank;
  return !situation.isBlank && isAnchored(pattern.anchoring, pattern.words, situation.words, words);
}

function isAnchored(
  anchoring: Anchoring,
  pattern: readonly string[],
  asked: readonly string[],
  words: ReadonlySet<string>,
): boolean {
  const isAt = (at: number): boolean => at >= 0 && pattern.every((word, i) => asked[at + i] === word);
  switch (anchoring) {
    case "is":
      return pattern.length === asked.length && isAt(0);
    case "startsWith":
      return isAt(0);
    case "endsWith":
      return isAt(asked.length - pattern.length);
    case "contains":
      return asked.some((_, at) => isAt(at));
    case "words":
      return pattern.every((word) => words.has(word));
  }
}

/** When a rule holds: from one instant up to another. */
type Validity = readonly (readonly [from: number, until: number])[];

function isValid(validity: Validity | undefined, now: number): boolean {
  return validity === undefined || validity.some(([from, until]) => from <= now && now <= until);
}

/** Lists of conditions by sequences of words. */
class WordTrie {
  /** The node behind a node and a word. */
  private readonly nodes = new Map<string, number>();
  private readonly lists: ReadCondition[][] = [[]];

  /** The list of a sequence, which is made if it is not there. */
  listOf(words: readonly string[]): ReadCondition[] {
    let node = 0;
    for (const word of words) {
      const key = `${node} ${word}`;
      let next = this.nodes.get(key);
      if (next === undefined) {
        next = this.lists.push([]) - 1;
        this.nodes.set(key, next);
      }
      node = next;
    }
    return this.lists[node]!;
  }

  /** Adds the lists of all sequences that stand from a place on. */
  addAlong(words: readonly string[], from: number, into: Set<readonly ReadCondition[] | undefined>): void {
    let node: number | undefined = 0;
    for (let at = from; at < words.length; at++) {
      node = this.nodes.get(`${node} ${words[at]!}`);
      if (node === undefined) return;
      into.add(this.lists[node]!);
    }
  }
}
