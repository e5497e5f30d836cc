// What a typed text finds among the values of a facet: the value that equals it, values that begin with it, and values in which a
// later word does. Case, accents and signs do not matter: both sides are compared as spellings, which have no signs. All is linear in
// the value, however repetitive it is.

import { normalFormOfUmlauts, normalizeText } from "../../analysis/normalize-text.js";
import {
  CLASSES,
  CONNECTOR,
  classAt,
  DIGIT,
  digitsAfter,
  LETTER,
  SEPARATOR,
  UNSPACED,
} from "../../analysis/scan-tokens.js";
import type { ValueRank } from "../../docvalues/value-counts.js";
import { ones } from "../../util/doc-set.js";

const EQUAL = 0;
const BEGINS = 1;
const LATER_WORD = 2;
const NOT_FOUND = -1;

/** A typing error is forgiven in words of this length or more, and in texts up to the other. */
const SHORTEST_MENDED = 4;
const LONGEST_MENDED = 64;

/**
 * The rankings of values for a typed text: 0 for values that equal it, 1 for those that begin with it, 2 for those in which a later
 * word does, -1 for all others. The second one, if `mends`, forgives a typing error. None for a blank text, which all values fit.
 */
export function rankingsFor(typed: string, mends: boolean): readonly ValueRank[] {
  const normal = normalizeText(typed).trim();
  if (normal === "") return [];
  const spelled = normalFormOfUmlauts(typed)?.trim();
  const wanted = [...wantedSpellings(normal), ...(spelled === undefined ? [] : wantedSpellings(spelled))];
  if (wanted.length === 0) return [rawRanking(normal)];
  const exact = wanted.map((one) => ({ ...one, find: exactly(one.spelling.text) }));
  const mended = wanted.flatMap((one) => {
    const find = mends ? withOneError(one.spelling) : undefined;
    return find === undefined ? [] : [{ ...one, find }];
  });
  return mended.length === 0 ? [ranking(exact, 0)] : [ranking(exact, 0), ranking(mended, 1)];
}

/** The words of a normalised text without what is between them. */
interface Spelling {
  readonly text: string;
  /** Where its words begin, ascending. */
  readonly starts: readonly number[];
}

/**
 * Three ways to spell a text. `plain` has no signs but + and # directly behind a letter or digit: "black decker" and "c#". `and` has
 * also & for the word "and". `bare` has no + and # either.
 */
type Way = "plain" | "and" | "bare";

interface Wanted {
  /** The ways in which values are spelled to be compared. */
  readonly ways: readonly Way[];
  readonly spelling: Spelling;
}

/** Where a text is found in a spelling of a value, as the range from … to - 1. */
type Find = (value: Spelling) => { readonly from: number; readonly to: number } | undefined;

/** Ranks values by where they hold one of the wanted spellings; `missing` is how many of its letters they may lack. */
function ranking(wanted: readonly (Wanted & { readonly find: Find })[], missing: number): ValueRank {
  const letters = wanted.map(({ spelling }) => lettersOf(spelling.text));
  const rankOf = (normal: string): number => {
    const held = charactersOf(normal);
    // One error takes one letter, and none that occurs twice.
    const isLacking = ({ all, repeated }: Letters): boolean => ones(all & ~held) > missing || (repeated & ~held) !== 0;
    if (letters.every(isLacking)) return NOT_FOUND;
    const spellings: Partial<Record<Way, Spelling>> = {};
    let best = NOT_FOUND;
    for (const { ways, find } of wanted)
      for (const way of ways) {
        if (way !== "plain" && !(way === "and" ? HAS_AND : HAS_SIGN).test(normal)) continue;
        const spelling = spellings[way] ?? spell(normal, way);
        spellings[way] = spelling;
        const found = find(spelling);
        if (found === undefined) continue;
        // "C" begins "C#" but does not equal it.
        const isWhole = found.to === spelling.text.length && way !== "bare";
        const rank = found.from > 0 ? LATER_WORD : isWhole ? EQUAL : BEGINS;
        if (best === NOT_FOUND || rank < best) best = rank;
      }
    return best;
  };
  return (value) => {
    const text = String(value);
    const best = rankOf(normalizeText(text));
    const spelled = best === EQUAL ? undefined : normalFormOfUmlauts(text);
    const other = spelled === undefined ? NOT_FOUND : rankOf(spelled);
    return best === NOT_FOUND || (other !== NOT_FOUND && other < best) ? other : best;
  };
}

/** For a text of signs alone, which has no spelling. */
function rawRanking(normal: string): ValueRank {
  const find = occurrences(normal);
  return (value) => {
    const text = normalizeText(String(value)).trim();
    const at = find(text, () => true);
    if (at < 0) return NOT_FOUND;
    return at > 0 ? LATER_WORD : text.length === normal.length ? EQUAL : BEGINS;
  };
}

const HAS_AND = /&|\band\b/;
const HAS_SIGN = /[+#]/;
/** What may be going to be an "and". */
const UNFINISHED_AND = /(?<![\p{L}\p{N}])(?:an?|and)$/u;

/** The spellings of a typed text; none if it has no letter or digit and no "&". */
function wantedSpellings(normal: string): Wanted[] {
  const wanted: Wanted[] = [];
  const plain = spell(normal, "plain");
  // A "&" at the end is meant to be found.
  if (plain.text !== "" && !normal.endsWith("&")) wanted.push({ ways: ["plain", "bare"], spelling: plain });
  const before = normal.replace(UNFINISHED_AND, "");
  const isUnfinished = before.length < normal.length && spell(before, "plain").text !== "";
  const spelling = spell(isUnfinished ? `${before}&` : normal, "and");
  if (spelling.text.includes("&")) wanted.push({ ways: ["and"], spelling });
  return wanted;
}

/** Spells a normalised text. Decimal points stay, and so do gaps between two digits, as blanks: 42.5 and 10-20 are not 425 and 1020. */
function spell(normal: string, way: Way): Spelling {
  const starts: number[] = [];
  let text = "";
  /** Where the part begins that is to be copied next, or -1 in a gap between words. */
  let from = -1;
  let last = SEPARATOR;
  const copyTo = (end: number): void => {
    if (from >= 0) text += normal.slice(from, end);
    from = -1;
  };
  for (let at = 0; at < normal.length; at++) {
    const unit = normal.charCodeAt(at);
    const kind = CLASSES[unit]! || classAt(normal, at);
    const isWord = kind === LETTER || kind === DIGIT || kind === UNSPACED;
    if (way === "and" && (unit === AMPERSAND || (isWord && from < 0 && text !== "" && isAnd(normal, at)))) {
      copyTo(at);
      starts.push(text.length);
      text += "&";
      last = CONNECTOR;
      if (isWord) at += AND.length - 1;
    } else if (isWord) {
      if (from < 0) {
        if (kind === DIGIT && last === DIGIT) text += " ";
        starts.push(text.length);
        from = at;
      } else if ((kind === UNSPACED || last === UNSPACED) && !(unit >= 0xdc00 && unit < 0xe000))
        // Not within a surrogate pair.
        starts.push(text.length + at - from);
      last = kind;
    } else if (from >= 0 && way !== "bare" && (unit === PLUS || unit === HASH)) last = CONNECTOR;
    else if (from >= 0 && last === DIGIT && isInNumber(normal, at)) {
      copyTo(at);
      if (unit === POINT || digitsAfter(normal, at) !== 3) text += ".";
      from = at + 1;
    } else copyTo(at);
  }
  copyTo(normal.length);
  return { text, starts };
}

const HASH = 0x23;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const COMMA = 0x2c;
const POINT = 0x2e;
const AND = "and";

/** Whether the word "and" is at `at`, where a word begins. */
function isAnd(normal: string, at: number): boolean {
  if (!normal.startsWith(AND, at)) return false;
  const end = at + AND.length;
  if (end >= normal.length) return true;
  const unit = normal.charCodeAt(end);
  const kind = classAt(normal, end);
  return kind === CONNECTOR || (kind === SEPARATOR && unit !== PLUS && unit !== HASH);
}

/** Whether a point or comma stands between two digits. */
function isInNumber(normal: string, at: number): boolean {
  const unit = normal.charCodeAt(at);
  if (unit !== POINT && unit !== COMMA) return false;
  return at > 0 && at + 1 < normal.length && classAt(normal, at - 1) === DIGIT && classAt(normal, at + 1) === DIGIT;
}

/** The letters and digits of a text as bits, of which several share one; and those that occur more than once. */
interface Letters {
  readonly all: number;
  readonly repeated: number;
}

function lettersOf(text: string): Letters {
  let all = 0;
  let repeated = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = classAt(text, at);
    if (kind !== LETTER && kind !== DIGIT) continue;
    const bit = 1 << (text.charCodeAt(at) & 31);
    repeated |= all & bit;
    all |= bit;
  }
  return { all, repeated };
}

/** The bits of all characters of a text. */
function charactersOf(text: string): number {
  let characters = 0;
  for (let at = 0; at < text.length; at++) characters |= 1 << (text.charCodeAt(at) & 31);
  return characters;
}

/** Up to this length, comparing a text at each beginning of a word is linear too, and faster. */
const SHORT = 32;

/** Finds a text where a word begins. */
function exactly(wanted: string): Find {
  if (wanted.length <= SHORT)
    return ({ text, starts }) => {
      for (const from of starts) if (text.startsWith(wanted, from)) return { from, to: from + wanted.length };
      return undefined;
    };
  const find = occurrences(wanted);
  return ({ text, starts }) => {
    let next = 0;
    const from = find(text, (at) => {
      while (next < starts.length && starts[next]! < at) next++;
      return starts[next] === at;
    });
    return from < 0 ? undefined : { from, to: from + wanted.length };
  };
}

/**
 * The first place of `wanted` in a text that `accept` takes, or -1; places are offered in ascending order. Knuth, Morris, Pratt, "Fast
 * pattern matching in strings", 1977.
 */
function occurrences(wanted: string): (text: string, accept: (at: number) => boolean) => number {
  // For each length of a matched part, the longest shorter part that ends it and begins the wanted text.
  const borders = new Int32Array(wanted.length + 1);
  for (let i = 1, length = 0; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = borders[length]!;
    if (wanted[i] === wanted[length]) length++;
    borders[i + 1] = length;
  }
  return (text, accept) => {
    for (let i = 0, length = 0; i < text.length; i++) {
      while (length > 0 && text[i] !== wanted[length]) length = borders[length]!;
      if (text[i] === wanted[length]) length++;
      if (length < wanted.length) continue;
      const at = i + 1 - length;
      if (accept(at)) return at;
      length = borders[length]!;
    }
    return -1;
  };
}

/**
 * Finds a text with one typing error where a word begins: a letter is wrong, left out or too many, or two are swapped (Damerau), in a
 * word of at least four letters. Digits are never changed, because another number is no typing error. undefined: no error can be forgiven.
 */
function withOneError({ text: wanted, starts: words }: Spelling): Find | undefined {
  if (wanted.length > LONGEST_MENDED) return undefined;
  const isLong = Array.from({ length: wanted.length }, () => false);
  for (const [i, start] of words.entries()) {
    const end = words[i + 1] ?? wanted.length;
    if (end - start >= SHORTEST_MENDED) isLong.fill(true, start, end);
  }
  if (!isLong.includes(true)) return undefined;
  const isTyped = (at: number): boolean => isLong[at] === true && classAt(wanted, at) === LETTER;
  return ({ text, starts }) => {
    const isLetter = (at: number): boolean => at < text.length && classAt(text, at) === LETTER;
    for (const from of starts) {
      let same = 0;
      while (same < wanted.length && wanted.charCodeAt(same) === text.charCodeAt(from + same)) same++;
      const at = from + same;
      /** The rest of the wanted text from `next` on stands in the text at `place`. Most differ in the first letter already. */
      const goesOn = (next: number, place: number): boolean => {
        let i = next;
        while (i < wanted.length && wanted.charCodeAt(i) === text.charCodeAt(place + i - next)) i++;
        return i >= wanted.length;
      };
      const ends: number[] = [];
      if (isTyped(same) && isLetter(at) && goesOn(same + 1, at + 1)) ends.push(from + wanted.length);
      if (isTyped(same) && goesOn(same + 1, at)) ends.push(from + wanted.length - 1);
      if ((isTyped(same) || isTyped(same - 1)) && isLetter(at) && goesOn(same, at + 1))
        ends.push(from + wanted.length + 1);
      const isSwapped = wanted[same] === text[at + 1] && wanted[same + 1] === text[at];
      if (isSwapped && isTyped(same) && isTyped(same + 1) && goesOn(same + 2, at + 2)) ends.push(from + wanted.length);
      if (ends.length > 0) return { from, to: ends.includes(text.length) ? text.length : ends[0]! };
    }
    return undefined;
  };
}
