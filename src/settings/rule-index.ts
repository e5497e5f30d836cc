// Which rules hold for a query, found without a walk through all of them. Each condition is kept under one of the things that it asks for, the
// one that the fewest conditions ask for: its whole text, a word of its pattern, its context, a value that filters demand. A query looks up
// what it has, and compares the conditions that it finds.

import type { WordEdits } from "../analysis/edit-words.js";
import { phraseTerms } from "../analysis/parse-query.js";
import type { WordForms } from "../analysis/word-forms.js";
import type { Analyzer } from "../util/extension-points.js";
import { joinKeys } from "../util/json.js";
import { listIn } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";
import type { RuleCondition } from "./settings.js";

/** A checked rule. */
export interface ReadRule {
  readonly id: string;
  /** None: it holds always. */
  readonly conditions: readonly ReadCondition[];
  readonly consequence: ReadConsequence;
  /** When it holds: from one instant up to another; undefined: at any time. */
  readonly validity: readonly (readonly [from: number, until: number])[] | undefined;
  readonly enabled: boolean;
  readonly stop: boolean;
}

type Anchoring = NonNullable<RuleCondition["anchoring"]>;

/** A checked condition. */
export interface ReadCondition {
  /** undefined: none. Blank: the blank query. */
  readonly pattern: string | undefined;
  readonly anchoring: Anchoring;
  readonly context: string | undefined;
  readonly demands: readonly Demand[];
}

/** An attribute and the printed value that a filter demands of it, as one text. */
export type Demand = string;

/** What a rule does. */
export interface ReadConsequence {
  /** In their order. */
  readonly promote: readonly Pin[];
  readonly hide: readonly string[];
  /** The checked parameters by their names; none is undefined. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: QueryChange | undefined;
  /** undefined: none. */
  readonly userData: unknown;
}

/** A record at a place of the whole list. */
export interface Pin {
  readonly id: string;
  readonly position: number;
}

/** How the text of a query is changed: by another one, or word by word. */
export type QueryChange = { readonly text: string } | { readonly edits: WordEdits };

/** What the conditions of rules are compared with. */
export interface RuleSituation {
  /** The words of the caller's query, in order. */
  readonly words: readonly string[];
  readonly isBlank: boolean;
  readonly contexts: ReadonlySet<string>;
  /** What the caller's filters demand. */
  readonly demands: readonly Demand[];
}

/** A condition, with the words of its pattern as the index has them. */
interface IndexedCondition {
  readonly rule: number;
  /** undefined: none. No words: the blank query. */
  readonly pattern: { readonly anchoring: Anchoring; readonly words: readonly string[] } | undefined;
  readonly context: string | undefined;
  readonly demands: readonly Demand[];
}

/** Rules and conditions read, or compared, between two pauses. */
const PAUSE_EVERY = 64;

/** The rules of an index. */
export class RuleIndex {
  /** A query was warned that they bring more boosts than can be in force. */
  toldOfBoosts = false;
  private readonly rules: readonly ReadRule[];
  private readonly words: WordForms | Analyzer;
  /** By one of the things that each asks for. */
  private conditions: ReadonlyMap<string, readonly IndexedCondition[]> | undefined;

  constructor(rules: readonly ReadRule[], words: WordForms | Analyzer) {
    this.rules = rules;
    this.words = words;
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** The rules that hold, in their order, up to one that stops. The first query reads the patterns of all. */
  *holding(situation: RuleSituation, now: number): Task<readonly ReadRule[]> {
    this.conditions ??= yield* byRarestKey(this.rules, this.words);
    const demands = new Set(situation.demands);
    const words = new Set(situation.words);
    const met = new Set<number>();
    let seen = 0;
    for (const key of keysIn(situation))
      for (const condition of this.conditions.get(key) ?? []) {
        if (++seen % PAUSE_EVERY === 0) yield;
        if (!met.has(condition.rule) && holds(condition, situation, words, demands)) met.add(condition.rule);
      }
    const inForce = [...met]
      .sort((a, b) => a - b)
      .map((i) => this.rules[i]!)
      .filter(({ validity }) => validity?.some(([from, until]) => from <= now && now <= until) ?? true);
    const stop = inForce.findIndex((rule) => rule.stop);
    return stop < 0 ? inForce : inForce.slice(0, stop + 1);
  }
}

const ALWAYS: ReadCondition = { pattern: undefined, anchoring: "is", context: undefined, demands: [] };

/** The conditions of rules, each under that of its keys which the fewest conditions have. */
function* byRarestKey(
  rules: readonly ReadRule[],
  words: WordForms | Analyzer,
): Task<ReadonlyMap<string, readonly IndexedCondition[]>> {
  const conditions: IndexedCondition[] = [];
  const counts = new Map<string, number>();
  let seen = 0;
  for (const [i, rule] of rules.entries())
    for (const given of rule.conditions.length === 0 ? [ALWAYS] : rule.conditions) {
      if (++seen % PAUSE_EVERY === 0) yield;
      const condition = rule.enabled ? indexed(given, i, words) : undefined;
      if (condition === undefined) continue;
      conditions.push(condition);
      for (const key of keysOf(condition)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const byKey = new Map<string, IndexedCondition[]>();
  for (const condition of conditions) {
    if (++seen % PAUSE_EVERY === 0) yield;
    const rarest = keysOf(condition).reduce((a, b) => (counts.get(b)! < counts.get(a)! ? b : a));
    listIn(byKey, rarest).push(condition);
  }
  return byKey;
}

/** undefined: no query can meet it. */
function indexed(
  { pattern, anchoring, context, demands }: ReadCondition,
  rule: number,
  language: WordForms | Analyzer,
): IndexedCondition | undefined {
  if (pattern === undefined) return { rule, pattern, context, demands };
  const words = pattern.trim() === "" ? [] : phraseTerms(pattern, language);
  if (words.length === 0 && pattern.trim() !== "") return undefined;
  return { rule, pattern: { anchoring, words }, context, demands };
}

const NOTHING = "";
const BLANK = "b";
const CONTEXT = "c";
const DEMAND = "d";
const TEXT = "t";
const WORD = "w";

/** What a condition can be found by. */
function keysOf({ pattern, context, demands }: IndexedCondition): string[] {
  const keys = demands.map((demand) => DEMAND + demand);
  if (context !== undefined) keys.push(CONTEXT + context);
  if (pattern?.words.length === 0) keys.push(BLANK);
  else if (pattern?.anchoring === "is") keys.push(TEXT + joinKeys(pattern.words));
  else for (const word of new Set(pattern?.words)) keys.push(WORD + word);
  return keys.length === 0 ? [NOTHING] : keys;
}

/** The keys of the conditions that a query may meet. */
function keysIn({ words, isBlank, contexts, demands }: RuleSituation): ReadonlySet<string> {
  const keys = new Set([NOTHING]);
  for (const context of contexts) keys.add(CONTEXT + context);
  for (const demand of demands) keys.add(DEMAND + demand);
  if (isBlank) return keys.add(BLANK);
  for (const word of words) keys.add(WORD + word);
  return keys.add(TEXT + joinKeys(words));
}

function holds(
  { pattern, context, demands }: IndexedCondition,
  situation: RuleSituation,
  words: ReadonlySet<string>,
  demanded: ReadonlySet<string>,
): boolean {
  if (context !== undefined && !situation.contexts.has(context)) return false;
  if (!demands.every((demand) => demanded.has(demand))) return false;
  if (pattern === undefined) return true;
  if (pattern.words.length === 0) return situation.isBlank;
  if (situation.isBlank || !pattern.words.every((word) => words.has(word))) return false;
  return isAnchored(pattern.anchoring, pattern.words, situation.words);
}

/** Whether words that are all in a query stand there where they shall. */
function isAnchored(anchoring: Anchoring, pattern: readonly string[], asked: readonly string[]): boolean {
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
      return true;
  }
}
