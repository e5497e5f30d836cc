// The stemmers of Snowball. Only this file imports the package; each language is loaded when it is asked for.

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
