// Synonyms, two-way and one-way, of one or several words. A word and its synonyms are one term of the query, which any of them
// matches. Synonyms are not chained: a synonym of a synonym does not count.

import type { Analyzer } from "../util/extension-points.js";
import type { Task } from "../util/tasks.js";
import { type QueryToken, readTokens } from "./parse-query.js";
import type { QueryTerm, TermAlternative } from "./query-term.js";
import { embeddedToken } from "./token-forms.js";
import type { WordForms } from "./word-forms.js";

/** A checked synonym of the settings. */
export interface SynonymRule {
  /** Texts of a query that have synonyms. */
  readonly inputs: readonly string[];
  /** The texts that a record may contain instead. */
  readonly outputs: readonly string[];
}

interface Entry {
  readonly input: string;
  /** Shared by all inputs of a rule, which may be one of them. */
  readonly outputs: readonly string[];
  /** A cache: the first outputs as an embedder reads them. */
  texts?: readonly string[];
}

/** Adjacent tokens and their synonyms. */
interface Sequence {
  readonly own: readonly QueryToken[];
  readonly entries: readonly Entry[];
}

/** The maximum number of texts whose vectors are averaged for a part of a query. */
const MOST_TEXTS = 16;

/** Synonyms by the keys of a query's tokens. */
export class SynonymTable {
  private readonly entries = new Map<string, Entry[]>();
  private readonly words: WordForms | Analyzer;
  private longest = 0;

  constructor(rules: readonly SynonymRule[], words: WordForms | Analyzer) {
    this.words = words;
    for (const rule of rules) this.add(rule);
  }

  add({ inputs, outputs }: SynonymRule): void {
    for (const input of inputs) {
      const tokens = this.read(input);
      if (tokens.length === 0) continue;
      this.longest = Math.max(this.longest, tokens.length);
      const key = keyOf(tokens);
      const entry: Entry = { input, outputs };
      const known = this.entries.get(key);
      if (known === undefined) this.entries.set(key, [entry]);
      else known.push(entry);
    }
  }

  /** Replaces each sequence with synonyms (the longest first) by one token with the synonyms as alternatives. */
  *apply(tokens: readonly QueryToken[]): Task<QueryToken[]> {
    if (this.longest === 0) return [...tokens];
    const applied: QueryToken[] = [];
    for (const { own, entries } of this.sequences(tokens)) {
      applied.push(entries.length === 0 ? own[0]! : this.expand(own, entries));
      if (entries.length > 0) yield;
    }
    return applied;
  }

  /**
   * The alternatives of each part of a query as texts, its own words first, at most 16; each code is one unbroken word. undefined if no
   * part has a synonym.
   */
  texts(tokens: readonly QueryToken[]): string[][] | undefined {
    const parts = this.longest === 0 ? [] : this.sequences(tokens);
    if (parts.every(({ entries }) => entries.length === 0)) return undefined;
    return parts.map(({ own, entries }) => {
      const texts = [textOf(own), ...entries.flatMap((entry) => this.outputTexts(entry))];
      return [...new Set(texts)].slice(0, MOST_TEXTS);
    });
  }

  private outputTexts(entry: Entry): readonly string[] {
    if (entry.texts !== undefined) return entry.texts;
    const texts = new Set<string>();
    for (const output of entry.outputs) {
      if (texts.size >= MOST_TEXTS) break;
      if (output !== entry.input) texts.add(textOf(this.read(output)));
    }
    entry.texts = [...texts];
    return entry.texts;
  }

  /** The tokens in order: sequences with synonyms, and the other tokens one by one. */
  private sequences(tokens: readonly QueryToken[]): Sequence[] {
    const found: Sequence[] = [];
    for (let at = 0; at < tokens.length; ) {
      const known = this.longestAt(tokens, at);
      const length = known?.length ?? 1;
      found.push({ own: tokens.slice(at, at + length), entries: known?.entries ?? [] });
      at += length;
    }
    return found;
  }

  private read(text: string): QueryToken[] {
    return readTokens(text, this.words);
  }

  private longestAt(
    tokens: readonly QueryToken[],
    at: number,
  ): { length: number; entries: readonly Entry[] } | undefined {
    for (let length = Math.min(this.longest, tokens.length - at); length > 0; length--) {
      const entries = this.entries.get(keyOf(tokens.slice(at, at + length)));
      if (entries !== undefined) return { length, entries };
    }
    return undefined;
  }

  private expand(tokens: readonly QueryToken[], entries: readonly Entry[]): QueryToken {
    const own = tokens.length === 1 ? tokens[0]!.term.alternatives : together(tokens);
    const alternatives: TermAlternative[] = [...own];
    for (const { input, outputs } of entries)
      for (const output of outputs) {
        if (output === input) continue;
        const read = this.read(output);
        if (read.length === 1) alternatives.push(...read[0]!.term.alternatives);
        else if (read.length > 1) alternatives.push(...together(read));
      }
    const key = keyOf(tokens);
    const { word } = tokens[0]!.term;
    const term: QueryTerm = { key, alternatives, ...(tokens.length > 1 || word === undefined ? {} : { word }) };
    // A single token keeps its kind and text, so it can still be completed, corrected or split.
    return tokens.length === 1 ? { ...tokens[0]!, stop: false, term } : { kind: "group", text: key, stop: false, term };
  }
}

/** One alternative that contains the first form of each token. */
function together(tokens: readonly QueryToken[]): TermAlternative[] {
  return [{ terms: [...new Set(tokens.flatMap((token) => token.term.alternatives[0]!.terms))], weight: 1 }];
}

function keyOf(tokens: readonly QueryToken[]): string {
  return tokens.map((token) => token.term.key).join(" ");
}

function textOf(tokens: readonly QueryToken[]): string {
  return tokens
    .map(({ kind, text }) => (kind === "quantity" || kind === "group" ? text : embeddedToken(kind, text)))
    .join(" ");
}
