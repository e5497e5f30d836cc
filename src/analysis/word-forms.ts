/** What a language knows about single words: the part of text analysis that differs between analyzers. */
export interface WordForms {
  readonly id: string;
  /** The form under which a word is indexed; a pure function of a normalised word. */
  stem(word: string): string;
  /** True for words that count only when a query holds no other. */
  isStopWord(word: string): boolean;
}

/** The analyzer `"plain"`: words as they are, no stop words. */
export const PLAIN_WORDS: WordForms = { id: "plain-1", stem: (word) => word, isStopWord: () => false };
