// What a language knows of words, titles, measures and attributes. Each language has a file in languages/, which is loaded when an index of
// it is made or opened. All texts in it but the probes are normalised as `normalizeText` does it: lower case, without accents, "ss" for
// "ß". The stemmers of Snowball are imported here alone, each when its language is asked for.

import type { Normalization } from "./normalize-text.js";

/** What a language says beside the analysis of texts. */
export interface LanguageCustoms {
  readonly attributes?: AttributeNames;
  /** 128 everyday words of unlike meanings, as people spell them, to which records are compared where a semantic floor is learned. */
  readonly probes?: string;
  /** Letters that the alphabet has elsewhere than where their normal form is, as `alphabetOf` takes them: `"z å ä/æ ö/ø"`, `"n ñ"`. */
  readonly alphabet?: readonly string[];
}

/** The rules of one language. Lists of words are texts with blanks between the words. */
export interface LanguageRules extends LanguageCustoms {
  /** The language as BCP 47 has it, such as `"de"`. */
  readonly tag: string;
  /** Of the analyzer, with its version, such as `"german-1"`: rules that give other index terms need another one. */
  readonly id: string;
  /** What is normalised otherwise than in English. */
  readonly normalization?: Normalization;
  /** The stem of a normalised word of letters, under which it is indexed. Pure. */
  readonly stem: (word: string) => string;
  /** Two words of one stem with the same light form are one word in several numbers, genders or cases: "rote" and "roter". Pure. */
  readonly lightForm: (word: string) => string;
  /** Words that count only in queries without others: 30 to 60 articles, prepositions, conjunctions and pronouns. */
  readonly stopWords: string;
  /** How titles name a thing; without them, titles have no heads. */
  readonly titles?: TitleRules;
  /** How words are joined to longer ones; without them, they are not. */
  readonly compounds?: CompoundRules;
  /** Words that lose their vowel before an apostrophe: "l d qu" for "l'huile". They are no words of their own. */
  readonly elisions?: string;
  readonly measures?: MeasureRules;
}

export interface TitleRules {
  /** Where the head of a phrase stands: `"last"`: "Kinder Fahrrad"; `"first"`: "chaise de bureau". */
  readonly head: "first" | "last";
  /** Everything from one of these words on says what the product goes with: "für", "passend", "pour", "de". */
  readonly boundaries: string;
  /** These words end a phrase: "auf", "am". */
  readonly ends: string;
  /** Between words that are alike: "und". */
  readonly joiners: string;
  /** Words that describe, before a noun or after it, in all their forms: colours, materials, sizes, kinds. They are no heads. */
  readonly attributes: string;
  /** Where there are no blanks between words; without it, such words are no heads. */
  readonly unspaced?: UnspacedTitles;
}

/** Titles in a script without blanks between words. */
export interface UnspacedTitles {
  /** The character behind what a product goes with: "用" in "ノートパソコン用バッグ". */
  readonly purpose: string;
  /** Runs without blanks that only describe: those that end with "付き", "対応". */
  readonly describing: RegExp;
}

export interface CompoundRules {
  /** Sounds that may stand between two joined words; the first is "", which is written "-". */
  readonly links: string;
  /** The least length of the last word of a compound. */
  readonly leastEnd: number;
  /** What a front that is no known word must not be: prefixes such as "ver", and what ends with one. */
  readonly noFront: RegExp;
}

export interface MeasureRules {
  /** A line for each unit: its name in `UNITS` (units.ts), then its names in this language that are no English ones, `_` for a blank: `"l litern"`, `"seat sitzer"`. */
  readonly units: string;
  /** One to twelve, each as all its forms with a slash between them: "ein/eine/einen zwei drei …". */
  readonly numbers: string;
  /** What packs are called before a number: "packung mit", "lot de"; whole phrases, with commas between them. */
  readonly packsOf?: string;
  /** A pack with its number before it; its first group is the number: /([0-9]{1,6})er[ -]?(?:pack|set)\b/y. Sticky. */
  readonly packsBehind?: RegExp;
}

/** Usual names of attributes, without case, blanks and signs, beside the English ones; the preferred ones first. */
export interface AttributeNames {
  readonly title: string;
  readonly category: string;
  readonly identifier: string;
}

/** Each of the words with each of the endings, as one text; the ending "-" is none. */
export function inflected(words: string, endings: string): string {
  const ends = endings.split(" ").map((ending) => (ending === "-" ? "" : ending));
  return wordsOf(words)
    .flatMap((word) => ends.map((ending) => word + ending))
    .join(" ");
}

/** The second words of a text of pairs, with commas between these, each with the first word of its pair. */
export function pairsOf(pairs: string): ReadonlyMap<string, string> {
  return new Map(pairs.split(",").map((pair) => wordsOf(pair).toReversed() as [string, string]));
}

/** The words of a list. */
export function wordsOf(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/** The word without the first of the endings that leaves at least `least` letters and a vowel; the word itself where none does. */
export function withoutEnding(word: string, endings: readonly string[], least = 3): string {
  const ending = endings.find(
    (one) => word.length - one.length >= least && word.endsWith(one) && VOWEL.test(word.slice(0, -one.length)),
  );
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** A word of Danish or Norwegian without the endings of number, the article at the end, and those of adjectives; with single consonants at the end. */
export function scandinavianForm(word: string, endings: readonly string[]): string {
  const found = withoutEnding(word, endings);
  const bare = found === word && word.length > 4 && /(?:ig|sk|[bdgln])t$/.test(word) ? word.slice(0, -1) : found;
  if (bare.length > 4 && /[^aeiouy]el$/.test(bare)) return bare.replace(/([bdfgklmnprst])\1?el$/, "$1l");
  return bare.length > 3 ? bare.replace(/([bdfgklmnprst])\1$/, "$1") : bare;
}

const VOWEL = /[aeiouyаеиоуыэюя]/;

interface StemmerModule {
  readonly stemmer: (word: string) => string;
}

const MODULES = {
  arabic: (): Promise<StemmerModule> => import("@orama/stemmers/arabic"),
  danish: (): Promise<StemmerModule> => import("@orama/stemmers/danish"),
  finnish: (): Promise<StemmerModule> => import("@orama/stemmers/finnish"),
  french: (): Promise<StemmerModule> => import("@orama/stemmers/french"),
  greek: (): Promise<StemmerModule> => import("@orama/stemmers/greek"),
  hungarian: (): Promise<StemmerModule> => import("@orama/stemmers/hungarian"),
  italian: (): Promise<StemmerModule> => import("@orama/stemmers/italian"),
  norwegian: (): Promise<StemmerModule> => import("@orama/stemmers/norwegian"),
  portuguese: (): Promise<StemmerModule> => import("@orama/stemmers/portuguese"),
  romanian: (): Promise<StemmerModule> => import("@orama/stemmers/romanian"),
  russian: (): Promise<StemmerModule> => import("@orama/stemmers/russian"),
  swedish: (): Promise<StemmerModule> => import("@orama/stemmers/swedish"),
  turkish: (): Promise<StemmerModule> => import("@orama/stemmers/turkish"),
};

/** The stemmer of a language: a pure function of a word in lower case. */
export async function loadStemmer(language: keyof typeof MODULES): Promise<(word: string) => string> {
  return (await MODULES[language]()).stemmer;
}
