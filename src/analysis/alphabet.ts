// The order of letters in a language whose alphabet has letters of their own: "å" behind "z", "ñ" behind "n", "ch" behind "h".

import { wordsOf } from "./language-rules.js";
import { composed } from "./normalize-text.js";

/** Of the private use area, so that it stands behind the letters of all alphabets, and no normal form changes it. */
const BEHIND = 0xf8f0;

/**
 * Puts letters to their places in an alphabet: a pure function of texts, whose results sort by code unit as the alphabet does. Each entry is
 * a letter, with a blank before each of those behind it; `/` is between letters that stand at one place: `"z å ä/æ"`.
 */
export function alphabetOf(entries: readonly string[]): (text: string) => string {
  const places = new Map<string, string>();
  for (const entry of entries) {
    const [before, ...behind] = wordsOf(entry);
    for (const [i, letters] of behind.entries())
      for (const letter of letters.split("/")) places.set(letter, before + String.fromCharCode(BEHIND + i));
  }
  const moved = new RegExp([...places.keys()].join("|"), "giu");
  return (text) => composed(text).replace(moved, (letter) => places.get(letter.toLowerCase()) ?? letter);
}
