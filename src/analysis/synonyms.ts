// Synonyms, two-way and one-way, of one or several words. A word and its synonyms are one term of the query, which any of them
// matches; what was typed counts more. The words of a synonym are found in each spelling: joined, apart, with a hyphen or a dot, in
// any form. Synonyms are not chained: a synonym of a synonym does not count.

import type { Analyzer } from "../util/extension-points.js";
import { has } from "../util/json.js";
import { listIn } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";
import { isToken, type QueryToken, readTokens } from "./parse-query.js";
import type { QueryTerm, TermAlternative } from "./query-term.js";
import { isDigit } from "./scan-tokens.js";
import { codeForms, compoundForms, embeddedToken } from "./token-forms.js";
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
  /** The key of the input's own spelling. */
  readonly key: string;
  /** Its tokens. */
  readonly tokens: readonly QueryToken[];
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

const NO_ENTRIES: readonly Entry[] = [];
const NO_RULES: readonly SynonymRule[] = [];

/** The weight of a built-in synonym: what was typed comes first. */
export const BUILT_IN_WEIGHT = 0.8;
/** That of one of the settings, which names the thing as well: what was typed comes first among equals. */
const OWN_WEIGHT = 0.98;
/** In titles, a synonym is a little farther from what was typed than its other number, and no other form of it. */
const SYNONYM_DISTANCE = 0.21;
/** Whether an alternative of a query's term is a synonym. */
export function isSynonym({ distance }: TermAlternative): boolean {
  return distance === SYNONYM_DISTANCE;
}

/** Words of so few letters may be typed letter by letter, with dots: "u.s.a." */
const LONGEST_ABBREVIATION = 4;
/** The maximum number of texts whose vectors are averaged for a part of a query. */
const MOST_TEXTS = 16;

/** Synonyms by the keys of a query's tokens, and by their spellings. */
export class SynonymTable {
  private readonly byKey = new Map<string, Entry[]>();
  private readonly bySpelling = new Map<string, Entry[]>();
  private readonly words: WordForms | Analyzer;
  /** The number of tokens of the longest sequence and of the longest key, and of characters of the longest joined sequence. */
  private longest = 0;
  private longestKey = 0;
  private longestWord = 0;
  /** The first two letters of the spellings. */
  private readonly beginnings = new Set<string>();
  /** By these letters: rules that are read when a query first has them. */
  private readonly unread = new Map<string, SynonymRule[]>();

  /** Synonyms that hold for words that are no input here; null: none. */
  private readonly builtIn: SynonymTable | null;

  /** What the weight of a synonym is. */
  private readonly weight: number;

  constructor(
    rules: readonly SynonymRule[],
    words: WordForms | Analyzer,
    builtIn: SynonymTable | null = null,
    weight: number = OWN_WEIGHT,
  ) {
    this.words = words;
    this.builtIn = builtIn;
    this.weight = weight;
    for (const rule of rules) this.add(rule);
  }

  /** Adds a rule of many, of which most queries need few. Its inputs are words of English, or several with hyphens. */
  addLater({ inputs, outputs }: SynonymRule): void {
    for (const input of inputs) {
      const parts = input.split("-");
      const joined = parts.join("");
      this.allow(1, { parts: parts.length, joined });
      const beginning = joined.slice(0, BEGINNING);
      this.beginnings.add(beginning);
      listIn(this.unread, beginning).push({ inputs: [input], outputs });
    }
  }

  add({ inputs, outputs }: SynonymRule): void {
    for (const input of inputs) {
      const tokens = this.read(input);
      if (tokens.length === 0) continue;
      const key = keyOf(tokens);
      const spelling = new Spelling();
      for (const part of tokens.flatMap(partsOf)) spelling.add(part, this.words);
      this.allow(tokens.length, spelling);
      const entry: Entry = { input, key, tokens, outputs };
      listIn(this.byKey, key).push(entry);
      for (const name of new Set(spelling.keys(this.words, this.longestWord))) {
        listIn(this.bySpelling, name).push(entry);
        this.beginnings.add(name.slice(0, BEGINNING));
      }
    }
  }

  /** Lets sequences be as long as an input: one word may be typed as two, an abbreviation letter by letter. */
  private allow(tokens: number, { parts, joined }: Pick<Spelling, "parts" | "joined">): void {
    const letters = joined.length <= LONGEST_ABBREVIATION ? joined.length : 0;
    this.longest = Math.max(this.longest, tokens, parts === 0 ? 0 : Math.max(parts + 1, letters));
    this.longestKey = Math.max(this.longestKey, tokens);
    this.longestWord = Math.max(this.longestWord, joined.length + LONGEST_ENDING);
  }

  /** Replaces each sequence with synonyms (the longest first) by one token with the synonyms as alternatives. */
  *apply(tokens: readonly QueryToken[]): Task<QueryToken[]> {
    if (this.longest === 0) return [...this.applyBuiltIn(tokens)];
    const applied: QueryToken[] = [];
    let without: QueryToken[] = [];
    for (const { own, entries } of this.sequences(tokens)) {
      if (entries.length === 0) {
        without.push(own[0]!);
        continue;
      }
      applied.push(...this.applyBuiltIn(without), this.expand(own, entries));
      without = [];
      yield;
    }
    applied.push(...this.applyBuiltIn(without));
    return applied;
  }

  /** The same with the built-in synonyms, but for those that are inputs here. */
  private applyBuiltIn(tokens: readonly QueryToken[]): readonly QueryToken[] {
    const builtIn = this.builtIn;
    if (builtIn === null) return tokens;
    return builtIn.sequences(tokens).flatMap(({ own, entries }) => {
      if (entries.length === 0) return own;
      const left = entries.map((entry) => ({
        ...entry,
        outputs: entry.outputs.filter((output) => output !== entry.input && !this.isInput(output)),
      }));
      return left.some(({ outputs }) => outputs.length > 0) ? [builtIn.expand(own, left)] : own;
    });
  }

  private isInput(text: string): boolean {
    if (this.longest === 0) return false;
    const tokens = this.read(text);
    return this.longestAt(tokens, 0, tokens.map(partsOf))?.length === tokens.length;
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
  sequences(tokens: readonly QueryToken[]): Sequence[] {
    const found: Sequence[] = [];
    const parts = tokens.map(partsOf);
    for (let at = 0; at < tokens.length; ) {
      const known = this.mayBegin(tokens[at]!) ? this.longestAt(tokens, at, parts) : undefined;
      const length = known?.length ?? 1;
      found.push({ own: tokens.slice(at, at + length), entries: known?.entries ?? NO_ENTRIES });
      at += length;
    }
    return found;
  }

  /** False if no sequence begins with a token. */
  private mayBegin({ kind, text }: QueryToken): boolean {
    if (kind !== "word" || text.length <= LONGEST_IRREGULAR || has(this.words, "analyze")) return true;
    return (
      this.beginnings.has(text.slice(0, BEGINNING)) || this.beginnings.has(this.words.stem(text).slice(0, BEGINNING))
    );
  }

  /** How a record may have a text: the forms of a single token; of several, all of them, or joined. */
  private formsOf(tokens: readonly QueryToken[]): readonly TermAlternative[] {
    if (tokens.length === 1) return tokens[0]!.term.alternatives;
    if (tokens.length === 0) return [];
    const { words } = this;
    const forms = [tokens.flatMap((token) => token.term.alternatives[0]!.terms)];
    if (!has(words, "analyze") && tokens.every(({ kind }) => kind === "word" || kind === "compound")) {
      const parts = tokens.flatMap(partsOf);
      if (tokens.some(({ kind }) => kind === "compound")) forms.push(parts.map((part) => words.stem(part)));
      forms.push([words.stem(parts.join(""))]);
    }
    return forms.map((terms) => ({ terms: [...new Set(terms)], weight: 1 }));
  }

  private read(text: string): QueryToken[] {
    return readTokens(text, this.words);
  }

  /** The longest sequence with synonyms from `at` on. */
  private longestAt(
    tokens: readonly QueryToken[],
    at: number,
    parts: readonly (readonly string[])[],
  ): { length: number; entries: readonly Entry[] } | undefined {
    let longest: { length: number; entries: readonly Entry[] } | undefined;
    let key = "";
    const spelling = new Spelling();
    for (let length = 1; length <= this.longest && at + length <= tokens.length; length++) {
      const next = at + length - 1;
      for (const part of parts[next]!) spelling.add(part, this.words);
      let found: Entry[] | undefined;
      if (length <= this.longestKey) {
        key = length === 1 ? tokens[next]!.term.key : `${key} ${tokens[next]!.term.key}`;
        found = this.find(this.byKey, key);
      }
      for (const name of spelling.keys(this.words, this.longestWord, this.beginnings)) {
        const others = this.find(this.bySpelling, name);
        if (others !== undefined) found = found === undefined ? others : [...found, ...others];
      }
      if (found !== undefined) longest = { length, entries: [...new Set(found)] };
    }
    return longest;
  }

  private find(entries: ReadonlyMap<string, Entry[]>, name: string): Entry[] | undefined {
    const beginning = name.slice(0, BEGINNING);
    const unread = this.unread.get(beginning) ?? NO_RULES;
    this.unread.delete(beginning);
    for (const rule of unread) this.add(rule);
    return entries.get(name);
  }

  expand(tokens: readonly QueryToken[], entries: readonly Entry[]): QueryToken {
    const key = keyOf(tokens);
    const alternatives: TermAlternative[] = [...this.formsOf(tokens)];
    // Another spelling of what was typed counts as much.
    for (const entry of entries)
      if (entry.key !== key) for (const form of this.formsOf(entry.tokens)) alternatives.push({ ...form, distance: 0 });
    for (const { input, outputs } of entries)
      for (const output of outputs) {
        if (output === input) continue;
        for (const form of this.formsOf(this.read(output)))
          alternatives.push({ ...form, weight: this.weight * form.weight, distance: SYNONYM_DISTANCE });
      }
    const { word } = tokens[0]!.term;
    const term: QueryTerm = { key, alternatives, ...(tokens.length > 1 || word === undefined ? {} : { word }) };
    // A single token keeps its kind and text, so it can still be completed, corrected or split.
    const [{ from }] = tokens as readonly [QueryToken];
    return tokens.length === 1
      ? { ...tokens[0]!, stop: false, term }
      : { kind: "group", text: key, stop: false, term, from };
  }
}

/** What all spellings of a sequence have in common: the stems of its words, joined, and the stem of its joined words. */
class Spelling {
  joined = "";
  parts = 0;
  private stems = "";

  /** Adds a word. A user's analyzer has no other spellings. */
  add(part: string, words: WordForms | Analyzer): void {
    if (has(words, "analyze")) return;
    this.joined = joinPart(this.joined, part);
    this.stems = joinPart(this.stems, words.stem(part));
    this.parts++;
  }

  /**
   * The keys; none if the joined words have more than `most` characters. `beginnings`: those of the keys that are wanted, because a stem
   * that no other query has takes long.
   */
  keys(words: WordForms | Analyzer, most: number, beginnings?: ReadonlySet<string>): string[] {
    const { joined, stems } = this;
    if (has(words, "analyze") || joined.length > most) return [];
    if (this.parts === 1) return [stems];
    const mayChange = joined.length <= LONGEST_IRREGULAR;
    if (beginnings !== undefined && !mayChange && !beginnings.has(joined.slice(0, BEGINNING))) return [stems];
    return [stems, words.stem(joined)];
  }
}

/** Longer words begin as their stems do with so many letters: only "feet", "geese", "dying" and the like do not. */
const LONGEST_IRREGULAR = 5;
const BEGINNING = 2;

/** An input has so many characters less than another form of it at most. */
const LONGEST_ENDING = 16;

/** The words of a token. With signs after it, it is another word than without. */
function partsOf({ kind, text, plain }: QueryToken): readonly string[] {
  if (kind === "signed") return [text];
  if (plain !== undefined) return plain.flatMap(partsOf);
  if (kind === "compound") return compoundForms(text).parts;
  return kind === "code" ? codeForms(text).parts : [text];
}

/** Adds a part to a joined word; two numbers stay two. */
function joinPart(joined: string, part: string): string {
  const isBetweenDigits = isDigit(joined.charCodeAt(joined.length - 1)) && isDigit(part.charCodeAt(0));
  return isBetweenDigits ? `${joined} ${part}` : joined + part;
}

function keyOf(tokens: readonly QueryToken[]): string {
  return tokens.map((token) => token.term.key).join(" ");
}

function textOf(tokens: readonly QueryToken[]): string {
  return tokens.map((token) => (isToken(token) ? embeddedToken(token.kind, token.text) : token.text)).join(" ");
}
