// What texts sort by: instants, numbers, and normal forms, with the letters of an alphabet at their places: "å" behind "z", "ñ" behind "n",
// "ch" behind "h".

import { instantOf } from "../util/instant.js";
import { wordsOf } from "./language-rules.js";
import { composed, normalizeText } from "./normalize-text.js";

/** What a text sorts by; undefined: it is as good as none. */
export type KeyOfText = (text: string) => number | string | undefined;

/** Of the private use area, so that it stands behind the letters of all alphabets, and no normal form changes it. */
const BEHIND = 0xf8f0;

/**
 * Puts letters to their places in an alphabet: a pure function of texts, whose results sort by code unit as the alphabet does. Each entry is
 * a letter, with a blank before each of those behind it; `/` is between letters that stand at one place: `"z å ä/æ"`.
 */
function alphabetOf(entries: readonly string[]): (text: string) => string {
  const places = new Map<string, string>();
  for (const entry of entries) {
    const [before, ...behind] = wordsOf(entry);
    for (const [i, letters] of behind.entries())
      for (const letter of letters.split("/")) places.set(letter, before + String.fromCharCode(BEHIND + i));
  }
  const moved = new RegExp([...places.keys()].join("|"), "giu");
  return (text) => composed(text).replace(moved, (letter) => places.get(letter.toLowerCase()) ?? letter);
}

/** Longer texts are no numbers. Shorter ones are finite. */
const LONGEST_NUMBER = 64;
/** 1200, 19.5, .5 and 9,99. */
const PLAIN = /^[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)$/;
/** 1,200 and 1,200.50: three digits after each comma, and no zero in front. */
const GROUPED_BY_COMMA = /^[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?$/;
/** 1.299,00, and 1.299.000. A single point is a decimal point. */
const GROUPED_BY_POINT = /^[+-]?[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})$/;

/**
 * What a text sorts by: its instant if it is a date, its number if it reads as one, else its normal form, so that texts sort as in a
 * dictionary; undefined for a blank text, which is as good as none. An instant is a number of milliseconds, so that dates and numbers
 * beside each other have one order. The normal form needs no locale data, so the order is the same on every machine.
 */
export function sortKeyOfText(text: string): number | string | undefined {
  return keyByAlphabet(text, text);
}

/** What texts sort by in a language: {@link sortKeyOfText}, with letters where its alphabet has them. */
export function sortKeysIn(alphabet: readonly string[] | undefined): KeyOfText {
  if (alphabet === undefined) return sortKeyOfText;
  const placed = alphabetOf(alphabet);
  return (text) => keyByAlphabet(text, placed(text));
}

/** `placed`: the text with its letters at their places in the alphabet. */
function keyByAlphabet(text: string, placed: string): number | string | undefined {
  const instant = instantOf(text);
  if (instant !== undefined) return instant;
  const normal = normalizeText(placed).trim();
  if (normal === "") return undefined;
  return numberOf(normal) ?? normal;
}

/** The number that a normalised text is written as. */
function numberOf(normal: string): number | undefined {
  if (normal.length > LONGEST_NUMBER) return undefined;
  if (GROUPED_BY_COMMA.test(normal)) return Number(normal.replaceAll(",", ""));
  if (GROUPED_BY_POINT.test(normal)) return Number(normal.replaceAll(".", "").replace(",", "."));
  return PLAIN.test(normal) ? Number(normal.replace(",", ".")) : undefined;
}
