// A sentence while it is read: its tokens with their places in the text, what wink says of each, and the parts that were
// understood so far. No token belongs to two parts.

import { normalizeText } from "../analysis/normalize-text.js";
import { type NamedAttribute, namedAttribute, sameName } from "./attribute-names.js";
import type { EnglishReader, ReadWord, WordToRead } from "./english-reader.js";
import type { FacetValue, IndexFacts } from "./index-facts.js";
import type { IntentKind, IntentPart } from "./intent.js";

/** A word, number or sign of a sentence. */
export interface Token extends ReadWord, WordToRead {
  readonly from: number;
  readonly to: number;
  /** Whether no blank stands before it. */
  readonly isGlued: boolean;
}

/** Longer texts are no sentences of shoppers. */
const LONGEST_SENTENCE = 400;
const MOST_TOKENS = 64;

const NUMBER = /\d+(?:[.,]\d+)*/y;
/** Letters and digits that begin with a letter, or have a letter between digits: "t490", "2in1". */
const WORD = /(?:[\p{L}\p{M}]|\d+\p{L}+\d)[\p{L}\p{M}\p{N}]*(?:['\u2019]\p{L}+)*/uy;
const SIGN = /[<>]=|[^\s]/uy;
const CURRENCY = /^\p{Sc}$/u;
const BLANK = /\s/;

/** The tokens of a text as wink reads them; undefined: it is too long, or wink does not read it so. */
export function readSentence(text: string, reader: EnglishReader): readonly Token[] | undefined {
  const words = tokensOf(text);
  const read = words === undefined ? undefined : reader.read(words);
  return read === undefined ? undefined : words!.map((word, i) => ({ ...word, ...read[i]! }));
}

/** The words of a value, as sentences spell it. */
export function spellingOf(value: string): string {
  return withoutPossessives(wordsOfTokens(tokensOf(value) ?? []));
}

/** "women's" is spelled as "women". */
export function withoutPossessives(words: string): string {
  return words.replace(/'s\b/g, "");
}

/** The words and numbers of tokens. */
export function wordsOfTokens(tokens: readonly WordToRead[]): string {
  return tokens
    .filter(({ kind }) => kind === "word" || kind === "number")
    .map(({ key }) => key)
    .join(" ");
}

type PlainToken = Omit<Token, keyof ReadWord>;

function tokensOf(text: string): readonly PlainToken[] | undefined {
  if (text.length > LONGEST_SENTENCE) return undefined;
  const tokens: PlainToken[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at;
    while (at < text.length && BLANK.test(text[at]!)) at++;
    if (at >= text.length) break;
    const to = endOf(WORD, text, at) ?? endOf(NUMBER, text, at) ?? endOf(SIGN, text, at) ?? at + 1;
    const written = text.slice(at, to);
    const key = normalizeText(written).replace(/\u2019/g, "'");
    tokens.push({ from: at, to, key, kind: kindOf(written), isGlued: at === from && at > 0 });
    if (tokens.length > MOST_TOKENS) return undefined;
    at = to;
  }
  return tokens;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function kindOf(written: string): WordToRead["kind"] {
  if (CURRENCY.test(written)) return "currency";
  if (/^\d[\d.,]*$/.test(written)) return "number";
  return /^[\p{L}\p{M}\d]/u.test(written) ? "word" : "sign";
}

/** The tokens from … to - 1. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** A part, and which list of the intent it is for. */
export interface FoundPart extends IntentPart {
  readonly list: "filters" | "preferred" | "excluded" | "order" | "none";
}

/** A sentence with what was understood of it. */
export class Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly facts: IndexFacts;
  private readonly found: FoundPart[] = [];
  private readonly owners: (FoundPart | undefined)[];
  private named: readonly NamedAttribute[] | undefined;

  constructor(text: string, tokens: readonly Token[], facts: IndexFacts) {
    this.text = text;
    this.tokens = tokens;
    this.facts = facts;
    this.owners = tokens.map(() => undefined);
  }

  /** The parts in the order of the text. */
  get parts(): readonly FoundPart[] {
    return [...this.found].sort((a, b) => a.from - b.from);
  }

  /** The attributes by the words of their names. */
  get attributes(): readonly NamedAttribute[] {
    this.named ??= this.facts.attributes.map(namedAttribute);
    return this.named;
  }

  /** The one attribute that some free tokens name. */
  attributeNamed(from: number, to: number): NamedAttribute | undefined {
    const words = this.areFree(from, to) ? this.words(from, to) : "";
    const found = words === "" ? [] : this.attributes.filter((named) => sameName(named.words, words));
    return found.length === 1 ? found[0] : undefined;
  }

  /** The normalised text of a token; "" behind the ends. */
  key(i: number): string {
    return this.tokens[i]?.key ?? "";
  }

  /** Whether there is a token that belongs to no part. */
  isFree(i: number): boolean {
    return i >= 0 && i < this.tokens.length && this.owners[i] === undefined;
  }

  isFreeWord(i: number): boolean {
    return this.isFree(i) && this.tokens[i]!.kind === "word";
  }

  areFree(from: number, to: number): boolean {
    for (let i = from; i < to; i++) if (!this.isFree(i)) return false;
    return true;
  }

  /** The words of some tokens. */
  words(from: number, to: number): string {
    return wordsOfTokens(this.tokens.slice(Math.max(0, from), to));
  }

  /** The words of some tokens, as values are spelled. */
  spelling(from: number, to: number): string {
    return withoutPossessives(this.words(from, to));
  }

  /** Whether something is searched besides the tokens from … to - 1: a word that is in no part, or a value. */
  hasThing(from: number, to: number, before: number = this.tokens.length): boolean {
    return this.tokens.some((token, i) => {
      if (i >= before || (i >= from && i < to) || token.kind === "sign") return false;
      const list = this.owners[i]?.list;
      return (list === undefined && !FILLERS.has(token.key)) || list === "preferred";
    });
  }

  /** Whether a sequence of keys stands at a token. */
  matches(i: number, keys: readonly string[]): boolean {
    return keys.every((key, k) => this.isFree(i + k) && this.key(i + k) === key);
  }

  add(kind: IntentKind, from: number, to: number, became: string, list: FoundPart["list"]): void {
    const [start, end] = [this.tokens[from]!.from, this.tokens[to - 1]!.to];
    const text = this.text.slice(start, end);
    const part = { from: start, to: end, text, kind, became, list };
    this.found.push(part);
    this.owners.fill(part, from, to);
  }

  /** Takes all parts of a kind back. */
  drop(kind: IntentKind): void {
    for (const part of this.found.filter((one) => one.kind === kind)) {
      this.found.splice(this.found.indexOf(part), 1);
      for (const [i, owner] of this.owners.entries()) if (owner === part) this.owners[i] = undefined;
    }
  }
}

/** Words that name nothing. */
export const FILLERS: ReadonlySet<string> = new Set(
  "a an the and or of for with to in on by is are that which what me my show find".split(" "),
);

/** A sequence of words. */
export const phrase = (text: string): readonly string[] => text.split(" ");

const BARE = /^[\p{L}\p{N}_.,/&+%#-]+$/u;
const KEYWORDS = new Set(["AND", "OR", "NOT", "TO", "EXISTS"]);

/** The filter that a value passes, in any of its spellings. */
export function filterOf({ attribute, values }: FacetValue): string {
  const each = values.map((value) => `${filterTerm(attribute)}:${filterTerm(value)}`);
  return each.length === 1 ? each[0]! : `(${each.join(" OR ")})`;
}

/** A name or value as the text form of filters takes it. */
export function filterTerm(text: string): string {
  return BARE.test(text) && !KEYWORDS.has(text) ? text : JSON.stringify(text);
}
