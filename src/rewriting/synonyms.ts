// Synonyms, both ways and one way, of one word or several. A group of synonyms is one term of the query: a record holds it
// by any of them. Groups are not chained: what a synonym's synonym is does not follow.

import type { Analyzer } from "../base/seams.js";
import type { WordForms } from "../language/word-forms.js";
import type { QueryTerm, TermAlternative } from "../text/query-term.js";
import { type QueryToken, readTokens } from "./query-token.js";

/** As settings have them, checked. */
export interface SynonymRule {
  /** What a query may say. */
  readonly inputs: readonly string[];
  /** What a record may then say instead. */
  readonly outputs: readonly string[];
}

interface Entry {
  readonly outputs: readonly string[];
}

/** Synonyms, ready to be looked up by the keys of a query's tokens. */
export class SynonymTable {
  private readonly entries = new Map<string, Entry[]>();
  private readonly words: WordForms | Analyzer;
  private longest = 0;

  constructor(rules: readonly SynonymRule[], words: WordForms | Analyzer) {
    this.words = words;
    for (const rule of rules) this.add(rule);
  }

  /** One rule more. */
  add({ inputs, outputs }: SynonymRule): void {
    for (const input of inputs) {
      const tokens = readTokens(input, this.words);
      if (tokens.length === 0) continue;
      this.longest = Math.max(this.longest, tokens.length);
      const key = keyOf(tokens);
      const entry = { outputs: outputs.filter((output) => output !== input) };
      const known = this.entries.get(key);
      if (known === undefined) this.entries.set(key, [entry]);
      else known.push(entry);
    }
  }

  /** The tokens with every known sequence (the longest first) become one token that its synonyms can stand for. */
  apply(tokens: readonly QueryToken[]): QueryToken[] {
    if (this.longest === 0) return [...tokens];
    const out: QueryToken[] = [];
    for (let at = 0; at < tokens.length; ) {
      const found = this.longestAt(tokens, at);
      if (found === undefined) out.push(tokens[at++]!);
      else {
        out.push(this.widen(tokens.slice(at, at + found.length), found.entries));
        at += found.length;
      }
    }
    return out;
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

  private widen(tokens: readonly QueryToken[], entries: readonly Entry[]): QueryToken {
    const own = tokens.length === 1 ? tokens[0]!.term.alternatives : together(tokens);
    const alternatives: TermAlternative[] = [...own];
    for (const { outputs } of entries)
      for (const output of outputs) {
        const read = readTokens(output, this.words);
        if (read.length === 1) alternatives.push(...read[0]!.term.alternatives);
        else if (read.length > 1) alternatives.push(...together(read));
      }
    const key = keyOf(tokens);
    const { word } = tokens[0]!.term;
    const term: QueryTerm = { key, alternatives, ...(tokens.length > 1 || word === undefined ? {} : { word }) };
    // One token stays what it is: as it was typed, it may still be completed, mended or taken apart.
    return tokens.length === 1 ? { ...tokens[0]!, stop: false, term } : { kind: "group", text: key, stop: false, term };
  }
}

/** Several words that must be held together: each by its first form. */
function together(tokens: readonly QueryToken[]): TermAlternative[] {
  return [{ terms: [...new Set(tokens.flatMap((token) => token.term.alternatives[0]!.terms))], weight: 1 }];
}

function keyOf(tokens: readonly QueryToken[]): string {
  return tokens.map((token) => token.term.key).join(" ");
}
