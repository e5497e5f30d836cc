import { bigrams } from "./bigrams.js";
import { codeForms } from "./code-forms.js";
import { cleanWord, compoundForms } from "./compound-forms.js";
import { normalizeText } from "./normalize-text.js";
import { scanTokens } from "./scan-tokens.js";
import type { WordForms } from "./word-forms.js";

/**
 * The words of a text in order, each as one index term: how a phrase is compared with a record. A compound is its parts, a
 * code its whole, a run without blanks its pairs.
 */
export function phraseTerms(text: string, words: WordForms): string[] {
  const normal = normalizeText(text);
  const terms: string[] = [];
  scanTokens(normal, (kind, start, end) => {
    const token = normal.slice(start, end);
    if (kind === "code") terms.push(codeForms(token).whole);
    else if (kind === "compound") terms.push(...compoundForms(token).parts.map((part) => words.stem(part)));
    else if (kind === "unspaced") {
      const { characters, pairs } = bigrams(token);
      terms.push(...(pairs.length > 0 ? pairs : characters));
    } else if (kind === "number") terms.push(token);
    else if (cleanWord(token) !== "") terms.push(words.stem(cleanWord(token)));
  });
  return terms;
}
