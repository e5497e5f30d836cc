/** The analyzer `"plain"`: words as they are, no stop words. */
export const PLAIN_WORDS = { id: "plain-1", stem: (word) => word, isStopWord: () => false };
