// The languages that texts can be in. The rules of a language are loaded when they are first asked for, so that others cost nothing.

import { type LanguageRules, wordsOf } from "./language-rules.js";
import { ENGLISH_WORDS, PLAIN_WORDS, type WordForms, wordFormsOf } from "./word-forms.js";

const LOADERS: Readonly<Record<string, () => Promise<LanguageRules>>> = {
  de: async () => (await import("./languages/german.js")).germanRules(),
  nl: async () => (await import("./languages/dutch.js")).dutchRules(),
  sv: async () => (await import("./languages/swedish.js")).swedishRules(),
  da: async () => (await import("./languages/danish.js")).danishRules(),
  nb: async () => (await import("./languages/norwegian.js")).norwegianRules(),
  fi: async () => (await import("./languages/finnish.js")).finnishRules(),
  fr: async () => (await import("./languages/french.js")).frenchRules(),
  es: async () => (await import("./languages/spanish.js")).spanishRules(),
  it: async () => (await import("./languages/italian.js")).italianRules(),
  pl: async () => (await import("./languages/polish.js")).polishRules(),
  cs: async () => (await import("./languages/czech.js")).czechRules(),
  pt: async () => (await import("./languages/portuguese.js")).portugueseRules(),
  ru: async () => (await import("./languages/russian.js")).russianRules(),
  ja: async () => (await import("./languages/japanese.js")).japaneseRules(),
  tr: async () => (await import("./languages/turkish.js")).turkishRules(),
  el: async () => (await import("./languages/greek.js")).greekRules(),
  ar: async () => (await import("./languages/arabic.js")).arabicRules(),
  hu: async () => (await import("./languages/hungarian.js")).hungarianRules(),
  ro: async () => (await import("./languages/romanian.js")).romanianRules(),
};

/** Languages whose words are taken as they are. */
const WITHOUT_RULES = wordsOf(`
  af az be bg bn bs ca cy et eu fa fil ga gl gu he hi hr hy id is ka kk km kn ko lo lt lv mk ml mn mr ms mt my ne pa sk sl sq sr
  sw ta te th uk ur uz vi zh`);

/** The tags of all known languages; English is one of them, and has rules of its own. */
export const KNOWN_LANGUAGES: readonly string[] = ["en", ...Object.keys(LOADERS), ...WITHOUT_RULES].sort();

const KNOWN: ReadonlySet<string> = new Set(KNOWN_LANGUAGES);
/** Other tags of languages that are known. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({ no: "nb", nn: "nb", iw: "he", in: "id", tl: "fil", cmn: "zh", yue: "zh" }),
);

/** The tag of the known language that a tag of BCP 47 names: "de" for "de-AT", "nb" for "no"; undefined: there is none. */
export function canonicalLanguage(tag: string): string | undefined {
  const [, language] = /^([a-z]{2,3})(?:-[a-z0-9]{1,8})*$/.exec(tag.toLowerCase().replaceAll("_", "-")) ?? [];
  if (language === undefined) return undefined;
  const own = ALIASES.get(language) ?? language;
  return KNOWN.has(own) ? own : undefined;
}

const loading = new Map<string, Promise<LanguageRules | null>>();
const loaded = new Map<string, LanguageRules>();

/** The rules of a known language; null: it has none. English has its own elsewhere. */
export function loadLanguageRules(language: string): Promise<LanguageRules | null> {
  let rules = loading.get(language);
  if (rules === undefined) {
    rules = load(language);
    loading.set(language, rules);
    // What failed is tried again.
    rules.catch(() => loading.delete(language));
  }
  return rules;
}

async function load(language: string): Promise<LanguageRules | null> {
  const loader = Object.hasOwn(LOADERS, language) ? LOADERS[language] : undefined;
  if (loader === undefined) return null;
  const rules = await loader();
  loaded.set(language, rules);
  return rules;
}

/** The rules of a language, where they have been loaded. */
export function languageRules(language: string): LanguageRules | undefined {
  return loaded.get(language);
}

const wordForms = new Map<string, WordForms>([["en", ENGLISH_WORDS]]);

/** The words of a known language whose rules have been loaded; of one without rules, words as they are. */
export function languageWords(language: string): WordForms {
  let forms = wordForms.get(language);
  if (forms === undefined) {
    const rules = loaded.get(language);
    forms = rules === undefined ? { ...PLAIN_WORDS, language } : wordFormsOf(rules);
    wordForms.set(language, forms);
  }
  return forms;
}

/** Whether nothing has to be loaded for {@link languageWords}. */
export function isLoaded(language: string): boolean {
  return language === "en" || loaded.has(language) || !hasRules(language);
}

/** Whether a known language has rules. */
export function hasRules(language: string): boolean {
  return language === "en" || Object.hasOwn(LOADERS, language);
}
