// Normalisation: well-formed, NFKC, lower case, no diacritics, one kind of hyphen and apostrophe. Records and queries are normalised
// by the same function. Linear in the length; plain ASCII is only lower-cased.

import type { Task } from "../util/tasks.js";

/** Trade signs become blanks before NFKC, which would turn them into letters ("Core™" must not become "coretm"). */
const TRADE_SIGNS = /[\u2122\u2120\u00ae\u00a9]/g;
/** Signs for fractions, before which a blank may be missing: "1½" is one and a half. */
const FRACTIONS = /[\u00bc-\u00be\u2150-\u215f\u2189]/g;
const FRACTION_SLASH = /\u2044/g;
const HYPHENS = /[\u2010-\u2015\u2212\u30fb\uff0d\u05be]/g;
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4]/g;
/** Format characters (zero-width, soft hyphen, bidirectional marks) and control characters other than white space. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\u0000-\u0008\u000e-\u001f\u007f]/gu;
/** More than 16 marks on one character, which no script writes. Unicode normalisation takes quadratic time for long runs of marks. */
const PILED_MARKS = /(\p{M}{16})\p{M}+/gu;
/** Accents; the points of Hebrew; the vowel signs of Arabic, its hamza above or below a letter, and the stroke that lengthens words. */
const DIACRITICS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;
/** All of these but the breve of \u0439, which is a letter of its own in Russian. Global. */
export const MARKS_BUT_SHORT_I: RegExp = new RegExp(`(?<!\u0438)${DIACRITICS.source}`, "g");
const NOT_ASCII = /[^\t\n\v\f\r\x20-\x7e]/;

/** Letters that Unicode does not decompose, but that people type without their strokes. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ß: "ss", æ: "ae", œ: "oe", ð: "d", þ: "th", ı: "i", ς: "σ" }),
  ...pairs("øłđħŧƀǥɨɉƶɍɇɏⱥȼⱦʉɫᵽ", "oldhtbgijzreyactulp"),
]);
const TO_FOLD = new RegExp(`[${[...FOLDED.keys()].join("")}]`, "g");

/** Characters other than ASCII and the common ones whose normal form does not depend on their neighbours. */
const NOT_ALONE = /[^\t\n\v\f\r\x20-\x7e\u00a0-\u00ff\u2010-\u2027\u2030-\u203a\u20ac\u2122]/;
const ALONE = /[\u00a0-\u20ac\u2122]/g;
/** A cache: the normal forms of these characters. */
const forms = new Map<string, string>();

/** What a language does besides. */
export interface Normalization {
  /** The marks that are dropped from their letters; by default all accents. Global. */
  readonly marks?: RegExp | undefined;
  /** Letters that people also write in two, in either way, besides "ue" for "ü": "aa" for "å". */
  readonly digraphs?: Readonly<Record<string, string>> | undefined;
  /** Changes letters of a normal form, one for one. */
  retouch?(normal: string): string;
}

/** The normal form of a text. */
export function normalizeText(text: string, { marks, retouch }: Normalization = COMMON): string {
  if (retouch !== undefined) return retouch(normalizeText(text, { marks }));
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  if (marks !== undefined) return normalForm(text, marks);
  return NOT_ALONE.test(text) ? normalForm(text) : text.toLowerCase().replace(ALONE, formOf);
}

const COMMON: Normalization = {};

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };
const MAY_HAVE_UMLAUT = /[äöüÄÖÜåøÅØ]|\u0308|\u030a/;
const MARKED_LETTER = /[äöüåø]/gi;

/** The normal form of a text with its umlauts in two letters, "ue" for "ü"; undefined: it has none. */
export function normalFormOfUmlauts(text: string, by: Normalization = COMMON): string | undefined {
  if (!MAY_HAVE_UMLAUT.test(text)) return undefined;
  const written = composed(text);
  const digraphs = { ...UMLAUTS, ...by.digraphs };
  const spelled = written.replace(MARKED_LETTER, (letter) => digraphs[letter.toLowerCase()] ?? letter);
  return spelled === written ? undefined : normalizeText(spelled, by);
}

/** A text whose letters have their marks in them. */
export function composed(text: string): string {
  return text.toWellFormed().replace(PILED_MARKS, "$1").normalize("NFC");
}

function formOf(character: string): string {
  let form = forms.get(character);
  if (form === undefined) {
    form = normalForm(character);
    forms.set(character, form);
  }
  return form;
}

function normalForm(text: string, marks = DIACRITICS): string {
  return text
    .toWellFormed()
    .replace(PILED_MARKS, "$1")
    .replace(TRADE_SIGNS, " ")
    .replace(APOSTROPHES, "'") // before NFKC, which turns a lone acute accent into a blank
    .replace(FRACTIONS, " $&")
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(marks, "")
    .normalize("NFC")
    .replace(TO_FOLD, (letter) => FOLDED.get(letter)!)
    .replace(HYPHENS, "-")
    .replace(FRACTION_SLASH, "/")
    .replace(APOSTROPHES, "'");
}

/** Each letter of one text with that at the same place in the other. */
function pairs(from: string, to: string): [string, string][] {
  return [...from].map((letter, i) => [letter, to[i]!]);
}

/** True if a text has no visible character. */
export function isBlank(text: string): boolean {
  return text.trim() === "" || text.replace(INVISIBLE, "").trim() === "";
}

/** A normalised text. Its code unit `i` came from the code units `starts[i]` … `ends[i]` - 1 of the given text. */
export interface NormalText {
  readonly normal: string;
  /** Ascending, like `ends`. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Characters that join the one before them: marks, format characters, Hangul vowels and finals, half-width voicing marks. */
const JOINS = /[\p{M}\p{Cf}\u1160-\u11ff\u3131-\u3163\uff9e\uff9f\uffa1-\uffdc]/u;

/** Clusters between two pauses. */
const PAUSE_EVERY = 1024;

/**
 * The first `most` code units of {@link normalizeText}, with the origin of each, so that matches can be shown in the original text. Each
 * cluster (a character with all that joins it) is normalised separately and kept whole, so no range cuts a cluster, and there may be a
 * few more code units than `most`. O(length).
 */
export function* normalizeWithOffsets(
  text: string,
  most: number = Number.POSITIVE_INFINITY,
  { marks, retouch }: Normalization = COMMON,
): Task<NormalText> {
  if (retouch !== undefined) {
    const origin = yield* normalizeWithOffsets(text, most, { marks });
    return { ...origin, normal: retouch(origin.normal) };
  }
  if (!NOT_ASCII.test(text)) return unmoved(text.slice(0, most).toLowerCase());
  const forms: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let start = 0, read = 1; start < text.length && starts.length < most; read++) {
    if (read % PAUSE_EVERY === 0) yield;
    const end = clusterEnd(text, start);
    const form = normalizeText(text.slice(start, end), { marks });
    forms.push(form);
    for (let i = 0; i < form.length; i++) {
      starts.push(start);
      ends.push(end);
    }
    start = end;
  }
  return { normal: forms.join(""), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

function unmoved(normal: string): NormalText {
  const starts = new Uint32Array(normal.length);
  const ends = new Uint32Array(normal.length);
  for (let i = 0; i < normal.length; i++) {
    starts[i] = i;
    ends[i] = i + 1;
  }
  return { normal, starts, ends };
}

function clusterEnd(text: string, start: number): number {
  let end = start + characterLength(text, start);
  while (end < text.length && text.charCodeAt(end) > 0x7e) {
    const length = characterLength(text, end);
    if (!JOINS.test(text.slice(end, end + length))) break;
    end += length;
  }
  return end;
}

function characterLength(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}
