// Arabic, by stems alone. Those of Snowball are light forms too. Vowel signs, hamzas and the stroke that lengthens words are marks, which
// normal forms lack in any language. Final ة and ى are often written without their points and with them; the stemmer wants ة.

import { type LanguageRules, loadStemmer } from "../language-rules.js";

/** Other letters, and digits, that people write for these. */
const LETTERS: Readonly<Record<string, string>> = { ة: "ه", ى: "ي", ی: "ي", ک: "ك", ٱ: "ا" };
const WRITTEN = /[ةىیکٱ\u0660-\u0669\u06f0-\u06f9]/g;
/** The last four bits of a digit are its number. */
const retouch = (normal: string): string =>
  normal.replace(WRITTEN, (letter) => LETTERS[letter] ?? String(letter.charCodeAt(0) & 15));

export async function arabicRules(): Promise<LanguageRules> {
  const snowball = await loadStemmer("arabic");
  // The plural in ات is that of words in ة.
  const stem = (word: string): string => snowball(word.replace(word.length > 4 ? /(?:ه|ات)$/ : /ه$/, "ة"));
  return {
    tag: "ar",
    id: "arabic-1",
    normalization: { retouch },
    stem,
    lightForm: stem,
    stopWords: `
      في من الي علي عن مع و او ثم بين عند حتي منذ قبل بعد تحت فوق كما ان لان لكن هذا هذه ذلك تلك هو هي هم هن انا انت نحن التي الذي
      الذين ما لا كل اي`,
  };
}
