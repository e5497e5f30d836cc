// What a query wants none of: "soap without perfume", "nut free granola", "non-stick pan". Such a word is no word to be found: a record is
// wanted for saying that it has none, in any of the usual ways.

import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import type { TermAlternative } from "./query-term.js";
import { ENGLISH_TITLES, NOUN, TITLE_WORDS } from "./title-roles.js";
import { compoundForms } from "./token-forms.js";
import { STOP_WORDS, type WordForms } from "./word-forms.js";

/** Negations before a word: "no sugar"; and behind it, or before it with "of" or "from": "sugar free", "free of sugar". */
const NEGATIONS: readonly string[] = ["without", "no", "non", "not"];
const FREE = "free";
const FREE_LINKS: readonly string[] = ["of", "from"];
/** What may stand between a negation and its word: "no added sugar". */
const BETWEEN: readonly string[] = ["added", "any", "a", "an", "the", "real", "artificial"];

/** Some tokens of a query that say what it wants none of. */
export interface Negation {
  /** The tokens from … to - 1. */
  readonly from: number;
  readonly to: number;
  /** The words of what is not wanted. */
  readonly words: readonly string[];
}

/** A token as far as negations are read in it. */
type ReadToken = Readonly<Record<"kind" | "text", string>>;

/** The tokens that say no negation. Only English has some. */
export function withoutNegations<T extends ReadToken>(tokens: readonly T[], words: WordForms | Analyzer): readonly T[] {
  const negations = has(words, "analyze") || !words.hasNegations ? [] : negationsIn(tokens);
  return tokens.filter((_, at) => !negations.some(({ from, to }) => from <= at && at < to));
}

/** Words of what is not wanted, at most. */
const MOST_WORDS = 3;
/** Tokens besides nouns that may be what is searched. */
const THINGS: ReadonlySet<string> = new Set(["group", "compound", "code", "signed", "unspaced"]);
/** Words that name no thing. */
const NO_THINGS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...TITLE_WORDS.boundaries,
  ...TITLE_WORDS.numbers,
  FREE,
]);

/** The negations of a query, which names a thing besides. */
export function negationsIn(tokens: readonly ReadToken[]): readonly Negation[] {
  const found: Negation[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const one = negationAt(tokens, at, found.at(-1)?.to ?? 0);
    if (one === undefined) continue;
    found.push(one);
    at = one.to - 1;
  }
  const isIn = (at: number): boolean => found.some(({ from, to }) => from <= at && at < to);
  return tokens.some((token, at) => (THINGS.has(token.kind) || isNoun(token)) && !isIn(at)) ? found : [];
}

/** The negation that begins at a token, or with `free` ends there. `least`: the first token that is in no other. */
function negationAt(tokens: readonly ReadToken[], at: number, least: number): Negation | undefined {
  const { kind, text } = tokens[at]!;
  if (kind === "compound") {
    const { parts } = compoundForms(text);
    if (parts.length === 2 && parts[1] === FREE) return { from: at, to: at + 1, words: [parts[0]!] };
    if (parts.length === 2 && parts[0] === "non") return { from: at, to: at + 1, words: [parts[1]!] };
    return text === "w/o" ? negationOf(tokens, at, at + 1) : undefined;
  }
  if (kind !== "word") return undefined;
  if (text === "without" || text === "non") return negationOf(tokens, at, at + 1);
  // What begins with "no" or "not" is rather called so: "no show socks".
  if (text === "no" || text === "not") return at === 0 ? undefined : negationOf(tokens, at, at + 1);
  if (text !== FREE) return undefined;
  if (FREE_LINKS.includes(tokens[at + 1]?.text ?? "")) return negationOf(tokens, at, at + 2);
  return at > least && isNoun(tokens[at - 1]) ? { from: at - 1, to: at + 1, words: [tokens[at - 1]!.text] } : undefined;
}

/** The negation of the words from a token on: what describes a thing, and the thing in two words at most. */
function negationOf(tokens: readonly ReadToken[], from: number, first: number): Negation | undefined {
  let to = first;
  while (BETWEEN.includes(tokens[to]?.text ?? "")) to++;
  const words: string[] = [];
  let nouns = 0;
  while (to < tokens.length && words.length < MOST_WORDS && nouns < 2 && isPlainWord(tokens[to])) {
    if (isNoun(tokens[to])) nouns++;
    else if (nouns > 0) break;
    words.push(tokens[to++]!.text);
  }
  return words.length === 0 ? undefined : { from, to, words };
}

function isPlainWord(token: ReadToken | undefined): boolean {
  return token?.kind === "word" && token.text.length > 1 && !NO_THINGS.has(token.text);
}

function isNoun(token: ReadToken | undefined): boolean {
  return token !== undefined && isPlainWord(token) && ENGLISH_TITLES.syntaxOf("word", token.text) === NOUN;
}

/** Other words for "without" some things. */
const OTHER_WORDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...["cable", "cord", "wire"].map((one) => [one, ["wireless", "cordless"]] as const),
  ["caffeine", ["decaf", "decaffeinated"]],
  ["sugar", ["unsweetened"]],
]);
/** Shorter words make other words with "un" and "less": "bless". */
const SHORTEST_STEM = 3;

/** The ways in which records say that they have none of some words, as a record has them. */
export function formsOfNegation(negated: readonly string[], words: WordForms): TermAlternative[] {
  const stems = negated.map((word) => words.stem(word));
  const forms = [...NEGATIONS, FREE].map((negation) => [words.stem(negation), ...stems]);
  if (negated.length === 1) {
    const [word] = negated as [string];
    for (const one of [word, ...words.otherNumbers(word)]) {
      const joined = [`${one}free`, `non${one}`, ...(OTHER_WORDS.get(one) ?? [])];
      if (one.length >= SHORTEST_STEM) joined.push(`${one}less`);
      forms.push(...joined.map((text) => [words.stem(text)]));
    }
    if (stems[0]!.length >= SHORTEST_STEM) forms.push([`un${stems[0]!}`]);
  }
  return forms.map((terms) => ({ terms: [...new Set(terms)], weight: 1, distance: 0 }));
}
