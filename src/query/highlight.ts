// Highlights and snippets: what a query found in the texts of a record, as HTML between tags. Result names are Algolia's. The
// text is escaped, the tags are not.
//
// Texts are read with the scanner and the word forms of the index, and marks are positions in the original text. Marks never
// overlap and never separate a character from its combining marks.

import type { JsonRecord, JsonValue } from "../base/json.js";
import { cleanWord } from "../language/compound-forms.js";
import { type NormalText, normalizeWithOffsets } from "../language/normalize-with-offsets.js";
import { quantitiesIn } from "../language/quantities.js";
import { scanTokens, type TokenKind } from "../language/scan-tokens.js";
import { tokenTerms } from "../language/token-terms.js";
import type { WordForms } from "../language/word-forms.js";

/** One highlighted text. */
export interface HighlightResult {
  /** The whole text, `& < > " '` escaped, found words between the tags. */
  readonly value: string;
  /** How many of the query's terms the text holds: none, some, all. */
  readonly matchLevel: MatchLevel;
  /** True when every word of the text was found. */
  readonly fullyHighlighted: boolean;
  /** The terms of the query that were found, in the order of the text. */
  readonly matchedWords: readonly string[];
}

/** Highlights what the matcher finds in a text. */
export function highlightText(text: string, matcher: TermMatcher, tags: Tags): HighlightResult {
  const marking = markText(text, matcher);
  return {
    value: paintText(text, 0, text.length, marking.marks, tags),
    matchLevel: matchLevel(marking, matcher),
    fullyHighlighted: marking.isWhole,
    matchedWords: marking.keys,
  };
}

/** Results in the places of a record's texts. */
export type Shaped<T> = T | readonly Shaped<T>[] | { readonly [name: string]: Shaped<T> };

/** The results of a record, by attribute. */
export interface ShapedRecord<T> {
  readonly [name: string]: Shaped<T>;
}

/** Words of a snippet where `attributesToSnippet` names no number. */
const DEFAULT_WORDS = 10;

/**
 * Highlights the attributes at `paths`: names, dotted paths, `"*"` for all. A path to an object or array means all in it; an
 * attribute whose own name is the path wins.
 */
export function highlightRecord(
  record: JsonRecord,
  paths: readonly string[],
  matcher: TermMatcher,
  tags: Tags,
): ShapedRecord<HighlightResult> {
  const wanted = new Map(paths.map((path) => [path, true]));
  return shapeRecord(record, wanted, (text) => highlightText(text, matcher, tags));
}

/** Cuts snippets of the attributes at `paths`, each perhaps with a number of words (`"title:5"`); without one, of 10. */
export function snippetRecord(
  record: JsonRecord,
  paths: readonly string[],
  matcher: TermMatcher,
  options: Omit<SnippetOptions, "words">,
): ShapedRecord<SnippetResult> {
  const wanted = new Map(paths.map(readSnippetPath));
  return shapeRecord(record, wanted, (text, words) => snippetText(text, matcher, { ...options, words }));
}

function readSnippetPath(path: string): readonly [path: string, words: number] {
  const [, name, words] = /^(.*):([0-9]+)$/s.exec(path) ?? [];
  return name === undefined ? [path, DEFAULT_WORDS] : [name, Number(words)];
}

/** `wanted`: what to do at each path; paths inside an attribute go before the attribute, names before `"*"`. */
function shapeRecord<T, O>(
  record: JsonRecord,
  wanted: ReadonlyMap<string, O>,
  shapeText: (text: string, option: O) => T,
): ShapedRecord<T> {
  const shape = (value: JsonValue, option: O | undefined, inside: ReadonlyMap<string, O>): Shaped<T> | undefined => {
    if (typeof value === "string" || typeof value === "number")
      return option === undefined ? undefined : shapeText(String(value), option);
    if (Array.isArray(value)) {
      const items = value.map((item: JsonValue) => shape(item, option, inside));
      return items.some((item) => item !== undefined) ? items.map((item) => item ?? {}) : undefined;
    }
    return typeof value === "object" && value !== null ? shapeObject(value as JsonRecord, option, inside) : undefined;
  };
  const shapeObject = (
    object: JsonRecord,
    option: O | undefined,
    inside: ReadonlyMap<string, O>,
  ): ShapedRecord<T> | undefined => {
    const deeper = groupByName(object, inside);
    const all = inside.get("*") ?? option;
    const entries: [string, Shaped<T>][] = [];
    for (const [name, value] of Object.entries(object)) {
      const shaped = shape(value, inside.get(name) ?? all, deeper.get(name) ?? new Map());
      if (shaped !== undefined) entries.push([name, shaped]);
    }
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  return shapeObject(record, undefined, wanted) ?? {};
}

/** The paths that lead into the object's attributes, by the attribute's name. */
function groupByName<O>(object: JsonRecord, wanted: ReadonlyMap<string, O>): Map<string, Map<string, O>> {
  const groups = new Map<string, Map<string, O>>();
  for (const [path, option] of wanted) {
    const dot = path.indexOf(".");
    if (dot < 0 || Object.hasOwn(object, path)) continue;
    const name = path.slice(0, dot);
    const group = groups.get(name) ?? new Map<string, O>();
    groups.set(name, group.set(path.slice(dot + 1), option));
  }
  return groups;
}

/** How a snippet is cut and shown. */
export interface SnippetOptions extends Tags {
  /** Words shown at most, 1 or more. */
  readonly words: number;
  /** Stands directly where the text was cut; put in as it is. */
  readonly ellipsis: string;
}

/** One snippet. */
export interface SnippetResult {
  /** A part of the text, escaped, found words between the tags. */
  readonly value: string;
  /** How much of the query the whole text holds. */
  readonly matchLevel: MatchLevel;
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** The keys of the marks in it. */
  readonly keys: string[];
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Cuts the best part out of a text; a text of few words is shown whole. */
export function snippetText(text: string, matcher: TermMatcher, options: SnippetOptions): SnippetResult {
  const marking = markText(text, matcher);
  const words = wordsOf(text);
  const most = Math.max(1, options.words);
  addKeys(words, marking.marks);
  const first = words.length <= most ? 0 : bestWindow(words, most);
  const isCutBefore = first > 0;
  const isCutBehind = first + most < words.length;
  const start = isCutBefore ? words[first]!.start : 0;
  const end = isCutBehind ? words[first + most - 1]!.end : text.length;
  const value = paintText(text, start, end, marking.marks, options);
  return {
    value: (isCutBefore ? options.ellipsis : "") + value + (isCutBehind ? options.ellipsis : ""),
    matchLevel: matchLevel(marking, matcher),
  };
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(/\S+/g))
    if (LETTER_OR_DIGIT.test(run)) words.push({ start: index, end: index + run.length, keys: [] });
  return words;
}

/** Marks and words ascend, so both are walked once; a mark may lie in several words, a word hold several marks. */
function addKeys(words: readonly Word[], marks: readonly Mark[]): void {
  let at = 0;
  for (const { start, end, keys } of marks) {
    while (at < words.length && words[at]!.end <= start) at++;
    for (let i = at; i < words.length && words[i]!.start < end; i++) words[i]!.keys.push(...keys);
  }
}

/** The first word of the best window of `size` words. O(words). */
function bestWindow(words: readonly Word[], size: number): number {
  const counts = new Map<string, number>();
  const behind = nextFound(words);
  let found = 0;
  let last = -1;
  let best = { start: 0, terms: 0, found: 0, lean: 0 };
  for (let end = 0; end < words.length; end++) {
    const entering = words[end]!.keys;
    for (const key of entering) counts.set(key, (counts.get(key) ?? 0) + 1);
    if (entering.length > 0) {
      found++;
      last = end;
    }
    const start = end - size + 1;
    if (start < 0) continue;
    const lean = found === 0 ? 0 : Math.abs(behind[start]! - start - (end - last));
    const window = { start, terms: counts.size, found, lean };
    if (isBetter(window, best)) best = window;
    const leaving = words[start]!.keys;
    if (leaving.length > 0) found--;
    for (const key of leaving) {
      const left = counts.get(key)! - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    }
  }
  return best.start;
}

type Window = Readonly<Record<"terms" | "found" | "lean", number>>;

function isBetter(a: Window, b: Window): boolean {
  if (a.terms !== b.terms) return a.terms > b.terms;
  return a.found !== b.found ? a.found > b.found : a.lean < b.lean;
}

/** For each word, the first found one from it on. */
function nextFound(words: readonly Word[]): Int32Array {
  const next = new Int32Array(words.length);
  for (let i = words.length - 1, found = words.length; i >= 0; i--) {
    if (words[i]!.keys.length > 0) found = i;
    next[i] = found;
  }
  return next;
}

/** What a query looks for, as highlighting needs it. */
export interface TermMatcher {
  /** The word forms of the index. */
  readonly words: WordForms;
  /** How many terms the query has. */
  readonly keys: number;
  /** The keys of the query's terms that a token with these index terms, or one of them, answers. */
  matchTerms(indexTerms: readonly string[]): readonly string[];
}

/** A found part of a text: code units, end exclusive, and the keys of the terms it answers. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly string[];
}

/** All that was found in a text. */
export interface Marking {
  /** In reading order. */
  readonly marks: readonly Mark[];
  /** The keys of the terms that were found, each once, in the order of the text. */
  readonly keys: readonly string[];
  /** True when every word of the text is marked. */
  readonly isWhole: boolean;
}

/** How much of the query a text holds. */
export type MatchLevel = "none" | "partial" | "full";

/** What stands before and behind each mark; put in as it is. */
export interface Tags {
  readonly preTag: string;
  readonly postTag: string;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** What is gathered in places of the normal form. */
interface Found {
  readonly marks: Mark[];
  /** Words, parts of compounds, runs: what is marked when all is. */
  readonly pieces: Range[];
}

/** Finds what the matcher looks for. */
export function markText(text: string, matcher: TermMatcher): Marking {
  const origin = normalizeWithOffsets(text);
  const { normal } = origin;
  const found: Found = { marks: [], pieces: [] };
  for (const { start, end, term } of quantitiesIn(normal)) addMark(found.marks, start, end, matcher.matchTerms([term]));
  scanTokens(normal, (kind, start, end) => markToken(kind, normal.slice(start, end), start, matcher, found));
  const marks = mergeMarks(found.marks.map((mark) => ({ ...inOrigin(mark, origin), keys: mark.keys })));
  const pieces = found.pieces.map((piece) => inOrigin(piece, origin));
  return { marks, keys: [...new Set(marks.flatMap(({ keys }) => keys))], isWhole: coversAll(marks, pieces) };
}

/** How much of the query was found. */
export function matchLevel({ keys }: Marking, matcher: TermMatcher): MatchLevel {
  if (keys.length === 0) return "none";
  return keys.length >= matcher.keys ? "full" : "partial";
}

/** A part of a text as HTML, its marks between tags; a mark that reaches beyond is cut. */
export function paintText(text: string, start: number, end: number, marks: readonly Mark[], tags: Tags): string {
  let html = "";
  let at = start;
  for (const mark of marks) {
    const from = Math.max(mark.start, start);
    const to = Math.min(mark.end, end);
    if (from >= to) continue;
    html += escapeHtml(text.slice(at, from)) + tags.preTag + escapeHtml(text.slice(from, to)) + tags.postTag;
    at = to;
  }
  return html + escapeHtml(text.slice(at, end));
}

function markToken(kind: TokenKind, token: string, start: number, matcher: TermMatcher, found: Found): void {
  if (kind === "compound") {
    markCompound(token, start, matcher, found);
    return;
  }
  const end = start + token.length;
  found.pieces.push({ start, end });
  if (kind === "unspaced") markUnspaced(token, start, matcher, found.marks);
  else addMark(found.marks, start, end, matcher.matchTerms(tokenTerms(kind, token, matcher.words)));
}

/** The whole where its joined form is looked for, and else its parts. */
function markCompound(token: string, start: number, matcher: TermMatcher, { marks, pieces }: Found): void {
  const [joined, ...parts] = tokenTerms("compound", token, matcher.words);
  if (joined !== undefined && parts.length > 0)
    addMark(marks, start, start + token.length, matcher.matchTerms([joined]));
  let at = start;
  for (const part of token.split(/[-_&]/)) {
    const end = at + part.length;
    const word = cleanWord(part);
    if (word !== "") {
      pieces.push({ start: at, end });
      addMark(marks, at, end, matcher.matchTerms([matcher.words.stem(word)]));
    }
    at = end + 1;
  }
}

/** Characters and pairs of neighbours; those that touch are one mark. */
function markUnspaced(run: string, start: number, matcher: TermMatcher, marks: Mark[]): void {
  let open: Mark | undefined;
  let before = "";
  let at = start;
  for (const character of run) {
    const end = at + character.length;
    const single = matcher.matchTerms([character]);
    const pair = before === "" ? [] : matcher.matchTerms([before + character]);
    if (single.length + pair.length > 0) {
      const from = pair.length > 0 ? at - before.length : at;
      const goesOn = open !== undefined && open.end >= from;
      if (open !== undefined && !goesOn) marks.push(open);
      const keys: string[] = goesOn ? [...open!.keys] : [];
      for (const key of [...pair, ...single]) if (!keys.includes(key)) keys.push(key);
      open = { start: goesOn ? open!.start : from, end, keys };
    }
    before = character;
    at = end;
  }
  if (open !== undefined) marks.push(open);
}

function addMark(marks: Mark[], start: number, end: number, keys: readonly string[]): void {
  if (keys.length > 0) marks.push({ start, end, keys });
}

function inOrigin({ start, end }: Range, { starts, ends }: NormalText): Range {
  return { start: starts[start]!, end: ends[end - 1]! };
}

/** Overlapping marks become one; marks that only touch stay two. */
function mergeMarks(found: readonly Mark[]): Mark[] {
  const marks: Mark[] = [];
  for (const mark of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = marks.at(-1);
    if (last === undefined || mark.start >= last.end) marks.push(mark);
    else
      marks[marks.length - 1] = {
        start: last.start,
        end: Math.max(last.end, mark.end),
        keys: [...new Set([...last.keys, ...mark.keys])],
      };
  }
  return marks;
}

/** Whether each piece lies in a mark; both in reading order. */
function coversAll(marks: readonly Mark[], pieces: readonly Range[]): boolean {
  let at = 0;
  for (const { start, end } of pieces) {
    while (at < marks.length && marks[at]!.end < end) at++;
    if (at === marks.length || marks[at]!.start > start) return false;
  }
  return pieces.length > 0;
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }),
);

/** A text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES.get(character)!);
}
