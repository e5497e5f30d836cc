// The words that a text which is being typed may end in, as a query of the cluster. Like the other queries, it takes texts of callers as
// values; in its regular expressions they are escaped.

import type { WantedRecords } from "../search/completions.js";
import { ALL, anyOf, type ClusterQuery, escaped } from "./match-query.js";

/** Tokens have no more letters; a pattern of them is well within what the cluster takes. */
const LONGEST_MENDED = 64;

/** A record with a word in which the text may end. */
export function goesOn({ beginnings, nearly, terms }: WantedRecords): ClusterQuery {
  if (beginnings.length === 0) return ALL;
  return anyOf([
    ...beginnings.flatMap((beginning) => ["words", "codes"].map((field) => ({ prefix: { [field]: beginning } }))),
    ...(nearly === "" ? [] : nearlyBegins(nearly)),
    ...(terms.length === 0 ? [] : [{ terms: { terms } }]),
  ]);
}

/** A word that begins with a text but for one error behind its first letter: see `wordsNearlyFrom`. */
function nearlyBegins(text: string): ClusterQuery[] {
  const letters = Array.from(text);
  if (letters.length > LONGEST_MENDED) return [];
  const part = (from: number, to?: number): string => escaped(letters.slice(from, to).join(""));
  return letters.slice(1).map((_letter, i) => {
    const at = i + 1;
    const swapped = at + 1 < letters.length ? `|${part(at + 1, at + 2)}${part(at, at + 1)}${part(at + 2)}` : "";
    // A letter is wrong or too much, or one is missing, or two are swapped.
    const value = `${part(0, at)}(.?${part(at + 1)}|.${part(at)}${swapped}).*`;
    return { regexp: { words: { value, flags: "NONE" } } };
  });
}
