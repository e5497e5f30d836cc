// Synonyms, both ways and one way, of one word or several. A group of synonyms is one term of the query, which any of them
// matches. Synonyms are not chained: a synonym of a synonym does not count.

import type { Analyzer } from "../util/extension-points.js";
import { squeeze } from "./code-forms.js";
import { type QueryToken, readTokens } from "./parse-query.js";
import type { QueryTerm, TermAlternative } from "./query-term.js";
import type { WordForms } from "./word-forms.js";

/** As settings have them, checked. */
export interface SynonymRule {
  /** What a query may say. */
  readonly inputs: readonly string[];
  /** What a record may then say instead. */
  readonly outputs: readonly string[];
}

interface Entry {
  readonly outputs: readonly string[];
  /** The same as an embedder reads them, once they were asked for. */
  texts?: readonly string[];
}

/** Tokens that stand together, and the entries for them. */
interface Sequence {
  readonly own: readonly QueryToken[];
  readonly entries: readonly Entry[];
}

/** What a part of a query means is a mean over so many texts at most. */
const MOST_TEXTS = 16;

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
      const tokens = this.read(input);
      if (tokens.length === 0) continue;
      this.longest = Math.max(this.longest, tokens.length);
      const key = keyOf(tokens);
      const entry: Entry = { outputs: outputs.filter((output) => output !== input) };
      const known = this.entries.get(key);
      if (known === undefined) this.entries.set(key, [entry]);
      else known.push(entry);
    }
  }

  /** The tokens with every known sequence (the longest first) become one token that its synonyms can stand for. */
  apply(tokens: readonly QueryToken[]): QueryToken[] {
    if (this.longest === 0) return [...tokens];
    return this.sequences(tokens).map(({ own, entries }) =>
      entries.length === 0 ? own[0]! : this.expand(own, entries),
    );
  }

  /**
   * The same as texts: each part of a query with what may stand for it, its own words first, 16 in all; codes as one unbroken
   * word each. undefined: no part has a synonym.
   */
  texts(tokens: readonly QueryToken[]): string[][] | undefined {
    const parts = this.longest === 0 ? [] : this.sequences(tokens);
    if (parts.every(({ entries }) => entries.length === 0)) return undefined;
    return parts.map(({ own, entries }) => {
      const texts = [textOf(own), ...entries.flatMap((entry) => this.outputTexts(entry))];
      return [...new Set(texts)].slice(0, MOST_TEXTS);
    });
  }

  /** Read once: a query may say the same word a thousand times. */
  private outputTexts(entry: Entry): readonly string[] {
    entry.texts ??= entry.outputs.map((output) => textOf(this.read(output)));
    return entry.texts;
  }

  /** The tokens in order: known sequences, and the others one by one, without entries. */
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
    for (const { outputs } of entries)
      for (const output of outputs) {
        const read = this.read(output);
        if (read.length === 1) alternatives.push(...read[0]!.term.alternatives);
        else if (read.length > 1) alternatives.push(...together(read));
      }
    const key = keyOf(tokens);
    const { word } = tokens[0]!.term;
    const term: QueryTerm = { key, alternatives, ...(tokens.length > 1 || word === undefined ? {} : { word }) };
    // One token stays what it is: as it was typed, it may still be completed, corrected or split.
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

function textOf(tokens: readonly QueryToken[]): string {
  return tokens.map(({ kind, text }) => (kind === "code" ? squeeze(text) : text)).join(" ");
}
