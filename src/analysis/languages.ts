// The languages that texts can be in. The rules of a language are loaded when they are first asked for, so that others cost nothing.

import { type Task, waitFor } from "../util/tasks.js";
import { type LanguageCustoms, type LanguageRules, wordsOf } from "./language-rules.js";
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
  tr: async () => (await import("./languages/by-stems.js")).rulesByStems("turkish"),
  el: async () => (await import("./languages/by-stems.js")).rulesByStems("greek"),
  ar: async () => (await import("./languages/arabic.js")).arabicRules(),
  hu: async () => (await import("./languages/by-stems.js")).rulesByStems("hungarian"),
  ro: async () => (await import("./languages/by-stems.js")).rulesByStems("romanian"),
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

const loading = new Map<string, Promise<LanguageRules>>();

/** The rules of a known language; null: it has none. English has its own elsewhere. */
export async function loadLanguageRules(language: string): Promise<LanguageRules | null> {
  if (!Object.hasOwn(LOADERS, language)) return null;
  let rules = loading.get(language);
  if (rules === undefined) {
    rules = LOADERS[language]!();
    loading.set(language, rules);
    // What failed is tried again.
    rules.catch(() => loading.delete(language));
  }
  return rules;
}

/** By language that is loaded; where there are no rules, words as they are. */
const words = new Map<string, WordForms>([
  ["en", ENGLISH_WORDS],
  ...WITHOUT_RULES.map((language) => [language, { ...PLAIN_WORDS, language }] as const),
]);

/** Loads a known language. Waits only for one that was not loaded before. */
export function* loadLanguage(language: string): Task<WordForms> {
  if (!words.has(language)) {
    const rules = yield* waitFor(loadLanguageRules(language));
    // Another task may have been faster, and what is read by equal words must be read by the same object.
    if (!words.has(language)) words.set(language, wordFormsOf(rules!));
  }
  return words.get(language)!;
}

/** The words of a language that is loaded. */
export function loadedLanguage(language: string): WordForms {
  const known = words.get(language);
  if (known === undefined) throw new Error(`The language ${language} is not loaded.`);
  return known;
}

/** What the language of an index says beside the analysis of texts: nothing where another analyzer, named by its id, reads them. */
export function customsOf(settings: { readonly language: string | null; readonly analyzer: string }): LanguageCustoms {
  const known = words.get(canonicalLanguage(settings.language ?? "en") ?? "en");
  return known?.id === settings.analyzer ? known.customs : {};
}
