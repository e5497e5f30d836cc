// Which rules hold for a query, found without a walk through all of them. Each condition is kept under one of the things that it asks for, the
// one that the fewest conditions ask for: the words of its pattern, its context, a value that filters demand. A query looks up what it has,
// and compares the rest of the conditions that it finds.

import type { WordEdits } from "../analysis/edit-words.js";
import { phraseTerms } from "../analysis/parse-query.js";
import type { WordForms } from "../analysis/word-forms.js";
import type { Analyzer } from "../util/extension-points.js";
import { joinKeys } from "../util/json.js";
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
  private conditions: ConditionIndex | undefined;

  constructor(rules: readonly ReadRule[], words: WordForms | Analyzer) {
    this.rules = rules;
    this.words = words;
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** The rules that hold, in their order, up to one that stops. The first query reads the patterns of all. */
  *holding(situation: RuleSituation, now: number): Task<readonly ReadRule[]> {
    this.conditions ??= yield* ConditionIndex.of(this.rules, this.words);
    const holding = yield* this.conditions.met(situation);
    const inForce = [...holding]
      .sort((a, b) => a - b)
      .map((i) => this.rules[i]!)
      .filter(({ validity }) => validity?.some(([from, until]) => from <= now && now <= until) ?? true);
    const stop = inForce.findIndex((rule) => rule.stop);
    return stop < 0 ? inForce : inForce.slice(0, stop + 1);
  }
}

/** The conditions of rules, by what they ask for. */
class ConditionIndex {
  /** Rules that ask for nothing. */
  private readonly always: readonly number[];
  /** Conditions that ask for a blank query. */
  private readonly blank: IndexedCondition[] = [];
  private readonly is = new Map<string, IndexedCondition[]>();
  private readonly starts = new WordTrie();
  /** The words of their patterns stand in reverse order. */
  private readonly ends = new WordTrie();
  private readonly contained = new WordTrie();
  private readonly anywhere = new Map<string, IndexedCondition[]>();
  private readonly contexts = new Map<string, IndexedCondition[]>();
  private readonly demanded = new Map<Demand, IndexedCondition[]>();

  private constructor(always: readonly number[]) {
    this.always = always;
  }

  static *of(rules: readonly ReadRule[], words: WordForms | Analyzer): Task<ConditionIndex> {
    const conditions: IndexedCondition[] = [];
    const always: number[] = [];
    let seen = 0;
    for (const [i, rule] of rules.entries()) {
      if (++seen % PAUSE_EVERY === 0) yield;
      if (!rule.enabled) continue;
      if (rule.conditions.length === 0) always.push(i);
      for (const given of rule.conditions) {
        if (++seen % PAUSE_EVERY === 0) yield;
        const condition = indexed(given, i, words);
        if (condition === undefined) continue;
        if (keysOf(condition).length === 0) always.push(i);
        else conditions.push(condition);
      }
    }
    const counts = new Map<string, number>();
    for (const [i, condition] of conditions.entries()) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      for (const key of keysOf(condition)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const index = new ConditionIndex(always);
    for (const [i, condition] of conditions.entries()) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      const keys = keysOf(condition);
      const rarest = keys.reduce((a, b) => (counts.get(b)! < counts.get(a)! ? b : a));
      index.listFor(condition, rarest).push(condition);
    }
    return index;
  }

  /** The rules of which a condition is met, whenever they are valid. */
  *met(situation: RuleSituation): Task<ReadonlySet<number>> {
    const found = yield* this.candidates(situation);
    const demands = new Set(situation.demands);
    const words = new Set(situation.words);
    const met = new Set(this.always);
    for (const [i, condition] of found.entries()) {
      if ((i + 1) % PAUSE_EVERY === 0) yield;
      if (!met.has(condition.rule) && holds(condition, situation, words, demands)) met.add(condition.rule);
    }
    return met;
  }

  private listFor({ pattern, context }: IndexedCondition, key: string): IndexedCondition[] {
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
  private *candidates({ words, isBlank, contexts, demands }: RuleSituation): Task<readonly IndexedCondition[]> {
    const lists = new Set<readonly IndexedCondition[] | undefined>();
    for (const context of contexts) lists.add(this.contexts.get(context));
    for (const demand of demands) lists.add(this.demanded.get(demand));
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

/** undefined: no query can meet it. */
function indexed(
  { pattern, anchoring, context, demands }: ReadCondition,
  rule: number,
  language: WordForms | Analyzer,
): IndexedCondition | undefined {
  if (pattern === undefined) return { rule, pattern, context, demands };
  const words = pattern.trim() === "" ? [] : phraseTerms(pattern, language);
  if (words.length === 0 && pattern.trim() !== "") return undefined;
  const read = { anchoring, words: anchoring === "words" ? [...new Set(words)] : words };
  return { rule, pattern: read, context, demands };
}

const BLANK = "b";
const CONTEXT = "c";
const DEMAND = "d";
const WORDS = "w";
const OTHERS: Readonly<Record<Exclude<Anchoring, "words">, string>> = {
  ...{ is: "i", startsWith: "s", endsWith: "e", contains: "n" },
};

/** What a condition can be found by; nothing: it asks for nothing. */
function keysOf({ pattern, context, demands }: IndexedCondition): string[] {
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
  { pattern, context, demands }: IndexedCondition,
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

/** Lists of conditions by sequences of words. */
class WordTrie {
  /** The node behind a node and a word. */
  private readonly nodes = new Map<string, number>();
  private readonly lists: IndexedCondition[][] = [[]];

  /** The list of a sequence, which is made if it is not there. */
  listOf(words: readonly string[]): IndexedCondition[] {
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
  addAlong(words: readonly string[], from: number, into: Set<readonly IndexedCondition[] | undefined>): void {
    let node: number | undefined = 0;
    for (let at = from; at < words.length; at++) {
      node = this.nodes.get(`${node} ${words[at]!}`);
      if (node === undefined) return;
      into.add(this.lists[node]!);
    }
  }
}
